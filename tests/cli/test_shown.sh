#!/usr/bin/env bash
# Printed tables and files of numbers have the values of the object of --json, number by number.
# Usage: test_shown.sh GRADYN_COMMAND
# shellcheck disable=SC2016 # filters of jq
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
compile bowl cart failing lossy ring slow

# --- Printed tables agree with the JSON object --------------------------------------------------------

# tabulated STATUS HEAD FILTER ARGUMENT...: the rows under headings that match HEAD are those of the jq filter, in
# the object, of the same command: word for word, numbers as far as they are shown; behind them there may be more.
tabulated() {
  local status=$1 head=$2 filter=$3
  shift 3
  expect "$status" "$@" --json -q
  jq -r "$computed$filter"' | map(tostring) | join(" ")' out >told
  expect "$status" "$@" -q
  awk -v head="^ *$head" '$0 ~ head { on = 1; next } !NF || /^(\((from|derivatives)|[0-9]+ (points|distinct|of)|all )/ { on = 0 } on' out >shown
  [ -s told ] || fault "$what: no rows"
  awk 'FNR == NR { told[++rows] = $0; next }
    { n = split(told[FNR], want, " ") }
    n == 0 || NF < n { exit wrong = 1 }
    { for (i = 1; i <= n; i++)
        if (want[i] "" != $i "" && (want[i] - $i) ^ 2 > 4e-5 * $i * $i + 1e-24 ||
            want[i] !~ /^-?[0-9.]+(e[-+]?[0-9]+)?$/ && want[i] != $i) exit wrong = 1 }
    END { exit wrong || FNR != rows }' told shown ||
    fault "$what: $(diff told shown | head -n 4)"
}

tabulated 0 "state .*start" '(.states[] | [.name, .start] + .slope), (["period", .period] + .period_slope)' \
  orbit compass-walker --section step
tabulated 0 "event .*t " '.events[] | [.name, .t]' orbit compass-walker --section step
tabulated 0 "multiplier" '.multipliers[] | [.[0], .[1], (.[0] * .[0] + .[1] * .[1] | sqrt)]' \
  orbit compass-walker --section step
for problem in cart.so five-bar; do
  tabulated 0 "in equilibrium" '.state | to_entries[] | [.key, .value] |
    select(.[0] | test("\\.([va][xy]|rate)$") | not)' equilibrium $problem
  tabulated 0 "real" '.linear.eigenvalues[] | [.real, .imaginary, .frequency, .damping_ratio]' linearise $problem
done
# shellcheck disable=SC2016
tabulated 0 "parameter" '.functionals as $f | .parameters | to_entries[] | .key as $k |
  [.value.name, .value.value, .value.unit] + [$f[].gradient[$k]]' gradient ring.so
tabulated 0 "datum" '.functionals[].data[] | [.name, .value, .unit, .gradient, .scaled_gradient]' \
  gradient bowl.so --all-data
tabulated 0 "functional  " '.functionals[] | .name as $name | ["least", "largest"][] as $which |
  [$name, $which, .[$which].value]' sweep bowl.so --over a=0:4:3 --over b=0:2:3 --out table --force --no-report
tabulated 0 "height" '.points[] | select(.on_front) | [.first, .second, .trade_off, .termination]' \
  pareto bowl.so --objectives height,first --second-at-most=-9:1 --points 3 --out table --force --no-report
tabulated 0 "optimum" '.optima | to_entries[] | [.key + 1, .value.reached, .value.objective] +
  .value.parameters[:2] + .value.parameters[3:5]' run bowl.so --starts 3 --out table --force --no-report
for table in parameter functional; do
  tabulated 0 "$table" ".${table}s[] | [.name, .initial, .value, .unit]" run bowl.so --out table --force --no-report
done
tabulated 1 "derivative" '.checks[] | [.name, .route, .error, .tolerance, if .passed then "ok" else "WRONG" end]' \
  check lossy.so
tabulated 0 "study" '.studies[] | [.folder, .problem, .command, .state, .evaluations, .objective // "-"]' studies
tabulated 0 "problem" '.problems[] | [.name, .summary]' list
for command in "simulate five-bar --t-end 0.5 --out moved --force --no-report" "gradient five-bar --t-end 0.5"; do
  # shellcheck disable=SC2086
  tabulated 0 "functional " '.functionals[] | [.name, .value, .unit]' $command
done
tabulated 0 "quantity" '.study[] |
  [if .parameter then "d \(.functional) / d \(.parameter)" else .functional end, .values[0]]' \
  steps cart.so --method ali3p --step 0.02
# runs that took too long are marked
tabulated 0 "derivative" '.checks[] | [.name, .route, 0, .tolerance, "not checked: no time"]' \
  check bowl.so --max-seconds 1e-9
says out "derivatives agree as far as they were compared"
expect 0 check bowl.so --max-seconds 1e-9 --json
skipped=$(jq '[.checks[].skipped] | add' out)
json ".skipped == $skipped and .skipped > 10 and (.checks | all(.reason == \"no time\" and .passed))"
says err "gradyn: warning: $skipped comparisons were omitted"

# --- Files agree with the JSON object ------------------------------------------------------------------

# column FILE HEADING...: the numbers under these headings, row by row
column() {
  awk -F, -v names="$(printf '%s,' "${@:2}")" 'BEGIN { count = split(names, name, ",") - 1 }
    NR == 1 { for (i = 1; i <= NF; i++) { sub(/ \[[^][]*\]$/, "", $i); at[$i] = i } next }
    { for (k = 1; k <= count; k++) print name[k] in at ? $at[name[k]] : "no " name[k] }' "$1"
}
# same FILE FILE: numbers agree to a millionth.
same() {
  paste -d ' ' "$1" "$2" | awk 'NF != 2 || $1 != $2 && (tolower($1 $2) ~ /[^-+.e0-9]/ ||
    ($1 - $2) ^ 2 > 1e-12 * (1e-6 + $2 * $2)) { exit wrong = 1 } END { exit wrong || !NR }' || fault "$what: $(diff "$1" "$2" | head -n 4)"
}

# a motion printed to standard output and written to the folder
for samples in "" "--samples 5"; do
  # shellcheck disable=SC2086
  expect 0 simulate five-bar --t-end 0.5 $samples --out moved --force --no-report -q
  # shellcheck disable=SC2086
  expect 0 simulate five-bar --t-end 0.5 $samples -q
  cmp -s out moved/trajectory.csv || fault "$what: another motion than in the folder"
done
[ "$(cut -d, -f1 out | paste -sd ' ')" = "t [s] 0 0.125 0.25 0.375 0.5" ] || fault "$what: other times"

regulator=(lqr cart-pole --Q bob.x=1 --Qf cart.x=2 --R u=0.1 --samples 3 -q)
expect 0 "${regulator[@]}" --out regulated --json
jq "$computed"'.K[0][], (.P | .[0][], .[1][1:][], .[2][2:][], .[3][3:][])' out >told
{ sed -n 2p regulated/K.csv | cut -d, -f7-; sed -n 2p regulated/P.csv | cut -d, -f2-; } | tr , '\n' >found
same told found
printf '%s\n' 2 0 0 0 0 0 0 0 0 0 >told # at the end that of Qf
sed -n 4p regulated/P.csv | cut -d, -f2- | tr , '\n' >found
same found told
expect 0 "${regulator[@]}"
cmp -s out regulated/K.csv || fault "$what: other gains than in the folder"
expect 0 simulate cart-pole --samples 3 -q
for name in t cart.x bob.x cart.vx bob.vx; do
  column regulated/K.csv $name >told
  column out $name >found
  same told found
done

printf '%s\n' -8 0 8 >told # a ramp of its knots
column regulated/K.csv u >found
same found told

filter=(filter pendulum-identification --case small --initial "bob.x=0.1,bob.vx=0.2" --noise gravity.y=1e-4 --added bob.vx=0.01 -q)
expect 0 "${filter[@]}" --out estimated --json
jq "$computed"'.data[] | .t, .value, .predicted, .innovation, .deviation, .normalised' out >told
cut -d, -f1,3- estimated/innovations.csv | sed 1d | tr , '\n' >found
same told found
jq "$computed"'.estimate[], (.covariance | .[0][0], .[1][1], .[2][2], .[3][3] | sqrt)' out >told
tail -n 1 estimated/estimates.csv | cut -d, -f2- | tr , '\n' >found
same told found
expect 0 "${filter[@]}"
cmp -s out estimated/estimates.csv || fault "$what: other estimates than in the folder"
[ "$(wc -l <estimated/predicted.csv)" -eq "$(wc -l <out)" ] || fault "$what: other times before the data"

expect 0 simulate ball-on-slope --covariance x=0.05,vx=0.1 --samples 3 --out scattered --json -q
jq "$computed"'.covariance.matrix as $m | ($m | length) as $n | range($n) as $i | $m[$i][$i:][]' out >told
tail -n 1 scattered/covariance.csv | cut -d, -f2- | tr , '\n' >found
same told found
jq -r '.covariance.states as $s | ($s | length) as $n | range($n) as $i | range($i; $n) as $j | "cov[\($s[$i])][\($s[$j])]"' out >told
head -n 1 scattered/covariance.csv | tr , '\n' | sed '1d; s/ \[.*//' | cmp -s - told || fault "$what: other headings"
head -n 1 scattered/covariance.csv | grep -qF 'cov[ball.x][ball.vy] [m m/s]' || fault "$what: other units"
tabulated 0 "functional .*standard" '.covariance.functional_deviations | to_entries[] | [.key, .value]' \
  simulate ball-on-slope --covariance x=0.05,vx=0.1 --samples 3 --out scattered --force --no-report

expect 0 run bowl.so --starts 3 --out started --json -q --no-report
jq "$computed"'.starts.objectives[]' out >told
column started/starts.csv objective >found
same told found
jq "$computed"'.optima[0].parameters[]' out >told
column started/starts.csv a b c "u[0]" "u[1]" "u[2]" | head -n 6 >found
same told found
printf '%s\n' 0.5 1 2 0 0.5 1 11.75 >told # the problem's own start
{ head -n 1 started/starts.csv; grep '^0,' started/starts.csv; } >own.csv
column own.csv "initial a" "initial b" "initial c" "initial u[0]" "initial u[1]" "initial u[2]" initial_objective >found
same told found

expect 0 pareto bowl.so --objectives height,first --points 3 --out fronted --json -q --no-report
jq "$computed"'.points[] | .limit // "nan", .trade_off, .violation, .projected_gradient, .evaluations, .functionals[], .parameters[]' \
  -r out >told
column fronted/pareto.csv limit trade_off violation projected_gradient evaluations height first a b c \
  "u[0]" "u[1]" "u[2]" >found
same told found

# --- Remarks, marks and logs ---------------------------------------------------------------------------

# statistics of a run: only quantities that occurred are printed
while IFS='|' read -r wanted arguments; do
  # shellcheck disable=SC2086
  expect 0 $arguments --t-end 0.1
  grep -qE "^$wanted\$" err || fault "$what: no line '$wanted'"
done <<'END'
idas: [0-9]+ steps, [0-9]+ Newton iterations, simulation [-.e0-9]+ s|simulate bowl.so
explicit: [0-9]+ steps, constraint drift [-.e0-9]+, simulation [-.e0-9]+ s|simulate five-bar --method explicit
explicit: [0-9]+ steps, simulation [-.e0-9]+ s|simulate bowl.so --method explicit
explicit: [0-9]+ steps, [0-9]+ backward, .*, adjoint gradient [-.e0-9]+ s, its error about [-.e0-9]+ [^ ]+( [^ ]+)? in d [^ ]+ / d [^ ]+|gradient five-bar
ali3p: 10 steps, [0-9]+ Newton .*, direct gradient [-.e0-9]+ s|gradient five-bar --method ali3p --step 0.01 --sensitivity direct
idas: [1-9][0-9]* simulations for differences, [0-9]+ steps, .*|gradient bowl.so --sensitivity differences
END

# constraints by their tolerances, 1e-6 and 1e-9
while read -r start mark; do
  expect $((${#mark} > 6)) run ring.so --set start="$start" --fix start --out marked --force --no-report -q
  grep -qE "^end +[0-9.]+ +[0-9.]+ +m\^2 +at least 0.5, tolerance 1e-06  $mark\$" out || fault "$what: not $mark"
done <<'END'
0.6 VIOLATED
0.7071054 VIOLATED
0.7071064 active
0.7071072 active
0.7071078 met
0.8 met
END
# parameters are at bounds within 1e-9 of the distance between the bounds
while read -r name value mark; do
  expect 1 run ring.so --set "$name=$value" --max-evaluations 1 --out marked --force --no-report -q
  grep -qE "^$name +[-.e0-9]+ +[-.e0-9]+ +m${mark:+ +}$mark\$" out || fault "$what: not '$mark'"
done <<'END'
start 0.5 at lower bound
start 0.500000001 at lower bound
start 0.500000002
start 1.999999998
start 1.999999999 at upper bound
thin -9.99999999e-6 at lower bound
thin -9.9999999e-6
thin 9.99999999e-6 at upper bound
END
expect 0 run double-integrator --out marked --force --no-report -q
[ "$(grep -cE ' equal to [01], tolerance 1e-09  met$' out)" -eq 2 ] || fault "$what: other marks"
expect 1 run governor --max-evaluations 1 --t-end 0.1 --out marked --force --no-report -q
grep -qE ' equal to 15, tolerance 0.001 +VIOLATED$' out || fault "$what: other marks"
! grep -q '(0 ' out || fault "$what: tells of nothing"

# a log has the first ten evaluations, then one at every quarter more
HURRY=1 expect 0 run ./slow.so --out logged --no-report
what="a log"
last=$(tail -n 1 logged/history.csv | cut -d, -f1)
[ "$last" -ge 15 ] || fault "$what: too short"
awk -v last="$last" 'BEGIN { for (n = 1; n <= last; n++) if (n <= 10 || n >= shown + int(shown / 4)) print shown = n }' >told
awk '/^ +[0-9]+ / { print $1 }' err >found
same told found
# each evaluation as in the history
awk '/^ +[0-9]+ / { print $1, $2, $NF == "best" ? 1 : 0 }' err >shown
while read -r number objective best; do
  IFS=, read -r at _ was value _ < <(grep "^$number," logged/history.csv)
  [ "$at" = "$number" ] && [ "$was" = "$best" ] &&
    awk -v a="$objective" -v b="$value" 'BEGIN { exit !((a - b) ^ 2 <= 1e-15 * (1 + b * b)) }' || echo "$number"
done <shown >wrong
[ ! -s wrong ] || fault "$what: other evaluations than in the history: $(paste -sd ' ' wrong)"
expect 0 run bowl.so --out logged --force --no-report -v
[ "$(grep -cE '^ +[0-9]+ ' err)" -eq $(($(wc -l <logged/history.csv) - 1)) ] || fault "$what: not a line for each"

expect 0 report logged started --out compared --json
json '.command == "report" and .studies == ["logged", "started"] and .report == "compared/comparison.html"'
has_files compared comparison.html
expect 0 report logged --json
json '.studies == ["logged"] and .report == "logged/report.html"'
has_files logged report.html

# the last written line counts, and only lines with evaluations
cp -r started idle
rm idle/result.json
touch -d "1000 seconds ago" idle/starts/*.jsonl idle/*.jsonl 2>/dev/null
touch -d "500 seconds ago" idle/starts/start-000001.jsonl
expect 0 status idle --json
json ".idle_s >= 500 and .idle_s < 900 and .state == \"stopped\" and
  .evaluations == $(cat idle/starts/*.jsonl | wc -l) - $(find idle/starts -name '*.jsonl' | wc -l)"
# a sweep has ended if its table exists and no points are missing; hidden folders are no studies
mkdir all
cp -r table all/front
expect 0 sweep bowl.so --over a=0:4:3 --out all/sweep --no-report -q
cp -r all/sweep all/.hidden
expect 130 sweep bowl.so --over a=0:4:3 --shard 1/2 --out all/part --no-report -q
cp -r all/sweep all/tabled
rm all/tabled/result.json
cp -r all/tabled all/untabled
rm all/untabled/sweep.csv
cp -r all/sweep all/broken
echo '{' >all/broken/result.json
touch all/file
mkdir all/empty
expect 2 studies all --json
json '.status == "invalid"'
json '.studies | map([.folder, .state]) == [["all/broken", "unreadable"], ["all/front", "optimal"],
  ["all/part", "stopped"], ["all/sweep", "done"], ["all/tabled", "done"], ["all/untabled", "stopped"]]'
says err "'all/broken/result.json' cannot be read"
for study in part:stopped sweep:done tabled:done untabled:stopped; do
  expect 0 status all/${study%:*} --json
  json ".state == \"${study#*:}\" and .command == \"sweep\" and .problem == \"bowl-of-rice\""
done
expect 2 status all/broken
says err "'all/broken/result.json' cannot be read"
for journal in idle/starts/*.jsonl; do head -n 1 "$journal" >header && cp header "$journal"; done
expect 0 status idle --json
json '.evaluations == 0'
# journals of an earlier sweep in the same folder do not belong to a run
expect 0 run bowl.so --out all/sweep --force -q
expect 0 status all/sweep --json
json ".evaluations == $(wc -l <all/sweep/journal.jsonl) - 1 and .command == \"run\""

# one line for each finding, and the command that continues
expect 1 run bouncing-ball --objective last --max-evaluations 3 --out stopped --force --no-report -q
says out "result            the limit of 3 evaluations was reached" "optimality        projected gradient 0.7, limit 1e-06 (scaled)" \
  "trial points      2 of 3 failed" "next              gradyn resume stopped --max-evaluations 6"
[ "$(cat err)" = "gradyn: stalled: the limit of 3 evaluations was reached" ] || fault "$what: standard error has other findings"
jq -e '[.findings[].subject] == ["result", "optimality", "trial points"] and
  ([.findings[] | if .subject == "result" then .text else .subject + ": " + .text end] | join("; ")) == .reason' stopped/result.json >/dev/null ||
  fault "$what: findings"

verdict "Tables and files have what the object has."
