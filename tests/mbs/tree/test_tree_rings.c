/* Loops closed by constraints of joints, some of them redundant: joint coordinates against natural ones. */
#include "tests/mbs/tree/both.h"

/* Parallel hinges of four rods; a joint at the ground closes the loop. For a hinge in space, three of its
 * constraints are redundant. Variants: a second loop on the same branch, a drive at either end, and a drive
 * of a joint that is cut. */
enum { SPHERE, HINGE, TURNED, TWO_LOOPS, DRIVEN, DRIVEN_AT_THE_LOOP, RINGS };

/* Orientation of the linkage: along the ground's axes, or oblique to them. */
typedef enum view { STRAIGHT, OBLIQUE } view;
static const double along[][3] = {{1, 0, 0}, {0.8, -0.6, 0}},
                    upwards[][3] = {{0, 0, 1}, {0.48, 0.64, -0.6}},
                    across[][3] = {{0, 1, 0}, {0.36, 0.48, 0.8}};
static view seen; /* of the ring in hand */

static gradyn_scalar place(gradyn_scalar x, gradyn_scalar z, int axis)
{
  return x * along[seen][axis] + z * upwards[seen][axis];
}

#define PLACE(x, z)                                                                                \
  {                                                                                                \
    place(x, z, 0), place(x, z, 1), place(x, z, 2)                                                 \
  }

static int declare_bar(gradyn_model *m, const char *name, gradyn_scalar mass, double x, double z)
{
  return gradyn_body_3d(m, &(gradyn_body_spec){.name = name,
                                               .mass = mass,
                                               .centre = PLACE(x, z),
                                               .inertia = {0.05, 0.06, 0.07, 0, 0.01, 0}});
}

static int declare_hinge(gradyn_model *m, gradyn_joint_kind kind, const char *name, int a, int b,
                         double x, double z)
{
  return gradyn_joint_between(
      m, &(gradyn_joint_between_spec){.name = name,
                                      .kind = kind,
                                      .body_a = a,
                                      .body_b = b,
                                      .position = PLACE(x, z),
                                      .axis = {across[seen][0], across[seen][1], across[seen][2]},
                                      .side = PLACE(1, 0),
                                      .axis_b = PLACE(0, 1)});
}

static void bind_ring(gradyn_model *m, int which, int first, int last)
{
  const int joint = which == TURNED
                        ? declare_hinge(m, GRADYN_REVOLUTE, "D", GRADYN_GROUND, last, 0.9, 0.1)
                        : declare_hinge(m, which == SPHERE ? GRADYN_SPHERICAL : GRADYN_REVOLUTE,
                                        "D", last, GRADYN_GROUND, 0.9, 0.1);
  const gradyn_time_function law = {.rate = 1.5};
  if (which == DRIVEN)
    gradyn_drive_joint(m, "drive", first, &law);
  if (which == DRIVEN_AT_THE_LOOP)
    gradyn_drive_joint(m, "drive", gradyn_joint_coordinate(m, joint, GRADYN_ANGLE), &law);
  if (which == TURNED)
    gradyn_joint_spring(m, &(gradyn_joint_spring_spec){
                               .name = "loop.spring",
                               .coordinate = gradyn_joint_coordinate(m, joint, GRADYN_ANGLE),
                               .k = 3,
                               .c = 0.1});
}

static gradyn_status build_ring(gradyn_model *m, const gradyn_scalar rho[])
{
  const int which = gradyn_setting_value(m, "ring");
  const int crank = declare_bar(m, "crank", rho[0], 0.05, 0.2),
            rod = declare_bar(m, "rod", 1, 0.45, 0.5),
            rocker = declare_bar(m, "rocker", 1.5, 0.85, 0.3);
  const int A = declare_hinge(m, GRADYN_REVOLUTE, "A", GRADYN_GROUND, crank, 0, 0);
  declare_hinge(m, GRADYN_REVOLUTE, "B", crank, rod, 0.1, 0.4);
  declare_hinge(m, GRADYN_REVOLUTE, "C", rod, rocker, 0.8, 0.5);
  const int angle = gradyn_joint_coordinate(m, A, GRADYN_ANGLE);
  bind_ring(m, which, angle, rocker);
  if (which == TWO_LOOPS) { /* a second chain from the ground to the rod */
    const int strut = declare_bar(m, "strut", 0.6, 0.6, 0.2);
    declare_hinge(m, GRADYN_REVOLUTE, "E", GRADYN_GROUND, strut, 0.7, -0.2);
    const int block = declare_bar(m, "block", 0.4, 0.55, 0.5);
    declare_hinge(m, GRADYN_REVOLUTE, "F", strut, block, 0.5, 0.2);
    declare_hinge(m, GRADYN_SPHERICAL, "G", block, rod, 0.5, 0.45);
  }
  if (which != DRIVEN && which != DRIVEN_AT_THE_LOOP)
    gradyn_fix_initial_joint(m, "start", angle, 0.1, rho[1]);
  gradyn_gravity_3d(m, 0.5, 0, -9.81);
  const gradyn_scalar at[] = PLACE(0.5, rho[2]);
  const int P = gradyn_body_point_3d(m, rod, "P", at[0], at[1], at[2]);
  gradyn_minimise(
      m,
      gradyn_functional(
          m, &(gradyn_functional_spec){"track", gradyn_measure_point(m, "", P, 0, GRADYN_ALL_AXES),
                                       .reduction = GRADYN_SQUARE_INTEGRAL}),
      1);
  gradyn_functional(m, &(gradyn_functional_spec){"smooth",
                                                 gradyn_measure_point(m, "", P, 2, GRADYN_ALL_AXES),
                                                 .reduction = GRADYN_SQUARE_INTEGRAL});
  gradyn_functional(m, &(gradyn_functional_spec){"energy", gradyn_measure_energy(m, ""),
                                                 .reduction = GRADYN_AT_END});
  return gradyn_build_status(m);
}

static gradyn_status build_oblique(gradyn_model *m, const gradyn_scalar rho[])
{
  seen = OBLIQUE;
  const gradyn_status status = build_ring(m, rho);
  seen = STRAIGHT;
  return status;
}

enum { PARAMETERS = 3 };
static const gradyn_setting settings[] = {{"ring", "how it is closed", 0, 0, RINGS - 1}};
static const gradyn_param params[] = {{"mass", "kg", .init = 2, GRADYN_UNBOUNDED},
                                      {"rate", "rad/s", .init = 1.5, GRADYN_UNBOUNDED},
                                      {"arm", "m", .init = 0.4, GRADYN_UNBOUNDED}};
static const gradyn_problem ring = {
    GRADYN_PROBLEM_SIZES, .name = "ring",     .params = params,    .param_count = PARAMETERS,
    .settings = settings, .setting_count = 1, .build = build_ring, .t_end = 0.1};

THOROUGH_TEST(rings_are_the_same)
{
  static const char *const ways[] = {"direct", "adjoint"};
  gradyn_problem joint = ring;
  joint.coordinates = "joint";
  run_setup setup = {.setting = "ring", .method = "explicit"};
  for (setup.value = 0; setup.value < RINGS; setup.value++) {
    setup.rtol = 1e-12;
    for (int k = 0; k < 2; k++) {
      setup.sensitivity = ways[k];
      both_compare_parameters(&ring, setup, 1e-9);
    }
    setup.rtol = 1e-9;
    setup.problem = &joint;
    ali3p_compare_data(&setup, NULL, 1e-10);
  }
}

/* The stages of radau are slightly off the constraints, where these are no longer exactly dependent. The
 * number of steps must be that of a model without redundancy. */
TEST(radau_accepts_redundant_constraints)
{
  run_setup setup = {.setting = "ring", .method = "radau", .sensitivity = "adjoint", .rtol = 1e-9};
  for (setup.value = 0; setup.value < DRIVEN; setup.value++)
    both_compare_parameters(&ring, setup, 1e-7);
  for (int k = 0; k < 2; k++) {
    gradyn_problem adjoints = gradyn_problem_parallel_bars;
    long steps[2];
    double psi[2][3], slope[2][12], rho[4];
    adjoints.coordinates = k ? "joint" : "natural";
    for (int redundant = 0; redundant < 2; redundant++) {
      run_local *ev = run_with(&adjoints, .method = "radau", .setting = "redundant",
                               .value = redundant, .rtol = 1e-9);
      run_initial(ev, rho);
      assert_run(gradyn_evaluator_gradient(ev, rho, psi[redundant], slope[redundant]), ev);
      steps[redundant] = gradyn_evaluator_statistics(ev).steps;
    }
    assert_in_range(steps[1], steps[0] / 2, 2 * steps[0]);
    assert_close_array(psi[1], psi[0], 3, 1e-9, 0);
    assert_close_array(slope[1], slope[0], 12, 1e-7, 1e-9);
  }
}

/* Constraints that no coordinate affects are satisfied to round-off. */
TEST(rings_have_the_degrees_of_freedom_of_natural_coordinates)
{
  for (int which = 0; which < RINGS; which++) {
    gradyn_dof found[2];
    for (int k = 0; k < 2; k++) {
      double rho[PARAMETERS];
      gradyn_problem problem = ring;
      problem.build = build_oblique;
      problem.coordinates = k ? "joint" : "natural";
      run_local *ev = run_with(&problem, .method = "explicit", .setting = "ring", .value = which);
      run_initial(ev, rho);
      assert_run(gradyn_dof_compute(ev, rho, &found[k], NULL), ev);
    }
    assert_int_equal(found[0].degrees, which < DRIVEN);
    assert_int_equal(found[1].degrees, found[0].degrees);
    assert_int_equal(found[1].at_start, found[0].at_start);
  }
}

TEST(derivatives_by_all_data_without_redundant_constraints)
{
  both_compare(&(run_setup){.problem = &gradyn_problem_spatial_slider_crank,
                            .method = "explicit",
                            .sensitivity = "adjoint",
                            .rtol = 1e-12,
                            .t_end = 0.1},
               1e-9);
}

TEST(differences_agree)
{
  gradyn_problem joint = ring;
  joint.coordinates = "joint";
  for (int which = TWO_LOOPS; which < RINGS; which++)
    ali3p_compare_differences(&(run_setup){.problem = &joint,
                                           .setting = "ring",
                                           .value = which,
                                           .method = "explicit",
                                           .step = 0.01},
                              4e-3, 1e-7);
}
