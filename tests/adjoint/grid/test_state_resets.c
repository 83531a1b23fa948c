/* Resets, v+ = f(t, q-, v-, x), in all schemes: direct against adjoint for all data, and against
 * differences of whole runs. A double pendulum of rods, whose inertia couples velocities, is kicked at its
 * end by a function of a signal and a ground point, and then slides along a latched height. Balls exchange
 * their positions, while some velocities are set and others mapped. */
#include "tests/support.h"
#include "tests/adjoint/grid/hybrid_checks.h"
#include "tests/declare.h"

enum { P = 4 };
static const double rho[P] = {1.1, 0.9, 0.413, 1.05};

/* Indices of the points that functions read, in all models. */
enum { PIVOT = 1, ELBOW, HAND, MIDDLE };

FORMULA(when, at->t - at->data[0] - 0.04 * at->vel[4])
FORMULA(mixture, at->pos[4] * at->vel[7] + at->pos[6] * at->t + at->vel[6])

static void add_functionals(gradyn_model *mbs, int point, int other)
{
  gradyn_functional(
      mbs, &(gradyn_functional_spec){"x", gradyn_measure_point(mbs, "", point, 0, GRADYN_X),
                                     .reduction = GRADYN_AT_END});
  gradyn_functional(
      mbs, &(gradyn_functional_spec){"vy", gradyn_measure_point(mbs, "", other, 1, GRADYN_Y),
                                     .reduction = GRADYN_AT_END});
  gradyn_functional(mbs, &(gradyn_functional_spec){
                             "speed", gradyn_measure_point(mbs, "", point, 1, GRADYN_ALL_AXES),
                             .reduction = GRADYN_SQUARE_INTEGRAL, .target = {0.1, 0}});
  gradyn_event_time(mbs, "time", GRADYN_ANY_EVENT, 2);
  gradyn_functional(
      mbs,
      &(gradyn_functional_spec){
          "before",
          gradyn_measure_custom(
              mbs, &(gradyn_custom_measure_spec){"before", "", .formula = mixture, .hidden = true}),
          .reduction = GRADYN_BEFORE_EVENT, .event = GRADYN_ANY_EVENT, .occurrence = 2});
  gradyn_functional(
      mbs,
      &(gradyn_functional_spec){
          "after",
          gradyn_measure_custom(
              mbs, &(gradyn_custom_measure_spec){"after", "", .formula = mixture, .hidden = true}),
          .reduction = GRADYN_AFTER_EVENT, .event = GRADYN_ANY_EVENT, .occurrence = 1});
}

static void add_air(gradyn_model *mbs, const gradyn_scalar r[], int point)
{
  const gradyn_datum air = {"drag", "N s/m", 0.3 * r[1]};
  declare_force(mbs, gradyn_format_name(mbs, "air%d", point), point, hybrid_drag, &air, 1);
}

/* --- a double pendulum ------------------------------------------------------------------------------ */

/* Reset of the hand: vx+ = -e vx/(1 + vx^2) + u + x - pivot. The middle of an arm, which it also reads, is
 * not a state. */
static gradyn_status kick(const gradyn_at *at, gradyn_scalar value[])
{
  const gradyn_scalar v = at->vel[2 * HAND], *d = at->data;
  value[0] = -d[0] * v / (1 + v * v) + at->u[1] + at->pos[2 * HAND] - at->pos[2 * PIVOT] +
             0.3 * at->vel[2 * MIDDLE + 1] * at->t;
  return GRADYN_OK;
}

/* Resets the velocities of both joints, that is of all degrees of freedom. */
FORMULAS(both, 0.4 * at->vel[2 * HAND + 1] - at->data[0] * at->pos[2 * ELBOW],
         0.2 * at->vel[2 * ELBOW] * at->vel[2 * HAND] + 0.1 * at->t)

static gradyn_status build_arms(gradyn_model *mbs, const gradyn_scalar r[])
{
  const int first = gradyn_mode(mbs, "first"), second = gradyn_mode(mbs, "second");
  const gradyn_scalar knots[] = {0.3, 1.5 * r[0], -0.8, 0.4};
  int pivot = gradyn_ground_point(mbs, "pivot", 0.1 * r[3], 0.05);
  int elbow = gradyn_point(mbs, "elbow", 0.6, -0.8 * r[0]),
      hand = gradyn_point(mbs, "hand", 1.4, -1);
  gradyn_initial_velocity(mbs, elbow, 0.2, 0.3);
  gradyn_rod(mbs, &(gradyn_rod_spec){"upper", pivot, elbow, .mass = 0.7 * r[1]});
  gradyn_rod(mbs, &(gradyn_rod_spec){"lower", elbow, hand, .mass = 0.4});
  gradyn_point_between(mbs, "middle", elbow, hand, 0.4 * r[1]);
  gradyn_point_mass(mbs, "tool", hand, 0.3);
  gradyn_gravity(mbs, 0, -3);
  add_air(mbs, r, hand);
  gradyn_signal(
      mbs, &(gradyn_signal_spec){"u", "m/s", GRADYN_PIECEWISE_LINEAR, 4, knots, .times = NULL});
  gradyn_constraint_id latched = gradyn_coordinate(mbs, "height", hand, GRADYN_Y,
                                                   &(gradyn_time_function){.value = 0});
  gradyn_constraint_set_modes(mbs, latched, gradyn_modes_of(second));
  gradyn_latch_constraint(mbs, latched);
  for (int k = 0; k < 2; k++) {
    const gradyn_component vx = {hand, GRADYN_X}, two[] = {{hand, GRADYN_X}, {elbow, GRADYN_Y}};
    const gradyn_datum at = {"at", "s", (1 + k) * r[2]}, share = {"share", "", 0.7 * r[0]};
    gradyn_event_set_modes(
        mbs,
        gradyn_event(mbs,
                     &(gradyn_event_spec){
                         .name = k ? "lets go" : "kick",
                         .guard = {.terminal = when, .data = &at, .data_count = 1},
                         .direction = GRADYN_RISING,
                         .set = k ? two : &vx,
                         .set_count = 1 + k,
                         .reset = {.terminal = k ? both : kick, .data = &share, .data_count = 1},
                         .mode = k ? first : second}),
        gradyn_modes_of(k ? second : first));
  }
  gradyn_end_time(mbs, r[3]);
  add_functionals(mbs, hand, elbow);
  return gradyn_build_status(mbs);
}

/* --- three balls ------------------------------------------------------------------------------------ */

static gradyn_status swing(const gradyn_at *at, gradyn_scalar value[])
{
  const gradyn_scalar *v = at->vel, *q = at->pos;
  value[0] = at->data[0] * v[1] * v[2] - 0.3 * q[5];
  value[1] = v[0] / (1 + q[1] * q[1]) + at->t;
  return GRADYN_OK;
}

/* The balls exchange their positions by a map. The reset sets two velocities, the map all others. */
static int add_swap(gradyn_model *mbs, const gradyn_scalar r[], const int ball[3], int k, int other)
{
  enum { AXES = 2, BALLS = 3 };
  gradyn_map_term map[AXES * BALLS + 1];
  int count = 0;
  const gradyn_component set[] = {{ball[2], GRADYN_Y}, {ball[0], GRADYN_X}};
  const gradyn_datum at = {"at", "s", (1 + k) * r[2]}, gain = {"gain", "s/m", r[1]};
  for (int i = 0; i < BALLS; i++)
    for (int axis = 0; axis < AXES; axis++)
      map[count++] = (gradyn_map_term){{ball[i], (gradyn_axis)axis},
                                       {ball[(i + 1) % BALLS], (gradyn_axis)axis},
                                       0.9 * r[0],
                                       false};
  map[count++] = (gradyn_map_term){{ball[0], GRADYN_X}, {ball[1], GRADYN_Y}, 0.1 * r[1], false};
  return gradyn_event(
      mbs, &(gradyn_event_spec){.name = gradyn_format_name(mbs, "swap%d", k),
                                .guard = {.terminal = when, .data = &at, .data_count = 1},
                                .direction = GRADYN_RISING,
                                .set = set,
                                .set_count = 2,
                                .reset = {.terminal = swing,
                                          .data = &gain,
                                          .data_count = 1,
                                          .points = ball,
                                          .point_count = BALLS},
                                .map = map,
                                .map_count = count,
                                .mode = other});
}

static gradyn_status build_balls(gradyn_model *mbs, const gradyn_scalar r[])
{
  static const double place[] = {0, 1, 0.8, 0.7, 1.7, 1.2},
                      speed[] = {0.5, 0, -0.2, 0.4, 0.1, -0.3};
  /* so that each happens once */
  const int mode[] = {gradyn_mode(mbs, "first"), gradyn_mode(mbs, "second")};
  int ball[3];
  for (int k = 0; k < 3; k++) {
    ball[k] = gradyn_point(mbs, gradyn_format_name(mbs, "ball%d", k), place[2 * k] * r[0],
                           place[2 * k + 1]);
    gradyn_initial_velocity(mbs, ball[k], speed[2 * k], speed[2 * k + 1]);
    gradyn_point_mass(mbs, gradyn_format_name(mbs, "mass%d", k), ball[k], 1 + 0.4 * k);
    add_air(mbs, r, ball[k]);
  }
  for (int k = 0; k < 2; k++)
    gradyn_spring(mbs, &(gradyn_spring_spec){gradyn_format_name(mbs, "spring%d", k), ball[k],
                                             ball[k + 1], .k = 12, .c = 0.2, .free_length = 0.6});
  for (int k = 0; k < 2; k++)
    gradyn_event_set_modes(mbs, add_swap(mbs, r, ball, k, mode[!k]), gradyn_modes_of(mode[k]));
  gradyn_end_time(mbs, r[3]);
  add_functionals(mbs, ball[0], ball[2]);
  return gradyn_build_status(mbs);
}

/* ---------------------------------------------------------------------------------------------------- */

static const gradyn_param params[] = {{.name = "rho", .count = P, .init = 1}};

static void check(gradyn_status (*build)(gradyn_model *, const gradyn_scalar[]), int row)
{
  const gradyn_problem problem = PROBLEM("resets", build, params, .t_end = 1.05, .rtol = 1e-12);
  hybrid_agree(&problem, rho, 2, row);
  hybrid_differ(&problem, rho, row);
}

TEST(velocities_of_tied_bodies_are_set)
{
  check(build_arms, 1);
}

TEST(a_map_and_a_formula_go_together)
{
  check(build_balls, 2);
}
