/* double-pendulum-wall: all saltation matrices of Kong et al. (2023), section V, with a mass matrix that
 * depends on the configuration. Computed matrices, and direct sweeps across events, are compared with the
 * formulas in angles. */
#include "tests/reference/double_pendulum.h"
#include "tests/runs.h"

extern const gradyn_problem gradyn_problem_double_pendulum_wall;

enum { P = 10, N = 4, MOST = 8 }; /* parameters; the first four are the initial state */
enum { TIME, IMPULSE, ANGLE_1, ANGLE_2, RATE_1, RATE_1_AFTER, RATE_2, RATE_2_AFTER, F };
static const int before[N] = {ANGLE_1, ANGLE_2, RATE_1, RATE_2};
static const int after[N] = {ANGLE_1, ANGLE_2, RATE_1_AFTER, RATE_2_AFTER};

/* An event of a run, and its equation in the paper. */
typedef struct happening {
  const char *name;
  pendulum_guard guard;
  pendulum_mode before, behind;
} happening;

static const struct course {
  int landing, friction;
  double rho[P], t_end;
  int events;
  happening event[MOST];
} courses[] = {
    {0, 1, {0.3, -0.5, 0.4, 2, 0.5, 0.7, 0.6, 0.4, 60, 2}, 1.0, 1, {{"wall", GAP, IN_AIR, IN_AIR}}},
    {1,
     0,
     {0.3, -0.5, 0.4, 2, 0.5, 0.7, 0.6, 0.4, 150, 2},
     0.7,
     3,
     {{"wall", GAP, IN_AIR, SLIDING_DOWN},
      {"lifts", LIFT, SLIDING_DOWN, IN_AIR},
      {"apex", APEX, IN_AIR, IN_AIR}}},
    {1,
     1,
     {0.3, -0.5, 0.4, 2, 0.5, 0.7, 1.5, 1, 60, 2},
     1.1,
     5,
     {{"wall", GAP, IN_AIR, SLIDING_DOWN},
      {"rests", REST, SLIDING_DOWN, STICKING},
      {"slips_up", SLIP_UP, STICKING, SLIDING_UP},
      {"lifts", LIFT, SLIDING_UP, IN_AIR},
      {"apex", APEX, IN_AIR, IN_AIR}}},
    /* with a single coefficient of friction nothing jumps when slipping begins */
    {1,
     1,
     {0.3, -0.5, 0.4, 2, 0.5, 0.7, 1.5, 1.5, 60, 2},
     1.1,
     5,
     {{"wall", GAP, IN_AIR, SLIDING_DOWN},
      {"rests", REST, SLIDING_DOWN, STICKING},
      {"slips_up", SLIP_UP, STICKING, SLIDING_UP},
      {"lifts", LIFT, SLIDING_UP, IN_AIR},
      {"apex", APEX, IN_AIR, IN_AIR}}},
    {2,
     0,
     {0.3, -0.5, 0.4, 2, 0.5, 0.7, 0.6, 0.4, 60, -3},
     1.2,
     3,
     {{"wall", GAP, IN_AIR, STICKING},
      {"lifts", LIFT, STICKING, IN_AIR},
      {"apex", APEX, IN_AIR, IN_AIR}}},
};

static double_pendulum body_of(const struct course *c)
{
  const double *rho = c->rho;
  return (double_pendulum){{1, 0.8},
                           {2, 1.5},
                           9.81,
                           rho[4],
                           rho[5],
                           rho[6],
                           c->friction ? rho[7] : 0,
                           c->landing ? rho[8] : 0,
                           rho[9]};
}

static gradyn_evaluator *open_nominal(const struct course *c, const char *method, int told)
{
  const gradyn_setting_choice choice[] = {
      {"landing", c->landing}, {"friction", c->friction}, {"told", told}};
  gradyn_evaluator *ev = run_with(
      &gradyn_problem_double_pendulum_wall, .method = method, .sensitivity = "direct",
      .rtol = 1e-12,
      .step = strcmp(method, "ali3p") == 0 || strcmp(method, "variational") == 0 ? 1e-3 : -1,
      .t_end = c->t_end, .settings = choice, .setting_count = 3);
  assert_int_equal(gradyn_functional_count(ev), F);
  return ev;
}

static void pick(const double *psi, const int *which, double *y)
{
  for (int i = 0; i < N; i++)
    y[i] = psi[which[i]];
}

/* Saltation matrix of an event by the formula, at the state of the functionals. */
static void formula(const struct course *c, const happening *e, const double *psi, double *Xi)
{
  const double_pendulum body = body_of(c);
  double y[N];
  pick(psi, before, y);
  double_pendulum_saltation(&body, e->before, e->guard, e->behind, psi[TIME], y, Xi);
}

/* --- what sweeps carry --------------------------------------------------------------------------- */

/* Derivatives of the state at a fixed time, dy = dY - y' dtau, [N][N], with respect to the initial state. */
static void hold_time(const struct course *c, pendulum_mode mode, const double *gradient,
                      const int *which, const double *psi, double *dy)
{
  const double_pendulum body = body_of(c);
  double complex at[N], rate[N];
  for (int i = 0; i < N; i++)
    at[i] = psi[which[i]];
  double_pendulum_rates(&body, mode, psi[TIME], at, rate, NULL);
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

/* Finds the times of the events of a run. */
static void find_times(const struct course *c, double t[MOST])
{
  double psi[F];
  run_local *ev = open_nominal(c, "explicit", 1);
  assert_run(gradyn_evaluator_simulate(ev, c->rho, psi, NULL), ev);
  assert_int_equal(gradyn_evaluator_statistics(ev).events, c->events);
  for (int k = 0; k < c->events; k++)
    t[k] = gradyn_event_log_at(ev, (size_t)k).t;
}

/* Sensitivities to the initial state just before and after each event, in angles; runs end shortly after
 * the event. */
THOROUGH_TEST(sweeps_agree_with_the_formulas)
{
  for (size_t i = 0; i < GRADYN_COUNT(courses); i++) {
    struct course now = courses[i];
    const struct course *c = &now;
    double t[MOST];
    find_times(&courses[i], t);
    for (int k = 0; k < now.events; k++) {
      if (!support_takes((int)i + k, 2))
        continue;
      const happening *e = &now.event[k];
      double psi[F], gradient[F * P], Xi[N * N], dy[N * N], expected[N * N], found[N * N];
      now.t_end = fmin(courses[i].t_end, t[k] + 0.01);
      run_local *ev = open_nominal(c, "idas", k + 1);
      assert_run(gradyn_evaluator_gradient(ev, c->rho, psi, gradient), ev);
      formula(c, e, psi, Xi);
      hold_time(c, e->before, gradient, before, psi, dy);
      multiply(Xi, dy, expected);
      hold_time(c, e->behind, gradient, after, psi, found);
      assert_close_array(found, expected, N * N, 1e-9, 1e-9);
    }
  }
}

/* --- matrices ------------------------------------------------------------------------------------- */

/* Index of a coordinate or velocity such as "tip.y'"; -1: none. */
static int place_of(const char *name)
{
  static const char *const known[] = {"elbow.x", "elbow.y", "elbow.x'", "elbow.y'",
                                      "tip.x",   "tip.y",   "tip.x'",   "tip.y'"};
  for (int k = 0; k < 8; k++)
    if (strcmp(known[k], name) == 0)
      return k;
  fail_msg("what is %s?", name);
  return -1;
}

/* Compares Xi of a disturbance permitted by the mode before the event, in the coordinates of points on
 * either side. */
static void compare(const struct course *c, const happening *e, const double *psi,
                    const gradyn_saltation *item)
{
  const double_pendulum body = body_of(c);
  const size_t rows = item->after.positions + item->after.rates;
  const size_t columns = item->before.positions + item->before.rates;
  double y[N], y_behind[N], Xi[N * N];
  pick(psi, before, y);
  pick(psi, after, y_behind);
  formula(c, e, psi, Xi);
  for (int k = 0; k < N; k++) {
    double dz[N], carried[N] = {0}, dr[8], expected[8];
    double_pendulum_tangent(&body, e->before, y, k, dz);
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++)
        carried[i] += Xi[N * i + j] * dz[j];
    double_pendulum_move(&body, y, dz, dr);
    double_pendulum_move(&body, y_behind, carried, expected);
    for (size_t i = 0; i < rows; i++) {
      double found = 0;
      for (size_t j = 0; j < columns; j++)
        found += item->matrix[i * columns + j] * dr[place_of(item->before.name[j])];
      assert_close(found, expected[place_of(item->after.name[i])], 1e-9, 1e-9);
    }
  }
}

/* Checks all methods that support multiplier-dependent forces, in minimal coordinates and in requested
 * ones. */
static void examine(const struct course *c, const char *method)
{
  static const char *const wanted[] = {"elbow.x", "tip.y"};
  gradyn_saltations found[2];
  run_local *ev = open_nominal(c, method, 1);
  for (int way = 0; way < 2; way++) {
    assert_run(gradyn_saltations_compute(ev, c->rho, wanted, way ? 2 : 0, &found[way]), ev);
    assert_int_equal(found[way].count, c->events);
  }
  for (int k = 0; k < c->events; k++) {
    double psi[F];
    run_local *teller = open_nominal(c, method, k + 1);
    assert_run(gradyn_evaluator_simulate(teller, c->rho, psi, NULL), teller);
    for (int way = 0; way < 2; way++) {
      assert_string_equal(found[way].item[k].event.name, c->event[k].name);
      compare(c, &c->event[k], psi, &found[way].item[k]);
    }
  }
  for (int way = 0; way < 2; way++)
    gradyn_saltations_clear(&found[way]);
}

THOROUGH_TEST(matrices_are_those_of_the_formulas)
{
  for (size_t i = 0; i < GRADYN_COUNT(courses); i++) {
    static const char *const methods[] = {"idas", "ali3p", "explicit", "variational"};
    const struct course *c = &courses[i];
    /* variational: friction reads multipliers */
    const size_t count = c->landing > 0 && c->friction ? 3 : 4;
    for (size_t k = 0; k < count; k++)
      if (support_takes((int)(i + k), 2))
        examine(c, methods[k]);
  }
}

/* Each side has as many coordinates as its mode has degrees of freedom. Where the tip sticks, its position
 * may vary but no velocity. */
TEST(each_side_has_coordinates_of_its_own)
{
  static const size_t positions[] = {2, 1, 1, 1}, rates[] = {2, 1, 1, 0};
  for (size_t i = 0; i < GRADYN_COUNT(courses); i++) {
    const struct course *c = &courses[i];
    LOCAL(gradyn_saltations) found;
    run_local *ev = open_nominal(c, "explicit", 1);
    assert_run(gradyn_saltations_compute(ev, c->rho, NULL, 0, &found), ev);
    for (size_t k = 0; k < found.count; k++) {
      const happening *e = &c->event[k];
      assert_int_equal(found.item[k].before.positions, positions[e->before]);
      assert_int_equal(found.item[k].before.rates, rates[e->before]);
      assert_int_equal(found.item[k].after.positions, positions[e->behind]);
      assert_int_equal(found.item[k].after.rates, rates[e->behind]);
    }
  }
}
