#!/usr/bin/env bash
# Makes the certificates in certificates/ anew: an authority that only tests trust, and a server's for
# localhost and 127.0.0.1, both valid for a hundred years. The authority's key is thrown away.
set -eu
cd "$(dirname "$0")/certificates"
key=$(mktemp)
trap 'rm -f "$key"' EXIT
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 36500 \
  -subj "/CN=OverpassKit test authority" -keyout "$key" -out authority.pem \
  -addext "basicConstraints=critical,CA:TRUE" -addext "keyUsage=critical,keyCertSign"
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 36500 \
  -CA authority.pem -CAkey "$key" -subj "/CN=localhost" -keyout server.key -out server.pem \
  -addext "basicConstraints=critical,CA:FALSE" -addext "extendedKeyUsage=serverAuth" \
  -addext "subjectAltName=DNS:localhost,IP:127.0.0.1"
