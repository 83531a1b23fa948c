/* A search whose adjoint gradient is wrong reports this at its end; one whose sensitivities agree reports
 * nothing. A factor 1 + 1e-6 is planted in transposed products of the mechanism with derivatives with
 * respect to data. */
#include "core/model/model.h"
#include "problems/builtin.h"
#include "tests/runs.h"

enum { MOST = 20000 };
static const double wrong_by = 1e-6;
static const gradyn_mech_ops *right;
static gradyn_mech_ops wrong;

/* Values before a product is added to them. */
static double kept[MOST];

static void keep(const double *x, int count)
{
  assert_true(count <= MOST);
  if (count > 0)
    memcpy(kept, x, (size_t)count * sizeof *x);
}

static void exaggerate(double *x, int count)
{
  for (int k = 0; k < count; k++)
    x[k] += wrong_by * (x[k] - kept[k]);
}

static gradyn_status against_too_much(gradyn_mech *mech, const gradyn_mech_point *look, int columns,
                                      gradyn_lanes *const *mu, const gradyn_mech_adjoints *adjoints)
{
  /* adjoints in lanes, or as [columns][nx] */
  double *x = adjoints->lanes ? (double *)adjoints->lanes : adjoints->x;
  const int count = adjoints->lanes ? GRADYN_LANES * mech->nx : x ? columns * mech->nx : 0;
  keep(x, count);
  const gradyn_status status = right->against(mech, look, columns, mu, adjoints);
  exaggerate(x, count);
  return status;
}

static const gradyn_problem *chosen;

/* Every evaluator of the problem gets the wrong product, as soon as its structure is fixed. */
static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  const gradyn_status status = chosen->build(model, rho);
  if (model->mech && model->mech->ops != &wrong) {
    right = model->mech->ops;
    wrong = *right;
    wrong.against = against_too_much;
    model->mech->ops = &wrong;
  }
  return status;
}

/* Runs a search of a few evaluations; returns the difference of the sensitivities in its warning; NAN:
 * none. */
static double end_of(const gradyn_problem *problem, bool plant, const char *method,
                     const char *sensitivity)
{
  gradyn_problem planted = *problem;
  LOCAL(gradyn_search_result) result;
  double rho[64];
  chosen = problem;
  if (plant)
    planted.build = build;
  run_local *ev = run_with(&planted, .method = method, .sensitivity = sensitivity);
  run_initial(ev, rho);
  gradyn_search search = run_search(ev);
  search.max_evaluations = 3;
  (void)gradyn_optimise(ev, &search, rho, &result);
  return run_found(&result, GRADYN_WARNING_DIRECT_ADJOINT_MISMATCH).value;
}

TEST(a_wrong_product_is_reported)
{
  for (size_t k = 0; k < GRADYN_COUNT(run_methods); k++) {
    if (!support_takes((int)k + 1, 2))
      continue;
    const double apart = end_of(&gradyn_problem_five_bar, true, run_methods[k], "adjoint");
    assert_true(apart > 1e-8 && apart < 3e-6);
    /* a search with direct gradients does not use the wrong product */
    assert_true(isnan(end_of(&gradyn_problem_five_bar, true, run_methods[k], "direct")));
  }
}

THOROUGH_TEST(routes_that_agree_are_silent)
{
  const gradyn_problem *const problems[] = {&gradyn_problem_five_bar,
                                            &gradyn_problem_hopper_codesign,
                                            &gradyn_problem_cart_pole, &gradyn_problem_bang_bang};
  for (size_t i = 0; i < GRADYN_COUNT(problems); i++)
    for (size_t k = 0; k < 3; k++)
      if (support_takes((int)(i + k), 3))
        assert_true(isnan(end_of(problems[i], false, run_methods[k], "adjoint")));
}
