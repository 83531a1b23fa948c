/* Extrapolated differences. */
#include "core/differences.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { LEVELS = GRADYN_DIFFERENCE_LEVELS, LEAST_LEVELS = 3 };

gradyn_status gradyn_differences_create(int count, gradyn_differences *d)
{
  size_t n = (size_t)count + 1;
  *d = (gradyn_differences){.count = count};
  d->value = calloc(n, sizeof(double));
  d->slope = calloc(n, sizeof(double));
  d->error = calloc(n, sizeof(double));
  d->kink = calloc(n, sizeof(bool));
  d->sample = calloc(2 * LEVELS * n, sizeof(double));
  if (d->value && d->slope && d->error && d->kink && d->sample)
    return GRADYN_OK;
  gradyn_differences_clear(d);
  return GRADYN_NO_MEMORY;
}

void gradyn_differences_clear(gradyn_differences *d)
{
  free(d->value);
  free(d->slope);
  free(d->error);
  free(d->kink);
  free(d->sample);
  *d = (gradyn_differences){0};
}

/* The samples of one component: f(-h), f(h) at every level, NAN if there is none. */
typedef struct series {
  int levels;
  double h[LEVELS], below[LEVELS], above[LEVELS];
  double centre, noise;
} series;

static series component(const gradyn_differences *d, int count, int i, double first, int levels,
                        double noise)
{
  series s = {.levels = 0, .centre = d->value[i]};
  double largest = fabs(s.centre);
  for (int k = 0; k < levels; k++) {
    double below = d->sample[2 * k * count + i], above = d->sample[(2 * k + 1) * count + i];
    /* a step that fails spoils the extrapolation from larger ones */
    if (!isfinite(below) || !isfinite(above)) {
      s.levels = 0;
      continue;
    }
    s.h[s.levels] = ldexp(first, -k);
    s.below[s.levels] = below;
    s.above[s.levels++] = above;
    largest = fmax(largest, fmax(fabs(below), fabs(above)));
  }
  s.noise = noise + 2 * DBL_EPSILON * largest;
  return s;
}

/* Romberg: T[i][j] cancels the errors of order h^2, ..., h^2j of the central difference T[i][0]. */
static void extrapolate(const series *s, double *slope, double *error)
{
  double T[LEVELS][LEVELS];
  *slope = NAN;
  *error = HUGE_VAL;
  for (int i = 0; i < s->levels; i++) {
    double factor = 1;
    T[i][0] = (s->above[i] - s->below[i]) / (2 * s->h[i]);
    for (int j = 1; j <= i; j++) {
      factor *= 4;
      T[i][j] = T[i][j - 1] + (T[i][j - 1] - T[i - 1][j - 1]) / (factor - 1);
      double change = fmax(fabs(T[i][j] - T[i][j - 1]), fabs(T[i][j] - T[i - 1][j - 1]));
      if (j < i)
        change = fmax(change, fabs(T[i][j] - T[i - 1][j]));
      double estimate = change + 2 * s->noise / s->h[i];
      if (estimate < *error) {
        *error = estimate;
        *slope = T[i][j];
      }
    }
  }
}

/* The gap between the derivatives from the right and from the left halves with the step if the
 * function is smooth, stays at a kink, and doubles at a jump. Steps at which it could be noise
 * tell nothing. */
static bool has_kink(const series *s, double slope)
{
  double gap[LEVELS];
  int last = -1;
  for (int k = 0; k < s->levels; k++) {
    gap[k] = fabs(s->above[k] + s->below[k] - 2 * s->centre) / s->h[k];
    if (gap[k] > 200 * s->noise / s->h[k])
      last = k;
  }
  if (last < 3 || gap[last] < 1e-4 * fabs(slope))
    return false;
  for (int k = last - 2; k <= last; k++)
    if (gap[k] < 0.8 * gap[k - 1] || gap[k] > 2.5 * gap[k - 1])
      return false;
  return true;
}

/* Samples the function at s; NANs if it fails there recoverably. */
static gradyn_status sample(gradyn_line_fn fn, void *user, double s, int count, double *value)
{
  gradyn_status status = fn(user, s, value);
  if (status == GRADYN_OK)
    return status;
  for (int i = 0; i < count; i++)
    value[i] = NAN;
  bool recoverable = gradyn_status_classify((int)status) == GRADYN_CLASS_RECOVERABLE ||
                     status == GRADYN_INVALID; /* build() may refuse numbers out of range */
  return recoverable ? GRADYN_OK : status;
}

gradyn_status gradyn_differentiate(gradyn_differences *d, int count, gradyn_line_fn fn, void *user,
                                   double first, int levels, const double *noise)
{
  gradyn_status status = fn(user, 0, d->value);
  for (int k = 0; k < levels && status == GRADYN_OK; k++) {
    double h = ldexp(first, -k);
    status = sample(fn, user, -h, count, d->sample + 2 * k * count);
    if (status == GRADYN_OK)
      status = sample(fn, user, h, count, d->sample + (2 * k + 1) * count);
  }
  for (int i = 0; i < count && status == GRADYN_OK; i++) {
    series s = component(d, count, i, first, levels, noise ? noise[i] : 0);
    if (s.levels < LEAST_LEVELS)
      return GRADYN_NON_FINITE;
    extrapolate(&s, &d->slope[i], &d->error[i]);
    d->kink[i] = has_kink(&s, d->slope[i]);
  }
  return status;
}
