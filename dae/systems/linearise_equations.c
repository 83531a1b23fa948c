/* Equilibrium of general equations, and linearisation near a state.
 *
 * Linearisation: F_y dy + F_y' dy' + F_x dx = 0 is solved for the rates of the differential states and for
 * the algebraic states, as at the start of an arc. If rates enter with a singular matrix, the states are
 * those entries of v = (1 - P) y_d that determine v; their number is its dimension.
 *
 * Equilibrium: F(0, y, 0, x) = 0 by y -= (F_y + cj F_y')^-1 F. These are steps of length 1/cj of the motion,
 * which become longer until they are Newton's steps. */
#include "dae/start/linearise.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/linear/norm.h"
#include "dae/systems/index1_equations.h"
#include "dae/linear/pseudo_transient.h"
#include "dae/systems/sizes.h"

/* Fortran. */
void dgesv_(const int *n, const int *columns, double *A, const int *lda, int *pivots, double *b,
            const int *ldb, int *info);

enum { MOST_STEPS = 500 };

/* The system with its matrices, states and directions. */
typedef struct work {
  gradyn_model *model;
  gradyn_index1 *system;
  double *block;           /* one allocation for all arrays of numbers */
  double *y, *yp;          /* [ny] */
  double *sy, *syp, *size; /* [ny] */
  double *dx;              /* [nx] */
  /* Q [np][np] = 1 - P, workspace, chosen rows and columns of Q; N [np][states]: dy_d by v */
  double *Q, *N, *S;
  int *chosen, *pivots; /* [np] */
} work;

static void clear(work *w)
{
  gradyn_index1_free(w->system);
  free(w->block);
  free(w->chosen);
  free(w->pivots);
}

/* Creates the system and starts it: y and yp become the initial state. dense: allocates Q, N and S. */
static gradyn_status open_system(gradyn_model *model, bool dense, work *w)
{
  *w = (work){.model = model};
  GRADYN_TRY(gradyn_index1_from_equations(model, &w->system));
  const size_t ny = (size_t)w->system->ny + 1, np = dense ? (size_t)w->system->np + 1 : 0;
  w->block = calloc(5 * ny + (size_t)model->nx + 1 + 3 * np * np, sizeof(double));
  w->chosen = calloc(np + 1, sizeof *w->chosen);
  w->pivots = calloc(np + 1, sizeof *w->pivots);
  /* clear() frees a partly created object */
  if (!w->block || !w->chosen || !w->pivots)
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory for %d states",
                       w->system->ny);
  double **array[] = {&w->y, &w->yp, &w->sy, &w->syp, &w->size};
  for (size_t k = 0; k < sizeof array / sizeof *array; k++)
    *array[k] = w->block + k * ny;
  w->Q = w->block + 5 * ny;
  w->N = w->Q + np * np;
  w->S = w->N + np * np;
  w->dx = w->S + np * np;
  GRADYN_TRY(w->system->ops->start(w->system, w->y, w->yp));
  /* message about the singular matrix, before the combined rates were found */
  gradyn_message_clear(&model->message);
  return GRADYN_OK;
}

gradyn_status gradyn_start_equations(gradyn_model *model, double *y)
{
  work w;
  gradyn_discrete_state_enter_arc(model, 0);
  gradyn_status status = open_system(model, false, &w);
  if (status == GRADYN_OK)
    memcpy(y, w.y, (size_t)w.system->ny * sizeof(double));
  clear(&w);
  return status;
}

/* --- linearisation ----------------------------------------------------------------------------- */

/* Chooses entries of v that determine all others, by Cholesky elimination of 1 - P with the largest
 * pivots. */
static void choose(work *w, int states)
{
  const int np = w->system->np;
  memcpy(w->N, w->Q, (size_t)np * (size_t)np * sizeof(double));
  /* N: remainder of Q after elimination of the chosen entries */
  for (int k = 0; k < states; k++) {
    int p = 0;
    for (int i = 1; i < np; i++)
      p = w->N[i * np + i] > w->N[p * np + p] * (1 + 1e-9) ? i : p;
    w->chosen[k] = p;
    const double pivot = w->N[p * np + p];
    for (int j = 0; j < np; j++)
      w->S[j] = w->N[p * np + j];
    /* Q - q_p q_p^T/Q_pp; the row of the pivot is excluded */
    for (int i = 0; i < np; i++)
      for (int j = 0; j < np; j++)
        w->N[i * np + j] -= w->S[i] * w->S[j] / pivot;
    w->N[p * np + p] = -1;
  }
}

/* N: v = (1 - P)_c (1 - P)_cc^-1 v_c. If no rates are combined, v is y_d. */
static gradyn_status find_states(work *w, int states)
{
  const int np = w->system->np;
  const gradyn_equations_system *s = (const gradyn_equations_system *)w->system;
  int info = 0;
  for (int i = 0; i < np; i++)
    for (int j = 0; j < np; j++)
      w->Q[i * np + j] = (i == j) - (states < np ? s->P[i * np + j] : 0);
  choose(w, states);
  /* Q_cc N^T = Q_c, column by column */
  for (int a = 0; a < states; a++) {
    for (int b = 0; b < states; b++)
      w->S[b * states + a] = w->Q[w->chosen[a] * np + w->chosen[b]];
    for (int i = 0; i < np; i++)
      w->N[i * states + a] = w->Q[w->chosen[a] * np + i];
  }
  if (states > 0)
    dgesv_(&states, &np, w->S, &states, w->pivots, w->N, &states, &info);
  return info == 0 ? GRADYN_OK
                   : gradyn_fail(&w->model->message, GRADYN_SINGULAR,
                                 "the states that are determined by the rates were not identified");
}

/* Columns of A with Z, and of B. */
static gradyn_status take_columns(work *w, gradyn_linearisation *out)
{
  gradyn_index1 *system = w->system;
  const int states = out->states, np = system->np;
  for (int j = 0; j < states + out->inputs; j++) {
    memset(w->sy, 0, (size_t)system->ny * sizeof(double));
    memset(w->dx, 0, (size_t)w->model->nx * sizeof(double));
    /* one state, or one signal raised as a whole */
    for (int d = 0; d < np && j < states; d++)
      w->sy[system->differential[d]] = w->N[d * states + j];
    if (j >= states)
      gradyn_signal_raise(&w->model->signal[j - states], w->dx);
    GRADYN_TRY(system->ops->restart_tangent(system, w->dx, 0, w->sy, w->syp));
    for (int i = 0; i < states; i++)
      *(j < states ? &out->A[i * states + j]
                   : &out->B[i * out->inputs + j - states]) = w->syp[out->state[i]];
    if (j < states)
      memcpy(out->Z + (size_t)j * (size_t)out->n, w->sy, (size_t)out->n * sizeof(double));
  }
  return GRADYN_OK;
}

/* Decides whether the states are at equilibrium, relative to their change by the fastest mode. */
static void find_motion(const work *w, gradyn_linearisation *out)
{
  const int size = out->states;
  const double fast = size > 0 ? hypot(out->real[size - 1], out->imag[size - 1]) : 0;
  const double most = gradyn_largest(w->y, w->system->ny) * fast;
  out->motion = GRADYN_EQUILIBRIUM;
  for (int d = 0; d < w->system->np; d++) {
    const int i = w->system->differential[d];
    if (fabs(w->yp[i]) <= 1e-9 * most)
      continue;
    char name[64];
    w->model->ops->state_name(w->model, i, name, sizeof name);
    out->motion = GRADYN_TRANSIENT;
    (void)snprintf(out->unsteady, sizeof out->unsteady, "%s changes by %.3g per second", name,
                   w->yp[i]);
    return;
  }
}

/* A, B, Z column by column, then the eigenvalues of A. */
static gradyn_status linearise(work *w, gradyn_model *model, double t, const double *y,
                               gradyn_linearisation *out)
{
  /* signals of the start determine how rates enter; then those of the state's time */
  gradyn_discrete_state_enter_arc(model, 0);
  GRADYN_TRY(open_system(model, true, w));
  gradyn_index1 *system = w->system;
  const int states = system->np - system->combined;
  memcpy(w->y, y, (size_t)system->ny * sizeof(double));
  gradyn_discrete_state_enter_arc(model, t);
  GRADYN_TRY(system->ops->restart(system, t, w->y, w->yp));
  GRADYN_TRY(system->ops->linearise(system, t, w->y, w->yp));
  GRADYN_TRY(gradyn_linearise_reserve(model, system->ny, (const int[]){0, 0, states}, out));
  out->t = t;
  out->stiffness = out->largest = (double)NAN; /* defined for mechanisms only */
  GRADYN_TRY(find_states(w, states));
  for (int k = 0; k < states; k++)
    out->state[k] = system->differential[w->chosen[k]];
  GRADYN_TRY(take_columns(w, out));
  GRADYN_TRY(gradyn_linearise_modes(model, out));
  find_motion(w, out);
  return GRADYN_OK;
}

gradyn_status gradyn_linearise_equations(gradyn_model *model, double t, const double *y,
                                         gradyn_linearisation *out)
{
  work w;
  *out = (gradyn_linearisation){0};
  const gradyn_status status = linearise(&w, model, t, y, out);
  clear(&w);
  return status;
}

/* --- equilibrium ------------------------------------------------------------------------------- */

/* Computes one step of length 1/cj from w->y, to w->sy. *step: its size relative to the sizes of the
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

/* Goes from a first cj to `least`, by gradyn_pseudo_transient_factor(). */
static gradyn_status settle(work *w, double cj, double least)
{
  double step = 0, last = HUGE_VAL, rate = 0;
  for (int k = 0; k < MOST_STEPS; k++) {
    const bool small = cj <= least;
    GRADYN_TRY(gradyn_model_cancelled(w->model, 0));
    GRADYN_TRY(aim(w, fmax(cj, least), &step));
    for (int i = 0; i < w->system->ny; i++)
      w->y[i] -= w->sy[i];
    /* Newton's steps, down to round-off; they converge slowly at a multiple zero */
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

/* Finds the equilibrium by the damped motion from the initial state; if this diverges, by Newton's method
 * from there. */
static gradyn_status balance(work *w, gradyn_model *model, double *y)
{
  gradyn_discrete_state_enter_arc(model, 0);
  const double t_end = model->x[model->t_end];
  GRADYN_TRY(open_system(model, false, w));
  const size_t bytes = (size_t)w->system->ny * sizeof(double);
  GRADYN_TRY(gradyn_state_sizes(model, w->system, w->y, w->yp, t_end, w->size));
  /* in a first step, the fastest state changes by a tenth of its size */
  double cj = t_end > 0 ? 1 / t_end : 1;
  for (int i = 0; i < w->system->ny; i++)
    cj = fmax(cj, 10 * fabs(w->yp[i]) / fmax(w->size[i], fabs(w->y[i])));
  memcpy(y, w->y, bytes);
  gradyn_message_clear(&model->message);
  gradyn_status status = settle(w, cj, 1e-12 * cj);
  if (status != GRADYN_OK && status != GRADYN_INTERRUPTED) {
    memcpy(w->y, y, bytes);
    gradyn_message_clear(&model->message); /* message of the failed motion */
    status = settle(w, 0, 1e-12 * cj);
  }
  if (status == GRADYN_OK)
    memcpy(y, w->y, bytes);
  return status;
}

gradyn_status gradyn_balance_equations(gradyn_model *model, double *y)
{
  work w;
  const gradyn_status status = balance(&w, model, y);
  clear(&w);
  return status;
}
