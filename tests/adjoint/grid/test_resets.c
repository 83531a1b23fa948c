/* Events after which only forces, only a controller or only signals differ, and events that change
 * everything: constraints appear and vanish, three balls exchange their positions, forces and controllers
 * change. In all schemes, direct is compared with adjoint for all data, and with differences of whole runs.
 */
#include "tests/support.h"
#include "tests/adjoint/grid/hybrid_checks.h"
#include "tests/declare.h"

enum { P = 4, BALLS = 3 };

/* What differs between the first and the second mode. */
typedef enum change { FORCES, CONTROLLER, SIGNALS, PLACES, EVERYTHING } change;
static change now;

static const double rho[P] = {1.1, 0.9, 0.413, 1.3};

FORMULA(clock_guard, at->t - at->data[0] - 0.05 * at->vel[3])
FORMULA(mixture, at->pos[2] * at->vel[5] + at->pos[7] + at->t)

/* Three balls on springs in a row, with air resistance. */
static void add_balls(gradyn_model *mbs, const gradyn_scalar r[], int ball[BALLS])
{
  static const double place[] = {0, 1, 0.8, 0.7, 1.7, 1.2},
                      speed[] = {0.5, 0, -0.2, 0.4, 0.1, -0.3};
  const gradyn_datum air = {"drag", "N s/m", 0.2 * r[1]};
  for (int k = 0; k < BALLS; k++) {
    ball[k] = gradyn_point(mbs, gradyn_format_name(mbs, "ball%d", k), place[2 * k] * r[0],
                           place[2 * k + 1]);
    gradyn_initial_velocity(mbs, ball[k], speed[2 * k], speed[2 * k + 1]);
    gradyn_point_mass(mbs, gradyn_format_name(mbs, "mass%d", k), ball[k], 1 + 0.4 * k);
    declare_force(mbs, gradyn_format_name(mbs, "air%d", k), ball[k], hybrid_drag, &air, 1);
  }
  for (int k = 0; k < BALLS - 1; k++)
    gradyn_spring(mbs, &(gradyn_spring_spec){gradyn_format_name(mbs, "spring%d", k), ball[k],
                                             ball[k + 1], .k = 12, .c = 0.2, .free_length = 0.6});
  gradyn_gravity(mbs, 0, -2);
}

/* A force on the first ball, with a signal of its own for each mode. */
static int add_signal(gradyn_model *mbs, const gradyn_scalar r[], int ball, int mode)
{
  const gradyn_scalar knots[] = {0.3, 1.5 * r[0], -0.8, 0.4};
  const gradyn_signal_kind kind = mode == 0 ? GRADYN_CUBIC_SPLINE : GRADYN_PIECEWISE_LINEAR;
  int u = gradyn_signal(mbs, &(gradyn_signal_spec){gradyn_format_name(mbs, "u%d", mode), "N", kind,
                                                   4, knots, .times = NULL});
  return declare_push(mbs, gradyn_format_name(mbs, "push%d", mode), ball, mode == 0 ? 1 : 2,
                      mode == 0 ? 2 : -1, u);
}

/* A controller that keeps two balls at a distance along x: z' = e, u = kp e + ki z. */
static gradyn_status control(const gradyn_at *at, gradyn_scalar force[])
{
  const gradyn_scalar e = at->data[0] - (at->pos[4] - at->pos[2]);
  const gradyn_scalar u = at->data[1] * e + at->data[2] * at->vel[0];
  for (int k = 0; k < 6; k++)
    force[k] = 0;
  force[0] = e;
  force[2] = -u;
  force[4] = u;
  return GRADYN_OK;
}

static int add_controller(gradyn_model *mbs, const gradyn_scalar r[], const int of[3], int mode)
{
  const gradyn_datum data[] = {{"target", "m", mode == 0 ? 1.5 : 1.1 * r[1]},
                               {"kp", "N/m", mode == 0 ? 9 * r[0] : 3},
                               {"ki", "N/(m s)", mode == 0 ? 2 : 5}};
  return gradyn_custom_force(
      mbs, &(gradyn_custom_force_spec){.name = gradyn_format_name(mbs, "control%d", mode),
                                       .points = of,
                                       .point_count = 3,
                                       .fn = control,
                                       .data = data,
                                       .data_count = 3});
}

/* Declares the elements of one mode, which is numbered from 0. */
static void add_mode(gradyn_model *mbs, const gradyn_scalar r[], const int ball[BALLS], int mode,
                     int state, gradyn_modes own)
{
  if (now == FORCES || now == EVERYTHING)
    gradyn_force_set_modes(
        mbs,
        gradyn_spring(mbs,
                      &(gradyn_spring_spec){gradyn_format_name(mbs, "own%d", mode), ball[0],
                                            ball[1 + mode], .k = 8 * r[1], .free_length = 0.4}),
        own);
  if (now == CONTROLLER || now == EVERYTHING)
    gradyn_force_set_modes(
        mbs, add_controller(mbs, r, (const int[]){state, ball[0], ball[2]}, mode), own);
  if (now == SIGNALS || now == EVERYTHING)
    gradyn_force_set_modes(mbs, add_signal(mbs, r, ball[0], mode), own);
  if (now == EVERYTHING) { /* a different ball is held at its height in each mode */
    const int held = gradyn_coordinate(mbs, gradyn_format_name(mbs, "held%d", mode), ball[mode],
                                       GRADYN_Y,
                                       &(gradyn_time_function){.value = mode == 0 ? 1 : 0});
    gradyn_latch_constraint(mbs, held);
    gradyn_constraint_set_modes(mbs, held, own); /* modes may also be set after latching */
  }
}

/* Balls exchange their positions cyclically, with a small rotation of each. */
static int add_map(const int ball[BALLS], const gradyn_scalar r[], gradyn_map_term *map)
{
  int count = 0;
  for (int k = 0; k < BALLS; k++)
    for (int axis = 0; axis < 2; axis++)
      map[count++] = (gradyn_map_term){
          {ball[k], (gradyn_axis)axis}, {ball[(k + 1) % BALLS], (gradyn_axis)axis}, 1, false};
  map[count++] = (gradyn_map_term){{ball[0], GRADYN_X}, {ball[1], GRADYN_Y}, 0.1 * r[1], false};
  map[count++] = (gradyn_map_term){{ball[2], GRADYN_Y}, {GRADYN_CONSTANT, GRADYN_X}, 0.2, false};
  return count;
}

static gradyn_status build(gradyn_model *mbs, const gradyn_scalar r[])
{
  int ball[BALLS];
  gradyn_map_term map[2 * BALLS + 2];
  const int mode[2] = {gradyn_mode(mbs, "first"), gradyn_mode(mbs, "second")};
  const bool moves = now == PLACES || now == EVERYTHING;
  add_balls(mbs, r, ball);
  int state = gradyn_first_order_state(
      mbs, &(gradyn_first_order_state_spec){.name = "memory", .unit = "m s", .initial = 0.1});
  for (int k = 0; k < 2; k++) {
    const gradyn_datum at = {"at", "s", (1 + k) * r[2]};
    add_mode(mbs, r, ball, k, state, gradyn_modes_of(mode[k]));
    gradyn_event_set_modes(
        mbs,
        gradyn_event(
            mbs,
            &(gradyn_event_spec){.name = gradyn_format_name(mbs, "change%d", k),
                                 .guard = {.terminal = clock_guard, .data = &at, .data_count = 1},
                                 .direction = GRADYN_RISING,
                                 .map = map,
                                 .map_count = moves ? add_map(ball, r, map) : 0,
                                 .mode = mode[!k]}),
        gradyn_modes_of(mode[k]));
  }
  gradyn_end_time(mbs, r[3]);
  gradyn_functional(
      mbs, &(gradyn_functional_spec){"x", gradyn_measure_point(mbs, "", ball[0], 0, GRADYN_X),
                                     .reduction = GRADYN_AT_END});
  gradyn_functional(
      mbs, &(gradyn_functional_spec){"vy", gradyn_measure_point(mbs, "", ball[2], 1, GRADYN_Y),
                                     .reduction = GRADYN_AT_END});
  gradyn_functional(mbs, &(gradyn_functional_spec){
                             "speed", gradyn_measure_point(mbs, "", ball[1], 1, GRADYN_ALL_AXES),
                             .reduction = GRADYN_SQUARE_INTEGRAL, .target = {0.1, 0}});
  gradyn_event_time(mbs, "time", GRADYN_ANY_EVENT, 2);
  gradyn_functional(
      mbs,
      &(gradyn_functional_spec){
          "after",
          gradyn_measure_custom(
              mbs, &(gradyn_custom_measure_spec){"after", "", .formula = mixture, .hidden = true}),
          .reduction = GRADYN_AFTER_EVENT, .event = GRADYN_ANY_EVENT, .occurrence = 2});
  return gradyn_build_status(mbs);
}

static const gradyn_param params[] = {{.name = "rho", .count = P, .init = 1}};
static const gradyn_problem problem = PROBLEM("resets", build, params, .t_end = 1.3, .rtol = 1e-10);

static void check(change wanted)
{
  now = wanted;
  hybrid_agree(&problem, rho, 2, (int)wanted + 1);
  hybrid_differ(&problem, rho, (int)wanted + 1);
}

TEST(forces_alone_may_change)
{
  check(FORCES);
}

TEST(a_controller_alone_may_change)
{
  check(CONTROLLER);
}

TEST(signals_alone_may_change)
{
  check(SIGNALS);
}

TEST(several_balls_may_exchange_positions)
{
  check(PLACES);
}

TEST(everything_may_change_at_once)
{
  check(EVERYTHING);
}
