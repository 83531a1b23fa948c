/* The bouncing ball by an independent method. */
#include "tests/reference/bouncing_ball.h"

enum { X, Y, VX, VY, PATH, SPEED, STATES };

static void rates(const double complex p[], const double complex s[], double complex ds[])
{
  double complex v2 = s[VX] * s[VX] + s[VY] * s[VY], speed = csqrt(v2 + 1e-6);
  ds[X] = s[VX];
  ds[Y] = s[VY];
  ds[VX] = -p[3] * speed * s[VX];
  ds[VY] = -p[3] * speed * s[VY] - p[1];
  ds[PATH] = s[X] * s[X] + s[Y] * s[Y];
  ds[SPEED] = v2;
}

static void step(const double complex p[], double complex h, const double complex from[],
                 double complex to[])
{
  static const double place[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
  double complex k[STATES] = {0}, s[STATES], sum[STATES] = {0};
  for (int stage = 0; stage < 4; stage++) {
    for (int i = 0; i < STATES; i++)
      s[i] = from[i] + place[stage] * h * k[i];
    rates(p, s, k);
    for (int i = 0; i < STATES; i++)
      sum[i] += weight[stage] / 6 * k[i];
  }
  for (int i = 0; i < STATES; i++)
    to[i] = from[i] + h * sum[i];
}

void bouncing_ball(const double complex p[BALL_PARAMETERS], double t_end, int bounce,
                   double complex result[BALL_RESULTS])
{
  const double h = 2e-4;
  double complex s[STATES] = {0, p[0], 1, 0, 0, 0}, next[STATES], ds[STATES], t = 0;
  int bounces = 0;
  while (creal(t) < t_end) {
    double complex length = creal(t) + h < t_end ? h : t_end - t;
    step(p, length, s, next);
    if (creal(next[Y]) < 0) {
      for (int i = 0; i < 12; i++) { /* y(t + length) = 0 */
        rates(p, next, ds);
        length -= next[Y] / ds[Y];
        step(p, length, s, next);
      }
      if (++bounces == bounce) {
        result[5] = t + length;
        result[6] = -(1 + p[2]) * next[VY];
      }
      next[Y] = 0;
      next[VY] *= -p[2];
    }
    t += length;
    for (int i = 0; i < STATES; i++)
      s[i] = next[i];
  }
  result[0] = s[X];
  result[1] = s[Y];
  result[2] = s[VY];
  result[3] = s[PATH];
  result[4] = s[SPEED];
}
