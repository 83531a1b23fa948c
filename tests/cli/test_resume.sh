#!/usr/bin/env bash
# Studies that are resumed after they were stopped.
# Usage: test_resume.sh GRADYN_COMMAND
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
compile bowl slow

# same_point A B: two studies have the same best point.
same_point() {
  for study; do
    sed -n '/"parameters"/,/"statistics"/p' "$study/result.json" >"$study.point"
  done
  cmp -s "$1.point" "$2.point" || fault "$what: the results of $1 and $2 differ"
}

# --- Stopped and resumed ----------------------------------------------------------------------------

expect 0 run bowl.so --out whole -q
lines=$(wc -l <whole/journal.jsonl)
expect 1 run bowl.so --out part --max-evaluations 3 -q
expect 0 resume part --max-evaluations 500 --json
json '.status == "ok" and .termination == "optimal"'
says err "search.max_evaluations was 3 and is 500" "3 of 4 evaluations were taken from the journal"
same_point whole part
cut -d, -f1-7,9- whole/history.csv >a
cut -d, -f1-7,9- part/history.csv >b
cmp -s a b || fault "$what: the histories differ"
# a raised limit stays raised
expect 0 resume part -q
same_point whole part
[ "$(wc -l <part/journal.jsonl)" -eq $((lines + 1)) ] || fault "$what: something was evaluated again"

# a finished result is not replaced by a worse one
cp -r whole kept
cp -r kept before
expect 1 resume kept --max-evaluations 3 --json -q
json '.message | contains("is better and remains")'
diff -r -x journal.jsonl kept before >/dev/null || fault "$what: the study was changed"
# also not if the run that renamed it was killed
mkdir kept/earlier
mv kept/*.csv kept/[mr]*.json kept/report.html kept/earlier
cp kept/settings.json kept/earlier
expect 1 resume kept --max-evaluations 3 -q
diff -r -x journal.jsonl kept before >/dev/null || fault "$what: the earlier result is not back: $(diff -r kept before | head -3)"
expect 0 resume kept -q
same_point whole kept
[ ! -e kept/earlier ] || fault "$what: what was put aside is left"
# a link to another place is not followed
mkdir elsewhere
cp whole/result.json elsewhere/
ln -s ../elsewhere kept/earlier
expect 1 resume kept -q
[ "$(ls elsewhere)" = result.json ] || fault "$what: a link of the study was followed"
rm -r kept before elsewhere

# from another folder
mkdir -p else/where
cd else/where || exit 1
"$gradyn" resume ../../whole -q >../../out 2>../../err || fault "resume from another folder"
cd ../.. || exit 1

# a resumption that ends before its first line leaves a study that can be resumed
expect 1 run bowl.so --out short --max-evaluations 3 -q
(
  trap '' XFSZ
  ulimit -f 0
  "$gradyn" resume short --max-evaluations 500 -q >/dev/null 2>&1
)
expect 0 resume short --max-evaluations 500 -q
same_point whole short
rm -r short short.point

# --- Progress of a study ------------------------------------------------------------------------------

expect 0 status whole
says out "run of bowl-of-rice: optimal" "evaluations in the journals" "best objective 2"
expect 0 status whole --json
json '.state == "optimal" and .evaluations > 5 and (.objective - 2 | fabs) < 1e-4'
expect 2 status nowhere
says err "is no study"
cp -r whole cut
rm cut/result.json
expect 0 status cut
says out "stopped" "'gradyn resume cut' continues"
expect 0 studies
says out "whole" "part" "cut"
expect 0 studies . --json
json '[.studies[].folder] == ["./cut", "./part", "./whole"] or [.studies[].folder] == ["cut", "part", "whole"]'
expect 0 studies "$place/whole"
says out "no studies in"
expect 2 studies nowhere

# an evaluation that takes too long counts as failed
expect 1 run ./slow.so --evaluation-seconds 1e-9 --out hasty
says err "the run takes longer than the 1e-09 s allowed"

# --- Paths that are no regular files ------------------------------------------------------------------

# a pipe in place of a file of a study, or of a folder of journals: the command does not wait for
# the other end
for file in settings.json result.json journal.jsonl history.csv trajectory_final.csv model_final.json starts; do
  for command in "status piped" "studies ." "report piped" "resume piped -q" "simulate bowl.so --from piped"; do
    cp -r whole piped
    rm -f "piped/$file"
    mkfifo "piped/$file"
    what="gradyn $command with a pipe $file"
    # shellcheck disable=SC2086
    timeout $((300 * ${GRADYN_TEST_PACE:-1})) "$gradyn" $command >out 2>err
    status=$?
    [ "$status" -lt 124 ] || fault "$what: exit status $status"
    # a command names the missing or wrong file of a study; a page contains a note about missing
    # files
    case $command:$file in
      stat*:[sr]*.json | stat*:journal* | stat*:history* | stud*:[sr]*.json | res*:set* | res*:journal* | sim*:res*)
        says err "$file" "not a file"
        [ "$status" -gt 0 ] || fault "$what: exit status $status"
        ;;
      rep*:starts | rep*:journal*) ;;
      rep*)
        [ "$status" -eq 0 ] || fault "$what: exit status $status"
        grep -qF "$file: it is not a file" piped/report.html || fault "$what: the page does not tell"
        ;;
    esac
    rm -r piped
  done
done

# --- Studies that cannot be resumed -----------------------------------------------------------------

expect 1 resume nowhere
says err "'nowhere' is no study"
expect 2 resume
says err "which study? usage: gradyn resume STUDY"
cp -r whole damaged
sed -i '3s/1/2/' damaged/journal.jsonl
cp -r damaged before
expect 2 resume damaged
says err "line 3 of the journal" "is damaged; the 1 evaluations before it are intact" "--from-best"
diff -r damaged before >/dev/null || fault "$what: the study was changed"
expect 0 resume damaged --from-best --json
json '.status == "ok" and (.objective - 2 | fabs) < 1e-4'
[ -s damaged/journal-old-1.jsonl ] || fault "$what: the old journal is gone"
expect 0 resume damaged -q
# later resumptions keep these old journals and do not count their evaluations
cp damaged/journal-old-1.jsonl oldest
cp damaged/journal.jsonl older
expect 0 resume damaged --from-best -q
for pair in oldest:1 older:2; do
  cmp -s ${pair%:*} "damaged/journal-old-${pair#*:}.jsonl" || fault "$what: the old journals are not as they were"
done
expect 0 status damaged --json
json ".evaluations == $(($(wc -l <damaged/journal.jsonl) - 1))"

# points of another problem are refused, and no table is made of them
compile ring
expect 0 sweep ./bowl.so --over a=0:1:3 --out points --no-report -q
expect 0 sweep ./ring.so --over start=0.6:1:3 --out others --no-report -q
rm -r points/points points/sweep.csv points/result.json
cp -r others/points points/
expect 2 resume points --no-report --json -q
json '.status == "invalid" and (.message | contains("has 3 parameters and 4 functionals, the problem has 6 and 2"))'
if [ -e points/sweep.csv ] || [ -e points/result.json ]; then
  fault "$what: a result of what is refused"
fi

# options of a study apply to its own method only, whether it was named or chosen
expect 0 run bowl.so --method idas --rtol 1e-5 --t-end 0.05 --out loose -q --no-report
while read -r rtol method; do
  # shellcheck disable=SC2086
  expect 0 simulate bowl.so --from loose $method --json -q
  json ".rtol == $rtol and .t_end == 0.05"
done <<'END'
1e-5
1e-5 --method idas
1e-8 --method explicit
END

# whether a process works on a study is determined from the journal itself, not from the target of
# a link
cp -r whole linked
mv linked/journal.jsonl linked/elsewhere
ln -s elsewhere linked/journal.jsonl
expect 1 status linked
says err "linked/journal.jsonl' cannot be read: "

# options given now replace the recorded ones, and nothing else changes
expect 0 resume whole -q
cp -r whole tuned
jq '{ftol, xtol, optimality, algorithm, max_evaluations}' tuned/settings.json >before.json
expect 0 resume tuned --ftol 1e-7 --optimality 1e-4 --jobs 2 -q
jq -e --slurpfile before before.json "$computed"'. as $now | $before[0] + {ftol: 1e-7, optimality: 1e-4} |
  to_entries | all($now[.key] == .value)' tuned/settings.json >/dev/null || fault "$what: other limits"
# the same for options given at an earlier resumption
for when in each second never; do
  expect 0 resume tuned --xtol 0 --durability $when -q
done
jq -e --slurpfile before before.json "$computed"'. as $now | $before[0] + {ftol: 1e-7, optimality: 1e-4, xtol: 0} |
  to_entries | all($now[.key] == .value)' tuned/settings.json >/dev/null || fault "$what: other limits"
# if the new start fails, the existing files are kept
cp -r tuned before-tuned
expect 1 resume tuned --evaluation-seconds 1e-9 -q
says err "at the initial parameters: the run takes longer than the 1e-09 s allowed"
diff -r tuned before-tuned >/dev/null || fault "$what: the study was changed"
expect 2 resume tuned --durability sometimes
says err "each, second or never"

# settings of another problem, or of no study
cp -r whole strange
while IFS='|' read -r change said; do
  jq "$change" whole/settings.json >strange/settings.json
  expect 2 resume strange -q
  says err "$said"
done <<'END'
del(.parameters[5])|study 'strange': 5 parameters; the problem has 6
.parameters[0].name = "z"|the settings of the study 'strange' have no parameter a
.parameters[1].value = null|the settings of the study 'strange' have no parameter b
.parameters[5].fixed = 0|the settings of the study 'strange' have no parameter u[2]
.command_line[1] = "simulate"|'strange' cannot be resumed: its settings belong to no search, sweep, front or profile
del(.command_line)|'strange' cannot be resumed: its settings belong to no search, sweep, front or profile
.command_line += ["--frob"]|the command line in the study 'strange': unknown option '--frob'
END

# damaged settings: not reported as a failure of the disk
echo '{' >strange/settings.json
expect 2 resume strange --json
json '.status == "invalid" and (.message | startswith("\u0027strange/settings.json\u0027 cannot be read: "))'

# a problem that has changed its results
cp -r whole other
sed 's/goal\[i\] : 0.5/goal[i] : 0.75/' "$source/tests/cli/problems/bowl.c" >bowl.c
cp bowl.so bowl-old.so
"${CC:-cc}" -std=c11 -D_POSIX_C_SOURCE=200809L -shared -fPIC -I"$source/include" bowl.c -o bowl.so
if cmp -s bowl.c "$source/tests/cli/problems/bowl.c"; then fault "the problem was not changed"; fi
cp -r other before-other
expect 2 resume other
says err "journal" "no entry of the header of the journal differs" "no file in 'other' was changed"
diff -r other before-other >/dev/null || fault "$what: the study was changed"
mv bowl-old.so bowl.so

expect 2 run bowl.so --out wrong --durability sometimes
says err "each, second or never"

# two processes in one study
begin run ./slow.so --out busy --json
rows busy/history.csv 2
"$gradyn" status busy >out.status
grep -q "running" out.status || fault "a study at work is not seen"
cp out out.run
"$gradyn" resume busy >out 2>err && fault "two processes in one study"
what="a second process"
says err "another process uses the journal"
"$gradyn" run bowl.so --out busy --force >out 2>err && fault "two processes in one study"
says err "another process uses the journal"
kill -INT "$job"
wait "$job"

# a fit that reached a limit, with the same result as without one
expect 0 fit alpha-pinene --out fitted --no-report -q --json
cp out out.whole
expect 1 fit alpha-pinene --max-evaluations 4 --out limited --no-report -q --json
expect 0 resume limited --max-evaluations 1000 -q --json
says out '"undetermined"'
[ "$(jq .objective out)" = "$(jq .objective out.whole)" ] || fault "$what: another objective"

verdict "Studies go on."
