#!/usr/bin/env bash
# Every problem has a page, docs/problems/NAME.md, that tells how it is run, as `gradyn info` does: duration,
# method, step or tolerance; and how large its model is, where the page tells that.
# Usage: test_pages.sh GRADYN_COMMAND
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/../cli/support.sh"

# number NAME PATTERN: the number before the words of a row of the page, or nothing.
number() {
  sed -nE "s/^\| model \|.*[;:,] ([0-9]+) $1.*/\1/p" "$page"
}

# same WHAT PAGE INFO: two numbers are the same.
same() {
  jq -en "($2) as \$x | ($3) as \$y | (\$x - \$y | fabs) <= 1e-12 * (\$y | fabs)" >/dev/null ||
    fault "$(basename "$page"): $1 is $2, gradyn info has $3"
}

expect 0 list --json
names=$(jq -r '.problems[].name' out)
for page in "$source"/docs/problems/*.md; do
  grep -qx "$(basename "$page" .md)" <<<"$names" || fault "$page: no problem of that name"
done
# shellcheck disable=SC2016
run='^(\| run \| |Run: )([0-9.]+) s[^`]*, `([a-z0-9]+)`( at ([0-9.]+) ms|, rtol ([0-9.e-]+[0-9]))'
for name in $names; do
  page=$source/docs/problems/$name.md
  [ -s "$page" ] || { fault "$name: no page"; continue; }
  expect 0 info "$name" --json
  line=$(grep -E '^(\| run \||Run:)' "$page")
  [[ $line =~ $run ]] || { fault "$name.md: not how it is run: '$line'"; continue; }
  # groups of the expression: time, method, step or tolerance
  same 'the end time' "${BASH_REMATCH[2]}" "$(jq .t_end out)"
  [ "${BASH_REMATCH[3]}" = "$(jq -r .method out)" ] ||
    fault "$name.md: the method is ${BASH_REMATCH[3]}, gradyn info has $(jq .method out)"
  same 'the step in ms' "${BASH_REMATCH[5]:-0}" "$(jq '1000 * (.step // 0)' out)"
  if [ "$(jq .step out)" = null ]; then
    same rtol "${BASH_REMATCH[6]:-0}" "$(jq .rtol out)"
  fi
  for what in coordinates constraints; do
    told=$(number "$what")
    [ -z "$told" ] || same "the number of $what" "$told" "$(jq ".model.$what" out)"
  done
done
verdict "Pages tell how their problems are run."
