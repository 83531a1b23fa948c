/* Properties of a design that build() gives without a simulation. A search uses them for bounds that need no
 * run, and to find parameters without effect. */
#include "adjoint/evaluator/numbers.h"

#include <complex.h>
#include <math.h>
#include <string.h>

/* Runs build() at rho, with each parameter changed by `off` times its scale. */
static gradyn_status build_at(gradyn_evaluator *ev, const double rho[], double off)
{
  for (size_t j = 0; j < ev->parameters.count; j++)
    ev->rho[j] = rho[j] + off * ev->parameters.info[j].scale;
  gradyn_message_clear(&ev->message);
  return gradyn_evaluator_report(ev, gradyn_model_refresh(ev->model, ev->rho));
}

bool gradyn_evaluator_is_number(const gradyn_evaluator *ev, size_t f)
{
  double value;
  return gradyn_functional_is_number(ev->model, &ev->model->functional[f], &value);
}

gradyn_status gradyn_evaluator_numbers(gradyn_evaluator *ev, const double rho[], double psi[])
{
  GRADYN_TRY(build_at(ev, rho, 0));
  for (int f = 0; f < ev->model->functional_count; f++)
    if (!gradyn_functional_is_number(ev->model, &ev->model->functional[f], &psi[f]))
      psi[f] = (double)NAN; /* needs a run */
  return GRADYN_OK;
}

/* For callers that have designs computed elsewhere. */
gradyn_status gradyn_evaluator_end_time(gradyn_evaluator *ev, const double rho[], double *t_end)
{
  GRADYN_TRY(gradyn_evaluator_enter(ev, rho, t_end, "t_end"));
  GRADYN_TRY(build_at(ev, rho, 0));
  *t_end = creal(ev->model->value[ev->model->t_end]);
  return gradyn_evaluator_report(ev, gradyn_model_load(ev->model, NULL));
}

/* Finds the parameters that change any datum; others are errors of the problem. */
gradyn_status gradyn_evaluator_parameter_dependence(gradyn_evaluator *ev, const double rho[],
                                                    bool influences[])
{
  const bool nothing = gradyn_parameter_count(ev) == 0;
  GRADYN_TRY(
      gradyn_evaluator_enter(ev, rho, nothing ? ev : (const void *)influences, "influences"));
  if (nothing)
    return GRADYN_OK;
  /* at rho and at a close point: a derivative that is zero at a symmetric point is nonzero next to it */
  const double off[2] = {0, 1e-3};
  const gradyn_directions *d = &ev->by_rho;
  memset(influences, 0, ev->parameters.count * sizeof *influences);
  for (int k = 0; k < 2; k++) {
    GRADYN_TRY(build_at(ev, rho, off[k]));
    GRADYN_TRY(gradyn_evaluator_report(
        ev, gradyn_directions_by_rho(ev->model, &ev->parameters, ev->rho, &ev->by_rho)));
    for (int j = 0; j < d->count; j++)
      influences[j] = influences[j] || d->start[j + 1] > d->start[j];
  }
  return GRADYN_OK;
}
