#!/usr/bin/env bash
# The way of a parameter, from build() to its printed derivative: the sources of the library that a command runs
# inside gradyn_evaluator_create() and gradyn_evaluator_gradient(), according to callgrind. docs/architecture.md describes this
# way. Headers do not count, nor do callbacks of the problem and of the command.
# Usage: way.sh GRADYN [ARGUMENT...]. GRADYN must be built without optimisation (-g -O0) and with a shared library, so
# that functions belong to their files and are not mixed with the work of the loader. Without arguments, the files for a
# parameter and for an impact, both by explicit, are counted; with arguments, files are listed. Needs valgrind.
set -euo pipefail
gradyn=$(realpath "$1") root=$(realpath "$(dirname "$0")/..")
shift
cd "$(mktemp -d)"

# files ARGUMENT...: prints the files that a command runs
files() {
  valgrind --tool=callgrind --callgrind-out-file=calls --toggle-collect=gradyn_evaluator_create \
    --toggle-collect=gradyn_evaluator_gradient "$gradyn" "$@" --quiet >/dev/null 2>words || { cat words >&2; exit 1; }
  # fl=(7) path: the file of a function, which counts if the function has a cost. The line after calls= has the cost
  # of a call only, for example of the callers of these two functions. The path follows a number at its first
  # occurrence only
  awk -F'[()] ?' '/^(fl|fi|fe|cfi|cfl)=\(/ { if ($3 != "") path[$2] = $3 }
      /^fl=\(/ { of = $2 }
      /^calls=/ { getline; next }
      /^[0-9+*-]/ { seen[of] = 1 }
      END { for (i in seen) print path[i] }' calls |
    xargs -d '\n' realpath -qm --relative-to="$root" |
    grep -E '^(core|mbs|dae|adjoint|optim|report)/.*\.c$' | sort -u
}

if [ $# -gt 0 ]; then
  files "$@"
else
  for problem in five-bar bouncing-five-bar; do
    echo "$problem: $(files gradient "$problem" --method explicit | wc -l) files"
  done
fi
