/* Disturbances of the initial state along a motion with events, by any method that knows them: an evaluator
 * of its own, of a problem whose functionals are the disturbed states at the end of the run or behind an
 * event. Its direct sweep, along initial states, is the matrix of disturbances; saltation is part of it. */
#include "adjoint/analyses/disturbance.h"
#include "adjoint/gradient/gradient.h"
#include "adjoint/evaluator/verify_callbacks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/linear/norm.h"
#include "dae/start/initial.h"

/* Relative tolerance of runs whose steps follow from one. */
static const double tolerance = 1e-13;

/* The problem as the search needs it. */
typedef struct instrumented {
  gradyn_problem problem; /* first, so that build() finds the rest */
  const gradyn_problem *of;
  const gradyn_disturbance *s;
  int event, which; /* where states are read; which = 0: at the end */
  int first;        /* number of the first of the functionals [1 + size]: the time, then w */
} instrumented;

typedef struct hybrid {
  instrumented watched;
  gradyn_evaluator *ev;
  gradyn_initial start; /* free */
  gradyn_directions along;
  double *dx, *scale;     /* [size + 1][nx], [size + 1] */
  double *unit, *column;  /* [size], [nz] */
  double *psi, *gradient; /* [functionals], [functionals][size + 1] */
  gradyn_arena arena;     /* of all arrays */
} hybrid;

/* Also of what open_hybrid() has left unfinished. */
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

/* For mechanisms: a state of general equations behind an event is not covered by charts. */
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

/* --- the problem with instruments ------------------------------------------------------------------ */

/* Takes a functional at an event instead of at the end of the run. */
static void tie(gradyn_functional_entry *f, const instrumented *watched)
{
  if (!f || watched->which == 0)
    return;
  /* psi = g(t_e, z behind the event) instead of g(t_end, z) */
  f->event = watched->event;
  f->which = watched->which;
  f->side = GRADYN_AFTER;
  f->data_only = false; /* the event's time depends on states */
}

/* The user's build() with its functionals silenced, then the time of the section and the states
 * there. */
static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  instrumented *watched = (instrumented *)model->problem; /* its first member */
  gradyn_functional_entry *f;
  model->span.free_start = true;
  gradyn_status status = watched->of->build(model, rho);
  if (!model->finalised)
    gradyn_functionals_mute(model);
  /* psi_first = the time, psi_first + 1 + i = w_i */
  watched->first = model->cursor.functional;
  /* the name is one for messages: "functional return to impact is taken at ..." */
  const char *name = gradyn_name(model, "return to %.40s",
                                 watched->which > 0 ? model->event[watched->event].name : "end");
  int time = gradyn_final_time(model, name);
  if (!model->finalised && time < model->functional_count)
    tie(&model->functional[time], watched);
  for (int i = 0; i < watched->s->size; i++) {
    gradyn_state_functional(model, gradyn_name(model, "%.60s.%d", name, i), watched->s->place[i],
                            &f);
    tie(f, watched);
  }
  return status;
}

/* The number of the event that is wished for, and at which of its returns; none: the end of the
 * run. */
static gradyn_status find_section(gradyn_disturbance *s, const gradyn_disturbance_wish *wish)
{
  gradyn_model *model = s->model;
  instrumented *watched = &((hybrid *)s->own)->watched;
  /* 0: the run ends by time */
  watched->which = 0;
  if (!wish->section)
    return GRADYN_OK;
  /* the section: an event by name, by its number in the run */
  for (int k = 0; k < model->event_count; k++)
    if (strcmp(model->event[k].name, wish->section) == 0) {
      watched->event = k;
      watched->which = wish->which > 0 ? wish->which : 1;
      return GRADYN_OK;
    }
  /* names that would do */
  char names[160];
  size_t used = 0;
  for (int k = 0; k < model->event_count && used < sizeof names; k++)
    used += (size_t)snprintf(names + used, sizeof names - used, " %s", model->event[k].name);
  return gradyn_fail(&model->message, GRADYN_INVALID, "there is no event '%.60s'; there is:%s",
                     wish->section, names);
}

/* Columns of all independent coordinates, and one more for the end time. */
static gradyn_status take_memory(gradyn_disturbance *s)
{
  hybrid *own = s->own;
  size_t columns = (size_t)s->size + 1, nf = (size_t)own->ev->model->functional_count;
  /* a column more: the end time */
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

/* Captured data are states of their own, which runs of an orbit do not begin with. */
static gradyn_status check_start(gradyn_disturbance *s)
{
  gradyn_model *model = s->model;
  for (int k = 0; k < model->log.captures.count; k++)
    if (gradyn_capture_holds(&model->log.captures.item[k], 0))
      return gradyn_fail(&model->message, GRADYN_UNSUPPORTED,
                         "the run begins where constraint %s holds what is captured%s%s: let it "
                         "begin in another mode",
                         model->mech->constraint_name(model->mech, model->log.captures.item[k].row),
                         model->modes.count > 0 ? ", mode " : "",
                         model->modes.count > 0 ? model->modes.name[0] : "");
  if (s->size == 0)
    return gradyn_fail(&model->message, GRADYN_INVALID,
                       "the model has no degree of freedom at the start; a disturbance needs one");
  return GRADYN_OK;
}

/* The evaluator that runs the instrumented problem, with direct sensitivities at a tight
 * tolerance. */
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
  /* size + 1 columns, as many functionals: one direct sweep does */
  options.sensitivity = "direct";
  if (options.rtol > 0) { /* as exact as orbits need it */
    options.rtol = fmin(options.rtol, tolerance);
    options.atol = options.rtol_sens = 0;
  }
  const gradyn_status status = gradyn_evaluator_create(&watched->problem, &options, ev->settings,
                                                       ev->setting_count, &own->ev);
  if (status != GRADYN_OK) {
    if (own->ev)
      s->model->message = own->ev->message;
    return status;
  }
  gradyn_verify_callbacks_alike(ev, own->ev);
  /* from here on the other model is the one that runs: both have the same data and coordinates */
  s->model = own->ev->model;
  s->independent.mech = s->model->mech;
  GRADYN_TRY(gradyn_initial_create(s->model->mech, GRADYN_ASSEMBLY, &own->start));
  return take_memory(s);
}

/* --- runs ------------------------------------------------------------------------------------------ */

/* The state at the start, on the constraints, with its rates. */
static gradyn_status look(gradyn_disturbance *s)
{
  hybrid *own = s->own;
  const gradyn_initial *at = &own->start;
  int n = s->model->mech->n;
  /* consistent: what is dependent follows, accelerations for the rates */
  gradyn_model_derive(s->model, s->x);
  GRADYN_TRY(gradyn_model_load(s->model, s->x));
  GRADYN_TRY(gradyn_initial_solve(&own->start));
  memcpy(s->z, at->q, (size_t)n * sizeof(double));
  memcpy(s->z + n, at->v, (size_t)n * sizeof(double));
  /* w and w' of the unknowns that are disturbed */
  for (int i = 0; i < s->size; i++) {
    int k = s->place[i];
    s->w[i] = s->z[k];
    s->f[i] = k < n ? at->v[k] : at->a[k - n];
  }
  return gradyn_independent_move(&s->independent,
                                 &(gradyn_mech_state){.t = 0, .q = s->z, .v = s->z + n});
}

/* In the mode that the run has begun in? Other modes have other states. */
static gradyn_status compare_modes(gradyn_disturbance *s)
{
  gradyn_model *model = s->model;
  const instrumented *watched = &((hybrid *)s->own)->watched;
  gradyn_discrete_state discrete = {0};
  /* the mode behind each event up to the section */
  for (int k = 0; k < model->log.count; k++) {
    const gradyn_event_record *e = &model->log.record[k];
    /* each event may lead on to another mode */
    discrete = gradyn_discrete_state_after(model, discrete, e->event);
    if (watched->which > 0 && e->event == watched->event && e->which == watched->which)
      break;
  }
  if (discrete.mode == 0)
    return GRADYN_OK;
  return gradyn_fail(&model->message, GRADYN_INVALID,
                     "the motion begins in mode %s and comes back in mode %s: these are states of "
                     "different kinds",
                     model->modes.name[0], model->modes.name[discrete.mode]);
}

/* psi and gradient along columns of dx, the initial state among them. */
static gradyn_status sweep(gradyn_disturbance *s, int columns)
{
  hybrid *own = s->own;
  /* directions in x: q0 and v0 of the start, the end time */
  gradyn_status status = gradyn_directions_dense(s->model, columns, own->dx, own->scale,
                                                 &own->along);
  if (status == GRADYN_OK)
    status = gradyn_gradient_along(own->ev, s->x, &own->along, own->psi, own->gradient);
  if (status != GRADYN_OK)
    s->model->message = own->ev->message;
  return status;
}

/* Puts z [nz] into the initial state of column dx [nx]. */
static void put_start(const gradyn_disturbance *s, const double *z, double *dx)
{
  for (int i = 0; i < s->nz; i++)
    dx[s->datum[i]] = z[i];
}

/* Unit columns of w in dx, and that of the end time. */
static void fill_columns(gradyn_disturbance *s)
{
  hybrid *own = s->own;
  int nx = s->model->nx, size = s->size;
  /* dz = L e_j, and dt_end = 1 in the last column */
  double *unit = own->unit, typical = gradyn_largest(s->w, size);
  memset(own->dx, 0, (size_t)(size + 1) * (size_t)nx * sizeof(double));
  memset(unit, 0, (size_t)size * sizeof(double));
  for (int j = 0; j < size; j++) {
    /* one unknown, in all coordinates that follow it */
    unit[j] = 1;
    gradyn_disturbance_lift(s, unit, own->column);
    unit[j] = 0;
    put_start(s, own->column, own->dx + j * nx);
    own->scale[j] = typical > 0 ? typical : 1;
  }
  own->dx[size * nx + s->model->t_end] = 1;
  own->scale[size] = s->x[s->model->t_end];
}

/* phi(w), M = dphi/dw and the time of return, all from one sweep. */
static gradyn_status run(gradyn_disturbance *s)
{
  hybrid *own = s->own;
  int size = s->size, columns = size + 1;
  GRADYN_TRY(look(s));
  fill_columns(s);
  GRADYN_TRY(sweep(s, columns));
  GRADYN_TRY(compare_modes(s));
  /* functionals in the order of build(): the time, then the states */
  const double *psi = own->psi + own->watched.first;
  const double *slope = own->gradient + own->watched.first * columns;
  s->return_time = psi[0];
  memcpy(s->return_slope, slope, (size_t)size * sizeof(double));
  for (int i = 0; i < size; i++) {
    /* w_i(T), its slopes along w and along t_end */
    const double *row = slope + (1 + i) * columns;
    s->w[size + i] = psi[1 + i];
    memcpy(s->M + i * size, row, (size_t)size * sizeof(double));
    s->by_time[i] = row[size];
  }
  return GRADYN_OK;
}

/* dz of the initial state along data, with what the constraints make of them. */
static gradyn_status start(gradyn_disturbance *s, const double *dx, double *dz)
{
  gradyn_initial *at = &((hybrid *)s->own)->start;
  GRADYN_TRY(gradyn_model_load(s->model, s->x));
  GRADYN_TRY(gradyn_initial_solve(at));
  return gradyn_initial_tangent(at, dx, 0, dz, dz + s->model->mech->n, NULL, NULL);
}

/* (time; w)_x dx at the section, with the start moved by dz. */
static gradyn_status by_data(gradyn_disturbance *s, const double *dx, const double *dz, double *b)
{
  hybrid *own = s->own;
  int nx = s->model->nx, size = s->size;
  memcpy(own->dx, dx, (size_t)nx * sizeof(double));
  put_start(s, dz, own->dx);
  /* one column: (time; w)_x dx + (time; w)_z0 dz */
  GRADYN_TRY(sweep(s, 1));
  memcpy(b, own->gradient + own->watched.first, (1 + (size_t)size) * sizeof(double));
  return GRADYN_OK;
}

const gradyn_disturbance_ops gradyn_hybrid_disturbance = {open_hybrid, NULL,    prepare,    run,
                                                          start,       by_data, free_hybrid};
