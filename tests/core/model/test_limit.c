/* Path constraints: refused declarations, and the bounds of valid ones. */
#include "tests/declare.h"
#include "tests/runs.h"

typedef enum wrong {
  FINE,
  ABOVE,
  NEITHER,
  NOT_A_NUMBER,
  TOLERANCE,
  NEGATIVE,
  TWICE,
  NO_MEASURE,
  ENDLESS
} wrong;

FORMULA(position, at->pos[2])

static void declare(gradyn_model *m, wrong what, int x)
{
  gradyn_custom_functional_spec g = {"g", "m", .integrand = position};
  switch (what) {
  case ABOVE:
    gradyn_path_constraint(m, "track", x, 2, 1, 1e-6, NULL);
    break;
  case NEITHER:
    assert_int_equal(gradyn_path_constraint(m, "track", x, -HUGE_VAL, HUGE_VAL, 1e-6, NULL), 0);
    assert_int_equal(declare_limit(m, &g, -HUGE_VAL, HUGE_VAL, 1e-6), 0);
    break;
  case NOT_A_NUMBER:
    gradyn_path_constraint(m, "track", x, NAN, 1, 1e-6, NULL);
    break;
  case TOLERANCE:
    declare_limit(m, &g, 0, 1, 0);
    break;
  case NEGATIVE:
    declare_limit(m, &g, 0, 1, -1e-3);
    break;
  case TWICE:
    gradyn_path_constraint(m, "g", x, 0, 1, 1e-6, NULL);
    declare_limit(m, &g, 0, 1, 1e-6);
    break;
  case NO_MEASURE:
    gradyn_path_constraint(m, "track", 8, 0, 1, 1e-6, NULL);
    break;
  case ENDLESS:
    gradyn_path_constraint(m, "track", x, HUGE_VAL, HUGE_VAL, 1e-6, NULL);
    break;
  case FINE:
    gradyn_path_constraint(m, "track", x, -HUGE_VAL, 1, 1e-6, NULL);
    declare_limit(m, &g, -2, 2, 1e-6);
  }
}

static const gradyn_param params[] = {{"what", "", .init = FINE, GRADYN_UNBOUNDED}};

static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  (void)rho;
  const int p = gradyn_point(m, "p", 0, 0);
  gradyn_point_mass(m, "p", p, 1);
  declare(m, (wrong)gradyn_setting_value(m, "wrong"), gradyn_measure_point(m, "x", p, 0, GRADYN_X));
  return gradyn_build_status(m);
}

static const gradyn_setting settings[] = {{"wrong", "what is wrong", FINE, FINE, ENDLESS}};
static const gradyn_problem problem = PROBLEM("limited", build, params, .t_end = 1,
                                              .settings = settings, .setting_count = 1);

TEST(errors_are_reported)
{
  const char *const says[] = {
      [ABOVE] = "path constraint track: its lower bound 2 lies above its upper bound 1",
      [NEITHER] = "path constraint track has neither a lower nor an upper bound",
      [NOT_A_NUMBER] = "path constraint track: its lower bound is not a number",
      [TOLERANCE] = "path constraint g: its tolerance, the largest accepted violation, is 0 m",
      [NEGATIVE] = "path constraint g: its tolerance, the largest accepted violation, is -0.001 m",
      [TWICE] = "two functionals are called g.over",
      [NO_MEASURE] = "track: measure 8 has not been declared",
      [ENDLESS] = "path constraint track: its lower bound inf lies above its upper bound inf"};
  for (int k = ABOVE; k <= ENDLESS; k++)
    assert_no_run(GRADYN_INVALID, says[k], &problem, .setting = "wrong", .value = k);
}

TEST(sides_are_functionals_and_bounds_data)
{
  run_local *ev = run_with(&problem, .rtol = 1e-9);
  const char *const name[] = {"track.over", "g.over", "g.under"};
  assert_int_equal(gradyn_functional_count(ev), 3);
  for (size_t i = 0; i < 3; i++) {
    const gradyn_functional_info info = gradyn_functional_at(ev, i);
    assert_string_equal(info.name, name[i]);
    assert_string_equal(info.unit, "m");
    assert_int_equal(info.use, GRADYN_PATH_CONSTRAINT);
    assert_true(info.bound == 0 && info.tolerance == 1e-6);
  }
  double psi[3], rho[1] = {FINE};
  assert_run(gradyn_evaluator_simulate(ev, rho, psi, NULL), ev);
  assert_true(psi[0] == -1 && psi[1] == -2 && psi[2] == -2);
  const size_t data = gradyn_evaluator_model_info(ev).data;
  assert_string_equal(gradyn_datum_at(ev, data - 3).name, "track.upper");
  assert_string_equal(gradyn_datum_at(ev, data - 2).name, "g.upper");
  assert_string_equal(gradyn_datum_at(ev, data - 1).name, "g.lower");
}

/* An upper bound of x, then a lower bound of another coordinate; the latter is not a second bound of x. */
static gradyn_status build_two(gradyn_model *m, const gradyn_scalar rho[])
{
  (void)rho;
  const int p = gradyn_point(m, "p", 0, 0.25);
  gradyn_initial_velocity(m, p, 1, -5);
  gradyn_point_mass(m, "p", p, 1);
  gradyn_gravity(m, 0, 10);
  gradyn_path_constraint(m, "a", gradyn_measure_point(m, "x", p, 0, GRADYN_X), -HUGE_VAL, 3, 1e-6,
                         NULL);
  gradyn_path_constraint(m, "b", gradyn_measure_point(m, "y", p, 0, GRADYN_Y), -5, HUGE_VAL, 1e-6,
                         NULL);
  return gradyn_build_status(m);
}

TEST(bounds_of_two_constraints_are_not_those_of_one)
{
  static const gradyn_problem two = PROBLEM("two", build_two, params, .t_end = 1);
  run_local *ev = run_with(&two, .rtol = 1e-9);
  double psi[2], rho[1] = {FINE};
  assert_run(gradyn_evaluator_simulate(ev, rho, psi, NULL), ev);
  assert_close(psi[0], -2, 0, 1e-9); /* 1 - 3, at the end */
  assert_close(psi[1], -4, 0, 1e-9); /* -5 - y at the smallest y, at half the time */
}
