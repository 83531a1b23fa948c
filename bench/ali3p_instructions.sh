#!/bin/sh
# Instructions per step of the ALI3-P scheme, by hand and with gradyn, from differences of two runs of different
# length under callgrind.
# Usage: ali3p_instructions.sh BUILD [CASE:WHAT:STEPS...], see bench_ali3p_once; needs valgrind
set -eu
build=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# prints the instructions of CASE WHAT STEPS
count() {
  valgrind --tool=callgrind --callgrind-out-file="$work/out" "$build/bench_ali3p_once" "$@" 2>"$work/log"
  sed -n 's/.*Collected : //p' "$work/log"
}

# CASE WHAT STEPS: the difference between runs of STEPS and of twice as many steps, per step
line() {
  few=$(count "$1" "$2" "$3")
  many=$(count "$1" "$2" $((2 * $3)))
  printf '%-10s %-8s %12.0f\n' "$1" "$2" "$(echo "($many - $few) / $3" | bc -l)"
}

if [ $# -eq 0 ]; then
  set -- hand:march:2000 five-bar:march:2000 five-bar:adjoint:2000 driven:adjoint:1000 five-bar:direct:2000 \
    four:direct:2000 3:march:1000 4:march:1000 5:march:1000 6:march:1000 7:march:1000 8:march:1000 \
    9:march:1000 10:march:1000 11:march:1000 12:march:1000 13:march:1000 14:march:1000 15:march:1000 \
    16:march:1000 64:march:200 512:march:40 4096:march:20 pendulum:march:2000
fi
printf '%s\n' "$@" | while IFS=: read -r case what steps; do
  line "$case" "$what" "$steps"
done
