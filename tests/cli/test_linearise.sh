#!/usr/bin/env bash
# Output and files of linearise and equilibrium for a cart on a rail: at the start and the end of a motion and
# at rest, by its equations 2 x'' = u - 8 x - x'^2 + 1.4 z, z' = x - 5 z.
# Usage: test_linearise.sh GRADYN_COMMAND
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
compile cart

near='def near(a; b): ([a | .. | numbers] | length) == ([b | .. | numbers] | length) and
  ([[a | .. | numbers], [b | .. | numbers]] | transpose | all(.[0] - .[1] | fabs < 1e-9));'
# an eigenvalue of A and its mode: q is (z, x, y), x moves most
# shellcheck disable=SC2016
modes='def matrix(v): [[0, 1, 0], [-4, -v, 0.7], [1, 0, -5]];
  # p(s) = det(s - A) by real and imaginary parts of s
  def times(a; b): [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]];
  def root(v): . as $s | times($s; $s) as $s2 | times($s2; $s) as $s3 |
    [0, 1] | map($s3[.] + (5 + v) * $s2[.] + (4 + 5 * v) * $s[.] + [19.3, 0][.]);
  def mode: [.real + 5, .imaginary] as $d | ($d[0] * $d[0] + $d[1] * $d[1]) as $q |
    near(.mode_real; [$d[0] / $q, 1, 0]) and near(.mode_imaginary; [-$d[1] / $q, 0, 0]);
  def whole(v): .linear | .independent == ["cart.x"] and .states == ["filter"] and .inputs == ["u"] and
    .coordinates == ["filter", "cart.x", "cart.y"] and near(.A; matrix(v)) and near(.B; [[0], [0.5], [0]]) and
    (.eigenvalues | length == 3 and all(near([.real, .imaginary] | root(v); [0, 0])) and all(mode) and
      (map([.real, .imaginary] | map(. * .) | add) | . == sort) and
      all(near(.frequency; (.imaginary | fabs) / 6.283185307179586)) and
      all(near(.damping_ratio; -.real / ([.real, .imaginary] | map(. * .) | add | sqrt))));'

expect 0 linearise cart.so --about start --json
json "$near $modes whole(3) and .linear.t == 0 and has(\"state\") == false and .parameters[0].value == 3"
expect 0 linearise cart.so --about start --set speed=-1 --json
json "$near $modes whole(-1)"

# at the end of a run, where the linearisation differs
expect 0 simulate cart.so --t-end 0.5 --json
v=$(jq '.functionals[] | select(.name == "v").value' out)
expect 0 linearise cart.so --about end --t-end 0.5 --json
json "$near $modes whole($v) and .linear.t == 0.5 and has(\"stability\") == false"

# at rest x = 0.5/(8 - 1.4/5), z = x/5; the stiffness is 8 over 2 kg
for command in equilibrium linearise; do
  expect 0 $command cart.so --json
  json "$near $modes whole(0) and .stability == \"stable\" and near(.least_stiffness; 4) and
    near(.state | [.[\"cart.x\"], .filter, .[\"cart.vx\"]]; [0.5 / 7.72, 0.1 / 7.72, 0])"
done

expect 0 linearise cart.so --about start --out left
has_files left A.csv B.csv modes.csv
says out "about start at t = 0 s; independent coordinates: cart.x; first-order states: filter" "cart.x"
sed 's/-0\b/0/g' left/A.csv | diff - <(printf '%s\n' 'rate of,cart.x,cart.x [rate],filter' 'cart.x,0,1,0' \
  'cart.x [rate],-4,-3,0.69999999999999996' 'filter,1,0,-5') >differences || fault "A.csv: $(cat differences)"
sed 's/-0\b/0/g' left/B.csv | diff - <(printf '%s\n' 'rate of,u' 'cart.x,0' 'cart.x [rate],0.5' 'filter,0') \
  >differences || fault "B.csv: $(cat differences)"
says left/modes.csv "real [1/s],imaginary [1/s],filter [real],cart.x [real],cart.y [real],filter [imaginary],"
[ -z "$(awk -F, 'NF != 8' left/modes.csv)" ] || fault "modes.csv: $(awk -F, 'NF != 8' left/modes.csv)"
[ "$(wc -l <left/modes.csv)" -eq 4 ] || fault "modes.csv: $(wc -l <left/modes.csv) lines"

expect 0 equilibrium cart.so --out rest
has_files rest equilibrium.csv
says out "stable equilibrium with 1 degrees of freedom and 1 first-order states"
# general equations keep their totals
expect 0 equilibrium alpha-pinene
says out "0.5 y1 + y2               50"
expect 0 equilibrium alpha-pinene --json
json '[.totals[] | .name] == ["0.5 y1 + y2", "0.5 y1 + y3 + y4 + y5"] and (.totals[0].value - 50 | fabs) < 1e-9'
# any first-order state is the integral of its rate; y3 follows from the others
expect 0 linearise robertson --about start --json
json '.linear | .coordinates == ["y1", "y2", "y3"] and .states == ["y1", "y2"] and .independent == []'
expect 2 linearise cart.so --about middle
says err "must be equilibrium, start or end"
verdict "A moving cart is linearised as its equations say."
