/* Lagrange's equations of two rods in absolute angles, with a wall. */
#include "tests/reference/double_pendulum.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { N = 2, MOST = 4 }; /* angles; unknowns of a saddle system */

/* A x = b [size] by elimination with pivots; A [size][MOST]. */
static void solve(int size, double complex A[MOST][MOST], double complex *b)
{
  for (int c = 0; c < size; c++) {
    int best = c;
    for (int i = c + 1; i < size; i++)
      best = cabs(A[i][c]) > cabs(A[best][c]) ? i : best;
    for (int k = 0; k < size; k++) {
      double complex swap = A[c][k];
      A[c][k] = A[best][k];
      A[best][k] = swap;
    }
    double complex swap = b[c];
    b[c] = b[best];
    b[best] = swap;
    for (int i = 0; i < size; i++) {
      double complex factor = A[i][c] / A[c][c];
      for (int k = c; k < size && i != c; k++)
        A[i][k] -= factor * A[c][k];
      b[i] -= i != c ? factor * b[c] : 0;
    }
  }
  for (int i = 0; i < size; i++)
    b[i] /= A[i][i];
}

/* M(q): with c = m2 l1 l2/2 cos(q1 - q2), [m1 l1^2/3 + m2 l1^2, c; c, m2 l2^2/3]. */
static void inertia(const double_pendulum *p, const double complex *y, double complex A[MOST][MOST])
{
  const double *l = p->length, *m = p->mass;
  A[0][0] = l[0] * l[0] * (m[0] / 3 + m[1]);
  A[0][1] = A[1][0] = m[1] * l[0] * l[1] / 2 * ccos(y[0] - y[1]);
  A[1][1] = m[1] * l[1] * l[1] / 3;
}

/* Jacobian of the tip's position: J[0] of x, along the face's normal, J[1] of y, along the wall; and J' q'.
 */
static void tip(const double_pendulum *p, const double complex *y, double complex J[2][N],
                double complex bend[2])
{
  bend[0] = bend[1] = 0;
  for (int i = 0; i < N; i++) {
    /* x = sum l sin q, y = -sum l cos q */
    J[0][i] = p->length[i] * ccos(y[i]);
    J[1][i] = p->length[i] * csin(y[i]);
    bend[0] -= p->length[i] * csin(y[i]) * y[N + i] * y[N + i];
    bend[1] += p->length[i] * ccos(y[i]) * y[N + i] * y[N + i];
  }
}

static int rows_of(pendulum_mode mode)
{
  return mode == IN_AIR ? 0 : mode == STICKING ? 2 : 1;
}

/* [M, J^T; J, 0]; friction along the wall with the normal force f_n: M q'' + J_n^T f_n - mu J_t^T f_n = Q. */
static void saddle(const double_pendulum *p, pendulum_mode mode, const double complex *y, double mu,
                   double complex A[MOST][MOST])
{
  double complex J[2][N], bend[2];
  memset(A, 0, MOST * sizeof *A);
  inertia(p, y, A);
  tip(p, y, J, bend);
  for (int k = 0; k < rows_of(mode); k++)
    for (int i = 0; i < N; i++) {
      A[N + k][i] = J[k][i];
      A[i][N + k] = J[k][i] - (k == 0 ? mu * J[1][i] : 0);
    }
}

void double_pendulum_rates(const double_pendulum *p, pendulum_mode mode, double complex t,
                           const double complex y[4], double complex rate[4], double complex f[2])
{
  const double *l = p->length, *m = p->mass, g = p->gravity;
  const double mu = mode == SLIDING_DOWN ? p->kinetic : mode == SLIDING_UP ? -p->kinetic : 0;
  double complex A[MOST][MOST], J[2][N], bend[2], s = m[1] * l[0] * l[1] / 2 * csin(y[0] - y[1]);
  double complex b[MOST] = {-s * y[3] * y[3] - (m[0] / 2 + m[1]) * g * l[0] * csin(y[0]),
                            s * y[2] * y[2] - m[1] * g * l[1] / 2 * csin(y[1])};
  tip(p, y, J, bend);
  for (int i = 0; i < N; i++)
    b[i] += p->push * (ccos(p->turn * t) * J[0][i] + csin(p->turn * t) * J[1][i]);
  b[N] = -bend[0];
  b[N + 1] = -bend[1];
  saddle(p, mode, y, mu, A);
  solve(N + rows_of(mode), A, b);
  for (int i = 0; i < N; i++) {
    rate[i] = y[N + i];
    rate[N + i] = b[i];
  }
  for (int k = 0; k < 2 && f; k++)
    f[k] = k < rows_of(mode) ? b[N + k] : 0;
}

void double_pendulum_points(const double_pendulum *p, const double complex y[4],
                            double complex r[8])
{
  double complex at[4] = {0};
  for (int i = 0; i < N; i++) {
    /* x, y, x', y' of the ends of the rods, which are in series */
    const double l = p->length[i];
    const double complex s = csin(y[i]), c = ccos(y[i]);
    const double complex rod[] = {l * s, -l * c, l * c * y[N + i], l * s * y[N + i]};
    for (int k = 0; k < 4; k++)
      r[4 * i + k] = at[k] += rod[k];
  }
}

/* (69): M q'+ + J^T p = M q'-, J q'+ = -e J q'-. */
static void reset(const double_pendulum *p, pendulum_mode before, pendulum_mode behind,
                  const double complex y[4], double complex after[4])
{
  const bool elastic = before == IN_AIR && behind == IN_AIR;
  const pendulum_mode law = elastic ? SLIDING_DOWN : behind;
  double complex A[MOST][MOST], J[2][N], bend[2], b[MOST] = {0};
  memcpy(after, y, 4 * sizeof *y);
  saddle(p, law, y, 0, A);
  tip(p, y, J, bend);
  for (int i = 0; i < N; i++) {
    b[i] = A[i][0] * y[N] + A[i][1] * y[N + 1];
    b[N] -= elastic ? p->restitution * J[0][i] * y[N + i] : 0;
  }
  solve(N + rows_of(law), A, b);
  after[N] = b[0];
  after[N + 1] = b[1];
}

/* What passes zero. */
static double complex guard_of(const double_pendulum *p, pendulum_mode mode, pendulum_guard guard,
                               double complex t, const double complex y[4])
{
  double complex r[8], rate[4], f[2];
  double_pendulum_points(p, y, r);
  double_pendulum_rates(p, mode, t, y, rate, f);
  switch (guard) {
  case GAP:
    return p->wall - r[4];
  case APEX:
    return r[6];
  case REST:
    return r[7];
  case LIFT:
    return f[0];
  case SLIP:
    return p->still * f[0] + f[1];
  default:
    return p->still * f[0] - f[1];
  }
}

void double_pendulum_saltation(const double_pendulum *p, pendulum_mode before, pendulum_guard guard,
                               pendulum_mode behind, double t, const double y[4], double matrix[16])
{
  const double tiny = 1e-40;
  /* no velocity changes at an apex, a lift-off or a change of friction */
  const bool jumps = guard == GAP;
  double complex at[4], after[4], F[4], F_behind[4];
  double r_y[4], R_y[16];
  double rate = cimag(guard_of(p, before, guard, t + tiny * I,
                               (double complex[]){y[0], y[1], y[2], y[3]})) /
                tiny;
  for (int i = 0; i < 4; i++)
    at[i] = after[i] = y[i];
  double_pendulum_rates(p, before, t, at, F, NULL);
  if (jumps)
    reset(p, before, behind, at, after);
  double_pendulum_rates(p, behind, t, after, F_behind, NULL);
  for (int j = 0; j < 4; j++) {
    at[j] += tiny * I;
    r_y[j] = cimag(guard_of(p, before, guard, t, at)) / tiny;
    memcpy(after, at, sizeof after);
    if (jumps)
      reset(p, before, behind, at, after);
    for (int i = 0; i < 4; i++)
      R_y[4 * i + j] = cimag(after[i]) / tiny;
    at[j] = y[j];
    rate += r_y[j] * creal(F[j]);
  }
  for (int i = 0; i < 4; i++) {
    double jump = creal(F_behind[i]);
    for (int k = 0; k < 4; k++)
      jump -= R_y[4 * i + k] * creal(F[k]);
    for (int j = 0; j < 4; j++)
      matrix[4 * i + j] = R_y[4 * i + j] + jump * r_y[j] / rate;
  }
}

void double_pendulum_move(const double_pendulum *p, const double *y, const double *dz, double *dr)
{
  double complex at[4], r[8];
  for (int i = 0; i < 4; i++)
    at[i] = y[i] + 1e-40 * I * dz[i];
  double_pendulum_points(p, at, r);
  for (int k = 0; k < 8; k++)
    dr[k] = cimag(r[k]) / 1e-40;
}

/* Corrects dz[2] and dz[3], the changes of the angular rates, so that the velocity of the tip does not change
 * along the constrained directions. rows: 0: none; 1: x; 2: x and y. */
static void settle(const double_pendulum *p, const double *y, int rows, double *dz)
{
  double dr[8];
  for (int pass = 0; pass < 2; pass++) {
    const double *l = p->length;
    double_pendulum_move(p, y, dz, dr);
    const double J[2][2] = {{l[0] * cos(y[0]), l[1] * cos(y[1])},
                            {l[0] * sin(y[0]), l[1] * sin(y[1])}};
    const double det = J[0][0] * J[1][1] - J[0][1] * J[1][0];
    const double size = J[0][0] * J[0][0] + J[0][1] * J[0][1];
    if (rows == 2) {
      dz[2] -= (J[1][1] * dr[6] - J[0][1] * dr[7]) / det;
      dz[3] -= (J[0][0] * dr[7] - J[1][0] * dr[6]) / det;
    } else if (rows == 1) {
      dz[2] -= J[0][0] * dr[6] / size;
      dz[3] -= J[0][1] * dr[6] / size;
    }
  }
}

void double_pendulum_tangent(const double_pendulum *p, pendulum_mode mode, const double *y, int k,
                             double *dz)
{
  memset(dz, 0, 4 * sizeof *dz);
  dz[k] = 1;
  if (mode != IN_AIR && k < 2) {
    dz[0] = -p->length[1] * cos(y[1]);
    dz[1] = p->length[0] * cos(y[0]);
  }
  settle(p, y, mode == IN_AIR ? 0 : mode == STICKING ? 2 : 1, dz);
}
