/* A ball thrown upwards: its final height is minimised, and many other functionals are only monitored. For
 * all gradients another sensitivity is cheaper than for that of the height alone. */
#include <stdio.h>

#include <gradyn/gradyn.h>

enum { WATCHED = 60 };
static const gradyn_param params[] = {{"speed", "m/s", .init = 3, .lower = 1, .upper = 5}};

static gradyn_status fly(const gradyn_at *at, gradyn_scalar F[])
{
  F[0] = at->yp[0] - at->y[1];
  F[1] = at->yp[1] + 9.81;
  return GRADYN_OK;
}

static gradyn_status height(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->y[0];
  return GRADYN_OK;
}

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  gradyn_state(model, "z", "m", 0);
  gradyn_state(model, "v", "m/s", rho[0]);
  gradyn_equations(model, &(gradyn_equations_spec){.residual = fly});
  gradyn_minimise(model,
                  gradyn_custom_functional(
                      model, &(gradyn_custom_functional_spec){"height", "m", .terminal = height}),
                  1);
  for (int i = 0; i < WATCHED; i++) {
    char name[16];
    (void)snprintf(name, sizeof name, "watched%d", i);
    gradyn_custom_functional(model,
                             &(gradyn_custom_functional_spec){name, "m", .terminal = height});
  }
  return gradyn_build_status(model);
}

GRADYN_PROBLEM(watched, .summary = "A ball that is watched", .params = params, .build = build,
               .t_end = 0.5);
