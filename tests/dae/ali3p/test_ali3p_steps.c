/* Integration by ALI3-P: steps that fail, user functions that fail, nodes recomputed to save memory. */
#include "dae/fixed/fixed.h"
#include "tests/adjoint/ali3p_models.h"

/* --- steps that are too long ------------------------------------------------------------------------ */

/* A rod thrown at high speed against a stiff spring, with a step that is far too long for it. */
static gradyn_status throw(gradyn_model * m, const gradyn_scalar rho[])
{
  int A = gradyn_ground_point(m, "A", 0, 0), B = gradyn_ground_point(m, "B", 0.3, 1.1);
  int p = gradyn_point(m, "p", 1, 0), q = gradyn_point(m, "q", 2, 0);
  gradyn_initial_velocity(m, q, 0, rho[0]);
  gradyn_rod(m, &(gradyn_rod_spec){"Ap", A, p, .length = 1, .mass = rho[1]});
  gradyn_rod(m, &(gradyn_rod_spec){"pq", p, q, .length = 1, .mass = 1});
  gradyn_spring(m, &(gradyn_spring_spec){"S", B, q, .k = rho[2], .c = 2, .free_length = 1});
  gradyn_gravity(m, 0, -9.81);
  gradyn_minimise(
      m,
      gradyn_functional(
          m, &(gradyn_functional_spec){"track", gradyn_measure_point(m, "", q, 0, GRADYN_ALL_AXES),
                                       .reduction = GRADYN_SQUARE_INTEGRAL, .target = {1, 1}}),
      1);
  gradyn_functional(m, &(gradyn_functional_spec){"energy", gradyn_measure_energy(m, ""),
                                                 .reduction = GRADYN_AT_END});
  return gradyn_build_status(m);
}

static const gradyn_param throw_params[] = {{"speed", "m/s", .init = 30.0, GRADYN_UNBOUNDED},
                                            {"mass", "kg", .init = 1.0, GRADYN_UNBOUNDED},
                                            {"stiffness", "N/m", .init = 2000, GRADYN_UNBOUNDED}};
static const gradyn_problem thrown = PROBLEM("thrown", throw, throw_params, .t_end = 1,
                                             .step = 0.05);

TEST(long_steps_are_divided)
{
  run_setup s = {.problem = &thrown};
  double gradient[6];
  const double rho[] = {30, 1, 2000};
  run_local *ev = ali3p_open(&s);
  assert_run(gradyn_evaluator_gradient(ev, rho, NULL, gradient), ev);
  assert_true(run_warning(ev, GRADYN_WARNING_STEPS_SUBDIVIDED).count > 0);
  assert_in_range(gradyn_evaluator_statistics(ev).steps, 21, 200);
  /* at nearby parameters the same steps are divided, so that the result is a smooth function of them */
  ali3p_compare_differences(&s, 1e-5, 1e-6);
  ali3p_compare_data(&s, NULL, 1e-9);
}

/* The reported numbers of divided steps; psi is 1.64 here, and 2.12 with a shorter step. */
TEST(subdivided_steps_are_reported)
{
  static const char text[] = "3 of 23 steps were divided or moved";
  run_local *ev = ali3p_open(&(run_setup){.problem = &thrown});
  const double rho[] = {30, 1, 2000}, gentle[] = {7, 1, 2000};
  double psi[2], gradient[6];
  LOCAL(gradyn_search_result) result;
  assert_run(gradyn_evaluator_simulate(ev, rho, psi, NULL), ev);
  assert_says(gradyn_evaluator_warnings(ev), text);
  assert_run(gradyn_evaluator_gradient(ev, rho, psi, gradient), ev);
  assert_says(gradyn_evaluator_warnings(ev), text);
  assert_run(gradyn_evaluator_simulate(ev, gentle, psi, NULL), ev);
  assert_says(gradyn_evaluator_warnings(ev), "1 of 21 steps were divided or moved");
  gradyn_search search = run_search(ev);
  search.max_evaluations = 1;
  gradyn_optimise(ev, &search, rho, &result);
  assert_int_equal(result.warnings[0].code, GRADYN_WARNING_STEPS_SUBDIVIDED);
  assert_says(result.warnings[0].text, text);
}

/* 20 steps, each of which would need 30 divisions and more. */
TEST(divisions_are_limited)
{
  run_local *ev = ali3p_open(&(run_setup){.problem = &thrown});
  const double rho[] = {1, 1, 2e7};
  assert_refused(gradyn_evaluator_simulate(ev, rho, NULL, NULL), ev, GRADYN_STEP_LIMIT,
                 "in a run of 20 steps of 0.05 s: choose a");
  assert_string_equal(gradyn_evaluator_warnings(ev), "");
}

TEST(short_steps_are_not_divided)
{
  run_setup s = {.problem = &thrown, .step = 1e-3};
  double gradient[6];
  const double rho[] = {30, 1, 2000};
  run_local *ev = ali3p_open(&s);
  assert_run(gradyn_evaluator_gradient(ev, rho, NULL, gradient), ev);
  assert_int_equal(run_warning(ev, GRADYN_WARNING_STEPS_SUBDIVIDED).code, 0);
  assert_int_equal(gradyn_evaluator_statistics(ev).steps, 1000);
}

/* --- steps that cannot succeed ------------------------------------------------------------------------ */

/* A force that jumps with the position, so that the equations of a step have no solution. */
FORMULAS(flutter, 0, creal(at->t) < 0.1 ? 0 : 1e6 * cos(1e12 * creal(at->pos[1])))

static gradyn_status build_flutter(gradyn_model *m, const gradyn_scalar rho[])
{
  int A = gradyn_ground_point(m, "A", 0, 0), p = gradyn_point(m, "p", 1, 0);
  gradyn_rod(m, &(gradyn_rod_spec){"arm", A, p, .length = 1, .mass = rho[0]});
  gradyn_gravity(m, 0, -9.81);
  gradyn_custom_force(m,
                      &(gradyn_custom_force_spec){.points = &p, .point_count = 1, .fn = flutter});
  gradyn_minimise(
      m,
      gradyn_functional(
          m, &(gradyn_functional_spec){"track", gradyn_measure_point(m, "", p, 0, GRADYN_ALL_AXES),
                                       .reduction = GRADYN_SQUARE_INTEGRAL}),
      1);
  return gradyn_build_status(m);
}

static const gradyn_param mass[] = {{"mass", "kg", .init = 1.0, GRADYN_UNBOUNDED}};
static const gradyn_problem fluttering = PROBLEM("fluttering", build_flutter, mass, .t_end = 1,
                                                 .step = 0.01);

TEST(hopeless_steps_are_reported)
{
  run_local *ev = ali3p_open(&(run_setup){.problem = &fluttering});
  double rho = 1, psi;
  assert_status(gradyn_evaluator_simulate(ev, &rho, &psi, NULL), GRADYN_NOT_CONVERGED,
                gradyn_evaluator_message(ev));
  const char *message = gradyn_evaluator_message(ev), *time = strstr(message, "t = ");
  assert_non_null(time);
  assert_close(strtod(time + 4, NULL), 0.1, 0.02, 0);
  assert_says(message, "last correction");
  assert_says(message, "worst constraint arm");
  assert_says(message, "halving the step 10 times did not help");
  assert_true(gradyn_evaluator_statistics(ev).steps >= 9);
}

/* --- a user's function that fails --------------------------------------------------------------------- */

static gradyn_status fail_late(const gradyn_at *at, gradyn_scalar force[])
{
  (void)force;
  return creal(at->t) > 0.3 && *(bool *)at->user ? GRADYN_CALLBACK : GRADYN_OK;
}

static bool failing;

static gradyn_status build_failing(gradyn_model *m, const gradyn_scalar rho[])
{
  int A = gradyn_ground_point(m, "A", 0, 0), p = gradyn_point(m, "p", 1, 0);
  gradyn_rod(m, &(gradyn_rod_spec){"arm", A, p, .length = 1, .mass = rho[0]});
  gradyn_custom_force_spec spec = {"late", &p, 1, fail_late, NULL, 0, &failing, NULL, 0};
  gradyn_custom_force(m, &spec);
  gradyn_gravity(m, 0, -9.81);
  gradyn_minimise(
      m,
      gradyn_functional(
          m, &(gradyn_functional_spec){"track", gradyn_measure_point(m, "", p, 0, GRADYN_ALL_AXES),
                                       .reduction = GRADYN_SQUARE_INTEGRAL, .target = {0, 0.5}}),
      1);
  return gradyn_build_status(m);
}

static const gradyn_problem fails = PROBLEM("fails", build_failing, mass, .t_end = 1, .step = 0.01);

/* A failure of a user function does not shorten steps, is reported unchanged, and leaves the evaluator
 * usable. */
TEST(failing_functions_stop_the_run)
{
  run_local *ev = ali3p_open(&(run_setup){.problem = &fails});
  double rho = 1, before[2], after[2], psi, gradient;
  failing = false;
  assert_run(gradyn_evaluator_gradient(ev, &rho, &before[0], &before[1]), ev);
  failing = true;
  assert_status(gradyn_evaluator_simulate(ev, &rho, &psi, NULL), GRADYN_CALLBACK, "");
  assert_says(gradyn_evaluator_message(ev), "late");
  assert_int_equal(gradyn_evaluator_statistics(ev).steps, 30);
  assert_int_equal(gradyn_evaluator_findings(ev).divided, 0);
  assert_status(gradyn_evaluator_gradient(ev, &rho, &psi, &gradient), GRADYN_CALLBACK, "");
  failing = false;
  assert_run(gradyn_evaluator_gradient(ev, &rho, &after[0], &after[1]), ev);
  assert_memory_equal(before, after, sizeof before);
}

/* --- nodes recomputed ------------------------------------------------------------ */

/* With few stored nodes, results have the same bits, by direct and adjoint, also if steps have been
 * divided. */
static void checkpoints_change_nothing(const gradyn_problem *problem, double step)
{
  static double full[ALI3P_MOST], thrifty[ALI3P_MOST];
  for (int adjoint = 0; adjoint < 2; adjoint++) {
    double psi[2][8] = {{0}};
    run_setup s = {.problem = problem, .step = step, .sensitivity = adjoint ? "adjoint" : "direct"};
    memset(full, 0, sizeof full);
    memset(thrifty, 0, sizeof thrifty);
    ali3p_gradient(&s, psi[0], full, NULL);
    s.memory = 1e5;
    ali3p_gradient(&s, psi[1], thrifty, NULL);
    assert_memory_equal(psi[0], psi[1], sizeof psi[0]);
    assert_memory_equal(full, thrifty, sizeof full);
    assert_true(fabs(full[0]) > 0);
  }
}

TEST(recomputed_nodes_have_the_same_bits)
{
  checkpoints_change_nothing(&gradyn_problem_five_bar, 5e-3);
  checkpoints_change_nothing(&gradyn_problem_five_bar, 1e-3);
  checkpoints_change_nothing(&gradyn_problem_parallel_bars, 4e-3);
  checkpoints_change_nothing(&gradyn_problem_chain, 1e-3);
  checkpoints_change_nothing(&ali3p_driven, 2e-3);
  checkpoints_change_nothing(&thrown, 0.05);
}

/* Bytes that a run stores for a gradient within the permitted memory; 0: the run is refused. */
static double bytes_kept(double memory)
{
  gradyn_model *model;
  gradyn_stepper *stepper;
  LOCAL(gradyn_fixed) march;
  const gradyn_problem *problem = &gradyn_problem_five_bar;
  gradyn_scalar rho[5];
  for (size_t j = 0; j < 5; j++)
    rho[j] = problem->params[j].init;
  gradyn_options options = run_options(problem);
  options.memory = memory;
  options.step = 1e-3;
  gradyn_status status = gradyn_model_create(problem, NULL, 0, 0, rho, &model);
  assert_ok(status, model->message.text);
  assert_ok(gradyn_ali3p_create(model, &options, &stepper), model->message.text);
  assert_ok(gradyn_fixed_create(model, stepper, &options, &march), model->message.text);
  status = gradyn_model_load(model, NULL);
  status = status == GRADYN_OK ? gradyn_fixed_run(&march, true, NULL, NULL) : status;
  double bytes = (double)(march.kept.node_room + march.kept.replay_room) * sizeof(double);
  if (status != GRADYN_OK) {
    assert_status(status, GRADYN_NO_MEMORY, model->message.text);
    assert_says(model->message.text, "the option memory allows");
    bytes = 0;
  }
  gradyn_model_free(model);
  return bytes;
}

TEST(memory_stays_within_its_limit)
{
  double all = bytes_kept(0);
  assert_true(all > 5000 * 60 * sizeof(double));
  for (double memory = 1e7; memory > 8e4; memory *= 0.7) {
    double bytes = bytes_kept(memory);
    assert_true(bytes > 0 && bytes <= memory);
    assert_true(memory >= all ? bytes == all : bytes < all / 10);
  }
  assert_true(bytes_kept(1e4) == 0);
}

/* Results depend only on the parameters, not on earlier evaluations. */
TEST(evaluations_leave_no_trace)
{
  run_local *ev = ali3p_open(&(run_setup){.problem = &gradyn_problem_parallel_bars, .step = 1e-3});
  double rho[4], psi[2][3], gradient[2][12];
  run_initial(ev, rho);
  for (int k = 0; k < 2; k++) {
    assert_run(gradyn_evaluator_gradient(ev, rho, psi[k], gradient[k]), ev);
    rho[0] *= 1.1;
    assert_run(gradyn_evaluator_simulate(ev, rho, NULL, NULL), ev);
    run_initial(ev, rho);
  }
  assert_memory_equal(psi[0], psi[1], sizeof psi[0]);
  assert_memory_equal(gradient[0], gradient[1], sizeof gradient[0]);
}
