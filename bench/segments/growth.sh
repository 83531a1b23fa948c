#!/bin/sh
# CPU time and memory of ten evaluations of a search in 200, 400 and 800 segments, and the exponents of their
# growth from 200 to 800; then time, memory and evaluations of the complete search in 200 segments.
# Usage: growth.sh BUILD; needs GNU time as /usr/bin/time
set -eu

build=$1
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cc -O2 -shared -fPIC -I"$here/../../include" -I"$build/include" "$here/pole.c" -o "$work/pole.so"

# CPU seconds and megabytes of SEGMENTS MAXIMUM, in the file $work/SEGMENTS; an incomplete search fails
measure() {
  rm -rf "$work/study"
  /usr/bin/time -f '%U %M' -o "$work/spent" "$build/gradyn" run "$work/pole.so" --no-report \
    --set knots=$(($1 + 1)) --segments "$1" --max-iterations "$2" --out "$work/study" >/dev/null 2>&1 || true
  tail -1 "$work/spent" | awk '{print $1, $2 / 1024}' >"$work/$1"
}

for segments in 200 400 800; do
  measure "$segments" 10
  printf '%4d segments, 10 evaluations: %s\n' "$segments" "$(awk '{printf "%.2f s, %.0f MB", $1, $2}' "$work/$segments")"
done
paste "$work/200" "$work/800" |
  awk '{printf "exponents: time %.2f, memory %.2f\n", log($3 / $1) / log(4), log($4 / $2) / log(4)}'
measure 200 1000
printf '200 segments, complete: %s\n' "$(awk '{printf "%.2f s, %.0f MB", $1, $2}' "$work/200")"
