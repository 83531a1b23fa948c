/* Spring, damper and actuator between two points: tension T = k (s - s0) + c s' + F + u along the
 * line, on both points. */
#include <complex.h>
#include <math.h>

#include "mbs/mechanism.h"

enum { STIFFNESS, DAMPING, FREE_LENGTH, FORCE, SIGNAL };

/* Geometry of the line: unit vector, length, its rate, relative velocity, tension. */
typedef struct line {
  double u[3], s, s1, v[3], T;
} line;

static gradyn_status measure(gradyn_mbs *m, const mbs_element *e, const mbs_view *at,
                             const double *z, line *l)
{
  double r[3] = {0};
  *l = (line){{0}, 0, 0, {0}, 0};
  for (int k = 0; k < m->dim; k++) {
    r[k] = at->pos[e->at[1] + k] - at->pos[e->at[0] + k];
    l->v[k] = at->vel[e->at[1] + k] - at->vel[e->at[0] + k];
  }
  l->s = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
  if (!(l->s > 0))
    return gradyn_fail(&m->model->message, GRADYN_NON_FINITE,
                       "spring %s has length zero at t = %g s: its direction is undefined", e->name,
                       at->t);
  for (int k = 0; k < 3; k++)
    l->u[k] = r[k] / l->s;
  l->s1 = l->u[0] * l->v[0] + l->u[1] * l->v[1] + l->u[2] * l->v[2];
  l->T = z[STIFFNESS] * (l->s - z[FREE_LENGTH]) + z[DAMPING] * l->s1 + z[FORCE];
  if (e->signal_count)
    l->T += z[SIGNAL];
  return GRADYN_OK;
}

static gradyn_status force(gradyn_mbs *m, const mbs_element *e, const mbs_view *at, const double *z,
                           double *f)
{
  line l;
  gradyn_status status = measure(m, e, at, z, &l);
  for (int k = 0; k < m->dim && status == GRADYN_OK; k++) {
    f[k] = l.T * l.u[k];
    f[m->dim + k] = -f[k];
  }
  return status;
}

/* Writes the block B = d(T u)/d(difference) into the derivative of the forces [2 dim][2 dim]. */
static void spread(int dim, double B[3][3], double *f_state)
{
  int local = 2 * dim;
  for (int i = 0; i < dim; i++)
    for (int j = 0; j < dim; j++) {
      f_state[local * i + j] = f_state[local * (i + dim) + j + dim] = -B[i][j];
      f_state[local * i + j + dim] = f_state[local * (i + dim) + j] = B[i][j];
    }
}

static gradyn_status force_state(gradyn_mbs *m, const mbs_element *e, const mbs_view *at,
                                 const double *z, double *f_pos, double *f_vel)
{
  line l;
  gradyn_status status = measure(m, e, at, z, &l);
  if (status != GRADYN_OK)
    return status;
  double P[3][3], V[3][3];
  int dim = m->dim;
  for (int i = 0; i < dim; i++)
    for (int j = 0; j < dim; j++) {
      /* du/dr = (1 - u u^T)/s and ds'/dr = (v - s' u)/s */
      double across = (double)(i == j) - l.u[i] * l.u[j];
      double T_r = z[STIFFNESS] * l.u[j] + z[DAMPING] * (l.v[j] - l.s1 * l.u[j]) / l.s;
      P[i][j] = l.u[i] * T_r + l.T * across / l.s;
      V[i][j] = z[DAMPING] * l.u[i] * l.u[j];
    }
  spread(dim, P, f_pos);
  spread(dim, V, f_vel);
  return GRADYN_OK;
}

static gradyn_status force_input(gradyn_mbs *m, const mbs_element *e, const mbs_view *at,
                                 const double *z, double *f_z)
{
  line l;
  gradyn_status status = measure(m, e, at, z, &l);
  if (status != GRADYN_OK)
    return status;
  const double T_z[5] = {l.s - z[FREE_LENGTH], l.s1, -z[STIFFNESS], 1, 1};
  for (int k = 0; k < mbs_input_count(e); k++)
    for (int i = 0; i < m->dim; i++) {
      f_z[2 * m->dim * k + i] = T_z[k] * l.u[i];
      f_z[2 * m->dim * k + i + m->dim] = -T_z[k] * l.u[i];
    }
  return GRADYN_OK;
}

/* Of stiffness and constant tension; a signal does work that is not stored. */
static gradyn_status energy(gradyn_mbs *m, const mbs_element *e, const mbs_view *at,
                            const double *z, double *U, double *g, double *U_z)
{
  line l;
  gradyn_status status = measure(m, e, at, z, &l);
  double x = l.s - z[FREE_LENGTH], tension = z[STIFFNESS] * x + z[FORCE];
  *U = z[STIFFNESS] * x * x / 2 + z[FORCE] * l.s;
  for (int k = 0; k < m->dim && g; k++) {
    g[m->dim + k] = tension * l.u[k];
    g[k] = -g[m->dim + k];
  }
  const double slope[5] = {x * x / 2, 0, -z[STIFFNESS] * x, l.s, 0};
  for (int k = 0; k < mbs_input_count(e) && U_z; k++)
    U_z[k] = slope[k];
  return status;
}

const mbs_element_ops mbs_spring_ops = {.kind = "spring",
                                        .force = force,
                                        .force_state = force_state,
                                        .force_input = force_input,
                                        .energy = energy};

void gradyn_spring(gradyn_model *model, const gradyn_spring_spec *spec)
{
  gradyn_mbs *m = mbs_of(model);
  const char *name = spec->name ? spec->name : "spring";
  if (!m || !mbs_check_point(m, name, spec->from) || !mbs_check_point(m, name, spec->to))
    return;
  if (creal(spec->free_length) < 0)
    gradyn_build_error(model, "%s.free_length is %g m: it must not be negative", name,
                       creal(spec->free_length));
  const gradyn_datum data[] = {{"stiffness", "N/m", spec->k},
                               {"damping", "N s/m", spec->c},
                               {"free_length", "m", spec->free_length},
                               {"force", "N", spec->force}};
  mbs_element prototype = mbs_pair(&mbs_spring_ops, spec->from, spec->to);
  prototype.data_count = 4;
  prototype.datum = gradyn_model_data(model, name, data, 4);
  mbs_use_signal(m, &prototype, name, spec->has_signal, spec->signal);
  int number;
  mbs_add_element(m, &m->forces, &prototype, name, &number);
}

/* --- dashpot: -c (r_b' - r_a') on b ------------------------------------------------------------ */

static gradyn_status dashpot(gradyn_mbs *m, const mbs_element *e, const mbs_view *at,
                             const double *z, double *f)
{
  for (int k = 0; k < m->dim; k++) {
    f[k] = z[0] * (at->vel[e->at[1] + k] - at->vel[e->at[0] + k]);
    f[m->dim + k] = -f[k];
  }
  return GRADYN_OK;
}

static gradyn_status dashpot_state(gradyn_mbs *m, const mbs_element *e, const mbs_view *at,
                                   const double *z, double *f_pos, double *f_vel)
{
  (void)e;
  (void)at;
  int local = 2 * m->dim;
  for (int i = 0; i < local; i++)
    for (int j = 0; j < local; j++) {
      f_pos[local * i + j] = 0;
      f_vel[local * i + j] = i == j ? -z[0] : i % m->dim == j % m->dim ? z[0] : 0;
    }
  return GRADYN_OK;
}

static gradyn_status dashpot_input(gradyn_mbs *m, const mbs_element *e, const mbs_view *at,
                                   const double *z, double *f_z)
{
  (void)z;
  return dashpot(m, e, at, (const double[1]){1}, f_z);
}

static const mbs_element_ops dashpot_ops = {.kind = "dashpot",
                                            .force = dashpot,
                                            .force_state = dashpot_state,
                                            .force_input = dashpot_input};

void gradyn_dashpot(gradyn_model *model, const char *name, int a, int b, gradyn_scalar c)
{
  gradyn_mbs *m = mbs_of(model);
  const char *own = name ? name : "dashpot";
  if (!m || !mbs_check_point(m, own, a) || !mbs_check_point(m, own, b))
    return;
  mbs_check_not_negative(m, own, "damping", c);
  mbs_element prototype = mbs_pair(&dashpot_ops, a, b);
  prototype.data_count = 1;
  prototype.datum = gradyn_model_datum(model, own, "damping", "N s/m", c);
  int number;
  mbs_add_element(m, &m->forces, &prototype, own, &number);
}
