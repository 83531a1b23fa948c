/* Fronts that several processes search, or that are interrupted and continued. */
#include "tests/optim/fronts.h"

/* Points that b reports as finished must equal those of the complete result a. */
static void assert_same_points(const gradyn_pareto_result *a, const gradyn_pareto_result *b,
                               size_t n)
{
  assert_int_equal(a->count, b->count);
  for (size_t i = 0; i < a->count; i++)
    if (b->point[i].finished) {
      assert_memory_equal(a->point[i].rho, b->point[i].rho, n * sizeof(double));
      assert_memory_equal(&a->point[i].first, &b->point[i].first, 3 * sizeof(double));
    }
}

static void assert_same(const gradyn_pareto_result *a, const gradyn_pareto_result *b, size_t n)
{
  assert_same_points(a, b, n);
  assert_int_equal(b->unfinished, 0);
  assert_int_equal(a->evaluations, b->evaluations);
  assert_int_equal(a->front, b->front);
  for (size_t i = 0; i < a->count; i++)
    assert_int_equal(a->point[i].on_front, b->point[i].on_front);
}

/* Cancels after a number of calls; every evaluation calls this. */
static bool questions_left(void *user)
{
  return --*(int *)user > 0;
}

TEST(interrupted_and_by_many_it_is_the_same)
{
  gradyn_pareto_result alone, other;
  const front_setup s = {.fill = concave, .n = 3, .points = 7};
  assert_ok(front_run_once(s, &alone), alone.message);
  for (int questions = 1; questions < 60; questions += 13) {
    char *folder = journal_folder();
    int left = questions;
    const gradyn_workers few = {.go_on = questions_left, .user = &left};
    const gradyn_workers many = {.jobs = (size_t)questions % 5,
                                 .processes = SUPPORT_FORKS && questions % 2};
    front_setup with = s;
    with.workers = &few;
    assert_status(front_run(with, folder, &other, NULL), GRADYN_INTERRUPTED, other.message);
    assert_true(other.unfinished > 0 && other.front < 7);
    assert_true(questions > 1 || isnan(other.point[0].first)); /* nothing has ended yet */
    gradyn_pareto_result_clear(&other);
    with.workers = &many;
    assert_ok(front_run(with, folder, &other, NULL), other.message);
    assert_same(&alone, &other, s.n);
    gradyn_pareto_result_clear(&other);
    /* all is known except for the evaluation that verifies the point */
    long evaluations = 0;
    assert_ok(front_run(s, folder, &other, &evaluations), other.message);
    assert_int_equal(evaluations, 1);
    assert_same(&alone, &other, s.n);
    gradyn_pareto_result_clear(&other);
    journal_sweep_up(folder);
  }
  gradyn_pareto_result_clear(&alone);
}

/* Of two searches for a point the second may find the better one. Until both have ended, the point is not
 * finished. */
TEST(finished_searches_stay)
{
  gradyn_pareto_result alone, other;
  front_setup s = {.fill = waves, .n = 1, .points = 9};
  assert_ok(front_run_once(s, &alone), alone.message);
  for (int questions = 1; questions < (int)alone.evaluations; questions++) {
    int left = questions;
    const gradyn_workers few = {.go_on = questions_left, .user = &left};
    s.workers = &few;
    assert_status(front_run_once(s, &other), GRADYN_INTERRUPTED, other.message);
    assert_same_points(&alone, &other, 1);
    gradyn_pareto_result_clear(&other);
  }
  gradyn_pareto_result_clear(&alone);
}
