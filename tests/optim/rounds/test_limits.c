/* Searches with path constraints: closed forms by all methods, events, journals, and refused constraints. */
#include "tests/optim/journals.h"
#include "tests/runs.h"
#include "tests/declare.h"

#include <unistd.h>

/* --- Bryson and Denham's problem as a mechanism ----------------------------------------------- */

enum { U, KNOTS = 4, HIGHEST = KNOTS, NUMBERS };
static const gradyn_param params[] = {
    [U] = {"u", "N", .init = -2, GRADYN_UNBOUNDED, .scale = 1, .role = GRADYN_CONTROL,
           .count = KNOTS},
    {"highest", "m", .init = 1.0 / 9, .lower = -1, .upper = 1, .fixed = true},
};
enum { X_END, V_END, EFFORT, OVER, FUNCTIONALS };

/* A unit mass returns with the opposite of its initial velocity and moves at most by l: effort 8/(9 l). */
static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  const int u = declare_signal(m, "u", "N", GRADYN_PIECEWISE_LINEAR, KNOTS, rho + U);
  const int p = gradyn_point(m, "p", 0, 0);
  gradyn_point_mass(m, "p", p, 1);
  gradyn_coordinate(m, "y", p, GRADYN_Y, &(gradyn_time_function){.value = 0});
  gradyn_initial_velocity(m, p, 1, 0);
  declare_push(m, "f", p, 1, 0, u);
  gradyn_constrain(
      m,
      gradyn_functional(m, &(gradyn_functional_spec){"x_end",
                                                     gradyn_measure_point(m, "", p, 0, GRADYN_X),
                                                     .reduction = GRADYN_AT_END}),
      0, 0, 1e-9);
  gradyn_constrain(
      m,
      gradyn_functional(m, &(gradyn_functional_spec){"v_end",
                                                     gradyn_measure_point(m, "", p, 1, GRADYN_X),
                                                     .reduction = GRADYN_AT_END}),
      -1, -1, 1e-9);
  gradyn_minimise(
      m,
      gradyn_functional(m, &(gradyn_functional_spec){"effort", gradyn_measure_signal(m, "", u),
                                                     .reduction = GRADYN_SQUARE_INTEGRAL}),
      1);
  gradyn_path_constraint(m, "track", gradyn_measure_point(m, "x", p, 0, GRADYN_X), -HUGE_VAL,
                         rho[HIGHEST], 1e-9, NULL);
  return gradyn_build_status(m);
}

static const gradyn_problem problem = PROBLEM("dash", build, params, .t_end = 1);

static gradyn_search usual(const gradyn_evaluator *ev)
{
  gradyn_search search = run_search(ev);
  search.optimality = 1e-6;
  search.ftol = 1e-12;
  return search;
}

static void search_by(const char *method, const char *way)
{
  double rho[NUMBERS];
  LOCAL(gradyn_search_result) result;
  run_local *ev = run_with(&problem, way, method, .rtol = 1e-11, .step = 1.0 / 600);
  const gradyn_search search = usual(ev);
  run_initial(ev, rho);
  assert_ok(gradyn_optimise(ev, &search, rho, &result), result.reason);
  assert_says(result.reason, "path constraints: satisfied throughout the run");
  const bool adaptive = gradyn_evaluator_options(ev).rtol > 0;
  assert_close(result.objective, 8, adaptive ? 1e-8 : 1e-4, 0);
  assert_true(result.psi[OVER] <= 1e-9 && result.violation <= 1);
  assert_true(result.rounds >= 1 && result.path_point_count >= 4);
  for (size_t i = 0; i < result.path_point_count; i++) {
    const gradyn_path_point *row = &result.path_points[i];
    assert_true(row->functional == OVER && row->t > 0 && row->t <= 1 && row->value <= 1e-9);
    assert_true(row->round >= 1 && row->round <= result.rounds);
  }
}

TEST(all_methods_find_the_closed_form)
{
  for (int k = 0; k < RUN_METHODS; k++) {
    search_by(run_methods[k], "direct");
    search_by(run_methods[k], "adjoint");
  }
}

/* Least effort within `highest`, and the sum of the multipliers of all sampled constraints. */
static double effort_within(double highest, double *pressure)
{
  double rho[NUMBERS];
  LOCAL(gradyn_search_result) result;
  run_local *ev = run_with(&problem, .method = "explicit", .rtol = 1e-11);
  const gradyn_search search = usual(ev);
  run_initial(ev, rho);
  rho[HIGHEST] = highest;
  assert_ok(gradyn_optimise(ev, &search, rho, &result), result.reason);
  *pressure = 0;
  for (size_t i = 0; i < result.path_point_count; i++)
    *pressure += result.path_points[i].multiplier;
  return result.objective;
}

TEST(multipliers_give_the_cost_of_a_limit)
{
  double pressure, ignored;
  (void)effort_within(0.1, &pressure);
  const double less = effort_within(0.1002, &ignored), more = effort_within(0.0998, &ignored);
  assert_close(pressure, (more - less) / 0.0004, 1e-3, 0);
}

/* --- journals --------------------------------------------------------------------------------- */

static void assert_same_end(const gradyn_search_result *a, const gradyn_search_result *b)
{
  assert_string_equal(a->reason, b->reason);
  assert_memory_equal(a->rho, b->rho, NUMBERS * sizeof(double));
  assert_memory_equal(a->psi, b->psi, FUNCTIONALS * sizeof(double));
  assert_memory_equal(a->gradient, b->gradient, FUNCTIONALS * NUMBERS * sizeof(double));
  assert_int_equal(a->evaluations, b->evaluations);
  assert_int_equal(a->rounds, b->rounds);
  assert_int_equal(a->path_point_count, b->path_point_count);
  for (size_t i = 0; i < a->path_point_count; i++)
    assert_true(a->path_points[i].t == b->path_points[i].t &&
                a->path_points[i].value == b->path_points[i].value);
}

TEST(a_resumed_journal_has_the_same_bits)
{
  FREED char *file = journal_name();
  double rho[NUMBERS];
  gradyn_search_result whole, again;
  run_local *ev = run_with(&problem, .method = "explicit", .rtol = 1e-9);
  gradyn_search search = usual(ev);
  run_initial(ev, rho);
  rho[HIGHEST] = 0.1; /* which takes rounds */
  search.journal = file;
  search.durability = GRADYN_DURABLE_NEVER;
  assert_ok(gradyn_optimise(ev, &search, rho, &whole), whole.reason);
  assert_true(whole.rounds > 1);
  const content journal = journal_read(file);
  const size_t lines = journal_lines(journal);
  search.resume = true;
  for (size_t kept = 1; kept <= lines; kept += 1 + lines / 12) {
    journal_write(file, journal.bytes, journal_line(journal, kept));
    assert_ok(gradyn_optimise(ev, &search, rho, &again), again.reason);
    assert_int_equal(again.resumed.replayed, kept - 1);
    assert_string_equal(again.resumed.note, "");
    assert_same_end(&whole, &again);
    gradyn_search_result_clear(&again);
    const content after = journal_read(file);
    assert_int_equal(journal_lines(after), lines);
    free(after.bytes);
  }
  free(journal.bytes);
  assert_int_equal(unlink(file), 0);
  gradyn_search_result_clear(&whole);
}

/* --- what cannot be --------------------------------------------------------------------------- */

/* A search within `highest` must end with this result and text. */
static void refuse(double highest, gradyn_termination ending, const char *says)
{
  double rho[NUMBERS];
  LOCAL(gradyn_search_result) result;
  run_local *ev = run_with(&problem, .method = "explicit", .rtol = 1e-9);
  gradyn_search search = usual(ev);
  search.max_evaluations = 300;
  run_initial(ev, rho);
  rho[HIGHEST] = highest;
  assert_status(gradyn_optimise(ev, &search, rho, &result), GRADYN_INFEASIBLE, result.reason);
  assert_int_equal(result.termination, ending);
  assert_says(result.reason, says);
}

TEST(limits_that_cannot_be_satisfied_are_reported)
{
  refuse(-0.1, GRADYN_TERMINATION_INFEASIBLE,
         "path constraint track.over at t = 0 s: 0.1 m for all values of the free parameters");
  /* it violates the bound directly after the start, the less the larger the force */
  refuse(0, GRADYN_TERMINATION_EVALUATIONS, "track.over reaches");
}
