#!/usr/bin/env bash
# Writes the linker's version script, which names each export: lld then fails when one is missing.
#   version-script.sh          rewrites Sources/OverpassKitLink/overpasskit.map
#   version-script.sh --check  fails when the file is not what the header asks for
set -eu
cd "$(dirname "$0")/.."
map=Sources/OverpassKitLink/overpasskit.map
text=$(
  echo "/* Written by .ci/version-script.sh from include/overpasskit.h. */"
  echo "OVERPASSKIT_0 {"
  echo "  global:"
  .ci/exports.sh | sed 's/.*/    &;/'
  echo "  local:"
  echo "    *;"
  echo "};"
)
if [ "${1:-}" = --check ]; then
  diff -u "$map" <(printf '%s\n' "$text")
else
  printf '%s\n' "$text" > "$map"
fi
