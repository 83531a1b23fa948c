/* Fronts between two functionals: against closed forms, convex and concave ones, with dominated points. */
#include "tests/optim/fronts.h"

/* --- Closed forms ------------------------------------------------------------------------------- */

TEST(convex_front)
{
  LOCAL(gradyn_pareto_result) result;
  assert_ok(front_run_once((front_setup){.fill = paraboloids, .n = 3, .points = 12}, &result),
            result.message);
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
  /* evenly distributed, except for a thousandth of the range above the least value */
  assert_close(result.point[11].limit, 4e-3 * SECOND_UNIT, 1e-4, 0);
  assert_close(result.point[4].limit - result.point[5].limit, 3.996 / 11 * SECOND_UNIT, 1e-6, 0);
}

/* Two points count as different by a fraction of the range of the front, in any unit. */
TEST(a_small_unit_hides_no_points)
{
  LOCAL(gradyn_pareto_result) result;
  assert_ok(front_run_once((front_setup){.fill = paraboloids, .n = 3, .points = 6, .factor = 1e-8},
                           &result),
            result.message);
  assert_int_equal(result.front, 6);
}

TEST(concave_front)
{
  LOCAL(gradyn_pareto_result) result;
  assert_ok(front_run_once((front_setup){.fill = concave, .n = 2, .points = 9}, &result),
            result.message);
  assert_int_equal(result.front, 9);
  for (size_t i = 0; i < 9; i++) {
    const gradyn_pareto_point *point = &result.point[i];
    const double r = sqrt(-log(1 - point->first)), s = sqrt(-log(1 - point->second));
    assert_close(r + s, 2, 1e-5, 0);
    assert_close(point->trade_off, r * exp(-r * r) / (s * exp(-s * s)), 1e-3, 1e-5);
  }
}

/* Searches may end in the local minima of the waves; dominated points are not on the front. */
TEST(dominated_points_are_found_out)
{
  LOCAL(gradyn_pareto_result) result;
  const front_setup s = {.fill = waves, .n = 1, .points = 41};
  assert_ok(front_run_once(s, &result), result.message);
  /* the point at 0, and those with 0.4 sin(10 x) < x, up to the minimum at 10 x = 2 pi - acos(1/4) */
  assert_int_equal(result.front, 22);
  for (size_t i = 0; i < 41; i++) {
    const gradyn_pareto_point *a = &result.point[i];
    bool beaten = false;
    for (size_t k = 0; k < 41; k++) {
      const gradyn_pareto_point *b = &result.point[k];
      const double less = a->first - b->first, lesser = a->second - b->second;
      beaten |= less >= 0 && lesser >= 0 && less + lesser > 1e-5;
      if (a->on_front && b->on_front && i != k) /* no two points of the front are equal */
        assert_true(fabs(less) + fabs(lesser) > 1e-5);
    }
    assert_false(a->on_front && beaten);
  }
}

TEST(limits_can_be_given)
{
  LOCAL(gradyn_pareto_result) result;
  /* the first bounds are too large to be active: these searches end at the same point */
  const front_setup s = {
      .fill = paraboloids, .n = 2, .points = 5, .from = SECOND_UNIT, .to = 9 * SECOND_UNIT};
  assert_ok(front_run_once(s, &result), result.message);
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
}

/* The first functional does not depend on x1, and both are least at the same x0: there is no trade-off.
 * Among all points that are optimal for the first, the second functional selects one. */
SYNTHETIC(indifferent)
{
  const double a = x[0] - 0.3, b = x[1] + 0.5;
  psi[0] = 1 + a * a;
  psi[1] = 2 + a * a + b * b;
  gradient[0] = gradient[problem->n] = 2 * a;
  gradient[problem->n + 1] = 2 * b;
}

TEST(without_a_trade_there_is_one_point)
{
  LOCAL(gradyn_pareto_result) result;
  const front_setup s = {.fill = indifferent, .n = 2, .points = 5};
  assert_ok(front_run_once(s, &result), result.message);
  assert_int_equal(result.count, 1);
  assert_int_equal(result.front, 1);
  assert_close(result.point[0].first, 1, 1e-9, 0);
  assert_close(result.point[0].second, 2, 1e-9, 0);
  assert_true(result.point[0].on_front && result.point[0].trade_off == 0);
}

TEST(refused)
{
  LOCAL(gradyn_pareto_result) result;
  const gradyn_workers parts = {.shard = 0, .shards = 2};
  const struct {
    front_setup s;
    const char *why;
  } table[] = {
      {{.fill = concave, .n = 1, .points = 1}, "at least 2"},
      {{.fill = concave, .n = 1, .points = 3, .from = 1, .to = HUGE_VAL}, "both must be finite"},
      {{.fill = concave, .n = 1, .points = 3, .workers = &parts},
       "the tasks cannot be divided into parts"},
      {{.fill = concave, .n = 1, .points = 3, .second = GRADYN_EQUAL}, "f1 has a lower bound"},
      {{.fill = concave, .n = 1, .points = 3, .second = GRADYN_AT_LEAST}, "f1 has a lower bound"},
  };
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
    assert_status(front_run_once(table[i].s, &result), GRADYN_INVALID, result.message);
    assert_says(result.message, table[i].why);
    assert_int_equal(result.least.status, GRADYN_INVALID);
    gradyn_pareto_result_clear(&result);
  }
  assert_status(gradyn_pareto(NULL, NULL, NULL, NULL, NULL), GRADYN_INVALID, NULL);
  assert_status(gradyn_pareto(NULL, NULL, NULL, NULL, &result), GRADYN_INVALID, result.message);
  assert_int_equal(result.least.status, GRADYN_INVALID);
  gradyn_pareto_result_clear(NULL);
}
