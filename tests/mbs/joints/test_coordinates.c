/* Joint coordinates and force elements on them: every derivative against differences. */
#include "tests/mbs/bench.h"
#include "tests/declare.h"
#include <gradyn/joints.h>

static const gradyn_time_function law = {1.3, 0.2, -0.4, 0.15, 2.1, 0.6, 0};

/* Elements on two coordinates. */
static void load(gradyn_model *model, int angle, int slide)
{
  const gradyn_scalar knots[] = {1.2, -0.7, 0.9};
  int signal = declare_signal(model, "u", "N", GRADYN_CUBIC_SPLINE, 3, knots);
  gradyn_joint_spring(model,
                      &(gradyn_joint_spring_spec){"motor", angle, 1.4, 0.3, 0.2, 0.5, signal});
  gradyn_joint_spring(model, &(gradyn_joint_spring_spec){"buffer", slide, .k = 2.1, .free = 0.7});
  gradyn_joint_stop(model, &(gradyn_joint_stop_spec){"stop", slide, -0.2, 0.3, 7, 0.6, 0.5});
  gradyn_gear(model, "gear", angle, slide, 0.4);
  gradyn_drive_joint(model, "drive", angle, &law);
  gradyn_fix_initial_joint(model, "held", slide, 0.3, 0.1);
  gradyn_functional(model, &(gradyn_functional_spec){"energy", gradyn_measure_energy(model, ""),
                                                     .reduction = GRADYN_AT_END});
}

/* A force on the first coordinate in proportion to the square of the second one. */
static gradyn_status brake(const gradyn_at *at, gradyn_scalar force[])
{
  int dim = at->user ? 3 : 2;
  force[0] = -at->data[0] * at->vel[0] * at->pos[dim] * at->pos[dim];
  /* components that the coordinates do not have must be ignored */
  force[1] = 77;
  force[dim] = at->pos[dim + 1] + at->vel[1]; /* and zero */
  return GRADYN_OK;
}

static gradyn_status product(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->pos[0] * at->vel[at->axes];
  return GRADYN_OK;
}

static void declare_own(gradyn_model *model, int dim, int angle, int slide)
{
  static int numbers[2][3];
  int *number = numbers[dim - 2];
  number[0] = angle;
  number[1] = slide;
  number[2] = dim;
  gradyn_custom_force(
      model, &(gradyn_custom_force_spec){.name = "brake",
                                         .points = number,
                                         .point_count = 2,
                                         .fn = brake,
                                         .data = &(gradyn_datum){"viscosity", "N s/m", 0.7},
                                         .data_count = 1,
                                         .user = dim == 3 ? model : NULL});
  gradyn_custom_functional(model, &(gradyn_custom_functional_spec){.name = "product",
                                                                   .unit = "rad m/s",
                                                                   .integrand = product,
                                                                   .points = number,
                                                                   .point_count = 2});
}

static gradyn_status space(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  int body[2], joint = bench_joined(model, "joint", GRADYN_CYLINDRICAL, body);
  int angle = gradyn_joint_coordinate(model, joint, GRADYN_ANGLE),
      slide = gradyn_joint_coordinate(model, joint, GRADYN_SLIDE);
  load(model, angle, slide);
  declare_own(model, 3, angle, slide);
  return gradyn_build_status(model);
}

static gradyn_status plane(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  int P = gradyn_point(model, "P", 0.1, 0.2), Q = gradyn_point(model, "Q", 1.1, 0.9);
  gradyn_rod(model, &(gradyn_rod_spec){"PQ", P, Q, .mass = 1});
  int body = declare_body(model, "body", 2, 0.7, 1.1, 0.5);
  int bar = gradyn_rod_frame(model, "bar", P, Q);
  int frame = declare_frame(model, "frame", body, VECTOR(0.5, 0.2), VECTOR(0.7, -0.6));
  int angle = gradyn_frame_coordinate(model, "angle", bar, frame, GRADYN_ANGLE);
  int slide = gradyn_frame_coordinate(model, "slide", frame, bar, GRADYN_SLIDE);
  load(model, angle, slide);
  declare_own(model, 2, angle, slide);
  return gradyn_build_status(model);
}

TEST(derivatives_are_right)
{
  for (int k = 0; k < 2; k++) {
    bench_local b;
    bench_open(&b, k ? space : plane, NULL);
    bench_check_residual(&b, BENCH_K_FORCE | BENCH_C_FORCE | BENCH_X_FORCE | BENCH_K_CONSTRAINT |
                                 BENCH_X_CONSTRAINT | BENCH_R_TIME);
    bench_check_constraints(&b, BENCH_PHI_Q | BENCH_PHI_X | BENCH_PHI_T);
    assert_int_equal(bench_check_functional(&b, 0), 1 | 2);
    assert_int_equal(bench_check_functional(&b, 1), 1);
  }
}
