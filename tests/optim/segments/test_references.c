/* References at segment boundaries: other references give the same motion. */
#include "tests/optim/segments/chained.h"
#include "tests/optim/segments/turning.h"
#include "tests/runs.h"

#include "optim/segments/segments.h"

enum { KNOTS = 21, FUNCTIONALS = 5, COUNT = 4, STATES = 4, MOST = 64 };

static const bool all_used[FUNCTIONALS] = {true, true, true, true, true};

/* Four segments of the cart-pole, from zeros. */
static gradyn_evaluator *open_pole(gradyn_segments *s)
{
  const double rho[KNOTS] = {0};
  gradyn_evaluator *ev = run_with(.problem = &turning_pole, .method = "explicit", .rtol = 1e-11);
  assert_ok(gradyn_segments_create(ev, &(gradyn_search){.segments = COUNT}, all_used, rho, s),
            s->message.text);
  assert_int_equal(s->states, STATES);
  assert_int_equal(s->references, 8);
  return ev;
}

static void assert_evaluated(gradyn_segments *s, const double *x, double *psi, double *gradient)
{
  chained_evaluate(s, true, x, psi, gradient);
}

/* At each boundary the pole is inclined by some 30 degrees, and rotates. */
static void lean(const gradyn_segments *s, double *x)
{
  memcpy(x, s->start, s->objective.parameter_count * sizeof *x);
  for (size_t k = 1; k < COUNT; k++) { /* cart and bob: two positions, two rates */
    double *w = x + s->p + gradyn_segments_unknown(s, k);
    w[0] += 0.1 * (double)k;
    w[1] += 0.13 * (double)k + 0.25;
    w[2] -= 0.2;
    w[3] += 0.3 * (double)k;
  }
}

TEST(moved_references_leave_the_motion_as_it_is)
{
  LOCAL(gradyn_segments) s;
  run_local *ev = open_pole(&s);
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
  /* the same point has the same result as before */
  assert_evaluated(&s, x, after, gradient);
  assert_memory_equal(after, before, s.objective.functional_count * sizeof *after);
}

/* Derivatives near moved references against differences of order 4. */
TEST(derivatives_near_moved_references_are_those_of_differences)
{
  LOCAL(gradyn_segments) s;
  run_local *ev = open_pole(&s);
  double x[MOST];
  lean(&s, x);
  assert_ok(s.objective.refer(&s, x), s.message.text);
  chained_slopes(&s, x, KNOTS - 2, KNOTS + (COUNT - 1) * STATES, (chained_step){1e-3, 1e-7, 1e-8},
                 NULL, 0);
}

TEST(states_too_far_from_references_are_refused)
{
  LOCAL(gradyn_segments) s;
  run_local *ev = open_pole(&s);
  double x[MOST], psi[MOST];
  lean(&s, x);
  x[s.p + gradyn_segments_unknown(&s, 2) + 1] += 2;
  assert_int_equal(s.objective.evaluate(&s, true, x, psi, NULL), GRADYN_NOT_ASSEMBLED);
  assert_string_equal(s.message.text, "segment 3 would begin too far from its reference");
}

/* Samples are enforced in segments created for them, near references that have moved meanwhile. An
 * evaluation must depend on its parameters alone, so that a resumed search has the bits of its journal. */
TEST(parts_created_in_another_thread_have_the_same_bits)
{
  enum { ROWS = 2, COLUMNS = 200 };
  static const bool used[16] = {true, true, true, true, true, true, true, true};
  gradyn_segments s[2];
  gradyn_evaluator *ev[2];
  double rho[21], x[COLUMNS], psi[2][COLUMNS];
  gradyn_functional_info info[ROWS];
  static double gradient[2][COLUMNS * COLUMNS];
  for (int i = 0; i < 2; i++) {
    ev[i] = run_with(.problem = &turning_pole_on_short_track);
    run_initial(ev[i], rho);
    assert_ok(gradyn_segments_create(ev[i], &(gradyn_search){.segments = 5}, used, rho, &s[i]),
              s[i].message.text);
  }
  const size_t columns = s[0].objective.parameter_count, f = s[0].f;
  const size_t rows = s[0].objective.functional_count + ROWS;
  assert_true(columns <= COLUMNS && rows <= COLUMNS);
  gradyn_limit_at at[ROWS] = {{.share = 0.33}, {.share = 0.71}};
  for (size_t i = 0; i < f; i++)
    if (s[0].functionals[i].use == GRADYN_PATH_CONSTRAINT)
      at[0].side = at[1].side = i;
  memcpy(x, s[0].start, columns * sizeof *x);
  for (size_t j = 21; j < 21 + 4 * s[0].states; j++)
    x[j] += 0.1 * cos(1.7 * (double)j);
  assert_ok(gradyn_segments_hold(&s[0], at, ROWS, info), s[0].message.text);
  assert_ok(gradyn_segments_refer(&s[1], x), s[1].message.text);
  assert_ok(gradyn_segments_hold(&s[1], at, ROWS, info), s[1].message.text);
  for (int i = 0; i < 2; i++)
    chained_evaluate(&s[i], false, x, psi[i], gradient[i]);
  assert_memory_equal(psi[0], psi[1], rows * sizeof *psi[0]);
  for (size_t i = 0; i < rows * columns; i++)
    assert_true(gradient[0][i] == gradient[1][i] || isnan(gradient[0][i]));
  for (int i = 0; i < 2; i++) {
    gradyn_segments_clear(&s[i]);
    gradyn_evaluator_free(ev[i]);
  }
}
