# shellcheck shell=bash
# Completion of the gradyn command for bash: commands, options and their values, problems, parameters,
# settings and functionals, files. Nothing of a problem is ever expanded by the shell.

# _gradyn_offer <word> <candidate>...: those that begin with the word.
_gradyn_offer() {
  local word=$1 candidate
  shift
  for candidate; do
    [[ -z $candidate || $candidate != "$word"* ]] || COMPREPLY+=("$candidate")
  done
}

# _gradyn_names <problem> <member>: names in a member of what `info` knows of a problem: those of the
# objects of an array, the keys of an object, or texts. Only names that need no quotes.
_gradyn_names() {
  gradyn info "$1" --json --quiet 2>/dev/null | awk -v member="\"$2\":" '
    /^ "/ { inside = $1 == member; next }
    !inside { next }
    /^   "name": / { print $2; next }
    /^  "/ { print $1 }' | sed -nE 's/^"([][A-Za-z0-9_.+-]+)"[:,]*$/\1/p'
}

# Rows of parameters can be meant as a whole: u beside u[0], u[1], ...
_gradyn_parameters() {
  local names
  names=$(_gradyn_names "$1" parameters)
  printf '%s\n' "$names" "$(sed -nE 's/\[0\]$//p' <<<"$names")"
}

# _gradyn_value <option> <problem> <word>: what the option takes; false if that is not known.
_gradyn_value() {
  local option=$1 problem=$2 word=$3 names=()
  case $option in
    --method) mapfile -t names < <(_gradyn_names "$problem" methods) ;;
    --about) names=(equilibrium start end) ;;
    --algorithm) mapfile -t names < <(_gradyn_names "$problem" algorithms) ;;
    --objective | --objectives) mapfile -t names < <(_gradyn_names "$problem" functionals) ;;
    --fix | --free | --over) mapfile -t names < <(_gradyn_parameters "$problem") ;;
    --set)
      mapfile -t names < <(
        { _gradyn_names "$problem" settings && _gradyn_parameters "$problem"; } | sed 's/..*/&=/'
      )
      type compopt >/dev/null && compopt -o nospace 2>/dev/null
      ;;
    --sensitivity) names=(auto adjoint direct differences continuous-adjoint) ;;
    --integrator) names=(trapezoidal newmark hht generalised-alpha) ;;
    --durability) names=(each second never) ;;
    *) return 1 ;;
  esac
  _gradyn_offer "$word" "${names[@]}"
}

_gradyn() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
  local command=${COMP_WORDS[1]:-} names=()
  COMPREPLY=()
  # bash takes --option=value apart
  [[ $word != = ]] || word=
  [[ $before != = ]] || before=${COMP_WORDS[COMP_CWORD - 2]}
  if [ "$COMP_CWORD" -eq 1 ]; then
    mapfile -t names < <(gradyn --help 2>/dev/null | sed -nE 's/^  ([a-z]+) .*/\1/p')
    _gradyn_offer "$word" "${names[@]}" --help --version
  elif [[ $before == --* ]] && _gradyn_value "$before" "${COMP_WORDS[2]:-}" "$word"; then
    :
  elif [[ $word == -* ]]; then
    # the help of a command is the list of its options
    mapfile -t names < <(gradyn "$command" --help 2>/dev/null | grep -oE -- '--[A-Za-z-]+' | sort -u)
    _gradyn_offer "$word" "${names[@]}"
  elif [ "$command" = help ]; then
    mapfile -t names < <(gradyn help --json 2>/dev/null | sed -nE 's/^   "name": "(gradyn )?([A-Za-z0-9_-]+)",?$/\2/p')
    _gradyn_offer "$word" "${names[@]}"
  elif [ "$COMP_CWORD" -eq 2 ] && [[ $word != */* && ! $command =~ ^(resume|report|migrate)$ ]]; then
    mapfile -t names < <(gradyn list --json --quiet 2>/dev/null |
      sed -nE 's/^   "name": "([A-Za-z0-9_.+-]+)",?$/\1/p')
    _gradyn_offer "$word" "${names[@]}"
  fi
}
complete -o default -F _gradyn gradyn
