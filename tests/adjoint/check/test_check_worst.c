/* The worst of many comparisons of a check: what is no number, or has nothing to be measured by, is never
 * right. */
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
  /* what is uncertain is allowed for, up to a thousandth */
  assert_close(compared(3, 3.5, 10, 1e-5).tolerance, 1e-6, 1e-14, 0);
  assert_close(compared(3, 3.5, 10, 5).tolerance, 1e-3, 1e-14, 0);
}

TEST(what_is_no_number_is_wrong)
{
  const double none[] = {NAN, HUGE_VAL, -HUGE_VAL};
  for (size_t k = 0; k < GRADYN_COUNT(none); k++)
    for (int zero = 0; zero < 2; zero++) {
      assert_true(compared(none[k], 1, !zero, 0).error == HUGE_VAL);
      assert_true(compared(1, none[k], !zero, 0.1).error == HUGE_VAL);
    }
  assert_true(compared(1, 2, 0, 0).error == HUGE_VAL);
}

/* Of several the worst in units of its tolerance stays, also behind one that is no number. */
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

/* A kink explains numbers between the derivatives of both sides: others, and what is no number, are wrong.
 * Sides that are less apart than what differences are uncertain by are none of a kink. */
TEST(a_kink_explains_what_lies_between)
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
