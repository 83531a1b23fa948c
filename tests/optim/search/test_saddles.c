/* Points at which searches must not end: saddles whose descent appears only some steps away, or in one of
 * many directions. Also functions that have become flat but rise far away, so that there is no infimum at
 * infinity. */
#include "tests/optim/synthetic.h"

/* 10 (x - 1)^2 - 5e-3 y^2 + 1e-3 y^4: minimum -6.25e-3 at y^2 = 2.5; within 1/16 of y, it decreases by less
 * than counts for a value of 40 */
SYNTHETIC(shallow)
{
  const double y = x[1];
  psi[0] = 10 * (x[0] - 1) * (x[0] - 1) - 5e-3 * y * y + 1e-3 * y * y * y * y;
  gradient[0] = 20 * (x[0] - 1);
  gradient[1] = -1e-2 * y + 4e-3 * y * y * y;
}

/* Curvatures 10, 3, 1 and -0.01 at 0; value -6.25e-3 at the minimum. */
SYNTHETIC(hidden)
{
  const double y = x[3];
  psi[0] = 5 * x[0] * x[0] + 1.5 * x[1] * x[1] + 0.5 * x[2] * x[2] - 5e-3 * y * y +
           1e-3 * y * y * y * y;
  gradient[0] = 10 * x[0];
  gradient[1] = 3 * x[1];
  gradient[2] = x[2];
  gradient[3] = -1e-2 * y + 4e-3 * y * y * y;
}

static const struct row {
  synthetic_fn fill;
  size_t n;
  double start[4], least;
} rows[] = {{shallow, 2, {3, 0}, -6.25e-3}, {hidden, 4, {0}, -6.25e-3}};

TEST(saddles_are_left)
{
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    synthetic problem = synthetic_make(rows[k].n, -HUGE_VAL, HUGE_VAL, 1, rows[k].fill);
    const gradyn_search search = synthetic_search("lbfgs");
    LOCAL(gradyn_search_result) result;
    assert_ok(synthetic_run(&problem, &search, rows[k].start, &result), result.reason);
    assert_close(result.objective, rows[k].least, 0.05, 0);
  }
}

/* exp(-x), which underflows from 750 on, and a rise from 1e4 on: some hundred times the distance of the
 * search */
SYNTHETIC(far_rise)
{
  const double out = fmax(x[0] - 1e4, 0);
  psi[0] = exp(-x[0]) + 1e-6 * out * out;
  gradient[0] = -exp(-x[0]) + 2e-6 * out;
}

TEST(what_rises_far_out_has_a_minimum)
{
  const double start[] = {1};
  synthetic problem = synthetic_make(1, -HUGE_VAL, HUGE_VAL, 1, far_rise);
  const gradyn_search search = synthetic_search("lbfgs");
  LOCAL(gradyn_search_result) result;
  assert_ok(synthetic_run(&problem, &search, start, &result), result.reason);
  assert_string_equal(gradyn_termination_name(result.termination),
                      gradyn_termination_name(GRADYN_TERMINATION_OPTIMAL));
}
