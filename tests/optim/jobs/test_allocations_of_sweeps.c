/* Memory: a failed allocation in a sweep leaves no points that look evaluated. */
#include "tests/allocations.h"
#include "tests/optim/journalled.h"
#include "tests/runs.h"
#include "tests/declare.h"

#include <unistd.h>

#include <gradyn/model.h>
#include <gradyn/evaluate.h>
#include <gradyn/study.h>

static const gradyn_param params[] = {{"slope", "1/s", .init = 1, GRADYN_UNBOUNDED}};
static const double rho0[] = {1};

FORMULA(residual, at->yp[0] - at->data[0])

FORMULA(at_end, at->y[0])

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  const gradyn_datum slope = {"slope", "1/s", rho[0]};
  gradyn_state(model, "y", "", 0);
  declare_equations(model, residual, &slope, 1);
  declare_end(model, "end", "", at_end);
  return gradyn_build_status(model);
}

static const gradyn_problem line = PROBLEM("line", build, params, .t_end = 2);

typedef struct discrete {
  gradyn_evaluator *evaluator;
  const char *folder;
} discrete;

/* Slopes 1, 2 and 3 over 2 s: each point is missing or has its value, and either all arrays exist or none. */
static gradyn_status sweep(const void *user, char *message)
{
  const discrete *s = user;
  gradyn_sweep_result r;
  char journal[512];
  const gradyn_range range = {.parameter = 0, .from = 1, .to = 3, .count = 3};
  const gradyn_sweep_spec spec = {.range = &range,
                                  .range_count = 1,
                                  .gradient = true,
                                  .folder = s->folder,
                                  .durability = GRADYN_DURABLE_NEVER};
  gradyn_status status = gradyn_sweep(s->evaluator, &spec, rho0, &r);
  (void)snprintf(message, ALLOCATIONS_MESSAGE, "%s", status == GRADYN_OK ? "memory" : r.message);
  if ((r.rho == NULL) != (r.psi == NULL) || (r.rho == NULL) != (r.status == NULL) ||
      (r.rho == NULL) != (r.gradient == NULL) || (r.rho == NULL) != (r.count == 0))
    status = GRADYN_INTERNAL;
  for (size_t i = 0; i < r.count && status != GRADYN_INTERNAL; i++)
    if (r.status[i] == GRADYN_OK && !(fabs(r.psi[i] - 2 * (double)(i + 1)) < 1e-6))
      status = GRADYN_INTERNAL;
  gradyn_sweep_result_clear(&r);
  (void)snprintf(journal, sizeof journal, "%s/points-00000.jsonl", s->folder);
  (void)unlink(journal); /* points in the journal would not be computed again */
  return status;
}

TEST(want_of_memory_leaves_no_false_points)
{
  char *folder = journal_folder();
  discrete s = {.folder = folder};
  s.evaluator = run_with(&line, .method = "explicit");
  allocations_check(sweep, &s, "a sweep");
  gradyn_evaluator_free(s.evaluator);
  journal_sweep_up(folder);
}
