/* ALI3-P by hand for the five-bar linkage: the discrete adjoint, for all functionals at once. With
 * alpha and beta the adjoints of the projections, that of the position problem is alpha + h/2 beta +
 * delta; only delta is solved for. */
#include <math.h>
#include <string.h>

#include "bench/hand/lanes.h"

static const double r20[2] = {0.5, -2.0}; /* m, the target of point 2 */

/* Adjoints of a node, and gradients, parameter by parameter. */
typedef struct adjoints {
  vectors q, v, a;
  double p[RAW_PARAMETERS][LANES];
} adjoints;

static inline void add_integrand_bars(const hand_node *at, double weight, adjoints *bar)
{
  for (int c = 0; c < 2; c++) {
    bar->q[2 + c][0] += 2 * weight * (at->q[2 + c] - r20[c]);
    bar->v[2 + c][1] += 2 * weight * at->v[2 + c];
    bar->a[2 + c][2] += 2 * weight * at->a[2 + c];
  }
}

/* parameters: springs by pi, mass matrix at point 1 by all three adjoints, length of A1 by phi */
static inline void add_parameters(const raw_data *p, const hand_node *to, const springs *spring,
                                  vectors alpha, vectors beta, vectors pi, multipliers phi,
                                  adjoints *bar)
{
  const double L = p->length_A1, m = p->mass_A1, r = p->com_A1 / L, g = p->gravity;
  const double mass[3] = {r * r, 2 * m * r / L, -2 / L * (m * r * r + p->inertia_A1 / (L * L))};
  const double load[3] = {r * g, m / L * g, -m * r / L * g};
  const double ax = to->a[0] - to->u1[0], ay = to->a[1] - to->u1[1]; /* a* */
  for (int f = 0; f < LANES; f++) {
    const double work = ax * pi[0][f] + ay * pi[1][f] + to->w1[0] * beta[0][f] +
                        to->w1[1] * beta[1][f] + to->u1[0] * alpha[0][f] + to->u1[1] * alpha[1][f];
    for (int i = 0; i < 2; i++)
      bar->p[i][f] += p->k * (spring->u[i][0] * pi[2 * i][f] + spring->u[i][1] * pi[2 * i + 1][f]);
    for (int i = 0; i < 3; i++)
      bar->p[2 + i][f] += load[i] * pi[1][f] - mass[i] * work;
    bar->p[4][f] += L * phi[0][f];
  }
}

/* Position stage: delta and phi from q', alpha, beta; the stiffness by iteration, since h^2/4 K is
 * small beside M. On entry, bar->q has the share of the projections. pi: alpha + h/2 beta + delta. */
static inline void place_back(const linkage *s, const frame *at, const springs *spring,
                              const hand_node *to, vectors known, vectors delta, multipliers phi)
{
  const double share = s->h * s->h / 4;
  memset(delta, 0, sizeof(vectors));
  for (int pass = 0; pass < 3; pass++) {
    vectors x;
    memcpy(x, known, sizeof x);
    add_stiffness(spring, to->lam, -share, delta, x);
    solve(s, at, x, phi);
    memcpy(delta, x, sizeof x);
  }
  for (int k = 0; k < 4; k++)
    for (int f = 0; f < LANES; f++)
      phi[k][f] /= share;
}

/* x = M y */
static inline void weigh(const raw_data *p, vectors y, vectors x)
{
  for (int c = 0; c < 2; c++)
    for (int f = 0; f < LANES; f++) {
      x[c][f] = p->M[0] * y[c][f] + p->M_next[0] * y[2 + c][f];
      x[2 + c][f] = p->M_next[0] * y[c][f] + p->M[1] * y[2 + c][f] + p->M_next[1] * y[4 + c][f];
      x[4 + c][f] = p->M_next[1] * y[2 + c][f] + p->M[2] * y[4 + c][f];
    }
}

/* One step backwards: from the adjoints of the second node to those of the first. */
static inline bool step_back(const linkage *s, const hand_node *to, adjoints *bar)
{
  const double h = s->h, share = h * h / 4;
  double rate[4][2], twice[4][2];
  vectors alpha, beta, pi, known, delta, Mb, Md;
  multipliers l, phi;
  springs spring;
  frame at;
  rods(to->q, at.d);
  if (!invert(s, &at))
    return false;
  stiffen(&s->data, to->q, &spring);
  raw_differences(to->v, rate);
  raw_differences(to->a, twice);
  const frame *view = &at;
  const frame moving = {{{rate[0][0], rate[0][1]},
                         {rate[1][0], rate[1][1]},
                         {rate[2][0], rate[2][1]},
                         {rate[3][0], rate[3][1]}},
                        {0}};
  const frame turning = {{{twice[0][0], twice[0][1]},
                          {twice[1][0], twice[1][1]},
                          {twice[2][0], twice[2][1]},
                          {twice[3][0], twice[3][1]}},
                         {0}};

  memcpy(alpha, bar->a, sizeof alpha);
  solve(s, view, alpha, l);
  add_turning(to->kappa, -1, alpha, bar->q);
  add_pull(turning.d, -1, l, bar->q);
  add_pull(moving.d, -2, l, bar->v);

  memcpy(beta, bar->v, sizeof beta);
  solve(s, view, beta, l);
  add_turning(to->sigma, -1, beta, bar->q);
  add_pull(moving.d, -1, l, bar->q);

  for (int i = 0; i < 6; i++)
    for (int f = 0; f < LANES; f++) {
      pi[i][f] = alpha[i][f] + h / 2 * beta[i][f];
      known[i][f] = share * bar->q[i][f];
    }
  add_stiffness(&spring, to->lam, -share, pi, known);
  place_back(s, view, &spring, to, known, delta, phi);
  weigh(&s->data, beta, Mb);
  weigh(&s->data, delta, Md);
  for (int i = 0; i < 6; i++)
    for (int f = 0; f < LANES; f++) {
      pi[i][f] += delta[i][f];
      bar->q[i][f] = Md[i][f] / share;
      bar->v[i][f] = Mb[i][f] + 4 / h * Md[i][f];
      bar->a[i][f] = h / 2 * Mb[i][f] + Md[i][f];
    }
  add_parameters(&s->data, to, &spring, alpha, beta, pi, phi, bar);
  return true;
}

bool hand_adjoint(double h, int steps, double tolerance, hand_node *nodes, double psi[],
                  double gradient[RAW_FUNCTIONALS][RAW_PARAMETERS])
{
  double slope[RAW_PARAMETERS][RAW_Y];
  adjoints bar = {0};
  hand_counts counts;
  hand_node first;
  linkage s;
  if (!hand_march(h, steps, tolerance, nodes, psi, &counts))
    return false;
  hand_open(&s, h);
  add_integrand_bars(nodes + steps, h / 2, &bar);
  for (int i = steps; i > 0; i--) {
    if (!step_back(&s, nodes + i, &bar))
      return false;
    add_integrand_bars(nodes + i - 1, i > 1 ? h : h / 2, &bar);
  }
  if (!hand_start(&s, &first, slope))
    return false;
  for (int f = 0; f < RAW_FUNCTIONALS; f++)
    for (int j = 0; j < RAW_PARAMETERS; j++) {
      gradient[f][j] = bar.p[j][f];
      for (int i = 0; i < 6; i++)
        gradient[f][j] += bar.q[i][f] * slope[j][i] + bar.v[i][f] * slope[j][RAW_V + i] +
                          bar.a[i][f] * slope[j][RAW_A + i];
    }
  return true;
}
