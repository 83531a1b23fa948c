/* Campaign: are gradients of explicit and radau as accurate as requested? Random mechanisms over two
 * decades of size and mass, with tolerances from 1e-5 to 1e-10, at the initial parameters and away from
 * them (where errors in proportion are accepted). The reference is explicit at a tolerance of 3e-13. Errors
 * are relative to the largest component of a functional. Exit status 1: an error is larger than the
 * requested tolerance. */
#include "tests/campaigns/campaign.h"
#include "tests/drawn/mechanisms.h"
#include "tests/runs.h"
#include "tests/random.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { MOST = 40, PLACES = 2, TOLERANCES = 6, METHODS = 2 };

static const char *const methods[METHODS] = {"explicit", "radau"};

static const double tightest = 3e-13;

/* Round-off that accelerations and forces of the mechanism leave in functionals at the end, relative. */
static const double round_off = 1e-10;

typedef struct answer {
  gradyn_status status;
  size_t functionals;
  double psi[PLACES][MOST], gradient[PLACES][MOST * MECHANISM_PARAMETERS], told[PLACES], seconds;
  bool doubtful[PLACES];
} answer;

/* Functionals and derivatives below this are treated as zero, for mechanisms of about a metre and a
 * kilogram. */
static const double nothing = 1e-6;

static double place(int which, int j)
{
  return which == 0 ? 1 : 1 + 0.02 * sin(3.0 * j + 1);
}

static void ask(const gradyn_problem *problem, const char *method, double rtol, answer *a)
{
  run_local *ev;
  const clock_t start = clock();
  a->status = run_try(&ev, problem, .method = method, .rtol = rtol, .step = -1, .max_steps = 20000);
  a->functionals = a->status == GRADYN_OK ? gradyn_functional_count(ev) : 0;
  for (int k = 0; k < PLACES && a->status == GRADYN_OK && a->functionals <= MOST; k++) {
    double rho[MECHANISM_PARAMETERS];
    for (int j = 0; j < MECHANISM_PARAMETERS; j++)
      rho[j] = place(k, j);
    a->status = gradyn_evaluator_gradient(ev, rho, a->psi[k], a->gradient[k]);
    a->told[k] = gradyn_evaluator_statistics(ev).gradient_error;
    a->doubtful[k] = *gradyn_evaluator_warnings(ev) != '\0';
  }
  a->seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
}

/* Largest error at parameters k, relative to the largest number of its functional; *at: the functional. */
static double error_at(const answer *a, const answer *exact, int k, size_t *at)
{
  double worst = 0;
  for (size_t f = 0; f < a->functionals; f++) {
    const double *x = a->gradient[k] + f * MECHANISM_PARAMETERS;
    const double *y = exact->gradient[k] + f * MECHANISM_PARAMETERS;
    /* the angle of a body that does not rotate is round-off, and so are its derivatives */
    double most = fmax(fabs(exact->psi[k][f]), nothing), error = 0;
    for (int j = 0; j < MECHANISM_PARAMETERS; j++) {
      most = fmax(most, fabs(y[j]));
      error = fmax(error, fabs(x[j] - y[j]));
    }
    if (error / most > worst) {
      worst = error / most;
      *at = f;
    }
  }
  return worst;
}

typedef struct summary {
  long compared, wrong, silent, ended, doubtful;
  double worst, worst_told; /* ratio of error and tolerance, and of error and reported error */
} summary;

static void compare(const gradyn_problem *problem, const char *method, const answer *exact,
                    double rtol, summary *sum)
{
  static answer a;
  ask(problem, method, rtol, &a);
  if (a.status != GRADYN_OK) {
    sum->ended++;
    return;
  }
  for (int k = 0; k < PLACES; k++) {
    size_t at = 0;
    double error = error_at(&a, exact, k, &at);
    sum->compared++;
    sum->doubtful += a.doubtful[k];
    if (a.doubtful[k]) /* a kink: the warning states the accuracy */
      continue;
    sum->worst = fmax(sum->worst, error / (rtol + round_off));
    if (error > round_off)
      sum->worst_told = fmax(sum->worst_told, error / fmax(a.told[k], 1e-3 * rtol));
    sum->silent += error > round_off && error > 10 * fmax(a.told[k], 0.1 * rtol);
    if (error <= rtol + round_off)
      continue;
    sum->wrong++;
    (void)printf("INEXACT: seed %llu, %s, rtol %.0e, place %d, functional %zu: %.2e, told %.2e\n",
                 (unsigned long long)mechanism_drawn.seed, method, rtol, k, at, error, a.told[k]);
  }
}

bool campaign_accuracy(campaign *c)
{
  static answer exact;
  summary sum = {0};
  long mechanisms = 0;
  for (uint64_t seed; campaign_next(c, &seed);) {
    uint64_t random = seed;
    mechanism_drawn = (mechanism){.seed = seed,
                                  .metre = random_decades(&random, 0.1, 10),
                                  .kilogram = random_decades(&random, 0.1, 10)};
    const gradyn_problem problem = mechanism_problem();
    ask(&problem, methods[0], tightest, &exact);
    sum.ended += exact.status != GRADYN_OK;
    if (exact.status != GRADYN_OK)
      continue;
    mechanisms++;
    for (int i = 0; i < METHODS * TOLERANCES; i++)
      compare(&problem, methods[i % METHODS], &exact, pow(10, -5 - i / METHODS), &sum);
  }
  (void)printf("%ld mechanisms, %ld gradients compared, %ld inexact, %ld doubtful by "
               "their own account, %ld ended by name; "
               "largest error %.2g tolerances, %.2g times what was told, %ld more than ten times\n",
               mechanisms, sum.compared, sum.wrong, sum.doubtful, sum.ended, sum.worst,
               sum.worst_told, sum.silent);
  return sum.wrong > 0;
}
