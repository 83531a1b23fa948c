/* Rows that may be violated at a penalty: the solutions of small quadratic programs in closed form. */
#include <string.h>

#include "optim/horizon/newton.h"
#include "tests/support.h"

/* Minimise (x - goal)^2 / 2 + penalty max(c x, 0), with c = 1 and lower <= x <= upper. */
typedef struct program {
  double goal, penalty, lower, upper;
  double x, lam, e; /* the solution */
} program;

static void evaluate(gradyn_newton *w, double goal)
{
  const double x = w->at.x[0];
  w->f = 0.5 * (x - goal) * (x - goal);
  w->g[0] = x - goal;
  w->c[0] = x;
  w->A[0] = w->H[0] = 1;
}

/* Solves from x = `start`. */
static void solve(const program *p, double start, gradyn_newton *w)
{
  enum { ITERATIONS = 100 };
  evaluate(w, p->goal);
  w->at.x[0] = start;
  w->barrier = 0.1;
  gradyn_newton_push(w, 1e-2);
  evaluate(w, p->goal);
  assert_int_equal(gradyn_newton_begin(w), GRADYN_OK);
  for (int k = 0; k < ITERATIONS; k++) {
    double x = w->at.x[0], s = w->at.s[0], e = w->at.e[0], lam = w->at.lam[0],
           lower = w->at.lower[0], upper = w->at.upper[0];
    evaluate(w, p->goal);
    assert_int_equal(gradyn_newton_find(w), GRADYN_OK);
    const gradyn_newton_point from = {&x, &lower, &upper, &s, &e, &lam};
    gradyn_newton_move(w, &from, w->longest, w->longest_dual);
    evaluate(w, p->goal);
    gradyn_newton_absorb(w);
    assert_close(w->c[0] + w->at.s[0] - w->at.e[0], 0, 0, 1e-12);
    assert_true(w->at.s[0] > 0 && w->at.e[0] > 0);
    assert_true(w->at.lam[0] > 0 && w->at.lam[0] < p->penalty);
    w->barrier = fmax(1e-13, 0.3 * w->barrier);
  }
}

TEST(violations_are_penalised_or_zero)
{
  static const program programs[] = {
      {.goal = 2, .penalty = 5, .lower = -9, .upper = 9, .x = 0, .lam = 2, .e = 0}, /* exact */
      {.goal = 2, .penalty = 1, .lower = -9, .upper = 9, .x = 1, .lam = 1, .e = 1}, /* too low */
      {.goal = 2,
       .penalty = 50,
       .lower = 0.5,
       .upper = 9,
       .x = 0.5,
       .lam = 50,
       .e = 0.5}, /* infeasible */
      {.goal = -2, .penalty = 5, .lower = -9, .upper = 9, .x = -2, .lam = 0, .e = 0}};
  static const double starts[] = {-8, -0.1, 0.1, 8};
  static const size_t start[] = {0, 1}, zero[] = {0};
  for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
    for (size_t k = 0; k < sizeof starts / sizeof *starts; k++) {
      const program *p = &programs[i];
      gradyn_newton w;
      const gradyn_newton_shape shape = {.n = 1,
                                         .m = 1,
                                         .lower = &p->lower,
                                         .upper = &p->upper,
                                         .penalty = &p->penalty,
                                         .start = start,
                                         .column = zero,
                                         .hessian_row = zero,
                                         .hessian_column = zero,
                                         .hessian_count = 1};
      assert_int_equal(gradyn_newton_create(&shape, &w), GRADYN_OK);
      solve(p, starts[k], &w);
      assert_close(w.at.x[0], p->x, 0, 1e-9);
      assert_close(w.at.lam[0], p->lam, 0, 1e-9);
      assert_close(w.at.e[0], p->e, 0, 1e-9);
      gradyn_newton_clear(&w);
    }
}
