/* The Gauss-Newton matrix is J^T J of residuals by differences; for a likelihood it is the Fisher matrix. */
#include "tests/runs.h"

#include <math.h>

#include "optim/program/gauss_newton.h"
#include "optim/rounds/resume.h"
#include <gradyn/inspect.h>

extern const gradyn_problem gradyn_problem_gas_oil, gradyn_problem_boehm_stat5;

enum { MOST_P = 9, MOST_F = 64 };

/* Residuals at rho, and their derivatives (J)_kj = d r_k/d rho_j by differences. */
static void differences(gradyn_evaluator *ev, const double rho[], size_t p,
                        double J[MOST_F][MOST_P])
{
  for (size_t j = 0; j < p; j++) {
    double moved[MOST_P], side[4][MOST_F];
    const double h = 2e-3 * fmax(fabs(rho[j]), 0.1);
    for (int s = 0; s < 4; s++) {
      memcpy(moved, rho, p * sizeof *rho);
      moved[j] += (s % 2 ? h : -h) * (s < 2 ? 1 : 0.5);
      assert_run(gradyn_evaluator_simulate(ev, moved, side[s], NULL), ev);
    }
    for (size_t f = 0; f < gradyn_functional_count(ev); f++) {
      const double wide = (side[1][f] - side[0][f]) / (2 * h),
                   close = (side[3][f] - side[2][f]) / h;
      J[f][j] = (4 * close - wide) / 3;
    }
  }
}

/* Adds row row^T. */
static void add(double H[MOST_P][MOST_P], const double row[], size_t p, double weight)
{
  for (size_t a = 0; a < p; a++)
    for (size_t b = 0; b < p; b++)
      H[a][b] += weight * row[a] * row[b];
}

/* Checks the matrix against residuals by differences. likelihood: sigma is estimated, so that d
 * m/sigma = dr + r d ln sigma. */
static void expect(gradyn_evaluator *ev, const double psi[], size_t p, double J[MOST_F][MOST_P],
                   double H[MOST_P][MOST_P])
{
  for (size_t f = 0; f < gradyn_functional_count(ev); f++) {
    const gradyn_functional_info info = gradyn_functional_at(ev, f);
    if (info.use != GRADYN_RESIDUAL)
      continue;
    const size_t l = info.fit + 1;
    const bool estimated = gradyn_functional_at(ev, l).use == GRADYN_LOG_SIGMA;
    double row[MOST_P];
    for (size_t j = 0; j < p; j++)
      row[j] = J[f][j] + (estimated ? psi[f] * J[l][j] : 0);
    add(H, row, p, 1);
    if (estimated)
      add(H, J[l], p, 2);
  }
}

static void compare(const gradyn_problem *problem)
{
  run_local *ev = run_with(problem, .method = "explicit", .sensitivity = "direct");
  const size_t p = gradyn_parameter_count(ev);
  double rho[MOST_P], J[MOST_F][MOST_P], H[MOST_P][MOST_P] = {{0}}, work[2 * MOST_P],
                                         values[MOST_P * MOST_P];
  gradyn_evaluated evaluated;
  gradyn_program *program = NULL;
  gradyn_trial point = {0};
  (void)run_initial(ev, rho);
  const gradyn_search search = run_search(ev);
  assert_true(gradyn_evaluated_create(ev, NULL, &evaluated));
  assert_int_equal(gradyn_program_create(&evaluated.objective, &search, rho, &program), GRADYN_OK);
  assert_true(gradyn_gauss_newton_applies(program));
  assert_true(gradyn_trial_allocate(&point, program));
  assert_run(gradyn_evaluator_gradient(ev, rho, point.psi, point.gradient), ev);
  differences(ev, rho, p, J);
  expect(ev, point.psi, p, J, H);
  gradyn_gauss_newton_fill(program, &point, 3, NULL, work, values);
  double most = 0;
  for (size_t a = 0; a < p; a++)
    most = fmax(most, H[a][a]);
  for (size_t a = 0; a < p; a++)
    for (size_t b = 0; b <= a; b++)
      assert_close(values[a * (a + 1) / 2 + b], 3 * H[a][b] * program->unit[a] * program->unit[b],
                   1e-6, 3e-9 * most * program->unit[a] * program->unit[b]);
  gradyn_trial_clear(&point);
  gradyn_program_free(program);
  gradyn_evaluated_clear(&evaluated);
}

TEST(it_is_the_square_of_the_residual_jacobian)
{
  compare(&gradyn_problem_gas_oil);
}

TEST(it_is_the_fisher_matrix_of_a_likelihood)
{
  compare(&gradyn_problem_boehm_stat5);
}

/* A Jacobian of 49 functionals by 9 parameters took four times as many instructions by adjoints as by direct
 * sweeps; the gradient of the sum alone is cheaper by adjoints. */
TEST(jacobians_of_fits_take_the_cheaper_route)
{
  static const char *const methods[] = {"explicit", "radau", "idas"};
  for (size_t k = 0; k < GRADYN_COUNT(methods); k++) {
    run_local *ev = run_with(&gradyn_problem_boehm_stat5, .method = methods[k],
                             .sensitivity = "auto");
    assert_string_equal(gradyn_evaluator_sensitivity(ev, gradyn_functional_count(ev)), "direct");
    assert_string_equal(gradyn_evaluator_sensitivity(ev, 1), "adjoint");
  }
}
