/* Saltation matrices of a ball against closed forms, in minimal and in redundant coordinates, and refused
 * models. tests/problems/test_double_pendulum_wall.c tests those of a double pendulum. */
#include "tests/runs.h"

static const double g = 9.81, slope = 0.4, restitution = 0.6;

/* --- a ball on a slope -------------------------------------------------------------------------- */

/* The gap sin(slope) x + cos(slope) y, for positions, velocities and accelerations. */
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
  gradyn_impact(mbs, &(gradyn_impact_spec){
                         .name = "slope", .point = ball, .gap = &wall, .restitution = restitution});
  gradyn_functional(mbs,
                    &(gradyn_functional_spec){"x", gradyn_measure_point(mbs, "", ball, 0, GRADYN_X),
                                              .reduction = GRADYN_AT_END});
  return gradyn_build_status(mbs);
}

static const gradyn_param one[] = {{.name = "x", .init = -0.3}};
static const gradyn_problem ball_problem = PROBLEM("ball", build_ball, one, .t_end = 0.6);

/* Elastic impact, eq. (91): both diagonal blocks are 1 - (1 + e) n n^T. The block below is [F+ - R_y F-]
 * n^T/(n v-), from the jump of the rates. With the same acceleration a on both sides it is (1 + e) n (n a)
 * n^T/(n v-). */
TEST(a_ball_has_the_closed_form)
{
  const double n[2] = {sin(slope), cos(slope)}, rho = -0.3;
  for (size_t k = 0; k < GRADYN_COUNT(run_methods); k++) {
    LOCAL(gradyn_saltations) found;
    run_local *ev = run_with(&ball_problem, .method = run_methods[k]);
    assert_run(gradyn_saltations_compute(ev, &rho, NULL, 0, &found), ev);
    assert_true(found.count >= 1);
    const gradyn_saltation *item = &found.item[0];
    assert_true(item->before.positions == 2 && item->after.positions == 2);
    assert_true(item->before.rates == 2 && item->after.rates == 2);
    assert_string_equal(item->before.name[1], "ball.y");
    assert_string_equal(item->after.name[3], "ball.y'");
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
  }
}

/* --- a double pendulum and a wall ----------------------------------------------------------------- */

extern const gradyn_problem gradyn_problem_double_pendulum_wall;

static const double rho[] = {0.3, -0.5, 0.4, 2.0, 0.5, 0.7, 0.6, 0.4, 60, 2};

static gradyn_evaluator *open_pendulum(const char *method)
{
  return run_with(&gradyn_problem_double_pendulum_wall, .method = method);
}

/* --- landing on a slope --------------------------------------------------------------------------- */

extern const gradyn_problem gradyn_problem_ball_on_slope;

/* Eq. (53) and (57). Positions: Omega = 1 - n n^T. Velocities, if the ball slides: the same Omega. If it
 * sticks: Omega = 1 - v n^T/(n v), and all velocities vanish. */
TEST(landing_has_the_closed_form)
{
  static const char *const both[] = {"ball.x", "ball.y"};
  const double start[5] = {0.2, 1, 0.5, 0.3, 0.4}, n[2] = {sin(start[4]), cos(start[4])};
  for (int k = 0; k < 2 * (int)GRADYN_COUNT(run_methods); k++) {
    const gradyn_setting_choice stick = {"stick", k % 2};
    LOCAL(gradyn_saltations) found;
    run_local *ev = run_with(&gradyn_problem_ball_on_slope, .method = run_methods[k / 2],
                             .settings = &stick, .setting_count = 1);
    /* both requested coordinates occur after the landing, too, although the slope makes them dependent */
    assert_run(gradyn_saltations_compute(ev, start, both, 2, &found), ev);
    assert_int_equal(found.count, 1);
    assert_int_equal(found.item[0].after.positions, 2);
    assert_int_equal(found.item[0].after.rates, 2);
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
  }
}

/* After the landing one coordinate is independent. Where the ball sticks, it has no rate. */
TEST(sides_have_coordinates_of_their_own)
{
  const double start[5] = {0.2, 1, 0.5, 0.3, 0.4}, n[2] = {sin(start[4]), cos(start[4])};
  for (int k = 0; k < 2; k++) {
    LOCAL(gradyn_saltations) found;
    run_local *ev = run_with(&gradyn_problem_ball_on_slope, .setting = "stick", .value = k);
    assert_run(gradyn_saltations_compute(ev, start, NULL, 0, &found), ev);
    const gradyn_saltation *item = &found.item[0];
    assert_int_equal(item->before.positions + item->before.rates, 4);
    assert_int_equal(item->after.positions, 1);
    assert_int_equal(item->after.rates, 1 - k);
    assert_string_equal(item->after.name[0], "ball.x");
    const double v[2] = {start[2], start[3] - 9.81 * item->event.t};
    for (int j = 0; j < 2; j++) {
      const double nv = n[0] * v[0] + n[1] * v[1];
      double omega = (j == 0) - (k ? v[0] * n[j] / nv : n[0] * n[j]);
      assert_close(item->matrix[j], omega, 1e-9, 1e-9);
    }
  }
}

/* The constraint drift must not include the slope before the ball has landed on it. */
TEST(drift_is_that_of_the_mode)
{
  const double start[5] = {0.2, 1, 0.5, 0.3, 0.4};
  for (size_t k = 0; k < GRADYN_COUNT(run_methods); k++) {
    run_local *ev = run_with(&gradyn_problem_ball_on_slope, .method = run_methods[k]);
    OWNED(gradyn_trajectory) *motion = gradyn_trajectory_create();
    assert_run(gradyn_evaluator_simulate(ev, start, NULL, motion), ev);
    const size_t steps = gradyn_trajectory_read(motion).steps;
    FREED gradyn_invariants *condition = support_zeros(steps, sizeof *condition);
    assert_int_equal(gradyn_invariants_compute(ev, motion, condition), GRADYN_OK);
    for (size_t i = 0; i < steps; i++)
      assert_true(condition[i].drift_position < 1e-9 && condition[i].drift_velocity < 1e-9);
  }
}

TEST(impossible_requests_are_reported)
{
  static const char *const unknown[] = {"knee.x"}, *const tied[] = {"elbow.x", "elbow.y"};
  gradyn_saltations found;
  run_local *ev = open_pendulum("idas");
  assert_refused(gradyn_saltations_compute(ev, rho, unknown, 1, &found), ev, GRADYN_INVALID,
                 "'knee.x'");
  gradyn_saltations_clear(&found);
  assert_refused(gradyn_saltations_compute(ev, rho, tied, 2, &found), ev, GRADYN_INVALID, "elbow");
  gradyn_saltations_clear(&found);
  assert_int_equal(gradyn_saltations_compute(NULL, rho, NULL, 0, &found), GRADYN_INVALID);
  assert_int_equal(gradyn_saltations_compute(ev, rho, NULL, 0, NULL), GRADYN_INVALID);
  gradyn_saltations_clear(NULL);
}
