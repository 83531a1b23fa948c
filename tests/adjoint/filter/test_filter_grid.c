/* Covariances of the filter through bounces, landings and changes of constraints, with data of negligible
 * weight. They must equal those from the sensitivities along one run. The filter restarts at each datum, in
 * the mode and the chart of that time. */
#include <math.h>
#include <string.h>

#include "tests/adjoint/grid_models.h"
#include "tests/runs.h"

enum { N = GRID_STATES, DATA = 8 };

static const char *const sources[N] = {"x", "y", "vx", "vy"},
                         *const names[N] = {"ball.x", "ball.y", "ball.vx", "ball.vy"},
                         *const along[] = {"ball.x", "ball.vx"};
static const double C[N * N] = {0.0025, 0.001, 0,    0,     0.001, 0.0025, 0,     0,
                                0,      0,     0.01, 0.002, 0,     0,      0.002, 0.01};

/* A datum of the height that has weight. */
typedef struct datum {
  int at;
  double value;
} datum;

/* The ball, with a datum at each eighth of its run. */
static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  const datum *counts = gradyn_user(model);
  double times[DATA], values[DATA] = {0}, deviations[DATA];
  (void)grid_problem.build(model, rho);
  for (int k = 0; k < DATA; k++)
    times[k] = grid_cases[gradyn_setting_value(model, "case")].t_end * (k + 1) / DATA;
  for (int k = 0; k < DATA; k++)
    deviations[k] = counts && k == counts->at ? 1e-3 : 1e9;
  if (counts)
    values[counts->at] = counts->value;
  gradyn_fit(
      model, "height", gradyn_measure_point(model, "", 1, 0, GRADYN_Y),
      &(gradyn_fit_spec){
          .times = times, .values = values, .count = DATA, .sigma = 1, .deviations = deviations});
  return gradyn_build_status(model);
}

/* The column of a state. */
static size_t find(const char (*all)[64], size_t count, const char *name)
{
  for (size_t i = 0; i < count; i++)
    if (strcmp(all[i], name) == 0)
      return i;
  fail_msg("there is no state %s", name);
  return 0;
}

/* Covariances of the ball at row `row` of the filter's or the reference's result, in the order of `names`. */
static void take_expected(const gradyn_covariance *c, size_t row, double out[N * N])
{
  for (int i = 0; i < N * N; i++)
    out[i] = gradyn_covariance_entry(c, row,
                                     find((const char(*)[64])c->name, c->states, names[i / N]),
                                     find((const char(*)[64])c->name, c->states, names[i % N]));
}

static void take_found(const gradyn_filter *f, size_t row, double out[N * N])
{
  const size_t n = f->states;
  for (int i = 0; i < N * N; i++)
    out[i] = f->covariance[(row * n + find((const char(*)[64])f->name, n, names[i / N])) * n +
                           find((const char(*)[64])f->name, n, names[i % N])];
}

/* If the run starts on the slope, the initial covariance is that of position and rate along the slope. */
static size_t take_start(const gradyn_covariance *c, bool slope, double P[N * N])
{
  double all[N * N];
  take_expected(c, 0, all);
  if (!slope) {
    memcpy(P, all, sizeof all);
    return N;
  }
  for (int i = 0; i < 4; i++)
    P[i] = all[2 * (i / 2) * N + 2 * (i % 2)];
  return 2;
}

static void compare(gradyn_evaluator *ev, const grid_case *c, const char *method)
{
  const gradyn_covariance_spec asked = {sources, N, C, DATA + 1};
  LOCAL(gradyn_covariance) expected = {0};
  LOCAL(gradyn_filter) found = {0};
  double P[N * N], S[2][N * N];
  assert_run(gradyn_covariance_compute(ev, c->start, &asked, NULL, NULL, &expected), ev);
  const bool slope = c->mode[0] == GRID_SLOPE;
  const size_t count = take_start(&expected, slope, P);
  const gradyn_filter_spec spec = {.initial = {slope ? along : names, count, P}};
  if (ev->model->log.captures.count > 0) {
    assert_refused(gradyn_filter_compute(ev, c->start, &spec, &found), ev, GRADYN_UNSUPPORTED,
                   "has a value latched at an event, which filters do not support");
    return;
  }
  assert_run(gradyn_filter_compute(ev, c->start, &spec, &found), ev);
  assert_int_equal(found.rows, DATA);
  for (size_t row = 0; row < DATA; row++) {
    double size = 1e-6;
    take_expected(&expected, row + 1, S[0]);
    take_found(&found, row, S[1]);
    for (int i = 0; i < N * N; i++)
      size = fmax(size, fabs(S[0][i]));
    for (int i = 0; i < N * N; i++)
      if (!(fabs(S[0][i] - S[1][i]) <= 3e-8 * size))
        fail_msg("%s, %s, t = %g s: entry %d is %.12g, not %.12g", c->name, method, found.t[row], i,
                 S[1][i], S[0][i]);
  }
}

TEST(covariances_are_those_along_one_run)
{
  static const char *const methods[] = {"explicit", "radau"};
  gradyn_problem problem = grid_problem;
  problem.build = build;
  for (int k = 0; k < GRID_CASES; k++)
    for (size_t m = 0; m < GRADYN_COUNT(methods); m++) {
      run_local *ev = run_with(&problem, .method = methods[m], .setting = "case", .value = k);
      compare(ev, &grid_cases[k], methods[m]);
    }
}

/* A correction moves the ball in the air below the slope. The filter applies the landing, and the ball
 * slides from then on. */
TEST(a_correction_lands_on_the_slope)
{
  datum counts = {3, -0.2};
  gradyn_problem problem = grid_problem;
  problem.build = build;
  problem.user = &counts;
  const grid_case *c = &grid_cases[GRID_LANDING];
  const gradyn_filter_spec spec = {.initial = {names, N, C}};
  run_local *ev = run_with(&problem, .method = "explicit", .setting = "case",
                           .value = GRID_LANDING);
  LOCAL(gradyn_filter) found = {0};
  assert_run(gradyn_filter_compute(ev, c->start, &spec, &found), ev);
  for (size_t row = 0; row < DATA; row++)
    for (int after = 0; after < 2; after++) {
      grid_number z[N];
      const double *state = (after ? found.estimate : found.predicted) + row * found.states;
      for (int i = 0; i < N; i++)
        z[i] = state[find((const char(*)[64])found.name, found.states, names[i])];
      const double gap = creal(grid_guard_value(GRID_TOUCHES, found.t[row], z));
      if (row < 3 || (row == 3 && !after))
        assert_true(gap > 0.01);
      else
        assert_close(gap, 0, 0, 1e-9);
    }
}
