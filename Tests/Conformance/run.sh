#!/usr/bin/env bash
# Runs the shared conformance cases, holds repairs against osm-testdata, asks shapely about the
# validity of all polygons, and compares areas with osmium's. All need the folder shared/ beside the
# repository (or OPK_SHARED); without it they are skipped.
#   build/conformance/results.jsonl   the verdict on each case
set -eu
cd "$(dirname "$0")/../.."
shared=$(realpath -m "${OPK_SHARED:-../shared}")
python=${PYTHON:-$([ -x .venv/bin/python ] && echo .venv/bin/python || echo python3)}
out=build/conformance
mkdir -p "$out"
status=0

conformance=$shared/cases/conformance
if [ -f "$conformance/run_cases.py" ]; then
  "$python" -B "$conformance/run_cases.py" --cases "$conformance/cases" --level full \
    --out "$out/results.jsonl" "$@" -- "$python" Tests/Conformance/answer.py --jsonl |
    tee "$out/table.txt"
  "$python" Tests/Conformance/check_results.py "$out/results.jsonl" || status=1
  "$python" Tests/Conformance/repairs.py "$conformance" || status=1
else
  echo "conformance: skipped, there is no $conformance"
fi

if [ -d "$shared/data/extracts" ]; then
  "$python" Tests/Conformance/validity.py "$shared/data" || status=1
else
  echo "valid polygons: skipped, there is no $shared/data/extracts"
fi

if [ -d "$shared/data/extracts" ] && command -v osmium > /dev/null; then
  for name in helsinki-2019 monaco-2016 north-bayreuth krems andorra; do
    extract=$shared/data/extracts/$name.osm.pbf
    "$python" Tests/Conformance/osmium_areas.py "$extract" || status=1
  done
else
  echo "areas against osmium: skipped, they need $shared/data/extracts and osmium-tool"
fi
exit $status
