/* The cart and its pole. */
#include <gradyn/gradyn.h>

#include "tests/optim/segments/pole.h"
#include "tests/support.h"
#include "tests/declare.h"

enum { KNOTS = 21, STATES = 4 };

static const gradyn_param params[] = {
    {"u", "N", .lower = -20, .upper = 20, .scale = 8, .role = GRADYN_CONTROL, .count = KNOTS}};

static gradyn_status rates(const gradyn_at *at, gradyn_scalar F[])
{
  const double cart = 1, bob = 0.3, l = 0.5, g = 9.81;
  const gradyn_scalar *y = at->y, u = at->u[1];
  const gradyn_scalar s = sin(y[1]), c = cos(y[1]), D = cart + bob * s * s;
  F[0] = at->yp[0] - y[2];
  F[1] = at->yp[1] - y[3];
  F[2] = at->yp[2] - (l * bob * s * y[3] * y[3] + u + bob * g * c * s) / D;
  F[3] = at->yp[3] + (l * bob * c * s * y[3] * y[3] + u * c + (cart + bob) * g * s) / (l * D);
  return GRADYN_OK;
}

FORMULA(effort, at->u[1] * at->u[1])

FORMULA(state, at->y[*(const int *)at->user - 1])

static gradyn_status declare(gradyn_model *model, const gradyn_scalar rho[], bool short_track)
{
  static const int number[STATES] = {1, 2, 3, 4};
  static const double goal[STATES] = {1, 3.14159265358979323846, 0, 0};
  static const char *const name[STATES] = {"x", "angle", "v", "omega"}, *const end[STATES] = {
                                                                            "x_end", "angle_end",
                                                                            "v_end", "omega_end"};
  declare_signal(model, "force", "N", GRADYN_PIECEWISE_LINEAR, KNOTS, rho);
  for (int i = 0; i < STATES; i++)
    gradyn_state(model, name[i], "", 0);
  declare_equations(model, rates, NULL, 0);
  const gradyn_custom_functional_spec track = {
      .name = "track_ends", .unit = "", .integrand = state, .user = (void *)&number[0]};
  if (short_track)
    declare_limit(model, &track, -0.05, 1.05, 1e-7);
  for (int i = 0; i < STATES; i++) {
    const int f = gradyn_custom_functional(
        model, &(gradyn_custom_functional_spec){.name = end[i],
                                                .unit = "",
                                                .terminal = state,
                                                .user = (void *)&number[i],
                                                .reads = &number[i],
                                                .read_count = 1});
    gradyn_constrain(model, f, goal[i], goal[i], 1e-8);
  }
  gradyn_minimise(model, declare_integral(model, "effort", "N^2 s", effort), 1);
  return gradyn_build_status(model);
}

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  return declare(model, rho, false);
}

static gradyn_status build_on_short_track(gradyn_model *model, const gradyn_scalar rho[])
{
  return declare(model, rho, true);
}

const gradyn_problem pole_problem = PROBLEM("pole", build, params, .t_end = 2);

const gradyn_problem pole_problem_on_short_track = PROBLEM(
    "pole_on_short_track", build_on_short_track, params, .t_end = 2);
