/* Mode changes in all schemes: guards by formulas, constraints and forces of some modes, maps of
 * coordinates. Direct is compared with adjoint for all data, and with differences of whole runs. */
#include "tests/support.h"
#include "tests/adjoint/grid/hybrid_checks.h"
#include "tests/declare.h"
#include "tests/runs.h"

/* declared in <gradyn/compat.h>, where ids count from 0 */
void gradyn_in_mode(gradyn_model *model, gradyn_mode_id mode);

enum { P = 6 };

static const double rho[P] = {0.9, 1.1, 2.0, 0.3, 0.4, 1.85};

/* --- guards ----------------------------------------------------------------------------------- */

/* Points: 1 is the ball, 2 its companion. */
FORMULA(height, at->pos[3] - at->data[0])

static gradyn_status pull(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->lam[2] + at->data[0]; /* of the groove */
  return GRADYN_OK;
}

FORMULA(climb, at->vel[5] + 0.1 * at->vel[4] + at->data[0] * at->t)
FORMULA(place, at->pos[2] + at->pos[5] * at->vel[4] + at->t)
FORMULA(always, 1 + at->t)

static gradyn_custom_functional_spec formula(gradyn_functional_fn fn, const gradyn_datum *datum)
{
  return (gradyn_custom_functional_spec){
      .terminal = fn, .data = datum, .data_count = datum ? 1 : 0};
}

/* --- the model -------------------------------------------------------------------------------- */

/* A ball falls into a groove by a plastic impact and slides along it. When the groove would have to pull
 * too hard, the ball flies on, and a map turns and shifts its state. Its companion is on a spring. */
typedef struct parts {
  int fall, slide, flight, ball, other, pivot, lands, leaves;
} parts;

static void add_bodies(gradyn_model *mbs, const gradyn_scalar r[], parts *p)
{
  p->ball = gradyn_point(mbs, "ball", 0, r[0]);
  p->other = gradyn_point(mbs, "other", 0.8, 0.5);
  p->pivot = gradyn_ground_point(mbs, "pivot", 1.6, 1.2);
  gradyn_initial_velocity(mbs, p->ball, 0.7, 0);
  gradyn_point_mass(mbs, "ball", p->ball, r[1]);
  gradyn_point_mass(mbs, "other", p->other, 0.7);
  gradyn_rod(mbs, &(gradyn_rod_spec){"arm", p->pivot, p->other, .mass = 0.2});
  gradyn_gravity(mbs, 0, -9.81);
}

static void add_forces(gradyn_model *mbs, const gradyn_scalar r[], const parts *p)
{
  const gradyn_datum air = {"drag", "N s/m", r[3]};
  gradyn_spring(mbs, &(gradyn_spring_spec){"rubber", p->other, p->ball, .k = 20, .c = 0.1,
                                           .free_length = r[2] / 3});
  declare_force(mbs, "air", p->ball, hybrid_drag, &air, 1);
  gradyn_force_set_modes(
      mbs,
      gradyn_spring(mbs, &(gradyn_spring_spec){"tether", p->pivot, p->ball, .k = 15 * r[1],
                                               .c = 0.2, .free_length = 0.5}),
      gradyn_modes_of(p->slide) | gradyn_modes_of(p->flight));
}

static void add_events(gradyn_model *mbs, const gradyn_scalar r[], parts *p)
{
  const gradyn_datum lift = {"level", "m", r[4] / 4}, tear = {"force", "N", 0.9 * r[1]},
                     tilt = {"tilt", "m/s^2", 0.2 * r[2]};
  const gradyn_component x = {p->ball, GRADYN_X}, y = {p->ball, GRADYN_Y};
  const gradyn_map_term map[] = {{x, y, -0.8 * r[1], false},
                                 {x, {GRADYN_CONSTANT, GRADYN_X}, r[3], false},
                                 {y, x, 0.5, false},
                                 {y, {p->other, GRADYN_Y}, r[4], false},
                                 {y, {p->other, GRADYN_X}, -0.2 * r[4], true}};
  p->lands = gradyn_event(mbs, &(gradyn_event_spec){.name = "lands",
                                                    .guard = formula(height, &lift),
                                                    .condition = formula(always, NULL),
                                                    .mode = p->slide});
  gradyn_event_set_modes(mbs, p->lands, gradyn_modes_of(p->fall));
  p->leaves = gradyn_event(mbs, &(gradyn_event_spec){.name = "leaves",
                                                     .guard = formula(pull, &tear),
                                                     .direction = GRADYN_EITHER,
                                                     .mode = p->flight});
  gradyn_event_set_modes(mbs, p->leaves, gradyn_modes_of(p->slide));
  gradyn_event_set_modes(mbs,
                         gradyn_event(mbs, &(gradyn_event_spec){.name = "turns",
                                                                .guard = formula(climb, &tilt),
                                                                .direction = GRADYN_RISING,
                                                                .map = map,
                                                                .map_count = 5}),
                         gradyn_modes_of(p->flight));
}

static gradyn_status build(gradyn_model *mbs, const gradyn_scalar r[])
{
  parts p = {.fall = gradyn_mode(mbs, "fall"),
             .slide = gradyn_mode(mbs, "slide"),
             .flight = gradyn_mode(mbs, "flight")};
  add_bodies(mbs, r, &p);
  gradyn_constraint_set_modes(mbs,
                              gradyn_coordinate(mbs, "groove", p.ball, GRADYN_Y,
                                                &(gradyn_time_function){.value = r[4] / 4}),
                              gradyn_modes_of(p.slide));
  add_forces(mbs, r, &p);
  add_events(mbs, r, &p);
  gradyn_end_time(mbs, r[5]);
  const gradyn_custom_functional_spec at_event = {"before", "", .terminal = place},
                                      behind = {"after", "", .terminal = place};
  gradyn_functional(
      mbs, &(gradyn_functional_spec){"x", gradyn_measure_point(mbs, "", p.ball, 0, GRADYN_X),
                                     .reduction = GRADYN_AT_END});
  gradyn_functional(
      mbs, &(gradyn_functional_spec){"vy", gradyn_measure_point(mbs, "", p.other, 1, GRADYN_Y),
                                     .reduction = GRADYN_AT_END});
  gradyn_functional(mbs, &(gradyn_functional_spec){
                             "speed", gradyn_measure_point(mbs, "", p.ball, 1, GRADYN_ALL_AXES),
                             .reduction = GRADYN_SQUARE_INTEGRAL, .target = {0.1, 0}});
  gradyn_event_time(mbs, "landing", p.lands, 1);
  gradyn_event_time(mbs, "leaving", p.leaves, 1);
  declare_before_event(mbs, &at_event, p.leaves, 1);
  declare_after_event(mbs, &behind, GRADYN_ANY_EVENT, 3);
  return gradyn_build_status(mbs);
}

static const gradyn_param params[] = {{.name = "rho", .count = P, .init = 1}};
static const gradyn_problem problem = PROBLEM("groove", build, params, .t_end = 2.5, .rtol = 1e-11);

TEST(direct_and_adjoint_agree)
{
  hybrid_agree(&problem, rho, 3, 1);
}

TEST(gradients_are_those_of_differences)
{
  hybrid_differ(&problem, rho, 1);
}

/* --- declared by arguments, or by the deprecated state of the model --------------------------------- */

FORMULA(half_a_second, at->data[0] - at->t)

/* A ball is pinned to a rod until an event releases it; then a spring acts. */
static gradyn_status declare(gradyn_model *m, bool by_state)
{
  const gradyn_datum time = {"time", "s", 0.5};
  const int held = gradyn_mode(m, "held"), free = gradyn_mode(m, "free");
  const int pivot = gradyn_ground_point(m, "pivot", 0, 0), end = gradyn_point(m, "end", 1, 0.1);
  const int ball = gradyn_point(m, "ball", 1, 0.1);
  gradyn_rod(m, &(gradyn_rod_spec){"rod", pivot, end, .mass = 0.5});
  gradyn_point_mass(m, "ball", ball, 1);
  gradyn_gravity(m, 0, -9.81);
  if (by_state)
    gradyn_in_mode(m, held);
  const int pin = gradyn_pin(m, "pin", end, ball);
  if (!by_state)
    gradyn_constraint_set_modes(m, pin, gradyn_modes_of(held));
  const gradyn_event_spec spec = {"lets go", .guard = formula(half_a_second, &time), .mode = free};
  const int event = gradyn_event(m, &spec);
  if (by_state)
    gradyn_in_mode(m, free);
  else
    gradyn_event_set_modes(m, event, gradyn_modes_of(held));
  const gradyn_spring_spec spring = {"spring", pivot, ball, .k = 8, .free_length = 0.5};
  const int force = gradyn_spring(m, &spring);
  if (!by_state)
    gradyn_force_set_modes(m, force, gradyn_modes_of(free));
  gradyn_functional(m,
                    &(gradyn_functional_spec){"x", gradyn_measure_point(m, "", ball, 0, GRADYN_X),
                                              .reduction = GRADYN_AT_END});
  gradyn_functional(m, &(gradyn_functional_spec){"y", gradyn_measure_point(m, "", end, 0, GRADYN_Y),
                                                 .reduction = GRADYN_AT_END});
  return gradyn_build_status(m);
}

static gradyn_status build_by_state(gradyn_model *m, const gradyn_scalar r[])
{
  (void)r;
  return declare(m, true);
}

static gradyn_status build_by_arguments(gradyn_model *m, const gradyn_scalar r[])
{
  (void)r;
  return declare(m, false);
}

TEST(modes_by_arguments_are_those_by_state)
{
  const gradyn_build_fn builds[] = {build_by_state, build_by_arguments};
  double psi[2][2];
  for (int k = 0; k < 2; k++) {
    const gradyn_problem of = {GRADYN_PROBLEM_SIZES, .name = "pinned", .build = builds[k],
                               .t_end = 1};
    run_local *ev = run_with(.problem = &of, .method = "idas");
    assert_run(gradyn_evaluator_simulate(ev, NULL, psi[k], NULL), ev);
  }
  for (int i = 0; i < 2; i++)
    assert_close(psi[0][i], psi[1][i], 0, 0);
}
