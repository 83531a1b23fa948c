#!/usr/bin/env bash
# Studies of many searches and many points: run --starts, sweep, their shards, and how they are continued.
# Usage: test_many.sh GRADYN_COMMAND
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
compile bowl failing slow

# same_numbers FILE FILE COLUMNS: two tables agree but for time.
same_numbers() {
  cut -d, -f"$3" "$1" >a
  cut -d, -f"$3" "$2" >b
  cmp -s a b || fault "$what: $1 and $2 differ"
}

# --- Many starts ------------------------------------------------------------------------------------

expect 0 run bowl.so --starts 9 --out alone --json -q
json '.optima == [.optima[0]] and .optima[0].reached == 9 and (.optima[0].objective - 2 | fabs) < 1e-3'
json '.starts.searches == 9 and .starts.unfinished == 0 and (.starts.objectives | length == 9)'
has_files alone settings.json result.json history.csv starts.csv trajectory_final.csv
[ "$(wc -l <alone/starts.csv)" -eq 10 ] || fault "$what: starts.csv has not 10 lines"
expect 0 run bowl.so --starts 9 --jobs 3 --out three -q
says out "1 distinct optima from 9 searches; 0 ended at no optimum"
same_numbers alone/starts.csv three/starts.csv 1-6,8-
expect 0 run bowl.so --starts 9 --screen 3 --seed 5 --out screened --json -q
json '.starts.searches == 3 and .starts.seed == 5'

# parts: each part searches its own starts, and resume collects them
for part in 1 2 3; do
  "$gradyn" run bowl.so --starts 9 --shard $part/3 --out parts -q >out 2>err
  status=$?
  [ $status -eq $((part < 3 ? 130 : 0)) ] || fault "part $part: exit status $status"
done
expect 0 resume parts -q
same_numbers alone/starts.csv parts/starts.csv 1-6,8-

# interrupted and resumed
begin run ./slow.so --starts 4 --jobs 2 --out stopped --json
rows stopped/starts/start-000001.jsonl 3
kill -INT "$job"
wait "$job"
status=$?
what="Ctrl-C among many starts"
[ $status -eq 130 ] || fault "$what: exit status $status"
json '.status == "interrupted" and .starts.unfinished > 0'
says err "are not finished, 'gradyn resume' continues them"
HURRY=1 expect 0 run ./slow.so --starts 4 --out undisturbed -q
HURRY=1 expect 0 resume stopped --jobs 2 -q
same_numbers stopped/starts.csv undisturbed/starts.csv 1-6,8-

# a lack of memory ends every search; it is reported as an error, not as an interruption
for jobs in 1 2; do
  expect 1 run five-bar --method ali3p --memory 2 --starts 3 --jobs $jobs --out hungry$jobs --json -q
  json '.status == "no-memory" and .starts.unfinished == 3'
  says err "the option memory allows"
done

expect 2 run bowl.so --starts 0
expect 2 run bowl.so --starts 4 --shard 5/4 --out wrong
says err "write K/N with 1 <= K <= N"
expect 2 run bowl.so --starts 4 --seed 0.5 --out wrong
says err "must be a whole number"

# --- Sweeps -----------------------------------------------------------------------------------------

expect 0 sweep bowl.so --over a=0:4:5 --over b=0:2:3 --gradient --out grid --json -q
json '.points == 15 and .failed == 0 and .missing == 0 and
      (.functionals[0] | .name == "height" and .least.parameters[:2] == [3, 0])'
has_files grid settings.json sweep.csv result.json report.html
cp grid/result.json out
json '.command == "sweep" and .points == 15 and .functionals[0].largest.value > .functionals[0].least.value'
expect 0 status grid
says out ": done"
[ "$(wc -l <grid/sweep.csv)" -eq 16 ] || fault "$what: sweep.csv has not 16 lines"
grep -q ',d height / d a,' grid/sweep.csv || fault "$what: no derivatives"
# height = (a - 3)^2 + (b + 1)^2 + ..., at a = 1, b = 2: derivatives -4 and 6
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i }
  NR == 7 { a = $column["a [m]"]; b = $column["b [m]"]
    if (a != 1 || b != 2 || ($column["d height / d a"] + 4) ^ 2 > 1e-8 ||
        ($column["d height / d b"] - 6) ^ 2 > 1e-8) exit 1 }' grid/sweep.csv ||
  fault "$what: wrong derivatives"
expect 0 sweep bowl.so --over a=0:4:5 --over b=0:2:3 --gradient --out grid2 --jobs 3 -q
cmp -s grid/sweep.csv grid2/sweep.csv || fault "$what: the number of processes changes the table"
expect 0 sweep bowl.so --over a=0:4 --over b=0:2 --points 20 --seed 3 --out scattered -q
says out "20 points, 0 failed, 0 missing"
cp scattered/sweep.csv before.csv
rm scattered/sweep.csv
expect 0 resume scattered -q
cmp -s scattered/sweep.csv before.csv || fault "$what: another table"
# the table has gaps until the last part has ended
for part in 1 2; do
  expect $((part < 2 ? 130 : 0)) sweep bowl.so --over a=0:4:5 --over b=0:2:3 --gradient --shard $part/2 --out halves -q
  says out "15 points, 0 failed, $((part < 2 ? 7 : 0)) missing"
  [ "$part" -eq 2 ] || says err "points of other parts are missing: 'gradyn resume' computes"
  [ "$(jq -r .status halves/result.json)" = "$([ "$part" -eq 2 ] && echo ok || echo interrupted)" ] ||
    fault "$what: the status of part $part"
done
cmp -s grid/sweep.csv halves/sweep.csv || fault "$what: halves make no whole"
expect 2 sweep bowl.so
says err "--over: missing; give a parameter and its range, for example --over a="
expect 2 sweep bowl.so --over z=0:1:2
says err "no parameter is called 'z'"
for range in a a= a=0 a=0:1 a=0:1:x a=x:1:2 a=0:x:2 a=0::2 a=0:inf:2 a=0:1:0 a=0:1:-1 a=0:1:2.5 a=0:1:1e10 a=0:1:2:3 \
  a=0:1:2x; do
  expect 2 sweep bowl.so --over $range --out wrong
  says err "--over '$range': write NAME=A:B:N"
done
for range in =0:1:2 u=0:1:2 "u[0=0:1:2"; do
  expect 2 sweep bowl.so --over "$range" --out wrong
  says err "--over '$range': no parameter is called '${range%%=*}'; 'gradyn info' lists them"
done
for range in a=0:x a=0: a=0:1:0; do
  expect 2 sweep bowl.so --over $range --points 2 --out wrong
  says err "--over '$range': write NAME=A:B:N"
done
for shard in 0/3 4/3 -1/3 x/3 /3 1 1/ 1/x 1/3x 1/1000001; do
  expect 2 sweep bowl.so --over a=0:1:2 --shard $shard --out wrong
  says err "--shard '$shard': write K/N with 1 <= K <= N, for example 3/8"
done
for seed in -1 0.5 9000000000000001; do
  expect 2 sweep bowl.so --over a=0:1 --points 2 --seed $seed --out wrong
  says err "it must be a whole number from 0 to 9e15"
done
[ ! -e wrong ] || fault "what was refused has a folder"
# the smallest and largest accepted numbers
expect 0 sweep bowl.so --over a=2:3:1 --out one --no-report -q --json
json '.points == 1 and .functionals[1].least.value == 2 and .functionals[1].largest.value == 2'
expect 130 sweep bowl.so --over a=0:1:2 --shard 1/1000000 --out share --no-report -q --json
json '.points == 2 and .missing == 1 and .status == "interrupted"'
for seed in 0 9000000000000000; do
  expect 0 sweep bowl.so --over a=0:1 --points 2 --seed $seed --out seeded --force --no-report -q
  [ "$(jq .seed seeded/settings.json)" = $seed ] || fault "$what: another seed"
done
# a range for scattered points needs no count, but may have one
expect 0 sweep bowl.so --over a=0:1:7 --points 2 --seed 0 --out counted --no-report -q
expect 0 sweep bowl.so --over a=0:1 --points 2 --seed 0 --out seeded --force --no-report -q
cmp -s counted/sweep.csv seeded/sweep.csv || fault "$what: other points"
# failed points are counted, and do not take part in the extremes
expect 0 sweep failing.so --over x=0:1:5 --out failing --no-report -q --json
json '.points == 5 and .failed == 2 and .missing == 0 and
  (.functionals[0] | .least.value == 0 and .least.parameters == [0] and .largest.parameters == [0.5])'
[ "$(cut -d, -f2 failing/sweep.csv | paste -sd ' ')" = "status ok ok ok callback callback" ] ||
  fault "$what: other verdicts"
# another grid in the same folder replaces the old table
expect 0 sweep bowl.so --over a=0:4:2 --out grid --force -q
[ "$(wc -l <grid/sweep.csv)" -eq 3 ] || fault "$what: sweep.csv has not 3 lines"

verdict "Many searches and points behave."
