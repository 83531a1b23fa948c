#!/usr/bin/env bash
# The command from outside: exit statuses, messages, JSON, the files of a study, Ctrl-C.
# Usage: test_cli.sh GRADYN_COMMAND (CC: the compiler for the problems in shared objects)
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
compile aimless apart bounds bowl failing negative_mass no_build no_params no_problem odd_names \
  old_interface other_size shifted slow swing
echo "no shared object" >text.so

# --- Usage --------------------------------------------------------------------------------------

expect 2
says err "usage: gradyn"
expect 0 --help
says out "usage: gradyn" "simulate" "130"
silent err
expect 0 --version
grep -qE '^gradyn [0-9]+\.[0-9]+\.[0-9]+$' out || fault "$what: no version"
for command in $("$gradyn" --help | sed -n "s/^  \([a-z]*\) .*/\1/p"); do
  expect 0 "$command" --help
  says out "usage: gradyn $command" "example:" "  gradyn $command"
  [ "$command" = migrate ] || says out "--json" # the script prints for people only
  silent err
done
"$source/scripts/man.sh" "$gradyn" --check 2>err || fault "the manual page lacks changes of the table of options"
expect 2 runn
says err "'runn'" "did you mean 'run'?"
expect 2 --hlep
says err "did you mean '--help'?"
expect 2 run --hlep
says err "did you mean '--help'?"
expect 2 simulate
says err "which problem?"
expect 2 simulate bowl.so --sampels 3
says err "did you mean '--samples'?"
expect 2 simulate bowl.so --step
says err "needs a value"
expect 2 simulate bowl.so --step nan
expect 2 simulate bowl.so --step -1
says err "'-1' must be greater than 0"
expect 2 simulate bowl.so --samples 2.5
says err "whole number"
expect 2 check bowl.so --out folder
says err "--out"
expect 2 list one-too-many
expect 2 simulate --frobnicate --json
json '.status == "invalid" and (.message | contains("--frobnicate"))'

# --- Entries of the reference ------------------------------------------------------------------------

expect 0 help spring
says out "gradyn_spring (gradyn/" " gradyn_spring(gradyn_model *model" "gradyn_spring_spec" "stiffness, N/m" "Unless stated: NULL is refused"
expect 0 help gradyn_joint starts
says out "GRADYN_API gradyn_joint_id" "--starts N" "The points are those of a Sobol sequence."
expect 0 help GRADYN_REVOLUTE
says out "gradyn_joint_kind"
expect 0 help simulate
says out "usage: gradyn simulate PROBLEM"
expect 0 help run spring --json
json '.entries | map(.name) == ["gradyn run", "gradyn_spring"]'
expect 2 help sprig
says err "did you mean 'spring'?"
expect 2 help --search
says err "which words?"
expect 0 help --search a spring between two bodies
[ "$(head -n 1 out | cut -d ' ' -f 1)" = gradyn_spring ] || fault "$what: first entry"
expect 0 help --search zzzz
says out "No entry"
expect 0 help --search zzzz --json
json '.entries == []'

# --- Finding problems ---------------------------------------------------------------------------

expect 0 list
says out "five-bar"
expect 0 list --json
json '.problems | map(.name) | index("five-bar") != null'
expect 0 info five_bar
expect 0 info stick-slip --json
json '.events == ([["slips", "sticks"], ["slips_ahead", "sticks_ahead"]] | flatten
  | map({name: ., guard: "invariant"}))'
expect 0 info double-pendulum-wall --set landing=1 --json
json '.events | map(.name + " " + .guard) | contains(["lifts invariant", "apex crossing", "wall gap"])'
expect 0 info double-pendulum-wall --set landing=1
says out "apex      crossing" "wall      gap"
expect 2 info five-bra
says err "did you mean 'five-bar'?" "gradyn list"
expect 2 info swing.c
says err "'swing.c' is a C file: compile it, 'cc -O2 -shared -fPIC" "swing.c -o swing.so', and give ./swing.so"
expect 2 info some/swing.c
says err "some/swing.c -o some/swing.so', and give some/swing.so"
expect 2 info ./absent.so
says err "./absent.so"
expect 2 info text.so
says err "text.so" "cannot be loaded"
expect 2 info ./no_problem.so
says err "the shared object contains no problem"
expect 2 info ./old_interface.so
says err "gradyn-problem-0" "gradyn-problem-8"
says err "cc -O2 -shared -fPIC \$(pkg-config --cflags gradyn) ./old_interface.c -o ./old_interface.so"
expect 2 info ./other_size.so
says err "gradyn_problem: param_size is"
says err "cc -O2 -shared -fPIC \$(pkg-config --cflags gradyn) ./other_size.c -o ./other_size.so"
expect 2 info ./no_build.so
says err "no build function"
expect 2 info ./no_params.so
says err "2 parameters"
GRADYN_PATH=$place:/no/such/folder expect 0 list
says out "bowl-of-rice" "slow"
says err "text.so" "/no/such/folder"
GRADYN_PATH=$place expect 0 info bowl_of_rice -q
silent err

# --- Internal columns ---------------------------------------------------------------------------

# the multiplier of a constraint that is inactive in its mode is an internal coordinate; no file,
# list or page shows it
for coordinates in natural joint; do
  expect 0 info double-pendulum-wall --coordinates $coordinates
  grep -q idle out && fault "info shows what is internal"
done
expect 0 info hopper-codesign --json
json '.model.coordinates == 4'
expect 0 simulate hopper-codesign --out seen
grep -l "ground.idle" seen/* && fault "files show what is internal"
# drawings place points at the values of their columns
header=$(head -n 1 seen/trajectory.csv)
for point in body foot; do
  column=$(jq ".points[] | select(.name == \"$point\") | .carriers[0][0]" seen/model.json)
  [ "$(cut -d, -f$((column + 2)) <<<"$header")" = "$point.x [m]" ] || fault "$point is drawn by column $column"
  [ "$(cut -d, -f$((column + 6)) <<<"$header")" = "$point.vx [m/s]" ] || fault "$point has another velocity"
done
[ "$(jq .coordinates seen/model.json)" = 4 ] || fault "model.json counts what is internal"
expect 0 linearise double-pendulum-wall --json
grep -q idle out && fault "linearise shows what is internal"

# --- Signatures ---------------------------------------------------------------------------------

# a function with a wrong signature does not compile as an argument of any declaration
for place in force_spec:fn constraint_spec:fn functional_spec:integrand functional_spec:terminal; do
  cat >signature.c <<END
#include <gradyn/gradyn.h>
static double old(const gradyn_at *at) { (void)at; return 0; }
const gradyn_custom_${place%:*} spec = {.${place#*:} = old};
END
  "${CC:-cc}" -std=c11 -fsyntax-only -I"$source/include" signature.c 2>err && fault "$place takes any function"
  grep -q incompatible err || fault "$place: $(cat err)"
done
sed 's/gradyn_custom_.*/const gradyn_measure_formula_spec spec = {.formula = old};/' signature.c >measure.c
"${CC:-cc}" -std=c11 -fsyntax-only -I"$source/include" measure.c 2>err && fault "measures take any function"

# --- Values -------------------------------------------------------------------------------------

expect 2 simulate bowl.so --set d=1
says err "--set d" "known: links, a, b, c, u[0] to u[2]"
expect 2 simulate bowl.so --set link=3
says err "did you mean 'links'?"
expect 2 simulate bowl.so --set "u[3]=1"
expect 2 simulate bowl.so --set a=nan
says err "a=nan" "not a finite number"
expect 2 simulate bowl.so --set a=1x
expect 2 simulate bowl.so --set a
says err "NAME=VALUE"
expect 2 simulate bowl.so --set links=9
says err "from 2 to 6"
expect 2 simulate bowl.so --set links=2.5
expect 2 run bowl.so --set a=9
says err "a = 9 m" "-5 to 5"
# a value at a bound is not outside it
for bound in -5 5; do
  expect 0 simulate bowl.so --set a=$bound --json
  ! grep -q "note:" err || fault "$what: a note about a bound"
done
long=$(printf 'z%.0s' {1..127}) # the longest name that there can be
expect 2 simulate bowl.so --set "$long=1"
says err "no setting or parameter has this name"
for choice in "z$long=1" =1 "$long"; do
  expect 2 simulate bowl.so --set "$choice"
  says err "--set '$choice': write NAME=VALUE"
done
expect 0 simulate bowl.so --set links=6 --set links=2 --json -q # the last one counts
json '.settings.links == 2'
for links in 1 7; do
  expect 2 simulate bowl.so --set links=$links
  says err "must be an integer from 2 to 6"
done
expect 0 simulate bowl.so --set a=9 --json
says err "note:" "-5 to 5"
json '.parameters[0].value == 9 and (.functionals[1].value - 9 | fabs) < 1e-9'
expect 0 simulate bowl.so --set links=2 --set u=0.5 --set "u[1]=1.5" --json -q
json '.settings.links == 2 and [.parameters[3, 4].value] == [0.5, 1.5]'
# 2.5^2 + 2^2 + 1^2 + 0^2 + 1^2
json '(.functionals[0].value - 12.25 | fabs) < 1e-9'
expect 2 run bowl.so --fix d
expect 2 run bowl.so --algorithm lbgfs
says err "did you mean 'lbfgs'?"
expect 2 run bowl.so --objective heigth
says err "did you mean 'height'?"
expect 2 simulate bowl.so --method magic
says err "magic"
expect 2 run bowl.so --fix a --fix b --fix u
says err "no parameter can vary"

# --- Broken problems ----------------------------------------------------------------------------

expect 2 simulate ./negative_mass.so
says err "crank" "mass" "negative"
expect 1 simulate ./apart.so
says err "not-assembled" "left"
expect 0 simulate ./apart.so --set L=5.5
expect 2 simulate ./bounds.so
says err "x" "lower" "upper"
# in this version, bounds that are both 0 mean no bounds
sed 's/ = 2, .upper = 0/ = 0, .upper = 0/' "$source/tests/cli/problems/bounds.c" >boundless.c
"${CC:-cc}" -std=c11 -shared -fPIC -I"$source/include" boundless.c -o boundless.so
expect 0 simulate ./boundless.so
says err "parameter x: lower = upper = 0" "GRADYN_UNBOUNDED"
expect 0 simulate ./boundless.so --quiet
silent err
expect 1 simulate ./failing.so --json
json '.status == "callback" and .command == "simulate" and (.message | length > 0)'
expect 0 simulate ./failing.so --set x=0.25
expect 1 run ./failing.so --out failing
says err "callback" "initial parameters"
has_files failing settings.json result.json

# --- Names with control characters, and problems without functionals --------------------------------

for command in info simulate gradient check "gradient --sensitivity direct" "gradient --all-data" \
  "info --json" "simulate --json"; do
  # shellcheck disable=SC2086
  expect 2 $command ./odd_names.so
  grep -q 'z\\xe4hler.* is no UTF-8' err || fault "$what: the wrong name is not told"
  if LC_ALL=C grep -qP '[\x00-\x08\x0b-\x1f\x7f]|\xc2\x9b|\xe2\x80\xae|\xe4' out err; then
    fault "$what: what steers a terminal reaches it"
  fi
  # shellcheck disable=SC2086
  expect 0 $command ./aimless.so
done
for command in info gradient simulate "gradient --all-data"; do
  # shellcheck disable=SC2086
  expect 0 $command ./aimless.so --json
  json '.status == "ok" and .settings["Zähler"] == 1'
done
expect 2 run ./aimless.so --out odd --json
json '.status == "invalid" and (.message | contains("no functional is minimised"))'
GRADYN_PATH=. expect 0 list
says out "odd-names" "?]0;title? of a kind"

# --- Results ------------------------------------------------------------------------------------

expect 0 simulate bowl.so --samples 3
[ "$(wc -l <out)" -eq 4 ] || fault "$what: not a head and 3 rows"
says out "t [s],a [m],b [m]" "0.10000000000000001,0.5"
says err "height"
expect 0 simulate bowl.so --out single
says out "height" "11.75"
has_files single trajectory.csv result.json
# standard deviations of states and functionals from standard deviations of parameters, or from a
# covariance with names
expect 0 simulate ball-on-slope --covariance x=0.05,vx=0.1 --samples 2
says out "sd[ball.x] [m]" "0.050000000000000003"
says err "standard deviation"
printf 'x,vx\n0.0025,0.002\n0.002,0.01\n' >scatter.csv
expect 0 simulate ball-on-slope --covariance scatter.csv --samples 2 --out scattered --json
json '.covariance.states[1] == "ball.x" and (.covariance.matrix | length) == 6'
json '.covariance.functional_deviations.landing > 0'
has_files scattered covariance.csv
head -n 1 scattered/covariance.csv >out
says out "cov[ball.x][ball.vx] [m m/s]"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
  NR == 2 { printf "%.6g\n", $at["cov[ball.x][ball.vx] [m m/s]"] }' scattered/covariance.csv >out
says out "0.002"
expect 2 simulate ball-on-slope --covariance x=-1
says err "--covariance: 'x=-1' must be NAME=VALUE"
expect 2 simulate ball-on-slope --covariance z=1
says err "source 'z': no parameter and no datum has this name"
for list in x= =1 x=a x=-1e-9 x=1,,vx=2 x=1,vx; do
  expect 2 simulate ball-on-slope --covariance $list
  says err "must be NAME=VALUE with a value of at least 0"
done
for rows in "0.0025,0.002" "1,0 0,1 0,0" "1,0 0,a" "1,0 0" "1,0,0 0,1,0"; do
  # shellcheck disable=SC2086
  printf '%s\n' x,vx $rows >scatter.csv
  expect 2 simulate ball-on-slope --covariance scatter.csv
  says err "scatter.csv: after its line of"
done
printf 'x,vx\n1,0\n0,1' >scatter.csv # torn: the last line has no end
expect 2 simulate ball-on-slope --covariance scatter.csv
says err "scatter.csv: after its line of"
# a list gives the diagonal: squares of standard deviations. A name may be missing in the list
for pair in "simulate ball-on-slope --covariance:x=0.5,vx=0.25:x,vx 0.25,0 0,0.0625" \
  "simulate ball-on-slope --covariance:x=0,vx=2:x,vx 0,0 0,4" \
  "lqr cart-pole --R u=0.1 --Q:bob.x=1,cart.x=3:bob.x,cart.x 1,0 0,3"; do
  IFS=: read -r command list rows <<<"$pair"
  # shellcheck disable=SC2086
  printf '%s\n' $rows >matrix.csv
  # shellcheck disable=SC2086
  expect 0 $command $list --samples 2 -q
  mv out by-list
  # shellcheck disable=SC2086
  expect 0 $command matrix.csv --samples 2 -q
  cmp -s out by-list || fault "$what: the list gives something else"
done
expect 1 simulate ball-on-slope --covariance missing.csv
says err "missing.csv cannot be read"
# gains along a run
expect 0 lqr cart-pole --Q bob.x=1 --R u=0.1 --samples 3
says out "t [s],u [N],cart.x [m],bob.x [m]" "K[u][bob.vx]"
[ "$(wc -l <out)" -eq 4 ] || fault "$what: not a head and 3 rows"
expect 0 lqr cart-pole --Q bob.x=1 --Qf cart.x=2 --R u=0.1 --samples 2 --out regulated --json
json '.states == ["cart.x", "bob.x", "cart.vx", "bob.vx"] and (.K[0] | length) == 4'
json '.P[0][1] == .P[1][0] and .P[0][0] > 0'
has_files regulated K.csv P.csv
expect 2 lqr cart-pole --Q bob.x=1
says err "no input has a weight"
expect 2 lqr cart-pole --Q bob=1 --R u=1
says err "differential state 'bob': the problem has none of this name"
expect 2 lqr cart-pole --R u=0
says err "positive definite"
# estimates along a run
expect 0 filter pendulum-identification --case small --initial bob.x=0.1 --noise gravity.y=1e-4 --out estimated
says out "21 data at 21 times; -ln L = "
has_files estimated estimates.csv predicted.csv innovations.csv result.json report.html
expect 2 doe pendulum-identification --out estimated
says err "--force"
expect 0 doe pendulum-identification --out estimated --force --no-report
has_files estimated experiment.csv result.json
expect 2 filter pendulum-identification
says err "case"
expect 2 filter five-bar
says err "problem five_bar: has no data; a filter needs a fit"
expect 2 filter pendulum-identification --case small --noise gravity=1
says err "noise 'gravity': the problem has no signal and no datum of this name"
expect 2 filter pendulum-identification --case small --initial bob.x=-1
says err "must be NAME=VALUE"
expect 2 filter pendulum-identification --case small --method ali3p
says err "the method ali3p does not support runs from later times"
expect 0 gradient bowl.so
says out "d height" "u[2]"
for sensitivity in adjoint direct; do
  expect 0 gradient bowl.so --sensitivity $sensitivity --json
  json '[.functionals[0].gradient, [-5, 4, 2, -1, 0, 1]] | transpose |
        all((.[0] - .[1] | fabs) < 1e-8)'
done
expect 0 gradient bowl.so --sensitivity differences --json
json '.sensitivity == "differences" and .differences == "central" and .statistics.simulations > 36'
json '[.functionals[0].gradient, [-5, 4, 2, -1, 0, 1]] | transpose |
      all((.[0] - .[1] | fabs) < 1e-6)'
expect 0 gradient bowl.so --sensitivity differences --perturbation 0.01
says out "forward-difference (0.01) gradients" "-4.995"
says err "7 simulations"
expect 0 run bowl.so --sensitivity differences --out by-differences --json
json '.termination == "optimal" and .sensitivity == "differences" and (.objective - 2 | fabs) < 1e-4'
# second derivatives: 2 on the diagonal; of a control between 20 knots, 2 h times 2/3, 1/6 and at the ends 1/3
expect 0 gradient bowl.so --method explicit --hessian --json
# shellcheck disable=SC2016 # a filter of jq
json '[.hessian.matrix | to_entries[] | .key as $i | .value | to_entries[] | .value - (if .key == $i then 2 else 0 end) | fabs]
      | max < 1e-8'
json '.hessian.asymmetry < 1e-8 and .hessian.functional == null'
expect 0 gradient bowl.so --method explicit --hessian --objective first
says out "second derivatives of first" "d2 by"
expect 0 gradient double-integrator --hessian --json
json '.hessian.matrix | (.[0][0] - 2 / 57 | fabs < 1e-10) and (.[7][7] - 4 / 57 | fabs < 1e-10) and (.[7][8] - 1 / 57 | fabs < 1e-10)
      and .[8][7] == .[7][8] and (.[7][9] | fabs < 1e-12)'
expect 0 gradient double-integrator --hessian
says out "d2 by p twice" "strongest with q"
expect 2 gradient bowl.so --hessian
says err "idas"
expect 2 gradient bowl.so --method explicit --hessian --sensitivity differences
says err "Use sensitivity auto"
expect 2 gradient bouncing-ball --hessian
says err "name a functional with --objective"
expect 2 gradient bouncing-ball --hessian --objective path
says err "event ground ends a step"
expect 2 gradient bowl.so --hessian --objective heigt
says err "did you mean 'height'"
expect 2 gradient bowl.so --objective height
says err "only with --hessian"
expect 2 gradient bowl.so --hessian --all-data
says err "mutually exclusive"
expect 2 gradient bowl.so --sensitivity differences --all-data
says err "unsupported" "adjoint or direct"
expect 2 gradient bowl.so --sensitivity sideways
says err "Choose auto, adjoint, direct, continuous-adjoint or differences"
expect 2 gradient bowl.so --sensitivity continuous-adjoint
says err "unsupported" "idas"
expect 0 gradient five-bar --method ali3p --step 0.01 --sensitivity continuous-adjoint
says out "approximations: continuous-adjoint gradients"
expect 0 gradient bowl.so --all-data --json
json '.functionals[0].data | map(.scaled_gradient | fabs) | . == (sort | reverse)'
json '.functionals[0].data | map(select(.name == "b.initial"))[0].gradient - 4 | fabs < 1e-8'
for integrator in newmark:0.5 hht:-0.1 generalised-alpha:0.8; do
  expect 0 gradient five-bar --method ali3p --step 0.05 --integrator ${integrator%:*} --json -q
  json ".integrator == \"${integrator%:*}\" and .integrator_parameter == ${integrator#*:}"
done
expect 0 gradient five-bar --method ali3p --step 0.05 --integrator hht --integrator-parameter 0 --json
json '.integrator_parameter == 0'
expect 0 check bowl.so
says out "derivatives agree"
expect 0 check bowl.so --json
json '.status == "ok" and (.checks | length > 0 and all(.passed))'
expect 0 info bowl.so --json
json '.model.states == 6 and (.data | length >= 6) and (.methods | has("idas"))'
if [ -e /dev/full ]; then
  "$gradyn" list >/dev/full 2>err
  [ $? -eq 1 ] || fault "a full disk goes unnoticed"
fi

# The line of progress is rewritten, so it must fit the terminal, whatever its width.
if command -v script >/dev/null; then
  what="a terminal of 30 columns"
  TERM=xterm script -qec "stty cols 30; '$gradyn' run bowl.so --out narrow" /dev/null >out 2>err
  [ "$(tr '\r' '\n' <out | sed -n 's/^\x1b\[K//p' | tee lines | wc -l)" -gt 3 ] ||
    fault "$what: no progress"
  awk 'length($0) > 29 { exit 1 }' lines || fault "$what: the line is too long"
  what="a terminal, constraints"
  TERM=xterm script -qec "stty cols 120; '$gradyn' run bowl.so --out wide" /dev/null >out 2>err
  says out ", feasible, projected gradient"
  what="a terminal where all is asked for"
  TERM=xterm script -qec "'$gradyn' run bowl.so --out all -v" /dev/null >out 2>err
  says out "evaluation        objective  violation"
  ! grep -q "feasible, projected gradient" out || fault "$what: a line is rewritten"
fi

# --- Studies ------------------------------------------------------------------------------------

study=(settings.json history.csv trajectory_initial.csv trajectory_final.csv result.json)
expect 1 run bowl.so --out /proc
says err "no file can be written in folder '/proc'"
expect 0 run bowl.so --out deep/er/study --json
says err "5 of 6 parameters varied"
json '.status == "ok" and ([.parameters[].value, 3, 0, 2, 0.5, 0.5, 0.5] |
      [.[:6], .[6:]] | transpose | all((.[0] - .[1] | fabs) < 1e-3))'
has_files deep/er/study "${study[@]}"
cp deep/er/study/result.json out
json '.termination == "optimal" and (.objective - 2 | fabs) < 1e-4'
rows=$(($(wc -l <deep/er/study/history.csv) - 1))
json ".evaluations == $rows"
cp deep/er/study/settings.json out
json '.algorithm and (.command_line | length == 6) and (.parameters | length == 6)'
expect 2 run bowl.so --out deep/er/study
says err "holds a study already" "--force"
expect 2 simulate bowl.so --out deep/er/study
says err "--force"
mkdir other
echo mine >other/report.html
expect 2 simulate bowl.so --out other
says err "--out 'other' has a file report.html, which a study would replace" "--force"
cp deep/er/study/result.json before.json
expect 0 run bowl.so --fix a --out deep/er/study --force -q
cmp -s before.json deep/er/study/result.json && fault "$what: nothing was replaced"

# status prints how a study ended and how it was computed
expect 0 run bowl.so --set links=3 --fix b --rtol 1e-7 --t-end 0.05 --out first -q
cp first/result.json ended.json
for command in simulate gradient check info; do
  expect 0 $command --from first bowl.so --json -q
  jq -e --slurpfile ended ended.json '.settings == $ended[0].settings and .rtol + 0 == 1e-7 and
    .t_end + 0 == 0.05 and (.parameters | map([.name, .value, .fixed])) ==
    ($ended[0].parameters | map([.name, .value, .fixed]))' out >/dev/null ||
    fault "$what: not what the study ended with"
done
expect 0 simulate bowl.so --from first --json -q
jq -e --slurpfile ended ended.json '.functionals[0].value == $ended[0].functionals[0].value' out \
  >/dev/null || fault "$what: another value than that of the study"
expect 0 run bowl.so --from first --out second --json -q
json '.settings.links == 3 and (.initial_objective - 5 | fabs) < 1e-6'
# slopes are scaled with the scale of the study, not with the slope at its end; also after it is
# resumed
expect 0 run chain --set links=6 --method ali3p --out size -q
expect 0 run --from size --step 2e-4 --free mass --out same-size --json -q
json '.termination == "optimal" and .evaluations - .probes < 10'
jq -e --slurpfile c size/result.json '.objective_scale == $c[0].objective_scale' same-size/settings.json >/dev/null ||
  fault "$what: another size of the objective"
cp same-size/result.json size.json
head -2 same-size/journal.jsonl >part && cp part same-size/journal.jsonl
expect 0 resume same-size --json -q
[ "$(jq '.objective, .evaluations' out)" = "$(jq '.objective, .evaluations' size.json)" ] || fault "$what: resumed to another end"
"$gradyn" run --from size --objective tip_speed --max-evaluations 2 --out other-size -q >/dev/null 2>&1
jq -e 'has("objective_scale") | not' other-size/settings.json >/dev/null || fault "the size is that of another objective"
expect 0 simulate bowl.so --from first --set links=2 --set a=0.5 --rtol 1e-6 --t-end 0.1 --json -q
json '.settings.links == 2 and .rtol == 1e-6 and .t_end == 0.1 and .parameters[0].value == 0.5'
expect 0 simulate bowl.so --from first/result.json --json -q
json '.settings.links == 3'
expect 0 simulate bowl.so --from first --set links=6
says err "note: --from 'first': the study lacks"
expect 0 run five-bar --out five --max-evaluations 2 --optimality 1 -q
expect 0 simulate --from five --json -q
json '.problem == "five-bar"'
expect 2 simulate bowl.so --from five
says err "a study of the problem 'five-bar', not of 'bowl-of-rice'"
expect 2 simulate --from absent
says err "--from 'absent'" "neither result.json nor settings.json"
expect 2 simulate bowl.so --from first/history.csv
says err "first/history.csv"
jq '.parameters[0].value = 99' ended.json >beyond.json
expect 2 run bowl.so --from beyond.json
says err "--from: a = 99 m is outside its bounds -5 to 5"
jq '.settings.links = 99' ended.json >beyond.json
expect 2 run bowl.so --from beyond.json
says err "--from: links=99" "from 2 to 6"
echo '{"parameters": [17, {"name": 3}, null], "settings": 4, "problem": []}' >odd.json
expect 0 simulate bowl.so --from odd.json -q
expect 0 run bowl.so --fix a --free c --set b=2 -q --out again
says out "at lower bound" "fixed" "results in again"
silent err
expect 0 run bowl.so -q
says out "discretisation    with rtol" "the largest change is"
expect 0 run bowl.so -q
has_files gradyn-bowl-of-rice "${study[@]}"
has_files gradyn-bowl-of-rice-2 "${study[@]}"
expect 0 run shifted.so --out shifted
says err "2 varied parameters have no effect, b[1] first: does build() use them?"
expect 0 run swing.so -q --json --out coarse
json '.step == 0.02 and .discretisation.changed_most == "x" and .discretisation.change > 10 and
      .discretisation.step == 0.01 and .discretisation.step_to_use < 0.01 and any(.warnings[]; .code == "W14" and .subject == "x")'
expect 0 run swing.so -q --json --refine-discretisation --out refined
json '.step < 0.01 and .discretisation.change <= 1 and all(.warnings[]; .code != "W14")'
rows=$(($(wc -l <refined/history.csv) - 1))
json ".evaluations == $rows"
cut -d, -f1 refined/history.csv | sed 1d | cmp -s - <(seq "$rows") || fault "$what: rows are not counted through"
# the time covers all runs, from the first start to the finest step
spent=$(awk -F, 'NR > 1 { sum += $8 } END { print sum }' refined/history.csv)
json ".initial_objective == $(jq .initial_objective coarse/result.json) and .rejected == 0 and .seconds >= 0.99 * $spent"
expect 0 run swing.so --method explicit --rtol 0.01 --atol 0.001 --refine-discretisation --out finer --json
says err "searching again with rtol"
json '.rtol < 0.01 and .discretisation.change <= 1 and (.atol / .rtol - 0.1 | fabs) < 1e-12'
# with shorter steps, more of them are allowed: as many as take the same time
for most in 60 100000; do
  expect 0 run swing.so -q --json --refine-discretisation --max-steps $most
  json '.step < 0.01 and .discretisation.change <= 1'
done
expect 1 run bowl.so --out text.so/below
says err "text.so"
[ "$(wc -l <err)" -eq 1 ] || fault "$what: the folder was looked at too late"

# A derivative that does not converge with shorter steps (a chain that moves chaotically) is
# marked.
expect 0 steps chain --method ali3p --set links=6 --set damping=0 --t-end 5 --step 0.01 -q
says out "no limit"
expect 0 steps chain --method ali3p --step 1e-3 --t-end 0.1 -q --json
json '[.study[].no_limit] | any | not'

# Values that agree to round-off have no error to estimate; values that are equal at all steps
# have none.
expect 0 steps bouncing-ball --method variational -q
says out "(- no estimate: the differences between the runs do not decrease"
grep -q '^[dl].*[0-9]  *-  *-  *-\?[0-9.]*$' out || fault "$what: round-off has an estimate"
! grep -qE 'nan|inf' out || fault "$what: a number that is none"
expect 0 steps bouncing-ball --method variational -q --json
json '[.study[] | select(.error == null)] | length > 0'

# Numbers without a derivative, because the motion passes a singular position, are marked.
expect 0 gradient four-bar-chain --step 0.005 --t-end 3 --all-data -q
grep -q '^coupler1.length .*singular$' out || fault "$what: coupler1.length is not marked"
says out "singular: no derivative"
expect 0 gradient four-bar-chain --step 0.005 --t-end 3 --all-data --json
json '(.singular | index("coupler1.length")) != null and (.singular | index("coupler1.mass")) == null'
expect 0 gradient four-bar-chain --step 0.005 --t-end 3 --json
json '.singular == []'
expect 0 steps four-bar-chain --step 0.005 --t-end 3 --all-data --json
json '[.study[] | select(.no_limit) | .datum] | index("coupler1.length") and (index("crank1.mass") | not)'

# A doubtful result is reported even if notes are switched off.
expect 0 simulate rigid-spring-beam --method ali3p --step 0.01 -q --json
says err "steps were divided or moved"
json '(.warnings | length) == 2 and .warnings[0].code == "W01" and .warnings[0].count > 0'
# a mechanism without dampers and drives: with radau its energy is constant, with ali3p half of 5 ms reduces the drift by a factor of 4.0
says err "gradyn: warning: the energy, which should be constant, drifts by 0.019 J"
expect 0 simulate rigid-spring-beam --method ali3p --step 0.001 -q --json
json 'all(.warnings[]; .code != "W01")'

verdict "The command behaves."
