/* Inputs of elements: data, signals and laws of motion. Elements depend on inputs z, which follow from the
 * data x and time t. This file computes z(x, t) and its derivatives: sparse rows by data, and rates by
 * time. */
#include <math.h>

#include "mbs/elements/inputs.h"
#include "core/model/declare.h"

/* Indices of the data of a law. The length of a rod has the value only; a fixed initial condition has value
 * and rate. */
enum { VALUE, RATE, HELD_DATA, ACCELERATION = HELD_DATA, AMPLITUDE, FREQUENCY, PHASE, LAW_DATA };

/* Declares s(t) = value + rate t + acceleration t^2/2 + amplitude sin(frequency t + phase) + signal. */
int mbs_declare_law(gradyn_mbs *m, const char *name, const char *const unit[3],
                    const gradyn_time_function *law, mbs_element *element)
{
  const gradyn_time_function zero = {.value = 0};
  const gradyn_time_function *l = law ? law : &zero;
  const gradyn_datum data[LAW_DATA] = {{"value", unit[0], l->value},
                                       {"rate", unit[1], l->rate},
                                       {"acceleration", unit[2], l->acceleration},
                                       {"amplitude", unit[0], l->amplitude},
                                       {"frequency", "rad/s", l->frequency},
                                       {"phase", "rad", l->phase}};
  element->source = MBS_FROM_LAW;
  /* fixed initial conditions have value and rate only */
  element->data_count = element->when == MBS_AT_START ? HELD_DATA : LAW_DATA;
  if (law)
    mbs_use_signal(m, element, name, law->signal);
  /* s'' of a law must be continuous, so its signal must be a cubic spline */
  if (element->signal_count && !m->model->failed && !m->model->finalised &&
      m->model->signal[element->signal].kind != GRADYN_CUBIC_SPLINE)
    gradyn_build_error(m->model, "%s is driven by the signal %s, which must be a cubic spline",
                       name, m->model->signal[element->signal].name);
  return gradyn_model_data(m->model, name, data, element->data_count);
}

/* s, s', s'', s''' of a law. */
static void law_values(const gradyn_mbs *m, const mbs_element *e, double t, double s[4])
{
  const double *d = m->model->x + e->datum;
  s[0] = d[VALUE];
  s[1] = s[2] = s[3] = 0;
  if (e->data_count > VALUE + 1)
    s[1] = d[RATE];
  if (e->data_count < LAW_DATA)
    return; /* constant, or evaluated at the initial time only */
  /* s = s0 + s1 t + s2 t^2/2 + A sin(w t + phi), and its derivatives */
  double w = d[FREQUENCY], phase = w * t + d[PHASE];
  double A_sin = d[AMPLITUDE] * sin(phase), A_cos = d[AMPLITUDE] * cos(phase);
  s[0] += (d[RATE] + d[ACCELERATION] * t / 2) * t + A_sin;
  s[1] = d[RATE] + d[ACCELERATION] * t + w * A_cos;
  s[2] = d[ACCELERATION] - w * w * A_sin;
  s[3] = -w * w * w * A_cos;
  for (int k = 0; k < 4 && e->signal_count; k++) /* the signal adds to each order */
    s[k] += gradyn_signal_value(&m->model->signal[e->signal], m->model->x, t, k);
}

/* Derivatives D of s, s', s'' by the six data of a law. */
static void law_slopes(const gradyn_mbs *m, const mbs_element *e, double t, double D[3][LAW_DATA])
{
  const double *d = m->model->x + e->datum;
  double A = d[AMPLITUDE], w = d[FREQUENCY], sine = sin(w * t + d[PHASE]),
         cosine = cos(w * t + d[PHASE]);
  /* rows: s, s', s''; columns: s0, s1, s2, A, w, phi */
  const double s[3][LAW_DATA] = {
      {1, t, t * t / 2, sine, A * t * cosine, A * cosine},
      {0, 1, t, w * cosine, A * cosine - A * w * t * sine, -A * w * sine},
      {0, 0, 1, -w * w * sine, -2 * A * w * sine - A * w * w * t * cosine, -A * w * w * cosine}};
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < LAW_DATA; i++)
      D[k][i] = s[k][i];
}

void mbs_use_signal(gradyn_mbs *m, mbs_element *e, const char *name, int signal)
{
  /* if numbers count from 0, .signal = 0 may mean no signal or the first signal */
  if (m->model->problem->ids_from_0 && (signal != 0 || m->model->cursor.signal > 0))
    gradyn_build_error(m->model,
                       "%s: .signal is %d, and numbers of signals count from 0 (ids_from_0). Let "
                       "numbers count from 1, or declare elements without a signal before signals",
                       name, signal);
  const int k = signal == 0
                    ? -1
                    : gradyn_index(m->model, name, "signal", signal, m->model->cursor.signal);
  e->signal_count = k >= 0;
  e->signal = k >= 0 ? k : 0;
}

/* Datum of the initial coordinate (order 0) or velocity (order 1) that a constraint fixes. */
static int held_datum(const gradyn_mbs *m, const mbs_element *e, int order)
{
  const mbs_point *point = &m->point[e->point[0]];
  return (order == 0 ? point->x : point->vx) + (int)e->axis;
}

int mbs_input_count(const mbs_element *e)
{
  /* a law has the inputs s, s', s''; other elements have data, signals and time */
  return e->source != MBS_FROM_DATA ? 3 : e->data_count + e->signal_count + e->uses_time;
}

bool mbs_input_steady(const mbs_element *e)
{
  if (e->source == MBS_FROM_LAW)
    /* false for a full law; true for the length of a rod or fixed initial values */
    return e->data_count < LAW_DATA;
  return e->source == MBS_FROM_POINT || (e->signal_count == 0 && !e->uses_time);
}

void mbs_inputs_at(const gradyn_mbs *m, const mbs_element *e, double t, double *z)
{
  const double *x = m->model->x;
  if (e->source == MBS_FROM_LAW) {
    double s[4];
    law_values(m, e, t, s);
    for (int k = 0; k < 3; k++)
      z[k] = s[k];
    return;
  }
  if (e->source == MBS_FROM_POINT) {
    z[0] = x[held_datum(m, e, 0)];
    z[1] = x[held_datum(m, e, 1)];
    z[2] = 0; /* initial accelerations are not fixed */
    return;
  }
  for (int k = 0; k < e->data_count; k++)
    *z++ = x[e->datum + k];
  for (int k = 0; k < e->signal_count; k++)
    *z++ = gradyn_signal_value(&m->model->signal[e->signal + k], x, t, 0);
  if (e->uses_time)
    *z = t;
}

/* Evaluates the inputs that depend on time. Only this function and derivatives evaluate signals of
 * elements. */
void mbs_refresh_inputs(gradyn_mbs *m, double t)
{
  /* nothing to do if inputs are valid for this time and for this arc of the signals */
  if (m->timed.t == t && m->timed.arc == m->model->span.arc)
    return;
  for (const mbs_element *e = m->timed.first; e; e = e->next_timed)
    mbs_inputs_at(m, e, t, e->input);
  m->timed.t = t;
  m->timed.arc = m->model->span.arc;
}

/* Adds the derivatives of a signal, or of its time derivative of the given order, to the row of an input. */
static void add_signal(const gradyn_mbs *m, int signal, double t, int order, mbs_input_row *row)
{
  const gradyn_waveform *s = &m->model->signal[signal];
  /* derivatives by data of the signal: values at knots and times */
  row->count += gradyn_signal_slopes(s, m->model->x, t, order, row->datum + row->count,
                                     row->slope + row->count);
  row->rate += gradyn_signal_value(s, m->model->x, t,
                                   order + 1); /* derivative by time: one order higher */
}

/* Makes the row of a constant input, which has no derivatives. */
static void clear_row(mbs_input_row *row)
{
  row->count = 0;
  row->rate = 0;
}

/* Makes the row of an input that is a datum. */
static void set_datum(mbs_input_row *row, int datum)
{
  clear_row(row);
  row->count = 1;
  row->datum[0] = datum;
  row->slope[0] = 1;
}

/* Adds the derivative of an input by a datum to the row of the input. */
static void add_datum(mbs_input_row *row, int datum, double slope)
{
  row->datum[row->count] = datum;
  row->slope[row->count++] = slope;
}

/* Rows of s, s', s'' of a law of motion. */
static void law_rows(const gradyn_mbs *m, const mbs_element *e, double t, mbs_input_row *row)
{
  double D[3][LAW_DATA], s[4];
  for (int k = 0; k < 3; k++)
    clear_row(&row[k]);
  if (e->data_count < LAW_DATA) {           /* length of a rod, or fixed initial values */
    for (int k = 0; k < e->data_count; k++) /* ds/dx = 1 */
      set_datum(&row[k], e->datum + k);
    return;
  }
  law_slopes(m, e, t, D);
  law_values(m, e, t, s);
  /* z_k = s^(k): by the six data, by the signal, by time */
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < LAW_DATA; i++)
      add_datum(&row[k], e->datum + i, D[k][i]);
    if (e->signal_count)
      add_signal(m, e->signal, t, k, &row[k]);
    row[k].rate = s[k + 1]; /* ds^(k)/dt = s^(k+1) */
  }
}

void mbs_input_rows(const gradyn_mbs *m, const mbs_element *e, double t, mbs_input_row *row)
{
  if (e->source == MBS_FROM_LAW) {
    law_rows(m, e, t, row);
    return;
  }
  if (e->source ==
      MBS_FROM_POINT) { /* the inputs are the initial coordinate and velocity of a point */
    set_datum(&row[0], held_datum(m, e, 0));
    set_datum(&row[1], held_datum(m, e, 1));
    clear_row(&row[2]);
    return;
  }
  for (int k = 0; k < e->data_count; k++)
    set_datum(row++, e->datum + k);
  for (int k = 0; k < e->signal_count; k++, row++) {
    clear_row(row);
    add_signal(m, e->signal + k, t, 0, row);
  }
  clear_row(row);           /* a row has MBS_INPUTS entries, so this entry exists */
  row->rate = e->uses_time; /* d t / d t = 1 */
}

void mbs_inputs_adjoints(const gradyn_mbs *m, const mbs_element *e, double t, double weight,
                         const double *z_bar, double *x_bar)
{
  mbs_input_row row[MBS_INPUTS];
  mbs_input_rows(m, e, t, row);
  for (int k = 0; k < mbs_input_count(e); k++)
    for (int i = 0; i < row[k].count; i++)
      x_bar[row[k].datum[i]] += weight * row[k].slope[i] * z_bar[k];
}
