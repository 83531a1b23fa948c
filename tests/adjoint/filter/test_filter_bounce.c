/* The filter of a bouncing ball against one written by hand with the closed form of the motion. Also the
 * normalised squared errors over many draws, with and without saltation, and corrections below the floor. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "tests/runs.h"

static const double g = 9.81, e = 0.7, mean[2] = {1.2, 0.1}, P0[] = {1e-6, 0, 0, 1e-6};
static const char *const states[] = {"ball.y", "ball.vy"};
enum { DATA = 4, WHY = 400 };
static const double times[DATA] = {0.2, 0.35, 0.65, 0.8}; /* the ball bounces at 0.505 s */

/* Data of the height and their standard deviation, for one model. */
typedef struct measured {
  double value[DATA], sigma, first; /* s, time of the first datum; 0: as in the table */
} measured;

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  const measured *data = gradyn_user(model);
  double at[DATA];
  (void)rho;
  memcpy(at, times, sizeof at);
  at[0] = data->first > 0 ? data->first : times[0];
  const gradyn_point_id ball = gradyn_point(model, "ball", 0, mean[0]);
  gradyn_initial_velocity(model, ball, 0, mean[1]);
  gradyn_point_mass(model, "mass", ball, 0.4);
  gradyn_gravity(model, 0, -g);
  gradyn_impact(model, &(gradyn_impact_spec){
                           .name = "floor", .point = ball, .axis = GRADYN_Y, .restitution = e});
  gradyn_fit(
      model, "height", gradyn_measure_point(model, "y", ball, 0, GRADYN_Y),
      &(gradyn_fit_spec){.times = at, .values = data->value, .count = DATA, .sigma = data->sigma});
  return gradyn_build_status(model);
}

static gradyn_status try_filter(measured *data, const char *method, double rtol, const double *P,
                                gradyn_filter *found, char *why)
{
  const gradyn_problem problem = {GRADYN_PROBLEM_SIZES, .name = "ball", .build = build,
                                  .t_end = 0.9, .user = data};
  const gradyn_filter_spec spec = {.initial = {states, 2, P}};
  run_local *ev = run_with(&problem, .method = method, .rtol = rtol, .atol = rtol);
  const gradyn_status status = gradyn_filter_compute(ev, NULL, &spec, found);
  (void)snprintf(why, WHY, "%s", gradyn_evaluator_message(ev));
  return status;
}

static void filter(measured *data, const char *method, double rtol, gradyn_filter *found)
{
  char why[WHY];
  assert_status(try_filter(data, method, rtol, P0, found, why), GRADYN_OK, why);
}

/* --- by hand ------------------------------------------------------------------------------------ */

typedef struct hand {
  double z[2], P[2][2];
} hand;

/* P = F P F^T */
static void spread(hand *s, double F[2][2])
{
  double P[2][2] = {{0}};
  for (int k = 0; k < 16; k++) {
    const int i = k & 1, j = k >> 1 & 1, a = k >> 2 & 1, b = k >> 3;
    P[i][j] += F[i][a] * s->P[a][b] * F[j][b];
  }
  memcpy(s->P, P, sizeof P);
}

static void fly(hand *s, double h)
{
  double Phi[2][2] = {{1, h}, {0, 1}};
  s->z[0] += h * s->z[1] - g / 2 * h * h;
  s->z[1] -= g * h;
  spread(s, Phi);
}

/* Moves the reference over a time h, with the bounce if there is one. Without saltation: by the derivative
 * of the reset alone. */
static void move(hand *s, double h, bool saltation)
{
  const double speed = sqrt(s->z[1] * s->z[1] + 2 * g * s->z[0]), tau = (s->z[1] + speed) / g;
  if (tau > h) {
    fly(s, h);
    return;
  }
  fly(s, tau);
  double Xi[2][2] = {{saltation ? -e : 1, 0}, {saltation ? (1 + e) * g / speed : 0, -e}};
  s->z[0] = 0;
  s->z[1] = e * speed;
  spread(s, Xi);
  fly(s, h - tau);
}

static void correct(hand *s, double value, double sigma)
{
  const double S = s->P[0][0] + sigma * sigma, nu = value - s->z[0],
               K[2] = {s->P[0][0] / S, s->P[1][0] / S};
  double A[2][2] = {{1 - K[0], 0}, {-K[1], 1}};
  spread(s, A);
  for (int i = 0; i < 2; i++) {
    s->z[i] += K[i] * nu;
    for (int j = 0; j < 2; j++)
      s->P[i][j] += K[i] * sigma * sigma * K[j];
  }
}

static hand estimate(const measured *data, bool saltation)
{
  hand s = {{mean[0], mean[1]}, {{P0[0], 0}, {0, P0[3]}}};
  double t = 0;
  for (int k = 0; k < DATA; t = times[k++]) {
    move(&s, times[k] - t, saltation);
    correct(&s, data->value[k], data->sigma);
  }
  return s;
}

/* --- draws -------------------------------------------------------------------------------------- */

static double draw(uint64_t *state)
{
  double sum = -6;
  for (int i = 0; i < 12; i++) { /* nearly normal: of variance 1 */
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    sum += (double)(*state >> 11) / 9007199254740992.0;
  }
  return sum;
}

/* Draws an initial state and errors of the data; returns the state at the last datum. */
static hand draw_data(uint64_t *state, measured *data)
{
  hand truth = {.z = {mean[0] + 1e-3 * draw(state), mean[1] + 1e-3 * draw(state)}};
  double t = 0;
  data->sigma = 1e-3;
  for (int k = 0; k < DATA; t = times[k++]) {
    move(&truth, times[k] - t, true);
    data->value[k] = truth.z[0] + data->sigma * draw(state);
  }
  return truth;
}

/* d^T P^-1 d */
static double square(const double *z, const double *P, const double *truth)
{
  const double d[2] = {z[0] - truth[0], z[1] - truth[1]}, det = P[0] * P[3] - P[1] * P[2];
  return (P[3] * d[0] * d[0] - 2 * P[1] * d[0] * d[1] + P[0] * d[1] * d[1]) / det;
}

/* Extracts height and speed with their covariance after the data of a row. */
static void take(const gradyn_filter *found, size_t row, double *z, double *P)
{
  const size_t n = found->states;
  size_t at[2] = {n, n};
  for (size_t l = 0; l < n; l++)
    for (size_t i = 0; i < 2; i++)
      if (strcmp(found->name[l], states[i]) == 0)
        at[i] = l;
  for (size_t i = 0; i < 2; i++) {
    assert_true(at[i] < n);
    z[i] = found->estimate[row * n + at[i]];
    for (size_t j = 0; j < 2; j++)
      P[2 * i + j] = found->covariance[(row * n + at[i]) * n + at[j]];
  }
}

TEST(a_bounce_has_the_filter_by_hand)
{
  uint64_t state = 7;
  for (int k = 0; k < 6; k++) {
    measured data = {0};
    double z[2], P[4];
    LOCAL(gradyn_filter) found = {0};
    (void)draw_data(&state, &data);
    const hand expected = estimate(&data, true);
    filter(&data, k % 2 ? "radau" : "explicit", 1e-11, &found);
    take(&found, DATA - 1, z, P);
    assert_close_array(z, expected.z, 2, 0, 1e-9);
    assert_close_rows(P, expected.P[0], 1, 4, 1e-8);
  }
}

/* The mean of N normalised squares with two degrees of freedom is 2, with the variance 4/N. */
static void judge(int draws, bool library)
{
  uint64_t state = 20;
  double with = 0, without = 0, found_with = 0;
  for (int k = 0; k < draws; k++) {
    measured data = {0};
    const hand truth = draw_data(&state, &data), right = estimate(&data, true),
               wrong = estimate(&data, false);
    with += square(right.z, right.P[0], truth.z) / draws;
    without += square(wrong.z, wrong.P[0], truth.z) / draws;
    if (!library)
      continue;
    double z[2], P[4];
    LOCAL(gradyn_filter) found = {0};
    filter(&data, "explicit", 1e-6, &found);
    take(&found, DATA - 1, z, P);
    found_with += square(z, P, truth.z) / draws;
  }
  const double band = 1.96 * 2 / sqrt(draws);
  assert_close(with, 2, 0, band);
  assert_true(fabs(without - 2) > band);
  if (library)
    assert_close(found_with, 2, 0, band);
}

TEST(errors_have_the_estimated_covariance)
{
  judge(300, true);
  judge(10000, false);
}

THOROUGH_TEST(errors_of_ten_thousand_draws_have_the_estimated_covariance)
{
  judge(10000, true);
}

/* A correction moves the ball below the floor. The filter integrates backward to the floor and applies the
 * bounce there. */
TEST(a_correction_below_the_floor_bounces)
{
  static const double wide[] = {1e-2, 2e-3, 2e-3, 4e-2};
  measured data = {{-0.05, NAN, NAN, NAN}, 1e-3, 0.5};
  for (int k = 0; k < 2; k++) {
    LOCAL(gradyn_filter) found = {0};
    char why[WHY];
    double z[2], P[4];
    hand s = {{mean[0], mean[1]}, {{wide[0], wide[1]}, {wide[2], wide[3]}}};
    move(&s, data.first, true);
    correct(&s, data.value[0], data.sigma);
    assert_true(s.z[0] < 0 && s.z[1] < 0);
    fly(&s, -0.1);
    move(&s, 0.1, true);
    assert_true(s.z[0] > 0 && s.z[1] > 0);
    assert_status(try_filter(&data, k ? "radau" : "explicit", 1e-11, wide, &found, why), GRADYN_OK,
                  why);
    assert_int_equal(found.rows, 1);
    take(&found, 0, z, P);
    assert_close_array(z, s.z, 2, 0, 1e-9);
    assert_close_rows(P, s.P[0], 1, 4, 1e-8);
  }
}

/* After the bounce, a correction moves the rising ball below the floor. No event leads to this state, so it
 * is refused. */
TEST(a_correction_to_before_a_bounce_is_refused)
{
  static const double wide[] = {1e-2, 0, 0, 4e-2};
  measured data = {{-0.05, NAN, NAN, NAN}, 1e-3, 0.515};
  LOCAL(gradyn_filter) found = {0};
  char why[WHY];
  assert_status(try_filter(&data, "explicit", 1e-11, wide, &found, why), GRADYN_EVENT, why);
  assert_says(why, "correction at t = 0.515 s: passes the guard of event floor");
  assert_says(why, "the motion leaves it to the other side");
}

static void refuse(double t, double value, const double *P, const char *says)
{
  measured data = {{value, NAN, NAN, NAN}, 1e-6, t};
  LOCAL(gradyn_filter) found = {0};
  char why[WHY];
  assert_status(try_filter(&data, "explicit", 1e-11, P, &found, why), GRADYN_EVENT, why);
  assert_says(why, says);
}

/* The corrected ball below the floor is so slow that the backward integration does not reach the floor
 * within the run, or comes down again. This is refused. */
TEST(a_correction_without_a_way_back_is_refused)
{
  static const double wide[] = {1, 0, 0, 1e-8}, s = 1.9718, skew[] = {1, -s, -s, s * s};
  refuse(0.05, -0.5, wide, "passes the guard of event floor, whose time is before the start");
  refuse(0.5, -0.01, skew, "which the motion does not meet nearby");
}
