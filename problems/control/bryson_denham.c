/* Bryson and Denham's problem: a unit mass starts with 1 m/s and returns with the same speed after 1 s, by
 * the force of least energy. Its position must stay below l. With l = 1/9 m the path constraint is active
 * from 1/3 s to 2/3 s. Before and after, the force is linear, so that four knots at thirds represent it
 * exactly. */
#include <gradyn/gradyn.h>

enum { U, KNOTS = 4 }; /* U is the first of `knots` parameters */
enum { X, V, COST };

static const gradyn_param params[] = {
    [U] = {"u", "N", .init = -2, GRADYN_UNBOUNDED, .scale = 1, .role = GRADYN_CONTROL,
           .count_from = "knots"},
};
static const gradyn_setting settings[] = {{"knots", "knots of the force", KNOTS, 2, 2000}};

/* Equations x'' = u, and the integral of u^2/2 as a state. */
static gradyn_status motion(const gradyn_at *at, gradyn_scalar F[])
{
  F[X] = at->yp[X] - at->y[V];
  F[V] = at->yp[V] - at->u[1];
  F[COST] = at->yp[COST] - at->u[1] * at->u[1] / 2;
  return GRADYN_OK;
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

static gradyn_status cost(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->y[COST];
  return GRADYN_OK;
}

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  const double farthest = 1.0 / 9;
  gradyn_signal(model, &(gradyn_signal_spec){"u", "N", GRADYN_PIECEWISE_LINEAR,
                                             .count = gradyn_setting_value(model, "knots"),
                                             .knots = &rho[U]});
  gradyn_state(model, "x", "m", 0);
  gradyn_state(model, "v", "m/s", 1);
  gradyn_state(model, "cost", "N^2 s", 0);
  gradyn_equations(model, &(gradyn_equations_spec){.residual = motion});

  int x_end = gradyn_custom_functional(
      model, &(gradyn_custom_functional_spec){"x_end", "m", .terminal = position});
  int v_end = gradyn_custom_functional(
      model, &(gradyn_custom_functional_spec){"v_end", "m/s", .terminal = velocity});
  int energy = gradyn_custom_functional(
      model, &(gradyn_custom_functional_spec){"energy", "N^2 s", .terminal = cost});
  gradyn_minimise(model, energy, 1);
  gradyn_constrain(model, x_end, 0, 0, 1e-10);
  gradyn_constrain(model, v_end, -1, -1, 1e-10);
  gradyn_path_constraint(
      model, "track",
      gradyn_measure_custom(
          model, &(gradyn_custom_measure_spec){"track", "m", .formula = position, .hidden = true}),
      -HUGE_VAL, farthest, 1e-10, NULL);
  return gradyn_build_status(model);
}

GRADYN_PROBLEM(bryson_denham, .summary = "Unit mass sent back within a limited distance",
               .reference = "Bryson, Denham and Dreyfus (1963)", .params = params,
               .settings = settings, .setting_count = GRADYN_COUNT(settings), .build = build,
               .t_end = 1.0, .rtol = 1e-12);
