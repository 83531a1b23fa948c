/* Campaign: are values and gradients as accurate as the tolerance requires? Random systems (rtol_draw.c),
 * stiff and not stiff, by `explicit`, `idas` and `radau`, adjoint and direct, at three tolerances. Every
 * other time, the parameters are near the initial ones, after a gradient there. The reference is
 * collocation in long double (tests/drawn/collocation.c). `explicit` takes part if the run is at most 3000
 * times as long as the fastest decay.
 *
 * The larger error of values and gradients (rtol_runs.h), divided by rtol, must be below 3 in 99 % of the
 * runs of `explicit` and `radau` and in 95 % of those of `idas`, and above 10 only with a warning. Warnings
 * of errors below 1 are printed, too. A single system is printed run by run. Exit status 1: one of these
 * requirements is violated, or more than one run of a hundred fails. */
#include "tests/campaigns/campaign.h"
#include "tests/drawn/rtol_runs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_RUNS = 20000 };

static const double tolerances[] = {1e-5, 1e-6, 1e-8}, most_decays = 3000;
static const char *const ways[] = {"adjoint", "direct"};

static const struct method {
  const char *name;
  double share; /* required fraction of runs below 3 */
} methods[] = {{"explicit", 0.99}, {"idas", 0.95}, {"radau", 0.99}};

enum { METHODS = sizeof methods / sizeof *methods };

typedef struct tally {
  long runs, told, failed, untold, needless;
  double worse[MOST_RUNS], value[MOST_RUNS], gradient[MOST_RUNS], seconds;
} tally;

static void examine(unsigned long seed, bool alone, tally tallies[], long *without)
{
  rtol_system s;
  double rho[COLLOCATION_PARAMETERS];
  long double times[RTOL_KNOTS + 1];
  collocation_result exact;
  rtol_draw(seed, &s);
  const bool away = seed / RTOL_KINDS % 2 > 0;
  rtol_place(&s, away, rho);
  const collocation_problem reference = rtol_reference(&s, rho, times);
  const clock_t start = clock();
  const bool known = collocation_solve(&reference, &exact);
  const double took = (double)(clock() - start) / CLOCKS_PER_SEC;
  if (alone || !known)
    (void)printf("seed %lu, %s, %d states%s, %d parameters, %d functionals, %s, %d knots, %.3g s: "
                 "reference of %ld steps, moved by %.1e, stiffness %.1e, %.2f s\n",
                 seed, rtol_name(s.kind), s.states, s.algebraic ? ", one algebraic" : "",
                 s.parameters, s.functionals, away ? "away" : "initial", s.knots, s.t_end,
                 exact.steps, exact.moved, exact.stiffness, took);
  *without += !known;
  for (size_t i = 0; i < METHODS * 2 * 3 && known; i++) {
    const size_t m = i / 6;
    const char *way = ways[i / 3 % 2];
    const double rtol = tolerances[i % 3];
    tally *t = &tallies[m];
    rtol_answer a;
    double value, gradient;
    if (m == 0 && exact.stiffness > most_decays)
      continue;
    const clock_t began = clock();
    rtol_ask(&s, methods[m].name, way, rtol, away, &a);
    const double seconds = (double)(clock() - began) / CLOCKS_PER_SEC;
    t->seconds += seconds;
    rtol_judge(&s, rho, &exact, &a, &value, &gradient);
    const bool failed = a.status != GRADYN_OK, told = *a.text != '\0';
    const bool untold = !failed && !told && !(fmax(value, gradient) <= 10 * rtol);
    const bool needless = !failed && told && fmax(value, a.strict) < rtol;
    t->failed += failed;
    if (!failed && t->runs < MOST_RUNS) {
      t->value[t->runs] = value / rtol;
      t->gradient[t->runs] = gradient / rtol;
      t->worse[t->runs++] = fmax(value, gradient) / rtol;
      t->told += told;
      t->untold += untold;
      t->needless += needless;
    }
    if (alone || failed || untold || needless)
      (void)printf(
          "%sseed %lu, %s, %s %s, rtol %.0e: value off by %.2g rtol, gradient by %.2g, stated "
          "%.2g; %.2f s%s%s\n",
          failed     ? "FAILED: "
          : untold   ? "UNTOLD: "
          : needless ? "NEEDLESS: "
                     : "",
          seed, rtol_name(s.kind), methods[m].name, way, rtol, value / rtol, gradient / rtol,
          a.stated / rtol, seconds, told ? ": " : "", a.text);
    (void)fflush(stdout);
  }
}

static int compare(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void print_quantiles(const char *what, double *error, long count)
{
  static const double parts[] = {0.5, 0.9, 0.95, 0.99, 1};
  qsort(error, (size_t)count, sizeof *error, compare);
  (void)printf("  %s over rtol:", what);
  for (size_t i = 0; i < sizeof parts / sizeof *parts && count > 0; i++)
    (void)printf(" %g %%: %.3g%s", 100 * parts[i], error[(long)(parts[i] * (double)(count - 1))],
                 i + 1 < sizeof parts / sizeof *parts ? "," : "\n");
}

/* Returns whether the method meets these requirements. */
static bool sum_up(const struct method *method, tally *t)
{
  long good = 0;
  for (long k = 0; k < t->runs; k++)
    good += t->worse[k] < 3;
  (void)printf("%s: %ld runs, %ld failed, %.2f %% below 3, %ld told, %ld of them below 1, %ld "
               "above 10 untold, %.0f s\n",
               method->name, t->runs, t->failed, 100.0 * (double)good / (double)t->runs, t->told,
               t->needless, t->untold, t->seconds);
  print_quantiles("values", t->value, t->runs);
  print_quantiles("gradients", t->gradient, t->runs);
  return t->untold == 0 && (double)good >= method->share * (double)t->runs &&
         t->failed * 100 <= t->runs;
}

bool campaign_rtol(campaign *c)
{
  static tally tallies[METHODS];
  long without = 0;
  for (uint64_t seed; campaign_next(c, &seed);)
    examine(seed, c->most == 1, tallies, &without);
  (void)printf("%llu systems, %ld of them without a reference\n", (unsigned long long)c->begun,
               without);
  bool good = without * 100 <= (long)c->begun;
  for (size_t m = 0; m < METHODS; m++)
    good = sum_up(&methods[m], &tallies[m]) && good;
  return !good;
}
