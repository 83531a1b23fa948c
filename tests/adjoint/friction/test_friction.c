/* Multiplier-dependent forces: the motion of a block with friction against its ordinary differential
 * equation, gradients direct against adjoint and differences, and models without a solution. */
#include "tests/adjoint/ali3p_models.h"
#include "tests/adjoint/friction/friction_models.h"

static const double block_rho[FRICTION_PARAMETERS] = {0.4, 0.3, 0.35, 30, -0.7};

static void simulate(const run_setup *setup, double *psi)
{
  double rho[FRICTION_PARAMETERS];
  run_local *ev = ali3p_open(setup);
  run_initial(ev, rho);
  assert_run(gradyn_evaluator_simulate(ev, rho, psi, NULL), ev);
}

/* ALI3-P with steps h and h/2: the error of the motion is of order h^2, but that of its multipliers is of
 * order h while the guide moves. */
static void ali3p_extrapolate(double *psi)
{
  double T[2][FRICTION_FUNCTIONALS];
  for (int k = 0; k < 2; k++)
    simulate(&(run_setup){.problem = &friction_block, .step = 4e-4 / (1 << k)}, T[k]);
  for (int f = 0; f < FRICTION_FUNCTIONALS; f++)
    psi[f] = T[1][f] + (T[1][f] - T[0][f]) / 3;
}

TEST(block_moves_by_its_equation)
{
  double expected[FRICTION_FUNCTIONALS], psi[FRICTION_FUNCTIONALS], finer[FRICTION_FUNCTIONALS];
  friction_block_reference(block_rho, 40000, expected);
  friction_block_reference(block_rho, 20000, finer);
  assert_close_array(finer, expected, FRICTION_FUNCTIONALS, 1e-10,
                     0); /* the reference has converged */
  simulate(&(run_setup){.problem = &friction_block, .method = "idas", .rtol = 1e-11}, psi);
  assert_close_array(psi, expected, FRICTION_FUNCTIONALS, 1e-8, 0);
  simulate(&(run_setup){.problem = &friction_block, .method = "explicit", .rtol = 1e-10}, psi);
  assert_close_array(psi, expected, FRICTION_FUNCTIONALS, 1e-8, 0);
  ali3p_extrapolate(psi);
  assert_close_array(psi, expected, 2, 1e-8, 0);
}

typedef struct run {
  run_setup setup;
  double rtol;
} run;

TEST(direct_equals_adjoint)
{
  const run runs[] = {
      {{.problem = &friction_block, .step = 5e-3}, 1e-10},
      {{.problem = &friction_block,
        .step = 5e-3,
        .integrator = "generalised-alpha",
        .integrator_parameter = 0.8},
       1e-10},
      {{.problem = &friction_block, .method = "explicit", .step = 5e-3}, 1e-11},
      {{.problem = &friction_crank}, 1e-10},
      {{.problem = &friction_crank, .integrator = "hht", .integrator_parameter = -0.1}, 1e-10},
      {{.problem = &friction_crank, .penalty = 1e6, .projection_penalty = 1e5}, 1e-10},
      {{.problem = &friction_crank, .method = "explicit", .step = 0.01}, 1e-11},
      {{.problem = &friction_chain}, 1e-10},
      {{.problem = &friction_chain, .method = "explicit", .step = 2e-3}, 1e-11},
      {{.problem = &friction_block, .method = "radau", .step = 5e-3}, 1e-11},
      {{.problem = &friction_crank, .method = "radau", .step = 0.01}, 1e-11},
      {{.problem = &friction_chain, .method = "radau", .step = 2e-3}, 1e-11},
  };
  for (size_t k = 0; k < GRADYN_COUNT(runs); k++)
    if (support_takes((int)k, 3))
      ali3p_compare_data(&runs[k].setup, NULL, runs[k].rtol);
}

/* Computes gradients with respect to all data; returns the number of functionals. */
static size_t data_gradient(const run_setup *setup, const char *sensitivity, double *gradient,
                            size_t *count)
{
  double rho[FRICTION_PARAMETERS];
  run_setup s = *setup;
  s.sensitivity = sensitivity;
  run_local *ev = ali3p_open(&s);
  run_initial(ev, rho);
  *count = gradyn_evaluator_model_info(ev).data;
  size_t functionals = gradyn_functional_count(ev);
  assert_in_range(functionals * *count, 1, ALI3P_MOST);
  assert_run(gradyn_evaluator_data_gradient(ev, rho, NULL, gradient), ev);
  return functionals;
}

/* Differences are relative to the largest derivative of a functional. */
TEST(idas_direct_equals_adjoint)
{
  const gradyn_problem *const problems[] = {&friction_block, &friction_crank, &friction_chain};
  static double direct[ALI3P_MOST], adjoint[ALI3P_MOST];
  for (size_t k = 0; k < GRADYN_COUNT(problems); k++) {
    if (!support_takes((int)k + 1, 2))
      continue;
    run_setup setup = {.problem = problems[k],
                       .method = "idas",
                       .rtol = support_rtol(1e-11),
                       .t_end = problems[k]->t_end / 2};
    size_t count, functionals = data_gradient(&setup, "direct", direct, &count);
    data_gradient(&setup, "adjoint", adjoint, &count);
    assert_close_rows(adjoint, direct, functionals, count, support_rtol(1e-8));
  }
}

/* Returns whether a datum may vary without making the table's legs inconsistent. */
static bool keeps_table(const char *datum)
{
  return strncmp(datum, "foot", 4) != 0 && strncmp(datum, "leg", 3) != 0 &&
         strncmp(datum, "plate", 5) != 0 && strncmp(datum, "top", 3) != 0;
}

TEST(redundant_constraints_without_readers_do_no_harm)
{
  double psi[3], alone[3];
  run_setup setup = {.problem = &friction_table}, block = {.problem = &friction_block};
  ali3p_compare_data(&setup, keeps_table, 1e-10);
  block.step = setup.step = 5e-3;
  block.t_end = setup.t_end = 0.4;
  simulate(&setup, psi);
  simulate(&block, alone);
  assert_close_array(psi, alone, 2, 1e-9, 0);
}

TEST(differences_agree)
{
  run_setup setup = {.problem = &friction_block, .step = 2e-3};
  ali3p_compare_differences(&setup, 5e-4, 1e-8);
  setup.problem = &friction_crank;
  setup.step = 5e-3;
  ali3p_compare_differences(&setup, 5e-4, 1e-8);
  setup.method = "explicit";
  ali3p_compare_differences(&setup, 5e-4, 1e-8);
}

TEST(gradients_of_idas_are_those_of_the_motion)
{
  double rho[FRICTION_PARAMETERS], gradient[FRICTION_FUNCTIONALS * FRICTION_PARAMETERS];
  run_setup setup = {.problem = &friction_block, .method = "idas", .rtol = 1e-10};
  ali3p_gradient(&setup, NULL, gradient, NULL);
  memcpy(rho, block_rho, sizeof rho);
  for (int j = 0; j < FRICTION_PARAMETERS; j++) {
    if (!support_takes(j + 1, 5))
      continue;
    double high[FRICTION_FUNCTIONALS], low[FRICTION_FUNCTIONALS], step = 1e-4 * fabs(rho[j]);
    double T[2][FRICTION_FUNCTIONALS];
    for (int k = 0; k < 2; k++) {
      rho[j] = block_rho[j] + step / (1 + k);
      friction_block_reference(rho, 20000, high);
      rho[j] = block_rho[j] - step / (1 + k);
      friction_block_reference(rho, 20000, low);
      for (int f = 0; f < FRICTION_FUNCTIONALS; f++)
        T[k][f] = (high[f] - low[f]) / (2 * step / (1 + k));
    }
    rho[j] = block_rho[j];
    for (int f = 0; f < FRICTION_FUNCTIONALS; f++)
      assert_close(gradient[f * FRICTION_PARAMETERS + j], T[1][f] + (T[1][f] - T[0][f]) / 3, 1e-6,
                   1e-8);
  }
}

/* --- what has no solution --------------------------------------------------------------------- */

static void refuse(run_setup setup, double share, gradyn_status expected, const char *name)
{
  static const char *const methods[] = {"idas", "ali3p", "explicit"};
  for (size_t k = 0; k < GRADYN_COUNT(methods); k++) {
    double rho[FRICTION_PARAMETERS], psi[FRICTION_FUNCTIONALS];
    setup.method = methods[k];
    run_local *ev = ali3p_open(&setup);
    if (run_initial(ev, rho) == 1)
      rho[0] = share;
    assert_status(gradyn_evaluator_simulate(ev, rho, psi, NULL), expected,
                  gradyn_evaluator_message(ev));
    assert_says(gradyn_evaluator_message(ev), name);
  }
}

TEST(locked_mechanisms_are_named)
{
  run_setup setup = {.problem = &friction_locked, .setting = "smooth", .value = 0};
  refuse(setup, 1, GRADYN_SINGULAR, "wedge");
  setup.value = 1;
  refuse(setup, 1.5, GRADYN_NOT_CONVERGED, "wedge");
  setup = (run_setup){.problem = &friction_table, .setting = "reads", .value = 1};
  refuse(setup, 0, GRADYN_SINGULAR, "leg2");
}

/* One equation for lam alone: lam = -9.81 + share size(lam). */
TEST(strong_friction_has_its_solution)
{
  double rho = -3, psi[2];
  run_setup setup = {
      .problem = &friction_locked, .setting = "smooth", .value = 1, .method = "idas"};
  run_local *ev = ali3p_open(&setup);
  assert_run(gradyn_evaluator_simulate(ev, &rho, psi, NULL), ev);
  double lam = -9.81;
  for (int k = 0; k < 100; k++)
    lam -= (lam + 9.81 + rho * sqrt(lam * lam + 0.01)) / (1 + rho * lam / sqrt(lam * lam + 0.01));
  assert_close(psi[1], lam * lam * 0.5, 1e-8, 0);
}

TEST(other_methods_refuse)
{
  assert_no_run(GRADYN_INVALID, "friction", &friction_block, .method = "variational");
  assert_no_run(GRADYN_UNSUPPORTED, "", &friction_block, .method = "ali3p",
                .sensitivity = "continuous-adjoint");
}
