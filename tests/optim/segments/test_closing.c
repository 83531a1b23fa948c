/* Data of a report about a search in segments: decrease of the defects, and dependence of constraints. */
#include "tests/optim/segments/pole.h"
#include "tests/optim/segments/searched.h"

#include "optim/segments/iterates.h"

#include <math.h>

enum { KNOTS = 21, SEGMENTS = 20, STATES = 4 };

/* Compares with the undivided motion, at the times of the last recorded point. */
static void compare_with_whole(gradyn_evaluator *ev, const double rho[],
                               const gradyn_defect_history *c)
{
  OWNED(gradyn_trajectory) *motion = gradyn_trajectory_create();
  double row[64];
  assert_run(gradyn_evaluator_simulate(ev, rho, NULL, motion), ev);
  assert_true(gradyn_trajectory_read(motion).columns <= 64);
  const double *y = c->y + (c->points - 1) * c->segments * c->samples * c->states;
  for (size_t k = 0; k < c->segments; k++)
    for (size_t i = 0; i < c->samples; i++, y += c->states) {
      const double part = (double)i / (double)(c->samples - 1);
      gradyn_trajectory_sample(motion, 2 * (c->share[k] + part * (c->share[k + 1] - c->share[k])),
                               row);
      for (size_t j = 0; j < c->states; j++)
        assert_close(y[j], row[c->state[j]], 0, 2e-5);
    }
}

/* Knots are segment boundaries: a segment depends on two of them, and its defects on the states before and
 * after. */
static void look_at_rows(const gradyn_defect_history *c)
{
  const gradyn_sparsity *p = &c->jacobian;
  assert_int_equal(c->parameters, KNOTS);
  assert_int_equal(p->columns, KNOTS + (SEGMENTS - 1) * STATES);
  assert_int_equal(p->rows, c->constraints + (SEGMENTS - 1) * STATES);
  for (size_t i = 0; i < p->rows; i++) {
    const bool gap = i >= c->constraints;
    const size_t cut = gap ? 1 + (i - c->constraints) / STATES : SEGMENTS;
    assert_true(p->start[i + 1] > p->start[i]);
    for (size_t k = p->start[i]; k < p->start[i + 1]; k++) {
      const size_t j = p->column[k], of = 1 + (j - KNOTS) / STATES;
      if (j < KNOTS ? j + 1 != cut && j != cut : of + 1 != cut && (of != cut || !gap))
        fail_msg("row %zu depends on unknown %zu", i, j);
    }
  }
}

TEST(gaps_open_and_close)
{
  const double rho0[KNOTS] = {0};
  run_local *ev = run_with(.problem = &pole_problem, .method = "explicit");
  const gradyn_search search = in_segments(ev, SEGMENTS);
  LOCAL(gradyn_search_result) result;
  LOCAL(gradyn_defect_history) c;
  assert_ok(gradyn_optimise(ev, &search, rho0, &result), result.reason);
  assert_run(gradyn_search_defect_history(ev, &search, &result, &c), ev);
  assert_true(c.points > 20 && c.points < 60);
  assert_int_equal(c.segments, SEGMENTS);
  assert_int_equal(c.states, STATES);
  double most = 0;
  for (size_t i = 0; i < c.points; i++) {
    assert_true(i == 0 ? c.iteration[i] == 0 : c.iteration[i] > c.iteration[i - 1]);
    assert_close(c.t_end[i], 2, 1e-15, 0);
    most = fmax(most, c.defect[i]);
  }
  /* a simulation has no defects at the start, and the final point must have none */
  assert_true(c.defect[0] <= 1 && most > 1e6 && c.defect[c.points - 1] <= 1);
  compare_with_whole(ev, result.rho, &c);
  look_at_rows(&c);
  assert_int_equal(c.curvature.rows, 0);
}

/* Of many recorded points every second, fourth, ... one is kept: at most 48 and the last one. */
TEST(long_courses_are_thinned_evenly)
{
  const double last[2] = {0, 1};
  gradyn_iterates_kept kept = {.arrivals = 0};
  gradyn_iterates course;
  for (long i = 0; i < 200; i++)
    gradyn_iterates_arrive(&kept, 2, (const double[]){(double)i, 0});
  gradyn_iterates_end(&kept, 2, last, last, &course);
  assert_int_equal(course.count, 26);
  for (size_t i = 0; i < 25; i++) {
    assert_int_equal(course.iteration[i], 8 * (long)i);
    assert_true(course.rho[2 * i] == 8 * (double)i);
  }
  assert_int_equal(course.iteration[25], 200);
  assert_true(course.rho[51] == 1);
  free(course.iteration);
  free(course.rho);
}

TEST(others_report_their_start_and_end)
{
  const double rho0[KNOTS] = {0};
  run_local *ev = run_with(.problem = &pole_problem, .method = "explicit");
  gradyn_search search = in_segments(ev, 3);
  LOCAL(gradyn_search_result) result;
  LOCAL(gradyn_defect_history) c;
  search.algorithm = "slsqp";
  search.max_evaluations = 4;
  (void)gradyn_optimise(ev, &search, rho0, &result);
  assert_run(gradyn_search_defect_history(ev, &search, &result, &c), ev);
  assert_int_equal(c.points, 2);
  gradyn_defect_history_clear(&c);
  gradyn_search_result_clear(&result);
  search.segments = 0;
  (void)gradyn_optimise(ev, &search, rho0, &result);
  assert_int_equal(gradyn_search_defect_history(ev, &search, &result, &c), GRADYN_INVALID);
  assert_says(gradyn_evaluator_message(ev), "segments in it are missing");
}

/* The reason of a failure is the evaluator's message, with the segment. */
TEST(reasons_are_reported_by_the_evaluator)
{
  const double rho0[KNOTS] = {0};
  run_local *ev = run_with(.problem = &pole_problem, .method = "explicit");
  gradyn_search search = in_segments(ev, 3);
  LOCAL(gradyn_search_result) result;
  gradyn_defect_history c;
  search.max_evaluations = 2;
  (void)gradyn_optimise(ev, &search, rho0, &result);
  search.segments = 4;
  assert_int_equal(gradyn_search_defect_history(ev, &search, &result, &c), GRADYN_INVALID);
  assert_string_equal(gradyn_evaluator_message(ev), "result: belongs to another search");
  gradyn_defect_history_clear(&c);
  search.segments = 1;
  assert_int_equal(gradyn_search_defect_history(ev, &search, &result, &c), GRADYN_INVALID);
  assert_says(gradyn_evaluator_message(ev), "1 segments: at least 2");
  gradyn_defect_history_clear(&c);
}
