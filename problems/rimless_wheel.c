/* A wheel without a rim that rolls down a slope on its spokes. The frame lies along the slope, x downwards.
 * The stance spoke is a rod from its pinned foot to the hub. When the next spoke meets the ground, a map
 * rotates the rod by the angle between two spokes and shifts it back. The pin of the new foot causes the
 * impact. */
#include <gradyn/gradyn.h>

enum { HALF_ANGLE, SLOPE, INERTIA, RATE };

static const gradyn_param params[] = {
    [HALF_ANGLE] = {"half_angle", "rad", .init = 0.39269908169872414, .lower = 0.1, .upper = 0.7,
                    .fixed = true},
    [SLOPE] = {"slope", "rad", .init = 0.08, .lower = 0.01, .upper = 0.4, .fixed = true},
    [INERTIA] = {"inertia", "kg m^2", .init = 0.1, .lower = 0.01, .upper = 1, .fixed = true},
    [RATE] = {"rate", "rad/s", .init = 1.3, .lower = 0.5, .upper = 4},
};

static const gradyn_setting settings[] = {
    {"strides", "strides after which the wheel is evaluated", .init = 1, .lower = 1, .upper = 100},
};

enum { FOOT_X, FOOT_Y, HUB_X, HUB_Y }; /* indices of coordinates, relative to those of the foot */
enum { FOOT = 1 };                     /* number of the point */

/* Height of the foot of the next spoke above the ground. A spoke is 1 m long. */
static gradyn_status height(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->pos[HUB_Y] - at->pos[FOOT_Y] - cos(at->data[0]);
  return GRADYN_OK;
}

/* Positive if the hub is past the foot: only then a step counts. */
static gradyn_status ahead(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->pos[HUB_X] - at->pos[FOOT_X];
  return GRADYN_OK;
}

/* Angular rate of the stance spoke, clockwise. */
static gradyn_status rate(const gradyn_at *at, gradyn_scalar *value)
{
  const gradyn_scalar *q = at->pos + 2 * FOOT, *v = at->vel + 2 * FOOT;
  gradyn_scalar x = q[HUB_X] - q[FOOT_X], y = q[HUB_Y] - q[FOOT_Y];
  *value = v[HUB_X] * y - v[HUB_Y] * x; /* omega, since the spoke is 1 m long */
  return GRADYN_OK;
}

/* Squared deviation of the rate from that of a periodic motion. */
static gradyn_status distance(const gradyn_at *at, gradyn_scalar *value)
{
  gradyn_scalar now;
  gradyn_status status = rate(at, &now);
  *value = (now - at->data[0]) * (now - at->data[0]);
  return status;
}

static gradyn_status build(gradyn_model *mbs, const gradyn_scalar rho[])
{
  gradyn_scalar a = rho[HALF_ANGLE], c = cos(2 * a), s = sin(2 * a);
  int strides = gradyn_setting_value(mbs, "strides");
  int foot = gradyn_point(mbs, "foot", 0, 0), hub = gradyn_point(mbs, "hub", -sin(a), cos(a));
  /* starts after a step has ended, rotating about the foot */
  gradyn_initial_velocity(mbs, hub, rho[RATE] * cos(a), rho[RATE] * sin(a));
  gradyn_pin(mbs, "ground", foot, gradyn_ground_point(mbs, "place", 0, 0));
  /* the rod has all mass at the hub, and the inertia of the whole wheel */
  gradyn_rod(mbs, &(gradyn_rod_spec){"spoke", foot, hub, .length = 1, .mass = 1,
                                     .own_inertia = true, .com = 1, .inertia = rho[INERTIA]});
  gradyn_gravity(mbs, 9.81 * sin(rho[SLOPE]), -9.81 * cos(rho[SLOPE]));

  /* new foot = hub + R(2 a) (foot - hub) - step, new hub = hub - step */
  const gradyn_component x[] = {{foot, GRADYN_X}, {hub, GRADYN_X}},
                         one = {GRADYN_CONSTANT, GRADYN_X},
                         y[] = {{foot, GRADYN_Y}, {hub, GRADYN_Y}};
  const gradyn_map_term map[] = {
      {x[0], x[1], 1 - c, false}, {x[0], y[1], s, false},          {x[0], x[0], c, false},
      {x[0], y[0], -s, false},    {x[0], one, -2 * sin(a), false}, {y[0], y[1], 1 - c, false},
      {y[0], x[1], -s, false},    {y[0], x[0], s, false},          {y[0], y[0], c, false},
      {x[1], x[1], 1, false},     {x[1], one, -2 * sin(a), false}};
  const gradyn_datum angle = {"half_angle", "rad", a}, start = {"rate", "rad/s", rho[RATE]};
  int step = gradyn_event(
      mbs, &(gradyn_event_spec){
               .name = "step",
               .guard = {.terminal = height,
                         .data = &angle,
                         .data_count = 1,
                         .points = (int[]){foot, hub},
                         .point_count = 2},
               .condition = {.terminal = ahead, .points = (int[]){foot, hub}, .point_count = 2},
               .map = map,
               .map_count = GRADYN_COUNT(map)});
  gradyn_draw_trace(mbs, hub);

  gradyn_minimise(
      mbs,
      gradyn_functional(
          mbs,
          &(gradyn_functional_spec){
              "distance",
              gradyn_measure_custom(
                  mbs,
                  &(gradyn_custom_measure_spec){"distance", "rad^2/s^2", .formula = distance,
                                                .data = &start, .data_count = 1, .hidden = true}),
              .reduction = GRADYN_AFTER_EVENT, .event = step, .occurrence = strides}),
      1);
  gradyn_functional(mbs,
                    &(gradyn_functional_spec){
                        "rate_behind",
                        gradyn_measure_custom(
                            mbs, &(gradyn_custom_measure_spec){"rate_behind", "rad/s",
                                                               .formula = rate, .hidden = true}),
                        .reduction = GRADYN_AFTER_EVENT, .event = step, .occurrence = strides});
  gradyn_event_time(mbs, "time", step, strides);
  return gradyn_build_status(mbs);
}

GRADYN_PROBLEM(rimless_wheel,
               .summary = "Wheel without a rim that rolls down a slope on its spokes",
               .params = params, .settings = settings, .setting_count = GRADYN_COUNT(settings),
               .build = build, .t_end = 1.5, .rtol = 1e-10);
