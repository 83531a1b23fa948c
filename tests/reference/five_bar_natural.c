/* The five-bar linkage in natural coordinates, in complex arithmetic. */
#include "five_bar_natural.h"

#include <math.h>
#include <string.h>

enum { N = NATURAL_N, M = NATURAL_M, SIZE = NATURAL_SIZE };

/* Ends of the bars: 0..2 the points 1, 2, 3, then A and B. */
static const int ends[M][2] = {{3, 0}, {0, 1}, {1, 2}, {2, 4}};

/* --- linear algebra ----------------------------------------------------------------------------- */

static void swap_rows(natural_matrix S, double complex b[SIZE], int i, int k)
{
  for (int j = 0; j < SIZE; j++) {
    double complex x = S[i][j];
    S[i][j] = S[k][j];
    S[k][j] = x;
  }
  double complex x = b[i];
  b[i] = b[k];
  b[k] = x;
}

/* Solves S x = b by elimination; x replaces b, S is overwritten. */
void natural_solve(natural_matrix S, double complex b[SIZE])
{
  for (int k = 0; k < SIZE; k++) {
    int p = k;
    for (int i = k + 1; i < SIZE; i++)
      if (fabs(creal(S[i][k])) > fabs(creal(S[p][k])))
        p = i;
    swap_rows(S, b, k, p);
    for (int i = k + 1; i < SIZE; i++) {
      double complex l = S[i][k] / S[k][k];
      for (int j = k; j < SIZE; j++)
        S[i][j] -= l * S[k][j];
      b[i] -= l * b[k];
    }
  }
  for (int i = SIZE - 1; i >= 0; i--) {
    for (int j = i + 1; j < SIZE; j++)
      b[i] -= S[i][j] * b[j];
    b[i] /= S[i][i];
  }
}

/* --- the mechanism -------------------------------------------------------------------------------- */

/* x or y of a point in a field x [N] that has the values A, B (NULL: zero) at the ground points. */
static double complex coordinate(const double complex x[N], const double complex *A,
                                 const double complex *B, int point, int axis)
{
  return point < 3 ? x[2 * point + axis] : point == 3 ? (A ? A[axis] : 0) : (B ? B[axis] : 0);
}

/* Vector along rod i of a field: positions (with the ground points) or velocities (without). */
static void along(const five_bar_data *d, const double complex x[N], int i, int moving,
                  double complex r[2])
{
  const double complex *A = moving ? NULL : d->A, *B = moving ? NULL : d->B;
  for (int c = 0; c < 2; c++)
    r[c] = coordinate(x, A, B, ends[i][1], c) - coordinate(x, A, B, ends[i][0], c);
}

static double complex dot(const double complex a[2], const double complex b[2])
{
  return a[0] * b[0] + a[1] * b[1];
}

/* Adds a value to the entries (end s of rod i, end t of rod i) for x and y. */
static void add_block(double complex S[SIZE][SIZE], int i, int s, int t, double complex value)
{
  int p = ends[i][s], q = ends[i][t];
  for (int c = 0; c < 2 && p < 3 && q < 3; c++)
    S[2 * p + c][2 * q + c] += value;
}

/* Masses of the ends of rod i: m[0] at the first, m[2] at the second, m[1] coupling. */
static void end_masses(const five_bar_data *d, int i, double complex m[3])
{
  double complex c = d->com[i] / d->length[i], mass = d->mass[i];
  double complex turn = d->inertia[i] / (d->length[i] * d->length[i]);
  m[0] = mass * (1 - c) * (1 - c) + turn;
  m[1] = mass * c * (1 - c) - turn;
  m[2] = mass * c * c + turn;
}

/* S += factor times the mass matrix. */
void natural_add_mass(const five_bar_data *d, double complex factor, natural_matrix S)
{
  for (int i = 0; i < M; i++) {
    double complex m[3];
    end_masses(d, i, m);
    add_block(S, i, 0, 0, factor * m[0]);
    add_block(S, i, 0, 1, factor * m[1]);
    add_block(S, i, 1, 0, factor * m[1]);
    add_block(S, i, 1, 1, factor * m[2]);
  }
}

/* Fills the off-diagonal blocks with the constraint Jacobian. */
void natural_add_jacobian(const five_bar_data *d, const double complex q[N], natural_matrix S)
{
  for (int i = 0; i < M; i++) {
    double complex r[2];
    along(d, q, i, 0, r);
    for (int e = 0; e < 2; e++)
      for (int c = 0; c < 2 && ends[i][e] < 3; c++)
        S[N + i][2 * ends[i][e] + c] = S[2 * ends[i][e] + c][N + i] = (e ? 1 : -1) * r[c] /
                                                                      d->length[i];
  }
}

/* Force of spring i on point i, -T u, and its derivatives with respect to position and velocity. */
static void spring(const five_bar_data *d, const natural_state *x, int i, double complex f[2],
                   double complex f_r[2][2], double complex f_v[2][2])
{
  double complex r[2] = {x->q[2 * i] - d->B[0], x->q[2 * i + 1] - d->B[1]};
  const double complex *v = x->v + 2 * i;
  double complex s = csqrt(dot(r, r)), u[2] = {r[0] / s, r[1] / s}, rate = dot(u, v);
  double complex T = d->k[i] * (s - d->free_length[i]) + d->c[i] * rate + d->tension[i];
  for (int a = 0; a < 2; a++) {
    f[a] = -T * u[a];
    for (int b = 0; b < 2; b++) {
      double complex T_r = d->k[i] * u[b] + d->c[i] * (v[b] - rate * u[b]) / s;
      f_r[a][b] = -u[a] * T_r - T * ((a == b) - u[a] * u[b]) / s;
      f_v[a][b] = -u[a] * d->c[i] * u[b];
    }
  }
}

/* R = M a + Phi_q^T lam - Q and Phi. */
void natural_residual(const five_bar_data *d, const natural_state *x, double complex rest[SIZE])
{
  natural_matrix S = {{0}};
  natural_add_mass(d, 1, S);
  natural_add_jacobian(d, x->q, S);
  for (int i = 0; i < N; i++) {
    rest[i] = 0;
    for (int j = 0; j < N; j++)
      rest[i] += S[i][j] * x->a[j];
    for (int j = 0; j < M; j++)
      rest[i] += S[i][N + j] * x->lam[j];
  }
  for (int i = 0; i < M; i++) {
    double complex r[2], c = d->com[i] / d->length[i];
    along(d, x->q, i, 0, r);
    rest[N + i] = (dot(r, r) / d->length[i] - d->length[i]) / 2;
    for (int e = 0; e < 2; e++)
      for (int k = 0; k < 2 && ends[i][e] < 3; k++)
        rest[2 * ends[i][e] + k] -= d->mass[i] * (e ? c : 1 - c) * d->gravity[k];
  }
  for (int i = 0; i < FIVE_BAR_SPRINGS; i++) {
    double complex f[2], f_r[2][2], f_v[2][2];
    spring(d, x, i, f, f_r, f_v);
    rest[2 * i] -= f[0];
    rest[2 * i + 1] -= f[1];
  }
}

/* Newton's matrix aq M + vq C + K, bordered by the Jacobian. */
void natural_newton_matrix(const five_bar_data *d, const natural_state *x, double complex aq,
                           double complex vq, natural_matrix S)
{
  memset(S, 0, sizeof(natural_matrix));
  natural_add_mass(d, aq, S);
  natural_add_jacobian(d, x->q, S);
  for (int i = 0; i < M; i++)
    for (int e = 0; e < 4; e++)
      add_block(S, i, e / 2, e % 2, (e / 2 == e % 2 ? 1 : -1) * x->lam[i] / d->length[i]);
  for (int i = 0; i < FIVE_BAR_SPRINGS; i++) {
    double complex f[2], f_r[2][2], f_v[2][2];
    spring(d, x, i, f, f_r, f_v);
    for (int a = 0; a < 2; a++)
      for (int b = 0; b < 2; b++)
        S[2 * i + a][2 * i + b] -= f_r[a][b] + vq * f_v[a][b];
  }
}

/* --- initial state ---------------------------------------------------------------------------------- */

/* Velocities from the rates of the two fixed angles; the rods 2-3 and 3-B keep their lengths. */
static void initial_velocity(const five_bar_data *d, natural_state *x)
{
  for (int c = 0; c < 2; c++) {
    double complex n1 = c ? ccos(d->angle[0]) : -csin(d->angle[0]);
    double complex n2 = c ? ccos(d->angle[1]) : -csin(d->angle[1]);
    x->v[c] = d->length[0] * n1 * d->rate[0];
    x->v[2 + c] = x->v[c] + d->length[1] * n2 * d->rate[1];
  }
  double complex e[2], g[2];
  along(d, x->q, FIVE_BAR_23, 0, e);
  along(d, x->q, FIVE_BAR_3B, 0, g);
  double complex given = dot(e, x->v + 2), det = e[0] * g[1] - e[1] * g[0];
  x->v[4] = given * g[1] / det; /* e.v3 = e.v2, g.v3 = 0 */
  x->v[5] = -given * g[0] / det;
}

/* Phi'' without the terms of the accelerations. */
void natural_centripetal(const five_bar_data *d, const double complex v[N], double complex phi[M])
{
  for (int i = 0; i < M; i++) {
    double complex r[2];
    along(d, v, i, 1, r);
    phi[i] = dot(r, r) / d->length[i];
  }
}

void natural_accelerate(const five_bar_data *d, natural_state *x)
{
  double complex b[SIZE];
  natural_matrix S = {{0}};
  memset(x->a, 0, sizeof x->a);
  memset(x->lam, 0, sizeof x->lam);
  natural_residual(d, x, b);
  natural_centripetal(d, x->v, b + N);
  natural_add_mass(d, 1, S);
  natural_add_jacobian(d, x->q, S);
  natural_solve(S, b);
  for (int i = 0; i < N; i++)
    x->a[i] = -b[i];
  for (int i = 0; i < M; i++)
    x->lam[i] = -b[N + i];
}

void natural_start(const five_bar_data *d, natural_state *x)
{
  double complex angles[FIVE_BAR_STATES] = {d->angle[0], d->angle[1]}, r[3][2];
  memset(x, 0, sizeof *x);
  five_bar_points(d, angles, r);
  memcpy(x->q, r, sizeof x->q);
  initial_velocity(d, x);
  natural_accelerate(d, x);
}

double natural_largest(const double complex x[], int count, int imaginary)
{
  double max = 0;
  for (int i = 0; i < count; i++)
    max = fmax(max, fabs(imaginary ? cimag(x[i]) : creal(x[i])));
  return max;
}

void natural_integrands(const five_bar_data *d, const natural_state *x, double complex weight,
                        double complex psi[3])
{
  for (int c = 0; c < 2; c++) {
    double complex r = x->q[2 + c] - d->position[c], v = x->v[2 + c] - d->velocity[c];
    double complex a = x->a[2 + c] - d->acceleration[c];
    psi[0] += weight * r * r;
    psi[1] += weight * v * v;
    psi[2] += weight * a * a;
  }
}
