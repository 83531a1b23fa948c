/* Campaign: random mechanisms in random numbers of segments, by `explicit` at rtol 1e-11. With all gaps
 * closed, values and gradients by way of the cuts must be those of the undivided run, to 1e-9 times its
 * growth: by how much a change of an unknown at a cut comes back in another one, or in a functional. Every
 * second one has events; cuts are at equal distances, at random times, at knots or between events. What is
 * refused by name is counted, and what does not close told.
 * Usage: campaign segments [SECONDS [SEED [MECHANISMS]]], by default 600 s, seed 1, 100000 mechanisms.
 * Exit status 1 if a value or derivative differs by more. */
#include "tests/campaigns/campaign.h"
#include "tests/drawn/hybrid_draw.h"
#include "tests/drawn/mechanisms.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "adjoint/gradient/gradient.h"
#include "optim/segments/segments.h"

enum { MOST_FUNCTIONALS = 40, PASSES = 60 };

static const double rtol = 1e-11, allowed = 1e-9;

/* LAPACK: A x = b. */
void dgesv_(const int *n, const int *columns, double *A, const int *lda, int *pivot, double *b,
            const int *ldb, int *info);

typedef enum outcome { SAME, REFUSED, FAILED, OPEN, APART, OUTCOMES } outcome;

typedef struct comparison {
  gradyn_segments segments;
  double *psi, *gradient, *chained; /* [rows], [rows][columns], [f][p] */
  double growth[MOST_FUNCTIONALS];
  double error; /* the largest, over what is allowed */
  char text[300];
} comparison;

/* Brings the gaps to zero: each start goes where the part before has ended. False: they do not close. */
static bool close_gaps(comparison *c)
{
  gradyn_segments *s = &c->segments;
  const size_t n = (s->count - 1) * s->states;
  double before = HUGE_VAL;
  for (int pass = 0; pass < PASSES; pass++) {
    double open = 0;
    if (s->objective.evaluate(s, true, s->start, c->psi, NULL) != GRADYN_OK)
      return false;
    for (size_t l = 0; l < n; l++) {
      const double size = s->objective.parameters[s->p + l].scale;
      open = fmax(open, fabs(c->psi[s->f + l]) / fmax(size, 1e-300));
      s->start[s->p + l] += c->psi[s->f + l];
    }
    if (open < 1e-13 || (open < 1e-10 && open >= before))
      return true;
    before = open;
  }
  return false;
}

/* psi_rho - psi_w (gap_w)^-1 gap_rho, and how unknowns grow: |psi_w (gap_w)^-1| by scales. */
static bool chain(comparison *c)
{
  const gradyn_segments *s = &c->segments;
  const size_t columns = s->objective.parameter_count, n = (s->count - 1) * s->states, p = s->p,
               wide = p + n;
  double *A = calloc(n * (n + wide) + 1, sizeof *A), *b = A + n * n;
  int *pivot = calloc(n + 1, sizeof *pivot), info = -1;
  const int size = (int)n, right = (int)wide;
  if (A != NULL && pivot != NULL) {
    for (size_t i = 0; i < n; i++) { /* by columns */
      const double *row = c->gradient + (s->f + i) * columns;
      for (size_t l = 0; l < n; l++)
        A[l * n + i] = row[p + l];
      for (size_t j = 0; j < p; j++)
        b[j * n + i] = row[j];
      b[(p + i) * n + i] = 1;
    }
    dgesv_(&size, &right, A, &size, pivot, b, &size, &info);
  }
  for (size_t f = 0; f < s->f && info == 0; f++) {
    const double *row = c->gradient + f * columns;
    c->growth[f] = 1;
    for (size_t j = 0; j < wide; j++) {
      double sum = 0;
      for (size_t l = 0; l < n; l++)
        sum += row[p + l] * b[j * n + l];
      if (j < p)
        c->chained[f * p + j] = row[j] - sum;
      else /* of a functional by what is left of a gap, over its own size */
        c->growth[f] = fmax(c->growth[f], fabs(sum) * s->objective.parameters[j].scale /
                                              fmax(fabs(c->psi[f]), 1e-300));
    }
  }
  /* between cuts */
  double most = 1;
  for (size_t j = 0; j < n && info == 0; j++)
    for (size_t l = 0; l < n; l++)
      most = fmax(most, fabs(b[(p + j) * n + l]) * s->objective.parameters[p + j].scale /
                            fmax(s->objective.parameters[p + l].scale, 1e-300));
  for (size_t f = 0; f < s->f; f++)
    c->growth[f] = fmax(c->growth[f], most);
  free(A);
  free(pivot);
  return info == 0;
}

/* The largest difference over what is allowed; names it. */
static double judge(comparison *c, const gradyn_evaluator *ev, const double whole[],
                    const double slope[])
{
  const gradyn_segments *s = &c->segments;
  double worst = 0;
  for (size_t f = 0; f < s->f; f++) {
    double most = fmax(fabs(whole[f]), 1e-6);
    for (size_t j = 0; j < s->p; j++)
      most = fmax(most, fabs(slope[f * s->p + j]));
    for (size_t j = 0; j <= s->p; j++) {
      const double a = j == 0 ? c->psi[f] : c->chained[f * s->p + j - 1],
                   b = j == 0 ? whole[f] : slope[f * s->p + j - 1];
      const double error = fabs(a - b) / (allowed * most * c->growth[f]);
      if (error <= worst)
        continue;
      worst = isnan(error) ? HUGE_VAL : error;
      (void)snprintf(c->text, sizeof c->text, "%s %s: %.14g and %.14g, growth %.2g",
                     gradyn_functional_at(ev, f).name,
                     j == 0 ? "itself" : gradyn_parameter_at(ev, j - 1).name, a, b, c->growth[f]);
    }
  }
  return worst;
}

/* In so many segments, which are there. */
static outcome compare_there(comparison *c, gradyn_evaluator *ev, const double at[])
{
  double whole[MOST_FUNCTIONALS], slope[MOST_FUNCTIONALS * MECHANISM_PARAMETERS];
  gradyn_segments *s = &c->segments;
  const size_t rows = s->objective.functional_count, columns = s->objective.parameter_count;
  if (s->f > MOST_FUNCTIONALS)
    return REFUSED;
  c->psi = calloc(rows * (columns + 1) + s->f * s->p, sizeof *c->psi);
  if (c->psi == NULL)
    return FAILED;
  c->gradient = c->psi + rows;
  c->chained = c->gradient + rows * columns;
  if (!close_gaps(c)) {
    (void)snprintf(c->text, sizeof c->text, "%.200s", s->message.text);
    return OPEN;
  }
  if (s->objective.evaluate(s, true, s->start, c->psi, c->gradient) != GRADYN_OK || !chain(c)) {
    (void)snprintf(c->text, sizeof c->text, "%.200s", s->message.text);
    return FAILED;
  }
  if (gradyn_gradient(ev, at, whole, slope) != GRADYN_OK) {
    (void)snprintf(c->text, sizeof c->text, "%.200s", gradyn_evaluator_message(ev));
    return FAILED;
  }
  c->error = judge(c, ev, whole, slope);
  return c->error <= 1 ? SAME : APART;
}

static outcome compare(comparison *c, const gradyn_problem *of, const double at[],
                       const gradyn_search *how)
{
  bool *all = calloc(MOST_FUNCTIONALS, sizeof *all);
  gradyn_options options;
  gradyn_evaluator *ev;
  outcome out = FAILED;
  *c = (comparison){0};
  gradyn_options_default(of, &options);
  options.method = "explicit";
  options.rtol = options.rtol_sens = rtol;
  options.step = 0;
  options.max_steps = 20000;
  const gradyn_status status = gradyn_evaluator_create(of, &options, NULL, 0, &ev);
  for (int i = 0; all != NULL && i < MOST_FUNCTIONALS; i++)
    all[i] = true;
  if (status != GRADYN_OK || all == NULL) {
    (void)snprintf(c->text, sizeof c->text, "%.200s", gradyn_evaluator_message(ev));
  } else if (gradyn_segments_create_for(ev, how, all, at, &c->segments) == GRADYN_OK) {
    out = compare_there(c, ev, at);
  } else {
    (void)snprintf(c->text, sizeof c->text, "%.200s", c->segments.message.text);
    out = REFUSED;
  }
  gradyn_segments_clear(&c->segments);
  free(c->psi);
  gradyn_evaluator_free(ev);
  free(all);
  return out;
}

/* Equal parts, or cuts at random times, or at knots, or between events. */
static gradyn_search cut_at_random(uint64_t *random, double t_end, char text[160])
{
  const long parts = 2 + mechanism_choice(random, 8);
  const int way = mechanism_choice(random, 6);
  size_t used = 0;
  if (way < 3)
    return (gradyn_search){.segments = parts};
  if (way > 3)
    return (gradyn_search){.cuts = way == 4 ? "knots" : "events"};
  for (long i = 1; i < parts; i++)
    used += (size_t)snprintf(text + used, 160 - used, "%s%.6g", i > 1 ? "," : "",
                             t_end * mechanism_decades(random, 0.01, 0.99));
  return (gradyn_search){.cuts = text};
}

CAMPAIGN(segments)
{
  static const char *const name[] = {"alike", "refused", "failed", "not closed", "APART"};
  static comparison c;
  const double seconds = argc > 1 ? atof(argv[1]) : 600;
  const uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
  const uint64_t mechanisms = argc > 3 ? strtoull(argv[3], NULL, 10) : 100000;
  const clock_t began = clock();
  long count[OUTCOMES] = {0};
  double worst = 0;
  for (uint64_t k = 0; k < mechanisms; k++) {
    uint64_t random = first + k;
    double ones[MECHANISM_PARAMETERS];
    if ((double)(clock() - began) > seconds * CLOCKS_PER_SEC)
      break;
    for (int j = 0; j < MECHANISM_PARAMETERS; j++)
      ones[j] = 1;
    const bool events = (first + k) % 2 == 0;
    mechanism_drawn = (mechanism){.seed = first + k,
                                  .metre = mechanism_decades(&random, 0.1, 10),
                                  .kilogram = mechanism_decades(&random, 0.1, 10)};
    sums_alone = true;
    draw(first + k);
    const gradyn_problem drawn = mechanism_problem();
    char times[160];
    const gradyn_search how = cut_at_random(&random, events ? problem.t_end : drawn.t_end, times);
    const outcome out = events ? compare(&c, &problem, rho, &how) : compare(&c, &drawn, ones, &how);
    count[out]++;
    worst = out == SAME ? fmax(worst, c.error) : worst;
    if (out > REFUSED)
      (void)printf("seed %llu, %ld segments%s%s: %s: %s\n", (unsigned long long)(first + k),
                   how.segments, how.cuts != NULL ? " at " : "", how.cuts != NULL ? how.cuts : "",
                   name[out], c.text);
    (void)fflush(stdout);
  }
  (void)printf("seed %llu: %ld alike, the worst with %.2g of what is allowed; %ld refused, %ld "
               "failed, %ld not closed, %ld apart\n",
               (unsigned long long)first, count[SAME], worst, count[REFUSED], count[FAILED],
               count[OPEN], count[APART]);
  return count[APART] > 0;
}
