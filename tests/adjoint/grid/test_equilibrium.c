/* Runs that start in static equilibrium: derivatives of all methods against each other and differences;
 * equilibria of redundant mechanisms. */
#include "problems/builtin.h"
#include "tests/adjoint/ali3p_models.h"
#include "tests/declare.h"

static const gradyn_param params[] = {{"upper", "m", .init = 1, GRADYN_UNBOUNDED},
                                      {"lower", "m", .init = 0.7, GRADYN_UNBOUNDED},
                                      {"stiffness", "N/m", .init = 30, GRADYN_UNBOUNDED},
                                      {"free", "m", .init = 1.1, GRADYN_UNBOUNDED},
                                      {"mass", "kg", .init = 0.4, GRADYN_UNBOUNDED},
                                      {"anchor", "m", .init = 2, GRADYN_UNBOUNDED},
                                      {"push", "N", .init = 0.6, GRADYN_UNBOUNDED}};
enum { UPPER, LOWER, STIFFNESS, FREE, MASS, ANCHOR, PUSH, PARAMETERS };
enum { TRACK, END, REACTION, FUNCTIONALS };

/* Two rods, the lower one held by a spring. The declared positions are no equilibrium. A push begins during
 * the run. */
static gradyn_status hanging(gradyn_model *model, const gradyn_scalar rho[])
{
  int a = gradyn_ground_point(model, "a", 0, 0),
      b = gradyn_ground_point(model, "b", rho[ANCHOR], 0.3);
  int p = gradyn_point(model, "p", 0.2, 0.9), q = gradyn_point(model, "q", 0.9, 1.1);
  gradyn_rod(model, &(gradyn_rod_spec){"u", a, p, .length = rho[UPPER], .mass = 1});
  gradyn_rod(model, &(gradyn_rod_spec){"l", p, q, .length = rho[LOWER], .mass = rho[MASS]});
  gradyn_spring(model, &(gradyn_spring_spec){.name = "s",
                                             .from = q,
                                             .to = b,
                                             .k = rho[STIFFNESS],
                                             .free_length = rho[FREE],
                                             .c = 0.6});
  const gradyn_scalar knots[] = {0, rho[PUSH], 2};
  int u = declare_signal(model, "u", "", GRADYN_CUBIC_SPLINE, 3, knots);
  declare_push(model, "push", q, 3, 1, u);
  gradyn_gravity(model, 0, -9.81);
  gradyn_initial_velocity(model, q, 1, 1); /* of no effect */
  gradyn_start_in_equilibrium(model);
  gradyn_functional(model, &(gradyn_functional_spec){
                               "track", gradyn_measure_point(model, "", q, 0, GRADYN_ALL_AXES),
                               .reduction = GRADYN_SQUARE_INTEGRAL, .target = {1, -1}});
  gradyn_functional(
      model, &(gradyn_functional_spec){"end", gradyn_measure_point(model, "", q, 0, GRADYN_X),
                                       .reduction = GRADYN_AT_END});
  gradyn_functional(model,
                    &(gradyn_functional_spec){"reaction", gradyn_measure_multiplier(model, "", 1),
                                              .reduction = GRADYN_SQUARE_INTEGRAL});
  return gradyn_build_status(model);
}

static const gradyn_problem problem = PROBLEM("hanging", hanging, params, .t_end = 0.5,
                                              .step = 5e-3);

static gradyn_evaluator *create(const char *method, const char *sensitivity)
{
  return run_with(&problem, .method = method, .sensitivity = sensitivity, .rtol = 1e-10);
}

/* exact: tolerance of direct against adjoint. rough: of gradients against differences of runs, which have
 * the errors of the steps. */
static void compare(const char *method, double exact, double rough)
{
  const run_setup setup = {
      .problem = &problem, .method = method, .step = problem.step, .rtol = 1e-10};
  ali3p_compare_parameters(&setup, exact);
  ali3p_compare_differences(&setup, 1.6e-3, rough);
}

TEST(gradients_go_through_the_equilibrium)
{
  compare("ali3p", 1e-10, 1e-8);
  compare("variational", 1e-10, 1e-8);
  compare("explicit", 1e-10, 1e-8);
  compare("idas", 1e-7, 3e-6);
}

/* Without the push it stays. */
TEST(it_starts_at_rest)
{
  run_local *ev = create("ali3p", "adjoint");
  OWNED(gradyn_trajectory) *run = gradyn_trajectory_create();
  double rho[PARAMETERS], y[14];
  for (int i = 0; i < PARAMETERS; i++)
    rho[i] = params[i].init;
  assert_run(gradyn_evaluator_simulate(ev, rho, NULL, run), ev);
  assert_int_equal(gradyn_trajectory_read(run).columns, 14);
  (void)gradyn_trajectory_step(run, 0, y);
  assert_true(y[1] < 0 && y[3] < 0);
  for (int i = 4; i < 12; i++)
    assert_close(y[i], 0, 0, 1e-10);
}

/* The same parameters give the same bits, whatever was evaluated before. */
TEST(earlier_runs_leave_no_trace)
{
  run_local *ev = create("ali3p", "adjoint");
  double rho[PARAMETERS], psi[2][FUNCTIONALS], gradient[2][FUNCTIONALS][PARAMETERS];
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < PARAMETERS; i++)
      rho[i] = params[i].init;
    assert_run(gradyn_evaluator_gradient(ev, rho, psi[k], *gradient[k]), ev);
    for (int i = 0; i < PARAMETERS; i++)
      rho[i] *= 1.1;
    assert_run(gradyn_evaluator_simulate(ev, rho, NULL, NULL), ev);
  }
  assert_memory_equal(psi[1], psi[0], sizeof psi[0]);
  assert_memory_equal(gradient[1], gradient[0], sizeof gradient[0]);
}

/* A redundant rod changes neither the equilibrium nor the motion about it. */
TEST(a_redundant_rod_changes_nothing)
{
  static const double rho[][4] = {{1, 1, 20, 0.5}, {2, 1, 20, 0.5}, {0.5, 3, 200, 0}, {1, 1, 0, 1}};
  for (size_t i = 0; i < GRADYN_COUNT(rho); i++) {
    double frequency[2];
    for (int redundant = 0; redundant < 2; redundant++) {
      LOCAL(gradyn_linearisation) linear;
      gradyn_stability stability;
      run_local *ev = run_with(&gradyn_problem_parallel_bars, .setting = "redundant",
                               .value = redundant);
      assert_run(gradyn_equilibrium_compute(ev, rho[i], &stability, NULL, &linear), ev);
      assert_int_equal(stability, GRADYN_STABLE);
      frequency[redundant] = linear.stiffness;
    }
    assert_close(frequency[1], frequency[0], 1e-9, 0);
  }
}

/* Two rods that hold a mass: there is no degree of freedom. */
static gradyn_status bracket(gradyn_model *model, const gradyn_scalar rho[])
{
  int a = gradyn_ground_point(model, "a", 0, 0), b = gradyn_ground_point(model, "b", 0, 1);
  int p = gradyn_point(model, "p", rho[0], 0.5);
  gradyn_rod(model, &(gradyn_rod_spec){"lower", a, p, .length = 1, .mass = 1});
  gradyn_rod(model, &(gradyn_rod_spec){"upper", b, p, .length = 1, .mass = 1});
  gradyn_gravity(model, 0, -9.81);
  return gradyn_build_status(model);
}

TEST(immobile_models_are_stable)
{
  static const gradyn_param reach[] = {{"reach", "m", .init = 0.8, GRADYN_UNBOUNDED}};
  static const gradyn_problem fixed = PROBLEM("bracket", bracket, reach, .t_end = 1);
  LOCAL(gradyn_linearisation) linear;
  gradyn_stability stability;
  run_local *ev = run_with(.problem = &fixed);
  assert_run(gradyn_equilibrium_compute(ev, &reach[0].init, &stability, NULL, &linear), ev);
  assert_int_equal(stability, GRADYN_STABLE);
  assert_int_equal(linear.dof, 0);
  assert_true(linear.stiffness == 0 && linear.largest == 0);
}
