/* gradyn_evaluator_check() finds a factor 1 + 1e-6 in the transposed derivative of initial states with
 * respect to data. It checks the initial states of the evaluator's own method. */

#include "adjoint/evaluator/evaluator.h"
#include "tests/adjoint/ali3p_models.h"
#include "tests/adjoint/checked.h"
#include "tests/adjoint/check/planted.h"
#include "tests/declare.h"

static const gradyn_mech_ops *right;

/* Multiplies the contribution of transposed products to data by a wrong factor; derivatives of initial
 * states then are wrong, too. */
static gradyn_status against_too_much(gradyn_mech *mech, const gradyn_mech_point *look, int columns,
                                      gradyn_lanes *const *mu, const gradyn_mech_adjoints *adjoints)
{
  gradyn_status status = right->against(mech, look, columns, mu, adjoints);
  for (int k = 0; k < columns * mech->nx && adjoints->x; k++)
    adjoints->x[k] *= 1 + PLANTED;
  return status;
}

TEST(starts_are_named)
{
  static const char *const starts[] = {"initial d(q, v)/dx or dy/dx, transposed",
                                       "initial d(q, v, a, lam)/dx, transposed"};
  checked out;
  run_local *ev = ali3p_open(&(run_setup){.problem = &gradyn_problem_five_bar});
  right = ev->model->mech->ops;
  gradyn_mech_ops wrong = *right;
  wrong.against = against_too_much;
  ev->model->mech->ops = &wrong;
  checked_run(ev, true, &out);
  for (size_t k = 0; k < GRADYN_COUNT(starts); k++) {
    const gradyn_check_item *item = checked_find(&out, starts[k], NULL);
    assert_true(item && !item->passed);
  }
  ev->model->mech->ops = right;
}

/* Two bodies that are welded and, in addition, pinned: two constraints are redundant. */
static gradyn_status build_double(gradyn_model *model, const gradyn_scalar rho[])
{
  int body[2];
  for (int i = 0; i < 2; i++)
    body[i] = declare_body(model, i ? "tag" : "bob", rho[0], 0.02, 0.3 + 0.2 * i, 0.1);
  gradyn_gravity(model, 0, -9.81);
  for (int i = 0; i < 3; i++)
    declare_joint(model, gradyn_format_name(model, "joint%d", i),
                  i == 1 ? GRADYN_FIXED : GRADYN_REVOLUTE, i ? body[0] : GRADYN_GROUND, body[i > 0],
                  VECTOR(0.2 * i, 0.05 * i), NULL);
  gradyn_functional(
      model,
      &(gradyn_functional_spec){
          "end", gradyn_measure_point(model, "", gradyn_body_centre(model, body[1]), 0, GRADYN_Y),
          .reduction = GRADYN_AT_END});
  return gradyn_build_status(model);
}

static const gradyn_param params[] = {{"mass", "kg", .init = 1.3, GRADYN_UNBOUNDED}};
static gradyn_problem twice = PROBLEM("twice", build_double, params, .t_end = 0.5, .step = 1e-3);

/* The check covers the initial states of ali3p and explicit, although idas cannot start with redundant
 * constraints. */
TEST(redundant_constraints_are_checked)
{
  static const char *const methods[] = {"ali3p", "explicit"};
  if (!support_thorough())
    twice.t_end = 0.1;
  for (int k = 0; k < 2; k++) {
    checked out;
    checked_problem(&twice, methods[k], false, &out);
    assert_true(out.count > 40);
  }
}

/* A truss with one rod more than necessary. The length of a rod cannot change alone; the check must not
 * call these derivatives wrong or kinks. */
TEST(dependent_data_are_not_called_wrong)
{
  checked out;
  checked_problem(&gradyn_problem_parallel_bars, "ali3p", false, &out);
  assert_non_null(checked_find(&out, "initial da/dx", NULL));
  assert_null(checked_find(&out, "initial dlam/dx", NULL));
}
