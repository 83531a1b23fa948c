/* Problems of version 0.2, whose ids count from 0, and so do the arrays of callbacks that they index. */
#include "tests/declare.h"
#include "tests/runs.h"

#include <complex.h>

static const gradyn_param params[] = {{"u", "N", .init = 2, GRADYN_UNBOUNDED}};

/* --- a mechanism --------------------------------------------------------------------------------- */

static struct {
  int p, q, rod, u;
} id;

/* Each array by its numbers. */
static gradyn_status from_0(const gradyn_at *at, gradyn_scalar *value)
{
  assert_true(at->first_point == 0 && at->first_constraint == 0);
  *value = at->pos[2 * id.q] + 2 * at->vel[2 * id.q] + 3 * at->acc[2 * id.q] +
           10 * at->lam[id.rod] + 100 * at->u[id.u];
  return GRADYN_OK;
}

/* A force that reads a list of points, and a signal. */
static gradyn_status listed_from_0(const gradyn_at *at, gradyn_scalar force[])
{
  force[0] = at->u[0] - at->vel[0];
  return GRADYN_OK;
}

FORMULA(listed_place, at->pos[0])

static bool late; /* an element with a member .signal is declared after a signal */

/* Functionals that read all arrays by ids, and measures of the same quantities. */
static void see_from_0(gradyn_model *m)
{
  const gradyn_measure_id of[] = {gradyn_measure_point(m, "x", id.q, 0, GRADYN_X),
                                  gradyn_measure_point(m, "v", id.q, 1, GRADYN_X),
                                  gradyn_measure_point(m, "a", id.q, 2, GRADYN_X),
                                  gradyn_measure_multiplier(m, "lambda", id.rod),
                                  gradyn_measure_signal(m, "push", id.u)};
  declare_end(m, "end", "", from_0);
  for (int k = 0; k < (int)GRADYN_COUNT(of); k++)
    gradyn_functional(m, &(gradyn_functional_spec){gradyn_format_name(m, "%d", k), of[k],
                                                   .reduction = GRADYN_AT_END});
  gradyn_custom_functional(m,
                           &(gradyn_custom_functional_spec){"listed", "m", .terminal = listed_place,
                                                            .points = &id.q, .point_count = 1});
}

static gradyn_status counts_from_0(gradyn_model *m, const gradyn_scalar rho[])
{
  const gradyn_scalar knots[] = {rho[0], 3};
  id.p = gradyn_ground_point(m, "P", 0, 0);
  id.q = gradyn_point(m, "Q", 2, 0);
  id.rod = gradyn_rod(m, &(gradyn_rod_spec){"rod", id.p, id.q, .mass = 1});
  gradyn_gravity(m, 0, -9.81);
  id.u = declare_signal(m, "u", "N", GRADYN_PIECEWISE_LINEAR, 2, knots);
  declare_force(m, "force", id.q, listed_from_0, NULL, 0);
  assert_true(id.p == 0 && id.q == 1 && id.rod == 0 && id.u == 0);
  see_from_0(m);
  if (late)
    gradyn_force(m, &(gradyn_force_spec){.name = "push", .point = id.q, .fx = 1});
  return gradyn_build_status(m);
}

TEST(mechanisms_of_0_2_count_from_0)
{
  enum { FUNCTIONALS = 7 };
  static const gradyn_problem problem = PROBLEM("from-0", counts_from_0, params, .t_end = 0.1,
                                                .ids_from_0 = true);
  static const double weight[] = {1, 2, 3, 10, 100};
  late = false;
  for (size_t i = 0; i < GRADYN_COUNT(run_methods); i++) {
    double psi[FUNCTIONALS], slope[FUNCTIONALS], sum = 0, by = 0;
    run_local *ev = run_with(&problem, .method = run_methods[i]);
    assert_run(gradyn_evaluator_gradient(ev, (double[]){2}, psi, slope), ev);
    for (size_t k = 0; k < GRADYN_COUNT(weight); k++) {
      sum += weight[k] * psi[1 + k];
      by += weight[k] * slope[1 + k];
    }
    assert_close(psi[0], sum, 1e-9, 1e-9);
    assert_close(slope[0], by, 1e-6, 1e-6);
    assert_close(psi[6], psi[1], 0, 0);
  }
}

/* In members .signal, 0 may mean none or the first signal. Such declarations are refused, since the present
 * version interprets them differently. */
TEST(members_without_a_clear_meaning_are_refused)
{
  static const gradyn_problem problem = PROBLEM("from-0", counts_from_0, params, .t_end = 0.1,
                                                .ids_from_0 = true);
  late = true;
  assert_no_run(GRADYN_INVALID, "push: .signal is 0, and numbers of signals count from 0",
                .problem = &problem);
}

/* --- general equations ---------------------------------------------------------------------------- */

FORMULAS(flow_from_0, at->yp[0] + at->y[0] - at->u[0], at->yp[1] - at->y[0])
FORMULA(second_state, at->y[1] + at->u[0])

static gradyn_status equations_from_0(gradyn_model *m, const gradyn_scalar rho[])
{
  const int u = declare_signal(m, "u", "", GRADYN_PIECEWISE_CONSTANT, 1, rho);
  const int x = gradyn_state(m, "x", "", 0), y = gradyn_state(m, "y", "", 0);
  assert_true(u == 0 && x == 0 && y == 1);
  declare_equations(m, flow_from_0, NULL, 0);
  gradyn_custom_functional(m, &(gradyn_custom_functional_spec){"y", "", .terminal = second_state,
                                                               .reads = &y, .read_count = 1});
  return gradyn_build_status(m);
}

/* x = u (1 - exp(-t)), y = u (t - 1 + exp(-t)). */
TEST(equations_of_0_2_count_from_0)
{
  static const gradyn_problem problem = PROBLEM("from-0", equations_from_0, params, .t_end = 1,
                                                .ids_from_0 = true);
  double psi, slope;
  run_local *ev = run_with(&problem, .method = "explicit", .rtol = 1e-11);
  assert_run(gradyn_evaluator_gradient(ev, (double[]){2}, &psi, &slope), ev);
  assert_close(psi, 2 * (1 + exp(-1)), 1e-9, 0);
  assert_close(slope, 1 + exp(-1), 1e-9, 0);
}
