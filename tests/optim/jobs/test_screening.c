/* Selection of starts by screening. */
#include "tests/optim/journalled.h"

#include "optim/jobs/multistart.h"

static const double x0[2] = {0.5, 0.5};

/* The objective decreases as the violation of the constraint x1 >= 0.5 or x1 >= 5 increases. */
SYNTHETIC(tempting)
{
  psi[0] = x[0] + 3 * x[1];
  psi[1] = x[1];
  gradient[0] = gradient[problem->n + 1] = 1;
  gradient[1] = 3;
}

static void screen(double bound, size_t wanted, gradyn_multistart_result *result)
{
  synthetic problem = synthetic_make(2, -2, 2, 2, tempting);
  synthetic_constrain(&problem, 1, GRADYN_AT_LEAST, bound);
  const gradyn_objective objective = synthetic_objective(&problem);
  gradyn_search search = synthetic_search("slsqp");
  char *folder = journal_folder();
  const gradyn_multistart_spec spec = {.starts = 32, .screen = wanted, .seed = 1, .folder = folder};
  (void)gradyn_multistart_run(&objective, NULL, &search, &spec, x0, result);
  journal_sweep_up(folder);
}

/* Returns whether a start is better: less violated or, among feasible ones, with a lower objective. */
static bool better(const double *a, const double *b, double bound)
{
  double va = fmax(0, bound - a[1]), vb = fmax(0, bound - b[1]);
  return va != vb ? va < vb : a[0] + 3 * a[1] < b[0] + 3 * b[1];
}

TEST(screening_looks_at_constraints_first)
{
  /* with the first bound some starts are feasible, with the second one none */
  static const double bounds[] = {0.5, 5};
  for (int k = 0; k < 2; k++) {
    LOCAL(gradyn_multistart_result) all, some;
    screen(bounds[k], 0, &all);
    screen(bounds[k], 6, &some);
    assert_int_equal(all.count, 32);
    assert_int_equal(some.count, 6);
    for (size_t i = 0; i < some.count; i++) {
      size_t before =
          0; /* number of better starts than this one, except for the problem's own start */
      for (size_t j = 0; j < all.count; j++)
        before += all.local[j].start != 0 &&
                  better(all.local[j].start_rho, some.local[i].start_rho, bounds[k]);
      assert_true(some.local[i].start == 0 || before < 5);
    }
  }
}
