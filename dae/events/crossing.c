/* Products with the saltation matrix of an event, one direction at a time. */
#include "dae/events/crossing.h"

#include <math.h>
#include <string.h>

#include "core/linear/norm.h"

/* Also frees a crossing whose creation has failed. */
void gradyn_crossing_clear(gradyn_crossing *s)
{
  gradyn_arena_clear(&s->arena);
  gradyn_guards_clear(&s->own_guards);
  gradyn_impact_clear(&s->own_impact);
  gradyn_initial_clear(&s->force);
  *s = (gradyn_crossing){0};
}

gradyn_status gradyn_crossing_share(gradyn_model *model, gradyn_guards *guards,
                                    gradyn_impacts *impact, gradyn_crossing *s)
{
  const gradyn_mech *mech = model->mech;
  const int states = model->ops->state_count(model);
  const size_t moves = (size_t)(mech ? 2 * mech->n : states) + 1, nx = (size_t)model->nx + 1;
  *s = (gradyn_crossing){
      .model = model, .moves = (int)moves - 1, .guards = guards, .impact = impact};
  for (int side = 0; side < 2; side++) {
    s->full[side] = gradyn_arena_numbers(&s->arena, (size_t)states + 1);
    s->yp[side] = gradyn_arena_numbers(&s->arena, moves);
  }
  s->r_y = gradyn_arena_numbers(&s->arena, moves);
  s->r_x = gradyn_arena_numbers(&s->arena, nx);
  s->dx = gradyn_arena_numbers(&s->arena, nx);
  s->own = gradyn_arena_numbers(&s->arena, moves);
  s->arrival = gradyn_arena_numbers(&s->arena, moves);
  s->jump = gradyn_arena_numbers(&s->arena, moves);
  if (gradyn_arena_status(&s->arena) != GRADYN_OK)
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory for saltation matrices");
  return mech ? gradyn_initial_create(model->mech, GRADYN_ASSEMBLY, &s->force) : GRADYN_OK;
}

gradyn_status gradyn_crossing_create(gradyn_model *model, gradyn_crossing *s)
{
  GRADYN_TRY(gradyn_crossing_share(model, NULL, NULL, s));
  s->guards = &s->own_guards;
  s->impact = &s->own_impact;
  GRADYN_TRY(gradyn_guards_create(model, s->guards));
  return gradyn_impact_create(model, s->impact);
}

/* Computes the whole state and its rates on one side, from positions and velocities or from differential
 * states. */
static gradyn_status complete(gradyn_crossing *s, double t, const double *y, int side)
{
  const size_t moves = (size_t)s->moves, n = moves / 2;
  double *full = s->full[side], *yp = s->yp[side];
  memcpy(full, y, moves * sizeof *y);
  if (!s->model->mech) {
    gradyn_index1 *system = s->guards->system;
    GRADYN_TRY(system->ops->restart(system, t, full, yp));
    for (int i = 0; i < s->moves; i++)
      yp[i] *= system->id[i];
    return GRADYN_OK;
  }
  /* accelerations and multipliers in the mode of the model */
  GRADYN_TRY(gradyn_initial_accelerate(&s->force, t, full, full + n));
  memcpy(full + moves, s->force.a, n * sizeof *full);
  memcpy(full + moves + n, s->force.lam, (size_t)s->model->mech->m * sizeof *full);
  memcpy(yp, full + n, moves * sizeof *yp); /* y' = (v, a) */
  return GRADYN_OK;
}

/* Returns the changes of the states by which r_y differentiates: of positions and velocities, or of the
 * differential states of general equations. */
static const double *gather(const gradyn_crossing *s, const double *d)
{
  const gradyn_index1 *system = s->guards->system;
  for (int i = 0; system && i < system->np; i++)
    s->own[i] = d[system->differential[i]];
  return system ? s->own : d;
}

gradyn_status gradyn_crossing_prepare(gradyn_crossing *s, const gradyn_event_record *event,
                                      const double *y)
{
  const gradyn_index1 *system = s->guards->system;
  /* clears the latched values of the previous event */
  memset(s->dx, 0, (size_t)s->model->nx * sizeof(double));
  GRADYN_TRY(gradyn_guard_root(s->guards, event, y, system ? system->np : s->moves, s->r_y, s->r_x,
                               &s->root));
  GRADYN_TRY(gradyn_guard_value(s->guards, event->event, 1, event->t, y, &s->root.rate));
  /* state and rates before the event */
  GRADYN_TRY(complete(s, event->t, y, 0));
  /* the impact switches the model to the mode after the event */
  GRADYN_TRY(gradyn_impact_apply(s->impact, event->event, event->t, y, NULL));
  return complete(s, event->t, s->impact->yp, 1);
}

gradyn_status gradyn_crossing_along(gradyn_crossing *s, double *dx, double *d, double *dt,
                                    double *impulse)
{
  *dt = gradyn_root_along(&s->root, gather(s, d), dx, 0);
  /* dY- = dy- + y-' dtau at the moved time, dY+ = R_y dY- + R_t dtau + R_x dx after the map,
   * dy+ = dY+ - y+' dtau at the old time */
  for (int i = 0; i < s->moves; i++)
    s->arrival[i] = d[i] + s->yp[0][i] * *dt;
  GRADYN_TRY(gradyn_impact_tangent(s->impact, dx, *dt, s->arrival, s->jump, impulse));
  for (int i = 0; i < s->moves; i++)
    d[i] = s->jump[i] - s->yp[1][i] * *dt;
  return GRADYN_OK;
}

gradyn_status gradyn_crossing_carry(gradyn_crossing *s, double *d)
{
  double dt, impulse;
  return gradyn_crossing_along(s, s->dx, d, &dt, &impulse);
}

gradyn_status gradyn_crossing_depends_on_time(gradyn_crossing *s, const double *dx, bool *feels)
{
  /* Changes below this part of the natural size are round-off. Rates differ so little where an event only
   * releases a constraint that carries no load. */
  static const double nothing = 1e-6;
  const int n = s->moves / 2;
  double impulse;
  *feels = false;
  if (gradyn_dot(s->r_x, dx, s->model->nx) == 0)
    return GRADYN_OK;
  /* derivative of the state after the event by its time: R_y y-' + R_t - y+' */
  GRADYN_TRY(gradyn_impact_tangent(s->impact, s->dx, 1, s->yp[0], s->jump, &impulse));
  for (int i = 0; i < 2 * n; i++) {
    const double size = fmax(s->guards->size[n + i], fmax(fabs(s->yp[0][i]), fabs(s->yp[1][i])));
    *feels = *feels || fabs(s->jump[i] - s->yp[1][i]) > nothing * size;
  }
  return GRADYN_OK;
}
