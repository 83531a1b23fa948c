/* Covariance during a run, by all methods: a damped oscillator, a switched push and a landing ball against
 * closed forms; a pendulum on a rod against its constraint. */
#include "tests/runs.h"
#include "tests/declare.h"

extern const gradyn_problem gradyn_problem_ball_on_slope;

static gradyn_evaluator *open_problem(const gradyn_problem *problem, const char *method)
{
  return run_with(problem, .method = method, .rtol = strcmp(method, "idas") == 0 ? 1e-12 : 0);
}

/* S [2][2] = M C M^T for M [2][n]. */
static void sandwich(int n, const double *M, const double *C, double *S)
{
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) {
      S[2 * i + j] = 0;
      for (int k = 0; k < n; k++)
        for (int l = 0; l < n; l++)
          S[2 * i + j] += M[n * i + k] * C[n * k + l] * M[n * j + l];
    }
}

/* --- a damped oscillator ------------------------------------------------------------------------ */

static const double stiffness = 5, damping = 0.6; /* of 1 kg */

FORMULAS(pull, -stiffness * at->pos[0] - damping * at->vel[0], 0)

static gradyn_status build_oscillator(gradyn_model *mbs, const gradyn_scalar rho[])
{
  int mass = gradyn_point(mbs, "mass", rho[0], 0);
  gradyn_initial_velocity(mbs, mass, rho[1], 0);
  gradyn_point_mass(mbs, "mass", mass, 1);
  declare_force(mbs, "pull", mass, pull, NULL, 0);
  gradyn_functional(mbs, &(gradyn_functional_spec){"x_end",
                                                   gradyn_measure_point(mbs, "", mass, 0, GRADYN_X),
                                                   .reduction = GRADYN_AT_END});
  return gradyn_build_status(mbs);
}

static const gradyn_param start[] = {{.name = "x", .init = 0.3}, {.name = "v", .init = -0.2}};
static const gradyn_problem oscillator = PROBLEM("oscillator", build_oscillator, start, .t_end = 2);

/* exp(A t) of x'' + 2 d x' + k x = 0, [2][2]. */
static void transition(double t, double *M)
{
  double d = damping / 2, w = sqrt(stiffness - d * d), e = exp(-d * t), s = sin(w * t) / w;
  M[0] = e * (cos(w * t) + d * s);
  M[1] = e * s;
  M[2] = -e * stiffness * s;
  M[3] = e * (cos(w * t) - d * s);
}

static size_t find_state(const gradyn_covariance *found, const char *name)
{
  size_t i = 0;
  while (i < found->states && strcmp(found->name[i], name) != 0)
    i++;
  assert_true(i < found->states);
  return i;
}

/* Compares the covariance of x and x' in a row with M C M^T, relative to the largest entry of the matrix. */
static void compare(const gradyn_covariance *found, size_t row, const size_t at[2], const double *S,
                    double tolerance)
{
  double size = fmax(fmax(fabs(S[0]), fabs(S[3])), 1e-12);
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++)
      assert_close(gradyn_covariance_entry(found, row, at[i], at[j]), S[2 * i + j], 0,
                   tolerance * size);
}

static const double C[4] = {0.04, -0.012, -0.012, 0.09};
static const size_t x_and_v[2] = {0, 2}; /* of x, y, x', y' */

TEST(an_oscillator_has_the_closed_form)
{
  static const struct {
    const char *method;
    double tolerance; /* error of the scheme with steps of 2 ms */
  } methods[] = {{"idas", 1e-9}, {"explicit", 1e-9}, {"ali3p", 2e-5}, {"variational", 2e-5}};
  static const char *const names[][2] = {{"x", "v"}, {"mass.x", "mass.vx"}};
  for (size_t k = 0; k < GRADYN_COUNT(methods); k++)
    for (size_t samples = 0; samples < 10; samples += 9) {
      double M[4] = {0}, S[4], psi, rho[2] = {0.3, -0.2};
      LOCAL(gradyn_covariance) found;
      OWNED(gradyn_trajectory) *run = gradyn_trajectory_create();
      run_local *ev = open_problem(&oscillator, methods[k].method);
      const gradyn_covariance_spec spec = {names[samples > 0], 2, C, samples};
      assert_run(gradyn_covariance_compute(ev, rho, &spec, &psi, run, &found), ev);
      assert_int_equal(found.states, 4);
      assert_string_equal(found.name[2], "mass.vx");
      assert_string_equal(found.unit[2], "m/s");
      assert_true(samples > 0 ? found.rows == samples
                              : found.rows == gradyn_trajectory_read(run).steps);
      for (size_t row = 0; row < found.rows; row++) {
        transition(found.t[row], M);
        sandwich(2, M, C, S);
        /* between steps, by interpolation */
        compare(&found, row, x_and_v, S, fmax(methods[k].tolerance, samples > 0 ? 1e-8 : 0));
      }
      assert_close(found.t[found.rows - 1], 2, 1e-15, 0);
      assert_close(found.deviation[0], sqrt(S[0]), methods[k].tolerance, 0);
      assert_close(psi, rho[0] * M[0] + rho[1] * M[1], 0, methods[k].tolerance);
    }
}

/* --- a push that changes sign at a time that scatters ------------------------------------------- */

extern const gradyn_problem gradyn_problem_bang_bang;

/* After the switch, a change ds of its time gives dv = 2 ds and dx = 2 (t - s) ds. The end time does not
 * change this. */
TEST(a_switch_has_the_closed_form)
{
  static const char *const names[] = {"switch", "brake"};
  const double matrix[4] = {0.01, 0, 0, 0.04}, rho[2] = {0.7, 0.9};
  for (size_t k = 0; k < GRADYN_COUNT(run_methods); k++) {
    LOCAL(gradyn_covariance) found;
    run_local *ev = open_problem(&gradyn_problem_bang_bang, run_methods[k]);
    const gradyn_covariance_spec spec = {names, 2, matrix, 0};
    assert_run(gradyn_covariance_compute(ev, rho, &spec, NULL, NULL, &found), ev);
    size_t sides = 0;
    for (size_t row = 0; row < found.rows; row++) {
      double t = found.t[row], on = t > rho[0] + 1e-9 ? 2 : 0;
      double M[4] = {on * (t - rho[0]), 0, on, 0}, S[4];
      sandwich(2, M, matrix, S);
      sides += t == rho[0];
      if (fabs(t - rho[0]) >= 1e-9)
        compare(&found, row, x_and_v, S, 1e-9);
    }
    assert_int_equal(sides, 2); /* one row before the switch and one after it */
    /* the end time is the sum of both durations, whose variances add up */
    assert_close(found.deviation[2], sqrt(0.05), 1e-12, 0);
  }
}

/* --- a ball that lands on a slope --------------------------------------------------------------- */

static const char *const ball[] = {"x", "y", "vx", "vy"};

/* M [2][4]: derivatives of the position at t with respect to the initial state. In flight [1, t]; after the
 * landing by eq. (53) or (57) of Kong et al. (2023). */
static void landing_matrix(double t, double tau, bool stick, const double v[2], double *M)
{
  const double n[2] = {sin(0.4), cos(0.4)}, approach = n[0] * v[0] + n[1] * v[1];
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) {
      bool same = i == j;
      double slides = same - n[i] * n[j], sticks = same - v[i] * n[j] / approach;
      double R = t < tau ? same : stick ? sticks : slides;
      double after = t < tau ? t : stick ? tau : tau + (t - tau);
      M[4 * i + j] = R;
      M[4 * i + 2 + j] = after * R;
    }
}

static void check_ball(const char *method, bool stick)
{
  const double rho[5] = {0.2, 1, 0.5, 0.3, 0.4}, n[2] = {sin(0.4), cos(0.4)}, g = 9.81;
  const double matrix[16] = {0.0025, 0.001, 0,    0,     0.001, 0.0025, 0,     0,
                             0,      0,     0.01, 0.002, 0,     0,      0.002, 0.01};
  double psi[4], M[8], S[4];
  LOCAL(gradyn_covariance) found;
  run_local *ev = run_with(&gradyn_problem_ball_on_slope, .method = method,
                           .rtol = strcmp(method, "idas") == 0 ? 1e-12 : 0, .setting = "stick",
                           .value = stick);
  const gradyn_covariance_spec spec = {ball, 4, matrix, 0};
  assert_run(gradyn_covariance_compute(ev, rho, &spec, psi, NULL, &found), ev);
  const double tau = psi[2], v[2] = {rho[2], rho[3] - g * tau};
  size_t sides = 0, at[2] = {find_state(&found, "ball.x"), find_state(&found, "ball.y")};
  for (size_t row = 0; row < found.rows; row++) {
    bool before = row + 1 < found.rows && found.t[row + 1] == found.t[row];
    bool behind = row > 0 && found.t[row - 1] == found.t[row];
    double across = 0;
    sides += before + behind;
    landing_matrix(before ? tau * (1 - 1e-15) : fmax(found.t[row], behind ? tau : 0), tau, stick, v,
                   M);
    sandwich(4, M, matrix, S);
    compare(&found, row, at, S, 1e-9);
    for (size_t i = 0; i < 2; i++)
      for (size_t j = 0; j < 2; j++)
        across += n[i] * n[j] * gradyn_covariance_entry(&found, row, at[i], at[j]);
    if (found.t[row] > tau || behind)
      assert_close(across, 0, 0, 1e-18);
  }
  assert_int_equal(sides, 2);
}

TEST(what_lands_scatters_along_the_slope)
{
  for (size_t k = 0; k < GRADYN_COUNT(run_methods); k++) {
    check_ball(run_methods[k], false);
    check_ball(run_methods[k], true);
  }
}

/* --- a pendulum on a rod ------------------------------------------------------------------------ */

static gradyn_status build_pendulum(gradyn_model *mbs, const gradyn_scalar rho[])
{
  gradyn_scalar s = sin(rho[0]), c = cos(rho[0]);
  int pivot = gradyn_ground_point(mbs, "pivot", 0, 0), bob = gradyn_point(mbs, "bob", s, -c);
  gradyn_initial_velocity(mbs, bob, rho[1] * c, rho[1] * s);
  gradyn_point_mass(mbs, "bob", bob, 2);
  gradyn_rod(mbs, &(gradyn_rod_spec){.name = "rod", .from = pivot, .to = bob});
  gradyn_gravity(mbs, 0, -9.81);
  return gradyn_build_status(mbs);
}

static const gradyn_problem pendulum = PROBLEM("pendulum", build_pendulum, start, .t_end = 1.5);

/* The columns F of the covariance's factor satisfy the linearised constraint, Phi_q F = 0, and its time
 * derivative. */
TEST(scatter_keeps_to_the_constraints)
{
  static const char *const names[] = {"x", "v"};
  for (size_t k = 0; k < GRADYN_COUNT(run_methods); k++) {
    const double rho[2] = {0.9, 1.2};
    double y[16];
    LOCAL(gradyn_covariance) found;
    OWNED(gradyn_trajectory) *run = gradyn_trajectory_create();
    run_local *ev = open_problem(&pendulum, run_methods[k]);
    const gradyn_covariance_spec spec = {names, 2, C, 0};
    assert_run(gradyn_covariance_compute(ev, rho, &spec, NULL, run, &found), ev);
    assert_int_equal(found.rank, 2);
    for (size_t row = 0; row < found.rows; row++) {
      assert_close(gradyn_trajectory_step(run, row, y), found.t[row], 0, 0);
      const double *F = found.factor + row * 8;
      for (int r = 0; r < 2; r++) {
        double position = y[0] * F[r] + y[1] * F[2 + r];
        double velocity = y[2] * F[r] + y[3] * F[2 + r] + y[0] * F[4 + r] + y[1] * F[6 + r];
        assert_close(position, 0, 0, 1e-9);
        assert_close(velocity, 0, 0, 1e-8);
      }
    }
  }
}
