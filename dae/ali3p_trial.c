/* ALI3-P: the trial point of a step, its prediction and its moves; docs/theory/ali3p.md, section 2.2. */
#include "dae/ali3p_trial.h"

#include <math.h>
#include <string.h>

/* Share of the last multipliers that a step starts from if they are not unique; eq. (3.29). */
static const double warm_start = 0.98;

/* Whether the last three steps before a node were as long as the next one, so that its history tells
 * what comes. */
static bool has_history(const gradyn_ali3p *s, double h, const double *from)
{
  int n = s->n, m = s->m;
  const double *past = from + s->past;
  /* as many nodes as the prediction looks back */
  return s->history && past[3 * n + m + 1] >= 3 && fabs(past[3 * n + m] - h) <= 1e-9 * h;
}

/* --- kernels by the number of coordinates ------------------------------------------------------- */

/* The trial point from a guess of the accelerations to come. */
GRADYN_KERNEL void place_kernel(const int width, const int n, gradyn_ali3p *s, const double *from,
                                const double *guess)
{
  const double h = s->k.h, share = s->k.share, kept = s->k.kept, aa = s->k.aa;
  const double last = (0.5 - s->beta) * h * h, next = s->beta * h * h, ratio = last / next;
  const double before = h * (1 - s->gamma), after = h * s->gamma;
  const double *A0 = gradyn_ali3p_A(s, from);
  gradyn_lanes *dq = s->trial, *q = dq + width, *vs = q + width, *as = vs + width, *As = as + width;
  for (int c = 0; c < width; c++) {
    gradyn_lanes q0, v, a, A, A1;
    gradyn_row_get(width, n, from, c, &q0);
    gradyn_row_get(width, n, from + n, c, &v);
    gradyn_row_get(width, n, from + 2 * n, c, &a);
    gradyn_row_get(width, n, A0, c, &A);
    gradyn_row_get(width, n, guess, c, &A1);
    /* A* has the part of a that A does not tell */
    const gradyn_lanes moved = A1 + ratio * (a - A);
    dq[c] = h * v + last * a + next * A1; /* h v + h^2 ((1/2 - beta) a + beta guess) */
    q[c] = q0 + dq[c];
    vs[c] = v + before * A + after * moved;    /* v + h ((1 - gamma) A + gamma A*) */
    as[c] = share * moved + kept * A + aa * a; /* (1 - alpha_m)/(1 - alpha_f) A* + ... */
    As[c] = moved;
  }
}

/* dq and all that is linear in it, q' = q + dq, v* = vq dq + .., a* = aq dq + .., for change = aq ddq. */
GRADYN_KERNEL void move_kernel(const int width, const int n, gradyn_ali3p *s, const double *from,
                               const double *change, double *largest)
{
  /* dq -= x/aq, v* -= (vq/aq) x, a* -= x */
  const double share = 1 / s->k.aq, rate = s->k.vq * share;
  const double *lever = s->mech->lever;
  gradyn_lanes *dq = s->trial, *q = dq + width, *vs = q + width, *as = vs + width;
  gradyn_lanes most = {0}, sum = {0};
  for (int c = 0; c < width; c++) {
    gradyn_lanes q0, x, size;
    gradyn_row_get(width, n, from, c, &q0);
    gradyn_row_get(width, n, change, c, &x);
    gradyn_row_get(width, n, lever, c, &size);
    dq[c] -= share * x;
    q[c] = q0 + dq[c];
    vs[c] -= rate * x;
    as[c] -= x;
    size *= x;
    sum += size * size;
    gradyn_lanes_largest(&size, &most);
  }
  const double square = (sum[0] + sum[1]) + (sum[2] + sum[3]);
  const double a = most[0] > most[1] ? most[0] : most[1], b = most[2] > most[3] ? most[2] : most[3];
  /* comparisons lose NaN, sums do not */
  *largest = isnan(square) ? NAN : share * (a > b ? a : b);
}

static GRADYN_WIDE void place(gradyn_ali3p *s, const double *from, const double *guess)
{
  GRADYN_BY_ANY_WIDTH(s->n, place_kernel, s, from, guess)
}

static GRADYN_WIDE void move(gradyn_ali3p *s, const double *from, const double *change, double *lam,
                             double *largest)
{
  const double *dlam = change + s->n;
  GRADYN_BY_ANY_WIDTH(s->n, move_kernel, s, from, change, largest)
  for (int i = 0, m = s->m; i < m; i++)
    lam[i] -= dlam[i];
}

/* --- the interface ------------------------------------------------------------------------------ */

/* With history the guess continues the accelerations of every other node: of what is too quick for the step,
 * the trapezoidal rule makes accelerations that change sign from node to node. All formulas are those of q',
 * v*, A*, a* with A* given in place of dq. */
void gradyn_ali3p_predict(gradyn_ali3p *s, double h, const double *from, double *lam)
{
  int n = s->n, m = s->m;
  const double *past = from + s->past, *known = from + 3 * n, *guess = from + 2 * n;
  const double *kappa = gradyn_ali3p_kappa(s, from);
  const bool history = has_history(s, h, from);
  /* 2 a_(k-1) - a_(k-3): straight on over every other node */
  for (int i = 0; i < n && history; i++)
    s->b[i] = 2 * past[i] - past[2 * n + i];
  place(s, from, history ? s->b : guess);
  /* lam* of the node before, which kappa is no part of */
  for (int i = 0; i < m; i++)
    lam[i] = known[i] - kappa[i];
  if (s->soft)
    for (int i = 0; i < m; i++)
      lam[i] *= warm_start;
  else if (history)
    for (int i = 0; i < m; i++)
      lam[i] = 2 * lam[i] - past[3 * n + i];
}

/* The history: a_(k-1), a_(k-2), a_(k-3), lam*_(k-1), the length of the step and how many were alike. */
void gradyn_ali3p_remember(const gradyn_ali3p *s, double h, const double *from, double *to)
{
  int n = s->n, m = s->m;
  const double *old = from + s->past;
  double *past = to + s->past;
  bool same = fabs(old[3 * n + m] - h) <= 1e-9 * h;
  /* shifted by one node */
  memcpy(past + n, old, 2 * (size_t)n * sizeof(double));
  memcpy(past, from + 2 * n, (size_t)n * sizeof(double));
  for (int i = 0; i < m; i++)
    past[3 * n + i] = from[3 * n + i] - gradyn_ali3p_kappa(s, from)[i];
  past[3 * n + m] = h;
  /* steps of this length so far, as far as it matters */
  past[3 * n + m + 1] = same ? fmin(old[3 * n + m + 1] + 1, 3) : 1;
}

double gradyn_ali3p_move(gradyn_ali3p *s, const double *from, const double *change, double *lam)
{
  double largest;
  move(s, from, change, lam, &largest);
  for (int i = 0; i < s->n && s->own_A; i++)
    s->As[i] -= s->k.Aq / s->k.aq * change[i];
  return largest;
}
