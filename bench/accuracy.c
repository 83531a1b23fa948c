/* The figures of docs/theory/ali3p-measurements.md: convergence of ALI3-P to the motion and of its
 * gradients, against the five-bar linkage in two angles; effect of penalties; constraints and energy over
 * 50 s; final energy of four-bar loops that pass singular positions. Prints the tables of that page.
 * Usage: bench_accuracy */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gradyn/gradyn.h>

#include "problems/builtin.h"
#include "tests/reference/five_bar_joint.h"

enum { F = 3, P = 5 };

/* One run with ALI3-P; gradient and statistics may be NULL. */
static bool run(const gradyn_problem *problem, const gradyn_options *options, int loops,
                double *psi, double *gradient, gradyn_statistics *statistics)
{
  const gradyn_setting_choice choice = {"loops", loops};
  gradyn_evaluator *ev;
  double rho[P] = {0};
  gradyn_status status = gradyn_evaluator_create(problem, options, &choice, loops > 0, &ev);
  for (size_t j = 0; status == GRADYN_OK && j < gradyn_parameter_count(ev); j++)
    rho[j] = gradyn_parameter_at(ev, j).init;
  if (status == GRADYN_OK)
    status = gradient ? gradyn_evaluator_gradient(ev, rho, psi, gradient)
                      : gradyn_evaluator_simulate(ev, rho, psi, NULL);
  if (status != GRADYN_OK)
    fprintf(stderr, "%s\n", gradyn_evaluator_message(ev));
  else if (statistics)
    *statistics = gradyn_evaluator_statistics(ev);
  gradyn_evaluator_free(ev);
  return status == GRADYN_OK;
}

static gradyn_options ali3p(const gradyn_problem *problem, double step, double t_end)
{
  gradyn_options options;
  gradyn_options_default(problem, &options);
  options.method = "ali3p";
  options.step = step;
  options.t_end = t_end;
  return options;
}

static double relative(double value, double exact)
{
  return fabs(value / exact - 1);
}

static bool convergence(void)
{
  static const double steps[] = {4e-3, 2e-3, 1e-3, 5e-4};
  five_bar_data d;
  double complex exact[F], *member[P];
  double slope[P][F];
  five_bar_default(&d);
  five_bar_parameters(&d, member);
  five_bar_joint(&d, 5, exact);
  for (int j = 0; j < P; j++)
    five_bar_joint_derivative(&d, member[j], 5, slope[j]);
  printf("Convergence, five-bar, 5 s: largest relative errors\n%8s %10s %10s %10s %10s\n",
         "step ms", "psi1..3", "grad psi1", "grad psi2", "grad psi3");
  for (int k = 0; k < 4; k++) {
    double psi[F], gradient[F][P], worst[1 + F] = {0};
    gradyn_options options = ali3p(&gradyn_problem_five_bar, steps[k], 5);
    if (!run(&gradyn_problem_five_bar, &options, 0, psi, gradient[0], NULL))
      return false;
    for (int f = 0; f < F; f++) {
      worst[0] = fmax(worst[0], relative(psi[f], creal(exact[f])));
      for (int j = 0; j < P; j++)
        worst[1 + f] = fmax(worst[1 + f], relative(gradient[f][j], slope[j][f]));
    }
    printf("%8.1f %10.1e %10.1e %10.1e %10.1e\n", 1e3 * steps[k], worst[0], worst[1], worst[2],
           worst[3]);
  }
  return true;
}

/* Largest relative change of values and gradients by penalties, against exact projections. */
static bool penalties(void)
{
  double psi[2][F], gradient[2][F][P];
  gradyn_options options = ali3p(&gradyn_problem_five_bar, 1e-3, 5);
  if (!run(&gradyn_problem_five_bar, &options, 0, psi[0], gradient[0][0], NULL))
    return false;
  printf("\nPenalties, five-bar, 5 s at 1 ms: largest relative changes\n%10s %10s %10s %10s\n",
         "penalty", "projection", "psi", "gradient");
  for (int k = 0; k < 6; k++) {
    double size = k % 2 ? 1e12 : 1e9, change[2] = {0};
    options.penalty = k / 2 == 1 ? 0 : size;
    options.projection_penalty = k / 2 == 0 ? 0 : size;
    if (!run(&gradyn_problem_five_bar, &options, 0, psi[1], gradient[1][0], NULL))
      return false;
    for (int f = 0; f < F; f++) {
      change[0] = fmax(change[0], relative(psi[1][f], psi[0][f]));
      for (int j = 0; j < P; j++)
        change[1] = fmax(change[1], relative(gradient[1][f][j], gradient[0][f][j]));
    }
    printf("%10.0e %10.0e %10.1e %10.1e\n", options.penalty, options.projection_penalty, change[0],
           change[1]);
  }
  return true;
}

static bool constraints(void)
{
  printf("\nConstraints, five-bar, 50 s\n%8s %10s %10s %10s\n", "step ms", "Phi m", "Phi' m/s",
         "Phi'' m/s2");
  for (int k = 0; k < 2; k++) {
    double step = k ? 1e-3 : 1e-2, psi[F];
    gradyn_statistics s;
    gradyn_options options = ali3p(&gradyn_problem_five_bar, step, 50);
    if (!run(&gradyn_problem_five_bar, &options, 0, psi, NULL, &s))
      return false;
    printf("%8.1f %10.1e %10.1e %10.1e\n", 1e3 * step, s.drift_position, s.drift_velocity,
           s.drift_acceleration);
  }
  return true;
}

/* Largest error of the energy within each tenth of a conservative run over 50 s. */
static bool energy_in_tenths(const gradyn_options *options)
{
  gradyn_evaluator *ev;
  gradyn_trajectory *motion = gradyn_trajectory_create();
  gradyn_invariants *at = NULL;
  double rho[P], psi[F], worst[10] = {0};
  gradyn_status status = gradyn_evaluator_create(&gradyn_problem_five_bar, options, NULL, 0, &ev);
  for (size_t j = 0; status == GRADYN_OK && j < P; j++)
    rho[j] = gradyn_parameter_at(ev, j).init;
  if (status == GRADYN_OK)
    status = motion ? gradyn_evaluator_simulate(ev, rho, psi, motion) : GRADYN_NO_MEMORY;
  size_t steps = status == GRADYN_OK ? gradyn_trajectory_read(motion).steps : 0;
  if (status == GRADYN_OK)
    status = (at = calloc(steps, sizeof *at)) ? gradyn_invariants_compute(ev, motion, at)
                                              : GRADYN_NO_MEMORY;
  for (size_t k = 1; status == GRADYN_OK && k < steps; k++) {
    double error = at[k].kinetic + at[k].potential - at[0].kinetic - at[0].potential;
    worst[(k - 1) * 10 / (steps - 1)] = fmax(worst[(k - 1) * 10 / (steps - 1)], fabs(error));
  }
  printf("%8.1f", 1e3 * options->step);
  for (int i = 0; i < 10; i++)
    printf(" %8.1e", worst[i]);
  printf("\n");
  if (status != GRADYN_OK)
    fprintf(stderr, "%s\n", gradyn_evaluator_message(ev));
  free(at);
  gradyn_trajectory_free(motion);
  gradyn_evaluator_free(ev);
  return status == GRADYN_OK;
}

static bool energy(void)
{
  printf("\nEnergy, five-bar, 50 s: largest error in each tenth, J\n");
  for (int k = 0; k < 2; k++) {
    gradyn_options options = ali3p(&gradyn_problem_five_bar, k ? 2e-3 : 4e-3, 50);
    if (!energy_in_tenths(&options))
      return false;
  }
  return true;
}

/* energy after a tenth of a microsecond: the reference */
static bool singular_positions(void)
{
  static const double steps[] = {1e-2, 5e-3, 2.5e-3, 1e-3};
  static const int loops[] = {1, 2, 10, 40};
  printf("\nSingular positions, four-bar-chain, 10 s: relative error of the energy at the end\n%8s",
         "step ms");
  for (int i = 0; i < 4; i++)
    printf(" %7d loop", loops[i]);
  for (int k = 0; k < 4; k++) {
    printf("\n%8.1f", 1e3 * steps[k]);
    for (int i = 0; i < 4; i++) {
      double start[2], end[2];
      gradyn_options options = ali3p(&gradyn_problem_four_bar_chain, 1e-7, 1e-7);
      bool fine = run(&gradyn_problem_four_bar_chain, &options, loops[i], start, NULL, NULL);
      options = ali3p(&gradyn_problem_four_bar_chain, steps[k], 10);
      if (!fine || !run(&gradyn_problem_four_bar_chain, &options, loops[i], end, NULL, NULL))
        return false;
      printf(" %12.1e", relative(end[1], start[1]));
    }
  }
  printf("\n");
  return true;
}

int main(void)
{
  return convergence() && penalties() && constraints() && energy() && singular_positions() ? 0 : 1;
}
