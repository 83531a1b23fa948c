/* First-order states, and controllers with such states: PID with filter, state feedback. A state is the rate
 * of a scalar of unit inertia. The "force" on the scalar is therefore the rate of the state, and all schemes
 * integrate and differentiate it. See docs/theory/controllers.md. */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "core/model/declare.h"
#include "mbs/joints/coordinate.h"
#include "mbs/elements/formula.h"
#include <gradyn/forces.h>

/* --- states ----------------------------------------------------------------------------------- */

/* Units of the integral, of the state, and of its rate, from the state's unit. */
static void derive_units(gradyn_model *model, const char *unit, const char *out[3])
{
  out[0] = *unit ? gradyn_format_name(model, "%s s", unit) : "s";
  out[1] = unit;
  out[2] = *unit ? gradyn_format_name(model, "%s/s", unit) : "1/s";
}

/* Declares a first-order state z' = r. The forces on the state add up to r. */
int gradyn_first_order_state(gradyn_model *model, const gradyn_first_order_state_spec *spec)
{
  if (!gradyn_model_given(model, spec, "gradyn_first_order_state()"))
    return 0;
  gradyn_mbs *m = mbs_of(model);
  const char *unit[3];
  if (!m || !gradyn_model_named(model, spec->name, "a first-order state") ||
      !mbs_check_name(m, spec->name))
    return 0;
  if (m->dim == 0) {
    gradyn_build_error(model,
                       "%s: it is not known yet whether the mechanism is planar or spatial. "
                       "Declare a point, a body or gravity first",
                       spec->name);
    return 0;
  }
  if (!(spec->size >= 0) || isinf(spec->size))
    gradyn_build_error(model, "%s has the size %g: it must be positive, or 0 for 1", spec->name,
                       spec->size);
  /* units of integral, state and rate */
  derive_units(model, spec->unit ? spec->unit : "", unit);
  return gradyn_id(
      model, mbs_add_state(m, spec->name, unit, spec->size > 0 ? spec->size : 1, spec->initial));
}

/* --- common parts of controllers -------------------------------------------------------------- */

/* Variants of controllers, which can be combined by addition. */
enum { MEASURES_OTHER = 1, FILTERED = 2, LIMITED = 4 };

/* The effort u, or L tanh(u/L) if it is limited to L. */
static gradyn_scalar limit_effort(const mbs_element *e, gradyn_scalar u, gradyn_scalar L)
{
  return e->variant & LIMITED ? L * ctanh(u / L) : u;
}

/* Clears all entries of f; of the entries of a scalar only the first exists. */
static void clear(const mbs_element *e, gradyn_scalar *f)
{
  for (int k = 0; k < e->local; k++)
    f[k] = 0;
}

/* Reports a build error unless the value is positive. */
static void check_positive(gradyn_mbs *m, const char *name, const char *what, gradyn_scalar value,
                           const char *unit)
{
  if (!(creal(value) > 0))
    gradyn_build_error(m->model, "%s.%s is %g %s: it must be positive", name, what, creal(value),
                       unit);
}

/* --- PID: u = kp e + ki z + kd d -------------------------------------------------------------- */

enum { KP, KI, KD, TARGET, PID_DATA };

/* u = kp e + ki z + kd d for the error e = target - y. d is -y', or the filtered rate w' = (e - w)/T. The
 * states have the rates z' = e and w' = d. */
static gradyn_status pid(gradyn_mbs *m, const mbs_element *e, const mbs_formula_arguments *s,
                         gradyn_scalar *f)
{
  const gradyn_scalar *z = s->z, *extra = z + PID_DATA;
  const int dim = m->dim, filtered = (e->variant & FILTERED) != 0;
  const int measured = dim * (e->variant & MEASURES_OTHER), sum = measured + dim,
            filter = sum + dim;
  gradyn_scalar error = z[TARGET] - s->pos[measured] + (e->signal_count ? z[e->data_count] : 0);
  clear(e, f);
  f[sum] = error; /* z' = e */
  gradyn_scalar d = -s->vel[measured];
  if (filtered) {
    d = (error - s->vel[filter]) / extra[0];
    f[filter] = d; /* w' = d */
  }
  gradyn_scalar u = z[KP] * error + z[KI] * s->vel[sum] + z[KD] * d;
  f[0] = limit_effort(e, u, e->variant & LIMITED ? extra[filtered] : 1);
  return GRADYN_OK;
}

static const mbs_element_ops pid_ops = {.kind = "PID controller", MBS_FORMULA_OPS(pid)};

/* Units of gains: [acts on angle][measures angle][kp, ki, kd, target]. */
static const char *const gain_unit[2][2][PID_DATA] = {
    {{"N/m", "N/(m s)", "N s/m", "m"}, {"N/rad", "N/(rad s)", "N s/rad", "rad"}},
    {{"N m/m", "N m/(m s)", "N m s/m", "m"}, {"N m/rad", "N m/(rad s)", "N m s/rad", "rad"}}};

static const char *const effort_unit[2] = {"N", "N m"};

/* Adds the states z and w of a PID controller as points of the element. Their typical size equals that of
 * the coordinate; size 0 stands for the length of the mechanism. */
static void add_states(gradyn_mbs *m, const gradyn_pid_spec *spec, const char *name, bool angle,
                       mbs_element *e)
{
  static const char *const sum[2][3] = {{"m s^2", "m s", "m"}, {"rad s^2", "rad s", "rad"}};
  static const char *const filter[2][3] = {{"m s", "m", "m/s"}, {"rad s", "rad", "rad/s"}};
  const double size = angle ? 1 : 0; /* angles have size 1, lengths the length of the mechanism */
  e->point[e->points++] = mbs_add_state(m, gradyn_format_name(m->model, "%s.error_integral", name),
                                        sum[angle], size, spec->initial);
  if (spec->filtered)
    e->point[e->points++] = mbs_add_state(m,
                                          gradyn_format_name(m->model, "%s.filtered_error", name),
                                          filter[angle], size, spec->initial_filter);
}

/* Declares a PID controller: u = kp e + ki int e + kd e', e = target - measured; with a limit of u if
 * `limited`. */
int gradyn_pid(gradyn_model *model, const gradyn_pid_spec *spec)
{
  if (!gradyn_model_given(model, spec, "gradyn_pid()"))
    return 0;
  gradyn_mbs *m = mbs_of(model);
  const char *name = gradyn_own_name(model, spec->name, "PID");
  /* the controller may measure another coordinate than the one on which it acts */
  const int first = gradyn_first_id(model);
  const int measured = spec->measured != 0 ? spec->measured : spec->coordinate;
  const mbs_point *acted = mbs_check_coordinate(m, name, spec->coordinate);
  const mbs_point *seen = acted ? mbs_check_coordinate(m, name, measured) : NULL;
  if (!seen || !mbs_check_name(m, name))
    return 0;
  const char *const *unit = gain_unit[acted->angle][seen->angle];
  const char *limit_unit = effort_unit[acted->angle];
  const bool angle = seen->angle, other = measured != spec->coordinate;
  /* the element has one point or two, so that its derivatives are as small as possible */
  mbs_element e = {
      .ops = &pid_ops, .points = 1 + other, .point = {spec->coordinate - first, measured - first}};
  e.variant = (other ? MEASURES_OTHER : 0) | (spec->filtered ? FILTERED : 0) |
              (spec->limited ? LIMITED : 0);
  /* add_states() may move the array of points: acted and seen are invalid after it */
  add_states(m, spec, name, angle, &e);
  gradyn_datum data[PID_DATA + 2] = {{"kp", unit[KP], spec->kp},
                                     {"ki", unit[KI], spec->ki},
                                     {"kd", unit[KD], spec->kd},
                                     {"target", unit[TARGET], spec->target}};
  e.data_count = PID_DATA;
  if (spec->filtered) {
    /* Data that are not used are not declared: their gradients would be zero. */
    check_positive(m, name, "filter_time", spec->filter_time, "s");
    data[e.data_count++] = (gradyn_datum){"filter_time", "s", spec->filter_time};
  }
  if (spec->limited) {
    check_positive(m, name, "limit", spec->limit, limit_unit);
    data[e.data_count++] = (gradyn_datum){"limit", limit_unit, spec->limit};
  }
  mbs_use_signal(m, &e, name, spec->signal);
  return mbs_add_force(m, &e, name, data, e.data_count);
}

/* --- state feedback --------------------------------------------------------------------------- */

/* Data of each measured x_i, after the offset: gain, target and, if x_i is a coordinate, the gain of its
 * rate. */
enum { GAIN, WISH, RATE_GAIN, PER_COORDINATE, PER_STATE = RATE_GAIN };

/* u = offset + signal + sum of gain (target - x) - rate_gain x'. The first point, on which u acts, is one
 * of the x unless the controller measures only others (MEASURES_OTHER). */
static gradyn_status feedback(gradyn_mbs *m, const mbs_element *e, const mbs_formula_arguments *s,
                              gradyn_scalar *f)
{
  const gradyn_scalar *k = s->z + 1; /* data begin with the offset; the signal follows all data */
  gradyn_scalar u = s->z[0] + (e->signal_count ? s->z[e->data_count] : 0);
  clear(e, f);
  for (int i = e->variant & MEASURES_OTHER ? 1 : 0; i < e->points; i++) {
    /* the value of a state is the rate of its scalar */
    const gradyn_scalar position = s->pos[m->dim * i], rate = s->vel[m->dim * i];
    const bool state = m->point[e->point[i]].state;
    /* u += k (r - y) - k' y' */
    u += k[GAIN] * (k[WISH] - (state ? rate : position)) - (state ? 0 : k[RATE_GAIN] * rate);
    k += state ? PER_STATE : PER_COORDINATE;
  }
  f[0] = limit_effort(e, u, e->variant & LIMITED ? *k : 1);
  return GRADYN_OK;
}

static const mbs_element_ops feedback_ops = {.kind = "state feedback", MBS_FORMULA_OPS(feedback)};

/* Adds the measured x_i with its gains to *e and to data; false after a build error. */
static bool add_measured(gradyn_mbs *m, const gradyn_feedback_spec *spec, const char *name, int i,
                         mbs_element *e, gradyn_datum *data)
{
  gradyn_model *model = m->model;
  const int number = mbs_find_any_point(m, name, spec->of[i]),
            own = spec->coordinate - gradyn_first_id(model);
  /* x_i must be a first-order state or a joint coordinate */
  if (number < 0 || (!m->point[number].state && !mbs_check_coordinate(m, name, spec->of[i])))
    return false;
  for (int k = 0; k < i; k++)
    if (spec->of[k] == spec->of[i])
      gradyn_build_error(model, "%s lists %s twice", name, m->point[number].name);
  const bool state = m->point[number].state;
  const gradyn_scalar rate_gain = spec->rate_gain ? spec->rate_gain[i] : 0;
  if (state && rate_gain != 0)
    gradyn_build_error(model,
                       "%s: %s is a first-order state, so a gain of its rate is not possible", name,
                       m->point[number].name);
  /* unit of a gain: that of the effort divided by that of the measured quantity */
  const char *unit = state ? m->point[number].unit[1] : m->point[number].angle ? "rad" : "m";
  const char *per = effort_unit[m->point[own].angle];
  const char *gain = gradyn_format_name(model, "%s/(%s)", per, unit ? unit : "");
  /* a state has no gain of its rate */
  const char *rate = state ? NULL : gradyn_format_name(model, "%s s/%s", per, unit);
  data += e->data_count;
  data[GAIN] = (gradyn_datum){gradyn_format_name(model, "gain[%d]", i), gain, spec->gain[i]};
  data[WISH] = (gradyn_datum){gradyn_format_name(model, "target[%d]", i), unit ? unit : "",
                              spec->target ? spec->target[i] : 0};
  if (!state)
    data[RATE_GAIN] = (gradyn_datum){gradyn_format_name(model, "rate_gain[%d]", i), rate,
                                     rate_gain};
  e->data_count += state ? PER_STATE : PER_COORDINATE;
  /* the coordinate on which the controller acts is the first point already */
  if (number != own)
    e->point[e->points++] = number;
  return true;
}

/* Checks coordinate, count and arrays of a feedback; false after a build error. */
static bool check_feedback(gradyn_mbs *m, const gradyn_feedback_spec *spec, const char *name)
{
  if (!mbs_check_coordinate(m, name, spec->coordinate) || !mbs_check_name(m, name))
    return false;
  if (spec->count >= 1 && spec->count <= GRADYN_FEEDBACK_STATES && spec->of && spec->gain)
    return true;
  gradyn_build_error(m->model,
                     "%s feeds back %d coordinates and states: 1 to %d, each with its gain, are "
                     "possible",
                     name, spec->count, GRADYN_FEEDBACK_STATES);
  return false;
}

/* Declares a state feedback: u = offset + sum of gain_i (target_i - y_i) - rate_gain_i y_i'. */
int gradyn_feedback(gradyn_model *model, const gradyn_feedback_spec *spec)
{
  if (!gradyn_model_given(model, spec, "gradyn_feedback()"))
    return 0;
  gradyn_mbs *m = mbs_of(model);
  const char *name = gradyn_own_name(model, spec->name, "feedback");
  if (!check_feedback(m, spec, name))
    return 0;
  const int acted = spec->coordinate - gradyn_first_id(model);
  const char *unit = effort_unit[m->point[acted].angle];
  gradyn_datum data[2 + PER_COORDINATE * GRADYN_FEEDBACK_STATES] = {{"offset", unit, spec->offset}};
  mbs_element e = {.ops = &feedback_ops, .points = 1, .point = {acted}, .data_count = 1};
  e.variant = MEASURES_OTHER | (spec->limited ? LIMITED : 0);
  for (int own = 1; own >= 0; own--) /* gains of the coordinate on which it acts come first */
    for (int i = 0; i < spec->count; i++) {
      if ((spec->of[i] == spec->coordinate) != own)
        continue;
      e.variant &= own ? ~MEASURES_OTHER : ~0;
      if (!add_measured(m, spec, name, i, &e, data))
        return 0;
    }
  if (spec->limited) {
    check_positive(m, name, "limit", spec->limit, unit);
    data[e.data_count++] = (gradyn_datum){"limit", unit, spec->limit};
  }
  mbs_use_signal(m, &e, name, spec->signal);
  return mbs_add_force(m, &e, name, data, e.data_count);
}
