#!/usr/bin/env bash
# The published designs of double-wishbone with shock absorbers in several places: the objective of each.
# Usage: double-wishbone-designs.sh [GRADYN_COMMAND]
set -uo pipefail
gradyn=${1:-gradyn}
# the right side, as found with the discrete adjoint (Table 4, left); points 9 to 16 and the rest mirror it
adjoint=(-1.2703 0.20972 0.14977 -0.96033 0.21016 0.15049 -1.2701 0.18006 0.00561 -0.96021 0.18013
  0.00234 0.2103 0.13594 0.26894 0.51827 0.14297 0.2308 0.20898 0.11675 -0.03229 0.5181 0.12266 -0.04791)
adjoint_rest=(0.18536 0.28891 7552.08 21048.1 102.625 457.101)
# as found with differences (Table 4, right)
differences=(-1.27051 0.20937 0.14930 -0.96044 0.21009 0.15107 -1.27005 0.17924 0.01282 -0.96011 0.17940
  0.00849 0.21081 0.13529 0.27875 0.51602 0.14415 0.21930 0.20936 0.11558 -0.02645 0.51797 0.12282 -0.04917)
differences_rest=(0.15 0.27918 3780.35 21058.6 122.734 364.194)

# design POINT... REST...: options for a design, in the array `published`.
design() {
  local i j x y z points=("${@:1:24}") rest=("${@:25}")
  published=()
  for ((i = 1; i <= 4; i++)); do # 1 and 4 are in front, 2 and 3 at the rear
    j=$((i == 1 || i == 4 ? 0 : 1))
    published+=(--set "Z$((16 + i))=${rest[j]}" --set "k$i=${rest[2 + j]}" --set "c$i=${rest[4 + j]}")
  done
  for ((i = 1; i <= 8; i++)); do
    x=${points[3 * i - 3]} y=${points[3 * i - 2]} z=${points[3 * i - 1]}
    # corners go round the car: 9 to 12 mirror 5 to 8, 13 to 16 mirror 1 to 4
    j=$((i <= 4 ? i + 12 : i + 4))
    published+=(--set "X$i=$x" --set "Y$i=$y" --set "Z$i=$z" --set "X$j=$x" --set "Y$j=-$y" --set "Z$j=$z")
  done
}

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
  design "${adjoint[@]}" "${adjoint_rest[@]}"
  row adjoint "$inset" "${published[@]}"
  design "${differences[@]}" "${differences_rest[@]}"
  row differences "$inset" "${published[@]}"
done
row "4 elements" 350 --set elements=4
row "half step" 350 --step 5e-4
