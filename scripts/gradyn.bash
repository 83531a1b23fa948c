# shellcheck shell=bash
# Completion of the gradyn command for bash: commands, options, problems, files.

_gradyn() {
  local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]:-} words
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="list info simulate gradient check steps run --help --version"
  elif [[ $word == -* ]]; then
    # the help of a command is the list of its options
    words=$(gradyn "$command" --help 2>/dev/null | grep -oE -- '--[a-z-]+' | sort -u)
  elif [ "$COMP_CWORD" -eq 2 ] && [[ $word != */* ]]; then
    words=$(gradyn list --json 2>/dev/null | grep -oE '"name": *"[^"]*"' | cut -d '"' -f 4)
  else
    words=
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}
complete -o default -F _gradyn gradyn
