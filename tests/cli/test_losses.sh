#!/usr/bin/env bash
# Results are not lost: signals, closed and broken streams, files that cannot be written, links planted by
# others.
# Usage: test_losses.sh GRADYN_COMMAND
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
compile bowl slow swing
study=(settings.json history.csv trajectory_initial.csv trajectory_final.csv result.json)

# status_is N: of the last command.
status_is() {
  [ "$status" -eq "$1" ] || fault "$what: exit status $status instead of $1"
}

# whole_history FOLDER: all rows of its history.csv have as many fields as the head.
whole_history() {
  [ "$(awk -F, '{ print NF }' "$1/history.csv" | sort -u | wc -l)" -eq 1 ] ||
    fault "$what: $1/history.csv is spoilt"
}

# --- Signals: the search stops, the best point is written -----------------------------------------

for signal in INT:130 TERM:143 HUP:129; do
  folder=slow-${signal%:*}
  begin run ./slow.so --out "$folder" --json
  rows "$folder/history.csv" 3
  kill "-${signal%:*}" "$job"
  wait "$job"
  status=$?
  what="SIG${signal%:*}"
  status_is "${signal#*:}"
  has_files "$folder" "${study[@]}"
  json '.status == "interrupted" and .termination == "stopped" and .objective < 24.3'
  says err "stopping; the best point will be written"
done
# stopped while it searches again with a better step: the result of the first search is kept
begin run ./swing.so --set delay=20 --refine-discretisation --out again --json
wait_until grep -q "searching again" err || fault "$what: it does not search again"
kill -INT "$job"
wait "$job"
status=$?
what="SIGINT while refining"
status_is 130
has_files again settings.json history.csv result.json
json '.status == "interrupted" and (.parameters | all(.value != null)) and .objective < -0.4 and .t_end == 1'

# a simulation that would take days can be stopped, because the search checks for signals during
# it
begin run five-bar --t-end 1e6 --max-steps 1000000000 --out days --json
rows err 4
kill -INT "$job"
wait "$job"
status=$?
status_is 130
json '.status == "interrupted" and (.message | contains("stopped on request at t = "))'
has_files days settings.json history.csv result.json
trap '' HUP # nohup: what was ignored stays so
"$gradyn" run ./slow.so --out nohup --max-evaluations 4 -q >out 2>err &
trap - HUP
other=$!
rows nohup/history.csv 2
kill -HUP "$other"
wait "$other"
status=$?
what="nohup"
status_is 1 # the limit of evaluations was reached
has_files nohup "${study[@]}"

# --- Streams --------------------------------------------------------------------------------------

what="standard error whose reader has gone"
exec 3> >(true)
wait "$!" # then there is no reader
"$gradyn" run bowl.so --out deaf -v >out 2>&3
status=$?
exec 3>&-
status_is 0
has_files deaf "${study[@]}"
says out "objective"

what="standard output whose reader has gone"
exec 3> >(true)
wait "$!" # then there is no reader
"$gradyn" run bowl.so --out nobody 2>err >&3
status=$?
exec 3>&-
status_is 141
has_files nobody "${study[@]}"

what="run 2>&-"
"$gradyn" run bowl.so --out no-stderr -v >out 2>&-
status=$?
status_is 0
has_files no-stderr "${study[@]}"
whole_history no-stderr

what="run >&- 2>&- <&-"
"$gradyn" run bowl.so --out no-streams -v >&- 2>&- <&-
status=$?
status_is 1
has_files no-streams "${study[@]}"
whole_history no-streams

for command in "list" "gradient bowl.so --json" "simulate bowl.so" "run bowl.so --out full --json"; do
  what="$command >/dev/full"
  # shellcheck disable=SC2086
  "$gradyn" $command >/dev/full 2>err
  status=$?
  status_is 1
  says err "standard output cannot be written" "No space left"
done
has_files full "${study[@]}"
cp full/result.json out
json '.status == "ok" and (.objective - 2 | fabs) < 1e-4'

# --- Files that cannot be written: results are printed nevertheless -------------------------------

# limited BLOCKS ARGUMENT...: no file may become larger than some kilobytes; out and err are pipes.
limited() {
  what="gradyn ${*:2} with files of at most $1 kB"
  rm -f drained
  (
    ulimit -f "$1"
    "$gradyn" "${@:2}" 2> >(cat >err; : >drained) | cat >out
    exit "${PIPESTATUS[0]}"
  )
  status=$?
  appears drained # the reader of err has ended
}

# all but history.csv fits
limited 3 run ./slow.so --samples 3 --out history
status_is 1
says out "objective" "results in history"
says err "io: history.csv cannot be written" "the search continues"
has_files history "${study[@]}"
# a log has the first ten evaluations, then fewer and fewer
[ "$(grep -cE '^ +[0-9]+ ' err)" -le 20 ] || fault "$what: a line an evaluation without -v"
cp history/result.json out
json '.status == "ok" and .termination == "optimal" and .evaluations > 30'

# all but report.html fits
for command in "run five-bar --samples 20" "simulate five-bar --samples 20" "gradient five-bar --t-end 1" \
  "steps five-bar --method ali3p --step 0.01" "sweep five-bar --over Ls1=1:2:2" \
  "pareto five-bar --objectives psi1,psi2 --points 2"; do
  # shellcheck disable=SC2086
  limited 320 $command --out page
  status_is 1
  says out "psi1"
  says err "cannot write 'page/report.html'"
  has_files page result.json
  # shellcheck disable=SC2086
  limited 320 $command --out page --force --json
  status_is 1
  json '.status == "io" and (.message | contains("report.html")) and (has("report") | not)'
  rm -rf page
done

begin run ./slow.so --out taken-away --json
rows taken-away/history.csv 3
what="a folder that is taken away"
rm -rf taken-away
kill -INT "$job"
wait "$job"
status=$?
status_is 1
json '.status == "interrupted" and .objective < 24.3'
says err "taken-away"

limited 1 simulate five-bar --samples 500 --out small-motion
status_is 1
says out "psi1"
says err "small-motion/trajectory.csv"
[ ! -e small-motion/trajectory.csv ] || fault "$what: half a trajectory"

# --- Links planted where files will be -------------------------------------------------------------

mkdir planted
echo mine >victim
for file in "${study[@]}"; do
  ln -s ../victim "planted/$file"
done
what="planted links"
(
  for file in "${study[@]}" probe; do
    ln -s ../victim "planted/.$file.$BASHPID.0"
  done
  exec "$gradyn" run bowl.so --out planted >out 2>err
)
status=$?
status_is 0
[ "$(cat victim)" = mine ] || fault "$what: a link was followed"
has_files planted "${study[@]}"
for file in "${study[@]}"; do
  [ ! -L "planted/$file" ] || fault "$what: planted/$file is still a link"
done

verdict "Nothing is lost."
