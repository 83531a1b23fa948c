/* Trajectories of derivatives beside that of the states. Direct sweeps of all methods fill them in the
 * same way, at the same rows. */
#include "adjoint/tangents.h"

#include <stdlib.h>
#include <string.h>

/* A trajectory for each direction, of the same rows as that of the states. */
gradyn_status gradyn_tangents_create(gradyn_model *model, int count, gradyn_trajectory *states,
                                     gradyn_tangents *s)
{
  size_t ny = (size_t)model->ops->state_count(model) + 1;
  *s = (gradyn_tangents){.model = model, .states = states};
  s->column = calloc((size_t)count + 1, sizeof(gradyn_trajectory *));
  s->dy = calloc(ny, sizeof(double));
  s->dyp = calloc(ny, sizeof(double));
  bool all = s->column && s->dy && s->dyp;
  for (; all && s->count < count; s->count++)
    /* count: those that clear() has to free */
    if (!(s->column[s->count] = gradyn_trajectory_create()))
      break;
  return all && s->count == count ? GRADYN_OK
                                  : gradyn_fail(&model->message, GRADYN_NO_MEMORY,
                                                "out of memory for %d directions", count);
}

void gradyn_tangents_clear(gradyn_tangents *s)
{
  for (int j = 0; j < s->count; j++)
    gradyn_trajectory_free(s->column[j]);
  free(s->column);
  free(s->dy);
  free(s->dyp);
  *s = (gradyn_tangents){0};
}

gradyn_status gradyn_tangents_begin(gradyn_tangents *s)
{
  GRADYN_TRY(gradyn_trajectory_begin(s->states, s->model));
  for (int j = 0; j < s->count; j++)
    GRADYN_TRY(gradyn_trajectory_begin_tangent(s->column[j], s->model));
  return GRADYN_OK;
}

/* A failure to add means that there is no memory. */
static gradyn_status told(const gradyn_tangents *s, gradyn_status status)
{
  return status == GRADYN_OK ? status
                             : gradyn_fail(&s->model->message, status,
                                           "out of memory for what states become along %d "
                                           "directions",
                                           s->count);
}

gradyn_status gradyn_tangents_node(gradyn_tangents *s, double t, const double *y, const double *yp)
{
  return told(s, gradyn_trajectory_add(s->states, t, y, yp));
}

gradyn_status gradyn_tangents_add(gradyn_tangents *s, int direction, const double *dy,
                                  const double *dyp)
{
  size_t last = gradyn_trajectory_steps(s->states) - 1;
  /* the node that tangents_node() has just added */
  double t = gradyn_trajectory_step(s->states, last, NULL);
  return told(s, gradyn_trajectory_add(s->column[direction], t, dy, dyp));
}

gradyn_status gradyn_tangents_add_moving(gradyn_tangents *s, int direction, const double *dy,
                                         const double *y, double dt)
{
  int n = s->model->mech->n, ny = s->model->ops->state_count(s->model);
  memcpy(s->dy, dy, (size_t)ny * sizeof(double));
  /* dy at a fixed time: what has moved with the node is taken off, dy - y' dt */
  for (int i = 0; i < 2 * n; i++) /* y = (q, v, a, lam) */
    s->dy[i] -= y[n + i] * dt;
  return gradyn_tangents_add(s, direction, s->dy, NULL);
}
