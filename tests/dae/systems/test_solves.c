/* Solves of index-1 systems are the inverses of their products: Newton's matrix times a vector, forward and
 * adjoint, of mechanisms with Baumgarte's terms and of general equations. A wrong solve would change only
 * the number of iterations of a run, since it iterates until residuals are small. */
#include "adjoint/evaluator/evaluator.h"
#include "dae/systems/index1.h"
#include "problems/builtin.h"
#include "tests/runs.h"

enum { MOST = 400, MOST_PARAMETERS = 20 };

/* An irregular vector, and its rates, which are cj times the vector. */
static void draw(int count, double cj, double *z, double *zp)
{
  for (int i = 0; i < count; i++) {
    z[i] = sin(1 + 7.3 * i);
    zp[i] = cj * z[i];
  }
}

static void assert_alike(const double *found, const double *wanted, int count)
{
  for (int i = 0; i < count; i++)
    assert_close(found[i], wanted[i], 0, 1e-9);
}

/* Checks (F_y + cj F_y')^-1 (F_y + cj F_y') z = z, and the same for the adjoint residual, which is linear
 * in z. */
static void check(gradyn_index1 *s, double cj)
{
  const int size = s->np + s->ne;
  double z[MOST], zp[MOST], r[MOST] = {0};
  const double none[MOST] = {0};
  assert_true(s->ny <= MOST && size <= MOST);
  draw(s->ny, cj, z, zp);
  s->ops->tangent(s, z, zp, r);
  assert_ok(s->ops->factor(s, cj), NULL);
  s->ops->solve(s, r);
  assert_alike(r, z, s->ny);
  draw(size, cj, z, zp);
  s->ops->adjoint_residual(s, z, zp, none, r);
  assert_ok(s->ops->adjoint_factor(s, cj), NULL);
  s->ops->adjoint_solve(s, r);
  assert_alike(r, z, size);
}

TEST(solves_undo_products)
{
  static const gradyn_problem *const problems[] = {
      &gradyn_problem_five_bar, &gradyn_problem_governor, &gradyn_problem_robertson};
  for (size_t k = 0; k < GRADYN_COUNT(problems); k++) {
    run_local *ev = run_with(problems[k], .method = "idas", .t_end = 0.1);
    double rho[MOST_PARAMETERS], y[MOST], yp[MOST];
    gradyn_index1 *s;
    run_initial(ev, rho);
    assert_run(gradyn_evaluator_simulate(ev, rho, NULL, NULL), ev);
    const gradyn_status status = ev->model->mech ? gradyn_index1_from_mech(ev->model, 3, 5, &s)
                                                 : gradyn_index1_from_equations(ev->model, &s);
    assert_ok(status, NULL);
    assert_ok(s->ops->start(s, y, yp), NULL);
    assert_ok(s->ops->linearise(s, 0, y, yp), NULL);
    check(s, 8);
    /* against time */
    check(s, -20);
    gradyn_index1_free(s);
  }
}
