/* A body in nonlinear coordinates: a four-bar linkage with two pendulums whose coupler is given by x, y and
 * an angle. Its elements and data are those of the same mechanism in natural coordinates. Schemes must find
 * the same functionals and derivatives with both, up to their errors. */
#include "core/model/declare.h"
#include "tests/adjoint/ali3p_models.h"
#include "tests/mbs/mechanism/curved.h"
#include "tests/declare.h"

enum { CRANK, MASS, INERTIA, STIFFNESS, DAMPING, PLACE, SPEED, FREE, PARAMETERS };
enum { TRACK, SMOOTH, VELOCITY, ENERGY, REACTION, FUNCTIONALS };

static const gradyn_param params[] = {
    {"crank", "m", .init = 0.52, GRADYN_UNBOUNDED},
    {"mass", "kg", .init = 2.0, GRADYN_UNBOUNDED},
    {"inertia", "kg m^2", .init = 0.2, GRADYN_UNBOUNDED},
    {"stiffness", "N/m", .init = 40, GRADYN_UNBOUNDED},
    {"damping", "N s/m", .init = 1.5, GRADYN_UNBOUNDED},
    {"place", "m", .init = 0.7, GRADYN_UNBOUNDED},
    {"speed", "rad/s", .init = 1.5, GRADYN_UNBOUNDED},
    {"free", "m", .init = 0.5, GRADYN_UNBOUNDED},
};

/* Returns the index of the coupler's approximate angle. */
static int declare(gradyn_model *m, const gradyn_scalar rho[])
{
  int O = gradyn_ground_point(m, "O", 0, 0), G = gradyn_ground_point(m, "G", 1.1, -0.1);
  int coupler = declare_body(m, "coupler", rho[MASS], rho[INERTIA], 0.6, 0.5);
  int A = gradyn_body_point(m, coupler, "A", 0.25, 0.45),
      B = gradyn_body_point(m, coupler, "B", 1.0, 0.4),
      P = gradyn_body_point(m, coupler, "P", rho[PLACE], 0.8);
  int Y = gradyn_point(m, "Y", 0.7, 0.4), Z = gradyn_point(m, "Z", 0.7, 0);
  gradyn_rod(m, &(gradyn_rod_spec){"crank", O, A, .length = rho[CRANK], .mass = 1});
  int rocker = gradyn_rod(m, &(gradyn_rod_spec){"rocker", G, B, .length = 0.51, .mass = 1.5});
  gradyn_rod(m, &(gradyn_rod_spec){"upper", P, Y, .length = 0.4, .mass = 0.4});
  gradyn_rod(m, &(gradyn_rod_spec){"lower", Y, Z, .length = 0.4, .mass = 0.3});
  gradyn_point_mass(m, "weight", P, 0.5);
  gradyn_point_mass(m, "bob", Z, 0.2);
  gradyn_spring(m, &(gradyn_spring_spec){"spring", G, P, .k = rho[STIFFNESS], .c = rho[DAMPING],
                                         .free_length = rho[FREE]});
  gradyn_torque(m, &(gradyn_torque_spec){"motor", O, A, .torque = 2, .c = 0.3});
  gradyn_gravity(m, 0, -9.81);
  gradyn_fix_initial_angle(m, "start", O, A, 1.1, rho[SPEED]);
  gradyn_fix_initial_angle(m, "start of upper", P, Y, -1.6, 0);
  gradyn_fix_initial_angle(m, "start of lower", Y, Z, -1.4, 1);

  gradyn_minimise(
      m,
      gradyn_functional(
          m, &(gradyn_functional_spec){"track", gradyn_measure_point(m, "", P, 0, GRADYN_ALL_AXES),
                                       .reduction = GRADYN_SQUARE_INTEGRAL, .target = {0.7, 0.7}}),
      1);
  gradyn_functional(m, &(gradyn_functional_spec){"smooth",
                                                 gradyn_measure_point(m, "", Z, 2, GRADYN_ALL_AXES),
                                                 .reduction = GRADYN_SQUARE_INTEGRAL});
  gradyn_functional(m,
                    &(gradyn_functional_spec){"speed", gradyn_measure_point(m, "", B, 1, GRADYN_X),
                                              .reduction = GRADYN_AT_END});
  gradyn_functional(m, &(gradyn_functional_spec){"energy", gradyn_measure_energy(m, ""),
                                                 .reduction = GRADYN_AT_END});
  gradyn_functional(m,
                    &(gradyn_functional_spec){"reaction", gradyn_measure_multiplier(m, "", rocker),
                                              .reduction = GRADYN_SQUARE_INTEGRAL});
  int angle = gradyn_model_datum(m, "coupler", "angle", "rad", 0);
  gradyn_model_datum(m, "coupler", "turning", "rad/s", 0);
  return angle;
}

static gradyn_status build_natural(gradyn_model *m, const gradyn_scalar rho[])
{
  declare(m, rho);
  return gradyn_build_status(m);
}

static gradyn_status build_curved(gradyn_model *m, const gradyn_scalar rho[])
{
  curved_open(m);
  return curved_close(m, declare(m, rho));
}

static const gradyn_problem natural = PROBLEM("natural", build_natural, params, .t_end = 0.7,
                                              .step = 0.01);
static const gradyn_problem curved_problem = PROBLEM("curved", build_curved, params, .t_end = 0.7,
                                                     .step = 0.01);

/* --- against natural coordinates ---------------------------------------------------------------- */

enum { NUMBERS = FUNCTIONALS * (1 + PARAMETERS) };

/* psi and dpsi/drho. */
static void evaluate(run_setup setup, const gradyn_problem *problem, double out[NUMBERS])
{
  setup.problem = problem;
  ali3p_gradient(&setup, out, out + FUNCTIONALS, NULL);
}

/* Compares derivatives relative to the largest one of a functional. */
static void compare(const double *actual, const double *expected, double rtol, double of_reaction)
{
  for (int f = 0; f < FUNCTIONALS; f++) {
    const double *row = expected + FUNCTIONALS + f * PARAMETERS;
    double size = 0;
    rtol = f == REACTION ? of_reaction : rtol;
    assert_close(actual[f], expected[f], rtol, 0);
    for (int j = 0; j < PARAMETERS; j++)
      size = fmax(size, fabs(row[j]));
    assert_close_array(actual + FUNCTIONALS + f * PARAMETERS, row, PARAMETERS, 0, rtol * size);
  }
}

static const char *const ways[] = {"direct", "adjoint"};

THOROUGH_TEST(integrators_agree_with_natural_coordinates)
{
  double one[NUMBERS], other[NUMBERS];
  for (int k = 0; k < 4; k++) {
    const run_setup setup = {
        .method = run_adaptive[k / 2], .sensitivity = ways[k % 2], .rtol = 1e-11};
    evaluate(setup, &natural, one);
    evaluate(setup, &curved_problem, other);
    compare(other, one, 1e-7, 1e-7);
  }
}

/* Richardson's extrapolation to h = 0 of values with h, h/2, h/4. Errors are of second and fourth order in
 * h; those of multipliers are of first and higher orders (theory/ali3p.md, 2.6). */
static void extrapolate(double (*value)[NUMBERS])
{
  for (int level = 1; level < 3; level++)
    for (int k = 2; k >= level; k--)
      for (int j = 0; j < NUMBERS; j++) {
        const bool reaction = (j < FUNCTIONALS ? j : (j - FUNCTIONALS) / PARAMETERS) == REACTION;
        const double share = 1 / (pow(reaction ? 2 : 4, level) - 1);
        value[k][j] += share * (value[k][j] - value[k - 1][j]);
      }
}

TEST(ali3p_agrees_with_natural_coordinates)
{
  double one[3][NUMBERS], other[3][NUMBERS];
  for (int k = 0; k < 3; k++) {
    const run_setup setup = {.sensitivity = ways[k % 2], .step = 2e-3 / (1 << k)};
    evaluate(setup, &natural, one[k]);
    evaluate(setup, &curved_problem, other[k]);
  }
  extrapolate(one);
  extrapolate(other);
  compare(other[2], one[2], 1e-7, 1e-5);
}

/* --- for itself ---------------------------------------------------------------------------------- */

TEST(direct_equals_adjoint_by_all_data)
{
  ali3p_compare_data(&(run_setup){.problem = &curved_problem}, NULL, 1e-9);
  ali3p_compare_data(&(run_setup){.problem = &curved_problem,
                                  .integrator = "generalised-alpha",
                                  .integrator_parameter = 0.8},
                     NULL, 1e-9);
  if (support_thorough())
    ali3p_compare_data(&(run_setup){.problem = &curved_problem, .method = "idas", .rtol = 1e-11},
                       NULL, 1e-5);
}

THOROUGH_TEST(derivatives_agree_with_differences)
{
  ali3p_compare_differences(&(run_setup){.problem = &curved_problem}, 4e-3, 1e-7);
  ali3p_compare_differences(
      &(run_setup){.problem = &curved_problem, .method = "idas", .rtol = 1e-11}, 4e-3, 1e-6);
}

/* Methods that need a constant mass matrix refuse the model with this reason. */
TEST(a_varying_mass_is_refused)
{
  static const char *const method[] = {"variational", "ali3p"}, *const sensitivity[] = {
                                                                    "adjoint",
                                                                    "continuous-adjoint"};
  for (int k = 0; k < 2; k++) {
    run_local *ev;
    double rho[PARAMETERS], out[NUMBERS];
    gradyn_status status = run_try(&ev, &curved_problem, sensitivity[k], .method = method[k]);
    run_initial(ev, rho);
    if (status == GRADYN_OK)
      status = gradyn_evaluator_gradient(ev, rho, out, out + FUNCTIONALS);
    assert_int_not_equal(status, GRADYN_OK);
    assert_says(gradyn_evaluator_message(ev), "mass matrix");
  }
}
