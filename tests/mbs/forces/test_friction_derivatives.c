/* Friction in joints: all derivatives of every law in every kind of joint, by states, by the multipliers
 * that it reads and by data, against differences. */
#include "core/mech/vector.h"
#include "tests/mbs/bench.h"
#include "tests/mbs/forces/rubbing.h"

/* R with a step in multiplier *what. */
static void by_multiplier(bench *b, const void *what, double s, double *f)
{
  double y[BENCH_STATES];
  memcpy(y, b->y, sizeof y);
  y[3 * b->mech->n + *(const int *)what] += s;
  const gradyn_mech_state at = bench_state(b, y, b->t);
  gradyn_status status = b->mech->ops->residual(b->mech, GRADYN_DYNAMICS, &at, f);
  assert_ok(status, b->model->message.text);
}

/* R_lam = Phi_q^T - Q_lam, which has its transpose's pattern; returns whether forces have a part in it. */
static bool check_multipliers(bench *b)
{
  const gradyn_mech_state at = bench_state(b, b->y, b->t);
  const gradyn_pattern *jac = &b->mech->jac;
  double J[BENCH_NNZ], own[BENCH_NNZ], slope[BENCH_STATES];
  const double *U;
  bool read = false;
  assert_true(jac->nnz < BENCH_NNZ);
  gradyn_status status = b->mech->ops->phi_q(b->mech, GRADYN_CONSTRAINT, 0, &at, J);
  if (status == GRADYN_OK)
    status = gradyn_mech_residual_lam(b->mech, &at, J, own, &U);
  assert_ok(status, b->model->message.text);
  for (int i = 0; i < b->mech->m; i++) {
    double exact[BENCH_STATES] = {0};
    for (int e = jac->start[i]; e < jac->start[i + 1]; e++) {
      exact[jac->col[e]] = U[e];
      read = read || fabs(U[e] - J[e]) > 1e-3;
    }
    bench_difference(b, by_multiplier, &i, b->mech->n, slope);
    assert_close_array(exact, slope, b->mech->n, 1e-10, 1e-10);
  }
  return read;
}

TEST(derivatives_are_right)
{
  for (int i = 0; i < RUBBING_KINDS * 3; i++) {
    bench b;
    /* a transition as wide as the states of the bench are large: nothing vanishes */
    rubbing_choose(&rubbing_kinds[i / 3], (gradyn_friction_law)(i % 3), 1.1);
    bench_open(&b, rubbing_carried, NULL);
    bench_check_residual(&b, BENCH_C_FORCE | BENCH_X_FORCE | BENCH_K_CONSTRAINT);
    assert_true(check_multipliers(&b));
    for (int f = 0; f < b.model->functional_count; f++) /* by states and data */
      assert_int_equal(bench_check_functional(&b, f), 1 | 2);
    bench_close(&b);
  }
}
