#!/usr/bin/env bash
# Files that are no shared objects, are truncated, or crash when they are loaded: each is refused with a
# reason, and the others are still found.
# Usage: test_plugins.sh GRADYN_COMMAND
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
compile bowl crashes faulty

# refused FILE REASON: the file is refused by its path and in a folder of the search path.
refused() {
  expect 2 info "./$1"
  says err "$1" "cannot be loaded" "$2"
  rm -rf folder
  mkdir folder
  mv "$1" folder/
  cp bowl.so folder/
  GRADYN_PATH=$place/folder expect 0 list
  says out "bowl-of-rice" "five-bar"
  says err "$1" "cannot be loaded" "$2"
}

mkfifo pipe.so
refused pipe.so "it is not a file"
mkdir folder.so
refused folder.so "it is a folder"
ln -s absent link.so
expect 2 info ./link.so
says err "no shared object './link.so'"
: >empty.so
refused empty.so "not a shared object"
head -c 4096 /dev/zero >zeros.so
refused zeros.so "not a shared object"
cp "$gradyn" program.so
expect 2 info ./program.so
size=$(stat -c %s bowl.so)
for part in 64 500 4096 8192 12288; do
  [ $part -lt "$size" ] || continue
  head -c $part bowl.so >part.so
  refused part.so truncated
done
# the last segment contains all data that the loader needs
end=0
while read -r _ offset _ _ length _; do
  end=$((offset + length > end ? offset + length : end))
done < <(readelf -lW bowl.so | grep '^ *LOAD')
head -c $((end - 1)) bowl.so >part.so
refused part.so truncated
head -c "$end" bowl.so >bare.so
expect 0 info ./bare.so
# with the names of shared objects on macOS
rm -rf folder
mkdir folder
cp bowl.so folder/bowl.dylib
GRADYN_PATH=$place/folder expect 0 info bowl-of-rice -q
cd folder || exit 1
expect 0 info bowl.dylib -q
cd ..
cp crashes.so crash.so
refused crash.so "crash"
[ "$(grep -c noise out err)" = "out:0
err:0" ] || fault "$what: what a trial prints is seen"
cp crashes.so leaves.so
export GRADYN_TEST_LEAVE=1
refused leaves.so "ends the program (exit status 3)"
unset GRADYN_TEST_LEAVE
# each text of the problem is an invalid pointer; a sanitizer would end the program by itself
own=handle_segv=0:handle_sigbus=0:handle_sigill=0:handle_sigfpe=0:handle_abort=0
given=${ASAN_OPTIONS-}
export ASAN_OPTIONS=${given:+$given:}$own
for text in 0 1 2 3 4 5 6 7 8; do
  "${CC:-cc}" -std=c11 -shared -fPIC -DTEXT=$text -I"$source/include" "$source/tests/cli/problems/texts.c" \
    -o texts.so || exit 1
  if [ $text -eq 0 ]; then
    expect 0 info ./texts.so
  else
    refused texts.so "crash"
  fi
done
export ASAN_OPTIONS=$given
# a later crash cannot be prevented, but the message names the problem; with a sanitizer, if it
# allows this
for signal in SEGV BUS ILL FPE TRAP SYS ABRT; do
  what="gradyn info ./faulty.so, SIG$signal"
  GRADYN_TEST_SIGNAL=$(kill -l $signal) ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}$own "$gradyn" info ./faulty.so >out 2>err
  status=$?
  [ $status -eq $((128 + $(kill -l $signal))) ] || fault "$what: status $status"
  [ "$(grep -c "crashed while it computed the problem 'faulty'" err)" -eq 1 ] || fault "$what: not told"
done
GRADYN_PATH=$place expect 0 info bowl-of-rice --json
json '.problem == "bowl-of-rice"'

verdict "Bad plug-ins do no harm."
