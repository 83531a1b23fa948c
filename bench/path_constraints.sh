#!/bin/sh
# Instructions of a simulation with path constraints and without, and their ratio: for values alone and with the
# motion, from differences of two runs and one.
# Usage: path_constraints.sh BUILD, see bench_path_constraints; needs valgrind
set -eu

# instructions of SIDES RUNS [motion]
count() {
  valgrind --tool=callgrind --callgrind-out-file=/dev/null "$build/bench_path_constraints" "$@" 2>&1 >/dev/null |
    sed -n 's/.*Collected : //p'
}

build=$1
for motion in "" motion; do
  with=$(($(count 1 2 $motion) - $(count 1 1 $motion)))
  without=$(($(count 0 2 $motion) - $(count 0 1 $motion)))
  printf '%-12s %12d %12d  %s\n' "${motion:-values}" "$with" "$without" "$(echo "scale=3; $with / $without" | bc)"
done
