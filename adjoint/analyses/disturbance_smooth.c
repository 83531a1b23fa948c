/* Disturbances of the initial state along a smooth motion, by the explicit method of order 8. All columns of
 * dz(T)/dz(0) are propagated along the stages of one run, in lanes. */
#include "adjoint/analyses/disturbance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "adjoint/onestep/sweeps.h"
#include "dae/explicit/explicit.h"
#include "core/equations/equations.h"

/* Relative tolerance of the runs, limited by round-off. */
static const double tolerance = 1e-11;

enum { MOST_DIVISIONS = 10 };

typedef struct smooth {
  gradyn_onestep *march;
  gradyn_onestep_sweeps sweeps;
  double *Z, *before; /* [columns][nz]; [size][size] */
  gradyn_arena arena; /* owns both */
} smooth;

/* Also to be called after a failure of open_smooth(). */
static void free_smooth(gradyn_disturbance *s)
{
  smooth *own = s->own;
  if (!own)
    return;
  gradyn_onestep_sweeps_clear(&own->sweeps);
  gradyn_onestep_free(own->march);
  gradyn_arena_clear(&own->arena);
  free(own);
}

/* Creates the explicit method with a tight tolerance and without assembly of the start. */
static gradyn_status open_smooth(gradyn_disturbance *s)
{
  smooth *own = s->own = calloc(1, sizeof *own);
  if (!own)
    return gradyn_fail(&s->model->message, GRADYN_NO_MEMORY, "out of memory for a run");
  gradyn_options options = s->ev->options;
  options.rtol = tolerance; /* M has the same relative errors as the run */
  options.atol = 0;
  options.step = 0;
  options.order = 8;
  if (s->model->mech)
    s->model->mech->begin.free = true; /* for this integrator only */
  const gradyn_status status = gradyn_onestep_create(s->model, &options, &gradyn_explicit_scheme,
                                                     &own->march);
  if (s->model->mech)
    s->model->mech->begin.free = false;
  GRADYN_TRY(status);
  GRADYN_TRY(gradyn_onestep_sweeps_create(own->march, &own->sweeps));
  s->nz = own->march->rates->nz;
  const size_t size = (size_t)s->nz * (size_t)s->nz + 1;
  own->Z = gradyn_arena_numbers(&own->arena, size);
  own->before = gradyn_arena_numbers(&own->arena, size);
  return gradyn_arena_status(&own->arena) == GRADYN_OK
             ? GRADYN_OK
             : gradyn_fail(&s->model->message, GRADYN_NO_MEMORY, "out of memory for a run");
}

/* Sets the initial values of general equations. */
static gradyn_status begin(gradyn_disturbance *s)
{
  gradyn_rates *rates = ((smooth *)s->own)->march->rates;
  for (int i = 0; i < s->nz; i++) {
    s->shown[i] = rates->position[i];
    s->datum[i] = s->model->equations->unknown[rates->position[i]].datum;
  }
  return rates->ops->start(rates, s->z);
}

/* Nothing to prepare: without events the run has no section. */
static gradyn_status prepare(gradyn_disturbance *s, const gradyn_disturbance_wish *wish)
{
  (void)s, (void)wish;
  return GRADYN_OK;
}

/* Sets w at the start (0) or the end (1) of the run, and its rates f [size]. */
static void look(gradyn_disturbance *s, int end, const double *z, const double *stage, double *f)
{
  for (int i = 0; i < s->size; i++) {
    s->w[end * s->size + i] = z[s->position[i]];
    f[i] = stage[((smooth *)s->own)->march->rates->rates + s->position[i]];
  }
}

/* Computes M by propagating the columns of disturbances to the end. */
static gradyn_status carry(gradyn_disturbance *s)
{
  smooth *own = s->own;
  /* Z [size][nz]: first row j is the disturbance of z(0) by unit j, then that of z(T) */
  double *unit = s->return_slope; /* free as workspace: there is no return time */
  memset(unit, 0, (size_t)s->size * sizeof(double));
  for (int j = 0; j < s->size; j++) {
    unit[j] = 1;
    gradyn_disturbance_lift(s, unit, own->Z + j * s->nz);
    unit[j] = 0;
  }
  GRADYN_TRY(gradyn_onestep_carry(&own->sweeps, s->size, NULL, own->Z));
  for (int j = 0; j < s->size; j++)
    for (int i = 0; i < s->size; i++)
      s->M[i * s->size + j] = own->Z[j * s->nz + s->position[i]];
  return GRADYN_OK;
}

/* Computes phi(w, T), M and the rates at both ends by one run. */
static gradyn_status march_once(gradyn_disturbance *s)
{
  gradyn_onestep *march = ((smooth *)s->own)->march;
  double *stages = NULL;
  gradyn_model_derive(s->model, s->x);
  GRADYN_TRY(gradyn_model_load(s->model, s->x));
  GRADYN_TRY(gradyn_onestep_run(march, true, NULL, NULL));
  GRADYN_TRY(gradyn_onestep_stages(march, 0, &stages));
  memcpy(s->z, march->z, (size_t)s->nz * sizeof(double)); /* z(0), and z'(0) for charts */
  look(s, 0, march->z, stages, s->f);
  /* f(z(T), T) = dphi/dT is the last stage of the last step */
  GRADYN_TRY(gradyn_onestep_stages(march, march->count - 1, &stages));
  look(s, 1, march->z + (size_t)march->count * (size_t)s->nz,
       gradyn_onestep_stage(march, stages, march->kept.slots - 1), s->by_time);
  gradyn_arcs_enter(s->model, &march->arcs, 0);
  /* L belongs to the start */
  const gradyn_mech_state at = {.t = 0, .q = s->z, .v = s->z + s->nz / 2};
  if (s->model->mech)
    GRADYN_TRY(gradyn_independent_move(&s->independent, &at));
  return carry(s);
}

/* Returns the largest change of an entry of M since the last run, relative to the largest entry. */
static double change_of(gradyn_disturbance *s)
{
  smooth *own = s->own;
  double change = 0, most = 0;
  for (int i = 0; i < s->size * s->size; i++) {
    change = fmax(change, fabs(s->M[i] - own->before[i]));
    most = fmax(most, fabs(s->M[i]));
    own->before[i] = s->M[i];
  }
  return most > 0 ? change / most : 0;
}

/* Divides the steps until M converges. At rest no error limits the steps. */
static gradyn_status settle(gradyn_disturbance *s)
{
  gradyn_onestep *march = ((smooth *)s->own)->march;
  const double gain = pow(2, march->tableau->order) - 1;
  (void)change_of(s);
  for (int i = 0; i < MOST_DIVISIONS; i++) {
    GRADYN_TRY(gradyn_onestep_repeat(march, 1, 2));
    GRADYN_TRY(march_once(s));
    if (change_of(s) <= gain * tolerance)
      return GRADYN_OK;
  }
  return gradyn_fail(&s->model->message, GRADYN_STIFF,
                     "disturbances of a motion at rest do not converge with steps of %.2g s: it is "
                     "too stiff for an explicit method",
                     march->step[march->count - 1].h);
}

static gradyn_status run(gradyn_disturbance *s)
{
  gradyn_onestep *march = ((smooth *)s->own)->march;
  GRADYN_TRY(march_once(s));
  if (!gradyn_onestep_rests(march, true))
    return GRADYN_OK;
  const gradyn_status status = settle(s);
  (void)gradyn_onestep_repeat(march, 0, 0); /* the next run chooses its own steps */
  return status;
}

/* Computes dz of the initial state along dx. */
static gradyn_status start(gradyn_disturbance *s, const double *dx, double *dz)
{
  gradyn_onestep *march = ((smooth *)s->own)->march;
  memset(dz, 0, (size_t)s->nz * sizeof(double));
  gradyn_arcs_enter(s->model, &march->arcs, 0);
  /* all initial states of general equations are free and do not depend on data */
  return s->model->mech ? march->rates->ops->start_tangent(march->rates, dx, dz) : GRADYN_OK;
}

/* Computes phi_x dx + phi_z dz. The end time is fixed: b[0] = 0. */
static gradyn_status by_data(gradyn_disturbance *s, const double *dx, const double *dz, double *b)
{
  smooth *own = s->own;
  memcpy(own->Z, dz, (size_t)s->nz * sizeof(double));
  GRADYN_TRY(gradyn_onestep_carry(&own->sweeps, 1, dx, own->Z));
  b[0] = 0;
  for (int i = 0; i < s->size; i++)
    b[1 + i] = own->Z[s->position[i]];
  return GRADYN_OK;
}

const gradyn_disturbance_ops gradyn_smooth_disturbance = {open_smooth, begin,   prepare,    run,
                                                          start,       by_data, free_smooth};
