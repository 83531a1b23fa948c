#!/usr/bin/env bash
# How many faults would the tests notice? Changes one line at a time, runs the tests that reach the line, first
# those that notice most for their time, and reports which changes no test notices.
# Usage: mutate.sh [-a] [-n COUNT] [-s SEED] [-c BASE] [-t SECONDS] [-b SECONDS] [-j JOBS] [-r REGEX] [-m REGEX]
#                  [-w PLACE] FILE|FOLDER...
#   -a   what survives is run again with the sanitizers in the changed file: before a release all tests are run with
#        them in all files
#   -n   mutants sampled from all files together (60)
#   -s   seed of the sample (1): the same seed gives the same mutants, however other lines change
#   -c   only lines that differ from this commit
#   -t   leave out tests that take more processor time, s (5): most of all time is that of a few long tests.
#        1000 lets all take part, for a sample before a release
#   -b   for each mutant so many tests as take this long together, s (all): what survives is a bound then
#   -j   so many tests or mutants side by side (the number of processors)
#   -r   only tests whose name matches take part (all)
#   -m   of the sample only mutants whose FILE:LINE matches (all)
#   -w   folder of the copy of the sources and its build, and of the reach of the tests, which are kept for the
#        next time (build-mutate)
# From nothing the library and the tests are built once, then each test runs once with counters in the files of
# the sample: some seven minutes on two processors. The same sample of the same sources begins at once.
# Operators: relational, arithmetic, constants, negated conditions, removed statements. Mutants known to
# change nothing stand in scripts/mutants.txt with the reason: file, operator, line, reason, which of the lines
# alike in the file it is (all), and what it becomes (whatever the operator makes of it), separated by tabs;
# those that compile to the same machine code are found out. Exit status 1 if fewer than 90 % of the others are noticed.
set -uo pipefail
root=$(realpath "$(dirname "$0")/..")
audit=
count=60 seed=1 base='' longest=5 budget=1e9 jobs=$(nproc) only=. which=. place=$root/build-mutate
while getopts an:s:c:t:b:j:r:m:w: option; do
  case $option in
    a) audit=1 ;;
    n) count=$OPTARG ;;
    s) seed=$OPTARG ;;
    c) base=$OPTARG ;;
    t) longest=$OPTARG ;;
    b) budget=$OPTARG ;;
    j) jobs=$OPTARG ;;
    r) only=$OPTARG ;;
    m) which=$OPTARG ;;
    w) place=$(realpath -m "$OPTARG") ;;
    *) exit 2 ;;
  esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || { sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//p}' "$0"; exit 2; }
src=$place/src build=$place/build counted=$place/counted sanitizers='-fsanitize=address,undefined'
mkdir -p "$src" "$build" "$counted" "$place/reach"
cd "$root" || exit 2
ulimit -c 0
# what stands in the command alone is no part of the shared object
mapfile -t files < <(for name; do if [ -d "$name" ]; then find "$name" -name '*.c'; else echo "$name"; fi
done | grep -vE '^cli/(commands/main|options/ranks|options/ranks_none)\.c$' | sort)

# --- A copy of the sources, and its build --------------------------------------------------------

# shellcheck source=scripts/copy.sh
. "$root/scripts/copy.sh"
update_sources .
give_up() {
  tail "$place/cmake.log" "$place/build.log"
  exit 2
}
configure "$build" -O2 || give_up
find_commands "$only"
mapfile -t targets < <(needed)
make "$build" gradyn_whole "${targets[@]}" || give_up
touch "$place/kills"

# side_by_side FUNCTION: calls it with each line of standard input, so many at a time.
side_by_side() {
  local line
  while IFS= read -r line <&3; do
    [ "$(jobs -rp | wc -l)" -lt "$jobs" ] || wait -n
    "$1" "$line" &
  done 3<&0
  wait
}
# object_of FILE: where its object stands among those of a build.
object_of() {
  case $1 in
    cli/*) echo "CMakeFiles/gradyn_command.dir/$1.o" ;;
    *) echo "CMakeFiles/gradyn_internal.dir/$1.o" ;;
  esac
}
# compile FILE SOURCE OBJECT [FLAG]...: SOURCE in place of FILE.
compile() {
  local line
  line=$(jq -r --arg object "$(object_of "$1")" \
    '[.[] | select(.command | contains($object))][0].command' "$build/compile_commands.json")
  (cd "$build" && eval "${line%% -o *} ${*:4} -o $3 -c $2") >/dev/null 2>&1
}
# overlay FOLDER FLAG|OBJECT...: FOLDER/libgradyn_whole.so, objects in front of the library. What they define is
# found first by whoever asks.
overlay() {
  ln -sf "$build/libgradyn_whole.so" "$1/libgradyn_original.so"
  "${CC:-cc}" -shared -o "$1/libgradyn_whole.so" "${@:2}" -Wl,--no-as-needed -L"$1" -l:libgradyn_original.so
}

# --- The sample ----------------------------------------------------------------------------------

# Every possible mutant: FILE, LINE, OPERATOR, new text of the line, separated by tabs.
candidates() {
  cd "$src" && awk '
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
      # room for more in an array changes nothing
      if (!/alloc\(/ && match($0, /[ (]([0-9]|[0-9]\.[0-9]*)[,;) ]/)) {
        number = substr($0, RSTART + 1, RLENGTH - 2)
        # bytes of 63 are numbers of 5e-4, those of 1 so small that nothing would notice them
        offer("constant", substr($0, 1, RSTART) (number + (/memset/ ? 63 : 1)) \
              substr($0, RSTART + RLENGTH - 1))
      }
      if (match($0, /^ *(if|while) \(.*\)( \{)?$/)) {
        text = $0; sub(/\(/, "(!(", text); sub(/\)( \{)?$/, ")&", text)
        offer("negation", text)
      }
      if (/^ +[a-z_>.[\]()-]+.*;$/ && !/^ +(return|break|continue|static|const|double|int|size_t|bool|char|long|gradyn_[a-z_0-9]+ \*?[a-z])/)
        offer("removal", "  ;")
    }' "${files[@]}"
}
# The lines FILE:LINE that differ from BASE.
changed() {
  git diff -U0 --no-color --no-ext-diff --no-prefix "$base" -- "${files[@]}" | awk '
    /^\+\+\+ / { file = $2 }
    /^@@ / {
      split(substr($3, 2), range, ",")
      for (i = 0; i < ($3 ~ /,/ ? range[2] : 1); i++) print file ":" range[1] + i
    }'
}
# offered: all of them, or those in lines that differ from BASE
offered() {
  if [ -n "$base" ]; then
    candidates | awk -F '\t' 'FILENAME != "-" { changed[$0] = 1; next } $1 ":" $2 in changed' <(changed) -
  else
    candidates
  fi
}
# A mutant's place in the sample comes from what it says, a polynomial of its characters at a point that
# the seed chooses: the sample stays the same when lines are added or moved, and with every awk.
sample() {
  awk -F '\t' -v seed="$seed" '
    BEGIN { for (i = 1; i < 256; i++) code[sprintf("%c", i)] = i; point = 300 + seed * 16807 % 2096993 }
    {
      text = $1 $3 $4
      text = text (++seen[text])
      place = 1
      for (i = length(text); i > 0; i--)
        place = (place * point + code[substr(text, i, 1)]) % 2147483647
      printf "%010d\t%s\n", place, $0
    }' | LC_ALL=C sort | head -n "$count" | cut -f 2-
}

offered >"$place/offered"
sample <"$place/offered" >"$place/sample"
[ -s "$place/sample" ] || { echo "no line of these files can be changed" >&2; exit 2; }

# --- Which test reaches which line ---------------------------------------------------------------

# The files of the sample with counters, in front of the library.
mapfile -t sampled < <(cut -f 1 "$place/sample" | sort -u)
library=$(cd "$src" && {
  printf '%s\n' "${sampled[@]}"
  find core mbs dae adjoint optim report problems cli include -type f -print0 | sort -z | xargs -0 cat
} | cksum)
count_file() {
  compile "$1" "$src/$1" "$counted/${1//\//-}.o" -O1 --coverage
}
# The lines FILE:LINE that the output of gcov on standard input counts as PATTERN.
lines() {
  awk -F: -v pattern="$1" '
    /^ *-: *0:Source:/ { file = $0; own = sub(/.*:Source:.*\/src\//, "", file) }
    own && $2 + 0 && $1 ~ pattern { print file ":" $2 + 0 }' | sort -u
}
if [ "$library" != "$(cat "$counted/stamp" 2>/dev/null)" ]; then
  rm -f "$counted"/*
  printf '%s\n' "${sampled[@]}" | side_by_side count_file
  overlay "$counted" --coverage "$counted"/*.o || give_up
  (cd "$counted" && gcov -t ./*.gcno 2>/dev/null | lines '[0-9#]') >"$place/code"
  echo "$library" >"$counted/stamp"
fi
# stamp TEST: what its lines depend on.
stamp() {
  echo "$library"
  eval "set -- ${command[$1]}"
  local word
  for word; do
    case $word in */test_*) cksum <"$word" ;; esac
  done
}
# reach TEST: the lines of the sample's files that it runs, in PLACE/reach/TEST; the seconds it took in
# TEST.seconds. Tests that fail or take too long reach nothing.
reach() {
  local counts=$place/counts.$1 reach=$place/reach/$1 TIMEFORMAT='%U %S'
  rm -rf "$counts" "$reach.stamp"
  mkdir -p "$counts"
  cp -s "$counted"/*.gcno "$counts"
  if { time run "$1" $((${longest%.*} + 1)) "$counted" GCOV_PREFIX="$counts" GCOV_PREFIX_STRIP=99; } \
    2>"$reach.time"; then
    find "$counts" -name '*.gcda' -exec gcov -t {} + 2>/dev/null | lines '[0-9]' >"$reach"
    stamp "$1" >"$reach.stamp"
  else
    : >"$reach"
  fi
  awk 'END { print $1 + $2 }' "$reach.time" >"$reach.seconds"
  rm -rf "$counts" "$reach.time"
}
# stale TEST: not if it takes too long, as it did in earlier sources.
stale() {
  ! awk -v longest="$longest" '{ exit $1 <= longest }' "$place/reach/$1.seconds" 2>/dev/null &&
    [ "$(stamp "$1")" != "$(cat "$place/reach/$1.stamp" 2>/dev/null)" ]
}
for test in "${!command[@]}"; do ! stale "$test" || echo "$test"; done | side_by_side reach
mapfile -t tests < <(for test in "${!command[@]}"; do
  echo "$(cat "$place/reach/$test.seconds") $test"
done | awk -v longest="$longest" '$1 <= longest' | sort -g | cut -d ' ' -f 2)
for test in "${tests[@]}"; do
  [ -e "$place/reach/$test.stamp" ] || echo "$test fails without a mutant: left out"
done

# --- The mutants ---------------------------------------------------------------------------------

# promising FILE TEXT: the tests of standard input that the budget allows, first those that should notice a
# fault in FILE soonest: what noticed the same mutant before, then by their chance, judged by what they noticed
# there and elsewhere and by whose tests they are, over their time.
promising() {
  text=$2 awk -v file="$1" -v place="$place" '
    FILENAME == place "/kills" {
      kills[$2] += $1 == file ? 10 : 1
      if ($0 == file " " $2 " " ENVIRON["text"]) kills[$2] += 1e6
      next
    }
    {
      getline seconds <(place "/reach/" $1 ".seconds")
      chance = 1 + kills[$1] + (index($1, substr(file, 1, index(file, "/") - 1) "_") == 1 ? 4 : 0)
      print (seconds + 0.02) / chance, $1, seconds
    }' "$place/kills" - | sort -g |
    awk -v budget="$budget" '(sum += $3) <= budget || NR == 1 { print $2 }'
}
# run_plainly TEST SECONDS FOLDER: with the mutant there.
run_plainly() {
  (ulimit -v 16000000 && run "$1" "$2" "$3")
}
# run_sanitized TEST SECONDS FOLDER: with the mutant there and the sanitizers, but no scripts, since other
# programs than ours would have to bear them. What the mutant defines stands there twice.
run_sanitized() {
  [[ ${command[$1]} != *"'$build/tests/test_"* ]] ||
    run "$1" $((4 * $2)) "$3" ASAN_OPTIONS=detect_odr_violation=0 \
      LD_PRELOAD="$("${CC:-cc}" -print-file-name=libasan.so)"
}
# first_to_notice RUN FOLDER TEST...: the first of the tests that fails when run so; status 1 if there is none.
first_to_notice() {
  local test
  for test in "${@:3}"; do
    # a mutant that hangs is noticed
    "$1" "$test" "$(awk '{ print int(5 + 5 * $1) }' "$place/reach/$test.seconds")" "$2" 2>/dev/null ||
      { echo "$test"; return; }
  done
  return 1
}
# fate FILE LINE TEXT FOLDER: killed, survived, unreached, equivalent (the compiler sees no difference) or
# refused (by the compiler). The mutant lives in the folder.
fate() {
  local reaching test folder=$4
  mapfile -t reaching < <(cd "$place/reach" && grep -lxF "$1:$2" "${tests[@]}" 2>/dev/null </dev/null)
  # a constant is no code: whatever runs the file may notice it
  if [ ${#reaching[@]} -eq 0 ] && ! grep -qxF "$1:$2" "$place/code"; then
    mapfile -t reaching < <(cd "$place/reach" && grep -l "^$1:" "${tests[@]}" 2>/dev/null </dev/null)
  fi
  [ ${#reaching[@]} -gt 0 ] || { echo unreached; return; }
  mapfile -t reaching < <(printf '%s\n' "${reaching[@]}" | promising "$1" "$3")
  awk -v line="$2" -v text="${3//\\/\\\\}" 'NR == line { $0 = text } { print }' "$src/$1" >"$folder/${1##*/}"
  if ! compile "$1" "$folder/${1##*/}" "$folder/object.o"; then
    echo refused
  elif cmp -s "$folder/object.o" "$build/$(object_of "$1")"; then
    echo "equivalent (the same machine code)"
  elif ! overlay "$folder" "$folder/object.o"; then
    echo refused
  elif test=$(first_to_notice run_plainly "$folder" "${reaching[@]}"); then
    echo "killed $test"
    echo "$1 $test $3" >>"$place/kills"
  elif [ -n "$audit" ] &&
    compile "$1" "$folder/${1##*/}" "$folder/object.o" -O1 "$sanitizers" -fno-sanitize-recover=all &&
    overlay "$folder" "$sanitizers" "$folder/object.o" &&
    test=$(first_to_notice run_sanitized "$folder" "${reaching[@]}"); then
    echo "killed $test with sanitizers"
  else
    echo survived
  fi
}
# known FILE LINE OPERATOR TEXT: the reason why it changes nothing, if that is known.
known() {
  text=${4#"${4%%[! ]*}"} awk -F '\t' -v file="$1" -v at="$2" -v operator="$3" '
    # the source: the line, and how many there are like it up to there
    FILENAME != ARGV[2] {
      sub(/^ */, "")
      if (FNR <= at) alike[line = $0]++
      next
    }
    $1 == file && $2 == operator && $3 == line && (!$5 || $5 == alike[line]) &&
      (!$6 || $6 == ENVIRON["text"]) { print $4; exit }
  ' "$src/$1" "$root/scripts/mutants.txt"
}
# judge FILE<tab>LINE<tab>OPERATOR<tab>TEXT: what becomes of that mutant, also in PLACE/ends.
judge() {
  local file line operator text folder end
  IFS=$'\t' read -r file line operator text <<<"$1"
  [[ $file:$line =~ $which ]] || return 0
  end=$(known "$file" "$line" "$operator" "$text")
  if [ -n "$end" ]; then
    end="equivalent ($end)"
  else
    folder=$(mktemp -d "$place/mutant.XXXXXX")
    end=$(fate "$file" "$line" "$text" "$folder")
    rm -rf "$folder"
  fi
  echo "${end%% *}" >>"$place/ends"
  case $end in
    survived | unreached) end+=$(printf '\n  - %s\n  + %s' "$(sed -n "${line}s/^ *//p" "$src/$file")" \
      "${text#"${text%%[! ]*}"}") ;;
  esac
  echo "$file:$line $operator: $end"
}

echo "seed $seed, $(wc -l <"$place/offered") mutants possible in ${#files[@]} files, ${#tests[@]} tests of at most" \
  "$longest s, $((${#command[@]} - ${#tests[@]})) longer ones left out"
: >"$place/ends"
side_by_side judge <"$place/sample"
count() {
  grep -cx "$1" "$place/ends"
}
noticed=$(count killed) all=$((noticed + $(count survived) + $(count unreached)))
echo "killed $noticed of $all; unreached $(count unreached), equivalent $(count equivalent)," \
  "refused by the compiler $(count refused)"
[ $((noticed * 10)) -ge $((all * 9)) ]
