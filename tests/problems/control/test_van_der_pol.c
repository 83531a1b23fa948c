/* Van der Pol's oscillator with a path constraint, which must hold throughout the run. The optimum is only
 * slightly above that of the same problem with the constraint at a hundred time points, which is a
 * relaxation. */
#include "tests/runs.h"
#include "tests/declare.h"

extern const gradyn_problem gradyn_problem_van_der_pol;

enum { N = 20, INSTANTS = 100, COST = 0, UNDER };
static const double limit = -0.25;

static gradyn_status motion(const gradyn_at *at, gradyn_scalar F[])
{
  const gradyn_scalar x = at->y[0], y = at->y[1];
  F[0] = at->yp[0] - ((1 - y * y) * x - y + at->u[1]);
  F[1] = at->yp[1] - x;
  return GRADYN_OK;
}

FORMULA(distance, at->y[0] * at->y[0] + at->y[1] * at->y[1] + at->u[1] * at->u[1])
FORMULA(rate, at->y[0])

static const gradyn_param params[] = {
    {"u", "", .init = 0, .lower = -1, .upper = 1, .role = GRADYN_CONTROL, .count = N},
};

static gradyn_status build_relaxed(gradyn_model *m, const gradyn_scalar rho[])
{
  declare_signal(m, "u", "", GRADYN_PIECEWISE_CONSTANT, N, rho);
  gradyn_state(m, "x", "", 0);
  gradyn_state(m, "y", "", 1);
  declare_equations(m, motion, NULL, 0);
  gradyn_minimise(m, declare_integral(m, "cost", "s", distance), 1);
  for (int k = 1; k < INSTANTS; k++)
    gradyn_constrain(
        m,
        gradyn_custom_functional(
            m, &(gradyn_custom_functional_spec){gradyn_format_name(m, "rate%d", k), "",
                                                .terminal = rate, .instant = 10.0 * k / INSTANTS}),
        limit, INFINITY, 1e-7);
  return gradyn_build_status(m);
}

static const gradyn_problem relaxed = PROBLEM("relaxed", build_relaxed, params, .t_end = 10,
                                              .rtol = 1e-9);

static gradyn_search_result search_from(gradyn_evaluator *ev, double rho[])
{
  gradyn_search_result result;
  gradyn_search search = run_search(ev);
  assert_ok(gradyn_optimise(ev, &search, rho, &result), result.reason);
  memcpy(rho, result.rho, N * sizeof *rho);
  return result;
}

TEST(the_optimum_is_just_above_that_of_a_relaxation)
{
  double rho[N];
  run_local *ev = run_with(&gradyn_problem_van_der_pol, .rtol = 1e-9),
            *less = run_with(&relaxed, .rtol = 1e-9);
  run_initial(ev, rho);
  LOCAL(gradyn_search_result) result = search_from(ev, rho), below;
  assert_true(result.violation <= 1 && result.psi[UNDER] <= 1e-6 && result.rounds > 2);
  OWNED(gradyn_trajectory) *trajectory = gradyn_trajectory_create();
  assert_run(gradyn_evaluator_simulate(ev, result.rho, NULL, trajectory), ev);
  for (int k = 0; k <= 1000; k++) {
    double row[2];
    gradyn_trajectory_sample(trajectory, k / 100.0, row);
    assert_true(row[0] >= limit - 1.1e-6);
  }
  below = search_from(less, rho);
  assert_true(below.objective < result.objective * (1 + 1e-7));
  assert_close(below.objective, result.objective, 1e-3, 0);
}
