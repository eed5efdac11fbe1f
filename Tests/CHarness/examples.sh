#!/usr/bin/env bash
# Installs the library into a folder of its own, builds Examples/*.c through pkg-config against it,
# and runs them.
set -eu
cd "$(dirname "$0")/../.."
prefix=$PWD/build/examples/prefix
mkdir -p build/examples
make --no-print-directory install PREFIX="$prefix" > build/examples.log 2>&1 || {
  cat build/examples.log
  exit 1
}
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig LD_LIBRARY_PATH=$prefix/lib
nearby=build/examples/nearby
# shellcheck disable=SC2046
cc -std=c99 -pedantic -Wall -Wextra -Werror -o "$nearby" Examples/nearby.c \
  $(pkg-config --cflags --libs overpasskit) -lm

passed=0 failed=0
expect() { # expect CODE WORDS ARGUMENT...: exit code, and an extended regular expression found in the output
  local code=0 output
  output=$("$nearby" "${@:3}" 2>&1) || code=$?
  if [ "$code" = "$1" ] && grep -qE -- "$2" <<< "$output"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "nearby ${*:3}: exit $code, not $1, or no '$2' in: $(head -c 300 <<< "$output")"
  fi
}
fixtures=Tests/Fixtures/overpass-json
expect 0 'nwr?.*name.*around:500.*out geom' 60.1699 24.9384
expect 1 'query: ' 91 0
expect 0 ' point +node/12345678901  Café' 51 0 $fixtures/kinds.json
expect 0 ' (line|area)s? +(way|relation)/[0-9]+  [[:alnum:]]' 60.17 24.94 Examples/data/helsinki-relations.json.gz
expect 3 'Query timed out' 52 13 $fixtures/remark.json
expect 1 'line 4, column 23' 52 13 $fixtures/broken.json
expect 1 'nowhere' 52 13 /nowhere/answer.json
expect 2 'usage' 52
expect 2 'usage' north east
echo "Examples: $passed passed, $failed failed"
[ "$failed" = 0 ]
