/* Spring, damper and actuator between two points: tension T = k (s - s0) + c s' + F + u along the
 * line, on both points. */
#include <complex.h>
#include <math.h>

#include "mbs/planar.h"

enum { STIFFNESS, DAMPING, FREE_LENGTH, FORCE, SIGNAL };

/* Geometry of the line: unit vector, length, its rate, relative velocity, tension. */
typedef struct line {
  double u[2], s, s1, v[2], T;
} line;

static gradyn_status measure(gradyn_mbs *m, const mbs_element *e, const mbs_view *at,
                             const double *z, line *l)
{
  double r[2];
  *l = (line){{0}, 0, 0, {0}, 0};
  for (int k = 0; k < 2; k++) {
    r[k] = at->pos[e->at[1] + k] - at->pos[e->at[0] + k];
    l->v[k] = at->vel[e->at[1] + k] - at->vel[e->at[0] + k];
  }
  l->s = sqrt(r[0] * r[0] + r[1] * r[1]);
  if (!(l->s > 0))
    return gradyn_fail(&m->model->message, GRADYN_NON_FINITE,
                       "spring %s has length zero at t = %g s: its direction is undefined", e->name,
                       at->t);
  l->u[0] = r[0] / l->s;
  l->u[1] = r[1] / l->s;
  l->s1 = l->u[0] * l->v[0] + l->u[1] * l->v[1];
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
  for (int k = 0; k < 2 && status == GRADYN_OK; k++) {
    f[k] = l.T * l.u[k];
    f[2 + k] = -f[k];
  }
  return status;
}

/* Writes the 2 x 2 block B = d(T u)/d(difference) into the 4 x 4 derivative of the forces. */
static void spread(double B[2][2], double *f_state)
{
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) {
      f_state[4 * i + j] = f_state[4 * (i + 2) + j + 2] = -B[i][j];
      f_state[4 * i + j + 2] = f_state[4 * (i + 2) + j] = B[i][j];
    }
}

static gradyn_status force_state(gradyn_mbs *m, const mbs_element *e, const mbs_view *at,
                                 const double *z, double *f_pos, double *f_vel)
{
  line l;
  gradyn_status status = measure(m, e, at, z, &l);
  if (status != GRADYN_OK)
    return status;
  double P[2][2], V[2][2];
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) {
      /* du/dr = (1 - u u^T)/s and ds'/dr = (v - s' u)/s */
      double across = (double)(i == j) - l.u[i] * l.u[j];
      double T_r = z[STIFFNESS] * l.u[j] + z[DAMPING] * (l.v[j] - l.s1 * l.u[j]) / l.s;
      P[i][j] = l.u[i] * T_r + l.T * across / l.s;
      V[i][j] = z[DAMPING] * l.u[i] * l.u[j];
    }
  spread(P, f_pos);
  spread(V, f_vel);
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
    for (int i = 0; i < 2; i++) {
      f_z[4 * k + i] = T_z[k] * l.u[i];
      f_z[4 * k + i + 2] = -T_z[k] * l.u[i];
    }
  return GRADYN_OK;
}

const mbs_element_ops mbs_spring_ops = {
    .kind = "spring", .force = force, .force_state = force_state, .force_input = force_input};

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
