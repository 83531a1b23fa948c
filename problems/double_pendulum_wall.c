/* A double pendulum of uniform rods whose tip bounces off a wall: the planar rigid body in contact
 * of Kong et al. (2023), section V, with a mass matrix that depends on the configuration. The start
 * is given in angles from straight down, and functionals tell the state in angles at the first
 * impact. */
#include <gradyn/gradyn.h>

enum { A1, A2, W1, W2, WALL, RESTITUTION };

static const gradyn_param params[] = {
    [A1] = {"a1", "rad", .init = 0.3, .role = GRADYN_INITIAL_STATE},
    [A2] = {"a2", "rad", .init = -0.5, .role = GRADYN_INITIAL_STATE},
    [W1] = {"w1", "rad/s", .init = 0.4, .role = GRADYN_INITIAL_STATE},
    [W2] = {"w2", "rad/s", .init = 2.0, .role = GRADYN_INITIAL_STATE},
    [WALL] = {"wall", "m", .init = 0.5},
    [RESTITUTION] = {"restitution", "", .init = 0.7, .lower = 0.1, .upper = 1},
};

enum { PIVOT, ELBOW, TIP, FIRST_ANGLE = 0, SECOND_ANGLE, FIRST_RATE, SECOND_RATE };

/* An angle of a rod or, its rate; which of them: the number that user points to. */
static gradyn_status in_angles(const gradyn_at *at, gradyn_scalar *value)
{
  int which = *(const int *)at->user, to = 1 + which % 2, from = to - 1;
  gradyn_scalar x = at->pos[2 * to] - at->pos[2 * from];
  gradyn_scalar y = at->pos[2 * to + 1] - at->pos[2 * from + 1];
  gradyn_scalar vx = at->vel[2 * to] - at->vel[2 * from];
  gradyn_scalar vy = at->vel[2 * to + 1] - at->vel[2 * from + 1];
  /* from straight down; r x v / |r|^2 */
  *value = which < 2 ? atan(x / -y) : (x * vy - y * vx) / (x * x + y * y);
  return GRADYN_OK;
}

/* The state at the first impact, on both sides of it. */
static void tell_state(gradyn_model *mbs, int wall)
{
  static const int number[] = {FIRST_ANGLE, SECOND_ANGLE, FIRST_RATE, SECOND_RATE};
  static const char *const before[] = {"angle_1", "angle_2", "rate_1_before", "rate_2_before"};
  static const char *const after[] = {NULL, NULL, "rate_1_after", "rate_2_after"};
  /* angles do not jump: rates are told on both sides */
  for (int k = 0; k < 4; k++) {
    gradyn_custom_functional_spec spec = {before[k], k < 2 ? "rad" : "rad/s", .terminal = in_angles,
                                          .user = (void *)&number[k]};
    gradyn_before_event(mbs, &spec, wall, 1);
    spec.name = after[k];
    if (spec.name)
      gradyn_after_event(mbs, &spec, wall, 1);
  }
}

static gradyn_status build(gradyn_model *mbs, const gradyn_scalar rho[])
{
  const double l[] = {1, 0.8}, m[] = {2, 1.5};
  gradyn_scalar s1 = sin(rho[A1]), c1 = cos(rho[A1]), s2 = sin(rho[A2]), c2 = cos(rho[A2]);
  /* v = l w (cos, sin) of each rod, one on top of the other */
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
  int wall = gradyn_bounce(mbs, &(gradyn_bounce_spec){.name = "wall",
                                                      .point = tip,
                                                      .axis = GRADYN_X,
                                                      .level = {.value = rho[WALL]},
                                                      .below = true,
                                                      .restitution = rho[RESTITUTION]});
  gradyn_event_time(mbs, "first", wall, 1);
  gradyn_event_impulse(mbs, "impulse", wall, 1);
  tell_state(mbs, wall);
  return gradyn_built(mbs);
}

GRADYN_PROBLEM(double_pendulum_wall, .summary = "Double pendulum whose tip bounces off a wall",
               .reference = "Kong, Payne, Zhu and Johnson (2023), section V", .params = params,
               .build = build, .t_end = 1.0, .rtol = 1e-10);
