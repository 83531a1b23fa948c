/* Joint coordinates in the plane: shipped mechanisms in both coordinates, by all methods; bodies with all
 * kinds of parents and loads; pendulums against equations in angles, written by hand in complex numbers. */
#include "problems/builtin.h"
#include "tests/mbs/tree/both.h"
#include "tests/declare.h"

#include <complex.h>
#include <math.h>

static const char *const ways[] = {"direct", "adjoint"};

/* --- both coordinates ------------------------------------------------------------------------------ */

static const struct shipped {
  const gradyn_problem *problem;
  const char *setting;
  int value;
  double t_end;
} shipped[] = {{&gradyn_problem_chain, "links", 4, 0.1},
               {&gradyn_problem_five_bar, NULL, 0, 0.1},
               {&gradyn_problem_four_bar_chain, "loops", 2, 0.1},
               {&gradyn_problem_cart_pole, "knots", 3, 0},
               {&gradyn_problem_parallel_bars, "redundant", 0, 0.1},
               {&gradyn_problem_bouncing_five_bar, NULL, 0, 0.4},
               {&gradyn_problem_double_pendulum_wall, NULL, 0, 0.5}};

enum { SHIPPED = sizeof shipped / sizeof *shipped };

/* A shipped problem in these coordinates; NULL: natural ones. A swing-up keeps its initial state only,
 * since its end time is a parameter. */
static gradyn_problem take_shipped(int i, const char *coordinates)
{
  static gradyn_param start[2];
  gradyn_problem problem = *shipped[i].problem;
  problem.coordinates = coordinates;
  if (shipped[i].t_end > 0)
    return problem;
  assert_int_equal(problem.param_count, 2);
  for (int k = 0; k < 2; k++)
    start[k] = problem.params[k];
  start[0].init = start[0].lower = 0.4;
  problem.params = start;
  return problem;
}

static run_setup of_shipped(int i, const gradyn_problem *problem)
{
  return (run_setup){.problem = problem,
                     .setting = shipped[i].setting,
                     .value = shipped[i].value,
                     .t_end = shipped[i].t_end};
}

THOROUGH_TEST(mechanisms_are_the_same_by_explicit_and_idas)
{
  for (int i = 0; i < SHIPPED; i++)
    for (int k = 0; k < 2; k++) {
      const gradyn_problem natural = take_shipped(i, NULL);
      run_setup setup = of_shipped(i, &natural);
      setup.sensitivity = ways[k];
      setup.method = k ? "explicit" : "idas"; /* its direct sweep is faster */
      setup.rtol = k ? 1e-11 : 1e-9;
      both_compare(&setup, k ? 1e-9 : 1e-6);
    }
}

TEST(direct_and_adjoint_derivatives_agree)
{
  for (int i = 0; i < SHIPPED; i++) {
    const gradyn_problem joint = take_shipped(i, "joint");
    run_setup setup = of_shipped(i, &joint);
    setup.method = "explicit";
    setup.rtol = 1e-9;
    ali3p_compare_data(&setup, NULL, 1e-10);
  }
}

TEST(derivatives_agree_with_differences)
{
  for (int i = 0; i < 3; i++) {
    const gradyn_problem joint = take_shipped(i, "joint");
    run_setup setup = of_shipped(i, &joint);
    setup.method = "explicit";
    setup.step = 0.01;
    ali3p_compare_differences(&setup, 4e-3, 1e-7);
  }
}

/* The first functional of a mechanism by ali3p. */
static double by_steps(const run_setup *setup, const char *coordinates, double step)
{
  gradyn_problem problem = *setup->problem;
  run_setup own = *setup;
  double psi[8], slope[512];
  problem.coordinates = coordinates;
  own.problem = &problem;
  own.step = step;
  ali3p_gradient(&own, psi, slope, NULL);
  return psi[0];
}

/* Differences between both coordinates are of order h^2; after Richardson extrapolation with h and h / 2
 * they agree. */
TEST(ali3p_converges_to_the_same_with_order_two)
{
  for (int i = 0; i < 3; i++) {
    const run_setup setup = of_shipped(i, shipped[i].problem);
    double limit[2];
    for (int k = 0; k < 2; k++) {
      const char *coordinates = k ? "joint" : "natural";
      const double a = by_steps(&setup, coordinates, 4e-3), b = by_steps(&setup, coordinates, 2e-3);
      const double c = by_steps(&setup, coordinates, 1e-3);
      assert_close((a - b) / (b - c), 4, 0, 0.1);
      limit[k] = c + (c - b) / 3;
    }
    assert_close(limit[1], limit[0], 1e-7, 0);
  }
}

/* --- what loads bodies ------------------------------------------------------------------------------ */

enum { AFLOAT, SLIDING, TURNING, CARRIERS };
enum { ROD, OTHER_ROD, POINT_MASS, BOTH_BODIES, LOADS };

static int declare_plate(gradyn_model *m, const char *name, double x, gradyn_scalar mass)
{
  return gradyn_body(m, &(gradyn_body_spec){.name = name,
                                            .mass = mass,
                                            .centre = {x, 0.1},
                                            .velocity = {0.3, -0.4},
                                            .omega = {0, 0, 0.7},
                                            .inertia = {0, 0, 0.2}});
}

/* A rod with mass from a point of the body to the ground or to another body, or a point mass there. */
static void load_plate(gradyn_model *m, int load, int plate, int P)
{
  const int S = load == BOTH_BODIES ? gradyn_body_point(m, plate, "S", 1.2, -0.3)
                                    : gradyn_ground_point(m, "S", 1.3, -0.3);
  if (load == POINT_MASS)
    gradyn_point_mass(m, "load", P, 0.6);
  else
    gradyn_rod(m, &(gradyn_rod_spec){.name = "rod",
                                     .from = load == OTHER_ROD ? S : P,
                                     .to = load == OTHER_ROD ? P : S,
                                     .mass = 0.5});
}

static gradyn_status build_plates(gradyn_model *m, const gradyn_scalar rho[])
{
  static const gradyn_joint_kind kinds[] = {
      [SLIDING] = GRADYN_PRISMATIC, [TURNING] = GRADYN_REVOLUTE};
  const int which = gradyn_setting_value(m, "load"), carrier = which % CARRIERS;
  const int plate = declare_plate(m, "plate", 0.3, rho[0]), other = declare_plate(m, "other", 1, 1);
  if (carrier != AFLOAT)
    declare_joint(m, "joint", kinds[carrier], GRADYN_GROUND, plate, VECTOR(0.1, 0.2),
                  VECTOR(1, 0.4));
  const int P = gradyn_body_point(m, plate, "P", 0.7, 0.2);
  load_plate(m, which / CARRIERS, other, P);
  gradyn_gravity(m, 0.3, -9.81);
  gradyn_minimise(
      m,
      gradyn_functional(m, &(gradyn_functional_spec){"energy", gradyn_measure_energy(m, ""),
                                                     .reduction = GRADYN_AT_END}),
      1);
  gradyn_functional(m, &(gradyn_functional_spec){"smooth",
                                                 gradyn_measure_point(m, "", P, 2, GRADYN_ALL_AXES),
                                                 .reduction = GRADYN_SQUARE_INTEGRAL});
  return gradyn_build_status(m);
}

TEST(what_bodies_carry_is_the_same)
{
  static const gradyn_param params[] = {{"mass", "kg", .init = 1.1, GRADYN_UNBOUNDED}};
  static const gradyn_setting settings[] = {{.name = "load", .upper = CARRIERS * LOADS - 1}};
  static const gradyn_problem plates = PROBLEM("plates", build_plates, params, .settings = settings,
                                               .setting_count = 1, .t_end = 0.1);
  for (int which = 0; which < CARRIERS * LOADS; which++) {
    const run_setup setup = both_case(&plates, "load", which);
    both_compare(&setup, 1e-9);
  }
}

/* A plate that slides along its own base vector, which the joint's frame uses directly. */
static gradyn_status build_aligned(gradyn_model *m, const gradyn_scalar rho[])
{
  const int plate = declare_plate(m, "plate", 0.3, rho[0]), other = declare_plate(m, "other", 1, 1);
  const int from = gradyn_frame(
      m,
      &(gradyn_frame_spec){.name = "from", .body = other, .origin = {0.4, 0.1}, .aligned = true});
  const int to = gradyn_frame(
      m, &(gradyn_frame_spec){.name = "to", .body = plate, .origin = {0.2, 0.1}, .aligned = true});
  gradyn_joint(m,
               &(gradyn_joint_spec){.name = "slide", .kind = GRADYN_PRISMATIC, .a = from, .b = to});
  gradyn_gravity(m, 0.3, -9.81);
  gradyn_minimise(
      m,
      gradyn_functional(m, &(gradyn_functional_spec){"energy", gradyn_measure_energy(m, ""),
                                                     .reduction = GRADYN_AT_END}),
      1);
  gradyn_functional(m, &(gradyn_functional_spec){
                           "smooth",
                           gradyn_measure_point(m, "", gradyn_body_point(m, plate, "P", 0.7, 0.2),
                                                2, GRADYN_ALL_AXES),
                           .reduction = GRADYN_SQUARE_INTEGRAL});
  return gradyn_build_status(m);
}

TEST(joints_along_base_vectors_are_the_same)
{
  static const gradyn_param params[] = {{"mass", "kg", .init = 1.1, GRADYN_UNBOUNDED}};
  static const gradyn_problem aligned = PROBLEM("aligned", build_aligned, params, .t_end = 0.1);
  both_compare(
      &(run_setup){
          .problem = &aligned, .method = "explicit", .sensitivity = "adjoint", .rtol = 1e-11},
      1e-9);
}

/* --- by hand --------------------------------------------------------------------------------------- */

typedef double complex number;

enum { ANGLE, RATE = 2, TIP = 4, SPEED, STATES };

/* A chain of one or two uniform links in angles: the problem `chain`, with the integrands of its
 * functionals. */
static void rates(int links, const number rho[3], const number y[STATES], number out[STATES])
{
  const number l = rho[0] / links, m = rho[1] / links, c = rho[2] / links, *w = y + RATE;
  const double g = 9.81, two = links == 2;
  const number C = cos(y[0] - y[1]), S = sin(y[0] - y[1]);
  const number M[3] = {m * l * l * (1.0 / 3 + two), two * m * l * l * C / 2, m * l * l / 3};
  const number f[2] = {
      -two * m * l * l / 2 * S * w[1] * w[1] - (0.5 + two) * m * g * l * cos(y[0]) - c * w[0],
      two * (m * l * l / 2 * S * w[0] * w[0] - m * g * l / 2 * cos(y[1]) - c * w[1])};
  const number D = M[0] * M[2] - M[1] * M[1];
  number x = -0.6, h = 0.4, u = 0, v = 0;
  for (int i = 0; i < links; i++) {
    x += l * cos(y[i]);
    h += l * sin(y[i]);
    u -= l * sin(y[i]) * w[i];
    v += l * cos(y[i]) * w[i];
  }
  out[0] = w[0];
  out[1] = w[1];
  out[2] = (M[2] * f[0] - M[1] * f[1]) / D;
  out[3] = (M[0] * f[1] - M[1] * f[0]) / D;
  out[TIP] = x * x + h * h;
  out[SPEED] = u * u + v * v;
}

/* Integrates to 0.5 s by the Runge-Kutta method. */
static void march(int links, const number rho[3], number y[STATES])
{
  enum { STEPS = 4000 };
  static const double at[4] = {0, 0.5, 0.5, 1}, share[4] = {1, 2, 2, 1};
  const double h = 0.5 / STEPS;
  for (int i = 0; i < STATES; i++)
    y[i] = 0;
  for (int step = 0; step < STEPS; step++) {
    number k[STATES] = {0}, sum[STATES] = {0};
    for (int stage = 0; stage < 4; stage++) {
      number z[STATES];
      for (int i = 0; i < STATES; i++)
        z[i] = y[i] + at[stage] * h * k[i];
      rates(links, rho, z, k);
      for (int i = 0; i < STATES; i++)
        sum[i] += share[stage] * k[i];
    }
    for (int i = 0; i < STATES; i++)
      y[i] += h / 6 * sum[i];
  }
}

TEST(pendulums_move_as_equations_by_hand_say)
{
  gradyn_problem chain = gradyn_problem_chain;
  chain.coordinates = "joint";
  for (int links = 1; links <= 2; links++) {
    double psi[3], slope[9];
    ali3p_gradient(&(run_setup){.problem = &chain,
                                .setting = "links",
                                .value = links,
                                .method = "explicit",
                                .step = 2e-3},
                   psi, slope, NULL);
    for (int j = 0; j < 3; j++) {
      number rho[3] = {1, 2, 0.01}, y[STATES];
      rho[j] += 1e-30 * _Complex_I;
      march(links, rho, y);
      for (int f = 0; f < 2; f++) {
        assert_close(psi[f], creal(y[TIP + f]), 1e-12, 0);
        assert_close(slope[3 * f + j], cimag(y[TIP + f]) / 1e-30, 1e-12, 1e-13);
      }
    }
  }
}
