#!/usr/bin/env bash
# Instructions of commands by two builds, as numbers and as a ratio: what a change costs where times are noisy.
# Each takes in the start of the process.
# Usage: instructions.sh BEFORE AFTER [COMMAND...], paths of gradyn and commands with their arguments in one
# word each; needs valgrind
set -euo pipefail
before=$(realpath "$1") after=$(realpath "$2")
shift 2
cd "$(mktemp -d)"

# count GRADYN ARGUMENT...
count() {
  valgrind --tool=callgrind --callgrind-out-file=/dev/null "$@" 2>words >/dev/null ||
    { echo "$*: $(grep -v ^== words)" >&2; exit 1; }
  sed -n 's/.*Collected : //p' words
}

if [ $# -eq 0 ]; then
  set -- "simulate five-bar" "gradient five-bar" "gradient five-bar --sensitivity direct" \
    "gradient five-bar --method ali3p --step 0.002" "gradient five-bar --method variational --step 0.002" \
    "simulate five-bar --method idas --rtol 1e-6" "gradient five-bar --method idas --rtol 1e-6 --t-end 1" \
    "simulate robertson" "simulate chain --set links=64 --t-end 0.05" \
    "gradient chain --set links=64 --t-end 0.05" "simulate bouncing-five-bar" "gradient bouncing-five-bar" \
    "simulate bouncing-ball" "gradient rimless-wheel" "simulate compass-walker" "gradient cart-pole" \
    "simulate robot-arm" "simulate flexible-pendulum" "simulate stick-slip" \
    "gradient stick-slip --method ali3p" "simulate governor --t-end 0.2" \
    "simulate spatial-slider-crank --t-end 0.5" "simulate double-wishbone --t-end 0.02" \
    "gradient double-wishbone --t-end 0.02"
fi
for command; do
  read -ra words <<<"$command"
  a=$(count "$before" "${words[@]}" --quiet) b=$(count "$after" "${words[@]}" --quiet)
  printf '%-55s %12d %12d  %s\n' "$command" "$a" "$b" "$(echo "scale=3; $b / $a" | bc)"
done
