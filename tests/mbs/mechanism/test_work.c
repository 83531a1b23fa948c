/* Energy and work balance: constant actuators and those with signals, in all forms of declaration, do work
 * that increases the final energy; springs store energy. */
#include "tests/runs.h"
#include "tests/declare.h"

enum { EFFORT }; /* the parameter */

/* An actuator with an effort in N or N m, and the inertia that it accelerates from rest. */
typedef struct actuator {
  const char *name;
  void (*declare)(gradyn_model *model, gradyn_scalar effort);
  double inertia; /* kg, kg m^2 */
} actuator;

static const actuator *chosen;

/* A constant effort as a signal with a single knot. */
static int steady(gradyn_model *model, gradyn_scalar effort)
{
  return declare_signal(model, "u", "N", GRADYN_PIECEWISE_CONSTANT, 1, &effort);
}

/* A coordinate of a joint between the ground and a body of 2 kg and 0.5 kg m^2. */
static int coordinate(gradyn_model *model, bool space, gradyn_joint_kind kind)
{
  const gradyn_body_spec spec = {.name = "body", .mass = 2, .inertia = {0.5, 0.5, 0.5}};
  const int body = space ? gradyn_body_3d(model, &spec) : gradyn_body(model, &spec);
  const int joint = declare_joint(model, "joint", kind, GRADYN_GROUND, body, NULL,
                                  VECTOR(0.6, 0.8, 0));
  return kind == GRADYN_REVOLUTE ? gradyn_joint_coordinate(model, joint, GRADYN_ANGLE)
                                 : gradyn_joint_coordinate(model, joint, GRADYN_SLIDE);
}

static void joint_effort(gradyn_model *model, gradyn_scalar effort)
{
  gradyn_joint_spring(
      model, &(gradyn_joint_spring_spec){.name = "it",
                                         .coordinate = coordinate(model, false, GRADYN_REVOLUTE),
                                         .effort = effort});
}

static void joint_signal(gradyn_model *model, gradyn_scalar effort)
{
  gradyn_joint_spring(
      model, &(gradyn_joint_spring_spec){.name = "it",
                                         .coordinate = coordinate(model, false, GRADYN_REVOLUTE),
                                         .signal = steady(model, effort)});
}

static void slider_effort(gradyn_model *model, gradyn_scalar effort)
{
  gradyn_joint_spring(
      model, &(gradyn_joint_spring_spec){.name = "it",
                                         .coordinate = coordinate(model, true, GRADYN_PRISMATIC),
                                         .effort = effort});
}

/* A mass of 2 kg at (5, 0), and a point of the ground. */
static int mass(gradyn_model *model, int *ground)
{
  const int point = gradyn_point(model, "P", 5, 0);
  gradyn_point_mass(model, "mass", point, 2);
  *ground = gradyn_ground_point(model, "G", 0, 0);
  return point;
}

static void tension(gradyn_model *model, gradyn_scalar effort)
{
  int ground, point = mass(model, &ground);
  gradyn_spring(model, &(gradyn_spring_spec){.name = "it", ground, point, .force = effort});
}

static void tension_signal(gradyn_model *model, gradyn_scalar effort)
{
  int ground, point = mass(model, &ground);
  gradyn_spring(model,
                &(gradyn_spring_spec){
                    .name = "it", .from = ground, .to = point, .signal = steady(model, effort)});
}

static void force(gradyn_model *model, gradyn_scalar effort)
{
  int ground, point = mass(model, &ground);
  gradyn_force(model, &(gradyn_force_spec){.name = "it", .point = point, .fy = effort});
}

static void torque(gradyn_model *model, gradyn_scalar effort)
{
  const int ground = gradyn_ground_point(model, "G", 0, 0), end = gradyn_point(model, "P", 1, 0);
  gradyn_rod(model, &(gradyn_rod_spec){
                        .name = "bar", .from = ground, .to = end, .length = 1, .mass = 1.5});
  gradyn_torque(model, &(gradyn_torque_spec){"it", ground, end, .torque = effort});
}

FORMULAS(push, at->data[0], 0)

static void custom(gradyn_model *model, gradyn_scalar effort)
{
  int ground, point = mass(model, &ground);
  const gradyn_datum data = {"effort", "N", effort};
  declare_force(model, "it", point, push, &data, 1);
}

static const actuator actuators[] = {{"joint effort", joint_effort, 0.5},
                                     {"joint signal", joint_signal, 0.5},
                                     {"slider effort", slider_effort, 2},
                                     {"tension", tension, 2},
                                     {"tension by a signal", tension_signal, 2},
                                     {"force", force, 2},
                                     {"torque", torque, 0.5},
                                     {"custom force", custom, 2}};

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  chosen->declare(model, rho[EFFORT]);
  gradyn_functional(model, &(gradyn_functional_spec){"energy", gradyn_measure_energy(model, ""),
                                                     .reduction = GRADYN_AT_END});
  return gradyn_build_status(model);
}

static const gradyn_param params[] = {[EFFORT] = {"effort", "N", .init = 3, GRADYN_UNBOUNDED}};

static gradyn_evaluator *open(const gradyn_problem *problem, const char *method, const char *way)
{
  return run_with(problem, .method = method, .sensitivity = way, .rtol = 1e-9, .step = 2e-4);
}

/* From rest the final speed is F T/M. The energy is the work F s = F^2 T^2/(2 M), with the derivative 2 E/F
 * with respect to F. */
THOROUGH_TEST(energy_is_the_work_of_an_actuator)
{
  static const gradyn_problem problem = PROBLEM("work", build, params, .t_end = 1);
  const double effort = 3;
  for (size_t k = 0; k < GRADYN_COUNT(actuators); k++)
    for (size_t j = 0; j < 2 * GRADYN_COUNT(run_methods); j++) {
      if (!support_takes((int)(k + j), 3))
        continue;
      chosen = &actuators[k];
      run_local *ev = open(&problem, run_methods[j / 2], j % 2 ? "direct" : "adjoint");
      const double work = effort * effort / (2 * chosen->inertia);
      double energy, slope;
      assert_run(gradyn_evaluator_gradient(ev, &effort, &energy, &slope), ev);
      if (support_error(energy, work, 1e-6, 0) > 1 ||
          support_error(slope, 2 * work / effort, 1e-6, 0) > 1)
        fail_msg("%s, %s: energy %.10g J, by the effort %.10g, for %.10g and %.10g", chosen->name,
                 run_methods[j / 2], energy, slope, work, 2 * work / effort);
    }
}

/* --- with a spring ---------------------------------------------------------------------------------- */

static const double stiffness = 40, start = 0.3;

/* A mass on a prismatic joint, between a spring and a constant effort. */
static gradyn_status sprung(gradyn_model *model, const gradyn_scalar rho[])
{
  const int slide = coordinate(model, false, GRADYN_PRISMATIC);
  gradyn_fix_initial_joint(model, "start", slide, start, 0);
  gradyn_joint_spring(model, &(gradyn_joint_spring_spec){
                                 .name = "it", slide, .k = stiffness, .effort = rho[EFFORT]});
  gradyn_functional(model, &(gradyn_functional_spec){"energy", gradyn_measure_energy(model, ""),
                                                     .reduction = GRADYN_AT_END});
  gradyn_functional(model, &(gradyn_functional_spec){"travel",
                                                     gradyn_measure_joint(model, "slide", slide, 0),
                                                     .reduction = GRADYN_AT_END});
  return gradyn_build_status(model);
}

/* The energy is k s^2/2 at the start, plus the work F (s - s_0) of the effort since then. */
TEST(a_spring_stores_the_work_of_the_effort)
{
  static const gradyn_problem problem = PROBLEM("sprung", sprung, params, .t_end = 0.4);
  const double effort = 3;
  for (size_t j = 0; j < 2; j++) {
    run_local *ev = open(&problem, run_methods[j], "adjoint");
    double psi[2];
    assert_run(gradyn_evaluator_simulate(ev, &effort, psi, NULL), ev);
    assert_true(fabs(psi[1] - start) > 0.1);
    assert_close(psi[0], stiffness * start * start / 2 + effort * (psi[1] - start), 1e-6, 0);
  }
}
