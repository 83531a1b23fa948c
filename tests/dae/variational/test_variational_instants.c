/* Functionals at a given time by both fixed-step methods; test_instants.c tests idas. */
#include "tests/adjoint/ali3p_models.h"

static const char *const methods[] = {"variational", "ali3p"};

enum { METHODS = 2, FUNCTIONALS = 6 };

/* Faults that a test puts into the problem. */
typedef enum fault { NONE, LATE, MISSED, BUILT_END, INTEGRAND, NEGATIVE } fault;

FORMULA(position, at->pos[4] * at->pos[7] + at->t * at->u[1])
FORMULA(rate, at->vel[6] * at->vel[6] + at->data[0] * at->vel[7])
FORMULA(load, at->lam[1] + at->acc[6])

static double instant_of(fault wrong)
{
  return wrong == LATE ? 1.5 : wrong == MISSED ? 0.2505 : wrong == NEGATIVE ? -1 : 0.25;
}

static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  const fault wrong = (fault)gradyn_setting_value(m, "fault");
  if (wrong == BUILT_END)
    gradyn_end_time(m, 1 + 0 * rho[0]);
  const bool jumps = gradyn_setting_value(m, "jumps");
  const gradyn_signal_kind kind = jumps ? GRADYN_PIECEWISE_CONSTANT : GRADYN_PIECEWISE_LINEAR;
  int push = gradyn_signal(m, &(gradyn_signal_spec){"push", "N", kind, jumps ? 4 : 3,
                                                    (gradyn_scalar[]){3, rho[1], -2, 4},
                                                    .times = NULL});
  const int tip = ali3p_swing(m, rho[0], push);
  gradyn_end_time_functional(m, "end"); /* this functional reads no states, and is declared first */
  const gradyn_datum factor = {"factor", "m/s", 0.3};
  gradyn_custom_functional_spec place = {.name = "place", .unit = "m^2", .terminal = position};
  place.integrand = wrong == INTEGRAND ? position : NULL;
  place.instant = instant_of(wrong);
  gradyn_custom_functional(m, &place);
  gradyn_custom_functional(m, &(gradyn_custom_functional_spec){"rate", "m^2/s^2", NULL, rate,
                                                               &factor, 1, .instant = 0.5});
  gradyn_functional(m, &(gradyn_functional_spec){"effort", gradyn_measure_signal(m, "", push),
                                                 .reduction = GRADYN_SQUARE_INTEGRAL});
  gradyn_custom_functional(m,
                           &(gradyn_custom_functional_spec){"load", "N", NULL, load, .instant = 1});
  gradyn_functional(
      m, &(gradyn_functional_spec){"speed", gradyn_measure_point(m, "", tip, 1, GRADYN_ALL_AXES),
                                   .reduction = GRADYN_SQUARE_INTEGRAL});
  return gradyn_build_status(m);
}

static const gradyn_param params[] = {{"length", "m", .init = 1.1, GRADYN_UNBOUNDED},
                                      {"knot", "N", .init = 1, GRADYN_UNBOUNDED}};
static const gradyn_setting settings[] = {{"fault", "what is wrong", 0, 0, NEGATIVE},
                                          {"jumps", "of the signal, at instants", 0, 0, 1}};
static const gradyn_problem swing = PROBLEM("swing", build, params, .settings = settings,
                                            .setting_count = 2, .t_end = 1, .step = 5e-3);

TEST(direct_equals_adjoint)
{
  for (int k = 0; k < METHODS; k++) {
    run_setup setup = {.problem = &swing, .method = methods[k]};
    ali3p_compare_data(&setup, NULL, 1e-10);
    ali3p_compare_differences(&setup, 4e-3, 1e-7);
    setup.memory = 40000;
    ali3p_compare_data(&setup, NULL, 1e-10);
  }
}

/* The values are those of the trajectory's rows. */
TEST(values_are_those_of_the_trajectory)
{
  for (int k = 0; k < METHODS; k++) {
    double rho[2], psi[FUNCTIONALS], y[3][32];
    run_setup setup = {.problem = &swing, .method = methods[k]};
    run_local *ev = ali3p_open(&setup);
    OWNED(gradyn_trajectory) *trajectory = gradyn_trajectory_create();
    run_initial(ev, rho);
    assert_run(gradyn_evaluator_simulate(ev, rho, psi, trajectory), ev);
    const size_t rows[] = {50, 100, 200};
    for (int i = 0; i < 3; i++)
      assert_close(gradyn_trajectory_step(trajectory, rows[i], y[i]), 5e-3 * (double)rows[i], 1e-14,
                   0);
    assert_close(psi[0], 1, 0, 0);
    assert_close(psi[1], y[0][0] * y[0][3] + 0.25 * 2, 1e-14, 0); /* push(0.25) = (3 + 1)/2 */
    assert_close(psi[2], y[1][6] * y[1][6] + 0.3 * y[1][7], 1e-13, 0);
    assert_close(psi[4], y[2][12] + y[2][10], 1e-13, 0);
  }
}

/* If the time of a functional is inside a step, the method ends a shorter step there, also if build()
 * determines the end time. */
TEST(times_inside_steps_are_differentiated)
{
  const fault where[] = {MISSED, BUILT_END};
  for (int k = 0; k < 2 * METHODS; k++) {
    run_setup setup = {.problem = &swing,
                       .method = methods[k / 2],
                       .setting = "fault",
                       .value = (int)where[k % 2]};
    ali3p_compare_data(&setup, NULL, 1e-10);
    ali3p_compare_differences(&setup, 4e-3, 1e-7);
    setup.memory = 40000;
    ali3p_compare_data(&setup, NULL, 1e-10);
  }
}

/* Computes functionals; steps: number of the step that ends at the given time. */
static void sample_inside(run_setup *setup, size_t steps, double *psi)
{
  double rho[2], y[32];
  run_local *ev = ali3p_open(setup);
  OWNED(gradyn_trajectory) *trajectory = gradyn_trajectory_create();
  run_initial(ev, rho);
  assert_run(gradyn_evaluator_simulate(ev, rho, psi, trajectory), ev);
  if (steps > 0)
    assert_close(gradyn_trajectory_step(trajectory, steps, y), 0.2505, 1e-15, 0);
}

/* The value agrees with the motion at this time, to second order. */
TEST(times_inside_steps_are_exact)
{
  double exact[FUNCTIONALS], coarse[FUNCTIONALS], fine[FUNCTIONALS];
  run_setup setup = {
      .problem = &swing, .setting = "fault", .value = MISSED, .method = "explicit", .rtol = 1e-10};
  sample_inside(&setup, 0, exact);
  setup.rtol = 0;
  for (int k = 0; k < METHODS; k++) {
    setup.method = methods[k];
    /* the run would need 50.1 steps: it has 51 equal ones, which are shorter than requested */
    setup.step = 5e-3;
    sample_inside(&setup, 51, coarse);
    setup.step = 1.25e-3;
    sample_inside(&setup, 201, fine);
    for (int f = 1; f < 3; f++) {
      const double error = fabs(coarse[f] - exact[f]);
      assert_true(error < 1e-3 * fabs(exact[f]) && fabs(fine[f] - exact[f]) < 0.08 * error);
    }
  }
}

/* The derivative with respect to the end time has no part from the motion, since the time of the functional
 * stays; it has one from the signal, which is stretched. */
TEST(times_stay_if_the_end_moves)
{
  for (int k = 0; k < METHODS; k++) {
    double rho[2], psi[FUNCTIONALS], gradient[FUNCTIONALS * 64];
    run_setup setup = {.problem = &swing, .method = methods[k]};
    run_local *ev = ali3p_open(&setup);
    run_initial(ev, rho);
    size_t count = gradyn_evaluator_model_info(ev).data, end = 0;
    assert_in_range(count, 10, 64);
    assert_run(gradyn_evaluator_data_gradient(ev, rho, psi, gradient), ev);
    while (strcmp(gradyn_datum_at(ev, end).name, "t_end") != 0)
      end++;
    assert_close(gradient[end], 1, 1e-15, 0);
    /* The force at t < T/2 is 3 + (knot - 3) 2 t/T, so that dF/dT = (3 - knot) 2 t/T^2. Functional `place`
     * contains t u explicitly and changes by 4 t^2 = 0.25; the motion adds little in so short a time. */
    assert_close(gradient[count + end], 0.25, 0, 0.05);
  }
}

/* Computes derivatives with respect to all data, [functionals][data]; returns the number of data. */
static size_t by_data(const run_setup *setup, size_t *end, double *gradient)
{
  double rho[2], psi[FUNCTIONALS];
  run_local *ev = ali3p_open(setup);
  run_initial(ev, rho);
  const size_t count = gradyn_evaluator_model_info(ev).data;
  assert_in_range(count, 10, 64);
  assert_run(gradyn_evaluator_data_gradient(ev, rho, psi, gradient), ev);
  for (*end = 0; strcmp(gradyn_datum_at(ev, *end).name, "t_end") != 0;)
    ++*end;
  return count;
}

/* Two functionals are evaluated at times at which the signal jumps. If the end time changes, the jumps move
 * but the functionals do not, and the value before the jump counts. The force before the first one is
 * constant; the second one also depends on the moving jump halfway. */
TEST(times_stay_if_a_jump_moves)
{
  static double exact[FUNCTIONALS * 64], gradient[FUNCTIONALS * 64];
  size_t end;
  run_setup setup = {
      .problem = &swing, .setting = "jumps", .value = 1, .method = "explicit", .rtol = 1e-10};
  const size_t count = by_data(&setup, &end, exact);
  assert_close(exact[count + end], 0, 0, 1e-12);
  assert_true(fabs(exact[2 * count + end]) > 0.1);
  setup.step = 1e-3;
  for (int k = 0; k < METHODS; k++) {
    setup.method = methods[k];
    ali3p_compare_data(&setup, NULL, 1e-10);
    assert_int_equal(by_data(&setup, &end, gradient), count);
    for (size_t f = 0; f < 3; f++) /* of position and rate; both have errors of second order */
      assert_close_array(gradient + f * count, exact + f * count, count, 1e-3, 1e-4);
  }
}

/* --- refusals ------------------------------------------------------------------------------------- */

static void refuse(const char *method, fault wrong, gradyn_status expected, const char *part)
{
  double rho[2] = {1.1, 1}, psi[FUNCTIONALS];
  run_local *ev;
  gradyn_status status = run_try(&ev, &swing, .method = method, .setting = "fault",
                                 .value = (int)wrong);
  if (status == GRADYN_OK)
    status = gradyn_evaluator_simulate(ev, rho, psi, NULL);
  assert_status(status, expected, gradyn_evaluator_message(ev));
  assert_says(gradyn_evaluator_message(ev), part);
}

TEST(wrong_times_are_refused)
{
  for (int k = 0; k < METHODS; k++) {
    refuse(methods[k], LATE, GRADYN_INVALID, "after the end of the run");
    refuse(methods[k], INTEGRAND, GRADYN_INVALID, "has a time: set .terminal, and no .integrand");
    refuse(methods[k], NEGATIVE, GRADYN_INVALID, "its time is -1 s");
  }
}
