/* The simplest walking model: a standing pendulum and a swinging one. */
#include "tests/reference/simplest_walker.h"

#include <complex.h>

/* (theta, phi, theta', phi'): theta'' = sin(theta - slope); phi is the angle between the legs. */
static void rates(double slope, const double complex y[4], double complex f[4])
{
  double complex s = csin(y[0] - slope), c = ccos(y[0] - slope);
  f[0] = y[2];
  f[1] = y[3];
  f[2] = s;
  f[3] = s + (y[2] * y[2] - c) * csin(y[1]);
}

/* One step of the classical method of Runge and Kutta. */
static void step(double slope, double complex h, double complex y[4])
{
  static const double part[4] = {0, 0.5, 0.5, 1}, weight[4] = {1. / 6, 1. / 3, 1. / 3, 1. / 6};
  double complex k[4] = {0}, at[4], sum[4] = {0};
  for (int s = 0; s < 4; s++) {
    for (int i = 0; i < 4; i++)
      at[i] = y[i] + h * part[s] * k[i];
    rates(slope, at, k);
    for (int i = 0; i < 4; i++)
      sum[i] += weight[s] * k[i];
  }
  for (int i = 0; i < 4; i++)
    y[i] += h * sum[i];
}

/* Integrates to phi = 2 theta, which happens at about `time`, and applies the impact; returns its time. */
static double complex stride(double slope, double time, double complex z[2])
{
  enum { STEPS = 8000, NEWTON = 8 };
  double complex y[4] = {z[0], 2 * z[0], z[1], z[1] * (1 - ccos(2 * z[0]))}, t = time, f[4];
  for (int n = 0; n < STEPS; n++)
    step(slope, time / STEPS, y);
  for (int n = 0; n < NEWTON; n++) {
    rates(slope, y, f);
    double complex h = -(y[1] - 2 * y[0]) / (f[1] - 2 * f[0]);
    step(slope, h, y);
    t += h;
  }
  z[0] = -y[0];
  z[1] = ccos(2 * y[0]) * y[2];
  return t;
}

void simplest_walker_stride(double slope, double time, double z[2])
{
  double complex at[2] = {z[0], z[1]};
  stride(slope, time, at);
  z[0] = creal(at[0]);
  z[1] = creal(at[1]);
}

double simplest_walker(double slope, double z[2], double D[2][2])
{
  double time = 3.88;
  for (int n = 0; n < 6; n++) {
    double gap[2];
    for (int j = 0; j < 2; j++) {
      double complex at[2] = {z[0] + (j == 0 ? 1e-40 * I : 0), z[1] + (j == 1 ? 1e-40 * I : 0)};
      double complex end = stride(slope, time, at);
      time = j == 1 ? creal(end) : time;
      for (int i = 0; i < 2; i++) {
        D[i][j] = cimag(at[i]) / 1e-40;
        gap[i] = creal(at[i]) - z[i];
      }
    }
    /* (D - 1) dz = -gap */
    double a = D[0][0] - 1, d = D[1][1] - 1, det = a * d - D[0][1] * D[1][0];
    z[0] -= (d * gap[0] - D[0][1] * gap[1]) / det;
    z[1] -= (a * gap[1] - D[1][0] * gap[0]) / det;
  }
  return time;
}
