/* Jumps of the equations along a run of equal steps, which do not collapse: the hint is a leap of
 * accelerations. With h between nodes, the sixth difference of positions is of the size h^2 da where
 * accelerations jump by da, and h^6 q^(6) elsewhere; of the states of general equations the fifth, h dy' and
 * h^5 y^(5). They need what all schemes have at every node. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "dae/events/discontinuities.h"

/* Nodes from one difference to the next: schemes that take a force from both sides of a step leave of a jump
 * 1, -2, 0, 2, -1 parts in differences that follow each other. */
enum { EVERY = 2 };

/* A difference leaps if it is so many times the last one that did not, or what that may have grown to without
 * one. */
static const double leap = 2.2;

/* Round-off of states in a difference, over their largest. */
static const double round_off = 1024 * DBL_EPSILON;

/* The difference over all nodes in hand, squared, by binomial coefficients of the sixth order, */
static double differ_positions(double *const *y, int n)
{
  double sum = 0;
  for (int i = 0; i < n; i++) {
    const double d = (y[0][i] + y[6][i]) - 6 * (y[1][i] + y[5][i]) + 15 * (y[2][i] + y[4][i]) -
                     20 * y[3][i];
    sum += d * d;
  }
  return sum;
}

/* or of the fifth. */
static double differ_states(double *const *y, int n)
{
  double sum = 0;
  for (int i = 0; i < n; i++) {
    const double d = (y[6][i] - y[1][i]) - 5 * (y[5][i] - y[2][i]) + 10 * (y[4][i] - y[3][i]);
    sum += d * d;
  }
  return sum;
}

/* What round-off makes of it. */
static double blur(const double *y, int n)
{
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += y[i] * y[i];
  return round_off * sqrt(sum);
}

/* The state at a node: of a mechanism its positions, and velocities by those of its neighbours. */
static void restore(const gradyn_discontinuities *s, int i, double *y)
{
  const int n = s->model->mech ? s->model->mech->n : 0, last = GRADYN_SIDES_NODES - 1;
  const int before = i > 0 ? i - 1 : i, behind = i < last ? i + 1 : i;
  const double *from = s->node[before], *to = s->node[behind];
  if (n == 0) {
    memcpy(y, s->node[i], (size_t)s->ny * sizeof *y);
    return;
  }
  /* accelerations and multipliers are not known */
  memset(y, 0, (size_t)s->ny * sizeof *y);
  memcpy(y, s->node[i], (size_t)n * sizeof *y);
  for (int j = 0; j < n; j++)
    y[n + j] = (to[j] - from[j]) / ((behind - before) * s->h);
}

/* Looks at the last steps that have not been looked at, the newest first: older ones have leapt before. */
static gradyn_status look_back(gradyn_discontinuities *s)
{
  bool jumps = false;
  /* velocities at the newest node are those of half a step before: its step waits for the next node */
  const int waits = s->model->mech ? 1 : 0, last = GRADYN_SIDES_NODES - 2 - waits;
  const int first = s->unseen - waits <= last ? last + 1 + waits - s->unseen : 0;
  s->unseen = waits;
  /* one jump is enough for a leap */
  for (int i = last; i >= first && !jumps; i--) {
    const double t = s->t - (GRADYN_SIDES_NODES - 1 - i) * s->h;
    restore(s, i, s->last);
    restore(s, i + 1, s->end);
    GRADYN_TRY(gradyn_discontinuities_check(s, t, s->h, s->last, s->end, &jumps));
    if (jumps)
      gradyn_discontinuities_note(s, t + s->h / 2);
  }
  return GRADYN_OK;
}

/* Whether the difference of the nodes in hand leaps, and what is behind that. */
static gradyn_status judge(gradyn_discontinuities *s)
{
  const gradyn_mech *mech = s->model->mech;
  const int n = mech ? mech->n : s->ny;
  const double d = sqrt(mech ? differ_positions(s->node, n) : differ_states(s->node, n));
  s->since = 0;
  /* beyond what it was, and beyond round-off */
  const bool leaps = s->before_it >= 0 && d > leap * s->before_it &&
                     d > blur(s->node[GRADYN_SIDES_NODES - 1], n);
  s->before_it = leaps ? leap * s->before_it : d;
  if (leaps)
    GRADYN_TRY(look_back(s));
  return GRADYN_OK;
}

gradyn_status gradyn_discontinuities_node(gradyn_discontinuities *s, double t, const double *y)
{
  const size_t size = (size_t)(s->model->mech ? s->model->mech->n : s->ny) * sizeof *y;
  if (!s->on)
    return GRADYN_OK;
  const double h = t - s->t;
  /* steps of another length begin anew, with what came before them as the first node */
  if (s->nodes > 1 && !(fabs(h - s->h) <= 1e-6 * s->h)) {
    memmove(s->node[0], s->node[s->nodes - 1], size);
    s->nodes = 1;
    s->unseen = 0;
    s->before_it = -1;
  }
  s->h = h;
  s->t = t;
  if (s->nodes == GRADYN_SIDES_NODES) { /* the oldest gives its place to this one */
    double *place = s->node[0];
    for (int i = 1; i < GRADYN_SIDES_NODES; i++)
      s->node[i - 1] = s->node[i];
    s->node[--s->nodes] = place;
  }
  memcpy(s->node[s->nodes++], y, size);
  s->unseen++;
  /* a jump is in several differences: some of them will do */
  return s->nodes == GRADYN_SIDES_NODES && ++s->since >= EVERY ? judge(s) : GRADYN_OK;
}
