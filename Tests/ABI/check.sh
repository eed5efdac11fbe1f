#!/usr/bin/env bash
# The binary interface: layout.c and, beside a header of libcurl, curl.c compile; the functions of the
# header, the exported symbols, the Python prototypes and Tests/ABI/symbols.txt are the same.
#   OPK_LIB_DIR  folder of liboverpasskit.so; default build/lib
#   OPK_RECORD   1 rewrites symbols.txt from the header, then fails
set -eu
cd "$(dirname "$0")/../.."
lib=${OPK_LIB_DIR:-build/lib}/liboverpasskit.so
golden=Tests/ABI/symbols.txt
export LC_ALL=C

header() { .ci/exports.sh --header; }
exported() { nm -D --defined-only "$lib" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | sort; }
prototypes() {
  sed -n '/^PROTOTYPES/,/^}/ s/^    "\(opk_[a-z0-9_]*\)":.*/\1/p' \
    bindings/python/overpasskit/_ffi.py | sort
}

if [ "${OPK_RECORD:-}" = 1 ]; then
  .ci/exports.sh > "$golden"
  echo "$golden is written anew; run again without OPK_RECORD"
  exit 1
fi
cc -std=c99 -pedantic -Wall -Wextra -Werror -Iinclude -fsyntax-only Tests/ABI/layout.c
if echo '#include <curl/curl.h>' | cc -E - > /dev/null 2>&1; then
  cc -std=c99 -pedantic -Wall -Wextra -Werror -fsyntax-only Tests/ABI/curl.c
else
  echo "no header of libcurl here: the numbers of its interface are not compared"
fi
# The Swift modules below the C interface have Arrow's structs from a header of their own.
arrow() { sed -n '/^#ifndef ARROW_C_/,/^#endif/p' "$1"; }
status=0
diff -u <(arrow include/overpasskit.h) <(arrow Sources/CArrow/arrow.h) || status=1
diff -u --label "$golden" --label exported "$golden" <(exported) || status=1
for list in header prototypes; do
  diff -u --label "$golden" --label "$list" <(grep '^opk_' "$golden") <($list) || status=1
done
[ "$status" = 0 ] && echo "ABI: $(wc -l < "$golden") functions agree in header, library, Python and golden"
exit $status
