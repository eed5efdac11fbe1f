#!/usr/bin/env bash
# Prints the names of all functions that the library exports, sorted.
#   exports.sh           those that include/overpasskit.h declares, and the entry points of hosts
#   exports.sh --header  the former alone
set -eu
cd "$(dirname "$0")/.."
{
  { tr '\n' ' ' < include/overpasskit.h; echo; } | sed 's/OPK_API/\nOPK_API/g' |
    sed -n 's/^OPK_API [^(]*[ *]\(opk_[a-z0-9_]*\)(.*/\1/p'
  # By which SQLite loads the library as an extension.
  [ "${1:-}" = --header ] || echo sqlite3_overpasskit_init
} | LC_ALL=C sort
