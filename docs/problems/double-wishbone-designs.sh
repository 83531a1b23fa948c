#!/usr/bin/env bash
# The published designs of double-wishbone with shock absorbers in several places: the objective of each.
# Usage: double-wishbone-designs.sh [GRADYN_COMMAND]
set -uo pipefail
gradyn=${1:-gradyn}
# the right side; points 9 to 16 and the rest mirror it
points=(-1.2703 0.20972 0.14977 -0.96033 0.21016 0.15049 -1.2701 0.18006 0.00561 -0.96021 0.18013
  0.00234 0.2103 0.13594 0.26894 0.51827 0.14297 0.2308 0.20898 0.11675 -0.03229 0.5181 0.12266 -0.04791)
rest=(Z17=0.18536 Z18=0.28891 Z19=0.28891 Z20=0.18536 k1=7552.08 k2=21048.1 k3=21048.1 k4=7552.08
  c1=102.625 c2=457.101 c3=457.101 c4=102.625)
published=()
for number in "${rest[@]}"; do
  published+=(--set "$number")
done
for ((i = 1; i <= 8; i++)); do
  x=${points[3 * i - 3]} y=${points[3 * i - 2]} z=${points[3 * i - 1]}
  # corners go round the car: 9 to 12 mirror 5 to 8, 13 to 16 mirror 1 to 4
  j=$((i <= 4 ? i + 12 : i + 4))
  published+=(--set "X$i=$x" --set "Y$i=$y" --set "Z$i=$z" --set "X$j=$x" --set "Y$j=-$y" --set "Z$j=$z")
done

# row NAME INSET ARGUMENT...: one line of the table.
row() {
  local name=$1 inset=$2 value
  shift 2
  value=$("$gradyn" simulate double-wishbone --set constraints=0 --set "inset=$inset" "$@" --json  2>/dev/null |
    jq -r '.functionals[0].value // .message')
  printf '%-12s %4s mm  %s\n' "$name" "$inset" "$value"
}
for inset in 350 100 0; do
  row start "$inset"
  row published "$inset" "${published[@]}"
done
row "4 elements" 350 --set elements=4
row "half step" 350 --step 5e-4
