#!/usr/bin/env bash
# Completion of the command: all proposals exist, and a problem cannot make the shell run anything.
# Usage: test_completion.sh GRADYN_COMMAND
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/support.sh"
compile bowl
mkdir bin
ln -s "$gradyn" bin/gradyn
PATH=$place/bin:$PATH
# shellcheck source=scripts/gradyn.bash
. "$source/scripts/gradyn.bash"
: | tee out >err

# offers WANTED WORD...: completes the last of the words and checks the proposals.
offers() {
  local wanted=$1
  shift
  what="completion of '$*'"
  COMP_WORDS=("$@")
  COMP_CWORD=$(($# - 1))
  COMPREPLY=()
  _gradyn
  [ "$(printf '%s\n' "${COMPREPLY[@]}" | sort | paste -sd ' ')" = "$wanted" ] ||
    fault "$what: '${COMPREPLY[*]}' instead of '$wanted'"
}

offers "simulate" gradyn sim
offers "five-bar" gradyn run five
offers "double-integrator double-pendulum-wall double-wishbone" gradyn info dou
offers "--max-evaluations --max-seconds --max-steps" gradyn run five-bar --max
offers "simulate" gradyn help sim
offers "gradyn_spring gradyn_spring_spec" gradyn help gradyn_spring
offers "--Q --Qf" gradyn lqr five-bar --Q
offers "--initial" gradyn filter five-bar --ini
offers "ali3p auto explicit idas radau variational" gradyn run five-bar --method ""
offers "auto explicit idas radau" gradyn run robertson --method ""
offers "ali3p" gradyn run five-bar --method = al
offers "ali3p auto explicit idas radau variational" gradyn run five-bar --method =
offers "slsqp" gradyn run five-bar --algorithm sl
offers "psi1 psi2 psi3" gradyn run five-bar --objective psi
offers "LA1 Ls1 Ls2" gradyn run five-bar --fix L
offers "Ls1= Ls2=" gradyn run five-bar --set Ls
offers "a= b= c= links= u= u[0]= u[1]= u[2]=" gradyn simulate ./bowl.so --set ""
offers "u u[0] u[1] u[2]" gradyn run ./bowl.so --free u
offers "direct" gradyn gradient five-bar --sensitivity dir
offers "hht" gradyn gradient five-bar --integrator h
offers "" gradyn run absent --set L
offers "" gradyn run five-bar --rtol 1

# the command accepts every proposed word that is fixed
for sensitivity in auto adjoint direct differences continuous-adjoint; do
  expect 0 gradient parallel-bars --method ali3p --t-end 0.1 --sensitivity $sensitivity -q
done
for integrator in trapezoidal newmark hht generalised-alpha; do
  expect 0 simulate parallel-bars --method ali3p --t-end 0.1 --integrator $integrator -q
done

# names that would run a command if the shell expanded them
cat >hostile.c <<'END'
#include <gradyn/gradyn.h>
static const gradyn_param params[] = {{"$(touch ran)", "m", .init = 1, GRADYN_UNBOUNDED}, {"`touch ran`", "m", .init = 1, GRADYN_UNBOUNDED},
                                      {"good", "m", .init = 1, GRADYN_UNBOUNDED}};
static gradyn_status still(const gradyn_at *at, gradyn_scalar F[])
{
  F[0] = at->yp[0];
  return GRADYN_OK;
}
static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  gradyn_state(model, "x", "", rho[0]);
  gradyn_equations(model, &(gradyn_equations_spec){.residual = still});
  return gradyn_build_status(model);
}
GRADYN_PROBLEM(hostile, .name = "$(touch ran)", .params = params, .build = build, .t_end = 1);
END
"${CC:-cc}" -std=c11 -shared -fPIC -I"$source/include" hostile.c -o hostile.so || exit 1
offers "good=" gradyn run ./hostile.so --set ""
export GRADYN_PATH=$place
offers "ball-on-slope bang-bang bicycle boehm-stat5 bouncing-ball bouncing-five-bar bowl-of-rice brachistochrone bryson-denham" gradyn run b
offers "pendulum-identification" gradyn fit pe
[ ! -e ran ] || fault "a name was expanded by the shell"

verdict "Completion offers what there is."
