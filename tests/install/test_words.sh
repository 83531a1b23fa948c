#!/usr/bin/env bash
# scripts/check_words.py in a small tree: a rise of a count fails and names its place, a fall is stored, an excluded
# folder and released news are not counted. Run in the source folder.
set -euo pipefail
command -v python3 >/dev/null || { echo "No python3: skipped."; exit 77; }

tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/scripts" "$tree/dae/idas" "$tree/dae/start" "$tree/include/gradyn"
cp scripts/check_words.py scripts/words.txt "$tree/scripts"
echo 'The run ends.' >"$tree/README.md"
echo 'Short.' >"$tree/CONTRIBUTING.md"
printf '# News\n\n## Unreleased\n\nNew.\n\n## 0.1\n\nThe march is told anew.\n' >"$tree/CHANGELOG.md"
mkdir -p "$tree/docs/man" && echo '.SH NAME' >"$tree/docs/man/gradyn.1"
echo 'int march(void);' >"$tree/dae/idas/march.c"
check() { python3 "$tree/scripts/check_words.py" "$@"; }

check --write
[ ! -s "$tree/scripts/words-baseline.tsv" ]

# rises <file> <text> <what is printed>: adds the text, which must be found, and takes it away again
rises() {
  local before=$tree/before
  cp "$1" "$before"
  printf '%s\n' "$2" >>"$1"
  if check >"$tree/printed"; then
    echo "not found: $2"
    exit 1
  fi
  grep -qF -- "$3" "$tree/printed" || { cat "$tree/printed"; exit 1; }
  if check --write >/dev/null; then
    echo "stored: $2"
    exit 1
  fi
  cp "$before" "$1"
}
touch "$tree/dae/start/a.c" "$tree/include/gradyn/a.h"
rises "$tree/README.md" 'What is told goes on
behind the march.' 'README.md:3'
rises "$tree/README.md" "Word$(printf ' word%.0s' {1..41})." '42 words'
rises "$tree/dae/start/a.c" 'const char *a = "steps are told " "anew";' 'dae/start/a.c:1'
rises "$tree/dae/start/a.c" 'int mbs_looks;' 'in mbs_looks'
rises "$tree/include/gradyn/a.h" "/* Word$(printf ' word%.0s' {1..25}). */" '26 words'
rises "$tree/include/gradyn/a.h" '/* Evaluates the run, likewise. */' 'include/gradyn/a.h:1'
check

# what a header says of a parameter is a sentence of its own
words=$(printf ' word%.0s' {1..20})
printf '/* Runs.\n *\n * rho [parameters]: a%s.\n * psi: a%s. */\n' "$words" "$words" >"$tree/include/gradyn/a.h"
check

# an older finding stays allowed, and counts once it has gone
echo 'The run is told.' >>"$tree/README.md"
printf 'docs\t.\ttold\t2\n' >"$tree/scripts/words-baseline.tsv"
check
check --write
[ "$(cat "$tree/scripts/words-baseline.tsv")" = "$(printf 'docs\t.\ttold\t1')" ]
echo "The words are counted."
