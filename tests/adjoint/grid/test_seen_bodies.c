/* Bodies in users' functions: every kind of function, in the plane and in space, in natural and in joint
 * coordinates, by all methods. Formulas of centre and base vectors are compared with formulas of points
 * fixed to the body, and derivatives with differences. */
#include "tests/adjoint/grid/seen_bodies.h"

#include "tests/adjoint/checked.h"
#include "tests/adjoint/compare.h"

/* With fixed steps the constraints have a small error, and formulas that agree on the constraints differ by
 * it (`alike`). `change` of a parameter is so small that no event passes the end of a step. */
typedef struct row {
  const char *coordinates, *method;
  int axes;
  double step, alike, change;
} row;
#define BY_METHODS(coordinates, axes)                                                              \
  {coordinates, "idas", axes, 0, 1e-7, 1e-3}, {coordinates, "explicit", axes, 0, 1e-7, 1e-3},      \
      {coordinates, "radau", axes, 0, 1e-7, 1e-3},                                                 \
      {coordinates, "explicit", axes, 0.01, 1e-7, 3e-6},                                           \
      {coordinates, "radau", axes, 0.01, 1e-7, 3e-6},                                              \
  {                                                                                                \
    coordinates, "ali3p", axes, 0.01, 1e-2, 3e-6                                                   \
  }
static const row rows[] = {
    BY_METHODS("natural", 2), {"natural", "variational", 2, 0.01, 1e-2, 3e-6},
    BY_METHODS("natural", 3), {"natural", "variational", 3, 0.01, 1e-2, 3e-6},
    BY_METHODS("joint", 2),   BY_METHODS("joint", 3)};
enum { ROWS = GRADYN_COUNT(rows) };

static gradyn_evaluator *open(const gradyn_problem *problem, const row *r, bool helpers)
{
  const gradyn_setting_choice chosen[] = {{"axes", r->axes}, {"helpers", helpers}};
  return run_with(problem, .method = r->method, .rtol = 1e-10, .step = r->step, .settings = chosen,
                  .setting_count = 2);
}

/* Values [SEEN_FUNCTIONALS], followed by gradients [SEEN_FUNCTIONALS][SEEN_PARAMETERS]. */
enum { NUMBERS = SEEN_FUNCTIONALS * (1 + SEEN_PARAMETERS) };

static void take(gradyn_evaluator *ev, double number[NUMBERS])
{
  double rho[SEEN_PARAMETERS];
  run_initial(ev, rho);
  assert_run(gradyn_evaluator_gradient(ev, rho, number, number + SEEN_FUNCTIONALS), ev);
  assert_int_equal(gradyn_evaluator_statistics(ev).events, 1);
}

THOROUGH_TEST(base_vectors_and_helper_points_give_the_same)
{
  for (int i = 0; i < ROWS; i++) {
    if (!support_takes(i + 1, 5))
      continue;
    double number[2][NUMBERS];
    const gradyn_problem problem = seen_bodies(rows[i].coordinates);
    for (int helpers = 0; helpers < 2; helpers++) {
      run_local *ev = open(&problem, &rows[i], helpers);
      take(ev, number[helpers]);
    }
    assert_close_array(number[1], number[0], NUMBERS, rows[i].alike, rows[i].alike);
  }
}

/* Functionals of final accelerations are the least accurate. */
TEST(derivatives_are_those_of_differences)
{
  static const double atol[SEEN_FUNCTIONALS] = {[SEEN_END] = 1e-5,
                                                [SEEN_INTEGRAL] = 1e-6,
                                                [SEEN_TURNED] = 1e-6,
                                                [SEEN_PUSHED] = 3e-4,
                                                [SEEN_TIME] = 1e-6};
  for (int i = 0; i < ROWS; i++) {
    if (!support_takes(i + 2, 5))
      continue;
    double rho[SEEN_PARAMETERS];
    const gradyn_problem problem = seen_bodies(rows[i].coordinates);
    run_local *ev = open(&problem, &rows[i], false);
    run_initial(ev, rho);
    compare_with_differences(ev, rho,
                             &(compare_allowed){.h = rows[i].change, .rtol = 1e-5, .atol = atol});
  }
}

THOROUGH_TEST(a_check_names_the_function_that_loses_a_derivative)
{
  static const char *const name[SEEN_KINDS] = {
      NULL,       "force drive itself", "constraint guide itself", "terminal part of end itself",
      "guard of", "formula of passes",  "formula of turned"};
  static const row places[] = {{"natural", "explicit", .axes = 2},
                               {"natural", "explicit", .axes = 3},
                               {"joint", "explicit", .axes = 2},
                               {"joint", "explicit", .axes = 3}};
  for (size_t i = 0; i < GRADYN_COUNT(places); i++)
    for (int k = SEEN_NONE; k < SEEN_KINDS; k++) {
      if (!support_takes((int)i + 2 * k, 4))
        continue;
      checked all;
      seen_lossy = (seen_kind)k;
      const gradyn_problem problem = seen_bodies(places[i].coordinates);
      run_local *ev = open(&problem, &places[i], false);
      checked_run(ev, k != SEEN_NONE, &all);
      seen_lossy = SEEN_NONE;
      if (k != SEEN_NONE)
        assert_true(checked_find(&all, name[k], NULL)->error > 1e-5);
    }
}
