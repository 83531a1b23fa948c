/* Measures of drives against closed forms: a heavy rod driven by its direction and by a joint, a lifted
 * weight, a mass that is pushed away. The measure is positive if it acts in the direction in which the time
 * function grows. */
#include <complex.h>

#include "tests/adjoint/compare.h"
#include "tests/declare.h"
#include "tests/mbs/refusal.h"

enum { LENGTH, MASS, RATE, GAIN, PARAMETERS };
enum { TURNED, JOINT, LIFTED, PUSHED, IMPULSE, FUNCTIONALS };

static const double start = 0.4, g = 9.81, T = 0.5;

static void turn_bar(gradyn_model *m, const gradyn_scalar r[], const gradyn_time_function *law)
{
  const int hub = gradyn_ground_point(m, "hub", 0.1, 0.2);
  const int tip = gradyn_point(m, "tip", 0.1 + r[LENGTH] * cos(start),
                               0.2 + r[LENGTH] * sin(start));
  gradyn_rod(m, &(gradyn_rod_spec){"bar", hub, tip, .length = r[LENGTH], .mass = r[MASS]});
  const int turned = gradyn_measure_drive(m, "torque", gradyn_angle(m, "turn", hub, tip, law));
  gradyn_functional(m, &(gradyn_functional_spec){"turned", turned, .reduction = GRADYN_AT_END});
}

/* The same rod as a body. */
static void turn_body(gradyn_model *m, const gradyn_scalar r[], const gradyn_time_function *law)
{
  const int body = declare_body(m, "body", r[MASS], r[MASS] * r[LENGTH] * r[LENGTH] / 12,
                                r[LENGTH] / 2, 0);
  const int ground = declare_frame(m, "ground", GRADYN_GROUND, VECTOR(0, 0), VECTOR(1, 0)),
            frame = declare_frame(m, "frame", body, VECTOR(0, 0), VECTOR(1, 0));
  const int joint = gradyn_joint(
      m, &(gradyn_joint_spec){.name = "pivot", .kind = GRADYN_REVOLUTE, .a = ground, .b = frame});
  const int drive = gradyn_drive_joint(m, "motor", gradyn_joint_coordinate(m, joint, GRADYN_ANGLE),
                                       law);
  gradyn_functional(m, &(gradyn_functional_spec){"joint",
                                                 gradyn_measure_drive(m, "motor torque", drive),
                                                 .reduction = GRADYN_AT_END});
}

static gradyn_status build(gradyn_model *m, const gradyn_scalar r[])
{
  const gradyn_time_function law = {.value = start, .rate = r[RATE], .acceleration = r[GAIN]},
                             height = {.value = 1, .rate = r[RATE], .acceleration = r[GAIN]};
  const int weight = gradyn_point(m, "weight", 3, 1), mass = gradyn_point(m, "mass", 5, 0);
  gradyn_gravity(m, 0, -g);
  turn_bar(m, r, &law);
  turn_body(m, r, &law);
  gradyn_point_mass(m, "weight", weight, r[MASS]);
  gradyn_point_mass(m, "mass", mass, r[MASS]);
  const int lifts = gradyn_coordinate(m, "lift", weight, GRADYN_Y, &height);
  gradyn_coordinate(m, "level", mass, GRADYN_Y, &(gradyn_time_function){.value = 0});
  const int pushes = gradyn_distance(m, "push", gradyn_ground_point(m, "wall", 4, 0), mass,
                                     &height);
  const int lifted = gradyn_measure_drive(m, "lifting", lifts);
  gradyn_functional(m, &(gradyn_functional_spec){"lifted", lifted, .reduction = GRADYN_AT_END});
  gradyn_functional(m,
                    &(gradyn_functional_spec){"pushed", gradyn_measure_drive(m, "pushing", pushes),
                                              .reduction = GRADYN_AT_END});
  gradyn_functional(m, &(gradyn_functional_spec){"impulse", lifted, .reduction = GRADYN_INTEGRAL});
  return gradyn_build_status(m);
}

static void closed_form(const double _Complex r[], double _Complex psi[])
{
  const double _Complex angle = start + r[RATE] * T + r[GAIN] * T * T / 2, L = r[LENGTH];
  psi[TURNED] = r[MASS] * (L * L / 3 * r[GAIN] + g * L / 2 * ccos(angle));
  psi[JOINT] = psi[TURNED];
  psi[LIFTED] = r[MASS] * (g + r[GAIN]);
  psi[PUSHED] = r[MASS] * r[GAIN];
  psi[IMPULSE] = psi[LIFTED] * T;
}

static const gradyn_param params[PARAMETERS] = {
    [LENGTH] = {"length", "m", .init = 0.8, GRADYN_UNBOUNDED},
    [MASS] = {"mass", "kg", .init = 1.3, GRADYN_UNBOUNDED},
    [RATE] = {"rate", "", .init = 0.7, GRADYN_UNBOUNDED},
    [GAIN] = {"gain", "", .init = 0.9, GRADYN_UNBOUNDED}};

TEST(drives_have_the_forces_of_newtons_laws)
{
  static const struct {
    const char *method, *coordinates;
    double step, rtol;
  } row[] = {{"idas", "natural", 0, 1e-5},
             {"explicit", "natural", 0, 1e-7},
             {"radau", "natural", 0, 1e-7},
             {"ali3p", "natural", 0.002, 1e-5},
             {"variational", "natural", 0.002, 1e-4},
             {"explicit", "joint", 0, 1e-7},
             {"radau", "joint", 0, 1e-7},
             {"idas", "joint", 0, 1e-5}};
  for (size_t k = 0; k < GRADYN_COUNT(row); k++) {
    double rho[PARAMETERS], psi[FUNCTIONALS], gradient[FUNCTIONALS * PARAMETERS];
    double value[FUNCTIONALS], slope[FUNCTIONALS * PARAMETERS];
    const gradyn_problem problem = PROBLEM("drives", build, params, .t_end = T, .rtol = 1e-10,
                                           .coordinates = row[k].coordinates);
    run_local *ev = run_with(&problem, .method = row[k].method, .step = row[k].step);
    run_initial(ev, rho);
    assert_run(gradyn_evaluator_gradient(ev, rho, psi, gradient), ev);
    support_complex_step(closed_form, rho, PARAMETERS, FUNCTIONALS, value, slope);
    assert_close_array(psi, value, FUNCTIONALS, row[k].rtol, row[k].rtol);
    assert_close_array(gradient, slope, FUNCTIONALS * PARAMETERS, row[k].rtol, 10 * row[k].rtol);
  }
}

/* --- refused ---------------------------------------------------------------------------------- */

static void of_a_pin(gradyn_model *m)
{
  gradyn_measure_drive(m, "torque", gradyn_pin(m, "pin", REFUSAL_P, REFUSAL_G));
}

static void of_a_rod(gradyn_model *m)
{
  gradyn_measure_drive(
      m, "torque",
      gradyn_rod(m,
                 &(gradyn_rod_spec){.name = "bar", .from = REFUSAL_P, .to = REFUSAL_G, .mass = 1}));
}

static void of_nothing(gradyn_model *m)
{
  gradyn_measure_drive(m, "torque", 1);
}

TEST(constraints_without_a_law_have_no_drive)
{
  static const refusal refused[] = {
      {of_a_pin, "torque: pin.x has no drive"},
      {of_a_rod, "torque: bar has no drive: it is a rod"},
      {of_nothing, "torque: constraint 1 has not been declared (there are 0)"}};
  refusal_check((int)GRADYN_COUNT(refused), refused);
}
