/* Sensitivities of states at given times through every kind of event, in all methods: against closed forms,
 * with coarse steps against differences of the states, and against gradients of functionals at these times.
 */
#include "tests/adjoint/ali3p_models.h"
#include "tests/adjoint/grid/flights_model.h"
#include "tests/adjoint/grid/hybrid_checks.h"
#include "tests/declare.h"

enum { MOST = 10000, TIMES = 5 };

/* Result of a call, with its sizes. */
typedef struct found {
  size_t times, states, parameters;
  double y[MOST], dy[MOST];
} found;

static void find(gradyn_evaluator *ev, const double rho[], const double t[], size_t times,
                 found *out)
{
  out->times = times;
  out->states = (size_t)gradyn_evaluator_model_info(ev).states;
  out->parameters = gradyn_parameter_count(ev);
  assert_in_range(times * out->states * out->parameters, 1, MOST);
  assert_run(gradyn_sensitivities_compute(ev, rho, t, times, out->y, out->dy), ev);
}

/* Index of the state with this name in a trajectory of the model. Internal columns are not counted. */
static size_t find_state(gradyn_evaluator *ev, const double rho[], const char *name)
{
  OWNED(gradyn_trajectory) *run = gradyn_trajectory_create();
  size_t i = 0, state = 0;
  assert_run(gradyn_evaluator_simulate(ev, rho, NULL, run), ev);
  for (; strcmp(gradyn_trajectory_column(run, i).name, name) != 0; i++) {
    assert_true(i < gradyn_trajectory_read(run).columns);
    state += !gradyn_trajectory_column(run, i).internal;
  }
  return state;
}

/* --- events ------------------------------------------------------------------------------------- */

/* At the end of the run, the sensitivity of a state equals the gradient of the functional with this value,
 * at a fixed time. */
static void check_end(int kind, size_t k)
{
  static found s;
  double rho[FLIGHTS_PARAMETERS], value[FLIGHTS_FUNCTIONALS];
  double slope[FLIGHTS_FUNCTIONALS * FLIGHTS_PARAMETERS];
  gradyn_setting setting;
  const gradyn_problem problem = flights_problem(kind, &setting);
  const double tolerance = flights_schemes[k].tolerance;
  flights_place(kind, rho);
  flights_reference(kind, rho, value, slope);
  run_local *ev = hybrid_open(&problem, &flights_schemes[k].scheme, NULL, 0);
  const double t[] = {0, rho[FLIGHTS_END_TIME]};
  print_message("kind %d, %s\n", kind, flights_schemes[k].scheme.method);
  find(ev, rho, t, 2, &s);
  const size_t of[] = {find_state(ev, rho, "mass.y"), find_state(ev, rho, "mass.vy"),
                       find_state(ev, rho, "mass.ay")};
  for (int f = FLIGHTS_END_Y; f <= FLIGHTS_END_V; f++) {
    double *row = &slope[f * FLIGHTS_PARAMETERS];
    row[FLIGHTS_END_TIME] -= s.y[s.states + of[f + 1]];
    assert_close(s.y[s.states + of[f]], value[f], tolerance, tolerance);
    assert_close_array(&s.dy[(s.states + of[f]) * s.parameters], row, s.parameters, tolerance,
                       2 * tolerance);
  }
}

TEST(closed_forms_hold_after_events)
{
  for (int kind = 0; kind < FLIGHTS_KINDS; kind++)
    for (size_t k = 0; k < FLIGHTS_SCHEMES && kind != FLIGHTS_ENDED; k++)
      if (support_takes(kind + (int)k, 5))
        check_end(kind, k);
}

/* Compares derivatives of all states along a line with differences of order 8 of the states. */
static void check_line(gradyn_evaluator *ev, const double rho[], const double t[],
                       const hybrid_scheme *scheme)
{
  static const double weight[] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
  static found s, moved[2];
  double line[FLIGHTS_PARAMETERS], at[FLIGHTS_PARAMETERS];
  find(ev, rho, t, TIMES, &s);
  for (size_t j = 0; j < s.parameters; j++)
    line[j] = cos(1 + 2.3 * (double)j);
  static double slope[MOST];
  memset(slope, 0, sizeof slope);
  for (int i = 1; i <= 4; i++) {
    for (int side = 0; side < 2; side++) {
      for (size_t j = 0; j < s.parameters; j++)
        at[j] = rho[j] + (side ? -i : i) * scheme->change * line[j];
      find(ev, at, t, TIMES, &moved[side]);
    }
    for (size_t k = 0; k < TIMES * s.states; k++)
      slope[k] += weight[i - 1] * (moved[0].y[k] - moved[1].y[k]) / scheme->change;
  }
  for (size_t k = 0; k < TIMES * s.states; k++) {
    double along = 0;
    for (size_t j = 0; j < s.parameters; j++)
      along += s.dy[k * s.parameters + j] * line[j];
    if (support_error(along, slope[k], scheme->differ, scheme->differ) > 1)
      print_error("state %zu at t = %g s\n", k % s.states, t[k / s.states]);
    assert_close(along, slope[k], scheme->differ, scheme->differ);
  }
}

TEST(they_are_the_derivatives_of_the_states)
{
  for (int kind = 0; kind < FLIGHTS_KINDS; kind++) {
    double rho[FLIGHTS_PARAMETERS];
    gradyn_setting setting;
    const gradyn_problem problem = flights_problem(kind, &setting);
    flights_place(kind, rho);
    for (size_t k = 0; k < HYBRID_SCHEMES; k++) {
      /* without a jump or an event, the fixed steps are stretched by a moving end */
      if ((kind == FLIGHTS_END && strchr("av", *hybrid_schemes[k].method)) ||
          !support_takes(kind + (int)k, 4))
        continue;
      run_local *ev = hybrid_open(&problem, &hybrid_schemes[k], NULL, 0);
      double event = rho[FLIGHTS_TIME];
      assert_run(gradyn_evaluator_simulate(ev, rho, NULL, NULL), ev);
      if (gradyn_evaluator_statistics(ev).events > 0)
        event = gradyn_event_log_at(ev, 0).t;
      const double T = rho[FLIGHTS_END_TIME];
      const bool late = kind != FLIGHTS_ENDED;
      const double t[TIMES] = {0, 0.1, event - 0.03, late ? event + 0.03 : event - 0.02,
                               late ? 0.95 * T : event - 0.015};
      print_message("kind %d, %s, event at %g s\n", kind, hybrid_schemes[k].method, event);
      check_line(ev, rho, t, &hybrid_schemes[k]);
    }
  }
}

/* --- instants ----------------------------------------------------------------------------------- */

enum { ORDERS = 4 };
static const double instants[] = {0.25, 0.5, 0.7, 0}; /* s, 0: the end */

/* A double pendulum, pushed by a signal with a knot at one of the requested times. */
static gradyn_status build_swing(gradyn_model *m, const gradyn_scalar rho[])
{
  const gradyn_scalar knots[] = {3, rho[1], -2};
  const gradyn_signal_spec spec = {
      .name = "push", .unit = "N", .kind = GRADYN_PIECEWISE_LINEAR, .count = 3, .knots = knots};
  const int tip = ali3p_swing(m, rho[0], gradyn_signal(m, &spec));
  for (int order = 0; order < ORDERS; order++) {
    const int measure = order < 3 ? gradyn_measure_point(m, gradyn_format_name(m, "m%d", order),
                                                         tip, order, GRADYN_X)
                                  : gradyn_measure_multiplier(m, "m3", 1);
    for (size_t i = 0; i < GRADYN_COUNT(instants); i++)
      gradyn_functional(m, &(gradyn_functional_spec){
                               gradyn_format_name(m, "m%d.%d", order, (int)i), measure,
                               .reduction = instants[i] != 0 ? GRADYN_AT_TIME : GRADYN_AT_END,
                               .time = instants[i]});
  }
  return gradyn_build_status(m);
}

static const gradyn_param swing_params[] = {{"length", "m", .init = 1.1, GRADYN_UNBOUNDED},
                                            {"knot", "N", .init = 1, GRADYN_UNBOUNDED}};
static const gradyn_problem swing = PROBLEM("swing", build_swing, swing_params, .t_end = 1);

TEST(they_are_gradients_at_given_times)
{
  static const struct {
    const char *method;
    double step, agree;
  } ways[] = {{"idas", -1, 1e-6},       {"explicit", -1, 1e-8}, {"radau", -1, 1e-7},
              {"explicit", 0.01, 1e-8}, {"ali3p", 0.01, 1e-12}, {"variational", 0.01, 1e-11}};
  static const char *const state[ORDERS] = {"q.x", "q.vx", "q.ax", "upper.lambda"};
  static found s;
  const double rho[] = {1.1, 1}, t[] = {0.25, 0.5, 0.7, 1};
  for (size_t k = 0; k < GRADYN_COUNT(ways); k++) {
    run_local *ev = run_with(&swing, .method = ways[k].method, .step = ways[k].step, .rtol = 1e-10,
                             .sensitivity = "direct");
    double psi[ORDERS * TIMES], gradient[ORDERS * TIMES * 2];
    print_message("%s\n", ways[k].method);
    find(ev, rho, t, GRADYN_COUNT(t), &s);
    assert_run(gradyn_evaluator_gradient(ev, rho, psi, gradient), ev);
    for (int order = 0; order < ORDERS; order++) {
      const size_t of = find_state(ev, rho, state[order]);
      for (size_t i = 0; i < s.times; i++) {
        const size_t f = (size_t)order * s.times + i;
        assert_close(s.y[i * s.states + of], psi[f], ways[k].agree, ways[k].agree);
        assert_close_array(&s.dy[(i * s.states + of) * 2], &gradient[f * 2], 2, ways[k].agree,
                           10 * ways[k].agree);
      }
    }
  }
}

/* --- equations ---------------------------------------------------------------------------------- */

FORMULAS(decay, at->yp[0] + at->data[0] * at->y[0], at->y[1] - at->y[0] * at->y[0])

static gradyn_status build_decay(gradyn_model *m, const gradyn_scalar rho[])
{
  const gradyn_datum rate = {"rate", "1/s", rho[0]};
  gradyn_state(m, "y", "", rho[1]);
  gradyn_algebraic_state(m, "square", "", 1);
  gradyn_end_time(m, rho[2]);
  declare_equations(m, decay, &rate, 1);
  return gradyn_build_status(m);
}

static const gradyn_param decay_params[] = {{"rate", "1/s", .init = 0.8, GRADYN_UNBOUNDED},
                                            {"start", "", .init = 1.3, GRADYN_UNBOUNDED},
                                            {"T", "s", .init = 2, GRADYN_UNBOUNDED}};
static const gradyn_problem decaying = PROBLEM("decay", build_decay, decay_params, .t_end = 2,
                                               .rtol = 1e-10);

/* y = a exp(-k t) at many times needs no more steps than one time. Compared are its derivatives, and those
 * of y^2. */
TEST(many_times_are_one_sweep)
{
  static const char *const methods[] = {"idas", "explicit", "radau"};
  enum { MANY = 101 };
  static found s;
  const double rho[] = {0.8, 1.3, 2};
  for (size_t k = 0; k < GRADYN_COUNT(methods); k++) {
    run_local *ev = run_with(&decaying, .method = methods[k]);
    double t[MANY];
    find(ev, rho, &rho[2], 1, &s);
    const long steps = gradyn_evaluator_statistics(ev).steps;
    for (int i = 0; i < MANY; i++)
      t[i] = 2.0 * i / (MANY - 1);
    find(ev, rho, t, MANY, &s);
    assert_int_equal(gradyn_evaluator_statistics(ev).steps, steps);
    for (int i = 0; i < MANY; i++) {
      const double e = exp(-0.8 * t[i]), y = 1.3 * e;
      const double dy[] = {-t[i] * y, e, 0, -2 * t[i] * y * y, 2 * y * e, 0};
      assert_close(s.y[2 * i], y, 1e-7, 0);
      assert_close_array(&s.dy[6 * i], dy, 6, 0, 2e-7);
    }
  }
}
