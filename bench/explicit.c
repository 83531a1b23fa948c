/* Costs of the explicit method against idas and against a hand-written program for one mechanism, for all
 * functionals and for the first one alone, and for chains of growing length. Usage: bench_explicit [runs];
 * medians of the runs. All measurements are in one process. Compared programs run in turn, so that other
 * load on the machine affects both. Each runs once before it is measured, so that caches are filled as in a
 * search. Errors are those of the worst component of the gradient over the largest one of its functional,
 * against a run at rtol 1e-12. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gradyn/evaluate.h>

#include "adjoint/evaluator/evaluator.h"
#include "bench/hand/explicit_five_bar.h"
#include "bench/timing.h"
#include "problems/builtin.h"

enum { MAX_RUNS = 101, MOST = 32, MOST_STEPS = 400 };

/* An evaluator, its results, and the times of its runs. */
typedef struct subject {
  const char *label;
  bool first_only; /* gradients of the first functional alone */
  gradyn_evaluator *evaluator;
  size_t p, functionals;
  double rho[MOST], psi[MOST], gradient[MOST];
  double march[MAX_RUNS], whole[MAX_RUNS]; /* s */
  long steps;
} subject;

static bool open_subject(subject *s, const gradyn_problem *problem, const char *method, double rtol,
                         double t_end, int links)
{
  gradyn_options options;
  const gradyn_setting_choice choice = {"links", links};
  gradyn_options_default(problem, &options);
  options.method = method;
  options.rtol = options.atol = rtol;
  options.step = 0;
  options.t_end = t_end;
  if (gradyn_evaluator_create(problem, &options, &choice, links > 0 ? 1 : 0, &s->evaluator) !=
      GRADYN_OK) {
    fprintf(stderr, "%s: %s\n", problem->name, gradyn_evaluator_message(s->evaluator));
    return false;
  }
  s->p = gradyn_parameter_count(s->evaluator);
  s->functionals = gradyn_functional_count(s->evaluator);
  for (size_t j = 0; j < s->p; j++)
    s->rho[j] = gradyn_parameter_at(s->evaluator, j).init;
  return true;
}

static bool run_subject(subject *s, int run)
{
  static const bool first[MOST] = {true};
  static bool all[MOST];
  memset(all, true, sizeof all);
  gradyn_status status = gradyn_evaluator_simulate(s->evaluator, s->rho, s->psi, NULL);
  double start = bench_now();
  if (status == GRADYN_OK)
    status = gradyn_evaluator_simulate(s->evaluator, s->rho, s->psi, NULL);
  s->march[run] = bench_now() - start;
  start = bench_now();
  if (status == GRADYN_OK)
    status = gradyn_evaluator_gradient_selected(s->evaluator, s->first_only ? first : all, s->rho,
                                                s->psi, s->gradient);
  s->whole[run] = bench_now() - start;
  s->steps = gradyn_evaluator_statistics(s->evaluator).steps;
  if (status != GRADYN_OK)
    fprintf(stderr, "%s\n", gradyn_evaluator_message(s->evaluator));
  return status == GRADYN_OK;
}

/* Worst component over the largest one of its functional. */
static double gradient_error(const double *gradient, const double *exact, size_t functionals,
                             size_t p)
{
  double worst = 0;
  for (size_t f = 0; f < functionals; f++) {
    double most = 0, error = 0;
    for (size_t j = 0; j < p; j++) {
      most = fmax(most, fabs(exact[f * p + j]));
      error = fmax(error, fabs(gradient[f * p + j] - exact[f * p + j]));
    }
    worst = fmax(worst, error / most);
  }
  return worst;
}

/* base: seconds of the gradient that others are compared with. */
static void report(const char *label, long steps, double error, double *march, double *whole,
                   int runs, double base)
{
  const double simulation = bench_median(march, runs), gradient = bench_median(whole, runs);
  printf("%-26s %6ld %10.1e %12.4f %12.4f %8.2f %8.1f\n", label, steps, error, 1e3 * simulation,
         1e3 * gradient, gradient / simulation, base / gradient);
}

static void report_subject(subject *s, const subject *exact, int runs, double base)
{
  report(s->label, s->steps,
         gradient_error(s->gradient, exact->gradient, s->first_only ? 1 : s->functionals, s->p),
         s->march, s->whole, runs, base);
}

/* --- five-bar linkage --------------------------------------------------------------------------- */

static subject adjoints[] = {{.label = "idas 1e-8"},
                             {.label = "idas 1e-10"},
                             {.label = "explicit 3e-5"},
                             {.label = "explicit 1e-5"},
                             {.label = "explicit 1e-6"},
                             {.label = "explicit 4.7e-7"},
                             {.label = "idas 1e-8, psi1", .first_only = true},
                             {.label = "explicit 3e-5, psi1", .first_only = true},
                             {.label = "explicit 1e-5, psi1", .first_only = true},
                             {.label = "explicit 1e-6, psi1", .first_only = true},
                             {.label = "explicit 4.7e-7, psi1", .first_only = true},
                             {.label = "exact"}};
static const double bars_rtol[] = {1e-8, 1e-10, 3e-5, 1e-5, 1e-6,   4.7e-7,
                                   1e-8, 3e-5,  1e-5, 1e-6, 4.7e-7, 1e-12};
enum { BARS = sizeof adjoints / sizeof *adjoints, BARS_ALONE = 6 };

/* The program written by hand. */
static const int hand_steps[] = {49, 83};
static double by_hand_march[2][MAX_RUNS], by_hand_whole[2][MAX_RUNS];
static double by_hand_gradient[2][RAW_FUNCTIONALS][RAW_PARAMETERS];

static bool run_hand(int run)
{
  static hand_stage stages[MOST_STEPS * HAND_STAGES];
  double psi[RAW_FUNCTIONALS];
  for (int k = 0; k < 2; k++) {
    double start = bench_now();
    bool ok = hand_explicit_march(5.0 / hand_steps[k], hand_steps[k], NULL, psi);
    by_hand_march[k][run] = bench_now() - start;
    start = bench_now();
    ok = ok && hand_explicit_adjoint(5.0 / hand_steps[k], hand_steps[k], stages, psi,
                                     by_hand_gradient[k]);
    by_hand_whole[k][run] = bench_now() - start;
    if (!ok)
      return false;
  }
  return true;
}

static bool five_bar(int runs)
{
  for (int k = 0; k < BARS; k++)
    if (!open_subject(&adjoints[k], &gradyn_problem_five_bar,
                      strncmp(adjoints[k].label, "idas", 4) == 0 ? "idas" : "explicit",
                      bars_rtol[k], 0, 0))
      return false;
  for (int run = 0; run < runs; run++) {
    for (int k = 0; k < BARS; k++)
      if (!run_subject(&adjoints[k], run))
        return false;
    if (!run_hand(run))
      return false;
  }
  const subject *exact = &adjoints[BARS - 1];
  printf("five-bar linkage, 5 s, gradient of three functionals, and of psi1, by five parameters\n"
         "                            steps      error      simulation     gradient    ratio   "
         "faster\n"
         "                                                          ms           ms\n");
  double base[2] = {bench_median(adjoints[0].whole, runs),
                    bench_median(adjoints[BARS_ALONE].whole, runs)};
  for (int k = 0; k < BARS - 1; k++)
    report_subject(&adjoints[k], exact, runs, base[k >= BARS_ALONE]);
  for (int k = 0; k < 2; k++)
    report(k ? "by hand, 83 steps" : "by hand, 49 steps", hand_steps[k],
           gradient_error(&by_hand_gradient[k][0][0], exact->gradient, 3, 5), by_hand_march[k],
           by_hand_whole[k], runs, base[0]);
  for (int k = 0; k < BARS; k++)
    gradyn_evaluator_free(adjoints[k].evaluator);
  return true;
}

/* --- chains ------------------------------------------------------------------------------------- */

static bool chains(int runs)
{
  printf("\nchain of links, 0.5 s\nlinks  method          steps      error      simulation     "
         "gradient    ratio   faster\n");
  for (int links = 4; links <= 64; links *= 2) {
    subject one[] = {{.label = "idas 1e-6"}, {.label = "explicit 1e-5"}, {.label = "exact"}};
    static const double rtol[] = {1e-6, 1e-5, 1e-11};
    const int few = runs > 5 ? 5 : runs;
    for (int k = 0; k < 3; k++)
      if (!open_subject(&one[k], &gradyn_problem_chain, k ? "explicit" : "idas", rtol[k], 0.5,
                        links))
        return false;
    for (int run = 0; run < few; run++)
      for (int k = 0; k < 3; k++)
        if (!run_subject(&one[k], run))
          return false;
    for (int k = 0; k < 2; k++) {
      printf("%-6d ", links);
      report_subject(&one[k], &one[2], few, bench_median(one[0].whole, few));
    }
    for (int k = 0; k < 3; k++)
      gradyn_evaluator_free(one[k].evaluator);
  }
  return true;
}

int main(int argc, char **argv)
{
  const int runs = argc > 1 ? atoi(argv[1]) : 11;
  if (runs < 1 || runs > MAX_RUNS) {
    fprintf(stderr, "usage: bench_explicit [runs, 1 to %d]\n", MAX_RUNS);
    return 2;
  }
  return five_bar(runs) && chains(runs) ? 0 : 1;
}
