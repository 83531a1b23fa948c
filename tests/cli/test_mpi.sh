#!/usr/bin/env bash
# Work shared by the processes of mpirun: the same results as in one process, for any number of processes,
# also after one was killed. For builds with MPI.
# Usage: test_mpi.sh GRADYN_COMMAND
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
compile bowl slow
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

# shared STATUS PROCESSES ARGUMENT...: like expect, with this number of processes.
shared() {
  local wanted=$1 processes=$2 status=0
  shift 2
  what="mpirun -n $processes gradyn $*"
  mpirun -n "$processes" "$gradyn" "$@" >out 2>err || status=$?
  [ "$status" -eq "$wanted" ] || fault "$what: exit status $status instead of $wanted"
}

# same_numbers FILE FILE COLUMNS: two tables agree but for time.
same_numbers() {
  cut -d, -f"$3" "$1" >a
  cut -d, -f"$3" "$2" >b
  cmp -s a b || fault "$what: $1 and $2 differ"
}

# --- The same results as in one process ---------------------------------------------------------------

expect 0 run bowl.so --starts 9 --out alone -q
expect 0 run bowl.so --starts 9 --screen 3 --seed 5 --out best -q
expect 0 sweep bowl.so --over a=0:4:5 --over b=0:2:3 --gradient --out grid -q
expect 0 pareto bowl.so --objectives height,first --points 9 --out front -q
expect 0 profile pendulum-identification length drag --out profile -q --no-report
for n in 2 4; do
  shared 0 $n run bowl.so --starts 9 --out alone$n --json -q
  json '.status == "ok" and .starts.unfinished == 0'
  has_files alone$n settings.json result.json history.csv starts.csv trajectory_final.csv report.html
  same_numbers alone/starts.csv alone$n/starts.csv 1-6,8-
  # MUMPS contains functions with the names of MPI functions
  if "$gradyn" info bowl.so | grep -q '^algorithms: .* ipopt'; then
    shared 0 $n run bowl.so --starts 3 --algorithm ipopt --out inside$n --json -q
    json '.status == "ok" and .starts.unfinished == 0'
  fi
  shared 0 $n run bowl.so --starts 9 --screen 3 --seed 5 --out best$n -q
  same_numbers best/starts.csv best$n/starts.csv 1-6,8-
  shared 0 $n sweep bowl.so --over a=0:4:5 --over b=0:2:3 --gradient --out grid$n -q
  cmp -s grid/sweep.csv grid$n/sweep.csv || fault "$what: another table"
  shared 0 $n pareto bowl.so --objectives height,first --points 9 --out front$n -q
  same_numbers front/pareto.csv front$n/pareto.csv 1-10,12-
  shared 0 $n profile pendulum-identification length drag --out profile$n -q --no-report
  cmp -s profile/profile.csv profile$n/profile.csv || fault "$what: other profiles"
done
shared 0 2 resume grid4 --json -q
json '.missing == 0'
# one process does one search; parts are independent
shared 0 3 run bowl.so --out single --json -q
json '.status == "ok"'
shared 0 2 sweep bowl.so --over a=0:4:5 --shard 1/1 --out part -q
[ "$(grep -c 'results in part' out)" -eq 2 ] || fault "$what: not two processes of their own"

# --- Failures -----------------------------------------------------------------------------------------

# told once
shared 2 3 run bowl.so --starts 9 --out alone -q
[ "$(grep -c 'holds a study already' err)" -eq 1 ] || fault "$what: not told once"
# a process that cannot take part reports the reason, and no other process waits for it
what="a helper without its problem"
status=0
mpirun -n 1 "$gradyn" run ./bowl.so --starts 9 --out apart --json -q : \
  -n 1 "$gradyn" run ./absent.so --starts 9 --out apart -q >out 2>err || status=$?
[ "$status" -ne 0 ] || fault "$what: exit status 0"
says err "rank 1: gradyn:" "absent.so" "'gradyn resume' continues them"
expect 0 resume apart -q
same_numbers alone/starts.csv apart/starts.csv 1-6,8-

# rank_of JOB RANK: process id of a rank of mpirun.
rank_of() {
  local child
  for child in $(pgrep -P "$1"); do
    if tr '\0' '\n' <"/proc/$child/environ" | grep -qx "OMPI_COMM_WORLD_RANK=$2"; then
      echo "$child"
    fi
  done
}

# killed: every evaluation in the journals is kept, and the resumed study ends as if undisturbed
HURRY=1 expect 0 run ./slow.so --starts 4 --out undisturbed -q
for rank in 1 0; do
  what="rank $rank killed"
  mpirun -n 2 "$gradyn" run ./slow.so --starts 4 --out killed$rank -q >out 2>err &
  job=$!
  rows killed$rank/starts/start-000001.jsonl 3
  kill -KILL "$(rank_of "$job" "$rank")"
  wait "$job" && fault "$what: exit status 0"
  rm -rf before
  cp -r killed$rank/starts before
  if [ $rank -eq 1 ]; then HURRY=1 shared 0 2 resume killed$rank -q; else HURRY=1 expect 0 resume killed$rank -q; fi
  same_numbers undisturbed/starts.csv killed$rank/starts.csv 1-6,8-
  for journal in before/*.jsonl; do
    # except for an incomplete line
    whole=$(wc -l <"$journal")
    cmp -s <(head -n "$whole" "$journal") <(head -n "$whole" "killed$rank/starts/${journal#before/}") ||
      fault "$what: ${journal#before/} has lost an evaluation"
  done
done

verdict "Processes of mpirun share their work."
