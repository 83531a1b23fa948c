/* How derivatives grow over a sweep. Where a step is too long for what a motion does, the motion may look
 * right while its derivatives explode: within a few steps they grow by decades. A sweep notes sizes as it
 * goes; a suspicion is confirmed by the tangent of the steps alone, without what parameters or
 * functionals add on the way. */
#include "adjoint/sweep_growth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Growth within a window of steps that is suspected, and that is told. What is integrated grows with a
 * power of the steps, by less than the first while their number doubles. */
static const double suspected = 1e3, told = 1e3;

/* Growth a step that is resolved: e to this power. */
static const double resolved = 0.05;

/* A ring of the sizes that sensitivities had: growth without bound is told in a warning. */
gradyn_status gradyn_growth_reserve(gradyn_growth *g, gradyn_fixed *march, int most)
{
  size_t ns = (size_t)march->stepper->ns, count = (size_t)most + 1;
  if (g->march && most <= g->room)
    return GRADYN_OK;
  gradyn_growth_clear(g);
  *g = (gradyn_growth){.march = march, .room = most};
  g->now = calloc(count, sizeof(double));
  g->past = calloc((2 * GRADYN_GROWTH_NOTES + 1) * count, sizeof(double));
  g->ds = gradyn_lanes_create(ns);
  if (g->now && g->past && g->ds)
    return GRADYN_OK;
  gradyn_growth_clear(g);
  return gradyn_fail(&march->model->message, GRADYN_NO_MEMORY, "out of memory for a gradient");
}

void gradyn_growth_clear(gradyn_growth *g)
{
  free(g->now);
  free(g->past);
  free(g->ds);
  *g = (gradyn_growth){0};
}

void gradyn_growth_begin(gradyn_growth *g, int lanes)
{
  g->lanes = lanes;
  int steps = g->march->count;
  /* short runs have short windows */
  g->window = steps / 4 < GRADYN_GROWTH_WINDOW ? steps / 4 : GRADYN_GROWTH_WINDOW;
  g->every = g->window > GRADYN_GROWTH_NOTES ? g->window / GRADYN_GROWTH_NOTES : 1;
  g->noted = 0;
  g->wait = 1;
  g->worst = suspected * suspected; /* of squares */
  g->first = -1;
}

/* One note every few steps. */
void gradyn_growth_note(gradyn_growth *g, int step)
{
  /* compared with the size a window before; at first with that at half of the steps */
  int ring = 2 * GRADYN_GROWTH_NOTES + 1, notes = g->window / g->every;
  double *now = g->past + g->noted % ring * g->lanes;
  int lag = g->noted < 2 * notes ? g->noted / 2 : notes;
  bool compare = lag > 1;
  const double *before = g->past + (g->noted - lag) % ring * g->lanes;
  for (int j = 0; j < g->lanes; j++) {
    now[j] = g->now[j];
    /* growth becomes the suspicion to beat */
    if (compare && before[j] > 0 && now[j] > g->worst * before[j]) {
      g->worst = now[j] / before[j];
      g->first = step;
    }
  }
  g->noted++;
}

/* Some direction of the positions, which is not one of the model's own. */
static void perturb(gradyn_growth *g)
{
  memset(g->ds, 0, (size_t)g->march->stepper->ns * sizeof *g->ds);
  for (int i = 0; i < g->march->model->mech->n; i++)
    g->ds[i][0] = sin(1.7 * i + 0.3);
}

/* Of positions: all coordinates are lengths, or nearly so. */
static double norm(const gradyn_growth *g)
{
  double sum = 0;
  for (int i = 0; i < g->march->model->mech->n; i++)
    sum += g->ds[i][0] * g->ds[i][0];
  return sqrt(sum);
}

/* The tangent of the steps from `first` on, to twice the window. */
static gradyn_status probe(gradyn_growth *g, int first, double *largest, int *steps)
{
  gradyn_fixed *march = g->march;
  gradyn_stepper *stepper = march->stepper;
  int last = first + 2 * g->window < march->count ? first + 2 * g->window : march->count;
  const double none = 0;
  perturb(g);
  /* with dh = dt = 0 and no change of data: what the steps do by themselves */
  double start = norm(g);
  *largest = 1;
  *steps = 1;
  for (int k = first; k < last; k++) {
    const double *from, *to;
    GRADYN_TRY(gradyn_fixed_nodes(march, k, &from, &to));
    GRADYN_TRY(stepper->ops->linearise(stepper, gradyn_fixed_time(march, k),
                                       gradyn_fixed_step(march, k), from, to));
    GRADYN_TRY(stepper->ops->tangent(stepper, 1, NULL, &none, &none, g->ds));
    /* the most, and the steps that it takes */
    if (norm(g) > *largest * start) {
      *largest = norm(g) / start;
      *steps = k + 1 - first;
    }
  }
  return GRADYN_OK;
}

gradyn_status gradyn_growth_end(gradyn_growth *g)
{
  gradyn_fixed *march = g->march;
  double largest;
  int steps;
  if (g->first < 0)
    return GRADYN_OK;
  /* from somewhat before, so that the window holds the growth */
  int first = g->first > g->window / 2 ? g->first - g->window / 2 : 0;
  gradyn_status status = probe(g, first, &largest, &steps);
  if (status != GRADYN_OK || !(largest > told))
    return status;
  double rate = log(largest) / steps; /* of growth, a step: more than is resolved, in that window */
  /* the step at which it would grow as slowly as what is resolved */
  march->statistics.growth = largest;
  march->statistics.growth_time = gradyn_fixed_time(march, first);
  march->statistics.growth_step = march->t_end / march->count * resolved / rate;
  return GRADYN_OK;
}
