/* Campaign: does `auto` give the results of `idas`? Random mechanisms over two decades of size and mass.
 * Values and gradients of `auto` (adjoint) are compared with those of `idas` (direct) at a hundredth of the
 * tolerance. Also measured is the time that the choice saves against `idas` at the same tolerance. If the
 * results differ, the campaign searches for a cause: a kink that `auto` has reported; a functional without
 * a derivative, whose one-sided slopes differ at any distance; a reference that is inaccurate, as a run of
 * the other method at a thousandth of the tolerance shows. Any other difference is a fault. Trials of more
 * than 60 s are left out and counted. Exit status 1: a value or derivative differs by more than the
 * requested tolerance without a cause. */
#include "tests/campaigns/campaign.h"
#include "tests/drawn/mechanisms.h"
#include "tests/runs.h"
#include "tests/random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST = 40, ROUNDS = 2000 };

static const double rtol = 1e-8, reference_rtol = 1e-10;

/* Largest accepted error; errors grow with the sensitivity of a motion to its initial state, and references
 * have errors, too. */
static const double allowed = 1e-6;

typedef struct answer {
  gradyn_status status;
  size_t functionals;
  const char *method;
  double psi[MOST], gradient[MOST * MECHANISM_PARAMETERS], seconds;
  bool told; /* there is a warning, of a kink or another reason */
  char text[200];
} answer;

static const double limit = 60; /* s for an evaluation */

static void ask(const gradyn_problem *problem, const char *method, const char *sensitivity,
                double tolerance, answer *a)
{
  double rho[MECHANISM_PARAMETERS];
  run_local *ev;
  const clock_t start = clock();
  for (int j = 0; j < MECHANISM_PARAMETERS; j++)
    rho[j] = 1;
  a->method = "";
  a->status = run_try(&ev, problem, .method = method, .sensitivity = sensitivity, .rtol = tolerance,
                      .step = -1, .max_steps = 200000, .evaluation_seconds = limit);
  a->functionals = a->status == GRADYN_OK ? gradyn_functional_count(ev) : 0;
  if (a->status == GRADYN_OK && a->functionals <= MOST)
    a->status = gradyn_evaluator_gradient(ev, rho, a->psi, a->gradient);
  if (a->status == GRADYN_OK)
    a->method = gradyn_evaluator_statistics(ev).method;
  a->told = a->status == GRADYN_OK && *gradyn_evaluator_warnings(ev) != '\0';
  (void)snprintf(a->text, sizeof a->text, "%s", gradyn_evaluator_message(ev));
  a->seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
}

/* Largest difference relative to the largest entry of its functional; *f, *j: functional and parameter. */
static double difference(const answer *a, const answer *b, size_t *at_f, int *at_j)
{
  double worst = 0;
  for (size_t f = 0; f < a->functionals; f++) {
    const double *x = a->gradient + f * MECHANISM_PARAMETERS;
    const double *y = b->gradient + f * MECHANISM_PARAMETERS;
    double most = fabs(b->psi[f]), error = fabs(a->psi[f] - b->psi[f]);
    int at = -1; /* the value */
    for (int j = 0; j < MECHANISM_PARAMETERS; j++) {
      most = fmax(most, fabs(y[j]));
      if (fabs(x[j] - y[j]) > error) {
        error = fabs(x[j] - y[j]);
        at = j;
      }
    }
    if (most > 1e-8 && error / most > worst) { /* smaller ones: round-off */
      worst = error / most;
      *at_f = f;
      *at_j = at;
    }
  }
  return worst;
}

/* --- causes ------------------------------------------------------------------------------------- */

/* Difference of the one-sided slopes of functional f, (psi(rho_j +- d) - psi(rho_j))/(+-d). */
static double bend(gradyn_evaluator *ev, size_t f, int j, double d)
{
  double rho[MECHANISM_PARAMETERS], psi[3][MOST];
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < MECHANISM_PARAMETERS; i++)
      rho[i] = i == j ? 1 + (k - 1) * d : 1;
    if (gradyn_evaluator_simulate(ev, rho, psi[k], NULL) != GRADYN_OK)
      return 0;
  }
  return fabs(psi[2][f] - 2 * psi[1][f] + psi[0][f]) / d;
}

/* Returns whether the one-sided slopes differ by a considerable fraction of the derivative at all
 * distances. */
static bool has_no_derivative(const gradyn_problem *problem, const answer *a, size_t f, int j)
{
  gradyn_evaluator *ev;
  double far = 0, near = 0;
  if (j < 0)
    return false;
  if (run_try(&ev, problem, .method = a->method, .rtol = reference_rtol, .step = -1) == GRADYN_OK) {
    far = bend(ev, f, j, 1e-3);
    near = bend(ev, f, j, 1e-5);
  }
  gradyn_evaluator_free(ev);
  return near > 0.3 * far && near > 1e-3 * fabs(a->gradient[f * MECHANISM_PARAMETERS + (size_t)j]);
}

typedef enum cause { TOLD, NO_DERIVATIVE, REFERENCE_OFF, FAULT, CAUSES } cause;

static const char *const cause_name[] = {"a corner that was told", "no derivative there",
                                         "the reference is off", "DIFFERS"};

static cause find_cause(const gradyn_problem *problem, const answer *a, size_t f, int j)
{
  static answer judge;
  size_t at_f;
  int at_j;
  if (a->told)
    return TOLD;
  if (has_no_derivative(problem, a, f, j))
    return NO_DERIVATIVE;
  ask(problem, a->method, "direct", 1e-3 * rtol, &judge);
  return judge.status == GRADYN_OK && difference(a, &judge, &at_f, &at_j) <= 0.1 * allowed
             ? REFERENCE_OFF
             : FAULT;
}

static int ascending(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

bool campaign_choice(campaign *c)
{
  static double ratio[ROUNDS];
  static answer chosen, reference, usual;
  long compared = 0, quick = 0, named = 0, late = 0, found[CAUSES] = {0};
  for (uint64_t seed; compared < ROUNDS && campaign_next(c, &seed);) {
    uint64_t random = seed;
    mechanism_drawn = (mechanism){.seed = seed,
                                  .metre = random_decades(&random, 0.1, 10),
                                  .kilogram = random_decades(&random, 0.1, 10)};
    const gradyn_problem problem = mechanism_problem();
    ask(&problem, "auto", "adjoint", rtol, &chosen);
    ask(&problem, "idas", "direct", reference_rtol, &reference);
    if (chosen.status != GRADYN_OK || reference.status != GRADYN_OK) {
      const bool slow = strstr(chosen.text, "takes longer") ||
                        strstr(reference.text, "takes longer");
      *(slow ? &late : &named) += 1;
      if (reference.status == GRADYN_OK && !slow)
        (void)printf("seed %llu: %s: %s\n", (unsigned long long)mechanism_drawn.seed,
                     gradyn_status_describe((int)chosen.status).name, chosen.text);
      continue;
    }
    size_t f = 0;
    int j = -1;
    ask(&problem, "idas", "adjoint", rtol, &usual);
    const double error = difference(&chosen, &reference, &f, &j);
    quick += strcmp(chosen.method, "explicit") == 0;
    if (!(error <= allowed)) {
      const cause why = find_cause(&problem, &chosen, f, j);
      found[why]++;
      (void)printf("seed %llu, by %s: %.2e in functional %zu, parameter %d: %s\n",
                   (unsigned long long)mechanism_drawn.seed, chosen.method, error, f, j,
                   cause_name[why]);
    }
    ratio[compared] = usual.seconds / fmax(chosen.seconds, 1e-6);
    if (usual.status == GRADYN_OK && ratio[compared] < 0.5)
      (void)printf("seed %llu, by %s: %.2f s, by idas %.2f s\n",
                   (unsigned long long)mechanism_drawn.seed, chosen.method, chosen.seconds,
                   usual.seconds);
    compared++;
  }
  qsort(ratio, (size_t)compared, sizeof *ratio, ascending);
  (void)printf(
      "%ld compared, %ld of them by explicit, %ld differ without a cause; causes: "
      "%ld corners told, %ld without a derivative, %ld references off; "
      "%ld ended by name, %ld took too long; idas took %.1f times as long in the median, %.2f "
      "times at worst\n",
      compared, quick, found[FAULT], found[TOLD], found[NO_DERIVATIVE], found[REFERENCE_OFF], named,
      late, compared > 0 ? ratio[compared / 2] : 0, compared > 0 ? ratio[0] : 0);
  return found[FAULT] > 0;
}
