/* Joint coordinates with parts outside of the tree: loops closed by constraints of joints, drives, a free
 * body that carries others, inertias that two bodies share; by all methods that support them. Also refused
 * models. */
#include "core/model/declare.h"
#include "tests/mbs/tree/both.h"
#include "tests/declare.h"

enum { PARAMETERS = 3 };

static const char *const ways[] = {"direct", "adjoint"};

/* --- a loop --------------------------------------------------------------------------------------- */

TEST(a_slider_crank_in_space_is_the_same)
{
  const gradyn_problem *problem = &gradyn_problem_spatial_slider_crank;
  for (int k = 0; k < 2; k++) {
    both_compare_parameters(
        problem,
        (run_setup){.method = "explicit", .sensitivity = ways[k], .rtol = 1e-11, .t_end = 0.3},
        1e-9);
    both_compare_parameters(
        problem, (run_setup){.method = "idas", .sensitivity = ways[k], .rtol = 1e-9, .t_end = 0.1},
        1e-6);
  }
}

TEST(a_slider_crank_by_ali3p_has_derivatives_of_its_own_steps)
{
  gradyn_problem joint = gradyn_problem_spatial_slider_crank;
  joint.coordinates = "joint";
  const run_setup setup = {.problem = &joint, .step = 2e-3, .t_end = 0.05};
  ali3p_compare_data(&setup, NULL, 1e-10);
}

/* --- a free body that carries others, a drive, a shared inertia ------------------------------------ */

static const gradyn_param params[] = {{"mass", "kg", .init = 2, GRADYN_UNBOUNDED},
                                      {"rate", "rad/s", .init = 1.5, GRADYN_UNBOUNDED},
                                      {"arm", "m", .init = 0.4, GRADYN_UNBOUNDED}};

static int add_body(gradyn_model *m, const char *name, gradyn_scalar mass, gradyn_scalar x)
{
  return declare_body_3d(m, name, mass, INERTIA(0.05, 0.06, 0.07), VECTOR(x, 0.1, 0.2));
}

/* The base is on three springs and carries a driven arm. On the arm a body swings and drags a rod, whose
 * inertia belongs to both of its ends. */
static gradyn_status build_floating(gradyn_model *m, const gradyn_scalar rho[])
{
  int base = add_body(m, "base", 3, 0), arm = add_body(m, "arm", rho[0], rho[2]);
  int last = add_body(m, "last", 1, 2 * rho[2]);
  int motor = declare_joint(m, "motor", GRADYN_REVOLUTE, base, arm, VECTOR(0.1, 0, 0),
                            VECTOR(0.2, 0, 1));
  int swing = declare_joint(m, "swing", GRADYN_REVOLUTE, arm, last, VECTOR(2 * rho[2], 0.1, 0),
                            VECTOR(0, 1, 0.3));
  gradyn_drive_joint(m, "drive", gradyn_joint_coordinate(m, motor, GRADYN_ANGLE),
                     &(gradyn_time_function){.value = 0, .rate = rho[1]});
  int angle = gradyn_joint_coordinate(m, swing, GRADYN_ANGLE);
  gradyn_fix_initial_joint(m, "start", angle, 0.3, -1);
  gradyn_joint_spring(
      m, &(gradyn_joint_spring_spec){.name = "loss", .coordinate = angle, .k = 2, .c = 0.1});
  int eye[3];
  for (int k = 0; k < 3; k++) {
    int anchor = gradyn_ground_point_3d(m, gradyn_format_name(m, "anchor%d", k), k == 0 ? 1.5 : -1,
                                        k == 1 ? 1.5 : -1, 1.2);
    eye[k] = gradyn_body_point_3d(m, base, gradyn_format_name(m, "eye%d", k), k == 0 ? 0.3 : 0,
                                  k == 1 ? 0.5 : 0.1, 0.2);
    gradyn_spring(m, &(gradyn_spring_spec){gradyn_format_name(m, "rope%d", k), anchor, eye[k],
                                           .k = 80, .c = 2, .free_length = 1});
    gradyn_fix_initial_coordinate(m, gradyn_body_centre(m, base), (gradyn_axis)k);
  }
  const double from[3][3] = {{0.3, 1.1, 0.2}, {0.3, 0.1, 1.2}, {0, 0.5, 1.2}};
  for (int k = 0; k < 3; k++)
    gradyn_fix_initial_distance(m, gradyn_format_name(m, "turn%d", k),
                                gradyn_ground_point_3d(m, gradyn_format_name(m, "far%d", k),
                                                       from[k][0], from[k][1], from[k][2]),
                                eye[k / 2], 1, 0);
  int tip = gradyn_body_point_3d(m, last, "tip", 3 * rho[2], 0, 0.1),
      end = gradyn_point_3d(m, "end", 3 * rho[2], 0.1, -0.2);
  gradyn_rod(m, &(gradyn_rod_spec){"rod", tip, end, .length = 0.3, .mass = 0.4});
  gradyn_fix_initial_coordinate(m, end, GRADYN_X);
  gradyn_fix_initial_coordinate(m, end, GRADYN_Y);
  gradyn_gravity_3d(m, 0, 0, -9.81);
  gradyn_minimise(
      m,
      gradyn_functional(
          m,
          &(gradyn_functional_spec){"track", gradyn_measure_point(m, "", end, 0, GRADYN_ALL_AXES),
                                    .reduction = GRADYN_SQUARE_INTEGRAL}),
      1);
  gradyn_functional(m, &(gradyn_functional_spec){"speed",
                                                 gradyn_measure_point(m, "", tip, 1, GRADYN_Y),
                                                 .reduction = GRADYN_AT_END});
  return gradyn_build_status(m);
}

static const gradyn_problem floating = {GRADYN_PROBLEM_SIZES,    .name = "floating",
                                        .params = params,        .param_count = PARAMETERS,
                                        .build = build_floating, .t_end = 0.3};

THOROUGH_TEST(a_free_body_carries_others)
{
  gradyn_problem joint = floating;
  joint.coordinates = "joint";
  for (int k = 0; k < 2; k++)
    both_compare_parameters(
        &floating, (run_setup){.method = "explicit", .sensitivity = ways[k], .rtol = 1e-12}, 1e-9);
  ali3p_compare_data(&(run_setup){.problem = &joint, .method = "explicit", .rtol = 1e-9}, NULL,
                     1e-10);
}

/* --- messages and refusals -------------------------------------------------------------------------- */

TEST(the_tree_is_listed)
{
  gradyn_problem joint = gradyn_problem_spatial_slider_crank;
  joint.coordinates = "joint";
  run_local *ev = ali3p_open(&(run_setup){.problem = &joint});
  gradyn_link_info link;
  assert_int_equal(gradyn_evaluator_model_info(ev).coordinates, 4);
  assert_int_equal(gradyn_evaluator_model_info(ev).constraints, 3);
  assert_true(gradyn_link_at(ev, 0, &link));
  assert_string_equal(link.body, "crank");
  assert_string_equal(link.parent, "ground");
  assert_string_equal(link.kind, "revolute");
  assert_string_equal(link.coordinate, "A.angle");
  assert_true(gradyn_link_at(ev, 2, &link));
  assert_string_equal(link.body, "rod");
  assert_string_equal(link.parent, "slider");
  assert_string_equal(link.coordinate, "C.angle, C.angle_b");
  assert_true(gradyn_link_at(ev, 3, &link));
  assert_null(link.body);
  assert_string_equal(link.joint, "B");
  assert_says(link.reason, "closes a loop");
  assert_false(gradyn_link_at(ev, 4, &link));
  gradyn_evaluator_free(ev);
  ev = ali3p_open(&(run_setup){.problem = &gradyn_problem_spatial_slider_crank});
  assert_false(gradyn_link_at(ev, 0, &link));
}

static void refuse(const gradyn_problem *problem, const char *method, gradyn_status expected,
                   const char *says)
{
  gradyn_problem joint = *problem;
  run_local *ev;
  double rho[64], psi[64], gradient[1024];
  joint.coordinates = "joint";
  gradyn_status status = run_try(&ev, &joint, .method = method);
  if (status == GRADYN_OK) {
    run_initial(ev, rho);
    status = gradyn_evaluator_gradient(ev, rho, psi, gradient);
  }
  if (status != expected)
    fail_msg("%d: %s", (int)status, gradyn_evaluator_message(ev));
  assert_says(gradyn_evaluator_message(ev), says);
}

/* Without fixed initial conditions, the initial state is the nearest to the declared one. Here a hinge does
 * not fit the positions of its bodies, and declared rates violate hinges. */
static gradyn_status build_unheld(gradyn_model *m, const gradyn_scalar rho[])
{
  const gradyn_scalar rate = rho[1];
  int body = gradyn_body_3d(m, &(gradyn_body_spec){.name = "body",
                                                   .mass = rho[0],
                                                   .centre = {0.5, 0.1, 0},
                                                   .inertia = {0.05, 0.06, 0.07},
                                                   .velocity = {0, rate, 0.3},
                                                   .omega = {rate, 0.2, 0.1}});
  int frame = gradyn_frame(m, &(gradyn_frame_spec){.name = "a",
                                                   .body = GRADYN_GROUND,
                                                   .origin = {0, 0.05, 0.02},
                                                   .axis = {0.1, 1, 0.1},
                                                   .side = {1, 0, 0}});
  int other = gradyn_frame(m, &(gradyn_frame_spec){.name = "b",
                                                   .body = body,
                                                   .origin = {0.02, 0, rho[2] - 0.4},
                                                   .axis = {0, 1, 0.2},
                                                   .side = {1, 0, 0.1}});
  gradyn_joint(
      m, &(gradyn_joint_spec){.name = "hinge", .kind = GRADYN_REVOLUTE, .a = frame, .b = other});
  int last = gradyn_body_3d(m, &(gradyn_body_spec){.name = "last",
                                                   .mass = 1,
                                                   .centre = {1, 0, 0},
                                                   .inertia = {0.05, 0.06, 0.07},
                                                   .velocity = {0, 1, rate}});
  gradyn_joint_between(m, &(gradyn_joint_between_spec){.name = "slide",
                                                       .kind = GRADYN_PRISMATIC,
                                                       .body_a = body,
                                                       .body_b = last,
                                                       .position = {0.7, 0, 0},
                                                       .axis = {0.2, 0, 1},
                                                       .side = {1, 0, 0}});
  gradyn_gravity_3d(m, 0, 0.5, -9.81);
  gradyn_minimise(
      m,
      gradyn_functional(
          m,
          &(gradyn_functional_spec){
              "track", gradyn_measure_point(m, "", gradyn_body_centre(m, last), 0, GRADYN_ALL_AXES),
              .reduction = GRADYN_SQUARE_INTEGRAL}),
      1);
  gradyn_functional(m, &(gradyn_functional_spec){"energy", gradyn_measure_energy(m, ""),
                                                 .reduction = GRADYN_AT_END});
  return gradyn_build_status(m);
}

TEST(a_start_that_is_not_fixed_is_the_same)
{
  const gradyn_problem unheld = {GRADYN_PROBLEM_SIZES,      .name = "unheld",      .params = params,
                                 .param_count = PARAMETERS, .build = build_unheld, .t_end = 0.3};
  gradyn_problem joint = unheld;
  joint.coordinates = "joint";
  for (int k = 0; k < 2; k++) {
    both_compare_parameters(
        &unheld, (run_setup){.method = "explicit", .sensitivity = ways[k], .rtol = 1e-12}, 1e-9);
    both_compare_parameters(
        &unheld, (run_setup){.method = "idas", .sensitivity = ways[k], .rtol = 1e-9}, 1e-6);
  }
  ali3p_compare_data(&(run_setup){.problem = &joint, .method = "explicit", .rtol = 1e-9}, NULL,
                     1e-10);
  ali3p_compare_data(&(run_setup){.problem = &joint, .step = 0.01}, NULL, 1e-10);
}

TEST(features_without_joint_coordinates_are_named)
{
  refuse(&gradyn_problem_robertson, "idas", GRADYN_UNSUPPORTED, "general equations");
  refuse(&floating, "variational", GRADYN_INVALID, "mass matrix");
  run_local *ev;
  gradyn_options options = run_options(&floating);
  options.coordinates = "polar";
  assert_int_equal(gradyn_evaluator_create(&floating, &options, NULL, 0, &ev), GRADYN_INVALID);
  assert_says(gradyn_evaluator_message(ev), "natural, joint");
}
