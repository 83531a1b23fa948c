/* Rotation of a steady motion, see turning.h. A steady motion satisfies
 *     r'' = Omega x r',        omega' = Omega x omega
 * with omega of each body. Omega is the smallest of the least-squares solutions. If all velocities are along
 * one axis, the part of Omega along this axis is undetermined. The rotation of the fastest body about it is
 * then a second guess. */
#include "mbs/bodies/turning.h"

#include <string.h>

#include "mbs/bodies/frame.h"

/* Velocities count as parallel to an axis if the squares of their components normal to it, divided by the
 * trace of N, are below this round-off. */
static const double round_off = 1e-14;

/* Normal equations N Omega = b; axis: the longest velocity, divided by its unit. */
typedef struct turning {
  double N[3][3], b[3], axis[3], spin[3]; /* omega of the fastest body */
} turning;

void mbs_take_vector(const gradyn_mbs *m, const double *x, int point, double r[3])
{
  for (int k = 0; k < 3; k++)
    r[k] = k < m->dim ? x[m->point[point].offset + k] : 0;
}

bool mbs_moves(const gradyn_mbs *m, int point)
{
  return m->point[point].kind == MBS_MOVING && !m->point[point].scalar;
}

void mbs_find_turn(const gradyn_mbs *m, const mbs_body *body, const double *q, const double *rate,
                   double x[3])
{
  double e[3], d[3], c[3];
  memset(x, 0, 3 * sizeof *x);
  for (int i = 1; i <= m->dim; i++) {
    mbs_take_vector(m, q, body->point[i], e);
    mbs_take_vector(m, rate, body->point[i], d);
    mbs_cross(e, d, c);
    for (int k = 0; k < 3; k++)
      x[k] += c[k] / 2;
  }
}

static double square(const double x[3])
{
  return x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
}

/* Adds the normal equations (|v|^2 1 - v v^T) Omega = v x a of the least-squares problem a = Omega x v.
 * Vectors are divided by `unit`. */
static void add(turning *t, const double v[3], const double a[3], double unit)
{
  double c[3];
  mbs_cross(v, a, c);
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++)
      t->N[i][k] += ((i == k) * square(v) - v[i] * v[k]) / (unit * unit);
    t->b[i] += c[i] / (unit * unit);
  }
  if (square(v) > square(t->axis) * unit * unit)
    for (int k = 0; k < 3; k++)
      t->axis[k] = v[k] / unit;
}

/* Sums the contributions of velocities and accelerations of points and bodies to a common rotation. */
static void gather(const gradyn_mbs *m, const gradyn_mech_state *at, turning *t)
{
  double v[3], a[3];
  *t = (turning){0};
  for (int i = 0; i < m->points; i++)
    if (mbs_moves(m, i) && !m->point[i].direction) {
      mbs_take_vector(m, at->v, i, v);
      mbs_take_vector(m, at->a, i, a);
      add(t, v, a, m->mech.length);
    }
  for (int j = 0; j < m->parts.bodies; j++) {
    mbs_find_turn(m, &m->parts.body[j], at->q, at->v, v);
    mbs_find_turn(m, &m->parts.body[j], at->q, at->a, a);
    add(t, v, a, 1);
    if (square(v) > square(t->spin))
      memcpy(t->spin, v, sizeof v);
  }
}

/* Solves N x = b for a symmetric definite N [3][3], by cofactors. */
static void solve(double N[3][3], const double b[3], double x[3])
{
  double minor[3][3], det;
  for (int i = 0; i < 3; i++)
    mbs_cross(N[(i + 1) % 3], N[(i + 2) % 3], minor[i]);
  det = N[0][0] * minor[0][0] + N[0][1] * minor[0][1] + N[0][2] * minor[0][2];
  for (int k = 0; k < 3; k++)
    x[k] = (minor[0][k] * b[0] + minor[1][k] * b[1] + minor[2][k] * b[2]) / det;
}

bool mbs_find_turning(const gradyn_mbs *m, const gradyn_mech_state *at, int which, double omega[3])
{
  turning all, *t = &all;
  gather(m, at, t);
  const double trace = t->N[0][0] + t->N[1][1] + t->N[2][2], most = square(t->axis);
  double along = 0;
  memset(omega, 0, 3 * sizeof *omega);
  if (!(most > 0 && trace > 0))
    return which == 0;
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      along += t->axis[i] * t->N[i][k] * t->axis[k] / most;
  const bool open = along <= round_off * trace;
  for (int i = 0; i < 3 && open; i++)
    for (int k = 0; k < 3; k++)
      t->N[i][k] += trace * t->axis[i] * t->axis[k] / most;
  solve(t->N, t->b, omega);
  for (int k = 0; k < 3 && which == 1; k++)
    omega[k] += t->spin[k];
  return which == 0 || (which == 1 && open && square(t->spin) > 0);
}
