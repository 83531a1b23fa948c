/* A double pendulum of uniform rods, whose tip meets a wall: the planar rigid body in contact of Kong et
 * al. (2023), section V. Its mass matrix depends on the configuration. A rotating force acts on the tip.
 * The tip bounces off the wall, or it lands and slides or sticks by Coulomb's law, until it slips or lifts
 * off. Initial angles are from straight down. Functionals report the angles and rates before and after an
 * event. */
#include <gradyn/gradyn.h>

enum { A1, A2, W1, W2, WALL, RESTITUTION, STILL, KINETIC, PUSH, TURN };

static const gradyn_param params[] = {
    [A1] = {"a1", "rad", .init = 0.3, GRADYN_UNBOUNDED, .role = GRADYN_INITIAL_STATE},
    [A2] = {"a2", "rad", .init = -0.5, GRADYN_UNBOUNDED, .role = GRADYN_INITIAL_STATE},
    [W1] = {"w1", "rad/s", .init = 0.4, GRADYN_UNBOUNDED, .role = GRADYN_INITIAL_STATE},
    [W2] = {"w2", "rad/s", .init = 2.0, GRADYN_UNBOUNDED, .role = GRADYN_INITIAL_STATE},
    [WALL] = {"wall", "m", .init = 0.5, GRADYN_UNBOUNDED},
    [RESTITUTION] = {"restitution", "", .init = 0.7, .lower = 0.1, .upper = 1},
    [STILL] = {"still", "", .init = 0.6, .lower = 0.1, .upper = 2, .fixed = true},
    [KINETIC] = {"kinetic", "", .init = 0.4, .lower = 0.05, .upper = 2, .fixed = true},
    [PUSH] = {"push", "N", .init = 60, .lower = 0, .upper = 500, .fixed = true},
    [TURN] = {"turn", "rad/s", .init = 2, .lower = -20, .upper = 20, .fixed = true},
};

enum { BOUNCES, SLIDES, STICKS }; /* values of the setting `landing` */

static const gradyn_setting settings[] = {
    {"landing", "0: the tip bounces; 1: it slides down the wall; 2: it sticks to it", 0, 0, 2},
    {"friction", "1: where it slides there is friction, and it may stick", 1, 0, 1},
    {"told", "the event whose state functionals report", 1, 1, 100},
};

enum { PIVOT = 1, ELBOW, TIP, FIRST_ANGLE = 0, SECOND_ANGLE, FIRST_RATE, SECOND_RATE };
enum { FACE = 3, GRIP }; /* numbers of these constraints, which follow those of the two rods */

/* An angle of a rod, or its rate. `user` points to a number that selects one of them. */
static gradyn_status in_angles(const gradyn_at *at, gradyn_scalar *value)
{
  int which = *(const int *)at->user, from = PIVOT + which % 2, to = from + 1;
  gradyn_scalar x = at->pos[2 * to] - at->pos[2 * from];
  gradyn_scalar y = at->pos[2 * to + 1] - at->pos[2 * from + 1];
  gradyn_scalar vx = at->vel[2 * to] - at->vel[2 * from];
  gradyn_scalar vy = at->vel[2 * to + 1] - at->vel[2 * from + 1];
  /* angle from straight down; rate = r x v / |r|^2 */
  *value = which < 2 ? atan(x / -y) : (x * vy - y * vx) / (x * x + y * y);
  return GRADYN_OK;
}

/* Declares functionals of the state before and after the event that the setting selects. */
static void tell_state(gradyn_model *mbs)
{
  static const int number[] = {FIRST_ANGLE, SECOND_ANGLE, FIRST_RATE, SECOND_RATE};
  static const char *const before[] = {"angle_1", "angle_2", "rate_1_before", "rate_2_before"};
  static const char *const after[] = {NULL, NULL, "rate_1_after", "rate_2_after"};
  /* the number of the event, counted over all kinds of events */
  const int told = gradyn_setting_value(mbs, "told");
  gradyn_event_time(mbs, "time", GRADYN_ANY_EVENT, told);
  gradyn_event_impulse(mbs, "impulse", GRADYN_ANY_EVENT, told);
  /* angles do not jump; rates do, and are reported before and after */
  for (int k = 0; k < 4; k++) {
    gradyn_measure_id angle = gradyn_measure_custom(
        mbs, &(gradyn_custom_measure_spec){before[k], k < 2 ? "rad" : "rad/s", .formula = in_angles,
                                           .user = (void *)&number[k], .hidden = true});
    gradyn_functional_spec spec = {before[k], angle, .reduction = GRADYN_BEFORE_EVENT,
                                   .event = GRADYN_ANY_EVENT, .occurrence = told};
    gradyn_functional(mbs, &spec);
    spec.name = after[k];
    spec.reduction = GRADYN_AFTER_EVENT;
    if (spec.name)
      gradyn_functional(mbs, &spec);
  }
}

/* --- on the wall ------------------------------------------------------------------------------- */

/* A rotating force on the tip. */
static gradyn_status push(const gradyn_at *at, gradyn_scalar force[])
{
  /* F (cos w t, sin w t) */
  force[0] = at->data[0] * cos(at->data[1] * at->t);
  force[1] = at->data[0] * sin(at->data[1] * at->t);
  return GRADYN_OK;
}

/* Friction force along the wall. */
static gradyn_status friction(const gradyn_at *at, gradyn_scalar force[])
{
  force[0] = 0;
  force[1] = at->data[0] * at->lam[0]; /* the normal force, which is a multiplier */
  return GRADYN_OK;
}

static gradyn_status pressure(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->lam[FACE];
  return GRADYN_OK;
}

/* Reserve of static friction on one of the two faces of the friction cone. Data: the coefficient mu, and
 * the side of the face, 1 or -1. */
static gradyn_status hold(const gradyn_at *at, gradyn_scalar *value)
{
  /* mu lambda_face + side lambda_grip */
  *value = at->data[0] * at->lam[FACE] + at->data[1] * at->lam[GRIP];
  return GRADYN_OK;
}

/* Velocity of the tip along the axis to which `user` points. */
static gradyn_status velocity(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->vel[2 * TIP + *(const int *)at->user];
  return GRADYN_OK;
}

typedef struct modes {
  int air, slide[2], stick; /* slide[0]: slides down; slide[1]: slides up */
} modes;

/* Adds sliding down (way 0) or up, with friction until the tip stops, and the transition from sticking to
 * sliding. */
static void add_slide(gradyn_model *mbs, const gradyn_scalar rho[], const modes *mode, int tip,
                      int way)
{
  static const char *const face = "face", *const rests[] = {"rests", "rests_up"};
  static const char *const slips[] = {"slips", "slips_up"}, *const name[] = {"down", "up"};
  static const int vertical = 1;
  const double sign = way == 0 ? 1 : -1;
  const gradyn_datum kinetic = {"kinetic", "", sign * rho[KINETIC]};
  const gradyn_datum still[] = {{"still", "", rho[STILL]}, {"side", "", sign}};
  /* friction along the wall: mu lambda, where lambda is the multiplier of the constraint "face" */
  gradyn_force_set_modes(mbs,
                         gradyn_custom_force(mbs, &(gradyn_custom_force_spec){.name = name[way],
                                                                              .points = &tip,
                                                                              .point_count = 1,
                                                                              .fn = friction,
                                                                              .data = &kinetic,
                                                                              .data_count = 1,
                                                                              .reads = &face,
                                                                              .read_count = 1}),
                         gradyn_modes_of(mode->slide[way]));
  /* ends sliding when the tip stops */
  gradyn_event_set_modes(
      mbs,
      gradyn_event(mbs,
                   &(gradyn_event_spec){.name = rests[way],
                                        .guard = {.terminal = velocity, .user = (void *)&vertical},
                                        .direction = way == 0 ? GRADYN_RISING : GRADYN_FALLING,
                                        .invariant = true,
                                        .mode = mode->stick}),
      gradyn_modes_of(mode->slide[way]));
  /* begins sliding when static friction is exhausted */
  gradyn_event_set_modes(
      mbs,
      gradyn_event(mbs,
                   &(gradyn_event_spec){.name = slips[way],
                                        .guard = {.terminal = hold, .data = still, .data_count = 2},
                                        .invariant = true,
                                        .mode = mode->slide[way]}),
      gradyn_modes_of(mode->stick));
}

static void add_contact(gradyn_model *mbs, const gradyn_scalar rho[], const modes *mode, int tip)
{
  static const int horizontal = 0;
  const gradyn_modes touching = gradyn_modes_of(mode->slide[0]) | gradyn_modes_of(mode->slide[1]) |
                                gradyn_modes_of(mode->stick);
  const gradyn_datum turning[] = {{"size", "N", rho[PUSH]}, {"turn", "rad/s", rho[TURN]}};
  /* a rotating force of constant magnitude */
  gradyn_custom_force(mbs, &(gradyn_custom_force_spec){.name = "push",
                                                       .points = &tip,
                                                       .point_count = 1,
                                                       .fn = push,
                                                       .data = turning,
                                                       .data_count = 2});
  /* contact with the wall: x is constant, until the multiplier becomes a pull */
  gradyn_constraint_set_modes(
      mbs,
      gradyn_coordinate(mbs, "face", tip, GRADYN_X, &(gradyn_time_function){.value = rho[WALL]}),
      touching);
  gradyn_event_set_modes(mbs,
                         gradyn_event(mbs, &(gradyn_event_spec){.name = "lifts",
                                                                .guard = {.terminal = pressure},
                                                                .invariant = true,
                                                                .mode = mode->air}),
                         touching);
  /* sticking: the position along the wall is also fixed, where the tip has stopped */
  gradyn_constraint_id latched = gradyn_coordinate(mbs, "grip", tip, GRADYN_Y,
                                                   &(gradyn_time_function){0});
  gradyn_constraint_set_modes(mbs, latched, gradyn_modes_of(mode->stick));
  gradyn_latch_constraint(mbs, latched);
  for (int way = 0; way < 2 && gradyn_setting_value(mbs, "friction"); way++)
    add_slide(mbs, rho, mode, tip, way);
  /* this event changes nothing; it marks the time at which the tip turns back to the wall */
  gradyn_event_set_modes(
      mbs,
      gradyn_event(
          mbs, &(gradyn_event_spec){.name = "apex",
                                    .guard = {.terminal = velocity, .user = (void *)&horizontal},
                                    .direction = GRADYN_RISING}),
      gradyn_modes_of(mode->air));
}

/* --- the model --------------------------------------------------------------------------------- */

static int add_pendulum(gradyn_model *mbs, const gradyn_scalar rho[])
{
  const double l[] = {1, 0.8}, m[] = {2, 1.5};
  gradyn_scalar s1 = sin(rho[A1]), c1 = cos(rho[A1]), s2 = sin(rho[A2]), c2 = cos(rho[A2]);
  /* the velocity of each end is that of the last end plus l w (cos, sin) */
  gradyn_scalar vx = l[0] * c1 * rho[W1], vy = l[0] * s1 * rho[W1];
  int pivot = gradyn_ground_point(mbs, "pivot", 0, 0);
  int elbow = gradyn_point(mbs, "elbow", l[0] * s1, -l[0] * c1);
  int tip = gradyn_point(mbs, "tip", l[0] * s1 + l[1] * s2, -l[0] * c1 - l[1] * c2);
  gradyn_initial_velocity(mbs, elbow, vx, vy);
  gradyn_initial_velocity(mbs, tip, vx + l[1] * c2 * rho[W2], vy + l[1] * s2 * rho[W2]);
  gradyn_rod(mbs, &(gradyn_rod_spec){"upper", pivot, elbow, .length = l[0], .mass = m[0]});
  gradyn_rod(mbs, &(gradyn_rod_spec){"lower", elbow, tip, .length = l[1], .mass = m[1]});
  gradyn_gravity(mbs, 0, -9.81);
  gradyn_draw_trace(mbs, tip);
  return tip;
}

static gradyn_status build(gradyn_model *mbs, const gradyn_scalar rho[])
{
  const int landing = gradyn_setting_value(mbs, "landing");
  /* if the tip only bounces, there is only one mode, without contact */
  modes mode = {GRADYN_EVERY_MODE, {0}, 0};
  if (landing != BOUNCES)
    mode = (modes){gradyn_mode(mbs, "air"),
                   {gradyn_mode(mbs, "slides_down"), gradyn_mode(mbs, "slides_up")},
                   gradyn_mode(mbs, "sticks")};
  int tip = add_pendulum(mbs, rho);
  if (landing != BOUNCES)
    add_contact(mbs, rho, &mode, tip);
  /* after an impact the tip flies, slides or sticks */
  gradyn_event_set_modes(
      mbs,
      gradyn_impact(mbs,
                    &(gradyn_impact_spec){.name = "wall",
                                          .point = tip,
                                          .axis = GRADYN_X,
                                          .level = {.value = rho[WALL]},
                                          .below = true,
                                          .restitution = landing == BOUNCES ? rho[RESTITUTION] : 0,
                                          .mode = landing == BOUNCES  ? GRADYN_SAME_MODE
                                                  : landing == SLIDES ? mode.slide[0]
                                                                      : mode.stick}),
      gradyn_modes_of(mode.air));
  tell_state(mbs);
  return gradyn_build_status(mbs);
}

GRADYN_PROBLEM(double_pendulum_wall, .summary = "Double pendulum whose tip meets a wall",
               .reference = "Kong, Payne, Zhu and Johnson (2023), section V", .params = params,
               .settings = settings, .setting_count = GRADYN_COUNT(settings), .build = build,
               .t_end = 1.0, .rtol = 1e-10);
