/* States between steps in trajectories of the explicit method: order of their errors, constraints, and the
 * requested accuracy. */
#include "core/linear/norm.h"
#include "tests/adjoint/ali3p_models.h"
#include "tests/declare.h"

/* --- an oscillator whose stiffness is found from an equation ---------------------------------------- */

static gradyn_status oscillator(const gradyn_at *at, gradyn_scalar F[])
{
  const gradyn_scalar u = at->y[0], v = at->y[1], k = at->y[2];
  F[0] = at->yp[0] - v;
  F[1] = at->yp[1] + k * u - at->t;
  F[2] = k - 4 - u * u; /* k = 4 + u^2 */
  return GRADYN_OK;
}

static gradyn_status build_oscillator(gradyn_model *m, const gradyn_scalar rho[])
{
  gradyn_state(m, "u", "m", rho[0]);
  gradyn_state(m, "v", "m/s", 0);
  gradyn_algebraic_state(m, "k", "1/s^2", 5);
  declare_equations(m, oscillator, NULL, 0);
  return gradyn_build_status(m);
}

static const gradyn_param start[] = {{"u0", "m", .init = 1.2, GRADYN_UNBOUNDED}};
static const gradyn_problem equations = PROBLEM("oscillator", build_oscillator, start, .t_end = 2);

/* --- paths ---------------------------------------------------------------------------------------- */

/* A trajectory at the initial parameters, with its columns. */
typedef struct path {
  gradyn_trajectory *trajectory;
  size_t rows, columns;
} path;

static path run(const run_setup *setup)
{
  path p = {.trajectory = gradyn_trajectory_create()};
  run_local *ev = ali3p_open(setup);
  double rho[256];
  run_initial(ev, rho);
  assert_run(gradyn_evaluator_simulate(ev, rho, NULL, p.trajectory), ev);
  p.rows = gradyn_trajectory_read(p.trajectory).steps;
  p.columns = gradyn_trajectory_read(p.trajectory).columns;
  assert_in_range(p.columns, 1, 200);
  return p;
}

/* The largest difference of two rows, relative to the size of the quantity. */
static double row_error(const double *row, const double *exact, size_t columns)
{
  double worst = 0;
  for (size_t j = 0; j < columns; j++)
    worst = fmax(worst, fabs(row[j] - exact[j]) / (1 + gradyn_largest(exact, (int)columns)));
  return worst;
}

/* Largest errors inside steps and at their ends, against a path that has rows at all of these times. */
static void errors(const path *p, const path *exact, double *inside, double *ends)
{
  double row[200], other[200];
  *inside = *ends = 0;
  size_t k = 0;
  for (size_t i = 0; i < p->rows; i++) {
    const double t = gradyn_trajectory_step(p->trajectory, i, row);
    while (k + 1 < exact->rows && gradyn_trajectory_step(exact->trajectory, k, other) < t - 1e-9)
      k++;
    assert_true(fabs(gradyn_trajectory_step(exact->trajectory, k, other) - t) < 1e-9);
    double *worst = i % 8 == 0 ? ends : inside;
    *worst = fmax(*worst, row_error(row, other, p->columns));
  }
}

/* With half the step, errors between steps must decrease with the order of the method, as at the ends of
 * steps. */
static void converges(const gradyn_problem *problem, double step, double t_end, int order)
{
  run_setup setup = {
      .problem = problem, .method = "explicit", .step = step / 8, .t_end = t_end, .order = 8};
  double inside[2], ends[2];
  path exact = run(&setup);
  setup.order = order;
  for (int k = 0; k < 2; k++) {
    setup.step = step / (k + 1);
    path p = run(&setup);
    assert_int_equal((p.rows - 1) % 8, 0);
    errors(&p, &exact, &inside[k], &ends[k]);
    gradyn_trajectory_free(p.trajectory);
  }
  gradyn_trajectory_free(exact.trajectory);
  print_message("%s, order %d: errors inside %.2g, %.2g (%.2f), at ends %.2g, %.2g\n",
                problem->name, order, inside[0], inside[1], log2(inside[0] / inside[1]), ends[0],
                ends[1]);
  assert_true(inside[1] > 1e-13); /* above round-off */
  assert_true(log2(inside[0] / inside[1]) > order - 1);
  assert_true(inside[1] < 30 * ends[1]);
}

TEST(states_between_steps_have_the_order)
{
  converges(&gradyn_problem_five_bar, 0.125, 1, 8);
  converges(&gradyn_problem_five_bar, 0.0625, 1, 5);
  converges(&ali3p_attached, 0.1, 1, 8);
  converges(&ali3p_attached, 0.05, 1, 5);
  converges(&equations, 0.25, 2, 8);
  converges(&equations, 0.125, 2, 5);
}

/* With error control: states near the middle of steps, where errors are largest, against tight runs that
 * end there. */
static void places_are_as_exact_as_asked(const gradyn_problem *problem, int order, double rtol)
{
  run_setup setup = {
      .problem = problem, .method = "explicit", .rtol = rtol, .order = order, .t_end = 1.5};
  double row[200], exact[200], worst = 0;
  path p = run(&setup);
  setup.order = 8;
  setup.rtol = 1e-13;
  for (size_t i = 3; i < p.rows; i += 8 * (p.rows / 64) + 1) {
    setup.t_end = gradyn_trajectory_step(p.trajectory, i, row);
    path q = run(&setup);
    gradyn_trajectory_step(q.trajectory, q.rows - 1, exact);
    gradyn_trajectory_free(q.trajectory);
    worst = fmax(worst, row_error(row, exact, p.columns));
  }
  gradyn_trajectory_free(p.trajectory);
  print_message("%s, order %d, rtol %.0e: %zu rows, error %.2g\n", problem->name, order, rtol,
                p.rows, worst);
  assert_true(worst <= rtol);
}

TEST(tolerances_hold_inside)
{
  static const double rtol[] = {1e-4, 1e-7, 1e-10};
  for (size_t k = 0; k < GRADYN_COUNT(rtol); k++)
    for (int order = 5; order <= 8; order += 3) {
      places_are_as_exact_as_asked(&gradyn_problem_five_bar, order, rtol[k]);
      places_are_as_exact_as_asked(&ali3p_attached, order, rtol[k]);
      places_are_as_exact_as_asked(&equations, order, rtol[k]);
    }
}
