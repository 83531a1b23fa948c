#!/usr/bin/env bash
# Which test fails without a fitted number? Builds a copy of the library in which each of these numbers
# (docs/fitted-numbers.md) is multiplied by a factor from the environment. It determines once which tests read
# which number. Then it runs these tests with each number far too large and far too small until one fails.
# Usage: fitted_tests.sh [-b SECONDS] [-f FACTOR] [-r REGEX] [-m REGEX] [-w PLACE]
#   -b   processor time for each number and direction, s (20). Results are kept while the sources do not change:
#        a later call with a larger time runs the remaining tests only
#   -f   factor by which the numbers are multiplied and divided (1e6)
#   -r   only tests with names that match take part (those of C and of the command)
#   -m   only numbers with a matching FILE:NAME (all)
#   -w   folder of the copy of the sources, its build and the results (build-fitted), for one call at a time
# Writes scripts/fitted_tests.txt: file, number, the test that fails with a larger one, that with a smaller one,
# or -, separated by tabs; "slowly" follows a test that only took five times its time. A fifth column is written
# by hand and kept: the evidence for a number without which no test fails. fitted.sh makes the page from this file.
set -uo pipefail
root=$(realpath "$(dirname "$0")/..")
budget=20 factor=1e6 only='(core|mbs|dae|adjoint|optim|problems|cli)' which=. place=$root/build-fitted
while getopts b:f:r:m:w: option; do
  case $option in
    b) budget=$OPTARG ;;
    f) factor=$OPTARG ;;
    r) only=$OPTARG ;;
    m) which=$OPTARG ;;
    w) place=$(realpath -m "$OPTARG") ;;
    *) sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//p}' "$0"; exit 2 ;;
  esac
done
src=$place/src build=$place/build table=$root/scripts/fitted_tests.txt
mkdir -p "$src/core/base" "$place/reach"
cd "$root" || exit 2
ulimit -c 0
# shellcheck source=scripts/copy.sh
. "$root/scripts/copy.sh"

# --- A copy of the sources whose numbers can be changed from outside -----------------------------

# FILE NAME of all numbers, as on the page; the index of a number is its line in this list
# shellcheck disable=SC2016 # awk's fields
scripts/fitted.sh | awk -F '`' '/^\| `/ {
  count = split($4, parts, ", ")
  for (i = 1; i <= count; i++) { sub(/ =.*/, "", parts[i]); print $2, parts[i] }
}' >"$place/numbers"

# adjustable FILE: prints the file; each use of a fitted number is a call of gradyn_fitted
adjustable() {
  awk -v file="$1" '
    FILENAME != file { if ($1 == file) number[$2] = FNR; next }
    # a number that is declared in a function is known up to the end of this function
    /^ *static const double [a-z_]+ = / { declaring = 1 }
    declaring {
      line = $0
      sub(/^ *static const double /, "", line)
      while (match(line, /[a-z_]+ = /)) {
        name = substr(line, RSTART, RLENGTH - 3)
        if (name in number) known[name] = /^ / && inside
        line = substr(line, RSTART + RLENGTH)
      }
      if (/;/) declaring = 0
      print
      next
    }
    /^\{/ { inside = 1 }
    /^\}/ { inside = 0; for (name in known) if (known[name]) delete known[name] }
    {
      out = ""
      rest = $0
      while (rest != "") {
        if (comment) {
          if (!match(rest, /\*\//)) RLENGTH = length(rest) - (RSTART = 1) + 1
          else comment = 0
          length_of = RSTART + RLENGTH - 1
        } else if (match(rest, /^"([^"\\]|\\.)*"/) || match(rest, /^(\.|->)?[A-Za-z_][A-Za-z_0-9]*/)) {
          length_of = RLENGTH
        } else {
          comment = rest ~ /^\/\*/
          length_of = 1 + comment
        }
        word = substr(rest, 1, length_of)
        rest = substr(rest, length_of + 1)
        out = out (!comment && word in known ? "gradyn_fitted(" number[word] ", " word ")" : word)
      }
      print out
    }' "$place/numbers" "$1"
}
# put FILE: writes standard input to the file, unless it is the same
put() {
  cat >"$place/new"
  cmp -s "$place/new" "$1" || mv "$place/new" "$1"
}
echo 'double gradyn_fitted(int number, double value);' | put "$place/fitted.h"
put "$src/core/base/fitted.c" <<'TEXT'
#include <stdio.h>
#include <stdlib.h>

/* GRADYN_FITTED=number:factor changes a number; GRADYN_FITTED_REACHED is the file that tells which are read. */
double gradyn_fitted(int number, double value)
{
  static int changed = -1;
  static double factor = 1;
  static char reached[10000];
  if (changed < 0) {
    const char *told = getenv("GRADYN_FITTED");
    if (!told || sscanf(told, "%d:%lf", &changed, &factor) != 2)
      changed = 0;
  }
  if (!reached[number]) {
    reached[number] = 1;
    const char *file = getenv("GRADYN_FITTED_REACHED");
    FILE *f = file ? fopen(file, "a") : NULL;
    if (f) {
      fprintf(f, "%d\n", number);
      fclose(f);
    }
  }
  return number == changed ? value * factor : value;
}
TEXT
mapfile -t files < <(cut -d ' ' -f 1 "$place/numbers" | sort -u)
update_sources . "${files[@]/#/:!}" ':!core/CMakeLists.txt'
for file in "${files[@]}"; do
  mkdir -p "$src/$(dirname "$file")"
  adjustable "$file" | put "$src/$file"
done
sed 's|^target_sources(.*|&\n  base/fitted.c|' core/CMakeLists.txt | put "$src/core/CMakeLists.txt"
if ! { configure "$build" "-O2 -include $place/fitted.h" && find_commands "$only" &&
  mapfile -t targets < <(needed) && make "$build" "${targets[@]}"; }; then
  tail "$place/cmake.log" "$place/build.log"
  exit 2
fi

# --- Which test reads which number ---------------------------------------------------------------

library=$(cd "$src" && find . -name '*.[ch]' -print0 | sort -z | xargs -0 cat | cksum)
if [ "$library" != "$(cat "$place/stamp" 2>/dev/null)" ]; then
  rm -rf "$place/reach" "$place/tried"
  mkdir "$place/reach"
fi
for test in "${!command[@]}"; do
  [ ! -e "$place/reach/$test" ] || continue
  TIMEFORMAT='%U %S'
  { time run "$test" 1000 "$build" GRADYN_FITTED_REACHED="$place/reached"; } 2>"$place/time" ||
    { echo "$test fails by itself" && rm -f "$place/reached"; }
  { awk 'END { print $1 + $2 }' "$place/time"; sort -nu "$place/reached" 2>/dev/null; } >"$place/reach/$test"
  rm -f "$place/reached"
done
echo "$library" >"$place/stamp"
touch "$place/tried" "$table"

# --- One number after the other ------------------------------------------------------------------

# promising NUMBER FILE NAME DIRECTION: prints TEST SECONDS of the tests that read the number and were not run yet.
# First come those that should fail soonest: the test in the table, then tests that failed for other numbers of the
# file, then those of its layer.
promising() {
  awk -F '[ \t]' -v number="$1" -v file="$2" -v name="$3" -v direction="$4" '
    FILENAME ~ /fitted_tests.txt$/ {
      if ($1 == file && $2 == name) { chance[$3] += 1e6; chance[$4] += 1e6 }
      next
    }
    FILENAME ~ /tried$/ {
      if ($5 == "passes") tried[$1, $2, $3, $4] = 1
      else if ($1 == file) chance[$4] += 10
      next
    }
    FNR == 1 { test = FILENAME; sub(/.*\//, "", test); seconds = $1; next }
    $1 == number && !((file, name, direction, test) in tried) {
      print (seconds + 0.02) / (1 + chance[test] + 4 * (substr(test, 1, 3) == substr(file, 1, 3))), test, seconds
    }' "$table" "$place/tried" "$place"/reach/* | sort -g | cut -d ' ' -f 2-
}
# look NUMBER FILE NAME DIRECTION FACTOR: runs the tests with the changed number until one fails
look() {
  local left=$budget test seconds outcome status
  while read -r test seconds <&3 && left=$(awk -v left="$left" -v took="$seconds" '
      BEGIN { print left - took; exit left < took }'); do
    (ulimit -v 16000000 && run "$test" "$(awk -v s="$seconds" 'BEGIN { print int(3 + 5 * s) }')" "$build" \
      GRADYN_FITTED="$1:$5") 2>/dev/null
    status=$?
    case $status in
      0) outcome=passes ;;
      124 | 137 | 152) outcome=slowly ;;
      *) outcome=fails ;;
    esac
    echo "$2 $3 $4 $test $outcome" >>"$place/tried"
    [ $outcome = passes ] || { echo "$2 $3 $4: $test $outcome"; return; }
  done 3< <(promising "$1" "$2" "$3" "$4")
  echo "$2 $3 $4: -"
}
number=0
while read -r file name <&4; do
  number=$((number + 1))
  [[ $file:$name =~ $which ]] || continue
  for direction in larger smaller; do
    grep -qE "^$file $name $direction .* (fails|slowly)$" "$place/tried" ||
      look $number "$file" "$name" $direction "$(awk -v f="$factor" -v way=$direction 'BEGIN {
        printf "%.17g", way == "larger" ? f : 1 / f }')"
  done
done 4<"$place/numbers"

# entries of numbers that were not tested remain
awk -F '[ ]' -v OFS='\t' '
  FILENAME ~ /fitted_tests.txt$/ {
    split($0, column, "\t")
    for (i = 3; i <= 5; i++) was[column[1], column[2], i] = column[i]
    next
  }
  FILENAME ~ /tried$/ {
    looked[$1, $2, $3] = 1
    if ($5 != "passes") found[$1, $2, $3] = $4 ($5 == "slowly" ? " slowly" : "")
    next
  }
  function said(direction, column) {
    if ((($1, $2, direction) in found)) return found[$1, $2, direction]
    return (($1, $2, direction) in looked) || !was[$1, $2, column] ? "-" : was[$1, $2, column]
  }
  {
    line = $1 OFS $2 OFS said("larger", 3) OFS said("smaller", 4)
    print line (was[$1, $2, 5] != "" ? OFS was[$1, $2, 5] : "")
  }' "$table" "$place/tried" "$place/numbers" >"$place/new" && cp "$place/new" "$table"
awk -F '\t' '{ n = ($3 != "-") + ($4 != "-"); count[n]++ }
  END { print NR " numbers: missed in both directions " count[2] + 0 ", in one " count[1] + 0 ", in none " count[0] + 0 }' "$table"
