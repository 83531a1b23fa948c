/* Kinematics and inverse dynamics against closed forms; direct derivatives against adjoint ones and
 * differences. */
#include <complex.h>

#include "tests/adjoint/ali3p_models.h"

#include <tgmath.h>

static const gradyn_param params[] = {{"crank", "m", .init = 0.4, GRADYN_UNBOUNDED},
                                      {"coupler", "m", .init = 1.1, GRADYN_UNBOUNDED},
                                      {"rocker", "m", .init = 0.9, GRADYN_UNBOUNDED},
                                      {"mass", "kg", .init = 2, GRADYN_UNBOUNDED},
                                      {"speed", "rad/s", .init = 7, GRADYN_UNBOUNDED},
                                      {"swing", "rad", .init = 0.3, GRADYN_UNBOUNDED},
                                      {"duration", "s", .init = 1.3, GRADYN_UNBOUNDED}};
enum { CRANK, COUPLER, ROCKER, MASS, SPEED, SWING, DURATION, PARAMETERS };
enum { EFFORT, SHAKING, PEAK, PLACE, TORQUE, FUNCTIONALS };

static const double ground = 1.2, first = 0.5, frequency = 3, gravity = 9.81;

static gradyn_time_function law_of(const gradyn_scalar rho[])
{
  return (gradyn_time_function){
      .value = first, .rate = rho[SPEED], .amplitude = rho[SWING], .frequency = frequency};
}

/* A four-bar mechanism whose crank angle is a function of time. */
static gradyn_status four_bar(gradyn_model *model, const gradyn_scalar rho[])
{
  gradyn_time_function law = law_of(rho);
  int A = gradyn_ground_point(model, "A", 0, 0), D = gradyn_ground_point(model, "D", ground, 0);
  int B = gradyn_point(model, "B", 0.35, 0.19), C = gradyn_point(model, "C", 1.3, 0.9);
  gradyn_rod(model, &(gradyn_rod_spec){"crank", A, B, .length = rho[CRANK], .mass = 1});
  gradyn_rod(model, &(gradyn_rod_spec){"coupler", B, C, .length = rho[COUPLER], .mass = rho[MASS]});
  gradyn_rod(model, &(gradyn_rod_spec){"rocker", D, C, .length = rho[ROCKER], .mass = 1});
  int drive = gradyn_angle(model, "drive", A, B, &law);
  gradyn_gravity(model, 0, -gravity);
  gradyn_end_time(model, rho[DURATION]);
  int torque = gradyn_measure_multiplier(model, "torque", drive);
  gradyn_functional(
      model, &(gradyn_functional_spec){"effort", torque, .reduction = GRADYN_SQUARE_INTEGRAL});
  gradyn_functional(model, &(gradyn_functional_spec){
                               "shaking", gradyn_measure_point(model, "", C, 2, GRADYN_ALL_AXES),
                               .reduction = GRADYN_SQUARE_INTEGRAL});
  gradyn_functional(model,
                    &(gradyn_functional_spec){"peak", torque, .reduction = GRADYN_SMOOTH_MAXIMUM,
                                              .magnitude = true, .scale = 100, .sharpness = 20});
  gradyn_functional(model,
                    &(gradyn_functional_spec){"x", gradyn_measure_point(model, "", C, 0, GRADYN_X),
                                              .reduction = GRADYN_AT_END});
  gradyn_functional(model,
                    &(gradyn_functional_spec){"last torque", torque, .reduction = GRADYN_AT_END});
  return gradyn_build_status(model);
}

/* A massless rod with a point mass at its end: the torque is m L^2 theta'' + m g L cos theta. */
static gradyn_status length_scale(gradyn_model *model, const gradyn_scalar rho[])
{
  gradyn_time_function law = law_of(rho);
  int A = gradyn_ground_point(model, "A", 0, 0);
  int B = gradyn_point(model, "B", rho[CRANK] * cos(first), rho[CRANK] * sin(first));
  gradyn_rod(model, &(gradyn_rod_spec){"crank", A, B, .length = rho[CRANK]});
  gradyn_point_mass(model, "bob", B, rho[MASS]);
  gradyn_angle(model, "drive", A, B, &law);
  gradyn_gravity(model, 0, -gravity);
  return gradyn_build_status(model);
}

static gradyn_evaluator *create(gradyn_build_fn build, const char *method, const char *sensitivity)
{
  static gradyn_problem problem; /* outlives the evaluator */
  problem = (gradyn_problem)PROBLEM("driven", build, params, .t_end = 1.3, .step = 1.3e-2);
  return run_with(&problem, .method = method, .sensitivity = sensitivity);
}

static void initial(double *rho)
{
  for (int i = 0; i < PARAMETERS; i++)
    rho[i] = params[i].init;
}

/* theta, theta', theta'' of the prescribed function. */
static void angle_at(double t, double theta[3])
{
  double w = frequency, a = params[SWING].init;
  theta[0] = first + params[SPEED].init * t + a * sin(w * t);
  theta[1] = params[SPEED].init + a * w * cos(w * t);
  theta[2] = -a * w * w * sin(w * t);
}

/* Simulates and calls `check` with each row [t, columns] of the trajectory. */
static void run(gradyn_build_fn build, void (*check)(double t, const double *y))
{
  run_local *ev = create(build, "kinematic", "adjoint");
  OWNED(gradyn_trajectory) *trajectory = gradyn_trajectory_create();
  double rho[PARAMETERS], y[32];
  initial(rho);
  assert_run(gradyn_evaluator_simulate(ev, rho, NULL, trajectory), ev);
  assert_true(gradyn_trajectory_read(trajectory).columns <= 32);
  assert_true(gradyn_trajectory_read(trajectory).steps >= 101);
  for (size_t i = 0; i < gradyn_trajectory_read(trajectory).steps; i++) {
    double t = gradyn_trajectory_step(trajectory, i, y);
    check(t, y);
  }
}

/* y: B.x, B.y, C.x, C.y; velocities by complex step of the same closed form. */
static void check_four_bar(double t, const double *y)
{
  const double h = 1e-30, length = params[CRANK].init, l2 = params[COUPLER].init,
               l3 = params[ROCKER].init;
  double theta[3];
  angle_at(t, theta);
  double _Complex angle = theta[0] + I * h * theta[1];
  double _Complex x = ground - length * cos(angle), z = -length * sin(angle);
  double _Complex d2 = x * x + z * z, along = (d2 + l2 * l2 - l3 * l3) / (2 * d2);
  double _Complex across = sqrt(l2 * l2 / d2 - along * along);
  double _Complex C[2] = {ground - x + along * x - across * z, -z + along * z + across * x};
  for (int k = 0; k < 2; k++) {
    assert_close(y[2 + k], creal(C[k]), 0, 1e-11);
    assert_close(y[4 + 2 + k], cimag(C[k]) / h, 0, 1e-9);
  }
}

static void check_lever(double t, const double *y)
{
  const double L = params[CRANK].init, m = params[MASS].init;
  double theta[3];
  angle_at(t, theta);
  double torque = m * L * L * theta[2] + m * gravity * L * cos(theta[0]);
  assert_close(-y[7], torque / L, 0, 1e-10); /* the torque as a force at the end of the rod */
  assert_close(y[6], m * L * theta[1] * theta[1] - m * gravity * sin(theta[0]), 0, 1e-10);
}

TEST(closed_forms_are_met)
{
  run(four_bar, check_four_bar);
  run(length_scale, check_lever);
}

TEST(gradients_agree)
{
  const gradyn_problem problem = PROBLEM("driven", four_bar, params, .t_end = 1.3, .step = 1.3e-2);
  const run_setup setup = {.problem = &problem, .method = "kinematic"};
  ali3p_compare_parameters(&setup, 1e-11);
  ali3p_compare_differences(&setup, 1.2e-3, 1e-8);
}

/* A horizontal force on the lever whose value jumps. */
static const double pushes[] = {12, -8, 20};
enum { PUSHES = 3 };

static gradyn_status pushed(gradyn_model *model, const gradyn_scalar rho[])
{
  gradyn_time_function law = law_of(rho);
  gradyn_scalar knots[PUSHES];
  for (int k = 0; k < PUSHES; k++)
    knots[k] = pushes[k] * rho[MASS] / params[MASS].init;
  int A = gradyn_ground_point(model, "A", 0, 0);
  int B = gradyn_point(model, "B", rho[CRANK] * cos(first), rho[CRANK] * sin(first));
  gradyn_rod(model, &(gradyn_rod_spec){"crank", A, B, .length = rho[CRANK]});
  gradyn_point_mass(model, "bob", B, rho[MASS]);
  const int push = gradyn_signal(model,
                                 &(gradyn_signal_spec){"push", "N", GRADYN_PIECEWISE_CONSTANT,
                                                       .count = PUSHES, .knots = knots});
  gradyn_force(model, &(gradyn_force_spec){"push", B, .fx = 1, .signal = push});
  const int drive = gradyn_angle(model, "drive", A, B, &law);
  gradyn_gravity(model, 0, -gravity);
  gradyn_end_time(model, rho[DURATION]);
  const int torque = gradyn_measure_multiplier(model, "torque", drive);
  gradyn_functional(
      model, &(gradyn_functional_spec){"effort", torque, .reduction = GRADYN_SQUARE_INTEGRAL});
  gradyn_functional(model,
                    &(gradyn_functional_spec){"last torque", torque, .reduction = GRADYN_AT_END});
  return gradyn_build_status(model);
}

/* The torque has the sign of the closed form in check_lever(), and includes the moment of the push. */
static void check_pushed(double t, const double *y)
{
  const double L = params[CRANK].init, m = params[MASS].init, part = params[DURATION].init / PUSHES;
  double theta[3], nearest = (double)INFINITY;
  angle_at(t, theta);
  for (int k = 0; k < PUSHES; k++) {
    if (t < k * part - 1e-9 || t > (k + 1) * part + 1e-9)
      continue;
    const double torque = m * L * L * theta[2] + m * gravity * L * cos(theta[0]) +
                          pushes[k] * L * sin(theta[0]);
    /* at a knot the push has two values, and either may apply */
    nearest = fmin(nearest, fabs(-y[7] - torque / L));
  }
  assert_true(nearest < 1e-10);
}

TEST(signals_may_jump)
{
  const gradyn_problem problem = PROBLEM("driven", pushed, params, .t_end = 1.3, .step = 1.3e-2);
  const run_setup setup = {.problem = &problem, .method = "kinematic"};
  run(pushed, check_pushed);
  ali3p_compare_parameters(&setup, 1e-11);
  ali3p_compare_differences(&setup, 1.2e-3, 1e-8);
}

/* At a fixed end time, sensitivities of the state are the derivative of the functional. */
TEST(sensitivities_of_states_agree)
{
  double rho[PARAMETERS], psi[FUNCTIONALS], gradient[FUNCTIONALS * PARAMETERS], y[40];
  double dy[40 * PARAMETERS], *x = &gradient[PLACE * PARAMETERS];
  initial(rho);
  run_local *ev = create(four_bar, "kinematic", "direct");
  const size_t states = (size_t)gradyn_evaluator_model_info(ev).states;
  assert_in_range(2 * states, 1, 40);
  assert_run(gradyn_evaluator_gradient(ev, rho, psi, gradient), ev);
  assert_run(gradyn_sensitivities_compute(ev, rho, (const double[]){0, rho[DURATION]}, 2, y, dy),
             ev);
  /* B.x, B.y, C.x, C.y and their rates */
  assert_close(y[states + 2], psi[PLACE], 1e-15, 0);
  x[DURATION] -= y[states + 6];
  assert_close_array(&dy[(states + 2) * PARAMETERS], x, PARAMETERS, 1e-11, 1e-11);
}

/* A method that integrates the equations of motion finds the same motion and the same torque. */
TEST(dynamics_agree)
{
  double rho[PARAMETERS], psi[2][FUNCTIONALS];
  initial(rho);
  for (int k = 0; k < 2; k++) {
    run_local *ev = create(four_bar, k ? "idas" : "kinematic", "adjoint");
    assert_run(gradyn_evaluator_simulate(ev, rho, psi[k], NULL), ev);
  }
  for (int f = PLACE; f <= TORQUE; f++)
    assert_close(psi[1][f], psi[0][f], 1e-6, 0);
}

/* Without its drive the lever is free. */
static gradyn_status loose(gradyn_model *model, const gradyn_scalar rho[])
{
  int A = gradyn_ground_point(model, "A", 0, 0), B = gradyn_point(model, "B", rho[CRANK], 0);
  gradyn_rod(model, &(gradyn_rod_spec){"bar", A, B, .mass = 1});
  return gradyn_build_status(model);
}

TEST(degrees_of_freedom_are_refused)
{
  const gradyn_problem problem = PROBLEM("loose", loose, params, .t_end = 1);
  assert_no_run(GRADYN_UNSUPPORTED, "2 coordinates and 1 constraints leave 1", &problem,
                .method = "kinematic");
}

/* Runs a variant of the problem with this step; writes the message [size] and returns the status. */
static gradyn_status try(gradyn_build_fn build, double step, char *message, size_t size)
{
  const gradyn_problem problem = PROBLEM("tried", build, params, .t_end = 1.3, .step = step);
  run_local *ev;
  double rho[PARAMETERS], psi[FUNCTIONALS];
  initial(rho);
  gradyn_status status = run_try(&ev, &problem, .method = "kinematic");
  if (status == GRADYN_OK)
    status = gradyn_evaluator_simulate(ev, rho, psi, NULL);
  snprintf(message, size, "%s", gradyn_evaluator_message(ev));
  return status;
}

/* Two drives that prescribe the same coordinate. */
static gradyn_status held_twice(gradyn_model *model, const gradyn_scalar rho[])
{
  int A = gradyn_ground_point(model, "A", 0, 0), B = gradyn_point(model, "B", rho[CRANK], 0);
  const gradyn_time_function length = {.value = rho[CRANK]};
  gradyn_rod(model, &(gradyn_rod_spec){"bar", A, B, .length = rho[CRANK], .mass = 1});
  gradyn_distance(model, "again", A, B, &length);
  gradyn_functional(model,
                    &(gradyn_functional_spec){"x", gradyn_measure_point(model, "", B, 0, GRADYN_X),
                                              .reduction = GRADYN_AT_END});
  return gradyn_build_status(model);
}

TEST(constraints_without_a_drive_are_reported)
{
  char why[1024];
  assert_status(try(held_twice, 1.3e-2, why, sizeof why), GRADYN_SINGULAR, why);
  assert_says(why, "1 constraints are redundant at the start, so 1 degrees of freedom remain");
}

/* If the crank turns by more than half a turn in a step, the run reaches another assembly or fails, even if
 * steps are divided. */
TEST(steps_that_are_too_long_are_reported)
{
  char why[1024];
  assert_ok(try(four_bar, 1.3e-2, why, sizeof why), why);
  assert_status(try(four_bar, 0.65, why, sizeof why), GRADYN_STEP_LIMIT, why);
  assert_says(why, "from the extrapolated motion: the steps are too long");
  assert_says(why, "choose a shorter step");
}
