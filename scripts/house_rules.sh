#!/usr/bin/env bash
# Rules of the sources that a script can check. Usage: house_rules.sh [object file...]; with the object files of the
# library, their contents and calls are checked as well.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1

library=(core mbs dae adjoint optim report problems)
cc=${CC:-cc}
faults=0

# complain <rule>: reports every line of standard input as a fault of this rule.
complain() {
  local line
  while IFS= read -r line; do
    echo "$1: $line"
    faults=$((faults + 1))
  done
}

code() {
  find "$@" -name '*.[ch]' 2>/dev/null | sort
}

# --- Layers: a folder includes no files of higher or equal layers ---------------------------------

includes=$(grep -rnE --include='*.[ch]' '#include "' "${library[@]}" cli)

# forbid <folder> <folder>...: files of the first folder include none of the others.
forbid() {
  local folder=$1 others
  shift
  others=$(IFS='|' && echo "$*")
  complain "floors" < <(grep -E "^$folder/[^:]*:.*#include \"($others)/" <<<"$includes")
}

forbid core mbs dae adjoint optim report cli problems tests
forbid mbs dae adjoint optim report cli problems tests
forbid dae mbs adjoint optim report cli problems tests
forbid adjoint mbs optim report cli problems tests
forbid optim mbs report cli problems tests
forbid report mbs dae adjoint cli problems tests
forbid problems mbs dae adjoint optim report cli tests
forbid cli mbs problems tests

# Modules: a module of a layer includes itself and lower ones. Methods do not include each other.
climb() {
  local parent=$1 room below=()
  shift
  for room; do
    [ ${#below[@]} -eq 0 ] || for lower in "${below[@]}"; do
      forbid "$parent/$lower" "$parent/$room"
    done
    below+=("$room")
  done
}
# apart <parent> <module>...: none of them includes another.
apart() {
  local parent=$1 one other
  shift
  for one; do
    for other; do
      [ "$one" = "$other" ] || forbid "$parent/$one" "$parent/$other"
    done
  done
}
# circles <rule>: standard input has pairs of modules, of which the first needs the second. A cycle is a fault. A file
# directly in the folder of a layer is a module of its own.
circles() {
  complain "$1" < <(sort -u | tsort 2>&1 >/dev/null | grep -v 'contains a loop' | sed 's/^tsort: //')
}
room='function room(path,  part) { split(path, part, "/"); return part[1] (part[3] == "" ? "" : "/" part[2]) }'
circles "rooms that include each other" < <(sed -E 's/^([^:]*):.*"(.*)".*/\1 \2/' <<<"$includes" |
  awk "$room"'{ print room($1), room($2) }')

climb core base linear mech signals model equations problems
climb core base files
climb dae linear start systems monitors events fixed ali3p
climb dae events variational
climb dae events tape onestep explicit
climb dae onestep radau
climb dae events tape idas
apart dae ali3p variational explicit radau idas
forbid dae/fixed dae/variational dae/onestep dae/explicit dae/radau dae/idas
for method in onestep explicit radau idas; do
  forbid "dae/$method" dae/fixed
done
climb adjoint evaluator extremes gradient check
climb adjoint gradient analyses
apart adjoint fixed onestep idas
apart adjoint check analyses
for method in fixed onestep idas; do
  forbid "adjoint/$method" adjoint/check adjoint/analyses
done
climb mbs elements bodies joints forces mechanism measures
climb mbs bodies passes tree
climb mbs joints beams measures
climb optim drivers program search study segments rounds jobs inference
climb optim segments horizon jobs
climb cli base options text commands

# problems need public headers only, except for the file that lists them
complain "problems use public headers only" < <(
  code problems | grep -vE '/builtin\.[ch]$' | xargs -r grep -nE '#include "')
complain "public headers include public headers only" < <(grep -rn '#include "' include)

# one file passes the records of a run, for every method; the continuous adjoint integrates its own equations backward
complain "records of a run are passed by dae/tape/sweep.c" < <(
  code dae adjoint | grep -v '^dae/tape/' | xargs grep -nE '(for|while) \(.*tape(\.|->)count')
complain "steps of a run are passed by dae/tape/sweep.c" < <(
  code dae adjoint | grep -vE '^(dae/tape/|adjoint/fixed/continuous\.c)' | xargs grep -nE 'for \(int k = [a-z_>.-]*(march|run|s)->count - 1; k >= 0')

# programs that read the headers see from types which number belongs where
numbers='point|from|to|body|body_[ab]|frame|joint|coordinate|beam|beam_[ab]|constraint|measure|signal|functional|event|mode'
complain "number of a thing without a type of its own, see <gradyn/base.h>" < <(
  grep -nE "[( ]int ([a-z_]+, )*($numbers)[,;)]|int \*(points|modes|reads|of|measures)[,;]" include/gradyn/*.h |
    grep -v 'analysis.h')

# one function sets the discrete state of a model before it is evaluated
complain "scenes are put in force by core/model/discrete_state.c" < <(
  code core mbs dae adjoint optim | grep -v 'core/model/discrete_state\.c' | xargs grep -nE 'model->scene(\.[a-z]+)? = ')

# clang derives symbols of the library from these names
complain "two GRADYN_WIDE functions with one name, see core/linear/lanes.h" < <(
  code "${library[@]}" | xargs grep -hoE 'GRADYN_WIDE [^(]*\(' | grep -oE '[a-z_0-9]+\($' | sort | uniq -d)

# fitted numbers are listed in one table, each with its effect
complain "docs/fitted-numbers.md is not what scripts/fitted.sh makes" < <(
  scripts/fitted.sh | diff - docs/fitted-numbers.md)
complain "fitted number without a comment" < <(grep -E '\|  \|' docs/fitted-numbers.md)
complain "fitted number that scripts/fitted_tests.sh has not looked at" < <(
  grep 'not looked at' docs/fitted-numbers.md)

# a mutant that is known to change nothing must belong to an existing line
complain "line of scripts/mutants.txt that is in its file no more" < <(
  while IFS=$'\t' read -r file _ line _; do
    grep -qxF -- "$line" <(sed 's/^ *//' "$file" 2>/dev/null) || echo "$file: $line"
  done < <(grep -v '^#' scripts/mutants.txt))

# --- Sizes -------------------------------------------------------------------------------------

# limit <lines> <file>...: reports files with more lines
limit() {
  local most=$1
  shift
  wc -l "$@" | awk -v most="$most" '
    $1 > most && $2 != "total" { print $2 " has " $1 " lines, at most " most }'
}

# a module with more files has two subjects
complain "room size" < <(find "${library[@]}" cli bench tests -name __pycache__ -prune -o -type f -printf '%h\n' |
  sort | uniq -c | awk '$1 > 30 { print $2 " has " $1 " files, at most 30" }')

mapfile -t files < <(code "${library[@]}" cli bench tests include)
mapfile -t own < <(code "${library[@]}" cli)
mapfile -t tests < <(find tests -name 'test_*.c' | sort)
# compat.h is written by a script and stays for one release; new_names.c is what the script writes
mapfile -t files < <(printf '%s\n' "${files[@]}" | grep -vE '^(include/gradyn/compat\.h|tests/compat/new_names\.c)$')
complain "file size" < <(limit 500 "${files[@]}")
mapfile -t public < <(find include/gradyn -name '*.h' ! -name compat.h)
complain "file size" < <(limit 550 "${public[@]}")
complain "file size" < <(limit 300 "${tests[@]}")
complain "line width" < <(LC_ALL=C.UTF-8 grep -nE '^.{111,}$' "${files[@]}")

# Functions: from the brace in column one to the next one. Kernels that are one loop nest may state this in the
# comment above them, and have 90 lines.
function_sizes() {
  awk -v most="$1" '
    FNR == 1 { inside = 0; kernel = 0 }
    /one loop nest/ { kernel = FNR }
    /^\{/ { inside = 1; start = FNR; nest = kernel > 0 && FNR - kernel < 15 }
    /^\}/ {
      lines = FNR - start + 1
      if (inside && lines > (nest ? 90 : most))
        print FILENAME ":" start ": a function of " lines " lines, at most " most
      inside = 0
    }' "${@:2}"
}
complain "function size" < <(function_sizes 60 "${own[@]}")
complain "function size" < <(function_sizes 50 "${tests[@]}")

# Arguments have no order of evaluation: the message could be requested before the object exists.
complain "message of what the same call makes" < <(
  grep -lzP 'assert_ok\([^;]*?&(\w+)[^;]*?message\(\1\)' "${tests[@]}")

# Private headers, parameters and members: pass a struct instead, or split it. The listed exceptions are older than
# the rule, or have a form that other libraries define (LAPACK, callbacks of IDAS and Ipopt).
mapfile -t headers < <(code "${library[@]}" cli | grep '\.h$')
complain "private header size" < <(limit 150 "${headers[@]}")

# parameters <most> <file>...: counts those of functions that are defined or declared in column one.
parameters() {
  awk -v most="$1" '
    function judge(   i, c, level, count) {
      count = 1
      for (i = 1; i <= length(text); i++) {
        c = substr(text, i, 1)
        level += (c == "(") - (c == ")")
        count += c == "," && level == 1
      }
      if (count > most) {
        match(text, /[a-z_0-9]+ *\(/)
        print FILENAME ":" start ": " substr(text, RSTART, RLENGTH - 1) " has " count \
          " parameters, at most " most
      }
    }
    FNR == 1 { taking = 0 }
    /^[a-z].*\(/ && !/^(typedef|struct|enum) .*\{$/ && !taking {
      taking = 1
      text = ""
      start = FNR
      depth = 0
    }
    taking {
      text = text " " $0
      depth += gsub(/\(/, "(") - gsub(/\)/, ")")
      if (depth <= 0) {
        taking = 0
        if (text !~ /=/)
          judge()
      }
    }' "${@:2}"
}
complain "parameters" < <(parameters 7 "${own[@]}" |
  grep -vE ': (d[a-z]*_|jacobian|sensitivity_residual|quadrature_rate|hessian|go_on) has ' |
  grep -vE ': (add_parts|collect|solve_lanes) has ')

# members <most> <file>...: counts those of structs that are defined in column one.
members() {
  awk -v most="$1" '
    FNR == 1 { inside = open = 0 }
    /^(typedef )?struct .*\{$/ { inside = 1; count = 0; text = ""; start = FNR; name = $(NF - 1); next }
    /^\}/ {
      if (inside && count > most)
        print FILENAME ":" start ": " name " has " count " members, at most " most
      inside = 0
    }
    inside {
      # removes comments, also those of several lines; then finds a declaration up to its semicolon
      line = $0
      if (open && !sub(/^.*\*\//, "", line))
        next
      open = 0
      gsub(/\/\*[^*]*\*\//, "", line)
      open = sub(/\/\*.*/, "", line)
      text = text line
      while (gsub(/\([^()]*\)|\[[^]]*\]/, "", text))
        ;
      if (text ~ /;/ && text !~ /\(/) {
        count += 1 + gsub(/,/, "", text)
        text = ""
      }
    }' "${@:2}"
}
complain "members" < <(members 30 "${own[@]}" include/gradyn/*.h)

# gradyn_evaluator_model_info() describes every point: in a condition, a loop takes time by data times points
complain "sizes of the model in a loop condition" < <(code "${library[@]}" cli |
  xargs grep -nE '(for|while) \(.*_model_info\(')

# --- Text --------------------------------------------------------------------------------------

complain "tab" < <(grep -nP '\t' "${files[@]}")
complain "trailing blank" < <(grep -nE ' +$' "${files[@]}")
complain "unfinished" < <(grep -nwE 'TODO|FIXME|XXX|HACK' "${files[@]}")
complain "commented-out code" < <(grep -nE '^ *(//|/\*.*[;{] *\*/$)|^#if 0' "${own[@]}" |
  grep -E ':(#if 0| *//)|\) *; *\*/|= *[^ ]*; *\*/')
# standard terms of the field, and sentences that are clear at first reading; without Python nothing is counted
command -v python3 >/dev/null && complain "words" < <(python3 scripts/check_words.py 2>&1)
command -v python3 >/dev/null && complain "comments" < <(python3 scripts/check_comments.py 2>&1)
complain "no comment at the top" < <(
  awk 'FNR == 1 && !/^\/\*/ { print FILENAME }' "${files[@]}")

# --- Calls that the library must not make ---------------------------------------------------------

calls='exit|_exit|quick_exit|abort|assert|printf|vprintf|puts|putchar|perror|getenv|secure_getenv'
complain "the library does not print, exit or read the environment" < <(
  code "${library[@]}" | xargs grep -nE "(^|[^a-z_0-9\"'])($calls) *\(|\<(stdout|stderr)\>" |
    grep -vE '^[^:]*:[0-9]*: *(/\*|\*|\()|__attribute__' |
    grep -vE '^optim/jobs/pool_processes.c:[0-9]*: *_exit\(0\);') # a process that it has made
complain "mutable static" < <(grep -nE '^ *static [^(]*(;|=)' "${own[@]}" |
  grep -vE 'static ([a-z_ ]*)const ([a-z_ ]*)[^*=]*(\*+ ?const [^*=]*)?(\[[^=]*)?(;|=)' |
  grep -vE '^cli/|pthread_mutex_t turn =') # Ipopt has such data: its users take turns

# The same for objects, where macros and typing cannot hide anything. Read-only data with addresses are in
# .data.rel.ro, which is permitted.
if [ $# -gt 0 ]; then
  # one function lists the problems, and lower layers call it
  circles "rooms that call each other" < <(nm -A "$@" | grep -vE '\.dir/(\./)?problems/' | sed -E 's/^.*\.dir\/(\.\/)?//; s/:/ /' |
    awk "$room"'$(NF - 1) == "T" { home[$NF] = room($1) }
      $(NF - 1) == "U" { calls[room($1) " " $NF] }
      END { for (call in calls) { split(call, c, " "); if (c[2] in home) print c[1], home[c[2]] } }')
  # files that call each other in a circle are older than the rule; their number may only fall
  command -v python3 >/dev/null && complain "circle of files" < <(scripts/circles.py "$@" | diff scripts/circles.txt - |
    sed -n 's/^> /new: /p; s/^< /none any more, remove its line from scripts\/circles.txt: /p')
  complain "mutable data in an object" < <(
    objdump -t "$@" | awk '/file format/ { file = $1 }
      / O +\.(data|bss|tdata|tbss)/ && !/\.data\.rel\.ro/ && !(file ~ /ipopt_driver/ && $NF == "turn") {
        print file, $NF }')
  complain "forbidden symbol in an object" < <(
    nm -A -u "$@" | grep -v '/pool_processes\.c\.o: *U _exit$' | grep -E " U (_*($calls)(_chk)?|__assert_fail|stdout|stderr|setlocale|srand|rand)\$")
fi

# --- Public headers ------------------------------------------------------------------------------

# Declarations without a blank line between them share the comment of their block.
complain "public function without a comment" < <(
  awk 'function flush() { if (api != "" && !comment) print api; api = ""; comment = 0 }
    FNR == 1 || /^$/ { flush() }
    /\/\*/ { comment = 1 }
    /^GRADYN_API/ && api == "" { api = FILENAME ":" FNR ": " $0 }
    END { flush() }' include/gradyn/*.h)

# A header has one subject: users who find a function by its name read the rest of its header, too.
complain "public header with too many functions" < <(
  grep -c '^GRADYN_API' include/gradyn/*.h | awk -F: '$2 > 60 { print $1 " has " $2 ", at most 60" }')

# compile <header> <compiler option>...: compiles a header alone
compile() {
  printf '#include "%s"\nextern int nothing;\n' "$1" |
    "$cc" -std=c11 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -Iinclude "${@:2}" -x c - 2>&1
}
for header in include/gradyn/*.h; do
  complain "public header does not compile alone" < <(compile "${header#include/}" | head -n 5)
done
# What a source includes first has shown that it compiles, and so has what that header includes first.
# shellcheck disable=SC2016  # $0 belongs to awk
mapfile -t shown < <(code "${library[@]}" cli | xargs awk '
  FNR == 1 { open = 1 }
  open && /^#(include|if |ifdef|define)/ && !(/^#define/ && FILENAME ~ /h$/) {
    open = 0
    if (/^#include "/) { split($0, part, "\""); first[FILENAME] = part[2] }
  }
  END {
    for (name in first)
      if (name ~ /c$/)
        for (header = first[name]; header != "" && !(header in shown); header = first[header])
          shown[header] = 1
    for (header in shown)
      print header
  }')
for header in $(code "${library[@]}" | grep '\.h$' | grep -vxFf <(printf '%s\n' "${shown[@]}")); do
  complain "header does not compile alone" < <(compile "$header" -I. | head -n 5)
done

if [ "$faults" -gt 0 ]; then
  echo "$faults faults"
  exit 1
fi
echo "The house is in order."
