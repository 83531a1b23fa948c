/* The spatial slider-crank in its crank's angle theta. With y, z of the crank pin and x of the slider,
 *   x^2 + y^2 + z^2 = l^2,  u = (-x, y, z)/l  along the rod from the slider,
 * the cross of the universal joint turns the rod about the slide with u and lets it spin about itself: its
 * other axis is slide x u, so that the spin is u_x phi', phi the direction of (u_y, u_z). The energy is
 *   M(theta) theta'^2/2,  M = J + (m_r/4 + I/l^2)(x'^2 + y'^2 + z'^2) + I_l (u_z phi')^2 + m_s x'^2
 * with derivatives by theta marked by dashes, and M theta'' + M' theta'^2/2 + V' + c x'^2 theta' = 0. */
#include "tests/reference/slider_crank_angle.h"

#include <complex.h>
#include <string.h>

typedef double complex number;

enum { MASS, STIFFNESS, DAMPING, FREE_LENGTH };
enum { ANGLE, RATE, INTEGRAL, STATES = INTEGRAL + SLIDER_CRANK_FUNCTIONALS };

static const double crank_mass = 0.12, rod_mass = 0.5, crank = 0.08, rod = 0.3;
static const double crank_moment = 1e-4, rod_moment = 4e-3, rod_spin = 4e-4; /* kg m^2 */
static const double gravity = 9.81, reach = 0.05, speed = 6, duration = 5;

/* x, y, z at theta = y[ANGLE], and their first two derivatives with respect to theta. */
static void place(number theta, number x[3], number y[3], number z[3])
{
  const number s = csin(theta), c = ccos(theta);
  y[0] = 0.1 - crank * s, y[1] = -crank * c, y[2] = crank * s;
  z[0] = 0.12 + crank * c, z[1] = -crank * s, z[2] = -crank * c;
  x[0] = csqrt(rod * rod - y[0] * y[0] - z[0] * z[0]);
  x[1] = -(y[0] * y[1] + z[0] * z[1]) / x[0];
  x[2] = -(x[1] * x[1] + y[1] * y[1] + y[0] * y[2] + z[1] * z[1] + z[0] * z[2]) / x[0];
}

/* Rates of angle, rate and integrals. */
static void rates(const number *rho, const number *state, number *f)
{
  number x[3], y[3], z[3];
  place(state[ANGLE], x, y, z);
  /* phi' = (y z' - z y')/(y^2 + z^2) and phi'' */
  const number turn = y[0] * z[1] - z[0] * y[1], square = y[0] * y[0] + z[0] * z[0];
  const number phi = turn / square;
  const number phi_2 = (y[0] * z[2] - z[0] * y[2]) / square -
                       2 * phi * (y[0] * y[1] + z[0] * z[1]) / square;
  const number spin = -phi * x[0] / rod, spin_1 = -(phi_2 * x[0] + phi * x[1]) / rod;
  const number K = x[1] * x[1] + y[1] * y[1] + z[1] * z[1];
  const number K_1 = 2 * (x[1] * x[2] + y[1] * y[2] + z[1] * z[2]);
  const double J = crank_moment + crank_mass * crank * crank / 4;
  const double heavy = rod_mass / 4 + rod_moment / (rod * rod);
  const number M = J + heavy * K + rod_spin * spin * spin + rho[MASS] * x[1] * x[1];
  const number M_1 = heavy * K_1 + 2 * rod_spin * spin * spin_1 + 2 * rho[MASS] * x[1] * x[2];
  /* the spring from the origin to D; the centres of crank and rod move half as far as the pin */
  const number length = x[0] + reach, w = state[RATE];
  const number V_1 = gravity * (crank_mass + rod_mass) * z[1] / 2 +
                     rho[STIFFNESS] * (length - rho[FREE_LENGTH]) * x[1];
  f[ANGLE] = w;
  f[RATE] = -(M_1 * w * w / 2 + V_1 + rho[DAMPING] * x[1] * x[1] * w) / M;
  const number miss = length - 0.25, v = x[1] * w, a = x[2] * w * w + x[1] * f[RATE];
  f[INTEGRAL] = miss * miss;
  f[INTEGRAL + 1] = v * v;
  f[INTEGRAL + 2] = a * a;
}

/* The midpoint rule with `count` parts of a step H, with averaged ends: an error in even powers of H. */
static void midpoint(const number *rho, double H, int count, const number *y, number *out)
{
  const double h = H / count;
  number f[STATES], before[STATES], now[STATES];
  rates(rho, y, f);
  for (int i = 0; i < STATES; i++) {
    before[i] = y[i];
    now[i] = y[i] + h * f[i];
  }
  for (int k = 1; k <= count; k++) {
    rates(rho, now, f);
    for (int i = 0; i < STATES && k < count; i++) {
      const number next = before[i] + 2 * h * f[i];
      before[i] = now[i];
      now[i] = next;
    }
  }
  for (int i = 0; i < STATES; i++)
    out[i] = (now[i] + before[i] + h * f[i]) / 2;
}

/* One step, extrapolated from 2, 4, .. parts. */
static void step(const number *rho, double H, number *y)
{
  enum { ROWS = 5 };
  number T[ROWS][STATES];
  for (int j = 0; j < ROWS; j++) {
    midpoint(rho, H, 2 * (j + 1), y, T[j]);
    for (int k = j; k > 0; k--) { /* T[k - 1] becomes the entry of the next column */
      const double ratio = (double)(j + 1) / k, share = 1 / (ratio * ratio - 1);
      for (int i = 0; i < STATES; i++)
        T[k - 1][i] = T[k][i] + share * (T[k][i] - T[k - 1][i]);
    }
  }
  memcpy(y, T[0], sizeof T[0]);
}

double slider_crank_place(const double rho[SLIDER_CRANK_PARAMETERS], double time)
{
  const int steps = (int)(400 * time) + 1;
  number data[SLIDER_CRANK_PARAMETERS], state[STATES] = {[RATE] = speed}, x[3], y[3], z[3];
  for (int i = 0; i < SLIDER_CRANK_PARAMETERS; i++)
    data[i] = rho[i];
  for (int i = 0; i < steps; i++)
    step(data, time / steps, state);
  place(state[ANGLE], x, y, z);
  return creal(x[0]);
}

void slider_crank_reference(const double rho[SLIDER_CRANK_PARAMETERS], int steps,
                            double value[SLIDER_CRANK_FUNCTIONALS],
                            double slope[SLIDER_CRANK_FUNCTIONALS * SLIDER_CRANK_PARAMETERS])
{
  const double small = 1e-30;
  for (int k = 0; k < SLIDER_CRANK_PARAMETERS; k++) {
    number moved[SLIDER_CRANK_PARAMETERS], y[STATES] = {[RATE] = speed};
    for (int i = 0; i < SLIDER_CRANK_PARAMETERS; i++)
      moved[i] = rho[i] + (i == k ? small * I : 0);
    for (int i = 0; i < steps; i++)
      step(moved, duration / steps, y);
    for (int f = 0; f < SLIDER_CRANK_FUNCTIONALS; f++) {
      value[f] = creal(y[INTEGRAL + f]);
      slope[SLIDER_CRANK_PARAMETERS * f + k] = cimag(y[INTEGRAL + f]) / small;
    }
  }
}
