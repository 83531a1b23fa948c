/* Saltation matrices: against closed forms of a ball, against those of a double pendulum in angles,
 * and against what direct sweeps carry through the event. */
#include "tests/reference/double_pendulum.h"
#include "tests/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gradyn/gradyn.h>

static const double g = 9.81, slope = 0.4, restitution = 0.6;

/* --- a ball on a slope -------------------------------------------------------------------------- */

/* sin(slope) x + cos(slope) y, in three orders. */
static gradyn_status gap(const gradyn_at *at, int order, gradyn_scalar *value)
{
  const gradyn_scalar *of[] = {at->pos, at->vel, at->acc}, *r = of[order];
  *value = sin(slope) * r[0] + cos(slope) * r[1];
  return GRADYN_OK;
}

static gradyn_status build_ball(gradyn_model *mbs, const gradyn_scalar rho[])
{
  int ball = gradyn_point(mbs, "ball", rho[0], 1.2);
  gradyn_initial_velocity(mbs, ball, 0.7, -0.3);
  gradyn_point_mass(mbs, "ball", ball, 2);
  gradyn_gravity(mbs, 0, -g);
  const gradyn_custom_constraint_spec wall = {.points = &ball, .point_count = 1, .fn = gap};
  gradyn_bounce(mbs, &(gradyn_bounce_spec){
                         .name = "slope", .point = ball, .gap = &wall, .restitution = restitution});
  gradyn_end_position(mbs, "x", ball, GRADYN_X);
  return gradyn_built(mbs);
}

static const gradyn_param one[] = {{.name = "x", .init = -0.3}};
static const gradyn_problem ball_problem = {
    .name = "ball", .params = one, .param_count = 1, .build = build_ball, .t_end = 0.6};

/* Elastic impact, eq. (91): both blocks on the diagonal are 1 - (1 + e) n n^T; the one below is that
 * of the rates' jump, [F+ - R_y F-] n^T/(n v-), with a the same on both sides: (1 + e) n (n a)
 * n^T/(n v-). */
static void a_ball_has_the_closed_form(void **unused)
{
  (void)unused;
  static const char *const methods[] = {"idas", "ali3p", "variational", "explicit"};
  const double n[2] = {sin(slope), cos(slope)}, rho = -0.3;
  for (size_t k = 0; k < GRADYN_COUNT(methods); k++) {
    gradyn_options options;
    gradyn_evaluator *ev;
    gradyn_saltations found;
    gradyn_options_default(&ball_problem, &options);
    options.method = methods[k];
    gradyn_status status = gradyn_evaluator_create(&ball_problem, &options, NULL, 0, &ev);
    assert_ok(status, gradyn_evaluator_message(ev));
    status = gradyn_saltation_matrices(ev, &rho, NULL, 0, &found);
    assert_ok(status, gradyn_evaluator_message(ev));
    assert_int_equal(found.coordinates, 2);
    assert_string_equal(found.name[1], "ball.y");
    assert_true(found.count >= 1);
    const gradyn_saltation *item = &found.item[0];
    const double approach = item->event.approach, na = -n[1] * g;
    for (int i = 0; i < 2; i++)
      for (int j = 0; j < 2; j++) {
        double block = (i == j) - (1 + restitution) * n[i] * n[j];
        assert_close(item->matrix[4 * i + j], block, 1e-12, 1e-12);
        assert_close(item->matrix[4 * i + 2 + j], 0, 0, 1e-12);
        assert_close(item->matrix[4 * (2 + i) + 2 + j], block, 1e-12, 1e-12);
        assert_close(item->matrix[4 * (2 + i) + j], (1 + restitution) * n[i] * na * n[j] / approach,
                     1e-12, 1e-12);
      }
    gradyn_saltations_clear(&found);
    gradyn_evaluator_free(ev);
  }
}

/* --- a double pendulum and a wall ----------------------------------------------------------------- */

extern const gradyn_problem gradyn_problem_double_pendulum_wall;

enum { P = 6, N = 4 }; /* parameters, of which the first four are the state at the start */
enum { TIME, IMPULSE, ANGLE_1, ANGLE_2, RATE_1, RATE_1_AFTER, RATE_2, RATE_2_AFTER, F };
static const int before[N] = {ANGLE_1, ANGLE_2, RATE_1, RATE_2};
static const int after[N] = {ANGLE_1, ANGLE_2, RATE_1_AFTER, RATE_2_AFTER};

static const double_pendulum body = {{1, 0.8}, {2, 1.5}, 9.81, 0.5, 0.7};
static const double rho[P] = {0.3, -0.5, 0.4, 2.0, 0.5, 0.7};

static gradyn_evaluator *open_pendulum(const char *method)
{
  gradyn_options options;
  gradyn_evaluator *ev;
  gradyn_options_default(&gradyn_problem_double_pendulum_wall, &options);
  options.method = method;
  options.sensitivity = "direct";
  options.rtol = 1e-12;
  gradyn_status status = gradyn_evaluator_create(&gradyn_problem_double_pendulum_wall, &options,
                                                 NULL, 0, &ev);
  assert_ok(status, gradyn_evaluator_message(ev));
  assert_int_equal(gradyn_functional_count(ev), F);
  return ev;
}

static void pick(const double *psi, const int *which, double *y)
{
  for (int i = 0; i < N; i++)
    y[i] = psi[which[i]];
}

/* dy = dY - y' dtau, [N][N] by the state at the start. */
static void hold_time(const double *gradient, const int *which, const double y[N], double *dy)
{
  double complex at[N], rate[N];
  for (int i = 0; i < N; i++)
    at[i] = y[i];
  double_pendulum_rates(&body, at, rate);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      dy[N * i + j] = gradient[which[i] * P + j] - creal(rate[i]) * gradient[TIME * P + j];
}

/* C = A B for [N][N]. */
static void multiply(const double *A, const double *B, double *C)
{
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      C[N * i + j] = 0;
      for (int k = 0; k < N; k++)
        C[N * i + j] += A[N * i + k] * B[N * k + j];
    }
}

/* Sensitivities by the start, just before and just after, in angles. */
static void sweeps_carry_what_the_formula_says(void **unused)
{
  (void)unused;
  double psi[F], gradient[F * P], y[N], Xi[N * N], dy[N * N], expected[N * N], found[N * N];
  gradyn_evaluator *ev = open_pendulum("idas");
  gradyn_status status = gradyn_gradient(ev, rho, psi, gradient);
  assert_ok(status, gradyn_evaluator_message(ev));
  pick(psi, before, y);
  double_pendulum_saltation(&body, y, Xi);
  hold_time(gradient, before, y, dy);
  multiply(Xi, dy, expected);
  pick(psi, after, y);
  hold_time(gradient, after, y, found);
  assert_close_array(found, expected, N * N, 1e-9, 1e-9);
  gradyn_evaluator_free(ev);
}

/* d(elbow.x, tip.y and rates)/d(angles and rates). */
static void chart(const double y[N], double *H)
{
  const double *l = body.length;
  const double T[4] = {l[0] * cos(y[0]), 0, l[0] * sin(y[0]), l[1] * sin(y[1])};
  const double T1[4] = {-l[0] * sin(y[0]) * y[2], 0, l[0] * cos(y[0]) * y[2],
                        l[1] * cos(y[1]) * y[3]};
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) {
      H[N * i + j] = H[N * (2 + i) + 2 + j] = T[2 * i + j];
      H[N * i + 2 + j] = 0;
      H[N * (2 + i) + j] = T1[2 * i + j];
    }
}

/* In coordinates of points: Xi H- = H+ Xi_angles. */
static void matrices_are_those_in_angles(void **unused)
{
  (void)unused;
  static const char *const wanted[] = {"elbow.x", "tip.y"};
  static const char *const methods[] = {"idas", "ali3p", "variational", "explicit"};
  for (size_t k = 0; k < GRADYN_COUNT(methods); k++) {
    double psi[F], y[N], Xi[N * N], H[N * N], left[N * N], right[N * N];
    gradyn_saltations found;
    gradyn_evaluator *ev = open_pendulum(methods[k]);
    gradyn_status status = gradyn_saltation_matrices(ev, rho, wanted, 2, &found);
    assert_ok(status, gradyn_evaluator_message(ev));
    assert_int_equal(found.coordinates, 2);
    assert_int_equal(gradyn_simulate(ev, rho, psi, NULL), GRADYN_OK);
    pick(psi, before, y);
    double_pendulum_saltation(&body, y, Xi);
    chart(y, H);
    multiply(found.item[0].matrix, H, left);
    pick(psi, after, y);
    chart(y, H);
    multiply(H, Xi, right);
    assert_close_array(left, right, N * N, 1e-9, 1e-9);
    gradyn_saltations_clear(&found);
    gradyn_evaluator_free(ev);
  }
}

/* --- landing on a slope --------------------------------------------------------------------------- */

extern const gradyn_problem gradyn_problem_ball_on_slope;

/* The matrices (53) and (57): Omega = 1 - n n^T for positions and, where the ball slides, for
 * velocities, too; where it sticks Omega = 1 - v n^T/(n v) and no velocity is left. */
static void landing_has_the_closed_form(void **unused)
{
  (void)unused;
  static const char *const methods[] = {"idas", "ali3p", "variational", "explicit"};
  const double start[5] = {0.2, 1, 0.5, 0.3, 0.4}, n[2] = {sin(start[4]), cos(start[4])};
  for (int k = 0; k < 2 * (int)GRADYN_COUNT(methods); k++) {
    const gradyn_setting_choice stick = {"stick", k % 2};
    gradyn_options options;
    gradyn_evaluator *ev;
    gradyn_saltations found;
    gradyn_options_default(&gradyn_problem_ball_on_slope, &options);
    options.method = methods[k / 2];
    gradyn_status status = gradyn_evaluator_create(&gradyn_problem_ball_on_slope, &options, &stick,
                                                   1, &ev);
    assert_ok(status, gradyn_evaluator_message(ev));
    status = gradyn_saltation_matrices(ev, start, NULL, 0, &found);
    assert_ok(status, gradyn_evaluator_message(ev));
    assert_int_equal(found.coordinates, 2);
    assert_int_equal(found.count, 1);
    const double v[2] = {start[2], start[3] - 9.81 * found.item[0].event.t};
    const double nv = n[0] * v[0] + n[1] * v[1];
    for (int i = 0; i < 2; i++)
      for (int j = 0; j < 2; j++) {
        const double *Xi = found.item[0].matrix, slide = (i == j) - n[i] * n[j];
        double omega = stick.value ? (i == j) - v[i] * n[j] / nv : slide;
        assert_close(Xi[4 * i + j], omega, 1e-12, 1e-12);
        assert_close(Xi[4 * i + 2 + j], 0, 0, 1e-12);
        assert_close(Xi[4 * (2 + i) + j], 0, 0, 1e-12);
        assert_close(Xi[4 * (2 + i) + 2 + j], stick.value ? 0 : slide, 1e-12, 1e-12);
      }
    gradyn_saltations_clear(&found);
    gradyn_evaluator_free(ev);
  }
}

/* The slope does not count as a constraint before the ball is on it. */
static void drift_is_that_of_the_mode(void **unused)
{
  (void)unused;
  static const char *const methods[] = {"idas", "ali3p", "variational", "explicit"};
  const double start[5] = {0.2, 1, 0.5, 0.3, 0.4};
  for (size_t k = 0; k < GRADYN_COUNT(methods); k++) {
    gradyn_options options;
    gradyn_evaluator *ev;
    gradyn_options_default(&gradyn_problem_ball_on_slope, &options);
    options.method = methods[k];
    gradyn_status status = gradyn_evaluator_create(&gradyn_problem_ball_on_slope, &options, NULL, 0,
                                                   &ev);
    assert_ok(status, gradyn_evaluator_message(ev));
    gradyn_trajectory *motion = gradyn_trajectory_create();
    status = gradyn_simulate(ev, start, NULL, motion);
    assert_ok(status, gradyn_evaluator_message(ev));
    const size_t steps = gradyn_trajectory_steps(motion);
    gradyn_condition *condition = calloc(steps, sizeof *condition);
    assert_non_null(condition);
    assert_int_equal(gradyn_examine(ev, motion, condition), GRADYN_OK);
    for (size_t i = 0; i < steps; i++)
      assert_true(condition[i].drift_position < 1e-9 && condition[i].drift_velocity < 1e-9);
    free(condition);
    gradyn_trajectory_free(motion);
    gradyn_evaluator_free(ev);
  }
}

static void what_cannot_be_is_said(void **unused)
{
  (void)unused;
  static const char *const unknown[] = {"knee.x"}, *const tied[] = {"elbow.x", "elbow.y"};
  gradyn_saltations found;
  gradyn_evaluator *ev = open_pendulum("idas");
  assert_int_equal(gradyn_saltation_matrices(ev, rho, unknown, 1, &found), GRADYN_INVALID);
  assert_non_null(strstr(gradyn_evaluator_message(ev), "'knee.x'"));
  gradyn_saltations_clear(&found);
  assert_int_equal(gradyn_saltation_matrices(ev, rho, tied, 2, &found), GRADYN_INVALID);
  assert_non_null(strstr(gradyn_evaluator_message(ev), "elbow"));
  gradyn_saltations_clear(&found);
  assert_int_equal(gradyn_saltation_matrices(NULL, rho, NULL, 0, &found), GRADYN_INVALID);
  assert_int_equal(gradyn_saltation_matrices(ev, rho, NULL, 0, NULL), GRADYN_INVALID);
  gradyn_saltations_clear(NULL);
  gradyn_evaluator_free(ev);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_ball_has_the_closed_form),
      cmocka_unit_test(sweeps_carry_what_the_formula_says),
      cmocka_unit_test(matrices_are_those_in_angles),
      cmocka_unit_test(landing_has_the_closed_form),
      cmocka_unit_test(drift_is_that_of_the_mode),
      cmocka_unit_test(what_cannot_be_is_said),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
