/* Integration by the variational method: closed forms, orders of convergence, conservation, refusals. */
#include "tests/adjoint/ali3p_models.h"

/* --- models --------------------------------------------------------------------------------------- */

static const double stiffness = 7, mass = 0.7, speed = 0.5;

/* A mass on a spring with free length zero moves on an ellipse around the fixed end. */
static gradyn_status build_oscillator(gradyn_model *m, const gradyn_scalar rho[])
{
  (void)rho;
  int O = gradyn_ground_point(m, "O", 0, 0), p = gradyn_point(m, "p", 1, 0);
  gradyn_initial_velocity(m, p, 0, speed);
  gradyn_point_mass(m, "mass", p, mass);
  gradyn_spring(m, &(gradyn_spring_spec){"spring", O, p, .k = stiffness});
  gradyn_functional(m, &(gradyn_functional_spec){"x", gradyn_measure_point(m, "", p, 0, GRADYN_X),
                                                 .reduction = GRADYN_AT_END});
  gradyn_functional(m, &(gradyn_functional_spec){"y", gradyn_measure_point(m, "", p, 0, GRADYN_Y),
                                                 .reduction = GRADYN_AT_END});
  gradyn_functional(m, &(gradyn_functional_spec){"vx", gradyn_measure_point(m, "", p, 1, GRADYN_X),
                                                 .reduction = GRADYN_AT_END});
  gradyn_functional(m, &(gradyn_functional_spec){"vy", gradyn_measure_point(m, "", p, 1, GRADYN_Y),
                                                 .reduction = GRADYN_AT_END});
  return gradyn_build_status(m);
}

static const gradyn_problem oscillator = {GRADYN_PROBLEM_SIZES, .name = "oscillator",
                                          .build = build_oscillator, .t_end = 10, .step = 0.05};

static const double gravity = 9.81;

static gradyn_status energy(const gradyn_at *at, gradyn_scalar *value)
{
  const gradyn_scalar *v = at->vel + 4;
  *value = (v[0] * v[0] + v[1] * v[1]) / 2 + gravity * at->pos[5];
  return GRADYN_OK;
}

enum { LOOKS = 20 };

static const double pendulum_step = 0.01, pendulum_end = 10000;

/* A pendulum of 1 m and 1 kg released from the horizontal; functionals are its energy at LOOKS times. */
static gradyn_status build_pendulum(gradyn_model *m, const gradyn_scalar rho[])
{
  (void)rho;
  int O = gradyn_ground_point(m, "O", 0, 0), p = gradyn_point(m, "p", 1, 0);
  gradyn_distance(m, "string", O, p, &(gradyn_time_function){.value = 1});
  gradyn_point_mass(m, "mass", p, 1);
  gradyn_gravity(m, 0, -gravity);
  for (int k = 1; k <= LOOKS; k++) {
    char name[24];
    snprintf(name, sizeof name, "energy%d", k);
    double t = pendulum_end * k / LOOKS - 37 * pendulum_step;
    gradyn_custom_functional(m, &(gradyn_custom_functional_spec){
                                    .name = name, .unit = "J", .terminal = energy, .instant = t});
  }
  return gradyn_build_status(m);
}

static const gradyn_problem pendulum = {GRADYN_PROBLEM_SIZES, .name = "pendulum",
                                        .build = build_pendulum, .t_end = pendulum_end,
                                        .step = pendulum_step};

/* --- helpers -------------------------------------------------------------------------------------- */

static run_setup setup_of(const gradyn_problem *problem, double step)
{
  return (run_setup){.problem = problem, .method = "variational", .step = step};
}

/* Computes functionals, and the states at the end [columns]; either may be NULL. */
static void simulate(const run_setup *setup, double psi[], double end[],
                     gradyn_statistics *statistics)
{
  double rho[64], values[32];
  run_local *ev = ali3p_open(setup);
  OWNED(gradyn_trajectory) *trajectory = end ? gradyn_trajectory_create() : NULL;
  run_initial(ev, rho);
  assert_run(gradyn_evaluator_simulate(ev, rho, psi ? psi : values, trajectory), ev);
  if (end)
    gradyn_trajectory_step(trajectory, gradyn_trajectory_read(trajectory).steps - 1, end);
  if (statistics)
    *statistics = gradyn_evaluator_statistics(ev);
}

/* Observed order of `count` numbers x, computed with steps h, h/2, h/4. */
static double order_of(double x[3][32], int first, int count)
{
  double coarse = 0, fine = 0;
  for (int i = first; i < first + count; i++) {
    coarse = fmax(coarse, fabs(x[0][i] - x[1][i]));
    fine = fmax(fine, fabs(x[1][i] - x[2][i]));
  }
  return log2(coarse / fine);
}

/* --- tests ---------------------------------------------------------------------------------------- */

/* In each step the midpoint rule rotates the state by theta, where tan(theta/2) = omega h/2. */
TEST(oscillator_has_its_closed_form)
{
  double psi[4], omega = sqrt(stiffness / mass);
  gradyn_statistics statistics;
  run_setup setup = setup_of(&oscillator, 0.05);
  simulate(&setup, psi, NULL, &statistics);
  assert_int_equal(statistics.steps, 200);
  double turn = 200 * 2 * atan(omega * 0.05 / 2);
  assert_close(psi[0], cos(turn), 0, 1e-12);
  assert_close(psi[1], speed / omega * sin(turn), 0, 1e-12);
  assert_close(psi[2], -omega * sin(turn), 0, 1e-12);
  assert_close(psi[3], speed * cos(turn), 0, 1e-12);
}

static void run_thrice(double alpha, double psi[3][32], double end[3][32])
{
  for (int k = 0; k < 3; k++) {
    run_setup setup = setup_of(&gradyn_problem_five_bar, 4e-3 / (1 << k));
    setup.t_end = 2;
    setup.quadrature = alpha;
    simulate(&setup, psi[k], end[k], NULL);
  }
}

/* Orders of final positions, velocities, accelerations and multipliers, and of functionals. */
TEST(middle_is_of_second_order)
{
  double end[3][32], psi[3][32];
  run_thrice(0.5, psi, end);
  for (int block = 0; block < 4; block++)
    assert_close(order_of(end, 6 * block, block < 3 ? 6 : 4), 2, 0, 0.1);
  for (int f = 0; f < 3; f++)
    assert_close(order_of(psi, f, 1), 2, 0, 0.1);
}

TEST(others_are_of_first_order)
{
  double end[3][32], psi[3][32];
  run_thrice(0.3, psi, end);
  for (int block = 0; block < 3; block++)
    assert_close(order_of(end, 6 * block, 6), 1, 0, 0.2);
}

/* Extrapolated functionals against another method. */
TEST(agrees_with_idas)
{
  double psi[2][3], other[3], rho[64];
  for (int k = 0; k < 2; k++) {
    run_setup setup = setup_of(&gradyn_problem_five_bar, 1e-3 / (1 << k));
    simulate(&setup, psi[k], NULL, NULL);
  }
  run_local *ev = run_with(&gradyn_problem_five_bar, .method = "idas", .rtol = 1e-10);
  run_initial(ev, rho);
  assert_run(gradyn_evaluator_simulate(ev, rho, other, NULL), ev);
  for (int f = 0; f < 3; f++)
    assert_close((4 * psi[1][f] - psi[0][f]) / 3, other[f], 1e-7, 0);
}

/* Rheonomic constraints are satisfied at each node, to round-off, and the order is kept. */
TEST(driven_mechanism_converges)
{
  double psi[3][32];
  gradyn_statistics statistics;
  for (int k = 0; k < 3; k++) {
    run_setup setup = setup_of(&ali3p_driven, 5e-3 / (1 << k));
    simulate(&setup, psi[k], NULL, &statistics);
    assert_close(statistics.drift_position, 0, 0, 1e-14);
  }
  for (int f = 0; f < 6; f++)
    assert_close(order_of(psi, f, 1), 2, 0, 0.1);
}

/* The error of the energy after 10^6 steps is not larger than in the first oscillations. */
THOROUGH_TEST(energy_does_not_drift)
{
  double psi[LOOKS], rho[1] = {0}, worst = 0;
  enum { FIRST = 1000 };
  run_setup setup = setup_of(&pendulum, pendulum_step);
  run_local *ev = ali3p_open(&setup);
  assert_run(gradyn_evaluator_simulate(ev, rho, psi, NULL), ev);
  gradyn_statistics statistics = gradyn_evaluator_statistics(ev);
  assert_int_equal(statistics.steps, 1000000);
  assert_close(statistics.drift_position, 0, 0, 1e-15);
  /* reference: steps of the same scheme for E = v^2/2 + g y, written out for the point on its circle */
  double q[2] = {1, 0}, P[2] = {0, 0}, h = pendulum_step;
  for (int k = 0; k < FIRST; k++) {
    double x[2] = {q[0] + h * P[0], q[1] + h * P[1] - h * h / 2 * gravity}, lam = 0;
    for (int i = 0; i < 50; i++) { /* lam follows from |x - lam q| = 1 */
      double y[2] = {x[0] - lam * q[0], x[1] - lam * q[1]};
      lam += (y[0] * y[0] + y[1] * y[1] - 1) / (2 * (y[0] * q[0] + y[1] * q[1]));
    }
    for (int c = 0; c < 2; c++) {
      x[c] -= lam * q[c];
      P[c] = (x[c] - q[c]) / h;
      q[c] = x[c];
    }
    P[1] -= h / 2 * gravity;
    double along = P[0] * q[0] + P[1] * q[1];
    double v[2] = {P[0] - along * q[0], P[1] - along * q[1]};
    worst = fmax(worst, fabs((v[0] * v[0] + v[1] * v[1]) / 2 + gravity * q[1]));
  }
  assert_in_range(worst * 1e6, 10, 10000); /* the error is not zero, but of second order */
  for (int k = 0; k < LOOKS; k++)
    assert_close(psi[k], 0, 0, 1.01 * worst);
}

/* --- refusals ------------------------------------------------------------------------------------- */

TEST(dependent_constraints_are_refused)
{
  double rho[64], psi[16];
  run_setup setup = setup_of(&gradyn_problem_parallel_bars, 1e-3);
  setup.setting = "redundant";
  setup.value = 1;
  run_local *ev = ali3p_open(&setup);
  run_initial(ev, rho);
  assert_refused(gradyn_evaluator_simulate(ev, rho, psi, NULL), ev, GRADYN_SINGULAR, "ali3p");
}

TEST(quadrature_must_lie_in_the_step)
{
  const double wrong[] = {-0.1, 1.5, NAN};
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
    assert_no_run(GRADYN_INVALID, "from 0 to 1", &oscillator, .method = "variational",
                  .quadrature = wrong[k]);
  }
}

/* The message of a failed step names its time, its length, and the violated constraint. */
TEST(failed_steps_are_explained)
{
  double rho[64], psi[16];
  run_setup setup = setup_of(&gradyn_problem_chain, 0.1);
  run_local *ev = ali3p_open(&setup);
  run_initial(ev, rho);
  assert_status(gradyn_evaluator_simulate(ev, rho, psi, NULL), GRADYN_STEP_LIMIT,
                gradyn_evaluator_message(ev));
  const char *const parts[] = {"to t = 0.3", "worst constraint link", "11 steps were divided"};
  for (int k = 0; k < 3; k++)
    assert_says(gradyn_evaluator_message(ev), parts[k]);
}
