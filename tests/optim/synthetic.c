/* Analytic problems for the tests of the search. */
#include "tests/optim/synthetic.h"

static gradyn_status evaluate(void *self, bool all, const double rho[], double psi[],
                              double gradient[])
{
  (void)all;
  synthetic *problem = self;
  double scratch[SYNTHETIC_MAX * SYNTHETIC_MAX];
  if (gradient == NULL)
    gradient = scratch;
  problem->evaluations++;
  memset(psi, 0, problem->m * sizeof *psi);
  memset(gradient, 0, problem->m * problem->n * sizeof *gradient);
  const gradyn_status status = problem->fill(problem, rho, psi, gradient);
  psi[0] *= problem->factor;
  for (size_t j = 0; j < problem->n; j++)
    gradient[j] *= problem->factor;
  return status;
}

static const char *message(void *self)
{
  (void)self;
  return "the mechanism locks at t = 0.5 s";
}

static long steps(void *self)
{
  (void)self;
  return 17;
}

synthetic synthetic_make(size_t n, double lower, double upper, size_t m, synthetic_fn fill)
{
  static const char *const x[SYNTHETIC_MAX] = {"x0", "x1", "x2", "x3", "x4",  "x5",
                                               "x6", "x7", "x8", "x9", "x10", "x11"};
  static const char *const f[SYNTHETIC_MAX] = {"f0", "f1", "f2", "f3", "f4",  "f5",
                                               "f6", "f7", "f8", "f9", "f10", "f11"};
  synthetic problem = {.n = n, .m = m, .fill = fill, .factor = 1.0};
  for (size_t i = 0; i < n; i++)
    problem.parameters[i] = (gradyn_parameter_info){
        .name = x[i], .unit = "", .lower = lower, .upper = upper};
  for (size_t i = 0; i < m; i++)
    problem.functionals[i] = (gradyn_functional_info){.name = f[i],
                                                      .unit = "",
                                                      .use = i == 0 ? GRADYN_OBJECTIVE
                                                                    : GRADYN_MONITORED,
                                                      .weight = 1.0};
  return problem;
}

void synthetic_constrain(synthetic *problem, size_t i, gradyn_functional_use use, double bound)
{
  problem->functionals[i].use = use;
  problem->functionals[i].bound = bound;
  problem->functionals[i].tolerance = 1e-8;
}

gradyn_search synthetic_search(const char *algorithm)
{
  return (gradyn_search){.struct_size = sizeof(gradyn_search),
                         .algorithm = algorithm,
                         .max_evaluations = 500,
                         .ftol = 1e-10,
                         .xtol = 1e-10,
                         .optimality = 1e-6};
}

gradyn_objective synthetic_objective(synthetic *problem)
{
  return (gradyn_objective){.parameters = problem->parameters,
                            .functionals = problem->functionals,
                            .parameter_count = problem->n,
                            .functional_count = problem->m,
                            .evaluate = evaluate,
                            .message = message,
                            .steps = steps,
                            .self = problem};
}

gradyn_status synthetic_run(synthetic *problem, const gradyn_search *search, const double x0[],
                            gradyn_search_result *result)
{
  const gradyn_objective objective = synthetic_objective(problem);
  return gradyn_search_run(&objective, search, x0, result);
}

gradyn_status rosenbrock(const synthetic *problem, const double x[], double psi[],
                         double gradient[])
{
  for (size_t i = 0; i + 1 < problem->n; i++) {
    const double a = x[i + 1] - x[i] * x[i], b = 1 - x[i];
    psi[0] += 100 * a * a + b * b;
    gradient[i] += -400 * a * x[i] - 2 * b;
    gradient[i + 1] += 200 * a;
  }
  return GRADYN_OK;
}

gradyn_status bowl(const synthetic *problem, const double x[], double psi[], double gradient[])
{
  for (size_t i = 0; i < problem->n; i++) {
    const double d = x[i] - (double)(i + 1);
    psi[0] += d * d;
    gradient[i] = 2 * d;
  }
  return GRADYN_OK;
}

gradyn_status hs071(const synthetic *problem, const double x[], double psi[], double gradient[])
{
  const double s = x[0] + x[1] + x[2];
  const size_t n = problem->n;
  psi[0] = x[0] * x[3] * s + x[2];
  gradient[0] = x[3] * (s + x[0]);
  gradient[1] = x[0] * x[3];
  gradient[2] = x[0] * x[3] + 1;
  gradient[3] = x[0] * s;
  psi[1] = x[0] * x[1] * x[2] * x[3];
  psi[2] = x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3];
  for (size_t j = 0; j < n; j++) {
    gradient[n + j] = psi[1] / x[j];
    gradient[2 * n + j] = 2 * x[j];
  }
  return GRADYN_OK;
}
