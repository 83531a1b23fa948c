/* Runs with a free initial state, and disturbances along them. All columns of dz(T)/dz(0) are propagated
 * along the records of one run, in lanes, with the saltation of its events. */
#include "adjoint/analyses/disturbance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dae/onestep/events.h"

enum { MOST_DIVISIONS = 10 };

/* Computes dz = L dw [nz]. dw contains the changes of independent coordinates and rates; the others follow
 * from the constraints. */
static void lift(gradyn_disturbance *s, const double *w, double *z)
{
  const gradyn_independent *u = &s->independent;
  if (!s->model->mech) {
    memcpy(z, w, (size_t)s->nz * sizeof(double));
    return;
  }
  int n = s->nz / 2, at = 0;
  double *du = s->unit, *rate = s->unit + n;
  memset(s->unit, 0, 2 * (size_t)n * sizeof(double));
  /* w lists positions, then rates, both in the order of the independent coordinates */
  for (int k = 0; k < u->count && at < s->size; k++)
    if (s->position[at] == u->at[k])
      du[k] = w[at++];
  for (int k = 0; k < u->count && at < s->size; k++)
    if (s->position[at] == n + u->at[k])
      rate[k] = w[at++];
  gradyn_independent_lift(&s->independent, du, rate, z, z + n);
}

/* Sets w at the start (end = 0) or at the end (end = 1) of the run from the state z, and its rates f [size]
 * from the stage. */
static void look(gradyn_disturbance *s, int end, const double *z, const double *stage, double *f)
{
  for (int i = 0; i < s->size; i++) {
    s->w[end * s->size + i] = z[s->position[i]];
    f[i] = stage[s->march->rates->rates + s->position[i]];
  }
}

/* Finds the boundary of the section; *boundary 0: the end of the run. Checks that the run ends there in the
 * mode in which it begins: other modes have other independent states. */
static gradyn_status find_end(gradyn_disturbance *s, int *boundary)
{
  gradyn_model *model = s->model;
  const gradyn_arcs *arcs = &s->march->arcs;
  const gradyn_discrete_state *last = &model->discrete;
  *boundary = 0;
  for (int k = 1; k <= arcs->count; k++) {
    const gradyn_passed_event *event = gradyn_onestep_event_at(s->march, k);
    if (event && s->which > 0 && event->record.event == s->event &&
        event->record.occurrence == s->which)
      *boundary = k;
  }
  if (s->which > 0 && *boundary == 0)
    return gradyn_fail(
        &model->message, GRADYN_EVENT,
        "return to %.40s: the run has fewer than %d of these events until its end at "
        "t = %g s",
        model->event[s->event].name, s->which, arcs->boundary[arcs->count].t);
  if (*boundary > 0)
    last = &arcs->boundary[*boundary].discrete;
  if (last->mode == 0)
    return GRADYN_OK;
  return gradyn_fail(&model->message, GRADYN_INVALID,
                     "run: begins in mode %s, ends in mode %s; both must be the same",
                     model->modes.name[0], model->modes.name[last->mode]);
}

/* Sets w at the end of the run or after the section, and the return time. */
static gradyn_status look_at_end(gradyn_disturbance *s)
{
  gradyn_onestep *march = s->march;
  double *stages;
  GRADYN_TRY(find_end(s, &s->end));
  if (s->end > 0) {
    const gradyn_passed_event *event = gradyn_onestep_event_at(march, s->end);
    s->return_time = event->record.t;
    for (int i = 0; i < s->size; i++)
      s->w[s->size + i] = event->y[1][march->rates->position[s->position[i]]];
    return GRADYN_OK;
  }
  /* f(z(T), T) = dphi/dT is the last stage of the last step; an event that ends the run determines T */
  GRADYN_TRY(gradyn_onestep_stages(march, march->count - 1, &stages));
  look(s, 1, march->z + (size_t)march->count * (size_t)s->nz,
       gradyn_onestep_stage(march, stages, march->kept.slots - 1), s->by_time);
  if (gradyn_log_ends(s->model))
    memset(s->by_time, 0, (size_t)s->size * sizeof(double));
  return GRADYN_OK;
}

/* Propagates the first columns of Z to the end of the run, or through the section. dt becomes the changes
 * of the time there. */
static gradyn_status carry(gradyn_disturbance *s, int columns, const double *dx, double *dt)
{
  const int records = gradyn_tape_until(&s->march->tape, s->end);
  return gradyn_onestep_carry(&s->sweeps, records, columns, dx, s->Z, dt);
}

/* Computes M by propagating the columns of disturbances. */
static gradyn_status find_matrix(gradyn_disturbance *s)
{
  /* row j of Z [size][nz]: first the disturbance of z(0) by a unit disturbance of w_j, then the resulting
   * disturbance of z(T) */
  double *unit = s->return_slope;
  memset(unit, 0, (size_t)s->size * sizeof(double));
  for (int j = 0; j < s->size; j++) {
    unit[j] = 1;
    lift(s, unit, s->Z + j * s->nz);
    unit[j] = 0;
  }
  GRADYN_TRY(carry(s, s->size, NULL, s->return_slope));
  for (int j = 0; j < s->size; j++)
    for (int i = 0; i < s->size; i++)
      s->M[i * s->size + j] = s->Z[j * s->nz + s->position[i]];
  return GRADYN_OK;
}

/* Computes phi(w, T), M and the rates at both ends by one run. */
static gradyn_status march_once(gradyn_disturbance *s)
{
  gradyn_onestep *march = s->march;
  double *stages = NULL;
  gradyn_model_derive(s->model, s->x);
  GRADYN_TRY(gradyn_model_load(s->model, s->x));
  GRADYN_TRY(gradyn_onestep_run(march, true, NULL, NULL));
  GRADYN_TRY(gradyn_log_smooth(s->model));
  GRADYN_TRY(look_at_end(s));
  GRADYN_TRY(gradyn_onestep_stages(march, 0, &stages));
  memcpy(s->z, march->z, (size_t)s->nz * sizeof(double)); /* z(0), and z'(0) for charts */
  look(s, 0, march->z, stages, s->f);
  gradyn_onestep_enter(march, 0);
  /* L at the start of the run */
  const gradyn_mech_state at = {.t = 0, .q = s->z, .v = s->z + s->nz / 2};
  if (s->model->mech)
    GRADYN_TRY(gradyn_independent_move(&s->independent, &at));
  return find_matrix(s);
}

/* Returns the largest change of an entry of M since the last run, relative to the largest entry. */
static double change_of(gradyn_disturbance *s)
{
  double change = 0, most = 0;
  for (int i = 0; i < s->size * s->size; i++) {
    change = fmax(change, fabs(s->M[i] - s->before[i]));
    most = fmax(most, fabs(s->M[i]));
    s->before[i] = s->M[i];
  }
  return most > 0 ? change / most : 0;
}

/* Divides the steps until M converges. This is needed at rest, where the error control of the state does
 * not limit the steps. */
static gradyn_status settle(gradyn_disturbance *s)
{
  gradyn_onestep *march = s->march;
  const double gain = pow(2, march->tableau->order) - 1;
  (void)change_of(s);
  for (int i = 0; i < MOST_DIVISIONS; i++) {
    GRADYN_TRY(gradyn_onestep_repeat(march, 1, 2));
    GRADYN_TRY(march_once(s));
    if (change_of(s) <= gain * s->march->tolerances.asked[0])
      return GRADYN_OK;
  }
  return gradyn_fail(&s->model->message, GRADYN_STIFF,
                     "disturbances of a motion at rest do not converge with steps of %.2g s: it is "
                     "too stiff",
                     march->step[march->count - 1].h);
}

/* Runs by the present method. */
static gradyn_status run(gradyn_disturbance *s)
{
  GRADYN_TRY(march_once(s));
  if (!gradyn_onestep_rests(s->march, true))
    return GRADYN_OK;
  const gradyn_status status = settle(s);
  (void)gradyn_onestep_repeat(s->march, 0, 0); /* the next run chooses its own steps */
  return status;
}

gradyn_status gradyn_disturbance_run(gradyn_disturbance *s)
{
  const gradyn_status status = run(s);
  if (status != GRADYN_STIFF)
    return status;
  /* only the explicit method fails in this way */
  gradyn_message_clear(&s->model->message);
  GRADYN_TRY(gradyn_disturbance_method(s, true));
  return run(s);
}

/* Computes the change dz of the consistent initial state for a change dx of the data. */
static gradyn_status start(gradyn_disturbance *s, const double *dx, double *dz)
{
  gradyn_rates *rates = s->march->rates;
  memset(dz, 0, (size_t)s->nz * sizeof(double));
  gradyn_onestep_enter(s->march, 0);
  /* all initial states of general equations are free and do not depend on data */
  return s->model->mech ? rates->ops->start_tangent(rates, dx, dz) : GRADYN_OK;
}

gradyn_status gradyn_disturbance_by_data(gradyn_disturbance *s, int columns, const double *dx,
                                         double *b)
{
  size_t nz = (size_t)s->nz, nx = (size_t)s->model->nx;
  /* phi(w, T)_x dx: the start depends on the data, with w fixed */
  FREED double *held = calloc(2 * nz + 1, sizeof(double));
  if (!held)
    return GRADYN_NO_MEMORY;
  double *w = held + nz, *dz = s->Z;
  for (int j = 0; j < columns; j++, b += s->size + 1) {
    /* w remains fixed: dz - L dz_w changes only dependent coordinates */
    GRADYN_TRY(start(s, dx + (size_t)j * nx, dz));
    for (int i = 0; i < s->size; i++)
      w[i] = dz[s->position[i]];
    lift(s, w, held);
    for (int i = 0; i < s->nz; i++)
      dz[i] -= held[i];
    GRADYN_TRY(carry(s, 1, dx + (size_t)j * nx, b));
    for (int i = 0; i < s->size; i++)
      b[1 + i] = dz[s->position[i]];
  }
  return GRADYN_OK;
}

void gradyn_disturbance_aim(gradyn_disturbance *s, const double *dw)
{
  memcpy(s->base, s->z, (size_t)s->nz * sizeof(double));
  lift(s, dw, s->base + s->nz);
}

void gradyn_disturbance_move(gradyn_disturbance *s, double share)
{
  for (int i = 0; i < s->nz; i++)
    s->x[s->datum[i]] = s->base[i] + share * s->base[s->nz + i];
}
