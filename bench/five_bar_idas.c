/* Cost of generality: gradyn's idas method against a hand-written program for IDAS and the five-bar linkage
 * alone. Both run over a series of tolerances, in turn and in one process; errors are measured against the
 * independent joint-angle reference, and times are compared where both reach the same error.
 * Usage: bench_five_bar_idas [runs [target error]]; medians of the runs. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gradyn/inspect.h>
#include <gradyn/evaluate.h>

#include "bench/hand/idas_five_bar.h"
#include "tests/reference/five_bar_joint.h"
#include "bench/timing.h"

enum { SIMULATE, DIRECT, ADJOINT, CASES };
enum { RAW, GRADYN, SIDES };
enum { RUNGS = 11, MAX_RUNS = 101, FUNCTIONALS = 3, PARAMETERS = 5 };

static const char *const case_names[CASES] = {"simulation", "direct", "adjoint"};
static const char *const side_names[SIDES] = {"raw IDAS", "gradyn"};
static const char *const parameter_names[PARAMETERS] = {"Ls1", "Ls2", "mA1", "rG", "LA1"};
static const char *const functional_names[FUNCTIONALS] = {"psi1", "psi2", "psi3"};

typedef struct values {
  double psi[FUNCTIONALS];
  double gradient[FUNCTIONALS][PARAMETERS];
} values;

/* One side of one case at one tolerance. */
typedef struct rung {
  double seconds[MAX_RUNS];
  double median; /* s */
  double error;  /* largest relative error of psi (simulation) or the gradient */
  long steps, steps_backward;
} rung;

/* gradyn's side: an evaluator and the positions of the compared numbers. */
typedef struct subject {
  gradyn_evaluator *evaluator;
  size_t p, functionals;
  size_t parameter[PARAMETERS], functional[FUNCTIONALS]; /* positions of those compared */
  double *rho;                                           /* [p] */
  double *psi;                                           /* [functionals] */
  double *gradient;                                      /* [functionals][p] */
} subject;

static void reference(values *exact)
{
  double complex psi[FUNCTIONALS], *member[PARAMETERS];
  double column[FUNCTIONALS];
  five_bar_data d;

  five_bar_default(&d);
  five_bar_parameters(&d, member);
  five_bar_joint(&d, 5.0, psi);
  for (int j = 0; j < PARAMETERS; j++) {
    five_bar_joint_derivative(&d, member[j], 5.0, column);
    for (int i = 0; i < FUNCTIONALS; i++)
      exact->gradient[i][j] = column[i];
  }
  for (int i = 0; i < FUNCTIONALS; i++)
    exact->psi[i] = creal(psi[i]);
}

static double measure(int kind, const values *v, const values *exact)
{
  double error = 0.0;

  for (int i = 0; i < FUNCTIONALS; i++) {
    if (kind == SIMULATE) {
      error = fmax(error, fabs(v->psi[i] / exact->psi[i] - 1.0));
      continue;
    }
    for (int j = 0; j < PARAMETERS; j++)
      error = fmax(error, fabs(v->gradient[i][j] / exact->gradient[i][j] - 1.0));
  }
  return error;
}

/* finds the parameters and functionals by name; nominal values of the parameters to rho */
static bool locate(subject *s)
{
  double complex *member[PARAMETERS];
  five_bar_data d;

  five_bar_default(&d);
  five_bar_parameters(&d, member);
  for (size_t i = 0; i < s->p; i++)
    s->rho[i] = gradyn_parameter_at(s->evaluator, i).init;
  for (int j = 0; j < PARAMETERS; j++) {
    size_t i = 0;

    while (i < s->p && strcmp(gradyn_parameter_at(s->evaluator, i).name, parameter_names[j]) != 0)
      i++;
    if (i == s->p) {
      fprintf(stderr, "five-bar has no parameter \"%s\"\n", parameter_names[j]);
      return false;
    }
    s->parameter[j] = i;
    s->rho[i] = creal(*member[j]);
  }
  for (int j = 0; j < FUNCTIONALS; j++) {
    size_t i = 0;

    while (i < s->functionals &&
           strcmp(gradyn_functional_at(s->evaluator, i).name, functional_names[j]) != 0)
      i++;
    if (i == s->functionals) {
      fprintf(stderr, "five-bar has no functional \"%s\"\n", functional_names[j]);
      return false;
    }
    s->functional[j] = i;
  }
  return true;
}

static void subject_close(subject *s)
{
  gradyn_evaluator_free(s->evaluator);
  free(s->rho);
  free(s->psi);
  free(s->gradient);
}

static bool subject_open(const gradyn_problem *problem, int kind, double rtol, subject *s)
{
  gradyn_options options;

  memset(s, 0, sizeof *s);
  gradyn_options_default(problem, &options);
  options.method = "idas";
  options.sensitivity = kind == DIRECT ? "direct" : "adjoint";
  options.rtol = options.atol = rtol;
  options.rtol_sens = 0.0;
  if (gradyn_evaluator_create(problem, &options, NULL, 0, &s->evaluator) != GRADYN_OK) {
    fprintf(stderr, "gradyn: %s\n", s->evaluator ? gradyn_evaluator_message(s->evaluator) : "");
    return false;
  }
  s->p = gradyn_parameter_count(s->evaluator);
  s->functionals = gradyn_functional_count(s->evaluator);
  s->rho = calloc(s->p, sizeof *s->rho);
  s->psi = calloc(s->functionals, sizeof *s->psi);
  s->gradient = calloc(s->functionals * s->p, sizeof *s->gradient);
  return s->rho && s->psi && s->gradient && locate(s);
}

static bool run_gradyn(int kind, subject *s, values *out, rung *r, double *seconds)
{
  const double start = bench_now();
  const gradyn_status status = kind == SIMULATE
                                   ? gradyn_evaluator_simulate(s->evaluator, s->rho, s->psi, NULL)
                                   : gradyn_evaluator_gradient(s->evaluator, s->rho, s->psi,
                                                               s->gradient);

  *seconds = bench_now() - start;
  if (status != GRADYN_OK) {
    fprintf(stderr, "gradyn, %s: %s\n", case_names[kind], gradyn_evaluator_message(s->evaluator));
    return false;
  }
  const gradyn_statistics statistics = gradyn_evaluator_statistics(s->evaluator);
  r->steps = statistics.steps;
  r->steps_backward = kind == ADJOINT ? statistics.steps_backward : 0;
  for (int i = 0; i < FUNCTIONALS; i++) {
    out->psi[i] = s->psi[s->functional[i]];
    for (int j = 0; j < PARAMETERS; j++)
      out->gradient[i][j] = s->gradient[s->functional[i] * s->p + s->parameter[j]];
  }
  return true;
}

static bool run_raw(int kind, double rtol, values *out, rung *r, double *seconds)
{
  raw_counts counts;
  const double start = bench_now();
  const int flag = kind == SIMULATE ? raw_simulate(rtol, out->psi, &counts)
                   : kind == DIRECT ? raw_direct(rtol, out->psi, out->gradient, &counts)
                                    : raw_adjoint(rtol, out->psi, out->gradient, &counts);

  *seconds = bench_now() - start;
  if (flag < 0) {
    fprintf(stderr, "raw IDAS, %s: flag %d\n", case_names[kind], flag);
    return false;
  }
  r->steps = counts.steps;
  r->steps_backward = counts.steps_backward;
  return true;
}

/* both sides at one tolerance, in turn, so that other load on the machine affects both */
static bool climb(const gradyn_problem *problem, int kind, double rtol, int runs,
                  const values *exact, rung pair[SIDES])
{
  subject s;
  values v[SIDES];
  bool ok = subject_open(problem, kind, rtol, &s);

  for (int k = 0; ok && k < runs; k++)
    ok = run_raw(kind, rtol, &v[RAW], &pair[RAW], &pair[RAW].seconds[k]) &&
         run_gradyn(kind, &s, &v[GRADYN], &pair[GRADYN], &pair[GRADYN].seconds[k]);
  for (int side = 0; ok && side < SIDES; side++) {
    rung *r = &pair[side];

    qsort(r->seconds, (size_t)runs, sizeof *r->seconds, bench_ascending);
    r->median = r->seconds[runs / 2];
    r->error = measure(kind, &v[side], exact);
  }
  subject_close(&s);
  return ok;
}

/* time at which the error stays below the target, by logarithmic interpolation between two tolerances; NAN
 * if they do not enclose it */
static double time_at(rung ladder[][SIDES], int side, double target)
{
  int i = RUNGS;

  while (i > 0 && ladder[i - 1][side].error <= target)
    i--;
  if (i == 0 || i == RUNGS)
    return NAN;
  const rung *above = &ladder[i - 1][side], *below = &ladder[i][side];
  const double part = log(above->error / target) / log(above->error / below->error);
  return above->median * pow(below->median / above->median, part);
}

static bool compare(const gradyn_problem *problem, int kind, int runs, double target,
                    const values *exact)
{
  rung(*ladder)[SIDES] = calloc(RUNGS, sizeof *ladder);
  bool ok = ladder != NULL;

  printf("\n%s\n%8s %-9s %10s %8s %9s %10s\n", case_names[kind], "rtol", "", "time/ms", "steps",
         "backward", "error");
  for (int i = 0; i < RUNGS && ok; i++) {
    const double rtol = pow(10.0, -6.0 - 0.5 * i);

    ok = climb(problem, kind, rtol, runs, exact, ladder[i]);
    for (int side = 0; side < SIDES && ok; side++) {
      const rung *r = &ladder[i][side];

      printf("%8.1e %-9s %10.3f %8ld %9ld %10.1e\n", rtol, side_names[side], 1e3 * r->median,
             r->steps, r->steps_backward, r->error);
    }
  }
  if (ok) {
    const double raw = time_at(ladder, RAW, target), ours = time_at(ladder, GRADYN, target);

    printf("at error %.0e: raw IDAS %.3f ms, gradyn %.3f ms, ratio gradyn/raw %.3f\n", target,
           1e3 * raw, 1e3 * ours, ours / raw);
  }
  free(ladder);
  return ok;
}

int main(int argc, char **argv)
{
  const int runs = argc > 1 ? atoi(argv[1]) : 11;
  const double target = argc > 2 ? strtod(argv[2], NULL) : 1e-6;
  gradyn_registry *registry = NULL;
  const gradyn_problem *problem = NULL;
  values exact;
  bool ok = true;

  if (runs < 1 || runs > MAX_RUNS || !(target > 0.0)) {
    fprintf(stderr, "usage: %s [runs, 1 to %d [target error]]\n", argv[0], MAX_RUNS);
    return 2;
  }
  reference(&exact);
  if (gradyn_registry_create(NULL, &registry) != GRADYN_OK ||
      gradyn_registry_find(registry, "five-bar", &problem) != GRADYN_OK) {
    fprintf(stderr, "five-bar: %s\n", registry ? gradyn_registry_message(registry) : "no memory");
    gradyn_registry_free(registry);
    return 1;
  }
  printf("five-bar linkage, 5 s, medians of %d runs; errors: largest relative error of %d "
         "functionals or %d gradients\n",
         runs, FUNCTIONALS, FUNCTIONALS * PARAMETERS);
  for (int kind = 0; kind < CASES && ok; kind++)
    ok = compare(problem, kind, runs, target, &exact);
  gradyn_registry_free(registry);
  return ok ? 0 : 1;
}
