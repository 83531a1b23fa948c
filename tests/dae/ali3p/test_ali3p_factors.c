/* The factors of ALI3-P's projections if the small Schur complement fails, because all rods of a four-bar
 * linkage are on one line. The saddle matrix replaces it, regularised if permitted, and its solutions
 * satisfy the equations. */
#include "adjoint/evaluator/evaluator.h"
#include "dae/ali3p/linear.h"
#include "tests/adjoint/ali3p_models.h"

enum { MOST = 64 };

static gradyn_evaluator *ev;

static gradyn_ali3p *start(double *node)
{
  ev = ali3p_open(&(run_setup){.problem = &gradyn_problem_four_bar_chain, .step = 1e-2});
  gradyn_stepper *stepper;
  gradyn_options options = gradyn_evaluator_options(ev);
  assert_ok(gradyn_ali3p_create(ev->model, &options, &stepper), ev->model->message.text);
  assert_in_range(stepper->record, 1, 2000);
  assert_ok(stepper->ops->start(stepper, 1e-2, node), ev->model->message.text);
  gradyn_ali3p *s = (gradyn_ali3p *)stepper;
  assert_int_equal(s->choice.usual, GRADYN_FACTORS_SCHUR);
  return s;
}

static void finish(gradyn_ali3p *s)
{
  s->base.ops->free(&s->base);
  gradyn_evaluator_free(ev);
}

/* Computes Phi_q with the tips on the line of the pivots, at 0, 1, 2, ..., or at their initial positions
 * above it. */
static void place_tips(gradyn_ali3p *s, bool on_line)
{
  double q[MOST];
  const gradyn_mech_state at = {.t = 0, .q = q, .v = q, .a = q};
  assert_in_range(s->n, 1, MOST);
  for (int i = 0; i < s->n / 2; i++) {
    q[2 * i] = i + (on_line ? 1 : 0);
    q[2 * i + 1] = on_line ? 0 : 1;
  }
  assert_ok(s->mech->ops->phi_q(s->mech, GRADYN_CONSTRAINT, 0, &at, s->mat.J), "");
}

/* Checks M x + Phi_q^T mult = f in all rows, where the constraint forces balance a part of f. */
static void solves(gradyn_ali3p *s)
{
  double b[2 * MOST], rest[MOST] = {0}, f[MOST];
  int n = s->n, m = s->m;
  for (int i = 0; i < n; i++)
    b[i] = f[i] = rest[i] = sin(1.3 * i + 1);
  memset(b + n, 0, (size_t)m * sizeof *b);
  gradyn_factors_solve(&s->project, false, b, 1);
  gradyn_pattern_multiply(&s->mech->dyn, n, s->mat.M, -1, b, rest);
  gradyn_pattern_multiply_transposed(&s->mech->jac, m, s->mat.J, -1, b + n, rest);
  for (int i = 0; i < n; i++)
    assert_close(rest[i], 0, 0, 1e-6);
  double phi[MOST] = {0};
  gradyn_pattern_multiply(&s->mech->jac, m, s->mat.J, 1, b, phi);
  for (int i = 0; i < m; i++)
    assert_close(phi[i], 0, 0, 1e-6);
}

TEST(a_failed_schur_complement_is_not_used)
{
  double node[2000];
  gradyn_ali3p *s = start(node);
  place_tips(s, true);
  gradyn_ali3p_allow(s, GRADYN_FACTORS_SCHUR, GRADYN_FACTORS_SOFTENED);
  assert_ok(gradyn_ali3p_factor_projection(s, 0), ev->model->message.text);
  assert_int_equal(s->project.kind, GRADYN_FACTORS_SOFTENED);
  solves(s);
  finish(s);
}

TEST(without_leave_to_soften_it_is_singular)
{
  double node[2000];
  gradyn_ali3p *s = start(node);
  place_tips(s, true);
  gradyn_ali3p_allow(s, GRADYN_FACTORS_SCHUR, GRADYN_FACTORS_EXACT);
  assert_status(gradyn_ali3p_factor_projection(s, 0), GRADYN_SINGULAR, "");
  finish(s);
}

TEST(a_good_one_is_kept)
{
  double node[2000];
  gradyn_ali3p *s = start(node);
  place_tips(s, false);
  gradyn_ali3p_allow(s, GRADYN_FACTORS_SCHUR, GRADYN_FACTORS_EXACT);
  assert_ok(gradyn_ali3p_factor_projection(s, 0), ev->model->message.text);
  assert_int_equal(s->project.kind, GRADYN_FACTORS_SCHUR);
  finish(s);
}
