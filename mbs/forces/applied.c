/* Applied forces: a force on a point, a torque on a rod.
 *
 * A force on a point has components z, multiplied by a signal u if there is one: f = z u. A torque on the
 * rod between two points acts by opposite forces normal to it. With r = r_b - r_a, g = (-r_y, r_x)/|r|^2 and
 * the angular velocity omega = g.r', f_b = tau g = -f_a, tau = torque u - c omega. */
#include <complex.h>

#include "core/model/declare.h"
#include "mbs/elements/inputs.h"
#include "mbs/elements/mutual.h"
#include "mbs/elements/torque.h"

/* --- force on a point: its components, times u ------------------------------------------------ */

/* f = z u. */
static gradyn_status point_force(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                                 const double *z, double *f)
{
  (void)at;
  double u = e->signal_count ? z[m->dim] : 1; /* no signal: the components are the force */
  for (int k = 0; k < m->dim; k++)
    f[k] = z[k] * u;
  return GRADYN_OK;
}

/* f_x = f_v = 0. */
static gradyn_status point_force_state(gradyn_mbs *m, const mbs_element *e,
                                       const mbs_point_state *at, const double *z, double *f_pos,
                                       double *f_vel)
{
  (void)e;
  (void)at;
  (void)z;
  /* the force is independent of the state */
  for (int k = 0; k < m->dim * m->dim; k++)
    f_pos[k] = 0;
  for (int k = 0; k < m->dim * m->dim && f_vel; k++)
    f_vel[k] = 0;
  return GRADYN_OK;
}

/* A force on a point is independent of velocities. */
static bool point_force_still(const mbs_element *e, const double *data)
{
  (void)e;
  (void)data;
  return true;
}

/* Derivatives of the force by its components, then by the signal. */
static gradyn_status point_force_input(gradyn_mbs *m, const mbs_element *e,
                                       const mbs_point_state *at, const double *z, double *f_z)
{
  (void)at;
  int dim = m->dim;
  /* f_k = z_k u: u by z_k, z_k by u */
  double u = e->signal_count ? z[dim] : 1;
  for (int i = 0; i < dim; i++)
    for (int k = 0; k < dim; k++)
      f_z[dim * i + k] = i == k ? u : 0;
  for (int k = 0; k < dim && e->signal_count; k++)
    f_z[dim * dim + k] = z[k];
  return GRADYN_OK;
}

static const mbs_element_ops point_force_ops = {.kind = "force",
                                                .force = point_force,
                                                .force_state = point_force_state,
                                                .force_input = point_force_input,
                                                .still = point_force_still};

/* Declares a constant force, or a force times a signal, along the axes of the ground. */
int gradyn_force(gradyn_model *model, const gradyn_force_spec *spec)
{
  if (!gradyn_model_given(model, spec, "gradyn_force()"))
    return 0;
  gradyn_mbs *m = mbs_of(model);
  const char *name = gradyn_own_name(model, spec->name, "force");
  int point;
  if (!m || !mbs_take_point(m, name, spec->point, &point))
    return 0;
  /* an error, because the value would be ignored */
  if (m->dim == 2 && spec->fz != 0)
    gradyn_build_error(model, "%s.fz is %g: a planar mechanism has no z axis", name,
                       creal(spec->fz));
  /* with a signal, components are factors of the signal, which has the unit */
  const char *unit = spec->signal != 0 ? "" : "N";
  const gradyn_datum data[] = {
      {"fx", unit, spec->fx}, {"fy", unit, spec->fy}, {"fz", unit, spec->fz}};
  mbs_element prototype = {.ops = &point_force_ops, .points = 1, .point = {point}};
  mbs_use_signal(m, &prototype, name, spec->signal);
  return mbs_add_force(m, &prototype, name, data, m->dim); /* one component for each axis */
}

/* --- torque on a rod: generalised force tau d(angle)/dr = tau (-y, x)/|r|^2 on the difference r  */

/* The line r = (x, y) between two points: g = (-y, x)/|r|^2, G = dg/dr, relative velocity v, angular
 * velocity omega, and torque tau. */
typedef struct bar {
  double g[2], G[2][2], v[2], omega, tau;
} bar;

/* Value u of the signal; 1 if the torque has none. */
static inline double bar_signal(const mbs_element *e, const double *z)
{
  return e->signal_count ? z[MBS_TORQUE_DATA] : 1;
}

/* Angle derivatives, angular velocity and torque of the line between two points of the plane. */
static inline bar measure_bar(const mbs_element *e, const mbs_point_state *at, const double *z)
{
  /* g = (-y, x)/|r|^2: g.v is the angular velocity */
  bar b;
  double x = at->pos[e->at[1]] - at->pos[e->at[0]];
  double y = at->pos[e->at[1] + 1] - at->pos[e->at[0] + 1];
  double square = x * x + y * y, fourth = square * square;
  b.g[0] = -y / square;
  b.g[1] = x / square;
  b.G[0][0] = 2 * x * y / fourth;
  b.G[0][1] = b.G[1][0] = (y * y - x * x) / fourth; /* symmetric, trace zero */
  b.G[1][1] = -b.G[0][0];
  for (int k = 0; k < 2; k++)
    b.v[k] = at->vel[e->at[1] + k] - at->vel[e->at[0] + k];
  b.omega = b.g[0] * b.v[0] + b.g[1] * b.v[1];
  b.tau = mbs_torque_at(z, bar_signal(e, z), b.omega);
  return b;
}

/* Forces of the torque: opposite forces on the two points. */
static gradyn_status torque(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                            const double *z, double *f)
{
  (void)m;
  bar b = measure_bar(e, at, z);
  for (int k = 0; k < 2; k++) {
    /* f_b = tau g = -f_a */
    f[2 + k] = b.tau * b.g[k];
    f[k] = -f[2 + k];
  }
  return GRADYN_OK;
}

/* Derivatives of the force on the second point by r and its rate. */
static inline void bar_by_state(const bar *b, const double *z, double *f_pos, double *f_vel)
{
  for (int j = 0; j < 2; j++) {
    /* tau_r = -c omega_r, omega_r = G v */
    const double tau_r = -z[1] * (b->G[0][j] * b->v[0] + b->G[1][j] * b->v[1]);
    for (int i = 0; i < 2; i++)
      f_pos[2 * i + j] = b->tau * b->G[i][j] + b->g[i] * tau_r; /* d(tau g)/dr */
    for (int i = 0; i < 2 && f_vel; i++)
      f_vel[2 * i + j] = -z[1] * b->g[i] * b->g[j]; /* d(tau g)/dv */
  }
}

static gradyn_status torque_state(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                                  const double *z, double *f_pos, double *f_vel)
{
  (void)m;
  double P[4], V[4];
  const bar b = measure_bar(e, at, z);
  bar_by_state(&b, z, P, V);
  mbs_spread_mutual(2, P, f_pos);
  if (f_vel)
    mbs_spread_mutual(2, V, f_vel);
  return GRADYN_OK;
}

/* A torque is independent of velocities if its damping, data[1], is zero. */
static bool torque_still(const mbs_element *e, const double *data)
{
  (void)e;
  return data[1] == 0;
}

/* Derivatives of the force on the second point by the inputs first to end - 1. The force is linear in each
 * of torque, damping and signal. */
static inline void bar_by_input(const bar *b, const mbs_element *e, const double *z, int first,
                                int end, double *f_z)
{
  double tau_z[MBS_TORQUE_DATA + 1] = {[MBS_TORQUE_DATA] = z[MBS_TORQUE]};
  (void)mbs_torque_slopes(z, bar_signal(e, z), b->omega, tau_z);
  for (int k = first; k < end; k++)
    for (int i = 0; i < 2; i++)
      f_z[2 * k + i] = tau_z[k] * b->g[i];
}

static gradyn_status torque_input(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                                  const double *z, double *f_z)
{
  (void)m;
  double by[3 * 2];
  const bar b = measure_bar(e, at, z);
  bar_by_input(&b, e, z, 0, mbs_input_count(e), by);
  mbs_spread_mutual_inputs(2, mbs_input_count(e), by, f_z);
  return GRADYN_OK;
}

static gradyn_status torque_mutual(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                                   const double *z, double *f_pos, double *f_vel, double *f_z)
{
  (void)m;
  const bar b = measure_bar(e, at, z);
  bar_by_state(&b, z, f_pos, f_vel);
  bar_by_input(&b, e, z, e->vary.first, e->vary.end, f_z);
  return GRADYN_OK;
}

const mbs_element_ops mbs_torque_ops = {.kind = "torque",
                                        .force = torque,
                                        .force_state = torque_state,
                                        .force_input = torque_input,
                                        .mutual = torque_mutual,
                                        .still = torque_still};

/* Declares a torque about z, with damping, that the ground exerts on the rod between two points. */
int gradyn_torque(gradyn_model *model, const gradyn_torque_spec *spec)
{
  if (!gradyn_model_given(model, spec, "gradyn_torque()"))
    return 0;
  gradyn_mbs *m = mbs_of(model);
  const char *name = gradyn_own_name(model, spec->name, "torque");
  int end[2];
  if (!m || !mbs_take_point(m, name, spec->from, &end[0]) ||
      !mbs_take_point(m, name, spec->to, &end[1]) || !mbs_use_dimension(m, name, 2))
    return 0;
  const gradyn_datum data[] = {{"torque", spec->signal != 0 ? "" : "N m", spec->torque},
                               {"damping", "N m s", spec->c}};
  mbs_element prototype = mbs_pair(&mbs_torque_ops, end[0], end[1]);
  mbs_use_signal(m, &prototype, name, spec->signal);
  return mbs_add_force(m, &prototype, name, data, MBS_TORQUE_DATA);
}
