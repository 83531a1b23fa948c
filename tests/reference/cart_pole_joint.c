/* The cart-pole in two coordinates, see cart_pole_joint.h: classical Runge-Kutta steps of equal
 * length between the knots. */
#include "tests/reference/cart_pole_joint.h"

enum { MOST = 100, STATES = 6 };

static const double cart = 1.0, bob = 0.3, length = 0.5, gravity = 9.81; /* kg, kg, m, m/s^2 */
static const double track = 2.0, sharpness = 20.0;                       /* m, 1 */

/* Second derivatives c of the natural spline by knot number:
 * c[k-1] + 4 c[k] + c[k+1] = 6 (u[k-1] - 2 u[k] + u[k+1]). */
static void curvatures(int count, const double complex u[], double complex c[])
{
  double pivot[MOST];

  c[0] = c[count - 1] = 0;
  pivot[0] = 1;
  for (int k = 1; k < count - 1; k++) {
    const double factor = k > 1 ? 1 / pivot[k - 1] : 0;

    pivot[k] = 4 - factor;
    c[k] = 6 * (u[k - 1] - 2 * u[k] + u[k + 1]) - factor * c[k - 1];
  }
  for (int k = count - 2; k > 0; k--)
    c[k] = (c[k] - c[k + 1]) / pivot[k];
}

static double complex spline(int count, const double complex u[], const double complex c[],
                             double s)
{
  const int k = s >= count - 1 ? count - 2 : (int)s;
  const double b = s - k, a = 1 - b;

  return a * u[k] + b * u[k + 1] + ((a * a * a - a) * c[k] + (b * b * b - b) * c[k + 1]) / 6;
}

double complex cart_pole_spline(int count, const double complex knots[], double s)
{
  double complex c[MOST];

  curvatures(count, knots, c);
  return spline(count, knots, c, s);
}

/* y: position, angle from the hanging position, their rates, integrals of exp(sharpness (x/track)^2) and
 * u^2. */
static void rates(const double complex y[], double complex u, double complex f[])
{
  const double complex s = csin(y[1]), c = ccos(y[1]), excursion = y[0] / track;
  /* (M + m) x'' + m L c angle'' = u + m L s angle'^2,  c x'' + L angle'' = -g s */
  const double complex push = u + bob * length * s * y[3] * y[3];
  const double complex a = (push + bob * gravity * s * c) / (cart + bob * s * s);

  f[0] = y[2];
  f[1] = y[3];
  f[2] = a;
  f[3] = (-gravity * s - c * a) / length;
  f[4] = cexp(sharpness * excursion * excursion);
  f[5] = u * u;
}

static void step(double complex y[], const double complex u[3], double complex h)
{
  double complex f[4][STATES], at[STATES];

  rates(y, u[0], f[0]);
  for (int stage = 1; stage < 4; stage++) {
    const double complex part = stage < 3 ? h / 2 : h;

    for (int i = 0; i < STATES; i++)
      at[i] = y[i] + part * f[stage - 1][i];
    rates(at, u[stage < 3 ? 1 : 2], f[stage]);
  }
  for (int i = 0; i < STATES; i++)
    y[i] += h / 6 * (f[0][i] + 2 * f[1][i] + 2 * f[2][i] + f[3][i]);
}

void cart_pole_joint(double complex duration, int count, const double complex knots[],
                     int steps_per_knot, double complex psi[CART_POLE_FUNCTIONALS])
{
  const int steps = (count - 1) * steps_per_knot;
  double complex y[STATES] = {0}, c[MOST];

  curvatures(count, knots, c);
  for (int i = 0; i < steps; i++) {
    double complex u[3];

    for (int k = 0; k < 3; k++)
      u[k] = spline(count, knots, c, (i + 0.5 * k) / steps_per_knot);
    step(y, u, duration / steps);
  }
  psi[CART_POLE_X] = y[0];
  psi[CART_POLE_V] = y[2];
  psi[CART_POLE_ROTATION] = y[1];
  psi[CART_POLE_OMEGA] = y[3];
  psi[CART_POLE_EXCURSION] = clog(y[4] / duration) / sharpness;
  psi[CART_POLE_EFFORT] = y[5];
  psi[CART_POLE_TIME] = duration;
}
