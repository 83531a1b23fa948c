/* Linearisation of general equations near a state. F_y dy + F_y' dy' + F_x dx = 0 is solved for the changes
 * of the rates of differential states, and of algebraic states, as at the start of an arc. If rates enter
 * with a singular matrix, only v = (1 - P) y_d is free. The states are then those entries of v that
 * determine all of v. */
#include "dae/start/linearise.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/linear/norm.h"
#include "dae/linear/null_space.h"
#include "dae/systems/index1_equations.h"

/* The system with its matrices, states and directions. */
typedef struct work {
  gradyn_model *model;
  gradyn_index1 *system;
  double *block;    /* one allocation for all arrays of numbers */
  double *y, *yp;   /* [ny] */
  double *sy, *syp; /* [ny] */
  double *dx;       /* [nx] */
  /* Q [np][np] = 1 - P; N [np][states]: changes of y_d by v; workspace; chosen [np] rows of Q */
  double *Q, *N;
  int *chosen;
} work;

static void clear(work *w)
{
  gradyn_index1_free(w->system);
  free(w->block);
  free(w->chosen);
}

/* Creates the system and starts it. y and yp become the initial state. */
static gradyn_status open_system(gradyn_model *model, work *w)
{
  *w = (work){.model = model};
  GRADYN_TRY(gradyn_index1_plain_equations(model, &w->system));
  const size_t ny = (size_t)w->system->ny + 1, np = (size_t)w->system->np + 1;
  w->block = calloc(4 * ny + (size_t)model->nx + 1 + 4 * np * np, sizeof(double));
  w->chosen = calloc(np + 1, sizeof *w->chosen);
  /* clear() frees a partly created object */
  if (!w->block || !w->chosen)
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory for %d states",
                       w->system->ny);
  double **array[] = {&w->y, &w->yp, &w->sy, &w->syp};
  for (size_t k = 0; k < sizeof array / sizeof *array; k++)
    *array[k] = w->block + k * ny;
  w->Q = w->block + 4 * ny;
  w->N = w->Q + np * np;
  w->dx = w->N + 3 * np * np;
  GRADYN_TRY(w->system->ops->start(w->system, w->y, w->yp));
  /* remove the message about the singular matrix, which led to the combined rates */
  gradyn_message_clear(&model->message);
  return GRADYN_OK;
}

/* --- linearisation ----------------------------------------------------------------------------- */

/* Computes N: v = (1 - P)_c (1 - P)_cc^-1 v_c, where v_c are the chosen entries of v. Without combined
 * rates, v is y_d. */
static gradyn_status find_states(work *w, int states)
{
  const int np = w->system->np;
  const gradyn_equations_system *s = (const gradyn_equations_system *)w->system;
  for (int i = 0; i < np; i++)
    for (int j = 0; j < np; j++)
      w->Q[i * np + j] = (i == j) - (states < np ? s->P[i * np + j] : 0);
  const gradyn_status status = gradyn_projector_basis(np, w->Q, states, w->chosen, w->N);
  if (status == GRADYN_OK)
    return GRADYN_OK;
  return gradyn_fail(&w->model->message, status, "%s",
                     status == GRADYN_NO_MEMORY
                         ? "out of memory for a basis of states"
                         : "the states that are determined by the rates were not identified");
}

/* Computes the columns of A and Z by states, and of B by signals. */
static gradyn_status take_columns(work *w, gradyn_linearisation *out)
{
  gradyn_index1 *system = w->system;
  const int states = out->states, np = system->np;
  for (int j = 0; j < states + out->inputs; j++) {
    memset(w->sy, 0, (size_t)system->ny * sizeof(double));
    memset(w->dx, 0, (size_t)w->model->nx * sizeof(double));
    /* a change of one state, or of one signal at all times */
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

/* Decides whether the state is an equilibrium: whether rates are small relative to changes by the fastest
 * mode. */
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

/* Computes A, B and Z column by column, then the eigenvalues of A. */
static gradyn_status linearise(work *w, gradyn_model *model, double t, const double *y,
                               gradyn_linearisation *out)
{
  /* the system is created with the signals at the start, which determine how rates enter; then signals at
   * time t are selected */
  gradyn_discrete_state_enter_arc(model, 0);
  GRADYN_TRY(open_system(model, w));
  gradyn_index1 *system = w->system;
  const int states = system->np - system->combined;
  memcpy(w->y, y, (size_t)system->ny * sizeof(double));
  gradyn_discrete_state_enter_arc(model, t);
  GRADYN_TRY(system->ops->restart(system, t, w->y, w->yp));
  GRADYN_TRY(system->ops->linearise(system, t, w->y, w->yp));
  GRADYN_TRY(gradyn_linearise_reserve(model, system->ny, (const int[]){0, 0, states}, out));
  out->t = t;
  out->stiffness = out->largest = (double)NAN; /* stiffness exists for mechanisms only */
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
