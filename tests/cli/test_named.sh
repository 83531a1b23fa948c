#!/usr/bin/env bash
# A study runs no code: a problem file that only a study names is refused. Usage: test_named.sh GRADYN_COMMAND
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
compile bowl

# the same problem; it writes a file when it is loaded
cp "$source/tests/cli/problems/bowl.c" planted.c
cat >>planted.c <<END
#include <stdio.h>
__attribute__((constructor)) static void leave_trace(void)
{
  FILE *file = fopen("$place/ran", "a");
  if (file)
    (void)fclose(file);
}
END
"${CC:-cc}" -std=c11 -D_POSIX_C_SOURCE=200809L -shared -fPIC -I"$source/include" planted.c -o planted.so || exit 1
expect 0 run ./bowl.so --out study -q
expect 0 sweep ./bowl.so --over a=1:2:3 --out swept -q
mkdir beside
ln -s ../planted.so beside/link.so
list=$XDG_STATE_HOME/gradyn/problems
[ "$(cat "$list")" = "$place/bowl.so" ] || fault "the list has '$(cat "$list")'"
[ "$(stat -c %a "$list" "$(dirname "$list")" | paste -sd ' ')" = "600 700" ] || fault "others can use the list"

# names STUDY FILE [PROBLEM]: changes the study so that every file of it names this problem file.
names() {
  local file
  for file in settings.json result.json; do
    [ ! -e "$1/$file" ] || { jq --arg file "$2" --arg problem "${3:-$2}" '
      .problem_file = $file | .problem = $problem |
      if .command_line then .command_line |= map(if endswith(".so") then $file else . end) else . end' "$1/$file" >changed && mv changed "$1/$file"; }
  done
}

# refused FILE ARGUMENT...: the command ends with the file and the line to type, and runs no code.
refused() {
  local file=$1
  shift
  expect 2 "$@"
  says err "$file" "If you trust it, type:" "gradyn $1 --problem"
  [ ! -e ran ] || fault "$what: code of a study ran"
  rm -f ran
}

commands=("resume foreign" "resume swept-foreign" "resume foreign --from-best" "resume foreign/../foreign/")
for command in info simulate gradient check steps run events orbit lqr filter equilibrium linearise pareto; do
  commands+=("$command --from foreign")
done
commands+=("sweep --from foreign --over a=1:2:3" "simulate --from foreign/settings.json" "simulate --from foreign/result.json")
for path in "$place/planted.so" planted.so ./planted.so foreign/planted.so foreign/plot.dat foreign/../planted.so \
  beside/link.so /proc/self/cwd/planted.so "$place/beside/../planted.so"; do
  rm -rf foreign swept-foreign
  cp -r study foreign
  cp -r swept swept-foreign
  cp planted.so foreign/planted.so
  cp planted.so foreign/plot.dat
  names foreign "$path"
  names swept-foreign "$path"
  for command in "${commands[@]}"; do
    # shellcheck disable=SC2086
    refused "$(realpath "$path")" $command
  done
done
# commands that load no problem continue to work
expect 0 status foreign
expect 0 studies
expect 0 report foreign
expect 0 report foreign study
[ ! -e ran ] || fault "a study that was looked at ran code"

# the reason is also in the JSON object; no environment variable and no entry of the study can
# permit the file
expect 2 resume foreign --json
json '.status == "invalid" and (.message | contains("--problem"))'
XDG_STATE_HOME=. HOME=. expect 2 resume foreign -q
GRADYN_PATH=$place/beside expect 2 resume foreign -q
rm -f ran # by GRADYN_PATH, whose folder the user names
mkdir -p state/gradyn
echo "$place/beside/../planted.so" >state/gradyn/problems # where a study could put it
chmod 700 state/gradyn
chmod 600 state/gradyn/problems
XDG_STATE_HOME=state refused planted.so resume foreign
rm -r state

# --- Files that the user names ------------------------------------------------------------------------

names foreign "$place/planted.so" bowl-of-rice
expect 0 simulate --problem planted.so --from foreign -q
[ -e ran ] || fault "the file that was named was not loaded"
says "$list" "$place/planted.so"
# from now on the file is known, by any path
for path in "$place/planted.so" ./planted.so beside/link.so foreign/../planted.so; do
  names foreign "$path" bowl-of-rice
  expect 0 simulate --from foreign -q
done
expect 0 resume foreign -q
[ "$(sort "$list" | uniq -d)" = "" ] || fault "the list has a line twice"

# the target of a link counts: another target is another file
cp planted.so other.so
ln -sfn ../other.so beside/link.so
names foreign beside/link.so bowl-of-rice
rm -f ran
refused "$place/other.so" resume foreign
# the printed line works as it is, also for a path with characters that the shell would expand
mv other.so "it's \$(touch ran) other.so"
names foreign "$place/it's \$(touch ran) other.so" bowl-of-rice
refused "other.so" resume foreign --max-evaluations 400 -q
line=$(sed -n 's/^ *gradyn resume/resume/p' err)
rm -f ran
eval "expect 0 $line"
says "$list" "other.so"
expect 2 info bowl.so --problem bowl.so
says err "name one of them"
expect 0 info --problem bowl.so
expect 0 info --problem five-bar
expect 2 resume foreign --problem absent.so
says err "absent.so"
# a file that has been removed: the message names what to type
names foreign "$place/gone.so" bowl-of-rice
expect 2 resume foreign
says err "gone.so" "No such file" "gradyn resume --problem FILE foreign"

# --- The list -----------------------------------------------------------------------------------------

names foreign "$place/bowl.so" bowl-of-rice
expect 0 simulate --from foreign -q
for unsafe in "chmod g+w $list" "chmod o+w $list" "chmod o+w $(dirname "$list")" "ln -sf $place/own $list"; do
  cp "$list" own
  chmod 600 own
  $unsafe
  expect 2 simulate --from foreign
  says err "bowl.so" "If you trust it, type:"
  expect 0 simulate --problem bowl.so --from foreign -q
  chmod 700 "$(dirname "$list")"
  rm "$list"
  cp own "$list"
  chmod 600 "$list"
  expect 0 simulate --from foreign -q
done
chmod g+w "$list"
expect 2 simulate --from foreign
says err "others can write to it"
chmod 600 "$list"
# a truncated line is ignored and does not damage the next line
printf %s "$place/bowl.so" >"$list"
expect 2 simulate --from foreign
expect 0 simulate --problem bowl.so --from foreign -q
[ "$(sort -u "$list")" = "$place/bowl.so" ] || fault "the list has '$(cat "$list")'"
# without a home folder, the file must be named each time
for home in "HOME= XDG_STATE_HOME=" "-u HOME -u XDG_STATE_HOME"; do
  for given in "" "--problem bowl.so"; do
    # shellcheck disable=SC2086
    env $home "$gradyn" simulate --from foreign $given -q >out 2>err
    status=$?
    [ "$given" ] && expected=0 || expected=2
    [ "$status" -eq "$expected" ] || fault "$home $given: exit status"
  done
done
# the folder for it is that of the home where no other one is set
env -u XDG_STATE_HOME HOME="$place" "$gradyn" info ./bowl.so >out 2>err
[ "$(cat .local/state/gradyn/problems)" = "$place/bowl.so" ] || fault "no list below the home"

verdict "Studies run no code that their user has not named."
