/* Campaign: random hybrid mechanisms in the plane with points, springs, dampers, rods and drag. Two to four
 * modes follow each other in a ring. Landings (plastic impacts), multipliers, velocities or times start
 * them; there are also bounces, maps and resets of a velocity. Direct is compared with adjoint for all
 * data, and the adjoint with differences of order 8 of whole runs along a random direction. Runs whose
 * sequence of events or steps differs at all distances are left out and counted. By ali3p, variational,
 * explicit and radau, and every eighth model by idas. Events and values of idas and explicit must agree
 * within their errors. No warning may call steps too long for derivatives, however large these become at
 * events. Momentum and impulses must balance. Exit status 1: direct and adjoint disagree, or steps are
 * called too long. */
#include "tests/campaigns/campaign.h"
#include "tests/drawn/hybrid_draw.h"
#include "tests/runs.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LOG = 64, SELDOM = 8 };

/* --- comparison ------------------------------------------------------------------------------- */

static const struct scheme {
  const char *method;
  double step, agree, differ, h;
} schemes[] = {{"ali3p", 0.01, 1e-9, 1e-6, 2e-6},    {"variational", 0.01, 1e-9, 1e-6, 2e-6},
               {"explicit", 0.01, 1e-9, 1e-6, 2e-6}, {"explicit", 0, 1e-9, 1e-5, 1e-4},
               {"radau", 0.01, 1e-9, 1e-6, 2e-6},    {"radau", 0, 1e-9, 1e-5, 1e-4},
               {"idas", 0, 1e-6, 1e-4, 1e-4}};

static bool is_slow(const struct scheme *scheme)
{
  return strcmp(scheme->method, "idas") == 0;
}

typedef struct tally {
  long models, failed, compared, events, other_sequence, unlike, repeated, doubted, wrong;
  double worst_pair, worst_difference;
} tally;

typedef struct sequence {
  int count, event[MOST_LOG];
  long steps;
  double slowest; /* smallest rate with which a guard passed zero */
} sequence;

static void take(const gradyn_evaluator *ev, sequence *s)
{
  s->count = (int)gradyn_evaluator_statistics(ev).events;
  s->steps = gradyn_evaluator_statistics(ev).steps;
  s->slowest = HUGE_VAL;
  for (int i = 0; i < s->count; i++) {
    const gradyn_event_record record = gradyn_event_log_at(ev, (size_t)i);
    if (i < MOST_LOG)
      s->event[i] = record.event;
    s->slowest = fmin(s->slowest, fabs(record.approach));
  }
}

static bool same(const sequence *a, const sequence *b)
{
  bool equal = a->count == b->count;
  for (int i = 0; equal && i < a->count && i < MOST_LOG; i++)
    equal = a->event[i] == b->event[i];
  return equal;
}

static gradyn_evaluator *open_model(const struct scheme *scheme, const char *sensitivity)
{
  gradyn_evaluator *ev;
  const bool tight = uniform(0, 1) < 0.3;
  if (run_try(&ev, &problem, .method = scheme->method, .sensitivity = sensitivity,
              .step = scheme->step > 0 ? scheme->step : -1,
              .memory = tight && !is_slow(scheme) ? 3e4 : 0) == GRADYN_OK)
    return ev;
  (void)printf("  not built: %s\n", gradyn_evaluator_message(ev));
  gradyn_evaluator_free(ev);
  return NULL;
}

/* Derivatives of all functionals along d [P]. false: a run fails or has other events, or, with fixed steps,
 * an event or the end has passed a node, where the derivative jumps. */
static bool differences(gradyn_evaluator *ev, const sequence *known, bool fixed, const double *d,
                        double h, double slope[F])
{
  static const double weight[] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
  double moved[P], psi[F];
  memset(slope, 0, F * sizeof *slope);
  for (int i = 0; i < 8; i++) {
    sequence now;
    double sign = i % 2 ? -1 : 1;
    for (int j = 0; j < P; j++)
      moved[j] = rho[j] + sign * (1 + i / 2) * h * d[j];
    if (gradyn_evaluator_simulate(ev, moved, psi, NULL) != GRADYN_OK)
      return false;
    take(ev, &now);
    if (!same(known, &now) || (fixed && now.steps != known->steps))
      return false;
    for (int f = 0; f < F; f++)
      slope[f] += sign * weight[i / 2] * psi[f] / h;
  }
  return true;
}

/* The largest difference of derivatives along d [P] from the gradient, relative to the largest entry of the
 * row. */
static double deviation(const double *gradient, const double *d, const double slope[F])
{
  double worst = 0;
  for (int f = 0; f < F; f++) {
    double size = 1e-2, expected = 0;
    for (int j = 0; j < P; j++) {
      size = fmax(size, fabs(gradient[f * P + j]));
      expected += gradient[f * P + j] * d[j];
    }
    worst = fmax(worst, fabs(slope[f] - expected) / size);
  }
  return worst;
}

/* Compares the gradient with differences. If the first ones disagree, others decide: smaller distances
 * reduce the effect of a kink or a change of events nearby, larger ones the noise of hundreds of events. */
static double compare_differences(const struct scheme *scheme, gradyn_evaluator *ev,
                                  const double *d, tally *t)
{
  static const double widths[] = {1, 1.0 / 4, 1.0 / 16, 1.0 / 64, 4, 16};
  double gradient[F * P], slope[F], best = HUGE_VAL;
  for (size_t i = 0; i < sizeof widths / sizeof *widths && best > scheme->differ; i++) {
    sequence known;
    if (gradyn_evaluator_gradient(ev, rho, NULL, gradient) != GRADYN_OK) {
      /* for example if the randomly chosen memory limit is too small */
      (void)printf("  %s fails: %s\n", scheme->method, gradyn_evaluator_message(ev));
      break;
    }
    take(ev, &known);
    t->repeated += i > 0;
    if (differences(ev, &known, scheme->step > 0, d, scheme->h * widths[i], slope))
      best = fmin(best, deviation(gradient, d, slope));
  }
  if (isfinite(best))
    return best;
  t->other_sequence++;
  return 0;
}

/* Factor by which errors of a run with error control grow in its derivatives. The error of an event's time
 * is that of its guard divided by the rate of the guard. */
static double amplification(const struct scheme *scheme, const sequence *events)
{
  return scheme->step > 0 ? 1 : fmax(1, 1e-2 / events->slowest);
}

/* Direct against adjoint with respect to all data: the largest difference relative to the largest entry of
 * its row. HUGE_VAL: the runs have different events; negative: a run has failed. */
static double compare_pair(const struct scheme *scheme, tally *t)
{
  gradyn_evaluator *ev[2] = {open_model(scheme, "direct"), open_model(scheme, "adjoint")};
  double *gradient[2] = {NULL, NULL}, psi[F], worst = ev[0] && ev[1] ? 0 : -1;
  sequence events[2];
  for (int way = 0; way < 2 && worst >= 0; way++) {
    gradient[way] = calloc(F * gradyn_evaluator_model_info(ev[way]).data, sizeof(double));
    if (!gradient[way] ||
        gradyn_evaluator_data_gradient(ev[way], rho, psi, gradient[way]) != GRADYN_OK) {
      (void)printf("  %s fails: %s\n", scheme->method, gradyn_evaluator_message(ev[way]));
      worst = -1;
    }
    if (ev[way])
      take(ev[way], &events[way]);
    const char *told = gradyn_evaluator_warnings(ev[way]);
    t->doubted += strstr(told, "too long for deriv") || strstr(told, "the jump of momentum");
  }
  size_t data = worst >= 0 ? gradyn_evaluator_model_info(ev[0]).data : 0;
  for (size_t f = 0; f < F && data > 0; f++) {
    double size = 1e-2;
    for (size_t i = 0; i < data; i++)
      size = fmax(size, fabs(gradient[0][f * data + i]));
    for (size_t i = 0; i < data; i++)
      worst = fmax(worst, fabs(gradient[0][f * data + i] - gradient[1][f * data + i]) / size);
  }
  if (data > 0)
    worst /= amplification(scheme, &events[0]);
  if (data > 0 && !same(&events[0], &events[1])) {
    worst = HUGE_VAL;
    t->unlike++;
  }
  if (data > 0)
    t->events += events[0].count;
  for (int way = 0; way < 2; way++) {
    free(gradient[way]);
    gradyn_evaluator_free(ev[way]);
  }
  return worst;
}

static void examine(const struct scheme *scheme, uint64_t seed, tally *t)
{
  double d[P], pair = compare_pair(scheme, t), difference = 0;
  t->models++;
  if (pair < 0) {
    t->failed++;
    return;
  }
  t->worst_pair = fmax(t->worst_pair, pair);
  for (int j = 0; j < P; j++)
    d[j] = uniform(-1, 1);
  run_local *ev = open_model(scheme, "adjoint");
  if (ev)
    difference = compare_differences(scheme, ev, d, t);
  t->compared++;
  t->worst_difference = fmax(t->worst_difference, difference);
  if (pair <= scheme->agree && difference <= scheme->differ)
    return;
  t->wrong++;
  (void)printf("  seed %llu, %s: direct and adjoint %.2g, differences %.2g\n",
               (unsigned long long)seed, scheme->method, pair, difference);
}

/* Returns whether idas and explicit, both with error control, find the same events and values; *tried: both
 * ran. */
static bool methods_agree(uint64_t seed, bool *tried)
{
  double psi[2][F], time[2][MOST_LOG] = {{0}};
  sequence events[2] = {{0}};
  *tried = true;
  for (int k = 0; k < 2; k++) {
    run_local *ev = open_model(&(struct scheme){.method = k ? "explicit" : "idas"}, "adjoint");
    *tried = *tried && ev && gradyn_evaluator_simulate(ev, rho, psi[k], NULL) == GRADYN_OK;
    if (*tried)
      take(ev, &events[k]);
    for (int i = 0; *tried && i < events[k].count && i < MOST_LOG; i++)
      time[k][i] = gradyn_event_log_at(ev, (size_t)i).t;
  }
  bool agree = !*tried || same(&events[0], &events[1]);
  for (int f = 0; agree && *tried && f < F; f++)
    agree = fabs(psi[0][f] - psi[1][f]) <= 1e-5 * (1 + fabs(psi[0][f]));
  if (agree)
    return true;
  (void)printf("  seed %llu: idas and explicit differ, %d and %d events", (unsigned long long)seed,
               events[0].count, events[1].count);
  for (int i = 0; i < MOST_LOG && (i < events[0].count || i < events[1].count); i++)
    (void)printf("%s%d at %.9g, %d at %.9g", i ? "; " : ": ", events[0].event[i], time[0][i],
                 events[1].event[i], time[1][i]);
  (void)printf("\n");
  return false;
}

bool campaign_hybrid(campaign *c)
{
  tally all[sizeof schemes / sizeof *schemes] = {{0}};
  long wrong = 0, both = 0, differ = 0;
  for (uint64_t seed; campaign_next(c, &seed);) {
    bool tried;
    draw(seed);
    differ += !methods_agree(seed, &tried);
    both += tried;
    for (size_t k = 0; k < sizeof schemes / sizeof *schemes; k++) {
      if (is_slow(&schemes[k]) && seed % SELDOM != 0)
        continue;
      draw(seed);
      examine(&schemes[k], seed, &all[k]);
    }
  }
  (void)printf("%llu models\n%-12s %8s %8s %8s %8s %8s %8s %8s %8s %10s %12s\n",
               (unsigned long long)c->begun, "method", "failed", "compared", "events", "left out",
               "unlike", "repeated", "doubted", "wrong", "pair", "differences");
  for (size_t k = 0; k < sizeof schemes / sizeof *schemes; k++) {
    const tally *t = &all[k];
    (void)printf("%-12s %8ld %8ld %8ld %8ld %8ld %8ld %8ld %8ld %10.1e %12.1e\n", schemes[k].method,
                 t->failed, t->compared, t->events, t->other_sequence, t->unlike, t->repeated,
                 t->doubted, t->wrong, t->worst_pair, t->worst_difference);
    wrong += t->wrong + t->doubted;
  }
  (void)printf("events and values of idas and explicit: %ld models, %ld differ\n", both, differ);
  return wrong + differ > 0;
}
