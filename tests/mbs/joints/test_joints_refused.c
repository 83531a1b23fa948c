/* Wrong frames and joints are refused with a message that names the object, the value and the requirement. */
#include <gradyn/gradyn.h>

#include "tests/mbs/refusal.h"
#include "tests/declare.h"

enum { G = REFUSAL_G, P = REFUSAL_P, Q = REFUSAL_Q };

static int body_in(gradyn_model *model, bool space, const char *name)
{
  gradyn_body_spec spec = refusal_body();
  spec.name = name;
  return space ? gradyn_body_3d(model, &spec) : gradyn_body(model, &spec);
}

/* A joint of a kind between two bodies in space, at the origin. */
static void join(gradyn_model *model, gradyn_joint_kind kind, const gradyn_scalar axis[3])
{
  gradyn_joint_between_spec spec = {.name = "joint", .kind = kind};
  for (int k = 0; k < 3; k++)
    spec.axis[k] = axis[k];
  spec.body_a = body_in(model, true, "A");
  spec.body_b = body_in(model, true, "B");
  gradyn_joint_between(model, &spec);
}

static void zero_axis(gradyn_model *model)
{
  join(model, GRADYN_REVOLUTE, (gradyn_scalar[3]){0, 0, 0});
}

static void axis_not_finite(gradyn_model *model)
{
  join(model, GRADYN_REVOLUTE, (gradyn_scalar[3]){0, 0, NAN});
}

static void second_axis_missing(gradyn_model *model)
{
  join(model, GRADYN_UNIVERSAL, (gradyn_scalar[3]){0, 0, 1});
}

static void no_such_kind(gradyn_model *model)
{
  join(model, (gradyn_joint_kind)77, (gradyn_scalar[3]){0, 0, 1});
}

static void with_itself(gradyn_model *model)
{
  int body = body_in(model, true, "body");
  declare_joint(model, "joint", GRADYN_SPHERICAL, body, body, NULL, NULL);
}

static void ground_with_ground(gradyn_model *model)
{
  declare_joint(model, "joint", GRADYN_SPHERICAL, GRADYN_GROUND, GRADYN_GROUND, NULL, NULL);
}

static void unknown_body(gradyn_model *model)
{
  declare_frame(model, "frame", 3, NULL, NULL);
}

static void unknown_frame(gradyn_model *model)
{
  gradyn_joint(model, &(gradyn_joint_spec){.name = "joint", .a = 4, .b = 5});
}

static void origin_of_none(gradyn_model *model)
{
  gradyn_frame_point(model, 2);
}

static void unknown_base_vector(gradyn_model *model)
{
  gradyn_frame(model, &(gradyn_frame_spec){
                          .name = "frame", .body = GRADYN_GROUND, .aligned = true, .along = 3});
}

static void side_along_axis(gradyn_model *model)
{
  gradyn_frame(model, &(gradyn_frame_spec){.name = "frame",
                                           .body = GRADYN_GROUND,
                                           .axis = {0.3, 0.2, 0.1},
                                           .side = {0.6, 0.4, 0.2}});
}

/* Frames of the ground and of a body whose axes are 143 degrees apart. */
static void axes_apart(gradyn_model *model)
{
  int a = declare_frame(model, "a", GRADYN_GROUND, NULL, VECTOR(0, 0, 1));
  int b = declare_frame(model, "b", body_in(model, true, "body"), NULL, VECTOR(0, 0.6, -0.8));
  gradyn_joint(model,
               &(gradyn_joint_spec){.name = "joint", .kind = GRADYN_REVOLUTE, .a = a, .b = b});
}

/* The rod's end is a point of the body to which it is joined, but not at the position of the frame. */
static void apart_on_one_body(gradyn_model *model)
{
  int body = body_in(model, true, "body");
  int at = gradyn_body_centre(model, body);
  int a = declare_frame(model, "a", body, VECTOR(0, 0.5), NULL);
  int b = gradyn_rod_frame(model, "b", at, P);
  gradyn_joint(model,
               &(gradyn_joint_spec){.name = "joint", .kind = GRADYN_SPHERICAL, .a = a, .b = b});
}

static void bar_of_attached(gradyn_model *model)
{
  gradyn_rod_frame(model, "bar", P, gradyn_point_between(model, "half", P, Q, 0.5));
}

static void bar_of_one_point(gradyn_model *model)
{
  gradyn_rod_frame(model, "bar", P, P);
}

static void bar_without_normals(gradyn_model *model)
{
  int a = declare_frame(model, "a", GRADYN_GROUND, NULL, VECTOR(0, 0, 1));
  gradyn_joint(model, &(gradyn_joint_spec){.name = "joint",
                                           .kind = GRADYN_UNIVERSAL,
                                           .a = a,
                                           .b = gradyn_rod_frame(model, "bar", P, Q)});
}

static void sphere_in_plane(gradyn_model *model)
{
  declare_joint(model, "joint", GRADYN_SPHERICAL, GRADYN_GROUND, body_in(model, false, "body"),
                NULL, NULL);
}

/* A hinge between the ground and a body, and its angle. */
static int hinge(gradyn_model *model, int *angle)
{
  int joint = declare_joint(model, "hinge", GRADYN_REVOLUTE, GRADYN_GROUND,
                            body_in(model, true, "body"), NULL, VECTOR(0, 0, 1));
  *angle = gradyn_joint_coordinate(model, joint, GRADYN_ANGLE);
  return joint;
}

static void slide_of_hinge(gradyn_model *model)
{
  int angle;
  gradyn_joint_coordinate(model, hinge(model, &angle), GRADYN_SLIDE);
}

static void spring_at_coordinate(gradyn_model *model)
{
  int angle;
  hinge(model, &angle);
  gradyn_spring(model, &(gradyn_spring_spec){.name = "spring", .from = P, .to = angle, .k = 1});
}

static void gear_of_point(gradyn_model *model)
{
  int angle;
  hinge(model, &angle);
  gradyn_gear(model, "gear", angle, P, 2);
}

static void gear_with_itself(gradyn_model *model)
{
  int angle;
  hinge(model, &angle);
  gradyn_gear(model, "gear", angle, angle, 2);
}

static void drive_of_none(gradyn_model *model)
{
  gradyn_drive_joint(model, "drive", 99, &(gradyn_time_function){.rate = 1});
}

static void stop_without_room(gradyn_model *model)
{
  int angle;
  hinge(model, &angle);
  gradyn_joint_stop(model, &(gradyn_joint_stop_spec){"stop", angle, 1, 0.5, 10, 0, 0.1});
}

static void stop_without_width(gradyn_model *model)
{
  int angle;
  hinge(model, &angle);
  gradyn_joint_stop(model, &(gradyn_joint_stop_spec){"stop", angle, 0, 0.5, 10, 0, 0});
}

static void angle_about_itself(gradyn_model *model)
{
  int a = declare_frame(model, "a", GRADYN_GROUND, NULL, VECTOR(0, 0, 1));
  int b = gradyn_frame(model, &(gradyn_frame_spec){.name = "b",
                                                   .body = body_in(model, true, "body"),
                                                   .axis = {1, 0, 0},
                                                   .side = {0, 0, 1}});
  gradyn_frame_coordinate(model, "angle", a, b, GRADYN_ANGLE);
}

static void slide_of_frames_across(gradyn_model *model)
{
  int a = declare_frame(model, "a", GRADYN_GROUND, NULL, VECTOR(0, 0, 1));
  gradyn_frame_coordinate(model, "across", a, a, GRADYN_SLIDE_X);
}

static const refusal refusals[] = {
    {slide_of_frames_across, "across: coordinate kind 2 is not possible between two frames"},
    {zero_axis, "joint.a has no axis, which its joint needs: (0, 0, 0) is no direction"},
    {axis_not_finite, "joint.a: its axis (0, 0, nan) is no direction"},
    {second_axis_missing, "joint.b has no axis, which its joint needs"},
    {no_such_kind, "joint: there is no joint of kind 77"},
    {with_itself, "joint joins body with itself"},
    {ground_with_ground, "joint joins the ground with itself"},
    {unknown_body, "frame: body 3 has not been declared (there are 0)"},
    {unknown_frame, "joint: frame 4 has not been declared (there are 0)"},
    {origin_of_none, "the origin of a frame: frame 2 has not been declared (there are 0)"},
    {unknown_base_vector, "frame: axis 3 does not exist in this mechanism"},
    {side_along_axis, "frame: its side is parallel to its axis; it must have a component normal"},
    {axes_apart, "joint: the directions z of a and b are 143 degrees apart at the start"},
    {apart_on_one_body, "joint: the frames a and body are fixed to the same body, 0.5 m apart"},
    {bar_of_attached, "bar: half is attached to other points; declare the frame between"},
    {bar_of_one_point, "bar: the two points of a rod must differ"},
    {slide_of_hinge, "joint hinge has no slide: gradyn_frame_coordinate() measures between frames"},
    {spring_at_coordinate, "spring: hinge.angle is a joint coordinate: a point is needed"},
    {gear_of_point, "gear: P is a point: a joint coordinate is needed"},
    {gear_with_itself, "gear joins the point hinge.angle with itself"},
    {drive_of_none, "drive: point 99 has not been declared (there are 3)"},
    {stop_without_room, "stop: the lower limit 1 is not below the upper one 0.5"},
    {stop_without_width, "stop has the stiffness 10 and the width 0: both must be positive"},
    {angle_about_itself,
     "angle: the direction of b is along the axis of a: the angle is undefined"},
    {bar_without_normals, "joint: the universal joint needs directions normal to its axis, which "
                          "the frame of rod bar does not have"}};

static const refusal planar[] = {
    {sphere_in_plane,
     "joint: a spherical joint needs a spatial mechanism, and this one is planar"}};

TEST(wrong_joints_are_refused)
{
  refusal_check_3d((int)GRADYN_COUNT(refusals), refusals);
  refusal_check((int)GRADYN_COUNT(planar), planar);
}

/* Declarations that use a refused object cause no further message. */
static gradyn_status build_on_sand(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  gradyn_body_spec spec = refusal_body();
  spec.mass = -2;
  int joint = declare_joint(model, "joint", GRADYN_REVOLUTE, GRADYN_GROUND,
                            gradyn_body_3d(model, &spec), NULL, VECTOR(0, 0, 1));
  int angle = gradyn_joint_coordinate(model, joint, GRADYN_ANGLE);
  gradyn_fix_initial_joint(model, "start", angle, 0, 1);
  gradyn_pid(model, &(gradyn_pid_spec){.name = "motor", .coordinate = angle, .kp = 1});
  gradyn_functional(model,
                    &(gradyn_functional_spec){"work", gradyn_measure_power(model, "power", "motor"),
                                              .reduction = GRADYN_INTEGRAL});
  gradyn_functional(
      model, &(gradyn_functional_spec){"track", gradyn_measure_joint(model, "angle", angle, 0),
                                       .reduction = GRADYN_SQUARE_INTEGRAL, .target = {1}});
  return gradyn_build_status(model);
}

TEST(one_error_is_reported_once)
{
  const gradyn_problem sand = {GRADYN_PROBLEM_SIZES, .name = "sand", .build = build_on_sand,
                               .t_end = 1};
  gradyn_scalar rho = 0;
  gradyn_model *model;
  assert_status(gradyn_model_create(&sand, NULL, 0, 0, &rho, &model), GRADYN_INVALID,
                model->message.text);
  assert_string_equal(model->message.text, "body.mass is -2 kg: it must be positive");
  gradyn_model_free(model);
}
