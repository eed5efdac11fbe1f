#!/usr/bin/env bash
# Builds the fuzz harnesses and runs each for some seconds. An input that breaks one is kept in
# build/fuzz/findings, what opens new paths in build/fuzz/corpus.
#   fuzz.sh                        all harnesses, 20 seconds each
#   fuzz.sh --seconds 600 geometry decode_json
#   fuzz.sh --seed 1               the same inputs every time, as far as the seconds last
set -eu
cd "$(dirname "$0")/.."
seconds=20
seed=0
while [ $# -gt 0 ]; do
  case $1 in
    --seconds) seconds=$2; shift 2 ;;
    --seed) seed=$2; shift 2 ;;
    *) break ;;
  esac
done
# The runtime's own crash reports can hang below libFuzzer.
export SWIFT_BACKTRACE=enable=no
# Swift marks pointers to texts in their upper bits, so that texts of globals look lost.
export ASAN_OPTIONS=detect_leaks=0

# Of several sanitizers given to the package manager the compiler takes the last only. With
# sanitizers, Swift 6.3 crashes when it optimizes across modules.
${SWIFT:-swift} build -c release --sanitize fuzzer -Xswiftc -sanitize=fuzzer,address \
  -Xswiftc -disable-cmo \
  --package-path Tests/Fuzz --scratch-path .build/fuzz
python3 Tests/Fuzz/seeds.py build/fuzz/seeds
[ $# -gt 0 ] || set -- $(ls Tests/Fuzz/Harnesses)

# Deep nesting must fit the stack that a thread of a host may have.
ulimit -s 2048
failed=0
for harness in "$@"; do
  corpus=build/fuzz/corpus/$harness
  findings=build/fuzz/findings/$harness
  log=build/fuzz/$harness.log
  # What earlier runs found would change the inputs that follow from a seed.
  [ "$seed" = 0 ] || corpus=build/fuzz/seeded/$harness
  [ "$seed" = 0 ] || rm -rf "$corpus"
  mkdir -p "$corpus" "$findings"
  options="-seed=$seed -timeout=10 -rss_limit_mb=2048 -max_len=4096 -print_final_stats=1 -report_slow_units=5"
  dictionary=Tests/Fuzz/dictionaries/$harness.dict
  [ ! -f "$dictionary" ] || options="$options -dict=$dictionary"
  code=0
  # shellcheck disable=SC2086
  ".build/fuzz/release/fuzz_$harness" $options -max_total_time="$seconds" \
    -artifact_prefix="$findings/" "$corpus" "build/fuzz/seeds/$harness" > "$log" 2>&1 || code=$?
  runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log" | tail -1)
  found=0
  [ "$code" = 0 ] || found=1
  echo "fuzz $harness: ${runs:-0} runs in $seconds s, $found findings"
  if [ "$code" != 0 ]; then
    failed=1
    grep -E '^(==|SUMMARY|Fatal|.*[Ff]atal error|artifact_prefix)' "$log" | head -8
    echo "  repeat: .build/fuzz/release/fuzz_$harness $(ls -t "$findings"/* | head -1)"
  fi
done
exit $failed
