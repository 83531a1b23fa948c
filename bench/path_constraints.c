/* Cost of path constraints in a simulation. A robot arm with three motors turns from rest to rest, with
 * bounds on the rate of each joint: six maxima over time. Its torques are those of the optimum, at which the
 * rates touch their bounds many times.
 * Usage: bench_path_constraints SIDES RUNS [motion], SIDES 1: with path constraints, 0: without; motion: with
 * a trajectory. bench/path_constraints.sh counts instructions. */
#include <stdio.h>
#include <stdlib.h>

#include <gradyn/gradyn.h>

enum { JOINTS = 3, KNOTS = 13 };

static const gradyn_param params[] = {
    {"u1", "N m", .lower = -60, .upper = 60, .scale = 10, .role = GRADYN_CONTROL, .count = KNOTS},
    {"u2", "N m", .lower = -60, .upper = 60, .scale = 10, .role = GRADYN_CONTROL, .count = KNOTS},
    {"u3", "N m", .lower = -60, .upper = 60, .scale = 10, .role = GRADYN_CONTROL, .count = KNOTS},
};

static const double torque[JOINTS][KNOTS] = {
    /* N m */
    {1.79249776, 2.77238135, 3.73738079, 4.49878948, 4.21204321, 4.0143749, -3.67730825,
     -0.219269977, 1.79447385, -4.36685362, -3.72108547, -2.99832915, -1.88569194},
    {-2.17389288, -10.3564162, -19.6176935, -22.7177183, -19.2891432, -18.6901903, -24.5216856,
     -25.2276928, -25.5674007, -20.1837921, -17.4474207, -9.75359447, -1.01865583},
    {-1.80321091, -2.42564106, -5.34640053, -6.80400012, -6.85405323, -8.12443804, -9.59312318,
     -7.5831015, -1.95786877, -5.5197746, -3.9597714, -1.2157633, -3.15430901},
};

/* Motor of a joint, and the bounds of its rate. */
static void add_motor(gradyn_model *m, int joint, const gradyn_scalar *knots)
{
  static const char *const motor[] = {"motor1", "motor2", "motor3"},
                           *const start[] = {"start1", "start2", "start3"},
                           *const signal[] = {"tau1", "tau2", "tau3"},
                           *const rate[] = {"rate1", "rate2", "rate3"};
  static const double end[JOINTS] = {1.2, 0.5, -0.8}; /* rad */
  const int angle = gradyn_joint_coordinate(m, 1 + joint, GRADYN_ANGLE);
  gradyn_fix_initial_joint(m, start[joint], angle, 0, 0);
  const int tau = gradyn_signal(m, &(gradyn_signal_spec){signal[joint], "N m",
                                                         .kind = GRADYN_PIECEWISE_LINEAR,
                                                         .knots = knots, .count = KNOTS});
  gradyn_joint_spring(m, &(gradyn_joint_spring_spec){
                             .name = motor[joint], .coordinate = angle, .c = 0.5, .signal = tau});
  const int q = gradyn_measure_joint(m, start[joint], angle, 0);
  const int w = gradyn_measure_joint(m, rate[joint], angle, 1);
  gradyn_constrain(
      m,
      gradyn_functional(
          m, &(gradyn_functional_spec){motor[joint], q, .reduction = GRADYN_AT_TIME, .time = 1.2}),
      end[joint], end[joint], 1e-6);
  if (gradyn_setting_value(m, "sides") != 0)
    gradyn_path_constraint(m, rate[joint], w, -2.2, 2.2, 1e-4, NULL);
  gradyn_minimise(m,
                  gradyn_functional(
                      m, &(gradyn_functional_spec){signal[joint], gradyn_measure_signal(m, "", tau),
                                                   .reduction = GRADYN_SQUARE_INTEGRAL}),
                  1);
}

static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  gradyn_body_3d(m, &(gradyn_body_spec){"base", .centre = {0, 0, 0.2}, .mass = 5,
                                        .inertia = {0.1, 0.1, 0.08}});
  gradyn_body_3d(m, &(gradyn_body_spec){"upper", .centre = {0.3, 0, 0.4}, .mass = 3,
                                        .inertia = {0.01, 0.1, 0.1}});
  gradyn_body_3d(m, &(gradyn_body_spec){"fore", .centre = {0.85, 0, 0.4}, .mass = 2,
                                        .inertia = {0.005, 0.05, 0.05}});
  gradyn_joint_between(m,
                       &(gradyn_joint_between_spec){"yaw", GRADYN_REVOLUTE, .body_a = GRADYN_GROUND,
                                                    .body_b = 1, .axis = {0, 0, 1}});
  gradyn_joint_between(m, &(gradyn_joint_between_spec){"shoulder", GRADYN_REVOLUTE, 1, 2,
                                                       .position = {0, 0, 0.4}, .axis = {0, 1, 0}});
  gradyn_joint_between(m,
                       &(gradyn_joint_between_spec){"elbow", GRADYN_REVOLUTE, 2, 3,
                                                    .position = {0.6, 0, 0.4}, .axis = {0, 1, 0}});
  gradyn_gravity_3d(m, 0, 0, -9.81);
  for (int i = 0; i < JOINTS; i++)
    add_motor(m, i, rho + i * KNOTS);
  return gradyn_build_status(m);
}

static const gradyn_setting settings[] = {{"sides", .init = 1, .lower = 0, .upper = 1}};

static const gradyn_problem arm = {
    GRADYN_PROBLEM_SIZES, .name = "arm",
    .params = params,     .param_count = sizeof params / sizeof *params,
    .settings = settings, .setting_count = 1,
    .build = build,       .t_end = 1.2,
    .method = "explicit", .coordinates = "joint",
    .rtol = 1e-8};

int main(int argc, char **argv)
{
  const gradyn_setting_choice choice = {"sides", argc > 1 ? atoi(argv[1]) : 1};
  const int runs = argc > 2 ? atoi(argv[2]) : 1;
  const bool motion = argc > 3;
  double psi[32] = {0};
  gradyn_evaluator *ev = NULL;
  gradyn_trajectory *trajectory = motion ? gradyn_trajectory_create() : NULL;
  gradyn_status status = gradyn_evaluator_create(&arm, NULL, &choice, 1, &ev);
  for (int i = 0; i < runs && status == GRADYN_OK; i++)
    status = gradyn_evaluator_simulate(ev, torque[0], psi, trajectory);
  if (status != GRADYN_OK)
    fprintf(stderr, "bench_path_constraints: %s\n", gradyn_evaluator_message(ev));
  for (size_t f = 0; f < gradyn_functional_count(ev) && status == GRADYN_OK; f++)
    printf("%.15g\n", psi[f]);
  gradyn_trajectory_free(trajectory);
  gradyn_evaluator_free(ev);
  return status == GRADYN_OK ? 0 : 1;
}
