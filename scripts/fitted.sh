#!/usr/bin/env bash
# The numbers that were fitted, as the page docs/fitted-numbers.md: constants of the library that are decimal
# numbers, with the comment beside or above them, which tells what they decide and on what evidence.
# Usage: fitted.sh > docs/fitted-numbers.md; `house_rules` compares.
set -euo pipefail
cd "$(dirname "$0")/.."

cat <<'TEXT'
# Fitted numbers

Made by `scripts/fitted.sh` from the constants' own comments, which say what a number decides and on what evidence; it does not follow from mathematics or from what users
ask for. A number that is not here is a coefficient of a published method, or stands beside its reason in the code.

| file | number | what it decides |
| --- | --- | --- |
TEXT
# shellcheck disable=SC2016 # the markdown's quotes and awk's fields
find core mbs dae adjoint optim -name '*.c' | LC_ALL=C sort | xargs awk '
  function clean(text) {
    gsub(/\/\*|\*\/|\n/, " ", text)
    gsub(/ \* /, " ", text)
    gsub(/[ \t]+/, " ", text)
    gsub(/\|/, "\\|", text)
    gsub(/\*/, "\\*", text)
    sub(/^ /, "", text)
    sub(/ $/, "", text)
    return text
  }
  FNR == 1 { above = of_function = ""; open = 0 }
  /^\{/ { inside = 1 }
  /^\}/ { inside = 0; of_function = "" }
  /^[a-z]/ && !inside && above != "" { of_function = above }
  # a comment that goes on, or begins a line
  open { above = above "\n" $0; if (/\*\//) open = 0; next }
  /^ *\/\*/ { above = $0; open = !/\*\//; next }
  /^ *static const double [a-z_]+ = / {
    line = $0
    while (line !~ /;/ && (getline more) > 0) line = line " " more
    beside = match(line, /\/\*.*\*\//) ? substr(line, RSTART, RLENGTH) : ""
    sub(/;.*/, "", line)
    sub(/.*static const double /, "", line)
    if (line !~ /[{\[]/)
      printf "| `%s` | `%s` | %s |\n", FILENAME, clean(line), clean(beside != "" ? beside : above != "" ? above : of_function)
  }
  { above = "" }'
