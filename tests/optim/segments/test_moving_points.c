/* Path constraints whose maxima move: points that move with them, and constraints between all points. */
#include "tests/optim/journals.h"
#include "tests/optim/segments/searched.h"

#include <unistd.h>

#include "optim/rounds/exchange.h"
#include "optim/segments/segments.h"

/* bench/segments/quadcopter.c; two problems of the library */
extern const gradyn_problem gradyn_problem_quadcopter, gradyn_problem_van_der_pol,
    gradyn_problem_bryson_denham;

enum { MOST = 64, POINTS = 1000, SEGMENTS = 20 };

/* --- A quadcopter round a pillar --------------------------------------------------------------- */

/* Writes a guess of the motion over the pillar: half a period of a sine. */
static void write_guess(const char *path)
{
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  (void)fputs("t [s],x [m],z [m],tilt [rad],vx [m/s],vz [m/s],rate [rad/s]\n", file);
  for (int i = 0; i <= 60; i++)
    (void)fprintf(file, "%.17g,%.17g,%.17g,0,0,0,0\n", i / 20.0, i / 15.0, sin(acos(-1) * i / 60));
  assert_int_equal(fclose(file), 0);
}

static gradyn_status look_without_windows(void *segments, const double rho[], double part,
                                          gradyn_path_check *out)
{
  const gradyn_status status = gradyn_segments_look(segments, rho, part, out);
  for (size_t i = 0; status == GRADYN_OK && i < out->count; i++)
    out->found[i].at.from = out->found[i].at.to = 0;
  return status;
}

/* Searches with points that move, or with fixed points only. */
static void fly(bool move, gradyn_search_result *result)
{
  static const bool all_used[16] = {true, true, true, true, true, true, true, true};
  double rho0[MOST];
  FREED char *guess = journal_name();
  LOCAL(gradyn_segments) s;
  write_guess(guess);
  run_local *ev = run_with(&gradyn_problem_quadcopter, .method = "explicit");
  assert_true(run_initial(ev, rho0) <= MOST);
  gradyn_search search = in_segments(ev, SEGMENTS);
  search.hessian = true;
  search.guess = guess;
  search.max_evaluations = 120;
  assert_ok(gradyn_segments_create(ev, &search, all_used, rho0, &s), s.message.text);
  gradyn_objective objective = s.objective;
  if (!move)
    objective.look = look_without_windows;
  (void)gradyn_exchange_run(&objective, &search, s.start, result);
  assert_int_equal(unlink(guess), 0);
}

TEST(a_quadcopter_is_found_by_points_that_move_only)
{
  LOCAL(gradyn_search_result) moving, fixed;
  fly(true, &moving);
  assert_int_equal(moving.termination, GRADYN_TERMINATION_OPTIMAL);
  assert_close(moving.objective, 2.294789, 0, 2e-6);
  if (!support_thorough())
    return;
  fly(false, &fixed);
  assert_true(fixed.termination != GRADYN_TERMINATION_OPTIMAL);
}

/* --- Between points ----------------------------------------------------------------------------- */

static double over_rate(const double y[])
{
  return -0.25 - y[0];
}

static double over_track(const double y[])
{
  return y[0] - 1.0 / 9;
}

/* Largest excess in the run at rho at many points of each segment. */
static double largest(gradyn_evaluator *ev, const double rho[], long segments,
                      double (*excess)(const double y[]))
{
  OWNED(gradyn_trajectory) *trajectory = gradyn_trajectory_create();
  assert_run(gradyn_evaluator_simulate(ev, rho, NULL, trajectory), ev);
  const gradyn_trajectory_view view = gradyn_trajectory_read(trajectory);
  const size_t count = (size_t)segments * POINTS + 1;
  FREED double *time = calloc(count, sizeof *time),
               *rows = calloc(count * view.columns, sizeof *rows);
  double most = -HUGE_VAL;
  for (size_t i = 0; i < count; i++)
    time[i] = view.times[view.steps - 1] * (double)i / (double)(count - 1);
  assert_run(gradyn_trajectory_evaluate(ev, trajectory, count, time, rows), ev);
  for (size_t i = 0; i < count; i++)
    most = fmax(most, excess(rows + i * view.columns));
  return most;
}

TEST(no_constraint_is_exceeded_between_its_points)
{
  static const struct {
    const gradyn_problem *problem;
    const char *setting;
    int value;
    double (*excess)(const double y[]);
    bool hessian;
    double tolerance;
    long evaluations; /* rounds that begin without the multipliers of the last one need more */
  } cases[] = {{&gradyn_problem_van_der_pol, "intervals", 20, over_rate, false, 1e-6, 65},
               {&gradyn_problem_van_der_pol, "intervals", 20, over_rate, true, 1e-6, 100},
               {&gradyn_problem_bryson_denham, "knots", 11, over_track, false, 1e-10, 45},
               {&gradyn_problem_bryson_denham, "knots", 11, over_track, true, 1e-10, 45}};
  for (int i = 0; i < 4; i++) {
    double rho0[MOST];
    LOCAL(gradyn_search_result) result;
    run_local *ev = run_with(.problem = cases[i].problem, .setting = cases[i].setting,
                             .value = cases[i].value);
    run_initial(ev, rho0);
    gradyn_search search = in_segments(ev, 10);
    search.hessian = cases[i].hessian;
    assert_ok(gradyn_optimise(ev, &search, rho0, &result), result.reason);
    assert_int_equal(result.termination, GRADYN_TERMINATION_OPTIMAL);
    const double most = largest(ev, result.rho, 10, cases[i].excess);
    assert_true(most <= cases[i].tolerance && most >= -cases[i].tolerance); /* it is active */
    assert_true(result.evaluations <= cases[i].evaluations);
  }
}
