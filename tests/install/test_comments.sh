#!/usr/bin/env bash
# scripts/check_comments.py in a small tree: declarations without a comment, results and effects of NULL that a comment
# does not mention, are found. Run in the source folder.
set -euo pipefail
command -v python3 >/dev/null || { echo "No python3: skipped."; exit 77; }

tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree"/{core,mbs,dae,adjoint,optim,report,cli}
check() { python3 scripts/check_comments.py "$tree"; }

# header <comment>: a function with this comment, whose definition tests its pointer
header() {
  printf '/* A file. */\n\n%s\nint sum(const double *x, int count,\n        void (*done)(int count));\n' "$1" >"$tree/core/a.h"
}
# finds <text>: the check fails and prints the text
finds() {
  if check >"$tree/printed"; then
    echo "not found: $1"
    exit 1
  fi
  grep -qF -- "$1" "$tree/printed" || { cat "$tree/printed"; exit 1; }
}
header '/* Returns the sum of x [count]. */'
check
for test in 'if (!x)' 'if (x)' 'if (count > 0 && x)' 'return x ?' 'if (x == NULL)' 'if (x &&'; do
  printf 'int sum(const double *x, int count, void (*done)(int count))\n{\n  %s\n}\n' "$test" >"$tree/core/a.c"
  header '/* Returns the sum of x [count]. */'
  finds 'core/a.h:4: sum() tests x for NULL'
  header '/* Returns the sum of x [count]; x NULL: 0. */'
  check
done
printf 'int sum(const double *x, int count, void (*done)(int count))\n{\n  if (done)\n}\n' >"$tree/core/a.c"
header '/* Returns the sum of x [count]. */'
finds 'tests done for NULL'
for body in 'if (end != x)' '/* x ? */' 'f("x ? y")' 'if (count)' 'if (x[0] || !x[1])'; do
  printf 'int sum(const double *x, int count, void (*done)(int count))\n{\n  %s\n}\n' "$body" >"$tree/core/a.c"
  check
done
header '/* Computes the sum of x [count]. */'
finds 'core/a.h:4: sum() returns a value'
header ''
finds 'core/a.h:4: sum() has no comment of its own'
header '/* About several functions. */
'
finds 'sum() has no comment of its own'
printf '/* A file. */\n\n/* Adds. */\nvoid add(void);\n/* Tries. */\ngradyn_status try(void);\nstatic inline int less(int a)\n{\n  return a;\n}\n' >"$tree/cli/b.h"
header '/* Returns the sum of x [count]. */'
finds 'cli/b.h:7: less() has no comment of its own'
echo "Comments are checked."
