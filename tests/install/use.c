/* Loads a problem from a shared object, compares its gradient with the closed form, and writes a study with
 * its report. Usage: use PROBLEM FOLDER. */
#include <stdio.h>

#include <gradyn/gradyn.h>

/* Compares with psi = (1 - exp(-2 k T))/(2 k) and dpsi/dk; returns the larger relative error. */
static double error(double k, double T, double psi, double slope)
{
  const double e = exp(-2 * k * T);
  const double psi_exact = (1 - e) / (2 * k);
  const double slope_exact = (2 * k * T * e - (1 - e)) / (2 * k * k);
  return fmax(fabs(psi / psi_exact - 1), fabs(slope / slope_exact - 1));
}

/* Writes a study of a run at rho, with its report, into a folder. */
static gradyn_status leave_study(gradyn_evaluator *evaluator, const double rho[], const char *path)
{
  char page[4096];
  double psi[1];
  gradyn_study_folder *folder = NULL;
  char reason[1024] = "";
  gradyn_trajectory *trajectory = gradyn_trajectory_create();
  gradyn_status status = gradyn_evaluator_simulate(evaluator, rho, psi, trajectory);
  if (status == GRADYN_OK)
    status = gradyn_study_folder_open(path, true, &folder);
  if (status == GRADYN_OK)
    status = gradyn_study_folder_write_simulation(folder, evaluator, rho, psi, trajectory);
  snprintf(page, sizeof page, "%s/report.html", path);
  if (status == GRADYN_OK)
    status = gradyn_study_report(&path, 1, NULL, page, reason, sizeof reason);
  if (status != GRADYN_OK)
    fprintf(stderr, "no study: %s\n", *reason ? reason : gradyn_study_folder_message(folder));
  gradyn_study_folder_close(folder);
  gradyn_trajectory_free(trajectory);
  return status;
}

int main(int argc, char *argv[])
{
  gradyn_registry *registry = NULL;
  gradyn_evaluator *evaluator = NULL;
  const gradyn_problem *problem = NULL;
  gradyn_options options;
  double rho[1] = {0.7}, psi[1] = {0}, slope[1] = {0};

  if (argc != 3 || gradyn_registry_create(NULL, &registry) != GRADYN_OK ||
      gradyn_registry_find(registry, argv[1], &problem) != GRADYN_OK) {
    fprintf(stderr, "no problem: %s\n", registry ? gradyn_registry_message(registry) : "");
    return 1;
  }
  gradyn_options_default(problem, &options);
  options.rtol = 1e-9;
  options.atol = 1e-12;
  int failed = 1;
  if (gradyn_evaluator_create(problem, &options, NULL, 0, &evaluator) != GRADYN_OK ||
      gradyn_evaluator_gradient(evaluator, rho, psi, slope) != GRADYN_OK) {
    fprintf(stderr, "no gradient: %s\n", evaluator ? gradyn_evaluator_message(evaluator) : "");
  } else {
    const double off = error(rho[0], problem->t_end, psi[0], slope[0]);
    printf("gradyn %s: psi = %.10g, slope = %.10g, error %.1e\n", gradyn_version(), psi[0],
           slope[0], off);
    failed = !(off < 1e-6) || leave_study(evaluator, rho, argv[2]) != GRADYN_OK;
  }
  gradyn_evaluator_free(evaluator);
  gradyn_registry_free(registry);
  return failed;
}
