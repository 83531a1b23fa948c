#!/usr/bin/env bash
# Messages suggest the right name for a misspelt one: of commands, options, problems, settings, parameters,
# functionals and algorithms, from the first to the last. Words that an option accepts are accepted.
# Usage: test_names.sh GRADYN_COMMAND
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
compile bowl

# asked NAMES ARGUMENT...: replaces X by each of the names with a letter appended; the command
# refuses it and suggests the right name.
asked() {
  local names=$1 name argument arguments before=
  shift
  for name in $names; do
    arguments=()
    for argument; do arguments+=("${argument//X/${name}z}"); done
    expect 2 "${arguments[@]}"
    grep -qE "did you mean ('-*$name'|$name\?)" err || fault "$what: $name is not told"
    before=$name
  done
  [ -n "$before" ] || fault "no names for $*"
}

expect 0 --help
asked "$(sed -n 's/^  \([a-z]\{4,\}\) .*/\1/p' out | sort -u)" X
asked "help version" --X
expect 0 run --help
asked "$(grep -oE -- '--[a-z][a-z-]{3,}' out | sed 's/--//' | sort -u)" run bowl.so --X
expect 0 list --json
asked "$(jq -r '.problems[].name' out)" simulate X
expect 0 info bowl.so --json
settings=$(jq -r '.settings | keys[]' out) functionals=$(jq -r '.functionals[].name' out)
names=$(jq -r '.parameters[].name | sub("\\[.*"; "")' out | sort -u | awk 'length > 1')
asked "$settings $names" simulate bowl.so --set X=1
asked "$functionals" run bowl.so --objective X
asked "$functionals" pareto bowl.so --objectives X,height
asked "$functionals" pareto bowl.so --objectives height,X
expect 0 info five-bar --json
asked "$(jq -r '.parameters[].name | select(length > 2)' out)" run five-bar --fix X
expect 2 run bowl.so --algorithm nothing-like-it
asked "$(sed -n 's/.*known: //p' err | tr -d ,)" run bowl.so --algorithm X

# each option of each command says by name whether it needs a value
expect 0 --help
mapfile -t commands < <(sed -n 's/^  \([a-z]\{4,\}\) .*/\1/p' out | sort -u)
for command in "${commands[@]}"; do
  expect 0 "$command" --help
  sed -nE 's/^ +(-[a-z], )?(--[a-z-]+( [A-Z]+)?).*/\2/p' out | grep -v -e '^--help' -e '^--version' >options
  [ -s options ] || fault "$what: no options"
  while read -r option value; do
    if [ -n "$value" ]; then
      expect 2 "$command" bowl.so "$option"
      says err "option '$option' needs a value"
    else
      expect 2 "$command" bowl.so "$option=1"
      says err "option '$option' takes no value"
    fi
  done <options
done

while read -r option words; do
  for word in $words; do
    expect 0 run bowl.so "$option" "$word" --out words --force --no-report -q
  done
  expect 2 run bowl.so "$option" wordless --out words --force -q
  says err wordless
done <<'END'
--durability each second never
--sensitivity auto direct adjoint differences
--method auto explicit idas
--algorithm lbfgs slsqp mma ccsaq tnewton var2 auglag
END
if "$gradyn" info bowl.so | grep -q '^algorithms: .* ipopt'; then
  expect 0 run bowl.so --algorithm ipopt --out words --force --no-report -q
else
  expect 2 run bowl.so --algorithm ipopt --out words --force --no-report -q
  says err coinor-libipopt-dev
fi
verdict "Names are told."
