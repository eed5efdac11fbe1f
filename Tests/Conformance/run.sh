#!/usr/bin/env bash
# Runs the shared conformance cases, and compares areas with osmium's. Both need the folder shared/
# beside the repository (or OPK_SHARED); without it they are skipped.
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
else
  echo "conformance: skipped, there is no $conformance"
fi

if [ -d "$shared/data/extracts" ] && command -v osmium > /dev/null; then
  "$python" Tests/Conformance/osmium_areas.py "$shared/data/extracts/helsinki-2019.osm.pbf" || status=1
else
  echo "areas against osmium: skipped, they need $shared/data/extracts and osmium-tool"
fi
exit $status
