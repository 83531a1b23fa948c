/* Tests of fronts between two functionals: against closed forms, convex and concave ones, with
 * dominated points, by several processes, interrupted. */
#include "tests/optim/journalled.h"

#include "optim/pareto.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Units in which the two functionals of paraboloids() are measured. */
#define FIRST_UNIT 1e3
#define SECOND_UNIT 1e-4

/* Squared distances from two points a and -a, which are 2 apart: on the front, a straight line between
 * them, the distances add up to 2. */
static gradyn_status paraboloids(const synthetic *problem, const double x[], double psi[],
                                 double gradient[])
{
  const size_t n = problem->n;
  const double a = 1 / sqrt((double)n);
  for (size_t i = 0; i < n; i++) {
    psi[0] += FIRST_UNIT * (x[i] - a) * (x[i] - a);
    psi[1] += SECOND_UNIT * (x[i] + a) * (x[i] + a);
    gradient[i] = 2 * FIRST_UNIT * (x[i] - a);
    gradient[n + i] = 2 * SECOND_UNIT * (x[i] + a);
  }
  return GRADYN_OK;
}

/* Fonseca & Fleming (1995): 1 - exp(-r^2) of the same distances r; its front is concave. */
static gradyn_status concave(const synthetic *problem, const double x[], double psi[],
                             double gradient[])
{
  (void)paraboloids(problem, x, psi, gradient);
  const double unit[2] = {FIRST_UNIT, SECOND_UNIT};
  for (size_t k = 0; k < 2; k++) {
    const double e = exp(-psi[k] / unit[k]);
    psi[k] = 1 - e;
    for (size_t i = 0; i < problem->n; i++)
      gradient[k * problem->n + i] *= e / unit[k];
  }
  return GRADYN_OK;
}

/* The first falls in waves while the second grows: its front is in pieces. */
static gradyn_status waves(const synthetic *problem, const double x[], double psi[],
                           double gradient[])
{
  const double w = 10;
  psi[0] = 1 - x[0] + 0.4 * sin(w * x[0]);
  psi[1] = x[0];
  gradient[0] = -1 + 0.4 * w * cos(w * x[0]);
  gradient[problem->n] = 1;
  return GRADYN_OK;
}

/* --- Running ---------------------------------------------------------------------------------- */

/* What a run may be told besides the problem. */
typedef struct setup {
  synthetic_fn fill;
  size_t n, points;
  double from, to; /* 0, 0: not given */
  const gradyn_hands *hands;
  gradyn_use second; /* what the second functional is besides */
  double factor;     /* of the first functional; 0: 1 */
} setup;

static gradyn_status run(setup s, const char *folder, gradyn_pareto_result *result,
                         long *evaluations)
{
  static const double x0[SYNTHETIC_MAX] = {0.2, 0.9, 0.4};
  synthetic problem = synthetic_make(s.n, s.fill == waves ? 0 : -4, s.fill == waves ? 1 : 4, 2,
                                     s.fill);
  problem.functionals[1].use = s.second;
  problem.factor = s.factor > 0 ? s.factor : 1;
  problem.functionals[1].tolerance = 1e-8;
  const gradyn_objective objective = synthetic_objective(&problem);
  gradyn_search search = synthetic_search("lbfgs");
  search.durability = GRADYN_DURABLE_NEVER;
  const bool given = s.to > s.from;
  const gradyn_pareto_spec spec = {.first = 0,
                                   .second = 1,
                                   .points = s.points,
                                   .from = given ? s.from : 0,
                                   .to = given ? s.to : 0,
                                   .folder = folder,
                                   .hands = s.hands};
  const gradyn_status status = gradyn_pareto_run(&objective, NULL, &search, &spec, x0, result);
  if (evaluations != NULL)
    *evaluations = problem.evaluations;
  return status;
}

static gradyn_status run_once(setup s, gradyn_pareto_result *result)
{
  char *folder = journal_folder();
  const gradyn_status status = run(s, folder, result, NULL);
  journal_sweep_up(folder);
  return status;
}

/* --- Closed forms ------------------------------------------------------------------------------- */

static void convex_front(void **state)
{
  (void)state;
  gradyn_pareto_result result;
  const gradyn_status status = run_once((setup){.fill = paraboloids, .n = 3, .points = 12},
                                        &result);
  assert_ok(status, result.message);
  assert_int_equal(result.count, 12);
  assert_int_equal(result.front, 12);
  assert_int_equal(result.unfinished, 0);
  assert_close(result.least.second / SECOND_UNIT, 0, 0, 1e-9);
  for (size_t i = 0; i < 12; i++) {
    const gradyn_pareto_point *point = &result.point[i];
    const double r = sqrt(point->first / FIRST_UNIT), s = sqrt(point->second / SECOND_UNIT);
    assert_true(point->on_front);
    assert_close(r + s, 2, 2e-6, 0);
    /* dF/dG = (F_r dr) / (G_s ds) with dr = -ds */
    assert_close(point->trade_off, r / s * FIRST_UNIT / SECOND_UNIT, 1e-4, 1e-2);
    if (i > 0)
      assert_close(point->second, point->limit, 0, 4e-6 * SECOND_UNIT);
  }
  assert_true(isnan(result.point[0].limit) && result.point[0].trade_off == 0);
  /* evenly spread, to a thousandth of the range above the least */
  assert_close(result.point[11].limit, 4e-3 * SECOND_UNIT, 1e-4, 0);
  assert_close(result.point[4].limit - result.point[5].limit, 3.996 / 11 * SECOND_UNIT, 1e-6, 0);
  gradyn_pareto_result_clear(&result);
}

/* What counts as different is a share of the range along the front. */
static void a_small_unit_hides_no_points(void **state)
{
  (void)state;
  gradyn_pareto_result result;
  const gradyn_status status = run_once(
      (setup){.fill = paraboloids, .n = 3, .points = 6, .factor = 1e-8}, &result);
  assert_ok(status, result.message);
  assert_int_equal(result.front, 6);
  gradyn_pareto_result_clear(&result);
}

static void concave_front(void **state)
{
  (void)state;
  gradyn_pareto_result result;
  const gradyn_status status = run_once((setup){.fill = concave, .n = 2, .points = 9}, &result);
  assert_ok(status, result.message);
  assert_int_equal(result.front, 9);
  for (size_t i = 0; i < 9; i++) {
    const gradyn_pareto_point *point = &result.point[i];
    const double r = sqrt(-log(1 - point->first)), s = sqrt(-log(1 - point->second));
    assert_close(r + s, 2, 1e-5, 0);
    assert_close(point->trade_off, r * exp(-r * r) / (s * exp(-s * s)), 1e-3, 1e-5);
  }
  gradyn_pareto_result_clear(&result);
}

/* Searches end in the waves' local minima; what others beat is not on the front. */
static void dominated_points_are_found_out(void **state)
{
  (void)state;
  gradyn_pareto_result result;
  const setup s = {.fill = waves, .n = 1, .points = 41};
  assert_ok(run_once(s, &result), result.message);
  /* 1 at 0, then those where 0.4 sin(10 x) < x, up to the minimum at 10 x = 2 pi - acos(1/4) */
  assert_int_equal(result.front, 22);
  for (size_t i = 0; i < 41; i++) {
    const gradyn_pareto_point *a = &result.point[i];
    bool beaten = false;
    for (size_t k = 0; k < 41; k++) {
      const gradyn_pareto_point *b = &result.point[k];
      const double less = a->first - b->first, lesser = a->second - b->second;
      beaten |= less >= 0 && lesser >= 0 && less + lesser > 1e-5;
      if (a->on_front && b->on_front && i != k) /* nor are there two of a kind */
        assert_true(fabs(less) + fabs(lesser) > 1e-5);
    }
    assert_false(a->on_front && beaten);
  }
  gradyn_pareto_result_clear(&result);
}

static void limits_can_be_given(void **state)
{
  (void)state;
  gradyn_pareto_result result;
  /* the first limits are too large to be felt: these searches end at the same point */
  const setup s = {
      .fill = paraboloids, .n = 2, .points = 5, .from = SECOND_UNIT, .to = 9 * SECOND_UNIT};
  assert_ok(run_once(s, &result), result.message);
  assert_int_equal(result.count, 5);
  assert_int_equal(result.front, 3);
  assert_false(result.least.finished);
  for (size_t i = 0; i < 5; i++) {
    const gradyn_pareto_point *point = &result.point[i];
    const double limit = (9 - 2 * (double)i) * SECOND_UNIT;
    assert_close(point->limit, limit, 1e-12, 0);
    assert_close(point->second, fmin(limit, 4 * SECOND_UNIT), 1e-5, 0);
    if (i < 2)
      assert_close(point->trade_off, 0, 0, 1e-9 * FIRST_UNIT / SECOND_UNIT);
  }
  gradyn_pareto_result_clear(&result);
}

/* --- Who does the work ---------------------------------------------------------------------------- */

static void assert_same(const gradyn_pareto_result *a, const gradyn_pareto_result *b)
{
  assert_int_equal(a->count, b->count);
  assert_int_equal(a->evaluations, b->evaluations);
  assert_int_equal(a->front, b->front);
  for (size_t i = 0; i < a->count; i++) {
    assert_memory_equal(a->point[i].rho, b->point[i].rho, 3 * sizeof(double));
    assert_memory_equal(&a->point[i].first, &b->point[i].first, 3 * sizeof(double));
    assert_int_equal(a->point[i].on_front, b->point[i].on_front);
  }
}

/* Ends the work after some questions; every evaluation asks. */
static bool questions_left(void *user)
{
  return --*(int *)user > 0;
}

static void interrupted_and_by_many_it_is_the_same(void **state)
{
  (void)state;
  gradyn_pareto_result alone, other;
  const setup s = {.fill = concave, .n = 3, .points = 7};
  assert_ok(run_once(s, &alone), alone.message);
  for (int questions = 1; questions < 60; questions += 13) {
    char *folder = journal_folder();
    int left = questions;
    const gradyn_hands few = {.go_on = questions_left, .user = &left};
    const gradyn_hands many = {.jobs = (size_t)questions % 5};
    setup with = s;
    with.hands = &few;
    assert_status(run(with, folder, &other, NULL), GRADYN_INTERRUPTED, other.message);
    assert_true(other.unfinished > 0 && other.front < 7);
    assert_true(questions > 1 || isnan(other.point[0].first)); /* nothing has ended yet */
    gradyn_pareto_result_clear(&other);
    with.hands = &many;
    assert_ok(run(with, folder, &other, NULL), other.message);
    assert_same(&alone, &other);
    gradyn_pareto_result_clear(&other);
    /* all is known now but the evaluation that proves it */
    long evaluations = 0;
    assert_ok(run(s, folder, &other, &evaluations), other.message);
    assert_int_equal(evaluations, 1);
    assert_same(&alone, &other);
    gradyn_pareto_result_clear(&other);
    journal_sweep_up(folder);
  }
  gradyn_pareto_result_clear(&alone);
}

static void refused(void **state)
{
  (void)state;
  gradyn_pareto_result result;
  const gradyn_hands parts = {.shard = 0, .shards = 2};
  const struct {
    setup s;
    const char *why;
  } table[] = {
      {{.fill = concave, .n = 1, .points = 1}, "at least 2"},
      {{.fill = concave, .n = 1, .points = 3, .from = 1, .to = HUGE_VAL}, "two finite ones"},
      {{.fill = concave, .n = 1, .points = 3, .hands = &parts}, "in parts"},
      {{.fill = concave, .n = 1, .points = 3, .second = GRADYN_EQUAL}, "f1 has a lower limit"},
      {{.fill = concave, .n = 1, .points = 3, .second = GRADYN_AT_LEAST}, "f1 has a lower limit"},
  };
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
    assert_status(run_once(table[i].s, &result), GRADYN_INVALID, result.message);
    assert_non_null(strstr(result.message, table[i].why));
    gradyn_pareto_result_clear(&result);
  }
  assert_status(gradyn_pareto(NULL, NULL, NULL, NULL, NULL), GRADYN_INVALID, NULL);
  assert_status(gradyn_pareto(NULL, NULL, NULL, NULL, &result), GRADYN_INVALID, result.message);
  gradyn_pareto_result_clear(&result);
  gradyn_pareto_result_clear(NULL);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(convex_front),
      cmocka_unit_test(a_small_unit_hides_no_points),
      cmocka_unit_test(concave_front),
      cmocka_unit_test(dominated_points_are_found_out),
      cmocka_unit_test(limits_can_be_given),
      cmocka_unit_test(interrupted_and_by_many_it_is_the_same),
      cmocka_unit_test(refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
