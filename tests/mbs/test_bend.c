/* Products with the second derivatives of rods, against the same with matrices. */
#include <stdlib.h>

#include "tests/mbs/terms_models.h"
#include "tests/support.h"

/* sum lam_i H_i, pattern dyn, and the rows (H_i u)^T = Phi'_q(v = u), pattern jac. */
static void matrices(terms_scene *s, const double *lam, const double *u, double *K, double *J)
{
  gradyn_mech_state at = s->node;
  at.lam = lam;
  at.v = u;
  gradyn_status status = s->mech->ops->tangent(s->mech, GRADYN_CONSTRAINT, &at, K, NULL, NULL);
  assert_ok(status, s->mech->message->text);
  status = s->mech->ops->phi_q(s->mech, GRADYN_CONSTRAINT, 1, &at, J);
  assert_ok(status, s->mech->message->text);
}

/* x [rows] as [lanes][rows]. */
static double *split(terms_scene *s, int rows, const gradyn_lanes *x)
{
  double *out = terms_numbers(s, GRADYN_LANES * rows);
  gradyn_lanes_store(rows, GRADYN_LANES, x, out, rows);
  return out;
}

/* What a state's products are made of and, after them, what they are. */
typedef struct products {
  const double *lam, *u; /* lam NULL: the first sum is left out */
  double alpha;
  gradyn_lanes *y, *nu, *r, *z;           /* y, r [n]; nu, z [m] */
  double *y_one, *nu_one, *r_one, *z_one; /* the same, column by column */
  double *K, *J;
} products;

static products open_products(terms_scene *s, bool with_lam)
{
  products p = {.lam = with_lam ? s->at[0].lam : NULL, .u = s->at[1].v, .alpha = terms_random(s)};
  p.y = terms_lanes(s, s->n);
  p.nu = terms_lanes(s, s->m);
  p.r = terms_lanes(s, s->n);
  p.z = terms_lanes(s, s->m);
  p.y_one = split(s, s->n, p.y);
  p.nu_one = split(s, s->m, p.nu);
  p.r_one = split(s, s->n, p.r);
  p.z_one = split(s, s->m, p.z);
  p.K = terms_numbers(s, s->mech->dyn.nnz);
  p.J = terms_numbers(s, s->mech->jac.nnz);
  matrices(s, s->at[0].lam, p.u, p.K, p.J);
  return p;
}

/* Compares r and z with what the matrices made of the columns. */
static void compare_and_close(terms_scene *s, products *p)
{
  double *r = split(s, s->n, p->r), *z = split(s, s->m, p->z);
  terms_compare(GRADYN_LANES * s->n, r, p->r_one);
  terms_compare(GRADYN_LANES * s->m, z, p->z_one);
  free(r);
  free(z);
  gradyn_lanes *const lanes[] = {p->y, p->nu, p->r, p->z};
  double *const numbers[] = {p->y_one, p->nu_one, p->r_one, p->z_one, p->K, p->J};
  for (size_t k = 0; k < GRADYN_COUNT(lanes); k++)
    free(lanes[k]);
  for (size_t k = 0; k < GRADYN_COUNT(numbers); k++)
    free(numbers[k]);
}

static void check_bend(terms_scene *s, bool with_lam)
{
  int n = s->n, m = s->m;
  products p = open_products(s, with_lam);
  s->mech->ops->bend(s->mech, p.lam, p.u, p.alpha, p.y, p.r, p.z);
  for (int v = 0; v < GRADYN_LANES; v++) {
    const double *y = p.y_one + v * n;
    if (with_lam)
      gradyn_pattern_multiply(&s->mech->dyn, n, p.K, p.alpha, y, p.r_one + v * n);
    gradyn_pattern_multiply(&s->mech->jac, m, p.J, p.alpha, y, p.z_one + v * m);
  }
  compare_and_close(s, &p);
}

static void check_bend_transposed(terms_scene *s, bool with_lam)
{
  int n = s->n, m = s->m;
  products p = open_products(s, with_lam);
  s->mech->ops->bend_transposed(s->mech, p.lam, p.u, p.alpha, p.y, p.nu, p.r);
  for (int v = 0; v < GRADYN_LANES; v++) {
    double *r = p.r_one + v * n;
    if (with_lam)
      gradyn_pattern_multiply(&s->mech->dyn, n, p.K, p.alpha, p.y_one + v * n, r);
    gradyn_pattern_multiply_transposed(&s->mech->jac, m, p.J, p.alpha, p.nu_one + v * m, r);
  }
  compare_and_close(s, &p);
}

static void test_products(void **state)
{
  (void)state;
  int models = 0;
  for (int i = 0; i < terms_model_count; i++) {
    terms_scene s;
    terms_open(&s, terms_models[i].build);
    assert_int_equal(s.mech->quadratic, terms_models[i].quadratic);
    models += s.mech->quadratic;
    for (int k = 0; k < 40 && s.mech->quadratic; k++) {
      terms_shake(&s);
      check_bend(&s, k % 2);
      check_bend_transposed(&s, k % 2);
    }
    terms_close(&s);
  }
  assert_int_equal(models, 2); /* one in the plane, one in space */
}

/* A rod that turns about the ground: H = 1/length times the identity. */
static void test_pendulum(void **state)
{
  (void)state;
  terms_scene s;
  terms_open(&s, terms_pendulum);
  assert_true(s.mech->quadratic && s.n == 2 && s.m == 1);
  const double lam = 3, u[] = {0.7, -1.1}, w = 1 / 0.8, alpha = -1.5;
  gradyn_lanes y[2] = {{1, 2, 3, 4}, {-5, 6, 0.5, 8}}, r[2] = {{0}}, z[1] = {{0}};
  s.mech->ops->bend(s.mech, &lam, u, alpha, y, r, z);
  for (int v = 0; v < GRADYN_LANES; v++) {
    for (int k = 0; k < 2; k++)
      assert_close(r[k][v], alpha * lam * w * y[k][v], 1e-14, 0);
    assert_close(z[0][v], alpha * w * (u[0] * y[0][v] + u[1] * y[1][v]), 1e-14, 1e-14);
  }
  gradyn_lanes back[2] = {{0}};
  s.mech->ops->bend_transposed(s.mech, &lam, u, alpha, y, z, back);
  for (int v = 0; v < GRADYN_LANES; v++)
    for (int k = 0; k < 2; k++)
      assert_close(back[k][v], alpha * w * (lam * y[k][v] + z[0][v] * u[k]), 1e-14, 1e-14);
  terms_close(&s);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_products),
                                     cmocka_unit_test(test_pendulum)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
