/* Extrapolated differences.
 *
 * Central differences of f at s = +-h_k, h_k = h_0/1.9^k, D_k0 = (f(h_k) - f(-h_k))/(2 h_k), are
 * extrapolated,
 *
 *     D_kj = D_k,j-1 + (D_k,j-1 - D_k-1,j-1)/(1.9^(2 j) - 1),
 *
 * which removes the errors h^2, h^4, ... successively. The result is the entry with the smallest estimated
 * error. Errors at long steps are the rest of the series, and errors at short steps are noise of f over h.
 * If the derivatives from both sides do not approach each other as h decreases, f has a kink. */
#include "core/linear/differences.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/base/message.h"

enum { LEVELS = GRADYN_DIFFERENCE_MOST, LEAST_LEVELS = 3, LEAST_TO_STOP = 6, NEIGHBOURS = 10 };

/* Ratio of successive steps. With ratio 2, all steps would meet a vibration at the same phases. */
static const double ratio = 1.9;

/* Largest fraction of a value that its round-off may be. */
static const double grain_at_most = 1e-9;

/* Factor by which the difference of the one-sided derivatives must exceed their uncertainty at a kink. */
static const double surely = 10;

gradyn_status gradyn_differences_create(int count, gradyn_differences *d)
{
  const size_t n = (size_t)count;
  *d = (gradyn_differences){.count = count, .least = LEAST_TO_STOP};
  gradyn_arena *arena = &d->arena;
  /* all arrays are [n]; samples are [level][below, above][n] */
  d->value = gradyn_arena_numbers(arena, n);
  d->slope = gradyn_arena_numbers(arena, n);
  d->error = gradyn_arena_numbers(arena, n);
  d->kink = gradyn_arena_take(arena, n, sizeof(bool));
  d->sample = gradyn_arena_numbers(arena, 2 * LEVELS * n);
  d->enough = gradyn_arena_numbers(arena, n);
  d->gap = gradyn_arena_numbers(arena, n);
  d->grain = gradyn_arena_numbers(arena, n);
  d->noise = gradyn_arena_numbers(arena, n);
  for (int i = 0; i < count && d->enough;
       i++) /* negative: no error is small enough to stop early */
    d->enough[i] = -1;
  return gradyn_arena_status(arena);
}

void gradyn_differences_clear(gradyn_differences *d)
{
  gradyn_arena_clear(&d->arena);
  *d = (gradyn_differences){0};
}

/* Samples of one component: f(-h), f(h) at each level; levels without a value are omitted. */
typedef struct series {
  int levels;
  double h[LEVELS], below[LEVELS], above[LEVELS], noise[LEVELS];
  double centre;
} series;

/* Smallest change of a component, if some steps leave it unchanged to the bit. It is the round-off of
 * numbers that cancel in the component; neighbouring values do not show this round-off. 0: all steps change
 * the component, or none does, or the change is so large that it is a jump further away. */
static double find_grain(const gradyn_differences *d, int count, int i, int levels)
{
  const double most = grain_at_most * fabs(d->value[i]);
  double least = HUGE_VAL;
  bool flat = false;
  for (int k = 0; k < levels; k++) {
    const double below = fabs(d->sample[2 * k * count + i] - d->value[i]),
                 above = fabs(d->sample[(2 * k + 1) * count + i] - d->value[i]);
    flat = flat || (below == 0 && above == 0);
    least = below > 0 && below < least ? below : least;
    least = above > 0 && above < least ? above : least;
  }
  return flat && least <= most ? least : 0;
}

/* Collects the values on both sides of the centre at all steps after the last failure, for one component. */
static series component(const gradyn_differences *d, int count, int i, double first, int levels,
                        double noise)
{
  series s = {.levels = 0, .centre = d->value[i]};
  for (int k = 0; k < levels; k++) {
    double below = d->sample[2 * k * count + i], above = d->sample[(2 * k + 1) * count + i];
    /* a failed step makes extrapolation from larger steps invalid */
    if (!isfinite(below) || !isfinite(above)) {
      s.levels = 0;
      continue;
    }
    double largest = fmax(fabs(s.centre), fmax(fabs(below), fabs(above)));
    /* 2 eps |f|: error of the representation of f */
    s.noise[s.levels] = noise + 2 * DBL_EPSILON * largest;
    s.h[s.levels] = first / pow(ratio, k); /* h_k = h_0/ratio^k */
    s.below[s.levels] = below;
    s.above[s.levels++] = above;
  }
  return s;
}

/* Side of the centre on which a difference is taken. */
typedef enum side { BELOW, ABOVE, BOTH } side;

/* Difference quotient at step i, the first entry of row i in Romberg's table. */
static double quotient(const series *s, side of, int i)
{
  const double from = of == ABOVE ? s->centre : s->below[i],
               to = of == BELOW ? s->centre : s->above[i];
  /* (f(h) - f(-h))/(2 h), or one-sided over h */
  return (to - from) / (of == BOTH ? 2 * s->h[i] : s->h[i]);
}

/* Finds the best entry of row i of Romberg's table, and its estimated error. T[i][j] cancels errors of
 * order h^2, ..., h^2j of the central difference T[i][0], or of order h, ..., h^j of a one-sided
 * difference. */
static void choose_entry(const series *s, side of, double T[LEVELS][LEVELS], int i, double *entry,
                         double *estimate)
{
  double factor = 1;
  *entry = T[i][0] = quotient(s, of, i);
  *estimate = HUGE_VAL;
  for (int j = 1; j <= i; j++) {
    /* ratio^2j or ratio^j: factor by which error term j decreases from row to row */
    factor *= of == BOTH ? ratio * ratio : ratio;
    /* removes this term */
    T[i][j] = T[i][j - 1] + (T[i][j - 1] - T[i - 1][j - 1]) / (factor - 1);
    /* the estimate is the largest difference from three neighbours in the table */
    double change = fmax(fabs(T[i][j] - T[i][j - 1]), fabs(T[i][j] - T[i - 1][j - 1]));
    if (j < i)
      change = fmax(change, fabs(T[i][j] - T[i - 1][j]));
    if (change < *estimate) {
      *estimate = change;
      *entry = T[i][j];
    }
  }
}

/* Finds the derivative and its error. The error of an entry is at least its difference from the entry of
 * the row before, and 1/16 of the estimate of the row before. Estimates of smooth functions decrease at
 * this rate. */
static void extrapolate(const series *s, side of, double *slope, double *error)
{
  double T[LEVELS][LEVELS], entry[LEVELS], estimate[LEVELS];
  *slope = NAN;
  *error = HUGE_VAL;
  for (int i = 0; i < s->levels; i++) {
    choose_entry(s, of, T, i, &entry[i], &estimate[i]);
    if (i < 2) /* the first two rows cannot be compared with two others */
      continue;
    double doubt = fmax(fabs(entry[i] - entry[i - 1]), estimate[i - 1] / 16);
    /* the error due to noise is noise divided by h: small for long steps */
    double sum = fmax(estimate[i], doubt) + 2 * s->noise[i] / s->h[i];
    if (sum < *error) {
      *error = sum;
      *slope = entry[i];
    }
  }
}

/* Returns the difference of the one-sided derivatives, each extrapolated separately, if it clearly exceeds
 * their uncertainties; otherwise 0. */
static double part_sides(const series *s)
{
  double slope[2], error[2];
  for (int of = BELOW; of <= ABOVE; of++)
    extrapolate(s, (side)of, &slope[of], &error[of]);
  const double apart = fabs(slope[ABOVE] - slope[BELOW]);
  return apart > surely * (error[BELOW] + error[ABOVE]) ? apart : 0;
}

/* The difference of the right and left derivatives decreases with the step if the function is smooth. It
 * stays constant at a kink and grows at a jump. Steps at which it could be noise are ignored. Returns the
 * difference at the shortest remaining step; 0: no kink. */
static double find_gap(const series *s, double slope)
{
  double gap[LEVELS];
  int last = -1;
  for (int k = 0; k < s->levels; k++) {
    /* |f(h) - 2 f(0) + f(-h)|/h, of order h if f'' exists */
    gap[k] = fabs(s->above[k] + s->below[k] - 2 * s->centre) / s->h[k];
    if (gap[k] > 200 * s->noise[k] / s->h[k])
      last = k;
  }
  /* a trend needs four steps, and a difference that is negligible beside the slope is no kink */
  if (last < 3 || gap[last] < 1e-4 * fabs(slope))
    return 0;
  for (int k = last - 2; k <= last; k++)
    /* between constant (kink, 1) and growth with 1/h (jump, 1.9) */
    if (gap[k] < 0.8 * gap[k - 1] || gap[k] > 2.5 * gap[k - 1])
      return 0;
  return gap[last];
}

/* Returns the size of a kink, detected by the trend of the difference or by one-sided derivatives; 0: none.
 */
static double find_kink(const series *s, double slope)
{
  const double gap = find_gap(s, slope);
  return gap > 0 ? gap : part_sides(s);
}

/* Evaluates the function at s. A recoverable failure gives NaN. */
static gradyn_status sample(gradyn_line_fn fn, void *user, double s, int count, double *value)
{
  gradyn_status status = fn(user, s, value);
  if (status == GRADYN_OK)
    return status;
  for (int i = 0; i < count; i++)
    value[i] = NAN;
  bool recoverable = gradyn_status_describe((int)status).kind == GRADYN_CLASS_RECOVERABLE ||
                     status == GRADYN_INVALID; /* build() may refuse numbers out of range */
  return recoverable ? GRADYN_OK : status;
}

/* Evaluates the samples of the given levels. Returns whether shorter steps cannot improve the result.
 * Unless the levels are the last ones, it returns at the first component that needs shorter steps. */
static bool evaluate(gradyn_differences *d, int count, double first, int levels, bool last,
                     const double *noise)
{
  bool done = true;
  for (int i = 0; i < count && (done || last); i++) {
    d->grain[i] = find_grain(d, count, i, levels);
    series s = component(d, count, i, first, levels, d->grain[i] + (noise ? noise[i] : 0));
    /* too few levels without failures: shorter steps are tried */
    if (s.levels < LEAST_LEVELS) {
      d->error[i] = HUGE_VAL;
      done = false;
      continue;
    }
    extrapolate(&s, d->side > 0 ? ABOVE : d->side < 0 ? BELOW : BOTH, &d->slope[i], &d->error[i]);
    d->gap[i] = d->side == 0 ? find_kink(&s, d->slope[i]) : 0;
    d->kink[i] = d->gap[i] > 0;
    /* error due to noise at the next level */
    double spoilt = 4 * s.noise[s.levels - 1] / s.h[s.levels - 1];
    double enough = fmax(d->enough[i], d->share * fabs(d->slope[i]));
    done = done && d->enough[i] >= 0 && s.levels >= d->least &&
           /* at shorter steps noise would exceed the present error */
           d->error[i] <= fmax(enough, spoilt);
  }
  return done;
}

/* Differentiates by central differences with steps h, h/r, h/r^2, ..., which are extrapolated. */
gradyn_status gradyn_differentiate(gradyn_differences *d, int count, gradyn_line_fn fn, void *user,
                                   double first, int levels, const double *noise)
{
  bool done = false;
  GRADYN_TRY(fn(user, 0, d->value));
  for (int k = 0; k < levels && !done; k++) {
    /* central differences need both sides; if the first evaluation fails with an error, the second is
     * omitted */
    double h = first / pow(ratio, k);
    for (int above = 0; above < 2; above++) {
      double *at = d->sample + (2 * k + above) * count;
      if (d->side == (above ? -1 : 1)) /* one-sided: the other side is not evaluated */
        memcpy(at, d->value, (size_t)count * sizeof *at);
      else
        GRADYN_TRY(sample(fn, user, above ? h : -h, count, at));
    }
    /* the search cannot stop at earlier rows, so they are not evaluated */
    if (k == levels - 1 || k >= d->least - 1)
      done = evaluate(d, count, first, k + 1, k == levels - 1, noise);
  }
  /* every component must have an estimate */
  for (int i = 0; i < count; i++)
    if (d->error[i] == HUGE_VAL)
      return GRADYN_NON_FINITE;
  return GRADYN_OK;
}

/* --- Noise ------------------------------------------------------------------------------------ */

/* Noise in values f at close points. Differences of order k of a smooth function vanish there; those of
 * independent noise with deviation sigma have the variance sigma^2 (2k)!/(k!)^2 (Hamming). */
static double noise_of(double f[NEIGHBOURS])
{
  double least = HUGE_VAL, factor = 1, largest = 0;
  for (int i = 0; i < NEIGHBOURS; i++)
    largest = fmax(largest, fabs(f[i]));
  for (int k = 1; k <= NEIGHBOURS - 3; k++) {
    double sum = 0;
    for (int i = 0; i + k < NEIGHBOURS; i++) {
      f[i] = f[i + 1] - f[i]; /* in place: differences of order k from those of order k - 1 */
      sum += f[i] * f[i];
    }
    factor *= k / (2 * (2.0 * k - 1)); /* (k!)^2/(2k)!, one more factor */
    if (k >= 4) /* lower orders still contain the curvature of the function */
      least = fmin(least, sqrt(factor * sum / (NEIGHBOURS - k)));
  }
  /* twice the deviation, and at least round-off */
  return isfinite(least) ? 2 * fmax(least, DBL_EPSILON * largest) : 0;
}

/* Estimates the round-off of a function from values at neighbouring points. */
gradyn_status gradyn_measure_noise(gradyn_differences *d, int count, gradyn_line_fn fn, void *user,
                                   double spacing, double *noise)
{
  for (int k = 0; k < NEIGHBOURS; k++)
    /* all on one side of 0, at distances of `spacing` */
    GRADYN_TRY(sample(fn, user, spacing * (k + 1), count, d->sample + k * count));
  /* each component has its own noise; noise_of() overwrites the copy */
  for (int i = 0; i < count; i++) {
    double f[NEIGHBOURS];
    for (int k = 0; k < NEIGHBOURS; k++)
      f[k] = d->sample[k * count + i];
    noise[i] = noise_of(f);
  }
  return GRADYN_OK;
}
