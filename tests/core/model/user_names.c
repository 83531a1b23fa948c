/* A user's file with the names of textbooks: I, y0, y1, j0 and gamma are also names of <math.h> and
 * <complex.h>. It is compiled with the compiler's extensions, like users' files. */
#include "tests/declare.h"

#include <gradyn/gradyn.h>

enum { I, J, gamma, PARAMETERS };

static const gradyn_scalar y0 = 0.25, y1 = 4, j0 = 2, jn = 3, yn = 5;

static const gradyn_param params[PARAMETERS] = {
    [I] = {"I", "kg m^2", .init = 2, GRADYN_UNBOUNDED},
    [J] = {"J", "1", .init = 3, GRADYN_UNBOUNDED},
    [gamma] = {"gamma", "1/s", .init = 1, GRADYN_UNBOUNDED}};

static gradyn_status decay(const gradyn_at *at, gradyn_scalar F[])
{
  F[0] = at->yp[0] + at->data[0] * at->y[0] + 0 * (j0 + jn + yn);
  return GRADYN_OK;
}

static gradyn_status value(const gradyn_at *at, gradyn_scalar *result)
{
  *result = y1 * sqrt(at->y[0]);
  return GRADYN_OK;
}

/* y = y0 I J exp(-gamma t), psi = y1 sqrt(y(1)) */
static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  const gradyn_datum rate = {"rate", "1/s", rho[gamma]};
  gradyn_state(model, "y", "", y0 * rho[I] * rho[J]);
  declare_equations(model, decay, &rate, 1);
  declare_end(model, "psi", "", value);
  return gradyn_build_status(model);
}

GRADYN_PROBLEM(user_names, .summary = "Names of textbooks", .params = params, .build = build,
               .t_end = 1, .rtol = 1e-9);
