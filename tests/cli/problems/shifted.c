/* Reads the second entry of its parameters in place of the first one, so that the last ones have no effect.
 */
#include <gradyn/gradyn.h>

enum { A, B };
static const gradyn_param params[] = {
    [A] = {"a", "m", .init = 1, GRADYN_UNBOUNDED, .count = 3},
    [B] = {"b", "m", .init = 2, GRADYN_UNBOUNDED, .count = 3},
};

static gradyn_status rest(const gradyn_at *at, gradyn_scalar F[])
{
  F[0] = at->yp[0];
  return GRADYN_OK;
}

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  gradyn_state(model, "z", "m", 0);
  gradyn_equations(model, &(gradyn_equations_spec){.residual = rest});
  gradyn_scalar sum = 0;
  for (int i = 0; i < 3; i++)
    sum += rho[A + i] * rho[A + i] + rho[B + i] * rho[B + i];
  gradyn_minimise(model, gradyn_design_functional(model, "sum", "m^2", sum), 1);
  return gradyn_build_status(model);
}

GRADYN_PROBLEM(shifted, .summary = "Shifted rows", .params = params, .build = build, .t_end = 1);
