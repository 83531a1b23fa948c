#!/usr/bin/env bash
# Problems without parameters: every command accepts them, or reports that it needs parameters; the usual
# macro names the macro to use instead.
# Usage: test_without_params.sh GRADYN_COMMAND
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/../cli/support.sh"
compile without_params

# takes TEXT ARGUMENT...: the command succeeds and says so, and nothing of what it says is empty.
takes() {
  local text=$1
  shift
  expect 0 "$@"
  says out "$text"
  ! grep -q "(null)" out err || fault "$what: (null)"
}

# wants TEXT ARGUMENT...: the command is refused with that text.
wants() {
  local text=$1
  shift
  expect 2 "$@"
  says err "$text"
  ! grep -q "(null)" err || fault "$what: (null)"
}

takes "no parameters" info ./without_params.so
takes '"parameters": []' info ./without_params.so --json
takes "height" simulate ./without_params.so --out simulated
takes "sd[stone.y]" simulate ./without_params.so --covariance stone.vy=0.1 --samples 2
takes "no parameters; --all-data" gradient ./without_params.so
takes "-3.905" gradient ./without_params.so
takes "stone.mass" gradient ./without_params.so --all-data
takes '"parameters": []' gradient ./without_params.so --json
takes "ok" check ./without_params.so
takes "no events" events ./without_params.so
takes "height" steps ./without_params.so --method ali3p --step 0.01
wants "no parameters; a search varies at least one" run ./without_params.so
wants "no parameters; a search varies at least one" run ./without_params.so --segments 2
wants "no parameters; a sweep varies at least one" sweep ./without_params.so
wants "no parameters; a sweep varies at least one" sweep ./without_params.so --over length=0:1:3
wants "1 functionals; a front is between two of them" pareto ./without_params.so

# the usual macro, by each compiler that is there
for compiler in gcc clang; do
  command -v "$compiler" >/dev/null || continue
  what="$compiler -DUSUAL"
  ! "$compiler" -DUSUAL -fsyntax-only -I"$source/include" "$source/tests/cli/problems/without_params.c" 2>err ||
    fault "$what: compiles"
  says err "GRADYN_PROBLEM_WITHOUT_PARAMS"
  "$compiler" -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I"$source/include" \
    "$source/tests/cli/problems/without_params.c" 2>err || fault "$what: does not compile"
done
verdict "Problems without parameters are simulated, and refused by name where some are needed."
