/* Properties of a design that build() gives without a simulation. A search uses them for bounds that need no
 * run, and to find parameters without effect. */
#include "adjoint/evaluator/cases.h"
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
  if (ev->load.all) {
    const gradyn_case_row *row = &ev->load.all->row[f];
    return !row->combined && gradyn_evaluator_is_number(ev->load.all->part[row->of].ev, row->index);
  }
  return gradyn_functional_is_number(ev->model, &ev->model->functional[f], &value);
}

/* Computes the functionals that are numbers of build(), for all load cases. */
static gradyn_status case_numbers(gradyn_evaluator *ev, const double rho[], double psi[])
{
  for (size_t k = 0; k < ev->load.all->count; k++) {
    gradyn_case_part *part = &ev->load.all->part[k];
    const gradyn_status status = gradyn_evaluator_numbers(part->ev, gradyn_case_point(ev, k, rho),
                                                          part->psi);
    if (status != GRADYN_OK)
      return gradyn_case_fail(ev, k, status);
  }
  for (size_t i = 0; i < ev->load.all->row_count; i++) {
    const gradyn_case_row *row = &ev->load.all->row[i];
    psi[i] = row->combined ? (double)NAN : ev->load.all->part[row->of].psi[row->index];
  }
  return GRADYN_OK;
}

gradyn_status gradyn_evaluator_numbers(gradyn_evaluator *ev, const double rho[], double psi[])
{
  if (ev->load.all)
    return case_numbers(ev, rho, psi);
  GRADYN_TRY(build_at(ev, rho, 0));
  for (int f = 0; f < ev->model->functional_count; f++)
    if (!gradyn_functional_is_number(ev->model, &ev->model->functional[f], &psi[f]))
      psi[f] = (double)NAN; /* needs a run */
  return GRADYN_OK;
}

/* Finds the latest end time of all load cases. */
static gradyn_status last_end(gradyn_evaluator *ev, const double rho[], double *t_end)
{
  double end = 0;
  *t_end = 0;
  for (size_t k = 0; k < ev->load.all->count; k++) {
    const gradyn_status status = gradyn_evaluator_preview(
        ev->load.all->part[k].ev, gradyn_case_point(ev, k, rho), &end, NULL, NULL);
    if (status != GRADYN_OK)
      return gradyn_case_fail(ev, k, status);
    *t_end = fmax(*t_end, end);
  }
  return GRADYN_OK;
}

/* Loads the data at rho. t_end and range may be NULL. */
static gradyn_status find_there(gradyn_evaluator *ev, const double rho[], double *t_end,
                                gradyn_signal_range range[])
{
  if (ev->load.all && range) /* all cases have the signals of the first one */
    GRADYN_TRY(find_there(ev->load.all->part[0].ev, gradyn_case_point(ev, 0, rho), NULL, range));
  if (ev->load.all)
    return t_end ? last_end(ev, rho, t_end) : GRADYN_OK;
  GRADYN_TRY(build_at(ev, rho, 0));
  if (t_end)
    *t_end = creal(ev->model->value[ev->model->t_end]);
  GRADYN_TRY(gradyn_evaluator_report(ev, gradyn_model_load(ev->model, NULL)));
  if (!range)
    return GRADYN_OK;
  GRADYN_TRY(gradyn_evaluator_report(
      ev, gradyn_directions_by_rho(ev->model, &ev->parameters, ev->rho, &ev->by_rho)));
  for (int i = 0; i < ev->model->signal_count; i++)
    range[i] = gradyn_evaluator_signal_range(ev, i, rho);
  return GRADYN_OK;
}

/* Finds which parameters change any datum, in any of the load cases. */
static gradyn_status case_dependence(gradyn_evaluator *ev, const double rho[], bool influences[])
{
  memset(influences, 0, ev->parameters.count * sizeof *influences);
  for (size_t k = 0; k < ev->load.all->count; k++) {
    const gradyn_case_part *part = &ev->load.all->part[k];
    const size_t p = gradyn_parameter_count(part->ev);
    FREED bool *own = calloc(p + 1, sizeof *own);
    const gradyn_status status = own ? gradyn_evaluator_preview(
                                           part->ev, gradyn_case_point(ev, k, rho), NULL, own, NULL)
                                     : GRADYN_NO_MEMORY;
    if (status != GRADYN_OK)
      return gradyn_case_fail(ev, k, status);
    for (size_t j = 0; j < p; j++)
      influences[part->parameter[j]] = influences[part->parameter[j]] || own[j];
  }
  return GRADYN_OK;
}

/* Finds the parameters that change any datum. A parameter that changes none is an error of the problem. */
static gradyn_status find_dependence(gradyn_evaluator *ev, const double rho[], bool influences[])
{
  if (ev->load.all)
    return case_dependence(ev, rho, influences);
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

gradyn_status gradyn_evaluator_preview(gradyn_evaluator *ev, const double rho[], double *t_end,
                                       bool influences[], gradyn_signal_range range[])
{
  GRADYN_TRY(gradyn_evaluator_begin(ev, rho, ev, "evaluator"));
  if (influences)
    GRADYN_TRY(find_dependence(ev, rho, influences));
  return t_end || range ? find_there(ev, rho, t_end, range) : GRADYN_OK;
}
