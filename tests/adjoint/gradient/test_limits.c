/* Path constraints by all methods, direct and adjoint. Functionals of their bounds are compared with closed
 * forms. Derivatives of values at sampled points include the effect of an end time that is a parameter. */
#include "tests/runs.h"

#include <complex.h>

#include "adjoint/gradient/limited.h"

enum { START, RATE, STIFFNESS, BOUND, DURATION, NUMBERS };
static const gradyn_param params[] = {
    [START] = {"start", "m", .init = 0.1, .lower = -2, .upper = 2},
    [RATE] = {"rate", "m/s", .init = 1, .lower = -2, .upper = 2},
    [STIFFNESS] = {"stiffness", "N/m", .init = 4, .lower = 1, .upper = 20},
    [BOUND] = {"bound", "m", .init = 0.3, .lower = 0, .upper = 2},
    [DURATION] = {"duration", "s", .init = 2.4, .lower = 1, .upper = 5, .role = GRADYN_TIME},
};

/* x + t/10 */
FORMULA(leaning, at->pos[2] + at->data[0] * at->t)

/* Declares x'' = -k x from (a, b) over T; returns the point. */
static int oscillate(gradyn_model *m, const gradyn_scalar rho[])
{
  int p = gradyn_point(m, "p", rho[START], 0);
  int wall = gradyn_ground_point(m, "wall", -10, 0);
  gradyn_end_time(m, rho[DURATION]);
  gradyn_point_mass(m, "p", p, 1);
  gradyn_initial_velocity(m, p, rho[RATE], 0);
  gradyn_coordinate(m, "y", p, GRADYN_Y, &(gradyn_time_function){.value = 0});
  gradyn_spring(m, &(gradyn_spring_spec){"s", wall, p, .k = rho[STIFFNESS], .free_length = 10});
  return p;
}

/* Sides: x.over, x.under, pull.over, leaning.over. */
static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  const gradyn_datum tenth = {"c", "m/s", 0.1};
  int p = oscillate(m, rho);
  int x = gradyn_measure_point(m, "x", p, 0, GRADYN_X);
  int a = gradyn_measure_point(m, "a", p, 2, GRADYN_X);
  gradyn_path_constraint(m, "x", x, -rho[BOUND], rho[BOUND], 1e-6, NULL);
  gradyn_path_constraint(m, "pull", a, -HUGE_VAL, 2, 1e-6, NULL);
  gradyn_path_constraint(
      m, "leaning",
      gradyn_measure_custom(m, &(gradyn_custom_measure_spec){"leaning", "m", .formula = leaning,
                                                             .data = &tenth, .data_count = 1,
                                                             .hidden = true}),
      -HUGE_VAL, 0.2, 1e-6, NULL);
  return gradyn_build_status(m);
}

static const gradyn_problem problem = PROBLEM("oscillator", build, params, .t_end = 2.4);

/* Position x(t) = a cos wt + b/w sin wt. */
static double _Complex position(const double _Complex p[], double _Complex t)
{
  const double _Complex w = csqrt(p[STIFFNESS]);
  return p[START] * ccos(w * t) + p[RATE] / w * csin(w * t);
}

/* --- sides: the largest excess ---------------------------------------------------------------- */

enum { SIDES = 4 };

/* x = A cos(wt - c): its maximum, and after it its minimum, lie inside the run. */
static void excesses(const double _Complex p[], double _Complex over[])
{
  const double _Complex w = csqrt(p[STIFFNESS]);
  const double _Complex A = csqrt(p[START] * p[START] + p[RATE] * p[RATE] / (w * w));
  const double _Complex c = catan(p[RATE] / (w * p[START])), slope = 0.1 / (w * A);
  over[0] = A - p[BOUND];
  over[1] = A - p[BOUND];
  over[2] = w * w * A - 2;
  /* x' = -c where sin(wt - c) = 0.1/(wA) */
  over[3] = A * csqrt(1 - slope * slope) + 0.1 * (casin(slope) + c) / w - 0.2;
}

/* Compares all bounds of all path constraints, for one method and sensitivity. */
static void compare_sides(const char *method, const char *way)
{
  double rho[NUMBERS], psi[SIDES], gradient[SIDES][NUMBERS], exact[SIDES], slope[SIDES * NUMBERS];
  run_local *ev = run_with(&problem, way, method, .rtol = 1e-10, .step = 2.4 / 2000);
  run_initial(ev, rho);
  assert_run(gradyn_evaluator_gradient(ev, rho, psi, gradient[0]), ev);
  support_complex_step(excesses, rho, NUMBERS, SIDES, exact, slope);
  const double precision = gradyn_evaluator_options(ev).rtol > 0 ? 1e-7 : 2e-5;
  assert_close_array(psi, exact, SIDES, precision, precision);
  assert_close_array(gradient[0], slope, SIDES * NUMBERS, precision, precision);
}

TEST(sides_are_the_largest_excess)
{
  for (int k = 0; k < RUN_METHODS; k++) {
    compare_sides(run_methods[k], "direct");
    compare_sides(run_methods[k], "adjoint");
  }
}

/* --- rows: values at shares of the run -------------------------------------------------------- */

static const gradyn_limit_at rows[] = {{.side = 0, .share = 0.125}, {.side = 0, .share = 0.5},
                                       {.side = 1, .share = 0.5},   {.side = 2, .share = 0.75},
                                       {.side = 3, .share = 1},     {.side = 3, .share = 0}};
enum { ROWS = 6 };

static void values(const double _Complex p[], double _Complex row[])
{
  for (int i = 0; i < ROWS; i++) {
    const double _Complex t = rows[i].share * p[DURATION], x = position(p, t);
    row[i] = rows[i].side == 0   ? x - p[BOUND]
             : rows[i].side == 1 ? -p[BOUND] - x
             : rows[i].side == 2 ? -p[STIFFNESS] * x - 2
                                 : x + 0.1 * t - 0.2;
  }
}

/* Sampled points that may move. The first two have a maximum inside their windows; the others are at the
 * end of their windows given by `share`. */
static const gradyn_limit_at windows[] = {{.side = 0, .share = 0.28, .from = 0.2, .to = 0.4},
                                          {.side = 1, .share = 0.95, .from = 0.75, .to = 1},
                                          {.side = 0, .share = 0.2, .from = 0.125, .to = 0.2},
                                          {.side = 0, .share = 0.5, .from = 0.5, .to = 0.75},
                                          {.side = 2, .share = 0.75, .from = 0.5, .to = 0.75},
                                          {.side = 3, .share = 0.2, .from = 0, .to = 0.2},
                                          {.side = 1, .share = 0, .from = 0, .to = 0.2},
                                          {.side = 0, .share = 1, .from = 0.96, .to = 1}};
enum { WINDOWS = 8, INSIDE = 2 };

static void values_in_windows(const double _Complex p[], double _Complex row[])
{
  double _Complex over[SIDES];
  excesses(p, over);
  for (int i = 0; i < WINDOWS; i++) {
    const double _Complex t = windows[i].share * p[DURATION], x = position(p, t);
    row[i] = i < INSIDE             ? over[windows[i].side]
             : windows[i].side == 0 ? x - p[BOUND]
             : windows[i].side == 1 ? -p[BOUND] - x
             : windows[i].side == 2 ? -p[STIFFNESS] * x - 2
                                    : x + 0.1 * t - 0.2;
  }
}

/* Sampled points, and their values in closed form. */
typedef struct row_case {
  const gradyn_limit_at *at;
  size_t count;
  void (*values)(const double _Complex p[], double _Complex row[]);
} row_case;

static const row_case row_cases[] = {{rows, ROWS, values}, {windows, WINDOWS, values_in_windows}};

static void compare_rows(const row_case *c, const char *method, const char *way)
{
  double rho[NUMBERS], psi[SIDES + WINDOWS], gradient[(SIDES + WINDOWS) * NUMBERS], exact[WINDOWS],
      slope[WINDOWS * NUMBERS];
  gradyn_limited *limited;
  run_local *ev = run_with(&problem, way, method, .rtol = 1e-10, .step = 2.4 / 2000);
  assert_ok(gradyn_limited_create(ev, c->at, c->count, &limited), "rows");
  gradyn_evaluator *held = gradyn_limited_evaluator(limited);
  run_initial(ev, rho);
  assert_int_equal(gradyn_functional_count(held), SIDES + c->count);
  assert_run(gradyn_evaluator_gradient(held, rho, psi, gradient), held);
  support_complex_step(c->values, rho, NUMBERS, (int)c->count, exact, slope);
  const double precision = gradyn_evaluator_options(ev).rtol > 0 ? 1e-7 : 2e-5;
  assert_close_array(psi + SIDES, exact, c->count, precision, precision);
  assert_close_array(gradient + SIDES * NUMBERS, slope, c->count * NUMBERS, precision, precision);
  /* sides stay silent */
  for (int i = 0; i < SIDES; i++)
    assert_true(psi[i] == 0);
  gradyn_limited_free(limited);
}

TEST(rows_follow_the_end_of_the_run)
{
  for (int k = 0; k < RUN_METHODS; k++) {
    compare_rows(&row_cases[0], run_methods[k], "direct");
    compare_rows(&row_cases[0], run_methods[k], "adjoint");
  }
}

TEST(points_move_with_the_largest_value_of_their_windows)
{
  for (int k = 0; k < RUN_METHODS; k++) {
    compare_rows(&row_cases[1], run_methods[k], "direct");
    compare_rows(&row_cases[1], run_methods[k], "adjoint");
  }
}

/* --- stretches: each on its own, however little the limit is kept between them ------------------- */

FORMULA(shallow, 1 + at->data[0] * at->pos[2])

/* The measure exceeds its bound 1 by x/20 at both maxima of x, and is lower by less than a tenth between
 * them. */
static gradyn_status build_shallow(gradyn_model *m, const gradyn_scalar rho[])
{
  const gradyn_datum share = {"c", "1/m", 0.05};
  oscillate(m, rho);
  gradyn_path_constraint(
      m, "shallow",
      gradyn_measure_custom(m, &(gradyn_custom_measure_spec){"shallow", "", .formula = shallow,
                                                             .data = &share, .data_count = 1,
                                                             .hidden = true}),
      -HUGE_VAL, 0, 1, NULL);
  return gradyn_build_status(m);
}

TEST(shallow_stretches_are_found_each)
{
  static const gradyn_problem waves = PROBLEM("waves", build_shallow, params, .t_end = 5);
  static const double rho[NUMBERS] = {
      [START] = -0.1, [RATE] = 1, [STIFFNESS] = 4, [BOUND] = 0.3, [DURATION] = 5};
  /* x = A cos(wt - c) */
  const double w = sqrt(rho[STIFFNESS]), c = atan2(rho[RATE] / w, rho[START]);
  run_local *ev = run_with(&waves, .rtol = 1e-10);
  LOCAL(gradyn_path_check) look;
  assert_run(gradyn_limits_find(ev, rho, 1, &look), ev);
  assert_int_equal(look.count, 2);
  for (int k = 0; k < 2; k++) {
    assert_close(look.found[k].t, (c + 2 * acos(-1) * k) / w, 1e-6, 0);
    assert_close(look.found[k].excess, 1 + 0.05 * hypot(rho[START], rho[RATE] / w), 1e-9, 0);
  }
}

/* --- what is exceeded by little, within a step ---------------------------------------------------- */

static const double excess = 1e-9;

/* Has its maximum, above 0, where x passes 0; its curvature is smaller on both sides. */
FORMULA(passing, excess - at->pos[2] * at->pos[2] * (1 - 2 * at->pos[2] * at->pos[2]))

static gradyn_status build_passing(gradyn_model *m, const gradyn_scalar rho[])
{
  oscillate(m, rho);
  gradyn_path_constraint(
      m, "passing",
      gradyn_measure_custom(
          m, &(gradyn_custom_measure_spec){"passing", "", .formula = passing, .hidden = true}),
      -HUGE_VAL, 0, 1e-12, NULL);
  return gradyn_build_status(m);
}

/* The maximum is found wherever it lies inside a step, although a parabola through the values of the step
 * may stay below the bound. */
TEST(tops_that_only_just_exceed_are_found)
{
  static const gradyn_problem passed_by = PROBLEM("passing", build_passing, params, .t_end = 2.4);
  run_local *ev = run_with(&passed_by, .method = "ali3p", .step = 0.04);
  for (int k = 0; k < 20; k++) {
    const double rho[NUMBERS] = {
        [START] = 0.01 + 0.02 * k, [RATE] = 1, [STIFFNESS] = 4, [DURATION] = 2.4};
    gradyn_path_check look;
    assert_run(gradyn_limits_find(ev, rho, 1, &look), ev);
    assert_int_equal(look.count, 1);
    assert_close(look.found[0].excess, excess, 0, 1e-3 * excess);
    /* zero of a cos 2t + b/2 sin 2t; steps of 0.04 s have a phase error of a thousandth */
    assert_close(look.found[0].t, acos(-1) / 2 - atan2(2 * rho[START], 1) / 2, 2e-3, 0);
    gradyn_path_check_clear(&look);
  }
}
