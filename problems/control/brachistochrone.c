/* Brachistochrone: the path of quickest descent from (0, 10) m to (10, 5) m, from rest, without friction.
 * The control is the direction of the path, measured from straight down. It is a cubic spline over a free
 * duration. The optimum is a cycloid, along which the direction changes at a constant rate. */
#include <gradyn/gradyn.h>

enum { T, THETA }; /* THETA: the first of `knots` parameters */
enum { X, Y, V };

static const gradyn_param params[] = {
    [T] = {"T", "s", .init = 2.0, .lower = 0.5, .upper = 10.0, .scale = 1, .role = GRADYN_TIME},
    [THETA] = {"theta", "rad", .init = 0.8, .lower = -3.2, .upper = 3.2, .scale = 1,
               .role = GRADYN_CONTROL, .count_from = "knots"},
};
static const gradyn_setting settings[] = {{"knots", "knots of the direction", 10, 2, 200}};

/* Equations of a bead on a frictionless wire, whose direction is the control. */
static gradyn_status motion(const gradyn_at *at, gradyn_scalar F[])
{
  gradyn_scalar v = at->y[V], theta = at->u[1], g = at->data[0];
  /* x' = v sin(theta) */
  F[X] = at->yp[X] - v * sin(theta);
  F[Y] = at->yp[Y] + v * cos(theta); /* y' = -v cos(theta) */
  F[V] = at->yp[V] - g * cos(theta); /* conservation of energy along the wire */
  return GRADYN_OK;
}

/* Final x of the bead. */
static gradyn_status end_x(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->y[X];
  return GRADYN_OK;
}

static gradyn_status end_y(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->y[Y];
  return GRADYN_OK;
}

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  gradyn_end_time(model, rho[T]);
  /* direction of the wire, given at knots */
  gradyn_signal(model, &(gradyn_signal_spec){"theta", "rad", GRADYN_CUBIC_SPLINE,
                                             .count = gradyn_setting_value(model, "knots"),
                                             .knots = &rho[THETA]});
  /* starts at rest at a height of 10 m */
  gradyn_state(model, "x", "m", 0);
  gradyn_state(model, "y", "m", 10);
  gradyn_state(model, "v", "m/s", 0);
  gradyn_equations(model,
                   &(gradyn_equations_spec){.residual = motion,
                                            .data = (gradyn_datum[]){{"gravity", "m/s^2", 9.80665}},
                                            .data_count = 1});

  /* least time to a given point; the final speed is free */
  int x_end = gradyn_custom_functional(
      model, &(gradyn_custom_functional_spec){"x_end", "m", .terminal = end_x});
  int y_end = gradyn_custom_functional(
      model, &(gradyn_custom_functional_spec){"y_end", "m", .terminal = end_y});
  gradyn_minimise(model, gradyn_end_time_functional(model, "time"), 1);
  gradyn_constrain(model, x_end, 10, 10, 1e-7);
  gradyn_constrain(model, y_end, 5, 5, 1e-7);
  return gradyn_build_status(model);
}

GRADYN_PROBLEM(brachistochrone, .summary = "Path of quickest descent, a cycloid",
               .reference = "Bernoulli (1696); closed form", .params = params, .settings = settings,
               .setting_count = GRADYN_COUNT(settings), .build = build, .rtol = 1e-9);
