/* ALI3-P by hand for the five-bar linkage: the simulation. Newton's method leaves out the stiffness, which
 * h^2/4 makes small beside M, and keeps the multipliers' matrix of the predicted position. */
#include <math.h>
#include <string.h>

#include "bench/hand/ali3p_linkage.h"

enum { MOST_ITERATIONS = 20 };

static const double r20[2] = {0.5, -2.0}; /* m, the target of point 2 */

void hand_open(linkage *s, double h)
{
  static const double B[4][3] = {{1, 0, 0}, {-1, 1, 0}, {0, -1, 1}, {0, 0, -1}};
  raw_data *d = &s->data;
  raw_fill(d);
  s->h = h;
  double a = d->M[0], b = d->M_next[0], c = d->M[1], e = d->M_next[1], f = d->M[2];
  double det = a * (c * f - e * e) - b * b * f;
  const double T[3][3] = {
      {c * f - e * e, -b * f, b * e}, {-b * f, a * f, -a * e}, {b * e, -a * e, a * c - b * b}};
  for (int i = 0; i < 3; i++) {
    s->load[i] = d->load[i] * d->gravity;
    for (int j = 0; j < 3; j++)
      s->inverse[i][j] = T[i][j] / det;
  }
  for (int k = 0, at = 0; k < 4; k++) {
    s->square[k] = k == 0 || k == 3 ? 2.0 : 13.0 / 4.0;
    for (int l = k; l < 4; l++, at++) {
      s->coupling[at] = 0;
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
          s->coupling[at] += B[k][i] * s->inverse[i][j] * B[l][j];
    }
  }
}

bool hand_start(const linkage *s, hand_node *node, double slope[RAW_PARAMETERS][RAW_Y])
{
  double y[RAW_Y];
  memset(node, 0, sizeof *node);
  if (!raw_initial(&s->data, y, slope))
    return false;
  memcpy(node->q, y, sizeof node->q);
  memcpy(node->v, y + RAW_V, sizeof node->v);
  memcpy(node->a, y + RAW_A, sizeof node->a);
  memcpy(node->lam, y + RAW_L, sizeof node->lam);
  return true;
}

/* adds the terms of springs and weight in M a + J^T lam - Q = 0, times h^2/4 */
static inline void add_forces(const linkage *s, const double q[6], double share, double f[6])
{
  const raw_data *p = &s->data;
  for (int i = 0; i < 2; i++) {
    const double x = q[2 * i] - HAND_B_X, y = q[2 * i + 1] - HAND_B_Y;
    const double pull_by = share * p->k * (1 - p->free_length[i] / sqrt(x * x + y * y));
    f[2 * i] += pull_by * x;
    f[2 * i + 1] += pull_by * y;
  }
  for (int i = 0; i < 3; i++)
    f[2 * i + 1] -= share * s->load[i];
}

/* Position problem: q and e = h^2/4 a* from start values, with lam; iterations, or -1. */
static inline int place(const linkage *s, double tolerance, double q[6], double e[6], double lam[4])
{
  const double share = s->h * s->h / 4;
  double f[6], y[6], b[4], l[4], x[6], scaled[4];
  frame at;
  const frame *view = &at;
  rods(q, at.d);
  if (!invert(s, &at))
    return -1;
  for (int k = 0; k < 4; k++)
    scaled[k] = share * lam[k];
  for (int i = 1; i <= MOST_ITERATIONS; i++) {
    double size = 0;
    pull(view->d, scaled, f);
    add_forces(s, q, share, f);
    accelerate(s, f, y);
    for (int j = 0; j < 6; j++)
      y[j] += e[j];
    along(view->d, y, b);
    for (int k = 0; k < 4; k++)
      b[k] = (at.d[k][0] * at.d[k][0] + at.d[k][1] * at.d[k][1] - s->square[k]) / 2 - b[k];
    solve_multipliers(at.V, b, l);
    pull(view->d, l, f);
    accelerate(s, f, x);
    for (int j = 0; j < 6; j++) {
      const double change = -y[j] - x[j];
      q[j] += change;
      e[j] += change;
      size = fmax(size, fabs(change));
    }
    for (int k = 0; k < 4; k++)
      scaled[k] += l[k];
    rods(q, at.d);
    if (size <= tolerance) {
      for (int k = 0; k < 4; k++)
        lam[k] = scaled[k] / share;
      return i;
    }
  }
  return -1;
}

/* Projection of x: x -= M^-1 J^T mult with J x + rest = 0. */
static inline void project(const linkage *s, const frame *at, const double rest[4], double x[6],
                           double mult[4], double moved[2])
{
  double b[4], f[6], y[6];
  along(at->d, x, b);
  for (int k = 0; k < 4; k++)
    b[k] += rest[k];
  solve_multipliers(at->V, b, mult);
  pull(at->d, mult, f);
  accelerate(s, f, y);
  for (int i = 0; i < 6; i++)
    x[i] -= y[i];
  moved[0] = -y[0];
  moved[1] = -y[1];
}

static inline int step(const linkage *s, double tolerance, const hand_node *from, hand_node *to)
{
  const double h = s->h, none[4] = {0};
  double e[6], rate[4][2], rest[4];
  frame at;
  for (int i = 0; i < 6; i++) {
    to->q[i] = from->q[i] + h * from->v[i] + h * h / 2 * from->a[i];
    e[i] = h * h / 4 * from->a[i]; /* dq - h v - h^2/4 a */
  }
  memcpy(to->lam, from->lam, sizeof to->lam);
  const int iterations = place(s, tolerance, to->q, e, to->lam);
  for (int i = 0; i < 6; i++) { /* 2 dq/h - v and 4 (dq - h v)/h^2 - a */
    to->v[i] = from->v[i] + h / 2 * from->a[i] + 2 / h * e[i];
    to->a[i] = 4 / (h * h) * e[i];
  }
  rods(to->q, at.d);
  if (iterations < 0 || !invert(s, &at))
    return -1;
  project(s, &at, none, to->v, to->sigma, to->w1);
  raw_differences(to->v, rate);
  for (int k = 0; k < 4; k++)
    rest[k] = rate[k][0] * rate[k][0] + rate[k][1] * rate[k][1];
  project(s, &at, rest, to->a, to->kappa, to->u1);
  return iterations;
}

/* adds the integrands of point 2 times a weight */
static inline void add_integrands(const hand_node *at, double weight, double psi[])
{
  for (int c = 0; c < 2; c++) {
    const double r = at->q[2 + c] - r20[c];
    psi[0] += weight * r * r;
    psi[1] += weight * at->v[2 + c] * at->v[2 + c];
    psi[2] += weight * at->a[2 + c] * at->a[2 + c];
  }
}

bool hand_march(double h, int steps, double tolerance, hand_node *nodes, double psi[],
                hand_counts *counts)
{
  hand_node pair[2];
  linkage s;
  hand_open(&s, h);
  memset(psi, 0, RAW_FUNCTIONALS * sizeof *psi);
  *counts = (hand_counts){0};
  hand_node *from = nodes ? nodes : pair;
  if (!hand_start(&s, from, NULL))
    return false;
  add_integrands(from, h / 2, psi);
  for (int i = 0; i < steps; i++) {
    hand_node *to = nodes ? from + 1 : pair + (i + 1) % 2;
    const int iterations = step(&s, tolerance, from, to);
    if (iterations < 0)
      return false;
    counts->iterations += iterations;
    add_integrands(to, i + 1 < steps ? h : h / 2, psi);
    from = to;
  }
  counts->steps = steps;
  return true;
}
