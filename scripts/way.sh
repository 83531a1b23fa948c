#!/usr/bin/env bash
# The way of a parameter, from build() to its printed derivative: the sources of the library that a command
# passes through inside gradyn_evaluator_create() and gradyn_gradient(), as callgrind sees it, which docs/architecture.md
# follows. Headers do not count; what callbacks of the problem and of the command do, neither.
# Usage: way.sh GRADYN [ARGUMENT...]; GRADYN without optimisation (-g -O0) and with a shared library, so that
# functions are where they are written and can be told from the loader's work. Without arguments the ways of a
# parameter and of an impact by explicit are counted; with some, files are listed. Needs valgrind
set -euo pipefail
gradyn=$(realpath "$1") root=$(realpath "$(dirname "$0")/..")
shift
cd "$(mktemp -d)"

# files ARGUMENT...
files() {
  valgrind --tool=callgrind --callgrind-out-file=calls --toggle-collect=gradyn_evaluator_create \
    --toggle-collect=gradyn_gradient "$gradyn" "$@" --quiet >/dev/null 2>words || { cat words >&2; exit 1; }
  # fl=(7) path: the file of a function, which counts if it has a cost of its own: behind calls= stands that of
  # a call alone, as of who calls these two. A path is told where its number comes first
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
