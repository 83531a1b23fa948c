/* Growth of derivatives during a sweep. If a step is too long, the motion may look right, but derivatives
 * of positions and of velocities grow by decades within a few steps. A sweep therefore stores the sizes of
 * both at its nodes. A large growth is then verified (sweep_probe.c).
 *
 * The growth of derivatives at jumps is correct, and large near grazing, so it is removed. With the sizes
 * s(k) at nodes, and s-, s+ before and after each jump i between two nodes j and k, the growth by steps is
 *     s(k)/s(j) / prod_i max(1, s+_i/s-_i).
 * A decrease at jumps is not removed. See docs/theory/events.md, (E9). */
#include "adjoint/fixed/sweeps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/linear/norm.h"

/* A growth by exp(0.05) in each step is resolved by the steps. */
static const double resolved = 0.05;

/* Growth above which derivatives are suspect: more than this rate within two windows of 600 steps together.
 * Integrals grow only by a power of the number of steps, which is less while this number doubles. */
static double told(void)
{
  return exp(2 * GRADYN_GROWTH_WINDOW * resolved);
}

/* Allocates the ring buffer of sizes. */
gradyn_status gradyn_adjoint_growth_reserve(gradyn_adjoint_growth *g, gradyn_model *model, int most)
{
  size_t sizes = 2 * (size_t)most + 2;
  if (g->now && most <= g->capacity)
    return GRADYN_OK;
  gradyn_adjoint_growth_clear(g);
  *g = (gradyn_adjoint_growth){.capacity = most};
  g->now = gradyn_arena_numbers(&g->arena, sizes);
  g->edge = gradyn_arena_numbers(&g->arena, sizes);
  g->past = gradyn_arena_numbers(&g->arena, (2 * GRADYN_GROWTH_NOTES + 1) * sizes);
  if (gradyn_arena_status(&g->arena) == GRADYN_OK)
    return GRADYN_OK;
  gradyn_adjoint_growth_clear(g);
  return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory for a gradient");
}

void gradyn_adjoint_growth_clear(gradyn_adjoint_growth *g)
{
  gradyn_arena_clear(&g->arena);
  *g = (gradyn_adjoint_growth){0};
}

void gradyn_adjoint_growth_begin(gradyn_adjoint_growth *g, gradyn_adjoint_growth_of of, int lanes,
                                 int steps)
{
  g->of = of;
  g->lanes = lanes;
  /* short runs have short windows */
  g->window = steps / 4 < GRADYN_GROWTH_WINDOW ? steps / 4 : GRADYN_GROWTH_WINDOW;
  g->every = g->window > GRADYN_GROWTH_NOTES ? g->window / GRADYN_GROWTH_NOTES : 1;
  g->noted = 0;
  g->wait = 1;
  g->worst = told() * told(); /* of squares */
  g->first = -1;
}

/* --- sizes ------------------------------------------------------------------------------------ */

/* Computes `now` for each direction of a direct sweep: |dq|^2, then |dv|^2 or the square of the momenta. In
 * an adjoint sweep, computes the squares of the adjoints of these states. Processes one batch of lanes at a
 * time. */
static void measure(gradyn_sweeps *s)
{
  gradyn_adjoint_growth *g = &s->growth;
  int n = s->march->model->mech->n;
  const gradyn_lanes *pack = g->of == GRADYN_GROWTH_ALONG ? s->ds : s->s_bar;
  for (int first = 0; first < g->lanes; first += GRADYN_LANES, pack += s->march->stepper->ns) {
    gradyn_lanes positions, rates;
    gradyn_lanes_squares(n, pack, &positions);
    gradyn_lanes_squares(n, pack + n, &rates);
    for (int j = 0; j < GRADYN_LANES && first + j < g->lanes; j++) {
      g->now[first + j] = positions[j];
      g->now[g->lanes + first + j] = rates[j];
    }
  }
}

/* Returns the squared growth of lane j since the sizes `before`: the smaller one of the growth of positions
 * and of velocities. A size that was zero does not count as growth, because contributions have been added. */
static double grown(const gradyn_adjoint_growth *g, const double *before, int j)
{
  double least = INFINITY;
  for (int i = j; i < 2 * g->lanes; i += g->lanes)
    least = before[i] > 0 ? fmin(least, g->now[i] / before[i]) : least;
  return isinf(least) ? 0 : least;
}

/* Returns stored sizes in the ring buffer. */
static double *position(const gradyn_adjoint_growth *g, int note)
{
  return g->past + note % (2 * GRADYN_GROWTH_NOTES + 1) * 2 * g->lanes;
}

void gradyn_adjoint_growth_before_jump(gradyn_sweeps *s)
{
  measure(s);
  memcpy(s->growth.edge, s->growth.now, 2 * (size_t)s->growth.lanes * sizeof(double));
}

/* Multiplies the stored sizes by max(1, s+/s-) of the jump. */
void gradyn_adjoint_growth_after_jump(gradyn_sweeps *s)
{
  gradyn_adjoint_growth *g = &s->growth;
  measure(s);
  const int kept = g->noted < 2 * GRADYN_GROWTH_NOTES + 1 ? g->noted : 2 * GRADYN_GROWTH_NOTES + 1;
  for (int i = 0; i < 2 * g->lanes; i++) {
    if (!(g->now[i] > g->edge[i]))
      continue;
    for (int note = 0; note < kept; note++) {
      double *size = &position(g, note)[i];
      /* a size that was zero before the jump is caused by the jump alone */
      *size = g->edge[i] > 0 ? *size * (g->now[i] / g->edge[i]) : fmax(*size, g->now[i]);
    }
  }
}

/* Stores sizes every few steps, and compares them with the sizes one window earlier. During the first
 * window, compares them with the sizes when half as many steps had been taken. */
void gradyn_adjoint_growth_node(gradyn_sweeps *s, int k)
{
  gradyn_adjoint_growth *g = &s->growth;
  if (--g->wait > 0)
    return;
  g->wait = g->every;
  measure(s);
  int notes = g->window / g->every, lag = g->noted < 2 * notes ? g->noted / 2 : notes;
  const double *before = position(g, g->noted - lag);
  memcpy(position(g, g->noted), g->now, 2 * (size_t)g->lanes * sizeof(double));
  for (int j = 0; j < g->lanes && lag > 1; j++) {
    double growth = grown(g, before, j);
    /* the largest growth so far */
    if (growth > g->worst) {
      g->worst = growth;
      /* the first step in which this growth may have begun */
      g->first = g->of == GRADYN_GROWTH_ALONG ? k - g->window : k;
    }
  }
  g->noted++;
}

double gradyn_adjoint_growth_since(gradyn_sweeps *s, bool begins)
{
  gradyn_adjoint_growth *g = &s->growth;
  measure(s);
  if (begins) {
    memcpy(position(g, 0), g->now, 2 * sizeof(double));
    g->noted = 1; /* one stored size, which jumps correct from now on */
  }
  return sqrt(grown(g, position(g, 0), 0));
}

double gradyn_adjoint_growth_step(double growth, double time)
{
  return growth > told() ? resolved * time / log(growth) : 0;
}
