/* Forces on joint coordinates: springs, dampers and actuators; stops.
 *
 * The force on a joint coordinate s is -k (s - s0) - c s' + effort + signal; on an angle it is a torque, N
 * m. A stop pushes back if s is past a limit. Its potential is smooth over a width w: the depth p becomes (p
 * + sqrt(p^2 + w^2))/2. */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "core/model/declare.h"
#include "mbs/joints/coordinate.h"
#include "mbs/elements/formula.h"

/* --- spring, damper, actuator: f = -k (s - s0) - c s' + F + u --------------------------------- */

enum { STIFFNESS, DAMPING, FREE, EFFORT, SIGNAL };

/* Force on a coordinate. A coordinate is a scalar, so only the first entry is not zero. */
static gradyn_status force(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                           const double *z, double *f)
{
  double s = at->pos[e->at[0]], rate = at->vel[e->at[0]];
  for (int k = 1; k < m->dim; k++)
    f[k] = 0;
  f[0] = -z[STIFFNESS] * (s - z[FREE]) - z[DAMPING] * rate + z[EFFORT];
  if (e->signal_count)
    f[0] += z[SIGNAL];
  return GRADYN_OK;
}

/* Derivatives of the force: -k by the coordinate and -c by its rate. */
static gradyn_status force_state(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                                 const double *z, double *f_pos, double *f_vel)
{
  (void)e;
  (void)at;
  size_t bytes = (size_t)(m->dim * m->dim) * sizeof *f_pos;
  memset(f_pos, 0, bytes);
  f_pos[0] = -z[STIFFNESS]; /* f_s = -k */
  if (f_vel) {
    memset(f_vel, 0, bytes);
    f_vel[0] = -z[DAMPING]; /* f_s' = -c */
  }
  return GRADYN_OK;
}

/* Derivatives of the force with respect to data and the signal. */
static gradyn_status force_input(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                                 const double *z, double *f_z)
{
  /* f by stiffness, damping, free, effort, signal */
  const double slope[] = {z[FREE] - at->pos[e->at[0]], -at->vel[e->at[0]], z[STIFFNESS], 1, 1};
  for (int j = 0; j < mbs_input_count(e); j++)
    for (int k = 0; k < m->dim; k++)
      f_z[m->dim * j + k] = k == 0 ? slope[j] : 0;
  return GRADYN_OK;
}

/* A joint spring is independent of velocities if its damping is zero. */
static bool still(const mbs_element *e, const double *data)
{
  (void)e;
  return data[DAMPING] == 0;
}

/* U = k (s - s0)^2/2; an effort F + u does work that is not stored. */
static gradyn_status energy(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                            const double *z, double *U, double *g, double *U_z)
{
  const double x = at->pos[e->at[0]] - z[FREE];
  *U = z[STIFFNESS] * x * x / 2;
  for (int k = 0; k < m->dim && g; k++) /* U_s = k (s - s0) */
    g[k] = k == 0 ? z[STIFFNESS] * x : 0;
  const double slope[] = {x * x / 2, 0, -z[STIFFNESS] * x, 0,
                          0}; /* derivatives of U by the inputs */
  for (int j = 0; j < mbs_input_count(e) && U_z; j++)
    U_z[j] = slope[j];
  return GRADYN_OK;
}

static const mbs_element_ops spring_ops = {.kind = "joint spring",
                                           .force = force,
                                           .force_state = force_state,
                                           .force_input = force_input,
                                           .still = still,
                                           .energy = energy};

/* Units of stiffness, damping, coordinate, force, for distances and angles. */
static const char *const unit[2][4] = {{"N/m", "N s/m", "m", "N"},
                                       {"N m/rad", "N m s/rad", "rad", "N m"}};

/* An element on one scalar. */
static mbs_element on_coordinate(const mbs_element_ops *ops, int coordinate)
{
  return (mbs_element){.ops = ops, .points = 1, .point = {coordinate}};
}

/* Declares a spring, damper and actuator on a joint coordinate: -k (s - free) - c s' + effort + signal. */
int gradyn_joint_spring(gradyn_model *model, const gradyn_joint_spring_spec *spec)
{
  if (!gradyn_model_given(model, spec, "gradyn_joint_spring()"))
    return 0;
  gradyn_mbs *m = mbs_of(model);
  const char *name = gradyn_own_name(model, spec->name, "joint spring");
  const mbs_point *c = mbs_check_coordinate(m, name, spec->coordinate);
  if (!c)
    return 0;
  const char *const *own = unit[c->angle];
  const gradyn_datum data[] = {{"stiffness", own[0], spec->k},
                               {"damping", own[1], spec->c},
                               {"free", own[2], spec->free},
                               {"effort", own[3], spec->effort}};
  mbs_element e = on_coordinate(&spring_ops, (int)(c - m->point));
  mbs_use_signal(m, &e, name, spec->signal);
  return mbs_add_force(m, &e, name, data, 4);
}

/* --- stops ------------------------------------------------------------------------------------ */

enum { LOWER, UPPER, STOP_STIFFNESS, STOP_DAMPING, WIDTH, STOP_DATA };

/* Force -(k r + c r' s') of a stop at the depth p. r = (p + sqrt(p^2 + w^2))/2 is a smooth max(p, 0), and
 * r' = r/sqrt(p^2 + w^2) its derivative. */
static gradyn_scalar push(gradyn_scalar p, gradyn_scalar rate, const gradyn_scalar *z)
{
  gradyn_scalar root = csqrt(p * p + z[WIDTH] * z[WIDTH]), r = (p + root) / 2;
  return -(z[STOP_STIFFNESS] * r + z[STOP_DAMPING] * r / root * rate);
}

/* Force of a stop: a formula, which is differentiated by complex step. */
static gradyn_status stop(gradyn_mbs *m, const mbs_element *e, const mbs_formula_arguments *s,
                          gradyn_scalar *f)
{
  (void)e;
  for (int k = 1; k < m->dim; k++)
    f[k] = 0;
  /* upper limit, then lower limit with opposite signs */
  f[0] = push(s->pos[0] - s->z[UPPER], s->vel[0], s->z) -
         push(s->z[LOWER] - s->pos[0], -s->vel[0], s->z);
  return GRADYN_OK;
}

/* A stop is independent of velocities if its damping is zero. */
static bool stop_is_still(const mbs_element *e, const double *data)
{
  (void)e;
  return data[STOP_DAMPING] == 0;
}

/* The function R with R' = r (see push()), so that U = k R: R = (p^2 + p sqrt(p^2 + w^2) + w^2
 * asinh(p/w))/4. Its derivative by w is w asinh(p/w)/2; the other terms cancel. */
static double stored(double p, double w, double *by_w)
{
  *by_w = w * asinh(p / w) / 2;
  return (p * p + p * sqrt(p * p + w * w) + w * w * asinh(p / w)) / 4;
}

/* Stored energy of a stop: the sum over both limits. */
static gradyn_status stop_energy(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                                 const double *z, double *U, double *g, double *U_z)
{
  double s = at->pos[e->at[0]], k = z[STOP_STIFFNESS], w = z[WIDTH], above_w, below_w;
  double p = s - z[UPPER], q = z[LOWER] - s; /* depths past the upper and the lower limit */
  double R = stored(p, w, &above_w) + stored(q, w, &below_w);
  double r_p = (p + sqrt(p * p + w * w)) / 2, r_q = (q + sqrt(q * q + w * w)) / 2;
  *U = k * R;
  for (int c = 0; c < m->dim && g; c++)
    g[c] = c == 0 ? k * (r_p - r_q) : 0;
  const double slope[STOP_DATA] = {k * r_q, -k * r_p, R, 0, k * (above_w + below_w)};
  if (U_z)
    memcpy(U_z, slope, sizeof slope);
  return GRADYN_OK;
}

static const mbs_element_ops stop_ops = {
    .kind = "joint stop", MBS_FORMULA_OPS(stop), .still = stop_is_still, .energy = stop_energy};

/* Declares a stop. Its force grows smoothly over the width past each limit. */
int gradyn_joint_stop(gradyn_model *model, const gradyn_joint_stop_spec *spec)
{
  if (!gradyn_model_given(model, spec, "gradyn_joint_stop()"))
    return 0;
  gradyn_mbs *m = mbs_of(model);
  const char *name = gradyn_own_name(model, spec->name, "joint stop");
  const mbs_point *c = mbs_check_coordinate(m, name, spec->coordinate);
  if (!c)
    return 0;
  /* lower < upper; otherwise both limits would push at once */
  if (!(creal(spec->lower) < creal(spec->upper)))
    gradyn_build_error(model, "%s: the lower limit %g is not below the upper one %g", name,
                       creal(spec->lower), creal(spec->upper));
  if (!(creal(spec->k) > 0) || !(creal(spec->width) > 0))
    gradyn_build_error(model, "%s has the stiffness %g and the width %g: both must be positive",
                       name, creal(spec->k), creal(spec->width));
  mbs_check_not_negative(m, name, "damping", spec->c);
  const char *const *own = unit[c->angle];
  const gradyn_datum data[STOP_DATA] = {{"lower", own[2], spec->lower},
                                        {"upper", own[2], spec->upper},
                                        {"stiffness", own[0], spec->k},
                                        {"damping", own[1], spec->c},
                                        {"width", own[2], spec->width}};
  mbs_element e = on_coordinate(&stop_ops, (int)(c - m->point));
  return mbs_add_force(m, &e, name, data, STOP_DATA);
}
