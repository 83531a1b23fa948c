/* Collocation at the Radau points in complex arithmetic, see radau_complex.h. */
#include "tests/reference/schemes/radau_complex.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { STAGES = 3, NODES = STAGES + 1, MOST = RADAU_COMPLEX_STATES, SIZE = STAGES * MOST };
enum { MOST_ITERATIONS = 60, LAST_ITERATIONS = 3 };

static const double tiny = 1e-30;

typedef struct points {
  double at[NODES];            /* the start of the step, then its stages */
  double weight[STAGES];       /* of the quadrature */
  double slope[STAGES][NODES]; /* derivatives of Lagrange's polynomials at the stages */
} points;

static points find_points(void)
{
  const double root = sqrt(6.0);
  points c = {.at = {0, (4 - root) / 10, (4 + root) / 10, 1},
              .weight = {(16 - root) / 36, (16 + root) / 36, 1.0 / 9}};
  for (int i = 0; i < STAGES; i++)
    for (int j = 0; j < NODES; j++)
      for (int l = 0; l < NODES; l++) {
        double product = 1 / (c.at[j] - c.at[l]);
        for (int k = 0; k < NODES && l != j; k++)
          product *= k != j && k != l ? (c.at[i + 1] - c.at[k]) / (c.at[j] - c.at[k]) : 1;
        c.slope[i][j] += l != j ? product : 0;
      }
  return c;
}

/* Gauss elimination with pivoting; b becomes the solution. */
static void solve(int size, double A[SIZE][SIZE], double complex b[SIZE])
{
  for (int k = 0; k < size; k++) {
    int pivot = k;
    for (int i = k + 1; i < size; i++)
      if (fabs(A[i][k]) > fabs(A[pivot][k]))
        pivot = i;
    for (int j = 0; j < size; j++) {
      const double keep = A[k][j];
      A[k][j] = A[pivot][j];
      A[pivot][j] = keep;
    }
    const double complex keep = b[k];
    b[k] = b[pivot];
    b[pivot] = keep;
    for (int i = k + 1; i < size; i++) {
      const double factor = A[i][k] / A[k][k];
      for (int j = k; j < size; j++)
        A[i][j] -= factor * A[k][j];
      b[i] -= factor * b[k];
    }
  }
  for (int i = size - 1; i >= 0; i--) {
    for (int j = i + 1; j < size; j++)
      b[i] -= A[i][j] * b[j];
    b[i] /= A[i][i];
  }
}

/* The present step, Y: its start and its stages. */
typedef struct step {
  const radau_complex_system *system;
  const double complex *p;
  points c;
  double t, h;
  double complex Y[NODES][MOST];
} step;

static void find_rates(const step *s, int i, double complex yp[])
{
  for (int k = 0; k < s->system->states; k++) {
    yp[k] = 0;
    for (int j = 0; j < NODES; j++)
      yp[k] += s->c.slope[i][j] * s->Y[j][k] / s->h;
  }
}

/* Derivatives of F at stage i with respect to its own Y and to its rates, at the real parts of the
 * arguments; products of imaginary parts are negligible. */
static void linearise(const step *s, int i, double by_y[MOST][MOST], double by_rate[MOST][MOST])
{
  const int n = s->system->states;
  double complex y[MOST], yp[MOST], p[RADAU_COMPLEX_PARAMETERS], F[MOST];
  find_rates(s, i, yp);
  for (int k = 0; k < s->system->parameters; k++)
    p[k] = creal(s->p[k]);
  for (int k = 0; k < n; k++) {
    y[k] = creal(s->Y[i + 1][k]);
    yp[k] = creal(yp[k]);
  }
  for (int k = 0; k < 2 * n; k++) {
    double complex *moved = k < n ? &y[k] : &yp[k - n];
    *moved += tiny * I;
    s->system->residual(s->t + s->c.at[i + 1] * s->h, y, yp, p, F);
    for (int r = 0; r < n; r++)
      (k < n ? by_y[r] : by_rate[r])[k % n] = cimag(F[r]) / tiny;
    *moved = creal(*moved);
  }
}

/* One iteration of Newton's method; returns the change of the real parts, relative to the largest. */
static double iterate(step *s)
{
  const int n = s->system->states;
  static double A[SIZE][SIZE];
  double by_y[MOST][MOST], by_rate[MOST][MOST], moved = 0, most = 0;
  double complex b[SIZE], yp[MOST];
  for (int i = 0; i < STAGES; i++) {
    linearise(s, i, by_y, by_rate);
    find_rates(s, i, yp);
    s->system->residual(s->t + s->c.at[i + 1] * s->h, s->Y[i + 1], yp, s->p, b + i * n);
    for (int r = 0; r < n; r++)
      for (int j = 0; j < STAGES; j++)
        for (int k = 0; k < n; k++)
          A[i * n + r][j * n + k] = (i == j ? by_y[r][k] : 0) +
                                    s->c.slope[i][j + 1] / s->h * by_rate[r][k];
  }
  solve(STAGES * n, A, b);
  for (int i = 0; i < STAGES; i++)
    for (int k = 0; k < n; k++) {
      s->Y[i + 1][k] -= b[i * n + k];
      moved = fmax(moved, fabs(creal(b[i * n + k])));
      most = fmax(most, fabs(creal(s->Y[i + 1][k])));
    }
  return moved / most;
}

double complex radau_complex(const radau_complex_system *s, const double complex p[], double t_end,
                             int steps, double complex y[])
{
  step at = {.system = s, .p = p, .c = find_points(), .h = t_end / steps};
  double complex integral = 0;
  for (int passed = 0; passed < steps; passed++) {
    int found = 0;
    at.t = t_end * passed / steps;
    for (int i = 0; i < NODES; i++)
      for (int k = 0; k < s->states; k++)
        at.Y[i][k] = y[k];
    /* quadratic convergence: after this change one more iteration reaches round-off, and another one for
     * imaginary parts */
    for (int k = 0; k < MOST_ITERATIONS && !found; k++)
      found = iterate(&at) < 1e-9;
    if (!found) {
      fprintf(stderr, "the reference's stages were not found at t = %g s\n", at.t);
      exit(EXIT_FAILURE);
    }
    for (int k = 0; k < LAST_ITERATIONS; k++)
      iterate(&at);
    for (int i = 0; i < STAGES && s->integrand; i++)
      integral += at.h * at.c.weight[i] *
                  s->integrand(at.t + at.c.at[i + 1] * at.h, at.Y[i + 1], p);
    for (int k = 0; k < s->states; k++)
      y[k] = at.Y[STAGES][k];
  }
  return integral;
}

void radau_complex_gradient(const radau_complex_system *s, const double p[], const double start[],
                            double t_end, int steps, double value[], double slope[])
{
  for (int j = 0; j < s->parameters; j++) {
    double complex moved[RADAU_COMPLEX_PARAMETERS], result[MOST + 1];
    for (int k = 0; k < s->parameters; k++)
      moved[k] = p[k] + (k == j ? tiny * I : 0);
    for (int k = 0; k < s->states; k++)
      result[k] = start[k];
    result[s->states] = radau_complex(s, moved, t_end, steps, result);
    for (int k = 0; k <= s->states; k++) {
      value[k] = creal(result[k]);
      slope[k * s->parameters + j] = cimag(result[k]) / tiny;
    }
  }
}
