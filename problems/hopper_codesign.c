/* A hopper: body, foot, and a leg of a spring with a damper between them. The hopper falls, and its foot
 * stops at the ground in a plastic impact, which dissipates the energy of the foot. Spring and thrust push
 * the body upwards, and the foot lifts off when the leg force vanishes. Stiffness and the mass fraction of
 * the foot are designed together with magnitude and time of the thrust. They must reach a given apex height
 * with the least effort. */
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
  GROUND = 3
}; /* number of the constraint; its multiplier is the force that pulls the foot down */

/* The contact force of the ground. The stance ends when it vanishes. */
static gradyn_status push(const gradyn_at *at, gradyn_scalar *value)
{
  *value = -at->lam[GROUND]; /* N = -lambda */
  return GRADYN_OK;
}

/* Velocity of the body: zero where the leg is shortest, and at the apex. */
static gradyn_status rise(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->vel[1]; /* the body is the first listed point */
  return GRADYN_OK;
}

/* Height of the body above the foot, whose height is 0. */
static gradyn_status height(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->pos[1];
  return GRADYN_OK;
}

/* Square of the thrust times its duration until lift-off. */
static gradyn_status effort(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->data[0] * at->data[0] * (at->t - at->data[1]);
  return GRADYN_OK;
}

/* Adds the leg. Its thrust acts in the mode `stands`, from a time on. */
static void add_leg(gradyn_model *mbs, const gradyn_scalar rho[], int body, int foot, int stands)
{
  /* zero until the knot, then the force; the time of the knot is a parameter */
  const gradyn_scalar levels[] = {0, rho[FORCE]};
  int thrust = gradyn_signal(
      mbs, &(gradyn_signal_spec){"thrust", "N", GRADYN_SWITCHED, 2, levels, .times = &rho[ON]});
  /* spring and damper between body and foot, in all modes */
  gradyn_spring(mbs, &(gradyn_spring_spec){.name = "leg",
                                           .from = foot,
                                           .to = body,
                                           .k = rho[STIFFNESS],
                                           .c = damping,
                                           .free_length = leg});
  /* the thrust acts upwards on the body and downwards on the foot */
  gradyn_force_set_modes(
      mbs,
      gradyn_force(mbs,
                   &(gradyn_force_spec){.name = "up", .point = body, .fy = 1, .signal = thrust}),
      gradyn_modes_of(stands));
  gradyn_force_set_modes(
      mbs,
      gradyn_force(mbs,
                   &(gradyn_force_spec){.name = "down", .point = foot, .fy = -1, .signal = thrust}),
      gradyn_modes_of(stands));
}

/* Declares the effort until lift-off, a minimum length of the leg, and a minimum height of the apex. */
static void add_functionals(gradyn_model *mbs, const gradyn_scalar rho[], int body, int leaves,
                            int lowest)
{
  const gradyn_datum thrust[] = {{"force", "N", rho[FORCE]}, {"on", "s", rho[ON]}};
  const gradyn_measure_id cost = gradyn_measure_custom(
      mbs, &(gradyn_custom_measure_spec){.name = "effort",
                                         .unit = "N^2 s",
                                         .formula = effort,
                                         .data = thrust,
                                         .data_count = 2,
                                         .points = &body,
                                         .point_count = 1,
                                         .hidden = true});
  const gradyn_measure_id least = gradyn_measure_custom(
      mbs, &(gradyn_custom_measure_spec){.name = "shortest",
                                         .unit = "m",
                                         .formula = height,
                                         .points = &body,
                                         .point_count = 1,
                                         .hidden = true});
  const gradyn_functional_id spent = gradyn_functional(
      mbs, &(gradyn_functional_spec){"effort", cost, .reduction = GRADYN_BEFORE_EVENT,
                                     .event = leaves, .occurrence = 1});
  const gradyn_functional_id shortest = gradyn_functional(
      mbs, &(gradyn_functional_spec){"shortest", least, .reduction = GRADYN_AFTER_EVENT,
                                     .event = lowest, .occurrence = 1});
  gradyn_minimise(mbs, spent, 1);
  gradyn_constrain(mbs, shortest, least_leg, INFINITY, 1e-6);
  const gradyn_measure_id y = gradyn_measure_point(mbs, "", body, 0, GRADYN_Y);
  const gradyn_functional_id reached = gradyn_functional(
      mbs, &(gradyn_functional_spec){"height", y, .reduction = GRADYN_AT_END});
  gradyn_constrain(mbs, reached, apex, INFINITY, 1e-6);
}

static gradyn_status build(gradyn_model *mbs, const gradyn_scalar rho[])
{
  int falls = gradyn_mode(mbs, "falls"), stands = gradyn_mode(mbs, "stands");
  int flies = gradyn_mode(mbs, "flies");
  int body = gradyn_point(mbs, "body", 0, leg + drop), foot = gradyn_point(mbs, "foot", 0, drop);
  /* the total mass of foot and body is given */
  gradyn_point_mass(mbs, "body", body, mass * (1 - rho[FOOT]));
  gradyn_point_mass(mbs, "foot", foot, mass * rho[FOOT]);
  gradyn_gravity(mbs, 0, -g);
  /* body and foot move vertically only */
  gradyn_coordinate(mbs, "rail of body", body, GRADYN_X, &(gradyn_time_function){.value = 0});
  gradyn_coordinate(mbs, "rail of foot", foot, GRADYN_X, &(gradyn_time_function){.value = 0});
  /* after touchdown, the foot does not move */
  int ground = gradyn_coordinate(mbs, "ground", foot, GRADYN_Y,
                                 &(gradyn_time_function){.value = 0});
  gradyn_constraint_set_modes(mbs, ground, gradyn_modes_of(stands));
  add_leg(mbs, rho, body, foot, stands);

  /* the events that end each mode */
  /* no rebound: the foot stops */
  const gradyn_impact_spec touchdown = {"touchdown", foot, GRADYN_Y, .mode = stands};
  gradyn_event_set_modes(mbs, gradyn_impact(mbs, &touchdown), gradyn_modes_of(falls));
  /* the velocity of the body passes zero upwards */
  int lowest = gradyn_event(
      mbs, &(gradyn_event_spec){.name = "lowest",
                                .guard = {.terminal = rise, .points = &body, .point_count = 1},
                                .direction = GRADYN_RISING,
                                .mode = GRADYN_SAME_MODE});
  gradyn_event_set_modes(mbs, lowest, gradyn_modes_of(stands));
  /* lift-off before the contact force would become negative */
  int leaves = gradyn_event(
      mbs, &(gradyn_event_spec){
               .name = "liftoff", .guard = {.terminal = push}, .invariant = true, .mode = flies});
  gradyn_event_set_modes(mbs, leaves, gradyn_modes_of(stands));
  /* the velocity passes zero downwards in flight: the run ends */
  int top = gradyn_event(
      mbs, &(gradyn_event_spec){.name = "apex",
                                .guard = {.terminal = rise, .points = &body, .point_count = 1},
                                .direction = GRADYN_FALLING,
                                .mode = GRADYN_SAME_MODE});
  gradyn_event_set_modes(mbs, top, gradyn_modes_of(flies));
  gradyn_terminate_at_event(mbs, top, 1);
  add_functionals(mbs, rho, body, leaves, lowest);
  gradyn_event_time(mbs, "liftoff_time", leaves, 1);
  return gradyn_build_status(mbs);
}

GRADYN_PROBLEM(hopper_codesign, .summary = "Hopper: spring, mass of the foot and thrust together",
               .reference = "numbers of our choice", .params = params, .build = build, .t_end = 3,
               .rtol = 1e-9);
