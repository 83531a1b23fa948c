/* Points of path constraints that move in windows between events: windows follow their events, and a point
 * is dropped if its arc ceases to exist during a search. */
#include "tests/runs.h"
#include "tests/declare.h"

#include <math.h>
#include <unistd.h>

#include "adjoint/gradient/limited.h"
#include "tests/optim/journals.h"

enum { HEIGHT, OTHER, UP, NUMBERS };
static const gradyn_param params[] = {
    [HEIGHT] = {"height", "m", .init = 0.5, .lower = 0.05, .upper = 1},
    [OTHER] = {"other", "m", .init = 0.7, .lower = 0.05, .upper = 1},
    [UP] = {"up", "m/s", .init = 0, .lower = 0, .upper = 10},
};

/* What happens in a search. */
enum { APPEARS, VANISHES, CHANGES_ORDER };
static const gradyn_setting settings[] = {{"case", "what happens", 0, 0, 2}};

/* A ball above the ground. */
static int declare_ball(gradyn_model *m, const char *name, gradyn_scalar height, gradyn_scalar up)
{
  const int ball = gradyn_point(m, name, 0, height);
  gradyn_point_mass(m, name, ball, 1);
  gradyn_initial_velocity(m, ball, 0, up);
  gradyn_impact(m, &(gradyn_impact_spec){name, ball, GRADYN_Y, .restitution = 0.8});
  return ball;
}

static gradyn_scalar square(gradyn_scalar x)
{
  return x * x;
}

/* The upward velocity of a ball, largest after a bounce, has an upper bound. */
static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  const double now = gradyn_setting_value(m, "case");
  const gradyn_scalar h = rho[HEIGHT], up = rho[UP];
  gradyn_gravity(m, 0, -9.81);
  const int ball = declare_ball(m, "ball", h, now == VANISHES ? up : 0);
  if (now == CHANGES_ORDER)
    (void)declare_ball(m, "second", rho[OTHER], 0);
  const int v = gradyn_measure_point(m, "v", ball, 1, GRADYN_Y);
  gradyn_path_constraint(m, "speed", v, -HUGE_VAL, 2 + (now == APPEARS ? 0 : 5) * up, 1e-7, NULL);
  const double height = 0.5, other = now == CHANGES_ORDER ? 0.3 : 0.7,
               speed = now == APPEARS    ? 0
                       : now == VANISHES ? 4.65
                                         : 1;
  const gradyn_scalar cost = (now == APPEARS ? -h : square(h - height)) +
                             square(rho[OTHER] - other) + square(up - speed);
  gradyn_minimise(m, gradyn_design_functional(m, "cost", "", cost), 1);
  return gradyn_build_status(m);
}

static const gradyn_problem balls = PROBLEM("balls", build, params, .t_end = 1,
                                            .settings = settings, .setting_count = 1);

/* --- Evaluations -------------------------------------------------------------------------------- */

/* Checks the velocity between the second and the third bounce, and its derivatives with respect to height
 * and both other parameters. Without a second bounce, the window is the whole run. */
static void assert_speed(gradyn_evaluator *held, double height)
{
  const bool bounces = 2.6 * sqrt(2 * height / 9.81) < 1;
  const double rho[] = {height, 0.7, 0}, speed = (bounces ? 0.64 : 0.8) * sqrt(2 * 9.81 * height),
               slope[] = {speed / (2 * height), 0, 0};
  double psi[3], gradient[3 * NUMBERS];
  assert_run(gradyn_evaluator_gradient(held, rho, psi, gradient), held);
  assert_close(psi[2], speed - 2, 1e-7, 0);
  assert_close_array(gradient + 2 * NUMBERS, slope, NUMBERS, 1e-6, 1e-7);
}

TEST(windows_follow_their_events)
{
  static const char *const methods[] = {"explicit", "radau", "idas"};
  const gradyn_limit_at at = {
      .side = 0, .share = 0.4, .from = 0, .to = 1, .after = {0, 2}, .before = {0, 3}};
  for (size_t k = 0; k < sizeof methods / sizeof *methods; k++)
    for (int adjoint = 0; adjoint < 2; adjoint++) {
      gradyn_limited *limited;
      run_local *ev = run_with(&balls, adjoint ? "adjoint" : "direct", methods[k], .rtol = 1e-10);
      assert_ok(gradyn_limited_create(ev, &at, 1, &limited), "rows");
      for (double height = 0.1; height < 1; height += 0.1)
        assert_speed(gradyn_limited_evaluator(limited), height);
      gradyn_limited_free(limited);
    }
}

/* --- Searches ----------------------------------------------------------------------------------- */

/* Checks that the window of each moving point is an arc, without an event inside. */
static void assert_arcs(gradyn_evaluator *ev, const gradyn_search_result *result)
{
  double psi[2];
  assert_run(gradyn_evaluator_simulate(ev, result->rho, psi, NULL), ev);
  for (size_t i = 0; i < result->path_point_count; i++)
    for (size_t k = 0; k < gradyn_evaluator_statistics(ev).events; k++) {
      const double t = gradyn_event_log_at(ev, k).t;
      assert_false(t > result->path_points[i].from + 1e-6 && t < result->path_points[i].to - 1e-6);
    }
}

static const double expected[][NUMBERS] = {
    [APPEARS] = {2.5 * 2.5 / (2 * 9.81), 0.7, 0},
    [VANISHES] = {0.5, 0.7, 4.65},
    [CHANGES_ORDER] = {0.5, 0.3, 1},
};

static void search_case(int now, const char *method, const char *algorithm, long segments)
{
  double rho[NUMBERS];
  LOCAL(gradyn_search_result) result;
  run_local *ev = run_with(&balls, .method = method, .rtol = 1e-10, .setting = "case",
                           .value = now);
  gradyn_search search = run_search(ev);
  search.algorithm = algorithm;
  search.segments = segments;
  search.ftol = search.xtol = 1e-14;
  run_initial(ev, rho);
  assert_ok(gradyn_optimise(ev, &search, rho, &result), result.reason);
  assert_says(result.reason, "path constraints: satisfied throughout the run");
  assert_close_array(result.rho, expected[now], NUMBERS, 1e-4, 1e-4); /* a minimum of squares */
  assert_arcs(ev, &result);
  if (strcmp(algorithm, "ipopt") != 0)
    return;
  /* the points of a warm start belong to the same events */
  LOCAL(gradyn_search_result) again;
  search.warm_start = result.warm.text;
  assert_ok(gradyn_optimise(ev, &search, result.rho, &again), again.reason);
  assert_true(again.evaluations <= 3);
  assert_arcs(ev, &again);
}

TEST(points_are_dropped_where_events_change)
{
  static const char *const methods[] = {"explicit", "radau", "idas"};
  const bool ipopt = gradyn_algorithm_unavailable_reason("ipopt") == NULL;
  for (int now = APPEARS; now <= CHANGES_ORDER; now++) {
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++)
      search_case(now, methods[k], "slsqp", 0);
    for (long segments = 0; ipopt && segments <= 2; segments += 2)
      search_case(now, "explicit", "ipopt", segments);
  }
}

/* --- Journals ----------------------------------------------------------------------------------- */

static void assert_same_end(const gradyn_search_result *a, const gradyn_search_result *b)
{
  assert_string_equal(a->reason, b->reason);
  assert_memory_equal(a->rho, b->rho, NUMBERS * sizeof(double));
  assert_int_equal(a->evaluations, b->evaluations);
  assert_int_equal(a->rounds, b->rounds);
  assert_int_equal(a->path_point_count, b->path_point_count);
  for (size_t i = 0; i < a->path_point_count; i++)
    assert_true(a->path_points[i].t == b->path_points[i].t &&
                a->path_points[i].from == b->path_points[i].from &&
                a->path_points[i].value == b->path_points[i].value);
}

/* Resumes a search after each third line of its journal. */
static void resume_case(int now)
{
  FREED char *file = journal_name();
  double rho[NUMBERS];
  LOCAL(gradyn_search_result) whole;
  run_local *ev = run_with(&balls, .method = "explicit", .rtol = 1e-9, .setting = "case",
                           .value = now);
  gradyn_search search = run_search(ev);
  run_initial(ev, rho);
  search.journal = file;
  search.durability = GRADYN_DURABLE_NEVER;
  assert_ok(gradyn_optimise(ev, &search, rho, &whole), whole.reason);
  const content journal = journal_read(file);
  search.resume = true;
  for (size_t kept = 1; kept <= journal_lines(journal); kept += 3) {
    LOCAL(gradyn_search_result) again;
    journal_write(file, journal.bytes, journal_line(journal, kept));
    assert_ok(gradyn_optimise(ev, &search, rho, &again), again.reason);
    assert_int_equal(again.resumed.replayed, kept - 1);
    assert_same_end(&whole, &again);
  }
  free(journal.bytes);
  assert_int_equal(unlink(file), 0);
}

TEST(journals_have_windows_between_events)
{
  for (int now = APPEARS; now <= CHANGES_ORDER; now++)
    resume_case(now);
}
