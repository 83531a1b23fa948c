/* Every analysis of every kind of functional by every method, on a new evaluator and on one that has run
 * all analyses at other parameters. Both must give the result of the closed form. */
#include "tests/adjoint/analyses/asked.h"
#include "tests/declare.h"

#include <complex.h>

static const double here[WALL_PARAMETERS] = {0.4, 0.5, 4, 0.8, 2.2};
static const double elsewhere[WALL_PARAMETERS] = {0.3, 0.9, 3.5, 0.7, 2.5};

/* --- the table ---------------------------------------------------------------------------------- */

/* Tolerances against closed forms. Results of a used and a fresh evaluator may differ by round-off only. */
static const struct method {
  const char *name, *sensitivity;
  double rtol, step, tolerance;
  bool general;
} methods[] = {
    {"explicit", "auto", 1e-9, 0, 1e-7, true},    {"explicit", "direct", 1e-9, 0, 1e-7, true},
    {"radau", "auto", 1e-9, 0, 1e-7, true},       {"idas", "auto", 1e-8, 0, 2e-5, true},
    {"idas", "direct", 1e-8, 0, 2e-5, true},      {"auto", "auto", 1e-9, 0, 1e-7, true},
    {"explicit", "auto", 0, 2e-2, 1e-3, true},    {"ali3p", "auto", 0, 2e-2, 1e-3, false},
    {"variational", "auto", 0, 2e-2, 1e-3, false}};

static gradyn_evaluator *open_problem(const gradyn_problem *problem, const struct method *m)
{
  return run_with(problem, .method = m->name, .sensitivity = m->sensitivity, .rtol = m->rtol,
                  .step = m->step > 0 ? m->step : -1);
}

/* Combinations of analyses and methods that must be refused; all others must succeed. */
static bool is_refused(const question *q, const struct method *m, const char *asked)
{
  const bool one_step = strcmp(m->name, "explicit") == 0 || strcmp(m->name, "radau") == 0 ||
                        strcmp(m->name, "auto") == 0;
  const bool crosses = strcmp(asked, "transition") == 0 || strcmp(asked, "regulator") == 0;
  return crosses                                 ? q->wall && !q->mechanism
         : strcmp(asked, "saltation") == 0       ? !q->mechanism
         : strcmp(asked, "costates") == 0        ? !one_step
         : strcmp(asked, "Hessian product") == 0 ? q->wall || strcmp(m->name, "idas") == 0
                                                 : false;
}

static answer ask(gradyn_evaluator *ev, const question *q, const struct method *m,
                  const analysis *of)
{
  answer a = {0};
  const gradyn_status status = of->ask(ev, q, &a);
  if (is_refused(q, m, of->name))
    assert_status(status, GRADYN_UNSUPPORTED, gradyn_evaluator_message(ev));
  else
    assert_run(status, ev);
  return a;
}

static void compare(const struct method *m, const analysis *of, const answer *fresh,
                    const answer *used)
{
  print_message("%s, %s: %s\n", m->name, m->sensitivity, of->name);
  assert_int_equal(fresh->count, used->count);
  assert_close_array(fresh->number, fresh->expected, fresh->count, m->tolerance, m->tolerance);
  assert_close_array(used->number, fresh->number, fresh->count, 1e-12, 1e-12);
}

/* A parameter that is NAN is refused by name. */
static void refuse_nan(gradyn_evaluator *ev, const question *q, const struct method *m)
{
  double rho[WALL_PARAMETERS];
  question at = *q;
  memcpy(rho, q->rho, sizeof rho);
  rho[1] = NAN;
  at.rho = rho;
  for (size_t k = 0; k < ASKED_ANALYSES; k++) {
    answer a = {0};
    const gradyn_status status = asked_analyses[k].ask(ev, &at, &a);
    if (status == GRADYN_UNSUPPORTED && is_refused(q, m, asked_analyses[k].name))
      continue;
    assert_status(status, GRADYN_INVALID, asked_analyses[k].name);
    assert_says(gradyn_evaluator_message(ev), "is nan: it must be finite");
  }
}

/* Runs all analyses on one evaluator at other parameters and then at `here`, and compares each with a fresh
 * evaluator. */
static void ask_all(const gradyn_problem *problem, const struct method *m)
{
  const question before = asked_at(problem, elsewhere), q = asked_at(problem, here);
  run_local *used = open_problem(problem, m);
  for (size_t k = 0; k < ASKED_ANALYSES; k++)
    (void)ask(used, &before, m, &asked_analyses[k]);
  refuse_nan(used, &q, m);
  for (size_t k = 0; k < ASKED_ANALYSES; k++) {
    run_local *ev = open_problem(problem, m);
    const answer fresh = ask(ev, &q, m, &asked_analyses[k]),
                 again = ask(used, &q, m, &asked_analyses[k]);
    compare(m, &asked_analyses[k], &fresh, &again);
  }
}

static void ask_by_all_methods(const gradyn_problem *problem, bool mechanism, int row)
{
  for (size_t k = 0; k < GRADYN_COUNT(methods); k++)
    if ((mechanism || methods[k].general) && support_takes((int)k + row, 5))
      ask_all(problem, &methods[k]);
}

TEST(equations_with_an_event)
{
  ask_by_all_methods(&wall_equations, false, 0);
}

THOROUGH_TEST(a_mechanism_with_an_event)
{
  ask_by_all_methods(&wall_mechanism, true, 2);
}

TEST(smooth_equations)
{
  ask_by_all_methods(&wall_smooth_equations, false, 4);
}

TEST(a_smooth_mechanism)
{
  ask_by_all_methods(&wall_smooth_mechanism, true, 3);
}

/* --- orbits ------------------------------------------------------------------------------------- */

/* x' = -x + c cos(w t) is periodic with T = 2 pi/w, starting from x = c/(1 + w^2), with the multiplier
 * exp(-T). The time of its maximum depends on w and may be after the end of a shorter run. */
static const double pi = 3.14159265358979323846;

FORMULA(driven, at->yp[0] + at->y[0] - at->data[0] * ccos(at->data[1] * at->t))
FORMULA(height, at->y[0])

static gradyn_status build_driven(gradyn_model *m, const gradyn_scalar rho[])
{
  const gradyn_datum data[] = {{"c", "", rho[0]}, {"w", "1/s", rho[1]}};
  gradyn_end_time(m, 2 * pi / rho[1]);
  gradyn_state(m, "x", "", 0.1);
  declare_equations(m, driven, data, 2);
  gradyn_functional(
      m, &(gradyn_functional_spec){
             "top",
             gradyn_measure_custom(
                 m, &(gradyn_custom_measure_spec){"top", "", .formula = height, .hidden = true}),
             .reduction = GRADYN_MAXIMUM});
  return gradyn_build_status(m);
}

static const gradyn_param driven_params[] = {{"c", "", .init = 1, GRADYN_UNBOUNDED},
                                             {"w", "1/s", .init = 1, GRADYN_UNBOUNDED}};
static const gradyn_problem driven_problem = PROBLEM("driven", build_driven, driven_params,
                                                     .t_end = 6);

TEST(orbits_of_a_motion_with_a_maximum)
{
  static const double rho[][2] = {{0.7, 0.8}, {1.2, 3}};
  static const gradyn_orbit_spec spec = {.fixed_period = true};
  for (size_t m = 0; m < RUN_ADAPTIVE; m++) {
    run_local *ev = run_with(&driven_problem, .method = run_adaptive[m]);
    for (size_t k = 0; k < GRADYN_COUNT(rho); k++) {
      const double c = rho[k][0], w = rho[k][1], size = 1 + w * w;
      LOCAL(gradyn_orbit) found = {0};
      assert_run(gradyn_evaluator_simulate(ev, rho[k], NULL, NULL), ev);
      assert_run(gradyn_orbit_compute(ev, rho[k], &spec, &found), ev);
      assert_close(found.transition.start[0], c / size, 1e-9, 0);
      assert_close(found.multiplier[0], exp(-2 * pi / w), 1e-8, 0);
      assert_close(found.start_slope[0], 1 / size, 1e-8, 0);
    }
  }
}
