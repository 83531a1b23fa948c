/* Objects without a name: two objects of a kind get different names, and so do their points and states.
 * Objects with an empty name are refused, and later declarations are not affected. */
#include "tests/mbs/refusal.h"
#include "tests/core/model/probe_model.h"
#include <gradyn/gradyn.h>

enum { PARTS = 2 };

/* Two bodies on hinges with bushings between them, and every force element that a hinge may have. */
static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  gradyn_body_id body[PARTS];
  (void)rho;
  for (int k = 0; k < PARTS; k++) {
    const gradyn_scalar x = 2 * k;
    body[k] = gradyn_body(
        m, &(gradyn_body_spec){.centre = {x + 0.5, 0}, .mass = 1, .inertia = {0, 0, 0.1}});
    const gradyn_frame_id ground = gradyn_frame(
        m, &(gradyn_frame_spec){.body = GRADYN_GROUND, .origin = {x, 0}, .axis = {1, 0}});
    const gradyn_frame_id on_body = gradyn_frame(
        m, &(gradyn_frame_spec){.body = body[k], .origin = {x, 0}, .axis = {1, 0}});
    const gradyn_joint_id hinge = gradyn_joint(
        m, &(gradyn_joint_spec){.kind = GRADYN_REVOLUTE, .a = ground, .b = on_body});
    const gradyn_coordinate_id angle = gradyn_joint_coordinate(m, hinge, GRADYN_ANGLE);
    gradyn_pid(m, &(gradyn_pid_spec){.coordinate = angle, .kp = 1, .ki = 1});
    gradyn_joint_friction(m, &(gradyn_joint_friction_spec){.joint = hinge,
                                                           .law = GRADYN_LUGRE,
                                                           .still = 0.2,
                                                           .kinetic = 0.1,
                                                           .transition = 0.01,
                                                           .smoothing = 1,
                                                           .radius = 0.01,
                                                           .stiffness = 1000,
                                                           .damping = 1});
    gradyn_joint_spring(m, &(gradyn_joint_spring_spec){.coordinate = angle, .k = 1});
    gradyn_spring(m, &(gradyn_spring_spec){.from = gradyn_frame_point(m, ground),
                                           .to = gradyn_body_centre(m, body[k]),
                                           .k = 1});
  }
  for (int k = 0; k < PARTS; k++)
    gradyn_bushing(m, &(gradyn_bushing_spec){.body_a = body[0],
                                             .body_b = body[1],
                                             .position = {1, 0},
                                             .stiffness = {1, 1},
                                             .torsion = {0, 0, 1}});
  return gradyn_build_status(m);
}

TEST(two_parts_without_a_name_have_different_ones)
{
  static const char *const data[] = {"body%s.mass",
                                     "frame%s.local_x",
                                     "PID%s.kp",
                                     "friction%s.still",
                                     "joint spring%s.stiffness",
                                     "spring%s.stiffness",
                                     "bushing%s.a.local_x",
                                     "PID%s.error_integral.initial"};
  gradyn_model *model;
  assert_ok(probe_create(build, NULL, &model), model->message.text);
  for (size_t i = 0; i < GRADYN_COUNT(data); i++) {
    char name[2][64];
    /* every second frame is on a body */
    const bool frame = strncmp(data[i], "frame", 5) == 0;
    snprintf(name[0], sizeof name[0], data[i], frame ? "-2" : "");
    snprintf(name[1], sizeof name[1], data[i], frame ? "-4" : "-2");
    assert_int_not_equal(probe_datum(model, name[0]), probe_datum(model, name[1]));
  }
  /* a later build() gives the same names */
  assert_ok(gradyn_model_refresh(model, NULL), model->message.text);
  probe_destroy(model);
}

static void body(gradyn_model *model)
{
  gradyn_body_spec spec = refusal_body();
  spec.name = "";
  gradyn_body(model, &spec);
}

static void frame(gradyn_model *model)
{
  gradyn_frame(model, &(gradyn_frame_spec){.name = "", .body = GRADYN_GROUND, .axis = {1, 0}});
}

TEST(parts_with_an_empty_name_are_refused)
{
  static const refusal refusals[] = {{body, "a point has no name"}, {frame, "a point has no name"}};
  refusal_check(GRADYN_COUNT(refusals), refusals);
}

/* Declares the object with an empty name first, so that a returned 0 cannot be the id of another object. */
static gradyn_status build_nameless(gradyn_model *m, const gradyn_scalar rho[])
{
  (void)rho;
  const gradyn_body_id arm = gradyn_body(
      m, &(gradyn_body_spec){.name = "", .mass = 1, .inertia = {0, 0, 1}, .velocity = {1, 0}});
  const gradyn_joint_id hinge = gradyn_joint(
      m, &(gradyn_joint_spec){
             .kind = GRADYN_REVOLUTE,
             .a = gradyn_frame(m, &(gradyn_frame_spec){.name = "", .body = GRADYN_GROUND}),
             .b = gradyn_frame(m, &(gradyn_frame_spec){.body = arm})});
  gradyn_joint_coordinate(m, hinge, GRADYN_ANGLE);
  return gradyn_build_status(m);
}

TEST(a_nameless_first_part_does_no_harm)
{
  gradyn_model *model;
  assert_status(probe_create(build_nameless, NULL, &model), GRADYN_INVALID, NULL);
  probe_assert_says(model, "a point has no name");
  probe_destroy(model);
}
