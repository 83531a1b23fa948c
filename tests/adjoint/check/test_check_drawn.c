/* gradyn_evaluator_check() must not report errors for correct mechanisms that earlier random checks had
 * reported. */
#include "tests/adjoint/checked.h"
#include "tests/drawn/mechanisms.h"
#include "tests/runs.h"

static const struct {
  uint64_t seed;
  double metre, kilogram;
  const char *method;
} drawn[] = {
    /* the mechanism is at rest up to round-off, and a functional has a force of 1e-28 N */
    {1006005, 1.34, 0.122, "variational"},
    /* the integrand jumps where its signal begins */
    {1014033, 0.367, 0.103, "variational"},
    {1014101, 608, 0.058, "idas"},
};

TEST(what_was_called_wrong_passes)
{
  for (size_t i = 0; i < sizeof drawn / sizeof drawn[0]; i++) {
    checked out;
    if (!support_takes((int)i, 3))
      continue;
    mechanism_drawn = (mechanism){
        .seed = drawn[i].seed, .metre = drawn[i].metre, .kilogram = drawn[i].kilogram};
    const gradyn_problem problem = mechanism_problem();
    run_local *ev = run_with(&problem, .method = drawn[i].method, .step = problem.t_end / 200);
    checked_run(ev, false, &out);
    assert_true(out.count > 20);
  }
}
