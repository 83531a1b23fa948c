/* Selection of the worst comparison of a check: a result that is NAN, or that has no size to compare with,
 * never passes. */
#include "adjoint/check/check.h"
#include "tests/support.h"

static gradyn_worst compared(double exact, double other, double scale, double uncertainty)
{
  gradyn_worst w = {.tolerance = 1e-8};
  gradyn_worst_compare(&w, exact, other, scale, uncertainty, "here");
  return w;
}

TEST(errors_are_over_the_scale)
{
  const gradyn_worst w = compared(3, 3.5, 10, 0);
  assert_close(w.error, 0.05, 1e-14, 0);
  assert_close(w.tolerance, 1e-8, 0, 0);
  assert_string_equal(w.where, "here");
  assert_true(compared(3, 3, 10, 0).error == 0 && compared(3, 3, 10, 0).present);
  assert_false(compared(0, 0, 10, 0).present);
  /* the uncertainty of differences enlarges the tolerance, up to a thousandth */
  assert_close(compared(3, 3.5, 10, 1e-5).tolerance, 1e-6, 1e-14, 0);
  assert_close(compared(3, 3.5, 10, 5).tolerance, 1e-3, 1e-14, 0);
}

TEST(nan_is_wrong)
{
  const double none[] = {NAN, HUGE_VAL, -HUGE_VAL};
  for (size_t k = 0; k < GRADYN_COUNT(none); k++)
    for (int zero = 0; zero < 2; zero++) {
      assert_true(compared(none[k], 1, !zero, 0).error == HUGE_VAL);
      assert_true(compared(1, none[k], !zero, 0.1).error == HUGE_VAL);
    }
  assert_true(compared(1, 2, 0, 0).error == HUGE_VAL);
}

/* The item keeps the comparison with the largest error in units of its tolerance, also after one that was
 * NAN. */
TEST(the_worst_stays)
{
  gradyn_worst w = {.tolerance = 1e-8};
  gradyn_worst_compare(&w, 1, 1.001, 1, 1e-4, "uncertain");
  assert_string_equal(w.where, "uncertain");
  gradyn_worst_compare(&w, 1, 1.0005, 1, 0, "worse");
  assert_string_equal(w.where, "worse");
  assert_close(w.tolerance, 1e-8, 0, 0);
  gradyn_worst_compare(&w, 1, 1.002, 1, 1e-3, "uncertain again");
  assert_string_equal(w.where, "worse");
  gradyn_worst_compare(&w, NAN, 1, 1, 0, "none");
  assert_string_equal(w.where, "none");
  gradyn_worst_compare(&w, 1, 7, 1, 0, "some");
  assert_string_equal(w.where, "none");
}

/* A derivative between those of both sides is explained by a kink; one outside of them, or NAN, is wrong.
 * If both sides differ by less than the uncertainty of differences, there is no kink. */
TEST(a_kink_explains_the_difference)
{
  static const struct {
    double exact;
    bool wrong, kink;
    double gap, uncertainty; /* of slopes about 1 */
  } cases[] = {{1.5, false, true, 2, 0},
               {0.2, false, true, 2, 0},
               {4, true, false, 2, 0},
               {NAN, true, false, 2, 0},
               {HUGE_VAL, true, false, 2, 0},
               {1.5, false, true, 2, 1},
               {1 + 1e-7, false, true, 2e-7, 1e-7},
               {1 + 1e-7, false, false, 2e-7, 3e-7},
               {1 + 1e-6, true, false, 2e-7, 3e-7},
               {1 + 1e-3, false, true, 3e-3, 1}};
  LOCAL(gradyn_differences) d;
  assert_ok(gradyn_differences_create(1, &d), NULL);
  d.slope[0] = 1;
  d.kink[0] = true;
  for (size_t k = 0; k < GRADYN_COUNT(cases); k++) {
    gradyn_worst w = {.tolerance = 1e-8};
    d.gap[0] = cases[k].gap;
    gradyn_worst_differences(&w, &d, 0, cases[k].exact, 2, cases[k].uncertainty, "here");
    assert_true((w.error > w.tolerance) == cases[k].wrong);
    assert_true((w.kink > 0) == cases[k].kink);
    assert_true(w.present);
  }
}

/* --- convergence ------------------------------------------------------------------------------ */

static gradyn_status wave(void *user, double s, double *value)
{
  (void)user;
  *value = sin(s) + 0.3 * s * s;
  return GRADYN_OK;
}

/* Its slope is 1 only within about a thousandth of 0. */
static gradyn_status notch(void *user, double s, double *value)
{
  (void)user;
  *value = s * exp(-s * s * 1e6);
  return GRADYN_OK;
}

/* Without a limit of quotients. */
static gradyn_status ripples(void *user, double s, double *value)
{
  (void)user;
  *value = s == 0 ? 0 : s * sin(3 * log(fabs(s)));
  return GRADYN_OK;
}

/* The slope is different for each length of the steps. */
static gradyn_status cascade(void *user, double s, double *value)
{
  static const double slope[] = {1, 3, -2, 4};
  *value = s * slope[*(const int *)user];
  return GRADYN_OK;
}

/* As probes ask. */
static gradyn_worst confirmed(gradyn_line_fn fn, double exact)
{
  gradyn_worst w = {.tolerance = 1e-8};
  gradyn_suspect s = {.is = false};
  bool left = true;
  int look = 0;
  LOCAL(gradyn_differences) d;
  assert_ok(gradyn_differences_create(1, &d), NULL);
  for (double share = 1; left; share /= 100, look++) {
    assert_ok(gradyn_measure_noise(&d, 1, fn, &look, 5e-5 * share, d.noise), NULL);
    d.enough[0] = 1e-10;
    assert_ok(gradyn_differentiate(&d, 1, fn, &look, 0.05 * share, GRADYN_DIFFERENCE_MOST, d.noise),
              NULL);
    const gradyn_compared c = {exact, fmax(fabs(exact), 1), 3 * d.error[0], "here"};
    left = gradyn_worst_confirm(&w, &d, 0, &c, share > 2e-6, &s);
  }
  return w;
}

/* A derivative is wrong if short differences contradict it as well. If short differences do not converge,
 * the item is undecided. */
TEST(errors_are_confirmed_by_shorter_steps)
{
  static const struct {
    gradyn_line_fn fn;
    double exact;
    bool wrong;
    int skipped;
  } cases[] = {{wave, 1, false, 0},     {wave, 1 + 1e-6, true, 0},  {wave, 0, true, 0},
               {notch, 1, false, 0},    {notch, 1 + 1e-6, true, 0}, {notch, 0.5, true, 0},
               {wave, NAN, true, 0},    {notch, NAN, true, 0},      {cascade, 0.5, false, 1},
               {ripples, 0.5, false, 1}};
  for (size_t k = 0; k < GRADYN_COUNT(cases); k++) {
    const gradyn_worst w = confirmed(cases[k].fn, cases[k].exact);
    print_message("case %zu: error %g, tolerance %g\n", k, w.error, w.tolerance);
    assert_true((w.error > w.tolerance) == cases[k].wrong);
    assert_int_equal(w.skipped, cases[k].skipped);
  }
}
