/* Gradients of the variational scheme: order of convergence, and repeated segments if memory is short. */
#include "tests/adjoint/ali3p_models.h"
#include "tests/declare.h"

TEST(gradients_are_of_second_order)
{
  double g[3][15];
  for (int k = 0; k < 3; k++) {
    run_setup setup = {.problem = &gradyn_problem_five_bar,
                       .method = "variational",
                       .t_end = 2,
                       .step = 4e-3 / (1 << k)};
    ali3p_gradient(&setup, NULL, g[k], NULL);
  }
  for (int i = 0; i < 15; i++)
    assert_close(log2(fabs((g[0][i] - g[1][i]) / (g[1][i] - g[2][i]))), 2, 0, 0.15);
}

/* A step depends on its first node only, so that repeated segments must have the same bits. */
TEST(few_nodes_in_memory_give_the_same_results)
{
  static const char *const routes[] = {"adjoint", "direct"};
  for (int k = 0; k < 2; k++) {
    double psi[2][3], gradient[2][15];
    gradyn_statistics statistics;
    run_setup setup = {.problem = &gradyn_problem_five_bar,
                       .method = "variational",
                       .sensitivity = routes[k],
                       .step = 5e-3};
    ali3p_gradient(&setup, psi[0], gradient[0], NULL);
    setup.memory = 40000; /* 1000 nodes with 29 numbers each would need more */
    ali3p_gradient(&setup, psi[1], gradient[1], &statistics);
    assert_int_equal(statistics.steps, 1000);
    assert_memory_equal(psi[1], psi[0], sizeof psi[0]);
    assert_memory_equal(gradient[1], gradient[0], sizeof gradient[0]);
  }
}

static long calls;

static gradyn_status push(const gradyn_at *at, gradyn_scalar force[])
{
  calls++;
  force[0] = -at->vel[0];
  force[1] = -1 - at->vel[1];
  return GRADYN_OK;
}

static gradyn_status build_pushed(gradyn_model *model, const gradyn_scalar rho[])
{
  int A = gradyn_ground_point(model, "A", 0, 0), P = gradyn_point(model, "P", 1, 0);
  gradyn_rod(model, &(gradyn_rod_spec){"bar", A, P, .length = 1, .mass = rho[0]});
  declare_force(model, "push", P, push, NULL, 0);
  gradyn_functional(model,
                    &(gradyn_functional_spec){"x", gradyn_measure_point(model, "", P, 0, GRADYN_X),
                                              .reduction = GRADYN_AT_END});
  return gradyn_build_status(model);
}

static const gradyn_param mass[] = {{"mass", "kg", .init = 1, GRADYN_UNBOUNDED}};
static const gradyn_problem pushed = PROBLEM("pushed", build_pushed, mass, .t_end = 1);

/* Steps that are not stored are repeated once: a gradient costs one more run, not hundreds. */
TEST(segments_are_repeated_once)
{
  for (size_t k = 0; k < GRADYN_COUNT(run_fixed); k++) {
    long kept;
    double gradient[2];
    run_setup setup = {.problem = &pushed, .method = run_fixed[k], .step = 1e-3};
    calls = 0;
    ali3p_gradient(&setup, NULL, &gradient[0], NULL);
    kept = calls;
    setup.memory = 30000;
    calls = 0;
    ali3p_gradient(&setup, NULL, &gradient[1], NULL);
    assert_true(calls > kept && calls < 2 * kept);
    assert_true(gradient[0] == gradient[1]);
  }
}
