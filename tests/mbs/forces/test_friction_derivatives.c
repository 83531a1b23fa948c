/* Friction in joints: all derivatives of every law in every kind of joint, with respect to states,
 * multipliers and data, against differences. */
#include "core/mech/vector.h"
#include "mbs/elements/formula.h"
#include "mbs/mechanism/assembly.h"
#include "tests/mbs/bench.h"
#include "tests/mbs/forces/rubbing.h"

/* R after a step in multiplier *what. */
static void by_multiplier(bench *b, const void *what, double s, double *f)
{
  double y[BENCH_STATES];
  memcpy(y, b->y, sizeof y);
  y[3 * b->mech->n + *(const int *)what] += s;
  const gradyn_mech_state at = bench_state(b, y, b->t);
  gradyn_status status = b->mech->ops->residual(b->mech, GRADYN_DYNAMICS, &at, f);
  assert_ok(status, b->model->message.text);
}

/* R_lam = Phi_q^T - Q_lam against differences; it has the pattern of its transpose. Returns whether forces
 * contribute to it. */
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
    bench_local b;
    /* a transition velocity of the size of the velocities, so that no derivative vanishes */
    rubbing_choose(&rubbing_kinds[i / 3], (gradyn_friction_law)(i % 3), 1.1);
    bench_open(&b, rubbing_carried, NULL);
    bench_check_residual(&b, BENCH_C_FORCE | BENCH_X_FORCE | BENCH_K_CONSTRAINT);
    assert_true(check_multipliers(&b));
    for (int f = 0; f < b.model->functional_count; f++) /* by states and data */
      assert_int_equal(bench_check_functional(&b, f), 1 | 2);
  }
}

/* Compares load and derivatives with respect to multipliers, then again at other multipliers with the
 * stored slips. */
static void compare_rub(gradyn_mbs *m, const mbs_element *e, mbs_point_state view)
{
  enum { MOST = 64 };
  mbs_kept kept = {.known = false};
  double f, f_lam[MBS_READS], step[MOST], slope[MBS_READS * MOST], lam[MOST];
  assert_true(e->local <= MOST && m->mech.m <= MOST);
  for (int i = 0; i < m->mech.m; i++)
    lam[i] = 1.5 - 0.7 * view.lam[i];
  for (int again = 0; again < 2; again++) {
    assert_ok(e->ops->rub(m, e, &view, e->input, &kept, &f, f_lam), NULL);
    assert_ok(mbs_formula_force(m, e, &view, e->input, step), NULL);
    assert_ok(mbs_formula_lam(m, e, &view, e->input, slope), NULL);
    assert_close(f, step[0], 1e-13, 1e-14);
    for (int k = 0; k < e->reading->count; k++)
      assert_close(f_lam[k], slope[k * e->local], 1e-13, 1e-14);
    view.lam = lam;
  }
}

/* Compares the blocks written by hand with the complex formula, at one state. */
static void compare_blocks(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *view)
{
  enum { MOST = 24 };
  static double hand[3][MOST * MOST], step[3][MOST * MOST];
  const int local = e->local, reads = e->reading->count;
  assert_true(local <= MOST);
  assert_ok(e->ops->force(m, e, view, e->input, hand[0]), NULL);
  assert_ok(mbs_formula_force(m, e, view, e->input, step[0]), NULL);
  assert_close_array(hand[0], step[0], local, 1e-13, 1e-14);
  assert_ok(e->ops->force_state(m, e, view, e->input, hand[1], hand[2]), NULL);
  assert_ok(mbs_formula_state(m, e, view, e->input, step[1], step[2]), NULL);
  assert_close_array(hand[1], step[1], local * local, 1e-13, 1e-14);
  assert_close_array(hand[2], step[2], local * local, 1e-13, 1e-14);
  assert_ok(e->ops->force_input(m, e, view, e->input, hand[0]), NULL);
  assert_ok(mbs_formula_input(m, e, view, e->input, step[0]), NULL);
  assert_close_array(hand[0], step[0], local * mbs_input_count(e), 1e-13, 1e-14);
  assert_ok(e->ops->force_lam(m, e, view, e->input, hand[1]), NULL);
  assert_ok(mbs_formula_lam(m, e, view, e->input, step[1]), NULL);
  assert_close_array(hand[1], step[1], local * reads, 1e-13, 1e-14);
  compare_rub(m, e, *view);
}

/* For revolute joints in space: slips within the series of the law and far beyond it, collars with the
 * radius of the journal and with another one, with ends and without. */
TEST(blocks_by_hand_are_those_of_the_formula)
{
  static const double transition[] = {1.1, 0.02, 300};
  rubbing_kind kind = rubbing_kinds[0];
  for (int i = 0; i < 12; i++) {
    bench_local b;
    kind.ends = i & 1;
    kind.collar = i & 2;
    rubbing_choose(&kind, GRADYN_BROWN_MCPHEE, transition[i / 4]);
    bench_open(&b, rubbing_carried, NULL);
    gradyn_mbs *m = b.model->impl;
    const mbs_element *e = &m->lists.forces.item[0];
    gradyn_mech_state at = bench_state(&b, b.y, b.t);
    const mbs_point_state view = mbs_eval(m, &at);
    assert_true(e->ops->force != mbs_formula_force);
    compare_blocks(m, e, &view);
  }
}
