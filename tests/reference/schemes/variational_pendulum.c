/* The flexible pendulum by the variational scheme in complex arithmetic: Ebrahimi et al. (2018), eqs. (14)
 * and (17) in the positions of three nodes, without momenta, for beam elements whose forces are
 * integrated from the definitions (31) to (34). */
#include "variational_pendulum.h"

#include <math.h>
#include <string.h>

enum { MOST = 4 * (PENDULUM_ELEMENTS + 1), HELD = 2, LOCAL = 8 };

typedef double complex scalar;

pendulum_data pendulum_default(void)
{
  return (pendulum_data){
      .width = 0.05, .density = 4000, .young = 1e7, .length = 1.2, .gravity = 9.81, .elements = 5};
}

/* --- the element: (r_i, r_i', r_j, r_j') in the plane ------------------------------------------- */

/* First and second derivatives of the cubic shape functions at the fraction s of the length l. */
static void shape(double s, double l, double slope[4], double bend[4])
{
  const double first[4] = {6 * (s * s - s) / l, 1 - 4 * s + 3 * s * s, 6 * (s - s * s) / l,
                           3 * s * s - 2 * s};
  const double second[4] = {(12 * s - 6) / (l * l), (6 * s - 4) / l, (6 - 12 * s) / (l * l),
                            (6 * s - 2) / l};
  memcpy(slope, first, sizeof first);
  memcpy(bend, second, sizeof second);
}

static scalar dot(const scalar a[2], const scalar b[2])
{
  return a[0] * b[0] + a[1] * b[1];
}

/* r' or r'' from its shape functions. */
static void field(const double N[4], const scalar u[LOCAL], scalar r[2])
{
  for (int i = 0; i < 2; i++)
    r[i] = N[0] * u[i] + N[1] * u[2 + i] + N[2] * u[4 + i] + N[3] * u[6 + i];
}

/* f += weight * (N^T p). */
static void load(const double N[4], scalar weight, const scalar p[2], scalar f[LOCAL])
{
  for (int a = 0; a < 4; a++)
    for (int i = 0; i < 2; i++)
      f[2 * a + i] += weight * N[a] * p[i];
}

/* Gradient of the energy EA/2 eps^2 at one point with eps = (r'.r' - 1)/2, eq. (32); or the force of
 * eq. (33) with the strain of the chord. */
static void stretch(const pendulum_data *d, const double slope[4], double l, const scalar u[LOCAL],
                    scalar EA, scalar f[LOCAL])
{
  scalar p[2], chord[2] = {u[4] - u[0], u[5] - u[1]};
  field(slope, u, p);
  load(slope, EA * (d->full ? (dot(p, p) - 1) / 2 : csqrt(dot(chord, chord)) / l - 1), p, f);
}

/* Gradient of EI/2 kappa^2 with kappa = (r' x r'')/|r'|^3, or |r''|. */
static void bend(const pendulum_data *d, const double slope[4], const double second[4],
                 const scalar u[LOCAL], scalar EI, scalar f[LOCAL])
{
  scalar p[2], q[2];
  field(slope, u, p);
  field(second, u, q);
  if (!d->full) {
    load(second, EI, q, f);
    return;
  }
  scalar a = dot(p, p), cross = p[0] * q[1] - p[1] * q[0], a3 = a * a * a;
  scalar by_p[2] = {q[1] - 3 * cross * p[0] / a, -q[0] - 3 * cross * p[1] / a};
  scalar by_q[2] = {-p[1], p[0]};
  load(slope, EI * cross / a3, by_p, f);
  load(second, EI * cross / a3, by_q, f);
}

/* Minus the elastic and gravity forces: axial terms of the full force at Lobatto points, all others at
 * Gauss points. */
static void element_force(const pendulum_data *d, const scalar u[LOCAL], scalar f[LOCAL])
{
  static const double lobatto[3] = {1.0 / 6, 4.0 / 6, 1.0 / 6};
  static const double gauss[3] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
  const double l = d->length / d->elements;
  scalar A = d->width * d->width, EA = d->young * A, EI = EA * A / 12, m = d->density * A * l;
  memset(f, 0, LOCAL * sizeof *f);
  for (int g = 0; g < 3; g++) {
    double slope[4], second[4], place = 0.5 + (g - 1) * sqrt(0.15);
    shape(d->full ? g / 2.0 : place, l, slope, second);
    stretch(d, slope, l, u, EA * l * (d->full ? lobatto : gauss)[g], f);
    shape(place, l, slope, second);
    bend(d, slope, second, u, EI * l * gauss[g], f);
  }
  const double share[4] = {1 / 2.0, l / 12, 1 / 2.0, -l / 12};
  for (int a = 0; a < 4; a++)
    f[2 * a + 1] += m * share[a] * d->gravity;
}

/* --- the beam: all coordinates, of which the first two are held ----------------------------------- */

static int size(const pendulum_data *d)
{
  return 4 * (d->elements + 1);
}

static void force(const pendulum_data *d, const scalar q[MOST], scalar f[MOST])
{
  memset(f, 0, MOST * sizeof *f);
  for (int e = 0; e < d->elements; e++) {
    scalar part[LOCAL];
    element_force(d, q + 4 * e, part);
    for (int i = 0; i < LOCAL; i++)
      f[4 * e + i] += part[i];
  }
}

/* out = M x, eq. (30). */
static void mass_times(const pendulum_data *d, const scalar x[MOST], scalar out[MOST])
{
  const double l = d->length / d->elements, l2 = l * l;
  const double M[4][4] = {{156, 22 * l, 54, -13 * l},
                          {22 * l, 4 * l2, 13 * l, -3 * l2},
                          {54, 13 * l, 156, -22 * l},
                          {-13 * l, -3 * l2, -22 * l, 4 * l2}};
  scalar factor = d->density * d->width * d->width * l / 420;
  memset(out, 0, MOST * sizeof *out);
  for (int e = 0; e < d->elements; e++)
    for (int a = 0; a < 4; a++)
      for (int b = 0; b < 4; b++)
        for (int i = 0; i < 2; i++)
          out[4 * e + 2 * a + i] += factor * M[a][b] * x[4 * e + 2 * b + i];
}

/* Real Newton matrix M + h^2/4 f_q by complex step, element by element. */
static void matrix(const pendulum_data *d, double h, const scalar q[MOST], double S[MOST][MOST])
{
  const double tiny = 1e-40;
  pendulum_data real = *d;
  real.width = creal(d->width);
  real.density = creal(d->density);
  real.young = creal(d->young);
  memset(S, 0, MOST * sizeof *S);
  for (int j = 0; j < size(d); j++) {
    scalar unit[MOST] = {0}, column[MOST];
    unit[j] = 1;
    mass_times(&real, unit, column);
    for (int i = 0; i < size(d); i++)
      S[i][j] = creal(column[i]);
  }
  for (int e = 0; e < d->elements; e++)
    for (int j = 0; j < LOCAL; j++) {
      scalar u[LOCAL], f[LOCAL];
      for (int i = 0; i < LOCAL; i++)
        u[i] = creal(q[4 * e + i]) + (i == j ? tiny * I : 0);
      element_force(&real, u, f);
      for (int i = 0; i < LOCAL; i++)
        S[4 * e + i][4 * e + j] += h * h / 4 * cimag(f[i]) / tiny;
    }
}

/* Factorises rows and columns from HELD on, with row interchanges; [i][j] below the diagonal: factors. */
static void factorise(int n, double S[MOST][MOST], int pivot[MOST])
{
  for (int k = HELD; k < n; k++) {
    pivot[k] = k;
    for (int i = k + 1; i < n; i++)
      if (fabs(S[i][k]) > fabs(S[pivot[k]][k]))
        pivot[k] = i;
    for (int j = HELD; j < n; j++) {
      double x = S[k][j];
      S[k][j] = S[pivot[k]][j];
      S[pivot[k]][j] = x;
    }
    for (int i = k + 1; i < n; i++) {
      S[i][k] /= S[k][k];
      for (int j = k + 1; j < n; j++)
        S[i][j] -= S[i][k] * S[k][j];
    }
  }
}

static void solve(int n, double S[MOST][MOST], const int pivot[MOST], scalar b[MOST])
{
  for (int k = HELD; k < n; k++) {
    scalar x = b[k];
    b[k] = b[pivot[k]];
    b[pivot[k]] = x;
  }
  for (int i = HELD; i < n; i++)
    for (int j = HELD; j < i; j++)
      b[i] -= S[i][j] * b[j];
  for (int i = n - 1; i >= HELD; i--) {
    for (int j = i + 1; j < n; j++)
      b[i] -= S[i][j] * b[j];
    b[i] /= S[i][i];
  }
}

/* --- integration ------------------------------------------------------------------------------------ */

/* -Q at the midpoint of a step. */
static void middle(const pendulum_data *d, const scalar q[MOST], const scalar dq[MOST],
                   scalar f[MOST])
{
  scalar mid[MOST] = {0};
  for (int i = 0; i < size(d); i++)
    mid[i] = q[i] + dq[i] / 2;
  force(d, mid, f);
}

/* One step: replaces dq by the next increment, and `arrives` by h D_2 L_d of this step. Each iteration
 * gains at least five digits, in both parts of a number. */
static void step(const pendulum_data *d, double h, const scalar q[MOST], scalar dq[MOST],
                 scalar arrives[MOST])
{
  static const int iterations = 6;
  double S[MOST][MOST];
  int pivot[MOST], n = size(d);
  scalar f[MOST], b[MOST], mid[MOST] = {0};
  for (int i = 0; i < n; i++)
    mid[i] = q[i] + dq[i] / 2;
  matrix(d, h, mid, S);
  factorise(n, S, pivot);
  for (int iteration = 0; iteration < iterations; iteration++) {
    middle(d, q, dq, f);
    mass_times(d, dq, b);
    for (int i = 0; i < n; i++)
      b[i] += h * h / 2 * f[i] - arrives[i];
    solve(n, S, pivot, b);
    for (int i = HELD; i < n; i++)
      dq[i] -= b[i];
  }
  middle(d, q, dq, f);
  mass_times(d, dq, arrives);
  for (int i = 0; i < n; i++)
    arrives[i] -= h * h / 2 * f[i];
}

/* Deflection of the tip, to the left of the tangent at the root. */
static scalar deflection_of(const pendulum_data *d, const scalar q[MOST])
{
  const scalar *tip = q + 4 * d->elements, *slope = q + 2;
  return (slope[0] * tip[1] - slope[1] * tip[0]) / csqrt(dot(slope, slope));
}

void variational_pendulum(const pendulum_data *d, double h, int steps, int every,
                          double complex deflection[])
{
  scalar q[MOST] = {0}, dq[MOST] = {0}, arrives[MOST] = {0};
  for (int node = 0; node <= d->elements; node++) {
    q[4 * node] = d->length * node / d->elements;
    q[4 * node + 2] = 1;
  }
  for (int k = 1; k <= steps; k++) {
    step(d, h, q, dq, arrives);
    for (int i = HELD; i < size(d); i++)
      q[i] += dq[i];
    if (k % every == 0)
      deflection[k / every - 1] = deflection_of(d, q);
  }
}
