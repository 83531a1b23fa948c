/* Jumps of the equations in runs with equal steps, where steps do not become short. The indication is a
 * sudden increase of high differences. With node spacing h, the sixth difference of positions is of size h^2
 * da where accelerations jump by da, and h^6 q^(6) elsewhere. For states of general equations, the fifth
 * difference is h dy' or h^5 y^(5). All integrators have these nodal values. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "dae/events/discontinuities.h"

/* Nodes between two differences. Schemes that average a force over both ends of a step spread a jump over
 * consecutive differences in the proportion 1, -2, 0, 2, -1. */
enum { EVERY = 2 };

/* A difference has a sudden increase if it exceeds this multiple of its predecessor. After a sudden increase,
 * the predecessor counts with the value up to which it could have grown without one. */
static const double leap = 2.2;

/* Round-off of states in a difference, relative to the largest state. */
static const double round_off = 1024 * DBL_EPSILON;

/* Sum of squares of the sixth differences of positions over all nodes. */
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

/* Sum of squares of the fifth differences of states over the last six nodes. */
static double differ_states(double *const *y, int n)
{
  double sum = 0;
  for (int i = 0; i < n; i++) {
    const double d = (y[6][i] - y[1][i]) - 5 * (y[5][i] - y[2][i]) + 10 * (y[4][i] - y[3][i]);
    sum += d * d;
  }
  return sum;
}

/* Round-off in the norm of a difference. */
static double blur(const double *y, int n)
{
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += y[i] * y[i];
  return round_off * sqrt(sum);
}

/* State at node i. Velocities of a mechanism are differences of the neighbouring positions. */
static void restore(const gradyn_discontinuities *s, int i, double *y)
{
  const int n = s->model->mech ? s->model->mech->n : 0, last = GRADYN_SIDES_NODES - 1;
  const int before = i > 0 ? i - 1 : i, behind = i < last ? i + 1 : i;
  const double *from = s->node[before], *to = s->node[behind];
  if (n == 0) {
    memcpy(y, s->node[i], (size_t)s->ny * sizeof *y);
    return;
  }
  /* accelerations and multipliers are not known here */
  memset(y, 0, (size_t)s->ny * sizeof *y);
  memcpy(y, s->node[i], (size_t)n * sizeof *y);
  for (int j = 0; j < n; j++)
    y[n + j] = (to[j] - from[j]) / ((behind - before) * s->h);
}

/* Examines the latest steps that have not been examined, the newest first. Older steps had a sudden increase
 * before. */
static gradyn_status look_back(gradyn_discontinuities *s)
{
  bool jumps = false;
  /* The velocity at the newest node is that of half a step before it. Therefore the last step of a mechanism
   * waits for the next node. */
  const int waits = s->model->mech ? 1 : 0, last = GRADYN_SIDES_NODES - 2 - waits;
  const int first = s->unseen - waits <= last ? last + 1 + waits - s->unseen : 0;
  s->unseen = waits;
  /* one jump explains the increase */
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

/* Computes the difference of the present nodes, and examines the steps if it has increased suddenly. */
static gradyn_status judge(gradyn_discontinuities *s)
{
  const gradyn_mech *mech = s->model->mech;
  const int n = mech ? mech->n : s->ny;
  const double d = sqrt(mech ? differ_positions(s->node, n) : differ_states(s->node, n));
  s->since = 0;
  /* larger than before and larger than round-off */
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
  /* steps of another length start a new sequence of nodes; the last node is its first */
  if (s->nodes > 1 && !(fabs(h - s->h) <= 1e-6 * s->h)) {
    memmove(s->node[0], s->node[s->nodes - 1], size);
    s->nodes = 1;
    s->unseen = 0;
    s->before_it = -1;
  }
  s->h = h;
  s->t = t;
  if (s->nodes == GRADYN_SIDES_NODES) { /* the oldest node is overwritten */
    double *position = s->node[0];
    for (int i = 1; i < GRADYN_SIDES_NODES; i++)
      s->node[i - 1] = s->node[i];
    s->node[--s->nodes] = position;
  }
  memcpy(s->node[s->nodes++], y, size);
  s->unseen++;
  /* a jump appears in several differences, so that not all of them are needed */
  return s->nodes == GRADYN_SIDES_NODES && ++s->since >= EVERY ? judge(s) : GRADYN_OK;
}
