/* Error estimates of gradients of many functionals: the estimate of each, computed in a lane of a batch of
 * four, equals that of the functional alone. All functionals are values at the end, which do not affect the
 * steps, so the runs are the same. */
#include "adjoint/evaluator/evaluator.h"
#include "tests/adjoint/gradient/columns.h"
#include "tests/runs.h"

static const int counts[] = {1, 4, 5, 9};
static const double near[COLUMNS_MOST] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
static const double afar[COLUMNS_MOST] = {1.02, 1, 0.99, 1, 1.01, 1, 1, 0.98, 1};

/* Estimated errors from the warnings about the requested functionals, at the initial parameters and at
 * other ones. */
typedef struct errors {
  double told[2], undetermined[2];
  char functional[20];
} errors;

static void ask(columns_model model, const columns_scheme *scheme, const char *sensitivity,
                int first, int count, errors *out)
{
  const columns_part part = {first, count, 0, 5, 1, 0};
  double gradient[COLUMNS_MOST * COLUMNS_MOST];
  run_local *ev = columns_open(model, part, scheme, sensitivity);
  for (int k = 0; k < 2; k++) {
    assert_run(gradyn_evaluator_gradient(ev, k == 0 ? near : afar, NULL, gradient), ev);
    const gradyn_statistics cost = gradyn_evaluator_statistics(ev);
    out->told[k] = cost.gradient_error;
    const gradyn_findings found = gradyn_evaluator_findings(ev);
    memcpy(out->undetermined, found.undetermined, sizeof out->undetermined);
    snprintf(out->functional, sizeof out->functional, "%s",
             found.undetermined_functional ? found.undetermined_functional : "");
  }
}

typedef struct run {
  columns_model model;
  columns_scheme scheme;
} run;
static const run runs[] = {{COLUMNS_SWING, {"explicit", 0, 8, 1e-6}},
                           {COLUMNS_SWING, {"explicit", 0, 5, 1e-6}},
                           {COLUMNS_BOUNCE, {"explicit", 0, 8, 1e-6}},
                           {COLUMNS_EQUATIONS, {"explicit", 0, 8, 1e-6}}};

/* Tolerance for estimates, which are differences of nearly equal gradients. */
static const double alike = 1e-5;

static void check(const run *r, const char *sensitivity, int count, const errors *alone)
{
  const int first = COLUMNS_MOST - count;
  errors all = {0}, worst = {0};
  ask(r->model, &r->scheme, sensitivity, first, count, &all);
  for (int f = 0; f < count; f++) {
    const errors *one = &alone[first + f];
    for (int k = 0; k < 2; k++)
      worst.told[k] = fmax(worst.told[k], one->told[k]);
    if (one->undetermined[0] > worst.undetermined[0]) {
      memcpy(worst.undetermined, one->undetermined, sizeof worst.undetermined);
      memcpy(worst.functional, one->functional, sizeof worst.functional);
    }
  }
  assert_true(worst.told[0] > 0 && worst.told[1] > 0);
  assert_close_array(all.told, worst.told, 2, alike, 0);
  assert_close_array(all.undetermined, worst.undetermined, 2, alike, 0);
  assert_string_equal(all.functional, worst.functional);
}

TEST(errors_of_many_are_those_of_each)
{
  static const char *const ways[] = {"direct", "adjoint"};
  for (size_t i = 0; i < GRADYN_COUNT(runs); i++)
    for (int way = 0; way < 2; way++) {
      if (!support_takes((int)i + way, 2))
        continue;
      errors alone[COLUMNS_MOST];
      memset(alone, 0, sizeof alone);
      for (int f = 0; f < COLUMNS_MOST; f++)
        ask(runs[i].model, &runs[i].scheme, ways[way], f, 1, &alone[f]);
      for (size_t k = 0; k < GRADYN_COUNT(counts); k++)
        check(&runs[i], ways[way], counts[k], alone);
    }
}

/* The integrand of one of nine functionals has a kink: the warning names this one, at any index. */
TEST(kinks_are_reported_with_their_functional)
{
  for (int k = 0; k < 4 * COLUMNS_MOST; k++) {
    const int bent = k / 4;
    if (!support_takes(k, 5))
      continue;
    const columns_scheme scheme = {"explicit", 0, k % 2 ? 5 : 8, 1e-6};
    const columns_part part = {0, COLUMNS_MOST, 0, 5, 0, bent + 1};
    double gradient[COLUMNS_MOST * COLUMNS_MOST];
    char name[32];
    run_local *ev = columns_open(COLUMNS_SWING, part, &scheme, k % 4 < 2 ? "direct" : "adjoint");
    assert_run(gradyn_evaluator_gradient(ev, near, NULL, gradient), ev);
    for (int f = 0; f < COLUMNS_MOST; f++) {
      snprintf(name, sizeof name, "functional f%d ", f);
      assert_true((strstr(gradyn_evaluator_warnings(ev), name) != NULL) == (f == bent));
    }
  }
}
