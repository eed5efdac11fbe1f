#!/usr/bin/env bash
# Checks what the formatter does not: each function of the header says what it returns and since
# when, and who owns a pointer that comes out; no traps and no Foundation in the library.
set -eu
cd "$(dirname "$0")/.."
status=0
mkdir -p build

awk '
  /^\/\*\*/ { doc = ""; }
  { doc = doc "\n" $0 }
  /^OPK_API/ { declaration = ""; inside = 1 }
  inside { declaration = declaration " " $0 }
  inside && /;/ {
    inside = 0
    name = declaration; sub(/\(.*/, "", name); sub(/.*[ *]/, "", name)
    if (doc !~ /@return/) print name ": no @return"
    if (doc !~ /@since/) print name ": no @since"
    pointer = declaration ~ /\*\*out/ || declaration ~ /^ OPK_API [a-z0-9_ ]*\*/
    if (pointer && doc !~ /owned|borrowed/) print name ": does not say who owns the result"
    doc = ""
  }' include/overpasskit.h > build/lint-header.txt
if [ -s build/lint-header.txt ]; then cat build/lint-header.txt; status=1; fi

if grep -rnE '\bfatalError\(|\btry!|\bas!|^import Foundation' Sources; then
  echo "traps or Foundation in the library"
  status=1
fi

grep -q "^## \[$(sed -n 's/^#define OPK_VERSION_STRING "\(.*\)"/\1/p' include/overpasskit.h)\]" \
  CHANGELOG.md || { echo "CHANGELOG.md has no entry for this version"; status=1; }
exit $status
