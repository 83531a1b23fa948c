/* Preparation of disturbances of the initial state. The disturbed state is expressed in independent
 * coordinates at the start and at the end, so that matrices are regular. */
#include "adjoint/analyses/disturbance.h"
#include "core/mech/rolling.h"
#include "adjoint/analyses/chart.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/equations/equations.h"
#include "dae/explicit/explicit.h"
#include "dae/onestep/events.h"
#include "dae/radau/radau.h"
#include "dae/start/initial.h"

/* Relative tolerance of the runs, limited by round-off. */
static const double tolerance = 1e-11;

void gradyn_disturbance_clear(gradyn_disturbance *s)
{
  if (s->given)
    /* cannot fail: the same data have been loaded before */
    (void)gradyn_model_load(s->model, s->given);
  gradyn_onestep_sweeps_clear(&s->sweeps);
  gradyn_onestep_free(s->march);
  gradyn_arena_clear(&s->arena);
  gradyn_independent_clear(&s->independent);
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
  s->before = gradyn_arena_numbers(arena, nz * nz);
  s->Z = gradyn_arena_numbers(arena, nz * nz);
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

/* Creates the method with a tight tolerance and without assembly of the start. */
static gradyn_status create_run(gradyn_disturbance *s, bool stiff)
{
  gradyn_model *model = s->model;
  gradyn_options options = s->ev->options;
  options.rtol = tolerance; /* M has the same relative errors as the run */
  options.atol = 0;
  options.step = 0;
  options.order = stiff ? 0 : 8;
  const bool steady = model->equations && model->equations->steady;
  /* these flags are changed only for the integrator that is created here */
  if (model->mech)
    model->mech->begin.free = true;
  if (steady)
    model->equations->steady = false;
  const gradyn_status status = gradyn_onestep_create(
      model, &options, stiff ? &gradyn_radau_scheme : &gradyn_explicit_scheme, &s->march);
  if (model->mech)
    model->mech->begin.free = false;
  if (steady)
    model->equations->steady = true;
  return status;
}

gradyn_status gradyn_disturbance_method(gradyn_disturbance *s, bool stiff)
{
  gradyn_onestep_sweeps_clear(&s->sweeps);
  gradyn_onestep_free(s->march);
  s->march = NULL;
  GRADYN_TRY(create_run(s, stiff));
  s->march->tape.unread = true;
  if (s->march->events)
    s->march->events->base.coincidence.states_only = true;
  s->march->nq = 0;
  s->nz = s->march->rates->nz;
  return gradyn_onestep_sweeps_create(s->march, &s->sweeps);
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

/* Sets the initial values of general equations. */
static gradyn_status begin_equations(gradyn_disturbance *s)
{
  gradyn_rates *rates = s->march->rates;
  for (int i = 0; i < s->nz; i++) {
    s->shown[i] = rates->position[i];
    s->datum[i] = s->model->equations->unknown[rates->position[i]].datum;
  }
  return rates->ops->start(rates, s->z);
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

/* Finds the event and occurrence of the section; none: the end of the run. */
static gradyn_status find_section(gradyn_disturbance *s, const gradyn_disturbance_wish *wish)
{
  gradyn_model *model = s->model;
  s->which = 0;
  if (!wish->section)
    return GRADYN_OK;
  for (int k = 0; k < model->event_count; k++)
    if (strcmp(model->event[k].name, wish->section) == 0) {
      s->event = k;
      s->which = wish->which > 0 ? wish->which : 1;
      return GRADYN_OK;
    }
  char names[160];
  size_t used = 0;
  for (int k = 0; k < model->event_count && used < sizeof names; k++)
    used += (size_t)snprintf(names + used, sizeof names - used, " %s", model->event[k].name);
  return gradyn_fail(&model->message, GRADYN_INVALID,
                     "event '%.60s': the problem has none of this name. Its events:%s",
                     wish->section, names);
}

/* Fails for an orbit that begins with active captured data, which are additional states. */
static gradyn_status check_start(gradyn_disturbance *s)
{
  gradyn_model *model = s->model;
  for (int k = 0; k < model->log.captures.count; k++)
    if (gradyn_latch_active(&model->log.captures.item[k], 0))
      return gradyn_fail(&model->message, GRADYN_UNSUPPORTED,
                         "the latched constraint %s is active at the start of the run%s%s. Begin "
                         "the run in another mode",
                         model->mech->constraint_name(model->mech, model->log.captures.item[k].row),
                         model->modes.count > 0 ? ", mode " : "",
                         model->modes.count > 0 ? model->modes.name[0] : "");
  if (s->size == 0)
    return gradyn_fail(&model->message, GRADYN_INVALID,
                       "the model has no degree of freedom at the start; a disturbance needs one");
  return GRADYN_OK;
}

/* Loads the data at rho and creates the run. */
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
  if (model->event_count > 0 && !model->mech) /* charts do not cover states after an event */
    return gradyn_fail(&model->message, GRADYN_UNSUPPORTED,
                       "transition matrices and orbits of general equations do not go through "
                       "events (%s)",
                       model->event[0].name);
  GRADYN_TRY(gradyn_disturbance_method(s, false));
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
  GRADYN_TRY(s->model->mech ? begin(s) : begin_equations(s));
  GRADYN_TRY(choose(s, wish));
  GRADYN_TRY(s->model->event_count > 0 ? check_start(s) : GRADYN_OK);
  return find_section(s, wish);
}
