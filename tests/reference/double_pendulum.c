/* Lagrange's equations of two rods in absolute angles. */
#include "tests/reference/double_pendulum.h"

/* M(q) and the generalised forces: with c = m2 l1 l2/2 cos(q1 - q2),
 *     M = [m1 l1^2/3 + m2 l1^2, c; c, m2 l2^2/3],  s = m2 l1 l2/2 sin(q1 - q2),
 *     Q = [-s q2'^2 - (m1/2 + m2) g l1 sin q1; s q1'^2 - m2 g l2/2 sin q2]. */
static void inertia(const double_pendulum *p, const double complex y[4], double complex M[3])
{
  const double *l = p->length, *m = p->mass;
  M[0] = l[0] * l[0] * (m[0] / 3 + m[1]);
  M[1] = m[1] * l[0] * l[1] / 2 * ccos(y[0] - y[1]);
  M[2] = m[1] * l[1] * l[1] / 3;
}

/* M x = b for M = [M0, M1; M1, M2]. */
static void solve(const double complex M[3], const double complex b[2], double complex x[2])
{
  double complex det = M[0] * M[2] - M[1] * M[1];
  x[0] = (M[2] * b[0] - M[1] * b[1]) / det;
  x[1] = (M[0] * b[1] - M[1] * b[0]) / det;
}

void double_pendulum_rates(const double_pendulum *p, const double complex y[4],
                           double complex rate[4])
{
  const double *l = p->length, *m = p->mass;
  double complex M[3], s = m[1] * l[0] * l[1] / 2 * csin(y[0] - y[1]);
  const double complex Q[2] = {-s * y[3] * y[3] -
                                   (m[0] / 2 + m[1]) * p->gravity * l[0] * csin(y[0]),
                               s * y[2] * y[2] - m[1] * p->gravity * l[1] / 2 * csin(y[1])};
  inertia(p, y, M);
  rate[0] = y[2];
  rate[1] = y[3];
  solve(M, Q, rate + 2);
}

double complex double_pendulum_gap(const double_pendulum *p, const double complex y[4])
{
  return p->wall - p->length[0] * csin(y[0]) - p->length[1] * csin(y[1]);
}

/* q'+ = q'- - (1 + e) M^-1 J^T (J M^-1 J^T)^-1 J q'-, J the gap's derivative. */
void double_pendulum_impact(const double_pendulum *p, const double complex y[4],
                            double complex after[4])
{
  const double complex J[2] = {-p->length[0] * ccos(y[0]), -p->length[1] * ccos(y[1])};
  double complex M[3], d[2];
  inertia(p, y, M);
  solve(M, J, d);
  double complex impulse = -(1 + p->restitution) * (J[0] * y[2] + J[1] * y[3]) /
                           (J[0] * d[0] + J[1] * d[1]);
  for (int i = 0; i < 2; i++) {
    after[i] = y[i];
    after[2 + i] = y[2 + i] + impulse * d[i];
  }
}

void double_pendulum_saltation(const double_pendulum *p, const double y[4], double matrix[16])
{
  const double tiny = 1e-40;
  double complex at[4], after[4], before_rate[4], after_rate[4];
  double r_y[4], R_y[16], rate = 0;
  for (int i = 0; i < 4; i++)
    at[i] = y[i];
  double_pendulum_rates(p, at, before_rate);
  double_pendulum_impact(p, at, after);
  double_pendulum_rates(p, after, after_rate);
  for (int j = 0; j < 4; j++) {
    at[j] += tiny * I;
    r_y[j] = cimag(double_pendulum_gap(p, at)) / tiny;
    double_pendulum_impact(p, at, after);
    for (int i = 0; i < 4; i++)
      R_y[4 * i + j] = cimag(after[i]) / tiny;
    at[j] = y[j];
    rate += r_y[j] * creal(before_rate[j]);
  }
  for (int i = 0; i < 4; i++) {
    double jump = creal(after_rate[i]);
    for (int k = 0; k < 4; k++)
      jump -= R_y[4 * i + k] * creal(before_rate[k]);
    for (int j = 0; j < 4; j++)
      matrix[4 * i + j] = R_y[4 * i + j] + jump * r_y[j] / rate;
  }
}
