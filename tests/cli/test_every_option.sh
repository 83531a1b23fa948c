#!/usr/bin/env bash
# Every command with every option, and with every value that the help lists, on a problem of each kind: no crash, a
# status that is documented, a reason where it is not 0, and one object with --json. Rows come from the help; an
# argument whose kind has no values here is a fault. GRADYN_TEST_SHARE=N: one row of N,
# drawn by a fixed seed; 1: all; otherwise 200, or 20 with GRADYN_TEST_ALL.
# Usage: test_every_option.sh GRADYN_COMMAND
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
share=${GRADYN_TEST_ALL:+20}
share=${GRADYN_TEST_SHARE:-${share:-200}}
RANDOM=1
compile bowl
mkdir bin rows
printf '#!/bin/sh\n' >bin/xdg-open
chmod +x bin/xdg-open
PATH=$place/bin:$PATH
ulimit -t $((60 * ${GRADYN_TEST_PACE:-1}))

# kinds of problems: a name, and options for short runs
problems=(
  "double-integrator" # general equations
  "robertson --t-end 4" # stiff ones with an algebraic equation
  "five-bar --t-end 0.1" # mechanism in the plane
  "crane --t-end 0.5" # in space, a tree of joints
  "bouncing-ball --t-end 1" # events
  "stick-slip --t-end 0.5" # modes and friction
  "bryson-denham" # limits during the run
  "moon-landing" # phases
  "tolerance-four-bar --step 0.02" # uncertain numbers
  "./bowl.so" # a user's file
)

# known PROBLEM: names of parameters and other objects of the problem, from the output of `info`.
known() {
  "$gradyn" info "$1" --json -q >known.json || fault "info $1"
  parameter=$(jq -r '.parameters[0].name' known.json)
  value=$(jq -r '.parameters[0].value' known.json)
  mapfile -t functional < <(jq -r '.functionals[].name' known.json)
  event=$(jq -r '.events[0].name // "absent"' known.json)
  datum=$(jq -r '.data[1].name' known.json)
  signal=$(jq -r '[.data[].name | select(contains(".knot["))][0] // "u" | sub("[.].*"; "")' known.json)
  mapfile -t algorithms < <(jq -r '.algorithms[]' known.json)
}

declare -A listed # words of a help, which many commands and all problems share
# values OPTION ARGUMENT HELP: sets the array `given` to the values for the option. Values that
# the help lists are the first words of the parts between commas, colons, semicolons and brackets.
values() {
  case $2 in
    -) given=("") ;;
    SECONDS) given=(0.05) ;;
    NUMBER | ALPHA | RATE) given=(0.5 1e-6) ;;
    BYTES) given=(1e6) ;;
    N | J | K | S) given=(1 2 5) ;;
    K/N) given=(1/2) ;;
    DIR) given=(folder) ;;
    NAME=VALUE) given=("$parameter=$value") ;;
    NAME=A:B:N) given=("$parameter=$value:$value:2") ;;
    NAME,...) given=("$datum" "$parameter") ;;
    EVENT) given=("$event" absent) ;;
    STUDY) given=(study absent study/result.json) ;;
    FILE) given=("$problem" absent.so study/trajectory_initial.csv) ;;
    HOW) given=(sum mean largest cvar:0.5 deviation:1 worst) ;;
    LETTER) given=(D A E) ;;
    F,G) given=("${functional[0]},${functional[1]:-absent}" "${functional[0]}") ;;
    A:B) given=(0:1) ;;
    'NAME=SD,...|FILE') given=("$parameter=0.01" absent.csv) ;;
    'NAME=INTENSITY,...|FILE') given=("$datum=1" "$signal=1" absent.csv) ;;
    'NAME=WEIGHT,...|FILE') given=("$datum=1" "$signal=1" absent.csv) ;;
    'N|T,T,...|WHERE') given=(2 0.02 knots events 1e400) ;;
    NAME | 'NAME[,NAME]' | WHERE | WHEN)
      [ -n "${listed[$3]+known}" ] ||
        listed[$3]=$(tr ',:;()' '\n' <<<"${3// or /,}" | awk '{ print $1 }' | grep -E '^[a-z0-9-]+$' | sort -u)
      read -ra given <<<"${listed[$3]//$'\n'/ }"
      [ "$2" != NAME ] || given+=("$parameter" "${functional[0]}")
      [ "$1" != --algorithm ] || given+=("${algorithms[@]}")
      ;;
    *)
      given=()
      fault "$1: no values for its argument $2"
      ;;
  esac
}

# options COMMAND: a line for each option, name, argument and help, separated by tabs.
options() {
  "$gradyn" "$1" --help | sed -n '/^options:/,/^example:/p' |
    awk '/^  .*--/ { sub(/^  (-., | *)/, ""); argument = ""; line = $0; name = line; sub(/ .*/, "", name)
           rest = substr(line, length(name) + 2)
           if (rest !~ /^ / && rest != "") { argument = rest; sub(/ .*/, "", argument); rest = substr(rest, length(argument) + 1) }
           sub(/^ +/, "", rest); if (rest == "") { getline rest; sub(/^ +/, "", rest) }
           print name "\t" (argument == "" ? "-" : argument) "\t" rest }'
}

# line COMMAND: sets the array `needs` to the other arguments that the command needs.
line() {
  needs=()
  case $1 in
    list | studies) ;;
    help) needs=(spring) ;;
    migrate) needs=(/dev/null) ;;
    resume | status | report) needs=(study) ;;
    *) needs=("$problem") ;;
  esac
  case $1 in
    simulate | gradient | check | events | orbit | lqr | filter | linearise | steps | run | sweep | pareto | profile | uncertainty | doe) needs+=("${short[@]}") ;;
  esac
  case $1 in
    run | pareto | profile | resume) needs+=(--max-evaluations 2 --no-report) ;;
    check) needs+=(--max-seconds 1) ;;
    uncertainty) needs+=(--no-report) ;;
    steps) needs+=(--step 0.02 --method ali3p) ;;
  esac
  case $1 in
    sweep) needs+=(--over "$parameter=$value:$value:1" --no-report) ;;
    pareto) needs+=(--objectives "${functional[0]},${functional[1]:-absent}" --points 2) ;;
    lqr) needs+=(--Q "$datum=1" --R "$signal=1") ;;
  esac
}

count=0
# row COMMAND OPTION [VALUE]: runs the command in a separate folder that contains a study.
row() {
  local status=0 command=$1 text
  shift
  [ $((RANDOM % share)) -eq 0 ] || return
  line "$command"
  what="gradyn $command ${needs[*]} $* --json"
  rm -rf rows
  cp -r "studies/${problem##*/}" rows
  (cd rows && cp ../bowl.so . && "$gradyn" "$command" "${needs[@]}" "$@" --json) >out 2>err || status=$?
  count=$((count + 1))
  case $status in
    0 | 1 | 2) ;;
    *) fault "$what: exit status $status" ;;
  esac
  [ $status -eq 0 ] || [ -s err ] || fault "$what: exit status $status, no reason"
  case $1 in
    --help | --version) return ;;
  esac
  text=$(jq -s 'length == 1 and (.[0].gradyn | type) == "string"' out 2>/dev/null)
  [ "$text" = true ] || fault "$what: not one JSON object"
}

mapfile -t commands < <("$gradyn" --help | sed -nE 's/^  ([a-z]+) .*/\1/p')
[ ${#commands[@]} -ge 18 ] || fault "the help lists ${#commands[@]} commands"
declare -A options_of
for command in "${commands[@]}"; do
  options_of[$command]=$(options "$command")
  [ -n "${options_of[$command]}" ] || fault "$command: its help lists no options"
done
mkdir studies
for entry in "${problems[@]}"; do
  read -r problem more <<<"$entry"
  read -ra short <<<"$more"
  known "$problem"
  mkdir "studies/${problem##*/}"
  "$gradyn" run "$problem" "${short[@]}" --max-evaluations 2 --out "studies/${problem##*/}/study" --no-report -q >out 2>err
  [ -e "studies/${problem##*/}/study/result.json" ] || fault "no study of $problem"
  for command in "${commands[@]}"; do
    while IFS=$'\t' read -r option argument help; do
      values "$option" "$argument" "$help"
      for one in "${given[@]}"; do
        row "$command" "$option" ${one:+"$one"} </dev/null
      done
    done <<<"${options_of[$command]}"
  done
done
[ $count -ge $((4000 / share)) ] || fault "$count rows only"

verdict "$count rows of commands with options."
