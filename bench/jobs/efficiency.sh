#!/usr/bin/env bash
# How well processes are used by many searches: one process against several, made by --jobs and, if the
# command was built with MPI, by mpirun. Prints the efficiency by the clock, (time of one) / (number x time
# of all), which means something on a machine that does nothing else, and by processor time, which tells
# what sharing costs even on a busy one but not who waits for whom. The best of three rounds counts.
#
# Usage: efficiency.sh GRADYN [PROCESSES [ARGUMENT...]], arguments of gradyn run without --out
set -euo pipefail
gradyn=$(realpath "$1")
processes=${2:-2}
shift $(($# < 2 ? $# : 2))
[ $# -gt 0 ] || set -- five-bar --starts 64
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place"

# measure NAME COMMAND...: appends "seconds processor-seconds" to the file NAME.
measure() {
  local name=$1
  shift
  rm -rf study
  TIMEFORMAT='%R %U %S'
  { time "$@" >/dev/null 2>error; } 2>clock || { cat error && exit 1; }
  awk '{ print $1, $2 + $3 }' clock >>"$name"
}

for _ in 1 2 3; do
  measure one "$gradyn" run "$@" --no-report -q --out study
  measure jobs "$gradyn" run "$@" --no-report -q --out study --jobs "$processes"
  if ldd "$gradyn" | grep -q libmpi; then
    measure mpirun mpirun -n "$processes" "$gradyn" run "$@" --no-report -q --out study
  fi
done

best() { # file, column
  awk -v k="$2" 'NR == 1 || $k < least { least = $k } END { print least }' "$1"
}
printf '%-8s %10s %10s %22s %22s\n' '' 'clock, s' 'proc., s' 'efficiency by clock' 'by processor time'
for name in one jobs mpirun; do
  [ -e "$name" ] || continue
  awk -v name="$name" -v n="$([ "$name" = one ] && echo 1 || echo "$processes")" \
    -v t1="$(best one 1)" -v c1="$(best one 2)" -v t="$(best "$name" 1)" -v c="$(best "$name" 2)" 'BEGIN {
      printf "%-8s %10.2f %10.2f %22.3f %22.3f\n", name, t, c, t1 / (n * t), c1 / c }'
done
