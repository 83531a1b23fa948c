/* Choice of the independent coordinate of a point on the line x + d y = 0: the requested one, provided that
 * the other one follows from it. */
#include "dae/start/independent.h"

#include "core/model/model.h"
#include "tests/support.h"
#include <gradyn/mechanism.h>

enum { X, Y };
static double d;

static gradyn_status line(const gradyn_at *at, int order, gradyn_scalar *value)
{
  const gradyn_scalar *of = order == 0 ? at->pos : order == 1 ? at->vel : at->acc;
  *value = of[X] + d * of[Y];
  return GRADYN_OK;
}

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  const int point = gradyn_point(model, "point", 0, 0);
  gradyn_point_mass(model, "mass", point, 1);
  gradyn_custom_constraint(model,
                           &(gradyn_custom_constraint_spec){
                               .name = "line", .points = &point, .point_count = 1, .fn = line});
  return gradyn_build_status(model);
}

static const struct {
  double d;
  /* rank of the requested coordinate x, above that of y; 0: without ranks, x must be independent */
  int rank;
  int independent; /* -1: refused */
} choices[] = {{1, 0, X}, {1e-6, 0, X}, {1e-12, 0, -1}, {0.5, 1, X}, {0.01, 1, Y}, {0.01, 2, X}};

TEST(requested_coordinates_are_independent_if_possible)
{
  const gradyn_problem problem = {GRADYN_PROBLEM_SIZES, .name = "line", .build = build, .t_end = 1};
  const double none[3] = {0};
  const gradyn_mech_state at = {.q = none, .v = none, .a = none, .lam = none};
  for (size_t k = 0; k < GRADYN_COUNT(choices); k++) {
    gradyn_model *model;
    LOCAL(gradyn_independent) found;
    d = choices[k].d;
    gradyn_status status = gradyn_model_create(&problem, NULL, 0, 0, NULL, &model);
    assert_ok(status, model->message.text);
    assert_ok(gradyn_independent_create(model->mech, &found), model->message.text);
    status = choices[k].rank > 0
                 ? gradyn_independent_rank(&found, &at, (const int[]){choices[k].rank, 0})
                 : gradyn_independent_choose(&found, &at, (const bool[]){true, false});
    assert_status(status, choices[k].independent < 0 ? GRADYN_INVALID : GRADYN_OK,
                  model->message.text);
    if (status == GRADYN_OK) {
      assert_int_equal(found.count, 1);
      assert_int_equal(found.at[0], choices[k].independent);
    }
    gradyn_model_free(model);
  }
}
