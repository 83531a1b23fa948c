/* Campaign: are values and gradients as exact as the tolerance says? Random systems (rtol_draw.c), stiff and
 * not stiff, by `explicit` and `idas`, adjoint and direct, at three tolerances, at the initial parameters or,
 * every other time, next to them behind a gradient there, against collocation in long double
 * (tests/reference/collocation.c). `explicit` is asked where the run is no longer than 3000 of the fastest
 * decays.
 *
 * Errors of gradients are taken over their largest component, but no less than the relative change of the value by
 * the largest parameter, as the library does; those of values over the value, what a relative change of
 * a parameter makes of it, or a tenth of what the functional reaches on the way. Their larger one, over rtol,
 * must be below 3 in 99 % of the runs of `explicit` and in 95 % of those of `idas`, and above 10 only with a
 * warning.
 * Usage: campaign_rtol [SECONDS [SEED [SYSTEMS]]], by default 600 s, seed 1, 300 systems; one system alone is
 * printed run by run.
 * Exit status 1 if something of this does not hold, or more than one run of a hundred fails. */
#include "tests/campaigns/rtol_systems.h"

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
  double share; /* of runs that must be below 3 */
} methods[] = {{"explicit", 0.99}, {"idas", 0.95}};

typedef struct tally {
  long runs, told, failed, untold;
  double worse[MOST_RUNS], value[MOST_RUNS], gradient[MOST_RUNS], seconds;
} tally;

typedef struct answer {
  gradyn_status status;
  double psi[COLLOCATION_FUNCTIONALS];
  double slope[COLLOCATION_FUNCTIONALS * COLLOCATION_PARAMETERS];
  double stated;
  char text[300]; /* warnings, or the message */
} answer;

static void place(const rtol_system *s, bool away, double rho[])
{
  for (int j = 0; j < s->parameters; j++)
    rho[j] = s->param[j].init * (away ? 1 + 0.03 * sin(3.0 * j + 1) : 1);
}

static void ask(const rtol_system *s, const char *method, const char *way, double rtol, bool away,
                answer *a)
{
  const gradyn_problem problem = rtol_problem(s);
  double rho[COLLOCATION_PARAMETERS];
  gradyn_options options;
  gradyn_evaluator *ev;
  gradyn_options_default(&problem, &options);
  options.method = method;
  options.sensitivity = way;
  options.rtol = rtol;
  options.evaluation_seconds = 20;
  a->status = gradyn_evaluator_create(&problem, &options, NULL, 0, &ev);
  for (int k = 0; k <= away && a->status == GRADYN_OK; k++) {
    place(s, k > 0, rho);
    a->status = gradyn_gradient(ev, rho, a->psi, a->slope);
  }
  a->stated = gradyn_evaluator_statistics(ev).gradient_error;
  (void)snprintf(a->text, sizeof a->text, "%s",
                 a->status == GRADYN_OK ? gradyn_evaluator_warnings(ev)
                                        : gradyn_evaluator_message(ev));
  gradyn_evaluator_free(ev);
}

/* Relative errors, see above; the largest of all functionals. */
static void judge(const rtol_system *s, const double rho[], const collocation_result *exact,
                  const answer *a, double *value, double *gradient)
{
  double largest = 0;
  *value = *gradient = 0;
  for (int j = 0; j < s->parameters; j++)
    largest = fmax(largest, fabs(rho[j]));
  for (int f = 0; f < s->functionals; f++) {
    double most = fabs(exact->psi[f]) / largest, off = 0, moves = 0;
    for (int j = 0; j < s->parameters; j++) {
      const double slope = exact->slope[f][j];
      most = fmax(most, fabs(slope));
      moves = fmax(moves, fabs(slope * rho[j]));
      off = fmax(off, fabs(a->slope[f * s->parameters + j] - slope));
    }
    *gradient = fmax(*gradient, off > 0 ? off / most : 0);
    moves = fmax(fmax(moves, fabs(exact->psi[f])), exact->extent[f] / 10);
    off = fabs(a->psi[f] - exact->psi[f]);
    *value = fmax(*value, off > 0 ? off / moves : 0);
  }
}

static void examine(unsigned long seed, bool alone, tally tallies[], long *without)
{
  rtol_system s;
  double rho[COLLOCATION_PARAMETERS];
  long double times[RTOL_KNOTS + 1];
  collocation_result exact;
  rtol_draw(seed, &s);
  const bool away = seed / RTOL_KINDS % 2 > 0;
  place(&s, away, rho);
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
  for (size_t i = 0; i < 2 * 2 * 3 && known; i++) {
    const size_t m = i / 6;
    const char *way = ways[i / 3 % 2];
    const double rtol = tolerances[i % 3];
    tally *t = &tallies[m];
    answer a;
    double value, gradient;
    if (m == 0 && exact.stiffness > most_decays)
      continue;
    const clock_t began = clock();
    ask(&s, methods[m].name, way, rtol, away, &a);
    const double seconds = (double)(clock() - began) / CLOCKS_PER_SEC;
    t->seconds += seconds;
    judge(&s, rho, &exact, &a, &value, &gradient);
    const bool failed = a.status != GRADYN_OK, told = *a.text != '\0';
    const bool untold = !failed && !told && !(fmax(value, gradient) <= 10 * rtol);
    t->failed += failed;
    if (!failed && t->runs < MOST_RUNS) {
      t->value[t->runs] = value / rtol;
      t->gradient[t->runs] = gradient / rtol;
      t->worse[t->runs++] = fmax(value, gradient) / rtol;
      t->told += told;
      t->untold += untold;
    }
    if (alone || failed || untold)
      (void)printf(
          "%sseed %lu, %s, %s %s, rtol %.0e: value off by %.2g rtol, gradient by %.2g, stated "
          "%.2g; %.2f s%s%s\n",
          failed   ? "FAILED: "
          : untold ? "UNTOLD: "
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

/* Whether the method has done what it must. */
static bool sum_up(const struct method *method, tally *t)
{
  long good = 0;
  for (long k = 0; k < t->runs; k++)
    good += t->worse[k] < 3;
  (void)printf("%s: %ld runs, %ld failed, %.2f %% below 3, %ld told, %ld above 10 untold, %.0f s\n",
               method->name, t->runs, t->failed, 100.0 * (double)good / (double)t->runs, t->told,
               t->untold, t->seconds);
  print_quantiles("values", t->value, t->runs);
  print_quantiles("gradients", t->gradient, t->runs);
  return t->untold == 0 && (double)good >= method->share * (double)t->runs &&
         t->failed * 100 <= t->runs;
}

int main(int argc, char *argv[])
{
  const double seconds = argc > 1 ? atof(argv[1]) : 600;
  const unsigned long first = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
  const unsigned long count = argc > 3 ? strtoul(argv[3], NULL, 10) : 300;
  const time_t began = time(NULL);
  static tally tallies[2];
  long without = 0;
  unsigned long done = 0;
  (void)printf("seed %lu\n", first);
  for (; done < count && difftime(time(NULL), began) < seconds; done++)
    examine(first + done, count == 1, tallies, &without);
  (void)printf("%lu systems, %ld of them without a reference\n", done, without);
  bool good = without * 100 <= (long)done;
  for (int m = 0; m < 2; m++)
    good = sum_up(&methods[m], &tallies[m]) && good;
  return !good;
}
