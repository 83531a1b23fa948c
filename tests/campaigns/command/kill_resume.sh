#!/usr/bin/env bash
# Kills searches at random times and resumes them, and kills every third one again when it is resumed:
# parameters, objective, evaluations and history must equal those of an undisturbed search to the last bit,
# and nothing may be evaluated twice.
# Usage: kill_resume.sh GRADYN_COMMAND [KILLS] [SEED] [CASE...]; a case is a quoted command line
# behind 'gradyn run'. A kill takes about one and a half times the search, which is a second or two for
# each of the cases here.
set -uo pipefail

[ $# -ge 1 ] || { echo "usage: $0 GRADYN_COMMAND [KILLS] [SEED] [CASE...]" >&2; exit 2; }
gradyn=$(realpath "$1")
kills=${2:-100}
RANDOM=${3:-1}
shift $(($# < 3 ? $# : 3))
cases=("$@")
[ ${#cases[@]} -gt 0 ] || cases=(
  'five-bar'
  'cart-pole --max-evaluations 25'
  'double-wishbone --t-end 0.05 --max-evaluations 10'
  'van-der-pol --segments 5' # limits along the way, in rounds
  'cart-pole-limited --segments 10' # and references that move
  # also with finer grids in later rounds that end near an optimum; each round of knots has a
  # journal
  'van-der-pol --segments 5 --refine-controls 2'
  'bryson-denham --segments 10 --refine-controls 2'
  'bryson-denham --set knots=11 --refine-controls 2') # in one piece
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place" || exit 1
faults=0

# essence STUDY: the data that must agree between two runs. Times, paths and the last simulation
# may differ.
essence() {
  echo "--- history"
  cut -d, -f1-7,9- "$1/history.csv"
  echo "--- result"
  sed -e '/"statistics": {/,/}/d' -e '/"time": {/,/}/d' -e '/^ "seconds"/d' -e '/^ "folder"/d' \
    "$1/result.json"
  local journal
  for journal in "$1"/journal*.jsonl; do
    echo "--- ${journal##*/}"
    sed -E 's/"(seconds|elapsed)":[^,]*,//g; s/"sum":.*//; 1d' "$journal"
  done
}

# wait_for NANOSECONDS
wait_for() {
  sleep "$(($1 / 1000000000)).$(printf %09d $(($1 % 1000000000)))"
}

# kill_within NANOSECONDS LINES ARGUMENT...: starts the command and kills it at a random moment
# before that time. If LINES is above zero, it kills the command at a random moment after the
# journal has that number of lines. On a faster machine, the command then does not end before it
# is killed.
kill_within() {
  local victim
  moment=$(($1 * RANDOM / 32768))
  "$gradyn" "${@:3}" -q >/dev/null 2>&1 &
  victim=$!
  if [ "$2" -gt 0 ]; then
    while kill -0 "$victim" 2>/dev/null &&
      [ "$(wc -l 2>/dev/null <killed/journal.jsonl || echo 0)" -lt "$2" ]; do
      sleep 0.005
    done
    moment=$((moment / lines))
  fi
  wait_for "$moment"
  kill -9 "$victim" 2>/dev/null
  wait "$victim" 2>/dev/null
}

for case in "${cases[@]}"; do
  read -ra arguments <<<"$case"
  rm -rf whole
  from=$(date +%s%N)
  "$gradyn" run "${arguments[@]}" --out whole -q >/dev/null 2>&1
  took=$(($(date +%s%N) - from))
  essence whole >expected
  lines=$(wc -l <whole/journal.jsonl)
  early=0 late=0
  for ((i = 1; i <= kills; i++)); do
    rm -rf killed
    kill_within "$took" $((i % 2 * (RANDOM % lines + 1))) run "${arguments[@]}" --out killed
    # without settings there is nothing to resume
    if [ ! -s killed/settings.json ]; then
      early=$((early + 1))
      continue
    fi
    [ ! -e killed/result.json ] || late=$((late + 1))
    [ $((i % 3)) -ne 0 ] || kill_within "$took" 0 resume killed
    "$gradyn" resume killed -q >out 2>&1
    essence killed >actual 2>>out
    if ! cmp -s expected actual; then
      echo "FAULT: $case, kill number $i:"
      tail -n 3 out
      diff expected actual | cut -c 1-200 | head -n 6
      faults=$((faults + 1))
    fi
  done
  echo "$case: $kills kills within $((took / 1000000)) ms, $early before there was a study, $late after its end"
done
[ "$faults" -eq 0 ] && echo "all resumed to the bit"
exit $((faults > 0))
