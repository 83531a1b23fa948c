/* Random systems with discontinuities: two coupled oscillators, or a double pendulum, with a forcing and a
 * law drawn by the seed. */
#include "tests/drawn/abrupt_systems.h"
#include "tests/support.h"
#include "tests/random.h"
#include "tests/declare.h"

#include <math.h>

const abrupt_way abrupt_ways[] = {
    {"explicit", "adjoint", 0, true, true},      {"explicit", "direct", 0, true, true},
    {"idas", "adjoint", 0, true, true},          {"idas", "direct", 0, true, true},
    {"radau", "adjoint", 0, true, true},         {"radau", "direct", 0, true, true},
    {"explicit", "adjoint", 1e-3, true, true},   {"ali3p", "adjoint", 1e-3, false, true},
    {"ali3p", "direct", 1e-3, false, true},      {"variational", "adjoint", 1e-3, false, true},
    {"variational", "direct", 1e-3, false, true}};

/* Indices in `data`: of the motion, then of the law. */
enum {
  LAW,
  STIFFNESS,
  DAMPING,
  START,
  FORCING,
  FREQUENCY,
  OTHER,
  SIZE,
  PLACE,
  SPACING,
  MIX,
  T_END
};

/* --- draw ------------------------------------------------------------------------------------- */

abrupt_system abrupt_draw(unsigned long seed, abrupt_law law)
{
  uint64_t state = seed * UINT64_C(1000003) + (uint64_t)law;
  abrupt_system s = {.law = law};
  s.mechanism = random_unit(&state) < 0.5 && law != ABRUPT_UNSTABLE;
  s.data[LAW] = law;
  s.data[STIFFNESS] = random_range(&state, 1, 6);
  s.data[DAMPING] = random_range(&state, 0, 0.3);
  s.data[START] = random_range(&state, 0.6, 1.4);
  s.data[FORCING] = random_range(&state, 0, 1);
  s.data[FREQUENCY] = random_range(&state, 0.5, 4);
  s.data[OTHER] = random_range(&state, 0.5, 5);
  s.data[SIZE] = pow(10, random_range(&state, -2, 0.5));
  s.data[PLACE] = random_range(&state, -0.4, 0.5);
  s.data[SPACING] = random_range(&state, 0.1, 0.5);
  s.data[MIX] = random_unit(&state) < 0.5 ? 0 : random_range(&state, -0.5, 0.5);
  s.data[T_END] = random_range(&state, 2, 5);
  if (law == ABRUPT_UNSTABLE) /* disturbances grow by a factor of at most 1e6 */
    s.data[T_END] = fmin(s.data[T_END], log(1e6) / sqrt(s.data[STIFFNESS]));
  return s;
}

const char *abrupt_name(abrupt_law law)
{
  static const char *const names[ABRUPT_LAWS] = {
      "step",  "preload", "nearest", "drive", "corner", "square",  "linear",
      "clock", "sampled", "steep",   "root",  "hertz",  "unstable"};
  return names[law];
}

/* --- the law ---------------------------------------------------------------------------------- */

static gradyn_scalar magnitude(gradyn_scalar z)
{
  return creal(z) < 0 ? -z : z;
}

/* A table of a sine: linear interpolation between its values, and the nearest value. */
static gradyn_scalar linear(gradyn_scalar z, double spacing)
{
  const double i = floor(creal(z) / spacing), a = sin(3 * spacing * i),
               b = sin(3 * spacing * (i + 1));
  return a + (b - a) * (z / spacing - i);
}

static double nearest(gradyn_scalar z, double spacing)
{
  return sin(3 * spacing * floor(creal(z) / spacing + 0.5));
}

/* The force at position z, velocity v and time t. */
static gradyn_scalar law_of(const gradyn_scalar *d, gradyn_scalar z, gradyn_scalar v, double t)
{
  const double spacing = creal(d[SPACING]);
  const gradyn_scalar a = d[SIZE], from = z - d[PLACE];
  const bool on = creal(from) >= 0;
  switch ((abrupt_law)creal(d[LAW])) {
  case ABRUPT_STEP:
    return on ? -a : 0;
  case ABRUPT_PRELOAD:
    return on ? -a - 3 * from : 0;
  case ABRUPT_NEAREST:
    return a * nearest(z, spacing);
  case ABRUPT_DRIVE:
    return creal(v) < 0 ? -a : a;
  case ABRUPT_CORNER:
    return on ? -10 * a * from : 0;
  case ABRUPT_SQUARE:
    return -a * magnitude(v) * v;
  case ABRUPT_LINEAR:
    return a * linear(z, spacing);
  case ABRUPT_CLOCK:
    return t > 1 + creal(d[PLACE]) ? a : 0;
  case ABRUPT_SAMPLED:
    return a * nearest(t, spacing);
  case ABRUPT_STEEP:
    return -a * tanh(from / 1e-6);
  case ABRUPT_ROOT:
    return on ? -a * sqrt(from) : a * sqrt(-from);
  case ABRUPT_HERTZ:
    return on ? -10 * a * from * sqrt(from) : 0;
  default:
    return 0;
  }
}

/* With forcing and damping. */
static gradyn_scalar force_on(const gradyn_scalar *d, gradyn_scalar z, gradyn_scalar v, double t)
{
  return d[FORCING] * cos(d[FREQUENCY] * t) - d[DAMPING] * v + law_of(d, z, v, t);
}

/* --- as general equations --------------------------------------------------------------------- */

static gradyn_status equations(const gradyn_at *at, gradyn_scalar F[])
{
  const gradyn_scalar *y = at->y, *d = at->data;
  const double t = creal(at->t);
  const bool upright = (abrupt_law)creal(d[LAW]) == ABRUPT_UNSTABLE;
  const gradyn_scalar spring = upright ? -d[STIFFNESS] * sin(y[0]) : d[STIFFNESS] * y[0];
  F[0] = at->yp[0] - y[1];
  F[1] = at->yp[1] + spring - 0.3 * (y[2] - y[0]) -
         force_on(d, y[0] + d[MIX] * y[2], y[1] + d[MIX] * y[3], t);
  F[2] = at->yp[2] - y[3];
  F[3] = at->yp[3] + d[OTHER] * y[2] - 0.3 * (y[0] - y[2]);
  return GRADYN_OK;
}

FORMULA(state_at_end, at->y[0])

FORMULA(state_squared, at->y[0] * at->y[0])

static void add_equations(gradyn_model *m, const gradyn_datum *data, size_t count)
{
  const bool upright = (abrupt_law)creal(data[LAW].value) == ABRUPT_UNSTABLE;
  gradyn_state(m, "x", "", upright ? data[START].value * 1e-3 : data[START].value);
  gradyn_state(m, "v", "", 0);
  gradyn_state(m, "y", "", 0.2);
  gradyn_state(m, "u", "", 0.5);
  declare_equations(m, equations, data, (int)count);
  declare_end(m, "end", "", state_at_end);
  declare_integral(m, "sum", "", state_squared);
}

/* --- as a mechanism --------------------------------------------------------------------------- */

/* A force on point 0 of a double pendulum; point 1 is the other one. */
static gradyn_status push(const gradyn_at *at, gradyn_scalar force[])
{
  const gradyn_scalar *d = at->data;
  force[0] = force_on(d, at->pos[0] + d[MIX] * at->pos[2], at->vel[0] + d[MIX] * at->vel[2],
                      creal(at->t));
  force[1] = force[2] = force[3] = 0;
  return GRADYN_OK;
}

FORMULA(place_squared, at->pos[0] * at->pos[0])

static void add_mechanism(gradyn_model *m, const gradyn_datum *data, size_t count)
{
  const gradyn_scalar angle = data[START].value, x = sin(angle), y = -cos(angle);
  const int points[2] = {gradyn_point(m, "a", x, y), gradyn_point(m, "b", x + 0.5, y)};
  const int ground = gradyn_ground_point(m, "O", 0, 0);
  const gradyn_time_function one = {.value = 1}, half = {.value = 0.5};
  gradyn_gravity(m, 0, -9.81);
  gradyn_point_mass(m, "A", points[0], data[STIFFNESS].value);
  gradyn_point_mass(m, "B", points[1], 0.5);
  gradyn_distance(m, "rod", ground, points[0], &one);
  gradyn_distance(m, "link", points[0], points[1], &half);
  gradyn_custom_force(m, &(gradyn_custom_force_spec){.name = "push",
                                                     .points = points,
                                                     .point_count = 2,
                                                     .fn = push,
                                                     .data = data,
                                                     .data_count = (int)count});
  gradyn_functional(
      m, &(gradyn_functional_spec){"end", gradyn_measure_point(m, "", points[0], 0, GRADYN_X),
                                   .reduction = GRADYN_AT_END});
  gradyn_custom_functional(
      m, &(gradyn_custom_functional_spec){
             .name = "sum", .integrand = place_squared, .points = points, .point_count = 1});
}

/* --- the problem ------------------------------------------------------------------------------ */

static const abrupt_system *present; /* used as problems have no user pointer here */

static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  static const char *const names[] = {"law",       "stiffness", "damping", "start",
                                      "forcing",   "frequency", "other",   "size",
                                      "threshold", "spacing",   "mix",     "t"};
  gradyn_datum data[GRADYN_COUNT(names)];
  for (size_t i = 0; i < GRADYN_COUNT(names); i++)
    data[i] = (gradyn_datum){names[i], "", present->data[i]};
  /* parameters are factors of these */
  data[STIFFNESS].value *= rho[0];
  data[DAMPING].value *= rho[1];
  data[START].value *= rho[2];
  (present->mechanism ? add_mechanism : add_equations)(m, data, GRADYN_COUNT(names));
  return gradyn_build_status(m);
}

gradyn_problem abrupt_problem(const abrupt_system *system)
{
  static const gradyn_param params[ABRUPT_PARAMETERS] = {
      {"stiffness", "", .init = 1, GRADYN_UNBOUNDED},
      {"damping", "", .init = 1, GRADYN_UNBOUNDED},
      {"start", "", .init = 1, GRADYN_UNBOUNDED}};
  present = system;
  return (gradyn_problem)PROBLEM("abrupt", build, params, .t_end = system->data[T_END]);
}
