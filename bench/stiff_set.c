/* Stiff problems with published end values (tests/adjoint/stiff_set.h): what `radau` and `idas` take
 * for values and for gradients, in processor time, and what these err by: values against the published
 * ones, gradients against those of `radau` at 1e-9, over the largest component of each state.
 * Usage: bench_stiff_set [TOLERANCE], by default 1e-6. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/timing.h"
#include "tests/adjoint/stiff_set.h"

enum { ENTRIES = STIFF_STATES * STIFF_PARAMETERS, RUNS = 5 };

typedef struct answer {
  gradyn_status status;
  long steps;
  double psi[STIFF_STATES], gradient[ENTRIES], values, whole; /* s of values, of a gradient */
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
    a->status = gradyn_simulate(ev, p->parameter, a->psi, NULL);
    values[k] = bench_now() - since;
    a->steps = gradyn_evaluator_statistics(ev).steps;
    since = bench_now();
    if (a->status == GRADYN_OK)
      a->status = gradyn_gradient(ev, p->parameter, a->psi, a->gradient);
    whole[k] = bench_now() - since;
  }
  if (a->status == GRADYN_OK) {
    a->values = bench_median(values, RUNS);
    a->whole = bench_median(whole, RUNS);
  }
  gradyn_evaluator_free(ev);
}

static void print(const stiff_problem *p, const char *method, const answer *a, const answer *exact)
{
  double value = 0, gradient = 0;
  for (int s = 0; s < p->states; s++) {
    const double *g = a->gradient + 2 * s, *e = exact->gradient + 2 * s;
    const double most = fmax(fabs(e[0]), fabs(e[1]));
    value = fmax(value, fabs(a->psi[s] / p->end[s] - 1));
    gradient = fmax(gradient, fmax(fabs(g[0] - e[0]), fabs(g[1] - e[1])) / most);
  }
  if (a->status != GRADYN_OK)
    (void)printf("| %-11s | %-5s | %s |\n", p->name, method, gradyn_status_name(a->status));
  else
    (void)printf("| %-11s | %-5s | %5ld | %7.2f ms | %7.1e | %7.2f ms | %7.1e |\n", p->name, method,
                 a->steps, 1e3 * a->values, value, 1e3 * a->whole, gradient);
}

int main(int argc, char **argv)
{
  static const char *const methods[] = {"radau", "idas"};
  const double rtol = argc > 1 ? atof(argv[1]) : 1e-6;
  (void)printf("| at %.0e      | method | steps | values | error | gradient | error |\n", rtol);
  for (int k = 0; k < STIFF_PROBLEMS; k++) {
    answer exact = {0};
    ask(&stiff_set[k], "radau", 1e-9, &exact);
    for (int m = 0; m < 2; m++) {
      answer a = {0};
      ask(&stiff_set[k], methods[m], rtol, &a);
      print(&stiff_set[k], methods[m], &a, &exact);
    }
  }
  return 0;
}
