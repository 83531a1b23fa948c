#!/usr/bin/env bash
# Fronts between two functionals: pareto, by several processes, interrupted, refused.
# Usage: test_front.sh GRADYN_COMMAND
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
compile bowl lasting

# same_numbers FILE FILE: two tables of fronts agree but for time.
same_numbers() {
  cut -d, -f1-10,12- "$1" >a
  cut -d, -f1-10,12- "$2" >b
  cmp -s a b || fault "$what: $1 and $2 differ"
}

# height = 2 + (a - 3)^2 against first = a, from -5 to 3: the trade-off is 2 (3 - a)
expect 0 pareto bowl.so --objectives height,first --points 9 --out front --json
json '.status == "ok" and .termination == "done" and .objectives == ["height", "first"] and .front == 9'
json '[.points[] | (.first - 2 - (.second - 3) * (.second - 3) | fabs) < 1e-5] | all'
json '[.points[1:][] | (.trade_off - 2 * (3 - .second) | fabs) < 1e-4 and (.limit - .second | fabs) < 1e-4] | all'
json '(.points[0] | .limit == null and .trade_off == 0 and (.second - 3 | fabs) < 1e-4)'
json '(.least.second + 5 | fabs) < 1e-6 and (.points[8].limit + 4.992 | fabs) < 1e-5'
has_files front settings.json pareto.csv result.json report.html
[ "$(wc -l <front/pareto.csv)" -eq 10 ] || fault "$what: pareto.csv has not 10 lines"
jq -e '.points | length == 9' front/result.json >/dev/null || fault "$what: result.json"
expect 0 status front
says out "pareto of bowl-of-rice: done"
expect 0 pareto bowl.so --objectives height,first --points 9 --out others --jobs 3 -q --no-report
says out "9 points on the front, 0 are not, 0 unfinished"
same_numbers front/pareto.csv others/pareto.csv

# some journals are deleted, others truncated: only the missing points are searched again
rm others/front/point-00003-*.jsonl others/pareto.csv
for journal in others/front/point-00002-1.jsonl others/front/point-00008-1.jsonl; do
  head -n 2 "$journal" >shorter && mv shorter "$journal"
done
expect 0 resume others -q --jobs 2
same_numbers front/pareto.csv others/pareto.csv

# the end time is a parameter. Each point has its own end time, and the start has the one of the
# settings, whichever process evaluated last
expect 0 pareto lasting.so --objectives miss,time --points 3 --out times --json -q
cp out fresh
json '.t_end == 2 and ([.points[] | .t_end - .parameters[0] | fabs] | max) == 0 and (.points[0].t_end - 3 | fabs) < 1e-3'
cp times/settings.json begun
for jobs in 1 2; do
  expect 0 resume times --jobs $jobs --json -q
  jq -e --slurpfile fresh fresh '.t_end == 2 and [.points[].t_end] == [$fresh[0].points[].t_end]' \
    times/result.json >/dev/null || fault "$what: other end times than before"
  [ "$(jq .t_end times/settings.json)" = "$(jq .t_end begun)" ] || fault "$what: another t_end in the settings"
done
# a search and a sweep: end time of the motion at the result, and at the start
expect 0 run lasting.so --out ended --json -q
json '(.t_end - 3 | fabs) < 1e-3 and .t_end == .parameters[0].value'
expect 0 resume ended --json -q
json '(.t_end - 3 | fabs) < 1e-3 and .t_end == .parameters[0].value'
[ "$(jq .t_end ended/settings.json)" = "$(jq .t_end begun)" ] || fault "$what: another t_end in the settings"
expect 0 run lasting.so --starts 3 --jobs 2 --out many --json -q --no-report
json '(.t_end - 3 | fabs) < 1e-3 and .t_end == .parameters[0].value'
expect 0 sweep lasting.so --over duration=1:4:3 --out points --json -q
json '.t_end == 2'
expect 0 simulate lasting.so --set duration=2.5 --json
json '.t_end == 2.5'

# a front within given limits; other names, other variables
expect 0 pareto bowl.so --objectives height,first --second-at-most=-1:2 --points 4 --fix b --out part --json -q
json '[.points[].second] | length == 4 and (.[0] - 2 | fabs) < 1e-4 and (.[2] | fabs) < 1e-4'
json '.least == null and (.points[0].trade_off - 2 | fabs) < 1e-4'
expect 2 pareto bowl.so --objectives height,first --out part
says err "holds a study already"
expect 0 pareto bowl.so --objectives height,first --points 2 --out part --force -q

# no point satisfies the lowest limit: it is not on the front, and the output says so
expect 0 pareto bowl.so --objectives height,first --second-at-most=-9:1 --points 3 --out low --json -q
json '.front == 2 and .points[2].status == "infeasible" and .points[2].on_front == false'

expect 1 pareto bowl.so --objectives height,first --max-evaluations 1 --set a=4.5 --out none --json -q
json '.status == "infeasible" and .termination == "failed" and .front == 0'
expect 2 pareto bowl.so
says err "for example --objectives height,first"
expect 2 pareto bowl.so --objectives height,frist
says err "no functional is called 'frist' (did you mean 'first'?)"
expect 2 pareto bowl.so --objectives height,first,
says err "no functional is called 'first,' (did you mean 'first'?)"
expect 2 pareto bowl.so --objectives height
says err "give two different functionals"
expect 2 pareto bowl.so --objectives first,first
says err "give two different functionals"
expect 2 pareto bowl.so --objectives height,first --points 1
says err "--points 1: a front has at least two"
for range in 3:2 1:1 x x:2 1 1: :1 1:x 1:2x inf:3 -inf:3 1:inf 1,2; do
  expect 2 pareto bowl.so --objectives height,first --second-at-most=$range --out wrong
  says err "--second-at-most '$range': write A:B with A < B, limits of first"
done
expect 2 pareto bowl.so --objectives first,height --second-at-most=3:2 --out wrong
says err "limits of height"
for objectives in "," "height," ",height"; do
  expect 2 pareto bowl.so --objectives $objectives --out wrong
  says err "--objectives '$objectives': no functional is called ''"
done
[ ! -e wrong ] || fault "what was refused has a folder"
# default unless another option is given
expect 0 pareto bowl.so --objectives height,first --out eleven --json -q --no-report
json '(.points | length) == 11'
jq -e '.points == 11 and .from == null and .to == null and .objectives == ["height", "first"]' \
  eleven/settings.json >/dev/null || fault "$what: other settings"
expect 0 pareto bowl.so --objectives height,first --points 2 --second-at-most=-1:2 --out between --json -q --no-report
json '(.points | length) == 2'
jq -e '.points == 2 and .from == -1 and .to == 2' between/settings.json >/dev/null || fault "$what: other settings"

verdict "Fronts behave."
