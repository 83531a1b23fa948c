/* The compass-like biped of Goswami, Espiau and Keramane (1996): two straight legs of 1 m and 5 kg and a
 * hip walk down a slope without a motor. The frame lies along the slope, x downwards; angles of legs are
 * from the vertical, positive where the hip is behind the foot. The foot that stands is pinned. When the
 * other one meets the ground they change names, and the walker is shifted back, so that the pin holds the
 * new foot: the impact. */
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
    {"strides", "steps after which the walker is looked at", .init = 1, .lower = 1, .upper = 100},
};

/* Numbers of the points. */
enum { STANDING, SWINGING, HIP };

/* Of the swinging foot above the ground. */
static gradyn_status height(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->pos[2 * SWINGING + 1] - at->pos[2 * STANDING + 1];
  return GRADYN_OK;
}

/* In front of the other foot by more than a little: straight legs scuff when they pass each other. */
static gradyn_status ahead(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->pos[2 * SWINGING] - at->pos[2 * STANDING] - 0.05;
  return GRADYN_OK;
}

/* Angle of a leg and its rate. */
static void angle_of(const gradyn_at *at, int foot, gradyn_scalar angle[2])
{
  const gradyn_scalar *q = at->pos, *v = at->vel;
  /* from foot to hip, a leg of 1 m */
  gradyn_scalar x = q[2 * HIP] - q[2 * foot], y = q[2 * HIP + 1] - q[2 * foot + 1];
  gradyn_scalar vx = v[2 * HIP] - v[2 * foot], vy = v[2 * HIP + 1] - v[2 * foot + 1];
  angle[0] = -asin(x) - at->data[0]; /* from the vertical, which leans by the slope */
  angle[1] = vy * x - vx * y;        /* the turn of a vector of length 1 */
}

/* stand, stand_rate, swing_rate now. */
static void state_of(const gradyn_at *at, gradyn_scalar state[3])
{
  gradyn_scalar stand[2], swing[2];
  angle_of(at, STANDING, stand);
  angle_of(at, SWINGING, swing);
  state[0] = stand[0];
  state[1] = stand[1];
  state[2] = swing[1];
}

/* Behind a step, in the angles that the text has. */
static gradyn_status show(const gradyn_at *at, gradyn_scalar *value)
{
  gradyn_scalar state[3];
  state_of(at, state);
  *value = state[*(const int *)at->user];
  return GRADYN_OK;
}

/* How far from a periodic gait it is: the square of the distance of the state from that at the start. */
static gradyn_status distance(const gradyn_at *at, gradyn_scalar *value)
{
  gradyn_scalar state[3];
  state_of(at, state);
  *value = 0;
  for (int k = 0; k < 3; k++)
    *value += (state[k] - at->data[1 + k]) * (state[k] - at->data[1 + k]);
  return GRADYN_OK;
}

/* Two legs, a hip, gravity along the slope. */
static void add_walker(gradyn_model *mbs, const gradyn_scalar rho[])
{
  gradyn_scalar slope = rho[SLOPE],
                a = rho[STAND] + slope; /* the legs' angles from the normal: a, -a */
  /* the hip turns about the standing foot; the other foot about the hip */
  gradyn_scalar v[] = {-rho[STAND_RATE] * cos(a), -rho[STAND_RATE] * sin(a)};
  int foot = gradyn_point(mbs, "standing", 0, 0),
      other = gradyn_point(mbs, "swinging", -2 * sin(a), 0);
  int hip = gradyn_point(mbs, "hip", -sin(a), cos(a));
  gradyn_initial_velocity(mbs, hip, v[0], v[1]);
  gradyn_initial_velocity(mbs, other, v[0] + rho[SWING_RATE] * cos(a),
                          v[1] - rho[SWING_RATE] * sin(a));
  gradyn_pin(mbs, "ground", foot, gradyn_ground_point(mbs, "place", 0, 0));
  /* the mass of a leg stands at 1/(1 + lengths) of it, seen from the foot */
  gradyn_rod_spec leg = {.from = foot,
                         .to = hip,
                         .name = "leg1",
                         .length = 1,
                         .mass = 5,
                         .own_inertia = true,
                         .com = 1 / (1 + rho[LENGTHS])};
  gradyn_rod(mbs, &leg);
  leg.name = "leg2";
  leg.from = other;
  gradyn_rod(mbs, &leg);
  gradyn_point_mass(mbs, "hip", hip, 5 * rho[MASSES]);
  gradyn_gravity(mbs, 9.81 * sin(slope), -9.81 * cos(slope));
  gradyn_draw_trace(mbs, hip);
}

/* The feet change places, and all is shifted back by where the new one stands. */
static int add_step(gradyn_model *mbs)
{
  const int feet[] = {STANDING, SWINGING};
  gradyn_transfer map[12];
  int count = 0;
  /* r+ = r(of the other foot, or hip) - r(swinging), for x and y */
  for (int k = 0; k < 2; k++)
    for (int to = STANDING; to <= HIP; to++) {
      int from = to == HIP ? HIP : SWINGING - to;
      map[count++] = (gradyn_transfer){{to, (gradyn_axis)k}, {from, (gradyn_axis)k}, 1, false};
      map[count++] = (gradyn_transfer){{to, (gradyn_axis)k}, {SWINGING, (gradyn_axis)k}, -1, true};
    }
  return gradyn_when(
      mbs, &(gradyn_when_spec){.name = "step",
                               .guard = {.terminal = height, .reads = feet, .read_count = 2},
                               .armed = {.terminal = ahead, .reads = feet, .read_count = 2},
                               .map = map,
                               .map_count = count});
}

static gradyn_status build(gradyn_model *mbs, const gradyn_scalar rho[])
{
  static const int number[] = {0, 1, 2};
  static const char *const name[] = {"stand_behind", "stand_rate_behind", "swing_rate_behind"};
  const gradyn_datum data[] = {{"slope", "rad", rho[SLOPE]},
                               {"stand", "rad", rho[STAND]},
                               {"stand_rate", "rad/s", rho[STAND_RATE]},
                               {"swing_rate", "rad/s", rho[SWING_RATE]}};
  add_walker(mbs, rho);
  int strides = gradyn_setting_value(mbs, "strides"), step = add_step(mbs);
  /* a gait repeats if the state behind the last step is that of the start */
  gradyn_minimise(
      mbs, gradyn_after_event(mbs,
                              &(gradyn_custom_functional_spec){"distance", "", .terminal = distance,
                                                               .data = data, .data_count = 4},
                              step, strides));
  for (int k = 0; k < 3; k++)
    gradyn_after_event(
        mbs,
        &(gradyn_custom_functional_spec){name[k], k ? "rad/s" : "rad", .terminal = show,
                                         .data = data, .data_count = 1, .user = (void *)&number[k]},
        step, strides);
  gradyn_event_time(mbs, "time", step, strides);
  return gradyn_built(mbs);
}

GRADYN_PROBLEM(compass_walker, .summary = "Two legs that walk down a slope without a motor",
               .reference = "Goswami, Espiau, Keramane (1996)", .params = params,
               .settings = settings, .setting_count = GRADYN_COUNT(settings), .build = build,
               .t_end = 1.0, .rtol = 1e-10);
