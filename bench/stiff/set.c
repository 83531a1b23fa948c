/* Stiff problems with published end values (tests/adjoint/stiff_set.h): processor times of `radau` and
 * `idas` for values and gradients, and their errors: values against the published ones, gradients against
 * those of `radau` at 1e-10, over the largest component of each state. Without an argument the times are
 * compared at equal errors, interpolated between tolerances from 1e-3 to 1e-10.
 * Usage: bench_stiff_set [TOLERANCE]. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/curve.h"
#include "bench/timing.h"
#include "tests/adjoint/stiff_set.h"

enum { ENTRIES = STIFF_STATES * STIFF_PARAMETERS, RUNS = 5, METHODS = 2, GOALS = 2 };

static const char *const methods[METHODS] = {"radau", "idas"};
static const double goals[GOALS] = {1e-5, 1e-7}; /* errors */
static const double finest = 1e-10;              /* tolerance of the reference gradients */

typedef struct answer {
  gradyn_status status;
  long steps,
      calls; /* for values: steps, and calls of the residual without those for derivatives */
  double psi[STIFF_STATES], gradient[ENTRIES], values,
      whole; /* time, s, for values; for a gradient */
} answer;

static void ask(const stiff_problem *p, const char *method, double rtol, answer *a)
{
  const gradyn_problem problem = stiff_declare(p);
  gradyn_options options;
  gradyn_evaluator *ev;
  double values[RUNS], whole[RUNS];
  gradyn_options_default(&problem, &options);
  options.method = method;
  options.rtol = rtol;
  options.evaluation_seconds = 20;
  a->status = gradyn_evaluator_create(&problem, &options, NULL, 0, &ev);
  for (int k = 0; k < RUNS && a->status == GRADYN_OK; k++) {
    double since = bench_now();
    a->status = gradyn_evaluator_simulate(ev, p->parameter, a->psi, NULL);
    values[k] = bench_now() - since;
    a->steps = gradyn_evaluator_statistics(ev).steps;
    a->calls = gradyn_evaluator_statistics(ev).residual_calls;
    since = bench_now();
    if (a->status == GRADYN_OK)
      a->status = gradyn_evaluator_gradient(ev, p->parameter, a->psi, a->gradient);
    whole[k] = bench_now() - since;
  }
  if (a->status == GRADYN_OK) {
    a->values = bench_median(values, RUNS);
    a->whole = bench_median(whole, RUNS);
  }
  gradyn_evaluator_free(ev);
}

/* The largest errors; HUGE_VAL for failed runs. */
static void judge(const stiff_problem *p, const answer *a, const answer *exact, double *value,
                  double *gradient)
{
  *value = *gradient = a->status == GRADYN_OK ? 0 : HUGE_VAL;
  for (int s = 0; s < p->states && a->status == GRADYN_OK; s++) {
    const double *g = a->gradient + 2 * s, *e = exact->gradient + 2 * s;
    const double most = fmax(fabs(e[0]), fabs(e[1]));
    *value = fmax(*value, fabs(a->psi[s] / p->end[s] - 1));
    *gradient = fmax(*gradient, fmax(fabs(g[0] - e[0]), fabs(g[1] - e[1])) / most);
  }
}

static void print(const stiff_problem *p, const char *method, const answer *a, const answer *exact)
{
  double value, gradient;
  judge(p, a, exact, &value, &gradient);
  if (a->status != GRADYN_OK)
    (void)printf("| %-11s | %-5s | %s |\n", p->name, method,
                 gradyn_status_describe((int)a->status).name);
  else
    (void)printf("| %-11s | %-5s | %5ld | %7.2f ms | %7.1e | %7.2f ms | %7.1e |\n", p->name, method,
                 a->steps, 1e3 * a->values, value, 1e3 * a->whole, gradient);
}

static void compare_at_tolerance(double rtol)
{
  (void)printf("| at %.0e      | method | steps | values | error | gradient | error |\n", rtol);
  for (int k = 0; k < STIFF_PROBLEMS; k++) {
    answer exact = {0};
    ask(&stiff_set[k], "radau", finest, &exact);
    for (int m = 0; m < METHODS; m++) {
      answer a = {0};
      ask(&stiff_set[k], methods[m], rtol, &a);
      print(&stiff_set[k], methods[m], &a, &exact);
    }
  }
}

/* Cost of a method for a given error: of values, or of gradients with `whole`. */
typedef struct price {
  double steps, calls, values, whole;
} price;

static void measure(const stiff_problem *p, const char *method, const answer *exact,
                    price at[GOALS])
{
  double value[CURVE_RUNS], gradient[CURVE_RUNS], cost[4][CURVE_RUNS];
  for (int i = 0; i < CURVE_RUNS; i++) {
    answer a = {0};
    ask(p, method, bench_tolerance(i), &a);
    judge(p, &a, exact, &value[i], &gradient[i]);
    cost[0][i] = (double)a.steps;
    cost[1][i] = (double)a.calls;
    cost[2][i] = a.values;
    cost[3][i] = a.whole;
  }
  for (int g = 0; g < GOALS; g++)
    at[g] = (price){
        bench_cost_at(goals[g], value, cost[0]), bench_cost_at(goals[g], value, cost[1]),
        bench_cost_at(goals[g], value, cost[2]), bench_cost_at(goals[g], gradient, cost[3])};
}

/* Median of the known ratios, which are sorted. */
static double median_of_known(double ratio[STIFF_PROBLEMS])
{
  int known = 0;
  for (int k = 0; k < STIFF_PROBLEMS; k++)
    if (!isnan(ratio[k]))
      ratio[known++] = ratio[k];
  return bench_median(ratio, known);
}

static void compare_at_errors(void)
{
  static double ratio[GOALS][2][STIFF_PROBLEMS];
  (void)printf("| problem     | error | radau steps | calls | values | gradient |"
               " idas steps | calls | values | gradient | idas/radau, values | gradient |\n");
  for (int k = 0; k < STIFF_PROBLEMS; k++) {
    price at[METHODS][GOALS];
    answer exact = {0};
    ask(&stiff_set[k], "radau", finest, &exact);
    for (int m = 0; m < METHODS; m++)
      measure(&stiff_set[k], methods[m], &exact, at[m]);
    for (int g = 0; g < GOALS; g++) {
      ratio[g][0][k] = at[1][g].values / at[0][g].values;
      ratio[g][1][k] = at[1][g].whole / at[0][g].whole;
      (void)printf("| %-11s | %.0e |", stiff_set[k].name, goals[g]);
      for (int m = 0; m < METHODS; m++)
        (void)printf(" %5.0f | %6.0f | %7.2f ms | %7.2f ms |", at[m][g].steps, at[m][g].calls,
                     1e3 * at[m][g].values, 1e3 * at[m][g].whole);
      (void)printf(" %5.2f | %5.2f |\n", ratio[g][0][k], ratio[g][1][k]);
    }
    (void)fflush(stdout); /* the other problems take a minute */
  }
  for (int g = 0; g < GOALS; g++)
    (void)printf("medians at %.0e: values %.2f, gradient %.2f\n", goals[g],
                 median_of_known(ratio[g][0]), median_of_known(ratio[g][1]));
}

int main(int argc, char **argv)
{
  if (argc > 1)
    compare_at_tolerance(atof(argv[1]));
  else
    compare_at_errors();
  return 0;
}
