#!/usr/bin/env bash
# Allocations of several commands fail once, and from some on all fail: the command must say no-memory
# and end with status 1, or do without that memory and print what it prints otherwise; it leaves no
# temporary files, and every journal of a study that was there before begins as it did. Where a library dereferences NULL itself, or goes on in another way that is right as
# well, the place is in failing_allocations.txt.
# Of the allocations that the same chain of callers asks for, the first and the last fail, and all from
# the first on; with 'every', each of them. In random order; with RUNS that many of them, four times as many with
# GRADYN_TEST_ALL; without, or with 0, all of them.
# Usage: failing_allocations.sh GRADYN_COMMAND PRELOAD.so [RUNS [SEED [every|places [PATTERN]]]]; with a
# pattern only the commands that it matches, by their beginning.
set -uo pipefail

gradyn=$(realpath "$1")
preload=$(realpath "$2")
runs=${3:-0}
[ -z "${GRADYN_TEST_ALL-}" ] || runs=$((4 * runs))
seed=${4:-1}
every=${5:-}
[ "$every" = every ] || every=
pattern=${6:-}
known=$(realpath "$(dirname "$0")/failing_allocations.txt")
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place" || exit 1
declare -A tally=([runs]=0 [no-memory]=0 [harmless]=0 [upstream]=0 [faults]=0)

commands=()
for method in ali3p variational idas; do
  for command in "gradient five-bar" "run five-bar --max-evaluations 4 --out study" "check five-bar"; do
    commands+=("$command --t-end 0.05 --json --method $method -q")
  done
done
for command in "gradient five-bar" "run five-bar --max-evaluations 4 --out study"; do
  commands+=("$command --t-end 0.05 --json --method idas --sensitivity direct -q")
done
commands+=("simulate five-bar --t-end 0.1" "info five-bar" "list --json" "run --hlep"
  "steps five-bar --method ali3p --t-end 0.1")
# trees in joint coordinates: in space, with a loop, in the plane, with friction, with rows of velocities
commands+=("info robot-arm --coordinates joint --json"
  "check five-bar --coordinates joint --method explicit --t-end 0.02 --json -q"
  "simulate robot-arm --coordinates joint --method explicit --json -q")
for tree in "spatial-slider-crank --method explicit" "spatial-slider-crank --method ali3p" \
  "five-bar --method explicit" "five-bar --method idas" "bouncing-five-bar --method explicit" \
  "governor --method explicit" "governor --method radau" "bicycle --method explicit" "bicycle --method idas"; do
  commands+=("gradient $tree --coordinates joint --t-end 0.02 --json -q")
done

# Studies that exist before and have work left. Commands that continue or read a study get a copy
# of it.
march="--t-end 0.05 --method ali3p -q"
declare -A prepared=() # by the command's number
# prepare KIND COMMAND: makes such a study.
prepare() {
  # shellcheck disable=SC2086
  "$gradyn" $2 $march --out "before/$1" >/dev/null 2>&1 || [ $? -eq "${3:-1}" ] || exit 2
}
# with KIND COMMAND: runs a command with a copy of it.
with() {
  prepared[${#commands[@]}]=$1
  commands+=("$2")
}
prepare search "run five-bar --max-evaluations 4"
prepare starts "run five-bar --max-evaluations 3 --starts 2"
prepare sweep "sweep five-bar --over LA1=1.3:1.5:3 --shard 1/2" 130
prepare front "pareto five-bar --objectives psi1,psi2 --points 2 --max-evaluations 2"
with search "resume study --max-evaluations 6 --json -q"
with search "resume study --from-best --json -q"
with starts "resume study --json -q"
with starts "resume study --max-evaluations 4 --jobs 2 --json -q"
with sweep "resume study --json -q"
with sweep "resume study --jobs 2 --json -q"
with front "resume study --max-evaluations 3 --json -q"
with search "report study"
with sweep "report study"
with search "status study --json"
with starts "status study"
with search "studies ."
commands+=("sweep five-bar $march --over LA1=1.3:1.5:2 --gradient --out study --json"
  "pareto five-bar $march --objectives psi1,psi2 --points 2 --max-evaluations 2 --out study --json"
  "run five-bar $march --max-evaluations 2 --starts 2 --jobs 2 --out study --json")

# attempt VARIABLE K NUMBER: runs the command while the given allocation fails; writes out, err,
# log and status.
attempt() {
  status=0
  rm -rf study
  [ -z "${prepared[$3]-}" ] || cp -r "before/${prepared[$3]}" study
  # shellcheck disable=SC2086
  env "FAIL_LOG=$place/log" "$1=$2" "LD_PRELOAD=$preload" "$gradyn" ${commands[$3]} >out 2>err || status=$?
} 2>/dev/null # where the shell itself tells of a crash

# Numbers that differ from run to run.
undisturbed() {
  sed -E '/"(simulate_s|gradient_s|seconds|idle_s)"/d; s/[0-9.e-]+ s$//; s/[0-9]+ s ago//' "$1"
}

# The files that a command leaves must be complete, too, such as the page of a report (without its
# times).
left_behind() {
  case $1 in
    report*) sed -E 's/"made":"[^"]*"//; s/"seconds":[^,}]*//g' study/report.html 2>/dev/null ;;
  esac
}

# Returns whether every journal of an earlier study begins as before.
is_kept() {
  local kind=$1 journal size
  [ -n "$kind" ] || return 0
  while read -r journal; do
    size=$(stat -c %s "$journal")
    # --from-best puts it aside
    cmp -s -n "$size" "$journal" "study${journal#"before/$kind"}" ||
      cmp -s -n "$size" "$journal" study/journal-old-1.jsonl || return 1
  done < <(find "before/$kind" -name '*.jsonl')
}

# Returns whether one of the listed functions is among the callers of the first allocation that
# failed.
known_upstream() {
  local frame
  while read -r frame _; do
    if head -n 8 log | grep -qF "($frame+"; then
      return 0
    fi
  done < <(grep -v '^#' "$known")
  return 1
}

# verdict COMMAND NUMBER: prints the result in one word
verdict() {
  if [ "$status" -ge 126 ]; then
    known_upstream && echo upstream || echo faults
  elif [ -n "$(find study -name '.*' -type f 2>/dev/null)" ] || ! is_kept "${prepared[$2]-}"; then
    echo faults
  elif [ "$status" -eq "${normal[$2]}" ] && (undisturbed out; left_behind "$1") | cmp -s - "expected$2"; then
    echo harmless
  elif [ "$status" -le 1 ] && grep -qE 'no-memory|out of memory|annot allocate memory' out err; then
    echo no-memory
  elif [[ $1 == *--json* && $status -eq ${normal[$2]} ]] && jq -e . out >/dev/null 2>&1 && known_upstream; then
    echo upstream
  else
    echo faults
  fi
}

# judge KIND K COMMAND NUMBER
judge() {
  local word
  word=$(verdict "$3" "$4")
  tally[runs]=$((tally[runs] + 1))
  tally[$word]=$((tally[$word] + 1))
  [ "$word" = faults ] || return
  echo "FAULT: FAIL_$1=$2 gradyn $3: status $status: $(head -n 2 err | tr '\n' ' ')"
  find study -name '.*' -type f -exec echo "  left behind:" {} + 2>/dev/null
  head -n 8 log | sed 's/^/  /'
}

# reference NUMBER: runs the command undisturbed, and adds the allocations that will fail to the
# list, as NUMBER KIND K.
reference() {
  FAIL_PLACES=$place/places attempt FAIL_AT 0 "$1"
  normal[$1]=$status
  (undisturbed out; left_behind "${commands[$1]}") >"expected$1"
  if [ ! -s places ]; then
    echo "$preload does not count the allocations of $gradyn" >&2
    exit 2
  fi
  awk -v number="$1" -v every="$every" '
    !($1 in first) { first[$1] = NR }
    { last[$1] = NR }
    every { print number, "AT", NR; print number, "FROM", NR }
    END {
      for (place in first) {
        if (!every) {
          print number, "AT", first[place]
          print number, "FROM", first[place]
          if (last[place] > first[place])
            print number, "AT", last[place]
        }
        places++
      }
      print NR " allocations in " places " places: gradyn " command >"/dev/stderr"
    }' command="${commands[$1]}" places >>list 2>>counts
}

normal=()
for number in "${!commands[@]}"; do
  [[ ! ${commands[$number]} =~ ^($pattern) ]] || reference "$number"
done
cat counts
while read -r number kind k; do
  [ "$runs" -eq 0 ] || [ "${tally[runs]}" -lt "$runs" ] || break
  attempt "FAIL_$kind" "$k" "$number"
  judge "$kind" "$k" "${commands[$number]}" "$number"
done < <(shuf --random-source=<(yes "$seed") list)
echo "seed $seed: ${tally[runs]} runs of $(wc -l <list), ${tally[no-memory]} no-memory, ${tally[harmless]} harmless," \
  "${tally[upstream]} in places known upstream, ${tally[faults]} faults"
[ "${tally[faults]}" -eq 0 ]
