#!/usr/bin/env bash
# Builds the C tests against the shared library and runs them, plain and under valgrind.
#   OPK_LIB_DIR   folder of liboverpasskit.so; default build/lib
#   OPK_VALGRIND  0 leaves valgrind out
#   OPK_SHARED    the larger test data; default ../shared, tests that need it are left out without
set -eu
cd "$(dirname "$0")/../.."
lib=$(realpath "${OPK_LIB_DIR:-build/lib}")
out=build/charness
mkdir -p "$out"
export OPK_FIXTURES=${OPK_FIXTURES:-$PWD/Tests/Fixtures} LD_LIBRARY_PATH=$lib
export OPK_SHARED=${OPK_SHARED:-$PWD/../shared}
warnings="-pedantic -Wall -Wextra -Werror"

# The header stands alone in C99 and C++11; its start values are clean and constant in both.
{
  echo '#include <overpasskit.h>'
  sed -n 's/^#define \(OPK_\([A-Z_]*\)_INIT\).*/\1 \2/p' include/overpasskit.h |
    while read -r init name; do
      name=opk_$(echo "$name" | tr '[:upper:]' '[:lower:]')
      echo "extern const $name start_of_$name; const $name start_of_$name = $init;"
    done
} > "$out/alone.c"
# shellcheck disable=SC2086
cc -std=c99 $warnings -Iinclude -fsyntax-only "$out/alone.c"
# shellcheck disable=SC2086
c++ -std=c++11 $warnings -Iinclude -fsyntax-only -x c++ "$out/alone.c"

tests=0 checks=0 failures=0 broken=0
count() { # sums up a closing line: N tests, M checks, K failures
  tests=$((tests + $1)) checks=$((checks + $3)) failures=$((failures + $5))
}
for source in Tests/CHarness/test_*.c; do
  name=$(basename "$source" .c)
  # shellcheck disable=SC2046,SC2086
  cc -std=c99 $warnings -g -O1 -Iinclude -ISources/CTransport/include -o "$out/$name" "$source" \
    -L"$lib" -loverpasskit $(pkg-config --cflags --libs json-c) -lm -pthread
  printf '%-14s ' "$name"
  if line=$("$out/$name"); then :; else broken=$((broken + 1)); fi
  echo "${line:-ended without a result}"
  # shellcheck disable=SC2086
  [ -z "$line" ] || count $line
  if [ "${OPK_VALGRIND:-1}" = 1 ]; then
    OPK_UNDER_VALGRIND=1 valgrind --quiet --error-exitcode=1 --leak-check=full --show-leak-kinds=definite \
      --errors-for-leak-kinds=definite \
      "$out/$name" > /dev/null || { echo "$name: valgrind complains"; broken=$((broken + 1)); }
  fi
done
[ "$failures" -gt 0 ] || failures=$broken
echo "C harness: $tests tests, $checks checks, $failures failures"
echo "CHarness: $((tests > failures ? tests - failures : 0)) passed, $failures failed"
[ "$failures" = 0 ] || exit 1
Tests/CHarness/examples.sh
