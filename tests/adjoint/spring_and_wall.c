/* A mass on a spring before a wall: see spring_and_wall.h. */
#include "tests/adjoint/spring_and_wall.h"
#include "tests/declare.h"
#include "tests/support.h"

#include <complex.h>

static const double timed_at = 0.6, sharpness = 5, lower = -0.05, upper = 0.3;

enum { PUSH = 1, BEND, JUMP }; /* signals; signal 0 has the value zero */

/* --- declarations ------------------------------------------------------------------------------- */

static gradyn_scalar x_of(const gradyn_at *at)
{
  return at->y ? at->y[0] : at->pos[2];
}

static gradyn_scalar v_of(const gradyn_at *at)
{
  return at->y ? at->y[1] : at->vel[2];
}

FORMULAS(swing, at->yp[0] - at->y[1], at->yp[1] + at->data[0] * at->y[0] - at->u[PUSH])
FORMULAS(pull, -at->data[0] * at->pos[0], 0)
FORMULA(gap, at->y[0])
FORMULA(back, -at->data[0] * at->y[1])
FORMULA(x, x_of(at))
FORMULA(v, v_of(at))
FORMULA(square, x_of(at) * x_of(at))
FORMULA(mean_square, x_of(at) * x_of(at) / at->data[0])
FORMULA(towards, -v_of(at))
FORMULA(falling, x_of(at) - 10 * at->t)
FORMULA(rising, 0.1 * x_of(at) + 2 * at->t)
FORMULA(bending, 0.1 * x_of(at) + at->u[BEND])
FORMULA(jumping, x_of(at) + at->u[JUMP])

static void add_signals(gradyn_model *m)
{
  static const gradyn_scalar none[] = {0, 0, 0}, bend[] = {0, 1, 0, 0}, jump[] = {0, 1, 0};
  declare_signal(m, "push", "N", GRADYN_PIECEWISE_CONSTANT, 3, none);
  declare_signal(m, "bend", "", GRADYN_PIECEWISE_LINEAR, 4, bend);
  declare_signal(m, "jump", "", GRADYN_PIECEWISE_CONSTANT, 3, jump);
}

/* Returns the event; 0: none. */
static int add_equations(gradyn_model *m, const gradyn_scalar rho[], bool wall)
{
  const gradyn_datum k = {"k", "N/m", rho[WALL_K]}, e = {"e", "", rho[WALL_E]};
  gradyn_state(m, "x", "m", rho[WALL_X]);
  const gradyn_component speed = {gradyn_state(m, "v", "m/s", rho[WALL_V]), GRADYN_X};
  declare_equations(m, swing, &k, 1);
  return wall ? gradyn_event(
                    m,
                    &(gradyn_event_spec){.name = "wall",
                                         .guard = {.terminal = gap},
                                         .set = &speed,
                                         .set_count = 1,
                                         .reset = {.terminal = back, .data = &e, .data_count = 1}})
              : 0;
}

static int add_mechanism(gradyn_model *m, const gradyn_scalar rho[], bool wall)
{
  const gradyn_datum k = {"k", "N/m", rho[WALL_K]};
  const int mass = gradyn_point(m, "mass", rho[WALL_X], 0);
  gradyn_initial_velocity(m, mass, rho[WALL_V], 0);
  gradyn_point_mass(m, "mass", mass, 1);
  declare_force(m, "pull", mass, pull, &k, 1);
  declare_push(m, "push", mass, 1, 0, PUSH);
  return wall ? gradyn_impact(m, &(gradyn_impact_spec){.name = "wall",
                                                       .point = mass,
                                                       .axis = GRADYN_X,
                                                       .restitution = rho[WALL_E]})
              : 0;
}

static gradyn_custom_functional_spec along(const char *name, gradyn_functional_fn fn)
{
  return (gradyn_custom_functional_spec){.name = name, .unit = "", .integrand = fn};
}

static void add_plain(gradyn_model *m, const gradyn_scalar rho[], bool mechanism)
{
  const gradyn_datum T = {"T", "s", rho[WALL_T]};
  declare_integral(m, "integral", "", square);
  declare_end(m, "end", "", x);
  gradyn_custom_functional(
      m, &(gradyn_custom_functional_spec){"timed", "", .terminal = x, .instant = timed_at});
  const gradyn_custom_functional_spec smooth = along("smooth", x);
  declare_smooth_maximum(m, &smooth, sharpness);
  gradyn_end_time_functional(m, "final");
  gradyn_custom_functional_spec squares = along("squares", mean_square);
  squares.data = &T;
  squares.data_count = 1;
  if (mechanism)
    gradyn_functional(m, &(gradyn_functional_spec){"squares",
                                                   gradyn_measure_point(m, "x", 1, 0, GRADYN_X),
                                                   .reduction = GRADYN_MEAN_SQUARE});
  else
    gradyn_custom_functional(m, &squares);
}

static void add_of_event(gradyn_model *m, int event)
{
  gradyn_functional(
      m, &(gradyn_functional_spec){
             "before",
             gradyn_measure_custom(
                 m, &(gradyn_custom_measure_spec){"before", "", .formula = v, .hidden = true}),
             .reduction = GRADYN_BEFORE_EVENT, .event = event, .occurrence = 1});
  gradyn_functional(
      m, &(gradyn_functional_spec){
             "after",
             gradyn_measure_custom(
                 m, &(gradyn_custom_measure_spec){"after", "", .formula = v, .hidden = true}),
             .reduction = GRADYN_AFTER_EVENT, .event = event, .occurrence = 1});
  gradyn_event_time(m, "instant", event, 1);
}

static void add_maxima(gradyn_model *m)
{
  const gradyn_custom_functional_spec of[] = {
      along("inside", x),      along("at event", towards), along("at start", falling),
      along("at end", rising), along("at bend", bending),  along("at jump", jumping)};
  for (size_t k = 0; k < GRADYN_COUNT(of); k++)
    declare_maximum(m, &of[k]);
  const gradyn_custom_functional_spec limited = along("limit", x);
  declare_limit(m, &limited, lower, upper, 1e-6);
}

static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[], bool mechanism, bool wall)
{
  gradyn_end_time(m, rho[WALL_T]);
  add_signals(m);
  const int event = mechanism ? add_mechanism(m, rho, wall) : add_equations(m, rho, wall);
  add_plain(m, rho, mechanism);
  if (wall) {
    add_of_event(m, event);
    add_maxima(m);
  }
  return gradyn_build_status(m);
}

static gradyn_status build_equations(gradyn_model *m, const gradyn_scalar rho[])
{
  return build(m, rho, false, true);
}

static gradyn_status build_mechanism(gradyn_model *m, const gradyn_scalar rho[])
{
  return build(m, rho, true, true);
}

static gradyn_status build_smooth_equations(gradyn_model *m, const gradyn_scalar rho[])
{
  return build(m, rho, false, false);
}

static gradyn_status build_smooth_mechanism(gradyn_model *m, const gradyn_scalar rho[])
{
  return build(m, rho, true, false);
}

static const gradyn_param params[] = {{"x", "m", .init = 0.4, GRADYN_UNBOUNDED},
                                      {"v", "m/s", .init = 0.5, GRADYN_UNBOUNDED},
                                      {"k", "N/m", .init = 4, GRADYN_UNBOUNDED},
                                      {"e", "", .init = 0.8, GRADYN_UNBOUNDED},
                                      {"T", "s", .init = 2.2, GRADYN_UNBOUNDED}};

const gradyn_problem wall_equations = PROBLEM("wall", build_equations, params, .t_end = 2.2),
                     wall_mechanism = PROBLEM("wall", build_mechanism, params, .t_end = 2.2),
                     wall_smooth_equations = PROBLEM("swing", build_smooth_equations, params,
                                                     .t_end = 2.2),
                     wall_smooth_mechanism = PROBLEM("swing", build_smooth_mechanism, params,
                                                     .t_end = 2.2);

/* --- closed forms ------------------------------------------------------------------------------- */

/* A sin(w t + phi), and the time of the impact on the wall. */
typedef struct sine {
  double complex A, w, phi, hit;
} sine;

static sine sine_of(const double complex p[])
{
  const double complex w = csqrt(p[WALL_K]);
  const double complex A = csqrt(p[WALL_X] * p[WALL_X] + p[WALL_V] * p[WALL_V] / p[WALL_K]);
  const double complex phi = catan(w * p[WALL_X] / p[WALL_V]);
  return (sine){A, w, phi, (acos(-1) - phi) / w};
}

static void state_at(const double complex p[], double complex t, bool behind,
                     double complex state[2])
{
  const sine s = sine_of(p);
  const double complex A = behind ? p[WALL_E] * s.A : s.A,
                       angle = behind ? s.w * (t - s.hit) : s.w * t + s.phi;
  state[0] = A * csin(angle);
  state[1] = A * s.w * ccos(angle);
}

void wall_state(const double complex p[], double t, bool wall, double complex state[2])
{
  state_at(p, t, wall && t > creal(sine_of(p).hit), state);
}

/* Integral of a function of x between two times, before or after the impact. */
static double complex integral(const double complex p[], double complex from, double complex to,
                               bool behind, double complex (*fn)(double complex))
{
  enum { PARTS = 400 }; /* of Simpson's rule */
  double complex sum = 0, state[2];
  for (int i = 0; i <= PARTS; i++) {
    state_at(p, from + (to - from) * i / PARTS, behind, state);
    sum += (i == 0 || i == PARTS ? 1 : i % 2 ? 4 : 2) * fn(state[0]);
  }
  return sum * (to - from) / (3 * PARTS);
}

static double complex squared(double complex value)
{
  return value * value;
}

static double complex sharpened(double complex value)
{
  return cexp(sharpness * value);
}

static double complex over_run(const double complex p[], bool wall,
                               double complex (*fn)(double complex))
{
  const double complex hit = sine_of(p).hit;
  return wall ? integral(p, 0, hit, false, fn) + integral(p, hit, p[WALL_T], true, fn)
              : integral(p, 0, p[WALL_T], false, fn);
}

static void plain_functionals(const double complex p[], bool wall, double complex psi[])
{
  double complex end[2], timed[2];
  state_at(p, p[WALL_T], wall, end);
  state_at(p, timed_at, false, timed);
  psi[WALL_INTEGRAL] = over_run(p, wall, squared);
  psi[WALL_END] = end[0];
  psi[WALL_TIMED] = timed[0];
  psi[WALL_SMOOTH] = clog(over_run(p, wall, sharpened) / p[WALL_T]) / sharpness;
  psi[WALL_FINAL] = p[WALL_T];
  psi[WALL_SQUARES] = psi[WALL_INTEGRAL] / p[WALL_T];
}

void wall_smooth_functionals(const double complex p[], double complex psi[])
{
  plain_functionals(p, false, psi);
}

void wall_functionals(const double complex p[], double complex psi[])
{
  const sine s = sine_of(p);
  double complex third[2];
  plain_functionals(p, true, psi);
  state_at(p, p[WALL_T] / 3, false, third);
  psi[WALL_BEFORE] = -s.A * s.w;
  psi[WALL_AFTER] = p[WALL_E] * s.A * s.w;
  psi[WALL_INSTANT] = s.hit;
  psi[WALL_INSIDE] = s.A;
  psi[WALL_AT_EVENT] = s.A * s.w;
  psi[WALL_AT_START] = p[WALL_X];
  psi[WALL_AT_END] = 0.1 * psi[WALL_END] + 2 * p[WALL_T];
  psi[WALL_AT_BEND] = 0.1 * third[0] + 1;
  psi[WALL_AT_JUMP] = third[0] + 1;
  psi[WALL_UNDER] = lower;
  psi[WALL_OVER] = s.A - upper;
}
