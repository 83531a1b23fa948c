/* The explicit method: its order in values and gradients, constraints, given times, and messages where it
 * is not suitable. */
#include <tgmath.h>

#include "tests/adjoint/ali3p_models.h"
#include "tests/declare.h"

/* --- a heavy top on a spring ---------------------------------------------------------------------- */

static const gradyn_param params[] = {
    {"spin", "rad/s", .init = 6.0, GRADYN_UNBOUNDED},
    {"mass", "kg", .init = 1.5, GRADYN_UNBOUNDED},
    {"reach", "m", .init = 0.4, GRADYN_UNBOUNDED},
    {"stiffness", "N/m", .init = 25.0, GRADYN_UNBOUNDED},
};

enum { SPIN, MASS, REACH, STIFFNESS, PARAMS, FUNCTIONALS = 4 };

FORMULA(height, at->pos[3 * *(int *)at->user + 2])

static gradyn_status build_top(gradyn_model *m, const gradyn_scalar rho[])
{
  static int tip;
  int foot = gradyn_ground_point_3d(m, "foot", 0, 0, 0);
  int wall = gradyn_ground_point_3d(m, "wall", 1, 0.5, 0.8);
  int body = gradyn_body_3d(m, &(gradyn_body_spec){.name = "top",
                                                   .centre = {0.1, 0, rho[REACH]},
                                                   .mass = rho[MASS],
                                                   .inertia = {0.03, 0.025, 0.02, 0.001, 0, 0},
                                                   .velocity = {0, 0.2, 0},
                                                   .omega = {0.3, 0, rho[SPIN]}});
  int end = gradyn_body_point_3d(m, body, "end", 0, 0, 0);
  tip = gradyn_body_point_3d(m, body, "tip", 0.15, 0.05, 2 * rho[REACH]);
  gradyn_pin(m, "joint", foot, end);
  gradyn_spring(m, &(gradyn_spring_spec){"spring", wall, tip, .k = rho[STIFFNESS], .c = 0.3,
                                         .free_length = 0.6});
  gradyn_gravity_3d(m, 0, 0, -9.81);
  gradyn_minimise(
      m,
      gradyn_functional(m,
                        &(gradyn_functional_spec){
                            "track", gradyn_measure_point(m, "", tip, 0, GRADYN_ALL_AXES),
                            .reduction = GRADYN_SQUARE_INTEGRAL, .target = {0.2, 0.1, 0.7}}),
      1);
  gradyn_functional(
      m, &(gradyn_functional_spec){"smooth", gradyn_measure_point(m, "", tip, 2, GRADYN_ALL_AXES),
                                   .reduction = GRADYN_SQUARE_INTEGRAL});
  gradyn_functional(m, &(gradyn_functional_spec){"energy", gradyn_measure_energy(m, ""),
                                                 .reduction = GRADYN_AT_END});
  gradyn_custom_functional(m, &(gradyn_custom_functional_spec){"height", "m", NULL, height,
                                                               .user = &tip, .instant = 0.4});
  return gradyn_build_status(m);
}

static const gradyn_problem top = PROBLEM("top", build_top, params, .t_end = 1);

/* --- a DAE: y' = -z, z^3 + k z = y + sin(2 t)/3 ---------------------------------------------------- */

static const gradyn_param dae_params[] = {{"k", "", .init = 1.5, GRADYN_UNBOUNDED},
                                          {"T", "s", .init = 2.0, GRADYN_UNBOUNDED}};

static gradyn_status cubic(const gradyn_at *at, gradyn_scalar F[])
{
  gradyn_scalar y = at->y[0], z = at->y[1];
  F[0] = at->yp[0] + z;
  F[1] = z * z * z + at->data[0] * z - y - sin(2 * at->t) / 3;
  return GRADYN_OK;
}

FORMULA(z_squared, at->y[1] * at->y[1])
FORMULA(z_end, at->y[1] + at->t)

static gradyn_status build_cubic(gradyn_model *m, const gradyn_scalar rho[])
{
  gradyn_end_time(m, rho[1]);
  gradyn_state(m, "y", "", 1);
  gradyn_algebraic_state(m, "z", "", 0.5);
  declare_equations(m, cubic, (gradyn_datum[]){{"k", "", rho[0]}}, 1);
  gradyn_minimise(m, declare_integral(m, "square", "s", z_squared), 1);
  declare_end(m, "end", "", z_end);
  return gradyn_build_status(m);
}

static const gradyn_problem dae = PROBLEM("dae", build_cubic, dae_params, .t_end = 2);

/* --- order -------------------------------------------------------------------------------------------- */

enum { VALUES = 128 };

/* Functionals, then their gradients. */
static size_t evaluate(const run_setup *setup, double value[VALUES])
{
  run_local *ev = ali3p_open(setup);
  double rho[16];
  size_t count = run_initial(ev, rho), nf = gradyn_functional_count(ev);
  assert_in_range(nf * (count + 1), 1, VALUES);
  assert_run(gradyn_evaluator_gradient(ev, rho, value, value + nf), ev);
  return nf * (count + 1);
}

static double distance(const double a[], const double b[], size_t count)
{
  double worst = 0;
  for (size_t i = 0; i < count; i++)
    worst = fmax(worst, fabs(a[i] - b[i]) / (1e-3 + fabs(b[i])));
  return worst;
}

/* With half the step, all errors must be smaller by 2^order or more. */
static void converges(run_setup setup, double step)
{
  double exact[VALUES], coarse[VALUES], fine[VALUES];
  int order = setup.order;
  setup.order = 8;
  setup.step = step / 12;
  size_t count = evaluate(&setup, exact);
  setup.order = order;
  setup.step = step;
  evaluate(&setup, coarse);
  setup.step = step / 2;
  evaluate(&setup, fine);
  double before = distance(coarse, exact, count), after = distance(fine, exact, count);
  print_message("%s, order %d: errors %.2g, %.2g, observed order %.2f\n", setup.problem->name,
                order, before, after, log2(before / after));
  assert_true(after > 1e-13); /* the error must be above round-off, otherwise it shows no order */
  assert_true(log2(before / after) > order - 0.4);
}

TEST(steps_are_of_their_order)
{
  static const char *const ways[] = {"adjoint", "direct"};
  for (int way = 0; way < 2; way++) {
    run_setup setup = {.method = "explicit", .sensitivity = ways[way], .t_end = 1};
    setup.order = 8;
    setup.problem = &gradyn_problem_five_bar;
    converges(setup, 0.125);
    setup.problem = &top;
    converges(setup, 0.05);
    setup.t_end = 0; /* a parameter of the DAE */
    setup.problem = &dae;
    converges(setup, 0.5);
    setup.order = 5;
    converges(setup, 0.25);
    setup.t_end = 1;
    setup.problem = &gradyn_problem_five_bar;
    converges(setup, 0.0625);
    setup.problem = &top;
    converges(setup, 0.02);
  }
}

/* --- constraints, instants --------------------------------------------------------------------------- */

TEST(constraints_stay_at_round_off)
{
  double gradient[VALUES];
  static const gradyn_problem *const problems[] = {&top, &gradyn_problem_five_bar, &ali3p_driven};
  for (size_t k = 0; k < GRADYN_COUNT(problems); k++) {
    gradyn_statistics statistics;
    run_setup setup = {.problem = problems[k], .method = "explicit", .rtol = 1e-6};
    ali3p_gradient(&setup, NULL, gradient, &statistics);
    assert_true(statistics.drift_position < 1e-14);
    assert_true(statistics.drift_velocity < 1e-13);
    assert_true(statistics.drift_acceleration < 1e-11);
  }
}

TEST(gradients_at_given_times_agree)
{
  run_setup setup = {.problem = &top, .method = "explicit", .step = 0.03};
  ali3p_compare_data(&setup, NULL, 1e-11);
  ali3p_compare_differences(&setup, 2e-3, 1e-8);
  setup.step = 0;
  setup.rtol = 1e-9;
  ali3p_compare_data(&setup, NULL, 1e-11);
}

/* A state between two steps of a run, by interpolation, against a run that ends at that time. */
TEST(trajectories_can_be_sampled)
{
  run_setup setup = {.problem = &top, .method = "explicit", .rtol = 1e-10};
  run_local *ev = ali3p_open(&setup);
  OWNED(gradyn_trajectory) *path = gradyn_trajectory_create(), *end = gradyn_trajectory_create();
  double rho[PARAMS], at[100], expected[100];
  run_initial(ev, rho);
  assert_run(gradyn_evaluator_simulate(ev, rho, NULL, path), ev);
  gradyn_evaluator_free(ev);
  setup.t_end = 0.7321;
  ev = ali3p_open(&setup);
  assert_run(gradyn_evaluator_simulate(ev, rho, NULL, end), ev);
  gradyn_trajectory_sample(path, 0.7321, at);
  gradyn_trajectory_step(end, gradyn_trajectory_read(end).steps - 1, expected);
  assert_close_array(at, expected, 12, 0, 1e-9);           /* positions */
  assert_close_array(at + 12, expected + 12, 12, 0, 1e-6); /* velocities */
}

static void fails(const run_setup *setup, gradyn_status expected, const char *word)
{
  run_local *ev = ali3p_open(setup);
  double rho[64];
  run_initial(ev, rho);
  assert_status(gradyn_evaluator_simulate(ev, rho, NULL, NULL), expected,
                gradyn_evaluator_message(ev));
  assert_says(gradyn_evaluator_message(ev), word);
}

TEST(stiffness_is_reported)
{
  run_setup setup = {.problem = &gradyn_problem_rigid_spring_beam, .method = "explicit"};
  for (setup.order = 5; setup.order <= 8; setup.order += 3)
    for (setup.rtol = 1e-3; setup.rtol > 1e-6; setup.rtol /= 100)
      fails(&setup, GRADYN_STIFF, "idas");
}

TEST(general_equations_have_exact_gradients)
{
  for (int order = 5; order <= 8; order += 3) {
    run_setup setup = {.problem = &dae, .method = "explicit", .step = 0.2, .order = order};
    ali3p_compare_data(&setup, NULL, 1e-11);
    ali3p_compare_differences(&setup, 1e-2, 1e-9);
    setup.step = 0;
    setup.rtol = 1e-7;
    setup.problem = &gradyn_problem_brachistochrone;
    ali3p_compare_data(&setup, NULL, 1e-11);
    setup.problem = &gradyn_problem_double_integrator;
    ali3p_compare_data(&setup, NULL, 1e-11);
  }
}

/* `auto` reports the method that it has chosen, and has its results. */
TEST(the_choice_is_reported)
{
  const struct {
    const gradyn_problem *problem;
    const char *method;
  } expected[] = {{&gradyn_problem_five_bar, "explicit"}, {&gradyn_problem_robertson, "radau"}};
  for (size_t k = 0; k < GRADYN_COUNT(expected); k++) {
    double a[64], b[64];
    gradyn_statistics statistics;
    run_setup setup = {.problem = expected[k].problem, .method = "auto"};
    ali3p_gradient(&setup, NULL, a, &statistics);
    assert_string_equal(statistics.method, expected[k].method);
    setup.method = expected[k].method;
    ali3p_gradient(&setup, NULL, b, NULL);
    assert_memory_equal(a, b, 12 * sizeof *a);
  }
}

TEST(wrong_orders_are_refused)
{
  assert_no_run(GRADYN_INVALID, "8 or 5", &top, .method = "explicit", .order = 6);
}
