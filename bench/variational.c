/* Costs of the variational scheme: of a step against one of ALI3-P, of an adjoint gradient against a
 * simulation, and their growth with the size of the mechanism. Then the number of iterations per step, and
 * the change of values and gradients by a change of a parameter's last bit.
 * Usage: bench_variational [runs]; medians of the runs. Everything is measured in one process, in turn. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <gradyn/inspect.h>
#include <gradyn/evaluate.h>

#include "problems/builtin.h"
#include "bench/timing.h"

enum { MAX_RUNS = 101, MOST = 64, NEIGHBOURS = 6 };

/* A problem and its end time. */
typedef struct subject {
  const char *name;
  const gradyn_problem *problem;
  int links; /* 0: no setting */
  double t_end;
} subject;

static const subject subjects[] = {{"five-bar", &gradyn_problem_five_bar, 0, 5},
                                   {"chain 8", &gradyn_problem_chain, 8, 2},
                                   {"chain 30", &gradyn_problem_chain, 30, 0.5},
                                   {"chain 100", &gradyn_problem_chain, 100, 0.5},
                                   {"chain 400", &gradyn_problem_chain, 400, 0.1}};

/* Medians of one method on one problem. */
typedef struct times {
  double march, gradient; /* s per step */
  double iterations, factorisations;
} times;

static gradyn_status measure(gradyn_evaluator *ev, int runs, times *out)
{
  double rho[MOST], psi[MOST], gradient[MOST * MOST], march[MAX_RUNS], whole[MAX_RUNS];
  for (size_t j = 0; j < gradyn_parameter_count(ev); j++)
    rho[j] = gradyn_parameter_at(ev, j).init;
  for (int k = 0; k < runs; k++) {
    double start = bench_now();
    gradyn_status status = gradyn_evaluator_simulate(ev, rho, psi, NULL);
    march[k] = bench_now() - start;
    if (status != GRADYN_OK)
      return status;
    gradyn_statistics cost = gradyn_evaluator_statistics(ev);
    double steps = (double)cost.steps;
    out->iterations = (double)cost.newton_iterations / steps;
    out->factorisations = (double)cost.factorisations / steps;
    start = bench_now();
    status = gradyn_evaluator_gradient(ev, rho, psi, gradient);
    whole[k] = (bench_now() - start) / steps;
    march[k] /= steps;
    if (status != GRADYN_OK)
      return status;
  }
  out->march = bench_median(march, runs);
  out->gradient = bench_median(whole, runs);
  return GRADYN_OK;
}

static gradyn_status run(const subject *s, const char *method, int runs, times *out)
{
  gradyn_options options;
  gradyn_evaluator *ev;
  const gradyn_setting_choice choice = {"links", s->links};
  gradyn_options_default(s->problem, &options);
  options.method = method;
  options.step = 1e-3;
  options.t_end = s->t_end;
  gradyn_status status = gradyn_evaluator_create(s->problem, &options, &choice, s->links > 0, &ev);
  if (status == GRADYN_OK)
    status = measure(ev, runs, out);
  if (status != GRADYN_OK)
    fprintf(stderr, "%s, %s: %s\n", s->name, method, gradyn_evaluator_message(ev));
  gradyn_evaluator_free(ev);
  return status;
}

/* --- round-off -------------------------------------------------------------------------------- */

static const gradyn_problem *const stiff[] = {
    &gradyn_problem_five_bar, &gradyn_problem_flexible_pendulum, &gradyn_problem_rigid_spring_beam,
    &gradyn_problem_double_wishbone, NULL};

/* Largest |b - a| over the largest |a|. */
static double change(const double *a, const double *b, size_t count)
{
  double most = 0, size = 0;
  for (size_t i = 0; i < count; i++) {
    most = fmax(most, fabs(b[i] - a[i]));
    size = fmax(size, fabs(a[i]));
  }
  return most / size;
}

/* Change of the objective and its gradient if all parameters change by their last bits: the largest of
 * NEIGHBOURS. */
static gradyn_status last_bit(const gradyn_problem *problem)
{
  double rho[MOST], psi[2][MOST], gradient[2][MOST * MOST], worst[2] = {0};
  gradyn_options options;
  gradyn_evaluator *ev;
  const gradyn_setting_choice choice = {"constraints", 0};
  gradyn_options_default(problem, &options);
  options.method = "variational";
  options.step = 1e-3;
  gradyn_status status = gradyn_evaluator_create(problem, &options, &choice,
                                                 problem == &gradyn_problem_double_wishbone, &ev);
  size_t p = status == GRADYN_OK ? gradyn_parameter_count(ev) : 0;
  for (size_t j = 0; j < p; j++)
    rho[j] = gradyn_parameter_at(ev, j).init;
  for (int k = 0; k <= NEIGHBOURS && status == GRADYN_OK; k++) {
    status = gradyn_evaluator_gradient(ev, rho, psi[k > 0], gradient[k > 0]);
    for (size_t j = 0; j < p; j++)
      rho[j] = nextafter(rho[j], HUGE_VAL);
    if (k > 0) {
      worst[0] = fmax(worst[0], change(psi[0], psi[1], 1));
      worst[1] = fmax(worst[1], change(gradient[0], gradient[1], p));
    }
  }
  if (status == GRADYN_OK) {
    gradyn_statistics cost = gradyn_evaluator_statistics(ev);
    printf("%-18s %10.2f %10.0e %10.0e\n", problem->name,
           (double)cost.newton_iterations / (double)cost.steps, worst[0], worst[1]);
  } else {
    fprintf(stderr, "%s: %s\n", problem->name, gradyn_evaluator_message(ev));
  }
  gradyn_evaluator_free(ev);
  return status;
}

int main(int argc, char *argv[])
{
  int runs = argc > 1 ? atoi(argv[1]) : 11;
  if (runs < 1 || runs > MAX_RUNS) {
    fprintf(stderr, "usage: bench_variational [runs], 1 to %d\n", MAX_RUNS);
    return 2;
  }
  printf("%-10s %-12s %12s %12s %10s %11s %11s\n", "problem", "method", "march us", "gradient us",
         "gradient/", "iterations", "factors per");
  printf("%-10s %-12s %12s %12s %10s %11s %11s\n", "", "", "per step", "per step", "march",
         "per step", "step");
  for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++)
    for (int k = 0; k < 2; k++) {
      const char *method = k == 0 ? "variational" : "ali3p";
      times t;
      if (run(&subjects[i], method, runs, &t) != GRADYN_OK)
        return 1;
      printf("%-10s %-12s %12.2f %12.2f %10.2f %11.2f %11.2f\n", subjects[i].name, method,
             1e6 * t.march, 1e6 * t.gradient, t.gradient / t.march, t.iterations, t.factorisations);
    }
  printf("\n%-18s %10s %10s %10s\n", "last bit", "iterations", "value", "gradient");
  for (const gradyn_problem *const *problem = stiff; *problem; problem++)
    if (last_bit(*problem) != GRADYN_OK)
      return 1;
  return 0;
}
