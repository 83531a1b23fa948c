/* Comparison of measures with data: declaration, residuals, sums over them. */
#include "core/problems/fit.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/model/declare.h"
#include "core/model/same_time.h"
#include "core/problems/parameters.h"

/* --- residuals ---------------------------------------------------------------------------------- */

double gradyn_fit_deviation(const gradyn_model *model, const gradyn_fitted *fit)
{
  return fit->deviation * (fit->sigma >= 0 ? model->x[fit->sigma] : 1);
}

/* The root of the loss of r, with the sign of r; *slope: its derivative by r. */
static double root_of_loss(const gradyn_fitted *fit, double r, double *slope)
{
  const double c = fit->threshold, size = fabs(r);
  const bool huber = fit->loss == GRADYN_LOSS_HUBER;
  *slope = 1;
  if (fit->loss == GRADYN_LOSS_SQUARE || (huber && size <= c) || size == 0)
    return r;
  const double loss = huber ? 2 * c * size - c * c : c * c * log1p(r / c * (r / c));
  const double root = sqrt(loss);
  *slope = (huber ? c : size / (1 + r / c * (r / c))) / root;
  return copysign(root, r);
}

/* Scale of the sensor of a residual. */
static double scale_of(const gradyn_model *model, const gradyn_fitted *fit)
{
  return fit->scale > 0 ? model->x[fit->scale] : 1;
}

/* Computes the residual r = (scale measure + offset - datum)/deviation, and the value of the measure. */
static gradyn_status miss(gradyn_model *model, const gradyn_functional_entry *f,
                          const gradyn_sample *at, double *measured, double *r)
{
  const gradyn_functional_entry *measure = &model->declared.measure[f->reduced.measure];
  const gradyn_fitted *fit = f->reduced.fit;
  GRADYN_TRY(measure->terminal->value(model, measure, at, measured));
  const double offset = fit->offset > 0 ? model->x[fit->offset] : 0;
  *r = (scale_of(model, fit) * *measured + offset - fit->value) / gradyn_fit_deviation(model, fit);
  return GRADYN_OK;
}

static gradyn_status residual(gradyn_model *model, const gradyn_functional_entry *f,
                              const gradyn_sample *at, double *value)
{
  double m, r, slope;
  GRADYN_TRY(miss(model, f, at, &m, &r));
  *value = root_of_loss(f->reduced.fit, r, &slope);
  return GRADYN_OK;
}

static gradyn_status residual_gradient(gradyn_model *model, const gradyn_functional_entry *f,
                                       const gradyn_sample *at, double weight,
                                       const gradyn_gradient_out *out)
{
  const gradyn_functional_entry *measure = &model->declared.measure[f->reduced.measure];
  const gradyn_fitted *fit = f->reduced.fit;
  double m, r, slope;
  GRADYN_TRY(miss(model, f, at, &m, &r));
  (void)root_of_loss(fit, r, &slope);
  const double by_value = weight * slope / gradyn_fit_deviation(model, fit);
  if (out->x_bar && fit->sigma >= 0 && !fit->candidate)
    out->x_bar[fit->sigma] -= weight * slope * r / model->x[fit->sigma];
  if (out->x_bar && fit->scale > 0)
    out->x_bar[fit->scale] += by_value * m;
  if (out->x_bar && fit->offset > 0)
    out->x_bar[fit->offset] += by_value;
  return measure->terminal->gradient(model, measure, at, by_value * scale_of(model, fit), out);
}

static const gradyn_functional_ops residual_ops = {residual, residual_gradient};

/* --- ln sigma ----------------------------------------------------------------------------------- */

static gradyn_status log_sigma(gradyn_model *model, const gradyn_functional_entry *f,
                               const gradyn_sample *at, double *value)
{
  (void)at;
  *value = log(model->x[f->reduced.fit->sigma]);
  return GRADYN_OK;
}

static gradyn_status log_sigma_gradient(gradyn_model *model, const gradyn_functional_entry *f,
                                        const gradyn_sample *at, double weight,
                                        const gradyn_gradient_out *out)
{
  (void)at;
  if (out->x_bar)
    out->x_bar[f->reduced.fit->sigma] += weight / model->x[f->reduced.fit->sigma];
  return GRADYN_OK;
}

static const gradyn_functional_ops log_sigma_ops = {log_sigma, log_sigma_gradient};

/* --- sums over residuals ------------------------------------------------------------------------ */

/* Adds the derivatives of functional `of`, times `weight`, to the derivatives of a fit. */
static void add_row(double rows[], size_t width, int fit, int of, double weight)
{
  for (size_t j = 0; j < width; j++)
    rows[(size_t)fit * width + j] += weight * rows[(size_t)of * width + j];
}

/* Computes value and derivatives of functional k, a fit, from its residuals. */
static void complete(const gradyn_model *model, int k, double psi[], double rows[], size_t width)
{
  const gradyn_fitted *fit = model->functional[k].reduced.fit;
  psi[k] = fit->constant;
  if (fit->estimated)
    psi[k] += fit->count * psi[fit->first - 1];
  for (int i = fit->first; i < fit->first + fit->count; i++)
    psi[k] += psi[i] * psi[i] / 2;
  if (!rows)
    return;
  memset(rows + (size_t)k * width, 0, width * sizeof *rows);
  if (model->functional[k].skipped)
    return;
  if (fit->estimated)
    add_row(rows, width, k, fit->first - 1, fit->count);
  for (int i = fit->first; i < fit->first + fit->count; i++)
    add_row(rows, width, k, i, psi[i]);
}

void gradyn_fits_complete(const gradyn_model *model, double psi[], double rows[], size_t width)
{
  for (int k = 0; k < model->functional_count && psi; k++)
    if (model->functional[k].reduced.fit &&
        model->functional[k].reduced.fit->part == GRADYN_FIT_SUM)
      complete(model, k, psi, rows, width);
}

void gradyn_fits_spread(const gradyn_model *model, const double psi[], double weight[])
{
  for (int k = 0; k < model->functional_count; k++) {
    const gradyn_fitted *fit = model->functional[k].reduced.fit;
    if (!fit || fit->part != GRADYN_FIT_SUM || weight[k] == 0)
      continue;
    if (fit->estimated)
      weight[fit->first - 1] += fit->count * weight[k];
    for (int i = fit->first; i < fit->first + fit->count; i++)
      weight[i] += psi[i] * weight[k];
  }
}

void gradyn_functionals_request(gradyn_model *model, const bool requested[])
{
  for (int k = 0; k < model->functional_count; k++) {
    gradyn_functional_entry *f = &model->functional[k];
    const bool part = f->reduced.fit && f->reduced.fit->part != GRADYN_FIT_SUM;
    f->skipped = requested && !requested[k] && !(part && requested[gradyn_fit_of(f)]);
  }
}

/* Time at which a residual reads its measure, at the data in use. */
static double read_at(const gradyn_model *model, const gradyn_fitted *fit)
{
  return fit->delay > 0 ? fit->time - model->x[fit->delay] : fit->time;
}

gradyn_status gradyn_fits_check_times(gradyn_model *model)
{
  const double end = model->x[model->t_end];
  for (int k = 0; k < model->functional_count; k++) {
    const gradyn_functional_entry *f = &model->functional[k];
    const gradyn_fitted *fit = f->reduced.fit;
    if (!fit || fit->part != GRADYN_FIT_RESIDUAL)
      continue;
    const double t = read_at(model, fit);
    const bool late = gradyn_model_later(model, t, end);
    if (!late && (fit->delay == 0 || gradyn_model_later(model, t, gradyn_model_start(model))))
      continue;
    const char *source = model->functional[gradyn_fit_of(f)].reduced.fit->source;
    char where[400] = "", delayed[80] = "";
    if (source)
      (void)snprintf(where, sizeof where, "%.300s:%zu: ", source, fit->line);
    if (fit->delay > 0)
      (void)snprintf(delayed, sizeof delayed, " minus a delay of %g s", model->x[fit->delay]);
    return gradyn_fail(
        &model->message, GRADYN_INVALID,
        late ? "%sthe time of datum %s is %g s%s; the run ends at %g s"
             : "%sthe time of datum %s is %g s%s; it must be after the start of the run",
        where, f->name, fit->time, delayed, end);
  }
  return GRADYN_OK;
}

/* --- declaration -------------------------------------------------------------------------------- */

/* Checks members of a spec; a contradiction is a build error. */
static void check(gradyn_model *model, const char *name, const gradyn_fit_spec *spec)
{
  const bool given = creal(spec->sigma) != 0 || cimag(spec->sigma) != 0;
  if (spec->file ? spec->times || spec->values || spec->deviations || spec->count != 0
                 : !spec->times || !spec->values)
    gradyn_build_error(model, "fit %s: give times and values, or a file", name);
  if (spec->count < 0 || spec->count > GRADYN_FIT_DATA)
    gradyn_build_error(model, "fit %s: there are %d data; give 0 to %d", name, spec->count,
                       GRADYN_FIT_DATA);
  if (given && !(creal(spec->sigma) > 0 && isfinite(creal(spec->sigma))))
    gradyn_build_error(model, "fit %s: sigma is %g; it must be positive", name, creal(spec->sigma));
  if (spec->loss < GRADYN_LOSS_SQUARE || spec->loss > GRADYN_LOSS_CAUCHY)
    gradyn_build_error(model, "fit %s: there is no loss %d", name, (int)spec->loss);
  if (spec->likelihood && (!given || spec->loss != GRADYN_LOSS_SQUARE))
    gradyn_build_error(model, "fit %s: a likelihood needs sigma and GRADYN_LOSS_SQUARE", name);
  if (!(spec->threshold >= 0) || !isfinite(spec->threshold) ||
      (spec->threshold > 0 && spec->loss == GRADYN_LOSS_SQUARE))
    gradyn_build_error(model,
                       "fit %s: the threshold is %g; give a positive one with GRADYN_LOSS_HUBER or "
                       "GRADYN_LOSS_CAUCHY",
                       name, spec->threshold);
}

/* Appends one datum of the arrays of a spec. */
static bool take_datum(const gradyn_fit_spec *spec, int i, bool all, gradyn_fit_data *out)
{
  const size_t k = out->count;
  out->times[k] = spec->times[i];
  out->values[k] = spec->values[i];
  out->deviations[k] = spec->deviations ? spec->deviations[i] : 1;
  out->count += isnan(spec->values[i]) && !all ? 0 : 1;
  return isfinite(out->times[k]) && !isinf(out->values[k]);
}

/* Copies the data of the arrays of a spec. */
static gradyn_status take_arrays(gradyn_model *model, const char *name, const gradyn_fit_spec *spec,
                                 gradyn_fit_data *out)
{
  const size_t most = (size_t)spec->count + 1;
  out->times = calloc(most, sizeof *out->times);
  out->values = calloc(most, sizeof *out->values);
  out->deviations = calloc(most, sizeof *out->deviations);
  if (!out->times || !out->values || !out->deviations)
    return GRADYN_NO_MEMORY;
  for (int i = 0; i < spec->count; i++)
    if (!take_datum(spec, i, model->declared.candidates != NULL, out))
      gradyn_build_error(model, "fit %s: datum %d is %g at t = %g s; both must be finite", name, i,
                         spec->values[i], spec->times[i]);
  return GRADYN_OK;
}

/* Name of the load case of the model; NULL: none. */
static const char *load_case(const gradyn_model *model)
{
  const gradyn_cases *cases = model->settings.cases;
  return cases && model->settings.row < cases->count ? cases->names[model->settings.row] : NULL;
}

/* Reads the data of the first build(). false after a build error. */
static bool read_data(gradyn_model *model, const char *name, const gradyn_fit_spec *spec,
                      gradyn_fit_data *out)
{
  char message[600] = "";
  const bool all = model->declared.candidates != NULL;
  const gradyn_status status = spec->file ? gradyn_fit_read(spec, name, load_case(model), all, out,
                                                            message, sizeof message)
                                          : take_arrays(model, name, spec, out);
  if (status == GRADYN_NO_MEMORY)
    gradyn_model_no_memory(model, name);
  else if (status != GRADYN_OK)
    gradyn_build_error(model, "fit %s: %s", name, message);
  return status == GRADYN_OK && !model->failed;
}

/* Checks times and deviations; the message has the line of a file. */
static void check_data(gradyn_model *model, const char *name, const gradyn_fit_spec *spec,
                       const gradyn_fit_data *data)
{
  for (size_t k = 0; k < data->count && !model->failed; k++) {
    const double t = data->times[k], before = k > 0 ? data->times[k - 1] : 0;
    const bool positive = data->deviations[k] > 0 && isfinite(data->deviations[k]);
    char where[400];
    if (data->lines)
      (void)snprintf(where, sizeof where, "%.300s:%zu", spec->file, data->lines[k]);
    else
      (void)snprintf(where, sizeof where, "datum %zu", k);
    if (t < before)
      gradyn_build_error(model, "fit %s: %s: the time is %g s; times must be at least %g s here",
                         name, where, t, before);
    else if (!positive)
      gradyn_build_error(model, "fit %s: %s: the deviation is %g; it must be positive", name, where,
                         data->deviations[k]);
  }
}

/* Makes a functional a part of a fit. false: out of memory, which is a build error. */
static bool add_part(gradyn_model *model, gradyn_functional_entry *f, const gradyn_fitted *part)
{
  f->reduced.fit = malloc(sizeof *part);
  if (f->reduced.fit)
    *f->reduced.fit = *part;
  else
    gradyn_model_no_memory(model, f->name);
  return f->reduced.fit != NULL;
}

static double threshold_of(const gradyn_fit_spec *spec)
{
  return spec->threshold > 0 ? spec->threshold : spec->loss == GRADYN_LOSS_HUBER ? 1.345 : 2.385;
}

/* Declares a residual for each datum in the first build(). */
static void declare_residuals(gradyn_model *model, const char *name, const gradyn_fit_spec *spec,
                              const gradyn_functional_entry *measure, const gradyn_fitted *part,
                              const gradyn_fit_data *data)
{
  const gradyn_functional_entry of = *measure; /* the list of functionals may move */
  for (size_t k = 0; k < data->count && !model->exhausted; k++) {
    gradyn_functional_entry *f;
    char own[300];
    (void)snprintf(own, sizeof own, "%.250s[%zu]", name, k);
    (void)gradyn_model_functional(model, own, "", &f);
    if (!f)
      return;
    gradyn_reduce_value(f, &of, false);
    f->terminal = &residual_ops;
    f->use = GRADYN_RESIDUAL;
    f->instant = data->times[k];
    f->from_start = !(data->times[k] > 0) && part->delay == 0;
    if (part->delay > 0) /* at its beginning, a run moves the time to t - delay */
      f->ride = (gradyn_ride){.fraction = -1, .start = -1, .end = part->delay};
    if (!add_part(model, f, part))
      return;
    f->reduced.fit->time = data->times[k];
    f->reduced.fit->value = model->declared.candidates ? 0 : data->values[k];
    f->reduced.fit->deviation = data->deviations[k];
    f->reduced.fit->line = data->lines ? data->lines[k] : 0;
    f->reduced.fit->missing = isnan(data->values[k]);
    f->reduced.fit->candidate = model->declared.candidates != NULL;
    f->reduced.fit->loss = model->declared.candidates ? GRADYN_LOSS_SQUARE : spec->loss;
    f->reduced.fit->threshold = threshold_of(spec);
  }
}

/* Declares ln sigma, which is estimated. */
static void declare_log_sigma(gradyn_model *model, const char *name, const gradyn_fitted *part)
{
  gradyn_functional_entry *f;
  char own[300];
  (void)snprintf(own, sizeof own, "%.250s.ln_sigma", name);
  (void)gradyn_model_functional(model, own, "", &f);
  if (!f)
    return;
  f->terminal = &log_sigma_ops;
  f->data_only = true;
  f->use = GRADYN_LOG_SIGMA;
  if (add_part(model, f, part))
    f->reduced.fit->part = GRADYN_FIT_LOG_SIGMA;
}

/* Terms of -ln L that no parameter changes: ln (2 pi)/2 and ln of the deviations over sigma. */
static double constant_of(const gradyn_fit_spec *spec, const gradyn_fit_data *data)
{
  double sum = 0;
  for (size_t k = 0; k < data->count && spec->likelihood; k++)
    sum += log(8 * atan(1)) / 2 + log(data->deviations[k]);
  return sum;
}

/* Declares all parts in the first build(). */
static void declare(gradyn_model *model, int number, const char *name, const gradyn_fit_spec *spec,
                    const gradyn_functional_entry *measure, const gradyn_fitted *part)
{
  gradyn_fit_data data = {0};
  if (!model->failed && read_data(model, name, spec, &data))
    check_data(model, name, spec, &data);
  if (!model->failed && gradyn_fit_take_candidates(model, name, &data) != GRADYN_OK)
    gradyn_model_no_memory(model, name);
  if (!model->failed) {
    if (spec->likelihood)
      declare_log_sigma(model, name, part);
    const int first = model->cursor.functional;
    declare_residuals(model, name, spec, measure, part, &data);
    gradyn_fitted *fit = model->functional[number].reduced.fit;
    fit->first = first;
    fit->count = model->functional_count - first;
    fit->estimated = spec->likelihood;
    fit->constant = constant_of(spec, &data);
  }
  gradyn_fit_data_clear(&data);
}

/* Index in rho of a parameter of the sensor; -1: there is none, which is a build error if it is named. */
static int find_parameter(gradyn_model *model, const char *fit, const char *parameter,
                          const char *what)
{
  const int index = parameter ? gradyn_parameter_find(model, parameter) : -1;
  if (parameter && index < 0)
    gradyn_build_error(model, "fit %s: there is no parameter %s for its %s", fit, parameter, what);
  return index;
}

/* Declares the datum of a parameter of the sensor; returns its index, or 0 without one. */
static int declare_number(gradyn_model *model, const char *fit, const char *parameter,
                          const char *what, const char *unit)
{
  const int index = find_parameter(model, fit, parameter, what);
  return index < 0 ? 0 : gradyn_model_datum(model, fit, what, unit, model->declared.rho[index]);
}

/* Declares a fit with a delay. Fits with the same delay share its datum, because their times move together.
 * number: index of this fit. */
static int declare_delay(gradyn_model *model, const char *fit, const char *parameter, int number,
                         int *delayed_by)
{
  const int index = find_parameter(model, fit, parameter, "delay");
  *delayed_by = index + 1;
  for (int k = 0; k < number && index >= 0 && k < model->functional_count; k++) {
    const gradyn_fitted *other = model->functional[k].reduced.fit;
    if (other && other->part == GRADYN_FIT_SUM && other->delayed_by == index + 1)
      return other->delay;
  }
  return index < 0 ? 0
                   : gradyn_model_datum(model, parameter, "delay", "s", model->declared.rho[index]);
}

int gradyn_fit(gradyn_model *model, const char *name, int measure, const gradyn_fit_spec *spec)
{
  if (!gradyn_model_given(model, spec, "gradyn_fit()") || !gradyn_model_named(model, name, "a fit"))
    return 0;
  const gradyn_functional_entry *s = gradyn_find_measure(model, name, measure);
  if (!s)
    return 0;
  if (s->reduced.components != 1) {
    gradyn_build_error(model, "fit %s: its measure has %d components; one is needed", name,
                       s->reduced.components);
    return 0;
  }
  check(model, name, spec);
  gradyn_functional_entry *f;
  const int number = gradyn_model_functional(model, name, "", &f);
  const bool scaled = creal(spec->sigma) != 0 || cimag(spec->sigma) != 0;
  const int sigma = scaled ? gradyn_model_datum(model, name, "sigma", s->unit, spec->sigma) : -1;
  int delayed_by;
  const int scale = declare_number(model, name, spec->scale, "scale", ""),
            offset = declare_number(model, name, spec->offset, "offset", s->unit),
            delay = declare_delay(model, name, spec->delay, number, &delayed_by);
  const char *source = spec->file ? gradyn_format_name(model, "%s", spec->file) : NULL;
  if (f) {
    f->data_only = true;
    if (add_part(model, f,
                 &(gradyn_fitted){.part = GRADYN_FIT_SUM,
                                  .source = source,
                                  .scale = scale,
                                  .offset = offset,
                                  .delay = delay,
                                  .delayed_by = delayed_by}))
      declare(model, number, name, spec, s,
              &(gradyn_fitted){
                  .part = GRADYN_FIT_RESIDUAL,
                  .of = number,
                  .sigma = sigma,
                  .scale = scale,
                  .offset = offset,
                  .delay = delay,
                  .weighted = scaled || spec->deviations || spec->deviation_column,
              });
  } else if (model->finalised && number < model->functional_count &&
             model->functional[number].reduced.fit) {
    const gradyn_fitted *known = model->functional[number].reduced.fit;
    model->cursor.functional += known->count + known->estimated;
  }
  return gradyn_id(model, number);
}
