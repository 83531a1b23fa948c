/* gradyn_evaluator_check() passes if derivatives are right, names a wrong one, and distinguishes a functional
 * with a kink or a jump from a wrong derivative. */
#include <complex.h>

#include "problems/builtin.h"
#include "tests/adjoint/checked.h"
#include "tests/runs.h"
#include "tests/declare.h"

/* --- right derivatives ------------------------------------------------------------------------ */

TEST(test_five_bar)
{
  static const char *const names[] = {"K = dR/dq, forces",
                                      "M = dR/da",
                                      "Phi''_q",
                                      "dPhi''/dx",
                                      "Phi'' = dPhi'/dt",
                                      "Phi'' by q and v",
                                      "dg/dy of psi3",
                                      "initial dlam/dx",
                                      "dx/drho",
                                      "dpsi/drho of psi1: direct",
                                      "dpsi/drho of psi3: adjoint"};
  checked out;
  checked_problem(&gradyn_problem_five_bar, NULL, false, &out);
  for (size_t i = 0; i < GRADYN_COUNT(names); i++)
    if (!checked_find(&out, names[i], NULL))
      fail_msg("%s is not checked", names[i]);
  for (size_t i = 0; i < out.count; i++) {
    const gradyn_check_item *item = &out.item[i];
    assert_true(item->passed && !item->kink && item->error <= item->tolerance);
    /* interface derivatives must be accurate to 1e-8, and whole gradients by differences to 1e-7 */
    bool whole = strncmp(item->name, "dpsi", 4) == 0 && strcmp(item->route, "differences") == 0;
    assert_true(item->error < (whole ? 1e-7 : 1e-8));
  }
  /* the item of a kind of element reports the largest error of its elements */
  assert_true(checked_find(&out, "spring: each separately", NULL)->error > 0);
  /* worst last */
  for (size_t i = 1; i < out.count; i++)
    assert_true(out.item[i - 1].error / out.item[i - 1].tolerance <=
                out.item[i].error / out.item[i].tolerance);
}

TEST(test_general_equations)
{
  checked out;
  checked_problem(&gradyn_problem_robertson, NULL, false, &out);
  assert_non_null(checked_find(&out, "dF/dy'", NULL));
  assert_non_null(checked_find(&out, "dF/dx", NULL));
}

/* If the array has room for fewer items, it gets those with the largest errors. */
TEST(test_capacity)
{
  checked all;
  gradyn_check_item few[3];
  size_t count;
  checked_problem(&gradyn_problem_robertson, NULL, false, &all);
  run_local *ev = run_with(.problem = &gradyn_problem_robertson);
  double rho[3];
  run_initial(ev, rho);
  assert_run(gradyn_evaluator_check(ev, rho, NULL, few, 3, &count), ev);
  assert_int_equal(count, 3);
  for (size_t i = 0; i < 3; i++)
    assert_string_equal(few[i].name, all.item[all.count - 3 + i].name);
}

/* --- wrong ones ------------------------------------------------------------------------------- */

static const gradyn_param params[] = {{"R", "m", .init = 1.2, GRADYN_UNBOUNDED, .scale = 1}};

/* A bead on a circle, with a factor of two missing in Phi'. */
static gradyn_status circle(const gradyn_at *at, int order, gradyn_scalar *value)
{
  const gradyn_scalar *q = at->pos, *v = at->vel, *a = at->acc, R = at->data[0];
  if (order == 0)
    *value = q[0] * q[0] + q[1] * q[1] - R * R;
  else if (order == 1)
    *value = q[0] * v[0] + q[1] * v[1];
  else
    *value = 2 * (v[0] * v[0] + v[1] * v[1] + q[0] * a[0] + q[1] * a[1]);
  return GRADYN_OK;
}

static gradyn_status build_bead(gradyn_model *mbs, const gradyn_scalar rho[])
{
  int bead = gradyn_point(mbs, "bead", rho[0], 0);
  gradyn_point_mass(mbs, "mass", bead, 0.5);
  gradyn_gravity(mbs, 0, -9.81);
  gradyn_custom_constraint(
      mbs, &(gradyn_custom_constraint_spec){.name = "circle",
                                            .points = &bead,
                                            .point_count = 1,
                                            .fn = circle,
                                            .data = (gradyn_datum[]){{"R", "m", rho[0]}},
                                            .data_count = 1});
  gradyn_functional(mbs, &(gradyn_functional_spec){"height",
                                                   gradyn_measure_point(mbs, "", bead, 0, GRADYN_Y),
                                                   .reduction = GRADYN_AT_END});
  return gradyn_build_status(mbs);
}

TEST(test_wrong_constraint)
{
  static const gradyn_problem problem = PROBLEM("bead", build_bead, params, .t_end = 0.5);
  checked out;
  checked_problem(&problem, NULL, true, &out);
  const char *const wrong[] = {"Phi' = dPhi/dt along a motion at circle", "Phi'_v = Phi_q"};
  for (size_t i = 0; i < GRADYN_COUNT(wrong); i++) {
    const gradyn_check_item *item = checked_find(&out, wrong[i], NULL);
    assert_non_null(item);
    assert_false(item->passed || item->kink);
    assert_true(item->error > 0.1);
  }
  /* a correct derivative of the same constraint must pass */
  const gradyn_check_item *right = checked_find(&out, "Phi_q", NULL);
  assert_true(right && right->passed);
  assert_false(out.item[out.count - 1].passed);
}

/* --- fast vibrations -------------------------------------------------------------------------- */

/* A mass on a spring makes 300 oscillations, so that a change of the stiffness by a thousandth moves its
 * end position through a whole cycle. */
static void declare_vibration(gradyn_model *mbs, gradyn_scalar stiffness)
{
  int G = gradyn_ground_point(mbs, "G", 0, 0), P = gradyn_point(mbs, "P", 1.1, 0);
  gradyn_point_mass(mbs, "mass", P, 1);
  gradyn_spring(mbs, &(gradyn_spring_spec){
                         .name = "spring", .from = G, .to = P, .k = stiffness, .free_length = 1});
  gradyn_functional(mbs,
                    &(gradyn_functional_spec){"end", gradyn_measure_point(mbs, "", P, 0, GRADYN_X),
                                              .reduction = GRADYN_AT_END});
}

static gradyn_status build_vibration(gradyn_model *mbs, const gradyn_scalar rho[])
{
  declare_vibration(mbs, 1e6 * rho[0]);
  return gradyn_build_status(mbs);
}

/* A wrong derivative: one per cent of it is missing. */
static gradyn_status build_wrongly(gradyn_model *mbs, const gradyn_scalar rho[])
{
  declare_vibration(mbs, 1e6 * (0.99 * rho[0] + 0.01 * creal(rho[0])));
  return gradyn_build_status(mbs);
}

TEST(test_vibration)
{
  gradyn_problem problem = PROBLEM("vibration", build_vibration, params, .t_end = 2,
                                   .method = "ali3p", .step = 1e-3);
  checked out;
  checked_problem(&problem, NULL, false, &out);
  const gradyn_check_item *item = checked_find(&out, "dpsi/drho of end: adjoint", NULL);
  assert_true(item && item->passed && item->tolerance < 1e-5);
  problem.build = build_wrongly;
  checked_problem(&problem, NULL, true, &out);
  item = checked_find(&out, "dpsi/drho of end: adjoint", NULL);
  assert_true(item && !item->passed && !item->kink);
  assert_close(item->error, 0.01, 0.02, 0);
}

/* --- kinks and jumps -------------------------------------------------------------------------- */

FORMULA(decay, at->yp[0] + at->y[0])

static gradyn_status distance(const gradyn_at *at, gradyn_scalar *value)
{
  gradyn_scalar d = at->data[0] - 1.2;
  *value = at->y[0] + (creal(d) < 0 ? -d : d);
  return GRADYN_OK;
}

FORMULA(threshold, at->y[0] + (creal(at->data[0]) > 1.2 ? 1.0 : 0.0))
FORMULA(smooth, at->y[0] * at->data[0])

static gradyn_status build_kinks(gradyn_model *model, const gradyn_scalar rho[])
{
  static const struct {
    const char *name;
    gradyn_functional_fn fn;
  } functional[] = {{"distance", distance}, {"threshold", threshold}, {"smooth", smooth}};
  gradyn_state(model, "y", "", rho[0]);
  declare_equations(model, decay, NULL, 0);
  for (size_t i = 0; i < GRADYN_COUNT(functional); i++)
    gradyn_custom_functional(
        model, &(gradyn_custom_functional_spec){.name = functional[i].name,
                                                .terminal = functional[i].fn,
                                                .data = (gradyn_datum[]){{"R", "m", rho[0]}},
                                                .data_count = 1});
  return gradyn_build_status(model);
}

TEST(test_kinks)
{
  static const gradyn_problem problem = PROBLEM("kinks", build_kinks, params, .t_end = 0.5);
  checked out;
  checked_problem(&problem, NULL, true, &out);
  const char *const names[] = {"dw/dx of distance", "dw/dx of threshold",
                               "dpsi/drho of distance: adjoint", "dpsi/drho of threshold: adjoint"};
  for (size_t i = 0; i < GRADYN_COUNT(names); i++) {
    const gradyn_check_item *item = checked_find(&out, names[i], NULL);
    if (!item || item->passed || !item->kink)
      fail_msg("%s is not reported as a kink", names[i]);
  }
  /* direct and adjoint agree, and the smooth functional passes; only comparisons with differences fail,
   * three of each kind */
  assert_int_equal(out.wrong, 6);
  const gradyn_check_item *smooth_item = checked_find(&out, "dpsi/drho of smooth: adjoint", NULL);
  assert_true(smooth_item && smooth_item->passed);
}
