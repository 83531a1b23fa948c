/* Points at which the uncertainty of functionals is evaluated.
 *
 * Unscented points of n numbers with variances v (Julier and Uhlmann 1997): with m = max(n, 3), points at
 * +-sqrt(m v_k) of each number k with the weights 1/(2 m), and the means with the weight 1 - n/m. First,
 * second and third moments are exact. For one or two normal numbers the fourth moments of each number are
 * exact too.
 *
 * Draws are in eight parts. Each part is a Sobol sequence with its own random digital shift, or consists of
 * random numbers. With indices, draw r has two independent points A and B, and the points A_i, which are A
 * with number i of B. */
#include "optim/inference/draws.h"

#include <math.h>
#include <string.h>

#include "optim/inference/distributions.h"
#include "optim/jobs/sobol.h"

gradyn_status gradyn_draws_create(const gradyn_uncertainty_spec *spec, size_t count,
                                  const gradyn_distribution distribution[], gradyn_draws *out)
{
  const size_t parts = GRADYN_DRAW_PARTS;
  *out = (gradyn_draws){.count = count,
                        .distribution = distribution,
                        .unscented = spec->unscented ? 2 * count + (count < 3) : 0,
                        .draws = (spec->points + parts - 1) / parts * parts,
                        .width = spec->indices ? count + 2 : 1,
                        .random = spec->random,
                        .seed = spec->seed};
  for (size_t part = 0; out->draws > 0 && !spec->random && part < parts; part++) {
    out->sobol[part] = gradyn_sobol_create(spec->indices ? 2 * count : count,
                                           gradyn_random_bits(spec->seed, part));
    if (!out->sobol[part])
      return GRADYN_NO_MEMORY;
  }
  return GRADYN_OK;
}

void gradyn_draws_clear(gradyn_draws *draws)
{
  for (size_t part = 0; part < GRADYN_DRAW_PARTS; part++)
    gradyn_sobol_free(draws->sobol[part]);
  memset(draws, 0, sizeof *draws);
}

/* --- points ----------------------------------------------------------------------------------- */

static double most(size_t count)
{
  return count < 3 ? 3 : (double)count;
}

double gradyn_draws_weight(const gradyn_draws *draws, size_t i)
{
  const double m = most(draws->count), n = (double)draws->count;
  return i < 2 * draws->count ? 1 / (2 * m) : 1 - n / m;
}

/* Coordinate d of draw r, between 0 and 1. */
static double coordinate(const gradyn_draws *draws, size_t r, size_t d)
{
  const size_t per = draws->draws / GRADYN_DRAW_PARTS, part = r / per;
  if (!draws->random)
    return gradyn_sobol_coordinate(draws->sobol[part], (uint32_t)(r % per), d);
  const uint64_t bits = gradyn_random_bits(gradyn_random_bits(draws->seed, d), r);
  /* division by 2^52; the sum before it is exact */
  return ((double)(bits >> 12) + 0.5) / 4503599627370496.0;
}

void gradyn_draws_offsets(const gradyn_draws *draws, size_t i, double z[])
{
  const size_t n = draws->count;
  memset(z, 0, n * sizeof *z);
  if (i < draws->unscented) {
    if (i < 2 * n)
      z[i / 2] = (i % 2 == 0 ? 1 : -1) *
                 sqrt(most(n) * gradyn_offset_variance(draws->distribution[i / 2]));
    return;
  }
  const size_t r = (i - draws->unscented) / draws->width, c = (i - draws->unscented) % draws->width;
  for (size_t k = 0; k < n; k++) {
    const bool of_b = c == 1 || c == k + 2;
    const double u = coordinate(draws, r, of_b ? n + k : k);
    z[k] = draws->distribution[k] == GRADYN_NORMAL ? gradyn_normal_quantile(u) : 2 * u - 1;
  }
}

/* --- moments ---------------------------------------------------------------------------------- */

gradyn_moments gradyn_draws_unscented(const gradyn_draws *draws, const gradyn_points *points,
                                      size_t k)
{
  gradyn_moments out = {NAN, NAN, 0, 0};
  double mean = 0, variance = 0;
  for (size_t i = 0; i < draws->unscented; i++) {
    const gradyn_record *record = gradyn_points_at(points, i);
    if (!record || record->status != GRADYN_OK)
      return out;
    mean += gradyn_draws_weight(draws, i) * record->psi[k];
  }
  for (size_t i = 0; i < draws->unscented; i++) {
    const double off = gradyn_points_at(points, i)->psi[k] - mean;
    variance += gradyn_draws_weight(draws, i) * off * off;
  }
  return draws->unscented > 0 ? (gradyn_moments){mean, variance, 0, 0} : out;
}

/* A mean over the draws, and the means over parts of the draws. */
typedef struct average {
  double sum[GRADYN_DRAW_PARTS], count[GRADYN_DRAW_PARTS];
} average;

static void add(average *a, const gradyn_draws *draws, size_t r, double value)
{
  const size_t part = r / (draws->draws / GRADYN_DRAW_PARTS);
  if (isnan(value)) /* a failed evaluation */
    return;
  a->sum[part] += value;
  a->count[part]++;
}

static double number_of(const average *a)
{
  double count = 0;
  for (size_t part = 0; part < GRADYN_DRAW_PARTS; part++)
    count += a->count[part];
  return count;
}

static double mean_of(const average *a)
{
  double sum = 0;
  for (size_t part = 0; part < GRADYN_DRAW_PARTS; part++)
    sum += a->sum[part];
  return sum / number_of(a);
}

/* Standard error of the mean of a, or of mean(a) - ratio * mean(b) if b is not NULL, from the means of the
 * parts. */
static double error_of(const average *a, const average *b, double ratio)
{
  double off[GRADYN_DRAW_PARTS], mean = 0, sum = 0;
  for (size_t part = 0; part < GRADYN_DRAW_PARTS; part++) {
    off[part] = a->sum[part] / a->count[part] - (b ? ratio * b->sum[part] / b->count[part] : 0);
    mean += off[part] / GRADYN_DRAW_PARTS;
  }
  for (size_t part = 0; part < GRADYN_DRAW_PARTS; part++)
    sum += (off[part] - mean) * (off[part] - mean);
  return sqrt(sum / (GRADYN_DRAW_PARTS * (GRADYN_DRAW_PARTS - 1)));
}

/* Copies functional k of all draws into sample; NAN: the evaluation failed. Returns false if an evaluation
 * is missing. */
static bool take(const gradyn_draws *draws, const gradyn_points *points, size_t k, double sample[])
{
  for (size_t i = 0; i < draws->draws * draws->width; i++) {
    const gradyn_record *record = gradyn_points_at(points, draws->unscented + i);
    if (!record)
      return false;
    sample[i] = record->status == GRADYN_OK ? record->psi[k] : NAN;
  }
  return draws->draws > 0;
}

/* Computes Sobol indices. The main index of number i is the mean of (f(B) - m)(f(A_i) - f(A)), where m is
 * the mean of f (Saltelli et al. 2010). Its error is small if the effect of the number is small. The total
 * index is the mean of (f(A) - f(A_i))^2/2 (Jansen 1999). Each index is divided by the variance V. The
 * error of a quotient is the error of its linearisation. */
static void find_indices(const gradyn_draws *draws, const double sample[], double mean,
                         const average *variance, gradyn_sobol_index main_index[],
                         gradyn_sobol_index total_index[])
{
  const double V = mean_of(variance);
  for (size_t i = 0; i < draws->count; i++) {
    average alone = {{0}, {0}}, total = {{0}, {0}};
    for (size_t r = 0; r < draws->draws; r++) {
      const double *f = sample + r * draws->width, change = f[i + 2] - f[0];
      add(&alone, draws, r, (f[1] - mean) * change);
      add(&total, draws, r, change * change / 2);
    }
    const double one = mean_of(&alone) / V, all = mean_of(&total) / V;
    main_index[i] = (gradyn_sobol_index){one, error_of(&alone, variance, one) / V};
    total_index[i] = (gradyn_sobol_index){all, error_of(&total, variance, all) / V};
  }
}

gradyn_moments gradyn_draws_sampled(const gradyn_draws *draws, const gradyn_points *points,
                                    size_t k, double sample[], gradyn_sobol_index main_index[],
                                    gradyn_sobol_index total_index[])
{
  const size_t values = draws->width > 1 ? 2 : 1; /* independent values of each draw */
  average mean = {{0}, {0}}, square = {{0}, {0}};
  if (!take(draws, points, k, sample))
    return (gradyn_moments){NAN, NAN, NAN, NAN};
  for (size_t r = 0; r < draws->draws; r++)
    for (size_t c = 0; c < values; c++)
      add(&mean, draws, r, sample[r * draws->width + c]);
  const double middle = mean_of(&mean), n = number_of(&mean);
  for (size_t r = 0; r < draws->draws; r++)
    for (size_t c = 0; c < values; c++) {
      const double off = sample[r * draws->width + c] - middle;
      add(&square, draws, r, off * off);
    }
  if (main_index)
    find_indices(draws, sample, middle, &square, main_index, total_index);
  const double unbiased = n / (n - 1);
  return (gradyn_moments){middle, unbiased * mean_of(&square), error_of(&mean, NULL, 0),
                          unbiased * error_of(&square, NULL, 0)};
}
