/* Gradients of idas with Baumgarte's terms. These terms vanish along a motion that satisfies its constraints,
 * and so do their derivatives. Gradients are therefore the same with and without them, unless a factor
 * differs between the equations and their derivatives. */
#include "adjoint/evaluator/evaluator.h"
#include "dae/systems/index1.h"
#include "tests/adjoint/ali3p_models.h"

enum { MOST = 200 };

static size_t gradient(const gradyn_problem *problem, const char *sensitivity, double alpha,
                       double beta, double *values)
{
  double rho[MOST], psi[MOST];
  run_local *ev = run_with(problem, .method = "idas", .sensitivity = sensitivity, .rtol = 1e-10,
                           .step = -1, .t_end = problem == &ali3p_driven ? 0 : 1,
                           .baumgarte_alpha = alpha, .baumgarte_beta = beta);
  size_t count = run_initial(ev, rho) * gradyn_functional_count(ev);
  assert_in_range(count, 1, MOST);
  assert_run(gradyn_evaluator_gradient(ev, rho, psi, values), ev);
  return count;
}

/* Only a driven mechanism with a moving end time has all terms: derivatives with respect to coordinates,
 * velocities, data and time. */
TEST(baumgarte_changes_no_gradient)
{
  static const char *const sensitivity[] = {"direct", "adjoint"};
  const gradyn_problem *problems[] = {&ali3p_driven, &gradyn_problem_five_bar};
  const double term[][2] = {{4, 0}, {5, 6}};
  for (int p = 0; p < 2; p++)
    for (int s = 0; s < 2; s++) {
      if (!support_takes(p + s, 2))
        continue;
      double plain[MOST], with[MOST];
      size_t count = gradient(problems[p], sensitivity[s], 0, 0, plain);
      for (int k = 0; k < 2; k++) {
        if (!support_takes(p + k + 1, 2))
          continue;
        gradient(problems[p], sensitivity[s], term[k][0], term[k][1], with);
        assert_close_array(with, plain, count, 1e-6, 1e-6);
      }
    }
}

/* G = Phi'' + 2 alpha Phi' + beta^2 Phi, at a state that violates all three. */
TEST(equations_have_the_terms)
{
  const double alpha = 3, beta = 5;
  run_local *ev = ali3p_open(&(run_setup){.problem = &gradyn_problem_five_bar});
  gradyn_mech *mech = ev->model->mech;
  gradyn_index1 *with, *without;
  double y[MOST], yp[MOST] = {0}, F[2][MOST], phi[2][MOST];
  int n = mech->n, m = mech->m;
  assert_in_range(3 * n + m, 1, MOST);
  assert_ok(gradyn_index1_from_mech(ev->model, alpha, beta, &with), "");
  assert_ok(gradyn_index1_from_mech(ev->model, 0, 0, &without), "");
  for (int i = 0; i < 3 * n + m; i++)
    y[i] = 0.3 + sin(1.7 * i);
  assert_ok(with->ops->residual(with, 0.1, y, yp, F[0]), "");
  assert_ok(without->ops->residual(without, 0.1, y, yp, F[1]), "");
  const gradyn_mech_state at = {.t = 0.1, .q = y, .v = y + n, .a = y + 2 * n, .lam = y + 3 * n};
  for (int order = 0; order < 2; order++)
    assert_ok(mech->ops->phi(mech, GRADYN_CONSTRAINT, order, &at, phi[order]), "");
  for (int i = 0; i < m; i++)
    assert_close(F[0][3 * n + i] - F[1][3 * n + i], 2 * alpha * phi[1][i] + beta * beta * phi[0][i],
                 1e-12, 0);
  gradyn_index1_free(with);
  gradyn_index1_free(without);
}
