#!/usr/bin/env bash
# Automatic choices: printed, recorded, resumed as recorded, and overridden by options.
# Usage: test_defaults.sh GRADYN_COMMAND
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"

ipopt=false
"$gradyn" info five-bar | grep -q '^algorithms: .* ipopt' && ipopt=true

# --- A line for each choice ---------------------------------------------------------------------------

expect 1 run cart-pole --max-evaluations 3 --out chosen --no-report
says err "algorithm: " " (21 controls, 5 constraints" "method: explicit (the start is not stiff)" \
  "coordinates: natural (in the plane)" "gradients: adjoint ("
if $ipopt; then
  says err "algorithm: ipopt (21 controls, 5 constraints), then slsqp if it ends before an optimum"
  jq -e '.algorithm == "ipopt" and .then == "slsqp" and .coordinates == "natural"' chosen/settings.json >/dev/null ||
    fault "the settings do not record what was chosen"
else
  says err coinor-libipopt-dev
fi
jq -e '.chosen.coordinates == "natural (in the plane)" and .chosen.method == "explicit (the start is not stiff)"' \
  chosen/result.json >/dev/null || fault "the result does not say what was chosen"
expect 0 info bicycle
says out "coordinates: joint (a stage takes about"
expect 0 info bicycle --method ali3p
says out "coordinates: natural" "method: ali3p"

# --- Named ones ---------------------------------------------------------------------------------------

expect 0 run five-bar --algorithm slsqp,lbfgs --out two --no-report
says err "algorithm: slsqp, then lbfgs if it ends before an optimum"
expect 0 run five-bar --algorithm auto --out two --force --no-report --json -q
json '.algorithm == "lbfgs"'
expect 2 run five-bar --algorithm slsqp,nobody --out three -q
says err "nobody: no optimiser has this name"
expect 1 run four-bar-chain --segments 2 --t-end 0.2 --max-evaluations 1 --out parts --no-report
says err "method: explicit (the start is not stiff), because ali3p does not support segments"
jq -e '.method == "auto"' parts/settings.json >/dev/null || fault "segments run by fixed steps"

# --- Studies of earlier versions ----------------------------------------------------------------------

# the command lines of these studies named no options; their settings lack the coordinates and the
# second algorithm
run_old() {
  expect 1 run "$2" --algorithm slsqp --coordinates natural --optimality 1e-5 "${@:3}" --out "$1" --no-report --json -q
}
run_old whole bicycle --t-end 0.3 --max-evaluations 3
run_old old bicycle --t-end 0.3 --max-evaluations 2
jq 'del(.then, .coordinates) | .command_line = ["gradyn", "run", "bicycle", "--t-end", "0.3", "--max-evaluations", "2"]' old/settings.json \
  >settings && cp settings old/settings.json
expect 1 resume old --max-evaluations 3 --json -q
json '.algorithm == "slsqp" and (has("then") | not) and .coordinates == "natural"'
for key in .objective .parameters ".functionals | map(.value, .gradient)" .reason .evaluations; do
  cmp -s <(jq "$key" whole/result.json) <(jq "$key" old/result.json) || fault "$key of an old study is another one"
done
jq -e '.optimality + 0 == 1e-5 and .algorithm == "slsqp"' old/settings.json >/dev/null ||
  fault "an old study took today's defaults"

# --- Printed output -----------------------------------------------------------------------------------

# a terminal shows 201 rows, a file every step
rows() {
  TERM=dumb script -qec "$gradyn simulate chain --method ali3p --step 1e-3 -q $*" /dev/null | grep -c '^[0-9t]'
}
[ "$(rows)" = 202 ] || fault "a terminal shows $(rows) rows"
[ "$(rows --samples 300)" = 301 ] || fault "a terminal does not show what was asked for"
expect 0 simulate chain --method ali3p --step 1e-3 -q
[ "$(wc -l <out)" = 502 ] || fault "a file does not have every step"

# designed controls are columns, bodies have their natural columns in either coordinates
expect 0 run double-integrator --out force --no-report -q
head -1 force/trajectory_final.csv | grep -q ',u \[N\]$' || fault "the control is no column"
knot=$(jq '.parameters[] | select(.name == "u[0]").value' force/result.json)
first=$(sed -n '2s/.*,//p' force/trajectory_final.csv)
jq -ne "($knot - $first) | fabs < 1e-12" >/dev/null || fault "the control begins with $first, not $knot"
for coordinates in natural joint; do
  expect 0 simulate bicycle --coordinates $coordinates --samples 11 -q
  cp out "$coordinates.csv"
  head -1 out | tr , '\n' | grep -v lambda | sort >"$coordinates"
done
[ -z "$(comm -23 natural joint)" ] || fault "joint coordinates lack $(comm -23 natural joint | head -3)"
# the tolerance is the possible difference of two integrations
python3 - <<'END' || fault "bodies move otherwise in joint coordinates"
import csv
tables = [list(csv.reader(open(name + ".csv"))) for name in ("natural", "joint")]
heads = [table[0] for table in tables]
assert len(tables[0]) == len(tables[1]) == 12
for name in heads[0]:
    if "lambda" in name or name not in heads[1]:
        continue
    for one, other in zip(tables[0][1:], tables[1][1:]):
        a, b = float(one[heads[0].index(name)]), float(other[heads[1].index(name)])
        assert abs(a - b) < 1e-5 * (1 + abs(a)), (name, a, b)
END
verdict "Defaults."
