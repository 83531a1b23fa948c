/* The filter of a linear system against a Kalman filter written by hand, with two states and the matrix
 * exponential of Van Loan (1978) between measurements. */
#include <math.h>
#include <string.h>

#include "tests/declare.h"
#include "tests/runs.h"

/* x' = v, v' = -k x - c v + u; sensors of x, and of v with a scale and an offset. */
static const double k = 2.3, c = 0.4, start[2] = {0.7, -0.2}, sigma[2] = {0.03, 0.05};
static const double scale = 1.7, offset = 0.25;
static const double P0[] = {0.04, 0.01, 0.01, 0.09}, W[] = {0.06}, Q[] = {1e-3};
static const char *const states[] = {"x", "v"}, *const force[] = {"u"}, *const speed[] = {"v"};

/* Both sensors measure at 0 s and 0.9 s, one of them at the other times; one value is missing. */
enum { POSITIONS = 4, SPEEDS = 4, ROWS = 5 };
static const double time_x[POSITIONS] = {0, 0.35, 0.9, 1.6},
                    value_x[POSITIONS] = {0.75, 0.5, 0.05, -0.3};
static const double time_v[SPEEDS] = {0, 0.9, 1.1, 2},
                    value_v[SPEEDS] = {0.1, -1.2, (double)NAN, 0.9};
static const double row_time[ROWS] = {0, 0.35, 0.9, 1.6, 2};

static gradyn_status oscillator(const gradyn_at *at, gradyn_scalar F[])
{
  F[0] = at->yp[0] - at->y[1];
  F[1] = at->yp[1] + k * at->y[0] + c * at->y[1] - at->u[1];
  return GRADYN_OK;
}

FORMULA(position, at->y[0])
FORMULA(rate, at->y[1])

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  static const gradyn_scalar none[1];
  (void)declare_signal(model, "u", "N", GRADYN_PIECEWISE_CONSTANT, 1, none);
  gradyn_state(model, "x", "m", start[0]);
  gradyn_state(model, "v", "m/s", start[1]);
  declare_equations(model, oscillator, NULL, 0);
  const gradyn_measure_id x = gradyn_measure_custom(
      model, &(gradyn_custom_measure_spec){.name = "mx", .unit = "m", .formula = position});
  const gradyn_measure_id v = gradyn_measure_custom(
      model, &(gradyn_custom_measure_spec){.name = "mv", .unit = "m/s", .formula = rate});
  gradyn_fit(model, "encoder", x,
             &(gradyn_fit_spec){
                 .times = time_x, .values = value_x, .count = POSITIONS, .sigma = sigma[0]});
  gradyn_fit(model, "tacho", v,
             &(gradyn_fit_spec){.times = time_v,
                                .values = value_v,
                                .count = SPEEDS,
                                .sigma = sigma[1],
                                .scale = "gain",
                                .offset = "bias"});
  (void)rho;
  return gradyn_build_status(model);
}

static const gradyn_param sensors[] = {{.name = "gain", .init = 1.7, .lower = 0, .upper = 3},
                                       {.name = "bias", .init = 0.25, .lower = -1, .upper = 1}};
static const gradyn_problem problem = {GRADYN_PROBLEM_SIZES, .name = "oscillator",
                                       .params = sensors,    .param_count = GRADYN_COUNT(sensors),
                                       .build = build,       .t_end = 2};

/* --- by hand ------------------------------------------------------------------------------------ */

typedef struct hand {
  double x[2], P[2][2], loss;
} hand;

/* out = A B, 4 x 4 */
static void multiply(double A[4][4], double B[4][4], double out[4][4])
{
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) {
      out[i][j] = 0;
      for (int l = 0; l < 4; l++)
        out[i][j] += A[i][l] * B[l][j];
    }
}

/* exp([-A, G W G^T; 0, A^T] h) = [., Phi^-1 Q; 0, Phi^T], by its series and squaring. */
static void exponential(double h, double E[4][4])
{
  double H[4][4] = {{0, -1, 0, 0}, {k, c, 0, W[0]}, {0, 0, 0, -k}, {0, 0, 1, -c}};
  double term[4][4], next[4][4];
  const int squarings = 6;
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) {
      H[i][j] *= h / (1 << squarings);
      E[i][j] = term[i][j] = i == j;
    }
  for (int n = 1; n < 20; n++) {
    multiply(term, H, next);
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 4; j++)
        E[i][j] += term[i][j] = next[i][j] / n;
  }
  for (int n = 0; n < squarings; n++) {
    multiply(E, E, next);
    memcpy(E, next, sizeof next);
  }
}

static void predict(hand *s, double h)
{
  double E[4][4], Phi[2][2], P[2][2] = {{0}};
  exponential(h, E);
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++)
      Phi[i][j] = E[2 + j][2 + i];
  const double x[2] = {s->x[0], s->x[1]};
  for (int i = 0; i < 2; i++)
    s->x[i] = Phi[i][0] * x[0] + Phi[i][1] * x[1];
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++)
      for (int a = 0; a < 2; a++) {
        P[i][j] += Phi[i][a] * E[a][2 + j]; /* Q */
        for (int b = 0; b < 2; b++)
          P[i][j] += Phi[i][a] * s->P[a][b] * Phi[j][b];
      }
  memcpy(s->P, P, sizeof P);
  s->P[1][1] += Q[0];
}

/* Corrects by one sensor at a time, which is permitted because their errors are independent. */
static double correct(hand *s, int sensor, double value)
{
  const double h = sensor == 0 ? 1 : scale, r = sigma[sensor] * sigma[sensor];
  const double S = h * h * s->P[sensor][sensor] + r,
               nu = value - (h * s->x[sensor] + (sensor == 0 ? 0 : offset));
  const double K[2] = {s->P[0][sensor] * h / S, s->P[1][sensor] * h / S};
  double P[2][2];
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++)
      P[i][j] = s->P[i][j] - K[i] * h * s->P[sensor][j];
  memcpy(s->P, P, sizeof P);
  for (int i = 0; i < 2; i++)
    s->x[i] += K[i] * nu;
  s->loss += nu * nu / S / 2 + log(2 * acos(-1) * S) / 2;
  return nu / sqrt(S);
}

/* --- tests -------------------------------------------------------------------------------------- */

static const gradyn_filter_spec spec = {
    .initial = {states, 2, P0}, .noise = {force, 1, W}, .added = {speed, 1, Q}};

static void compare(const gradyn_filter *found, double tolerance)
{
  hand s = {{start[0], start[1]}, {{P0[0], P0[1]}, {P0[2], P0[3]}}, 0};
  size_t datum = 0;
  assert_int_equal(found->rows, ROWS);
  assert_int_equal(found->states, 2);
  assert_string_equal(found->name[1], "v");
  assert_string_equal(found->unit[0], "m");
  for (size_t row = 0; row < ROWS; row++) {
    const double t = row_time[row], size[2] = {sqrt(s.P[0][0]), sqrt(s.P[1][1])};
    if (row > 0)
      predict(&s, t - row_time[row - 1]);
    assert_close(found->t[row], t, 0, 1e-15);
    assert_close_array(found->predicted + 2 * row, s.x, 2, 0, tolerance);
    for (int i = 0; i < 4; i++)
      assert_close(found->predicted_covariance[4 * row + (size_t)i], s.P[i / 2][i % 2], tolerance,
                   tolerance * size[0] * size[1]);
    assert_int_equal(found->first[row], datum);
    for (int i = 0; i < POSITIONS; i++)
      if (time_x[i] == t)
        assert_close(found->datum[datum++].normalised, correct(&s, 0, value_x[i]), tolerance,
                     20 * tolerance);
    for (int i = 0; i < SPEEDS; i++)
      if (time_v[i] == t && !isnan(value_v[i]))
        assert_close(found->datum[datum++].normalised, correct(&s, 1, value_v[i]), tolerance,
                     20 * tolerance);
    assert_close_array(found->estimate + 2 * row, s.x, 2, 0, tolerance);
    for (int i = 0; i < 4; i++)
      assert_close(found->covariance[4 * row + (size_t)i], s.P[i / 2][i % 2], tolerance,
                   tolerance * size[0] * size[1]);
  }
  assert_int_equal(found->data, datum);
  assert_close(found->minus_log_likelihood, s.loss, tolerance, 20 * tolerance);
}

TEST(a_linear_system_has_the_kalman_filter)
{
  static const char *const methods[] = {"explicit", "radau", "auto"};
  static const double rtol[] = {1e-13, 1e-12, 1e-13}, error[] = {1e-12, 1e-10, 1e-12};
  for (size_t i = 0; i < GRADYN_COUNT(methods); i++) {
    run_local *ev = run_with(&problem, .method = methods[i], .rtol = rtol[i], .atol = 1e-14);
    LOCAL(gradyn_filter) found = {0};
    assert_run(gradyn_filter_compute(ev, (double[]){scale, offset}, &spec, &found), ev);
    compare(&found, error[i]);
    gradyn_filter_clear(&found);
    /* a used evaluator; its own runs must not change */
    double psi[2][16];
    assert_in_range(gradyn_functional_count(ev), 1, 16);
    assert_run(gradyn_evaluator_simulate(ev, (double[]){scale, offset}, psi[0], NULL), ev);
    assert_run(gradyn_filter_compute(ev, (double[]){scale, offset}, &spec, &found), ev);
    compare(&found, error[i]);
    assert_run(gradyn_evaluator_simulate(ev, (double[]){scale, offset}, psi[1], NULL), ev);
    assert_memory_equal(psi[0], psi[1], gradyn_functional_count(ev) * sizeof(double));
  }
}

/* With both sensors at one time, the innovations are normalised by their joint covariance S. */
TEST(sensors_at_one_time_share_their_covariance)
{
  run_local *ev = run_with(&problem, .method = "explicit", .rtol = 1e-12);
  LOCAL(gradyn_filter) found = {0};
  assert_run(gradyn_filter_compute(ev, (double[]){scale, offset}, &spec, &found), ev);
  const double *S = found.innovation_covariance;
  assert_int_equal(found.block[1], 4);
  assert_close(S[0], P0[0] + sigma[0] * sigma[0], 1e-14, 0);
  assert_close(S[1], scale * P0[1], 1e-14, 0);
  assert_close(S[3], scale * scale * P0[3] + sigma[1] * sigma[1], 1e-14, 0);
  const double nu[] = {found.datum[0].innovation, found.datum[1].innovation};
  const double det = S[0] * S[3] - S[1] * S[2],
               square = (S[3] * nu[0] * nu[0] - 2 * S[1] * nu[0] * nu[1] + S[0] * nu[1] * nu[1]) /
                        det;
  assert_close(found.datum[0].normalised * found.datum[0].normalised +
                   found.datum[1].normalised * found.datum[1].normalised,
               square, 1e-13, 0);
  assert_close(found.datum[1].predicted, scale * start[1] + offset, 1e-15, 0);
  assert_close(found.datum[1].deviation, sigma[1], 1e-15, 0);
}

/* --- a signal that jumps at a datum -------------------------------------------------------------- */

FORMULAS(follow, at->yp[0] - at->u[1])
FORMULA(both, at->y[0] + at->u[1])

static gradyn_status build_jump(gradyn_model *model, const gradyn_scalar rho[])
{
  static const gradyn_scalar levels[] = {1, 3};
  static const double at[] = {0.5}, value[] = {1.6};
  (void)rho;
  (void)declare_signal(model, "u", "m/s", GRADYN_PIECEWISE_CONSTANT, 2, levels);
  gradyn_state(model, "x", "m", 0.2);
  declare_equations(model, follow, NULL, 0);
  gradyn_fit(model, "sum",
             gradyn_measure_custom(
                 model, &(gradyn_custom_measure_spec){.name = "m", .unit = "m", .formula = both}),
             &(gradyn_fit_spec){.times = at, .values = value, .count = 1, .sigma = 0.1});
  return gradyn_build_status(model);
}

static const gradyn_problem jump = {GRADYN_PROBLEM_SIZES, .name = "jump", .build = build_jump,
                                    .t_end = 1};

TEST(data_at_a_jump_see_the_signal_before_it)
{
  static const char *const x[] = {"x"};
  static const double P[] = {0.01};
  const gradyn_filter_spec with[] = {{.initial = {x, 1, P}},
                                     {.initial = {x, 1, P}, .added = {x, 1, P}}};
  run_local *ev = run_with(&jump, .method = "explicit", .rtol = 1e-10);
  for (int i = 0; i < 2; i++) {
    LOCAL(gradyn_filter) found = {0};
    assert_run(gradyn_filter_compute(ev, NULL, &with[i], &found), ev);
    assert_close(found.datum[0].predicted, 0.2 + 0.5 + 1, 1e-12, 0);
    assert_close(found.predicted_covariance[0], (i + 1) * P[0], 1e-10, 0);
  }
}
