/* Sensitivities of states at given times: one direct sweep along all parameters, which records derivatives of
 * the states at these times. */
#include <gradyn/analysis.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "adjoint/gradient/gradient.h"
#include "adjoint/tangents.h"
#include "core/mech/shown.h"
#include "core/model/same_time.h"
#include "dae/events/arcs.h"

typedef struct answers {
  gradyn_evaluator *ev;
  const double *t; /* [times] */
  size_t times;
  gradyn_tangents tangents;
  gradyn_trajectory *states;
  double *gradient; /* [nf][parameters] gradients of functionals, unused */
} answers;

/* Checks that the times ascend within the run. */
static gradyn_status check_times(const answers *s)
{
  gradyn_message *message = &s->ev->message;
  const gradyn_model *model = s->ev->model;
  const double end = model->x[model->t_end];
  if (s->times == 0 || !s->t)
    return gradyn_fail(message, GRADYN_INVALID,
                       "sensitivities: no time is given; at least one is required");
  for (size_t i = 0; i < s->times; i++) {
    if (!isfinite(s->t[i]) || gradyn_model_later(model, 0, s->t[i]) ||
        gradyn_model_later(model, s->t[i], end))
      return gradyn_fail(message, GRADYN_INVALID,
                         "sensitivities at t = %g s: outside the run, which lasts from 0 to %g s",
                         s->t[i], end);
    if (i > 0 && !(s->t[i] > s->t[i - 1] + 2 * gradyn_arcs_closest(model)))
      return gradyn_fail(message, GRADYN_INVALID,
                         "sensitivities at t = %g s follow those at %g s: times must ascend",
                         s->t[i], s->t[i - 1]);
  }
  return GRADYN_OK;
}

/* Runs one direct sweep along all parameters, without gradients of functionals. */
static gradyn_status sweep(answers *s)
{
  gradyn_evaluator *ev = s->ev;
  gradyn_model *model = ev->model;
  GRADYN_TRY(gradyn_evaluator_report_model(
      ev, gradyn_directions_by_rho(model, &ev->parameters, ev->rho, &ev->by_rho)));
  memcpy(ev->x, model->x, (size_t)model->nx * sizeof *ev->x);
  for (int f = 0; f < model->functional_count; f++)
    model->functional[f].skipped = true;
  model->span.look = s->t;
  model->span.looks = s->times;
  ev->by_rho.tangents = &s->tangents;
  const gradyn_status status = gradyn_gradient_along(ev, ev->x, &ev->by_rho, ev->repetition.psi,
                                                     s->gradient);
  ev->by_rho.tangents = NULL;
  model->span.looks = 0;
  for (int f = 0; f < model->functional_count; f++)
    model->functional[f].skipped = false;
  return status;
}

/* Checks that the run has reached all times: an event may end it. */
static gradyn_status check_rows(const answers *s)
{
  const gradyn_model *model = s->ev->model;
  const size_t rows = gradyn_trajectory_read(s->states).steps;
  if (rows == s->times)
    return GRADYN_OK;
  return gradyn_fail(&s->ev->message, GRADYN_EVENT,
                     "sensitivities at t = %g s: the run ends at %g s; no time may be later",
                     s->t[rows], model->log.record[model->log.count - 1].t);
}

/* Copies the derivatives of state i at time k to row [parameters] of dy. */
static gradyn_status hand_over_state(const answers *s, size_t k, size_t i, double *row)
{
  const size_t states = (size_t)s->ev->model->ops->state_count(s->ev->model);
  for (size_t j = 0; j < (size_t)s->tangents.count; j++) {
    row[j] = gradyn_trajectory_read(s->tangents.column[j]).rows[k * states + i];
    if (!isfinite(row[j]))
      return gradyn_fail(&s->ev->message, GRADYN_NON_FINITE,
                         "the derivative of %s by %s is not finite at t = %g s",
                         gradyn_trajectory_column(s->states, i).name,
                         s->ev->parameters.info[j].name, s->t[k]);
  }
  return GRADYN_OK;
}

/* Copies trajectories, one for each parameter, to arrays without internal states. */
static gradyn_status hand_over(const answers *s, double *y, double *dy)
{
  const gradyn_model *model = s->ev->model;
  const size_t states = (size_t)model->ops->state_count(model),
               width = gradyn_trajectory_read(s->states).columns;
  GRADYN_TRY(check_rows(s));
  for (size_t k = 0, row = 0; k < s->times; k++)
    for (size_t i = 0; i < states; i++) {
      if (gradyn_mech_internal(model->mech, (int)i))
        continue;
      if (y)
        y[row] = gradyn_trajectory_read(s->states).rows[k * width + i];
      GRADYN_TRY(hand_over_state(s, k, i, dy + row * (size_t)s->tangents.count));
      row++;
    }
  return GRADYN_OK;
}

/* Allocates memory and the tangents that the sweep records. */
static gradyn_status open_answers(answers *s)
{
  gradyn_evaluator *ev = s->ev;
  const size_t nf = (size_t)ev->model->functional_count, count = ev->parameters.count;
  s->gradient = calloc(nf * count + 1, sizeof(double));
  s->states = gradyn_trajectory_create();
  if (!s->gradient || !s->states)
    return gradyn_fail(&ev->message, GRADYN_NO_MEMORY, "out of memory for %zu sensitivities",
                       count);
  GRADYN_TRY(gradyn_tangents_create(ev->model, (int)count, s->states, &s->tangents));
  s->tangents.time = s->t;
  s->tangents.times = s->times;
  return GRADYN_OK;
}

static gradyn_status answer(answers *s, const double *rho, double *y, double *dy)
{
  GRADYN_TRY(gradyn_evaluator_load(s->ev, rho));
  GRADYN_TRY(check_times(s));
  GRADYN_TRY(open_answers(s));
  GRADYN_TRY(sweep(s));
  return hand_over(s, y, dy);
}

gradyn_status gradyn_sensitivities_compute(gradyn_evaluator *ev, const double *rho, const double *t,
                                           size_t times, double *y, double *dy)
{
  answers s = {.ev = ev, .t = t, .times = times};
  GRADYN_TRY(gradyn_evaluator_enter(ev, rho, dy, "dy"));
  const gradyn_status status = answer(&s, rho, y, dy);
  gradyn_tangents_clear(&s.tangents);
  gradyn_trajectory_free(s.states);
  free(s.gradient);
  return gradyn_evaluator_report(ev, status);
}
