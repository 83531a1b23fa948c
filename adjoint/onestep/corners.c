/* Detects kinks of integrands, for example of |x| at x = 0. Inside a step with a kink, the slope g_y jumps
 * between stages. The detector is a combination of the slopes at the stages that vanishes for polynomials.
 * At a kink it is as large as the slopes. For a smooth integrand it is smaller by orders of magnitude,
 * unless steps are too long for an integrand that has almost vanished. Therefore jumps are ignored if they
 * are negligible compared with the slopes of the whole run. */
#include "adjoint/onestep/sweeps.h"

#include <math.h>
#include <string.h>

/* A jump is negligible below this part of the tolerance. */
static const double negligible = 1e-3;

void gradyn_onestep_corners_begin(gradyn_onestep_sweeps *s, int packs)
{
  const int count = packs * s->march->rates->ny;
  gradyn_lanes_clear(count, s->steep.error);
  gradyn_lanes_clear(count, s->steep.size);
}

void gradyn_onestep_corners_forget(gradyn_onestep_sweeps *s)
{
  for (int f = 0; f < s->march->nf; f++) {
    s->corner[f] = NAN;
    s->steep.jump[f] = s->steep.most[f] = 0;
  }
}

/* Adds share (h b_i g_y) to `error`, and (h b_i g_y)^2 to `size`, for all entries of g_y. */
static GRADYN_WIDE void add(double share, int ny, const gradyn_lanes *bar, gradyn_lanes *error,
                            gradyn_lanes *size)
{
  for (int l = 0; l < ny; l++) {
    error[l] += share * bar[l];
    size[l] += bar[l] * bar[l];
  }
}

void gradyn_onestep_corners_add(gradyn_onestep_sweeps *s, int stage, int pack,
                                const gradyn_lanes *bar)
{
  const gradyn_tableau *t = s->march->tableau;
  int ny = s->march->rates->ny;
  add(t->jump[stage] / t->b[stage], ny, bar, s->steep.error + pack * ny, s->steep.size + pack * ny);
}

/* Records a kink of functional f in step k if the largest of `count` errors is as large as the slopes.
 * Entries of `error` and `size` are `stride` numbers apart. */
static void judge(const gradyn_onestep_sweeps *s, int k, int f, int count, int stride,
                  const double *error, const double *size)
{
  const gradyn_onestep *march = s->march;
  /* squared, because `size` is a sum of squares */
  const double least = march->tableau->least_jump * march->tableau->least_jump;
  double worst = 0, most = 0;
  for (int l = 0; l < count * stride; l += stride) {
    const double e = fabs(error[l]);
    worst = e > worst ? e : worst;
    most = size[l] > most ? size[l] : most;
  }
  const double t = march->step[k].t + 0.5 * march->step[k].h;
  const double rtol = march->options.rtol;
  s->steep.most[f] = fmax(s->steep.most[f], sqrt(most));
  if (worst * worst > least * most) {
    s->steep.jump[f] = fmax(s->steep.jump[f], worst);
    if (!(s->corner[f] < t)) /* only the first kink is stored */
      s->corner[f] = t;
  }
  if (s->steep.jump[f] <= negligible * rtol * s->steep.most[f]) {
    s->corner[f] = NAN;
    s->steep.jump[f] = 0;
  }
}

void gradyn_onestep_corners_judge(gradyn_onestep_sweeps *s, int k)
{
  const int ny = s->march->rates->ny;
  for (int c = 0; c < s->rows; c++)
    judge(s, k, s->row[c], ny, GRADYN_LANES, gradyn_lane(s->steep.error, ny, c),
          gradyn_lane(s->steep.size, ny, c));
}

void gradyn_onestep_corners_begin_each(gradyn_onestep_sweeps *s)
{
  const int ny = s->march->rates->ny;
  for (int i = 0; i < s->march->nq; i++) {
    const int f = s->march->integral[i];
    const size_t bytes = (size_t)s->taken.used[f] * sizeof(double);
    memset((double *)s->steep.error + f * ny, 0, bytes);
    memset((double *)s->steep.size + f * ny, 0, bytes);
  }
}

void gradyn_onestep_corners_judge_each(gradyn_onestep_sweeps *s, int k)
{
  const int ny = s->march->rates->ny;
  const double *error = (const double *)s->steep.error, *size = (const double *)s->steep.size;
  for (int i = 0; i < s->march->nq; i++) {
    const int f = s->march->integral[i];
    judge(s, k, f, s->taken.used[f], 1, error + f * ny, size + f * ny);
  }
}
