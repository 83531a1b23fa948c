/* Detection of a singular matrix between two Jacobians. For the rows (1, 0) and (1, d), where d changes
 * from one value to another, J0 J1^T = [1, 1; 1, 1 + d0 d1] has the pivots 1 and d0 d1. */
#include "dae/linear/singular_path.h"

#include "core/model/model.h"
#include "tests/support.h"
#include <gradyn/mechanism.h>

/* The rows' pattern alone counts. */
static gradyn_status place(const gradyn_at *at, int order, gradyn_scalar *value)
{
  const gradyn_scalar *of = order == 0 ? at->pos : order == 1 ? at->vel : at->acc;
  *value = of[0] + of[1];
  return GRADYN_OK;
}

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  const int point = gradyn_point(model, "point", 0, 0);
  gradyn_point_mass(model, "mass", point, 1);
  for (int k = 0; k < 2; k++)
    gradyn_custom_constraint(model, &(gradyn_custom_constraint_spec){.name = k ? "second" : "first",
                                                                     .points = &point,
                                                                     .point_count = 1,
                                                                     .fn = place});
  return gradyn_build_status(model);
}

static const struct {
  double from, to; /* slopes */
  gradyn_singular_outcome outcome;
} ways[] = {{1, 1, GRADYN_PATH_CLEAR},
            {0.1, 0.1, GRADYN_PATH_CLEAR},
            {1e-3, 1e-3, GRADYN_PATH_NEAR},
            {0.1, -0.1, GRADYN_PATH_TURNED},
            {1e-3, -1e-3, GRADYN_PATH_TURNED}};

TEST(slopes_are_apart_near_or_turned)
{
  const gradyn_problem problem = {GRADYN_PROBLEM_SIZES, .name = "place", .build = build,
                                  .t_end = 1};
  gradyn_model *model;
  LOCAL(gradyn_singular_path) path = {0};
  assert_ok(gradyn_model_create(&problem, NULL, 0, 0, NULL, &model), model->message.text);
  assert_int_equal(model->mech->jac.nnz, 4);
  assert_ok(gradyn_singular_path_create(model->mech, &path), model->message.text);
  for (size_t k = 0; k < GRADYN_COUNT(ways); k++) {
    const double from[5] = {1, 0, 1, ways[k].from}, to[5] = {1, 0, 1, ways[k].to};
    assert_int_equal(gradyn_singular_path_compare(&path, from, to), ways[k].outcome);
  }
  gradyn_model_free(model);
}
