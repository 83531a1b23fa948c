/* The five-bar linkage written out by hand: data, kinematics along the rods, springs, and the
 * consistent initial state with its derivatives. */
#include "bench/hand/five_bar_equations.h"

#include <math.h>
#include <string.h>

#include <sundials/sundials_dense.h>

static const double ground_A[2] = {0.0, 0.0}, ground_B[2] = {1.0, 0.0};
static const double start[RAW_Q] = {-1.0, -1.0, 0.5, -2.0, 2.0, -1.0}; /* m */
static const double r20[2] = {0.5, -2.0};

void raw_fill(raw_data *d)
{
  const double length[RAW_RODS] = {sqrt(2.0), sqrt(13.0) / 2.0, sqrt(13.0) / 2.0, sqrt(2.0)};
  const double mass[RAW_RODS] = {1.0, 1.5, 1.5, 1.0};

  memset(d, 0, sizeof *d);
  d->mass_A1 = mass[0];
  d->length_A1 = length[0];
  d->com_A1 = length[0] / 2.0;
  d->inertia_A1 = mass[0] * length[0] * length[0] / 12.0;
  d->free_length[0] = sqrt(5.0);
  d->free_length[1] = sqrt(17.0) / 2.0;
  d->k = 100.0;
  d->gravity = -9.81;

  for (int k = 0; k < RAW_RODS; k++) {
    /* uniform rods: centre of mass at half length, J/L^2 = m/12 */
    const double quarter = mass[k] / 4.0, turn = mass[k] / 12.0;

    if (k > 0) {
      d->M[k - 1] += quarter + turn;
      d->load[k - 1] += mass[k] / 2.0;
    }
    if (k < 3) {
      d->M[k] += quarter + turn;
      d->load[k] += mass[k] / 2.0;
    }
    if (k > 0 && k < 3)
      d->M_next[k - 1] = quarter - turn;
  }
}

void raw_differences(const double x[RAW_Q], double d[RAW_RODS][2])
{
  for (int i = 0; i < 2; i++) {
    d[0][i] = x[i];
    d[1][i] = x[2 + i] - x[i];
    d[2][i] = x[4 + i] - x[2 + i];
    d[3][i] = -x[4 + i];
  }
}

void raw_rods_from(const double y[RAW_Y], raw_rods *rods)
{
  raw_differences(y, rods->r);
  raw_differences(y + RAW_V, rods->v);
  raw_differences(y + RAW_A, rods->a);
  for (int i = 0; i < 2; i++) {
    rods->r[0][i] -= ground_A[i];
    rods->r[3][i] += ground_B[i];
  }
}

void raw_spring_at(const raw_data *d, const double y[RAW_Y], int i, raw_spring *spring)
{
  const double x = y[2 * i] - ground_B[0], z = y[2 * i + 1] - ground_B[1];
  const double s = sqrt(x * x + z * z), l0 = d->free_length[i], k = d->k;
  const double ux = x / s, uz = z / s, side = k * (1.0 - l0 / s), along = k * l0 / s;

  spring->u[0] = ux;
  spring->u[1] = uz;
  spring->tension = k * (s - l0);
  spring->S[0][0] = side + along * ux * ux;
  spring->S[0][1] = spring->S[1][0] = along * ux * uz;
  spring->S[1][1] = side + along * uz * uz;
}

void raw_balance_parameters(const raw_data *d, const double y[RAW_Y], double R_p[RAW_PARAMETERS][2])
{
  const double m = d->mass_A1, L = d->length_A1, s = d->com_A1 / L;
  const double *a1 = y + RAW_A;
  raw_spring S[2];

  for (int i = 0; i < 2; i++)
    raw_spring_at(d, y, i, &S[i]);
  for (int x = 0; x < 2; x++) {
    const double g = x == 1 ? d->gravity : 0.0;

    R_p[0][x] = -d->k * S[0].u[x];
    R_p[1][x] = -d->k * S[1].u[x];
    /* rod A1 at point 1: (m s^2 + I/L^2) a1 - m s g with s = com/L */
    R_p[2][x] = s * s * a1[x] - s * g;
    R_p[3][x] = m / L * (2.0 * s * a1[x] - g);
    R_p[4][x] = -2.0 / L * (m * s * s + d->inertia_A1 / (L * L)) * a1[x] + m * s / L * g;
  }
}

void raw_mass_times(const raw_data *d, const double a[RAW_Q], double x[RAW_Q])
{
  for (int i = 0; i < 2; i++) {
    x[i] += d->M[0] * a[i] + d->M_next[0] * a[2 + i];
    x[2 + i] += d->M_next[0] * a[i] + d->M[1] * a[2 + i] + d->M_next[1] * a[4 + i];
    x[4 + i] += d->M_next[1] * a[2 + i] + d->M[2] * a[4 + i];
  }
}

bool raw_solve_kkt(const raw_data *d, const double y[RAW_Y], double x[][RAW_KKT], int count)
{
  double matrix[RAW_KKT][RAW_KKT] = {{0}}, *column[RAW_KKT];
  sunindextype pivot[RAW_KKT];
  raw_rods rods;

  raw_rods_from(y, &rods);
  for (int i = 0; i < RAW_Q; i++) {
    matrix[i][i] = d->M[i / 2];
    if (i < RAW_Q - 2)
      matrix[i][i + 2] = matrix[i + 2][i] = d->M_next[i / 2];
  }
  for (int k = 0; k < RAW_RODS; k++) {
    for (int i = 0; i < 2; i++) {
      if (k < 3)
        matrix[2 * k + i][RAW_Q + k] = matrix[RAW_Q + k][2 * k + i] = rods.r[k][i];
      if (k > 0)
        matrix[2 * k - 2 + i][RAW_Q + k] = matrix[RAW_Q + k][2 * k - 2 + i] = -rods.r[k][i];
    }
  }
  for (int i = 0; i < RAW_KKT; i++)
    column[i] = matrix[i];
  if (SUNDlsMat_denseGETRF(column, RAW_KKT, RAW_KKT, pivot) != 0)
    return false;
  for (int i = 0; i < count; i++)
    SUNDlsMat_denseGETRS(column, RAW_KKT, pivot, x[i]);
  return true;
}

/* moving point 1 along rod A1 moves point 2 by the same vector (the angles of A1 and 12 are fixed); point 3
 * keeps its distances from 2 and B */
static void initial_positions_LA1(const raw_data *d, const raw_rods *rods, double s[RAW_Y])
{
  const double *r2 = rods->r[2], *r3 = rods->r[3];
  const double det = r2[0] * r3[1] - r2[1] * r3[0];

  for (int i = 0; i < 2; i++)
    s[i] = s[2 + i] = rods->r[0][i] / d->length_A1;
  const double slide = r2[0] * s[2] + r2[1] * s[3]; /* d2.s3 = d2.s2, d3.s3 = 0 */
  s[4] = slide * r3[1] / det;
  s[5] = -slide * r3[0] / det;
}

/* right-hand sides of the derivatives of a and lam: minus the terms of the state */
static void initial_sides(const raw_data *d, const double y[RAW_Y], const raw_rods *rods,
                          const double s[RAW_Y], double x[RAW_KKT])
{
  double ds[RAW_RODS][2];
  raw_spring spring;

  raw_differences(s, ds);
  memset(x, 0, RAW_KKT * sizeof *x);
  for (int k = 0; k < RAW_RODS; k++) {
    for (int i = 0; i < 2; i++) {
      const double f = y[RAW_L + k] * ds[k][i];

      if (k < 3)
        x[2 * k + i] -= f;
      if (k > 0)
        x[2 * k - 2 + i] += f;
      x[RAW_Q + k] -= rods->a[k][i] * ds[k][i];
    }
  }
  for (int j = 0; j < 2; j++) {
    raw_spring_at(d, y, j, &spring);
    for (int i = 0; i < 2; i++)
      x[2 * j + i] -= spring.S[i][0] * s[2 * j] + spring.S[i][1] * s[2 * j + 1];
  }
}

bool raw_initial(const raw_data *d, double y[RAW_Y], double s[][RAW_Y])
{
  double x[RAW_PARAMETERS][RAW_KKT], R_p[RAW_PARAMETERS][2];
  raw_spring spring;
  raw_rods rods;

  /* accelerations and multipliers at rest */
  memset(y, 0, RAW_Y * sizeof *y);
  memcpy(y, start, sizeof start);
  memset(x[0], 0, sizeof x[0]);
  for (int i = 0; i < 3; i++)
    x[0][2 * i + 1] = d->load[i] * d->gravity;
  for (int j = 0; j < 2; j++) {
    raw_spring_at(d, y, j, &spring);
    for (int i = 0; i < 2; i++)
      x[0][2 * j + i] -= spring.tension * spring.u[i];
  }
  if (!raw_solve_kkt(d, y, x, 1))
    return false;
  memcpy(y + RAW_A, x[0], sizeof x[0]);
  if (!s)
    return true;

  raw_rods_from(y, &rods);
  raw_balance_parameters(d, y, R_p);
  for (int p = 0; p < RAW_PARAMETERS; p++) {
    memset(s[p], 0, sizeof s[p]);
    if (p == 4)
      initial_positions_LA1(d, &rods, s[p]);
    initial_sides(d, y, &rods, s[p], x[p]);
    for (int i = 0; i < 2; i++)
      x[p][(p == 1 ? 2 : 0) + i] -= R_p[p][i];
  }
  if (!raw_solve_kkt(d, y, x, RAW_PARAMETERS))
    return false;
  for (int p = 0; p < RAW_PARAMETERS; p++)
    memcpy(s[p] + RAW_A, x[p], sizeof x[p]);
  return true;
}

void raw_integrands(const double y[RAW_Y], double g[RAW_FUNCTIONALS])
{
  const double *r2 = y + 2, *v2 = y + RAW_V + 2, *a2 = y + RAW_A + 2;

  memset(g, 0, RAW_FUNCTIONALS * sizeof *g);
  for (int i = 0; i < 2; i++) {
    g[0] += (r2[i] - r20[i]) * (r2[i] - r20[i]);
    g[1] += v2[i] * v2[i];
    g[2] += a2[i] * a2[i];
  }
}

void raw_integrand_gradients(const double y[RAW_Y], double g_y[RAW_FUNCTIONALS][2])
{
  for (int i = 0; i < 2; i++) {
    g_y[0][i] = 2.0 * (y[2 + i] - r20[i]);
    g_y[1][i] = 2.0 * y[RAW_V + 2 + i];
    g_y[2][i] = 2.0 * y[RAW_A + 2 + i];
  }
}
