#!/usr/bin/env bash
# How many faults do the tests detect? Changes one line at a time, runs the tests that reach the line, first
# those that detect most for their time, and reports the changes that no test detects.
# Usage: mutate.sh [-a] [-n COUNT] [-s SEED] [-c BASE] [-t SECONDS] [-b SECONDS] [-j JOBS] [-r REGEX] [-m REGEX]
#                  [-w PLACE] FILE|FOLDER...
#   -a   run surviving mutants again, with sanitizers in the changed file only; before a release, all tests run
#        with sanitizers in all files
#   -n   number of mutants sampled from all files together (60)
#   -s   seed of the sample (1): the same seed gives the same mutants, however other lines change
#   -c   only lines that differ from this commit
#   -t   leave out tests that take more processor time, s (5): a few long tests take most of the total time.
#        With 1000 all tests take part, for a sample before a release
#   -b   total time of the tests that are run for each mutant, s (all): the number of survivors is then an upper bound
#   -j   number of tests or mutants at the same time (the number of processors)
#   -r   only tests with names that match take part (all)
#   -m   of the sample only mutants with a matching FILE:LINE (all)
#   -w   folder of the copy of the sources, its build, and the lines that tests reach, which are kept for the
#        next call (build-mutate)
# At the first call the library and the tests are built, then each test runs once with counters in the files of
# the sample: some seven minutes on two processors. The same sample of the same sources begins at once.
# Operators: relational, arithmetic, constants, negated conditions, removed statements. Mutants known to
# change nothing are listed in scripts/mutants.txt with the reason: file, operator, line, reason, which of several
# equal lines of the file it is (all), and the changed line (any), separated by tabs. Mutants that compile to the
# same machine code are recognised. Exit status 1 if less than 90 % of the others are detected.
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
# files of the command only are not part of the shared object
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

# side_by_side FUNCTION: calls it with each line of standard input, several at a time.
side_by_side() {
  local line
  while IFS= read -r line <&3; do
    [ "$(jobs -rp | wc -l)" -lt "$jobs" ] || wait -n
    "$1" "$line" &
  done 3<&0
  wait
}
# object_of FILE: the name of its object file in a build.
object_of() {
  case $1 in
    cli/*) echo "CMakeFiles/gradyn_command.dir/$1.o" ;;
    *) echo "CMakeFiles/gradyn_internal.dir/$1.o" ;;
  esac
}
# compile FILE SOURCE OBJECT [FLAG]...: compiles SOURCE in place of FILE.
compile() {
  local line
  line=$(jq -r --arg object "$(object_of "$1")" \
    '[.[] | select(.command | contains($object))][0].command' "$build/compile_commands.json")
  (cd "$build" && eval "${line%% -o *} ${*:4} -o $3 -c $2") >/dev/null 2>&1
}
# overlay FOLDER FLAG|OBJECT...: makes FOLDER/libgradyn_whole.so, with the objects before the library. The loader
# finds their symbols first.
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
      # memory for more entries of an array changes nothing
      if (!/alloc\(/ && match($0, /[ (]([0-9]|[0-9]\.[0-9]*)[,;) ]/)) {
        number = substr($0, RSTART + 1, RLENGTH - 2)
        # bytes of 63 make numbers of 5e-4; those of bytes of 1 would be too small to be detected
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
# offered: all mutants, or those in lines that differ from BASE
offered() {
  if [ -n "$base" ]; then
    candidates | awk -F '\t' 'FILENAME != "-" { changed[$0] = 1; next } $1 ":" $2 in changed' <(changed) -
  else
    candidates
  fi
}
# The position of a mutant in the sample follows from its text: a polynomial of its characters at a point that depends
# on the seed. The sample therefore remains the same when lines are added or moved, and with every awk.
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

# The files of the sample with counters, linked before the library.
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
# stamp TEST: all data that determine its lines.
stamp() {
  echo "$library"
  eval "set -- ${command[$1]}"
  local word
  for word; do
    case $word in */test_*) cksum <"$word" ;; esac
  done
}
# reach TEST: stores the lines of the sampled files that the test runs in PLACE/reach/TEST, and its seconds in
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
# stale TEST: whether its lines must be determined again; not if it took too long in earlier sources.
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

# promising FILE TEXT: prints the tests of standard input within the budget, first those that should detect a fault in
# FILE soonest. A test that detected the same mutant before is first. The others are ordered by their chance over
# their time. The chance follows from the faults that a test detected here and elsewhere, and from its layer.
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
# run_plainly TEST SECONDS FOLDER: runs a test with the mutant there. A lower limit of the caller's shell remains: a limit
# that cannot be set must not count as a failure of the test.
run_plainly() {
  (ulimit -v 16000000 2>/dev/null || true; run "$1" "$2" "$3")
}
# run_sanitized TEST SECONDS FOLDER: runs a test with the mutant there and the sanitizers. Scripts are left out, since
# they run other programs. Symbols of the mutant are defined twice there.
run_sanitized() {
  [[ ${command[$1]} != *"'$build/tests/test_"* ]] ||
    run "$1" $((4 * $2)) "$3" ASAN_OPTIONS=detect_odr_violation=0 \
      LD_PRELOAD="$("${CC:-cc}" -print-file-name=libasan.so)"
}
# first_to_notice RUN FOLDER TEST...: prints the first test that fails when RUN runs it; status 1 if there is none.
first_to_notice() {
  local test
  for test in "${@:3}"; do
    # a mutant that does not end counts as detected
    "$1" "$test" "$(awk '{ print int(5 + 5 * $1) }' "$place/reach/$test.seconds")" "$2" 2>/dev/null ||
      { echo "$test"; return; }
  done
  return 1
}
# fate FILE LINE TEXT FOLDER: killed, survived, unreached, equivalent (the same machine code) or refused (by the
# compiler). The files of the mutant are in the folder.
fate() {
  local reaching test folder=$4
  mapfile -t reaching < <(cd "$place/reach" && grep -lxF "$1:$2" "${tests[@]}" 2>/dev/null </dev/null)
  # a constant is not code with a counter: every test that runs the file may detect it
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
# known FILE LINE OPERATOR TEXT: prints the reason why the mutant changes nothing, if it is known.
known() {
  text=${4#"${4%%[! ]*}"} awk -F '\t' -v file="$1" -v at="$2" -v operator="$3" '
    # the source: the line, and the number of equal lines up to it
    FILENAME != ARGV[2] {
      sub(/^ */, "")
      if (FNR <= at) alike[line = $0]++
      next
    }
    $1 == file && $2 == operator && $3 == line && (!$5 || $5 == alike[line]) &&
      (!$6 || $6 == ENVIRON["text"]) { print $4; exit }
  ' "$src/$1" "$root/scripts/mutants.txt"
}
# judge FILE<tab>LINE<tab>OPERATOR<tab>TEXT: prints the result of the mutant, and adds it to PLACE/ends.
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
