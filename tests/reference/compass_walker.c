/* Lagrange's equations in two angles by Runge-Kutta of order 4, Newton's method for the length of the last
 * step, and angular momenta for the impact. Legs of 1 m and 5 kg; s and w are the angles of the standing
 * and of the swinging leg from the vertical. */
#include "tests/reference/compass_walker.h"

#include <string.h>

typedef double complex number;

typedef struct walker {
  number slope, hip, a,
      b; /* rad; kg; distance from the foot to the centre of a leg, and from there to the hip, m */
} walker;

static const double m = 5, g = 9.81;

/* y = (s, w, s', w'). T = (A s'^2 + B w'^2)/2 - C cos(s - w) s' w', V = g (D cos s - E cos w). */
static void rates(const walker *p, const number y[4], number f[4])
{
  number A = m * p->a * p->a + p->hip + m, B = m * p->b * p->b, C = m * p->b;
  number D = m * p->a + p->hip + m, E = m * p->b, c = ccos(y[0] - y[1]), d = csin(y[0] - y[1]);
  number right[2] = {C * d * y[3] * y[3] + g * D * csin(y[0]),
                     -C * d * y[2] * y[2] - g * E * csin(y[1])};
  number det = A * B - C * C * c * c;
  f[0] = y[2];
  f[1] = y[3];
  f[2] = (B * right[0] + C * c * right[1]) / det;
  f[3] = (C * c * right[0] + A * right[1]) / det;
}

static void step(const walker *p, number h, const number y[4], number next[4])
{
  number k[4][4], z[4];
  static const double share[] = {0, 0.5, 0.5, 1};
  for (int i = 0; i < 4; i++) {
    for (int j = 0; j < 4; j++)
      z[j] = y[j] + (i > 0 ? share[i] * h * k[i - 1][j] : 0);
    rates(p, z, k[i]);
  }
  for (int j = 0; j < 4; j++)
    next[j] = y[j] + h / 6 * (k[0][j] + 2 * k[1][j] + 2 * k[2][j] + k[3][j]);
}

/* Height of the swinging foot above the slope: zero if both legs have opposite angles to its normal. */
static number height(const walker *p, const number y[4])
{
  return ccos(y[0] + p->slope) - ccos(y[1] + p->slope);
}

/* x cross v. */
static number cross(const number x[2], const number v[2])
{
  return x[0] * v[1] - x[1] * v[0];
}

/* Positions relative to the new foot of the centre of the rear leg, of the hip, and of the centre of the
 * front leg. The front leg is at angle w with rate wr, the rear one at s with rate sr. */
static void places(const walker *p, number s, number w, number sr, number wr, number x[3][2],
                   number v[3][2])
{
  number leg[2] = {-csin(w), ccos(w)}, turn[2] = {-ccos(w), -csin(w)};
  number back[2] = {csin(s), -ccos(s)}, swing[2] = {ccos(s), csin(s)};
  for (int k = 0; k < 2; k++) {
    x[1][k] = leg[k];
    v[1][k] = turn[k] * wr;
    x[2][k] = p->a * leg[k];
    v[2][k] = p->a * turn[k] * wr;
    x[0][k] = x[1][k] + p->b * back[k];
    v[0][k] = v[1][k] + p->b * swing[k] * sr;
  }
}

/* Angular momenta of the whole walker about the new foot, and of the rear leg about the hip. */
static void momenta(const walker *p, number x[3][2], number v[3][2], number L[2])
{
  const number mass[3] = {m, p->hip, m};
  number arm[2] = {x[0][0] - x[1][0], x[0][1] - x[1][1]};
  L[0] = 0;
  for (int i = 0; i < 3; i++)
    L[0] += mass[i] * cross(x[i], v[i]);
  L[1] = m * cross(arm, v[0]);
}

/* Velocities before the impact, when the walker rotates about the rear foot. */
static void before(const walker *p, const number y[4], number v[3][2])
{
  number turn[2] = {-ccos(y[0]), -csin(y[0])}, swing[2] = {ccos(y[1]), csin(y[1])};
  for (int k = 0; k < 2; k++) {
    v[0][k] = p->a * turn[k] * y[2];
    v[1][k] = turn[k] * y[2];
    v[2][k] = v[1][k] + p->b * swing[k] * y[3];
  }
}

static void impact(const walker *p, const number y[4], number *stand_rate, number *swing_rate)
{
  number x[3][2], v[3][2], L[2], by_swing[2], by_stand[2];
  places(p, y[0], y[1], 1, 0, x, v);
  momenta(p, x, v, by_swing);
  places(p, y[0], y[1], 0, 1, x, v);
  momenta(p, x, v, by_stand);
  before(p, y, v);
  momenta(p, x, v, L);
  number det = by_stand[0] * by_swing[1] - by_stand[1] * by_swing[0];
  *stand_rate = (L[0] * by_swing[1] - L[1] * by_swing[0]) / det;
  *swing_rate = (by_stand[0] * L[1] - by_stand[1] * L[0]) / det;
}

void compass_walker(const double complex p[WALKER_PARAMETERS],
                    double complex result[WALKER_RESULTS])
{
  enum { MOST = 20000 };
  const double h = 2e-4;
  const walker w = {p[0], m * p[1], 1 / (1 + p[2]), p[2] / (1 + p[2])};
  number y[4] = {p[3], -p[3] - 2 * p[0], p[4], p[5]}, next[4], after[4], part = h;
  int k = 0;
  /* until the front foot touches the ground */
  for (; k < MOST; k++, memcpy(y, next, sizeof y)) {
    step(&w, h, y, next);
    if (creal(y[1]) > creal(y[0]) + 0.1 && creal(height(&w, y)) > 0 && creal(height(&w, next)) <= 0)
      break;
  }
  for (int i = 0; i < 8; i++) {
    number rate[4];
    step(&w, part, y, after);
    rates(&w, after, rate);
    part -= height(&w, after) /
            (-csin(after[0] + p[0]) * rate[0] + csin(after[1] + p[0]) * rate[1]);
  }
  step(&w, part, y, after);
  result[0] = after[1];
  impact(&w, after, &result[1], &result[2]);
  result[3] = k * h + part;
}
