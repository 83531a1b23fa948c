#!/usr/bin/env bash
# Compares the results of two builds: values, gradients, events and warnings of all shipped problems, and the
# journals of their first evaluations. Prints a line for each command: equal bits, or the largest relative
# difference. Exit status 1: a difference is above the tolerance, or a text differs.
#
# Usage: same.sh [-m] [-k FOLDER] OLD NEW TOLERANCE [PROBLEM...]; OLD and NEW are paths of gradyn
#   -m         also the gradients by every method, adjoint and direct
#   -k FOLDER  keeps the results in FOLDER, and takes those of OLD from there if they exist
# Build both with the same flags: other flags give other bits. The times of a run are not compared.
set -euo pipefail
usage() { sed -n '/^# Usage/,/^#   -k/p' "$0" | cut -c3-; exit 2; }
all_methods=false folder=
while getopts mk: option; do
  case $option in
    m) all_methods=true ;;
    k) folder=$OPTARG ;;
    *) usage ;;
  esac
done
shift $((OPTIND - 1))
[ $# -ge 3 ] || usage
old=$(realpath "$1") new=$(realpath "$2") tolerance=$3
shift 3
if [ -z "$folder" ]; then
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
fi
mkdir -p "$folder/old" "$folder/new"
folder=$(realpath "$folder")
if [ $# -eq 0 ]; then
  mapfile -t problems < <("$new" list | awk 'NR > 1 { print $1 }')
  set -- "${problems[@]}"
fi

# commands PROBLEM: the compared commands, one a line
commands() {
  echo "gradient $1"
  echo "run $1 --max-evaluations 3"
  $all_methods || return 0
  for method in explicit radau idas ali3p variational; do
    local step=
    case $method in ali3p | variational) step=" --step 0.002" ;; esac
    for route in adjoint direct; do
      echo "gradient $1 --method $method$step --sensitivity $route"
    done
  done
}

# result GRADYN FILE COMMAND...: the JSON object and, of `run`, the journal; or the message of a failure
result() {
  local gradyn=$1 file=$2 study
  shift 2
  study=$(mktemp -d)
  {
    (
      cd "$study" # the name of the study's folder is in messages: the same for both
      ulimit -t 300
      if [ "$1" = run ]; then
        "$gradyn" "$@" --out study --no-report --json --quiet 2>message
      else
        "$gradyn" "$@" --json --quiet 2>message
      fi || true
    )
    cat "$study/study/journal.jsonl" 2>/dev/null || true
    sed 's/^/message /' "$study/message"
  } >"$file"
  rm -rf "$study"
}

for problem; do
  while IFS= read -r command; do
    read -ra words <<<"$command"
    name=${command// /_}
    [ -s "$folder/old/$name" ] || result "$old" "$folder/old/$name" "${words[@]}"
    result "$new" "$folder/new/$name" "${words[@]}"
    echo "$name"
  done < <(commands "$problem")
done | python3 -c '
import json, re, sys
folder, tolerance = sys.argv[1], float(sys.argv[2])
TIMES = {"time", "seconds", "elapsed", "sum", "gradyn"}  # and sums of lines that contain them
ESTIMATES = {"statistics", "chosen", "change", "steps"}  # counts and estimates of errors: not judged
SMALL = 1e-3  # what is smaller is compared with this


def read(path):
    """JSON objects of a file, one behind the other, and its other lines."""
    text, out = open(path).read(), []
    while text.strip():
        text = text.lstrip()
        try:
            item, end = json.JSONDecoder().raw_decode(text)
        except json.JSONDecodeError:
            end = text.find("\n") + 1 or len(text)
            item = text[:end].strip()
        out.append(item)
        text = text[end:]
    return out


def without(x, keys):
    """The same without members of these names."""
    if isinstance(x, dict):
        return {k: without(v, keys) for k, v in x.items() if k not in keys}
    return [without(v, keys) for v in x] if isinstance(x, list) else x


def numbers(x):
    return isinstance(x, list) and x and all(isinstance(v, (int, float)) for v in x)


def difference(a, b, path=""):
    """The largest relative difference, of a vector relative to its largest entry, and where; inf: a text differs."""
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        a, b = [a], [b]
    if numbers(a) and numbers(b) and len(a) == len(b):
        size = max(SMALL, *(abs(v) for v in a + b))
        return max(0.0 if v == w else abs(v - w) / size for v, w in zip(a, b)), path
    if isinstance(a, list) and isinstance(b, list):
        a, b = dict(enumerate(a)), dict(enumerate(b))
    if isinstance(a, dict) and isinstance(b, dict) and a.keys() == b.keys():
        return max([difference(a[k], b[k], f"{path}/{k}") for k in a] + [(0.0, path)])
    if isinstance(a, str) and isinstance(b, str):  # numbers in a text are rounded, and may be estimates
        a, b = (re.sub(r"[-+0-9.e]+", "#", t) for t in (a, b))
    return 0.0 if a == b else float("inf"), path


def steps(x):
    found = [v["statistics"].get("steps") for v in x if isinstance(v, dict) and isinstance(v.get("statistics"), dict)]
    return found[0] if found else None


failed, equal, worst = 0, 0, 0.0
for name in map(str.strip, sys.stdin):
    a, b = (without(read(f"{folder}/{side}/{name}"), TIMES) for side in ("old", "new"))
    note = "" if steps(a) == steps(b) else f"  steps {steps(a)} -> {steps(b)}"
    if a == b:
        equal, word = equal + 1, "equal"
    else:
        d, where = difference(without(a, ESTIMATES), without(b, ESTIMATES))
        worst, failed = max(worst, d), failed + (d > tolerance)
        word = f"{d:.1e} at {where}" + ("  ABOVE" if d > tolerance else "")
    print(f"{name.replace(chr(95), chr(32)):70} {word}{note}", flush=True)
print(f"{equal} equal to the bit, largest difference {worst:.1e}, {failed} above {tolerance:g}")
sys.exit(failed > 0)
' "$folder" "$tolerance"
