/* DOP853 by hand for the five-bar linkage: simulation and discrete adjoint. */
#include "bench/hand/explicit_five_bar.h"

#include <math.h>
#include <string.h>

#include "dae/explicit/explicit.h"

static const double r20[2] = {0.5, -2.0}; /* m, the target of point 2 */

/* a and lam of a stage: M a + J^T lam = Q, J a = -(squares of the rods' rates). */
static inline bool accelerations(const linkage *s, hand_stage *x)
{
  const raw_data *p = &s->data;
  double Q[6] = {0}, y[6], b[4], rate[4][2], f[6];
  frame at;
  const frame *view = &at;
  for (int i = 0; i < 2; i++) {
    const double rx = x->q[2 * i] - HAND_B_X, ry = x->q[2 * i + 1] - HAND_B_Y;
    const double pull_by = p->k * (p->free_length[i] / sqrt(rx * rx + ry * ry) - 1);
    Q[2 * i] = pull_by * rx;
    Q[2 * i + 1] = pull_by * ry;
  }
  for (int i = 0; i < 3; i++)
    Q[2 * i + 1] += s->load[i];
  rods(x->q, at.d);
  if (!invert(s, &at))
    return false;
  raw_differences(x->v, rate);
  accelerate(s, Q, y);
  along(view->d, y, b);
  for (int k = 0; k < 4; k++)
    b[k] += rate[k][0] * rate[k][0] + rate[k][1] * rate[k][1];
  solve_multipliers(at.V, b, x->lam);
  pull(view->d, x->lam, f);
  for (int j = 0; j < 6; j++)
    f[j] = Q[j] - f[j];
  accelerate(s, f, x->a);
  return true;
}

static inline void add_integrands(const hand_stage *x, double weight, double psi[])
{
  for (int c = 0; c < 2; c++) {
    const double r = x->q[2 + c] - r20[c];
    psi[0] += weight * r * r;
    psi[1] += weight * x->v[2 + c] * x->v[2 + c];
    psi[2] += weight * x->a[2 + c] * x->a[2 + c];
  }
}

/* to += weight (v, a). */
static inline void add_rates(const hand_stage *k, double weight, double q[6], double v[6])
{
  for (int j = 0; j < 6; j++) {
    q[j] += weight * k->v[j];
    v[j] += weight * k->a[j];
  }
}

bool hand_explicit_march(double h, int steps, hand_stage *stages, double psi[])
{
  const gradyn_tableau *t = gradyn_tableau_find(8);
  hand_stage capacity[HAND_STAGES];
  hand_node first;
  double q[6], v[6];
  linkage s;
  hand_open(&s, h);
  memset(psi, 0, RAW_FUNCTIONALS * sizeof *psi);
  if (!hand_start(&s, &first, NULL))
    return false;
  memcpy(q, first.q, sizeof q);
  memcpy(v, first.v, sizeof v);
  for (int n = 0; n < steps; n++) {
    hand_stage *x = stages ? stages + n * HAND_STAGES : capacity;
    for (int i = 0; i < HAND_STAGES; i++) {
      const double *row = gradyn_tableau_row(t, i);
      memcpy(x[i].q, q, sizeof q);
      memcpy(x[i].v, v, sizeof v);
      for (int j = 0; j < i; j++)
        if (row[j] != 0)
          add_rates(&x[j], h * row[j], x[i].q, x[i].v);
      if (!accelerations(&s, &x[i]))
        return false;
      if (t->b[i] != 0)
        add_integrands(&x[i], h * t->b[i], psi);
    }
    for (int i = 0; i < HAND_STAGES; i++)
      if (t->b[i] != 0)
        add_rates(&x[i], h * t->b[i], q, v);
  }
  return true;
}

/* --- adjoint ---------------------------------------------------------------------------------- */

typedef struct hand_bars {
  vectors q, v;
} hand_bars;

/* Contribution of parameters to -R_x^T mu: springs, and the mass matrix at point 1. */
static inline void add_parameters(const raw_data *p, const hand_stage *x, const springs *spring,
                                  vectors mu, double bar[RAW_PARAMETERS][LANES])
{
  const double L = p->length_A1, m = p->mass_A1, r = p->com_A1 / L, g = p->gravity;
  const double mass[3] = {r * r, 2 * m * r / L, -2 / L * (m * r * r + p->inertia_A1 / (L * L))};
  const double load[3] = {r * g, m / L * g, -m * r / L * g};
  for (int f = 0; f < LANES; f++) {
    const double work = x->a[0] * mu[0][f] + x->a[1] * mu[1][f];
    for (int i = 0; i < 2; i++)
      bar[i][f] += p->k * (spring->u[i][0] * mu[2 * i][f] + spring->u[i][1] * mu[2 * i + 1][f]);
    for (int i = 0; i < 3; i++)
      bar[2 + i][f] += load[i] * mu[1][f] - mass[i] * work;
  }
}

/* Adjoints of q and v of a stage from those of its rates: k.q of v, k.v of a. */
static inline bool stage_back(const linkage *s, const hand_stage *x, double weight, hand_bars *k,
                              hand_bars *Z, double bar[RAW_PARAMETERS][LANES])
{
  double rate[4][2], twice[4][2];
  multipliers nu;
  springs spring;
  frame at;
  rods(x->q, at.d);
  if (!invert(s, &at))
    return false;
  stiffen(&s->data, x->q, &spring);
  raw_differences(x->v, rate);
  raw_differences(x->a, twice);
  for (int c = 0; c < 2; c++)
    k->v[2 + c][2] += 2 * weight * x->a[2 + c];
  solve(s, &at, k->v, nu); /* k.v becomes mu */
  memset(Z->q, 0, sizeof Z->q);
  memcpy(Z->v, k->q, sizeof Z->v);
  add_stiffness(&spring, x->lam, -1, k->v, Z->q);
  add_pull((const double(*)[2])twice, -1, nu, Z->q);
  add_pull((const double(*)[2])rate, -2, nu, Z->v);
  for (int c = 0; c < 2; c++) {
    Z->q[2 + c][0] += 2 * weight * (x->q[2 + c] - r20[c]);
    Z->v[2 + c][1] += 2 * weight * x->v[2 + c];
  }
  add_parameters(&s->data, x, &spring, k->v, bar);
  return true;
}

static inline void add_bars(double weight, hand_bars *from, hand_bars *to)
{
  for (int j = 0; j < 6; j++)
    for (int f = 0; f < LANES; f++) {
      to->q[j][f] += weight * from->q[j][f];
      to->v[j][f] += weight * from->v[j][f];
    }
}

static bool step_back(const linkage *s, const gradyn_tableau *t, hand_stage *x, hand_bars *z,
                      double bar[RAW_PARAMETERS][LANES])
{
  hand_bars Z[HAND_STAGES];
  for (int i = HAND_STAGES - 1; i >= 0; i--) {
    hand_bars k = {{{0}}, {{0}}};
    if (t->b[i] != 0)
      add_bars(s->h * t->b[i], z, &k);
    for (int j = i + 1; j < HAND_STAGES; j++)
      if (gradyn_tableau_row(t, j)[i] != 0)
        add_bars(s->h * gradyn_tableau_row(t, j)[i], &Z[j], &k);
    if (!stage_back(s, &x[i], s->h * t->b[i], &k, &Z[i], bar))
      return false;
  }
  for (int i = 0; i < HAND_STAGES; i++)
    add_bars(1, &Z[i], z);
  return true;
}

bool hand_explicit_adjoint(double h, int steps, hand_stage *stages, double psi[],
                           double gradient[RAW_FUNCTIONALS][RAW_PARAMETERS])
{
  const gradyn_tableau *t = gradyn_tableau_find(8);
  double slope[RAW_PARAMETERS][RAW_Y], bar[RAW_PARAMETERS][LANES] = {{0}};
  hand_bars z = {{{0}}, {{0}}};
  hand_node first;
  linkage s;
  if (!hand_explicit_march(h, steps, stages, psi))
    return false;
  hand_open(&s, h);
  for (int n = steps; n-- > 0;)
    if (!step_back(&s, t, stages + n * HAND_STAGES, &z, bar))
      return false;
  if (!hand_start(&s, &first, slope))
    return false;
  for (int f = 0; f < RAW_FUNCTIONALS; f++)
    for (int j = 0; j < RAW_PARAMETERS; j++) {
      gradient[f][j] = bar[j][f];
      for (int i = 0; i < 6; i++)
        gradient[f][j] += z.q[i][f] * slope[j][i] + z.v[i][f] * slope[j][RAW_V + i];
    }
  return true;
}
