#!/usr/bin/env bash
# Signals at random times: SIGINT, SIGTERM, SIGHUP, or a reader of standard output that has ended, at a random
# time of a random command. The command ends soon, with the documented status; results up to then are printed
# as one complete object; no file is incomplete; a stopped study can be resumed.
# Usage: signals.sh GRADYN_COMMAND [SECONDS [SEED]], by default 60 s, seed 1.
set -uo pipefail

[ $# -ge 1 ] || { echo "usage: $0 GRADYN_COMMAND [SECONDS [SEED]]" >&2; exit 2; }
# If nohup ignores a signal, a shell cannot undo this. Also, the signal may reach a copy of the
# shell before it becomes the command; the copy then does what the shell does at its end.
# Therefore a separate shell, which sends no signal, starts the job.
if [ -z "${GRADYN_CAMPAIGN_PLACE:-}" ]; then
  place=$(mktemp -d)
  trap 'rm -rf "$place"' EXIT
  GRADYN_CAMPAIGN_PLACE=$place env --default-signal bash "$0" "$@"
  exit
fi
gradyn=$(realpath "$1")
seconds=${2:-60}
seed=${3:-1}
cd "$GRADYN_CAMPAIGN_PLACE" || exit 1
RANDOM=$seed
runs=0 stopped=0 resumed=0 gone=0 faults=0 slowest=0
commands=(
  "run five-bar --out study"
  "run cart-pole --max-evaluations 25 --out study"
  "run five-bar --method ali3p --step 0.01 --t-end 1e5 --max-steps 1000000000 --out study"
  "run five-bar --starts 6 --jobs 2 --out study"
  "run bang-bang --refine-discretisation --out study"
  "sweep five-bar --over Ls1=1.5:2.5:40 --out study"
  "pareto cart-pole --free duration --objectives effort,time --second-at-most 1.2:2.4 --points 3 --out study"
  "simulate five-bar --method ali3p --step 0.0001 --t-end 50 --out study"
  "simulate chain --set links=64 --t-end 20"
  "simulate ball-on-slope --out study"
  "gradient chain --set links=64 --method variational --t-end 20"
  "gradient five-bar --method idas --t-end 200 --all-data"
  "check five-bar"
  "steps five-bar --method ali3p"
  "orbit compass-walker"
  "events bouncing-five-bar --saltation"
  "lqr cart-pole --Q bob.x=1,cart.x=1 --R u=0.1 --samples 1001"
  "equilibrium parallel-bars")

fault() {
  echo "FAULT: $what: $*"
  head -n 5 err | cut -c 1-160 | sed 's/^/  /'
  faults=$((faults + 1))
}

# now: milliseconds
now() {
  echo $(($(date +%s%N) / 1000000))
}

# wait_for MILLISECONDS
wait_for() {
  sleep "$(($1 / 1000)).$(printf %03d $(($1 % 1000)))"
}

# one_object FILE: the file contains exactly one JSON object
one_object() {
  jq -se 'length == 1' "$1" >/dev/null 2>&1
}

# whole_files: all files of the study can be read, and no temporary file remains.
whole_files() {
  local file
  for file in study/*.json; do
    [ ! -e "$file" ] || one_object "$file" || fault "half of $file"
  done
  for file in study/*.csv; do
    [ ! -e "$file" ] || [ "$(awk -F, '{ print NF }' "$file" | sort -u | wc -l)" -le 1 ] ||
      fault "a broken row in $file"
  done
  [ -z "$(find study -name '.*' -type f 2>/dev/null)" ] || fault "temporary files are left"
}

# disturb SIGNAL COMMAND: for PIPE, the reader of standard output ends at the beginning.
disturb() {
  local job status sent ended moment
  rm -rf study
  : >out # what the last command wrote is not this one's
  : >err
  # some moments are early, some late, because the commands take from milliseconds to minutes
  moment=$((RANDOM % (1 << (RANDOM % 11 + 1))))
  what="SIG$1 after $moment ms of gradyn $2"
  # shellcheck disable=SC2086
  if [ "$1" = PIPE ]; then
    exec 4> >(true)
    wait_for 20 # until it has gone
    timeout 20 "$gradyn" $2 --json >&4 2>err
    status=$?
    exec 4>&-
    gone=$((gone + 1))
    # 141: the command ends like any command in a broken pipe. 124: a long command was still
    # running; this is not tested here
    case $status in 1 | 141 | 124) ;; *) fault "status $status" ;; esac
    [ $status -eq 124 ] || whole_files
    [ $status -eq 124 ] || [[ $2 != run* ]] || [ -s study/result.json ] || fault "no result.json"
    return
  fi
  # a separate job, because shells let background commands ignore SIGINT
  set -m
  # shellcheck disable=SC2086
  "$gradyn" $2 --json >out 2>err &
  job=$!
  set +m
  wait_for "$moment"
  sent=$(now)
  kill "-$1" "$job" 2>/dev/null
  wait "$job" 2>/dev/null
  status=$?
  ended=$(($(now) - sent))
  runs=$((runs + 1))
  [ $ended -le $slowest ] || { slowest=$ended slowest_is=$what; }
  [ $ended -lt $((5000 * ${GRADYN_TEST_PACE:-1})) ] || fault "ended $ended ms after the signal"
  whole_files
  case $status in
    0 | 1) one_object out || fault "status $status, but no object on standard output" ;;
    129 | 130 | 143)
      stopped=$((stopped + 1))
      # before the command has installed its handlers, there are no results to lose
      if [ -s err ] && ! one_object out; then
        fault "stopped, but no object on standard output"
      fi
      if [[ $2 == run* ]] && [ -s study/history.csv ] && [ "$(wc -l <study/history.csv)" -gt 3 ] &&
        ! jq -e '.parameters // .starts | all(. != null)' out >/dev/null 2>&1; then
        fault "what was found is not printed"
      fi
      ;;
    *) fault "status $status" ;;
  esac
  if [ -s study/settings.json ] && [[ $2 == "run five-bar --out"* || $2 == *--starts* ]]; then
    "$gradyn" resume study -q >out 2>err || fault "cannot be resumed: status $?"
    resumed=$((resumed + 1))
  fi
}

slowest_is="nothing"
end=$((SECONDS + seconds))
signals=(INT TERM HUP INT TERM HUP PIPE)
while [ $SECONDS -lt $end ]; do
  disturb "${signals[RANDOM % ${#signals[@]}]}" "${commands[RANDOM % ${#commands[@]}]}"
done
echo "seed $seed: $runs runs with a signal, $stopped of them stopped by it, $resumed resumed," \
  "$gone without a reader; slowest end $slowest ms ($slowest_is), $faults faults"
[ "$faults" -eq 0 ]
