/* Statics: degrees of freedom, equilibria, linearisation.
 *
 * dae/start/equilibrium.c and dae/start/linearise.c compute them. This file adds names and stability. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/mech/shown.h"
#include "adjoint/gradient/gradient.h"
#include "adjoint/evaluator/verify_callbacks.h"
#include "dae/start/freedom.h"
#include "dae/start/linearise.h"
#include "dae/trajectory.h"
#include "dae/events/detect.h"
#include <gradyn/analysis.h>

/* Loads the data of the parameters rho. */
static gradyn_status load(gradyn_evaluator *ev, const double *rho, const void *out)
{
  if (!ev || !ev->sample) /* `sample` is allocated last: without it, creation has failed */
    return GRADYN_INVALID;
  gradyn_evaluator_forget(ev);
  if (!out || (!rho && ev->parameters.count > 0))
    return gradyn_fail(&ev->message, GRADYN_INVALID, "%s is NULL",
                       out ? "rho" : "the pointer to the result");
  gradyn_status status = gradyn_evaluator_load(ev, rho);
  /* pieces of signals immediately after the start */
  gradyn_discrete_state_enter_arc(ev->model, 0);
  return status;
}

gradyn_status gradyn_dof_compute(gradyn_evaluator *ev, const double *rho, gradyn_dof *out,
                                 int *dependent)
{
  GRADYN_TRY(load(ev, rho, out));
  if (!ev->model->mech)
    return gradyn_fail(&ev->message, GRADYN_UNSUPPORTED,
                       "general equations have no constraints and no degrees of freedom");
  gradyn_found_freedom found;
  const gradyn_status status = gradyn_evaluator_report(
      ev, gradyn_freedom_find(ev->model->mech, &found));
  *out = (gradyn_dof){found.degrees, found.at_start, found.first, found.dependents, found.rates};
  /* dependent [constraints] */
  if (dependent && status == GRADYN_OK)
    memcpy(dependent, found.dependent, (size_t)found.dependents * sizeof(int));
  free(found.dependent);
  return status;
}

const char *gradyn_constraint_name(const gradyn_evaluator *ev, int constraint)
{
  const gradyn_mech *mech = ev && ev->model && ev->model->finalised ? ev->model->mech : NULL;
  return mech && constraint >= 0 && constraint < mech->m ? mech->constraint_name(mech, constraint)
                                                         : "";
}

gradyn_coordinate_info gradyn_coordinate_at(const gradyn_evaluator *ev, int column)
{
  gradyn_coordinate_info found = {.name = ""};
  gradyn_model *model = ev && ev->model && ev->model->finalised ? ev->model : NULL;
  if (!model || column < 0)
    return found;
  if (column < model->ops->state_count(model))
    model->ops->state_name(model, column, found.name, sizeof found.name);
  found.internal = gradyn_mech_internal(model->mech, column);
  return found;
}

/* --- equilibrium and linearisation -------------------------------------------------------------- */

/* Linearises at t and a state y that satisfies the constraints. */
static gradyn_status linearise(gradyn_evaluator *ev, double t, const double *y,
                               gradyn_linearisation *out)
{
  gradyn_mech *mech = ev->model->mech;
  LOCAL(gradyn_initial) initial = {0};
  if (!mech)
    return gradyn_evaluator_report(ev, gradyn_linearise_equations(ev->model, t, y, out));
  gradyn_status status = gradyn_initial_create(mech, GRADYN_CONSTRAINT, &initial);
  if (status != GRADYN_OK)
    return gradyn_fail(&ev->message, status, "out of memory");
  if (mech->ops->activate)
    mech->ops->activate(mech, NULL); /* signals are data */
  gradyn_discrete_state_enter_arc(ev->model, t);
  status = gradyn_linearise_at(&initial, ev->model, t, y, y + mech->n, out);
  return gradyn_evaluator_report(ev, gradyn_verify_callbacks_analysis(ev, status));
}

/* Computes the initial state, or the equilibrium, of general equations. */
static gradyn_status start_equations(gradyn_evaluator *ev, int parts, double *y)
{
  gradyn_model *model = ev->model;
  GRADYN_TRY(gradyn_evaluator_report(ev, parts == GRADYN_AT_REST
                                             ? gradyn_balance_equations(model, y)
                                             : gradyn_start_equations(model, y)));
  return gradyn_evaluator_report(ev, gradyn_detector_state(model, 0, y));
}

/* Computes y = (q, v, a, lam) of the initial state, or of the equilibrium for GRADYN_AT_REST. */
static gradyn_status find_start(gradyn_evaluator *ev, int parts, double *y)
{
  gradyn_mech *mech = ev->model->mech;
  if (!mech)
    return start_equations(ev, parts, y);
  size_t n = (size_t)mech->n;
  LOCAL(gradyn_initial) initial = {0};
  const gradyn_status status = gradyn_initial_create(mech, parts, &initial);
  if (status != GRADYN_OK)
    return gradyn_fail(&ev->message, status, "out of memory");
  GRADYN_TRY(gradyn_evaluator_report(ev, gradyn_initial_solve(&initial)));
  memcpy(y, initial.q, n * sizeof(double));
  memcpy(y + n, initial.v, n * sizeof(double));
  memcpy(y + 2 * n, initial.a, n * sizeof(double));
  memcpy(y + 3 * n, initial.lam, (size_t)mech->m * sizeof(double));
  return gradyn_evaluator_report(ev, gradyn_detector_state(ev->model, 0, y));
}

/* Allocates a state with all outputs. *zeros: zeros of the same number in the second half of the array.
 * NULL: out of memory. */
static double *room_for(gradyn_evaluator *ev, double **zeros)
{
  const size_t size = (size_t)ev->model->ops->state_count(ev->model) +
                      gradyn_model_outputs(ev->model) + 1;
  double *y = calloc(2 * size, sizeof *y);
  *zeros = y ? y + size : NULL;
  if (!y)
    (void)gradyn_fail(&ev->message, GRADYN_NO_MEMORY, "out of memory");
  return y;
}

/* Returns the stability: by the stiffness in free directions or, with first-order states, by the
 * eigenvalues. */
static gradyn_stability judge(const gradyn_linearisation *linear)
{
  const int size = linear->dof + linear->rates + linear->states;
  double most = -HUGE_VAL;
  for (int k = 0; k < size && linear->states > 0; k++)
    most = fmax(most, linear->real[k]);
  /* the last eigenvalue is the largest */
  if (linear->states > 0) {
    const double none = 1e-10 * hypot(linear->real[size - 1], linear->imag[size - 1]);
    return most < -none ? GRADYN_STABLE : most > none ? GRADYN_UNSTABLE : GRADYN_NEUTRAL;
  }
  /* smallest eigenvalue of K in free directions relative to the largest one */
  const double nothing = 1e-10 * linear->largest;
  if (linear->dof == 0 || linear->stiffness > nothing)
    return GRADYN_STABLE;
  return linear->stiffness < -nothing ? GRADYN_UNSTABLE : GRADYN_NEUTRAL;
}

gradyn_status gradyn_equilibrium_compute(gradyn_evaluator *ev, const double *rho,
                                         gradyn_stability *stability, gradyn_trajectory *trajectory,
                                         gradyn_linearisation *linear)
{
  LOCAL(gradyn_linearisation) own = {0};
  /* the caller also clears a partial result */
  linear = linear ? linear : &own;
  *linear = own;
  GRADYN_TRY(load(ev, rho, stability));
  double *rates = NULL;
  FREED double *y = room_for(ev, &rates);
  if (!y)
    return GRADYN_NO_MEMORY;
  GRADYN_TRY(find_start(ev, GRADYN_AT_REST, y));
  GRADYN_TRY(linearise(ev, 0, y, linear));
  if (!ev->model->mech)
    GRADYN_TRY(gradyn_evaluator_report(ev, gradyn_linearise_totals(ev->model, y, linear)));
  *stability = judge(linear);
  /* a trajectory of one state, for drawings */
  if (!trajectory)
    return GRADYN_OK;
  GRADYN_TRY(gradyn_evaluator_report(ev, gradyn_trajectory_begin(trajectory, ev->model)));
  return gradyn_evaluator_report(ev, gradyn_trajectory_add(trajectory, 0, y, rates));
}

/* Finds time and state at the end of a run. */
static gradyn_status find_end(gradyn_evaluator *ev, const double *rho, double *t, double *y)
{
  OWNED(gradyn_trajectory) *trajectory = gradyn_trajectory_create();
  if (!trajectory)
    return gradyn_fail(&ev->message, GRADYN_NO_MEMORY, "out of memory");
  GRADYN_TRY(gradyn_evaluator_simulate(ev, rho, NULL, trajectory));
  size_t steps = gradyn_trajectory_read(trajectory).steps;
  if (steps > 0)
    *t = gradyn_trajectory_step(trajectory, steps - 1, y);
  return GRADYN_OK;
}

gradyn_status gradyn_evaluator_linearise(gradyn_evaluator *ev, const double *rho, bool at_end,
                                         gradyn_linearisation *out)
{
  if (out)
    *out = (gradyn_linearisation){0};
  GRADYN_TRY(load(ev, rho, out));
  double t = 0, *zeros;
  FREED double *y = room_for(ev, &zeros);
  if (!y)
    return GRADYN_NO_MEMORY;
  GRADYN_TRY(at_end ? find_end(ev, rho, &t, y) : find_start(ev, GRADYN_ASSEMBLY, y));
  return linearise(ev, t, y, out);
}
