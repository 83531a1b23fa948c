/* Force elements on joint coordinates, in the plane and in space. Effort and power at fixed coordinates and
 * rates are compared with formulas, stops with differences of their stored energy. */
#include "tests/mbs/motion.h"
#include "tests/declare.h"

/* Initial value and rate of the coordinate; value of the added signal. */
static double s, rate;
static const double signal = 0.6;
static bool space;

/* Declares the tested element, which has the name "it". */
static void (*declare)(gradyn_model *model, int coordinate);

/* A revolute joint in the plane or a prismatic joint in space. */
static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  gradyn_body_spec spec = {.name = "body", .mass = 1.3, .inertia = {0.2, 0.3, 0.4}};
  const int body = space ? gradyn_body_3d(model, &spec) : gradyn_body(model, &spec);
  const int joint = declare_joint(model, "joint", space ? GRADYN_PRISMATIC : GRADYN_REVOLUTE,
                                  GRADYN_GROUND, body, VECTOR(0.2, 0.1), VECTOR(0.6, 0.8, 0));
  const int coordinate = space ? gradyn_joint_coordinate(model, joint, GRADYN_SLIDE)
                               : gradyn_joint_coordinate(model, joint, GRADYN_ANGLE);
  gradyn_fix_initial_joint(model, "start", coordinate, s, rate);
  declare(model, coordinate);
  gradyn_measure_effort(model, "effort", "it");
  gradyn_measure_power(model, "power", "it");
  gradyn_functional(model, &(gradyn_functional_spec){"energy", gradyn_measure_energy(model, ""),
                                                     .reduction = GRADYN_AT_END});
  return gradyn_build_status(model);
}

static int constant_signal(gradyn_model *model)
{
  const gradyn_scalar knot = signal;
  return declare_signal(model, "u", "", GRADYN_PIECEWISE_CONSTANT, 1, &knot);
}

static void spring(gradyn_model *model, int coordinate)
{
  gradyn_joint_spring(model, &(gradyn_joint_spring_spec){"it", coordinate, 2.1, 0.3, 0.4, 0.7,
                                                         constant_signal(model)});
}

static double spring_effort(void)
{
  return -2.1 * (s - 0.4) - 0.3 * rate + 0.7 + signal;
}

static void motor(gradyn_model *model, int coordinate)
{
  gradyn_joint_spring(
      model, &(gradyn_joint_spring_spec){.name = "it", .coordinate = coordinate, .effort = -1.7});
}

static double motor_effort(void)
{
  return -1.7;
}

static const double lower = -0.3, upper = 0.5, hard = 900, slow = 4, width = 0.02;

static void stop(gradyn_model *model, int coordinate)
{
  gradyn_joint_stop(model,
                    &(gradyn_joint_stop_spec){"it", coordinate, lower, upper, hard, slow, width});
}

/* Smooth max(p, 0), and its slope. */
static double depth(double p, double *slope)
{
  const double root = hypot(p, width), r = (p + root) / 2;
  *slope = r / root;
  return r;
}

static double stop_effort(void)
{
  double above, below, r = depth(s - upper, &above), q = depth(lower - s, &below);
  return -hard * (r - q) - slow * (above + below) * rate;
}

static void soft_stop(gradyn_model *model, int coordinate)
{
  gradyn_joint_stop(model,
                    &(gradyn_joint_stop_spec){"it", coordinate, lower, upper, hard, 0, width});
}

static void pid(gradyn_model *model, int coordinate)
{
  gradyn_pid(model, &(gradyn_pid_spec){"it", coordinate, .kp = 9, .ki = 4, .kd = 1.5, .target = 0.2,
                                       .signal = constant_signal(model), .filtered = true,
                                       .filter_time = 0.05, .limited = true, .limit = 6,
                                       .initial = 0.1, .initial_filter = 0.3});
}

static double pid_effort(void)
{
  const double e = 0.2 + signal - s;
  return 6 * tanh((9 * e + 4 * 0.1 + 1.5 * (e - 0.3) / 0.05) / 6);
}

static void plain_pid(gradyn_model *model, int coordinate)
{
  gradyn_pid(model, &(gradyn_pid_spec){"it", coordinate, .kp = 9, .ki = 4, .kd = 1.5, .target = 0.2,
                                       .initial = 0.1});
}

static double plain_pid_effort(void)
{
  return 9 * (0.2 - s) + 4 * 0.1 - 1.5 * rate;
}

static void feedback(gradyn_model *model, int coordinate)
{
  const int z = gradyn_first_order_state(
      model, &(gradyn_first_order_state_spec){.name = "z", .initial = -0.7});
  gradyn_feedback(model, &(gradyn_feedback_spec){"it", coordinate, .of = (int[]){z, coordinate},
                                                 .count = 2, .gain = (gradyn_scalar[]){1.1, 2.3},
                                                 .rate_gain = (gradyn_scalar[]){0, 0.9},
                                                 .target = (gradyn_scalar[]){0.4, 0.1},
                                                 .offset = 0.3, .signal = constant_signal(model),
                                                 .limited = true, .limit = 2});
}

static double feedback_effort(void)
{
  return 2 * tanh((0.3 + signal + 1.1 * (0.4 + 0.7) + 2.3 * (0.1 - s) - 0.9 * rate) / 2);
}

/* At the start: effort in N or N m, and power in W; returns the energy in J. */
static double look(double *effort, double *power)
{
  motion_local m;
  motion_run(&m, build, "ali3p", 1e-9, 1e-9);
  *effort = motion_start(&m, "effort");
  *power = motion_start(&m, "power");
  return motion_functional(&m, 0);
}

TEST(efforts_are_those_of_their_formulas)
{
  static const struct {
    void (*declare)(gradyn_model *model, int coordinate);
    double (*effort)(void);
  } kinds[] = {{spring, spring_effort}, {motor, motor_effort},         {stop, stop_effort},
               {pid, pid_effort},       {plain_pid, plain_pid_effort}, {feedback, feedback_effort}};
  static const double at[][2] = {{0.1, 0.8}, {0.52, -1.1}, {-0.4, 0.9}, {0.5, 0}, {2.5, 0.2}};
  for (size_t i = 0; i < 2 * GRADYN_COUNT(kinds) * GRADYN_COUNT(at); i++) {
    double effort, power;
    const size_t kind = i / 2 % GRADYN_COUNT(kinds), place = i / 2 / GRADYN_COUNT(kinds);
    space = i % 2;
    declare = kinds[kind].declare;
    s = at[place][0];
    rate = at[place][1];
    look(&effort, &power);
    assert_close(effort, kinds[kind].effort(), 1e-12, 1e-12);
    assert_close(power, effort * rate, 1e-12, 1e-12);
  }
}

TEST(stops_give_back_what_they_store)
{
  static const double at[] = {-0.33, -0.29, 0.1, 0.495, 0.53}, h = 1e-3;
  declare = soft_stop;
  rate = 0;
  for (size_t i = 0; i < 2 * GRADYN_COUNT(at); i++) {
    double effort, power, other, U[4];
    static const double shift[4] = {1, -1, 2, -2};
    space = i % 2;
    for (int j = 0; j < 4; j++) {
      s = at[i / 2] + shift[j] * h;
      U[j] = look(&other, &power);
    }
    s = at[i / 2];
    look(&effort, &power);
    /* -dU/ds by differences of fourth order, with an error of h^4 k/width^3/30 */
    assert_close(effort, (U[2] - U[3]) / (12 * h) - 8 * (U[0] - U[1]) / (12 * h), 1e-6, 1e-5);
  }
}
