/* Declarations of a start in a steady state that must be refused. */
#include "tests/declare.h"
#include "tests/runs.h"

static const gradyn_param params[] = {{"p", "", .init = 1}};
static const gradyn_setting settings[] = {{"wrong", "", 0, 0, 3}};

FORMULA(decay, at->yp[0] + at->y[0])

enum { UNKNOWN, TWICE, NOT_STEADY, TOO_EARLY };

static gradyn_status build_wrong(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  const int wrong = gradyn_setting_value(model, "wrong");
  const gradyn_datum before[] = {{wrong == UNKNOWN ? "k3" : "k1", "", 1}, {"k1", "", 2}},
                     data[] = {{"k1", "", 1}, {"k2", "", 1}};
  if (wrong == TOO_EARLY)
    gradyn_start_in_equilibrium(model);
  gradyn_state(model, "A", "", 1);
  gradyn_equations(model, &(gradyn_equations_spec){.residual = decay,
                                                   .data = data,
                                                   .data_count = 2,
                                                   .before = before,
                                                   .before_count = wrong == TWICE ? 2 : 1});
  if (wrong < NOT_STEADY)
    gradyn_start_in_equilibrium(model);
  return gradyn_build_status(model);
}

TEST(wrong_declarations_are_refused)
{
  static const char *const says[] = {"before of the equations: 'k3' is neither",
                                     "before of the equations: 'k1' is named twice",
                                     "does not start in a steady state", "mixed"};
  static const gradyn_problem wrong = PROBLEM("wrong", build_wrong, params, .settings = settings,
                                              .setting_count = 1, .t_end = 1);
  for (int k = UNKNOWN; k <= TOO_EARLY; k++)
    assert_no_run(GRADYN_INVALID, says[k], .problem = &wrong, .setting = "wrong", .value = k);
}
