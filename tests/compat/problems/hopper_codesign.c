/* A hopper: body, foot, and a leg of a spring with a damper between them. It falls, its foot stops at the
 * ground (a plastic impact, which costs the foot's energy), the spring throws it up again, helped by a
 * thrust from some time on, and it leaves the ground when the leg no longer pushes. Stiffness and the
 * foot's share of the mass are designed together with size and timing of the thrust, for a height of
 * the apex with the least effort. */
#include <gradyn/gradyn.h>

enum { STIFFNESS, FOOT, FORCE, ON };

static const gradyn_param params[] = {
    [STIFFNESS] = {"stiffness", "N/m", .init = 4000, .lower = 2000, .upper = 12000},
    [FOOT] = {"foot", "", .init = 0.2, .lower = 0.1, .upper = 0.4},
    [FORCE] = {"force", "N", .init = 250, .lower = 0, .upper = 1500, .scale = 100,
               .role = GRADYN_CONTROL},
    [ON] = {"on", "s", .init = 0.34, .lower = 0.26, .upper = 0.45, .scale = 0.05,
            .role = GRADYN_TIME},
};

static const double mass = 10, leg = 0.5, drop = 0.3, damping = 20, g = 9.81; /* kg, m, N s/m */
static const double apex = 0.8, least_leg = 0.3;                              /* m */

enum {
  GROUND = 2
}; /* the third constraint: the multiplier is the force that pulls the foot down */

/* The force of the ground, which ends the stand when it vanishes. */
static gradyn_status push(const gradyn_at *at, gradyn_scalar *value)
{
  *value = -at->lam[GROUND]; /* N = -lambda */
  return GRADYN_OK;
}

/* The body's velocity: zero where the leg is shortest, and at the top. */
static gradyn_status rise(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->vel[1]; /* of the body, which is read first */
  return GRADYN_OK;
}

/* Of the body above the foot, which stands at 0. */
static gradyn_status height(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->pos[1];
  return GRADYN_OK;
}

/* Thrust^2 times how long it lasts, at lift-off. */
static gradyn_status effort(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->data[0] * at->data[0] * (at->t - at->data[1]);
  return GRADYN_OK;
}

/* The leg of mode `stands` pushes from a time on. */
static void add_leg(gradyn_model *mbs, const gradyn_scalar rho[], int body, int foot, int stands)
{
  /* zero until the knot, then the force: the knot's place is a parameter */
  const gradyn_scalar levels[] = {0, rho[FORCE]};
  int thrust = gradyn_switched_signal(
      mbs, &(gradyn_switched_signal_spec){"thrust", "N", 2, levels, &rho[ON]});
  /* spring and damper between body and foot, in all modes */
  gradyn_spring(mbs, &(gradyn_spring_spec){.name = "leg",
                                           .from = foot,
                                           .to = body,
                                           .k = rho[STIFFNESS],
                                           .c = damping,
                                           .free_length = leg});
  /* up on the body, down on the foot */
  gradyn_in_mode(mbs, stands);
  gradyn_force(mbs,
               &(gradyn_force_spec){
                   .name = "up", .point = body, .fy = 1, .has_signal = true, .signal = thrust});
  gradyn_force(mbs,
               &(gradyn_force_spec){
                   .name = "down", .point = foot, .fy = -1, .has_signal = true, .signal = thrust});
  gradyn_in_mode(mbs, GRADYN_EVERY_MODE);
}

static gradyn_status build(gradyn_model *mbs, const gradyn_scalar rho[])
{
  int falls = gradyn_mode(mbs, "falls"), stands = gradyn_mode(mbs, "stands");
  int flies = gradyn_mode(mbs, "flies");
  int body = gradyn_point(mbs, "body", 0, leg + drop), foot = gradyn_point(mbs, "foot", 0, drop);
  /* foot and body share a mass that is given */
  gradyn_point_mass(mbs, "body", body, mass * (1 - rho[FOOT]));
  gradyn_point_mass(mbs, "foot", foot, mass * rho[FOOT]);
  gradyn_gravity(mbs, 0, -g);
  /* both move upright alone */
  gradyn_coordinate(mbs, "rail of body", body, GRADYN_X, &(gradyn_law){.value = 0});
  gradyn_coordinate(mbs, "rail of foot", foot, GRADYN_X, &(gradyn_law){.value = 0});
  gradyn_in_mode(mbs, stands);
  /* the foot stays where it touches down */
  gradyn_coordinate(mbs, "ground", foot, GRADYN_Y, &(gradyn_law){.value = 0});
  gradyn_in_mode(mbs, GRADYN_EVERY_MODE);
  add_leg(mbs, rho, body, foot, stands);

  /* what ends each mode */
  gradyn_in_mode(mbs, falls);
  /* without rebound: the foot has come to rest */
  gradyn_bounce(mbs, &(gradyn_bounce_spec){
                         .name = "touchdown", .point = foot, .axis = GRADYN_Y, .mode = stands});
  gradyn_in_mode(mbs, stands);
  /* where the body's rate passes zero upwards */
  int lowest = gradyn_when(
      mbs, &(gradyn_when_spec){.name = "lowest",
                               .guard = {.terminal = rise, .points = &body, .point_count = 1},
                               .direction = GRADYN_RISING,
                               .mode = GRADYN_SAME_MODE});
  /* where the ground would have to pull */
  int leaves = gradyn_when(
      mbs, &(gradyn_when_spec){
               .name = "liftoff", .guard = {.terminal = push}, .invariant = true, .mode = flies});
  gradyn_in_mode(mbs, flies);
  /* and downwards, in flight: the end of the run */
  int top = gradyn_when(
      mbs, &(gradyn_when_spec){.name = "apex",
                               .guard = {.terminal = rise, .points = &body, .point_count = 1},
                               .direction = GRADYN_FALLING,
                               .mode = GRADYN_SAME_MODE});
  gradyn_in_mode(mbs, GRADYN_EVERY_MODE);
  gradyn_end_at_event(mbs, top, 1);
  const gradyn_custom_functional_spec shortest = {
      .name = "shortest", .unit = "m", .terminal = height, .points = &body, .point_count = 1};
  const gradyn_datum thrust[] = {{"force", "N", rho[FORCE]}, {"on", "s", rho[ON]}};
  const gradyn_custom_functional_spec cost = {.name = "effort",
                                              .unit = "N^2 s",
                                              .terminal = effort,
                                              .data = thrust,
                                              .data_count = 2,
                                              .points = &body,
                                              .point_count = 1};
  gradyn_minimise(mbs, gradyn_before_event(mbs, &cost, leaves, 1));
  /* a leg that is never too short, an apex high enough */
  gradyn_require_at_least(mbs, gradyn_after_event(mbs, &shortest, lowest, 1), least_leg, 1e-6);
  gradyn_require_at_least(mbs, gradyn_end_position(mbs, "height", body, GRADYN_Y), apex, 1e-6);
  gradyn_event_time(mbs, "liftoff_time", leaves, 1);
  return gradyn_built(mbs);
}

GRADYN_PROBLEM(hopper_codesign, .summary = "Hopper: spring, mass of the foot and thrust together",
               .reference = "numbers of our choice", .params = params, .build = build, .t_end = 3,
               .rtol = 1e-9);
