/* First-order states, and the controllers that have them: PID with filter, state feedback. A state is the
 * rate of a coordinate of unit inertia, so that the "force" on it is its rate and every scheme marches and
 * differentiates it: see docs/theory/controllers.md. */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "core/model/declare.h"
#include "mbs/joints/coordinate.h"
#include "mbs/elements/formula.h"
#include <gradyn/control.h>

/* --- states ----------------------------------------------------------------------------------- */

/* Units of the integral and of the rate of what has a unit. */
static void derive_units(gradyn_model *model, const char *unit, const char *out[3])
{
  out[0] = *unit ? gradyn_name(model, "%s s", unit) : "s";
  out[1] = unit;
  out[2] = *unit ? gradyn_name(model, "%s/s", unit) : "1/s";
}

/* A first-order state z' = r, a coordinate of unit inertia: its rate is what forces on it say. */
int gradyn_controller_state(gradyn_model *model, const gradyn_controller_state_spec *spec)
{
  if (!gradyn_model_given(model, spec, "gradyn_controller_state()"))
    return 0;
  gradyn_mbs *m = mbs_of(model);
  const char *unit[3];
  if (!m || !gradyn_model_named(model, spec->name, "a first-order state") ||
      !mbs_check_name(m, spec->name))
    return 0;
  if (m->dim == 0) {
    gradyn_build_error(model,
                       "%s: declare a point, a body or gravity first: they tell whether the "
                       "mechanism is planar or spatial",
                       spec->name);
    return 0;
  }
  /* 0 stands for 1 */
  if (!(spec->size >= 0) || isinf(spec->size))
    gradyn_build_error(model, "%s has the size %g: it must be positive, or 0 for 1", spec->name,
                       spec->size);
  /* its integral, itself, its rate */
  derive_units(model, spec->unit ? spec->unit : "", unit);
  return mbs_add_state(m, spec->name, unit, spec->size > 0 ? spec->size : 1, spec->initial);
}

/* --- what controllers share ------------------------------------------------------------------- */

/* Variants, added up. */
enum { MEASURES_OTHER = 1, FILTERED = 2, LIMITED = 4 };

/* u, or L tanh(u/L). */
static gradyn_scalar limit_effort(const mbs_element *e, gradyn_scalar u, gradyn_scalar L)
{
  return e->variant & LIMITED ? L * ctanh(u / L) : u;
}

/* All components, also of scalars, whose later ones are not used. */
static void clear(const mbs_element *e, gradyn_scalar *f)
{
  for (int k = 0; k < e->local; k++)
    f[k] = 0;
}

/* A build error if not. */
static void check_positive(gradyn_mbs *m, const char *name, const char *what, gradyn_scalar value,
                           const char *unit)
{
  if (!(creal(value) > 0))
    gradyn_build_error(m->model, "%s.%s is %g %s: it must be positive", name, what, creal(value),
                       unit);
}

/* --- PID: u = kp e + ki z + kd d --------------------------------------------------------------- */

enum { KP, KI, KD, TARGET, PID_DATA };

/* u = kp e + ki int e + kd d, with d = -y' or the filtered rate w' = (e - w)/T; its states are
 * z' = e and w' = d. */
static gradyn_status pid(gradyn_mbs *m, const mbs_element *e, const mbs_discrete_state *s,
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

/* The states of a PID controller, as further points of the element: z and w, as large as what is measured,
 * which is what a size of 0 means for distances. */
static void add_states(gradyn_mbs *m, const gradyn_pid_spec *spec, const char *name, bool angle,
                       mbs_element *e)
{
  static const char *const sum[2][3] = {{"m s^2", "m s", "m"}, {"rad s^2", "rad s", "rad"}};
  static const char *const filter[2][3] = {{"m s", "m", "m/s"}, {"rad s", "rad", "rad/s"}};
  const double size = angle ? 1 : 0; /* an angle has the size 1; a length, that of the mechanism */
  e->point[e->points++] = mbs_add_state(m, gradyn_name(m->model, "%s.error_integral", name),
                                        sum[angle], size, spec->initial);
  if (spec->filtered)
    e->point[e->points++] = mbs_add_state(m, gradyn_name(m->model, "%s.filtered_error", name),
                                          filter[angle], size, spec->initial_filter);
}

/* u = kp e + ki int e + kd e', e = target - measured; at most the limit. */
int gradyn_pid(gradyn_model *model, const gradyn_pid_spec *spec)
{
  if (!gradyn_model_given(model, spec, "gradyn_pid()"))
    return 0;
  gradyn_mbs *m = mbs_of(model);
  const char *name = spec->name ? spec->name : "PID";
  /* it may act on one coordinate and measure another */
  const int measured = spec->measures_other ? spec->measured : spec->coordinate;
  const mbs_point *acted = mbs_check_coordinate(m, name, spec->coordinate);
  const mbs_point *seen = acted ? mbs_check_coordinate(m, name, measured) : NULL;
  if (!seen || !mbs_check_name(m, name))
    return 0;
  const char *const *unit = gain_unit[acted->angle][seen->angle];
  const char *limit_unit = effort_unit[acted->angle];
  const bool angle = seen->angle, other = measured != spec->coordinate;
  /* one point or two: blocks of derivatives are no larger than needed */
  mbs_element e = {.ops = &pid_ops, .points = 1 + other, .point = {spec->coordinate, measured}};
  e.variant = (other ? MEASURES_OTHER : 0) | (spec->filtered ? FILTERED : 0) |
              (spec->limited ? LIMITED : 0);
  add_states(m, spec, name, angle, &e); /* from here on acted and seen may have moved */
  gradyn_datum data[PID_DATA + 2] = {{"kp", unit[KP], spec->kp},
                                     {"ki", unit[KI], spec->ki},
                                     {"kd", unit[KD], spec->kd},
                                     {"target", unit[TARGET], spec->target}};
  e.data_count = PID_DATA;
  if (spec->filtered) {
    /* data that are not used are not declared: they would have gradients of zero */
    check_positive(m, name, "filter_time", spec->filter_time, "s");
    data[e.data_count++] = (gradyn_datum){"filter_time", "s", spec->filter_time};
  }
  if (spec->limited) {
    check_positive(m, name, "limit", spec->limit, limit_unit);
    data[e.data_count++] = (gradyn_datum){"limit", limit_unit, spec->limit};
  }
  mbs_use_signal(m, &e, name, spec->has_signal, spec->signal);
  return mbs_add_force(m, &e, name, data, e.data_count);
}

/* --- state feedback ---------------------------------------------------------------------------- */

/* After the offset, for every x_i: its gain and target and, of coordinates, the gain of its rate. */
enum { GAIN, WISH, RATE_GAIN, PER_COORDINATE, PER_STATE = RATE_GAIN };

/* u = offset + signal + sum of gain (target - x) - rate_gain x'; the first point is among the x unless the
 * controller measures others only. */
static gradyn_status feedback(gradyn_mbs *m, const mbs_element *e, const mbs_discrete_state *s,
                              gradyn_scalar *f)
{
  const gradyn_scalar *k = s->z + 1; /* offset, and the signal behind the data */
  gradyn_scalar u = s->z[0] + (e->signal_count ? s->z[e->data_count] : 0);
  clear(e, f);
  for (int i = e->variant & MEASURES_OTHER ? 1 : 0; i < e->points; i++) {
    /* of a state its rate is the value */
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

/* Adds x_i with its gains; data [*count] of the controller so far. */
static bool add_measured(gradyn_mbs *m, const gradyn_feedback_spec *spec, const char *name, int i,
                         mbs_element *e, gradyn_datum *data)
{
  gradyn_model *model = m->model;
  const int number = spec->of[i];
  /* a first-order state, or a coordinate of a joint */
  if (!mbs_check_any_point(m, name, number))
    return false;
  if (!m->point[number].state && !mbs_check_coordinate(m, name, number))
    return false;
  for (int k = 0; k < i; k++)
    if (spec->of[k] == number)
      gradyn_build_error(model, "%s lists %s twice", name, m->point[number].name);
  const bool state = m->point[number].state;
  const gradyn_scalar rate_gain = spec->rate_gain ? spec->rate_gain[i] : 0;
  if (state && rate_gain != 0)
    gradyn_build_error(model, "%s: %s is a first-order state: it has no gain of its rate", name,
                       m->point[number].name);
  /* units of gains follow from both ends */
  const char *unit = state ? m->point[number].unit[1] : m->point[number].angle ? "rad" : "m";
  const char *per = effort_unit[m->point[spec->coordinate].angle];
  const char *gain = gradyn_name(model, "%s/(%s)", per, unit ? unit : "");
  /* K x: units of the effort over those of what is fed back */
  const char *rate = state ? NULL : gradyn_name(model, "%s s/%s", per, unit);
  data += e->data_count;
  data[GAIN] = (gradyn_datum){gradyn_name(model, "gain[%d]", i), gain, spec->gain[i]};
  data[WISH] = (gradyn_datum){gradyn_name(model, "target[%d]", i), unit ? unit : "",
                              spec->target ? spec->target[i] : 0};
  if (!state)
    data[RATE_GAIN] = (gradyn_datum){gradyn_name(model, "rate_gain[%d]", i), rate, rate_gain};
  e->data_count += state ? PER_STATE : PER_COORDINATE;
  /* its own coordinate is the element's first point already */
  if (number != spec->coordinate)
    e->point[e->points++] = number;
  return true;
}

/* Coordinate, count, and arrays that must be there. */
static bool check_feedback(gradyn_mbs *m, const gradyn_feedback_spec *spec, const char *name)
{
  if (!mbs_check_coordinate(m, name, spec->coordinate) || !mbs_check_name(m, name))
    return false;
  if (spec->count >= 1 && spec->count <= GRADYN_FEEDBACK_STATES && spec->of && spec->gain)
    return true;
  gradyn_build_error(m->model,
                     "%s feeds back %d coordinates and states: between 1 and %d, with their "
                     "gains, are possible",
                     name, spec->count, GRADYN_FEEDBACK_STATES);
  return false;
}

/* u = offset + sum of gain_i (target_i - y_i) - rate_gain_i y_i'. */
int gradyn_feedback(gradyn_model *model, const gradyn_feedback_spec *spec)
{
  if (!gradyn_model_given(model, spec, "gradyn_feedback()"))
    return 0;
  gradyn_mbs *m = mbs_of(model);
  const char *name = spec->name ? spec->name : "feedback";
  if (!check_feedback(m, spec, name))
    return 0;
  const char *unit = effort_unit[m->point[spec->coordinate].angle];
  gradyn_datum data[2 + PER_COORDINATE * GRADYN_FEEDBACK_STATES] = {{"offset", unit, spec->offset}};
  mbs_element e = {.ops = &feedback_ops, .points = 1, .point = {spec->coordinate}, .data_count = 1};
  e.variant = MEASURES_OTHER | (spec->limited ? LIMITED : 0);
  for (int own = 1; own >= 0; own--) /* the coordinate that it acts on is the first */
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
  mbs_use_signal(m, &e, name, spec->has_signal, spec->signal);
  return mbs_add_force(m, &e, name, data, e.data_count);
}
