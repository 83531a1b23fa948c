/* The closed form of tests/adjoint/grid/flights.h in complex numbers. */
#include "tests/adjoint/grid/flights.h"

#include <stdbool.h>
#include <string.h>

typedef double _Complex number;

typedef struct flight {
  const number *p;
  number t, y, v, force; /* force: constant force added by the jump */
  bool held;
  number *result;
} flight;

/* m a = growth t - m g + force, or 0 while the mass is held. */
static number load(const flight *f, number t)
{
  return f->p[FLIGHTS_GROWTH] * t - flights_mass * f->p[FLIGHTS_GRAVITY] + f->force;
}

static number rail(const flight *f, number t, number v)
{
  return f->p[FLIGHTS_COUPLING] * v + flights_side * t;
}

/* Position y, velocity v and acceleration a after the time s. */
static void state_at(const flight *f, number s, number out[3])
{
  const number a = f->held ? 0 : load(f, f->t) / flights_mass;
  const number rate = f->held ? 0 : f->p[FLIGHTS_GROWTH] / flights_mass;
  out[0] = f->y + f->v * s + a * s * s / 2 + rate * s * s * s / 6;
  out[1] = f->v + a * s + rate * s * s / 2;
  out[2] = a + rate * s;
}

/* Advances to the time `until`. Integrals by Gauss's rule with four points are exact for these polynomials.
 */
static void go_on(flight *f, number until)
{
  static const double place[] = {0.33998104358485626480, 0.86113631159405257522};
  static const double weight[] = {0.65214515486254614263, 0.34785484513745385737};
  const number length = until - f->t;
  number out[3];
  for (int k = 0; k < 4; k++) {
    const number s = length * (1 + (k % 2 ? -1 : 1) * place[k / 2]) / 2;
    const number w = length * weight[k / 2] / 2;
    state_at(f, s, out);
    const number r = rail(f, f->t + s, out[1]);
    f->result[FLIGHTS_OF_Y] += w * out[0] * out[0];
    f->result[FLIGHTS_OF_V] += w * out[1] * out[1];
    f->result[FLIGHTS_OF_A] += w * out[2] * out[2];
    f->result[FLIGHTS_OF_RAIL] += w * r * r;
    f->result[FLIGHTS_OF_FLOOR] += w * (f->held ? load(f, f->t + s) : 0);
    f->result[FLIGHTS_MEASURE] += w * (out[1] - 0.5) * (out[1] - 0.5);
  }
  state_at(f, length, out);
  f->t = until;
  f->y = out[0];
  f->v = out[1];
}

/* Time at which the mass reaches the level, by Newton's method. */
static number falls(const flight *f)
{
  const number g = f->p[FLIGHTS_GRAVITY];
  number s = (f->v + csqrt(f->v * f->v + 2 * g * (f->y - f->p[FLIGHTS_LEVEL]))) / g, out[3];
  for (int k = 0; k < 50; k++) {
    state_at(f, s, out);
    s -= (out[0] - f->p[FLIGHTS_LEVEL]) / out[1];
  }
  return f->t + s;
}

static number event_time(const flight *f, flights_kind kind)
{
  switch (kind) {
  case FLIGHTS_BOUNCE:
  case FLIGHTS_LANDING:
  case FLIGHTS_MAP:
  case FLIGHTS_RESET:
  case FLIGHTS_ENDED:
  case FLIGHTS_KEPT:
    return falls(f);
  case FLIGHTS_LIFT_OFF: /* load = 0 */
    return flights_mass * f->p[FLIGHTS_GRAVITY] / f->p[FLIGHTS_GROWTH];
  default:
    return f->p[FLIGHTS_TIME];
  }
}

/* What happens there. */
static void jump(flight *f, flights_kind kind)
{
  const number share = f->p[FLIGHTS_SHARE], before = f->v;
  if (kind == FLIGHTS_BOUNCE || kind == FLIGHTS_KEPT)
    f->v = -share * before;
  if (kind == FLIGHTS_LANDING || kind == FLIGHTS_CAPTURE)
    f->v = 0;
  if (kind == FLIGHTS_MAP) {
    f->y = share * f->y + f->p[FLIGHTS_JUMP];
    f->v = share * before;
  }
  if (kind == FLIGHTS_RESET)
    f->v = -share * before / (1 - 0.1 * f->p[FLIGHTS_JUMP] * before) + 0.5 * f->t * f->y;
  if (kind == FLIGHTS_KNOT)
    f->force = f->p[FLIGHTS_JUMP];
  f->held = kind == FLIGHTS_LANDING || kind == FLIGHTS_CAPTURE;
  /* impulse of the wall or of the reset; for a new constraint it has the sign of the multiplier */
  if (kind == FLIGHTS_BOUNCE || kind == FLIGHTS_LANDING || kind == FLIGHTS_RESET)
    f->result[FLIGHTS_IMPULSE] = flights_mass * (f->v - before);
  if (kind == FLIGHTS_CAPTURE)
    f->result[FLIGHTS_IMPULSE] = -flights_mass * (f->v - before);
}

void flights_solve(flights_kind kind, const number p[], number result[])
{
  const bool starts_held = kind == FLIGHTS_LIFT_OFF || kind == FLIGHTS_TIMED_LIFT;
  memset(result, 0, FLIGHTS_FUNCTIONALS * sizeof *result);
  flight f = {.p = p, .y = p[FLIGHTS_HEIGHT], .v = p[FLIGHTS_VELOCITY], .result = result};
  if (starts_held) {
    f.y = p[FLIGHTS_LEVEL];
    f.v = 0;
    f.held = true;
  }
  if (kind != FLIGHTS_END) {
    go_on(&f, event_time(&f, kind));
    result[FLIGHTS_EVENT_TIME] = f.t;
    result[FLIGHTS_BEFORE] = f.t * f.v + rail(&f, f.t, f.v);
    jump(&f, kind);
    result[FLIGHTS_AFTER] = f.t * f.v + rail(&f, f.t, f.v);
  }
  if (kind != FLIGHTS_ENDED)
    go_on(&f, p[FLIGHTS_END_TIME]);
  result[FLIGHTS_END_Y] = f.y;
  result[FLIGHTS_END_V] = f.v;
}
