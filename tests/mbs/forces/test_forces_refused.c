/* Wrong declarations of forces, controllers, frames and measures are refused with a message that names the
 * object and the requirement. */
#include <gradyn/forces.h>
#include <gradyn/mechanism.h>
#include <gradyn/events.h>

#include "tests/mbs/refusal.h"
#include "tests/declare.h"

enum { G = REFUSAL_G, P = REFUSAL_P, Q = REFUSAL_Q };

static gradyn_status nothing(const gradyn_at *at, gradyn_scalar force[])
{
  (void)at;
  force[0] = force[1] = 0;
  return GRADYN_OK;
}

static void gravity_twice(gradyn_model *model)
{
  gradyn_gravity(model, 0, -9.81);
  gradyn_gravity(model, 0, -1.62);
}

static void force(gradyn_model *model, const int *points, int count)
{
  gradyn_custom_force(model,
                      &(gradyn_custom_force_spec){
                          .name = "push", .points = points, .point_count = count, .fn = nothing});
}

static void force_on_nothing(gradyn_model *model)
{
  force(model, &(int){P}, 0);
}

static void force_without_points(gradyn_model *model)
{
  force(model, NULL, 1);
}

static void force_on_many(gradyn_model *model)
{
  const int points[GRADYN_CUSTOM_POINTS + 1] = {P, Q};
  force(model, points, GRADYN_CUSTOM_POINTS + 1);
}

static void force_twice_on_one(gradyn_model *model)
{
  force(model, (const int[]){P, Q, P}, 3);
}

/* The angle of a crank about G, and a first-order state. */
static int angle(gradyn_model *model)
{
  const gradyn_frame_spec ground = {.name = "ground", .body = GRADYN_GROUND, .axis = {1, 0, 0}};
  gradyn_body_spec spec = refusal_body();
  const int body = gradyn_body(model, &spec);
  const int joint = gradyn_joint(
      model, &(gradyn_joint_spec){.name = "hinge",
                                  .kind = GRADYN_REVOLUTE,
                                  .a = gradyn_frame(model, &ground),
                                  .b = declare_frame(model, "crank", body, NULL, VECTOR(1, 0, 0))});
  return gradyn_joint_coordinate(model, joint, GRADYN_ANGLE);
}

static int state(gradyn_model *model, double size)
{
  return gradyn_first_order_state(
      model, &(gradyn_first_order_state_spec){.name = "sum", .unit = "rad s", .size = size});
}

static void feedback(gradyn_model *model, int coordinate, int first, int second)
{
  const int of[] = {first, second};
  const gradyn_scalar gains[] = {1, 2};
  gradyn_feedback(model, &(gradyn_feedback_spec){.name = "loop",
                                                 .coordinate = coordinate,
                                                 .of = of,
                                                 .count = 2,
                                                 .gain = gains,
                                                 .rate_gain = gains});
}

static void feedback_of_one_twice(gradyn_model *model)
{
  const int hinge = angle(model);
  feedback(model, hinge, hinge, hinge);
}

static void gain_of_the_rate_of_a_state(gradyn_model *model)
{
  const int hinge = angle(model);
  feedback(model, hinge, hinge, state(model, 1));
}

static void state_of_negative_size(gradyn_model *model)
{
  (void)state(model, -2);
}

static gradyn_status free_of(const gradyn_at *at, int order, gradyn_scalar *phi)
{
  (void)at;
  (void)order;
  *phi = 0;
  return GRADYN_OK;
}

static void constraint_of_a_state(gradyn_model *model)
{
  const int points[] = {P, state(model, 1)};
  gradyn_custom_constraint(model,
                           &(gradyn_custom_constraint_spec){
                               .name = "tie", .points = points, .point_count = 2, .fn = free_of});
}

static void bar_between_one_place(gradyn_model *model)
{
  gradyn_rod_frame(model, "bar", P, gradyn_point(model, "R", 1, 0));
}

static void slide_of_a_hinge(gradyn_model *model)
{
  (void)angle(model);
  gradyn_joint_coordinate(model, 1, GRADYN_SLIDE_X);
}

static void force_without_function(gradyn_model *model)
{
  gradyn_custom_force(
      model, &(gradyn_custom_force_spec){.name = "push", .points = &(int){P}, .point_count = 1});
}

static void constraint_without_function(gradyn_model *model)
{
  gradyn_custom_constraint(model, &(gradyn_custom_constraint_spec){
                                      .name = "tie", .points = &(int){P}, .point_count = 1});
}

static void force_without_its_data(gradyn_model *model)
{
  declare_force(model, "push", P, nothing, NULL, 2);
}

static void rod_of_two_kinds(gradyn_model *model)
{
  gradyn_rod(model, &(gradyn_rod_spec){"rod", P, Q, .mass = 1, .inertia = 0.1});
}

static void friction_of_no_law(gradyn_model *model)
{
  (void)angle(model);
  gradyn_joint_friction(model,
                        &(gradyn_joint_friction_spec){.joint = 1, .law = (gradyn_friction_law)99});
}

static void lugre(gradyn_model *model, double still, double kinetic)
{
  (void)angle(model);
  gradyn_joint_friction(model, &(gradyn_joint_friction_spec){.joint = 1,
                                                             .law = GRADYN_LUGRE,
                                                             .still = still,
                                                             .kinetic = kinetic,
                                                             .transition = 0.01,
                                                             .smoothing = 0.1,
                                                             .radius = 0.1,
                                                             .stiffness = 100,
                                                             .damping = 1});
}

static void lugre_that_slides_freely(gradyn_model *model)
{
  lugre(model, 0.3, 0);
}

static void lugre_that_starts_freely(gradyn_model *model)
{
  lugre(model, 0, 0.2);
}

static void colour_of_more(gradyn_model *model)
{
  gradyn_draw_colour(model, "P", 0x1000000);
}

static void phase_without_time(gradyn_model *model)
{
  gradyn_phase(model, &(gradyn_phase_spec){.name = "flight", .duration = 0, .next = GRADYN_END});
}

static void map_behind_the_end(gradyn_model *model)
{
  const gradyn_map_term map = {{P, GRADYN_X}, {P, GRADYN_X}, .weight = 1};
  gradyn_phase(
      model, &(gradyn_phase_spec){
                 .name = "flight", .duration = 1, .next = GRADYN_END, .map = &map, .map_count = 1});
}

static void no_specification(gradyn_model *model)
{
  gradyn_joint_friction(model, NULL);
}

FORMULA(see, at->pos[0])

/* Lists a point twice by its id, and an id that does not exist. */
static void list_twice(gradyn_model *model, int point)
{
  const int points[] = {P, point, point};
  gradyn_custom_functional(
      model, &(gradyn_custom_functional_spec){
                 .name = "look", .terminal = see, .points = points, .point_count = 3});
}

static void functional_of_one_twice(gradyn_model *model)
{
  list_twice(model, Q);
}

static void functional_of_none_twice(gradyn_model *model)
{
  list_twice(model, 77);
}

static void latched_twice(gradyn_model *model)
{
  const int mode = gradyn_mode(model, "free");
  const gradyn_constraint_id rail = gradyn_coordinate(model, "rail", P, GRADYN_X,
                                                      &(gradyn_time_function){.value = 0}),
                             other = gradyn_coordinate(model, "other", Q, GRADYN_X,
                                                       &(gradyn_time_function){.value = 0});
  gradyn_constraint_set_modes(model, rail, gradyn_modes_of(mode));
  gradyn_latch_constraint(model, rail);
  gradyn_latch_constraint(model, other);
  gradyn_latch_constraint(model, rail);
}

static const refusal plane[] = {
    {functional_of_one_twice, "functional look lists point Q twice"},
    {functional_of_none_twice, "functional look lists point 77 twice"},
    {latched_twice, "constraint rail: latched already. Call gradyn_latch_constraint() once"},
    {force_without_function, "push has no function"},
    {constraint_without_function, "tie has no function"},
    {force_without_its_data, "push has 2 data, but none are given"},
    {rod_of_two_kinds, "rod sets com or inertia: also set own_inertia"},
    {friction_of_no_law, "friction: there is no friction law 99"},
    {lugre_that_slides_freely,
     "friction.kinetic is 0: it must be positive with the law GRADYN_LUGRE"},
    {lugre_that_starts_freely,
     "friction.still is 0: it must be positive with the law GRADYN_LUGRE"},
    {colour_of_more, "the colour of P is 0x1000000: colours are 0x000000 to 0xffffff"},
    {phase_without_time, "phase flight lasts 0 s: give its duration a lower bound above 0"},
    {map_behind_the_end, "phase flight is the last one, so its map has no effect"},
    {no_specification, "gradyn_joint_friction(): the specification is NULL"},
    {gravity_twice, "gravity is declared twice"},
    {force_on_nothing, "push lists 0 points: 1 to "},
    {force_without_points, "push lists 1 points: 1 to "},
    {force_on_many, "push lists 9 points: 1 to 8 are possible"},
    {force_twice_on_one, "push lists point P twice"},
    {feedback_of_one_twice, "loop lists hinge.angle twice"},
    {gain_of_the_rate_of_a_state,
     "loop: sum is a first-order state, so a gain of its rate is not possible"},
    {state_of_negative_size, "sum has the size -2: it must be positive, or 0 for 1"},
    {constraint_of_a_state, "tie constrains sum; a first-order state is determined by its rate"},
    {bar_between_one_place, "bar: its points coincide, so the rod has no direction"},
    {slide_of_a_hinge, "joint hinge has no slide along x"},
};

TEST(the_plane)
{
  refusal_check(sizeof plane / sizeof *plane, plane);
}

static void angle_from_a_bar(gradyn_model *model)
{
  const gradyn_frame_spec ground = {.name = "ground", .body = GRADYN_GROUND, .axis = {0, 0, 1}};
  gradyn_frame_coordinate(model, "twist", gradyn_rod_frame(model, "bar", P, Q),
                          gradyn_frame(model, &ground), GRADYN_ANGLE);
}

static const refusal space[] = {
    {angle_from_a_bar, "twist: the frame of rod bar has no direction normal to its axis"},
};

TEST(in_space)
{
  refusal_check_3d(sizeof space / sizeof *space, space);
}
