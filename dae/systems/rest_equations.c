/* Initial state and equilibrium of general equations.
 *
 * The equilibrium F(0, y, 0, x) = 0 is the steady state that the motion reaches (steady_equations.h). If it
 * reaches no stable one, an equilibrium is found by y -= (F_y + cj F_y')^-1 F. These are steps of length
 * 1/cj of the motion, which become longer until they are Newton's steps. They damp the motion, so that an
 * undamped motion ends too, and unstable states can be found. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/linear/norm.h"
#include "dae/linear/pseudo_transient.h"
#include "dae/start/linearise.h"
#include "dae/systems/index1.h"
#include "dae/systems/sizes.h"
#include "dae/systems/steady_equations.h"

enum { MOST_STEPS = 500 };

typedef struct work {
  gradyn_model *model;
  gradyn_index1 *system;
  double *y, *yp, *sy, *size; /* [ny] */
  gradyn_arena arena;
} work;

static void clear(work *w)
{
  gradyn_index1_free(w->system);
  gradyn_arena_clear(&w->arena);
}

/* Creates the system and starts it. y and yp become the initial state. */
static gradyn_status open_system(gradyn_model *model, work *w)
{
  *w = (work){.model = model};
  GRADYN_TRY(gradyn_index1_from_equations(model, &w->system));
  double **array[] = {&w->y, &w->yp, &w->sy, &w->size};
  for (size_t k = 0; k < GRADYN_COUNT(array); k++)
    *array[k] = gradyn_arena_numbers(&w->arena, (size_t)w->system->ny);
  if (gradyn_arena_status(&w->arena) != GRADYN_OK)
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory for %d states",
                       w->system->ny);
  GRADYN_TRY(w->system->ops->start(w->system, w->y, w->yp));
  /* remove the message about the singular matrix, which led to the combined rates */
  gradyn_message_clear(&model->message);
  return GRADYN_OK;
}

gradyn_status gradyn_start_equations(gradyn_model *model, double *y)
{
  work w;
  gradyn_discrete_state_enter_arc(model, 0);
  gradyn_status status = open_system(model, &w);
  if (status == GRADYN_OK)
    memcpy(y, w.y, (size_t)w.system->ny * sizeof(double));
  clear(&w);
  return status;
}

/* Computes one step of length 1/cj from w->y, as w->sy. *step: its size relative to the sizes of the
 * states. */
static gradyn_status aim(work *w, double cj, double *step)
{
  gradyn_index1 *system = w->system;
  /* rates are zero */
  memset(w->yp, 0, (size_t)system->ny * sizeof(double));
  GRADYN_TRY(system->ops->residual(system, 0, w->y, w->yp, w->sy));
  GRADYN_TRY(system->ops->linearise(system, 0, w->y, w->yp));
  const gradyn_status status = system->ops->factor(system, cj);
  if (status == GRADYN_SINGULAR)
    return gradyn_fail(&w->model->message, status,
                       "the equations at rest are singular: no equilibrium is isolated");
  GRADYN_TRY(status);
  system->ops->solve(system, w->sy);
  /* largest change relative to the size of the state */
  *step = 0;
  for (int i = 0; i < system->ny; i++)
    *step = fmax(*step, fabs(w->sy[i]) / fmax(w->size[i], fabs(w->y[i])));
  return isfinite(*step) && gradyn_all_finite(w->sy, system->ny)
             ? GRADYN_OK
             : gradyn_fail(&w->model->message, GRADYN_NON_FINITE,
                           "the iterations to the equilibrium diverged: a number is not finite");
}

/* Takes steps while cj decreases from a first value to `least`, by gradyn_pseudo_transient_factor(). */
static gradyn_status settle(work *w, double cj, double least)
{
  double step = 0, last = HUGE_VAL, rate = 0;
  for (int k = 0; k < MOST_STEPS; k++) {
    const bool small = cj <= least;
    GRADYN_TRY(gradyn_model_cancelled(w->model, 0));
    GRADYN_TRY(aim(w, fmax(cj, least), &step));
    for (int i = 0; i < w->system->ny; i++)
      w->y[i] -= w->sy[i];
    /* Newton's steps decrease to round-off, slowly at a multiple zero */
    if (small && (step < 1e-14 || ((step >= last || k > MOST_STEPS / 2) && step < 1e-10)))
      return GRADYN_OK;
    const double now = step * cj;
    cj *= gradyn_pseudo_transient_factor(now / rate, small || step < 1e-10);
    rate = now;
    last = step;
  }
  return gradyn_fail(&w->model->message, GRADYN_NOT_CONVERGED,
                     "no equilibrium has been found: after %d steps from the initial state, states "
                     "still change by %.3g of their size",
                     (int)MOST_STEPS, step);
}

/* Finds the equilibrium by the damped motion from the initial state. If this diverges, uses Newton's method
 * from the initial state. */
static gradyn_status balance(work *w, gradyn_model *model, double *y)
{
  gradyn_discrete_state_enter_arc(model, 0);
  const double t_end = model->x[model->t_end];
  GRADYN_TRY(open_system(model, w));
  const size_t bytes = (size_t)w->system->ny * sizeof(double);
  GRADYN_TRY(gradyn_state_sizes(model, w->system, w->y, w->yp, t_end, w->size));
  /* in the first step, the fastest state changes by a tenth of its size */
  double cj = t_end > 0 ? 1 / t_end : 1;
  for (int i = 0; i < w->system->ny; i++)
    cj = fmax(cj, 10 * fabs(w->yp[i]) / fmax(w->size[i], fabs(w->y[i])));
  memcpy(y, w->y, bytes);
  gradyn_message_clear(&model->message);
  gradyn_status status = settle(w, cj, 1e-12 * cj);
  if (status != GRADYN_OK && status != GRADYN_INTERRUPTED) {
    memcpy(w->y, y, bytes);
    gradyn_message_clear(&model->message); /* remove the message of the failed motion */
    status = settle(w, 0, 1e-12 * cj);
  }
  if (status == GRADYN_OK)
    memcpy(y, w->y, bytes);
  return status;
}

/* Finds the stable state that the motion from the initial values reaches. */
static gradyn_status reach(gradyn_model *model, double *y)
{
  gradyn_steady_state w;
  gradyn_discrete_state_enter_arc(model, 0);
  gradyn_status status = gradyn_steady_state_create(model, false, &w);
  if (status == GRADYN_OK)
    status = gradyn_steady_state_find(&w, true);
  if (status == GRADYN_OK)
    memcpy(y, w.y, (size_t)w.system->ny * sizeof *y);
  gradyn_steady_state_clear(&w);
  return status;
}

gradyn_status gradyn_balance_equations(gradyn_model *model, double *y)
{
  work w;
  gradyn_status status = reach(model, y);
  if (status == GRADYN_OK || status == GRADYN_INTERRUPTED || status == GRADYN_NO_MEMORY)
    return status;
  gradyn_message_clear(&model->message); /* remove the message of the failed motion */
  status = balance(&w, model, y);
  clear(&w);
  return status;
}

gradyn_status gradyn_linearise_totals(gradyn_model *model, const double *y,
                                      gradyn_linearisation *out)
{
  gradyn_steady_state w;
  gradyn_discrete_state_enter_arc(model, 0);
  gradyn_status status = gradyn_steady_state_create(model, false, &w);
  if (status == GRADYN_OK)
    status = gradyn_steady_state_at(&w, y);
  const int count = status == GRADYN_OK || status == GRADYN_SINGULAR ? w.totals.count : 0;
  if (status != GRADYN_NO_MEMORY) {
    /* no totals were found: the equilibrium is valid without them */
    gradyn_message_clear(&model->message);
    status = GRADYN_OK;
  }
  if (count > 0) {
    const int n = w.system->ny;
    out->total = calloc((size_t)count, sizeof *out->total);
    out->total_value = calloc((size_t)count, sizeof *out->total_value);
    const bool enough = out->total && out->total_value;
    if (!enough)
      status = gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory for totals");
    out->totals = enough ? count : 0;
    for (int i = 0; i < out->totals; i++) {
      (void)gradyn_totals_name(&w.totals, w.plain, i, out->total[i]);
      out->total_value[i] = gradyn_dot(w.totals.C + i * n, y, n);
    }
  }
  gradyn_steady_state_clear(&w);
  return status;
}
