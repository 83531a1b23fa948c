#!/usr/bin/env bash
# gradyn uncertainty: the numbers of the library, for any number of processes and after a stop; robust designs from its
# points; what is wrong.
# Usage: test_tolerances.sh GRADYN_COMMAND
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/../cli/support.sh"
short=(tolerance-four-bar --step 0.02 -q --no-report)

expect 0 uncertainty "${short[@]}" --points 60 --indices --out one --json
json '.command == "uncertainty" and .points == 64 and .evaluations == 458 and .failed == 0 and .missing == 0 and
  (.uncertain | map(.name) == ["crank", "frame", "coupler", "rocker", "reach"] and all(.unit == "m" and (.deviation - 5e-05 | fabs < 1e-18))) and
  (.uncertainty | map(.name) == ["straightness", "end"]) and
  (.uncertainty[0] | .first.mean == .value and .second.mean > .value and
    (([.effects[].change | . * .] | add) / .first.variance - 1 | fabs < 1e-12) and
    (.effects | all(.total.value > 0 and .main.error > 0)))'
cp out one.json
has_files one uncertainty.csv points.csv result.json settings.json points/points-00000.jsonl
[ "$(head -n 1 one/points.csv)" = case,weight,crank.offset,frame.offset,coupler.offset,rocker.offset,reach.offset ] ||
  fault "$what: points.csv"
[ "$(wc -l <one/points.csv)" -eq 11 ] || fault "$what: rows of points.csv"
[ "$(cut -d, -f3 one/uncertainty.csv | sort -u | paste -sd ,)" = "draws,first order,from,second order,unscented" ] ||
  fault "$what: uncertainty.csv"

# numbers FILE: of a result, to the last bit
numbers() {
  jq -c '[.uncertain, .uncertainty, .evaluations]' "$1"
}

expect 0 uncertainty "${short[@]}" --points 60 --indices --out two --jobs 2 --json
[ "$(numbers out)" = "$(numbers one.json)" ] || fault "$what: other numbers by two processes"

# stopped: the part of another, then the rest
expect 0 uncertainty "${short[@]}" --points 60 --indices --out three --json
sed -i '100,$d' three/points/points-00000.jsonl
rm three/result.json
expect 0 resume three --json
[ "$(numbers out)" = "$(numbers one.json)" ] || fault "$what: other numbers after a stop"
expect 1 uncertainty "${short[@]}" --points 100000 --max-seconds 4 --out late --json
json '.termination == "stopped" and .missing > 0 and .uncertainty[0].sampled == null and .uncertainty[0].first.mean > 0'
says err "points are not finished, 'gradyn resume' continues them"

# at random: other draws, the same expansions
expect 0 uncertainty "${short[@]}" --points 64 --random --out random --json
json '.uncertainty[0] | .sampled.mean_error > 0 and .effects[0].main == null'
[ "$(jq -c '.uncertainty[0].second' out)" = "$(jq -c '.uncertainty[0].second' one.json)" ] || fault "$what: second order"

# the table
expect 0 uncertainty "${short[@]}" --points 64 --indices --out table
says out "straightness  second order" "straightness  draws" "total index" "458 evaluations of points, 0 failed, 0 missing"

# robust design: mean and deviation of the points are those of the unscented moments
expect 1 run "${short[@]}" --cases one/points.csv --over-cases deviation:3 --max-evaluations 1 --free coupler --out robust --json
want=$(jq '.uncertainty[0].unscented | .mean + 3 * ((.variance + 1e-12 * .mean * .mean) | sqrt)' one.json)
json ".functionals[] | select(.name == \"objective\") | .initial / $want - 1 | fabs < 1e-12"

# what is wrong
expect 2 uncertainty five-bar --out none -q
says err "problem five-bar: no number is uncertain; one is needed. Call gradyn_uncertain() in build()"
expect 2 uncertainty "${short[@]}" --indices --out none
says err "--indices: there are no draws; give their number by --points N"
expect 2 uncertainty "${short[@]}" --points 5 --out none
says err "--points 5: at least 16 draws"
[ ! -e none ] || fault "$what: a folder"
expect 0 uncertainty tolerance-four-bar --set tolerance=1000 --set coupler=0.1 --set frame=0.148 --set rocker=0.1 \
  --step 0.02 --points 64 --out open -q --no-report
says out "failed" "moments are computed from the other points; the first failure: " "crank = " " m): "

verdict "Uncertainty is that of the library."
