/* Campaign: runs of idas with many arcs. A controlled Duffing oscillator with random signals, random knots
 * and controls, and signals that begin and end at random times, at tolerances from 1e-8 to 1e-12. The
 * adjoint gradient must equal the direct one, within the change of both at ten times the tolerance. Motions
 * of 12 s may amplify errors by ten thousand, so there is no fixed limit; two computations of different
 * gradients would not converge to each other. Exit status 1: a gradient is wrong or a run fails. */
#include "tests/campaigns/campaign.h"
#include "tests/runs.h"
#include "tests/random.h"
#include "tests/declare.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include <gradyn/gradyn.h>

enum { MOST_KNOTS = 40, MOST = MOST_KNOTS + 3 };

/* Accepted difference: a multiple of these changes, plus a multiple of rtol, since the changes may be small
 * by chance. */
static const double explained = 1, beside_rtol = 1e3;

typedef struct discrete {
  gradyn_signal_kind kind;
  int knots;
  bool own_times;
  double rtol,
      rho[MOST]; /* the parameters multiply these: controls, end time, first and last time of the signal */
} discrete;

static const discrete *present;
static double shift; /* of the start, m */

static discrete draw(uint64_t seed)
{
  static const gradyn_signal_kind kinds[] = {GRADYN_PIECEWISE_CONSTANT, GRADYN_PIECEWISE_LINEAR,
                                             GRADYN_CUBIC_SPLINE};
  uint64_t r = seed;
  discrete s = {.kind = kinds[(int)random_range(&r, 0, 3)],
                .knots = 3 + (int)random_range(&r, 0, MOST_KNOTS - 2)};
  s.own_times = random_range(&r, 0, 1) < 0.3;
  s.rtol = pow(10, random_range(&r, -12, -8));
  for (int k = 0; k < s.knots; k++)
    s.rho[k] = random_range(&r, -1, 1);
  s.rho[s.knots] = random_range(&r, 1, 12);
  s.rho[s.knots + 1] = random_range(&r, 0.05, 0.4) * s.rho[s.knots];
  s.rho[s.knots + 2] = random_range(&r, 0.5, 0.95) * s.rho[s.knots];
  return s;
}

static gradyn_status motion(const gradyn_at *at, gradyn_scalar F[])
{
  const gradyn_scalar x = at->y[0], v = at->y[1];
  F[0] = at->yp[0] - v;
  F[1] = at->yp[1] + 0.2 * v - x + x * x * x - 2 * at->u[1];
  F[2] = at->yp[2] - (x * x + v * v + at->u[1] * at->u[1]);
  return GRADYN_OK;
}

FORMULA(cost, at->y[2])

FORMULA(area, at->y[0] * at->u[1])

static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  const discrete *s = present;
  gradyn_scalar x[MOST];
  for (int k = 0; k < s->knots + 3; k++)
    x[k] = s->rho[k] * rho[k];
  gradyn_end_time(m, x[s->knots]);
  gradyn_state(m, "x", "m", 1.0 + shift);
  gradyn_state(m, "v", "m/s", 0.5);
  gradyn_state(m, "J", "", 0.0);
  gradyn_signal(m, &(gradyn_signal_spec){"u", "N", s->kind, s->knots, x,
                                         s->own_times ? x[s->knots + 1] : 0,
                                         s->own_times ? x[s->knots + 2] : 0, .times = NULL});
  declare_equations(m, motion, NULL, 0);
  declare_end(m, "cost", "", cost);
  declare_integral(m, "area", "", area);
  return gradyn_build_status(m);
}

static gradyn_status gradient_of(const discrete *s, const char *sensitivity, double rtol,
                                 double *gradient)
{
  double psi[2];
  const gradyn_param params[] = {{"rho", "", .init = 1, GRADYN_UNBOUNDED, .count = s->knots + 3}};
  const gradyn_problem problem = PROBLEM("knots", build, params, .t_end = 1);
  run_local *ev;
  double rho[MOST];
  for (int k = 0; k < s->knots + 3; k++)
    rho[k] = 1;
  present = s;
  gradyn_status status = run_try(&ev, &problem, .method = "idas", .rtol = rtol,
                                 .sensitivity = sensitivity);
  if (status == GRADYN_OK)
    status = gradyn_evaluator_gradient(ev, rho, psi, gradient);
  if (status != GRADYN_OK)
    (void)printf("%s: %s\n", sensitivity, gradyn_evaluator_message(ev));
  return status;
}

/* Largest difference of two gradients of functional f. */
static double difference(const double *a, const double *b, int f, int p)
{
  double most = 0;
  for (int j = f * p; j < (f + 1) * p; j++)
    most = fmax(most, fabs(a[j] - b[j]));
  return most;
}

/* Relative change of the gradients over that of the initial state; errors of the integration are amplified
 * alike. */
static double condition(const discrete *s)
{
  const double small = 1e-6;
  double gradient[2][2 * MOST], worst = 0;
  int p = s->knots + 3;
  for (int side = 0; side < 2; side++) {
    shift = side * small;
    gradyn_status status = gradient_of(s, "direct", 1e-12, gradient[side]);
    shift = 0;
    if (status != GRADYN_OK)
      return NAN;
  }
  for (int f = 0; f < 2; f++) {
    double size = 0;
    for (int j = f * p; j < (f + 1) * p; j++)
      size = fmax(size, fabs(gradient[0][j]));
    worst = fmax(worst, difference(gradient[0], gradient[1], f, p) / (size * small));
  }
  return worst;
}

/* Largest difference of the two gradients divided by the accepted one; *plain: divided by rtol times the
 * largest entry. */
static double try_scene(const discrete *s, double *plain)
{
  static const char *const way[] = {"direct", "adjoint"};
  double gradient[2][2][2 * MOST], worst = 0;
  int p = s->knots + 3;
  for (int k = 0; k < 2; k++)
    for (int loose = 0; loose < 2; loose++)
      if (gradient_of(s, way[k], loose ? s->rtol * 10 : s->rtol, gradient[k][loose]) != GRADYN_OK)
        return HUGE_VAL;
  for (int f = 0; f < 2; f++) {
    double size = 0, error = difference(gradient[0][0], gradient[1][0], f, p);
    double change = difference(gradient[0][0], gradient[0][1], f, p) +
                    difference(gradient[1][0], gradient[1][1], f, p);
    for (int j = 0; j < p; j++)
      size = fmax(size, fabs(gradient[0][0][f * p + j]));
    worst = fmax(worst, error / (explained * change + beside_rtol * s->rtol * size));
    *plain = fmax(*plain, error / (size * s->rtol));
  }
  return worst;
}

bool campaign_moving_knots(campaign *c)
{
  long faults = 0;
  double worst = 0, plain = 0, amplified = 0;
  for (uint64_t seed; campaign_next(c, &seed);) {
    const discrete s = draw(seed);
    double own = 0, error = try_scene(&s, &own);
    if (own > plain) {
      plain = own;
      amplified = condition(&s);
    }
    if (error > 1) {
      faults++;
      (void)printf("seed %llu: rtol %.2g, difference %.2g of what is allowed\n",
                   (unsigned long long)seed, s.rtol, error);
    } else {
      worst = fmax(worst, error);
    }
  }
  (void)printf(
      "%llu runs: %ld wrong, largest difference of the others %.2g of what is "
      "allowed; of all, %.2g rtol, where a relative change of the start is in the gradients %.2g "
      "times\n",
      (unsigned long long)c->begun, faults, worst, plain, amplified);
  return faults > 0;
}
