#!/usr/bin/env bash
# Grids of controls refined by a search: knots as parameters and in files, resumed to the same numbers, refused.
# Usage: test_refine_controls.sh GRADYN_COMMAND
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"

expect 0 run van-der-pol-time --refine-controls 4 --out fine --json -q
json '.termination == "optimal" and .objective < 3.0955'
json '.parameters | map(select(.name | contains("@"))) | length == 4'
json '.parameters | map(select(.name | contains("@"))) | all(.initial != null and .value != null)'
jq -e '.refine_controls == 4' fine/settings.json >/dev/null || fault "settings.json does not tell of it"
json '.reason | contains("knots were added to signals in")'
# the first line counts the evaluations of all rounds, without probes
json '(.reason | capture("^optimal after (?<n>[0-9]+) evaluations").n | tonumber) == .evaluations - .probes'
has_files fine settings.json result.json history.csv trajectory_final.csv report.html journal.jsonl journal-knots-1.jsonl
jq -e '.signals[0] | (.knots | length) == (.times | length) and (.times | . == sort)' fine/model_final.json >/dev/null ||
  fault "no times of knots in model_final.json"
[ "$(tail -n +2 fine/history.csv | wc -l)" = "$(jq .evaluations fine/result.json)" ] || fault "history.csv lacks rounds"

[ "$(head -1 fine/costates_final.csv)" = "t [s],H,x,v,lambda x,lambda v" ] || fault "costates_final.csv: $(head -1 fine/costates_final.csv)"
grep -q '"lambda x"' fine/report.html || fault "no costates in the report"
expect 0 gradient van-der-pol-time --costates --out slope --no-report -q
has_files slope costates.csv
expect 2 gradient van-der-pol-time --costates -q
says err "to the folder of --out"
expect 2 gradient van-der-pol-time --costates --method idas --out other -q
says err "costates need the method explicit or radau, not idas"

# the last round deleted and the one before truncated: resume gives the same numbers
cp fine/result.json whole.json
rm fine/journal-knots-3.jsonl
head -3 fine/journal-knots-2.jsonl >part && cp part fine/journal-knots-2.jsonl
expect 0 resume fine --json -q
for key in .objective .parameters .functionals .evaluations; do
  [ "$(jq "$key" out)" = "$(jq "$key" whole.json)" ] || fault "resumed: another $key"
done

# a damaged line in the journal of any round: the command refuses it and changes no file
for journal in journal-knots-1.jsonl journal-knots-2.jsonl; do
  rm -rf damaged before
  cp -r fine damaged
  sed -i '2s/1/2/' damaged/$journal
  cp -r damaged before
  expect 2 resume damaged --json -q
  json '.status == "invalid" and (.message | contains("is damaged"))'
  says err "$journal"
  diff -r damaged before >/dev/null || fault "$what: the study was changed"
done

# a new run in the same folder leaves no journals of earlier rounds
expect 0 run van-der-pol-time --out fine --force --json -q
if ls fine/journal-knots-* >/dev/null 2>&1; then fault "journals of rounds are left"; fi
expect 2 run van-der-pol-time --refine-controls 0 --out none --force -q
expect 2 run van-der-pol-time --refine-controls 2 --starts 4 --out none --force -q
says err "a single search"

# a control with jumps has rows on both sides of a jump
if "$gradyn" info van-der-pol | grep -q '^algorithms: .* ipopt'; then
  expect 0 run van-der-pol --segments 5 --refine-controls 1 --out cut --json --no-report -q
  json '.reason | contains("knots were added to signals in 1 round")'
  has_files cut costates_final.csv journal-knots-1.jsonl
fi

# integer signals are named, rounded, and simulated from the rounded point
expect 0 info fishing --json
json '.integer_signals == [{"name": "w", "one_of": null}]'
expect 0 run fishing --set intervals=20 --out fleet --json -q
json '.rounded | .status == "ok" and .objective > 1.344 and .deviation <= .bound and .signal == "w" and .violation == 0'
json '.rounded.parameters | map(.value) | unique == [0, 1]'
json '.findings | map(select(.subject == "integers")) | length == 1'
jq -e '.signals[0].integer == true' fleet/model_final.json >/dev/null || fault "no integer signal in model_final.json"
jq .rounded fleet/result.json >rounded.json
expect 0 simulate fishing --set intervals=20 --from rounded.json --out motion --json --no-report -q
[ "$(jq '.functionals[0].value' rounded.json)" = "$(jq '.functionals[0].value' out)" ] || fault "another motion from the rounded point"
verdict "Grids of controls are refined."
