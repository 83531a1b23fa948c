/* Simulations and gradients: rho -> x by build() -> a run by the method -> psi; then x_bar = dpsi/dx by a
 * sweep, and x_bar (dx/drho) by the derivatives of build() (chain.c). A result that is not finite is a
 * failure, a doubtful result a warning. */
#include "adjoint/evaluator/retired.h"
#include "adjoint/gradient/gradient.h"

#include <math.h>
#include <string.h>

#include "adjoint/gradient/accuracy.h"
#include "adjoint/gradient/cases.h"
#include "adjoint/gradient/rest_derivatives.h"
#include "adjoint/gradient/maxima.h"
#include "adjoint/evaluator/verify_callbacks.h"
#include "core/base/clock.h"
#include "adjoint/tangents.h"
#include "core/equations/equations.h"
#include "core/problems/fit.h"
#include "dae/trajectory.h"

/* --- from parameters to data ------------------------------------------------------------------ */

gradyn_status gradyn_evaluator_load(gradyn_evaluator *ev, const double *rho)
{
  GRADYN_TRY(gradyn_evaluator_single(ev));
  GRADYN_TRY(gradyn_evaluator_check_finite(ev, rho));
  for (size_t j = 0; j < ev->parameters.count; j++)
    ev->rho[j] = rho[j];
  ev->model->span.rho = ev->rho;
  ev->model->span.parameters = ev->parameters.count;
  /* build() computes the data; gradyn_model_load() computes quantities that are constant during a run */
  GRADYN_TRY(gradyn_evaluator_report_model(ev, gradyn_model_refresh(ev->model, ev->rho)));
  GRADYN_TRY(gradyn_evaluator_report_model(ev, gradyn_model_load(ev->model, NULL)));
  return gradyn_evaluator_report_model(ev, gradyn_fits_check_times(ev->model));
}

/* Marks the data that events latch as active: they depend on all data before the event. */
static void activate_captured(gradyn_evaluator *ev)
{
  for (int k = 0; k < ev->model->log.captures.count; k++)
    ev->active[ev->model->log.captures.item[k].datum] = true;
}

/* Finds the active data, which vary with the parameters. With `directions`, also computes the columns of
 * dx/drho. */
static gradyn_status find_active(gradyn_evaluator *ev, bool directions)
{
  gradyn_directions *D = &ev->by_rho;
  if (!directions)
    return gradyn_evaluator_report_model(
        ev, gradyn_chain_begin(ev->model, &ev->parameters, ev->rho, D, ev->active));
  memset(ev->active, 0, (size_t)ev->model->nx * sizeof *ev->active);
  GRADYN_TRY(gradyn_evaluator_report_model(
      ev, gradyn_directions_by_rho(ev->model, &ev->parameters, ev->rho, D)));
  /* a datum is active if any column of dx/drho has an entry for it */
  for (int k = 0; k < D->start[D->count]; k++)
    ev->active[D->index[k]] = true;
  return GRADYN_OK;
}

/* Marks the active data in the model; NULL: all data. */
static void activate(gradyn_evaluator *ev, const bool *active)
{
  gradyn_mech *mech = ev->model->mech;
  if (ev->model->equations)
    ev->model->equations->active = active;
  if (mech && mech->ops->activate)
    mech->ops->activate(mech, active);
}

/* --- evaluations ------------------------------------------------------------------------------ */

/* Starts an evaluation with its own time limit, messages, warnings and log of events. */
static void begin(gradyn_evaluator *ev)
{
  const double allowed = ev->options.evaluation_seconds;
  ev->model->deadline.allowed = allowed;
  ev->model->deadline.deadline = allowed > 0 ? gradyn_seconds() + allowed : 0;
  gradyn_evaluator_forget(ev);
  gradyn_log_begin(ev->model); /* clear the log, since the run may fail before it detects events */
  ev->repetition.use_cost = false;
  ev->repetition.no_run = true; /* until a run begins: build() may fail before */
}

/* Ends an evaluation: collects warnings, and removes the time limit for later calls. */
static gradyn_status end(gradyn_evaluator *ev, gradyn_status status)
{
  ev->model->deadline.deadline = 0;
  if (status == GRADYN_OK)
    gradyn_evaluator_warn(ev);
  return status;
}

/* Ends an evaluation with derivatives of `rows` functionals by `columns` numbers, which must be finite. */
static gradyn_status end_finite(gradyn_evaluator *ev, gradyn_status status, const double *values,
                                size_t rows, size_t columns)
{
  for (size_t i = 0; status == GRADYN_OK && i < rows * columns; i++)
    if (!isfinite(values[i]))
      status = gradyn_fail(&ev->message, GRADYN_NON_FINITE, "a result is not finite");
  /* check users' functions: their wrong derivatives may be the reason for a failure, for example of a
   * guard's rate */
  if (columns > 0 &&
      (status == GRADYN_OK || gradyn_status_describe(status).kind == GRADYN_CLASS_RECOVERABLE)) {
    const gradyn_status vouched = gradyn_verify_callbacks_functions(ev, ev->active);
    status = vouched != GRADYN_OK ? vouched : status;
  }
  return end(ev, status);
}

/* Returns whether an evaluator is usable. An evaluator whose creation has failed keeps the message of that
 * failure. */
static bool ready(gradyn_evaluator *ev)
{
  if (!gradyn_evaluator_created(ev))
    return false;
  gradyn_message_clear(&ev->message);
  return true;
}

/* Returns whether an array is given where `count` is not 0; otherwise adds a message. */
static bool given(gradyn_evaluator *ev, size_t count, const char *what, const double *array)
{
  if (array || count == 0)
    return true;
  gradyn_message_add(&ev->message, "%s is NULL", what);
  return false;
}

/* Returns whether an evaluator is usable and rho is given. */
static bool ready_at(gradyn_evaluator *ev, const double *rho)
{
  return ready(ev) && given(ev, ev->parameters.count, "rho", rho);
}

/* Returns whether an evaluator is usable, rho is given and, by parameters or by `data`, the array of a
 * gradient. */
static bool ready_for(gradyn_evaluator *ev, const double *rho, bool data, const double *gradient)
{
  if (!ready_at(ev, rho))
    return false;
  const size_t columns = data ? (size_t)ev->public_count : ev->parameters.count;
  return given(ev, (size_t)ev->model->functional_count * columns, "the array of the gradient",
               gradient);
}

/* --- runs and repetitions ----------------------------------------------------------------------- */

/* A run by the present method, with its arguments and results. */
typedef struct request {
  gradyn_status (*run)(gradyn_evaluator *ev, const struct request *r);
  bool to_tolerance,
      /* to_tolerance: repeat the gradient until it has its tolerance; data: derivatives by all data instead
       * of by parameters */
      data;
  double *psi, *out;
  gradyn_trajectory *trajectory;
  const gradyn_directions *directions;
  const double *rho; /* differences */
} request;

/* Runs a request. A gradient is repeated with other steps until it has the requested accuracy. Everything is
 * repeated with the next method if the present one fails. */
static gradyn_status do_work(gradyn_evaluator *ev, request r)
{
  gradyn_turn turn;
  ev->repetition.no_run = false;
  gradyn_status status = gradyn_turn_begin(ev, &turn);
  if (status == GRADYN_OK)
    do {
      gradyn_accuracy a = gradyn_accuracy_begin(ev, r.to_tolerance, r.data, &r.psi, &r.out);
      do
        status = r.run(ev, &r);
      while (gradyn_accuracy_repeats(&a, &status));
    } while (gradyn_turn_passes(ev, &turn, status));
  return *ev->message.text ? status : gradyn_evaluator_report_model(ev, status);
}

static gradyn_status simulation(gradyn_evaluator *ev, const request *r)
{
  return gradyn_maxima_simulate(ev, r->psi, r->trajectory);
}

gradyn_status gradyn_evaluator_simulate(gradyn_evaluator *ev, const double *rho, double *psi,
                                        gradyn_trajectory *trajectory)
{
  if (gradyn_case_count(ev) > 0)
    return gradyn_cases_simulate(ev, rho, psi, trajectory);
  if (!ready_at(ev, rho))
    return GRADYN_INVALID;
  begin(ev);
  gradyn_status status = gradyn_evaluator_load(ev, rho);
  if (status == GRADYN_OK)
    status = do_work(ev, (request){.run = simulation, .psi = psi, .trajectory = trajectory});
  /* rows at requested times between the steps */
  if (status == GRADYN_OK && trajectory)
    status = gradyn_evaluator_report_model(ev, gradyn_trajectory_complete(trajectory, ev->model));
  if (status == GRADYN_OK && trajectory)
    status = gradyn_evaluator_report_model(ev, gradyn_trajectory_keep(trajectory, ev->model));
  if (status == GRADYN_OK && trajectory)
    status = gradyn_evaluator_report_model(ev, gradyn_energy_check(ev, rho, trajectory));
  return end(ev, status);
}

gradyn_status gradyn_evaluator_simulate_data(gradyn_evaluator *ev, const double *data, double *psi)
{
  if (!ready(ev) || !given(ev, (size_t)ev->public_count, "data", data))
    return GRADYN_INVALID;
  GRADYN_TRY(gradyn_evaluator_single(ev));
  begin(ev);
  /* hidden data keep their values */
  memcpy(ev->x, ev->model->x, (size_t)ev->model->nx * sizeof(double));
  for (int k = 0; k < ev->public_count; k++) {
    if (!isfinite(data[k]))
      return end(ev, gradyn_fail(&ev->message, GRADYN_INVALID, "datum %s is %g: it must be finite",
                                 ev->model->entry[ev->public_data[k]].name, data[k]));
    ev->x[ev->public_data[k]] = data[k];
  }
  /* derived data follow from the others */
  gradyn_model_derive(ev->model, ev->x);
  gradyn_status status = gradyn_evaluator_report_model(ev, gradyn_model_load(ev->model, ev->x));
  if (status == GRADYN_OK)
    status = do_work(ev, (request){.run = simulation, .psi = psi});
  return end(ev, status);
}

/* Computes x_bar [nf][nx] for the active data by one backward sweep. */
static gradyn_status sweep_back(gradyn_evaluator *ev, double *psi)
{
  const gradyn_method *method = ev->method;
  psi = psi ? psi : ev->repetition.psi; /* fits need the values psi to compute residuals */
  GRADYN_TRY(gradyn_evaluator_report_model(ev, gradyn_place_maxima(ev)));
  GRADYN_TRY(gradyn_evaluator_report_model(
      ev, ev->route == GRADYN_BY_ADJOINT
              ? method->adjoint(ev->run, ev->active, psi, ev->x_bar)
              : method->continuous_adjoint(ev->run, ev->active, psi, ev->x_bar)));
  GRADYN_TRY(gradyn_evaluator_report_model(ev, gradyn_log_smooth(ev->model)));
  gradyn_maxima_correct_values(ev->model, psi);
  gradyn_maxima_add_adjoints(ev->model, ev->x_bar);
  gradyn_fits_complete(ev->model, psi, ev->x_bar, (size_t)ev->model->nx);
  return GRADYN_OK;
}

/* Computes gradient [nf][directions] by one forward sweep. */
static gradyn_status sweep_along(gradyn_evaluator *ev, const gradyn_directions *directions,
                                 double *psi, double *gradient)
{
  if (!ev->method->direct)
    return gradyn_fail(&ev->message, GRADYN_UNSUPPORTED, "method %s has no direct sensitivities",
                       ev->method->name);
  psi = psi ? psi : ev->repetition.psi;
  GRADYN_TRY(gradyn_evaluator_report_model(ev, gradyn_place_maxima(ev)));
  if (directions->tangents)
    GRADYN_TRY(gradyn_evaluator_report_model(ev, gradyn_tangents_begin(directions->tangents)));
  GRADYN_TRY(
      gradyn_evaluator_report_model(ev, ev->method->direct(ev->run, directions, psi, gradient)));
  GRADYN_TRY(gradyn_evaluator_report_model(ev, gradyn_log_smooth(ev->model)));
  gradyn_maxima_correct_values(ev->model, psi);
  gradyn_maxima_add_tangents(ev->model, directions, gradient);
  gradyn_fits_complete(ev->model, psi, gradient, (size_t)directions->count);
  return GRADYN_OK;
}

/* Computes differences. Afterwards the model has the data at rho again, even if a run has failed. */
static gradyn_status by_differences(gradyn_evaluator *ev, const request *r)
{
  gradyn_status status = gradyn_gradient_by_differences(ev, r->rho, r->psi, r->out);
  /* loading may fail too, but the message must be that of the first failure */
  gradyn_message kept = ev->message;
  gradyn_status back = gradyn_evaluator_load(ev, r->rho);
  if (status != GRADYN_OK)
    ev->message = kept;
  return status != GRADYN_OK ? status : back;
}

/* Computes the gradient [nf][p]. */
static gradyn_status by_parameters(gradyn_evaluator *ev, const request *r)
{
  if (ev->route == GRADYN_BY_DIRECT)
    return ev->by_rho.count == 0 ? gradyn_evaluator_report_model(ev, simulation(ev, r))
                                 : sweep_along(ev, &ev->by_rho, r->psi, r->out);
  GRADYN_TRY(sweep_back(ev, r->psi));
  return gradyn_evaluator_report_model(ev,
                                       gradyn_chain_apply(ev->model, ev->model->functional_count,
                                                          ev->rho, &ev->by_rho, ev->x_bar, r->out));
}

gradyn_status gradyn_evaluator_gradient(gradyn_evaluator *ev, const double *rho, double *psi,
                                        double *gradient)
{
  if (gradyn_case_count(ev) > 0)
    return gradyn_cases_gradient(ev, rho, psi, gradient);
  if (!ready_for(ev, rho, false, gradient))
    return GRADYN_INVALID;
  begin(ev);
  gradyn_evaluator_take_route(ev, ev->parameters.count);
  if (ev->model->functional_count == 0) /* the run is still needed, because it may fail */
    return gradyn_evaluator_simulate(ev, rho, psi, NULL);
  request what = {.run = by_differences,
                  .rho = rho,
                  .psi = psi ? psi : ev->repetition.psi,
                  .out = gradient,
                  .to_tolerance = ev->route != GRADYN_BY_DIFFERENCES};
  gradyn_status status = gradyn_evaluator_load(ev, rho);
  if (what.to_tolerance) {
    what.run = by_parameters;
    if (status == GRADYN_OK)
      status = find_active(ev, ev->route == GRADYN_BY_DIRECT);
    if (status != GRADYN_OK)
      return end(ev, status);
    activate_captured(ev);
    /* products of derivatives skip elements without active data */
    activate(ev, ev->active);
  } else if (status == GRADYN_OK) {
    /* all runs of a difference must use one method */
    status = gradyn_evaluator_report_model(ev, gradyn_choose(ev));
  }
  if (status == GRADYN_OK)
    status = do_work(ev, what);
  if (status == GRADYN_OK && what.to_tolerance)
    status = gradyn_evaluator_report(ev, gradyn_step_error(ev, false, rho, what.psi, gradient));
  return end_finite(ev, status, gradient, (size_t)ev->model->functional_count,
                    ev->parameters.count);
}

gradyn_status gradyn_evaluator_load_active(gradyn_evaluator *ev, const double *rho)
{
  GRADYN_TRY(gradyn_evaluator_load(ev, rho));
  GRADYN_TRY(find_active(ev, false));
  activate_captured(ev);
  activate(ev, ev->active);
  return GRADYN_OK;
}

gradyn_status gradyn_gradient_of_run(gradyn_evaluator *ev, const double *rho, double *psi,
                                     double *gradient)
{
  GRADYN_TRY(gradyn_evaluator_load(ev, rho));
  GRADYN_TRY(find_active(ev, ev->route == GRADYN_BY_DIRECT));
  activate_captured(ev);
  activate(ev, ev->active);
  return by_parameters(ev, &(request){.psi = psi, .out = gradient});
}

gradyn_status gradyn_evaluator_gradient_selected(gradyn_evaluator *ev, const bool *requested,
                                                 const double *rho, double *psi, double *gradient)
{
  if (gradyn_case_count(ev) > 0)
    return gradyn_cases_gradient_selected(ev, requested, rho, psi, gradient);
  if (!ready_for(ev, rho, false, gradient))
    return GRADYN_INVALID;
  gradyn_model *model = ev->model;
  gradyn_functionals_request(model, requested);
  ev->exactness.care = GRADYN_AS_IT_IS;
  gradyn_status status = gradyn_evaluator_gradient(ev, rho, psi, gradient);
  ev->exactness.care = GRADYN_TO_TOLERANCE;
  gradyn_functionals_request(model, NULL);
  return status;
}

/* Computes the gradient [nf][directions], repeated until it has the requested accuracy. */
static gradyn_status along(gradyn_evaluator *ev, const request *r)
{
  gradyn_rest_derivatives settling = gradyn_rest_derivatives_begin(ev, r->directions, r->out);
  gradyn_status status;
  do
    status = sweep_along(ev, r->directions, r->psi, r->out);
  while (gradyn_rest_derivatives_repeats(&settling, &status));
  return status;
}

gradyn_status gradyn_gradient_along(gradyn_evaluator *ev, double *x,
                                    const gradyn_directions *directions, double *psi,
                                    double *gradient)
{
  begin(ev);
  /* x is given, so parameters are not involved */
  gradyn_model_derive(ev->model, x);
  gradyn_status status = gradyn_evaluator_report_model(ev, gradyn_model_load(ev->model, x));
  memset(ev->active, 0, (size_t)ev->model->nx * sizeof *ev->active);
  for (int k = 0; k < directions->start[directions->count]; k++)
    ev->active[directions->index[k]] = true;
  activate_captured(ev);
  activate(ev, ev->active);
  if (status == GRADYN_OK)
    status = do_work(
        ev, (request){.run = along, .psi = psi, .out = gradient, .directions = directions});
  return end_finite(ev, status, gradient, (size_t)ev->model->functional_count,
                    (size_t)directions->count);
}

gradyn_status gradyn_slope(gradyn_evaluator *ev, const double *rho, const double *line, double *psi,
                           double *slope)
{
  if (ev->load.all)
    return gradyn_cases_slope(ev, rho, line, psi, slope);
  LOCAL(gradyn_directions) along = {0};
  GRADYN_TRY(gradyn_evaluator_load(ev, rho));
  memcpy(ev->x, ev->model->x, (size_t)ev->model->nx * sizeof *ev->x);
  GRADYN_TRY(gradyn_evaluator_report(
      ev, gradyn_directions_by_line(ev->model, ev->rho, (int)ev->parameters.count, line, &along)));
  ev->exactness.care = GRADYN_AS_IT_IS;
  const gradyn_status status = gradyn_gradient_along(ev, ev->x, &along, psi, slope);
  ev->exactness.care = GRADYN_TO_TOLERANCE;
  return status;
}

/* Computes the gradient [nf][public data]. */
static gradyn_status by_data(gradyn_evaluator *ev, const request *r)
{
  int nf = ev->model->functional_count, nx = ev->model->nx, count = ev->public_count;
  if (ev->route == GRADYN_BY_DIRECT)
    return sweep_along(ev, &ev->by_datum, r->psi, r->out);
  GRADYN_TRY(sweep_back(ev, r->psi));
  for (int f = 0; f < nf; f++) {
    /* add adjoints of derived data to those of their sources */
    gradyn_model_derive_transposed(ev->model, ev->x_bar + f * nx);
    for (int k = 0; k < count; k++)
      r->out[f * count + k] = ev->x_bar[f * nx + ev->public_data[k]];
  }
  return GRADYN_OK;
}

gradyn_status gradyn_evaluator_data_gradient(gradyn_evaluator *ev, const double *rho, double *psi,
                                             double *gradient)
{
  if (!ready_for(ev, rho, true, gradient))
    return GRADYN_INVALID;
  GRADYN_TRY(gradyn_evaluator_single(ev));
  if (ev->route == GRADYN_BY_DIFFERENCES)
    return gradyn_fail(&ev->message, GRADYN_UNSUPPORTED,
                       "differences give derivatives by parameters only, not by all %d data. Use "
                       "adjoint or direct sensitivities",
                       ev->public_count);
  begin(ev);
  int nf = ev->model->functional_count, count = ev->public_count;
  gradyn_evaluator_take_route(ev, (size_t)count);
  if (nf == 0)
    return gradyn_evaluator_simulate(ev, rho, psi, NULL);
  gradyn_status status = gradyn_evaluator_load(ev, rho);
  /* all data are active */
  for (int k = 0; k < ev->model->nx; k++)
    ev->active[k] = true;
  activate(ev, NULL);
  /* one unit direction for each datum */
  if (status == GRADYN_OK && ev->route == GRADYN_BY_DIRECT)
    status = gradyn_evaluator_report_model(
        ev, gradyn_directions_by_datum(ev->model, ev->public_data, count, ev->x, &ev->by_datum));
  if (status == GRADYN_OK)
    status = do_work(ev, (request){.run = by_data,
                                   .to_tolerance = true,
                                   .data = true,
                                   .psi = psi ? psi : ev->repetition.psi,
                                   .out = gradient});
  if (status == GRADYN_OK)
    status = gradyn_evaluator_report(
        ev, gradyn_step_error(ev, true, rho, psi ? psi : ev->repetition.psi, gradient));
  return end_finite(ev, status, gradient, (size_t)nf, (size_t)count);
}
