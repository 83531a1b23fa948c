#!/usr/bin/env bash
# Load cases: studies, resumed ones, tables from files and damaged ones. Usage: test_cases.sh GRADYN_COMMAND
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
compile loads

# same_point A B: two studies have the same best point.
same_point() {
  for study; do
    sed -n '/"parameters"/,/"statistics"/p' "$study/result.json" >"$study.point"
  done
  cmp -s "$1.point" "$2.point" || fault "$what: the results of $1 and $2 differ"
}

# --- All cases, and a single case -------------------------------------------------------------------

expect 0 simulate ./loads.so --json
json '[.functionals[].name] == ["sway@empty", "shake@empty", "sway@loaded", "shake@loaded", "sway@full", "shake@full"]'
json '.functionals[0].weight == 3 and .cases[1] == {"name": "loaded", "weight": 2, "values": {"payload": 1, "weight": 2}}'
expect 0 simulate ./loads.so --case full --json
json '[.functionals[].name] == ["sway", "shake"] and .case == "full" and (has("cases") | not)'
expect 2 simulate ./loads.so --case ful
says err "has no case ful; did you mean full?"
expect 0 check ./loads.so
expect 2 orbit ./loads.so
says err "has 3 cases" "--case NAME"
expect 0 info ./loads.so
says out "sway@loaded" "method: auto (in each load case explicit, or radau if the start is stiff)"

# --- Searches, stopped and resumed, with any number of threads -----------------------------------------

for over in sum mean largest cvar:0.4 deviation:2; do
  rm -rf whole part
  expect 0 run ./loads.so --over-cases $over --out whole -q
  expect 0 run ./loads.so --over-cases $over --out threads -q -j 3 --force
  same_point whole threads
  expect 1 run ./loads.so --over-cases $over --out part --max-evaluations 3 -q
  expect 0 resume part --max-evaluations 500 --json
  json '.status == "ok" and .over_cases == "'$over'" and (.cases | length) == 3'
  same_point whole part
done
jq -e '[.functionals[] | select(.name | startswith("objective"))] | length == 4' whole/result.json >/dev/null ||
  fault "the objectives of the cases are missing"

# killed at a random time, and resumed
cat >slow.csv <<END
case,payload [kg],wait,weight
empty,0,2,3
loaded,1,2,2
full,4,2,1
END
mkdir beside
expect 0 run ./loads.so --cases slow.csv --out calm -q
begin run ./loads.so --cases slow.csv --out killed -q -j 2
wait_until [ -s killed/journal.jsonl ] || fault "no journal"
kill -9 "$job" 2>/dev/null
wait "$job" 2>/dev/null
cd beside || exit 1
"$gradyn" resume ../killed -q >../out 2>../err || fault "resume from another folder"
cd .. || exit 1
same_point calm killed

# a study of all cases gives the start for one of them
expect 0 simulate --problem ./loads.so --from calm --case full --json
json '(.functionals | length) == 2'
jq -r '.parameters[] | "\(.name) \(.value)"' calm/result.json >all
jq -r '.parameters[] | "\(.name) \(.value)"' out >one
cmp -s all one || fault "$what: not the parameters of the study"

# --- Sweeps ---------------------------------------------------------------------------------------------

expect 0 sweep ./loads.so --over k=20:60:3 --out swept -q
head -1 swept/sweep.csv | grep -q "sway@full" || fault "$what: no column of a case"
expect 0 sweep ./loads.so --over k=20:60:3 --out swept_together -q -j 2
cmp -s <(cut -d, -f1-8 swept/sweep.csv) <(cut -d, -f1-8 swept_together/sweep.csv) || fault "$what: other values"

# --- Tables ---------------------------------------------------------------------------------------------

# table LINE...: a file of cases.
table() {
  printf '%s\n' "$@" >table.csv
}

# damaged STATUS TEXT: the command refuses the table and names its file and line.
damaged() {
  expect "$1" simulate ./loads.so --cases table.csv
  says err "table.csv$2"
}

table "# a comment" "case, payload [kg], t_end , k" "" "a, 2, , 30" "b,,2.5,"
expect 0 simulate ./loads.so --cases table.csv --json
json '[.parameters[].name] == ["c", "k", "k@a"] and (.parameters[2] | .value == 30)'
json '.cases_file | endswith("/table.csv")'
table "case,power" "a,2"
expect 0 simulate ./loads.so --cases table.csv
table "kase,payload" "a,1"
damaged 2 ':1: the first heading must be "case"'
table "case,payload,payload" "a,1,2"
damaged 2 ":1: column \"payload\" occurs twice"
table "case,payload" "a,1" "" "a,2"
damaged 2 ":4: case \"a\" occurs twice"
table "case,payload" "a,1,2"
damaged 2 ":2: the line has 3 cells, but there are 2 headings"
table "case,payload" "a,heavy"
damaged 2 ':2: payload is "heavy"'
table "case,payload" "a,nan"
damaged 2 ':2: payload is "nan"'
table "case,payload" "a,1e999"
damaged 2 ':2: payload is "1e999"'
table "# a comment" "case,paylod" "a,1"
damaged 2 ":2: column paylod is no parameter"
table "case,k" "a,1e6"
damaged 2 ":2: case a: parameter k is 1e+06; its bounds are 5 to 200"
table "case,power" "a,1.5"
damaged 2 ":2: case a: setting power is 1.5"
table "case,t_end" "a,-1"
damaged 2 ":2: case a: t_end is -1 s"
table "case,weight" "a,-1"
damaged 2 ":2: case a: weight is -1"
table "case,payload"
damaged 2 ":1: there are no cases"
table ",1"
damaged 2 ":1: the first heading"
table "case,payload" ",1"
damaged 2 ":2: case 1 has no name"
printf 'case,payload\na\0,1\n' >table.csv
damaged 2 ":2: it is not a text"
: >table.csv
damaged 2 ": the file is empty"
rm table.csv
expect 2 simulate ./loads.so --cases table.csv
says err "table.csv: No such file"
(echo case,payload; seq -f 'a%.0f,1' 10001) >table.csv
damaged 2 ":10002: there are more than 10000 cases"

# --- Options that cannot be combined --------------------------------------------------------------------

expect 2 run ./loads.so --segments 3 --out refused -q
says err "segments and load cases cannot be combined"
expect 2 run ./loads.so --over-cases worst --out refused -q --force
says err 'over_cases is "worst"'

verdict "Load cases are searched, stopped, resumed and refused by name."
