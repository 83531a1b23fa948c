#!/usr/bin/env bash
# Searches over segments of a motion: found, resumed to the same numbers, refused where segments are
# impossible.
# Usage: test_segments.sh GRADYN_COMMAND
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
compile bowl

if ! "$gradyn" info bowl.so | grep -q '^algorithms: .* ipopt'; then
  expect 2 run bowl.so --algorithm ipopt --out cut -q
  says err coinor-libipopt-dev
  expect 0 run bowl.so --segments 3 --method explicit --out cut --json
  says err "algorithm: slsqp" coinor-libipopt-dev
  json '.termination == "optimal"'
  verdict "Segments without Ipopt."
fi

expect 0 run bowl.so --segments 3 --method explicit --out cut --json -q
json '.status == "ok" and .termination == "optimal" and .algorithm == "ipopt"'
json '(.parameters | length) == 6 and (.functionals | length) == 2'
json '.reason | contains("3 segments; a run without segments")'
has_files cut settings.json result.json history.csv trajectory_final.csv report.html journal.jsonl
head -1 cut/journal.jsonl | jq -e '.search.segments == 3 and .build.ipopt != null' >/dev/null ||
  fault "the journal does not tell of segments"

# known evaluations are not repeated
cp cut/result.json whole.json
head -4 cut/journal.jsonl >part && cp part cut/journal.jsonl
expect 0 resume cut --json -q
for key in .objective .parameters .functionals .reason; do
  [ "$(jq "$key" out)" = "$(jq "$key" whole.json)" ] || fault "resumed: another $key"
done

# a table gives the guess. A motion in segments is such a table and starts a search in other
# segments; a study uses its own
has_files cut trajectory_segments.csv
expect 0 run bowl.so --segments 5 --method explicit --guess cut/trajectory_segments.csv --out near --json -q
json '.reason | contains("5 segments; a run without segments")'
cmp -s near/guess.csv cut/trajectory_segments.csv || fault "guess.csv is not the table"
cp near/result.json whole.json
mkdir elsewhere && cd elsewhere || exit 1
head -3 ../near/journal.jsonl >part && cp part ../near/journal.jsonl
expect 0 resume ../near --json -q
[ "$(jq .objective out)" = "$(jq .objective ../whole.json)" ] || fault "resumed near a table: another objective"
cmp -s ../near/guess.csv ../cut/trajectory_segments.csv || fault "guess.csv is gone"
cd .. || exit 1
expect 0 run --from cut --segments 4 --out further --json -q
cmp -s further/guess.csv cut/trajectory_segments.csv || fault "the study is no guess"
expect 2 run bowl.so --guess cut/trajectory_segments.csv --out none --force -q
says err "add --segments N"
expect 2 run bowl.so --segments 3 --guess nowhere.csv --out none --force -q
says err "the guess 'nowhere.csv' cannot be read"
printf 't,x\n0,1\n1,1\n' >short.csv
expect 2 run bowl.so --segments 3 --method explicit --guess short.csv --out none --force -q
says err "has no column for"

# a warm start: from its own optimum two evaluations, in other segments few; a search without
# segments uses none of its states
expect 0 run bowl.so --segments 3 --method explicit --warm cut --out warm --json -q
json '.termination == "optimal" and .evaluations <= 2'
json '.reason | test("^optimal after (1 evaluation|2 evaluations): ")'
[ "$(jq '[.parameters[].value]' out)" = "$(jq '[.parameters[].value]' cut/result.json)" ] || fault "warm: another optimum"
jq -e '.search.warm_start | length == 16' <(head -1 warm/journal.jsonl) >/dev/null || fault "the journal lacks the warm start"
cp warm/result.json whole.json
head -1 warm/journal.jsonl >part && cp part warm/journal.jsonl
mv cut moved
expect 0 resume warm --json -q
[ "$(jq .parameters out)" = "$(jq .parameters whole.json)" ] || fault "resumed warm: other parameters"
mv moved cut
expect 0 run bowl.so --segments 4 --method explicit --warm cut/result.json --out warm-4 --json -q
json '.termination == "optimal" and (.reason | contains("4 segments; a run without segments"))'
expect 0 run bowl.so --method explicit --warm cut --out warm-1 --json -q
json '.reason | contains("states of segments not used: this search has no segments")'
expect 2 run bowl.so --warm nowhere --out none --force -q
says err "--warm 'nowhere': "
expect 2 run bowl.so --warm cut --starts 3 --out none --force -q
says err "omit --starts"

# other segment boundaries: a study records them
expect 0 run bowl.so --segments 0.01,0.07 --method explicit --out uneven --json -q
json '.termination == "optimal" and (.reason | contains("3 segments; a run without segments"))'
jq -e '.shares[1] - 0.1 | fabs < 1e-12' uneven/segments.json >/dev/null || fault "cuts are elsewhere"
head -1 uneven/journal.jsonl | jq -e '.search.segment_times == "0.01,0.07"' >/dev/null || fault "the journal lacks the segment times"
cp uneven/result.json whole.json
head -4 uneven/journal.jsonl >part && cp part uneven/journal.jsonl
expect 0 resume uneven --json -q
[ "$(jq .parameters out)" = "$(jq .parameters whole.json)" ] || fault "resumed with cuts: other parameters"
expect 0 run --from cut --segments 0.05,0.08 --out elsewhere-cut --json -q
cmp -s elsewhere-cut/guess.csv cut/trajectory_segments.csv || fault "the study is no guess for other cuts"
expect 0 run double-integrator --segments knots --out knotted --json -q
json '.reason | contains("19 segments; a run without segments")'
expect 2 run bowl.so --segments 0.05,0.2 --method explicit --out none --force -q
says err "a segment boundary at t = 0.2 s: it must be inside the run, from 0 to 0.1 s"
expect 2 run bowl.so --segments thirds --method explicit --out none --force -q
says err "use knots, events, or times in s"

# parts that begin on a plateau, with states and forces that are round-off
for parts in 3 5; do
  expect 0 run bryson-denham --segments "$parts" --algorithm slsqp --out "plateau$parts" --json -q
  json '.termination == "optimal"'
done

# second derivatives
expect 0 run bowl.so --segments 3 --method explicit --hessian --out bent --json -q
json '.termination == "optimal"'
head -1 bent/journal.jsonl | jq -e '.search.hessian' >/dev/null || fault "the journal does not tell of them"
expect 2 run bowl.so --hessian --out none --force -q
says err "searches in segments by ipopt"

expect 2 run bowl.so --segments 0 --out none --force -q
expect 2 run bowl.so --segments 1 --out none --force -q
says err "at least 2 and at most"
expect 2 run bowl.so --segments 3 --starts 4 --out none --force -q
says err "segments and refined controls are possible in a single search only"
# a functional at an event is evaluated in the segment that contains the event
expect 0 run compass-walker --segments 4 --out walk --json -q
json '.termination == "optimal" and .objective < 1e-14 and (.reason | contains("4 segments; a run without segments"))'
expect 2 run stick-slip --segments 4 --out none --force -q
says err "has a value latched at an event"
expect 2 run bowl.so --segments 3 --method idas --out none --force -q
says err "idas does not support segments"
verdict "Motions are cut into segments."
