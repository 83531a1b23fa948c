/* The best point of a journal is that of the search that wrote the journal; no search is run. */
#include "tests/optim/journalled.h"
#include "tests/runs.h"
#include "tests/support.h"
#include "tests/declare.h"

#include <complex.h>
#include <unistd.h>

#include <gradyn/model.h>
#include <gradyn/evaluate.h>
#include <gradyn/study.h>

enum { X, Y, PARAMETERS };
static const gradyn_param params[] = {{"x", "", .init = -1.2, .lower = -4, .upper = 4},
                                      {"y", "", .init = 1, .lower = -4, .upper = 4}};
static const double rho0[PARAMETERS] = {-1.2, 1};

/* A state that stays at its initial value. */
static gradyn_status residual(const gradyn_at *at, gradyn_scalar F[])
{
  F[0] = at->yp[0];
  F[1] = at->yp[1];
  return creal(at->data[0]) > 0 ? GRADYN_CALLBACK : GRADYN_OK;
}

static gradyn_status valley(const gradyn_at *at, gradyn_scalar *value)
{
  const gradyn_scalar x = at->y[0], a = at->y[1] - x * x;
  *value = 100 * a * a + (1 - x) * (1 - x);
  return GRADYN_OK;
}

FORMULA(sum, at->y[0] + at->y[1])

static gradyn_status declare(gradyn_model *model, const gradyn_scalar rho[], double broken)
{
  const gradyn_datum data = {"broken", "", broken};
  gradyn_state(model, "x", "", rho[X]);
  gradyn_state(model, "y", "", rho[Y]);
  declare_equations(model, residual, &data, 1);
  gradyn_minimise(model, declare_end(model, "valley", "", valley), 1);
  gradyn_constrain(model, declare_end(model, "sum", "", sum), -INFINITY, 1, 1e-3);
  return gradyn_build_status(model);
}

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  return declare(model, rho, 0);
}

static gradyn_status build_broken(gradyn_model *model, const gradyn_scalar rho[])
{
  return declare(model, rho, 1);
}

/* The best point seen by the callback: the smaller violation counts first, and among feasible points the
 * lower objective. */
typedef struct seen {
  double rho[PARAMETERS], objective, violation;
  long evaluations;
} seen;

static bool look(const gradyn_iteration *iteration, void *user)
{
  seen *best = user;
  const double violation = fmax(1, iteration->violation);
  if (iteration->status == GRADYN_OK &&
      (best->evaluations == 0 || violation < best->violation ||
       (violation == best->violation && iteration->objective < best->objective))) {
    memcpy(best->rho, iteration->rho, sizeof best->rho);
    best->objective = iteration->objective;
    best->violation = violation;
  }
  best->evaluations++;
  return true;
}

static gradyn_evaluator *open(gradyn_build_fn what)
{
  static gradyn_problem problem; /* outlives the evaluator */
  problem = (gradyn_problem)PROBLEM("still", what, params, .t_end = 1);
  return run_with(.problem = &problem);
}

/* The best point of the first k evaluations, if all are feasible and if some are not. */
TEST(the_best_is_feasible_and_lowest)
{
  char *file = journal_name(), why[256];
  run_local *evaluator = open(build);
  for (long most = 1; most < 40; most += 6) {
    gradyn_search_result result;
    seen best = {.evaluations = 0};
    double rho[PARAMETERS] = {NAN, NAN};
    gradyn_search search = run_search(evaluator);
    search.journal = file;
    search.durability = GRADYN_DURABLE_NEVER;
    search.max_evaluations = most;
    search.verify_discretisation = false;
    search.on_iteration = look;
    search.user = &best;
    (void)gradyn_optimise(evaluator, &search, rho0, &result);
    assert_in_range(best.evaluations - result.probes, 1, most);
    assert_ok(gradyn_journal_best(evaluator, &search, rho, why, sizeof why), why);
    assert_memory_equal(rho, best.rho, sizeof rho);
    gradyn_search_result_clear(&result);
    assert_int_equal(unlink(file), 0);
  }
  free(file);
}

TEST(without_a_success_there_is_no_best)
{
  char *file = journal_name(), why[256];
  gradyn_search_result result;
  double rho[PARAMETERS];
  run_local *evaluator = open(build_broken);
  gradyn_search search = run_search(evaluator);
  search.journal = file;
  assert_status(gradyn_optimise(evaluator, &search, rho0, &result), GRADYN_CALLBACK, result.reason);
  gradyn_search_result_clear(&result);
  assert_status(gradyn_journal_best(evaluator, &search, rho, why, sizeof why), GRADYN_NOT_FOUND,
                why);
  assert_says(why, "none of the 1 evaluations of the journal");
  search.objective = "hill";
  assert_status(gradyn_journal_best(evaluator, &search, rho, why, sizeof why), GRADYN_INVALID, why);
  assert_says(why, "hill");
  search.objective = NULL;
  const content journal = journal_read(file);
  journal_write(file, journal.bytes, journal_line(journal, 1)); /* its header alone */
  assert_status(gradyn_journal_best(evaluator, &search, rho, why, sizeof why), GRADYN_NOT_FOUND,
                why);
  assert_says(why, "holds no evaluation");
  free(journal.bytes);
  assert_int_equal(unlink(file), 0);
  /* a missing journal is not created */
  assert_status(gradyn_journal_best(evaluator, &search, rho, why, sizeof why), GRADYN_NOT_FOUND,
                why);
  assert_says(why, "there is no journal");
  assert_int_equal(access(file, F_OK), -1);
  free(file);
}
