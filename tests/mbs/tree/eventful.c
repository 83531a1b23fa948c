/* Events of an arm, in space and in the plane. Functions find its points and coordinates in `eventful`,
 * which belongs to the present model. */
#include "tests/mbs/tree/eventful.h"
#include "tests/support.h"

enum { SPEED, MASS, LEVEL, RESTITUTION };
const gradyn_param eventful_params[EVENTFUL_PARAMETERS] = {
    {"speed", "rad/s", .init = 0.8, GRADYN_UNBOUNDED},
    {"mass", "kg", .init = 1.3, GRADYN_UNBOUNDED},
    {"level", "m", .init = -0.3, GRADYN_UNBOUNDED},
    {"restitution", "", .init = 0.6, GRADYN_UNBOUNDED}};
eventful_arm eventful;

/* --- formulas ------------------------------------- */

FORMULA(height, at->pos[eventful.dim * eventful.tip + eventful.up] - at->data[0])

/* Guard: rate of a coordinate plus a velocity of the tip. */
FORMULA(turn, at->vel[eventful.dim * eventful.angle] + 0.3 * at->vel[eventful.dim * eventful.tip] -
                  at->data[0])

/* Guard: multiplier of the elbow along z plus an acceleration of the tip. */
FORMULA(strain, at->lam[eventful.floor_row] +
                    0.1 * at->acc[eventful.dim * eventful.tip + eventful.up] - at->data[0])

FORMULA(pressure, at->lam[eventful.floor_row])

FORMULA(moves_down, -at->vel[eventful.dim * eventful.tip + eventful.up])

FORMULA(kick, -at->data[0] * at->vel[eventful.dim * eventful.bend] +
                  0.2 * at->pos[eventful.dim * eventful.tip])

/* A reset of the velocities of both coordinates at once. */
FORMULAS(kick_both,
         0.5 * at->vel[eventful.dim * eventful.angle] +
             0.1 * at->vel[eventful.dim * eventful.tip + eventful.up],
         -at->data[0] * at->vel[eventful.dim * eventful.bend])

gradyn_status eventful_kick(const gradyn_at *at, gradyn_scalar *value)
{
  *value = -at->data[0] * at->vel[eventful.dim * eventful.tip + eventful.up];
  return GRADYN_OK;
}

static gradyn_status kinetic(const gradyn_at *at, gradyn_scalar *value)
{
  const int tip = at->points == 1 ? 0 : eventful.tip; /* the tip may be the only listed point */
  for (int k = 0; k < eventful.dim; k++)
    *value += at->vel[eventful.dim * tip + k] * at->vel[eventful.dim * tip + k];
  return GRADYN_OK;
}

/* Height of the tip above a bowl: phi, phi', phi''. */
static gradyn_status bowl(const gradyn_at *at, int order, gradyn_scalar *value)
{
  const gradyn_scalar *r = at->pos, *v = at->vel, *a = at->acc, c = at->data[1];
  const int up = eventful.up;
  *value = order == 0 ? r[up] - at->data[0] : order == 1 ? v[up] : a[up];
  for (int k = 0; k < up; k++)
    *value -= order == 0   ? c * r[k] * r[k]
              : order == 1 ? 2 * c * r[k] * v[k]
                           : 2 * c * (r[k] * a[k] + v[k] * v[k]);
  return GRADYN_OK;
}

/* --- kinds of events ------------------------------------------------------------------------------- */

int eventful_bounce(gradyn_model *m, const gradyn_scalar rho[])
{
  return gradyn_impact(m, &(gradyn_impact_spec){.name = "hit",
                                                .point = eventful.tip,
                                                .axis = (gradyn_axis)eventful.up,
                                                .level = {.value = rho[LEVEL], .rate = 0.05},
                                                .restitution = rho[RESTITUTION]});
}

int eventful_bounce_off_gap(gradyn_model *m, const gradyn_scalar rho[])
{
  const gradyn_datum data[] = {{"bottom", "m", rho[LEVEL]}, {"bend", "1/m", 0.03}};
  return gradyn_impact(
      m, &(gradyn_impact_spec){.name = "hit",
                               .gap = &(gradyn_custom_constraint_spec){.points = &eventful.tip,
                                                                       .point_count = 1,
                                                                       .fn = bowl,
                                                                       .data = data,
                                                                       .data_count = 2},
                               .restitution = rho[RESTITUTION]});
}

/* The tip lands, slides, and lifts off; or it stays where it has landed. */
static int land(gradyn_model *m, const gradyn_scalar rho[], bool wall, bool captured)
{
  const gradyn_datum level = {"level", "m", rho[LEVEL]};
  const int air = gradyn_mode(m, "air"), slides = gradyn_mode(m, "slides");
  const gradyn_time_function law = {.value = captured ? 0 : rho[LEVEL]};
  eventful.floor_row = gradyn_coordinate(m, "floor", eventful.tip, (gradyn_axis)eventful.up, &law);
  gradyn_constraint_set_modes(m, eventful.floor_row, gradyn_modes_of(slides));
  if (captured)
    gradyn_latch_constraint(m, eventful.floor_row);
  gradyn_event_set_modes(
      m,
      gradyn_event(
          m, &(gradyn_event_spec){.name = "lifts", .guard = {.terminal = pressure}, .mode = air}),
      gradyn_modes_of(slides));
  const int event = wall ? gradyn_impact(m, &(gradyn_impact_spec){.name = "lands",
                                                                  .point = eventful.tip,
                                                                  .axis = (gradyn_axis)eventful.up,
                                                                  .level = {.value = rho[LEVEL]},
                                                                  .mode = slides})
                         : gradyn_event(m, &(gradyn_event_spec){.name = "lands",
                                                                .guard = {.terminal = height,
                                                                          .data = &level,
                                                                          .data_count = 1},
                                                                .mode = slides});
  gradyn_event_set_modes(m, event, gradyn_modes_of(air));
  return event;
}

static int land_by_formula(gradyn_model *m, const gradyn_scalar rho[])
{
  return land(m, rho, false, false);
}

int eventful_land(gradyn_model *m, const gradyn_scalar rho[])
{
  return land(m, rho, true, false);
}

static int land_where_it_is(gradyn_model *m, const gradyn_scalar rho[])
{
  return land(m, rho, false, true);
}

/* A drag that begins when the guard passes zero. */
static int switch_at(gradyn_model *m, gradyn_functional_fn guard, gradyn_functional_fn armed,
                     gradyn_scalar value)
{
  const gradyn_datum at = {"at", "", value};
  const int before = gradyn_mode(m, "before"), behind = gradyn_mode(m, "behind");
  gradyn_force_set_modes(
      m,
      gradyn_spring(m, &(gradyn_spring_spec){"band", eventful.pivot, eventful.tip, .k = 30, .c = 2,
                                             .free_length = 0.3}),
      gradyn_modes_of(behind));
  const int event = gradyn_event(
      m, &(gradyn_event_spec){.name = "switch",
                              .guard = {.terminal = guard, .data = &at, .data_count = 1},
                              .condition = {.terminal = armed},
                              .direction = GRADYN_EITHER,
                              .mode = behind});
  gradyn_event_set_modes(m, event, gradyn_modes_of(before));
  return event;
}

static int switch_by_rates(gradyn_model *m, const gradyn_scalar rho[])
{
  return switch_at(m, turn, moves_down, 1.5 * rho[SPEED]);
}

int eventful_switch(gradyn_model *m, const gradyn_scalar rho[])
{
  return switch_at(m, strain, NULL, eventful.strain * rho[MASS]);
}

int eventful_reset(gradyn_model *m, const gradyn_scalar rho[], gradyn_functional_fn formula,
                   const gradyn_component *set, int count)
{
  const gradyn_datum level = {"level", "m", rho[LEVEL]}, share = {"share", "", rho[RESTITUTION]};
  return gradyn_event(
      m, &(gradyn_event_spec){.name = "set",
                              .guard = {.terminal = height, .data = &level, .data_count = 1},
                              .set = set,
                              .set_count = count,
                              .reset = {.terminal = formula, .data = &share, .data_count = 1}});
}

static int reset_rate(gradyn_model *m, const gradyn_scalar rho[])
{
  return eventful_reset(m, rho, kick, &(gradyn_component){eventful.bend, GRADYN_X}, 1);
}

static int reset_rates(gradyn_model *m, const gradyn_scalar rho[])
{
  const gradyn_component set[] = {{eventful.angle, GRADYN_X}, {eventful.bend, GRADYN_X}};
  return eventful_reset(m, rho, kick_both, set, 2);
}

static int reset_body(gradyn_model *m, const gradyn_scalar rho[])
{
  return eventful_reset(
      m, rho, eventful_kick,
      &(gradyn_component){gradyn_body_centre(m, eventful.lower), (gradyn_axis)eventful.up}, 1);
}

/* A map adds a full turn to the elbow's angle and to the free angle of its spring. */
static int map_turn(gradyn_model *m, const gradyn_scalar rho[])
{
  const gradyn_datum level = {"level", "m", rho[LEVEL]};
  const gradyn_component bend = {eventful.bend, GRADYN_X};
  const gradyn_map_term map[] = {
      {.to = bend, .from = bend, .weight = 1},
      {.to = bend, .from = {GRADYN_CONSTANT, GRADYN_X}, .weight = 2 * 3.14159265358979323846}};
  return gradyn_event(
      m, &(gradyn_event_spec){.name = "turned",
                              .guard = {.terminal = height, .data = &level, .data_count = 1},
                              .map = map,
                              .map_count = 2});
}

static int end(gradyn_model *m, const gradyn_scalar rho[])
{
  const int event = reset_rate(m, rho);
  gradyn_terminate_at_event(m, event, 1);
  gradyn_end_time_functional(m, "end");
  return event;
}

/* An impact that preserves some rates, against the laws of mechanics. */
int eventful_keep(gradyn_model *m, const gradyn_scalar rho[])
{
  return gradyn_impact(m, &(gradyn_impact_spec){.name = "hit",
                                                .point = eventful.tip,
                                                .axis = (gradyn_axis)eventful.up,
                                                .level = {.value = rho[LEVEL]},
                                                .restitution = rho[RESTITUTION],
                                                .preserved = eventful.kept,
                                                .preserved_count = eventful.keeps});
}

static int (*const shared[EVENTFUL_SHARED])(gradyn_model *m,
                                            const gradyn_scalar rho[]) = {eventful_bounce,
                                                                          eventful_bounce_off_gap,
                                                                          land_by_formula,
                                                                          eventful_land,
                                                                          land_where_it_is,
                                                                          switch_by_rates,
                                                                          eventful_switch,
                                                                          reset_rate,
                                                                          reset_rates,
                                                                          reset_body,
                                                                          map_turn,
                                                                          eventful_keep,
                                                                          end};

int eventful_add(gradyn_model *m, const gradyn_scalar rho[], int kind)
{
  return shared[kind](m, rho);
}

/* A mode for the parts declared next; the event ends it. */
int eventful_held(gradyn_model *m)
{
  const int held = gradyn_mode(m, "held");
  gradyn_mode(m, "gone");
  return held;
}

int eventful_let_go(gradyn_model *m, const gradyn_scalar rho[], int held)
{
  const gradyn_datum level = {"level", "m", rho[LEVEL]};
  const int event = gradyn_event(
      m, &(gradyn_event_spec){.name = "lets go",
                              .guard = {.terminal = height, .data = &level, .data_count = 1},
                              .mode = held + 1});
  gradyn_event_set_modes(m, event, gradyn_modes_of(held));
  return event;
}

int eventful_in_loop(gradyn_model *m, const gradyn_scalar rho[], int kind)
{
  static int (*const event[])(gradyn_model * m, const gradyn_scalar rho[]) = {
      eventful_bounce, NULL, eventful_land, eventful_switch};
  const int held = event[kind] ? GRADYN_EVERY_MODE : eventful_held(m);
  eventful.close(m, held);
  return event[kind] ? event[kind](m, rho) : eventful_let_go(m, rho, held);
}

/* --- the arm --------------------------------------------------------------------------------------- */

int eventful_angle(gradyn_model *m, int joint, const char *name, double start, gradyn_scalar rate)
{
  const int angle = gradyn_joint_coordinate(m, joint, GRADYN_ANGLE);
  gradyn_fix_initial_joint(m, gradyn_format_name(m, "%s.start", name), angle, start, rate);
  gradyn_joint_spring(
      m,
      &(gradyn_joint_spring_spec){
          .name = gradyn_format_name(m, "%s.spring", name), .coordinate = angle, .k = 4, .c = 0.2});
  return angle;
}

void eventful_see(gradyn_model *m, int event)
{
  gradyn_event_time(m, "time", event, 1);
  gradyn_functional(m,
                    &(gradyn_functional_spec){
                        "before",
                        gradyn_measure_custom(m, &(gradyn_custom_measure_spec){.name = "before",
                                                                               .formula = kinetic,
                                                                               .hidden = true}),
                        .reduction = GRADYN_BEFORE_EVENT, .event = event, .occurrence = 1});
  gradyn_functional(
      m, &(gradyn_functional_spec){
             "after",
             gradyn_measure_custom(m, &(gradyn_custom_measure_spec){.name = "after",
                                                                    .formula = kinetic,
                                                                    .points = &eventful.tip,
                                                                    .point_count = 1,
                                                                    .hidden = true}),
             .reduction = GRADYN_AFTER_EVENT, .event = event, .occurrence = 1});
  gradyn_event_impulse(m, "impulse", event, 1);
  gradyn_functional(m, &(gradyn_functional_spec){"energy", gradyn_measure_energy(m, ""),
                                                 .reduction = GRADYN_AT_END});
  gradyn_functional(m,
                    &(gradyn_functional_spec){
                        "fastest",
                        gradyn_measure_custom(m, &(gradyn_custom_measure_spec){.name = "fastest",
                                                                               .formula = kinetic,
                                                                               .hidden = true}),
                        .reduction = GRADYN_SMOOTH_MAXIMUM, .sharpness = 0.1});
}
