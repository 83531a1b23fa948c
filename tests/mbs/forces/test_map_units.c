/* Constants of maps have the units of their coordinates: lengths, angles and first-order states. */
#include "core/model/model.h"
#include "tests/declare.h"
#include "tests/mbs/bench.h"
#include <gradyn/events.h>
#include <gradyn/forces.h>

#include <string.h>

FORMULA(clock_of, at->t - 1)

static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  (void)rho;
  const int p = gradyn_point(m, "P", 1, 0), body = declare_body(m, "disc", 1, 1, 0, 0);
  const int hinge = declare_joint(m, "hinge", GRADYN_REVOLUTE, GRADYN_GROUND, body, NULL, NULL);
  const gradyn_component to[] = {
      {p, GRADYN_X},
      {gradyn_joint_coordinate(m, hinge, GRADYN_ANGLE), GRADYN_X},
      {gradyn_first_order_state(
           m, &(gradyn_first_order_state_spec){.name = "heat", .unit = "J", .size = 1}),
       GRADYN_X}};
  gradyn_map_term map[GRADYN_COUNT(to)];
  gradyn_point_mass(m, "mass", p, 1);
  for (size_t i = 0; i < GRADYN_COUNT(to); i++)
    map[i] = (gradyn_map_term){to[i], {GRADYN_CONSTANT, GRADYN_X}, 0.1, false};
  gradyn_event(m, &(gradyn_event_spec){.name = "jump",
                                       .guard = {.terminal = clock_of},
                                       .map = map,
                                       .map_count = (int)GRADYN_COUNT(to)});
  return gradyn_build_status(m);
}

TEST(constants_have_the_units_of_their_coordinates)
{
  static const char *const unit[] = {"m", "rad", "J"};
  bench_local b;
  bench_open(&b, build, NULL);
  int found = 0;
  for (int i = 0; i < b.model->nx; i++)
    if (strncmp(b.model->entry[i].name, "jump.map[", 9) == 0)
      assert_string_equal(b.model->entry[i].unit, unit[found++]);
  assert_int_equal(found, 3);
}
