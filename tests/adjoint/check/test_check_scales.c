/* gradyn_evaluator_check() must report no error for mechanisms that are small or large, light or heavy, for
 * conserved quantities, and for equations in any units. It must still find planted errors. */
#include <complex.h>

#include "tests/adjoint/checked.h"
#include "tests/support.h"
#include "tests/declare.h"

/* Factors of the model's lengths and masses, which are no parameters, and the factor of a wrong derivative.
 */
static double metre, kilogram, wrong;

static void passes(const gradyn_problem *problem, const char *method)
{
  checked out;
  checked_problem(problem, method, false, &out);
  assert_true(out.count > 10);
}

/* --- sizes ------------------------------------------------------------------------------------ */

/* A bead on an ellipse; `wrong` multiplies its Phi''. */
static gradyn_status ellipse(const gradyn_at *at, int order, gradyn_scalar *value)
{
  const gradyn_scalar *q = at->pos, *v = at->vel, *a = at->acc, *d = at->data;
  const gradyn_scalar R = d[0] * (1 + csin(d[1] / d[2]) / 9); /* d[1] is zero beside d[2] */
  if (order == 0)
    *value = (q[0] * q[0] + 2 * q[1] * q[1]) / R - R;
  else if (order == 1)
    *value = 2 * (q[0] * v[0] + 2 * q[1] * v[1]) / R;
  else
    *value = 2 * (v[0] * v[0] + q[0] * a[0] + 2 * (1 + wrong) * (v[1] * v[1] + q[1] * a[1])) / R;
  return GRADYN_OK;
}

/* A four-bar linkage with a spring, in which many quantities are zero, and a bead on a wire. */
static gradyn_status build_crank(gradyn_model *m, const gradyn_scalar rho[])
{
  double s = metre, kg = kilogram;
  int O = gradyn_ground_point(m, "O", 0, 0), Q = gradyn_ground_point(m, "Q", 4 * s, 0);
  int a = gradyn_point(m, "a", 0.3 * s, 0.95 * s), b = gradyn_point(m, "b", 3.5 * s, 2 * s);
  int bead = gradyn_point(m, "bead", s, 0);
  gradyn_initial_velocity(m, a, -rho[1], 0);
  gradyn_rod(m, &(gradyn_rod_spec){"crank", O, a, .mass = 0.1 * kg});
  gradyn_rod(m, &(gradyn_rod_spec){"coupler", a, b, .mass = 0.3 * kg});
  gradyn_rod(m,
             &(gradyn_rod_spec){"rocker", Q, b, .mass = 0.2 * kg, .own_inertia = true, .com = s});
  gradyn_spring(m, &(gradyn_spring_spec){"S", O, b, .k = rho[0], .free_length = s});
  gradyn_point_mass(m, "mass", bead, kg);
  gradyn_custom_constraint_spec wire = {
      .name = "wire",
      .points = &bead,
      .point_count = 1,
      .fn = ellipse,
      .data = (gradyn_datum[]){{"R", "m", s}, {"warm", "K", 0}, {"K", "K", 1e-7}},
      .data_count = 3};
  gradyn_custom_constraint(m, &wire);
  gradyn_gravity(m, 0, -9.81);
  gradyn_functional(m, &(gradyn_functional_spec){"x", gradyn_measure_point(m, "", b, 0, GRADYN_X),
                                                 .reduction = GRADYN_AT_END});
  gradyn_functional(m,
                    &(gradyn_functional_spec){"v", gradyn_measure_point(m, "", bead, 1, GRADYN_Y),
                                              .reduction = GRADYN_AT_END});
  gradyn_functional(m, &(gradyn_functional_spec){"a",
                                                 gradyn_measure_point(m, "", b, 2, GRADYN_ALL_AXES),
                                                 .reduction = GRADYN_SQUARE_INTEGRAL});
  return gradyn_build_status(m);
}

/* Sizes and masses over six decades. The run lasts as long as a swing of a pendulum of that size, and the
 * stiffness is in proportion to the weight. */
TEST(every_size_passes)
{
  int turn = 0;
  for (double size = 1e-4; size < 200; size *= 1e3)
    for (double mass = 1e-3; mass < 2e3; mass *= 1e6) {
      metre = size;
      kilogram = mass;
      gradyn_param params[] = {{"k", "N/m", .init = 4 * mass / size, GRADYN_UNBOUNDED},
                               {"v", "m/s", .init = sqrt(size), GRADYN_UNBOUNDED}};
      gradyn_problem problem = PROBLEM("crank", build_crank, params, .t_end = 0.3 * sqrt(size),
                                       .step = 3e-3 * sqrt(size));
      checked out;
      static const char *const methods[] = {"ali3p", "variational", "idas"};
      for (size_t i = 0; i < GRADYN_COUNT(methods); i++, turn++)
        if (support_takes(turn, 5))
          passes(&problem, methods[i]);
      turn++;
      wrong = 1e-6;
      checked_problem(&problem, "ali3p", true, &out);
      wrong = 0;
    }
}

/* --- what is conserved ------------------------------------------------------------------------ */

/* A free double pendulum: its energy is given by its initial state, whatever its angle and length. */
static gradyn_status build_free(gradyn_model *m, const gradyn_scalar rho[])
{
  gradyn_scalar c = cos(rho[0]), s = sin(rho[0]), L = rho[1];
  int O = gradyn_ground_point(m, "O", 0, 0), a = gradyn_point(m, "a", L * c, L * s);
  int b = gradyn_point(m, "b", L * c - 0.5 * s, L * s + 0.5 * c);
  gradyn_initial_velocity(m, a, -2 * s, 2 * c);
  gradyn_rod(m, &(gradyn_rod_spec){"one", O, a, .mass = 1});
  gradyn_rod(m, &(gradyn_rod_spec){"two", a, b, .mass = 0.5});
  gradyn_functional(m, &(gradyn_functional_spec){"energy", gradyn_measure_energy(m, ""),
                                                 .reduction = GRADYN_AT_END});
  return gradyn_build_status(m);
}

TEST(conserved_energy_passes)
{
  static const gradyn_param params[] = {{"angle", "rad", .init = 0.7, GRADYN_UNBOUNDED},
                                        {"L", "m", .init = 1.3, GRADYN_UNBOUNDED}};
  const gradyn_problem problem = PROBLEM("free", build_free, params, .t_end = 2, .step = 0.01);
  passes(&problem, "idas");
  passes(&problem, "ali3p");
  passes(&problem, "variational");
}

/* --- what does not move ----------------------------------------------------------------------- */

/* A truss of two rods under a load: it does not move, so energy, acceleration and displacement are squares
 * of round-off. */
static gradyn_status build_truss(gradyn_model *m, const gradyn_scalar rho[])
{
  int O = gradyn_ground_point(m, "O", 0, 0), Q = gradyn_ground_point(m, "Q", 1.3, 0.21);
  int a = gradyn_point(m, "a", rho[0], rho[1]);
  gradyn_rod(m, &(gradyn_rod_spec){"one", O, a, .mass = 0.3 * rho[2]});
  gradyn_rod(m, &(gradyn_rod_spec){"two", Q, a, .mass = 0.1 * rho[2]});
  gradyn_point_mass(m, "load", a, rho[2]);
  gradyn_gravity(m, 0, -9.81);
  gradyn_functional(m, &(gradyn_functional_spec){"acceleration",
                                                 gradyn_measure_point(m, "", a, 2, GRADYN_ALL_AXES),
                                                 .reduction = GRADYN_SQUARE_INTEGRAL});
  gradyn_functional(m, &(gradyn_functional_spec){"velocity",
                                                 gradyn_measure_point(m, "", a, 1, GRADYN_ALL_AXES),
                                                 .reduction = GRADYN_SQUARE_INTEGRAL});
  gradyn_functional(m, &(gradyn_functional_spec){"x", gradyn_measure_point(m, "", a, 0, GRADYN_X),
                                                 .reduction = GRADYN_AT_END});
  return gradyn_build_status(m);
}

TEST(rest_passes)
{
  static const gradyn_param params[] = {{"x", "m", .init = 0.77, GRADYN_UNBOUNDED},
                                        {"y", "m", .init = -0.93, GRADYN_UNBOUNDED},
                                        {"mass", "kg", .init = 1.1, GRADYN_UNBOUNDED}};
  const gradyn_problem problem = PROBLEM("truss", build_truss, params, .t_end = 1, .step = 0.01);
  passes(&problem, "ali3p");
  passes(&problem, "variational");
  passes(&problem, "idas");
}

/* --- equations -------------------------------------------------------------------------------- */

enum { VC, IL, VN };

/* A resonant circuit with currents of microamperes and voltages of volts. */
static gradyn_status circuit(const gradyn_at *at, gradyn_scalar F[])
{
  const gradyn_scalar *y = at->y, *yp = at->yp, *d = at->data;
  F[0] = d[1] * yp[VC] - (y[VN] - y[VC]) / d[0];
  F[1] = d[2] * yp[IL] - (5 - y[VN]);
  F[2] = y[IL] - (y[VN] - y[VC]) / d[0] - y[VN] / (10 * d[0]);
  return GRADYN_OK;
}

FORMULA(voltage, at->y[VC])
FORMULA(power, at->y[VN] * at->y[IL])

static gradyn_status build_circuit(gradyn_model *m, const gradyn_scalar rho[])
{
  gradyn_datum data[] = {{"R", "Ohm", rho[0]}, {"C", "F", rho[1]}, {"L", "H", rho[2]}};
  gradyn_state(m, "vc", "V", 0);
  gradyn_state(m, "il", "A", 0);
  gradyn_algebraic_state(m, "vn", "V", 0);
  declare_equations(m, circuit, data, 3);
  declare_end(m, "v", "V", voltage);
  declare_integral(m, "loss", "J", power);
  return gradyn_build_status(m);
}

/* End times from the first moments to the steady state, which depends on hardly any datum. */
TEST(circuits_pass)
{
  static const gradyn_param params[] = {{"R", "Ohm", .init = 1e3, GRADYN_UNBOUNDED},
                                        {"C", "F", .init = 1e-9, GRADYN_UNBOUNDED},
                                        {"L", "H", .init = 1e-3, GRADYN_UNBOUNDED}};
  gradyn_problem problem = {GRADYN_PROBLEM_SIZES, .name = "circuit", .params = params,
                            .param_count = 3, .build = build_circuit};
  for (double t = 2e-7; t < 1e-3; t *= support_thorough() ? 10 : 100) {
    problem.t_end = t;
    passes(&problem, "idas");
  }
}

/* States of nanometres: one decays. The other one stays at zero; differences by more than its typical size
 * would see only its cubic term. */
static gradyn_status soft_and_hard(const gradyn_at *at, gradyn_scalar F[])
{
  const gradyn_scalar *y = at->y, *yp = at->yp, s = at->data[0];
  F[0] = yp[0] + y[0];
  F[1] = yp[1] + y[1] + y[1] * y[1] * y[1] / (s * s);
  return GRADYN_OK;
}

static gradyn_status build_at_rest(gradyn_model *m, const gradyn_scalar rho[])
{
  gradyn_datum size = {"s", "m", rho[0]};
  gradyn_state(m, "moves", "m", rho[0]);
  gradyn_state(m, "rests", "m", 0);
  declare_equations(m, soft_and_hard, &size, 1);
  declare_end(m, "end", "m", voltage);
  return gradyn_build_status(m);
}

TEST(a_state_at_rest_is_as_large_as_its_like)
{
  static const gradyn_param params[] = {{"s", "m", .init = 1e-9, GRADYN_UNBOUNDED}};
  passes(&(gradyn_problem){GRADYN_PROBLEM_SIZES, .name = "rest", .params = params, .param_count = 1,
                           .build = build_at_rest, .t_end = 1},
         "idas");
}

/* A pendulum whose support is at the origin: its coordinate is zero without round-off, and only its
 * derivative has round-off. */
static gradyn_status build_foot(gradyn_model *m, const gradyn_scalar rho[])
{
  const gradyn_scalar nothing = 1e-17 * cimag(rho[0]) * I;
  int O = gradyn_ground_point(m, "O", metre * nothing, 0);
  int P = gradyn_point(m, "P", 0.6 * metre, -0.8 * metre);
  gradyn_rod(m, &(gradyn_rod_spec){"rod", O, P, .mass = rho[0]});
  gradyn_gravity(m, 0, -9.81);
  gradyn_functional(m, &(gradyn_functional_spec){"end", gradyn_measure_point(m, "", P, 0, GRADYN_X),
                                                 .reduction = GRADYN_AT_END});
  return gradyn_build_status(m);
}

TEST(what_stays_zero_is_right)
{
  const gradyn_param param = {"mass", "kg", .init = 0.7, GRADYN_UNBOUNDED};
  const gradyn_problem problem = {GRADYN_PROBLEM_SIZES, .name = "foot",      .params = &param,
                                  .param_count = 1,     .build = build_foot, .t_end = 0.2};
  for (metre = 1e-3; metre < 1e4; metre *= 100)
    passes(&problem, "ali3p");
}
