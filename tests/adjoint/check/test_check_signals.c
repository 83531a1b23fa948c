/* The check of general equations with signals. Derivatives with respect to knots include those through the
 * signals; derivatives with respect to time include the slopes of the signals. Both are compared. */
#include "problems/builtin.h"
#include "tests/adjoint/checked.h"
#include "tests/support.h"
#include "tests/declare.h"

enum { GAIN, KNOT, DURATION, PARAMETERS };

static const gradyn_param params[PARAMETERS] = {{"gain", "", .init = 2, GRADYN_UNBOUNDED},
                                                {"knot", "", .init = 0.4, GRADYN_UNBOUNDED},
                                                {"duration", "s", .init = 1.3, GRADYN_UNBOUNDED}};

FORMULAS(flow, at->yp[0] + at->data[0] * at->y[0] - at->u[1] * at->u[1] * at->y[1],
         at->yp[1] + at->y[0] - at->u[2] * sin(at->t))

FORMULA(effort, at->u[1] * at->u[1] + at->y[0] * at->u[2])

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  const gradyn_scalar linear[] = {0.3, rho[KNOT], 0.1}, smooth[] = {1, 2 * rho[KNOT], 0.5, 0.7};
  const gradyn_datum gain = {"gain", "", rho[GAIN]};
  gradyn_end_time(model, rho[DURATION]);
  declare_signal(model, "u", "", GRADYN_PIECEWISE_LINEAR, 3, linear);
  declare_signal(model, "w", "", GRADYN_CUBIC_SPLINE, 4, smooth);
  gradyn_state(model, "x", "", 1);
  gradyn_state(model, "y", "", 0.5);
  declare_equations(model, flow, &gain, 1);
  declare_integral(model, "e", "", effort);
  return gradyn_build_status(model);
}

TEST(signals_of_equations_are_checked)
{
  static const char *const wanted[] = {"dF/dx by datum and by signal", "dF/dt at a fixed state",
                                       "dF/dx in a direction"};
  const gradyn_problem problem = PROBLEM("signals", build, params, .t_end = 1);
  checked out;
  checked_problem(&problem, NULL, false, &out);
  for (size_t w = 0; w < GRADYN_COUNT(wanted); w++) {
    const gradyn_check_item *item = checked_find(&out, wanted[w], NULL);
    if (!item || !(item->error > 0))
      fail_msg("nothing was compared for '%s'", wanted[w]);
  }
}

/* A spline interpolates zeros. A weight changes three of its curvatures; it changes the others by round-off
 * only. */
enum { SPLINES = 5, KNOTS = SPLINES + 4 };
static const gradyn_param weights[] = {
    {"weight", "", GRADYN_UNBOUNDED, .scale = 0.3, .count = SPLINES}};

FORMULA(follow, at->yp[0] + at->y[0] - 1 - at->u[1])
FORMULA(square, at->y[0] * at->y[0])

static gradyn_status build_splines(gradyn_model *model, const gradyn_scalar rho[])
{
  gradyn_scalar knots[KNOTS] = {0};
  for (int k = 0; k < SPLINES; k++)
    for (int i = 1; i <= 3; i++)
      knots[k + i] += (i == 2 ? 4 : 1) * rho[k] / 6;
  declare_signal(model, "u", "", GRADYN_CUBIC_SPLINE, KNOTS, knots);
  gradyn_state(model, "x", "", 1);
  declare_equations(model, follow, NULL, 0);
  declare_integral(model, "e", "", square);
  return gradyn_build_status(model);
}

TEST(curvatures_that_do_not_change_are_right)
{
  const gradyn_problem problem = PROBLEM("splines", build_splines, weights, .t_end = 1);
  checked out;
  checked_problem(&problem, NULL, false, &out);
}

/* Robertson's kinetics at a time before the fast species has reached its quasi-steady size. */
THOROUGH_TEST(a_quick_start_is_right)
{
  static const double t_end[] = {0.02, 1e-4};
  for (size_t i = 0; i < GRADYN_COUNT(t_end); i++) {
    gradyn_problem problem = gradyn_problem_robertson;
    checked out;
    if (!support_takes((int)i + 1, 2))
      continue;
    problem.t_end = t_end[i];
    checked_problem(&problem, NULL, false, &out);
    assert_true(out.count > 10);
  }
}
