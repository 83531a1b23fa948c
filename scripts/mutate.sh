#!/usr/bin/env bash
# How many faults would the tests notice? Changes one line at a time, builds, runs the tests that reach
# the line, first those that notice most for their time, and tells which changes nobody notices.
# Usage: mutate.sh [-a] [-n COUNT] [-s SEED] [-t SECONDS] [-b SECONDS] [-r REGEX] [-m REGEX]
#                  [-w PLACE] FILE|FOLDER...
#   -a   what survives is run again with the sanitizers, as all tests are before a release
#   -n   mutants sampled from all files together (60)
#   -s   seed of the sample (1): the same seed gives the same mutants, however other lines change
#   -t   leave out tests that take more processor time, s, now or when they were last looked at (all take part)
#   -b   for each mutant so many tests as take this long together, s (all): what survives is a bound then
#   -r   only tests whose name matches take part (all)
#   -m   of the sample only mutants whose FILE:LINE matches (all)
#   -w   where the copy of the sources, its builds and what tests noticed live and are kept for the next
#        time (build-mutate)
# Operators: relational, arithmetic, constants, negated conditions, removed statements. Mutants known to
# change nothing stand in scripts/mutants.txt with the reason: file, operator, line, reason, which of the lines
# alike in the file it is (all), and what it becomes (whatever the operator makes of it), separated by tabs;
# those that compile to the same machine code are found out. Exit status 1 if fewer than 90 % of the others are noticed.
set -uo pipefail
root=$(realpath "$(dirname "$0")/..")
audit=
count=60 seed=1 longest=100000 budget=1e9 only=. which=. place=$root/build-mutate
while getopts an:s:t:b:r:m:w: option; do
  case $option in
    a) audit=1 ;;
    n) count=$OPTARG ;;
    s) seed=$OPTARG ;;
    t) longest=$OPTARG ;;
    b) budget=$OPTARG ;;
    r) only=$OPTARG ;;
    m) which=$OPTARG ;;
    w) place=$(realpath -m "$OPTARG") ;;
    *) exit 2 ;;
  esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || { sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//p}' "$0"; exit 2; }
src=$place/src build=$place/build counted=$place/counted sanitized=$place/sanitized
mkdir -p "$src" "$build" "$counted" "$place/reach"
cd "$root" || exit 2
ulimit -c 0
# what stands in the command alone is no part of the shared object
mapfile -t files < <(for name; do if [ -d "$name" ]; then find "$name" -name '*.c'; else echo "$name"; fi
done | grep -vE '^cli/(commands/main|options/ranks|options/ranks_none)\.c$' | sort)

# --- A copy of the sources, built twice: as it is, and with counters of lines --------------------

# shellcheck source=scripts/copy.sh
. "$root/scripts/copy.sh"
update_sources .
if ! { configure "$build" -O1 && configure "$counted" "-O1 --coverage" && make "$build" gradyn_whole; }; then
  tail "$place/cmake.log" "$place/build.log"
  exit 2
fi
if [ -n "$audit" ] && ! { configure "$sanitized" -O1 -DGRADYN_SANITIZE=address,undefined &&
  make "$sanitized" gradyn_whole; }; then
  tail "$place/cmake.log" "$place/build.log"
  exit 2
fi
touch "$place/kills"

# --- The tests -----------------------------------------------------------------------------------

find_commands "$only"
# run_plainly TEST SECONDS: with the mutant.
run_plainly() {
  (ulimit -v 16000000 && run "$1" "$2" "$build/mutant")
}
# run_sanitized TEST SECONDS: with the mutant and the sanitizers, but no scripts, since other programs than
# ours would have to bear them. What the mutant defines stands there twice.
run_sanitized() {
  [[ ${command[$1]} != *"'$build/tests/test_"* ]] ||
    run "$1" $((4 * $2)) "$sanitized/mutant" ASAN_OPTIONS=detect_odr_violation=0 \
      LD_PRELOAD="$("${CC:-cc}" -print-file-name=libasan.so)"
}

# --- Which test reaches which line ---------------------------------------------------------------

# stamp TEST: what its lines depend on.
stamp() {
  echo "$library"
  eval "set -- ${command[$1]}"
  local word
  for word; do
    case $word in */test_*) cksum <"$word" ;; esac
  done
}
# reach TEST: the lines FILE:LINE of the library that it runs, in PLACE/reach/TEST; the seconds it
# took in TEST.seconds; all lines with code, run or not, in PLACE/code.
reach() {
  local counts=$place/counts objects=$counted/CMakeFiles TIMEFORMAT='%U %S' fails=
  rm -rf "$counts"
  # counts end up beside links to what they are counts of
  mkdir -p "$counts$objects"
  cp -rs "$objects/gradyn_internal.dir" "$objects/gradyn_command.dir" "$counts$objects"
  # slow tests need not come to an end: like those that fail they are left out
  {
    time run "$1" $((${longest%.*} + 1)) "$counted" GCOV_PREFIX="$counts" ||
      fails="$1 fails without a mutant, or takes too long"
  } 2>"$place/time"
  awk 'END { print $1 + $2 }' "$place/time" >"$place/reach/$1.seconds"
  cd "$counted" || exit 2
  find "$counts$objects" -name '*.gcda' -exec gcov -t {} + 2>/dev/null |
    awk -F: -v code="$place/code" '/^ *-: *0:Source:/ {
        file = $0; own = sub(/.*:Source:.*\/src\//, "", file) }
      own && $1 !~ /-/ { print file ":" $2 + 0 >code }
      own && $1 ~ /[0-9]/ { print file ":" $2 + 0 }' | sort -u >"$place/reach/$1"
  [ -z "$fails" ] || { echo "$fails"; : >"$place/reach/$1"; }
  cd "$root" || exit 2
  rm -rf "$counts"
}
mapfile -t targets < <(needed)
make "$build" "${targets[@]}" || { tail "$place/build.log"; exit 2; }
library=$(cd "$src" && find core mbs dae adjoint optim report problems cli include -type f -print0 | sort -z | xargs -0 cat | cksum)
stale=()
for test in "${!command[@]}"; do
  # what took too long in earlier sources will in these, and what had too little time may have it now
  awk -v longest="$longest" '{ exit $1 <= longest }' "$place/reach/$test.seconds" 2>/dev/null ||
    [ "$(stamp "$test")" = "$(cat "$place/reach/$test.stamp" 2>/dev/null)" ] &&
    { [ -s "$place/reach/$test" ] ||
      awk -v longest="$longest" '{ exit 1.5 * $1 < longest }' "$place/reach/$test.seconds"; } ||
    stale+=("$test")
done
if [ ${#stale[@]} -gt 0 ]; then
  make "$counted" gradyn_whole || { tail "$place/build.log"; exit 2; }
  for test in "${stale[@]}"; do
    reach "$test"
    stamp "$test" >"$place/reach/$test.stamp"
  done
fi
mapfile -t tests < <(for test in "${!command[@]}"; do
  echo "$(cat "$place/reach/$test.seconds") $test"
done | awk -v longest="$longest" '$1 <= longest' | sort -g | cut -d ' ' -f 2)

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

# --- One mutant after the other ------------------------------------------------------------------

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
# object_of FILE: where its object stands among those of a build.
object_of() {
  case $1 in
    cli/*) echo "CMakeFiles/gradyn_command.dir/$1.o" ;;
    *) echo "CMakeFiles/gradyn_internal.dir/$1.o" ;;
  esac
}
# translate BUILD FILE: BUILD/mutant/libgradyn_whole.so, the mutant of FILE before the library of BUILD. What
# the mutant defines is found first by whoever asks; status 1: the compiler refuses it.
translate() {
  local folder=$1/mutant object=$1/mutant/object.o line
  mkdir -p "$folder"
  ln -sf ../libgradyn_whole.so "$folder/libgradyn_original.so"
  line=$(jq -r --arg object "$(object_of "$2")" \
    '[.[] | select(.command | contains($object))][0].command' "$1/compile_commands.json")
  (cd "$1" && eval "${line%% -o *} -o $object -c $place/mutant/${2##*/}" &&
    "${CC:-cc}" -shared -o "$folder/libgradyn_whole.so" "$object" -Wl,--no-as-needed -L"$folder" \
      -l:libgradyn_original.so) >"$place/build.log" 2>&1
}
# first_to_notice RUN TEST...: the first of the tests that fails when run so; status 1 if there is none.
first_to_notice() {
  local how=$1 test
  shift
  for test; do
    # a mutant that hangs is noticed
    "$how" "$test" "$(awk '{ print int(5 + 5 * $1) }' "$place/reach/$test.seconds")" 2>/dev/null ||
      { echo "$test"; return; }
  done
  return 1
}
# fate FILE LINE TEXT: killed, survived, unreached, equivalent (the compiler sees no difference) or refused
# (by the compiler).
fate() {
  local reaching test
  mapfile -t reaching < <(cd "$place/reach" && grep -lxF "$1:$2" "${tests[@]}" 2>/dev/null </dev/null)
  # a constant is no code: whatever runs the file may notice it
  if [ ${#reaching[@]} -eq 0 ] && ! grep -qxF "$1:$2" "$place/code"; then
    mapfile -t reaching < <(cd "$place/reach" && grep -l "^$1:" "${tests[@]}" 2>/dev/null </dev/null)
  fi
  [ ${#reaching[@]} -gt 0 ] || { echo unreached; return; }
  mapfile -t reaching < <(printf '%s\n' "${reaching[@]}" | promising "$1" "$3")
  rm -rf "$place/mutant"
  mkdir -p "$place/mutant"
  awk -v line="$2" -v text="${3//\\/\\\\}" 'NR == line { $0 = text } { print }' "$src/$1" \
    >"$place/mutant/${1##*/}"
  if ! translate "$build" "$1"; then
    echo refused
  elif cmp -s "$build/mutant/object.o" "$build/$(object_of "$1")"; then
    echo "equivalent (the same machine code)"
  elif test=$(first_to_notice run_plainly "${reaching[@]}"); then
    echo "killed $test"
    echo "$1 $test $3" >>"$place/kills"
  elif [ -n "$audit" ] && translate "$sanitized" "$1" &&
    test=$(first_to_notice run_sanitized "${reaching[@]}"); then
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

declare -A tally=([killed]=0 [survived]=0 [unreached]=0 [refused]=0 [equivalent]=0)
echo "seed $seed, $(candidates | wc -l) mutants possible in ${#files[@]} files, ${#tests[@]} tests"
while IFS=$'\t' read -r file line operator text; do
  [[ $file:$line =~ $which ]] || continue
  original=$(sed -n "${line}s/^ *//p" "$src/$file")
  reason=$(known "$file" "$line" "$operator" "$text")
  if [ -n "$reason" ]; then
    end="equivalent ($reason)"
  else
    end=$(fate "$file" "$line" "$text")
  fi
  tally[${end%% *}]=$((tally[${end%% *}] + 1))
  echo "$file:$line $operator: $end"
  case $end in
    survived | unreached) printf '  - %s\n  + %s\n' "$original" "${text#"${text%%[! ]*}"}" ;;
  esac
done < <(candidates | sample)
noticed=${tally[killed]} all=$((tally[killed] + tally[survived] + tally[unreached]))
echo "killed $noticed of $all; unreached ${tally[unreached]}, equivalent ${tally[equivalent]}," \
  "refused by the compiler ${tally[refused]}"
[ $((noticed * 10)) -ge $((all * 9)) ]
