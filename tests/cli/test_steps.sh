#!/usr/bin/env bash
# Output of steps: values of runs with the step, its half and its quarter, and their limit.
# Usage: test_steps.sh GRADYN_COMMAND
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
compile cart ring waves

for step in 0.02 0.01 0.005; do
  expect 0 gradient cart.so --method ali3p --step $step --json
  jq '[.functionals[] | .value, .gradient[0]]' out >"at-$step"
done
expect 0 gradient cart.so --method explicit --rtol 1e-11 --json
jq '[.functionals[] | .value, .gradient[0]]' out >exact

expect 0 steps cart.so --method ali3p --step 0.02 --json
json '.steps == [0.02, 0.01, 0.005] and [.study[] | .functional, .parameter] ==
  ["x", null, "x", "speed", "v", null, "v", "speed"] and (.study | all(.no_limit | not))'
json "[.study[].values] == ($(jq -s -c 'transpose' at-0.02 at-0.01 at-0.005))"
# the printed errors are those of the first run, within a factor; the scheme is of second order
json "[.study, $(cat exact)] | transpose | all(.[0].order > 1.99 and .[0].order < 2.01 and
  ((.[0].values[0] - .[1]) / .[0].error - 1 | fabs) < 1e-3)"
cp out study

# the JSON object has the same numbers as the table, by name
expect 0 steps cart.so --method ali3p --step 0.02
for k in 0 1 2 3; do
  name=$(jq -r ".study[$k] | if .parameter then \"d \\(.functional) / d \\(.parameter)\" else .functional end" study)
  row=$(grep -F "$name  " out | head -n 1)
  # the value, the extrapolated one, the relative error, the order
  read -r value limit error order <<<"${row#"$name"}"
  jq -e --argjson v "$value" --argjson l "$limit" --argjson e "$error" --argjson o "$order" ".study[$k] |
    (.values[0] / \$v - 1 | fabs) < 1e-11 and ((.values[0] - .error) / \$l - 1 | fabs) < 1e-11 and
    (.error / .values[0] / \$e | fabs - 1 | fabs) < 0.05 and (.order - \$o | fabs) < 0.006" study >/dev/null ||
    fault "$what: the row of $name is $row"
done

# without a given step, the step of the problem is used; methods that choose their own steps are
# refused
expect 0 steps cart.so --method ali3p --t-end 0.5 --json
json '.steps == [0.0005, 0.00025, 0.000125]'
for method in idas explicit auto; do
  expect 2 steps cart.so --method $method
  says err "the method $method chooses its own steps: a step-size study is for fixed-step methods"
done
expect 0 steps cart.so --method explicit --step 0.05 --json
json '.steps == [0.05, 0.025, 0.0125]'
# a value that is equal for all steps has no error
expect 0 steps ring.so --method explicit --step 0.1 --json
json '[.study[] | select(.functional == "thinness" and .parameter == null) | .error] == [0]'

# derivatives without a limit are marked in their row, first or last; values are not marked
expect 0 steps waves.so --step 0.1 --json
json '[.study[].no_limit] == [false, true, false, true, false, false, false, false]'
expect 0 steps waves.so --step 0.1
awk '/^[dw]/ { print /no limit$/ ? 1 : 0 }' out | paste -sd ' ' >marks
[ "$(cat marks)" = "0 1 0 1 0 0 0 0" ] || fault "$what: other rows are marked"
says out "no limit: this derivative does not converge"
expect 0 steps waves.so --step 0.1 --all-data --json
json '[.study[] | select(.no_limit) | .datum] == ["t_end", "fast", "faster"]'
expect 0 steps cart.so --method ali3p --step 0.02
! grep -q 'no limit' out || fault "$what: a derivative that has a limit is marked"
verdict "Steps are told as they are."
