/* Double integrator: the force of least energy that moves a unit mass by 1 m in 1 s, from rest to rest. The
 * force is piecewise linear, so that the optimum is that of a small quadratic program. */
#include <gradyn/gradyn.h>

enum { U }; /* the first of `knots` parameters */
enum { X, V };

static const gradyn_param params[] = {
    [U] = {"u", "N", .init = 0, GRADYN_UNBOUNDED, .scale = 1, .role = GRADYN_CONTROL,
           .count_from = "knots"},
};
static const gradyn_setting settings[] = {{"knots", "knots of the force", 20, 2, 2000}};

/* x'' = u */
static gradyn_status motion(const gradyn_at *at, gradyn_scalar F[])
{
  F[X] = at->yp[X] - at->y[V];
  F[V] = at->yp[V] - at->u[1]; /* v = x' */
  return GRADYN_OK;            /* m = 1 */
}

static gradyn_status position(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->y[X];
  return GRADYN_OK;
}

static gradyn_status velocity(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->y[V];
  return GRADYN_OK;
}

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  /* x'' = u; the force u is linear between knots */
  int force = gradyn_signal(model,
                            &(gradyn_signal_spec){"u", "N", GRADYN_PIECEWISE_LINEAR,
                                                  .count = gradyn_setting_value(model, "knots"),
                                                  .knots = &rho[U]});
  gradyn_state(model, "x", "m", 0);
  gradyn_state(model, "v", "m/s", 0);
  gradyn_equations(model, &(gradyn_equations_spec){.residual = motion});

  /* at the end the mass is at rest at 1 m; the integral of u^2 is least */
  int x_end = gradyn_custom_functional(
      model, &(gradyn_custom_functional_spec){"x_end", "m", .terminal = position});
  int v_end = gradyn_custom_functional(
      model, &(gradyn_custom_functional_spec){"v_end", "m/s", .terminal = velocity});
  gradyn_minimise(
      model,
      gradyn_functional(model,
                        &(gradyn_functional_spec){"energy", gradyn_measure_signal(model, "", force),
                                                  .reduction = GRADYN_SQUARE_INTEGRAL}),
      1);
  gradyn_constrain(model, x_end, 1, 1, 1e-9);
  gradyn_constrain(model, v_end, 0, 0, 1e-9);
  return gradyn_build_status(model);
}

GRADYN_PROBLEM(double_integrator, .summary = "Unit mass moved by the force of least energy",
               .reference = "closed form", .params = params, .settings = settings,
               .setting_count = GRADYN_COUNT(settings), .build = build, .t_end = 1.0,
               .rtol = 1e-10);
