/* Integration by IDAS: closed-form motions, drift, arcs, trajectories, the step limit. */
#include "tests/runs.h"
#include "tests/declare.h"

static const double g = 9.81, start = 2.5; /* m/s^2, rad: amplitude of the pendulum of length 1 m */

/* Jacobi's amplitude am(u, k) by descending Landen steps (arithmetic-geometric mean); *quarter is
 * the complete integral K(k). */
static double amplitude(double u, double k, double *quarter)
{
  double a[16] = {1}, c[16] = {k}, b = sqrt(1 - k * k);
  int n = 0;
  for (; n < 15 && fabs(c[n]) > 1e-17; n++) {
    a[n + 1] = (a[n] + b) / 2;
    c[n + 1] = (a[n] - b) / 2;
    b = sqrt(a[n] * b);
  }
  *quarter = acos(0.0) / a[n];
  double phi = ldexp(a[n] * u, n);
  for (; n > 0; n--)
    phi = (phi + asin(c[n] / a[n] * sin(phi))) / 2;
  return phi;
}

/* Angle from the lower vertical, and its rate, after a release at rest: sin(theta/2) = k sn(K + w t, k). */
static double swing(double t, double *rate)
{
  double k = sin(start / 2), w = sqrt(g), quarter;
  amplitude(0, k, &quarter);
  double am = amplitude(quarter + w * t, k, &quarter);
  *rate = 2 * k * w * cos(am); /* theta' = 2 k w cn dn / cos(theta/2), cos(theta/2) = dn */
  return 2 * asin(k * sin(am));
}

static gradyn_status pendulum(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  int A = gradyn_ground_point(model, "A", 0, 0);
  int P = gradyn_point(model, "P", sin(start), -cos(start));
  gradyn_rod(model, &(gradyn_rod_spec){"rod", A, P, .length = 1});
  gradyn_point_mass(model, "bob", P, 0.8);
  gradyn_gravity(model, 0, -g);
  gradyn_functional(model,
                    &(gradyn_functional_spec){"x", gradyn_measure_point(model, "", P, 0, GRADYN_X),
                                              .reduction = GRADYN_AT_END});
  gradyn_functional(model,
                    &(gradyn_functional_spec){"y", gradyn_measure_point(model, "", P, 0, GRADYN_Y),
                                              .reduction = GRADYN_AT_END});
  gradyn_functional(model,
                    &(gradyn_functional_spec){"vx", gradyn_measure_point(model, "", P, 1, GRADYN_X),
                                              .reduction = GRADYN_AT_END});
  gradyn_functional(model,
                    &(gradyn_functional_spec){"vy", gradyn_measure_point(model, "", P, 1, GRADYN_Y),
                                              .reduction = GRADYN_AT_END});
  gradyn_functional(model, &(gradyn_functional_spec){"energy", gradyn_measure_energy(model, ""),
                                                     .reduction = GRADYN_AT_END});
  return gradyn_build_status(model);
}

static gradyn_evaluator *open_at(gradyn_build_fn build, const gradyn_options *wish)
{
  static gradyn_problem problem;
  problem = (gradyn_problem){GRADYN_PROBLEM_SIZES, .name = "probe", .build = build, .t_end = 3};
  return run_with(&problem, .method = "idas", .rtol = wish->rtol, .t_end = wish->t_end,
                  .max_steps = wish->max_steps, .baumgarte_alpha = wish->baumgarte_alpha,
                  .baumgarte_beta = wish->baumgarte_alpha);
}

TEST(pendulum_swings_like_the_elliptic_function)
{
  for (double t_end = 0.1; t_end < 4; t_end *= 2.3) {
    run_local *ev = open_at(pendulum, &(gradyn_options){.rtol = 1e-11, .t_end = t_end});
    double psi[5], rate, angle = swing(t_end, &rate);
    assert_run(gradyn_evaluator_simulate(ev, NULL, psi, NULL), ev);
    assert_close(psi[0], sin(angle), 0, 2e-8);
    assert_close(psi[1], -cos(angle), 0, 2e-8);
    assert_close(psi[2], rate * cos(angle), 0, 1e-7);
    assert_close(psi[3], rate * sin(angle), 0, 1e-7);
    assert_close(psi[4], -0.8 * g * cos(start), 2e-8, 0);
  }
}

/* The integration in index-1 form slowly drifts off the constraints; Baumgarte's terms prevent this. */
TEST(drift_is_measured_and_curbed)
{
  double position[2], velocity[2];
  for (int with = 0; with < 2; with++) {
    gradyn_options wish = {.rtol = 1e-6, .t_end = 30, .baumgarte_alpha = with ? 10 : 0};
    run_local *ev = open_at(pendulum, &wish);
    OWNED(gradyn_trajectory) *path = gradyn_trajectory_create();
    assert_run(gradyn_evaluator_simulate(ev, NULL, NULL, path), ev);
    gradyn_statistics s = gradyn_evaluator_statistics(ev);
    double y[7], worst[2] = {0, 0};
    for (size_t k = 0; k < gradyn_trajectory_read(path).steps; k++) {
      gradyn_trajectory_step(path, k, y);
      worst[0] = fmax(worst[0], fabs(y[0] * y[0] + y[1] * y[1] - 1) / 2);
      worst[1] = fmax(worst[1], fabs(y[0] * y[2] + y[1] * y[3]));
    }
    assert_close(s.drift_position, worst[0], 1e-9, 1e-15);
    assert_close(s.drift_velocity, worst[1], 1e-9, 1e-15);
    position[with] = s.drift_position;
    velocity[with] = s.drift_velocity;
  }
  assert_true(position[0] > 1e-6 && position[0] < 1e-1);
  assert_true(position[1] < 0.05 * position[0]);
  assert_true(velocity[1] < 1e-4 && velocity[1] > 0);
}

/* --- a driven crank with a connecting rod: motion without freedom ----------------------------- */

static const gradyn_time_function drive = {
    .value = 0.4, .rate = 2, .acceleration = 0.3, .amplitude = 0.2, .frequency = 5, .phase = 1};

static gradyn_status slider_crank(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  int A = gradyn_ground_point(model, "A", 0, 0);
  int P = gradyn_point(model, "P", 0.3, 0.2), S = gradyn_point(model, "S", 1.2, 0.1);
  gradyn_rod(model, &(gradyn_rod_spec){"crank", A, P, .length = 0.4, .mass = 1});
  gradyn_rod(model, &(gradyn_rod_spec){"link", P, S, .length = 1, .mass = 2});
  gradyn_coordinate(model, "guide", S, GRADYN_Y, &(gradyn_time_function){.value = 0});
  gradyn_angle(model, "motor", A, P, &drive);
  gradyn_functional(model,
                    &(gradyn_functional_spec){"x", gradyn_measure_point(model, "", S, 0, GRADYN_X),
                                              .reduction = GRADYN_AT_END});
  gradyn_functional(model,
                    &(gradyn_functional_spec){"vx", gradyn_measure_point(model, "", S, 1, GRADYN_X),
                                              .reduction = GRADYN_AT_END});
  gradyn_functional(model,
                    &(gradyn_functional_spec){"turn", gradyn_measure_line_angle(model, "", A, P, 1),
                                              .reduction = GRADYN_INTEGRAL});
  return gradyn_build_status(model);
}

TEST(driven_crank_follows_its_law)
{
  const double t = 3, theta = 0.4 + 2 * t + 0.15 * t * t + 0.2 * sin(5 * t + 1);
  const double omega = 2 + 0.3 * t + cos(5 * t + 1), r = 0.4;
  run_local *ev = open_at(slider_crank, &(gradyn_options){.rtol = 1e-11});
  double psi[3], root = sqrt(1 - r * r * sin(theta) * sin(theta));
  assert_run(gradyn_evaluator_simulate(ev, NULL, psi, NULL), ev);
  assert_close(psi[0], r * cos(theta) + root, 0, 1e-8);
  assert_close(psi[1], -r * omega * sin(theta) * (1 + r * cos(theta) / root), 0, 1e-8);
  assert_close(psi[2], theta - 0.4 - 0.2 * sin(1), 0, 1e-8);
}

/* --- a mass pushed by a force that jumps ------------------------------------------------------ */

static const double push[4] = {3, -5, 0, 8}; /* N, for 0.75 s each, on 2 kg */

static gradyn_status pushed(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  const gradyn_scalar knots[4] = {push[0], push[1], push[2], push[3]};
  int P = gradyn_point(model, "P", 0.5, 0);
  int u = declare_signal(model, "u", "", GRADYN_PIECEWISE_CONSTANT, 4, knots);
  gradyn_initial_velocity(model, P, -1, 0);
  gradyn_point_mass(model, "m", P, 2);
  declare_push(model, "F", P, 1, 0, u);
  gradyn_functional(model,
                    &(gradyn_functional_spec){"x", gradyn_measure_point(model, "", P, 0, GRADYN_X),
                                              .reduction = GRADYN_AT_END});
  gradyn_functional(model,
                    &(gradyn_functional_spec){"vx", gradyn_measure_point(model, "", P, 1, GRADYN_X),
                                              .reduction = GRADYN_AT_END});
  gradyn_functional(
      model, &(gradyn_functional_spec){"a2", gradyn_measure_point(model, "", P, 2, GRADYN_ALL_AXES),
                                       .reduction = GRADYN_SQUARE_INTEGRAL});
  return gradyn_build_status(model);
}

/* Position and velocity under piecewise constant accelerations. */
static void glide(double t, double *x, double *v)
{
  *x = 0.5;
  *v = -1;
  for (int k = 0; k < 4; k++) {
    double h = fmin(fmax(t - 0.75 * k, 0), 0.75), a = push[k] / 2;
    *x += *v * h + a * h * h / 2;
    *v += a * h;
  }
}

TEST(forces_that_jump_restart_the_integration)
{
  run_local *ev = open_at(pushed, &(gradyn_options){.rtol = 1e-10});
  OWNED(gradyn_trajectory) *path = gradyn_trajectory_create();
  double psi[3], x, v, y[6];
  assert_run(gradyn_evaluator_simulate(ev, NULL, psi, path), ev);
  glide(3, &x, &v);
  assert_close(psi[0], x, 1e-9, 0);
  assert_close(psi[1], v, 1e-9, 0);
  assert_close(psi[2], 0.75 * (9 + 25 + 64) / 4, 1e-9, 0);
  const gradyn_statistics counted = gradyn_evaluator_statistics(ev);
  assert_int_equal(counted.arcs, 4);
  /* each step has at least one iteration */
  assert_true(counted.newton_iterations >= counted.steps);
  for (double t = 0; t < 3; t += 0.0137) {
    gradyn_trajectory_sample(path, t, y);
    glide(t, &x, &v);
    assert_close(y[0], x, 0, 1e-8);
    assert_close(y[2], v, 0, 1e-8);
  }
}

/* --- trajectories and limits ------------------------------------------------------------------ */

TEST(trajectories_interpolate)
{
  run_local *ev = open_at(pendulum, &(gradyn_options){.rtol = 1e-10});
  OWNED(gradyn_trajectory) *path = gradyn_trajectory_create();
  const char *name[7] = {"P.x", "P.y", "P.vx", "P.vy", "P.ax", "P.ay", "rod.lambda"};
  double y[7], z[7];
  assert_run(gradyn_evaluator_simulate(ev, NULL, NULL, path), ev);
  size_t last = gradyn_trajectory_read(path).steps - 1;
  assert_int_equal(gradyn_trajectory_read(path).columns, 7);
  for (size_t i = 0; i < 7; i++)
    assert_string_equal(gradyn_trajectory_column(path, i).name, name[i]);
  assert_string_equal(gradyn_trajectory_column(path, 4).unit, "m/s^2");
  assert_string_equal(gradyn_trajectory_column(path, 6).unit, "N");
  for (double t = 0; t < 3; t += 0.0171) {
    double rate, angle = swing(t, &rate);
    gradyn_trajectory_sample(path, t, y);
    assert_close(y[0], sin(angle), 0, 2e-7);
    assert_close(y[1], -cos(angle), 0, 2e-7);
    assert_close(y[2], rate * cos(angle), 0, 2e-6);
    assert_close(y[6], 0.8 * (rate * rate + g * cos(angle)), 0, 1e-2); /* tension; linear between */
  }
  /* times are clamped to the run; at a step the result is its row */
  assert_close(gradyn_trajectory_step(path, last, y), 3, 0, 0);
  gradyn_trajectory_sample(path, 99, z);
  assert_memory_equal(y, z, sizeof y);
  double t = gradyn_trajectory_step(path, last / 2, y);
  gradyn_trajectory_sample(path, t, z);
  assert_close_array(z, y, 7, 1e-15, 0);
  assert_close(gradyn_trajectory_step(path, 0, y), 0, 0, 0);
  gradyn_trajectory_sample(path, -1, z);
  assert_memory_equal(y, z, sizeof y);
}

TEST(steps_are_limited_over_all_arcs)
{
  gradyn_evaluator *ev = open_at(pushed, &(gradyn_options){.rtol = 1e-10});
  assert_ok(gradyn_evaluator_simulate(ev, NULL, NULL, NULL), NULL);
  long needed = gradyn_evaluator_statistics(ev).steps;
  gradyn_evaluator_free(ev);
  const long limit[3] = {needed, needed - 1, 5};
  for (int i = 0; i < 3; i++) {
    ev = open_at(pushed, &(gradyn_options){.rtol = 1e-10, .max_steps = limit[i]});
    assert_status(gradyn_evaluator_simulate(ev, NULL, NULL, NULL),
                  i ? GRADYN_STEP_LIMIT : GRADYN_OK, gradyn_evaluator_message(ev));
    if (i)
      assert_says(gradyn_evaluator_message(ev), "t = ");
    assert_int_equal(gradyn_evaluator_statistics(ev).steps, limit[i]);
    gradyn_evaluator_free(ev);
  }
}
