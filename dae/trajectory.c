/* Trajectories: recording and interpolation.
 *
 * A trajectory contains the rows (t, y, y') of all steps, or samples at equal distances on request. Between
 * the rows of a mechanism, positions are polynomials of degree five that match q, v and a at both ends.
 * Velocities are cubic, accelerations and multipliers linear. States of general equations are cubic and match
 * values and rates. Outputs are linear. At samples, accelerations and multipliers follow from the equations
 * of motion at the interpolated positions and velocities, and outputs from all states. */
#include "dae/classical.h"
#include "core/mech/shown.h"
#include "core/model/same_time.h"
#include "dae/trajectory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct gradyn_trajectory {
  size_t columns, steps, capacity;
  size_t n;            /* coordinates of a mechanism, whose columns are q, v, a, lam; otherwise 0 */
  size_t states;       /* number of columns with states; outputs of the model follow */
  gradyn_model *model; /* model of the run */
  char (*name)[64];
  char (*unit)[24];
  bool *internal; /* [columns] true for columns that are hidden from users */
  double *t;      /* [steps] s */
  double *y, *yp; /* [steps][columns] */
  size_t samples; /* number requested */
  double *sample; /* [samples][columns] states at the sample times */
  bool sampled;
  gradyn_past past;
};

gradyn_trajectory *gradyn_trajectory_create(void)
{
  return calloc(1, sizeof(gradyn_trajectory));
}

void gradyn_trajectory_free(gradyn_trajectory *s)
{
  if (!s)
    return;
  free(s->name);
  free(s->unit);
  free(s->internal);
  free(s->t);
  free(s->y);
  free(s->yp);
  free(s->sample);
  free(s->past.x);
  free(s->past.record);
  free(s->past.captured);
  free(s);
}

void gradyn_trajectory_request(gradyn_trajectory *s, size_t samples)
{
  if (!s)
    return;
  /* samples include both ends */
  s->samples = samples > 1 ? samples : 0;
  s->sampled = false;
}

/* Returns whether samples need more than interpolation, as states of general equations do not. */
static bool has_samples(const gradyn_trajectory *s)
{
  return s->n > 0 || s->columns > s->states;
}

/* Allocates the samples. */
static bool reserve_samples(gradyn_trajectory *s)
{
  s->sampled = false;
  if (s->samples == 0 || !has_samples(s))
    return true;
  double *capacity = realloc(s->sample, s->samples * s->columns * sizeof *capacity);
  if (capacity)
    s->sample = capacity;
  return capacity != NULL;
}

/* Prepares the trajectory for states and this number of outputs. */
static gradyn_status begin(gradyn_trajectory *s, gradyn_model *model, size_t outputs)
{
  size_t states = (size_t)model->ops->state_count(model), columns = states + outputs;
  s->steps = 0;
  s->states = states;
  s->model = model;
  s->past.model = NULL;
  s->n = model->mech ? (size_t)model->mech->n : 0;
  if (columns != s->columns) { /* another model, or another number of outputs */
    void *name = realloc(s->name, columns * sizeof *s->name);
    if (name)
      s->name = name;
    void *unit = realloc(s->unit, columns * sizeof *s->unit);
    if (unit)
      s->unit = unit;
    void *internal = realloc(s->internal, columns * sizeof *s->internal);
    if (internal)
      s->internal = internal;
    if (!name || !unit || !internal)
      return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory for a trajectory");
    s->columns = columns;
    /* rows have another length, so that the arrays must be allocated again */
    s->capacity = 0;
  }
  if (!reserve_samples(s))
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory for %zu samples",
                       s->samples);
  /* names of the states, then of the outputs */
  for (size_t i = 0; i < states; i++) {
    model->ops->state_name(model, (int)i, s->name[i], sizeof s->name[i]);
    snprintf(s->unit[i], sizeof s->unit[i], "%s", model->ops->state_unit(model, (int)i));
    s->internal[i] = gradyn_mech_internal(model->mech, (int)i);
  }
  for (size_t i = states; i < columns; i++) {
    snprintf(s->name[i], sizeof s->name[i], "%s",
             model->ops->output_name(model, (int)(i - states)));
    snprintf(s->unit[i], sizeof s->unit[i], "%s",
             model->ops->output_unit(model, (int)(i - states)));
    s->internal[i] = false;
  }
  return GRADYN_OK;
}

gradyn_status gradyn_trajectory_begin(gradyn_trajectory *s, gradyn_model *model)
{
  return begin(s, model, gradyn_model_outputs(model));
}

gradyn_status gradyn_trajectory_begin_tangent(gradyn_trajectory *s, gradyn_model *model)
{
  return begin(s, model, 0);
}

/* Computes the outputs of a row from its states. */
static gradyn_status add_outputs(const gradyn_trajectory *s, double t, double *row)
{
  const gradyn_sample at = {t, row};
  return s->columns > s->states ? s->model->ops->outputs(s->model, &at, row + s->states)
                                : GRADYN_OK;
}

/* Doubles the memory for rows; false: out of memory. */
static bool grow(gradyn_trajectory *s)
{
  /* the number of steps is not known in advance */
  size_t capacity = s->capacity ? 2 * s->capacity : 1024;
  double **array[] = {&s->t, &s->y, &s->yp};
  for (int k = 0; k < 3; k++) {
    size_t width = k == 0 ? 1 : s->columns;
    double *larger = realloc(*array[k], capacity * width * sizeof(double));
    if (!larger)
      return false;
    *array[k] = larger;
  }
  s->capacity = capacity;
  return true;
}

gradyn_status gradyn_trajectory_add(gradyn_trajectory *s, double t, const double *y,
                                    const double *yp)
{
  if (s->steps == s->capacity && !grow(s))
    return gradyn_fail(&s->model->message, GRADYN_NO_MEMORY,
                       "out of memory for the trajectory at t = %g s", t);
  s->t[s->steps] = t;
  double *row = s->y + s->steps * s->columns, *rates = s->yp + s->steps * s->columns;
  memcpy(row, y, s->states * sizeof(double));
  GRADYN_TRY(add_outputs(s, t, row));
  /* mechanisms pass no rates: velocities and accelerations are states */
  memset(rates, 0, s->columns * sizeof(double));
  if (yp)
    memcpy(rates, yp, s->states * sizeof(double));
  s->steps++;
  return GRADYN_OK;
}

gradyn_status gradyn_trajectory_append(gradyn_trajectory *s, const gradyn_trajectory *other,
                                       bool joined)
{
  for (size_t k = joined; k < other->steps; k++) {
    if (s->steps == s->capacity && !grow(s))
      return GRADYN_NO_MEMORY;
    s->t[s->steps] = other->t[k];
    memcpy(s->y + s->steps * s->columns, other->y + k * s->columns, s->columns * sizeof *s->y);
    memcpy(s->yp + s->steps * s->columns, other->yp + k * s->columns, s->columns * sizeof *s->yp);
    s->steps++;
  }
  return GRADYN_OK;
}

gradyn_trajectory_view gradyn_trajectory_read(const gradyn_trajectory *s)
{
  if (!s || s->steps == 0)
    return (gradyn_trajectory_view){.columns = s ? s->columns : 0};
  return (gradyn_trajectory_view){s->steps, s->columns, s->t, s->y};
}

gradyn_column_info gradyn_trajectory_column(const gradyn_trajectory *s, size_t i)
{
  if (!s || i >= s->columns)
    return (gradyn_column_info){.name = "", .unit = ""};
  return (gradyn_column_info){s->name[i], s->unit[i], s->internal[i]};
}

double gradyn_trajectory_step(const gradyn_trajectory *s, size_t step, double *state)
{
  if (!s || step >= s->steps)
    return NAN;
  if (state)
    memcpy(state, s->y + step * s->columns, s->columns * sizeof(double));
  return s->t[step];
}

/* Returns the index of the last step that starts at or before t. */
static size_t locate(const gradyn_trajectory *s, double t)
{
  size_t low = 0, high = s->steps - 1;
  while (high - low > 1) {
    /* bisection: t[low] <= t < t[high] */
    size_t middle = (low + high) / 2;
    if (s->t[middle] <= t)
      low = middle;
    else
      high = middle;
  }
  return low;
}

/* Returns a position at theta in [0, 1] of a step of length h, by the polynomial of degree five that
 * matches q, v and a at both ends. */
static double quintic(const double q[2], const double v[2], const double a[2], double theta,
                      double h)
{
  double s = theta, s2 = s * s, s3 = s2 * s, s4 = s3 * s, s5 = s4 * s;
  /* goes from 0 to 1, with zero first and second derivatives at both ends */
  double jump = 10 * s3 - 15 * s4 + 6 * s5;
  return q[0] * (1 - jump) + q[1] * jump + h * v[0] * (s - 6 * s3 + 8 * s4 - 3 * s5) +
         h * v[1] * (-4 * s3 + 7 * s4 - 3 * s5) +
         h * h * (a[0] * (s2 - 3 * s3 + 3 * s4 - s5) / 2 + a[1] * (s3 - 2 * s4 + s5) / 2);
}

/* Returns a value at s in [0, 1] of a step of length h, by cubic Hermite interpolation. */
static double cubic(const double y[2], const double yp[2], double s, double h)
{
  double s2 = s * s, s3 = s2 * s, jump = 3 * s2 - 2 * s3;
  return y[0] * (1 - jump) + y[1] * jump + h * yp[0] * (s - 2 * s2 + s3) + h * yp[1] * (s3 - s2);
}

/* Interpolates the state at time t between rows k and k + 1. */
static void interpolate_in(const gradyn_trajectory *s, size_t k, double t, double *state)
{
  size_t n = s->n;
  /* h = 0: both rows are at the time of an event */
  double h = s->t[k + 1] - s->t[k], theta = h > 0 ? (t - s->t[k]) / h : 0;
  /* values and rates at both ends of the interval */
  const double *y[2] = {s->y + k * s->columns, s->y + (k + 1) * s->columns};
  const double *yp[2] = {s->yp + k * s->columns, s->yp + (k + 1) * s->columns};
  for (size_t i = 0; i < s->columns; i++) {
    const double value[2] = {y[0][i], y[1][i]};
    if (i < n) {
      /* positions with these v and a are C^2 */
      const double v[2] = {y[0][n + i], y[1][n + i]}, a[2] = {y[0][2 * n + i], y[1][2 * n + i]};
      state[i] = quintic(value, v, a, theta, h);
    } else if (i < 2 * n) {
      const double a[2] = {y[0][n + i], y[1][n + i]};
      state[i] = cubic(value, a, theta, h);
    } else if (n > 0 || i >= s->states) { /* rates of these are not known */
      state[i] = (1 - theta) * value[0] + theta * value[1];
    } else {
      const double rate[2] = {yp[0][i], yp[1][i]};
      state[i] = cubic(value, rate, theta, h);
    }
  }
}

/* Interpolates the state at any time. */
static void interpolate(const gradyn_trajectory *s, double t, double *state)
{
  if (!s || !state)
    return;
  if (s->steps >= 2 && t > s->t[0] && t < s->t[s->steps - 1])
    interpolate_in(s, locate(s, t), t, state);
  else if (s->steps > 0) /* outside the run, the state is that of the nearer end */
    gradyn_trajectory_step(s, t <= s->t[0] ? 0 : s->steps - 1, state);
}

/* Computes accelerations and multipliers of an interpolated state by the equations of motion. On failure, the
 * state keeps the interpolated values. */
static gradyn_status solve(const gradyn_trajectory *s, gradyn_initial *equations, double t,
                           double *state)
{
  GRADYN_TRY(gradyn_initial_accelerate(equations, t, state, state + s->n));
  /* q and v remain interpolated */
  memcpy(state + 2 * s->n, equations->a, s->n * sizeof(double));
  memcpy(state + 3 * s->n, equations->lam, (s->states - 3 * s->n) * sizeof(double));
  return add_outputs(s, t, state);
}

/* Ignores failures to compute accelerations of interpolated states; returns all other failures. */
static gradyn_status forgive(gradyn_status status)
{
  return gradyn_status_describe((int)status).kind == GRADYN_CLASS_RECOVERABLE ? GRADYN_OK : status;
}

gradyn_status gradyn_trajectory_solve(const gradyn_trajectory *s, gradyn_initial *equations,
                                      size_t step, double t, double *state)
{
  interpolate_in(s, step, t, state);
  return equations ? forgive(solve(s, equations, t, state)) : GRADYN_OK;
}

/* q' = v, v' = a(t, q, v). */
static gradyn_status move(void *self, double t, const double *z, double *rate)
{
  gradyn_initial *equations = self;
  const size_t n = (size_t)equations->mech->n;
  GRADYN_TRY(gradyn_initial_accelerate(equations, t, z, z + n));
  memcpy(rate, z + n, n * sizeof *rate);
  memcpy(rate + n, equations->a, n * sizeof *rate);
  return GRADYN_OK;
}

gradyn_status gradyn_trajectory_follow(const gradyn_trajectory *s, gradyn_initial *equations,
                                       size_t step, double t, double *state, double *work)
{
  if (!equations)
    return gradyn_trajectory_solve(s, NULL, step, t, state);
  memcpy(state, s->y + step * s->columns, s->columns * sizeof *state);
  const gradyn_status status = gradyn_classical_follow(move, equations, 2 * s->n, s->t[step], t,
                                                       state, work);
  if (status == GRADYN_OK)
    return forgive(solve(s, equations, t, state));
  GRADYN_TRY(forgive(status));
  return gradyn_trajectory_solve(s, equations, step, t, state);
}

/* --- data and events of the run -------------------------------------------------------------- */

/* Replaces the array that *capacity points to by a copy of `size` bytes; false: out of memory. */
static bool copy_into(void *capacity, const void *from, size_t size)
{
  void *memory;
  memcpy(&memory, capacity, sizeof memory);
  memory = realloc(memory, size + 1);
  if (!memory)
    return false;
  memcpy(capacity, &memory, sizeof memory);
  if (size > 0)
    memcpy(memory, from, size);
  return true;
}

gradyn_status gradyn_trajectory_keep(gradyn_trajectory *s, gradyn_model *model)
{
  gradyn_past *p = &s->past;
  const gradyn_model_log *log = &model->log;
  const size_t events = (size_t)log->count, captures = (size_t)log->captures.count;
  if (!copy_into(&p->x, model->x, (size_t)model->nx * sizeof *p->x) ||
      !copy_into(&p->record, log->record, events * sizeof *p->record) ||
      !copy_into(&p->captured, log->captures.value, events * captures * sizeof *p->captured))
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory for %d data", model->nx);
  p->events = log->count;
  p->model = model;
  return GRADYN_OK;
}

const gradyn_past *gradyn_trajectory_past(const gradyn_trajectory *s)
{
  return &s->past;
}

/* --- samples --------------------------------------------------------------------------------- */

/* Returns the time of sample i, t_0 + i (t_end - t_0)/(samples - 1). The last one is exactly t_end. */
static double sample_time(const gradyn_trajectory *s, size_t i)
{
  double first = s->t[0], last = s->t[s->steps - 1];
  return i + 1 == s->samples ? last : first + (last - first) * (double)i / (double)(s->samples - 1);
}

/* Returns the states [columns] of the sample at time t; NULL: no sample is there. */
static const double *sample_at(const gradyn_trajectory *s, double t)
{
  if (!s || !s->sampled || s->steps < 2)
    return NULL;
  /* index of the nearest sample */
  const double span = s->t[s->steps - 1] - s->t[0], last = (double)(s->samples - 1);
  const size_t i = (size_t)fmin(fmax(0, round((t - s->t[0]) / span * last)), last);
  return fabs(t - sample_time(s, i)) <= GRADYN_SAME_TIME * span ? s->sample + i * s->columns : NULL;
}

gradyn_status gradyn_trajectory_complete(gradyn_trajectory *s, gradyn_model *model)
{
  LOCAL(gradyn_initial) equations = {0};
  if (s->samples == 0 || !has_samples(s) || s->steps < 2)
    return GRADYN_OK;
  if (model->mech)
    GRADYN_TRY(gradyn_initial_create_motion(model->mech, &equations));
  /* each sample is evaluated with the signals of its time and the discrete state of the log */
  gradyn_discrete_state_rewind(model);
  for (size_t i = 0; i < s->samples; i++) {
    double t = sample_time(s, i), *state = s->sample + i * s->columns;
    interpolate(s, t, state);
    gradyn_discrete_state_follow(model, t, true);
    GRADYN_TRY(gradyn_model_cancelled(model, t));
    GRADYN_TRY(forgive(model->mech ? solve(s, &equations, t, state) : add_outputs(s, t, state)));
  }
  s->sampled = true;
  return GRADYN_OK;
}

void gradyn_trajectory_sample(const gradyn_trajectory *s, double t, double *state)
{
  const double *known = sample_at(s, t);
  if (known && state)
    memcpy(state, known, s->columns * sizeof(double));
  else
    interpolate(s, t, state);
}
