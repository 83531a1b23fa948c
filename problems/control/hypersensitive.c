/* A scalar state moves from 1.5 to 1 in a long time at least cost: it decays to zero, stays there, and
 * leaves zero shortly before the end. The controls at the start and at the end do not depend on each
 * other. */
#include <gradyn/gradyn.h>

enum { U }; /* U: a row of knots */

static const gradyn_param params[] = {
    [U] = {"u", "", .init = 0, .lower = -10, .upper = 10, .scale = 1, .role = GRADYN_CONTROL,
           .count_from = "knots"},
};
static const gradyn_setting settings[] = {{"knots", "of linear input", 51, 2, 10000}};

/* x' = -x^3 + u */
static gradyn_status motion(const gradyn_at *at, gradyn_scalar F[])
{
  F[0] = at->yp[0] + at->y[0] * at->y[0] * at->y[0] - at->u[1];
  return GRADYN_OK;
}

static gradyn_status effort(const gradyn_at *at, gradyn_scalar *value)
{
  *value = (at->y[0] * at->y[0] + at->u[1] * at->u[1]) / 2;
  return GRADYN_OK;
}

static gradyn_status state(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->y[0];
  return GRADYN_OK;
}

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  const double end = 1;
  gradyn_signal(model, &(gradyn_signal_spec){"u", "", GRADYN_PIECEWISE_LINEAR,
                                             .count = gradyn_setting_value(model, "knots"),
                                             .knots = &rho[U]});
  gradyn_state(model, "x", "", 1.5);
  gradyn_equations(model, &(gradyn_equations_spec){.residual = motion});
  const int x_end = gradyn_custom_functional(
      model, &(gradyn_custom_functional_spec){"x_end", "", .terminal = state});
  gradyn_minimise(model,
                  gradyn_custom_functional(
                      model, &(gradyn_custom_functional_spec){"cost", "s", .integrand = effort}),
                  1);
  gradyn_constrain(model, x_end, end, end, 1e-8);
  return gradyn_build_status(model);
}

GRADYN_PROBLEM(hypersensitive, .summary = "State that is moved at low cost over a long time",
               .reference = "Rao and Mease (1999)", .params = params, .settings = settings,
               .setting_count = GRADYN_COUNT(settings), .build = build, .t_end = 50, .rtol = 1e-9);
