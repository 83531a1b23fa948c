/* Corrections of Newton's method, and the name of the constraint with the largest violation. */
#include "adjoint/evaluator/evaluator.h"
#include "dae/linear/newton.h"
#include "tests/adjoint/ali3p_models.h"

/* An iteration for a mechanism of the size 2 m. */
static gradyn_newton begin(void)
{
  return (gradyn_newton){.size = 2, .nothing = 2e-15, .enough = 2e-18};
}

/* Sizes of corrections, and the expected decision after the last one; all before must continue. */
typedef struct course {
  double step[4];
  int count;
  gradyn_newton_verdict last;
} course;

TEST(test_verdicts)
{
  static const course list[] = {
      {{1e-3}, 1, GRADYN_NEWTON_CONTINUE}, /* the rate of convergence is still unknown */
      /* the rate is 1e-3: fast, but the correction is too large */
      {{1e-3, 1e-6}, 2, GRADYN_NEWTON_CONTINUE},
      {{1e-3, 1e-4}, 2, GRADYN_NEWTON_REFRESH},    /* slower than 1/20 */
      {{1e-3, 1e-11}, 2, GRADYN_NEWTON_CONVERGED}, /* 1e-8 of it would be 1e-19 m: converged */
      {{1e-15}, 1, GRADYN_NEWTON_CONVERGED},       /* nothing moves */
      {{0}, 1, GRADYN_NEWTON_CONVERGED},
      {{1e-9, 2e-11, 5e-13, 1.9e-13}, 4, GRADYN_NEWTON_CONVERGED}, /* round-off does not contract */
      {{1e-12, 1e-12}, 2, GRADYN_NEWTON_CONTINUE}, /* too small to justify a new matrix */
      {{3e3}, 1, GRADYN_NEWTON_DIVERGED},
      {{1e-3, HUGE_VAL}, 2, GRADYN_NEWTON_DIVERGED},
      {{NAN}, 1, GRADYN_NEWTON_DIVERGED}};
  for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
    gradyn_newton s = begin();
    for (int i = 0; i + 1 < list[k].count; i++)
      assert_int_equal(gradyn_newton_judge(&s, list[k].step[i]), GRADYN_NEWTON_CONTINUE);
    assert_int_equal(gradyn_newton_judge(&s, list[k].step[list[k].count - 1]), list[k].last);
    assert_int_equal(s.count, list[k].count);
  }
}

/* A rate known in advance can end the iteration after its first correction. It is used for this correction
 * only. */
TEST(test_a_known_rate)
{
  static const double rate[] = {1e-5, 1e-3, 0.2};
  static const gradyn_newton_verdict verdict[] = {GRADYN_NEWTON_CONVERGED, GRADYN_NEWTON_CONTINUE,
                                                  GRADYN_NEWTON_CONTINUE};
  for (size_t k = 0; k < sizeof rate / sizeof *rate; k++) {
    gradyn_newton s = begin();
    s.rate = rate[k];
    assert_int_equal(gradyn_newton_judge(&s, 1e-13), verdict[k]);
  }
  gradyn_newton s = begin();
  s.rate = 1e-5;
  assert_int_equal(gradyn_newton_judge(&s, 1e-10), GRADYN_NEWTON_CONTINUE);
  assert_int_equal(gradyn_newton_judge(&s, 1e-13), GRADYN_NEWTON_CONTINUE);
}

/* After a small correction with an exact matrix, the next one is round-off, whatever its size. */
TEST(test_an_exact_matrix)
{
  static const struct {
    double step[2];
    gradyn_newton_verdict exact, other;
  } list[] = {{{1e-11, 1e-14}, GRADYN_NEWTON_CONVERGED, GRADYN_NEWTON_CONTINUE},
              {{1e-9, 1e-12}, GRADYN_NEWTON_CONTINUE, GRADYN_NEWTON_CONTINUE},
              {{1e-12, 5e-13}, GRADYN_NEWTON_CONTINUE, GRADYN_NEWTON_CONTINUE}};
  for (size_t k = 0; k < 2 * sizeof list / sizeof *list; k++) {
    gradyn_newton s = begin();
    s.exact = k % 2;
    assert_int_equal(gradyn_newton_judge(&s, list[k / 2].step[0]), GRADYN_NEWTON_CONTINUE);
    assert_int_equal(gradyn_newton_judge(&s, list[k / 2].step[1]),
                     s.exact ? list[k / 2].exact : list[k / 2].other);
  }
}

/* x^2 = 2 with the slope at x = 1.5: corrections decrease by the factor 1 - sqrt(2)/1.5, slower than 1/20.
 * A new slope must be requested, and the root is accurate to round-off. */
TEST(test_a_root)
{
  gradyn_newton s = {.size = 1, .nothing = 1e-16, .enough = 1e-17};
  gradyn_newton_verdict verdict = GRADYN_NEWTON_CONTINUE;
  double x = 1.5, slope = 2 * x;
  int fresh = 0;
  while (verdict != GRADYN_NEWTON_CONVERGED && s.count < 20) {
    const double step = (x * x - 2) / slope;
    x -= step;
    verdict = gradyn_newton_judge(&s, fabs(step));
    if (verdict == GRADYN_NEWTON_REFRESH) {
      slope = 2 * x;
      fresh++;
    }
  }
  assert_int_equal(verdict, GRADYN_NEWTON_CONVERGED);
  assert_true(fresh >= 1 && s.count <= 8);
  assert_close(x, sqrt(2), 4e-16, 0);
}

/* Each coordinate in turn is displaced; the named constraint must have the largest violation. */
TEST(test_the_worst_constraint)
{
  run_local *ev = ali3p_open(&(run_setup){.problem = &gradyn_problem_five_bar});
  gradyn_mech *mech = ev->model->mech;
  double q[64] = {0}, v[64] = {0}, work[64], phi[64];
  bool named[64] = {false};
  assert_in_range(mech->n, 1, 64);
  assert_in_range(mech->m, 2, 64);
  for (int i = 0; i < mech->n; i++)
    q[i] = ev->model->x[mech->q0[i]];
  const gradyn_mech_state at = {.q = q, .v = v, .a = v, .lam = v};
  for (int k = 0; k < mech->n; k++) { /* each coordinate in turn is wrong */
    double off = 0, most = 0;
    bool found = false;
    q[k] += 0.1;
    const char *name = gradyn_newton_worst(mech, &at, work, &off);
    assert_int_equal(mech->ops->phi(mech, GRADYN_CONSTRAINT, 0, &at, phi), GRADYN_OK);
    for (int i = 0; i < mech->m; i++)
      most = fmax(most, fabs(phi[i]));
    assert_true(most > 1e-3);
    assert_close(fabs(off), most, 0, 0);
    for (int i = 0; i < mech->m; i++)
      if (fabs(phi[i]) == most && strcmp(name, mech->constraint_name(mech, i)) == 0)
        named[i] = found = true;
    assert_true(found);
    q[k] -= 0.1;
  }
  assert_true(named[0] && named[mech->m - 1]);
}
