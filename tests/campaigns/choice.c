/* Campaign: does `auto` give what `idas` gives? Random mechanisms over two decades of size and mass,
 * values and gradients of `auto` (adjoint) against those of `idas` (direct) at a hundredth of the
 * tolerance; the time that the choice saves.
 * Usage: campaign_choice [SECONDS [SEED [MECHANISMS]]], by default 600 s, seed 1, 1000 mechanisms.
 * Exit status 1 if a value or derivative differs by more than the tolerance asked for. */
#include "tests/campaigns/mechanisms.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST = 40, ROUNDS = 2000 };

static const double rtol = 1e-8, reference_rtol = 1e-10;

/* Errors of gradients grow with the sensitivity of a motion to its start; the references have one, too. */
static const double allowed = 1e-6;

typedef struct answer {
  gradyn_status status;
  size_t functionals;
  const char *method;
  double psi[MOST], gradient[MOST * MECHANISM_PARAMETERS], seconds;
  char text[200];
} answer;

static void ask(const gradyn_problem *problem, const char *method, const char *sensitivity,
                double tolerance, answer *a)
{
  double rho[MECHANISM_PARAMETERS];
  gradyn_options options;
  gradyn_evaluator *ev;
  const clock_t start = clock();
  gradyn_options_default(problem, &options);
  options.method = method;
  options.sensitivity = sensitivity;
  options.rtol = tolerance;
  options.step = 0;
  options.max_steps = 200000;
  for (int j = 0; j < MECHANISM_PARAMETERS; j++)
    rho[j] = 1;
  a->method = "";
  a->status = gradyn_evaluator_create(problem, &options, NULL, 0, &ev);
  a->functionals = a->status == GRADYN_OK ? gradyn_functional_count(ev) : 0;
  if (a->status == GRADYN_OK && a->functionals <= MOST)
    a->status = gradyn_gradient(ev, rho, a->psi, a->gradient);
  if (a->status == GRADYN_OK)
    a->method = gradyn_evaluator_statistics(ev).method;
  (void)snprintf(a->text, sizeof a->text, "%s", gradyn_evaluator_message(ev));
  a->seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
  gradyn_evaluator_free(ev);
}

/* Largest difference over the largest number of its functional. */
static double difference(const answer *a, const answer *b)
{
  double worst = 0;
  for (size_t f = 0; f < a->functionals; f++) {
    const double *x = a->gradient + f * MECHANISM_PARAMETERS;
    const double *y = b->gradient + f * MECHANISM_PARAMETERS;
    double most = fabs(b->psi[f]), error = fabs(a->psi[f] - b->psi[f]);
    for (int j = 0; j < MECHANISM_PARAMETERS; j++) {
      most = fmax(most, fabs(y[j]));
      error = fmax(error, fabs(x[j] - y[j]));
    }
    worst = most > 1e-8 ? fmax(worst, error / most) : worst; /* smaller ones: round-off */
  }
  return worst;
}

static int ascending(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

int main(int argc, char *argv[])
{
  static double ratio[ROUNDS];
  static answer chosen, reference;
  const double seconds = argc > 1 ? atof(argv[1]) : 600;
  const uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
  const uint64_t count = argc > 3 ? strtoull(argv[3], NULL, 10) : 1000;
  const time_t began = time(NULL);
  long compared = 0, quick = 0, wrong = 0, named = 0;
  for (uint64_t k = 0; k < count && compared < ROUNDS; k++) {
    uint64_t random = first + k;
    if (difftime(time(NULL), began) > seconds)
      break;
    mechanism_drawn = (mechanism){.seed = first + k,
                                  .metre = mechanism_decades(&random, 0.1, 10),
                                  .kilogram = mechanism_decades(&random, 0.1, 10)};
    const gradyn_problem problem = mechanism_problem();
    ask(&problem, "auto", "adjoint", rtol, &chosen);
    ask(&problem, "idas", "direct", reference_rtol, &reference);
    if (chosen.status != GRADYN_OK || reference.status != GRADYN_OK) {
      named++;
      if (reference.status == GRADYN_OK)
        (void)printf("seed %llu: %s: %s\n", (unsigned long long)mechanism_drawn.seed,
                     gradyn_status_name((int)chosen.status), chosen.text);
      continue;
    }
    const double error = difference(&chosen, &reference);
    quick += strcmp(chosen.method, "explicit") == 0;
    if (!(error <= allowed)) {
      wrong++;
      (void)printf("DIFFERS: seed %llu, by %s: %.2e\n", (unsigned long long)mechanism_drawn.seed,
                   chosen.method, error);
    }
    ratio[compared++] = reference.seconds / fmax(chosen.seconds, 1e-6);
    (void)fflush(stdout);
  }
  qsort(ratio, (size_t)compared, sizeof *ratio, ascending);
  (void)printf("seed %llu: %ld compared, %ld of them by explicit, %ld differ, %ld ended by name; "
               "idas took %.1f times as long in the median, %.2f times at worst\n",
               (unsigned long long)first, compared, quick, wrong, named,
               compared > 0 ? ratio[compared / 2] : 0, compared > 0 ? ratio[0] : 0);
  return wrong > 0;
}
