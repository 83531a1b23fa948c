/* The variational scheme: what a step costs beside one of ALI3-P, what a whole adjoint gradient costs
 * beside the march, and how both grow with the size of the mechanism.
 * Usage: bench_variational [runs]; medians of the runs. Everything is measured in one process, in turn. */
#include <stdio.h>
#include <stdlib.h>

#include <gradyn/evaluate.h>

#include "problems/builtin.h"
#include "bench/timing.h"

enum { MAX_RUNS = 101, MOST = 64 };

/* A problem and how long it runs. */
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
    gradyn_status status = gradyn_simulate(ev, rho, psi, NULL);
    march[k] = bench_now() - start;
    if (status != GRADYN_OK)
      return status;
    gradyn_statistics cost = gradyn_evaluator_statistics(ev);
    double steps = (double)cost.steps;
    out->iterations = (double)cost.newton_iterations / steps;
    out->factorisations = (double)cost.factorisations / steps;
    start = bench_now();
    status = gradyn_gradient(ev, rho, psi, gradient);
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
  return 0;
}
