/* Modes of constraints, forces and events: they can be set once, need declared modes, and must be the same in
 * each build(). */
#include "tests/support.h"

#include <complex.h>

#include "tests/core/model/probe_model.h"
#include <gradyn/gradyn.h>

FORMULA(guard, 0.1 - at->t)

enum { RIGHT, UNDECLARED, TWICE, NO_CONSTRAINT, NO_FORCE, NO_EVENT, JOINT, OTHER, FEWER };

static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  const int what = (int)creal(rho[0]);
  const int held = gradyn_mode(m, "held"), free = gradyn_mode(m, "free");
  const int p = gradyn_point(m, "P", 0, 1), ground = gradyn_ground_point(m, "G", 0, 0);
  const gradyn_modes some = what == UNDECLARED ? 4 : gradyn_modes_of(what == OTHER ? free : held);
  gradyn_point_mass(m, "m", p, 1);
  const int rail = gradyn_coordinate(m, "rail", p, GRADYN_X, &(gradyn_time_function){.value = 0});
  gradyn_constraint_set_modes(m, what == NO_CONSTRAINT ? rail + 1 : rail, some);
  const int spring = gradyn_spring(m, &(gradyn_spring_spec){"spring", ground, p, .k = 1});
  if (what != FEWER)
    gradyn_force_set_modes(m, what == NO_FORCE ? spring + 1 : spring, some);
  if (what == TWICE)
    gradyn_force_set_modes(m, spring, some);
  const gradyn_event_spec when = {.name = "lets go", .guard = {.terminal = guard}, .mode = free};
  const int event = gradyn_event(m, &when);
  gradyn_event_set_modes(m, what == NO_EVENT ? event + 1 : event, some);
  if (what == JOINT)
    gradyn_joint_between(
        m, &(gradyn_joint_between_spec){
               .name = "hinge",
               .kind = GRADYN_REVOLUTE,
               .body_a = GRADYN_GROUND,
               .body_b = gradyn_body(m, &(gradyn_body_spec){.mass = 1, .inertia = {0, 0, 1}}),
               .modes = 8});
  gradyn_functional(m, &(gradyn_functional_spec){"x", gradyn_measure_point(m, "", p, 0, GRADYN_X),
                                                 .reduction = GRADYN_AT_END});
  return gradyn_build_status(m);
}

TEST(wrong_modes_are_named)
{
  static const struct {
    double what;
    const char *says;
  } refused[] = {
      {UNDECLARED, "rail: modes 0x4; there are 2"},
      {UNDECLARED, "spring: modes 0x4; there are 2"},
      {UNDECLARED, "lets go: modes 0x4; there are 2"},
      {TWICE, "spring: modes 0x1; it has the modes 0x1 already"},
      {NO_CONSTRAINT, "gradyn_constraint_set_modes(): constraint 2 has not been declared"},
      {NO_FORCE, "gradyn_force_set_modes(): force 2 has not been declared"},
      {NO_EVENT, "gradyn_event_set_modes(): event 2 has not been declared"},
      {JOINT, "hinge: modes 0x8; there are 2"},
  };
  for (size_t i = 0; i < GRADYN_COUNT(refused); i++) {
    const gradyn_scalar rho = refused[i].what;
    gradyn_model *model;
    assert_status(probe_create(build, &rho, &model), GRADYN_INVALID, NULL);
    probe_assert_says(model, refused[i].says);
    probe_destroy(model);
  }
}

TEST(modes_do_not_change)
{
  static const struct {
    double then;
    const char *says;
  } changes[] = {{OTHER, "build() sets the modes of rail to 0x2, but to 0x1 before"},
                 {FEWER, "build() declares 2 choices of modes where it declared 3 before"}};
  for (size_t i = 0; i < GRADYN_COUNT(changes); i++) {
    gradyn_model *model;
    const gradyn_scalar first = RIGHT, then = changes[i].then;
    assert_ok(probe_create(build, &first, &model), model->message.text);
    assert_ok(gradyn_model_refresh(model, &first), model->message.text);
    assert_int_equal(gradyn_model_refresh(model, &then), GRADYN_INVALID);
    probe_assert_says(model, changes[i].says);
    probe_destroy(model);
  }
}
