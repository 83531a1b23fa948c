/* Costates of a run, recorded by an adjoint sweep. */
#include <gradyn/analysis.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "adjoint/costates.h"
#include "adjoint/gradient/gradient.h"
#include "core/files/csv.h"
#include "core/problems/fit.h"

/* Sets the weights of the objective. GRADYN_INVALID: the problem has none. */
static gradyn_status weigh_objective(gradyn_evaluator *ev, double *weight)
{
  bool any = false;
  for (int f = 0; f < ev->model->functional_count; f++) {
    const gradyn_functional_entry *functional = &ev->model->functional[f];
    weight[f] = functional->use == GRADYN_OBJECTIVE ? functional->weight : 0;
    any = any || weight[f] != 0;
  }
  return any ? GRADYN_OK
             : gradyn_fail(&ev->message, GRADYN_INVALID,
                           "problem %s has no objective: costates need weights of functionals",
                           ev->problem->name);
}

/* Runs one adjoint sweep by the method of the run. */
static gradyn_status sweep(gradyn_evaluator *ev, const double *rho, gradyn_costate_record *record)
{
  const size_t nf = (size_t)ev->model->functional_count, p = ev->parameters.count;
  FREED double *gradient = calloc(nf * p + 1, sizeof *gradient);
  const gradyn_route route = ev->route;
  if (!gradient)
    return GRADYN_NO_MEMORY;
  if (!ev->method->costates)
    return gradyn_fail(&ev->message, GRADYN_UNSUPPORTED,
                       "costates need the method explicit or radau, not %s", ev->method->name);
  for (size_t f = 0; f < nf; f++)
    ev->model->functional[f].skipped = record->weight[f] == 0;
  ev->model->span.costates = record;
  ev->route = GRADYN_BY_ADJOINT;
  const gradyn_status status = gradyn_gradient_of_run(ev, rho, ev->repetition.psi, gradient);
  ev->route = route;
  ev->model->span.costates = NULL;
  for (size_t f = 0; f < nf; f++)
    ev->model->functional[f].skipped = false;
  return status;
}

/* Copies the records in the order of time; the sweep stores them from the end of the run to its start. */
static gradyn_status hand_over(gradyn_evaluator *ev, const gradyn_costate_record *record,
                               gradyn_costates *out)
{
  const size_t n = record->count, z = record->states, width = 2 + 2 * z;
  if (n == 0)
    return gradyn_fail(&ev->message, GRADYN_INVALID,
                       "costates: all weights are zero; at least one must not be");
  out->count = n;
  out->states = z;
  out->name = calloc(z + 1, sizeof *out->name);
  out->t = calloc(n * width + 1, sizeof *out->t);
  if (!out->name || !out->t)
    return gradyn_fail(&ev->message, GRADYN_NO_MEMORY, "out of memory for costates");
  out->hamiltonian = out->t + n;
  out->state = out->hamiltonian + n;
  out->costate = out->state + n * z;
  for (size_t i = 0; i < z; i++)
    ev->model->ops->state_name(ev->model, record->position[i], out->name[i], sizeof out->name[i]);
  for (size_t k = 0; k < n; k++) {
    const double *row = record->row + (n - 1 - k) * width;
    out->t[k] = row[0];
    out->hamiltonian[k] = row[1];
    memcpy(out->state + k * z, row + 2, z * sizeof *row);
    memcpy(out->costate + k * z, row + 2 + z, z * sizeof *row);
    for (size_t i = 0; i < width; i++)
      if (!isfinite(row[i]))
        return gradyn_fail(&ev->message, GRADYN_NON_FINITE, "costates are not finite at t = %g s",
                           row[0]);
  }
  return GRADYN_OK;
}

gradyn_status gradyn_costates_compute(gradyn_evaluator *ev, const double weight[],
                                      const double rho[], gradyn_costates *out)
{
  if (!out)
    return GRADYN_INVALID;
  *out = (gradyn_costates){0};
  if (!ev || !ev->sample)
    return GRADYN_INVALID;
  GRADYN_TRY(gradyn_evaluator_single(ev));
  const size_t nf = (size_t)ev->model->functional_count;
  FREED double *psi = calloc(nf + 1, sizeof *psi), *own = calloc(nf + 1, sizeof *own);
  OWNED_UNTIL_END(gradyn_costates_end) gradyn_costate_record record = {.weight = own};
  if (!psi || !own)
    return gradyn_evaluator_report(ev, GRADYN_NO_MEMORY);
  GRADYN_TRY(gradyn_evaluator_simulate(ev, rho, psi, NULL));
  gradyn_status status = GRADYN_OK;
  if (weight)
    memcpy(own, weight, nf * sizeof *own);
  else
    status = weigh_objective(ev, own);
  gradyn_fits_spread(ev->model, psi, own);
  if (status == GRADYN_OK)
    status = sweep(ev, rho, &record);
  if (status == GRADYN_OK)
    status = hand_over(ev, &record, out);
  return gradyn_evaluator_report(ev, status);
}

void gradyn_costates_clear(gradyn_costates *costates)
{
  if (!costates)
    return;
  free(costates->name);
  free(costates->t);
  *costates = (gradyn_costates){0};
}
