/* Robertson's kinetics by Radau IIA, see robertson_radau.h. The steps grow in proportion to the time
 * passed, as the reaction slows down. */
#include "tests/reference/schemes/robertson_radau.h"

#include <math.h>

enum { SPECIES = 2, STAGES = 3, SIZE = SPECIES * STAGES, MOST_ITERATIONS = 12 };

static const double first_step = 1e-7, growth = 0.01; /* s; step over time passed */

/* rates of the first two species; the third one follows from the conserved sum */
static void rates(const double complex p[3], const double complex y[], double complex f[])
{
  const double complex y3 = 1 - y[0] - y[1];

  f[0] = -p[0] * y[0] + p[1] * y[1] * y3;
  f[1] = -f[0] - p[2] * y[1] * y[1];
}

/* J[i][k] = df_i/dy_k */
static void jacobian(const double complex p[3], const double complex y[],
                     double complex J[SPECIES][SPECIES])
{
  J[0][0] = -p[0] - p[1] * y[1];
  J[0][1] = p[1] * (1 - y[0] - 2 * y[1]);
  J[1][0] = -J[0][0];
  J[1][1] = -J[0][1] - 2 * p[2] * y[1];
}

/* Gauss elimination with pivoting; b becomes the solution. */
static void solve(double complex A[SIZE][SIZE], double complex b[SIZE])
{
  for (int k = 0; k < SIZE; k++) {
    int pivot = k;
    for (int i = k + 1; i < SIZE; i++)
      if (cabs(A[i][k]) > cabs(A[pivot][k]))
        pivot = i;
    for (int j = 0; j < SIZE; j++) {
      const double complex keep = A[k][j];
      A[k][j] = A[pivot][j];
      A[pivot][j] = keep;
    }
    const double complex keep = b[k];
    b[k] = b[pivot];
    b[pivot] = keep;
    for (int i = k + 1; i < SIZE; i++) {
      const double complex factor = A[i][k] / A[k][k];
      for (int j = k; j < SIZE; j++)
        A[i][j] -= factor * A[k][j];
      b[i] -= factor * b[k];
    }
  }
  for (int i = SIZE - 1; i >= 0; i--) {
    for (int j = i + 1; j < SIZE; j++)
      b[i] -= A[i][j] * b[j];
    b[i] /= A[i][i];
  }
}

/* Coefficients of the three-stage Radau IIA method. */
static void tableau(double a[STAGES][STAGES])
{
  const double s = sqrt(6.0);
  const double values[STAGES][STAGES] = {
      {(88 - 7 * s) / 360, (296 - 169 * s) / 1800, (-2 + 3 * s) / 225},
      {(296 + 169 * s) / 1800, (88 + 7 * s) / 360, (-2 - 3 * s) / 225},
      {(16 - s) / 36, (16 + s) / 36, 1.0 / 9}};

  for (int i = 0; i < STAGES; i++)
    for (int j = 0; j < STAGES; j++)
      a[i][j] = values[i][j];
}

/* One Newton step for the stages Y = y + h A f(Y); returns its relative size. */
static double iterate(const double complex p[3], const double complex y[], double h,
                      double complex Y[STAGES][SPECIES])
{
  double a[STAGES][STAGES], size = 0;
  double complex f[STAGES][SPECIES], J[STAGES][SPECIES][SPECIES], A[SIZE][SIZE], b[SIZE];

  tableau(a);
  for (int j = 0; j < STAGES; j++) {
    rates(p, Y[j], f[j]);
    jacobian(p, Y[j], J[j]);
  }
  for (int i = 0; i < SIZE; i++) {
    const int stage = i / SPECIES, species = i % SPECIES;

    b[i] = y[species] - Y[stage][species];
    for (int j = 0; j < STAGES; j++) {
      b[i] += h * a[stage][j] * f[j][species];
      for (int k = 0; k < SPECIES; k++)
        A[i][j * SPECIES + k] = (i == j * SPECIES + k) - h * a[stage][j] * J[j][species][k];
    }
  }
  solve(A, b);
  for (int i = 0; i < SIZE; i++) {
    Y[i / SPECIES][i % SPECIES] += b[i];
    size = fmax(size, cabs(b[i]) / (1e-12 + cabs(Y[i / SPECIES][i % SPECIES])));
  }
  return size;
}

void robertson_radau(const double complex p[3], double t_end,
                     double complex result[ROBERTSON_RESULTS])
{
  double complex y[SPECIES] = {1, 0}, G = 0, Y[STAGES][SPECIES];
  double a[STAGES][STAGES], t = 0;

  tableau(a);
  while (t < t_end) {
    const double wish = fmax(first_step, growth * t);
    const double h = t + wish * 1.001 > t_end ? t_end - t : wish;

    for (int j = 0; j < STAGES; j++)
      for (int k = 0; k < SPECIES; k++)
        Y[j][k] = y[k];
    for (int i = 0; i < MOST_ITERATIONS && iterate(p, y, h, Y) > 1e-14; i++)
      continue;
    iterate(p, y, h, Y); /* imaginary parts need one more iteration */
    for (int j = 0; j < STAGES; j++)
      G += h * a[STAGES - 1][j] * (1 - Y[j][0] - Y[j][1]);
    y[0] = Y[STAGES - 1][0];
    y[1] = Y[STAGES - 1][1];
    t = h < wish ? t_end : t + h;
  }
  result[ROBERTSON_Y1] = y[0];
  result[ROBERTSON_Y2] = y[1];
  result[ROBERTSON_Y3] = 1 - y[0] - y[1];
  result[ROBERTSON_G] = G;
}

void robertson_reference(double t_end, double value[ROBERTSON_RESULTS], double *derivative)
{
  const double constant[3] = {0.04, 1e4, 3e7}, tiny = 1e-30;

  for (int k = 0; k < 3; k++) {
    double complex p[3], result[ROBERTSON_RESULTS];

    for (int i = 0; i < 3; i++)
      p[i] = constant[i] * (i == k ? 1 + tiny * I : 1);
    robertson_radau(p, t_end, result);
    for (int i = 0; i < ROBERTSON_RESULTS; i++) {
      value[i] = creal(result[i]);
      derivative[3 * i + k] = cimag(result[i]) / (constant[k] * tiny);
    }
  }
}
