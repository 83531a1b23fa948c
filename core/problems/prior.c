/* Normal priors of parameters. */
#include "core/problems/prior.h"

#include <complex.h>
#include <stdio.h>

#include "core/model/declare.h"
#include "core/model/measure.h"
#include "core/problems/fit.h"

/* Declares the parameter as a measure without a column, and compares it with the mean. index: of the
 * parameter among all, for the parts of its fit. */
static void declare(gradyn_model *model, const gradyn_param *p, const char *name,
                    gradyn_scalar value, int index)
{
  const double start = 0;
  gradyn_functional_entry *s;
  char own[300];
  (void)snprintf(own, sizeof own, "prior.%.250s", name);
  const char *unit = p->logarithmic ? "" : p->unit;
  const int datum = gradyn_model_datum(model, own, "value", unit,
                                       p->logarithmic ? clog(value) : value);
  const int number = gradyn_model_measure(model, name, unit, 1, &s);
  if (s) {
    s->terminal = &gradyn_number_ops;
    s->datum = datum;
    s->data_only = s->reduced.hidden = true;
  }
  const int first = model->cursor.functional;
  gradyn_minimise(model,
                  gradyn_fit(model, own, gradyn_id(model, number),
                             &(gradyn_fit_spec){.times = &start,
                                                .values = &p->prior,
                                                .deviations = &p->prior_deviation,
                                                .count = 1}),
                  1);
  for (int k = first; k < model->cursor.functional && !model->failed; k++)
    model->functional[k].reduced.fit->prior = index + 1;
}

/* Checks that deviations of all fits are known, because a prior is weighed against the data. */
static void check_fits(gradyn_model *model, const char *name)
{
  for (int k = 0; k < model->functional_count; k++) {
    const gradyn_functional_entry *f = &model->functional[k];
    const gradyn_fitted *fit = f->reduced.fit;
    if (fit && fit->part == GRADYN_FIT_SUM && fit->count > 0 &&
        !model->functional[fit->first].reduced.fit->weighted)
      gradyn_build_error(model,
                         "parameter %s has a prior, but fit %s has neither sigma nor deviations. "
                         "Give one of them: they weigh the data against the prior",
                         name, f->name);
  }
}

void gradyn_priors_declare(gradyn_model *model, const gradyn_scalar rho[])
{
  const gradyn_problem *problem = model->problem;
  if (model->cursor.priors || model->failed)
    return;
  model->cursor.priors = 1;
  for (size_t i = 0; i < problem->param_count; i++) {
    const gradyn_param *p = &problem->params[i];
    int count;
    if (p->prior_deviation == 0)
      continue;
    const gradyn_scalar *value = gradyn_parameter_array(model, rho, (int)i, &count);
    check_fits(model, p->name);
    for (int k = 0; k < count && !model->failed; k++) {
      char name[300];
      (void)snprintf(name, sizeof name, p->count > 0 || p->count_from ? "%.250s[%d]" : "%.250s",
                     p->name, k);
      declare(model, p, name, value[k], (int)(value - rho) + k);
    }
  }
}

gradyn_status gradyn_problem_build(const gradyn_problem *problem, gradyn_model *model,
                                   const gradyn_scalar rho[])
{
  GRADYN_TRY(problem->build(model, rho));
  gradyn_priors_declare(model, rho);
  return gradyn_build_status(model);
}

bool gradyn_is_prior(const gradyn_functional_entry *f)
{
  return f->reduced.fit && f->reduced.fit->prior > 0;
}
