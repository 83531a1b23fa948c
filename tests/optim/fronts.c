/* Two conflicting functionals, and their fronts. */
#include "tests/optim/fronts.h"

gradyn_status paraboloids(const synthetic *problem, const double x[], double psi[],
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

gradyn_status concave(const synthetic *problem, const double x[], double psi[], double gradient[])
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

gradyn_status waves(const synthetic *problem, const double x[], double psi[], double gradient[])
{
  const double w = 10;
  psi[0] = 1 - x[0] + 0.4 * sin(w * x[0]);
  psi[1] = x[0];
  gradient[0] = -1 + 0.4 * w * cos(w * x[0]);
  gradient[problem->n] = 1;
  return GRADYN_OK;
}

gradyn_status front_run(front_setup s, const char *folder, gradyn_pareto_result *result,
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
                                   .from = given ? s.from : NAN,
                                   .to = given ? s.to : NAN,
                                   .folder = folder,
                                   .workers = s.workers};
  const gradyn_status status = gradyn_pareto_run(&objective, NULL, &search, &spec, x0, result);
  if (evaluations != NULL)
    *evaluations = problem.evaluations;
  return status;
}

gradyn_status front_run_once(front_setup s, gradyn_pareto_result *result)
{
  char *folder = journal_folder();
  const gradyn_status status = front_run(s, folder, result, NULL);
  journal_sweep_up(folder);
  return status;
}
