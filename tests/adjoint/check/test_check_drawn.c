/* gradyn_check() raises no false alarm over mechanisms that the campaign of random checks has found. */
#include "tests/drawn/mechanisms.h"
#include "tests/support.h"

#include <gradyn/gradyn.h>

enum { CAPACITY = 200 };

static const struct {
  uint64_t seed;
  double metre, kilogram;
  const char *method;
} drawn[] = {
    /* at rest but for round-off, and a functional of a force of 1e-28 N */
    {1006005, 1.34, 0.122, "variational"},
    /* an effort that jumps where its signal begins */
    {1014033, 0.367, 0.103, "variational"},
    {1014101, 608, 0.058, "idas"},
};

static void what_was_called_wrong_passes(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof drawn / sizeof drawn[0]; i++) {
    double rho[MECHANISM_PARAMETERS];
    gradyn_check_item item[CAPACITY];
    gradyn_options options;
    gradyn_evaluator *ev;
    size_t count;
    mechanism_drawn = (mechanism){
        .seed = drawn[i].seed, .metre = drawn[i].metre, .kilogram = drawn[i].kilogram};
    const gradyn_problem problem = mechanism_problem();
    gradyn_options_default(&problem, &options);
    options.method = drawn[i].method;
    options.step = problem.t_end / 200;
    gradyn_status status = gradyn_evaluator_create(&problem, &options, NULL, 0, &ev);
    assert_ok(status, gradyn_evaluator_message(ev));
    for (int j = 0; j < MECHANISM_PARAMETERS; j++)
      rho[j] = 1;
    status = gradyn_check(ev, rho, item, CAPACITY, &count);
    if (status != GRADYN_OK)
      fail_msg("seed %llu: %s: %g, at most %g", (unsigned long long)drawn[i].seed,
               item[count - 1].name, item[count - 1].error, item[count - 1].tolerance);
    assert_true(count > 20);
    gradyn_evaluator_free(ev);
  }
}

TEST_FILE(check_drawn)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_was_called_wrong_passes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
