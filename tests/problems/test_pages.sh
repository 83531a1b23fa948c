#!/usr/bin/env bash
# Every problem has a page, docs/problems/NAME.md, with the settings that `gradyn info` prints: duration,
# method, step or tolerance; and the size of the model, if the page states it.
# Usage: test_pages.sh GRADYN_COMMAND
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/../cli/support.sh"

# number NAME PATTERN: the number before the words of a row of the page, or nothing.
number() {
  sed -nE "s/^\| model \|.*[;:,] ([0-9]+) $1.*/\1/p" "$page"
}

# same WHAT PAGE INFO: notes two numbers that have to be the same.
same() {
  printf '%s\t%s\t%s\t%s\n' "$(basename "$page")" "$1" "$2" "$3" >>pairs
}

expect 0 list --json
names=$(jq -r '.problems[].name' out)
for page in "$source"/docs/problems/*.md; do
  grep -qx "$(basename "$page" .md)" <<<"$names" || fault "$page: no problem of that name"
done
# shellcheck disable=SC2016
run='^(\| run \| |The end time is (a parameter, initially )?)([0-9.]+) s[^`]*`([a-z0-9]+)`( at ([0-9.]+) ms|, (with )?rtol ([0-9.e-]+[0-9]))'
for name in $names; do
  page=$source/docs/problems/$name.md
  [ -s "$page" ] || { fault "$name: no page"; continue; }
  expect 0 info "$name" --json
  line=$(grep -E '^(\| run \||The end time is)' "$page")
  [[ $line =~ $run ]] || { fault "$name.md: not how it is run: '$line'"; continue; }
  # shellcheck disable=SC2034 # coordinates and constraints are read by their names
  read -r t_end method step rtol coordinates constraints < <(
    jq -r '[.t_end, .method, 1000 * (.step // 0), .rtol, .model.coordinates, .model.constraints] | map(tostring) | join(" ")' out
  )
  # groups of the expression: time, method, step or tolerance
  same 'the end time' "${BASH_REMATCH[3]}" "$t_end"
  [ "${BASH_REMATCH[4]}" = "$method" ] ||
    fault "$name.md: the method is ${BASH_REMATCH[4]}, gradyn info has $method"
  same 'the step in ms' "${BASH_REMATCH[6]:-0}" "$step"
  [ "$step" != 0 ] || same rtol "${BASH_REMATCH[8]:-0}" "$rtol"
  for what in coordinates constraints; do
    told=$(number "$what")
    [ -z "$told" ] || same "the number of $what" "$told" "${!what}"
  done
done
while IFS= read -r difference; do
  fault "$difference"
done < <(awk -F '\t' '{ gap = $3 - $4; size = $4 < 0 ? -$4 : $4
  if ($4 !~ /^-?[0-9]/ || gap > 1e-12 * size || -gap > 1e-12 * size)
    print $1 ": " $2 " is " $3 ", gradyn info has " $4 }' pairs)
verdict "Pages tell how their problems are run."
