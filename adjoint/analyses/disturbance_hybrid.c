/* Disturbances of the initial state along a motion with events, by any method with events. A second evaluator
 * runs a problem whose functionals are the disturbed states at the end of the run or after an event. Its
 * direct sweep along initial states gives the matrix of disturbances, saltation included. */
#include "core/model/declare.h"
#include "adjoint/evaluator/refined.h"
#include "adjoint/analyses/disturbance.h"
#include "adjoint/gradient/gradient.h"
#include "adjoint/evaluator/verify_callbacks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/linear/norm.h"
#include "core/problems/prior.h"
#include "dae/start/initial.h"
#include <gradyn/functionals.h>

/* Relative tolerance of runs with adaptive steps. */
static const double tolerance = 1e-13;

/* The problem with additional functionals. */
typedef struct instrumented {
  gradyn_problem problem; /* the first member, so that build() finds the other members */
  const gradyn_problem *of;
  const gradyn_disturbance *s;
  int event, which; /* the event after which states are read; which = 0: the end */
  int first;        /* first of the functionals [1 + size]: the time, then w */
} instrumented;

typedef struct hybrid {
  instrumented watched;
  gradyn_evaluator *ev;
  gradyn_initial start; /* with free initial states */
  gradyn_directions along;
  double *dx, *scale;     /* [size + 1][nx], [size + 1] */
  double *unit, *column;  /* [size], [nz] */
  double *psi, *gradient; /* [functionals], [functionals][size + 1] */
  gradyn_arena arena;     /* owns all arrays */
} hybrid;

/* Also to be called after a failure of open_hybrid(). */
static void free_hybrid(gradyn_disturbance *s)
{
  hybrid *own = s->own;
  if (!own)
    return;
  gradyn_initial_clear(&own->start);
  gradyn_directions_clear(&own->along);
  gradyn_evaluator_free(own->ev);
  gradyn_arena_clear(&own->arena);
  free(own);
}

/* For mechanisms only: charts do not cover states of general equations after an event. */
static gradyn_status open_hybrid(gradyn_disturbance *s)
{
  hybrid *own = s->own = calloc(1, sizeof *own);
  if (!own)
    return gradyn_fail(&s->model->message, GRADYN_NO_MEMORY, "out of memory for a run");
  if (!s->model->mech)
    return gradyn_fail(&s->model->message, GRADYN_UNSUPPORTED,
                       "transition matrices and orbits of general equations do not go through "
                       "events (%s)",
                       s->model->event[0].name);
  /* z = (q, v) */
  s->nz = 2 * s->model->mech->n;
  return GRADYN_OK;
}

/* --- the problem with additional functionals ------------------------------------------------------- */

/* Moves a functional from the end of the run to after the event. */
static void tie(gradyn_functional_entry *f, const instrumented *watched)
{
  if (!f || watched->which == 0)
    return;
  f->event = watched->event;
  f->which = watched->which;
  f->side = GRADYN_AFTER;
  f->data_only = false; /* the event's time depends on states */
}

/* Calls the user's build() and mutes its functionals; adds the time of the section and the states there. */
static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  instrumented *watched = (instrumented *)model->problem; /* its first member */
  gradyn_functional_entry *f;
  model->span.free_start = true;
  gradyn_status status = gradyn_problem_build(watched->of, model, rho);
  if (!model->finalised)
    gradyn_functionals_disable(model);
  watched->first = model->cursor.functional;
  /* the name appears in messages: "functional return to impact is taken at ..." */
  const char *name = gradyn_format_name(
      model, "return to %.40s", watched->which > 0 ? model->event[watched->event].name : "end");
  const int time = gradyn_end_time_functional(model, name) - gradyn_first_id(model);
  if (!model->finalised && time >= 0 && time < model->functional_count)
    tie(&model->functional[time], watched);
  for (int i = 0; i < watched->s->size; i++) {
    gradyn_state_functional(model, gradyn_format_name(model, "%.60s.%d", name, i),
                            watched->s->position[i], &f);
    tie(f, watched);
  }
  return status;
}

/* Finds the event and occurrence of the section; none: the end of the run. */
static gradyn_status find_section(gradyn_disturbance *s, const gradyn_disturbance_wish *wish)
{
  gradyn_model *model = s->model;
  instrumented *watched = &((hybrid *)s->own)->watched;
  watched->which = 0;
  if (!wish->section)
    return GRADYN_OK;
  for (int k = 0; k < model->event_count; k++)
    if (strcmp(model->event[k].name, wish->section) == 0) {
      watched->event = k;
      watched->which = wish->which > 0 ? wish->which : 1;
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

/* Allocates columns for all independent coordinates and the end time. */
static gradyn_status take_memory(gradyn_disturbance *s)
{
  hybrid *own = s->own;
  size_t columns = (size_t)s->size + 1, nf = (size_t)own->ev->model->functional_count;
  own->dx = gradyn_arena_numbers(&own->arena, columns * (size_t)s->model->nx + 1);
  own->scale = gradyn_arena_numbers(&own->arena, columns);
  own->unit = gradyn_arena_numbers(&own->arena, columns);
  own->column = gradyn_arena_numbers(&own->arena, (size_t)s->nz + 1);
  own->psi = gradyn_arena_numbers(&own->arena, nf + 1);
  own->gradient = gradyn_arena_numbers(&own->arena, nf * columns + 1);
  if (gradyn_arena_status(&own->arena) == GRADYN_OK)
    return GRADYN_OK;
  return gradyn_fail(&s->model->message, GRADYN_NO_MEMORY, "out of memory for a run");
}

/* Captured data are additional states. An orbit must not begin with them. */
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

/* Creates the evaluator of the extended problem, with direct sensitivities at a tight tolerance. */
static gradyn_status prepare(gradyn_disturbance *s, const gradyn_disturbance_wish *wish)
{
  hybrid *own = s->own;
  instrumented *watched = &own->watched;
  const gradyn_evaluator *ev = s->ev;
  gradyn_options options = ev->options;
  GRADYN_TRY(check_start(s));
  GRADYN_TRY(find_section(s, wish));
  *watched = (instrumented){*ev->problem, ev->problem, s, watched->event, watched->which, 0};
  watched->problem.build = build;
  /* one direct sweep for size + 1 columns */
  options.sensitivity = "direct";
  if (options.rtol > 0) { /* the accuracy that orbits need */
    options.rtol = fmin(options.rtol, tolerance);
    options.atol = options.rtol_sens = 0;
  }
  const gradyn_status status = gradyn_evaluator_create_refined(
      &watched->problem, gradyn_evaluator_added(ev), &options, ev->settings, ev->setting_count,
      &own->ev);
  if (status != GRADYN_OK) {
    if (own->ev)
      s->model->message = own->ev->message;
    return status;
  }
  gradyn_verify_callbacks_alike(ev, own->ev);
  /* the other model runs from now on: both have the same data and coordinates */
  s->model = own->ev->model;
  s->independent.mech = s->model->mech;
  GRADYN_TRY(gradyn_initial_create(s->model->mech, GRADYN_ASSEMBLY, &own->start));
  return take_memory(s);
}

/* --- runs ------------------------------------------------------------------------------------------ */

/* Computes the consistent state at the start, with its rates. */
static gradyn_status look(gradyn_disturbance *s)
{
  hybrid *own = s->own;
  const gradyn_initial *at = &own->start;
  int n = s->model->mech->n;
  gradyn_model_derive(s->model, s->x);
  GRADYN_TRY(gradyn_model_load(s->model, s->x));
  GRADYN_TRY(gradyn_initial_solve(&own->start));
  memcpy(s->z, at->q, (size_t)n * sizeof(double));
  memcpy(s->z + n, at->v, (size_t)n * sizeof(double));
  for (int i = 0; i < s->size; i++) {
    int k = s->position[i];
    s->w[i] = s->z[k];
    s->f[i] = k < n ? at->v[k] : at->a[k - n];
  }
  return gradyn_independent_move(&s->independent,
                                 &(gradyn_mech_state){.t = 0, .q = s->z, .v = s->z + n});
}

/* Checks that the run ends in the mode in which it begins: other modes have other independent states. */
static gradyn_status compare_modes(gradyn_disturbance *s)
{
  gradyn_model *model = s->model;
  const instrumented *watched = &((hybrid *)s->own)->watched;
  gradyn_discrete_state discrete = {0};
  for (int k = 0; k < model->log.count; k++) {
    const gradyn_event_record *e = &model->log.record[k];
    discrete = gradyn_discrete_state_after(model, discrete, e->event);
    if (watched->which > 0 && e->event == watched->event && e->occurrence == watched->which)
      break;
  }
  if (discrete.mode == 0)
    return GRADYN_OK;
  return gradyn_fail(&model->message, GRADYN_INVALID,
                     "run: begins in mode %s, ends in mode %s; both must be the same",
                     model->modes.name[0], model->modes.name[discrete.mode]);
}

/* Computes psi and its derivatives along columns of dx, which include the initial state. */
static gradyn_status sweep(gradyn_disturbance *s, int columns)
{
  hybrid *own = s->own;
  gradyn_status status = gradyn_directions_dense(s->model, columns, own->dx, own->scale,
                                                 &own->along);
  if (status == GRADYN_OK)
    status = gradyn_gradient_along(own->ev, s->x, &own->along, own->psi, own->gradient);
  if (status != GRADYN_OK)
    s->model->message = own->ev->message;
  return status;
}

/* Copies z [nz] into the initial state of column dx [nx]. */
static void put_start(const gradyn_disturbance *s, const double *z, double *dx)
{
  for (int i = 0; i < s->nz; i++)
    dx[s->datum[i]] = z[i];
}

/* Fills dx with the unit disturbances of w, and with that of the end time. */
static void fill_columns(gradyn_disturbance *s)
{
  hybrid *own = s->own;
  int nx = s->model->nx, size = s->size;
  double *unit = own->unit, typical = gradyn_largest(s->w, size);
  memset(own->dx, 0, (size_t)(size + 1) * (size_t)nx * sizeof(double));
  memset(unit, 0, (size_t)size * sizeof(double));
  for (int j = 0; j < size; j++) {
    unit[j] = 1;
    gradyn_disturbance_lift(s, unit, own->column);
    unit[j] = 0;
    put_start(s, own->column, own->dx + j * nx);
    own->scale[j] = typical > 0 ? typical : 1;
  }
  own->dx[size * nx + s->model->t_end] = 1;
  own->scale[size] = s->x[s->model->t_end];
}

/* Computes phi(w), M = dphi/dw and the return time by one sweep. */
static gradyn_status run(gradyn_disturbance *s)
{
  hybrid *own = s->own;
  int size = s->size, columns = size + 1;
  GRADYN_TRY(look(s));
  fill_columns(s);
  GRADYN_TRY(sweep(s, columns));
  GRADYN_TRY(compare_modes(s));
  /* functionals in the order of build(): time, then states */
  const double *psi = own->psi + own->watched.first;
  const double *slope = own->gradient + own->watched.first * columns;
  s->return_time = psi[0];
  memcpy(s->return_slope, slope, (size_t)size * sizeof(double));
  for (int i = 0; i < size; i++) {
    /* w_i(T), its derivatives by w and by t_end */
    const double *row = slope + (1 + i) * columns;
    s->w[size + i] = psi[1 + i];
    memcpy(s->M + i * size, row, (size_t)size * sizeof(double));
    s->by_time[i] = row[size];
  }
  return GRADYN_OK;
}

/* Computes dz of the consistent initial state along dx. */
static gradyn_status start(gradyn_disturbance *s, const double *dx, double *dz)
{
  gradyn_initial *at = &((hybrid *)s->own)->start;
  GRADYN_TRY(gradyn_model_load(s->model, s->x));
  GRADYN_TRY(gradyn_initial_solve(at));
  return gradyn_initial_tangent(at, dx, 0, dz, dz + s->model->mech->n, NULL, NULL);
}

/* Computes (time; w)_x dx at the section, with the start changed by dz. */
static gradyn_status by_data(gradyn_disturbance *s, const double *dx, const double *dz, double *b)
{
  hybrid *own = s->own;
  int nx = s->model->nx, size = s->size;
  memcpy(own->dx, dx, (size_t)nx * sizeof(double));
  put_start(s, dz, own->dx);
  GRADYN_TRY(sweep(s, 1));
  memcpy(b, own->gradient + own->watched.first, (1 + (size_t)size) * sizeof(double));
  return GRADYN_OK;
}

const gradyn_disturbance_ops gradyn_hybrid_disturbance = {open_hybrid, NULL,    prepare,    run,
                                                          start,       by_data, free_hybrid};
