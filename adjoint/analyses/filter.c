/* The extended Kalman filter along a run: from a covariance of the initial state, white noise and the data of
 * gradyn_fit() to estimates of the state. Between measurements P follows from the run and its saltation
 * matrices (filter_run.c, riccati.c). At a measurement with residuals nu, in independent coordinates,
 *
 *   S = H P H^T + R,  K = P H^T S^-1,  P+ = (1 - K H) P (1 - K H)^T + K R K^T,  dw = K nu. */
#include <gradyn/inference.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adjoint/analyses/filter_update.h"
#include "adjoint/analyses/semidefinite.h"
#include "adjoint/evaluator/verify_callbacks.h"
#include "adjoint/gradient/gradient.h"
#include "core/model/same_time.h"
#include "core/problems/fit.h"

typedef struct filtering {
  gradyn_evaluator *ev;
  const gradyn_filter_spec *spec;
  gradyn_filter_run *run;       /* borrowed */
  gradyn_filter_update *update; /* borrowed */
  gradyn_filter *out;
  double *added; /* [added_rank][nz] directions of Q */
  int added_rank;
  double *LP;         /* [nz][nz] workspace of report() */
  gradyn_arena arena; /* owns all arrays */
} filtering;

static gradyn_status no_memory(const filtering *s)
{
  return gradyn_fail(&s->ev->message, GRADYN_NO_MEMORY, "out of memory for a filter");
}

/* --- data --------------------------------------------------------------------------------------- */

/* Whether functional k is a datum of a measure. */
static const gradyn_fitted *datum_of(const gradyn_model *model, int k)
{
  const gradyn_fitted *fit = model->functional[k].reduced.fit;
  return fit && fit->part == GRADYN_FIT_RESIDUAL && fit->prior == 0 ? fit : NULL;
}

/* Refuses fits that are no measurements with normal errors. */
static gradyn_status check_fit(const filtering *s, const gradyn_fitted *datum)
{
  const gradyn_functional_entry *f = &s->ev->model->functional[datum->of];
  if (datum->delay > 0)
    return gradyn_fail(&s->ev->message, GRADYN_UNSUPPORTED,
                       "fit %s: has the delay %s; filters do not support delays", f->name,
                       s->ev->model->entry[datum->delay].name);
  if (!datum->weighted)
    return gradyn_fail(&s->ev->message, GRADYN_INVALID,
                       "fit %s: has no standard deviation; a filter needs one. Give sigma",
                       f->name);
  if (datum->loss != GRADYN_LOSS_SQUARE)
    return gradyn_fail(&s->ev->message, GRADYN_UNSUPPORTED,
                       "fit %s: has another loss than GRADYN_LOSS_SQUARE, the only one of filters",
                       f->name);
  return GRADYN_OK;
}

/* Orders data for qsort(). */
static int earlier(const void *a, const void *b)
{
  const gradyn_filter_datum *p = a, *q = b;
  return p->t != q->t ? (p->t > q->t) - (p->t < q->t)
                      : (p->functional > q->functional) - (p->functional < q->functional);
}

/* Lists the data in the order of time, and counts their times. */
static gradyn_status find_data(filtering *s)
{
  const gradyn_model *model = s->ev->model;
  gradyn_filter *out = s->out;
  out->datum = calloc((size_t)model->functional_count + 1, sizeof *out->datum);
  if (!out->datum)
    return no_memory(s);
  for (int k = 0; k < model->functional_count; k++) {
    const gradyn_fitted *fit = datum_of(model, k);
    if (!fit)
      continue;
    GRADYN_TRY(check_fit(s, fit));
    out->datum[out->data++] = (gradyn_filter_datum){
        .functional = (size_t)k, .t = fit->time, .value = fit->value};
  }
  if (out->data == 0)
    return gradyn_fail(&s->ev->message, GRADYN_INVALID,
                       "problem %s: has no data; a filter needs a fit", s->ev->problem->name);
  qsort(out->datum, out->data, sizeof *out->datum, earlier);
  for (size_t i = 0; i < out->data; i++)
    out->rows += i == 0 || !gradyn_model_same_time(model, out->datum[i].t, out->datum[i - 1].t);
  return GRADYN_OK;
}

/* Sets, for each row, the indices of its first datum and of its first entry in S. Returns the largest
 * number of data of a row. */
static size_t divide(filtering *s)
{
  gradyn_filter *out = s->out;
  size_t row = 0, most = 0;
  for (size_t i = 0; i < out->data; i++)
    if (i == 0 || !gradyn_model_same_time(s->ev->model, out->datum[i].t, out->datum[i - 1].t)) {
      out->t[row] = out->datum[i].t;
      out->first[row++] = i;
    }
  out->first[row] = out->data;
  for (row = 0; row < out->rows; row++) {
    const size_t m = out->first[row + 1] - out->first[row];
    out->block[row + 1] = out->block[row] + m * m;
    most = m > most ? m : most;
  }
  return most;
}

/* --- covariances by names ----------------------------------------------------------------------- */

static void name_state(const filtering *s, int l, char *name, size_t size)
{
  const gradyn_nominal *c = &s->run->nominal;
  c->model->ops->state_name(c->model, c->rates->position[l], name, size);
}

/* Sets *l to the differential state with a name. */
static gradyn_status find_state(const filtering *s, const char *requested, int *l)
{
  char name[64];
  for (*l = 0; *l < s->run->nominal.nz; ++*l) {
    name_state(s, *l, name, sizeof name);
    if (requested && strcmp(name, requested) == 0)
      return GRADYN_OK;
  }
  return gradyn_fail(&s->ev->message, GRADYN_INVALID,
                     "differential state '%.60s': the problem has none of this name",
                     requested ? requested : "");
}

/* Sets *at to the component of disturbances at the start that is a named state. */
static gradyn_status find_component(const filtering *s, const char *requested, int *at)
{
  int l;
  GRADYN_TRY(find_state(s, requested, &l));
  for (*at = 0; *at < gradyn_filter_run_size(s->run); ++*at)
    if (gradyn_nominal_index(&s->run->nominal, gradyn_filter_run_chart(s->run), *at) == l)
      return GRADYN_OK;
  return gradyn_fail(&s->ev->message, GRADYN_INVALID,
                     "state %s: depends on other states at the start. Name independent ones",
                     requested);
}

/* Sets P at the start: the covariance of the named states, which are independent. */
static gradyn_status take_initial(const filtering *s)
{
  const gradyn_weights *w = &s->spec->initial;
  const int n = gradyn_filter_run_size(s->run);
  for (size_t i = 0; i < w->count; i++)
    for (size_t j = 0; j < w->count; j++) {
      int a, b;
      GRADYN_TRY(find_component(s, w->name[i], &a));
      GRADYN_TRY(find_component(s, w->name[j], &b));
      s->run->P[a * n + b] = w->matrix[i * w->count + j];
    }
  return GRADYN_OK;
}

/* Sets the directions of the covariance that each interval adds. root [count][count] refers to the named
 * states. */
static gradyn_status take_added(filtering *s, const double *root, int rank)
{
  const gradyn_weights *w = &s->spec->added;
  const size_t nz = (size_t)s->run->nominal.nz;
  s->added = gradyn_arena_numbers(&s->arena, w->count * nz + 1);
  if (!s->added)
    return no_memory(s);
  for (size_t i = 0; i < w->count; i++) {
    int l;
    GRADYN_TRY(find_state(s, w->name[i], &l));
    for (int r = 0; r < rank; r++)
      s->added[(size_t)r * nz + (size_t)l] = root[i * w->count + (size_t)r];
  }
  s->added_rank = rank;
  return GRADYN_OK;
}

/* Checks a covariance; sets root [count][count] and *rank. */
static gradyn_status take_root(const filtering *s, const gradyn_weights *w, const char *what,
                               double *root, int *rank)
{
  const gradyn_semidefinite given = {what, w->name, (int)w->count, w->matrix};
  for (size_t i = 0; i < w->count; i++)
    for (size_t j = 0; j < i; j++)
      if (w->name[i] && w->name[j] && strcmp(w->name[i], w->name[j]) == 0)
        return gradyn_fail(&s->ev->message, GRADYN_INVALID, "%s: '%.60s' is named twice", what,
                           w->name[i]);
  return gradyn_semidefinite_root(&given, &s->ev->message, root, rank);
}

/* Sets dx [nx] to the direction of a signal as a whole, or of a datum. */
static gradyn_status find_input(const filtering *s, const char *requested, gradyn_input *input,
                                double *dx)
{
  const gradyn_model *model = s->run->model;
  *input = (gradyn_input){"signal", requested, dx};
  for (int k = 0; k < model->signal_count && requested; k++)
    if (strcmp(model->signal[k].name, requested) == 0) {
      gradyn_signal_raise(&model->signal[k], dx);
      return GRADYN_OK;
    }
  input->kind = "datum";
  for (int k = 0; k < model->nx && requested; k++)
    if (!model->entry[k].derived && !model->entry[k].hidden &&
        strcmp(model->entry[k].name, requested) == 0) {
      dx[k] = 1;
      gradyn_model_derive_along(model, dx);
      return GRADYN_OK;
    }
  return gradyn_fail(&s->ev->message, GRADYN_INVALID,
                     "noise '%.60s': the problem has no signal and no datum of this name",
                     requested ? requested : "");
}

/* Takes the white noises with their intensity W = G G^T. */
static gradyn_status take_noise(filtering *s)
{
  const gradyn_weights *w = &s->spec->noise;
  const size_t count = w->count, nx = (size_t)s->run->model->nx;
  gradyn_filter_noise *noise = &s->run->noise;
  double *G = gradyn_arena_numbers(&s->arena, count * count + 1);
  double *dx = gradyn_arena_numbers(&s->arena, count * nx + 1);
  double *dxG = gradyn_arena_numbers(&s->arena, count * nx + 1);
  gradyn_input *input = gradyn_arena_take(&s->arena, count + 1, sizeof *input);
  if (gradyn_arena_status(&s->arena) != GRADYN_OK)
    return no_memory(s);
  GRADYN_TRY(take_root(s, w, "noise intensity", G, &noise->rank));
  for (size_t k = 0; k < count; k++) {
    GRADYN_TRY(find_input(s, w->name[k], &input[k], dx + k * nx));
    for (int r = 0; r < noise->rank; r++)
      for (size_t i = 0; i < nx; i++)
        dxG[(size_t)r * nx + i] += dx[k * nx + i] * G[k * count + (size_t)r];
  }
  noise->count = (int)count;
  noise->input = input;
  noise->dxG = dxG;
  return GRADYN_OK;
}

/* --- the run ------------------------------------------------------------------------------------ */

/* Stores the state and its covariance L P L^T. */
static gradyn_status report(filtering *s, double *state, double *covariance)
{
  gradyn_nominal *c = &s->run->nominal;
  const int nz = c->nz, n = gradyn_filter_run_size(s->run);
  memcpy(state, s->run->z, (size_t)nz * sizeof *state);
  GRADYN_TRY(gradyn_nominal_lift(c, gradyn_filter_run_chart(s->run), s->run->t, s->run->z));
  for (int i = 0; i < n; i++)
    for (int l = 0; l < nz; l++) {
      s->LP[i * nz + l] = 0;
      for (int j = 0; j < n; j++)
        s->LP[i * nz + l] += s->run->P[i * n + j] * c->L[j * nz + l];
    }
  for (int k = 0; k < nz; k++)
    for (int l = 0; l < nz; l++) {
      covariance[k * nz + l] = 0;
      for (int i = 0; i < n; i++)
        covariance[k * nz + l] += c->L[i * nz + k] * s->LP[i * nz + l];
      if (!isfinite(covariance[k * nz + l]))
        return gradyn_fail(&s->ev->message, GRADYN_NON_FINITE,
                           "the covariance at t = %g s is not finite", s->run->t);
    }
  return GRADYN_OK;
}

/* Allocates the arrays of the result by its states and rows, and names the states. */
static gradyn_status take_result(filtering *s)
{
  gradyn_filter *out = s->out;
  const gradyn_nominal *c = &s->run->nominal;
  const size_t nz = out->states = (size_t)c->nz;
  out->name = calloc(nz + 1, sizeof *out->name);
  out->unit = calloc(nz + 1, sizeof *out->unit);
  out->first = calloc(2 * out->rows + 2, sizeof *out->first);
  out->t = calloc(out->rows * (1 + 2 * nz + 2 * nz * nz) + 1, sizeof(double));
  s->LP = gradyn_arena_numbers(&s->arena, nz * nz + 1);
  if (!out->name || !out->unit || !out->first || !out->t || !s->LP)
    return no_memory(s);
  out->block = out->first + out->rows + 1;
  out->predicted = out->t + out->rows;
  out->estimate = out->predicted + out->rows * nz;
  out->predicted_covariance = out->estimate + out->rows * nz;
  out->covariance = out->predicted_covariance + out->rows * nz * nz;
  for (int l = 0; l < c->nz; l++) {
    name_state(s, l, out->name[l], sizeof *out->name);
    (void)snprintf(out->unit[l], sizeof *out->unit, "%s",
                   c->model->ops->state_unit(c->model, c->rates->position[l]));
  }
  return GRADYN_OK;
}

/* Returns whether a covariance names a state. */
static bool is_named(const gradyn_weights *w, const char *state)
{
  for (size_t k = 0; k < w->count; k++)
    if (w->name[k] && strcmp(w->name[k], state) == 0)
      return true;
  return false;
}

/* Lists the coordinates that are named, or whose rates are named: these shall be independent. Returns their
 * number. */
static size_t list_requested(const filtering *s, const char **requested, char (*text)[64])
{
  const gradyn_model *model = s->ev->model;
  const gradyn_weights *P = &s->spec->initial;
  const int n = model->mech ? model->mech->n : 0;
  size_t count = 0;
  for (int i = 0; i < n; i++) {
    char rate[64];
    model->ops->state_name(model, i, text[count], sizeof *text);
    model->ops->state_name(model, n + i, rate, sizeof rate);
    requested[count] = text[count];
    count += is_named(P, text[count]) || is_named(P, rate);
  }
  return count;
}

/* Opens the run with the named coordinates. */
static gradyn_status open_run(filtering *s, const double *rho)
{
  const size_t n = s->ev->model->mech ? (size_t)s->ev->model->mech->n : 0;
  const char **requested = gradyn_arena_take(&s->arena, n + 1, sizeof *requested);
  char(*text)[64] = gradyn_arena_take(&s->arena, n + 1, sizeof *text);
  if (gradyn_arena_status(&s->arena) != GRADYN_OK)
    return no_memory(s);
  const size_t count = list_requested(s, requested, text);
  return gradyn_filter_run_create(s->ev, rho, requested, count, s->run);
}

/* Takes covariances and noise, and allocates. */
static gradyn_status begin(filtering *s, const double *rho)
{
  const gradyn_filter_spec *spec = s->spec;
  const size_t most = spec->initial.count > spec->added.count ? spec->initial.count
                                                              : spec->added.count;
  double *root = gradyn_arena_numbers(&s->arena, most * most + 1);
  int rank;
  if (gradyn_arena_status(&s->arena) != GRADYN_OK)
    return no_memory(s);
  GRADYN_TRY(gradyn_evaluator_load(s->ev, rho));
  GRADYN_TRY(find_data(s));
  GRADYN_TRY(gradyn_fits_check_times(s->ev->model));
  GRADYN_TRY(take_root(s, &spec->initial, "initial covariance", root, &rank));
  GRADYN_TRY(take_root(s, &spec->added, "added covariance", root, &rank));
  GRADYN_TRY(open_run(s, rho));
  GRADYN_TRY(take_result(s));
  GRADYN_TRY(gradyn_filter_update_create(s->run, divide(s), s->out, s->update));
  GRADYN_TRY(take_noise(s));
  GRADYN_TRY(take_added(s, root, rank));
  return take_initial(s);
}

/* Passes the data in the order of time. */
static gradyn_status pass(filtering *s, const double *rho)
{
  gradyn_filter *out = s->out;
  GRADYN_TRY(begin(s, rho));
  for (size_t row = 0; row < out->rows; row++) {
    const size_t nz = out->states, at = row * nz;
    const bool later = gradyn_model_later(s->run->model, out->t[row], s->run->t);
    GRADYN_TRY(gradyn_filter_run_until(s->run, out->t[row]));
    if (later && s->added_rank > 0)
      GRADYN_TRY(gradyn_filter_run_disturb(s->run, s->added_rank, s->added));
    GRADYN_TRY(report(s, out->predicted + at, out->predicted_covariance + at * nz));
    GRADYN_TRY(gradyn_filter_update_apply(s->update, row));
    GRADYN_TRY(report(s, out->estimate + at, out->covariance + at * nz));
  }
  return GRADYN_OK;
}

/* Returns whether a matrix is complete. */
static bool given(const gradyn_weights *w)
{
  return w->count == 0 || (w->count < 10000 && w->name && w->matrix);
}

gradyn_status gradyn_filter_compute(gradyn_evaluator *ev, const double *rho,
                                    const gradyn_filter_spec *spec, gradyn_filter *out)
{
  if (!out)
    return GRADYN_INVALID;
  *out = (gradyn_filter){0};
  GRADYN_TRY(gradyn_evaluator_enter(ev, rho, spec, "spec"));
  if (!given(&spec->initial) || !given(&spec->noise) || !given(&spec->added))
    return gradyn_fail(&ev->message, GRADYN_INVALID, "an array of spec is NULL");
  gradyn_evaluator_forget(ev);
  LOCAL(gradyn_filter_run) run = {0};
  LOCAL(gradyn_filter_update) update = {0};
  filtering s = {.ev = ev, .spec = spec, .run = &run, .update = &update, .out = out};
  gradyn_status status = pass(&s, rho);
  gradyn_arena_clear(&s.arena);
  if (run.ev) {
    status = gradyn_verify_callbacks_analysis(run.ev, status);
    if (status == GRADYN_OK)
      gradyn_warnings_append(&ev->warnings, &run.ev->warnings);
    if (status != GRADYN_OK && *ev->message.text == '\0')
      (void)gradyn_fail(&ev->message, status, "%s",
                        *run.ev->message.text ? run.ev->message.text
                        : run.model           ? run.model->message.text
                                              : "");
  }
  return gradyn_evaluator_report(ev, status);
}

void gradyn_filter_clear(gradyn_filter *f)
{
  if (!f)
    return;
  free(f->name);
  free(f->unit);
  free(f->first);
  free(f->datum);
  free(f->t);
  free(f->innovation_covariance);
  *f = (gradyn_filter){0};
}
