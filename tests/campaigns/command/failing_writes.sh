#!/usr/bin/env bash
# Every write, rename and fsync of several commands fails once, and from some call on all fail: results are
# still printed or in result.json, files are complete or absent, and the exit status reports the failure.
# Needs strace.
# Usage: failing_writes.sh GRADYN_COMMAND [SECONDS [SEED]]; without SECONDS every call fails in turn,
# otherwise random ones until the time is over.
set -uo pipefail

gradyn=$(realpath "$1")
seconds=${2:-}
seed=${3:-1}
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place" || exit 1
RANDOM=$seed
runs=0 told=0 faults=0
calls=write,rename,fsync,fdatasync,openat,unlink
commands=("run five-bar --method ali3p --step 0.02 --samples 50 --max-evaluations 5 --out study --json"
  "run five-bar --method ali3p --step 0.02 --samples 50 --out study -q"
  "simulate five-bar --method ali3p --step 0.02 --out study"
  "simulate five-bar --method ali3p --step 0.02"
  "gradient five-bar --method ali3p --step 0.02 --json")

fault() {
  echo "FAULT: $what: $*"
  head -n 3 injected | cut -c 1-160 | sed 's/^/  /'
  head -n 5 err | sed 's/^/  /'
  faults=$((faults + 1))
}

# Both runs must print the same results: the JSON object of one is compared with the table of the
# other.
found() {
  case $1 in
    *--json*) jq -se 'length == 1 and (.[0].functionals | all(.value != null))' "$2" >/dev/null 2>&1 ;;
    *) grep -q 'psi1 .*[0-9]' "$2" ;;
  esac
}

# disturb CALL WHEN COMMAND: WHEN is k or k+. Returns false if the command makes fewer calls than
# k.
disturb() {
  local status=0 failed
  what="$1 number $2 of gradyn $3"
  rm -rf study
  # shellcheck disable=SC2086
  strace -f -y -qq -o trace -e trace=$calls -e "inject=$1:error=ENOSPC:when=$2" \
    "$gradyn" $3 >out 2>err || status=$?
  grep '(INJECTED)' trace >injected || return 1
  # the dynamic linker opens files, too
  if grep -q 'while loading shared libraries' err; then
    return 0
  fi
  runs=$((runs + 1))
  # standard error and removed files are no results; files that are only read are not checked
  failed=$(grep -vcE '^[0-9]+ +(write\(2<|unlink\(|openat\(.*O_RDONLY)' injected)
  [ "$status" -lt 126 ] || fault "status $status"
  if [ "$failed" -gt 0 ] && [ "$status" -eq 0 ]; then
    fault "status 0"
  fi
  [ "$status" -eq 0 ] || told=$((told + 1))
  local began=0 output
  output=$(grep -c 'write(1<' injected)
  [ -s study/history.csv ] && [ "$(wc -l <study/history.csv)" -gt 3 ] && began=1
  case $3 in run*) ;; *) [ "$status" -ne 0 ] || began=1 ;; esac
  if [ $began -eq 1 ] && [ "$output" -eq 0 ] && ! found "$3" out && [[ $3 != "simulate"*0.02 ]]; then
    fault "what was found is not printed"
  fi
  if [ -e study/result.json ] && ! jq -e . study/result.json >/dev/null 2>&1; then
    fault "half of result.json"
  fi
  if ! grep -q 'unlink(' injected && [ -n "$(find study -name '.*' -type f 2>/dev/null)" ]; then
    fault "temporary files are left"
  fi
}

if [ -z "$seconds" ]; then
  for command in "${commands[@]}"; do
    for call in ${calls//,/ }; do
      for plus in "" +; do
        k=1
        while disturb "$call" "$k$plus" "$command"; do
          k=$((k + 1))
        done
      done
    done
  done
else
  IFS=, read -ra kinds <<<"$calls"
  end=$((SECONDS + seconds))
  while [ $SECONDS -lt $end ]; do
    plus=""
    [ $((RANDOM % 2)) -eq 0 ] || plus=+
    # a rare call may not occur that often
    disturb "${kinds[RANDOM % ${#kinds[@]}]}" "$((RANDOM % (1 + RANDOM % 80) + 1))$plus" \
      "${commands[RANDOM % ${#commands[@]}]}" || true
  done
fi
echo "seed $seed: $runs runs with a failure, $told ended with a status that tells, $faults faults"
[ "$faults" -eq 0 ]
