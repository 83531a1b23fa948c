/* Second derivatives that fail during a search: the search continues without them and states the reason. A
 * search that selected them automatically does not select them again. */
#include <unistd.h>

#include "tests/optim/journalled.h"

/* A valley, sum of S (x_i+1 - x_i^2)^2 + (1 - x_i)^2, for which limited memory needs some 200 points, and a
 * constraint on x_0. */
enum { N = 3 };
static const double steep = 1e3;

SYNTHETIC(valley)
{
  for (size_t i = 0; i + 1 < N; i++) {
    const double a = x[i + 1] - x[i] * x[i], b = 1 - x[i];
    psi[0] += steep * a * a + b * b;
    gradient[i] += -4 * steep * a * x[i] - 2 * b;
    gradient[i + 1] += 2 * steep * a;
  }
  psi[1] = x[0] * x[0];
  gradient[N] = 2 * x[0];
}

/* Second derivatives that can be computed the first `good` times. */
typedef struct curved {
  synthetic problem;
  long asked, good;
  gradyn_status failure;
  size_t all[N];
  double wrong; /* error of each diagonal entry, in units of steep */
  double H[N * N];
  gradyn_block block;
} curved;

static gradyn_status evaluate(void *self, bool all, const double rho[], double psi[],
                              double gradient[])
{
  curved *c = self;
  const gradyn_objective of = synthetic_objective(&c->problem);
  return of.evaluate(of.self, all, rho, psi, gradient);
}

static const char *message(void *self)
{
  (void)self;
  return "the curvature is lost";
}

static gradyn_status curve(void *self, const double w[], const double x[],
                           const gradyn_block **block)
{
  curved *c = self;
  *block = &c->block;
  if (c->asked++ >= c->good)
    return c->failure;
  memset(c->H, 0, sizeof c->H);
  for (size_t i = 0; i + 1 < N; i++) {
    const double a = x[i + 1] - x[i] * x[i];
    c->H[i * N + i] += w[0] * (8 * steep * x[i] * x[i] - 4 * steep * a + 2);
    c->H[(i + 1) * N + i + 1] += w[0] * 2 * steep;
    c->H[i * N + i + 1] = c->H[(i + 1) * N + i] = w[0] * -4 * steep * x[i];
  }
  c->H[0] += w[1] * 2;
  for (size_t i = 0; i < N; i++)
    c->H[i * N + i] += w[0] * c->wrong * steep;
  return GRADYN_OK;
}

/* The objective of a search from a distant start. */
static gradyn_objective prepare(curved *c)
{
  c->problem = synthetic_make(N, -4, 4, 2, valley);
  synthetic_constrain(&c->problem, 1, GRADYN_AT_MOST, 2.0);
  for (size_t i = 0; i < N; i++)
    c->all[i] = i;
  c->block = (gradyn_block){.count = N, .parameter = c->all, .H = c->H};
  gradyn_objective of = synthetic_objective(&c->problem);
  of.self = c;
  of.evaluate = evaluate;
  of.message = message;
  of.curve = curve;
  of.blocks.count = 1;
  return of;
}

static const double x0[N] = {-1.2, 1, -1.2};

/* Searches with or without requested second derivatives, which fail after `good` evaluations. */
static void find(bool hessian, long good, gradyn_status failure, gradyn_termination ending,
                 const char *words)
{
  curved c = {.good = good, .failure = failure};
  const gradyn_objective of = prepare(&c);
  gradyn_search search = synthetic_search("ipopt");
  search.hessian = hessian;
  LOCAL(gradyn_search_result) result;
  (void)gradyn_search_run(&of, &search, x0, &result);
  assert_int_equal(result.termination, ending);
  assert_says(result.reason, words);
  if (failure != GRADYN_OK)
    assert_int_equal(c.asked, good + 1);
  if (ending == GRADYN_TERMINATION_OPTIMAL)
    assert_close(result.rho[N - 1], 1, 1e-3, 0);
}

TEST(failed_points_are_not_repeated)
{
  for (long good = 0; good < 4; good++) {
    if (!support_takes((int)good, 2))
      continue;
    find(true, good, GRADYN_NOT_CONVERGED, GRADYN_TERMINATION_OPTIMAL,
         "search: without second derivatives after");
    find(false, good, GRADYN_NOT_CONVERGED, GRADYN_TERMINATION_OPTIMAL,
         " evaluations; without second derivatives after");
  }
  find(false, 0, GRADYN_NOT_CONVERGED, GRADYN_TERMINATION_OPTIMAL,
       " evaluations: the curvature is lost");
}

/* A journal does not store second derivatives; the reason of their failure must be reported with a journal,
 * too, and after resuming. */
TEST(the_reason_is_known_beside_a_journal)
{
  FREED char *file = journal_name();
  for (int again = 0; again < 2; again++) {
    curved c = {.failure = GRADYN_NOT_CONVERGED};
    const gradyn_objective of = prepare(&c);
    gradyn_search search = synthetic_search("ipopt");
    search.hessian = true;
    search.journal = file;
    search.durability = GRADYN_DURABLE_NEVER;
    const gradyn_recollection how = {.fresh = again == 0};
    LOCAL(gradyn_search_result) result;
    (void)gradyn_search_with_journal(&of, NULL, &search, x0, how, &result);
    assert_says(result.reason,
                "without second derivatives after 1 evaluation: the curvature is lost");
  }
  assert_int_equal(unlink(file), 0);
}

TEST(successful_candidates_are_accepted)
{
  find(true, 200, GRADYN_OK, GRADYN_TERMINATION_OPTIMAL, "optimal after");
  find(false, 200, GRADYN_OK, GRADYN_TERMINATION_OPTIMAL, "with second derivatives after");
}

/* Wrong second derivatives give steps that are too short. Limited memory then continues, also in a resumed
 * search, unless the user has requested second derivatives. */
TEST(a_search_returns_from_second_derivatives_that_lead_nowhere)
{
  FREED char *file = journal_name();
  char reason[2][1024];
  double found[2][N];
  for (int again = 0; again < 2; again++) {
    curved c = {.good = 10000, .wrong = 1e4};
    const gradyn_objective of = prepare(&c);
    gradyn_search search = synthetic_search("ipopt");
    search.journal = file;
    search.durability = GRADYN_DURABLE_NEVER;
    const gradyn_recollection how = {.fresh = again == 0};
    LOCAL(gradyn_search_result) result;
    (void)gradyn_search_with_journal(&of, NULL, &search, x0, how, &result);
    assert_int_equal(result.termination, GRADYN_TERMINATION_OPTIMAL);
    assert_says(result.reason, "with second derivatives after");
    assert_says(result.reason, "without second derivatives after");
    assert_says(result.reason, "no optimum in 60 evaluations");
    assert_close(result.rho[N - 1], 1, 1e-3, 0);
    memcpy(found[again], result.rho, sizeof found[again]);
    memcpy(reason[again], result.reason, sizeof reason[again]);
    const content journal = journal_read(file);
    if (again == 0) /* stopped soon after the return */
      journal_write(file, journal.bytes, journal_line(journal, journal_lines(journal) - 9));
    free(journal.bytes);
  }
  assert_string_equal(reason[0], reason[1]);
  assert_memory_equal(found[0], found[1], sizeof found[0]);
  assert_int_equal(unlink(file), 0);
  curved c = {.good = 10000, .wrong = 1e4};
  const gradyn_objective of = prepare(&c);
  gradyn_search search = synthetic_search("ipopt");
  search.hessian = true;
  LOCAL(gradyn_search_result) result;
  (void)gradyn_search_run(&of, &search, x0, &result);
  assert_null(strstr(result.reason, "without second derivatives"));
}

TEST(a_search_ends_if_no_evaluation_remains)
{
  for (long good = 0; good < 3; good++) {
    find(false, good, GRADYN_NO_MEMORY, GRADYN_TERMINATION_FAILED, "out of memory");
    find(false, good, GRADYN_INTERRUPTED, GRADYN_TERMINATION_STOPPED, "stopped on request");
  }
}
