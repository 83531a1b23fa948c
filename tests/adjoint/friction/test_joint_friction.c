/* Friction in joints: gradients through sticking and slipping, direct against adjoint and differences, and
 * refused declarations. */
#include "tests/adjoint/joint_friction_models.h"
#include "tests/mbs/refusal.h"
#include "tests/runs.h"
#include "tests/declare.h"

enum { GRADIENT = 6 * JOINT_FRICTION_PARAMETERS };

/* Steps of a tenth of the time in which 10 m/s^2 reach the transition velocity. */
static run_setup fine(double transition)
{
  return (run_setup){.problem = &joint_friction_block,
                     .setting = "narrow",
                     .value = transition < 1e-2,
                     .step = transition / 10};
}

/* Compares gradients, relative to the largest derivative of a functional. */
static void compare(const run_setup *setup, double tolerance)
{
  double gradient[2][GRADIENT];
  run_local *ev = NULL;
  for (int k = 0; k < 2; k++) {
    double rho[JOINT_FRICTION_PARAMETERS];
    run_setup s = *setup;
    s.sensitivity = k ? "direct" : "adjoint";
    gradyn_evaluator_free(ev);
    ev = ali3p_open(&s);
    run_initial(ev, rho);
    assert_run(gradyn_evaluator_gradient(ev, rho, NULL, gradient[k]), ev);
  }
  for (size_t f = 0; f < gradyn_functional_count(ev); f++) {
    const double *a = gradient[0] + f * JOINT_FRICTION_PARAMETERS,
                 *b = gradient[1] + f * JOINT_FRICTION_PARAMETERS;
    const double most = largest_of(b, JOINT_FRICTION_PARAMETERS);
    assert_true(memcmp(a, b, sizeof(double[JOINT_FRICTION_PARAMETERS])) != 0);
    assert_close_array(a, b, JOINT_FRICTION_PARAMETERS, 0, tolerance * most);
  }
}

THOROUGH_TEST(direct_equals_adjoint)
{
  for (int i = 0; i < 2; i++) {
    run_setup setup = fine(i ? 1e-3 : 1e-2);
    if (support_takes(i, 2))
      compare(&setup, 1e-10);
    setup.integrator = "generalised-alpha";
    setup.integrator_parameter = 0.8;
    if (support_takes(i + 1, 2))
      compare(&setup, 1e-10);
    setup = (run_setup){.problem = &joint_friction_block,
                        .setting = "narrow",
                        .value = i,
                        .method = "idas",
                        .rtol = 1e-11};
    if (support_takes(i + 1, 2))
      compare(&setup, 1e-8);
  }
  for (int law = 0; law < 3; law++) {
    if (!support_takes(law, 2))
      continue;
    run_setup setup = {.problem = &joint_friction_space, .setting = "law", .value = law};
    compare(&setup, 1e-10);
  }
}

TEST(differences_agree)
{
  for (int i = 0; i < 2; i++) {
    run_setup setup = fine(i ? 1e-3 : 1e-2);
    ali3p_compare_differences(&setup, 1e-3, 1e-5);
    setup = (run_setup){.problem = &joint_friction_block,
                        .setting = "narrow",
                        .value = i,
                        .method = "idas",
                        .rtol = 1e-11};
    if (support_takes(i, 2))
      ali3p_compare_differences(&setup, 1e-3, 1e-5);
  }
  run_setup setup = {.problem = &joint_friction_space};
  ali3p_compare_differences(&setup, 1e-3, 1e-7);
}

/* --- refused --------------------------------------------------------------------------------------- */

static gradyn_joint_friction_spec usual(gradyn_model *model, gradyn_joint_kind kind)
{
  gradyn_body_spec body = refusal_body();
  return (gradyn_joint_friction_spec){.name = "friction",
                                      .joint = declare_joint(model, "joint", kind, GRADYN_GROUND,
                                                             gradyn_body_3d(model, &body), NULL,
                                                             VECTOR(0, 0, 1)),
                                      .still = 0.3,
                                      .kinetic = 0.2,
                                      .transition = 1e-2,
                                      .smoothing = 0.1,
                                      .radius = 0.1};
}

static void spherical(gradyn_model *model)
{
  gradyn_joint_friction_spec spec = usual(model, GRADYN_SPHERICAL);
  gradyn_joint_friction(model, &spec);
}

static void negative(gradyn_model *model)
{
  gradyn_joint_friction_spec spec = usual(model, GRADYN_REVOLUTE);
  spec.still = -0.3;
  gradyn_joint_friction(model, &spec);
}

static void superfluous(gradyn_model *model)
{
  gradyn_joint_friction_spec spec = usual(model, GRADYN_PRISMATIC);
  gradyn_joint_friction(model, &spec);
}

static void of_a_bar(gradyn_model *model)
{
  gradyn_joint_friction_spec spec = usual(model, GRADYN_REVOLUTE);
  int a = declare_frame(model, "a", GRADYN_GROUND, NULL, VECTOR(0, 0, 1));
  spec.joint = gradyn_joint(
      model, &(gradyn_joint_spec){.name = "bar joint",
                                  .kind = GRADYN_REVOLUTE,
                                  .a = a,
                                  .b = gradyn_rod_frame(model, "b", REFUSAL_P, REFUSAL_Q)});
  gradyn_joint_friction(model, &spec);
}

TEST(wrong_friction_is_refused)
{
  static const refusal refusals[] = {
      {spherical, "friction: joint joint cannot have friction; revolute"},
      {negative, "friction.still is -0.3: it must not be negative"},
      {superfluous, "friction.radius is 0.1: this joint and law do not use it"},
      {of_a_bar, "friction: body b of joint bar joint is a rod, but friction needs"}};
  refusal_check_3d((int)GRADYN_COUNT(refusals), refusals);
}
