/* What build() tells of a design, and of itself, without a simulation. A search asks it for bounds that
 * need no run, and for parameters that do nothing. */
#include "adjoint/evaluator/numbers.h"

#include <complex.h>
#include <math.h>
#include <string.h>

/* build() at rho, each parameter moved by `off` of its scale. */
static gradyn_status build_at(gradyn_evaluator *ev, const double rho[], double off)
{
  /* off: a share of each parameter's scale */
  for (size_t j = 0; j < ev->parameters.count; j++)
    ev->rho[j] = rho[j] + off * ev->parameters.info[j].scale;
  gradyn_message_clear(&ev->message);
  return gradyn_evaluator_report(ev, gradyn_model_refresh(ev->model, ev->rho));
}

bool gradyn_evaluator_is_number(const gradyn_evaluator *ev, size_t f)
{
  return gradyn_functional_is_number(&ev->model->functional[f]);
}

/* Functionals that are numbers of build(), without a run. */
gradyn_status gradyn_evaluator_numbers(gradyn_evaluator *ev, const double rho[], double psi[])
{
  GRADYN_TRY(build_at(ev, rho, 0));
  for (int f = 0; f < ev->model->functional_count; f++) {
    const gradyn_functional_entry *functional = &ev->model->functional[f];
    /* a functional that is a datum needs no run */
    psi[f] = gradyn_functional_is_number(functional) ? creal(ev->model->value[functional->datum])
                                                     : (double)NAN;
  }
  return GRADYN_OK;
}

/* For what tells of designs that were computed elsewhere. */
gradyn_status gradyn_end_time_at(gradyn_evaluator *ev, const double rho[], double *t_end)
{
  if (!ev || !ev->sample) /* taken last: it has been created in full */
    return GRADYN_INVALID;
  if (!rho || !t_end)
    return gradyn_fail(&ev->message, GRADYN_INVALID, "%s is NULL", rho ? "t_end" : "rho");
  GRADYN_TRY(build_at(ev, rho, 0));
  *t_end = creal(ev->model->value[ev->model->t_end]);
  return gradyn_evaluator_report(ev, gradyn_model_load(ev->model, NULL));
}

/* Which parameters change any datum: others are mistakes of the problem. */
gradyn_status gradyn_influence(gradyn_evaluator *ev, const double rho[], bool influences[])
{
  if (!ev || !ev->sample) /* taken last: it has been created in full */
    return GRADYN_INVALID;
  if (!rho || !influences)
    return gradyn_fail(&ev->message, GRADYN_INVALID, "%s is NULL", rho ? "influences" : "rho");
  /* at rho and a little off: a derivative that vanishes at a symmetric place does not do so beside it */
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
