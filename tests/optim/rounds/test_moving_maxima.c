/* Path constraints whose maxima are equal, or leave the windows in which they were found. */
#include "tests/runs.h"
#include "tests/declare.h"

#include <complex.h>

#include "optim/rounds/halving.h"

enum { A, B, NUMBERS };
static const gradyn_param params[] = {
    [A] = {"a", "", .init = 0.3, .lower = -3, .upper = 3},
    [B] = {"b", "", .init = 1.5, .lower = -3, .upper = 3},
};

/* a and b are constant; the input is zero, with a knot at each quarter of the run. */
FORMULAS(rest, at->yp[0] - at->u[1], at->yp[1] - at->u[1])

/* --- Two equal maxima in one window ------------------------------------------------------------- */

/* Two maxima in the first quarter, of the heights a and b. */
FORMULA(humps, at->y[creal(at->t) > 0.125 ? 1 : 0] * csin(8 * acos(-1) * at->t) *
                   csin(8 * acos(-1) * at->t))

FORMULA(distance, (at->y[0] - 2) * (at->y[0] - 2) + (at->y[1] - 3) * (at->y[1] - 3))

/* --- A maximum that leaves its window ----------------------------------------------------------- */

/* A parabola with the maximum b at time a. */
FORMULA(parabola, at->y[1] - 10 * (at->t - at->y[0]) * (at->t - at->y[0]))

FORMULA(late, (at->y[0] - 0.85) * (at->y[0] - 0.85) + (at->y[1] - 1) * (at->y[1] - 1))

/* --- Their searches ----------------------------------------------------------------------------- */

static gradyn_status declare(gradyn_model *m, const gradyn_scalar rho[],
                             gradyn_functional_fn height, double bound, gradyn_functional_fn cost)
{
  const gradyn_scalar zero[5] = {0};
  declare_signal(m, "u", "", GRADYN_PIECEWISE_LINEAR, 5, zero);
  gradyn_state(m, "a", "", rho[A]);
  gradyn_state(m, "b", "", rho[B]);
  declare_equations(m, rest, NULL, 0);
  declare_limit(m, &(gradyn_custom_functional_spec){"height", "", .integrand = height}, -HUGE_VAL,
                bound, 1e-7);
  gradyn_minimise(m, declare_end(m, "cost", "", cost), 1);
  return gradyn_build_status(m);
}

static gradyn_status build_humps(gradyn_model *m, const gradyn_scalar rho[])
{
  return declare(m, rho, humps, 1, distance);
}

static gradyn_status build_parabola(gradyn_model *m, const gradyn_scalar rho[])
{
  return declare(m, rho, parabola, 0, late);
}

static const gradyn_problem two_humps = PROBLEM("humps", build_humps, params, .t_end = 1),
                            one_parabola = PROBLEM("parabola", build_parabola, params, .t_end = 1);

/* A method; step > 0: fixed steps. */
typedef struct way {
  const char *method;
  double step;
} way;

/* With fixed steps, maxima between nodes are those of parabolas through three nodes. */
static void find(const gradyn_problem *problem, const char *algorithm, long segments, way by,
                 const double expected[])
{
  double rho[NUMBERS];
  LOCAL(gradyn_search_result) result;
  run_local *ev = run_with(problem, .method = by.method, .rtol = by.step > 0 ? -1 : 1e-9,
                           .step = by.step);
  run_initial(ev, rho);
  gradyn_search search = run_search(ev);
  search.algorithm = algorithm;
  search.segments = segments;
  search.ftol = search.xtol =
      1e-14; /* near the minimum of a square the objective changes by less */
  assert_ok(gradyn_optimise(ev, &search, rho, &result), result.reason);
  assert_says(result.reason, "path constraints: satisfied throughout the run");
  assert_close_array(result.rho, expected, NUMBERS, 0, by.step > 0 ? 1e-4 : 1e-6);
}

static void find_both(const char *algorithm, long segments, way by)
{
  static const double equal[] = {1, 1}, left[] = {0.85, 0};
  find(&two_humps, algorithm, segments, by, equal);
  find(&one_parabola, algorithm, segments, by, left);
}

TEST(equal_maxima_and_those_that_leave_their_windows_are_found)
{
  static const way ways[] = {
      {"explicit", 0}, {"radau", 0}, {"idas", 0}, {"explicit", 1.0 / 400}, {"radau", 1.0 / 400}};
  for (size_t k = 0; k < sizeof ways / sizeof *ways; k++)
    find_both("slsqp", 0, ways[k]);
  if (gradyn_algorithm_unavailable_reason("ipopt") != NULL)
    return;
  find_both("ipopt", 0, ways[0]);
  find_both("ipopt", 3, ways[0]);
  find_both("ipopt", 3, ways[1]);
}

/* --- The first points of a search --------------------------------------------------------------- */

static const gradyn_setting settings[] = {{"grid", "of the height", 0, -1, 2000}};

/* A ball is thrown upwards as far as a ceiling permits. */
static gradyn_status build_ball(gradyn_model *m, const gradyn_scalar rho[])
{
  const int p = gradyn_point(m, "p", 0, 0);
  gradyn_point_mass(m, "p", p, 1);
  gradyn_gravity(m, 0, -9.81);
  gradyn_initial_velocity(m, p, rho[A], rho[B]);
  const int y = gradyn_measure_point(m, "y", p, 0, GRADYN_Y);
  gradyn_path_constraint(m, "height", y, -HUGE_VAL, 0.3, 1e-8,
                         &(gradyn_path_constraint_spec){.grid = gradyn_setting_value(m, "grid")});
  gradyn_minimise(m, declare_functional(m, "y_end", y, GRADYN_AT_END), -1);
  return gradyn_build_status(m);
}

static const gradyn_problem ball = PROBLEM("ball", build_ball, params, .t_end = 0.4,
                                           .settings = settings, .setting_count = 1);

/* Number of points of the first round of a search, before any constraint is violated. */
static size_t first_points(int grid, const char *algorithm, long segments)
{
  double rho[NUMBERS];
  size_t count = 0;
  LOCAL(gradyn_search_result) result;
  run_local *ev = run_with(&ball, .method = "explicit", .setting = "grid", .value = grid);
  run_initial(ev, rho);
  gradyn_search search = run_search(ev);
  search.algorithm = algorithm;
  search.segments = segments;
  assert_ok(gradyn_optimise(ev, &search, rho, &result), result.reason);
  assert_close(result.rho[B], sqrt(2 * 9.81 * 0.3), 1e-6, 0);
  for (size_t i = 0; i < result.path_point_count; i++)
    count += result.path_points[i].round == 1;
  return count;
}

TEST(a_path_constraint_has_its_own_grid)
{
  assert_int_equal(first_points(0, "slsqp", 0), 4);
  assert_int_equal(first_points(9, "slsqp", 0), 9);
  if (gradyn_algorithm_unavailable_reason("ipopt") == NULL) {
    assert_int_equal(first_points(0, "ipopt", 2), 6);
    assert_int_equal(first_points(5, "ipopt", 2), 10);
  }
  assert_no_run(GRADYN_INVALID, "path constraint height: its grid has 1001 points; give 0 to 1000",
                &ball, .setting = "grid", .value = 1001);
  assert_no_run(GRADYN_INVALID, "its grid has -1 points", &ball, .setting = "grid", .value = -1);
}

/* --- The end of rounds -------------------------------------------------------------------------- */

TEST(rounds_end_when_the_violation_has_not_halved_in_three)
{
  static const double violation[] = {8, 4, 3, 2.5, 2, 1.9, 1.8, 1.7};
  static const bool continues[] = {true, true, true, true, true, true, true, false};
  gradyn_halving halving = {0};
  for (int i = 0; i < 8; i++) {
    gradyn_halving_note(&halving, violation[i]);
    assert_int_equal(gradyn_halving_continues(&halving, 0, i + 1), continues[i]);
    assert_int_equal(gradyn_halving_continues(&halving, 5, i + 1), i < 4);
  }
  assert_says(gradyn_halving_advice(&halving, 0, 8),
              "a larger grid or tolerance, or set --path-rounds");
  assert_says(gradyn_halving_advice(&halving, 8, 8), "--path-rounds allows: increase it");
  assert_string_equal(gradyn_halving_advice(&halving, 9, 8), "");
}
