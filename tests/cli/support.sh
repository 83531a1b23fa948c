# shellcheck shell=bash
# For tests of the command from outside: runs it in a folder of its own and checks its output and files.
# Sourced with the command as the only argument; ends with verdict.
set -uo pipefail

[ $# -eq 1 ] || { echo "usage: $0 GRADYN_COMMAND" >&2; exit 2; }
command -v jq >/dev/null || { echo "jq is missing: half of the checks need it" >&2; exit 1; }
gradyn=$(realpath "$1")
source=$(realpath "$(dirname "$0")/../..")
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place" || exit 1
unset GRADYN_PATH
export XDG_STATE_HOME=$place/state # files that are named, cli/options/named.h
faults=0

fault() {
  echo "FAULT: $*"
  head -n 20 out | sed 's/^/  stdout: /'
  head -n 20 err | sed 's/^/  stderr: /'
  faults=$((faults + 1))
}

# expect STATUS ARGUMENT...: runs the command and checks its status; its output is in the files
# out and err.
expect() {
  local wanted=$1 status=0
  shift
  what="gradyn $*"
  "$gradyn" "$@" >out 2>err || status=$?
  [ "$status" -eq "$wanted" ] || fault "$what: exit status $status instead of $wanted"
}

# says FILE TEXT...: the file of the last run contains each text.
says() {
  local file=$1 text
  shift
  for text; do
    grep -qF -- "$text" "$file" || fault "$what: '$text' is missing in $file"
  done
}

silent() {
  [ ! -s "$1" ] || fault "$what: $1 should be empty"
}

# Before a filter of jq: numbers as they are computed with. Some releases have them by the digits of the file otherwise.
# shellcheck disable=SC2034
computed='(.. | numbers) |= . + 0 | '

# json FILTER: the last run printed one JSON object for which the jq filter is true.
json() {
  jq -es "length == 1 and (.[0] | $computed$1)" out >/dev/null 2>&1 ||
    fault "$what: not exactly one JSON object for which $1 holds"
}

has_files() {
  local folder=$1 file
  shift
  for file; do
    [ -s "$folder/$file" ] || fault "$what: $folder/$file is missing"
  done
  # nothing temporary stays behind
  [ -z "$(find "$folder" -name '.*' -type f)" ] || fault "$what: temporary files in $folder"
}

# compile NAME...: compiles problems of tests/cli/problems to shared objects NAME.so in the
# current folder.
compile() {
  local name
  for name; do
    "${CC:-cc}" -std=c11 -D_POSIX_C_SOURCE=200809L -shared -fPIC -I"$source/include" \
      "$source/tests/cli/problems/$name.c" -o "$name.so" || exit 1
  done
}

# shellcheck disable=SC2034
# begin ARGUMENT...: starts the command in the background; its number is left in $job. Job control
# makes it heed signals as one in the foreground does.
begin() {
  what="gradyn $*"
  : >out # what the last command wrote is not this one's
  : >err
  set -m
  "$gradyn" "$@" >out 2>err &
  job=$!
  set +m
}

# wait_until COMMAND...: waits until it succeeds, at most 5 minutes, on slow machines longer: who waits for
# what never comes may do so for long, and a busy machine takes its time. False: it has not.
wait_until() {
  local end=$((SECONDS + 300 * ${GRADYN_TEST_PACE:-1}))
  until "$@"; do
    [ $SECONDS -lt $end ] || return 1
    sleep 0.05
  done
}

has_rows() {
  [ -e "$1" ] && [ "$(wc -l <"$1")" -ge "$2" ]
}

# rows FILE N: waits until the file has N lines.
rows() {
  wait_until has_rows "$1" "$2" || fault "$what: $1 does not grow to $2 lines"
}

# appears FILE: waits until the file exists.
appears() {
  wait_until [ -e "$1" ] || fault "$what: $1 does not appear"
}

# verdict TEXT: ends the test; TEXT is printed if it has succeeded.
verdict() {
  if [ $faults -eq 0 ]; then
    echo "$1"
    exit 0
  fi
  echo "$faults faults."
  exit 1
}
