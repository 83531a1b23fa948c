#!/usr/bin/env bash
# Output as text, as JSON and in files is the same for all functionals, rows and options, all terminations,
# and all messages.
# Usage: test_tables.sh GRADYN_COMMAND
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
compile peak ring slow

# --- Extremes of a sweep agree with its table -------------------------------------------------------

expect 0 sweep five-bar --over Ls1=1:2:4 --over rG=0.4:1:3 --t-end 0.5 --out grid --json -q
jq -r '.functionals[] | .name as $name | ["least", "largest"][] as $which | .[$which] |
  "\($name) \($which) \(.value) \(.parameters | map(tostring) | join(","))"' out >told
# the same extremes computed from the table: parameters in their columns, then functionals
awk -F, 'NR == 1 {
    for (i = 1; i <= NF; i++) {
      name[i] = $i; sub(/ \[.*/, "", name[i])
      if (name[i] ~ /^psi/) last = i
    }
    next
  }
  { for (i = 1; i <= NF; i++) value[NR, i] = $i; rows = NR }
  END {
    for (i = 1; i <= last; i++)
      if (name[i] ~ /^psi/) {
        least = largest = 2
        for (k = 2; k <= rows; k++) {
          if (value[k, i] + 0 < value[least, i] + 0) least = k
          if (value[k, i] + 0 > value[largest, i] + 0) largest = k
        }
        print name[i], "least", value[least, i], least
        print name[i], "largest", value[largest, i], largest
      }
  }' grid/sweep.csv >found
[ "$(wc -l <found)" -eq 6 ] || fault "$what: not three functionals in sweep.csv"
paste -d ' ' told found | while read -r name which value parameters same of number row; do
  [ "$name $which" = "$same $of" ] && awk -v a="$value" -v b="$number" 'BEGIN { exit !(a == b) }' ||
    echo "$name $which: $value, but $number in sweep.csv"
  at=$(sed -n "${row}p" grid/sweep.csv)
  for number in ${parameters//,/ }; do
    tr , '\n' <<<"$at" | awk -v a="$number" '$1 == a { found = 1 } END { exit !found }' ||
      echo "$name $which: not at $number"
  done
done >wrong
[ ! -s wrong ] || fault "$what: $(cat wrong)"

# --- Scattered points depend on their seed ------------------------------------------------------------

scatter() {
  rm -rf points
  expect 0 sweep peak.so --over height=1:3 --points 4 "$@" --out points -q
  cut -d, -f1-3 points/sweep.csv >"points.${*: -1}"
}
scatter --seed 3
cp points.3 again
scatter --seed 3
cmp -s points.3 again || fault "$what: other points"
scatter --seed 4
! cmp -s points.3 points.4 || fault "$what: the points of another seed"
expect 2 sweep peak.so --over height=1:3 --points 4 --seed 0.5
says err "must be a whole number"

# --- Fronts of functionals whose names have commas -----------------------------------------------------

while read -r objectives named; do
  expect 0 pareto ring.so --objectives "$objectives" --points 2 --out front --force --json -q
  json ".objectives == $named"
done <<'END'
end,sum,sum ["end,sum", "sum"]
sum,end,sum ["sum", "end,sum"]
end,sum ["end", "sum"]
END

# --- Events in tables, files and JSON ------------------------------------------------------------------

expect 0 events bouncing-ball --json -q
jq -r '.events[] | [.t, .event, .occurrence, .approach, .rebound, .impulse, .energy_lost] | map(tostring) | join(" ")' out >told
expect 0 events bouncing-ball --csv -q
sed 1d out | tr , ' ' >rows
expect 0 simulate bouncing-ball --out bounced -q
sed 1d bounced/events.csv | tr , ' ' | cmp -s - rows || fault "$what: other events in the folder"
expect 0 events bouncing-ball -q
sed -n '2,$p' out >shown
[ "$(wc -l <told)" -eq 6 ] || fault "$what: no events"
for file in rows shown; do
  [ "$(wc -l <$file)" -eq "$(wc -l <told)" ] || fault "$what: not all events are in $file"
  paste -d ' ' told $file | awk '{ for (i = 1; i <= 7; i++)
      if (i == 2 ? $i != $(i + 7) : ($i - $(i + 7)) ^ 2 > 1e-10 * (1 + $i * $i)) exit 1 }' ||
    fault "$what: other events in $file"
done

# the same events beside other results
for command in simulate gradient; do
  cp told before
  expect 0 $command bouncing-ball --json -q
  jq -r '.events[] | [.t, .event, .occurrence, .approach, .rebound, .impulse, .energy_lost] | map(tostring) | join(" ")' out >told
  cmp -s told before || fault "$what: other events"
done

# --- Equilibria -----------------------------------------------------------------------------------------

expect 0 equilibrium five-bar --json
lowest=$(jq '[.linear.eigenvalues[].frequency] | min' out)
expect 0 equilibrium five-bar
says out "stable equilibrium with 2 degrees of freedom, lowest natural frequency without damping "
sed -n 's/.*without damping \(.*\) Hz.*/\1/p' out |
  awk -v a="$lowest" '(a - $1) ^ 2 < 1e-14 { found = 1 } END { exit !found }' ||
  fault "$what: another frequency than $lowest Hz"
# for each mode, the coordinate that moves most
expect 0 linearise five-bar --json
jq -r '.linear | .coordinates as $name | .eigenvalues[] |
  [.mode_real, .mode_imaginary] | transpose | map(map(. * .) | add) | $name[index(max)]' out >most
expect 0 linearise five-bar
awk '/moves most/ { on = 1; next } on && NF { print $NF }' out | cmp -s - most || fault "$what: others move most"
expect 0 equilibrium robertson
says out "neutral equilibrium with 2 first-order states"
! grep -q "natural frequency" out || fault "$what: a frequency of what has no mass"

# --- Stability of orbits -----------------------------------------------------------------------------

# one multiplier besides the orbit's own one: below 1, above 1, near 1 and far from it; for a
# driven orbit all multipliers count
while read -r pull driven verdict; do
  fixed=
  [ "$driven" = 0 ] || fixed=--fixed-period
  # shellcheck disable=SC2086
  expect 0 orbit ring.so --set "pull=$pull" --set driven=$driven $fixed
  says out "$verdict"
  # shellcheck disable=SC2086
  expect 0 orbit ring.so --set "pull=$pull" --set driven=$driven $fixed --json
  json ".stability == \"$verdict\""
done <<'END'
0.04 0 stable: disturbances fade
0.3 0 stable: disturbances fade
-0.04 0 unstable: disturbances grow
-0.055 0 unstable: disturbances grow
-0.3 0 unstable: disturbances grow
0.1 1 stable: disturbances fade
-0.1 1 unstable: disturbances grow
END

# --- Deviations of every row ---------------------------------------------------------------------------

# free flight with uncertain start and speed: sd(t)^2 = 0.05^2 + (0.1 t)^2
for samples in "" "--samples 30"; do
  # shellcheck disable=SC2086
  expect 0 simulate ball-on-slope --covariance x=0.05,vx=0.1 $samples -q
  awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "sd[ball.x] [m]") at = i; next }
    $1 < 0.5 { rows++; off = $at / sqrt(0.0025 + 0.01 * $1 * $1) - 1; bad += off * off > 1e-14 }
    END { exit !(at && rows > 3 && !bad) }' out || fault "$what: other deviations"
done

# --- Warnings in every form of output --------------------------------------------------------------------

for command in simulate gradient "gradient --all-data" events; do
  # shellcheck disable=SC2086
  expect 0 ${command%% *} rigid-spring-beam ${command#"${command%% *}"} --method ali3p --step 0.01 -q
  says err "steps were divided or moved"
done

# --- Short options -------------------------------------------------------------------------------------

for command in $("$gradyn" --help | sed -n "s/^  \([a-z]*\) .*/\1/p"); do
  expect 0 "$command" --help
  # options with a short name show it in the help
  ! grep -qE '^ +--(quiet|verbose|help|version)' out || fault "$what: an option lost its letter"
done

# --- Exact maxima, and progress ---------------------------------------------------------------------------

expect 0 run peak.so --out peaks -q
says out "smooth reaches 0.367879 at t = 1 s"
# parameters at a bound, within, and fixed
sed -n 's/^height .* m  *//p' out | grep -qx "at lower bound" || fault "$what: height is not at its lower bound"
expect 0 run ring.so --out within -q
grep -qE '^start +1 +0\.7071[0-9]* +m *$' out || fault "$what: start is marked"
grep -qE '^thin +5e-06 +[12][.0-9]*e-06 +m *$' out || fault "$what: thin is marked"
grep -qE '^pull .* fixed$' out || fault "$what: pull is not fixed"
expect 0 run ring.so --set wide=1 --out wide -q
grep -qE '^start +1 +2 +m +at upper bound$' out || fault "$what: start is not at its upper bound"
if command -v script >/dev/null; then
  # a constrained functional is marked at any position of the table
  what="a terminal, a constraint that stands first"
  TERM=xterm script -qec "stty cols 120; '$gradyn' run ring.so --out ringed" /dev/null >out 2>err
  says out ", feasible, projected gradient"
  # as often as an eye can follow, even if points take little time
  what="a terminal, many points"
  begun=$(date +%s%N)
  HURRY=1 TERM=xterm script -qec "'$gradyn' sweep ./slow.so --over x=0:1:60 --over y=0:1:10 --out many" /dev/null >out 2>err
  most=$((($(date +%s%N) - begun) / 200000000 + 3))
  says out "600 of 600 points"
  told=$(tr '\r' '\n' <out | grep -c ' of 600 points')
  if [ "$told" -lt 2 ] || [ "$told" -gt "$most" ]; then
    fault "$what: told $told times, of $most"
  fi
fi

# --- fits and profiles ----------------------------------------------------------------------------------

expect 0 fit alpha-pinene --out pinene -q --no-report
says out "parameter" "95 % from" "P(runs)" "data              40, with 5 estimated; variance of residuals"
expect 0 fit alpha-pinene --out pinene --force -q --no-report --json
json '.fit | .data == 40 and (.parameters | all(.kind == "determined")) and .undetermined == [] and
  (.correlation | [flatten, (transpose | flatten)] | transpose | all(.[0] - .[1] | fabs < 1e-12)) and
  ([.correlation[][]] | all(. >= -1 and . <= 1)) and
  (.fits | map(.data) == [8, 8, 8, 8, 8]) and (.fits[0] | .measure == "y1" and .unit == "" and
    .residuals.value == [88.35, 76.4, 65.1, 50.4, 37.5, 25.9, 14, 4.5] and (.residuals.deviation | all(. == 1)) and
    (([.residuals.u[] | . * .] | add) - .square_sum | fabs < 1e-9))'
# bands of the columns, by the closed form y1 = 100 exp(-(a + b) t): its deviation is 100 t exp(-(a + b) t) sd(a + b)
read -r rate sd < <(jq -r '"\(.fit.parameters[0].value + .fit.parameters[1].value)
  \(.fit.covariance | .[0][0] + 2 * .[0][1] + .[1][1] | sqrt)"' out | tr '\n' ' ')
awk -F, -v rate="$rate" -v sd="$sd" '
  NR == 1 { for (i = 1; i <= NF; i++) { sub(/ \[.*\]$/, "", $i); at[$i] = i } next }
  { band = 100 * $1 * exp(-rate * $1) * sd; gap = $at["sd[y1]"] - band; if (gap < 0) gap = -gap
    if (gap > 1e-6 * band + 1e-9) exit 1; rows++ }
  END { if (rows < 20) exit 1 }' pinene/trajectory_final.csv || fault "$what: bands of y1"
grep -q 'sd\[' pinene/trajectory_initial.csv && fault "$what: bands at the start"

# estimates at bounds have no deviation; the bands are those of the others
expect 0 fit boehm-stat5 --out boehm -q --no-report
says out "at lower bound" "at upper bound" "not determined    lg_k_imp_homo"
head -n 1 boehm/trajectory_final.csv | grep -qF 'sd[nAA]' || fault "$what: no bands"
head -n 1 boehm/trajectory_final.csv | grep -qF ',sd[pA] [%],sd[pB] [%],sd[rA] [%]' || fault "$what: no bands of measures"

# experiments as load cases: bands of the first one, at its start in closed form; a profile of one parameter
expect 0 fit pendulum-identification --out pendulum -q --no-report --json
json '.fit | .estimated == 6 and (.parameters | map(.name) | .[3:] == ["angle@small", "angle@medium", "angle@large"]) and
  (.fits | map(.name) == ["fit@small", "fit@medium", "fit@large"])'
# x = l cos(phi), with the covariance of l and phi
sd=$(jq '.fit | .parameters[0].value as $l | .parameters[3].value as $phi | .covariance as $c |
  [($phi | cos), -$l * ($phi | sin)] as $j |
  [$j[0] * $j[0] * $c[0][0] + 2 * $j[0] * $j[1] * $c[0][3] + $j[1] * $j[1] * $c[3][3] | sqrt] | .[0]' out)
awk -F, -v sd="$sd" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "sd[bob.x] [m]") at = i }
  NR == 2 { gap = $at / sd - 1; exit !(at && gap < 1e-6 && gap > -1e-6) }' pendulum/trajectory_final.csv ||
  fault "$what: bands of an experiment are not $sd at the start"
# the measured angle is the parameter at the start
sd=$(jq '.fit.parameters[3].deviation' out)
awk -F, -v sd="$sd" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "sd[angle] [rad]") at = i }
  NR == 2 { gap = $at / sd - 1; exit !(at && gap < 1e-9 && gap > -1e-9) }' pendulum/trajectory_final.csv ||
  fault "$what: the band of a measure is not $sd at the start"
low=$(jq '.fit.parameters[0].lower' out) high=$(jq '.fit.parameters[0].upper' out)
expect 0 profile pendulum-identification length --out profile -q --no-report --json
json ".profiles[0] | .below.end == \"closed\" and .above.end == \"closed\" and (.below.limit - $low | fabs) < 1e-4 and
  (.above.limit - $high | fabs) < 1e-4"

expect 2 fit five-bar --out none -q
says err "problem five-bar: the objective is no fit to data"

verdict "What is printed is what there is."
