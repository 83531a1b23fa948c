/* Models for tests of ALI3-P. */
#include "tests/adjoint/ali3p_models.h"

#include "adjoint/method.h"
#include "tests/adjoint/compare.h"
#include "tests/declare.h"

/* --- a mechanism driven in time ------------------------------------------------------------------ */

enum { RATE, AMPLITUDE, FREQUENCY, LENGTH, SPLINE, PUSH = SPLINE + 4, T_END = PUSH + 3 };

static const gradyn_param params[] = {
    {"rate", "rad/s", .init = 2.0, GRADYN_UNBOUNDED},
    {"amplitude", "rad", .init = 0.3, GRADYN_UNBOUNDED},
    {"frequency", "rad/s", .init = 4.0, GRADYN_UNBOUNDED},
    {"length", "m", .init = 1.2, GRADYN_UNBOUNDED},
    {"spline", "rad", .init = 0.1, GRADYN_UNBOUNDED, .init_end = 0.4, .ramp = true, .count = 4},
    {"push", "N", .init = 3.0, GRADYN_UNBOUNDED, .init_end = -2.0, .ramp = true, .count = 3},
    {"T", "s", .init = 1.3, .lower = 0.5, .upper = 3.0},
};

static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  gradyn_end_time(m, rho[T_END]);
  int spline = gradyn_signal(m, &(gradyn_signal_spec){"spline", "rad", GRADYN_CUBIC_SPLINE, 4,
                                                      rho + SPLINE, .times = NULL});
  int push = gradyn_signal(
      m, &(gradyn_signal_spec){"push", "N", GRADYN_PIECEWISE_LINEAR, 3, rho + PUSH, .times = NULL});
  int A = gradyn_ground_point(m, "A", 0, 0);
  int p = gradyn_point(m, "p", 0.5, 0), q = gradyn_point(m, "q", 1.2, 1),
      s = gradyn_point(m, "s", 2.2, 0);
  gradyn_rod(m, &(gradyn_rod_spec){"crank", A, p, .length = 0.5, .mass = 1});
  gradyn_rod(m, &(gradyn_rod_spec){"bar", p, q, .length = rho[LENGTH], .mass = 2});
  gradyn_rod(m, &(gradyn_rod_spec){"link", q, s, .length = 1.4, .mass = 1});
  gradyn_angle(m, "drive", A, p,
               &(gradyn_time_function){.rate = rho[RATE],
                                       .acceleration = 0.2,
                                       .amplitude = rho[AMPLITUDE],
                                       .frequency = rho[FREQUENCY],
                                       .phase = 0.1,
                                       .signal = spline});
  int line = gradyn_coordinate(
      m, "line", s, GRADYN_Y,
      &(gradyn_time_function){.rate = 0.1, .amplitude = 0.05, .frequency = 3});
  declare_push(m, "push", q, 1, 0.5, push);
  gradyn_spring(m, &(gradyn_spring_spec){"spring", A, q, .k = 20, .c = 0.8, .free_length = 1});
  gradyn_torque(m, &(gradyn_torque_spec){"friction", p, q, .torque = 0.3, .c = 0.2});
  gradyn_gravity(m, 0, -9.81);
  gradyn_fix_initial_coordinate(m, s, GRADYN_X);

  gradyn_minimise(
      m,
      gradyn_functional(
          m, &(gradyn_functional_spec){"track", gradyn_measure_point(m, "", q, 0, GRADYN_ALL_AXES),
                                       .reduction = GRADYN_SQUARE_INTEGRAL, .target = {1, 0.5}}),
      1);
  gradyn_functional(m, &(gradyn_functional_spec){"reaction", gradyn_measure_multiplier(m, "", line),
                                                 .reduction = GRADYN_SQUARE_INTEGRAL});
  gradyn_functional(m,
                    &(gradyn_functional_spec){"speed", gradyn_measure_point(m, "", s, 1, GRADYN_X),
                                              .reduction = GRADYN_AT_END});
  gradyn_functional(m, &(gradyn_functional_spec){"energy", gradyn_measure_energy(m, ""),
                                                 .reduction = GRADYN_AT_END});
  gradyn_functional(m, &(gradyn_functional_spec){"effort", gradyn_measure_signal(m, "", push),
                                                 .reduction = GRADYN_SQUARE_INTEGRAL});
  gradyn_functional(m, &(gradyn_functional_spec){"turn", gradyn_measure_line_angle(m, "", p, q, 1),
                                                 .reduction = GRADYN_INTEGRAL});
  return gradyn_build_status(m);
}

const gradyn_problem ali3p_driven = PROBLEM("driven", build, params, .t_end = 1, .method = "ali3p",
                                            .step = 0.01);

/* --- points attached to others -------------------------------------------------------------------- */

static const gradyn_param attached_params[] = {
    {"fraction", "1", .init = 0.4, GRADYN_UNBOUNDED},
    {"length", "m", .init = 0.85, GRADYN_UNBOUNDED},
    {"mass", "kg", .init = 0.7, GRADYN_UNBOUNDED},
};

static gradyn_status build_attached(gradyn_model *m, const gradyn_scalar rho[])
{
  int A = gradyn_ground_point(m, "A", 0, 0), B = gradyn_ground_point(m, "B", 1, 0.5);
  int p = gradyn_point(m, "p", 1, 0), q = gradyn_point(m, "q", 1.8, -0.3);
  gradyn_rod(m, &(gradyn_rod_spec){"Ap", A, p, .length = 1, .mass = 1});
  gradyn_rod(m, &(gradyn_rod_spec){"pq", p, q, .length = rho[1], .mass = 2});
  int between = gradyn_point_between(m, "between", p, q, rho[0]);
  gradyn_point_mass(m, "weight", between, rho[2]);
  gradyn_spring(m,
                &(gradyn_spring_spec){"spring", B, between, .k = 30, .c = 0.5, .free_length = 1});
  gradyn_gravity(m, 0, -9.81);
  gradyn_fix_initial_angle(m, "first", A, p, 0, 0);
  gradyn_fix_initial_angle(m, "second", p, q, -0.3, 1);
  gradyn_minimise(
      m,
      gradyn_functional(
          m, &(gradyn_functional_spec){"track",
                                       gradyn_measure_point(m, "", between, 0, GRADYN_ALL_AXES),
                                       .reduction = GRADYN_SQUARE_INTEGRAL, .target = {1, -0.5}}),
      1);
  gradyn_functional(m, &(gradyn_functional_spec){
                           "smooth", gradyn_measure_point(m, "", between, 2, GRADYN_ALL_AXES),
                           .reduction = GRADYN_SQUARE_INTEGRAL});
  gradyn_functional(m, &(gradyn_functional_spec){"energy", gradyn_measure_energy(m, ""),
                                                 .reduction = GRADYN_AT_END});
  return gradyn_build_status(m);
}

const gradyn_problem ali3p_attached = PROBLEM("attached", build_attached, attached_params,
                                              .t_end = 1, .method = "ali3p", .step = 0.01);

int ali3p_swing(gradyn_model *m, gradyn_scalar length, int push)
{
  int O = gradyn_ground_point(m, "O", 0, 0), p = gradyn_point(m, "p", 1, 0);
  int q = gradyn_point(m, "q", 1, -1);
  gradyn_rod(m, &(gradyn_rod_spec){"upper", O, p, .length = length, .mass = 1});
  gradyn_rod(m, &(gradyn_rod_spec){"lower", p, q, .length = 1, .mass = 2});
  declare_push(m, "push", q, 1, 0, push);
  gradyn_gravity(m, 0, -9.81);
  return q;
}

/* --- evaluation ------------------------------------------------------------------------------------ */

gradyn_evaluator *ali3p_open(const run_setup *setup)
{
  run_setup s = *setup;
  s.method = s.method ? s.method : "ali3p";
  if (s.step == 0 && gradyn_method_find(s.method)->rtol > 0)
    s.step = -1;
  return run_open(&s);
}

void ali3p_gradient(const run_setup *setup, double psi[], double gradient[],
                    gradyn_statistics *statistics)
{
  double rho[64], values[COMPARE_FUNCTIONALS];
  run_local *ev = ali3p_open(setup);
  assert_in_range(gradyn_functional_count(ev), 1, COMPARE_FUNCTIONALS);
  run_initial(ev, rho);
  assert_run(gradyn_evaluator_gradient(ev, rho, psi ? psi : values, gradient), ev);
  if (statistics)
    *statistics = gradyn_evaluator_statistics(ev);
}

/* --- comparisons ------------------------------------------------------------------------------------- */

void ali3p_compare_data(const run_setup *setup, bool (*counts)(const char *datum), double rtol)
{
  run_setup s = *setup;
  double rho[COMPARE_PARAMETERS];
  s.sensitivity = "direct";
  run_local *direct = ali3p_open(&s);
  s.sensitivity = "adjoint";
  run_local *adjoint = ali3p_open(&s);
  run_initial(direct, rho);
  compare_by_data(
      direct, adjoint, rho,
      &(compare_bounds){
          .values = rtol, .rtol = rtol, .share = 1e-12, .vanish = true, .counts = counts});
}

void ali3p_compare_parameters(const run_setup *setup, double rtol)
{
  static double gradient[2][ALI3P_MOST];
  double rho[COMPARE_PARAMETERS];
  run_local *ev = ali3p_open(setup);
  const size_t count = run_initial(ev, rho), nf = gradyn_functional_count(ev);
  for (int k = 0; k < 2; k++) {
    run_setup s = *setup;
    s.sensitivity = k ? "direct" : "adjoint";
    ali3p_gradient(&s, NULL, gradient[k], NULL);
  }
  assert_close_rows(gradient[0], gradient[1], nf, count, rtol);
}

void ali3p_compare_differences(const run_setup *setup, double size, double rtol)
{
  double rho[COMPARE_PARAMETERS];
  run_local *ev = ali3p_open(setup);
  run_initial(ev, rho);
  compare_with_differences(ev, rho, &(compare_allowed){.size = size / 8, .rtol = rtol});
}

bool ali3p_keeps_parallel(const char *datum)
{
  return !strstr(datum, ".length") && strncmp(datum, "A.", 2) != 0 &&
         strncmp(datum, "B.", 2) != 0 && strncmp(datum, "C.", 2) != 0;
}
