/* Periodic orbits and transition matrices through events: a ball on a shaken table and its bounce in closed
 * form, and motions without an orbit. */
#include "tests/runs.h"
#include "tests/adjoint/analyses/find_orbit.h"

#include <complex.h>

extern const gradyn_problem gradyn_problem_compass_walker, gradyn_problem_bouncing_ball,
    gradyn_problem_ball_on_slope;

/* --- a ball on a shaken table ---------------------------------------------------------------------- */

enum { AMPLITUDE, RESTITUTION, GRAVITY, PHASE, TABLE_P };
static const double omega = 12.566370614359172; /* rad/s: T = 0.5 s */

static gradyn_status build_table(gradyn_model *model, const gradyn_scalar rho[])
{
  int ball = gradyn_point(model, "ball", 0, 0.33);
  gradyn_initial_velocity(model, ball, 0, 0.1);
  gradyn_point_mass(model, "mass", ball, 1.3);
  gradyn_coordinate(model, "guide", ball, GRADYN_X, &(gradyn_time_function){.value = 0});
  gradyn_gravity(model, 0, -rho[GRAVITY]);
  gradyn_impact(model,
                &(gradyn_impact_spec){
                    .name = "table",
                    .point = ball,
                    .axis = GRADYN_Y,
                    .level = {.amplitude = rho[AMPLITUDE], .frequency = omega, .phase = rho[PHASE]},
                    .restitution = rho[RESTITUTION]});
  gradyn_functional(
      model, &(gradyn_functional_spec){"y", gradyn_measure_point(model, "", ball, 0, GRADYN_Y),
                                       .reduction = GRADYN_AT_END});
  /* an orbit has fewer events: this functional has no value */
  gradyn_event_time(model, "seventh", 1, 7);
  gradyn_end_time(model, 2 * acos(-1) / omega);
  return gradyn_build_status(model);
}

static const gradyn_param table_params[] = {[AMPLITUDE] = {.name = "amplitude", .init = 0.022},
                                            [RESTITUTION] = {.name = "restitution", .init = 0.8},
                                            [GRAVITY] = {.name = "gravity", .init = 9.81},
                                            [PHASE] = {.name = "phase", .init = -2.9}};
static const gradyn_problem table_problem = {GRADYN_PROBLEM_SIZES, .name = "table",
                                             .params = table_params, .param_count = TABLE_P,
                                             .build = build_table};

/* The ball leaves the table with the speed g T/2 and returns with the same speed. Hence the table moves
 * with u = g T (1 - e)/(2 (1 + e)) = A omega cos(theta) at the impact. This gives the state at t = 0 and
 * the trace of the monodromy matrix; its determinant is e^2. */
static void table_orbit(const double complex p[TABLE_P], double complex state[2],
                        double complex *trace)
{
  double T = 2 * acos(-1) / omega;
  double complex e = p[RESTITUTION], g = p[GRAVITY], u = g * T * (1 - e) / (2 * (1 + e));
  double complex theta = cacos(u / (p[AMPLITUDE] * omega));
  double complex late = T / 2 - (theta - p[PHASE]) / omega; /* time from the apex to t = 0 */
  state[0] = p[AMPLITUDE] * csin(theta) + g * T * T / 8 - g * late * late / 2;
  state[1] = -g * late;
  *trace = -2 * e + (1 + e) * (1 + e) * (1 - p[AMPLITUDE] * omega * omega * csin(theta) / g);
}

TEST(a_bouncing_ball_has_the_closed_form)
{
  const double rho[TABLE_P] = {0.022, 0.8, 9.81, -2.9};
  for (int k = 0; k < RUN_METHODS; k++) {
    LOCAL(gradyn_orbit) orbit;
    run_local *ev = orbit_open(&table_problem, run_methods[k], 0);
    double complex p[TABLE_P] = {rho[0], rho[1], rho[2], rho[3]}, state[2], trace;
    orbit_find(ev, rho, &(gradyn_orbit_spec){.fixed_period = true}, &orbit);
    table_orbit(p, state, &trace);
    assert_int_equal(orbit.transition.size, 2);
    assert_close(orbit.transition.start[0], creal(state[0]), 1e-9, 0);
    assert_close(orbit.transition.start[1], creal(state[1]), 1e-9, 1e-9);
    const double *M = orbit.transition.matrix, *m = orbit.multiplier;
    assert_close(M[0] + M[3], creal(trace), 1e-9, 0);
    assert_close(M[0] * M[3] - M[1] * M[2], rho[RESTITUTION] * rho[RESTITUTION], 1e-9, 0);
    assert_close(hypot(m[0], m[1]), rho[RESTITUTION], 1e-9, 0); /* a pair: it is stable */
    for (int j = 0; j < TABLE_P; j++) {
      p[j] += 1e-40 * _Complex_I;
      table_orbit(p, state, &trace);
      p[j] = rho[j];
      for (int i = 0; i < 2; i++)
        assert_close(orbit.start_slope[i * TABLE_P + j], cimag(state[i]) / 1e-40, 1e-8, 1e-8);
    }
  }
}

/* The matrix of a whole run with one bounce is the product of the matrices of both flights and the
 * saltation matrix between them. */
TEST(transitions_go_through_events)
{
  const double rho[] = {1, 9.81, 0.8, 0}, t_end = 0.9, fall = sqrt(2 / 9.81), rest = t_end - fall;
  /* expected: (1, rest; 0, 1) (-e, 0; (1 + e)/fall, -e) (1, fall; 0, 1) */
  const double y[2] = {-0.8 + rest * 1.8 / fall, -0.8 * fall + rest}, vy[2] = {1.8 / fall, 1};
  LOCAL(gradyn_transition) t;
  run_local *ev = orbit_open(&gradyn_problem_bouncing_ball, "idas", t_end);
  assert_run(gradyn_transition_compute(ev, rho, NULL, 0, &t), ev);
  assert_int_equal(t.size, 4); /* x, y and their rates */
  const double expected[16] = {1, 0, t_end, 0, 0, y[0], 0, y[1], 0, 0, 1, 0, 0, vy[0], 0, vy[1]};
  assert_close_array(t.matrix, expected, 16, 1e-9, 1e-9);
}

/* A bouncing ball, and an independent slider on a stiff damper: x'' = -c x' - k x. */
static gradyn_status build_stiff(gradyn_model *model, const gradyn_scalar rho[])
{
  const int slider = gradyn_point(model, "slider", 1, 0);
  const int wall = gradyn_ground_point(model, "wall", -1, 0);
  gradyn_point_mass(model, "slider", slider, 1);
  gradyn_coordinate(model, "rail", slider, GRADYN_Y, &(gradyn_time_function){.value = 0});
  gradyn_spring(model, &(gradyn_spring_spec){.name = "damper",
                                             .from = wall,
                                             .to = slider,
                                             .k = 0.5 * rho[PHASE],
                                             .c = rho[PHASE],
                                             .free_length = 1});
  return build_table(model, (const gradyn_scalar[]){rho[0], rho[1], rho[2], -2.9});
}

static const gradyn_param stiff_params[] = {[AMPLITUDE] = {.name = "amplitude", .init = 0.022},
                                            [RESTITUTION] = {.name = "restitution", .init = 0.8},
                                            [GRAVITY] = {.name = "gravity", .init = 9.81},
                                            [PHASE] = {.name = "damping", .init = 1e6}};
static const gradyn_problem stiff_problem = {GRADYN_PROBLEM_SIZES, .name = "stiff",
                                             .params = stiff_params, .param_count = TABLE_P,
                                             .build = build_stiff};

/* The explicit method would need 80,000 steps. Transition matrices are therefore computed by radau,
 * whichever method the evaluator has. */
TEST(stiff_motions_are_run_by_radau)
{
  const double rho[TABLE_P] = {0.022, 0.8, 9.81, 1e6}, c = rho[PHASE], k = 0.5 * c, T = 0.5;
  const double fast = -(c + sqrt(c * c - 4 * k)) / 2, slow = k / fast;
  const double decay = exp(slow * T), gap = slow - fast; /* exp(fast T) is 0 */
  const double expected[4] = {-fast * decay / gap, decay / gap, -fast * slow * decay / gap,
                              slow * decay / gap};
  const char *const wanted[] = {"slider.x", "ball.y"};
  for (int m = 0; m < RUN_METHODS; m++) {
    LOCAL(gradyn_transition) t;
    run_local *ev = orbit_open(&stiff_problem, run_methods[m], 0);
    assert_run(gradyn_transition_compute(ev, rho, wanted, 2, &t), ev);
    assert_int_equal(t.size, 4);
    for (int i = 0; i < 4; i++)
      assert_close(t.matrix[8 * (i / 2) + 2 * (i % 2)], expected[i], 1e-9, 1e-13);
    assert_close(t.matrix[5] * t.matrix[15] - t.matrix[7] * t.matrix[13], 0.64, 1e-9, 0);
  }
}

/* A mass on a rail and a spring from a point that is shaken. */
static gradyn_status build_shaken(gradyn_model *model, const gradyn_scalar rho[])
{
  int mass = gradyn_point(model, "mass", 1, 0), hand = gradyn_point(model, "hand", 0, 0);
  gradyn_point_mass(model, "mass", mass, 1);
  gradyn_point_mass(model, "hand", hand, 1);
  gradyn_coordinate(model, "rail", mass, GRADYN_Y, &(gradyn_time_function){.value = 0});
  gradyn_coordinate(model, "level", hand, GRADYN_Y, &(gradyn_time_function){.value = 0});
  gradyn_coordinate(model, "shake", hand, GRADYN_X,
                    &(gradyn_time_function){.amplitude = 0.1, .frequency = omega});
  gradyn_spring(model, &(gradyn_spring_spec){.name = "spring",
                                             .from = hand,
                                             .to = mass,
                                             .k = 30 + rho[0] * rho[0],
                                             .c = 2,
                                             .free_length = 1});
  gradyn_functional(
      model, &(gradyn_functional_spec){"x", gradyn_measure_point(model, "", mass, 0, GRADYN_X),
                                       .reduction = GRADYN_AT_END});
  gradyn_end_time(model, 2 * acos(-1) / omega);
  return gradyn_build_status(model);
}

static const gradyn_param shaken_params[] = {{.name = "p", .init = 1}};
static const gradyn_problem shaken = {GRADYN_PROBLEM_SIZES, .name = "shaken",
                                      .params = shaken_params, .param_count = 1,
                                      .build = build_shaken};

/* At p = 0 the square of p has the derivative zero, elsewhere it has not. A result must not reuse that zero
 * after an earlier call at p = 0. */
TEST(results_do_not_depend_on_earlier_calls)
{
  gradyn_orbit orbit[2];
  for (int k = 0; k < 2; k++) {
    const double zero = 0, rho = 4;
    double psi, gradient;
    run_local *ev = orbit_open(&shaken, "explicit", 0);
    if (k == 1)
      assert_int_equal(gradyn_evaluator_gradient(ev, &zero, &psi, &gradient), GRADYN_OK);
    orbit_find(ev, &rho, &(gradyn_orbit_spec){.fixed_period = true}, &orbit[k]);
  }
  assert_int_equal(orbit[0].transition.size, 2);
  assert_true(fabs(orbit[0].start_slope[0]) > 1e-3);
  assert_memory_equal(orbit[0].start_slope, orbit[1].start_slope, sizeof(double[2]));
  assert_memory_equal(orbit[0].transition.matrix, orbit[1].transition.matrix, sizeof(double[4]));
  gradyn_orbit_clear(&orbit[0]);
  gradyn_orbit_clear(&orbit[1]);
}

/* --- a ball under a ceiling ------------------------------------------------------------------------ */

static const gradyn_setting tunes[] = {
    {"grazes", "0: thrown at the ceiling; 1: just up to it", 0, 0, 1}};

/* Ceiling and floor are close to each other: a faster ball bounces more often in 1 s. */
static gradyn_status build_room(gradyn_model *model, const gradyn_scalar rho[])
{
  const double grazing = sqrt(2 * 9.81 * 0.5) * (1 + 1e-13);
  int ball = gradyn_point(model, "ball", 0, 0.5);
  gradyn_initial_velocity(model, ball, 0, gradyn_setting_value(model, "grazes") ? grazing : rho[0]);
  gradyn_point_mass(model, "mass", ball, 1);
  gradyn_coordinate(model, "guide", ball, GRADYN_X, &(gradyn_time_function){.value = 0});
  gradyn_gravity(model, 0, -9.81);
  gradyn_impact(model, &(gradyn_impact_spec){
                           .name = "floor", .point = ball, .axis = GRADYN_Y, .restitution = 0.9});
  gradyn_impact(model, &(gradyn_impact_spec){.name = "ceiling",
                                             .point = ball,
                                             .axis = GRADYN_Y,
                                             .level = {.value = 1},
                                             .below = true,
                                             .restitution = 0.9});
  return gradyn_build_status(model);
}

static const gradyn_param room_params[] = {{.name = "rate", .init = 2}};
static const gradyn_problem room_problem = PROBLEM(
    "room", build_room, room_params, .settings = tunes, .setting_count = 1, .t_end = 1);

TEST(rooms_have_no_orbit)
{
  for (int grazes = 0; grazes <= 1; grazes++) {
    LOCAL(gradyn_orbit) orbit;
    double rate = 2;
    run_local *ev = run_with(&room_problem, .method = "idas", .setting = "grazes", .value = grazes);
    gradyn_status status = gradyn_orbit_compute(ev, &rate,
                                                &(gradyn_orbit_spec){.max_iterations = 1}, &orbit);
    const char *message = gradyn_evaluator_message(ev);
    assert_int_equal(status, grazes ? GRADYN_EVENT : GRADYN_NOT_CONVERGED);
    if (!strstr(message,
                grazes ? "graz" : "the event sequence changed from floor to ceiling, floor"))
      fail_msg("'%s'", message);
  }
}

/* --- what cannot be -------------------------------------------------------------------------------- */

static void fails(const gradyn_problem *problem, double t_end, const gradyn_orbit_spec *spec,
                  gradyn_status expected, const char *says)
{
  double rho[16];
  LOCAL(gradyn_orbit) orbit;
  run_local *ev = orbit_open(problem, "idas", t_end);
  run_initial(ev, rho);
  assert_int_equal(gradyn_orbit_compute(ev, rho, spec, &orbit), expected);
  assert_says(gradyn_evaluator_message(ev), says);
}

TEST(impossible_requests_are_reported)
{
  const gradyn_problem *walker = &gradyn_problem_compass_walker;
  fails(walker, 0, &(gradyn_orbit_spec){.section = "stride"}, GRADYN_INVALID, "step");
  fails(walker, 0.2, &(gradyn_orbit_spec){.section = "step"}, GRADYN_EVENT, "return to step");
  fails(walker, 0, &(gradyn_orbit_spec){.max_iterations = 1}, GRADYN_NOT_CONVERGED, "section");
  fails(&gradyn_problem_ball_on_slope, 0, &(gradyn_orbit_spec){.section = "lands"}, GRADYN_INVALID,
        "mode landed");
  /* the ball loses energy at each bounce and has no orbit; with a drift along x no orbit is isolated */
  LOCAL(gradyn_orbit) orbit;
  double rho[] = {1, 9.81, 0.8, 0};
  run_local *ev = orbit_open(&gradyn_problem_bouncing_ball, "idas", 1);
  gradyn_status status = gradyn_orbit_compute(ev, rho, NULL, &orbit);
  assert_true(status != GRADYN_OK && strlen(gradyn_evaluator_message(ev)) > 0);
}
