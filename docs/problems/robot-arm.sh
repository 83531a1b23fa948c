#!/usr/bin/env bash
# Least energy of the robot arm with all of its freedoms, with each left out and with each alone: the table of
# robot-arm.md. Usage: robot-arm.sh [gradyn [DIR]]
set -euo pipefail
GRADYN=${1:-gradyn}
out=${2:-robot-arm}
declare -A freedom=([lengths]="height upper fore" [gears]="gear" [springs]="stiffness rest"
  [paths]="path1 path2 path3 path4 path5 path6")
names=(lengths gears springs paths)

# search NAME FREEDOM...: varies only these groups of parameters.
search() {
  local name=$1 fixed=() f p
  shift
  for f in "${names[@]}"; do
    [[ " $* " == *" $f "* ]] && continue
    for p in ${freedom[$f]}; do
      fixed+=(--fix "$p")
    done
  done
  "$GRADYN" run robot-arm "${fixed[@]}" --ftol 1e-6 --out "$out/$name" --force --json -q |
    python3 -c 'import json, sys
r = json.load(sys.stdin)
print("%-16s %7.3f J  %4d evaluations, %s" % (sys.argv[1], r["objective"], r["evaluations"], r["termination"]))' "$name"
}

mkdir -p "$out"
search all "${names[@]}"
for one in "${names[@]}"; do
  search "$one" "$one"
done
for one in "${names[@]}"; do
  others=()
  for f in "${names[@]}"; do
    [[ $f == "$one" ]] || others+=("$f")
  done
  search "without-$one" "${others[@]}"
done
