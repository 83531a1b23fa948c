/* Each problem starts at y = equilibrium + offset and goes towards a target, with five control values that
 * start at the equilibrium's. Minimised is the integral of sum ((y - target)/size)^2 + (u - u_0)^2/10. */
#include "tests/optim/near_equilibria.h"
#include "tests/runs.h"
#include "tests/random.h"
#include "tests/declare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct plant {
  int states;
  struct {
    const char *name, *unit;
    double rest, target, size;
    bool algebraic;
  } y[NEAR_STATES];
  gradyn_residual_fn motion;
} plant;

/* --- plants ------------------------------------------------------------------------------------- */

#define MOTION(id) static gradyn_status id(const gradyn_at *at, gradyn_scalar F[])
#define STATE const gradyn_scalar *y = at->y, *d = at->yp, u = at->u[1]

/* x1' = (1 - x2^2) x1 - x2 + u at x = (0, 1), u = 1 */
MOTION(van_der_pol)
{
  STATE;
  F[0] = d[0] - ((1 - y[1] * y[1]) * y[0] - y[1] + 1 + u);
  F[1] = d[1] - y[0];
  return GRADYN_OK;
}

/* cart and pole of 0.5 m; the angle is measured from the upright position */
MOTION(cart_pole)
{
  STATE;
  const gradyn_scalar s = sin(y[1]), c = cos(y[1]), D = 1 + 0.3 * s * s;
  F[0] = d[0] - y[2];
  F[1] = d[1] - y[3];
  F[2] = d[2] - (u - 0.15 * s * y[3] * y[3] + 0.3 * 9.81 * s * c) / D;
  F[3] = d[3] - (u * c - 0.15 * s * c * y[3] * y[3] + 1.3 * 9.81 * s) / (0.5 * D);
  return GRADYN_OK;
}

/* hanging, driven by a torque */
MOTION(pendulum)
{
  STATE;
  F[0] = d[0] - y[1];
  F[1] = d[1] + 9.81 * sin(y[0]) + 0.2 * y[1] - 4 * u;
  return GRADYN_OK;
}

/* charge, current, and the voltage of the coil, which is algebraic */
MOTION(circuit)
{
  STATE;
  F[0] = d[0] - y[1];
  F[1] = 1e-3 * d[1] - y[2];
  F[2] = y[2] + 2 * y[1] + y[0] / 1e-5 - 10 * u;
  return GRADYN_OK;
}

/* current, speed and angle of a motor */
MOTION(motor)
{
  STATE;
  F[0] = 2e-3 * d[0] - (12 * u - 0.5 * y[0] - 0.05 * y[1]);
  F[1] = 1e-4 * d[1] - (0.05 * y[0] - 1e-4 * y[1]);
  F[2] = d[2] - y[1];
  return GRADYN_OK;
}

/* prey and predators; the control removes predators */
MOTION(predators)
{
  STATE;
  F[0] = d[0] - (y[0] - y[0] * y[1] / 50);
  F[1] = d[1] - (y[0] * y[1] / 200 - y[1] * (1 + u));
  return GRADYN_OK;
}

/* concentration and temperature of a cooled reactor at its unstable equilibrium */
MOTION(reactor)
{
  STATE;
  const gradyn_scalar k = 1.2e9 * exp(-8750 / y[1]), k0 = 1.2e9 * exp(-8750 / 350.0);
  F[0] = d[0] - (k0 * 0.5 + (0.5 - y[0]) - k * y[0]);
  F[1] = d[1] - (200 * (k * y[0] - k0 * 0.5) - 3 * (y[1] - 350) + 20 * u);
  return GRADYN_OK;
}

/* levels of two tanks in series */
MOTION(tanks)
{
  STATE;
  F[0] = d[0] - (1 + 0.5 * u - sqrt(y[0]));
  F[1] = d[1] - (sqrt(y[0]) - sqrt(y[1]));
  return GRADYN_OK;
}

/* Lorenz' equations at their fixed point */
MOTION(lorenz)
{
  STATE;
  F[0] = d[0] - 10 * (y[1] - y[0]);
  F[1] = d[1] - (y[0] * (28 - y[2]) - y[1] + 10 * u);
  F[2] = d[2] - (y[0] * y[1] - 8 * y[2] / 3);
  return GRADYN_OK;
}

/* temperatures of a rod above its surroundings, and the power of a heater with a lag */
MOTION(heater)
{
  STATE;
  F[0] = 100 * d[0] - (50 * (y[1] - y[0]) + y[3]);
  F[1] = 100 * d[1] - 50 * (y[0] - 2 * y[1] + y[2]);
  F[2] = 100 * d[2] - (50 * (y[1] - y[2]) - 10 * y[2]);
  F[3] = 0.1 * d[3] - (2000 * u - y[3]);
  return GRADYN_OK;
}

#define C_ROOT 8.485281374238570 /* sqrt(8/3 (28 - 1)) */
enum {
  VDP,
  VDP_UNITS,
  CART,
  CART_UNITS,
  PENDULUM,
  CIRCUIT,
  MOTOR,
  PREDATORS,
  REACTOR,
  TANKS,
  LORENZ,
  HEATER
};
static const plant plants[] = {
    [VDP] = {2, {{"x1", "", 0, 0.3, 1, false}, {"x2", "", 1, 0.5, 1, false}}, van_der_pol},
    [VDP_UNITS] = {2,
                   {{"x1", "m/s", 0, 0.3, 1, false}, {"x2", "m", 1, 0.5, 1, false}},
                   van_der_pol},
    [CART] = {4,
              {{"x", "m", 0.5, 0.8, 1, false},
               {"a", "rad", 0, 0, 1, false},
               {"v", "", 0, 0, 1, false},
               {"w", "", 0, 0, 1, false}},
              cart_pole},
    [CART_UNITS] = {4,
                    {{"x", "m", 0.5, 0.8, 1, false},
                     {"a", "rad", 3.14159265358979324, 3.0, 1, false},
                     {"v", "m/s", 0, 0, 1, false},
                     {"w", "rad/s", 0, 0, 1, false}},
                    cart_pole},
    [PENDULUM] = {2, {{"a", "rad", 0, 0.7, 1, false}, {"w", "rad/s", 0, 0, 3, false}}, pendulum},
    [CIRCUIT] = {3,
                 {{"q", "C", 0, 5e-5, 1e-4, false},
                  {"i", "A", 0, 0, 1, false},
                  {"coil", "V", 0, 0, 10, true}},
                 circuit},
    [MOTOR] = {3,
               {{"i", "A", 0, 0, 5, false},
                {"w", "rad/s", 0, 100, 100, false},
                {"turn", "rad", 0, 10, 30, false}},
               motor},
    [PREDATORS] = {2,
                   {{"prey", "1/km^2", 200, 220, 50, false},
                    {"predators", "1/km^2", 50, 40, 20, false}},
                   predators},
    [REACTOR] = {2,
                 {{"c", "mol/l", 0.5, 0.55, 0.1, false}, {"T", "K", 350, 345, 10, false}},
                 reactor},
    [TANKS] = {2, {{"upper", "m", 1, 1.2, 0.3, false}, {"lower", "m", 1, 1.1, 0.3, false}}, tanks},
    [LORENZ] = {3,
                {{"x", "", C_ROOT, 8, 1, false},
                 {"y", "", C_ROOT, 8, 1, false},
                 {"z", "K", 27, 26, 1, false}},
                lorenz},
    [HEATER] = {4,
                {{"T1", "K", 0, 5, 5, false},
                 {"T2", "K", 0, 3, 5, false},
                 {"T3", "K", 0, 2, 5, false},
                 {"power", "W", 0, 300, 500, false}},
                heater}};

/* --- problems ----------------------------------------------------------------------------------- */

static const gradyn_param params[] = {
    {"u", "", .init = 0, .lower = -1, .upper = 1, .role = GRADYN_CONTROL, .count = NEAR_KNOTS},
    {"offset", "", .init = 0, .fixed = true, .count = NEAR_STATES}};

static gradyn_status cost(const gradyn_at *at, gradyn_scalar *value)
{
  const plant *p = at->user;
  *value = at->u[1] * at->u[1] / 10;
  for (int i = 0; i < p->states; i++) {
    const gradyn_scalar off = (at->y[i] - p->y[i].target) / p->y[i].size;
    *value += off * off;
  }
  return GRADYN_OK;
}

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[], const plant *p)
{
  declare_signal(model, "u", "", GRADYN_PIECEWISE_CONSTANT, NEAR_KNOTS, rho);
  for (int i = 0; i < p->states; i++) {
    const gradyn_scalar at = p->y[i].rest + rho[NEAR_KNOTS + i];
    if (p->y[i].algebraic)
      gradyn_algebraic_state(model, p->y[i].name, p->y[i].unit, p->y[i].rest);
    else
      gradyn_state(model, p->y[i].name, p->y[i].unit, at);
  }
  declare_equations(model, p->motion, NULL, 0);
  gradyn_minimise(model,
                  gradyn_custom_functional(
                      model, &(gradyn_custom_functional_spec){"cost", "s", .integrand = cost,
                                                              .user = (void *)p}),
                  1);
  return gradyn_build_status(model);
}

#define BUILD(id)                                                                                  \
  static gradyn_status build_##id(gradyn_model *model, const gradyn_scalar rho[])                  \
  {                                                                                                \
    return build(model, rho, &plants[id]);                                                         \
  }
BUILD(VDP)
BUILD(VDP_UNITS)
BUILD(CART)
BUILD(CART_UNITS)
BUILD(PENDULUM)
BUILD(CIRCUIT)
BUILD(MOTOR)
BUILD(PREDATORS)
BUILD(REACTOR)
BUILD(TANKS)
BUILD(LORENZ)
BUILD(HEATER)

#define PLANT(id, what, end)                                                                       \
  [id] = {GRADYN_PROBLEM_SIZES, .name = what,        .params = params,                             \
          .param_count = 2,     .build = build_##id, .t_end = (end)}
const gradyn_problem near_equilibria[] = {
    PLANT(VDP, "van-der-pol", 2),   PLANT(VDP_UNITS, "van-der-pol-in-units", 2),
    PLANT(CART, "cart-pole", 0.5),  PLANT(CART_UNITS, "cart-pole-in-units", 1),
    PLANT(PENDULUM, "pendulum", 1), PLANT(CIRCUIT, "circuit", 3e-3),
    PLANT(MOTOR, "motor", 0.2),     PLANT(PREDATORS, "predators", 1),
    PLANT(REACTOR, "reactor", 0.5), PLANT(TANKS, "tanks", 2),
    PLANT(LORENZ, "lorenz", 0.5),   PLANT(HEATER, "heater", 2)};
const size_t near_equilibria_count = GRADYN_COUNT(near_equilibria);

/* --- searches ----------------------------------------------------------------------------------- */

/* A number from 1e-18 to 1e-6, or, in one of four cases, zero. */
static double little(uint64_t *state)
{
  const double exponent = -18 + 12 * random_unit(state);
  return random_unit(state) < 0.25 ? 0 : pow(10, exponent);
}

static void draw(const plant *p, uint64_t seed, double *rho)
{
  uint64_t state = seed * 7919;
  const double off = little(&state), turned = little(&state);
  for (int j = 0; j < NEAR_KNOTS; j++)
    rho[j] = seed == 0 ? 0.3 - 0.1 * j : turned * (2 * random_unit(&state) - 1);
  for (int i = 0; i < NEAR_STATES; i++)
    rho[NEAR_KNOTS + i] = seed == 0 || i >= p->states || random_unit(&state) < 0.5
                              ? 0
                              : off * p->y[i].size * (2 * random_unit(&state) - 1);
}

static gradyn_evaluator *open(size_t i, const char *method)
{
  gradyn_evaluator *ev;
  return run_try(&ev, &near_equilibria[i], .method = method) == GRADYN_OK ? ev : NULL;
}

/* Compares gradients by idas and explicit, and the error that idas reports. */
static gradyn_status compare_gradients(size_t i, const double *rho, near_outcome *out)
{
  static const char *const methods[] = {"explicit", "idas"};
  double psi[2], gradient[2][NEAR_PARAMETERS], size = 0;
  for (int k = 0; k < 2; k++) {
    gradyn_evaluator *ev = open(i, methods[k]);
    const gradyn_status status = gradyn_evaluator_gradient(ev, rho, &psi[k], gradient[k]);
    if (status != GRADYN_OK)
      (void)snprintf(out->reason, sizeof out->reason, "%s: %.200s", methods[k],
                     gradyn_evaluator_message(ev));
    out->steps = (long)fmax((double)out->steps, (double)gradyn_evaluator_statistics(ev).steps);
    if (strstr(gradyn_evaluator_warnings(ev), "is exact to about "))
      out->told = fmax(out->told, gradyn_evaluator_statistics(ev).gradient_error);
    gradyn_evaluator_free(ev);
    if (status != GRADYN_OK)
      return status;
  }
  for (int j = 0; j < NEAR_KNOTS; j++)
    size = fmax(size, fabs(gradient[0][j]));
  for (int j = 0; j < NEAR_KNOTS; j++)
    out->apart = fmax(out->apart, fabs(gradient[0][j] - gradient[1][j]) / size);
  return GRADYN_OK;
}

near_outcome near_equilibrium_search(size_t i, const char *method, uint64_t seed, bool compare)
{
  near_outcome out = {.status = GRADYN_OK};
  double rho[NEAR_PARAMETERS];
  gradyn_search_result result;
  draw(&plants[i], seed, rho);
  if (compare)
    out.status = compare_gradients(i, rho, &out);
  if (out.status != GRADYN_OK)
    return out;
  run_local *ev = open(i, method);
  gradyn_search search = run_search(ev);
  search.verify_discretisation = false;
  out.status = gradyn_optimise(ev, &search, rho, &result);
  out.objective = result.objective;
  out.rejected = result.rejected;
  (void)snprintf(out.reason, sizeof out.reason, "%.250s", result.reason);
  gradyn_search_result_clear(&result);
  return out;
}
