/* Loads a problem from a shared object and compares its gradient with the closed form. */
#include <stdio.h>

#include <gradyn/gradyn.h>

/* psi = (1 - exp(-2 k T))/(2 k) and dpsi/dk; returns the larger relative error. */
static double error(double k, double T, double psi, double slope)
{
  const double e = exp(-2 * k * T);
  const double psi_exact = (1 - e) / (2 * k);
  const double slope_exact = (2 * k * T * e - (1 - e)) / (2 * k * k);
  return fmax(fabs(psi / psi_exact - 1), fabs(slope / slope_exact - 1));
}

int main(int argc, char *argv[])
{
  gradyn_registry *registry = NULL;
  gradyn_evaluator *evaluator = NULL;
  const gradyn_problem *problem = NULL;
  gradyn_options options;
  double rho[1] = {0.7}, psi[1] = {0}, slope[1] = {0};

  if (argc != 2 || gradyn_registry_create(NULL, &registry) != GRADYN_OK ||
      gradyn_registry_find(registry, argv[1], &problem) != GRADYN_OK) {
    fprintf(stderr, "no problem: %s\n", registry ? gradyn_registry_message(registry) : "");
    return 1;
  }
  gradyn_options_default(problem, &options);
  options.rtol = 1e-9;
  options.atol = 1e-12;
  int failed = 1;
  if (gradyn_evaluator_create(problem, &options, NULL, 0, &evaluator) != GRADYN_OK ||
      gradyn_gradient(evaluator, rho, psi, slope) != GRADYN_OK) {
    fprintf(stderr, "no gradient: %s\n", evaluator ? gradyn_evaluator_message(evaluator) : "");
  } else {
    const double off = error(rho[0], problem->t_end, psi[0], slope[0]);
    printf("gradyn %s: psi = %.10g, slope = %.10g, error %.1e\n", gradyn_version(), psi[0],
           slope[0], off);
    failed = !(off < 1e-6);
  }
  gradyn_evaluator_free(evaluator);
  gradyn_registry_free(registry);
  return failed;
}
