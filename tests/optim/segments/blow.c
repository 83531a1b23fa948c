/* Equations whose solutions do not reach the end time. */
#include <gradyn/gradyn.h>

#include "tests/optim/segments/blow.h"
#include "tests/support.h"
#include "tests/declare.h"

static const gradyn_param params[] = {
    {"u", "", .lower = -50, .upper = 50, .scale = 1, .role = GRADYN_CONTROL, .count = BLOW_KNOTS}};

FORMULA(blow_rates, at->yp[0] - at->y[0] * at->y[0] + at->u[1])

FORMULA(effort, at->u[1] * at->u[1])

FORMULA(state, at->y[0])

static gradyn_status build_blow(gradyn_model *model, const gradyn_scalar rho[])
{
  static const double end = 0.5;
  declare_signal(model, "u", "", GRADYN_PIECEWISE_LINEAR, BLOW_KNOTS, rho);
  gradyn_state(model, "y", "", 1);
  declare_equations(model, blow_rates, NULL, 0);
  gradyn_guess(model, "y", &end, 1);
  const int y_end = declare_end(model, "y_end", "", state);
  gradyn_constrain(model, y_end, end, end, 1e-8);
  gradyn_minimise(model, declare_integral(model, "effort", "", effort), 1);
  return gradyn_build_status(model);
}

FORMULAS(growth_rates, at->yp[0] - 3 * at->y[0] + at->u[1], at->yp[1] - at->y[1])

/* Two states: the guess of y passes 2 in the middle and ends at 1; z has no guess. */
static gradyn_status build_growth(gradyn_model *model, const gradyn_scalar rho[])
{
  static const double way[2] = {2, 1};
  declare_signal(model, "u", "", GRADYN_PIECEWISE_LINEAR, BLOW_KNOTS, rho);
  gradyn_state(model, "y", "m", 1);
  gradyn_state(model, "z", "", 1);
  declare_equations(model, growth_rates, NULL, 0);
  gradyn_guess(model, "y", way, 2);
  gradyn_minimise(model, declare_integral(model, "effort", "", effort), 1);
  return gradyn_build_status(model);
}

const gradyn_problem blow_problem = PROBLEM("blow", build_blow, params, .t_end = 2.5);
const gradyn_problem growth_problem = PROBLEM("growth", build_growth, params, .t_end = 2);
