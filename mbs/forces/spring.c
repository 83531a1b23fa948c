/* Spring, damper and actuator between two points: tension T = k (s - s0) + c s' + F + u along their line,
 * with opposite forces on both points. */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "core/model/declare.h"
#include "mbs/elements/inputs.h"
#include "mbs/elements/mutual.h"

enum { STIFFNESS, DAMPING, FREE_LENGTH, FORCE, SIGNAL };

/* The line between the points: unit vector, length and its inverse, relative velocity and rate of the length
 * (zero unless requested), tension. */
typedef struct line {
  double u[3], s, w, v[3], s1, T;
} line;

GRADYN_KERNEL void measure(int dim, const mbs_element *e, const mbs_point_state *at,
                           const double *z, bool rate, line *l)
{
  double square = 0;
  for (int k = 0; k < dim; k++) {
    l->u[k] = at->pos[e->at[1] + k] - at->pos[e->at[0] + k];
    square += l->u[k] * l->u[k];
  }
  /* u = r/s, s = |r| */
  l->s = sqrt(square);
  l->w = 1 / l->s;
  l->s1 = 0;
  for (int k = 0; k < dim; k++) {
    l->u[k] *= l->w;
    l->v[k] = rate ? at->vel[e->at[1] + k] - at->vel[e->at[0] + k] : 0;
    l->s1 += rate ? l->u[k] * l->v[k] : 0; /* s' = u.v */
  }
  l->T = z[STIFFNESS] * (l->s - z[FREE_LENGTH]) + z[FORCE]; /* T = k (s - s0) + F + c s' + u */
  if (rate)
    l->T += z[DAMPING] * l->s1;
  if (e->signal_count)
    l->T += z[SIGNAL];
}

/* Fails if the length s is zero at time t. */
static gradyn_status judge(gradyn_mbs *m, const mbs_element *e, double t, double s)
{
  if (s > 0)
    return GRADYN_OK;
  return gradyn_fail(&m->model->message, GRADYN_NON_FINITE,
                     "spring %s has length zero at t = %g s: its direction is undefined", e->name,
                     t);
}

/* A spring is independent of velocities if its damping is zero. */
static bool still(const mbs_element *e, const double *data)
{
  (void)e;
  return data[DAMPING] == 0;
}

/* Computes the forces on both points; returns the length, which the caller checks. */
GRADYN_KERNEL double force_kernel(int dim, const mbs_element *e, const mbs_point_state *at,
                                  const double *z, double *f)
{
  line l;
  measure(dim, e, at, z, z[DAMPING] != 0, &l);
  for (int k = 0; k < dim; k++) {
    f[k] = l.T * l.u[k]; /* T u on the first point, towards the second */
    f[dim + k] = -f[k];
  }
  return l.s;
}

/* Springs are frequent, so there is a kernel for each number of axes. */
static gradyn_status force(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                           const double *z, double *f)
{
  double s = MBS_BY_AXES(m, force_kernel, e, at, z, f);
  return judge(m, e, at->t, s);
}

/* Derivatives of the force -T u on the second point by the difference r: du/dr = (1 - u u^T)/s and ds'/dr =
 * (v - s' u)/s, so d(T u)/dr = u g^T + T/s with g = (k - T/s) u + c (v - s' u)/s. */
GRADYN_KERNEL void by_state(int dim, const line *l, const double *z, double *f_pos, double *f_vel)
{
  double c = z[DAMPING], g[3];
  double across = l->T * l->w; /* T/s, due to the rotation of the line */
  /* (k - T/s) u + c (v - s' u)/s */
  for (int j = 0; j < dim; j++)
    g[j] = (z[STIFFNESS] - across) * l->u[j];
  for (int j = 0; j < dim && c != 0; j++)
    g[j] += c * l->w * (l->v[j] - l->s1 * l->u[j]);
  for (int i = 0; i < dim; i++)
    for (int j = 0; j < dim; j++)
      f_pos[dim * i + j] = -(l->u[i] * g[j] + (i == j ? across : 0));
  for (int i = 0; i < dim && f_vel; i++)
    for (int j = 0; j < dim; j++)
      f_vel[dim * i + j] = -(c * l->u[i] * l->u[j]); /* c u u^T */
}

/* Derivatives of the force on the second point by the inputs first to end - 1: -T_z u. */
GRADYN_KERNEL void by_input(int dim, int first, int end, const line *l, const double *z,
                            double *f_z)
{
  /* T by stiffness, damping, free length, constant force, signal */
  const double T_z[5] = {l->s - z[FREE_LENGTH], l->s1, -z[STIFFNESS], 1, 1};
  for (int k = first; k < end; k++)
    for (int i = 0; i < dim; i++)
      f_z[dim * k + i] = -(T_z[k] * l->u[i]);
}

/* Derivatives by the state; returns the length, which must not be zero. */
GRADYN_KERNEL double state_kernel(int dim, const mbs_element *e, const mbs_point_state *at,
                                  const double *z, double *f_pos, double *f_vel)
{
  line l;
  double P[9], V[9];
  measure(dim, e, at, z, z[DAMPING] != 0, &l);
  by_state(dim, &l, z, P, V);
  mbs_spread_mutual(dim, P, f_pos);
  if (f_vel)
    mbs_spread_mutual(dim, V, f_vel);
  return l.s;
}

static gradyn_status force_state(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                                 const double *z, double *f_pos, double *f_vel)
{
  double s = MBS_BY_AXES(m, state_kernel, e, at, z, f_pos, f_vel);
  return judge(m, e, at->t, s);
}

/* Derivatives with respect to all inputs; returns the length. */
GRADYN_KERNEL double input_kernel(int dim, const mbs_element *e, const mbs_point_state *at,
                                  const double *z, double *f_z)
{
  line l;
  double by[5 * 3];
  measure(dim, e, at, z, true, &l); /* u, s and s' */
  by_input(dim, 0, mbs_input_count(e), &l, z, by);
  mbs_spread_mutual_inputs(dim, mbs_input_count(e), by, f_z);
  return l.s;
}

static gradyn_status force_input(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                                 const double *z, double *f_z)
{
  double s = MBS_BY_AXES(m, input_kernel, e, at, z, f_z);
  return judge(m, e, at->t, s);
}

/* Derivatives with respect to the state and to active inputs, with one evaluation of the line. */
GRADYN_KERNEL double mutual_kernel(int dim, const mbs_element *e, const mbs_point_state *at,
                                   const double *z, double *f_pos, double *f_vel, double *f_z)
{
  line l;
  const int first = e->vary.first, end = e->vary.end;
  measure(dim, e, at, z, z[DAMPING] != 0 || (first <= DAMPING && end > DAMPING), &l);
  by_state(dim, &l, z, f_pos, f_vel);
  by_input(dim, first, end, &l, z, f_z);
  return l.s;
}

static gradyn_status mutual(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                            const double *z, double *f_pos, double *f_vel, double *f_z)
{
  double s = MBS_BY_AXES(m, mutual_kernel, e, at, z, f_pos, f_vel, f_z);
  return judge(m, e, at->t, s);
}

/* U = k (s - s0)^2/2; a tension F + u does work that is not stored. */
static gradyn_status energy(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                            const double *z, double *U, double *g, double *U_z)
{
  line l;
  MBS_BY_AXES(m, measure, e, at, z, false, &l);
  double x = l.s - z[FREE_LENGTH];
  *U = z[STIFFNESS] * x * x / 2;
  for (int k = 0; k < m->dim && g; k++) {
    g[m->dim + k] = z[STIFFNESS] * x * l.u[k]; /* U_b = k (s - s0) u */
    g[k] = -g[m->dim + k];
  }
  const double slope[5] = {x * x / 2, 0, -z[STIFFNESS] * x, 0, 0};
  for (int k = 0; k < mbs_input_count(e) && U_z; k++)
    U_z[k] = slope[k];
  return judge(m, e, at->t, l.s);
}

const mbs_element_ops mbs_spring_ops = {.kind = "spring",
                                        .force = force,
                                        .force_state = force_state,
                                        .force_input = force_input,
                                        .mutual = mutual,
                                        .still = still,
                                        .energy = energy};

/* T = k (s - s0) + c s' + F + u. */
int gradyn_spring(gradyn_model *model, const gradyn_spring_spec *spec)
{
  if (!gradyn_model_given(model, spec, "gradyn_spring()"))
    return 0;
  gradyn_mbs *m = mbs_of(model);
  const char *name = gradyn_own_name(model, spec->name, "spring");
  int end[2];
  if (!m || !mbs_take_point(m, name, spec->from, &end[0]) ||
      !mbs_take_point(m, name, spec->to, &end[1]))
    return 0;
  if (creal(spec->free_length) < 0)
    gradyn_build_error(model, "%s.free_length is %g m: it must not be negative", name,
                       creal(spec->free_length));
  const gradyn_datum data[] = {{"stiffness", "N/m", spec->k},
                               {"damping", "N s/m", spec->c},
                               {"free_length", "m", spec->free_length},
                               {"force", "N", spec->force}};
  mbs_element prototype = mbs_pair(&mbs_spring_ops, end[0], end[1]);
  mbs_use_signal(m, &prototype, name, spec->signal);
  return mbs_add_force(m, &prototype, name, data, 4);
}

/* --- dashpot: -c (r_b' - r_a') on b ----------------------------------------------------------- */

/* Forces of a dashpot: c (r_b' - r_a') on a, the opposite on b, in all directions. */
static gradyn_status dashpot(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                             const double *z, double *f)
{
  /* f_a = c (r_b' - r_a') */
  for (int k = 0; k < m->dim; k++) {
    f[k] = z[0] * (at->vel[e->at[1] + k] - at->vel[e->at[0] + k]);
    f[m->dim + k] = -f[k];
  }
  return GRADYN_OK;
}

/* Computes the derivatives by velocities; all other derivatives are zero. */
static gradyn_status dashpot_state(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                                   const double *z, double *f_pos, double *f_vel)
{
  (void)e;
  (void)at;
  int local = 2 * m->dim;
  memset(f_pos, 0, (size_t)(local * local) * sizeof *f_pos);
  for (int i = 0; i < local && f_vel; i++)
    for (int j = 0; j < local; j++)
      /* -c for a point's own velocity, c for the other's */
      f_vel[local * i + j] = i == j ? -z[0] : i % m->dim == j % m->dim ? z[0] : 0;
  return GRADYN_OK;
}

/* Derivative by c: the force with c = 1. */
static gradyn_status dashpot_input(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *at,
                                   const double *z, double *f_z)
{
  (void)z;
  return dashpot(m, e, at, (const double[1]){1}, f_z); /* the force is linear in c */
}

static const mbs_element_ops dashpot_ops = {.kind = "dashpot",
                                            .force = dashpot,
                                            .force_state = dashpot_state,
                                            .force_input = dashpot_input};

/* Declares a dashpot: c (r_b' - r_a') on a, the opposite on b. It acts in all directions, not only along
 * the line. */
int gradyn_dashpot(gradyn_model *model, const char *name, int a, int b, gradyn_scalar c)
{
  gradyn_mbs *m = mbs_of(model);
  const char *own = gradyn_own_name(model, name, "dashpot");
  if (!m || !mbs_take_point(m, own, a, &a) || !mbs_take_point(m, own, b, &b))
    return 0;
  mbs_check_not_negative(m, own, "damping", c);
  mbs_element prototype = mbs_pair(&dashpot_ops, a, b);
  return mbs_add_force(m, &prototype, own, &(gradyn_datum){"damping", "N s/m", c}, 1);
}
