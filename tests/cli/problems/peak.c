/* x' = y - x, y' = -y from x(0) = 0, y(0) = height. The solution x = height t exp(-t) is largest at 1 s. */
#include <gradyn/gradyn.h>

static const gradyn_param params[] = {{"height", "m", .init = 2, .lower = 1, .upper = 3}};

static gradyn_status flow(const gradyn_at *at, gradyn_scalar F[])
{
  F[0] = at->yp[0] + at->y[0] - at->y[1];
  F[1] = at->yp[1] + at->y[1];
  return GRADYN_OK;
}

static gradyn_status level(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->y[0];
  return GRADYN_OK;
}

static gradyn_status drop(const gradyn_at *at, gradyn_scalar *value)
{
  *value = 2 * at->y[0] - 1;
  return GRADYN_OK;
}

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  gradyn_state(model, "x", "m", 0);
  gradyn_state(model, "y", "m", rho[0]);
  gradyn_equations(model, &(gradyn_equations_spec){.residual = flow});
  const int high = gradyn_measure_custom(
      model, &(gradyn_custom_measure_spec){"smooth", "m", .formula = level, .hidden = true});
  const int low = gradyn_measure_custom(
      model, &(gradyn_custom_measure_spec){"other", "m", .formula = drop, .hidden = true});
  const int smooth = gradyn_functional(
      model, &(gradyn_functional_spec){"smooth", high, .reduction = GRADYN_SMOOTH_MAXIMUM,
                                       .sharpness = 20});
  gradyn_minimise(model, smooth, 1);
  gradyn_custom_functional(model, &(gradyn_custom_functional_spec){"end", "m", .terminal = level});
  gradyn_functional(model, &(gradyn_functional_spec){
                               "other", low, .reduction = GRADYN_SMOOTH_MAXIMUM, .sharpness = 20});
  return gradyn_build_status(model);
}

GRADYN_PROBLEM(peak, .summary = "A peak", .params = params, .build = build, .t_end = 3,
               .method = "explicit");
