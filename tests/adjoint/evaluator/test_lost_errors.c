/* No failure of a user's function is ignored in a gradient: for each call that fails, the gradient ends
 * with the status of this call. If the index of the failing call is outside of the range of calls, the
 * result is unchanged. */
#include <gradyn/gradyn.h>

#include "tests/adjoint/evaluator/losing.h"
#include "tests/support.h"
#include "tests/declare.h"

enum { GAIN, LENGTH, DURATION, PARAMETERS };

static const gradyn_param params[PARAMETERS] = {{"gain", "N/m", .init = 2, GRADYN_UNBOUNDED},
                                                {"length", "m", .init = 1, GRADYN_UNBOUNDED},
                                                {"duration", "s", .init = 0.02, GRADYN_UNBOUNDED}};

LOSING(pull, -at->data[0] * at->pos[0] * at->pos[0], sin(at->t) - at->vel[1])

LOSING(speed, at->vel[4] * at->vel[4] + at->vel[5] * at->vel[5])

LOSING(height, at->pos[5] * at->pos[4])

static gradyn_status mechanism(gradyn_model *model, const gradyn_scalar rho[])
{
  gradyn_end_time(model, rho[DURATION]);
  int A = gradyn_ground_point(model, "A", 0, 0), P = gradyn_point(model, "P", 1, 0.1);
  const gradyn_datum gain = {"gain", "N/m", rho[GAIN]};
  gradyn_rod(model, &(gradyn_rod_spec){"bar", A, P, .length = rho[LENGTH], .mass = 1});
  gradyn_point_mass(model, "m", P, 1);
  gradyn_gravity(model, 0, -9.81);
  declare_force(model, "pull", P, pull, &gain, 1);
  declare_integral(model, "speed", "", speed);
  declare_end(model, "height", "", height);
  gradyn_custom_functional(
      model, &(gradyn_custom_functional_spec){"both", "", .integrand = height, .terminal = speed});
  return gradyn_build_status(model);
}

LOSING(flow, at->yp[0] + at->data[0] * at->y[0] * at->y[0] - at->y[1] * sin(at->t),
       at->y[1] - at->data[1] * at->y[0] - at->u[1])

LOSING(square, at->y[0] * at->y[1])

static gradyn_status equations(gradyn_model *model, const gradyn_scalar rho[])
{
  gradyn_end_time(model, rho[DURATION]);
  const gradyn_datum data[] = {{"gain", "", rho[GAIN]}, {"length", "", rho[LENGTH]}};
  const gradyn_scalar knots[] = {0.1, 0.2, 0.1};
  gradyn_signal(model,
                &(gradyn_signal_spec){"u", "", GRADYN_PIECEWISE_LINEAR, 3, knots, .times = NULL});
  gradyn_state(model, "x", "", 1);
  gradyn_algebraic_state(model, "z", "", 1);
  declare_equations(model, flow, data, 2);
  declare_integral(model, "s", "", square);
  declare_end(model, "e", "", square);
  gradyn_custom_functional(
      model, &(gradyn_custom_functional_spec){"b", "", .integrand = square, .terminal = square});
  return gradyn_build_status(model);
}

TEST(gradients_of_mechanisms)
{
  static const char *const way[][2] = {
      {"ali3p", "adjoint"},       {"ali3p", "direct"},       {"ali3p", "continuous-adjoint"},
      {"variational", "adjoint"}, {"variational", "direct"}, {"explicit", "adjoint"},
      {"explicit", "direct"},     {"idas", "adjoint"},       {"idas", "direct"}};
  for (size_t k = 0; k < GRADYN_COUNT(way); k++)
    losing_nothing(mechanism, params, PARAMETERS, way[k], way[k][0][0] == 'i' ? 0 : 5e-3,
                   losing_gradient, 1500);
}

TEST(gradients_of_equations)
{
  static const char *const way[][2] = {
      {"explicit", "adjoint"}, {"explicit", "direct"}, {"idas", "adjoint"}, {"idas", "direct"}};
  for (size_t k = 0; k < GRADYN_COUNT(way); k++)
    losing_nothing(equations, params, PARAMETERS, way[k], 0, losing_gradient, 1500);
}
