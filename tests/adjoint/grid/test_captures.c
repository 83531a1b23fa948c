/* Values latched at events. A line catches a ball at its present length, a user's groove latches its
 * position, and a map shifts a latched value. In all schemes, direct against adjoint for all data, and
 * against differences of whole runs. */
#include "tests/runs.h"
#include "tests/adjoint/grid/hybrid_checks.h"
#include "tests/declare.h"

enum { P = 6, BALL = 1, OTHER = 2 };

static const double rho[P] = {0.9, 1.1, 2.0, 0.3, 0.4, 1.6};

FORMULA(height, at->pos[2 * BALL + 1] - at->data[0])

/* Guards: a rate, and a time; no other guard vanishes at the same time. */
FORMULA(swing, at->vel[2 * BALL] + at->data[0] * at->t - at->data[1])
FORMULA(alarm, at->data[0] - at->t + 0.05 * at->pos[2 * OTHER])

/* x + a y + b sin(t) and its time derivatives; its initial value has no effect. */
static gradyn_status slope(const gradyn_at *at, int order, gradyn_scalar *value)
{
  const gradyn_scalar *of[] = {at->pos, at->vel, at->acc}, *r = of[order], *d = at->data, t = at->t;
  const gradyn_scalar wave[] = {sin(t), cos(t), -sin(t)};
  *value = r[0] + d[0] * r[1] + d[1] * wave[order];
  return GRADYN_OK;
}

typedef struct parts {
  int fall, swing, slide, ball, other, pivot, catches, lands, shifts;
} parts;

static void add_bodies(gradyn_model *mbs, const gradyn_scalar r[], parts *p)
{
  const gradyn_datum air = {"drag", "N s/m", r[3]};
  p->ball = gradyn_point(mbs, "ball", 0, r[0]);
  p->other = gradyn_point(mbs, "other", 0.8, 0.5);
  p->pivot = gradyn_ground_point(mbs, "pivot", 0.5 * r[4], 1.2);
  gradyn_initial_velocity(mbs, p->ball, 0.7, 0.3);
  gradyn_point_mass(mbs, "ball", p->ball, r[1]);
  gradyn_point_mass(mbs, "other", p->other, 0.7);
  gradyn_rod(mbs, &(gradyn_rod_spec){"arm", p->pivot, p->other, .mass = 0.2});
  gradyn_gravity(mbs, 0, -9.81);
  gradyn_spring(mbs, &(gradyn_spring_spec){"rubber", p->other, p->ball, .k = 20, .c = 0.1,
                                           .free_length = r[2] / 3});
  declare_force(mbs, "air", p->ball, hybrid_drag, &air, 1);
}

/* Adds the line, whose length includes a growing part, and the groove, which latches its position at the
 * event. */
static void add_catches(gradyn_model *mbs, const gradyn_scalar r[], const parts *p)
{
  const gradyn_datum tilt[] = {{"tilt", "", 0.3 * r[1]}, {"wave", "m", 0.1 * r[2]}};
  gradyn_constraint_id line = gradyn_distance(
      mbs, "line", p->pivot, p->ball, &(gradyn_time_function){.value = 1, .rate = 0.2 * r[4]});
  gradyn_constraint_set_modes(mbs, line, gradyn_modes_of(p->swing));
  gradyn_latch_constraint(mbs, line);
  gradyn_constraint_id groove = gradyn_custom_constraint(
      mbs, &(gradyn_custom_constraint_spec){.name = "groove",
                                            .points = &p->ball,
                                            .point_count = 1,
                                            .fn = slope,
                                            .data = tilt,
                                            .data_count = 2});
  gradyn_constraint_set_modes(mbs, groove, gradyn_modes_of(p->slide));
  gradyn_latch_constraint(mbs, groove);
}
static void add_events(gradyn_model *mbs, const gradyn_scalar r[], parts *p)
{
  const gradyn_datum level = {"level", "m", r[0] - 0.25 * r[4]},
                     rate[] = {{"rate", "m/s^2", r[2] / 4}, {"offset", "m/s", 0.2}},
                     time = {"time", "s", 1.1};
  const gradyn_component x = {p->ball, GRADYN_X}, y = {p->ball, GRADYN_Y};
  const gradyn_map_term map[] = {{x, x, 1, false},
                                 {x, {GRADYN_CONSTANT, GRADYN_X}, 0.3 * r[3], false},
                                 {y, y, 1, false},
                                 {y, {p->other, GRADYN_X}, -0.2 * r[4], true}};
  p->catches = gradyn_event(
      mbs, &(gradyn_event_spec){.name = "catches",
                                .guard = {.terminal = height, .data = &level, .data_count = 1},
                                .mode = p->swing});
  gradyn_event_set_modes(mbs, p->catches, gradyn_modes_of(p->fall));
  p->lands = gradyn_event(
      mbs, &(gradyn_event_spec){.name = "lands",
                                .guard = {.terminal = swing, .data = rate, .data_count = 2},
                                .direction = GRADYN_EITHER,
                                .mode = p->slide});
  gradyn_event_set_modes(mbs, p->lands, gradyn_modes_of(p->swing));
  p->shifts = gradyn_event(
      mbs, &(gradyn_event_spec){.name = "shifts",
                                .guard = {.terminal = alarm, .data = &time, .data_count = 1},
                                .map = map,
                                .map_count = 4});
  gradyn_event_set_modes(mbs, p->shifts, gradyn_modes_of(p->slide));
}

static gradyn_status build(gradyn_model *mbs, const gradyn_scalar r[])
{
  parts p = {.fall = gradyn_mode(mbs, "fall"),
             .swing = gradyn_mode(mbs, "swing"),
             .slide = gradyn_mode(mbs, "slide")};
  add_bodies(mbs, r, &p);
  add_catches(mbs, r, &p);
  add_events(mbs, r, &p);
  gradyn_end_time(mbs, r[5]);
  gradyn_functional(
      mbs, &(gradyn_functional_spec){"x", gradyn_measure_point(mbs, "", p.ball, 0, GRADYN_X),
                                     .reduction = GRADYN_AT_END});
  gradyn_functional(
      mbs, &(gradyn_functional_spec){"y", gradyn_measure_point(mbs, "", p.ball, 0, GRADYN_Y),
                                     .reduction = GRADYN_AT_END});
  gradyn_functional(
      mbs, &(gradyn_functional_spec){"vy", gradyn_measure_point(mbs, "", p.other, 1, GRADYN_Y),
                                     .reduction = GRADYN_AT_END});
  gradyn_functional(mbs, &(gradyn_functional_spec){
                             "speed", gradyn_measure_point(mbs, "", p.ball, 1, GRADYN_ALL_AXES),
                             .reduction = GRADYN_SQUARE_INTEGRAL, .target = {0.1, 0}});
  gradyn_event_time(mbs, "catching", p.catches, 1);
  gradyn_event_time(mbs, "landing", p.lands, 1);
  gradyn_event_time(mbs, "shifting", p.shifts, 1);
  return gradyn_build_status(mbs);
}

static const gradyn_param params[] = {{.name = "rho", .count = P, .init = 1}};
static const gradyn_problem problem = PROBLEM("catches", build, params, .t_end = 2.5,
                                              .rtol = 1e-11);

TEST(direct_and_adjoint_agree)
{
  hybrid_agree(&problem, rho, 3, 3);
}

TEST(gradients_are_those_of_differences)
{
  hybrid_differ(&problem, rho, 3);
}

/* Latched values are not listed among the user's data. */
TEST(latched_data_are_hidden)
{
  run_local *ev = run_with(.problem = &problem);
  for (size_t k = 0; k < gradyn_evaluator_model_info(ev).data; k++)
    assert_null(strstr(gradyn_datum_at(ev, k).name, "captured"));
}

static gradyn_status build_wrong(gradyn_model *mbs, const gradyn_scalar r[])
{
  (void)r;
  gradyn_point_mass(mbs, "mass", gradyn_point(mbs, "ball", 0, 0), 1);
  gradyn_latch_constraint(mbs, 1);
  return gradyn_build_status(mbs);
}

TEST(impossible_latches_are_reported)
{
  const gradyn_problem wrong = {GRADYN_PROBLEM_SIZES, .name = "wrong", .build = build_wrong,
                                .t_end = 1};
  assert_no_run(GRADYN_INVALID, "constraint 1", .problem = &wrong);
}
