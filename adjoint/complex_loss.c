/* Check whether a function is complex-differentiable.
 *
 * Along a direction d, the complex step gives c = Im f(z + i h d)/h, and real numbers give quotients Q(e) =
 * (f(z + e d) - f(z - e d))/(2 e). The complex-step derivative is wrong if quotients of neighbouring steps
 * agree with each other but not with c. At a jump, quotients grow as 1/e and do not agree. For a table or
 * floor(), quotients and c are zero.
 *
 * Arguments may be special by design, such as initial values at kinks or jumps. They are changed slightly
 * before the comparison, so that no kink is between the shortest steps. A difference in a random direction
 * must appear again for a single argument. It must not be caused by a structure finer than the steps, such
 * as stairs or oscillations. */
#include "adjoint/complex_loss.h"

#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/linear/arena.h"
#include "core/model/model.h"

enum {
  LEVELS = 5,
  SUSPECTS = 8 /* results that are examined further at one point */
};

/* Longest step of quotients, and step of the first comparison, relative to the sizes of arguments. Each
 * following step is a tenth of the one before. */
static const double longest = 1e-4, first_look = 1e-5;

/* The shortest step. `fine`: steps below the shortest one must change the result by less than this part of
 * its change by the shortest step. */
static const double shortest = 1e-8, fine = 1e-2;

/* Displacements of the arguments: the first one, and a smaller one if the function does not exist there. */
static const double away[] = {1e-3, 1e-6};

/* Largest accepted relative errors of c: of a derivative along a random direction, and by one argument. */
static const double nearly = 1e-6, surely = GRADYN_LOST_TOLERANCE;

/* Ratio by which the difference of c must exceed the difference between quotients. */
static const double plainly = 20;

/* Uncertainty of a pair of quotients relative to the differences of neighbouring pairs. With 0, the check
 * wrongly reported 1 of 2,988 runs of smooth systems (tests/campaigns/rtol.c). */
static const double chance = 0.1;

/* Round-off of a value after a few operations. A derivative may be this small relative to the terms of its
 * function. */
static const double round_off = 100 * DBL_EPSILON;

/* Smallest derivative, relative to the arguments, if real numbers do not change at all. Smaller ones are
 * round-off that only complex numbers show. */
static const double visible = 1e-12;

struct gradyn_complex_loss_workspace {
  double *base, *line;                   /* [arguments] point and direction */
  double *slope, *value;                 /* [results] c, and f at the point */
  double *terms;                         /* [results] magnitude of the terms that cancel */
  double *below[LEVELS], *above[LEVELS]; /* [results] f on both sides */
  gradyn_scalar *argument, *result;
  bool *cleared; /* [results] examined without a finding */
  uint64_t random;
  gradyn_status fatal; /* fatal failure of a call */
  gradyn_arena arena;  /* owns these arrays */
};

gradyn_status gradyn_complex_loss_workspace_create(int arguments, int results,
                                                   gradyn_complex_loss_workspace **out)
{
  gradyn_complex_loss_workspace *r = *out = calloc(1, sizeof *r);
  if (!r)
    return GRADYN_NO_MEMORY;
  /* points and directions [arguments], values and derivatives [results] */
  const size_t n = (size_t)arguments, m = (size_t)results;
  r->base = gradyn_arena_numbers(&r->arena, n);
  r->line = gradyn_arena_numbers(&r->arena, n);
  r->slope = gradyn_arena_numbers(&r->arena, m);
  r->value = gradyn_arena_numbers(&r->arena, m);
  r->terms = gradyn_arena_numbers(&r->arena, m);
  for (int k = 0; k < LEVELS; k++) {
    r->below[k] = gradyn_arena_numbers(&r->arena, m);
    r->above[k] = gradyn_arena_numbers(&r->arena, m);
  }
  r->cleared = gradyn_arena_take(&r->arena, m, sizeof *r->cleared);
  r->argument = gradyn_arena_take(&r->arena, n, sizeof *r->argument);
  r->result = gradyn_arena_take(&r->arena, m, sizeof *r->result);
  return gradyn_arena_status(&r->arena);
}

void gradyn_complex_loss_workspace_free(gradyn_complex_loss_workspace *r)
{
  if (!r)
    return;
  gradyn_arena_clear(&r->arena);
  free(r);
}

/* Returns a pseudo-random number in [-1, 1] with a magnitude of at least a half, so that every argument has
 * an effect. */
static double draw(gradyn_complex_loss_workspace *r)
{
  r->random = r->random * 6364136223846793005u + 1442695040888963407u;
  const double part = (double)(r->random >> 33) / 2147483648.0; /* 0 to 1 */
  return part < 0.5 ? part - 1 : part;
}

/* --- one direction ----------------------------------------------------------------------------- */

/* Evaluates f at r->argument; returns whether it exists there. */
static bool call(gradyn_complex_loss_workspace *r, const gradyn_checked_function *f)
{
  const gradyn_status status = r->fatal == GRADYN_OK ? f->call(f->self, r->argument, r->result)
                                                     : r->fatal;
  /* a point where f does not exist is no failure; lack of memory and cancellation are */
  if (gradyn_status_describe(status).kind == GRADYN_CLASS_FATAL)
    r->fatal = status;
  return status == GRADYN_OK;
}

/* Evaluates f at a step along the line; returns whether it exists there. */
static bool call_at(gradyn_complex_loss_workspace *r, const gradyn_checked_function *f, double step,
                    double *out)
{
  /* f(z + s d), real */
  for (int i = 0; i < f->arguments; i++)
    r->argument[i] = r->base[i] + step * r->line[i];
  if (!call(r, f))
    return false;
  bool finite = true;
  for (int i = 0; i < f->results; i++) {
    out[i] = creal(r->result[i]);
    finite = finite && gradyn_is_number(r->result[i], false);
  }
  return finite;
}

/* Computes c, and f at the point. */
static bool call_complex(gradyn_complex_loss_workspace *r, const gradyn_checked_function *f)
{
  /* f(z + i h d) has the imaginary part h c */
  for (int i = 0; i < f->arguments; i++)
    r->argument[i] = r->base[i] + GRADYN_COMPLEX_STEP * I * r->line[i];
  if (!call(r, f))
    return false;
  bool finite = true;
  double largest = 0;
  for (int i = 0; i < f->results; i++) {
    r->value[i] = creal(r->result[i]);
    r->slope[i] = cimag(r->result[i]) / GRADYN_COMPLEX_STEP;
    finite = finite && gradyn_is_number(r->result[i], true) && isfinite(r->slope[i]);
    largest = fmax(largest, fabs(r->value[i]));
  }
  /* terms that cancel in one result may be as large as another result */
  for (int i = 0; i < f->results; i++)
    r->terms[i] = f->terms ? f->terms[i] : largest;
  return finite;
}

/* Returns the round-off of a quotient of result i at level k. */
static double noise(const gradyn_complex_loss_workspace *r, int k, int i, double step)
{
  const double most = fmax(fabs(r->value[i]), fmax(fabs(r->below[k][i]), fabs(r->above[k][i])));
  return round_off * most / step;
}

/* Returns the known round-off of the derivative of result i. */
static double grain(const gradyn_complex_loss_workspace *r, const gradyn_checked_function *f, int i)
{
  double largest = 0;
  for (int k = 0; k < LEVELS; k++)
    if (r->below[k][i] != r->value[i] || r->above[k][i] != r->value[i])
      return round_off * r->terms[i];
  for (int j = 0; j < f->arguments; j++)
    largest = fmax(largest, fabs(r->line[j]));
  return fmax(round_off * r->terms[i], visible * largest);
}

/* Returns the difference of c from the quotient of level k, relative to the derivative or to its smallest
 * visible value. Differences above `nearly` are examined further. */
static double difference(const gradyn_complex_loss_workspace *r, int k, int i, double step)
{
  const double quotient = (r->above[k][i] - r->below[k][i]) / (2 * step);
  const double size = fmax(fabs(quotient), fabs(r->slope[i]));
  const double least = noise(r, k, i, step) + round_off * r->terms[i];
  const double apart = fabs(quotient - r->slope[i]);
  return apart > 0 ? apart / (size + least / nearly) : 0;
}

/* Finds the two neighbouring levels whose quotients agree best. Returns the difference of c from their
 * quotient, or 0 if it is within their uncertainty. From one level to the next, truncation errors decrease
 * by a hundred, and round-off grows by ten. If only one pair agrees much better than this, the agreement is
 * coincidence, as for values that are multiples of a unit of rounding which large cancelling terms have
 * left. Therefore the differences of neighbouring pairs, times `chance`, are added to the uncertainty. */
static double judge(const gradyn_complex_loss_workspace *r, int i, double part, double *real)
{
  double quotient[LEVELS], apart[LEVELS + 1] = {0}, step = longest;
  double best = HUGE_VAL, uncertain = HUGE_VAL;
  *real = 0;
  for (int k = 0; k < LEVELS; k++, step /= 10) {
    quotient[k] = (r->above[k][i] - r->below[k][i]) / (2 * step);
    apart[k] = k > 0 ? fabs(quotient[k] - quotient[k - 1]) : 0;
  }
  step = longest;
  for (int k = 1; k < LEVELS; k++) {
    step /= 10;
    /* the change is below the unit of rounding of the values */
    if (quotient[k] == 0 && quotient[k - 1] != 0)
      break;
    const double spread = apart[k] + noise(r, k, i, step);
    if (spread < best) {
      best = spread;
      uncertain = fmax(spread, chance * fmax(apart[k - 1], apart[k + 1]));
      *real = quotient[k];
    }
  }
  const double gap = fabs(*real - r->slope[i]), size = fmax(fabs(*real), fabs(r->slope[i]));
  return gap > plainly * uncertain && gap > part * size ? gap : 0;
}

typedef enum verdict { UNKNOWN, KEPT, LOST } verdict;

/* Checks the derivative along the line. *out: the largest error of result `only`, or of all results (-1). */
static verdict look_along(gradyn_complex_loss_workspace *r, const gradyn_checked_function *f,
                          double part, int only, gradyn_complex_loss *out)
{
  double step = first_look, worst = 0, real = 0;
  /* in nearly all cases these three calls suffice */
  if (!call_complex(r, f) || !call_at(r, f, -step, r->below[0]) ||
      !call_at(r, f, step, r->above[0]))
    return UNKNOWN;
  for (int i = 0; i < f->results; i++)
    worst = fmax(worst, difference(r, 0, i, step));
  if (worst <= nearly) {
    out->error = fmax(out->error, worst);
    return KEPT;
  }
  worst = 0;
  /* the derivative is doubtful: all steps are compared, each a tenth of the one before */
  step = longest;
  for (int k = 0; k < LEVELS; k++, step /= 10)
    if (!call_at(r, f, -step, r->below[k]) || !call_at(r, f, step, r->above[k]))
      return UNKNOWN;
  for (int i = only < 0 ? 0 : only; i < (only < 0 ? f->results : only + 1); i++) {
    double gap = judge(r, i, part, &real);
    gap = gap > grain(r, f, i) ? gap : 0;
    const double share = gap > 0 ? gap / fmax(fabs(real), fabs(r->slope[i])) : 0;
    if (share > worst && !(only < 0 && r->cleared[i])) {
      worst = share;
      *out = (gradyn_complex_loss){
          .error = share, .result = i, .real = real, .stepped = r->slope[i]};
    }
  }
  return worst > 0 ? LOST : KEPT;
}

/* --- one point --------------------------------------------------------------------------------- */

/* Chooses a point next to `at`, inside the bounds, and a direction with space for steps on both sides. */
static void choose_line(gradyn_complex_loss_workspace *r, const gradyn_checked_function *f,
                        const double *at, const double *size, double far)
{
  for (int i = 0; i < f->arguments; i++) {
    const double low = f->lower ? f->lower[i] : -HUGE_VAL, high = f->upper ? f->upper[i] : HUGE_VAL;
    const double capacity = 2 * longest * size[i], step = far * size[i] * draw(r);
    const bool inside = at[i] + step - capacity > low && at[i] + step + capacity < high;
    /* steps to the other side if a bound is near */
    r->base[i] = size[i] > 0 ? at[i] + (inside ? step : -step) : at[i];
    r->line[i] = size[i] * draw(r);
    /* no space on either side: this argument stays constant */
    if (!(r->base[i] - capacity > low && r->base[i] + capacity < high)) {
      r->base[i] = at[i];
      r->line[i] = 0;
    }
  }
}

/* Returns whether c changes by only a small part of the difference while argument j changes by less than the
 * shortest step. For a function that oscillates faster, c changes more, and the difference is no error. */
static bool is_steady(gradyn_complex_loss_workspace *r, const gradyn_checked_function *f, int j,
                      const gradyn_complex_loss *lost)
{
  const double keep = r->base[j], gap = fabs(lost->real - lost->stepped);
  bool steady = true;
  for (double step = 10 * shortest; step > shortest / 100 && steady; step /= 10) {
    r->base[j] = keep + step * r->line[j];
    steady = call_complex(r, f) && fabs(r->slope[lost->result] - lost->stepped) < gap / plainly;
  }
  r->base[j] = keep;
  return steady;
}

/* Returns the round-off of a result: of its value, and of the contributions of the arguments, which may
 * cancel. */
static double rounding(gradyn_complex_loss_workspace *r, const gradyn_checked_function *f, int j,
                       int result)
{
  const double line = r->line[j];
  double most = 0;
  r->line[j] = 0;
  for (int k = 0; k < f->arguments; k++) {
    r->line[k] = r->base[k];
    if (call_complex(r, f))
      most = fmax(most, fmax(fabs(r->value[result]), fabs(r->slope[result])));
    r->line[k] = 0;
  }
  r->line[j] = line;
  return 4 * DBL_EPSILON * most;
}

/* Returns whether f is smooth for steps along argument j below the shortest one. Stairs finer than the
 * shortest step change by their full height, or not at all. */
static bool is_fine(gradyn_complex_loss_workspace *r, const gradyn_checked_function *f, int j,
                    int result)
{
  const double unseen = rounding(r, f, j, result);
  if (!call_at(r, f, 0, r->below[0]) || !call_at(r, f, shortest, r->above[0]))
    return false;
  /* |f(z + e d) - f(z)| for e = 10^-8, and its smallest value for smaller e */
  const double change = fabs(r->above[0][result] - r->below[0][result]);
  double least = change;
  double step = shortest;
  for (int k = 1; k < 7; k++) {
    step /= 10;
    if (!call_at(r, f, step, r->above[0]))
      return false;
    const double part = fabs(r->above[0][result] - r->below[0][result]);
    least = part > 0 ? fmin(least, part) : least;
  }
  return least < fine * change || least <= unseen;
}

/* Checks the derivative by one argument. */
static verdict look_by(gradyn_complex_loss_workspace *r, const gradyn_checked_function *f,
                       const double *size, int j, int result, gradyn_complex_loss *out)
{
  memset(r->line, 0, (size_t)f->arguments * sizeof *r->line);
  r->line[j] = size[j];
  const verdict v = look_along(r, f, surely, result, out);
  if (v != LOST)
    return v;
  if (!is_steady(r, f, j, out) || !is_fine(r, f, j, out->result))
    return KEPT;
  out->argument = j;
  out->real /= size[j]; /* the line has this length */
  out->stepped /= size[j];
  return v;
}

/* Finds the argument with the largest error of `result`. */
static bool find_argument(gradyn_complex_loss_workspace *r, const gradyn_checked_function *f,
                          const double *size, int result, gradyn_complex_loss *out)
{
  /* the errors by all arguments add up to the error along the line */
  double worst = 0;
  gradyn_complex_loss one = {0};
  for (int j = 0; j < f->arguments; j++) {
    if (!(size[j] > 0) || look_by(r, f, size, j, result, &one) != LOST)
      continue;
    const double gap = fabs(one.real - one.stepped) * size[j];
    if (gap > worst) {
      worst = gap;
      *out = one;
    }
  }
  return worst > 0;
}

/* Returns the index of the first result that is not a real number; -1: none. */
static int find_unreal(const gradyn_complex_loss_workspace *r, const gradyn_checked_function *f)
{
  for (int i = 0; i < f->results; i++)
    if (!gradyn_is_number(r->result[i], false))
      return i;
  return -1;
}

/* Returns the index of a result that is a number at `at`, but at no step from there by argument j. It has
 * no derivative by j, whatever the complex step gives. Powers of negative numbers are such functions of
 * their exponents. -1: there is none, or the function itself refuses the steps. */
static int find_isolated(gradyn_complex_loss_workspace *r, const gradyn_checked_function *f,
                         const double *at, const double *size, int j)
{
  const double step = shortest * size[j];
  const bool inside = (!f->lower || at[j] - step > f->lower[j]) &&
                      (!f->upper || at[j] + step < f->upper[j]);
  if (!(step > 0) || !inside)
    return -1;
  memcpy(r->base, at, (size_t)f->arguments * sizeof *at);
  memset(r->line, 0, (size_t)f->arguments * sizeof *r->line);
  r->line[j] = size[j];
  if (!call_at(r, f, 0, r->below[0]) || call_at(r, f, -shortest, r->below[0]) ||
      call_at(r, f, shortest, r->above[0]))
    return -1;
  return find_unreal(r, f);
}

gradyn_status gradyn_complex_loss_check(gradyn_complex_loss_workspace *r,
                                        const gradyn_checked_function *f, const double *at,
                                        const double *size, gradyn_complex_loss *out)
{
  /* the same pseudo-random numbers in each call, so that results are reproducible */
  *out = (gradyn_complex_loss){.found = false};
  memset(r->cleared, 0, (size_t)f->results * sizeof *r->cleared);
  r->random = 20220711;
  r->fatal = GRADYN_OK;
  verdict v = UNKNOWN;
  double far = 0;
  for (size_t k = 0; k < GRADYN_COUNT(away) && v == UNKNOWN; k++) {
    far = away[k];
    choose_line(r, f, at, size, far);
    v = look_along(r, f, nearly, -1, out);
  }
  for (int k = 0; k < SUSPECTS && v == LOST && !out->found; k++) {
    out->found = find_argument(r, f, size, out->result, out);
    r->cleared[out->result] = true;
    if (out->found)
      break;
    choose_line(r, f, at, size, far);
    v = look_along(r, f, nearly, -1, out);
  }
  for (int j = 0; j < f->arguments && v == UNKNOWN && !out->found; j++) {
    const int result = find_isolated(r, f, at, size, j);
    if (result >= 0)
      *out = (gradyn_complex_loss){
          .found = true, .isolated = true, .error = 1, .argument = j, .result = result};
  }
  return r->fatal;
}

const char *gradyn_complex_loss_sentence(const gradyn_complex_loss *lost, char *text, size_t size)
{
  if (lost->isolated)
    snprintf(text, size,
             "does not exist: a small change makes the result infinite or not real, for example a "
             "power of a negative number. Use an integer exponent, or keep the base positive");
  else
    snprintf(text, size,
             "is %.6g by real differences and %.6g by complex step: a double, creal(), cabs(), or "
             "a function outside <gradyn/tgmath.h> discards it. If this is intended, use "
             "sensitivities by differences",
             lost->real, lost->stepped);
  return text;
}
