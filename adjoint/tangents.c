/* Trajectories of derivatives, one for each direction, next to the trajectory of the states. Direct sweeps
 * of all methods fill them in the same way. */
#include "adjoint/tangents.h"

#include <math.h>
#include <string.h>

gradyn_status gradyn_tangents_create(gradyn_model *model, int count, gradyn_trajectory *states,
                                     gradyn_tangents *s)
{
  size_t ny = (size_t)model->ops->state_count(model) + 1;
  *s = (gradyn_tangents){.model = model, .states = states};
  s->column = gradyn_arena_take(&s->arena, (size_t)count, sizeof(gradyn_trajectory *));
  s->dy = gradyn_arena_numbers(&s->arena, ny);
  s->dyp = gradyn_arena_numbers(&s->arena, ny);
  s->yp = gradyn_arena_numbers(&s->arena, ny);
  const bool all = gradyn_arena_status(&s->arena) == GRADYN_OK;
  for (; all && s->count < count; s->count++)
    /* count only created trajectories, which clear() frees */
    if (!(s->column[s->count] = gradyn_trajectory_create()))
      break;
  if (!all || s->count < count)
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY,
                       "out of memory for the derivatives of states along %d directions", count);
  return model->mech ? gradyn_initial_create_motion(model->mech, &s->force) : GRADYN_OK;
}

void gradyn_tangents_clear(gradyn_tangents *s)
{
  for (int j = 0; j < s->count; j++)
    gradyn_trajectory_free(s->column[j]);
  gradyn_arena_clear(&s->arena);
  gradyn_initial_clear(&s->force);
  *s = (gradyn_tangents){0};
}

gradyn_status gradyn_tangents_begin(gradyn_tangents *s)
{
  s->next = 0;
  GRADYN_TRY(gradyn_trajectory_begin(s->states, s->model));
  for (int j = 0; j < s->count; j++)
    GRADYN_TRY(gradyn_trajectory_begin_tangent(s->column[j], s->model));
  return GRADYN_OK;
}

bool gradyn_tangents_wants(const gradyn_tangents *s, double t, double near)
{
  return !s->time || (s->next < s->times && fabs(t - s->time[s->next]) <= near);
}

double gradyn_tangents_before(const gradyn_tangents *s, double t, double near)
{
  return s->time && s->next < s->times && s->time[s->next] < t - near ? s->time[s->next] : NAN;
}

gradyn_status gradyn_tangents_node(gradyn_tangents *s, double t, const double *y, const double *yp)
{
  s->known = false;
  s->next++;
  return gradyn_trajectory_add(s->states, t, y, yp);
}

gradyn_status gradyn_tangents_add(gradyn_tangents *s, int direction, const double *dy,
                                  const double *dyp)
{
  size_t last = gradyn_trajectory_read(s->states).steps - 1;
  /* the node added last by gradyn_tangents_node() */
  double t = gradyn_trajectory_step(s->states, last, NULL);
  return gradyn_trajectory_add(s->column[direction], t, dy, dyp);
}

/* Computes y' at the present node. a and lam are functions of (t, q, v); their rates are the changes for
 * the changes 1, v and a of these arguments. */
static gradyn_status find_rates(gradyn_tangents *s, const double *y)
{
  const int n = s->model->mech->n;
  const double t = gradyn_trajectory_step(s->states, gradyn_trajectory_read(s->states).steps - 1,
                                          NULL);
  const gradyn_mech_state at = {.t = t, .q = y, .v = y + n, .a = y + 2 * n, .lam = y + 3 * n};
  const gradyn_mech_vector d = {.t = 1, .q = at.v, .v = at.a};
  if (s->known)
    return GRADYN_OK;
  s->known = true;
  memcpy(s->yp, at.v, 2 * (size_t)n * sizeof(double));
  return gradyn_initial_accelerate_tangent(&s->force, &at, &d, s->yp + 2 * n);
}

gradyn_status gradyn_tangents_add_moving(gradyn_tangents *s, int direction, const double *dy,
                                         const double *y, double dt)
{
  const int ny = s->model->ops->state_count(s->model);
  memcpy(s->dy, dy, (size_t)ny * sizeof(double));
  if (dt != 0)
    GRADYN_TRY(find_rates(s, y));
  /* derivatives at a fixed time: dy - y' dt */
  for (int i = 0; i < ny && dt != 0; i++)
    s->dy[i] -= s->yp[i] * dt;
  return gradyn_tangents_add(s, direction, s->dy, NULL);
}
