/* The compass-like biped of Goswami, Espiau and Keramane (1996): two straight legs of 1 m and 5 kg and a
 * hip walk down a slope without a motor. The frame lies along the slope, x downwards; angles of legs are
 * from the vertical, positive if the hip is behind the foot. The stance foot is pinned. When the swing foot
 * meets the ground, a map exchanges the legs and shifts the walker back. The pin then holds the new foot,
 * which causes the impact.
 *
 * A search finds the periodic gait. With the setting `disturbed`, further walkers start near the gait.
 * Masses, lengths and slope are then designed so that these walkers return to it as fast as possible. */
#include <gradyn/gradyn.h>

enum { SLOPE, MASSES, LENGTHS, STAND, STAND_RATE, SWING_RATE };

static const gradyn_param params[] = {
    [SLOPE] = {"slope", "rad", .init = 0.05235987755982988, .lower = 0.01, .upper = 0.1,
               .fixed = true},
    [MASSES] = {"masses", "", .init = 2, .lower = 0.5, .upper = 10, .fixed = true},
    [LENGTHS] = {"lengths", "", .init = 1, .lower = 0.3, .upper = 3, .fixed = true},
    [STAND] = {"stand", "rad", .init = 0.2187, .lower = 0.05, .upper = 0.4},
    [STAND_RATE] = {"stand_rate", "rad/s", .init = -1.0918, .lower = -3, .upper = -0.3},
    [SWING_RATE] = {"swing_rate", "rad/s", .init = -0.3772, .lower = -3, .upper = 1},
};

static const gradyn_setting settings[] = {
    {"strides", "steps after which walkers are evaluated", .init = 1, .lower = 1, .upper = 100},
    {"disturbed", "walkers that start off the gait; 0: search for the gait", .init = 0, .lower = 0,
     .upper = 6},
};

/* Points of a walker, numbered relative to its first point. */
enum { STANDING = 1, SWINGING, HIP, POINTS = 4 }; /* numbers of the points of the first walker */
enum { STANDS, SWINGS };                          /* indices of the feet in lists of points */
static const int first_of[] = {0,          POINTS,     2 * POINTS, 3 * POINTS,
                               4 * POINTS, 5 * POINTS, 6 * POINTS};
enum { STATES = 3 }; /* the states are stand, stand_rate, swing_rate */

/* Disturbance of an initial state, rad or rad/s. Each of the three states is disturbed in turn, first
 * positively, then negatively. */
static const double off = 0.01;

/* Returns how many points precede those of the walker to which a formula applies. */
static int first(const gradyn_at *at)
{
  return *(const int *)at->user;
}

/* Height of the swing foot above the ground. */
static gradyn_status height(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->pos[2 * SWINGS + 1] - at->pos[2 * STANDS + 1];
  return GRADYN_OK;
}

/* Positive if the swing foot is more than 0.05 m ahead: straight legs also touch the ground when they pass
 * each other. */
static gradyn_status ahead(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->pos[2 * SWINGS] - at->pos[2 * STANDS] - 0.05;
  return GRADYN_OK;
}

/* Computes the angle of a leg and its rate. */
static void angle_of(const gradyn_at *at, int walker, int foot, gradyn_scalar angle[2])
{
  const gradyn_scalar *q = at->pos + 2 * walker, *v = at->vel + 2 * walker;
  /* vector from foot to hip; a leg is 1 m long */
  gradyn_scalar x = q[2 * HIP] - q[2 * foot], y = q[2 * HIP + 1] - q[2 * foot + 1];
  gradyn_scalar vx = v[2 * HIP] - v[2 * foot], vy = v[2 * HIP + 1] - v[2 * foot + 1];
  /* angle from the vertical, which is inclined to the frame by the slope */
  angle[0] = -asin(x) - at->data[0];
  angle[1] = vy * x - vx * y; /* angular rate of a vector of length one */
}

/* Computes the present state of a walker: stand, stand_rate, swing_rate. */
static void state_of(const gradyn_at *at, int walker, gradyn_scalar state[STATES])
{
  gradyn_scalar stand[2], swing[2];
  angle_of(at, walker, STANDING, stand);
  angle_of(at, walker, SWINGING, swing);
  state[0] = stand[0];
  state[1] = stand[1];
  state[2] = swing[1];
}

/* A state of the walker on the gait after a step; angles are as in the paper. */
static gradyn_status show(const gradyn_at *at, gradyn_scalar *value)
{
  gradyn_scalar state[STATES];
  state_of(at, 0, state);
  *value = state[*(const int *)at->user];
  return GRADYN_OK;
}

/* A state after a step minus its initial value: zero on a periodic gait. */
static gradyn_status miss(const gradyn_at *at, gradyn_scalar *value)
{
  gradyn_status status = show(at, value);
  *value -= at->data[1 + *(const int *)at->user];
  return status;
}

/* Squared distance between the state of a walker and the initial state of the gait. */
static gradyn_status distance(const gradyn_at *at, gradyn_scalar *value)
{
  gradyn_scalar state[STATES];
  state_of(at, first(at), state);
  *value = 0;
  /* sum of (z_k - z_k of the gait)^2 */
  for (int k = 0; k < STATES; k++)
    *value += (state[k] - at->data[1 + k]) * (state[k] - at->data[1 + k]);
  return GRADYN_OK;
}

/* Returns a name for walker i. Names of walker 0, which is on the gait, have no number. */
static const char *name_of(gradyn_model *mbs, const char *what, int i)
{
  return i == 0 ? what : gradyn_format_name(mbs, "%s%d", what, i);
}

/* Adds a walker: two legs and a hip. */
static void add_walker(gradyn_model *mbs, const gradyn_scalar rho[], const gradyn_scalar start[],
                       int i)
{
  gradyn_scalar a = start[0] +
                    rho[SLOPE]; /* a and -a: angles of the legs from the normal of the slope */
  /* the hip turns about the standing foot, and the other foot about the hip */
  gradyn_scalar v[] = {-start[1] * cos(a), -start[1] * sin(a)};
  int foot = gradyn_point(mbs, name_of(mbs, "standing", i), 0, 0),
      other = gradyn_point(mbs, name_of(mbs, "swinging", i), -2 * sin(a), 0);
  int hip = gradyn_point(mbs, name_of(mbs, "hip", i), -sin(a), cos(a));
  gradyn_initial_velocity(mbs, hip, v[0], v[1]);
  gradyn_initial_velocity(mbs, other, v[0] + start[2] * cos(a), v[1] - start[2] * sin(a));
  gradyn_pin(mbs, name_of(mbs, "ground", i), foot,
             gradyn_ground_point(mbs, name_of(mbs, "place", i), 0, 0));
  /* the centre of mass of a leg is at 1/(1 + lengths) of its length from the foot */
  gradyn_rod_spec leg = {.from = foot,
                         .to = hip,
                         .name = name_of(mbs, "leg1", i),
                         .length = 1,
                         .mass = 5,
                         .own_inertia = true,
                         .com = 1 / (1 + rho[LENGTHS])};
  gradyn_rod(mbs, &leg);
  leg.name = name_of(mbs, "leg2", i);
  leg.from = other;
  gradyn_rod(mbs, &leg);
  /* the parameter is a multiple of the mass of a leg */
  gradyn_point_mass(mbs, name_of(mbs, "hip", i), hip, 5 * rho[MASSES]);
}

/* Adds the step of walker i: a map exchanges the feet, and shifts all points back by the position of the
 * new stance foot. */
static int add_step(gradyn_model *mbs, int i)
{
  const int at = first_of[i], feet[] = {at + STANDING, at + SWINGING};
  gradyn_map_term map[12];
  int count = 0;
  /* new r = r of the other foot (or of the hip) - r of the swinging foot, for x and y */
  for (int k = 0; k < 2; k++)
    for (int to = STANDING; to <= HIP; to++) {
      gradyn_component into = {at + to, (gradyn_axis)k}, new_foot = {at + SWINGING, into.axis};
      gradyn_component from = {at + (to == HIP ? HIP : STANDING + SWINGING - to), into.axis};
      map[count++] = (gradyn_map_term){into, from, 1, false};
      map[count++] = (gradyn_map_term){into, new_foot, -1, true};
    }
  /* guard and condition depend on the positions of both feet */
  const gradyn_custom_functional_spec guard = {
      .terminal = height, .points = feet, .point_count = 2};
  gradyn_event_spec step = {.name = name_of(mbs, "step", i),
                            .guard = guard,
                            .condition = guard,
                            .map = map,
                            .map_count = count};
  step.condition.terminal = ahead;
  return gradyn_event(mbs, &step);
}

/* READ: number of data of the formulas, which are the slope and the initial state of the gait. */
enum { READ = 1 + STATES };

/* Requires that the state after the first step equals the initial state. Among these gaits, the objective
 * selects the one to which the disturbed walkers converge fastest. It is the mean squared distance after
 * the last step, divided by its initial value. */
static void design(gradyn_model *mbs, const gradyn_scalar rho[], const gradyn_datum data[READ],
                   int step, int strides)
{
  static const int number[STATES] = {0, 1, 2};
  static const char *const name[STATES] = {"stand_miss", "stand_rate_miss", "swing_rate_miss"};
  const int disturbed = gradyn_setting_value(mbs, "disturbed");
  /* state z after the first step = z at the start */
  for (int k = 0; k < STATES; k++)
    gradyn_constrain(
        mbs,
        gradyn_functional(
            mbs,
            &(gradyn_functional_spec){
                name[k],
                gradyn_measure_custom(
                    mbs,
                    &(gradyn_custom_measure_spec){name[k], k ? "rad/s" : "rad", .formula = miss,
                                                  .data = data, .data_count = READ,
                                                  .user = (void *)&number[k], .hidden = true}),
                .reduction = GRADYN_AFTER_EVENT, .event = step, .occurrence = 1}),
        0, 0, 1e-8);
  /* adds walkers at z + off e_k and z - off e_k; they do not touch each other */
  for (int i = 1; i <= disturbed; i++) {
    gradyn_scalar start[STATES] = {rho[STAND], rho[STAND_RATE], rho[SWING_RATE]};
    start[(i - 1) % STATES] += i <= STATES ? off : -off;
    add_walker(mbs, rho, start, i);
    const char *own = name_of(mbs, "distance", i);
    const int touches = add_step(mbs, i);
    const int away = gradyn_measure_custom(
        mbs, &(gradyn_custom_measure_spec){own, "", .formula = distance, .data = data,
                                           .data_count = READ, .user = (void *)&first_of[i],
                                           .hidden = true});
    int behind = gradyn_functional(
        mbs, &(gradyn_functional_spec){own, away, .reduction = GRADYN_AFTER_EVENT, .event = touches,
                                       .occurrence = strides});
    /* mean of |z - z of the gait|^2 / off^2 */
    gradyn_minimise(mbs, behind, 1 / (disturbed * off * off));
  }
}

static gradyn_status build(gradyn_model *mbs, const gradyn_scalar rho[])
{
  static const int number[STATES] = {0, 1, 2};
  static const char *const name[STATES] = {"stand_behind", "stand_rate_behind",
                                           "swing_rate_behind"};
  const gradyn_datum data[READ] = {{"slope", "rad", rho[SLOPE]},
                                   {"stand", "rad", rho[STAND]},
                                   {"stand_rate", "rad/s", rho[STAND_RATE]},
                                   {"swing_rate", "rad/s", rho[SWING_RATE]}};
  add_walker(mbs, rho, &rho[STAND], 0);
  gradyn_gravity(mbs, 9.81 * sin(rho[SLOPE]), -9.81 * cos(rho[SLOPE]));
  gradyn_draw_trace(mbs, HIP);
  int strides = gradyn_setting_value(mbs, "strides"), step = add_step(mbs, 0);
  if (gradyn_setting_value(mbs, "disturbed") > 0) {
    design(mbs, rho, data, step, strides);
    return gradyn_build_status(mbs);
  }
  /* a gait is periodic if the state after the last step equals the initial state */
  gradyn_minimise(
      mbs,
      gradyn_functional(
          mbs,
          &(gradyn_functional_spec){
              "distance",
              gradyn_measure_custom(
                  mbs, &(gradyn_custom_measure_spec){"distance", "", .formula = distance,
                                                     .data = data, .data_count = READ,
                                                     .user = (void *)&first_of[0], .hidden = true}),
              .reduction = GRADYN_AFTER_EVENT, .event = step, .occurrence = strides}),
      1);
  for (int k = 0; k < STATES; k++)
    gradyn_functional(
        mbs,
        &(gradyn_functional_spec){
            name[k],
            gradyn_measure_custom(
                mbs, &(gradyn_custom_measure_spec){name[k], k ? "rad/s" : "rad", .formula = show,
                                                   .data = data, .data_count = 1,
                                                   .user = (void *)&number[k], .hidden = true}),
            .reduction = GRADYN_AFTER_EVENT, .event = step, .occurrence = strides});
  gradyn_event_time(mbs, "time", step, strides);
  return gradyn_build_status(mbs);
}

GRADYN_PROBLEM(compass_walker, .summary = "Two legs that walk down a slope without a motor",
               .reference = "Goswami, Espiau, Keramane (1996)", .params = params,
               .settings = settings, .setting_count = GRADYN_COUNT(settings), .build = build,
               .t_end = 1.0, .rtol = 1e-10);
