/* The flights of tests/adjoint/grid/flights.h as a problem. */
#include "tests/adjoint/grid/flights_model.h"

#include "tests/support.h"
#include "tests/declare.h"

const flights_scheme flights_schemes[] = {{{"idas", NULL, 0, 0, 0, 0}, 2e-7},
                                          {{"ali3p", NULL, 5e-4, 0, 0, 0}, 3e-6},
                                          {{"ali3p", "generalised-alpha", 5e-4, 0, 0, 0}, 5e-5},
                                          {{"variational", NULL, 5e-4, 0, 0, 0}, 3e-6},
                                          {{"explicit", NULL, 0, 0, 0, 0}, 1e-8},
                                          {{"radau", NULL, 0, 0, 0, 0}, 2e-8}};

enum { RAIL = 1, HOLD }; /* numbers of the constraints */

/* The floor carries m g and the legs the rest, which grows with time. */
FORMULAS(loads, at->data[0] * at->vel[1] + flights_side * at->t, at->data[1] * at->t)

FORMULA(height, at->pos[3] - at->data[0])

/* v+ = -e v-/(1 - c v-/10) + t y/2 */
static gradyn_status rebound(const gradyn_at *at, gradyn_scalar value[])
{
  const gradyn_scalar v = at->vel[3];
  value[0] = -at->data[0] * v / (1 - 0.1 * at->data[1] * v) + 0.5 * at->t * at->pos[3];
  return GRADYN_OK;
}

FORMULA(time_left, at->data[0] - at->t)
FORMULA(pressure, -at->lam[HOLD])
FORMULA(square_of_y, at->pos[1] * at->pos[1])
FORMULA(square_of_v, at->vel[1] * at->vel[1])
FORMULA(square_of_a, at->acc[1] * at->acc[1])
FORMULA(mixture, at->t * at->vel[3] + at->lam[RAIL])

/* Adds a bounce as a user-defined reset. */
static int add_reset(gradyn_model *mbs, const gradyn_scalar r[], int point,
                     const gradyn_custom_functional_spec *guard)
{
  const gradyn_component y = {point, GRADYN_Y};
  const gradyn_datum law[] = {{"share", "", r[FLIGHTS_SHARE]}, {"loss", "s/m", r[FLIGHTS_JUMP]}};
  return gradyn_event(
      mbs, &(gradyn_event_spec){.name = "event",
                                .guard = *guard,
                                .set = &y,
                                .set_count = 1,
                                .reset = {.terminal = rebound, .data = law, .data_count = 2}});
}

/* Returns the event of a kind; 0: none. */
static int add_event(gradyn_model *mbs, flights_kind kind, const gradyn_scalar r[], int point,
                     const int mode[2])
{
  const gradyn_datum level = {"level", "m", r[FLIGHTS_LEVEL]}, at = {"time", "s", r[FLIGHTS_TIME]};
  const gradyn_component y = {point, GRADYN_Y};
  const gradyn_map_term map[] = {{y, y, r[FLIGHTS_SHARE], false},
                                 {y, {GRADYN_CONSTANT, GRADYN_X}, r[FLIGHTS_JUMP], false}};
  gradyn_impact_spec wall = {
      .name = "event", .point = point, .axis = GRADYN_Y, .level = {.value = r[FLIGHTS_LEVEL]}};
  gradyn_event_spec when = {.name = "event", .mode = GRADYN_SAME_MODE};
  when.guard = (gradyn_custom_functional_spec){.terminal = height, .data = &level, .data_count = 1};
  switch (kind) {
  case FLIGHTS_KEPT:
    wall.preserved = &y; /* no entry for velocities: rail and wall together leave none free */
    wall.restitution = r[FLIGHTS_SHARE];
    return gradyn_impact(mbs, &wall);
  case FLIGHTS_BOUNCE:
    wall.restitution = r[FLIGHTS_SHARE];
    return gradyn_impact(mbs, &wall);
  case FLIGHTS_LANDING:
    wall.mode = mode[1];
    return gradyn_impact(mbs, &wall);
  case FLIGHTS_LIFT_OFF:
    when.guard = (gradyn_custom_functional_spec){.terminal = pressure};
    when.mode = mode[1];
    return gradyn_event(mbs, &when);
  case FLIGHTS_TIMED_LIFT:
  case FLIGHTS_CAPTURE:
    when.guard = (gradyn_custom_functional_spec){
        .terminal = time_left, .data = &at, .data_count = 1};
    when.mode = mode[1];
    return gradyn_event(mbs, &when);
  case FLIGHTS_MAP:
    when.map = map;
    when.map_count = 2;
    return gradyn_event(mbs, &when);
  case FLIGHTS_RESET:
    return add_reset(mbs, r, point, &when.guard);
  case FLIGHTS_ENDED: {
    int event = gradyn_event(mbs, &when);
    gradyn_terminate_at_event(mbs, event, 1);
    return event;
  }
  default:
    return 0;
  }
}

/* Adds the functionals in the order of the closed form. */
static void add_functionals(gradyn_model *mbs, int point, int event)
{
  static const gradyn_functional_fn integrand[] = {square_of_y, square_of_v, square_of_a};
  static const char *const of[] = {"y", "v", "a"};
  gradyn_functional(
      mbs, &(gradyn_functional_spec){"end_y", gradyn_measure_point(mbs, "", point, 0, GRADYN_Y),
                                     .reduction = GRADYN_AT_END});
  gradyn_functional(
      mbs, &(gradyn_functional_spec){"end_v", gradyn_measure_point(mbs, "", point, 1, GRADYN_Y),
                                     .reduction = GRADYN_AT_END});
  for (int k = 0; k < 3; k++)
    gradyn_custom_functional(mbs, &(gradyn_custom_functional_spec){
                                      of[k], "", .integrand = integrand[k], .points = &point,
                                      .point_count = 1, .needs_accelerations = k == 2});
  gradyn_functional(mbs, &(gradyn_functional_spec){"rail", gradyn_measure_multiplier(mbs, "", RAIL),
                                                   .reduction = GRADYN_SQUARE_INTEGRAL});
  gradyn_functional(mbs,
                    &(gradyn_functional_spec){"hold", gradyn_measure_multiplier(mbs, "held", HOLD),
                                              .reduction = GRADYN_INTEGRAL});
  gradyn_functional(mbs, &(gradyn_functional_spec){
                             "measure", gradyn_measure_point(mbs, "rate", point, 1, GRADYN_Y),
                             .reduction = GRADYN_SQUARE_INTEGRAL, .target = {0.5}});
  if (event == 0)
    return;
  gradyn_event_impulse(mbs, "impulse", event, 1);
  gradyn_event_time(mbs, "time", event, 1);
  gradyn_custom_functional_spec spec = {"before", "", .terminal = mixture};
  declare_before_event(mbs, &spec, event, 1);
  spec.name = "after";
  declare_after_event(mbs, &spec, event, 1);
}

static gradyn_status build(gradyn_model *mbs, const gradyn_scalar r[])
{
  const flights_kind kind = (flights_kind)gradyn_setting_value(mbs, "kind");
  const bool lifts = kind == FLIGHTS_LIFT_OFF || kind == FLIGHTS_TIMED_LIFT;
  /* in the two lift-off cases the mass is held at first */
  const int first = gradyn_mode(mbs, "first"), mode[] = {first, gradyn_mode(mbs, "second")};
  int point = gradyn_point(mbs, "mass", 0, lifts ? r[FLIGHTS_LEVEL] : r[FLIGHTS_HEIGHT]);
  gradyn_initial_velocity(mbs, point, 0, lifts ? 0 : r[FLIGHTS_VELOCITY]);
  gradyn_point_mass(mbs, "mass", point, flights_mass);
  gradyn_gravity(mbs, 0, -r[FLIGHTS_GRAVITY]);
  gradyn_coordinate(mbs, "rail", point, GRADYN_X, &(gradyn_time_function){0});
  const gradyn_time_function at = {.value = kind == FLIGHTS_CAPTURE ? 0 : r[FLIGHTS_LEVEL]};
  int hold = gradyn_coordinate(mbs, "hold", point, GRADYN_Y, &at);
  gradyn_constraint_set_modes(mbs, hold, gradyn_modes_of(lifts ? mode[0] : mode[1]));
  if (kind == FLIGHTS_CAPTURE)
    gradyn_latch_constraint(mbs, hold);
  const gradyn_datum data[] = {{"coupling", "N s/m", r[FLIGHTS_COUPLING]},
                               {"growth", "N/s", r[FLIGHTS_GROWTH]}};
  declare_force(mbs, "loads", point, loads, data, 2);
  if (kind == FLIGHTS_KNOT) {
    const gradyn_scalar levels[] = {0, 1}, times[] = {r[FLIGHTS_TIME]};
    const gradyn_signal_spec spec = {"push", "", GRADYN_SWITCHED, 2, levels, .times = times};
    declare_push(mbs, "push", point, 0, r[FLIGHTS_JUMP], gradyn_signal(mbs, &spec));
  }
  gradyn_end_time(mbs, r[FLIGHTS_END_TIME]);
  const int event = add_event(mbs, kind, r, point, mode);
  if (event > 0) /* a knot of a signal is not an event */
    gradyn_event_set_modes(mbs, event, gradyn_modes_of(first));
  add_functionals(mbs, point, event);
  return gradyn_build_status(mbs);
}

static const gradyn_param params[] = {{.name = "rho", .count = FLIGHTS_PARAMETERS, .init = 1}};

gradyn_problem flights_problem(int kind, gradyn_setting *setting)
{
  *setting = (gradyn_setting){"kind", "of event", kind, 0, FLIGHTS_KINDS};
  return (gradyn_problem)PROBLEM("flights", build, params, .settings = setting, .setting_count = 1,
                                 .t_end = 1.3, .rtol = 1e-10);
}

void flights_place(int kind, double rho[FLIGHTS_PARAMETERS])
{
  static const double usual[] = {1, 0.3, 3, 0.8, 0.7, 0.1, 0.57, 1.4, 0.6, 1.307};
  memcpy(rho, usual, sizeof usual);
  if (kind == FLIGHTS_LIFT_OFF)
    rho[FLIGHTS_GROWTH] = 5.1;
}

static flights_kind solved; /* the kind for which solve() returns the closed form */
static void solve(const double _Complex p[], double _Complex result[])
{
  flights_solve(solved, p, result);
}

void flights_reference(int kind, const double rho[FLIGHTS_PARAMETERS],
                       double value[FLIGHTS_FUNCTIONALS],
                       double slope[FLIGHTS_FUNCTIONALS * FLIGHTS_PARAMETERS])
{
  solved = (flights_kind)kind;
  support_complex_step(solve, rho, FLIGHTS_PARAMETERS, FLIGHTS_FUNCTIONALS, value, slope);
}
