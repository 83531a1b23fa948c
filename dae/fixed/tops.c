/* Maxima over time of a run with fixed steps. A maximum between nodes is the vertex of the parabola through
 * three of them, with an error of the order of the schemes. Its derivative depends on these three nodes
 * only, dV = sum of L_i(tau) (dg_i - p'(t_i) dt_i), where L_i are Lagrange's polynomials at the vertex tau.
 * The movement of tau has no effect, since p'(tau) = 0. */
#include "dae/fixed/tops.h"

#include <math.h>
#include <string.h>

#include "core/model/limit.h"
#include "core/model/same_time.h"
#include "dae/fixed/fixed.h"

void gradyn_fixed_reset_maxima(gradyn_fixed *s)
{
  for (int f = 0; f < s->nf; f++)
    s->top[f] = (gradyn_fixed_top){.most = -HUGE_VAL, .node = -1};
}

/* Computes the vertex of the parabola through the last three nodes. Stores it if it is a maximum between
 * them. */
static void try_vertex(gradyn_fixed_top *top, int k)
{
  const double *g = top->g, h1 = top->t[1] - top->t[0], h2 = top->t[2] - top->t[1];
  /* p(t) = g_1 + slope (t - t_1) + bend (t - t_1)^2 */
  const double before = (g[1] - g[0]) / h1, after = (g[2] - g[1]) / h2;
  const double bend = (after - before) / (h1 + h2), slope = before + bend * h1;
  if (!(bend < 0))
    return;
  const double tau = -slope / (2 * bend), value = g[1] - slope * slope / (4 * bend);
  if (!(tau > -h1 && tau < h2) || !(value >= top->most))
    return;
  top->most = value;
  top->node = k;
  /* values of Lagrange's polynomials at tau */
  top->weight[0] = tau * (tau - h2) / (h1 * (h1 + h2));
  top->weight[1] = (tau + h1) * (h2 - tau) / (h1 * h2);
  top->weight[2] = tau * (tau + h1) / (h2 * (h1 + h2));
  /* -p'(t_i) */
  top->rate[0] = -(slope - 2 * bend * h1);
  top->rate[1] = -slope;
  top->rate[2] = -(slope + 2 * bend * h2);
}

/* Adds the value g of a function at node k, and updates its maximum. */
static void add(gradyn_fixed_top *top, int k, double t, double g)
{
  /* forget the values before a jump */
  if (top->known > 0 && !(t > top->t[2]))
    top->known = 0;
  memmove(top->t, top->t + 1, 2 * sizeof *top->t);
  memmove(top->g, top->g + 1, 2 * sizeof *top->g);
  top->t[2] = t;
  top->g[2] = g;
  top->known += top->known < 3;
  if (g > top->most) {
    /* the maximum so far is a value at a node: at an end, at a jump, or while the function increases */
    top->most = g;
    top->node = k;
    memset(top->weight, 0, sizeof top->weight);
    memset(top->rate, 0, sizeof top->rate);
    top->weight[2] = 1;
  }
  if (top->known == 3)
    try_vertex(top, k);
}

/* Returns whether a node is inside the window of a maximum or at an end of it. */
static bool is_inside(const gradyn_fixed *s, const gradyn_functional_entry *f, double t)
{
  double from, to;
  gradyn_functional_window(s->model, f, &from, &to);
  return !gradyn_model_later(s->model, from, t) && !gradyn_model_later(s->model, t, to);
}

gradyn_status gradyn_fixed_update_maxima(gradyn_fixed *s, int k, const double *node)
{
  const double *y = NULL;
  for (int f = 0; f < s->nf; f++) {
    const gradyn_functional_entry *functional = &s->model->functional[f];
    double g = 0;
    if (!functional->maximum || !is_inside(s, functional, gradyn_fixed_time(s, k)))
      continue;
    if (!y)
      GRADYN_TRY(gradyn_fixed_output_state(s, k, node, GRADYN_FORCES, &y));
    const gradyn_sample at = {gradyn_fixed_time(s, k), y};
    GRADYN_TRY(functional->terminal->value(s->model, functional, &at, &g));
    add(&s->top[f], k, at.t, g);
  }
  return GRADYN_OK;
}

double gradyn_fixed_top_weight(const gradyn_fixed *s, int f, int k, double *rate)
{
  const gradyn_fixed_top *top = &s->top[f];
  const int i = k - top->node + 2;
  *rate = 0;
  if (i < 0 || i > 2)
    return 0;
  *rate = top->weight[i] * top->rate[i];
  return top->weight[i];
}
