#!/bin/sh
# Evaluations of searches with path constraints in segments, without those of the verification, and their
# objectives: van der Pol, Robbins, Bryson and Denham, delays, a container crane, a quadcopter on the upper side
# of a pillar, and a shuttle with a heating limit; the last two with second derivatives.
# Usage: evaluations.sh BUILD [option...]; options are those of `gradyn run`
set -eu

build=$1
shift
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for problem in robbins delay quadcopter shuttle; do
  cc -O2 -shared -fPIC -I"$here/../../include" -I"$build/include" "$here/$problem.c" -o "$work/$problem.so" -lm
done
# a guess that passes over the pillar
awk 'BEGIN {print "t [s],x [m],z [m],tilt [rad],vx [m/s],vz [m/s],rate [rad/s]"
  for (i = 0; i <= 60; i++) printf "%.17g,%.17g,%.17g,0,0,0,0\n", i / 20, i / 15, sin(i * atan2(0, -1) / 60)}' \
  >"$work/over.csv"

# search PROBLEM OPTION...
search() {
  "$build/gradyn" run "$@" --algorithm ipopt --out "$work/study" --force --no-report -q --json \
    >"$work/result.json" 2>"$work/messages" </dev/null || true
  python3 - "$work/result.json" "$(basename "$1" .so)" <<'P'
import json, sys
result = json.load(open(sys.argv[1]))
print("%-16s %4d evaluations, %3d of verification, objective %.9g: %s" % (
    sys.argv[2], result["evaluations"] - result["probes"], result["probes"], result["objective"], result["termination"]))
P
}

search van-der-pol --segments 10 "$@"
search "$work/robbins.so" --segments 10 "$@"
search bryson-denham --set knots=11 --segments 10 "$@"
search "$work/delay.so" --segments 10 "$@"
search container-crane --segments 10 "$@"
search "$work/quadcopter.so" --segments 20 --hessian --guess "$work/over.csv" "$@"
search "$work/shuttle.so" --segments 30 --hessian "$@"
