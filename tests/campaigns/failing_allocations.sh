#!/usr/bin/env bash
# Every allocation of several commands fails once, and from some on all fail: the command must say
# no-memory and end with status 1, or do without that memory and print what it prints otherwise.
# Where a library dereferences NULL itself, the place is in failing_allocations.txt.
# Usage: failing_allocations.sh GRADYN_COMMAND PRELOAD.so [SECONDS [SEED]]; without SECONDS every one
# fails in turn, otherwise random ones until the time is over.
set -uo pipefail

gradyn=$(realpath "$1")
preload=$(realpath "$2")
seconds=${3:-}
seed=${4:-1}
known=$(realpath "$(dirname "$0")/failing_allocations.txt")
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place" || exit 1
RANDOM=$seed
declare -A tally=([runs]=0 [no-memory]=0 [harmless]=0 [upstream]=0 [faults]=0)

commands=()
for method in ali3p variational "idas --sensitivity direct" idas; do
  for command in "gradient five-bar" "run five-bar --max-iterations 4 --out study --force" \
    "check five-bar"; do
    commands+=("$command --t-end 0.05 --json --method $method -q")
  done
done
commands+=("simulate five-bar --t-end 0.1" "info five-bar" "list --json" "run --hlep"
  "steps five-bar --method ali3p --t-end 0.1")

# attempt VARIABLE K COMMAND: with that allocation failing; leaves out, err, log and status.
attempt() {
  status=0
  # shellcheck disable=SC2086
  env "FAIL_LOG=$place/log" "$1=$2" "LD_PRELOAD=$preload" "$gradyn" $3 >out 2>err || status=$?
} 2>/dev/null # where the shell itself tells of a crash

# Numbers that no two runs share.
undisturbed() {
  sed -E '/"(simulate_s|gradient_s|seconds)"/d; s/[0-9.e-]+ s$//' "$1"
}

judge() {
  local what="FAIL_$1=$2 gradyn $3" frame
  tally[runs]=$((tally[runs] + 1))
  if [ "$status" -ge 126 ]; then
    while read -r frame _; do
      if head -n 8 log | grep -qF "($frame+"; then
        tally[upstream]=$((tally[upstream] + 1))
        return
      fi
    done < <(grep -v '^#' "$known")
  elif [ "$status" -eq "$normal" ] && undisturbed out | cmp -s - expected; then
    tally[harmless]=$((tally[harmless] + 1))
    return
  elif [ "$status" -le 1 ] && grep -qE 'no-memory|out of memory|annot allocate memory' out err; then
    tally[no-memory]=$((tally[no-memory] + 1))
    return
  fi
  tally[faults]=$((tally[faults] + 1))
  echo "FAULT: $what: status $status: $(head -n 2 err | tr '\n' ' ')"
  head -n 8 log | sed 's/^/  /'
}

# disturb COMMAND K: one that fails, and all from there on.
disturb() {
  local kind
  for kind in AT FROM; do
    attempt FAIL_$kind "$2" "$1"
    judge "$kind" "$2" "$1"
  done
}

reference() {
  attempt FAIL_AT 0 "$1"
  normal=$status
  undisturbed out >expected
  count=$(sed -n 's/^allocations //p' log)
  if [ "${count:-0}" -eq 0 ]; then
    echo "$preload does not count the allocations of $gradyn" >&2
    exit 2
  fi
}

if [ -z "$seconds" ]; then
  for command in "${commands[@]}"; do
    reference "$command"
    echo "$count allocations: gradyn $command"
    for ((k = 1; k <= count; k++)); do
      disturb "$command" "$k"
    done
  done
else
  end=$((SECONDS + seconds))
  while [ $SECONDS -lt $end ]; do
    command=${commands[RANDOM % ${#commands[@]}]}
    reference "$command"
    for _ in 1 2 3 4 5 6 7 8; do
      disturb "$command" $(((RANDOM * 32768 + RANDOM) % count + 1))
    done
  done
fi
echo "seed $seed: ${tally[runs]} runs, ${tally[no-memory]} no-memory, ${tally[harmless]} harmless," \
  "${tally[upstream]} in places known upstream, ${tally[faults]} faults"
[ "${tally[faults]}" -eq 0 ]
