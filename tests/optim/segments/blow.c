/* Equations whose motions do not come to their end. */
#include <gradyn/gradyn.h>

#include "tests/optim/segments/blow.h"
#include "tests/support.h"

static const gradyn_param params[] = {
    {"u", "", .lower = -50, .upper = 50, .scale = 1, .role = GRADYN_CONTROL, .count = BLOW_KNOTS}};

FORMULA(blow_rates, at->yp[0] - at->y[0] * at->y[0] + at->u[0])

FORMULA(effort, at->u[0] * at->u[0])

FORMULA(state, at->y[0])

static gradyn_status build_blow(gradyn_model *model, const gradyn_scalar rho[])
{
  static const double end = 0.5;
  gradyn_signal(model, &(gradyn_signal_spec){"u", "", GRADYN_PIECEWISE_LINEAR, .count = BLOW_KNOTS,
                                             .knots = rho});
  gradyn_state(model, "y", "", 1);
  gradyn_equations(model, &(gradyn_equations_spec){.residual = blow_rates});
  gradyn_guess(model, "y", &end, 1);
  const int y_end = gradyn_custom_functional(
      model, &(gradyn_custom_functional_spec){.name = "y_end", .unit = "", .terminal = state});
  gradyn_require_equal(model, y_end, end, 1e-8);
  gradyn_minimise(model, gradyn_custom_functional(
                             model, &(gradyn_custom_functional_spec){
                                        .name = "effort", .unit = "", .integrand = effort}));
  return gradyn_built(model);
}

FORMULAS(growth_rates, at->yp[0] - 3 * at->y[0] + at->u[0], at->yp[1] - at->y[1])

/* Two values: y passes 2 in the middle and ends at 1; z has no guess. */
static gradyn_status build_growth(gradyn_model *model, const gradyn_scalar rho[])
{
  static const double way[2] = {2, 1};
  gradyn_signal(model, &(gradyn_signal_spec){"u", "", GRADYN_PIECEWISE_LINEAR, .count = BLOW_KNOTS,
                                             .knots = rho});
  gradyn_state(model, "y", "m", 1);
  gradyn_state(model, "z", "", 1);
  gradyn_equations(model, &(gradyn_equations_spec){.residual = growth_rates});
  gradyn_guess(model, "y", way, 2);
  gradyn_minimise(model, gradyn_custom_functional(
                             model, &(gradyn_custom_functional_spec){
                                        .name = "effort", .unit = "", .integrand = effort}));
  return gradyn_built(model);
}

const gradyn_problem blow_problem = PROBLEM("blow", build_blow, params, .t_end = 2.5);
const gradyn_problem growth_problem = PROBLEM("growth", build_growth, params, .t_end = 2);
