#!/usr/bin/env bash
# The product needs POSIX of 2008 only: the files that use more are listed here, and they compile without it,
# too. Problems of users compile as C23, the default of gcc 15 and later.
# Usage: test_portable.sh BUILD_DIR
set -uo pipefail
build=$(realpath "$1")
cd "$(dirname "$0")/../.." || exit 1
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cc=${CC:-cc}
faults=0

fault() {
  echo "FAULT: $*"
  faults=$((faults + 1))
}

product='/(core|mbs|dae|adjoint|optim|report|cli|problems)/'
more='_(GNU|DEFAULT|BSD|SVID)_SOURCE'
strange=$(grep -rnE "define +$more" --include='*.[ch]' core mbs dae adjoint optim report cli problems include)
[ -z "$strange" ] || fault "more than POSIX: $strange"
# shellcheck disable=SC2016 # of jq
mapfile -t files < <(jq -r --arg product "$PWD$product" --arg more "$more" \
  '.[] | select((.file | test("^" + $product)) and (.command | test($more))) | .file' "$build/compile_commands.json" | sort -u)
expected="$PWD/core/base/loaded.c $PWD/optim/jobs/pool_processes.c"
[ "${files[*]}" = "$expected" ] || fault "these see more than POSIX: '${files[*]}' instead of '$expected'"
for file in "${files[@]}"; do
  "$cc" -std=c11 -D_POSIX_C_SOURCE=200809L -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I. -Iinclude "$file" ||
    fault "$file does not compile for POSIX alone"
done

# programs of the documentation: blocks between ```c and ``` that include the library
awk -v place="$place" '
  /^```/ { if (file) close(file); file = ""; inside = $0 == "```c"; next }
  inside && /#include <gradyn\/gradyn.h>/ && !file { file = place "/" ++n ".c"; printf "%s", before >file }
  !inside { before = "" }
  file { print >file }
  inside && !file { before = before $0 "\n" }' README.md docs/*.md docs/theory/*.md
standard=gnu23
"$cc" -std=gnu23 -fsyntax-only -x c /dev/null 2>/dev/null || standard=gnu2x
for file in problems/*.c problems/*/*.c tests/cli/problems/*.c tests/install/decay.c "$place"/*.c; do
  case $file in problems/builtin.c) continue ;; esac
  "$cc" -std=$standard -Wall -Wextra -Werror -Wno-unused -DTEXT=0 -fsyntax-only -Iinclude "$file" || fault "$file is no C23"
done
echo "$(find "$place" -name '*.c' | wc -l) programs of the documentation"
exit $((faults > 0))
