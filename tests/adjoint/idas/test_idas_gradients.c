/* Gradients of idas, direct and adjoint, on small problems whose functionals have closed forms:
 * multipliers, algebraic states, free end times, moving knots. */
#include "tests/runs.h"
#include "tests/declare.h"

enum { MOST_PARAMETERS = 8, MOST_FUNCTIONALS = 5 };
static const double tiny = 1e-30;

/* --- multipliers: a mass that is moved up and down ----------------------------------------------- */

enum { MASS, GRAVITY, AMPLITUDE, FREQUENCY, TIME };

FORMULA(last_reaction, at->lam[1])
FORMULA(reaction_of_time, at->t * at->lam[1])

static gradyn_status lifted_mass(gradyn_model *mbs, const gradyn_scalar rho[])
{
  gradyn_end_time(mbs, rho[TIME]);
  int P = gradyn_point(mbs, "P", 0, 0);
  gradyn_initial_velocity(mbs, P, 0, rho[AMPLITUDE] * rho[FREQUENCY]);
  gradyn_point_mass(mbs, "mass", P, rho[MASS]);
  gradyn_gravity(mbs, 0, -rho[GRAVITY]);
  int lift = gradyn_coordinate(
      mbs, "lift", P, GRADYN_Y,
      &(gradyn_time_function){.amplitude = rho[AMPLITUDE], .frequency = rho[FREQUENCY]});
  declare_end(mbs, "last", "N", last_reaction);
  gradyn_functional(mbs,
                    &(gradyn_functional_spec){"square", gradyn_measure_multiplier(mbs, "", lift),
                                              .reduction = GRADYN_SQUARE_INTEGRAL});
  gradyn_custom_functional(mbs, &(gradyn_custom_functional_spec){"moment", "N s^2",
                                                                 .integrand = reaction_of_time,
                                                                 .terminal = reaction_of_time});
  gradyn_end_time_functional(mbs, "time");
  return gradyn_build_status(mbs);
}

/* the multiplier is -m (g - A w^2 sin(w t)) */
static void lifted_mass_exact(const gradyn_scalar rho[], gradyn_scalar psi[])
{
  gradyn_scalar m = rho[MASS], g = rho[GRAVITY], w = rho[FREQUENCY], T = rho[TIME];
  gradyn_scalar b = rho[AMPLITUDE] * w * w, s = sin(w * T), c = cos(w * T);
  psi[0] = -m * (g - b * s);
  psi[1] = m * m * (g * g * T - 2 * g * b * (1 - c) / w + b * b * (T / 2 - s * c / (2 * w)));
  psi[2] = -m * (g * T * T / 2 - b * (s / (w * w) - T * c / w)) + T * psi[0];
  psi[3] = T;
}

/* --- algebraic states: z = y^2 + c t beside y' = -k y --------------------------------------------- */

enum { START, RATE, SLOPE, END };

FORMULAS(decay, at->y[1] - at->y[0] * at->y[0] - at->data[1] * at->t,
         at->yp[0] + at->data[0] * at->y[0])

FORMULA(algebraic, at->y[1])
FORMULA(algebraic_square, at->y[1] * at->y[1])

static gradyn_status decaying(gradyn_model *model, const gradyn_scalar rho[])
{
  gradyn_end_time(model, rho[END]);
  gradyn_state(model, "y", "", rho[START]);
  gradyn_algebraic_state(model, "z", "", 0);
  declare_equations(model, decay,
                    (gradyn_datum[]){{"k", "1/s", rho[RATE]}, {"c", "1/s", rho[SLOPE]}}, 2);
  declare_end(model, "last", "", algebraic);
  declare_integral(model, "sum", "s", algebraic);
  gradyn_custom_functional(model, &(gradyn_custom_functional_spec){"both", "",
                                                                   .integrand = algebraic_square,
                                                                   .terminal = algebraic_square});
  return gradyn_build_status(model);
}

static void decaying_exact(const gradyn_scalar rho[], gradyn_scalar psi[])
{
  gradyn_scalar y = rho[START], k = rho[RATE], c = rho[SLOPE], T = rho[END];
  gradyn_scalar e = exp(-2 * k * T), z = y * y * e + c * T, q = 1 - e * (1 + 2 * k * T);
  psi[0] = z;
  psi[1] = y * y * (1 - e) / (2 * k) + c * T * T / 2;
  /* integral of y^4 exp(-4kt) + 2 y^2 c t exp(-2kt) + c^2 t^2 */
  psi[2] = y * y * y * y * (1 - e * e) / (4 * k) + 2 * y * y * c * q / (4 * k * k) +
           c * c * T * T * T / 3 + z * z;
}

/* --- moving knots: y' = u, u constant between knots that move with the end time -------------------- */

enum { LEVELS = 3, STAIR_END = LEVELS };

FORMULA(integrate, at->yp[0] - at->u[1])
FORMULA(state, at->y[0])
FORMULA(power, at->y[0] * at->u[1])

static void integrator(gradyn_model *model, const gradyn_signal_spec *u)
{
  int signal = gradyn_signal(model, u);
  gradyn_state(model, "y", "", 0);
  declare_equations(model, integrate, NULL, 0);
  declare_end(model, "last", "", state);
  gradyn_functional(
      model, &(gradyn_functional_spec){"effort", gradyn_measure_signal(model, "", signal),
                                       /* the integrand jumps where u does; its area does not */
                                       .reduction = GRADYN_SQUARE_INTEGRAL});
  declare_integral(model, "area", "", state);
  declare_end(model, "power", "", power);
}

static gradyn_status stairs(gradyn_model *model, const gradyn_scalar rho[])
{
  gradyn_end_time(model, rho[STAIR_END]);
  integrator(model,
             &(gradyn_signal_spec){"u", "", GRADYN_PIECEWISE_CONSTANT, LEVELS, rho, .times = NULL});
  return gradyn_build_status(model);
}

/* Advances y and the integrals of u^2 and y over a piece in which u varies linearly from a to b. */
static void piece(gradyn_scalar h, gradyn_scalar a, gradyn_scalar b, gradyn_scalar psi[])
{
  psi[2] += h * psi[0] + h * h * (2 * a + b) / 6;
  psi[0] += h * (a + b) / 2;
  psi[1] += h * (a * a + a * b + b * b) / 3;
}

static void stairs_exact(const gradyn_scalar rho[], gradyn_scalar psi[])
{
  for (int k = 0; k < LEVELS; k++)
    piece(rho[STAIR_END] / LEVELS, rho[k], rho[k], psi);
  psi[3] = psi[0] * rho[LEVELS - 1];
}

/* --- a signal with start and end times of its own, constant before and after ----------------------- */

enum { KNOTS = 3, FIRST = KNOTS, LAST, RAMP_END };

static gradyn_status ramps(gradyn_model *model, const gradyn_scalar rho[])
{
  gradyn_end_time(model, rho[RAMP_END]);
  integrator(model, &(gradyn_signal_spec){"u", "", GRADYN_PIECEWISE_LINEAR, .count = KNOTS,
                                          .knots = rho, .t_start = rho[FIRST], .t_end = rho[LAST]});
  return gradyn_build_status(model);
}

static void ramps_exact(const gradyn_scalar rho[], gradyn_scalar psi[])
{
  gradyn_scalar h = (rho[LAST] - rho[FIRST]) / (KNOTS - 1);
  piece(rho[FIRST], rho[0], rho[0], psi);
  for (int k = 0; k + 1 < KNOTS; k++)
    piece(h, rho[k], rho[k + 1], psi);
  piece(rho[RAMP_END] - rho[LAST], rho[KNOTS - 1], rho[KNOTS - 1], psi);
  psi[3] = psi[0] * rho[KNOTS - 1];
}

/* --- comparison ------------------------------------------------------------------------------------- */

typedef struct example {
  gradyn_build_fn build;
  void (*exact)(const gradyn_scalar rho[], gradyn_scalar psi[]); /* psi starts from zero */
  size_t parameters, functionals;
  double rho[MOST_PARAMETERS];
} example;

static const example lifted_mass_example = {
    lifted_mass, lifted_mass_exact, 5, 4, {1.3, 9.81, 0.4, 2.5, 1.7}};
static const example decaying_example = {decaying, decaying_exact, 4, 3, {1.5, 0.8, 0.3, 1.2}};
static const example stairs_example = {stairs, stairs_exact, 4, 4, {1.0, -2.0, 3.0, 1.5}};
static const example ramps_example = {ramps, ramps_exact, 6, 4, {1.0, -2.0, 3.0, 0.4, 1.1, 1.5}};

/* psi and dpsi/drho [functionals][parameters] in closed form, by complex step. */
static void closed_form(const example *e, double psi[], double gradient[])
{
  gradyn_scalar rho[MOST_PARAMETERS];
  for (size_t j = 0; j < e->parameters; j++)
    rho[j] = e->rho[j];
  for (size_t j = 0; j < e->parameters; j++) {
    gradyn_scalar value[MOST_FUNCTIONALS] = {0};
    rho[j] += tiny * (gradyn_scalar)_Complex_I;
    e->exact(rho, value);
    rho[j] = e->rho[j];
    for (size_t f = 0; f < e->functionals; f++) {
      psi[f] = creal(value[f]);
      gradient[f * e->parameters + j] = cimag(value[f]) / tiny;
    }
  }
}

static void compare(const example *e, const char *method, const char *sensitivity)
{
  double exact_psi[MOST_FUNCTIONALS], exact[MOST_FUNCTIONALS * MOST_PARAMETERS];
  double psi[MOST_FUNCTIONALS], gradient[MOST_FUNCTIONALS * MOST_PARAMETERS];
  static const char *const name[MOST_PARAMETERS] = {"a", "b", "c", "d", "e", "f", "g", "h"};
  gradyn_param params[MOST_PARAMETERS] = {{0}};
  for (size_t j = 0; j < e->parameters; j++)
    params[j] = (gradyn_param){name[j], "", .init = e->rho[j], GRADYN_UNBOUNDED};
  const gradyn_problem problem = {GRADYN_PROBLEM_SIZES,         .name = "example", .params = params,
                                  .param_count = e->parameters, .build = e->build, .t_end = 1};
  run_local *evaluator = run_with(&problem, .method = method, .sensitivity = sensitivity,
                                  .rtol = 1e-10);
  assert_int_equal(gradyn_functional_count(evaluator), e->functionals);
  assert_run(gradyn_evaluator_gradient(evaluator, e->rho, psi, gradient), evaluator);
  closed_form(e, exact_psi, exact);
  assert_close_array(psi, exact_psi, e->functionals, 1e-8, 0);
  assert_close_array(gradient, exact, e->functionals * e->parameters, 1e-7, 1e-8);
}

static void meets_its_closed_form(const example *e)
{
  compare(e, "idas", "direct");
  compare(e, "idas", "adjoint");
  compare(e, "auto", "direct");
  compare(e, "auto", "adjoint");
}

TEST(multipliers_alone)
{
  meets_its_closed_form(&lifted_mass_example);
}

TEST(algebraic_states)
{
  meets_its_closed_form(&decaying_example);
}

TEST(moving_knots)
{
  meets_its_closed_form(&stairs_example);
}

TEST(a_signal_with_its_own_times)
{
  meets_its_closed_form(&ramps_example);
}
