#!/usr/bin/env bash
# Problem files of 0.2 compile unchanged with <gradyn/compat.h>, which names each old name, and print the digits
# of the files of this version. The header follows the table of names.
# Usage: test_old_problems.sh GRADYN_COMMAND
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/../cli/support.sh"
old=$source/tests/compat/problems

# built FILE OUT OPTION...: compiles a problem; the compiler's messages are left in the file messages.
built() {
  local file=$1 out=$2
  shift 2
  "${CC:-cc}" -std=c11 -D_POSIX_C_SOURCE=200809L -Wall -Wextra -shared -fPIC -I"$source/include" "$@" "$file" \
    -o "$out" 2>messages || { fault "$file is not compiled"; cat messages; }
}

for file in "$old"/*.c; do
  name=$(basename "$file" .c)
  built "$file" old.so -include gradyn/compat.h
  grep -q "is deprecated: use gradyn_" messages || fault "$name has no old name"
  grep -E "error|warning" messages | grep -v "deprecated" && fault "$name: the compiler warns of more than old names"
  built "$file" silent.so -include gradyn/compat.h -DGRADYN_COMPAT_SILENT -Werror
  built "$source/problems/$name.c" new.so -Werror
  for form in old silent new; do
    expect 0 gradient ./$form.so --json
    jq -S 'del(.. | .gradient_s?, .simulate_s?)' out >$form.json
  done
  cmp -s old.json new.json || fault "$name: the old file has other digits: $(diff old.json new.json | head -n 4)"
  cmp -s silent.json new.json || fault "$name: without warnings it has other digits"
done

if command -v python3 >/dev/null; then
  python3 "$source/scripts/compat.py" --check || fault "compat.h lacks names of the table"
fi
grep -q compat.h "$source/include/gradyn/gradyn.h" && fault "the umbrella includes compat.h"
verdict "old problem files compile and give the same digits"
