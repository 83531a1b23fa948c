/* Memory of equations that are so many that their matrices are sparse. */
#include "tests/allocations.h"
#include "tests/runs.h"
#include "tests/declare.h"

#include <gradyn/gradyn.h>

#include "problems/builtin.h"

enum { N = 36, MOST = 30 };

static const gradyn_param params[] = {{"k", "1/s", .init = 2, GRADYN_UNBOUNDED},
                                      {"y0", "", .init = 1.1, GRADYN_UNBOUNDED}};

/* y_i' = k (y_{i-1} - 2 y_i + y_{i+1}) on a ring. */
static gradyn_status flow(const gradyn_at *at, gradyn_scalar F[])
{
  for (int i = 0; i < N; i++)
    F[i] = at->yp[i] - at->data[0] * (at->y[(i + N - 1) % N] - 2 * at->y[i] + at->y[(i + 1) % N]);
  return GRADYN_OK;
}

FORMULA(last, at->y[0] * at->y[0])

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  static const char *const names[N] = {
      "y0",  "y1",  "y2",  "y3",  "y4",  "y5",  "y6",  "y7",  "y8",  "y9",  "y10", "y11",
      "y12", "y13", "y14", "y15", "y16", "y17", "y18", "y19", "y20", "y21", "y22", "y23",
      "y24", "y25", "y26", "y27", "y28", "y29", "y30", "y31", "y32", "y33", "y34", "y35"};
  const gradyn_datum data = {"k", "1/s", rho[0]};
  for (int i = 0; i < N; i++)
    gradyn_state(model, names[i], "", i == 0 ? rho[1] : 0.1 * i);
  declare_equations(model, flow, &data, 1);
  gradyn_minimise(model, declare_end(model, "end", "", last), 1);
  return gradyn_build_status(model);
}

static const gradyn_problem ring = PROBLEM("ring", build, params, .t_end = 0.05);

typedef struct how {
  const gradyn_problem *problem;
  const char *method, *sensitivity; /* NULL: a simulation */
} how;

/* A chain of links with a sparse saddle-point matrix. */
static const gradyn_setting_choice links[] = {{"links", 12}};

static gradyn_status evaluate(const void *user, char *message)
{
  const how *h = user;
  const double rho[2] = {2, 1.1};
  const bool equations = h->problem == &ring;
  double start[MOST], psi[MOST] = {0}, gradient[MOST * MOST];
  run_local *ev = NULL;
  gradyn_options options = run_options(h->problem);
  options.method = h->method;
  options.rtol = strcmp(h->method, "idas") == 0 || strcmp(h->method, "explicit") == 0 ? 1e-5 : 0;
  options.step = options.rtol > 0 ? 0 : 0.005;
  options.t_end = equations ? 0.05 : 0.01;
  if (h->sensitivity)
    options.sensitivity = h->sensitivity;
  gradyn_status status = gradyn_evaluator_create(h->problem, &options, links, !equations, &ev);
  for (size_t i = 0; status == GRADYN_OK && i < gradyn_parameter_count(ev); i++)
    start[i] = equations ? rho[i] : gradyn_parameter_at(ev, i).init;
  if (status == GRADYN_OK)
    status = h->sensitivity ? gradyn_evaluator_gradient(ev, start, psi, gradient)
                            : gradyn_evaluator_simulate(ev, start, psi, NULL);
  strcpy(message, ev ? gradyn_evaluator_message(ev) : "out of memory");
  /* a run that continues in spite of a failed allocation must have the right result */
  if (status == GRADYN_OK && equations && !(psi[0] > 1 && psi[0] < 3))
    status = GRADYN_INTERNAL;
  if (status == GRADYN_OK)
    strcpy(message, "memory");
  return status;
}

TEST(sparse_equations_survive_any_failure)
{
  static const char *const methods[] = {"idas", "explicit"}, *const sensitivities[] = {
                                                                 NULL, "direct", "adjoint"};
  for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
    for (size_t k = 0; k < sizeof sensitivities / sizeof *sensitivities; k++)
      if (support_takes((int)(m + k), 2))
        allocations_check(evaluate, &(how){&ring, methods[m], sensitivities[k]}, methods[m]);
}

TEST(sparse_mechanisms_survive_any_failure)
{
  for (size_t m = 0; m < sizeof run_methods / sizeof *run_methods; m++)
    if (support_takes((int)m, 2))
      allocations_check(evaluate, &(how){&gradyn_problem_chain, run_methods[m], "adjoint"},
                        run_methods[m]);
}

BEFORE_TESTS(libraries_that_fail)
{
  /* libraries of sparse matrices, whose requests fail, too; IDAS crashes if its own requests fail */
  static const char *const others[] = {"libklu", "libamd", "libcolamd", "libbtf",
                                       "libsuitesparseconfig"};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    allocations_include(others[i]);
}
