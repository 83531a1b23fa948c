/* A hang glider flies as far as possible through a thermal, between given heights and speeds. */
#include <gradyn/gradyn.h>

enum { T, LIFT }; /* LIFT: the first of `knots` parameters */
enum { X, Y, VX, VY };

static const gradyn_param params[] = {
    [T] = {"T", "s", .init = 100, .lower = 10, .upper = 200, .scale = 100, .role = GRADYN_TIME},
    [LIFT] = {"lift", "", .init = 1, .lower = 0, .upper = 1.4, .scale = 1, .role = GRADYN_CONTROL,
              .count_from = "knots"},
};
static const gradyn_setting settings[] = {{"knots", "of the coefficient of lift", 21, 2, 1000}};

/* Boundary conditions: velocities at both ends, height at the end. */
static const double speed_x = 13.23, speed_y = -1.288, low = 900;

static gradyn_status motion(const gradyn_at *at, gradyn_scalar F[])
{
  const double mass = 100, gravity = 9.80665, area = 14, density = 1.13;
  const double updraft = 2.5, radius = 100, drag_least = 0.034, drag_by_lift = 0.069662;
  const gradyn_scalar c = at->u[1], vx = at->y[VX];
  /* r = 0 in the centre of the thermal, at 2.5 radii */
  const gradyn_scalar off = at->y[X] / radius - 2.5, r = off * off;
  const gradyn_scalar w = at->y[VY] - updraft * (1 - r) * exp(-r), v = sqrt(vx * vx + w * w);
  const gradyn_scalar lift = c * density * area * v / 2;
  const gradyn_scalar drag = (drag_least + drag_by_lift * c * c) * density * area * v / 2;
  F[X] = at->yp[X] - vx;
  F[Y] = at->yp[Y] - at->y[VY];
  F[VX] = at->yp[VX] - (-lift * w - drag * vx) / mass;
  F[VY] = at->yp[VY] - ((lift * vx - drag * w) / mass - gravity);
  return GRADYN_OK;
}

static gradyn_status state(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->y[*(const int *)at->user];
  return GRADYN_OK;
}

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  static const int number[] = {X, Y, VX, VY};
  static const char *const name[] = {"x", "y", "vx", "vy"},
                           *const unit[] = {"m", "m", "m/s", "m/s"},
                           *const end[] = {"x_end", "y_end", "vx_end", "vy_end"};
  const double first[] = {0, 1000, speed_x, speed_y}, last[] = {1250, low, speed_x, speed_y};
  gradyn_end_time(model, rho[T]);
  gradyn_signal(model, &(gradyn_signal_spec){"lift", "", GRADYN_PIECEWISE_LINEAR,
                                             .count = gradyn_setting_value(model, "knots"),
                                             .knots = &rho[LIFT]});
  for (int i = X; i <= VY; i++)
    gradyn_state(model, name[i], unit[i], first[i]);
  gradyn_equations(model, &(gradyn_equations_spec){.residual = motion});
  for (int i = X; i <= VY; i++) {
    const int f = gradyn_custom_functional(
        model, &(gradyn_custom_functional_spec){
                   .name = end[i], .unit = unit[i], .terminal = state, .user = (void *)&number[i]});
    if (i == X)
      gradyn_minimise(model, f, -1);
    else
      gradyn_constrain(model, f, last[i], last[i], 1e-7);
  }
  return gradyn_build_status(model);
}

GRADYN_PROBLEM(hang_glider, .summary = "Hang glider that flies as far as it can",
               .reference = "Bulirsch, Nerz, Pesch and von Stryk (1993)", .params = params,
               .settings = settings, .setting_count = GRADYN_COUNT(settings), .build = build,
               .rtol = 1e-10);
