/* Disturbances of the initial state: the part shared by smooth and hybrid runs. The disturbed state is
 * expressed in independent coordinates at the start and at the end, so that matrices are regular. */
#include "adjoint/analyses/disturbance.h"
#include "core/mech/rolling.h"
#include "adjoint/analyses/chart.h"

#include <stdlib.h>
#include <string.h>

#include "dae/start/initial.h"

void gradyn_disturbance_clear(gradyn_disturbance *s)
{
  if (s->given && s->model == s->ev->model)
    (void)gradyn_model_load(s->model, s->given); /* they were loaded before */
  gradyn_arena_clear(&s->arena);
  gradyn_independent_clear(&s->independent);
  if (s->ops)
    s->ops->free(s);
}

/* Allocates arrays by differential states and data. */
static gradyn_status take_memory(gradyn_disturbance *s)
{
  size_t nz = (size_t)s->nz + 1, nx = (size_t)s->model->nx + 1;
  gradyn_arena *arena = &s->arena;
  s->given = gradyn_arena_numbers(arena, nx);
  s->x = gradyn_arena_numbers(arena, nx);
  s->z = gradyn_arena_numbers(arena, nz);
  s->base = gradyn_arena_numbers(arena, 2 * nz);
  s->w = gradyn_arena_numbers(arena, 2 * nz);
  s->f = gradyn_arena_numbers(arena, nz);
  s->M = gradyn_arena_numbers(arena, nz * nz);
  s->by_time = gradyn_arena_numbers(arena, nz);
  s->return_slope = gradyn_arena_numbers(arena, nz);
  s->unit = gradyn_arena_numbers(arena, 2 * nz);
  s->position = gradyn_arena_take(arena, nz, sizeof *s->position);
  s->shown = gradyn_arena_take(arena, nz, sizeof *s->shown);
  s->datum = gradyn_arena_take(arena, nz, sizeof *s->datum);
  return gradyn_arena_status(arena) == GRADYN_OK
             ? GRADYN_OK
             : gradyn_fail(&s->model->message, GRADYN_NO_MEMORY, "out of memory for disturbances");
}

/* Assembles the initial state of a mechanism, with fixed values and equilibria. Afterwards its initial data
 * are free. */
static gradyn_status begin(gradyn_disturbance *s)
{
  gradyn_mech *mech = s->model->mech;
  LOCAL(gradyn_initial) initial = {0};
  /* states have the names of their initial data */
  for (int i = 0; i < s->nz; i++) {
    s->shown[i] = i;
    s->datum[i] = i < mech->n ? mech->q0[i] : mech->v0[i - mech->n];
  }
  GRADYN_TRY(gradyn_initial_create(mech, GRADYN_ASSEMBLY, &initial));
  GRADYN_TRY(gradyn_initial_solve(&initial));
  for (int i = 0; i < s->nz; i++)
    /* runs start from the assembled state without another assembly */
    s->x[s->datum[i]] = s->z[i] = i < mech->n ? initial.q[i] : initial.v[i - mech->n];
  return GRADYN_OK;
}

/* Marks the requested coordinates in own [n]. */
static gradyn_status mark(const gradyn_disturbance *s, const gradyn_disturbance_wish *wish,
                          bool *own)
{
  for (size_t k = 0; k < wish->count; k++) {
    const int at = gradyn_coordinate_find(s->model, wish->wanted[k]);
    if (at < 0)
      return gradyn_fail(&s->model->message, GRADYN_INVALID,
                         "coordinate '%.60s': the mechanism has none of this name",
                         wish->wanted[k] ? wish->wanted[k] : "");
    own[at] = true;
  }
  return GRADYN_OK;
}

/* Lists the indices of w in z = (q, v): independent coordinates, then their rates. First-order states are
 * represented by their rates only, since their integrals have no effect. Idle coordinates are left out. */
static void list_places(gradyn_disturbance *s)
{
  const gradyn_mech *mech = s->model->mech;
  const gradyn_independent *u = &s->independent;
  for (int k = 0; k < u->count; k++)
    if (!mech->spare || !mech->spare[u->at[k]])
      s->position[s->size++] = u->at[k];
  for (int k = 0; k < u->count; k++)
    if (!mech->idle || !mech->idle[u->at[k]])
      s->position[s->size++] = mech->n + u->at[k];
}

/* Chooses the components of w at the initial state z. */
static gradyn_status choose(gradyn_disturbance *s, const gradyn_disturbance_wish *wish)
{
  const gradyn_mech *mech = s->model->mech;
  if (!mech && wish->count > 0)
    return gradyn_fail(&s->model->message, GRADYN_INVALID,
                       "general equations have no coordinate called '%.60s'",
                       wish->wanted[0] ? wish->wanted[0] : "");
  if (!mech) {
    /* general equations: all differential states are independent */
    for (s->size = 0; s->size < s->nz; s->size++)
      s->position[s->size] = s->size;
    return GRADYN_OK;
  }
  FREED bool *own = calloc((size_t)mech->n + 1, sizeof *own);
  GRADYN_TRY(own ? mark(s, wish, own) : GRADYN_NO_MEMORY);
  const gradyn_mech_state at = {.t = 0, .q = s->z, .v = s->z + mech->n};
  /* requested coordinates first, then the best conditioned ones */
  GRADYN_TRY(gradyn_independent_choose(&s->independent, &at, own));
  list_places(s);
  return GRADYN_OK;
}

/* Loads the data at rho and chooses smooth or hybrid runs. */
static gradyn_status open_model(gradyn_disturbance *s, const double *rho,
                                const gradyn_disturbance_wish *wish)
{
  gradyn_evaluator *ev = s->ev;
  gradyn_model *model = s->model;
  gradyn_message_clear(&model->message);
  for (size_t i = 0; i < gradyn_parameter_count(ev); i++)
    ev->rho[i] = rho[i];
  /* all data are active: any of them may be disturbed */
  GRADYN_TRY(gradyn_model_refresh(model, ev->rho));
  GRADYN_TRY(gradyn_model_load(model, NULL));
  if (model->mech && model->mech->ops->activate)
    model->mech->ops->activate(model->mech, NULL);
  if (wish->section && model->event_count == 0)
    return gradyn_fail(&model->message, GRADYN_INVALID, "event '%.60s': the problem has no events",
                       wish->section);
  if (model->mech && model->mech->rolling > 0)
    return gradyn_fail(
        &model->message, GRADYN_UNSUPPORTED,
        "%s is a velocity-level constraint, which transitions and orbits do not support",
        gradyn_mech_first_roll(model->mech));
  /* with events, a second evaluator runs; without them, the stages of one run suffice */
  s->ops = model->event_count > 0 ? &gradyn_hybrid_disturbance : &gradyn_smooth_disturbance;
  GRADYN_TRY(s->ops->open(s));
  return model->mech ? gradyn_independent_create(model->mech, &s->independent) : GRADYN_OK;
}

gradyn_status gradyn_disturbance_create(gradyn_evaluator *ev, const double *rho,
                                        const gradyn_disturbance_wish *wish, gradyn_disturbance *s)
{
  *s = (gradyn_disturbance){.ev = ev, .model = ev->model};
  GRADYN_TRY(open_model(s, rho, wish));
  GRADYN_TRY(take_memory(s));
  memcpy(s->given, s->model->x, (size_t)s->model->nx * sizeof(double));
  memcpy(s->x, s->given, (size_t)s->model->nx * sizeof(double));
  GRADYN_TRY(s->model->mech ? begin(s) : s->ops->begin(s));
  GRADYN_TRY(choose(s, wish));
  return s->ops->prepare(s, wish);
}

/* dz = L dw: independent coordinates and rates are given, the others follow from the constraints. */
void gradyn_disturbance_lift(gradyn_disturbance *s, const double *w, double *z)
{
  const gradyn_independent *u = &s->independent;
  if (!s->model->mech) {
    memcpy(z, w, (size_t)s->nz * sizeof(double));
    return;
  }
  int n = s->nz / 2, at = 0;
  double *du = s->unit, *rate = s->unit + n;
  memset(s->unit, 0, 2 * (size_t)n * sizeof(double));
  /* both in the order of the independent coordinates */
  for (int k = 0; k < u->count && at < s->size; k++)
    if (s->position[at] == u->at[k])
      du[k] = w[at++];
  for (int k = 0; k < u->count && at < s->size; k++)
    if (s->position[at] == n + u->at[k])
      rate[k] = w[at++];
  gradyn_independent_lift(&s->independent, du, rate, z, z + n);
}

gradyn_status gradyn_disturbance_run(gradyn_disturbance *s)
{
  return s->ops->run(s);
}

gradyn_status gradyn_disturbance_by_data(gradyn_disturbance *s, int columns, const double *dx,
                                         double *b)
{
  size_t nz = (size_t)s->nz, nx = (size_t)s->model->nx;
  /* phi(w, T)_x dx: the start depends on the data, with w fixed */
  FREED double *dz = calloc(3 * nz + 1, sizeof(double));
  if (!dz)
    return GRADYN_NO_MEMORY;
  double *held = dz + nz, *w = held + nz;
  for (int j = 0; j < columns; j++) {
    /* w stays as it is: dz - L dz_w changes only dependent coordinates */
    GRADYN_TRY(s->ops->start(s, dx + (size_t)j * nx, dz));
    for (int i = 0; i < s->size; i++)
      w[i] = dz[s->position[i]];
    gradyn_disturbance_lift(s, w, held);
    for (int i = 0; i < s->nz; i++)
      dz[i] -= held[i];
    GRADYN_TRY(s->ops->by_data(s, dx + (size_t)j * nx, dz, b + j * (s->size + 1)));
  }
  return GRADYN_OK;
}

void gradyn_disturbance_aim(gradyn_disturbance *s, const double *dw)
{
  memcpy(s->base, s->z, (size_t)s->nz * sizeof(double));
  gradyn_disturbance_lift(s, dw, s->base + s->nz);
}

void gradyn_disturbance_move(gradyn_disturbance *s, double share)
{
  for (int i = 0; i < s->nz; i++)
    s->x[s->datum[i]] = s->base[i] + share * s->base[s->nz + i];
}
