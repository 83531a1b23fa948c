#!/usr/bin/env bash
# How many faults would the tests notice? Changes one line at a time, builds, runs the tests that reach
# the line, and tells which changes nobody notices.
# Usage: mutate.sh [-n COUNT] [-s SEED] [-t SECONDS] [-r REGEX] [-w PLACE] FILE|FOLDER...
#   -n   mutants sampled from all files together (60)
#   -s   seed of the sample (1): the same seed and sources give the same mutants
#   -t   time limit of a test, s (120); a mutant that hangs is noticed
#   -r   only tests whose name matches take part (all)
#   -w   where the copy of the sources and its build live and are kept for the next time
#        (build-mutate)
# Operators: relational, arithmetic, constants, negated conditions, removed statements. Mutants known to
# change nothing stand in scripts/mutants.txt with the reason: file, operator, line, reason, separated by
# tabs. Exit status 1 if fewer than 90 % of the others are noticed.
set -uo pipefail
root=$(realpath "$(dirname "$0")/..")
count=60 seed=1 limit=120 only=. place=$root/build-mutate
while getopts n:s:t:r:w: option; do
  case $option in
    n) count=$OPTARG ;;
    s) seed=$OPTARG ;;
    t) limit=$OPTARG ;;
    r) only=$OPTARG ;;
    w) place=$(realpath -m "$OPTARG") ;;
    *) exit 2 ;;
  esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || { sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//p}' "$0"; exit 2; }
src=$place/src build=$place/build
mkdir -p "$src" "$build" "$place/reach"
cd "$root" || exit 2
mapfile -t files < <(for name; do if [ -d "$name" ]; then find "$name" -name '*.c'; else echo "$name"; fi
done | sort)

# --- A copy of the sources, built with counters of lines -----------------------------------------

git ls-files | tar -cf - -T - | tar -xf - -C "$src" || exit 2
[ -e "$build/CMakeCache.txt" ] ||
  cmake -S "$src" -B "$build" -DCMAKE_BUILD_TYPE=Debug -DGRADYN_BUILD_TESTS=ON \
    -DGRADYN_BUILD_BENCH=OFF -DCMAKE_C_FLAGS="-O1 --coverage" >"$place/cmake.log" || exit 2
# what the documentation shows and how the sources look is no business of a mutant's
mapfile -t tests < <(ctest --test-dir "$build" -N |
  sed -n 's/^ *Test *#[0-9]*: //p' | grep -E "$only" |
  grep -vE '^(house_rules|packages|install|docs_)')

# targets TEST...: what has to be built to run them: all, if one is a script
targets() {
  local test
  for test; do
    grep -q "^ *gradyn_test($test\>" "$src/CMakeLists.txt" || { echo all; return; }
  done
  printf 'test_%s\n' "$@"
}
make() {
  local wanted
  mapfile -t wanted < <(targets "$@")
  cmake --build "$build" -j "$(nproc)" --target "${wanted[@]}" >"$place/build.log" 2>&1
}
make "${tests[@]}" || { tail "$place/build.log"; exit 2; }

# --- Which test reaches which line ---------------------------------------------------------------

# reach TEST: the lines FILE:LINE of the chosen files that it runs, in PLACE/reach/TEST.
reach() {
  local counts=$place/counts/$1 file data
  rm -rf "$counts"
  mkdir -p "$counts"
  GCOV_PREFIX=$counts ctest --test-dir "$build" -R "^$1\$" >/dev/null 2>&1
  for file in "${files[@]}"; do
    data=$build/CMakeFiles/gradyn_internal.dir/$file
    [ -e "$counts$data.gcda" ] || continue
    ln -sf "$data.gcno" "$counts$data.gcno"
    (cd "$build" && gcov -t "$counts$data.gcda" 2>/dev/null) |
      awk -F: -v file="$file" '/^ *-?: *0:Source:/ { own = index($0, file) > 0 }
        own && $1 ~ /[0-9]/ { print file ":" $2 + 0 }'
  done | sort -u >"$place/reach/$1"
  rm -rf "$counts"
}
for test in "${tests[@]}"; do
  reach "$test"
done

# --- The sample ----------------------------------------------------------------------------------

# Every possible mutant: FILE, LINE, OPERATOR, new text of the line, separated by tabs.
candidates() {
  awk '
    function offer(operator, text) {
      if (text != $0) print FILENAME "\t" FNR "\t" operator "\t" text
    }
    function swap(operator, from, to,   at) {
      if ((at = index($0, from)))
        offer(operator, substr($0, 1, at - 1) to substr($0, at + length(from)))
    }
    /^ *(\/\*|\*|#|\/\/)/ || !/^ / { comment = /\/\*/ && !/\*\//; next }
    comment { comment = !/\*\//; next }
    /\/\*/ && !/\*\// { comment = 1 }
    /"/ { next }
    {
      swap("relational", " < ", " <= "); swap("relational", " > ", " >= ")
      swap("relational", " <= ", " < "); swap("relational", " >= ", " > ")
      swap("relational", " == ", " != "); swap("relational", " != ", " == ")
      swap("arithmetic", " + ", " - "); swap("arithmetic", " - ", " + ")
      swap("arithmetic", " * ", " / "); swap("arithmetic", " / ", " * ")
      swap("arithmetic", " += ", " -= "); swap("arithmetic", " -= ", " += ")
      swap("arithmetic", " && ", " || "); swap("arithmetic", " || ", " && ")
      if (match($0, /[ (]([0-9]|[0-9]\.[0-9]*)[,;) ]/)) {
        number = substr($0, RSTART + 1, RLENGTH - 2)
        offer("constant", substr($0, 1, RSTART) (number + 1) substr($0, RSTART + RLENGTH - 1))
      }
      if (match($0, /^ *(if|while) \(.*\)( \{)?$/)) {
        text = $0; sub(/\(/, "(!(", text); sub(/\)( \{)?$/, ")&", text)
        offer("negation", text)
      }
      if (/^ +[a-z_>.[\]()-]+.*;$/ && !/^ +(return|break|continue|static|const|double|int|size_t|bool|char|long|gradyn_[a-z_0-9]+ \*?[a-z])/)
        offer("removal", "  ;")
    }' "${files[@]}"
}
# A generator of its own, so that every awk draws the same sample.
sample() {
  awk -v seed="$seed" 'BEGIN { z = seed % 2147483647 + 1 }
    { z = (z * 16807) % 2147483647; printf "%010d\t%s\n", z, $0 }' | sort | head -n "$count" |
    cut -f 2-
}

# --- One mutant after the other ------------------------------------------------------------------

# try FILE LINE TEXT: killed, survived, unreached or refused (by the compiler).
try() {
  local reaching
  mapfile -t reaching < <(cd "$place/reach" && grep -lxF "$1:$2" "${tests[@]}" 2>/dev/null)
  [ ${#reaching[@]} -gt 0 ] || { echo unreached; return; }
  awk -v line="$2" -v text="${3//\\/\\\\}" 'NR == line { $0 = text } { print }' "$root/$1" >"$src/$1"
  if ! make "${reaching[@]}"; then
    echo refused
  elif GCOV_PREFIX=$place/counts/mutant ctest --test-dir "$build" --timeout "$limit" \
    --stop-on-failure -R "^($(IFS='|' && echo "${reaching[*]}"))\$" >"$place/mutant.log" 2>&1; then
    echo survived
  else
    echo killed
  fi
  cp -p "$root/$1" "$src/$1" && touch "$src/$1"
}

# known FILE OPERATOR ORIGINAL: the reason why it changes nothing, if that is known.
known() {
  awk -F '\t' -v file="$1" -v operator="$2" -v line="$3" '
    $1 == file && $2 == operator && $3 == line { print $4; exit }' "$root/scripts/mutants.txt"
}

declare -A tally=([killed]=0 [survived]=0 [unreached]=0 [refused]=0 [equivalent]=0)
echo "seed $seed, $(candidates | wc -l) mutants possible in ${#files[@]} files, ${#tests[@]} tests"
while IFS=$'\t' read -r file line operator text; do
  original=$(sed -n "${line}s/^ *//p" "$file")
  reason=$(known "$file" "$operator" "$original")
  if [ -n "$reason" ]; then
    fate=equivalent
  else
    fate=$(try "$file" "$line" "$text")
  fi
  tally[$fate]=$((tally[$fate] + 1))
  case $fate in
    equivalent) echo "equivalent $file:$line $operator: $reason" ;;
    survived | unreached) printf '%s %s:%s %s\n  - %s\n  + %s\n' "$fate" "$file" "$line" "$operator" \
      "$original" "${text#"${text%%[! ]*}"}" ;;
  esac
done < <(candidates | sample)
noticed=${tally[killed]} all=$((tally[killed] + tally[survived] + tally[unreached]))
echo "killed $noticed of $all; unreached ${tally[unreached]}, equivalent ${tally[equivalent]}," \
  "refused by the compiler ${tally[refused]}"
[ $((noticed * 10)) -ge $((all * 9)) ]
