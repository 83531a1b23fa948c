/* Analyses of models whose modes have different constraints: coordinates with gains, the state at the end of
 * a run that an event ends, and signals that cannot be inputs of a regulator in some mode or at some event.
 * test_analyses_grid.c tests values across all kinds of events. */
#include "tests/runs.h"
#include "tests/declare.h"

enum { N = 4, M = 2 };
static const double mass = 1.3, height = 1, v0[2] = {0.7, 0.2}, g = 9.81;
static const char *const names[N] = {"ball.x", "ball.y", "ball.vx", "ball.vy"};
static const char *const inputs[M] = {"ux", "uy"};
static const double Q[N * N] = {1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0.5, 0, 0, 0, 0, 0.3};
static const double Qf[N * N] = {3, 0, 0, 0, 0, 4, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0.7};
static const double R[M * M] = {0.1, 0, 0, 0.2};

/* Kinds of runs: the event that ends the sliding, where the run ends, and whether the floor moves. */
enum { LANDS, ENDS, STARTS_DOWN, DRIVEN_FLOOR, LOADED, UNLOADED, KINDS };
static const gradyn_setting settings[] = {{"kind", "", 0, 0, KINDS - 1}};

FORMULA(load, at->lam[1] + at->data[0] * at->t + at->data[1])

static int add_signal(gradyn_model *m, const char *name, gradyn_signal_kind kind)
{
  static const gradyn_scalar none[4];
  return declare_signal(m, name, "N", kind, 4, none);
}

/* Adds an event that releases the ball from the floor. UNLOADED: the floor's force is zero at the event, so
 * that the acceleration does not jump. Otherwise the ball is released while the floor still presses. */
static void add_release(gradyn_model *m, int kind, int slide, int air)
{
  const bool unloaded = kind == UNLOADED;
  const gradyn_datum data[] = {{"rate", "N/s", unloaded ? 0 : 20.}, {"force", "N", 0}};
  gradyn_event_set_modes(
      m,
      gradyn_event(m,
                   &(gradyn_event_spec){.name = "lets go",
                                        .guard = {.terminal = load, .data = data, .data_count = 2},
                                        .direction = GRADYN_EITHER,
                                        .mode = air}),
      gradyn_modes_of(slide));
}

/* An upward force that increases in proportion to t. */
FORMULAS(pull, 0, 20 * at->t)

static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  (void)rho;
  const int kind = gradyn_setting_value(m, "kind");
  const bool down = kind == STARTS_DOWN || kind >= LOADED;
  const int first = gradyn_mode(m, down ? "slide" : "air"), second = gradyn_mode(m, "other");
  const int air = down ? second : first, slide = down ? first : second;
  const int ux = add_signal(m, "ux", GRADYN_PIECEWISE_LINEAR),
            uy = add_signal(m, "uy", GRADYN_PIECEWISE_LINEAR),
            level = add_signal(m, "level", GRADYN_CUBIC_SPLINE);
  const int ball = gradyn_point(m, "ball", 0, down ? 0 : height);
  const gradyn_time_function floor = {.signal = kind == DRIVEN_FLOOR ? level : 0};
  gradyn_initial_velocity(m, ball, v0[0], down ? 0 : v0[1]);
  gradyn_point_mass(m, "mass", ball, mass);
  gradyn_gravity(m, 0, -g);
  declare_push(m, "fx", ball, 1, 0, ux);
  declare_push(m, "fy", ball, 0, 1, uy);
  if (kind == UNLOADED)
    declare_force(m, "pull", ball, pull, NULL, 0);
  gradyn_constraint_set_modes(m, gradyn_coordinate(m, "hold", ball, GRADYN_Y, &floor),
                              gradyn_modes_of(slide));
  int lands = 0;
  if (!down) {
    lands = gradyn_impact(
        m, &(gradyn_impact_spec){.name = "floor", .point = ball, .axis = GRADYN_Y, .mode = slide});
    gradyn_event_set_modes(m, lands, gradyn_modes_of(air));
  }
  if (kind >= LOADED)
    add_release(m, kind, slide, air);
  if (kind == ENDS)
    gradyn_terminate_at_event(m, lands, 1);
  return gradyn_build_status(m);
}

static const gradyn_problem problem = {GRADYN_PROBLEM_SIZES, .name = "modes", .settings = settings,
                                       .setting_count = 1,   .build = build,  .t_end = 0.8,
                                       .rtol = 1e-11};

static gradyn_evaluator *open_kind(int kind, const char *method)
{
  return run_with(&problem, .method = method, .setting = "kind", .value = kind);
}

static const gradyn_regulator_spec spec = {.state = {names, N, Q},
                                           .final = {names, N, Qf},
                                           .input = {inputs, M, R},
                                           .preferred_coordinates = names,
                                           .preferred_count = 2};

/* Results name the coordinates of the free ball. In the mode on the floor, the height has zero entries. If
 * the run ends with the landing, P is Qf of the sliding states after the landing and Xi^T Qf Xi before it. */
TEST(rows_are_those_of_the_mode)
{
  for (int k = 0; k < 8; k++) {
    LOCAL(gradyn_regulator) found;
    run_local *ev = open_kind(k % 2 ? ENDS : LANDS, run_methods[k / 2]);
    assert_run(gradyn_regulator_compute(ev, NULL, &spec, &found), ev);
    assert_int_equal(found.states, N);
    for (size_t i = 0; i < N; i++)
      assert_string_equal(found.state[i], names[i]);
    size_t behind = 0;
    for (size_t row = 1; row < found.rows; row++)
      behind = found.t[row] == found.t[row - 1] ? row : behind;
    assert_true(behind > 0 && (k % 2 ? behind + 1 == found.rows : behind + 1 < found.rows));
    for (size_t row = 0; row < found.rows; row++) {
      const double *K = found.gain + row * M * N;
      /* the gain of ux on x is positive except at the end, and that on vx always, in both modes */
      assert_true((K[0] > 0 || found.t[row] == found.t[found.rows - 1]) && K[2] > 0);
      for (int i = 0; i < N; i++)
        assert_true(row < behind || K[N + i] == 0);
      /* the gain of uy on y is positive, except at the time of the landing, when a force has no effect any
       * more */
      assert_true(row >= behind || K[N + 1] > 0 || row + 1 == behind);
    }
    const double *P = found.cost + (found.rows - 1) * N * N;
    for (int i = 0; i < N * N; i++)
      assert_close(P[i], i % 2 == 0 && i < 12 && i / 4 % 2 == 0 ? Qf[i] : 0, 1e-12, 1e-12);
  }
}

static size_t find_column(const gradyn_covariance *found, const char *name)
{
  size_t k = 0;
  while (k < found->states && strcmp(found->name[k], name) != 0)
    k++;
  assert_true(k < found->states);
  return k;
}

/* If a run ends with a landing, its last row is the state after the landing: the ball lies on the floor,
 * for any initial height and speed. */
TEST(an_end_is_after_its_event)
{
  static const char *const sources[] = {"ball.x", "ball.y", "ball.vy"};
  const double C[9] = {0.04, 0, 0, 0, 0.01, 0, 0, 0, 0.09};
  const double fall = (v0[1] + sqrt(v0[1] * v0[1] + 2 * g * height)) / g;
  for (size_t k = 0; k < GRADYN_COUNT(run_methods); k++) {
    gradyn_covariance found;
    run_local *ev = open_kind(ENDS, run_methods[k]);
    OWNED(gradyn_trajectory) *run = gradyn_trajectory_create();
    const gradyn_covariance_spec scatter = {sources, 3, C, 0};
    assert_run(gradyn_covariance_compute(ev, NULL, &scatter, NULL, run, &found), ev);
    const size_t last = found.rows - 1, x = find_column(&found, "ball.x"),
                 y = find_column(&found, "ball.y"), rate = find_column(&found, "ball.vy");
    assert_true(found.t[last] == found.t[last - 1] && found.t[last - 1] > found.t[last - 2]);
    assert_close(found.t[last], fall, 1e-9, 0);
    assert_close(gradyn_covariance_entry(&found, last, x, x), C[0], 1e-9, 0);
    assert_close(gradyn_covariance_entry(&found, last - 1, y, y), C[4] + C[8] * fall * fall, 1e-8,
                 0);
    assert_close(gradyn_covariance_entry(&found, last - 1, rate, rate), C[8], 1e-8, 0);
    assert_close(gradyn_covariance_entry(&found, last, y, y), 0, 0, 1e-15);
    assert_close(gradyn_covariance_entry(&found, last, rate, rate), 0, 0, 1e-15);
    gradyn_covariance_clear(&found);
    /* the last row of a simulation is the state after the landing, too */
    assert_run(gradyn_evaluator_simulate(ev, NULL, NULL, run), ev);
    double z[2][32];
    const size_t steps = gradyn_trajectory_read(run).steps;
    assert_true(gradyn_trajectory_read(run).columns <= 32);
    for (size_t side = 0; side < 2; side++)
      assert_close(gradyn_trajectory_step(run, steps - 2 + side, z[side]), fall, 1e-9, 0);
    assert_close(z[0][rate], v0[1] - g * fall, 1e-9, 0);
    assert_close(z[1][rate], 0, 0, 1e-12);
  }
}

/* If the ball stays on the floor throughout, its height is not an independent coordinate. The regulator is
 * refused, since no mode has all requested coordinates. */
TEST(what_is_tied_in_all_modes_is_told)
{
  LOCAL(gradyn_regulator) found;
  run_local *ev = open_kind(STARTS_DOWN, "idas");
  assert_refused(gradyn_regulator_compute(ev, NULL, &spec, &found), ev, GRADYN_INVALID,
                 "the constraints make it depend on other independent coordinates");
}

/* A signal is refused as an input if it cannot be one in a later mode or at an event. A thrust that changes
 * the time of an event is accepted if the acceleration does not jump at the event. */
TEST(no_mode_and_no_event_has_what_cannot_be_an_input)
{
  static const char *const level[] = {"ux", "level"};
  const struct {
    int kind;
    const char *const *name;
    const char *says; /* NULL: it is an input */
  } cases[] = {{DRIVEN_FLOOR, level, "signal 'level': drives the constraint hold"},
               {LANDS, level, NULL},
               {LOADED, inputs, "signal 'uy': changes the time of event lets go"},
               {LOADED, level, NULL},
               {UNLOADED, inputs, NULL}};
  for (size_t k = 0; k < GRADYN_COUNT(cases); k++) {
    LOCAL(gradyn_regulator) found;
    gradyn_regulator_spec with = spec;
    run_local *ev = open_kind(cases[k].kind, "idas");
    with.input.name = cases[k].name;
    gradyn_status status = gradyn_regulator_compute(ev, NULL, &with, &found);
    const char *message = gradyn_evaluator_message(ev);
    assert_status(status, cases[k].says ? GRADYN_UNSUPPORTED : GRADYN_OK, message);
    if (cases[k].says && !strstr(message, cases[k].says))
      fail_msg("'%s' does not say '%s'", message, cases[k].says);
  }
}
