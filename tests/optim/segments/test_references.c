/* References of cuts: elsewhere they are the same motion. */
#include "tests/optim/segments/turning.h"
#include "tests/runs.h"

#include "optim/segments/segments.h"

enum { KNOTS = 21, FUNCTIONALS = 5, COUNT = 4, STATES = 4, MOST = 64 };

static const bool all_used[FUNCTIONALS] = {true, true, true, true, true};

/* Four segments of the pole, from zeros. */
static gradyn_evaluator *open_pole(gradyn_segments *s)
{
  const double rho[KNOTS] = {0};
  gradyn_evaluator *ev = run_with(.problem = &turning_pole, .method = "explicit", .rtol = 1e-11);
  assert_ok(gradyn_segments_create(ev, COUNT, all_used, rho, s), s->message.text);
  assert_int_equal(s->states, STATES);
  assert_int_equal(s->references, 8);
  return ev;
}

static void assert_evaluated(gradyn_segments *s, const double *x, double *psi, double *gradient)
{
  assert_ok(s->objective.evaluate(s, true, x, psi, gradient), s->message.text);
}

/* The pole stands out by some 30 degrees at each cut, and turns. */
static void lean(const gradyn_segments *s, double *x)
{
  memcpy(x, s->start, s->objective.parameter_count * sizeof *x);
  for (size_t k = 1; k < COUNT; k++) { /* of cart and bob: two places, two rates */
    double *w = x + s->p + gradyn_segments_unknown(s, k);
    w[0] += 0.1 * (double)k;
    w[1] += 0.13 * (double)k + 0.25;
    w[2] -= 0.2;
    w[3] += 0.3 * (double)k;
  }
}

TEST(moved_references_leave_the_motion_as_it_is)
{
  gradyn_segments s;
  gradyn_evaluator *ev = open_pole(&s);
  double x[MOST], there[MOST], before[MOST], after[MOST];
  static double gradient[MOST * MOST];
  lean(&s, x);
  assert_evaluated(&s, x, before, gradient);
  assert_true(s.objective.strained(&s, x));
  memcpy(there, x, sizeof there);
  assert_ok(s.objective.refer(&s, there), s.message.text);
  assert_false(s.objective.strained(&s, there));
  assert_evaluated(&s, there, after, gradient);
  assert_close_array(after, before, FUNCTIONALS, 1e-9, 1e-10);
  /* what has been asked before has the answer of before */
  assert_evaluated(&s, x, after, gradient);
  assert_memory_equal(after, before, s.objective.functional_count * sizeof *after);
  gradyn_segments_clear(&s);
  gradyn_evaluator_free(ev);
}

/* By differences of order 4, with references that are not the guess's. */
TEST(derivatives_near_moved_references_are_those_of_differences)
{
  gradyn_segments s;
  gradyn_evaluator *ev = open_pole(&s);
  static const double share[4] = {-2, -1, 1, 2}, weight[4] = {1, -8, 8, -1};
  double x[MOST], psi[MOST], at[4][MOST];
  static double gradient[MOST * MOST];
  lean(&s, x);
  assert_ok(s.objective.refer(&s, x), s.message.text);
  const size_t columns = s.objective.parameter_count, rows = s.objective.functional_count;
  assert_evaluated(&s, x, psi, gradient);
  for (size_t j = KNOTS - 2; j < KNOTS + (COUNT - 1) * STATES; j++) {
    const double h = 1e-3, middle = x[j];
    for (int k = 0; k < 4; k++) {
      x[j] = middle + share[k] * h;
      assert_ok(s.objective.evaluate(&s, true, x, at[k], NULL), s.message.text);
    }
    x[j] = middle;
    for (size_t i = 0; i < rows; i++) {
      double slope = 0;
      for (int k = 0; k < 4; k++)
        slope += weight[k] * at[k][i] / (12 * h);
      assert_close(gradient[i * columns + j], slope, 1e-7, 1e-8);
    }
  }
  gradyn_segments_clear(&s);
  gradyn_evaluator_free(ev);
}

TEST(places_too_far_from_references_are_refused)
{
  gradyn_segments s;
  gradyn_evaluator *ev = open_pole(&s);
  double x[MOST], psi[MOST];
  lean(&s, x);
  x[s.p + gradyn_segments_unknown(&s, 2) + 1] += 2;
  assert_int_equal(s.objective.evaluate(&s, true, x, psi, NULL), GRADYN_NOT_ASSEMBLED);
  assert_string_equal(s.message.text, "segment 3 would begin too far from its reference");
  gradyn_segments_clear(&s);
  gradyn_evaluator_free(ev);
}
