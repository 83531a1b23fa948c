/* See lost_models.h. */
#include "tests/adjoint/evaluator/lost_models.h"
#include "tests/runs.h"
#include "tests/declare.h"

#include <complex.h>

const bool lost_is_lost[WAYS] = {
    [BY_DOUBLE] = true, [BY_MODULUS] = true, [BY_CONJ] = true, [HALF] = true};

/* A table of x^2 with knots at multiples of 0.1: real numbers select the interval, and the slope keeps the
 * imaginary part. */
static gradyn_scalar table(gradyn_scalar x)
{
  const double low = floor(10 * creal(x)) / 10, high = low + 0.1;
  return low * low + (x - low) * (high + low);
}

static gradyn_scalar pass(way by, gradyn_scalar x)
{
  const double real = creal(x);
  switch (by) {
  case BY_DOUBLE:
    return real;
  case BY_MODULUS:
    return cabs(x) + 0.3 * real;
  case BY_CONJ:
    return conj(x);
  case HALF:
    return 0.5 * x + 0.5 * real;
  case KINK:
    return fmax(x, 0.4) + 0.5 * fabs(x);
  case STAIRS:
    return x + floor(7 * real) / 7;
  case TABLE:
    return table(x);
  case STEEP:
    return x + tanh((x - 0.3) / 1e-6);
  case ROUND_OFF:
    return x + 1e-30 * _Complex_I;
  default:
    return x;
  }
}

struct lost_taken lost_taken;

static gradyn_scalar take(place at, gradyn_scalar x)
{
  return pass(lost_taken.at == at ? lost_taken.by : PLAIN, x);
}

/* --- a mechanism: a bob on a bar of the user's, with drag and an event ---------------------------- */

static gradyn_status drag(const gradyn_at *at, gradyn_scalar force[])
{
  for (int k = 0; k < 2; k++)
    force[k] = -0.2 * take(IN_FORCE, at->vel[k]) - 0.1 * at->data[0] * at->vel[k];
  return GRADYN_OK;
}

/* Constraint (|r|^2 - L^2)/2 of a rod from the origin. */
static gradyn_status bar(const gradyn_at *at, int order, gradyn_scalar *value)
{
  const gradyn_scalar *r = at->pos, *v = at->vel, *a = at->acc,
                      L = take(IN_CONSTRAINT, at->data[0]);
  *value = order == 0   ? (r[0] * r[0] + r[1] * r[1] - L * L) / 2
           : order == 1 ? r[0] * v[0] + r[1] * v[1]
                        : r[0] * a[0] + r[1] * a[1] + v[0] * v[0] + v[1] * v[1];
  return GRADYN_OK;
}

static gradyn_status speed(const gradyn_at *at, gradyn_scalar *value)
{
  const gradyn_scalar v = take(IN_INTEGRAND, at->vel[2]);
  *value = v * v + at->vel[3];
  return GRADYN_OK;
}

FORMULA(height, take(IN_TERMINAL, at->pos[3]) + at->pos[2])
FORMULA(passes, take(IN_GUARD, at->pos[2] - 0.5) + 0.01 * at->vel[3])
FORMULA(reaches, at->pos[2] - 0.5)
FORMULA(slows, 0.5 * at->vel[3] + 0.1 * take(IN_RESET, at->vel[2]))
FORMULA(square, take(IN_FORMULA, at->of[0]) * at->of[0])

bool lost_with_event;

static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  const int p = gradyn_point(m, "bob", 0.8, -0.6);
  const gradyn_datum length = {"length", "m", take(IN_BUILD, rho[0])},
                     thick = {"thick", "", rho[1]};
  gradyn_point_mass(m, "bob", p, 1);
  gradyn_gravity(m, 0, -9.81);
  gradyn_custom_constraint(m,
                           &(gradyn_custom_constraint_spec){"bar", &p, 1, bar, &length, 1, NULL});
  declare_force(m, "drag", p, drag, &thick, 1);
  const int x = gradyn_measure_point(m, "x", p, 0, GRADYN_X);
  const int s = gradyn_measure_formula(
      m, &(gradyn_measure_formula_spec){"x^2", "m^2", square, .of = &x, .count = 1});
  if (lost_taken.at == IN_RESET)
    gradyn_event(m, &(gradyn_event_spec){.name = "brake",
                                         .guard = {.terminal = reaches},
                                         .set = &(gradyn_component){p, GRADYN_Y},
                                         .set_count = 1,
                                         .reset = {.terminal = slows}});
  if (lost_with_event)
    gradyn_event(m, &(gradyn_event_spec){"passage", .guard = {.terminal = passes}});
  gradyn_functional(m, &(gradyn_functional_spec){"spread", s, .reduction = GRADYN_INTEGRAL});
  declare_integral(m, "speed", "", speed);
  declare_end(m, "height", "m", height);
  return gradyn_build_status(m);
}

/* --- general equations ---------------------------------------------------------------------------- */

FORMULAS(flow, at->yp[0] - at->y[1],
         at->yp[1] + at->data[0] * at->y[0] + 0.1 * take(IN_RESIDUAL, at->y[1]))

FORMULA(end, at->y[0])

static gradyn_status build_flow(gradyn_model *m, const gradyn_scalar rho[])
{
  const gradyn_datum k = {"k", "1/s^2", rho[1]};
  gradyn_state(m, "x", "m", rho[0]);
  gradyn_state(m, "v", "m/s", 0);
  declare_equations(m, flow, &k, 1);
  declare_end(m, "end", "", end);
  return gradyn_build_status(m);
}

/* --- problems and what they say ------------------------------------------------------------ */

const gradyn_param lost_params[] = {{"length", "m", .init = 1.05, .lower = 0.5, .upper = 2},
                                    {"thick", "", .init = 0.7, .lower = 0.1, .upper = 2}};

const gradyn_problem lost_pendulum = PROBLEM("pendulum", build, lost_params, .t_end = 0.7);
const gradyn_problem lost_oscillator = PROBLEM("oscillator", build_flow, lost_params, .t_end = 3);

/* Texts of the message that name the function and the derivative, for each place of the loss. */
static const struct {
  const char *name, *number;
} known[PLACES] = {
    [IN_BUILD] = {"build()", "the derivative of bar.length by the parameter length"},
    [IN_FORCE] = {"force drag", "by at->vel["},
    [IN_CONSTRAINT] = {"constraint bar", "its value of order 0 by at->data[0]"},
    [IN_INTEGRAND] = {"integrand of speed", "by at->vel[2]"},
    [IN_TERMINAL] = {"terminal part of height", "by at->pos[3]"},
    [IN_GUARD] = {"guard of passage", "by at->pos[2]"},
    [IN_RESET] = {"formula of brake.reset", "the derivative of value[0] by at->vel[2]"},
    [IN_FORMULA] = {"formula of x^2", "by at->of[0]"},
    [IN_RESIDUAL] = {"residual of oscillator", "F[1] by at->y[1]"},
};

gradyn_evaluator *lost_create(place at, const char *method, const char *sensitivity)
{
  const gradyn_problem *problem = at == IN_RESIDUAL ? &lost_oscillator : &lost_pendulum;
  lost_with_event = at == IN_GUARD;
  return run_with(problem, .method = method, .sensitivity = sensitivity, .rtol = 1e-7,
                  .step = strcmp(method, "ali3p") == 0 || strcmp(method, "variational") == 0 ? 0.01
                                                                                             : -1);
}

void lost_assert_told(const gradyn_evaluator *ev, gradyn_status status, place at)
{
  const char *said = gradyn_evaluator_message(ev);
  if (status != GRADYN_INVALID || !strstr(said, known[at].name) || !strstr(said, known[at].number))
    fail_msg("place %d, way %d: %s, '%s'", (int)at, (int)lost_taken.by,
             gradyn_status_describe((int)status).name, said);
}
