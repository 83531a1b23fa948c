#!/usr/bin/env bash
# Limits of time for studies of many searches and points, and options that resume accepts.
# Usage: test_limits.sh GRADYN_COMMAND
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
compile slow bowl

# --max-seconds limits a whole run, including its first simulation
expect 1 run ./slow.so --max-seconds 1e-6 --out brief --json -q
json '.status == "stalled" and (.message | contains("at the initial parameters: the time limit"))'
HURRY=1 expect 0 resume brief --max-seconds 600 --no-report --json -q

# --max-seconds applies to all searches together; unfinished ones can be resumed
expect 1 run ./slow.so --starts 2 --max-seconds 0.7 --out late --json -q
json '.status == "stalled" and .starts.unfinished > 0 and .evaluations < 30'
says err "the time limit was reached" "'gradyn resume' continues them"
HURRY=1 expect 0 resume late --max-seconds 600 --no-report --json -q
json '.status == "ok" and .starts.unfinished == 0'
HURRY=1 expect 0 run ./slow.so --starts 2 --out undisturbed -q --no-report
cut -d, -f1-6,8- late/starts.csv >a
cut -d, -f1-6,8- undisturbed/starts.csv >b
cmp -s a b || fault "$what: another result than without a limit"
# time enough changes nothing
expect 0 run bowl.so --starts 4 --max-seconds 600 --jobs 2 --out quick --json -q
json '.status == "ok" and .starts.unfinished == 0'

# each point takes at least a 20th of a second
expect 1 sweep ./slow.so --over x=0:1:40 --max-seconds 1.5 --out coarse --json -q
json '.status == "stalled" and .missing > 0 and .missing < 40'
says err "the time limit was reached"
# only computed points are written
[ "$(wc -l <coarse/sweep.csv)" -eq $((41 - $(jq .missing out))) ] || fault "$what: rows of points that are missing"
grep -q missing coarse/sweep.csv && fault "$what: sweep.csv has empty rows"
expect 0 status coarse
says out "sweep of slow: stopped" "'gradyn resume coarse' continues"
HURRY=1 expect 0 resume coarse --max-seconds 600 --json -q
json '.status == "ok" and .missing == 0'

# the time also ends the current evaluation; each evaluation would take half a minute
for command in "run --starts 2" "pareto --objectives leaned,energy --points 2" "sweep --over trail=0.08:0.1:2"; do
  read -ra words <<<"$command"
  expect 1 "${words[0]}" bicycle --t-end 1000 "${words[@]:1}" --jobs 2 --max-seconds 1 --out ended --force --json -q
  json '.status == "stalled" and (.missing // .unfinished // 2) == 2'
done

expect 1 pareto bowl.so --objectives height,first --points 500 --max-seconds 0.2 --out front --json -q
json '.status == "stalled" and .termination == "stopped" and .unfinished > 0'
says err "the time limit was reached"
expect 0 status front
says out "stopped" "'gradyn resume front' continues"

expect 1 profile alpha-pinene --max-seconds 0.3 --out profile --no-report --json -q
json '.status == "stalled" and .termination == "stopped"'
says err "the time limit was reached"

# resume makes a report, or none, as its options request
rm -f late/report.html coarse/report.html
expect 0 resume late --no-report --json -q
[ ! -e late/report.html ] || fault "$what: a report"
json '.report == null'
expect 0 resume coarse --json -q
json '.report == "coarse/report.html"'
has_files coarse report.html
cat >xdg-open <<'END'
#!/bin/sh
echo "$1" >opened
END
chmod +x xdg-open
PATH=$place:$PATH expect 0 resume late --open -q
wait_until [ -s opened ]
[ "$(cat opened 2>/dev/null)" = late/report.html ] || fault "$what: nothing was opened"

# sizes that exceed any memory are refused at once, and no endless file is read
expect 2 sweep bowl.so --over a=0:1:60000 --over b=0:1:60000 --out huge --json -q
json '.status == "invalid" and (.message | contains("Take at most"))'
truncate -s 1T endless.csv
for file in endless.csv /dev/zero; do
  expect 2 run double-integrator --segments 3 --guess $file --out huge --json -q
  json '.status == "invalid"'
done
rm endless.csv

# --- Output of other code -------------------------------------------------------------------------------

# output of libraries and users' functions does not appear on standard output, which contains only
# results
sed 's/^#include <gradyn.gradyn.h>/&\n#include <stdio.h>/; s/^  int count = U + .*/&\n  (void)printf("noise\\n");/' \
  "$source/tests/cli/problems/bowl.c" >noisy.c
"${CC:-cc}" -std=c11 -D_POSIX_C_SOURCE=200809L -shared -fPIC -I"$source/include" noisy.c -o noisy.so || exit 1
for command in "run --out loud" "run --starts 2 --jobs 2 --out louder" "gradient" "simulate" "check" "info" "absent" \
  "sweep --over a=1:2:2 --jobs 2 --out swept" "run --out loud"; do
  read -ra words <<<"$command"
  "$gradyn" "${words[0]}" ./noisy.so "${words[@]:1}" --json -q >out 2>err
  what="gradyn $command --json"
  json '.gradyn | type == "string"'
  [ "$command" = absent ] || says err noise
done
expect 0 run ./noisy.so --out quiet
says out "optimal after"
grep -q noise out && fault "$what: what a search prints is on standard output"

# --- True maxima beside smooth ones ---------------------------------------------------------------------

compile peak
expect 0 run peak.so --json --out found
# the height goes to its lower bound; 1/e at 1 s
for file in out found/result.json; do
  cp "$file" it
  jq -e '(1 / (1 | exp)) as $top | .status == "ok" and (.parameters[0].value - 1 | fabs) < 1e-9 and
    (.functionals | map(.name) == ["smooth", "end", "other"]) and
    (.functionals[0] | (.largest - $top | fabs) < 1e-7 and (.t_largest - 1 | fabs) < 1e-5 and .value < .largest) and
    (.functionals[2] | (.largest - 2 * $top + 1 | fabs) < 1e-7 and (.t_largest - 1 | fabs) < 1e-5) and
    (.functionals[1] | has("largest") or has("t_largest") | not) and
    (.functionals | all(.initial > .value))' it >/dev/null || fault "$what: $file tells other peaks"
done

verdict "Limits of time hold for whole studies."
