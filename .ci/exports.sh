#!/usr/bin/env bash
# Prints the names of all functions that include/overpasskit.h declares, sorted.
set -eu
cd "$(dirname "$0")/.."
tr '\n' ' ' < include/overpasskit.h | sed 's/OPK_API/\nOPK_API/g' |
  sed -n 's/^OPK_API [^(]*[ *]\(opk_[a-z0-9_]*\)(.*/\1/p' | LC_ALL=C sort
