#!/usr/bin/env bash
# Writes the page docs/fitted-numbers.md: the constants of the library that are decimal numbers, with the comment beside or
# above them, which states their effect and the evidence. scripts/fitted_tests.txt, made by fitted_tests.sh, lists the
# tests that fail without them.
# Usage: fitted.sh > docs/fitted-numbers.md; `house_rules` compares.
set -euo pipefail
cd "$(dirname "$0")/.."

cat <<'TEXT'
# Fitted numbers

This page lists numbers of the library that were fitted: they follow neither from mathematics nor from a request of the user. `scripts/fitted.sh` makes the page from the
comments of the constants, which state the decision that a number makes and the evidence for it. Coefficients of published methods are not listed, nor numbers whose reason
is beside them in the code.

The last column names the test that fails if the number is a million times larger or a million times smaller. `scripts/fitted_tests.sh` finds this test. It stops at the first
test that fails; others may fail as well.

| file | number | what it decides | what fails without it |
| --- | --- | --- | --- |
TEXT
# shellcheck disable=SC2016 # the markdown's quotes and awk's fields
find core mbs dae adjoint optim -name '*.c' | LC_ALL=C sort | xargs awk -F '\t' '
  # tests that fail with a larger and with a smaller number, and other evidence
  function evidence(file, name,   larger, smaller, text) {
    if (!((file, name) in tests)) return "not looked at"
    split(tests[file, name], column, FS)
    larger = column[3]
    smaller = column[4]
    if (larger == smaller && larger != "-") text = "`" larger "`"
    else text = (larger != "-" ? "`" larger "` (larger)" : "") (larger != "-" && smaller != "-" ? ", " : "") \
      (smaller != "-" ? "`" smaller "` (smaller)" : "")
    if (column[5] != "") text = text (text != "" ? "; " : "") column[5]
    return text != "" ? text : "none"
  }
  # the same for all numbers of a line, each with its name if they differ
  function evidence_of(file, numbers,   count, parts, i, name, text, all, alike) {
    count = split(numbers, parts, ", ")
    alike = 1
    for (i = 1; i <= count; i++) {
      name = parts[i]
      sub(/ =.*/, "", name)
      text = evidence(file, name)
      if (i > 1 && text != before) alike = 0
      before = text
      all = all (i > 1 ? "; " : "") (count > 1 ? name ": " : "") text
    }
    return alike ? before : all
  }
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
  FILENAME ~ /fitted_tests.txt$/ { tests[$1, $2] = $0; next }
  FNR == 1 { above = of_function = ""; open = 0 }
  /^\{/ { inside = 1 }
  /^\}/ { inside = 0; of_function = "" }
  /^[a-z]/ && !inside && above != "" { of_function = above }
  # a comment that continues, or begins a line
  open { above = above "\n" $0; if (/\*\//) open = 0; next }
  /^ *\/\*/ { above = $0; open = !/\*\//; next }
  /^ *static const double [a-z_]+ = / {
    line = $0
    while (line !~ /;/ && (getline more) > 0) line = line " " more
    beside = match(line, /\/\*.*\*\//) ? substr(line, RSTART, RLENGTH) : ""
    sub(/;.*/, "", line)
    sub(/.*static const double /, "", line)
    if (line !~ /[{\[]/)
      printf "| `%s` | `%s` | %s | %s |\n", FILENAME, clean(line), clean(beside != "" ? beside : above != "" ? above : of_function),
        evidence_of(FILENAME, clean(line))
  }
  { above = "" }' scripts/fitted_tests.txt
