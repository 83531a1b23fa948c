#!/usr/bin/env bash
# Output of info, and the members of all objects of --json, word for word.
# Usage: test_info.sh GRADYN_COMMAND
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
compile apart bowl swing watched

# prints: the last run printed the text on standard input; the algorithms depend on NLopt.
prints() {
  cat >wanted
  sed -E 's/^algorithms: lbfgs slsqp .*/algorithms: .../; s/, then .* before an optimum$//' out | diff wanted - >differences ||
    { fault "$what: it prints something else"; cat differences; }
}

expect 0 info bowl.so --set a=1.5 --set links=2
prints <<'END'
bowl-of-rice: A bowl with a known bottom

equations: 5 states
run: idas to t = 0.1 s, rtol 1.0e-08
algorithm: slsqp (4 parameters, 1 constraint)
method: idas (the problem's)
gradients: adjoint (5 parameters, 2 functionals)

parameter  value  unit  lower  upper  role     varied
a            1.5  m        -5      5  design   yes
b              1  m         0      5  design   yes
c              2  kg        0      4  design   fixed
u[0]           0  N        -2      2  control  yes
u[1]           1  N        -2      2  control  yes

setting  value  from  to  meaning
links        2     2   6  length of the row

functional  unit  use
height      m^2   objective, weight 1
first       m     at most 4, tolerance 1e-06

data: 6 numbers of the model
datum       value  unit
t_end         0.1  s
a.initial     1.5  m
b.initial       1  m
c.initial       2  m
u0.initial      0  m
u1.initial      1  m

methods: idas/adjoint idas/direct explicit/adjoint explicit/direct radau/adjoint radau/direct auto/adjoint auto/direct
algorithms: ...
END

expect 0 info bowl.so --set a=1.5 --set links=2 --json
jq -S "$computed"'del(.gradyn, .format) | .algorithms |= .[:2] | .chosen.algorithm |= sub(", then.*"; "")' out >is
jq -S "$computed"'.' >wanted <<'END'
{"command": "info", "problem": "bowl-of-rice", "status": "ok", "method": "idas", "sensitivity": "adjoint",
 "staggered": false, "rtol": 1e-8, "atol": null, "rtol_sens": 1e-8, "coordinates": "natural", "t_end": 0.1, "settings": {"links": 2},
 "summary": "A bowl with a known bottom", "reference": "", "model": {"kind": "equations", "states": 5},
 "parameters": [
  {"name": "a", "unit": "m", "value": 1.5, "lower": -5, "upper": 5, "role": "design", "fixed": false},
  {"name": "b", "unit": "m", "value": 1, "lower": 0, "upper": 5, "role": "design", "fixed": false},
  {"name": "c", "unit": "kg", "value": 2, "lower": 0, "upper": 4, "role": "design", "fixed": true},
  {"name": "u[0]", "unit": "N", "value": 0, "lower": -2, "upper": 2, "role": "control", "fixed": false},
  {"name": "u[1]", "unit": "N", "value": 1, "lower": -2, "upper": 2, "role": "control", "fixed": false}],
 "functionals": [
  {"name": "height", "unit": "m^2", "use": "objective", "weight": 1},
  {"name": "first", "unit": "m", "use": "at-most", "bound": 4, "tolerance": 1e-6}],
 "events": [],
 "integer_signals": [],
 "methods": {"idas": ["adjoint", "direct"], "explicit": ["adjoint", "direct"],
             "radau": ["adjoint", "direct"], "auto": ["adjoint", "direct"]},
 "data": [{"name": "t_end", "unit": "s", "value": 0.1}, {"name": "a.initial", "unit": "m", "value": 1.5},
  {"name": "b.initial", "unit": "m", "value": 1}, {"name": "c.initial", "unit": "m", "value": 2},
  {"name": "u0.initial", "unit": "m", "value": 0}, {"name": "u1.initial", "unit": "m", "value": 1}],
 "algorithms": ["lbfgs", "slsqp"],
 "chosen": {"algorithm": "slsqp (4 parameters, 1 constraint)", "method": "idas (the problem's)",
            "gradients": "adjoint (5 parameters, 2 functionals)"}}
END
diff wanted is >differences || { fault "$what: another object"; cat differences; }

# the parameters that a study has varied, and their final values
expect 0 run bowl.so --fix b --free c --out study -q --no-report
expect 0 info --from study
says out "1  m         0      5  design   fixed" "kg        0      4  design   yes"
expect 0 info --from study --json
json '[.parameters[:3][].fixed] == [false, true, false] and (.parameters[0].value - 3 | fabs) < 1e-4'

# --- Mechanisms: sizes, degrees of freedom, redundant constraints, events ---------------------------

# model PROBLEM LINE...: the lines between the first one and the parameters
model() {
  expect 0 info "$1"
  shift
  sed -n '/^mechanism/,/^run/p' out | sed 's/^run: .*//' | grep . >is
  printf '%s\n' "$@" | diff - is >differences || { fault "$what: it is told of another model"; cat differences; }
}
expect 0 info ./apart.so
says out "2 constraints, degrees of freedom not known: the mechanism cannot be assembled"
expect 0 info ./apart.so --json
json '.model | .degrees_of_freedom == null and .degrees_of_freedom_at_start == null and .assembled == false'
model five-bar "mechanism: 3 points, 6 coordinates, 4 constraints, 2 degrees of freedom"
model parallel-bars "mechanism: 3 points, 6 coordinates, 6 constraints, 1 degrees of freedom" \
  "redundant constraints, which follow from others: 1 of them: Cc" \
  "the motion does not determine the multipliers of these constraints, nor of those on which they depend: gradyn" \
  "computes the smallest multipliers, which differ in other coordinates"
expect 0 info parallel-bars --json
json '.model == {kind: "mechanism", points: 3, coordinates: 6, chosen: "natural", constraints: 6, degrees_of_freedom: 1,
  degrees_of_freedom_of_velocities: 1,
  degrees_of_freedom_at_start: 1, redundant_constraints: ["Cc"], assembled: true, states: .model.states}'
json '.model.states == 24'
expect 0 info parallel-bars --coordinates auto
says out "coordinates: natural (in the plane)"
expect 0 info robertson
says out "from Robertson (1966); SUNDIALS examples idasRoberts_FSA_dns, _ASAi_dns" "equations: 3 states" \
  "run: auto to t = 40 s, rtol 1.0e-08" "method: auto (explicit, or radau if the start is stiff)" \
  "gradients: adjoint ("
expect 0 info bouncing-ball
sed -n '/^event/,/^$/p' out >is
printf 'event   guard\nground  gap\n\n' | diff - is >differences || { fault "$what: other events"; cat differences; }
expect 0 info stick-slip --json
json '[.events[].guard] | unique == ["invariant"]'
expect 0 info rimless-wheel --json
json '[.events[].guard] | unique == ["crossing"]'

# --- Settings of the integration: in the JSON object, in a study, and taken from a study --------------

# marched OBJECT ARGUMENT...: gradient with these arguments prints exactly these members about the
# integration, and the same with --from its study.
marched() {
  local wanted=$1 from
  shift
  rm -rf kept
  expect 0 gradient "$@" --json -q --out kept --no-report
  for from in "" again; do
    [ -z "$from" ] || expect 0 gradient "$1" --from kept --json -q
    jq -S "$computed"'del(.gradyn, .format, .command, .problem, .status, .settings, .parameters, .functionals, .statistics, .time,
      .chosen, .warnings, .singular, .events, .folder, .report)' out >is
    jq -S "$computed"'. + {coordinates: "natural"}' <<<"$wanted" | diff - is >differences || { fault "$what: other options"; cat differences; }
  done
}
marched '{"method": "idas", "sensitivity": "adjoint", "staggered": false, "rtol": 1e-8, "atol": null,
  "rtol_sens": 1e-8, "t_end": 0.1}' bowl.so
marched '{"method": "idas", "sensitivity": "direct", "staggered": true, "rtol": 1e-7, "atol": 1e-9,
  "rtol_sens": 1e-6, "max_steps": 5000, "baumgarte_alpha": 3, "baumgarte_beta": 3, "t_end_chosen": 0.05,
  "t_end": 0.05}' five-bar --t-end 0.05 --method idas --staggered --sensitivity direct --rtol 1e-7 --atol 1e-9 \
  --rtol-sens 1e-6 --max-steps 5000 --baumgarte 3
marched '{"method": "idas", "sensitivity": "differences", "differences": "forward", "perturbation": 1e-6,
  "staggered": false, "rtol": 1e-8, "atol": null, "rtol_sens": 1e-8, "t_end": 0.1}' \
  bowl.so --sensitivity differences --perturbation 1e-6
marched '{"method": "ali3p", "sensitivity": "differences", "differences": "central", "staggered": false,
  "step": 1e-3, "t_end_chosen": 0.05, "t_end": 0.05}' \
  five-bar --t-end 0.05 --method ali3p --step 1e-3 --sensitivity differences
marched '{"method": "ali3p", "sensitivity": "adjoint", "staggered": false, "step": 1e-3, "integrator": "hht",
  "integrator_parameter": -0.2, "penalty": 1e8, "projection_penalty": 1e7, "t_end_chosen": 0.05, "t_end": 0.05}' \
  five-bar --t-end 0.05 --method ali3p --step 1e-3 --integrator hht --integrator-parameter -0.2 --penalty 1e8 \
  --projection-penalty 1e7
marched '{"method": "variational", "sensitivity": "direct", "staggered": false, "step": 1e-3, "quadrature": 0.3,
  "t_end_chosen": 0.05, "t_end": 0.05}' \
  five-bar --t-end 0.05 --method variational --step 1e-3 --quadrature 0.3 --sensitivity direct
marched '{"method": "explicit", "sensitivity": "adjoint", "staggered": false, "rtol": 1e-8, "atol": null,
  "rtol_sens": 1e-8, "order": 5, "t_end": 0.1}' bowl.so --method explicit --order 5

# the step of the problem belongs to the method of the problem
while read -r method step rtol arguments; do
  # shellcheck disable=SC2086
  expect 0 gradient swing.so $arguments --json -q
  json ".method == \"$method\" and .step == $step and .rtol == $rtol"
done <<'END'
ali3p 0.02 null
ali3p 0.02 null --method ali3p
auto null 1e-8 --method auto
explicit null 1e-8 --method explicit
explicit 0.01 null --method explicit --step 0.01
END

# the method of an earlier study applies unless another one is given; its end time, parameters and
# settings always apply
expect 0 simulate swing.so --method idas --rtol 1e-5 --t-end 0.5 --set angle=0.4 --out other -q --no-report
expect 0 simulate swing.so --from other --json -q
json '.method == "idas" and .rtol == 1e-5 and .t_end == 0.5 and .parameters[0].value == 0.4'
expect 0 simulate swing.so --from other --method explicit --json -q
json '.method == "explicit" and .rtol == 1e-8 and .t_end == 0.5 and .parameters[0].value == 0.4'
expect 0 simulate swing.so --from other --t-end 0.25 --set angle=0.2 --json -q
json '.method == "idas" and .rtol == 1e-5 and .t_end == 0.25 and .parameters[0].value == 0.2'
# found by name, in any order
jq '.parameters |= reverse' study/result.json >reversed.json
expect 0 info bowl.so --from reversed.json --json -q
jq -e --slurpfile study study/result.json '.parameters as $p | $study[0].parameters |
  map([.name, .value, .fixed]) == ($p | map([.name, .value, .fixed]))' out >/dev/null ||
  fault "$what: not what the study ended with"

# the cheaper sensitivity is selected: for the minimised functionals in a search, for all
# functionals otherwise
for row in info:adjoint gradient:direct simulate:direct check:direct; do
  expect 0 ${row%:*} watched.so --json -q
  json ".sensitivity == \"${row#*:}\""
done
expect 0 run watched.so --out watched --json -q --no-report
json '.sensitivity == "adjoint"'

# simulate and check have the same members; numbers that are not finite
expect 0 simulate five-bar --t-end 0.05 --method variational --step 1e-3 --json -q
json '.command == "simulate" and .method == "variational" and .quadrature == 0.5 and .t_end == 0.05'
json '[.functionals[].value | type] | unique == ["number"]'
json '[paths(type == "null")] == []'

verdict "Info and objects say what there is."
