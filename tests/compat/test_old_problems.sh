#!/usr/bin/env bash
# Ten problem files of 0.2, unchanged. Each compiles with <gradyn/compat.h>, which names each old name, and prints
# the digits of the file of this version; or the compiler names the member that a header cannot rename, and the
# file prints these digits once it is migrated. The header follows the table of names.
# Usage: test_old_problems.sh GRADYN_COMMAND
# shellcheck source=tests/cli/support.sh
. "$(dirname "$0")/../cli/support.sh"
old=$source/tests/compat/problems

# built FILE OUT OPTION...: compiles a problem; the compiler's messages are left in the file messages.
built() {
  local file=$1 out=$2
  shift 2
  "${CC:-cc}" -std=c11 -D_POSIX_C_SOURCE=200809L -Wall -Wextra -shared -fPIC -I"$source/include" "$@" "$file" \
    -o "$out" 2>messages || { fault "$file is not compiled"; cat messages; }
}

# same NAME FORM...: the problems NAME.so of these forms print the digits of the problem of this version.
same() {
  local name=$1 form
  shift
  built "$source/problems/$place_of$name.c" new.so -Werror
  for form in new "$@"; do
    expect 0 gradient ./"$form".so --json
    jq -S 'del(.. | .gradient_s?, .simulate_s?)' out >"$form".json
    cmp -s "$form".json new.json || fault "$name, $form: other digits: $(diff "$form".json new.json | head -n 4)"
  done
}

# Members that the compiler refuses, by name.
declare -A refused=([compass_walker]=armed [cart_pole]=has_signal [hopper_codesign]=has_signal)
# Those whose indices of arrays have to be changed by hand, since their numbers count from 1 once they are migrated.
declare -A by_hand=([cart_pole]="pos: numbers of objects count from 1" [hopper_codesign]="lam: numbers of objects")

for file in "$old"/*.c; do
  name=$(basename "$file" .c)
  place_of=
  [ -f "$source/problems/$name.c" ] || place_of=control/
  if [ -n "${refused[$name]:-}" ]; then
    "${CC:-cc}" -std=c11 -D_POSIX_C_SOURCE=200809L -shared -fPIC -I"$source/include" -include gradyn/compat.h \
      "$file" -o old.so 2>messages && fault "$name compiles and is not refused"
    grep "error" messages | grep -q "${refused[$name]}" || fault "$name: the compiler does not name ${refused[$name]}"
    command -v python3 >/dev/null || continue
    cp "$file" moved.c
    if [ -n "${by_hand[$name]:-}" ]; then
      expect 1 migrate moved.c
      says err "${by_hand[$name]}"
      continue
    fi
    expect 0 migrate moved.c
    built moved.c moved.so -Werror
    same "$name" moved
    continue
  fi
  built "$file" old.so -include gradyn/compat.h
  grep -q "is deprecated: use gradyn_" messages || fault "$name has no old name"
  grep -E "error|warning" messages | grep -v "deprecated" && fault "$name: the compiler warns of more than old names"
  built "$file" silent.so -include gradyn/compat.h -DGRADYN_COMPAT_SILENT -Werror
  same "$name" old silent
done
[ "$(find "$old" -name "*.c" | wc -l)" -eq 10 ] || fault "there are not ten old problems"

# Former functionals had no default for their scale and sharpness: 0 is still refused, by the name of the functional.
for former in 'maximum_of_measure(m, "most", w, 0)' 'maximum_of_magnitude(m, "most", w, 0)' \
  'peak_measure(m, "most", w, 0, 10)' 'largest_measure(m, "most", w, 1, 0)' \
  'maximum(m, &(gradyn_custom_functional_spec){"most", "", height, height})' \
  'before_event(m, &(gradyn_custom_functional_spec){"most", "", .terminal = height, .instant = 1}, 0, 1)'; do
  cat >refused.c <<END
#include <gradyn/gradyn.h>
static const gradyn_param params[] = {{"x", "of the start", .init = 1}};
gradyn_status height(const gradyn_at *at, gradyn_scalar *value);
gradyn_status height(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->pos[1];
  return GRADYN_OK;
}
static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  const int p = gradyn_point(m, "P", rho[0], 0);
  gradyn_point_mass(m, "mass", p, 1);
  const int w = gradyn_measure_point(m, "w", p, 0, GRADYN_X);
  (void)w;
  gradyn_$former;
  return gradyn_build_status(m);
}
GRADYN_PROBLEM(refused, .summary = "refused", .params = params, .build = build, .t_end = 1);
END
  built refused.c refused.so -include gradyn/compat.h -DGRADYN_COMPAT_SILENT
  expect 2 gradient ./refused.so
  grep -qE "most(.scale is|: the sharpness is) nan|most: give .(integrand|terminal), and neither" err || fault "$former: $(cat err)"
done

if command -v python3 >/dev/null; then
  python3 "$source/scripts/compat.py" --check || fault "compat.h lacks names of the table"
fi
grep -q "#include.*compat.h" "$source/include/gradyn/gradyn.h" && fault "the umbrella includes compat.h"
verdict "old problem files give the same digits or are refused by name"
