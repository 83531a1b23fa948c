/* Corners of integrands: where g has one inside a step, such as |x| where x passes zero, its slope g_y
 * jumps between stages. A combination of the slopes at the stages that vanishes for polynomials is then as
 * large as they are, while for a smooth integrand it is below them by orders of magnitude. */
#include "adjoint/explicit/sweeps.h"

#include <math.h>
#include <string.h>

void gradyn_explicit_corners_begin(gradyn_explicit_sweeps *s, int packs)
{
  size_t count = (size_t)packs * (size_t)s->march->rates->ny;
  memset(s->slope_error, 0, count * sizeof *s->slope_error);
  memset(s->slope_size, 0, count * sizeof *s->slope_size);
}

void gradyn_explicit_corners_forget(gradyn_explicit_sweeps *s)
{
  for (int f = 0; f < s->march->nf; f++)
    s->corner[f] = NAN;
}

/* error += w_i/b_i (h b_i g_y), size += (h b_i g_y)^2. */
static GRADYN_WIDE void add(double share, int ny, const gradyn_lanes *bar, gradyn_lanes *error,
                            gradyn_lanes *size)
{
  for (int l = 0; l < ny; l++) {
    error[l] += share * bar[l];
    size[l] += bar[l] * bar[l];
  }
}

void gradyn_explicit_corners_add(gradyn_explicit_sweeps *s, int stage, int pack,
                                 const gradyn_lanes *bar)
{
  const gradyn_tableau *t = s->march->tableau;
  int ny = s->march->rates->ny;
  add(t->jump[stage] / t->b[stage], ny, bar, s->slope_error + pack * ny, s->slope_size + pack * ny);
}

void gradyn_explicit_corners_add_one(gradyn_explicit_sweeps *s, int stage, int f)
{
  const gradyn_tableau *t = s->march->tableau;
  const gradyn_explicit_taken *taken = &s->taken;
  const int ny = s->march->rates->ny, lane = f % GRADYN_LANES, *place = taken->place + f * ny;
  const double share = t->jump[stage] / t->b[stage];
  gradyn_lanes *error = s->slope_error + f / GRADYN_LANES * ny,
               *size = s->slope_size + f / GRADYN_LANES * ny;
  for (int k = 0; k < taken->places[f]; k++) {
    error[place[k]][lane] += share * taken->bar[k];
    size[place[k]][lane] += taken->bar[k] * taken->bar[k];
  }
}

void gradyn_explicit_corners_judge(gradyn_explicit_sweeps *s, int k, int columns, const int *of)
{
  const gradyn_explicit *march = s->march;
  int ny = march->rates->ny;
  /* squares, as size is a sum of squares */
  double least = march->tableau->least_jump * march->tableau->least_jump;
  for (int c = 0; c < columns; c++) {
    int at = c / GRADYN_LANES * ny, lane = c % GRADYN_LANES;
    double error = 0, size = 0;
    for (int l = 0; l < ny; l++) {
      const double e = fabs(s->slope_error[at + l][lane]), own = s->slope_size[at + l][lane];
      error = e > error ? e : error;
      size = own > size ? own : size;
    }
    double t = gradyn_explicit_time(march, k) + 0.5 * gradyn_explicit_length(march, k);
    double *corner = &s->corner[of ? of[c] : c];
    if (error * error > least * size && !(*corner < t)) /* the first one */
      *corner = t;
  }
}
