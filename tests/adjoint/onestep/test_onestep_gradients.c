/* Gradients of all one-step methods: direct against adjoint, stored or repeated stages, differences of the
 * run, and error control. Steps of one run that are used in another one give its gradient. */

#include "adjoint/evaluator/evaluator.h"
#include "dae/onestep/onestep.h"
#include "tests/adjoint/joint_friction_models.h"
#include "tests/adjoint/radau/order_models.h"

enum { FUNCTIONALS = 6, COLUMNS = 12, ROOM = 80 };

static const struct {
  const char *method;
  int order;
} schemes[] = {{"explicit", 8}, {"explicit", 5}, {"radau", 5}};

static run_setup setup_of(size_t k, const gradyn_problem *problem)
{
  return (run_setup){.problem = problem, .method = schemes[k].method, .order = schemes[k].order};
}

/* Models: small and dense, large and sparse; time functions, signals whose knots move with the end,
 * attached points; redundant constraints; multiplier-dependent friction; events; algebraic states;
 * stiffness. */
static const struct {
  run_setup setup;
  const char *only; /* method; NULL: all */
  bool (*counts)(const char *datum);
  bool slow; /* takes seconds */
} rows[] = {
    {.setup = {.problem = &gradyn_problem_five_bar, .step = 0.05}},
    {.setup = {.problem = &gradyn_problem_five_bar, .rtol = 1e-9}},
    {.setup = {.problem = &gradyn_problem_chain, .setting = "links", .value = 3, .step = 5e-3}},
    {.setup = {.problem = &gradyn_problem_chain,
               .setting = "links",
               .value = 20,
               .step = 2e-3,
               .t_end = 0.02}},
    {.setup = {.problem = &ali3p_driven, .step = 0.02}},
    {.setup = {.problem = &ali3p_driven, .rtol = 1e-8}},
    {.setup = {.problem = &ali3p_attached, .step = 0.02}},
    {.setup = {.problem = &gradyn_problem_parallel_bars,
               .setting = "redundant",
               .value = 1,
               .rtol = 1e-8},
     .only = "explicit",
     .counts = ali3p_keeps_parallel,
     .slow = true},
    {.setup = {.problem = &gradyn_problem_inverted_pendulum, .step = 2e-3, .t_end = 0.1}},
    {.setup = {.problem = &joint_friction_block, .step = 1e-3}},
    {.setup = {.problem = &joint_friction_block, .setting = "narrow", .value = 1, .step = 1e-4},
     .only = "radau",
     .slow = true},
    {.setup = {.problem = &order_pendulum, .step = 0.02}},
    {.setup = {.problem = &gradyn_problem_stick_slip, .rtol = 1e-6}, .only = "radau"},
    {.setup = {.problem = &gradyn_problem_bouncing_ball, .rtol = 1e-6}},
    {.setup = {.problem = &gradyn_problem_robertson, .rtol = 1e-6}, .only = "radau"},
    {.setup = {.problem = &gradyn_problem_brachistochrone, .rtol = 1e-7}},
};

THOROUGH_TEST(direct_equals_adjoint)
{
  for (size_t k = 0; k < GRADYN_COUNT(schemes); k++)
    for (size_t i = 0; i < GRADYN_COUNT(rows); i++) {
      run_setup setup = rows[i].setup;
      setup.method = schemes[k].method;
      setup.order = schemes[k].order;
      if ((!rows[i].only || strcmp(setup.method, rows[i].only) == 0) &&
          support_takes((int)(i + k) + (rows[i].only ? 0 : 2), rows[i].only ? 2 : 3) &&
          (!rows[i].slow || support_thorough()))
        ali3p_compare_data(&setup, rows[i].counts, 1e-11);
    }
}

/* Stages for which there is no memory are recomputed: no stage, a few and many stages are stored. */
TEST(memory_does_not_matter)
{
  for (size_t k = 0; k < GRADYN_COUNT(schemes); k++) {
    double roomy[ROOM], tight[ROOM];
    run_setup setup = setup_of(k, &ali3p_driven);
    setup.step = 0.02;
    ali3p_gradient(&setup, NULL, roomy, NULL);
    for (int i = 0; i < 3; i++) {
      setup.memory = (const double[]){1, 50000, 250000}[i];
      ali3p_gradient(&setup, NULL, tight, NULL);
      assert_close_array(tight, roomy, FUNCTIONALS * COLUMNS, 1e-12, 1e-12);
    }
  }
}

/* The number of stored stages is the largest for which there is memory. */
TEST(stages_fill_the_memory)
{
  for (size_t k = 0; k < GRADYN_COUNT(schemes); k++) {
    double rho[ROOM], psi[ROOM], gradient[ROOM];
    run_setup setup = setup_of(k, &ali3p_driven);
    setup.step = 0.02;
    setup.memory = 100000;
    run_local *ev = ali3p_open(&setup);
    run_initial(ev, rho);
    assert_run(gradyn_evaluator_gradient(ev, rho, psi, gradient), ev);
    const gradyn_onestep *run = ev->method->integration.onestep(ev->run);
    const double step = (double)gradyn_onestep_block(run) * sizeof(double);
    assert_true(step * run->count > setup.memory);
    assert_true(step * (double)run->kept.capacity <= setup.memory);
    assert_true(step * (double)(run->kept.capacity + 1) > setup.memory);
  }
}

TEST(differences_agree)
{
  for (size_t k = 0; k < GRADYN_COUNT(schemes); k++) {
    run_setup setup = setup_of(k, &ali3p_driven);
    setup.step = 0.02;
    if (support_takes((int)k, 2))
      ali3p_compare_differences(&setup, 4e-3, 1e-8);
    setup.problem = &ali3p_attached;
    if (support_takes((int)k + 1, 2))
      ali3p_compare_differences(&setup, 4e-3, 1e-8);
    if (!support_takes((int)k, 2))
      continue;
    setup = setup_of(k, &gradyn_problem_five_bar);
    setup.step = 0.1;
    setup.t_end = 2;
    ali3p_compare_differences(&setup, 2e-3, 1e-8);
  }
}

/* With error control the derivative treats the steps as constant. It must agree with the exact derivative
 * of the motion to the tolerance. */
TEST(gradients_by_error_are_those_of_the_motion)
{
  double fine[ROOM], gradient[ROOM];
  run_setup exact = {.problem = &ali3p_driven, .method = "explicit", .rtol = 1e-13};
  ali3p_gradient(&exact, NULL, fine, NULL);
  for (size_t k = 0; k < GRADYN_COUNT(schemes); k++) {
    run_setup setup = setup_of(k, &ali3p_driven);
    for (setup.rtol = 1e-5; setup.rtol > 1e-10; setup.rtol /= 100) {
      ali3p_gradient(&setup, NULL, gradient, NULL);
      assert_close_rows(gradient, fine, FUNCTIONALS, COLUMNS, 10 * setup.rtol);
    }
  }
}

/* Gradient of the problem's first run with error control, and of a second run with the same steps;
 * [nf][nx]. */
static void repeat(gradyn_evaluator *ev, const double *rho, double *first, double *again)
{
  double psi[8];
  bool active[200];
  assert_run(gradyn_evaluator_simulate(ev, rho, psi, NULL), ev);
  assert_in_range(ev->model->nx, 1, 200);
  for (int i = 0; i < 200; i++)
    active[i] = true;
  assert_run(ev->method->adjoint(ev->run, active, psi, first), ev);
  assert_run(ev->method->repeat(ev->run, 1, 1), ev);
  assert_run(ev->method->adjoint(ev->run, active, psi, again), ev);
}

TEST(given_steps_are_the_executed_steps)
{
  for (size_t k = 0; k < GRADYN_COUNT(schemes); k++) {
    double rho[16], first[2000], again[2000];
    run_setup setup = setup_of(k, &gradyn_problem_five_bar);
    setup.rtol = 1e-7;
    run_local *ev = ali3p_open(&setup);
    run_initial(ev, rho);
    repeat(ev, rho, first, again);
    const size_t nx = (size_t)ev->model->nx;
    assert_close_rows(again, first, 3, nx, 1e-10);
  }
}
