/* Measures and their functionals: every derivative against differences; forces and torques of joints against
 * the dynamics of a body; angular velocities; columns of trajectories. */

#include "mbs/measures/measure.h"
#include "tests/mbs/bench.h"
#include "tests/mbs/motion.h"
#include "tests/mbs/refusal.h"
#include "tests/runs.h"
#include "tests/declare.h"

enum { DIM = 3 };

static void functionals_of(gradyn_model *model, int measure, int i)
{
  gradyn_functional(model, &(gradyn_functional_spec){gradyn_format_name(model, "track%d", i),
                                                     measure, .reduction = GRADYN_SQUARE_INTEGRAL,
                                                     .target = {0.3}});
  gradyn_functional(model,
                    &(gradyn_functional_spec){gradyn_format_name(model, "peak%d", i), measure,
                                              .reduction = GRADYN_SMOOTH_MAXIMUM, .magnitude = true,
                                              .scale = 1.7, .sharpness = 0.8});
  gradyn_functional(model, &(gradyn_functional_spec){gradyn_format_name(model, "least%d", i),
                                                     measure, .reduction = GRADYN_SMOOTH_MAXIMUM,
                                                     .scale = -1.4, .sharpness = 0.6});
  gradyn_functional(model, &(gradyn_functional_spec){gradyn_format_name(model, "integral%d", i),
                                                     measure, .reduction = GRADYN_INTEGRAL});
}

static gradyn_status space(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  int body[2], hinge = bench_joined(model, "hinge", GRADYN_REVOLUTE, body);
  const int A = body[0], B = body[1];
  int guide = declare_joint(model, "guide", GRADYN_CYLINDRICAL, GRADYN_GROUND, A,
                            VECTOR(0.1, 0.7, 0.2), VECTOR(0.4, 0.9, 0.1));
  int angle = gradyn_joint_coordinate(model, hinge, GRADYN_ANGLE);
  gradyn_joint_coordinate(model, guide, GRADYN_SLIDE);
  const int measures[] = {gradyn_measure_joint(model, "rate", angle, 1),
                          gradyn_measure_point(model, "y''", gradyn_body_centre(model, B), 2, 1),
                          gradyn_measure_rotation_rate(model, "w", B, GRADYN_Y),
                          gradyn_measure_joint_force(model, "F.x", hinge, GRADYN_X),
                          gradyn_measure_joint_force(model, "F.z", guide, GRADYN_Z),
                          gradyn_measure_joint_torque(model, "T.y", hinge, GRADYN_Y),
                          gradyn_measure_joint_torque(model, "T.z", hinge, GRADYN_Z),
                          gradyn_measure_multiplier(model, "lambda", 8)};
  for (int i = 0; i < (int)GRADYN_COUNT(measures); i++)
    functionals_of(model, measures[i], i);
  return gradyn_build_status(model);
}

static gradyn_status plane(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  int P = gradyn_point(model, "P", 0.1, 0.2), Q = gradyn_point(model, "Q", 1.1, 0.9);
  gradyn_rod(model, &(gradyn_rod_spec){"PQ", P, Q, .mass = 1});
  int body = declare_body(model, "body", 2, 0.7, 1.1, 0.5);
  int bar = gradyn_rod_frame(model, "bar", P, Q);
  int frame = declare_frame(model, "frame", body, VECTOR(0.5, 0.2), VECTOR(0.7, 0.6));
  int weld = gradyn_joint(
      model, &(gradyn_joint_spec){.name = "weld", .kind = GRADYN_FIXED, .a = frame, .b = bar});
  int slider = gradyn_joint(
      model,
      &(gradyn_joint_spec){.name = "slider", .kind = GRADYN_PRISMATIC, .a = bar, .b = frame});
  const int measures[] = {gradyn_measure_rotation_rate(model, "w", body, GRADYN_Z),
                          gradyn_measure_joint_force(model, "F.x", weld, GRADYN_X),
                          gradyn_measure_joint_force(model, "F.y", weld, GRADYN_Y),
                          gradyn_measure_joint_torque(model, "T.z", weld, GRADYN_Z),
                          gradyn_measure_joint_force(model, "S.y", slider, GRADYN_Y)};
  for (int i = 0; i < (int)GRADYN_COUNT(measures); i++)
    functionals_of(model, measures[i], i);
  return gradyn_build_status(model);
}

TEST(derivatives_are_right)
{
  for (int k = 0; k < 2; k++) {
    bench_local b;
    bench_open(&b, k ? space : plane, NULL);
    int count = b.model->functional_count;
    for (int i = 0; i < count; i++) /* all functionals depend on states, most of them on data */
      assert_true(bench_check_functional(&b, i) & 1);
  }
}

/* --- refused ---------------------------------------------------------------------------------- */

static int hinge_of_body(gradyn_model *model)
{
  gradyn_body_spec spec = refusal_body();
  return declare_joint(model, "hinge", GRADYN_REVOLUTE, GRADYN_GROUND, gradyn_body_3d(model, &spec),
                       NULL, VECTOR(0, 0, 1));
}

static void unknown_axis(gradyn_model *model)
{
  gradyn_measure_joint_force(model, "F", hinge_of_body(model), (gradyn_axis)4);
}

static void force_without_rows(gradyn_model *model)
{
  gradyn_body_spec spec = refusal_body();
  int body = gradyn_body_3d(model, &spec), at = gradyn_body_centre(model, body);
  int a = declare_frame(model, "a", body, NULL, VECTOR(0, 0, 1));
  int joint = gradyn_joint(model,
                           &(gradyn_joint_spec){.name = "joint",
                                                .kind = GRADYN_REVOLUTE,
                                                .a = a,
                                                .b = gradyn_rod_frame(model, "b", at, REFUSAL_P)});
  gradyn_measure_joint_force(model, "F", joint, GRADYN_X);
}

/* The frame of a rod has no defined direction across the rod. */
static void force_across_a_rod(gradyn_model *model)
{
  gradyn_body_spec spec = refusal_body();
  const int at = gradyn_body_centre(model, gradyn_body_3d(model, &spec));
  const int rod = gradyn_rod_frame(model, "rod", at, REFUSAL_P);
  const int g = declare_frame(model, "g", GRADYN_GROUND, NULL, VECTOR(0, 0, 1));
  const int ball = gradyn_joint(
      model, &(gradyn_joint_spec){.name = "ball", .kind = GRADYN_SPHERICAL, .a = rod, .b = g});
  gradyn_measure_joint_force(model, "F", ball, GRADYN_Z);
  gradyn_measure_joint_force(model, "G", ball, GRADYN_X);
}

static void unknown_order(gradyn_model *model)
{
  int angle = gradyn_joint_coordinate(model, hinge_of_body(model), GRADYN_ANGLE);
  gradyn_measure_joint(model, "jerk", angle, 3);
}

static void unknown_measure(gradyn_model *model)
{
  gradyn_functional(model,
                    &(gradyn_functional_spec){"track", 3, .reduction = GRADYN_SQUARE_INTEGRAL});
}

static void nothing_allowed(gradyn_model *model)
{
  int angle = gradyn_joint_coordinate(model, hinge_of_body(model), GRADYN_ANGLE);
  gradyn_functional(model,
                    &(gradyn_functional_spec){"peak", gradyn_measure_joint(model, "w", angle, 1),
                                              .reduction = GRADYN_SMOOTH_MAXIMUM, .magnitude = true,
                                              .scale = -1, .sharpness = 50});
}

static void too_sharp(gradyn_model *model)
{
  int angle = gradyn_joint_coordinate(model, hinge_of_body(model), GRADYN_ANGLE);
  gradyn_functional(model,
                    &(gradyn_functional_spec){"peak", gradyn_measure_joint(model, "w", angle, 1),
                                              .reduction = GRADYN_SMOOTH_MAXIMUM, .magnitude = true,
                                              .scale = 1, .sharpness = 1e4});
}

TEST(wrong_measures_are_refused)
{
  static const refusal refusals[] = {
      {unknown_axis, "F: axis 4: must be GRADYN_X, GRADYN_Y or GRADYN_Z"},
      {force_without_rows, "F: joint joint has no constraint that determines its force, because "
                           "other parts already connect the origins of its frames rigidly"},
      {force_across_a_rod,
       "G: axis 0: the frame rod of a rod has only the direction GRADYN_Z, along the rod"},
      {unknown_order, "jerk: order 3: must be 0, 1 (rate) or 2 (acceleration)"},
      {unknown_measure, "track: measure 3 has not been declared (there are 0)"},
      {nothing_allowed, "peak.scale is -1 rad/s: it must be positive"},
      {too_sharp, "peak: the sharpness is 10000: it must be positive and at most 600"}};
  refusal_check_3d((int)GRADYN_COUNT(refusals), refusals);
}

/* --- a flywheel on a skew hinge of the ground -------------------------------------------------- */

static const double axis[DIM] = {0.48, -0.6, 0.64}, arm[DIM] = {0.3, 0.1, -0.2}, mass = 1.7;
static const double J[6] = {0.31, 0.42, 0.5, 0.02, -0.03, 0.04}, effort = 0.9, spin = 2.5;

static gradyn_status flywheel(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  gradyn_body_spec spec = {.name = "body", .mass = mass, .centre = {arm[0], arm[1], arm[2]}};
  for (int k = 0; k < 6; k++)
    spec.inertia[k] = J[k];
  int body = gradyn_body_3d(model, &spec);
  int hinge = gradyn_joint_between(model,
                                   &(gradyn_joint_between_spec){.name = "hinge",
                                                                .kind = GRADYN_REVOLUTE,
                                                                .body_a = GRADYN_GROUND,
                                                                .body_b = body,
                                                                .axis = {axis[0], axis[1], axis[2]},
                                                                .side = {0, 0, 1}});
  int angle = gradyn_joint_coordinate(model, hinge, GRADYN_ANGLE);
  gradyn_joint_spring(model,
                      &(gradyn_joint_spring_spec){"motor", .coordinate = angle, .effort = effort});
  gradyn_fix_initial_joint(model, "start", angle, 0, spin);
  gradyn_gravity_3d(model, 0, 0, -9.81);
  static const char *const force[] = {"F.x", "F.y", "F.z"}, *const torque[] = {"T.x", "T.y", "T.z"},
                           *const omega[] = {"w.x", "w.y", "w.z"};
  for (int k = 0; k < DIM; k++) {
    gradyn_measure_joint_force(model, force[k], hinge, (gradyn_axis)k);
    gradyn_measure_joint_torque(model, torque[k], hinge, (gradyn_axis)k);
    gradyn_measure_rotation_rate(model, omega[k], body, (gradyn_axis)k);
  }
  return gradyn_build_status(model);
}

static void cross(const double *a, const double *b, double *c)
{
  for (int k = 0; k < DIM; k++)
    c[k] = a[(k + 1) % DIM] * b[(k + 2) % DIM] - a[(k + 2) % DIM] * b[(k + 1) % DIM];
}

static void times_tensor(const double *w, double *L)
{
  L[0] = J[0] * w[0] + J[3] * w[1] + J[4] * w[2];
  L[1] = J[3] * w[0] + J[1] * w[1] + J[5] * w[2];
  L[2] = J[4] * w[0] + J[5] * w[1] + J[2] * w[2];
}

static double dot(const double *a, const double *b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* At the start, by Newton and Euler: force, and torque about the hinge, in axes of the ground. */
static void newton_euler(double *force, double *torque)
{
  double w[DIM], L[DIM], gyro[DIM], v[DIM], centripetal[DIM], length_scale[DIM], JN[DIM],
      moment[DIM];
  const double weight[DIM] = {0, 0, -9.81 * mass};
  for (int k = 0; k < DIM; k++)
    w[k] = spin * axis[k];
  times_tensor(w, L);
  times_tensor(axis, JN);
  cross(w, L, gyro);
  cross(w, arm, v);
  cross(w, v, centripetal);
  cross(axis, arm, length_scale);
  cross(arm, weight, moment);
  /* about the axis: (n.J n + m |n x r|^2) w' = effort + n.(r x weight) */
  double rate = (effort + dot(axis, moment)) /
                (dot(axis, JN) + mass * dot(length_scale, length_scale));
  for (int k = 0; k < DIM; k++)
    force[k] = mass * (rate * length_scale[k] + centripetal[k]) - weight[k];
  /* about the centre: J w' + w x J w = T - r x F */
  cross(arm, force, torque);
  for (int k = 0; k < DIM; k++)
    torque[k] += rate * JN[k] + gyro[k];
}

TEST(forces_are_those_of_the_body)
{
  static const char *const name[] = {"F.x", "F.y", "F.z", "T.x", "T.y", "T.z"};
  double f[2][DIM], u[DIM][DIM] = {{0}}, part = axis[2], length = sqrt(1 - part * part);
  newton_euler(f[0], f[1]);
  for (int k = 0; k < DIM; k++) {
    u[2][k] = axis[k];
    u[0][k] = ((k == 2) - part * axis[k]) / length;
  }
  cross(u[2], u[0], u[1]);
  for (size_t i = 0; i < GRADYN_COUNT(run_methods); i++) {
    motion_local m;
    motion_run(&m, flywheel, run_methods[i], 1e-6, i < 2 ? 1e-10 : 1e-6);
    double *row = calloc(gradyn_trajectory_read(m.run).columns, sizeof *row);
    gradyn_trajectory_step(m.run, 0, row);
    for (size_t c = 0; c < gradyn_trajectory_read(m.run).columns; c++) {
      const char *column = gradyn_trajectory_column(m.run, c).name;
      for (size_t k = 0; k < GRADYN_COUNT(name); k++)
        if (strcmp(column, name[k]) == 0) {
          assert_close(row[c], dot(f[k / 3], u[k % 3]), 0, 1e-9);
          assert_string_equal(gradyn_trajectory_column(m.run, c).unit, k < 3 ? "N" : "N m");
        }
    }
    free(row);
    /* columns of measures must not prevent the analysis of invariants */
    gradyn_invariants *condition = calloc(gradyn_trajectory_read(m.run).steps, sizeof *condition);
    assert_int_equal(gradyn_invariants_compute(m.evaluator, m.run, condition), GRADYN_OK);
    assert_true(condition[0].kinetic > 0);
    free(condition);
    for (int k = 0; k < DIM; k++)
      assert_close(motion_end(&m, (const char *[]){"w.x", "w.y", "w.z"}[k]), spin * axis[k], 0,
                   1e-5);
  }
}
