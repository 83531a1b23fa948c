#!/usr/bin/env bash
# System calls fail once in commands that continue or read a study: a missing descriptor, an unreadable file,
# a process that cannot be created. The command reports this and ends with a status other than 0, or prints
# its usual output. Every journal keeps its earlier lines, and a resumed study gives the result of an
# undisturbed command. Needs strace.
# Usage: failing_calls.sh GRADYN_COMMAND [SECONDS [SEED]]; in random order; without SECONDS, or with 0, all of
# them.
set -uo pipefail

gradyn=$(realpath "$1")
seconds=${2:-0}
seed=${3:-1}
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place" || exit 1
declare -A tally=([runs]=0 [told]=0 [harmless]=0 [faults]=0)
# each call with the errors that it may report
declare -A reason=([openat]=EMFILE [dup]=EMFILE [read]=EIO [pread64]=EIO [newfstatat]=EIO [lseek]=EIO
  [getdents64]=EIO [access]=EIO [flock]=ENOLCK [ftruncate]=EIO [clone]=EAGAIN [mkdir]=EROFS [rename]=EROFS
  [unlink]=EROFS)
calls=$(IFS=, && echo "${!reason[*]}")

march="--t-end 0.05 --method ali3p -q"
# prepare KIND COMMAND: makes a study that has work left.
prepare() {
  # shellcheck disable=SC2086
  "$gradyn" $2 $march --out "before/$1" >/dev/null 2>&1 || [ $? -eq 1 ] || exit 2
}
prepare search "run five-bar --max-evaluations 4"
prepare starts "run five-bar --max-evaluations 3 --starts 2"
prepare sweep "sweep five-bar --over LA1=1.3:1.5:3 --shard 1/2"
prepare front "pareto five-bar --objectives psi1,psi2 --points 2 --max-evaluations 2"
kinds=() commands=()
with() {
  kinds+=("$1")
  commands+=("$2")
}
with search "resume study --max-evaluations 6 --json -q"
with search "resume study --from-best --json -q"
with starts "resume study --json -q"
with starts "resume study --max-evaluations 4 --jobs 2 --json -q"
with sweep "resume study --jobs 2 --json -q"
with front "resume study --max-evaluations 3 --json -q"
with search "report study --json"
with sweep "report study --json"
with search "status study --json"
with starts "status study"
with search "studies ."
with none "sweep five-bar $march --over LA1=1.3:1.5:2 --jobs 2 --out study --json"
with none "pareto five-bar $march --objectives psi1,psi2 --points 2 --max-evaluations 2 --out study --json"
with none "run five-bar $march --max-evaluations 2 --starts 2 --jobs 2 --out study --json"

# again NUMBER: makes a fresh copy of the files that the command needs.
again() {
  rm -rf study
  [ ! -d "before/${kinds[$1]}" ] || cp -r "before/${kinds[$1]}" study
}

# Removes numbers that differ from run to run, and the number of processes: a resumed study needs
# more of them.
undisturbed() {
  sed -E '/"(simulate_s|gradient_s|seconds|idle_s)"/d; s/[0-9]+ s ago//' "$1"
}

# The page of a report, without its times.
left_behind() {
  case $1 in
    report*) sed -E 's/"made":"[^"]*"//; s/"seconds":[^,}]*//g' study/report.html 2>/dev/null ;;
  esac
}

# Returns whether every earlier journal begins as before. --from-best renames one journal.
is_kept() {
  local kind=$1 journal size
  while read -r journal; do
    size=$(stat -c %s "$journal")
    cmp -s -n "$size" "$journal" "study${journal#"before/$kind"}" ||
      cmp -s -n "$size" "$journal" study/journal-old-1.jsonl || return 1
  done < <(find "before/$kind" -name '*.jsonl' 2>/dev/null)
}

# Returns whether the resumed study gives the same result as without a failure.
comes_right() {
  case ${commands[$1]} in
    *--from-best* | report* | stud* | stat*) return 0 ;;
    resume*) ;;
    *) [ -e study/settings.json ] || return 0 ;; # it has not been begun
  esac
  local command=${commands[$1]}
  [[ $command == resume* ]] || command="resume study --json -q"
  # shellcheck disable=SC2086
  "$gradyn" $command 2>/dev/null >resumed
  undisturbed resumed | sed '/"command_line"/d' | cmp -s - "expected$1"
}

fault() {
  echo "FAULT: $1 number $2 of gradyn ${commands[$3]}: $4: status $status: $(head -n 2 err | tr '\n' ' ')"
  head -n 3 injected | cut -c 1-160 | sed 's/^/  /'
  tally[faults]=$((tally[faults] + 1))
}

# disturb CALL K NUMBER
disturb() {
  local command=${commands[$3]}
  status=0
  again "$3"
  # shellcheck disable=SC2086
  strace -f -y -qq -o trace -e "trace=$1" -e "inject=$1:error=${reason[$1]}:when=$2" \
    "$gradyn" $command >out 2>err || status=$?
  grep '(INJECTED)' trace >injected
  # the dynamic linker opens and reads files, too
  if grep -q 'while loading shared libraries' err || [ ! -s injected ]; then
    return
  fi
  tally[runs]=$((tally[runs] + 1))
  if [ "$status" -ge 126 ] && [ "$status" -ne 130 ]; then
    fault "$1" "$2" "$3" "it died"
  elif ! is_kept "${kinds[$3]}"; then
    fault "$1" "$2" "$3" "a journal is not what it was"
  elif [ "$status" -eq "${normal[$3]}" ] && (undisturbed out; left_behind "$command") | cmp -s - "expected$3"; then
    tally[harmless]=$((tally[harmless] + 1))
  elif [ "$status" -eq 0 ] || [ ! -s err ]; then
    fault "$1" "$2" "$3" "it is not told"
  elif grep -qi 'damage' err; then
    fault "$1" "$2" "$3" "it is taken for damage"
  elif ! comes_right "$3"; then
    fault "$1" "$2" "$3" "the study does not come right"
  else
    tally[told]=$((tally[told] + 1))
  fi
}

normal=()
for number in "${!commands[@]}"; do
  normal[number]=0
  again "$number"
  # shellcheck disable=SC2086
  strace -f -qq -o trace -e "trace=$calls" "$gradyn" ${commands[$number]} >out 2>err || normal[number]=$?
  (undisturbed out; left_behind "${commands[$number]}") >"expected$number"
  # at most twenty calls of each kind, including the last ones
  for call in "${!reason[@]}"; do
    count=$(grep -cE "^[0-9]+ +$call\(" trace)
    seq 1 "$count" | shuf -n 20 --random-source=<(yes "$seed") | sed "s/^/$number $call /"
  done >>list
done
while read -r number call k; do
  [ "$seconds" -eq 0 ] || [ $SECONDS -lt "$seconds" ] || break
  disturb "$call" "$k" "$number"
done < <(shuf --random-source=<(yes "$seed") list)
echo "seed $seed: ${tally[runs]} runs of $(wc -l <list), ${tally[told]} told, ${tally[harmless]} harmless," \
  "${tally[faults]} faults"
[ "${tally[faults]}" -eq 0 ]
