/* Examples of the reference: a model of a few lines for each element. The comment in a function names the entries
 * that show it. This program runs each of them for a second and prints the energy at the end, and the drawings at 21
 * times, as JSON. examples.py has the same models in Python. */
#include <gradyn/gradyn.h>
#include <stdio.h>
#include <stdlib.h>

static void point_mass(gradyn_model *m)
{
  /* gradyn_point_mass gradyn_point gradyn_gravity */
  gradyn_point_id ball = gradyn_point(m, "ball", 0, 0);
  gradyn_initial_velocity(m, ball, 1, 4);
  gradyn_point_mass(m, "ball", ball, 1);
  gradyn_gravity(m, 0, -9.81);
  gradyn_draw_trace(m, ball);
}

static void rod(gradyn_model *m)
{
  /* gradyn_rod gradyn_ground_point */
  gradyn_point_id pivot = gradyn_ground_point(m, "pivot", 0, 0);
  gradyn_point_id end = gradyn_point(m, "end", 1, 0);
  gradyn_rod(m, &(gradyn_rod_spec){"rod", pivot, end, .mass = 1});
  gradyn_gravity(m, 0, -2);
}

static void body(gradyn_model *m)
{
  /* gradyn_body gradyn_body_point gradyn_draw_box */
  gradyn_body_id b = gradyn_body(
      m, &(gradyn_body_spec){"b", {0.5, 0}, 1, {[2] = 0.1}, .velocity = {1}, .omega = {[2] = 1}});
  gradyn_body_point(m, b, "corner", 1, 0.2);
  gradyn_draw_box(m, b, 1, 0.4, 0);
}

static void spring(gradyn_model *m)
{
  /* gradyn_spring */
  gradyn_point_id top = gradyn_ground_point(m, "top", 0, 0);
  gradyn_point_id ball = gradyn_point(m, "ball", 0, -1);
  gradyn_point_mass(m, "ball", ball, 1);
  gradyn_spring(m, &(gradyn_spring_spec){"spring", top, ball, .k = 20, .c = 0.2, .free_length = 1});
  gradyn_gravity(m, 0, -9.81);
}

static void dashpot(gradyn_model *m)
{
  /* gradyn_dashpot */
  gradyn_point_id wall = gradyn_ground_point(m, "wall", 0, 0);
  gradyn_point_id ball = gradyn_point(m, "ball", 1, 0);
  gradyn_initial_velocity(m, ball, 1, 1);
  gradyn_point_mass(m, "ball", ball, 1);
  gradyn_dashpot(m, "dashpot", wall, ball, 2);
}

static void attraction(gradyn_model *m)
{
  /* gradyn_attraction */
  gradyn_point_id sun = gradyn_ground_point(m, "sun", 0, 0);
  gradyn_point_id planet = gradyn_point(m, "planet", 1, 0);
  gradyn_initial_velocity(m, planet, 0, 1.5);
  gradyn_point_mass(m, "planet", planet, 1);
  gradyn_attraction(m, &(gradyn_attraction_spec){"gravitation", sun, planet, .strength = 2});
  gradyn_draw_trace(m, planet);
}

static void force(gradyn_model *m)
{
  /* gradyn_force */
  gradyn_point_id ball = gradyn_point(m, "ball", 0, 0);
  gradyn_point_mass(m, "ball", ball, 1);
  gradyn_force(m, &(gradyn_force_spec){"push", ball, .fx = 1, .fy = 0.5});
}

static void torque(gradyn_model *m)
{
  /* gradyn_torque */
  gradyn_point_id pivot = gradyn_ground_point(m, "pivot", 0, 0);
  gradyn_point_id end = gradyn_point(m, "end", 1, 0);
  gradyn_rod(m, &(gradyn_rod_spec){"crank", pivot, end, .mass = 1});
  gradyn_torque(m, &(gradyn_torque_spec){"motor", pivot, end, .torque = 1, .c = 0.1});
}

static void bushing(gradyn_model *m)
{
  /* gradyn_bushing */
  gradyn_body_id a = gradyn_body(m, &(gradyn_body_spec){"a", {-0.5, 0}, 1, {[2] = 0.1}});
  gradyn_body_id b = gradyn_body(
      m, &(gradyn_body_spec){"b", {0.5, 0}, 1, {[2] = 0.1}, .omega = {[2] = 1}});
  gradyn_bushing(
      m, &(gradyn_bushing_spec){"bushing", a, b, .stiffness = {50, 50}, .torsion = {[2] = 1}});
  gradyn_draw_box(m, a, 1, 0.4, 0);
  gradyn_draw_box(m, b, 1, 0.4, 0);
}

static void pin(gradyn_model *m)
{
  /* gradyn_pin */
  gradyn_body_id a = gradyn_body(m, &(gradyn_body_spec){"a", {-0.5, 0}, 1, {[2] = 0.1}});
  gradyn_body_id b = gradyn_body(
      m, &(gradyn_body_spec){"b", {0.5, 0}, 1, {[2] = 0.1}, .omega = {[2] = 2}});
  gradyn_pin(m, "pin", gradyn_body_point(m, a, "right", 0, 0),
             gradyn_body_point(m, b, "left", 0, 0));
  gradyn_draw_box(m, a, 1, 0.4, 0);
  gradyn_draw_box(m, b, 1, 0.4, 0);
}

static void distance(gradyn_model *m)
{
  /* gradyn_distance gradyn_time_function */
  gradyn_point_id top = gradyn_ground_point(m, "top", 0, 0);
  gradyn_point_id ball = gradyn_point(m, "ball", 0.6, -0.8);
  gradyn_point_mass(m, "ball", ball, 1);
  gradyn_distance(m, "winch", top, ball, &(gradyn_time_function){.value = 1, .rate = 0.5});
  gradyn_gravity(m, 0, -9.81);
}

static void coordinate(gradyn_model *m)
{
  /* gradyn_coordinate */
  gradyn_point_id cart = gradyn_point(m, "cart", 0, 0);
  gradyn_point_mass(m, "cart", cart, 1);
  gradyn_initial_velocity(m, cart, 1, 0);
  gradyn_coordinate(m, "rail", cart, GRADYN_Y, NULL);
}

static void angle(gradyn_model *m)
{
  /* gradyn_angle */
  gradyn_point_id pivot = gradyn_ground_point(m, "pivot", 0, 0);
  gradyn_point_id end = gradyn_point(m, "end", 1, 0);
  gradyn_rod(m, &(gradyn_rod_spec){"crank", pivot, end, .mass = 1});
  gradyn_angle(m, "drive", pivot, end, &(gradyn_time_function){.rate = 1});
}

static void beam(gradyn_model *m)
{
  /* gradyn_beam gradyn_weld gradyn_section_rectangle */
  gradyn_point_id wall = gradyn_ground_point(m, "wall", 0, 0);
  gradyn_point_id tip = gradyn_point(m, "tip", 1, 0);
  gradyn_beam_id beam = gradyn_beam(
      m, &(gradyn_beam_spec){"beam", wall, tip, 4, gradyn_section_rectangle(0.01, 0.01),
                             .young = 1e8, .density = 1000, .damping = 0.01});
  gradyn_weld(m, "clamp", beam, 0, GRADYN_GROUND);
  gradyn_gravity(m, 0, -9.81);
}

static void weld(gradyn_model *m)
{
  /* gradyn_weld */
  gradyn_body_id b = gradyn_body(
      m, &(gradyn_body_spec){"b", {-0.3, 0}, 1, {[2] = 0.1}, .omega = {[2] = 1}});
  gradyn_point_id root = gradyn_body_point(m, b, "root", 0, 0);
  gradyn_beam_id beam = gradyn_beam(
      m, &(gradyn_beam_spec){"beam", root, gradyn_point(m, "tip", 1, 0), 4,
                             gradyn_section_rectangle(0.01, 0.01), .young = 1e8, .density = 1000,
                             .damping = 0.01});
  gradyn_weld(m, "weld", beam, 0, b);
  gradyn_draw_box(m, b, 0.6, 0.3, 0);
}

static void joint_spring(gradyn_model *m)
{
  /* gradyn_joint_spring gradyn_joint_coordinate */
  gradyn_body_id b = gradyn_body(m, &(gradyn_body_spec){"b", {0.5, 0}, 1, {[2] = 0.1}});
  gradyn_joint_id hinge = gradyn_joint_between(
      m, &(gradyn_joint_between_spec){"hinge", GRADYN_REVOLUTE, GRADYN_GROUND, b});
  gradyn_joint_spring(
      m, &(gradyn_joint_spring_spec){"spring", gradyn_joint_coordinate(m, hinge, GRADYN_ANGLE),
                                     .k = 10, .c = 0.5});
  gradyn_gravity(m, 0, -9.81);
  gradyn_draw_box(m, b, 1, 0.3, 0);
}

static void joint_stop(gradyn_model *m)
{
  /* gradyn_joint_stop */
  gradyn_body_id b = gradyn_body(m, &(gradyn_body_spec){"b", {0.5, 0}, 1, {[2] = 0.1}});
  gradyn_joint_id hinge = gradyn_joint_between(
      m, &(gradyn_joint_between_spec){"hinge", GRADYN_REVOLUTE, GRADYN_GROUND, b});
  gradyn_joint_stop(
      m, &(gradyn_joint_stop_spec){"stop", gradyn_joint_coordinate(m, hinge, GRADYN_ANGLE),
                                   .lower = -0.5, .upper = 0.5, .k = 500, .c = 5, .width = 0.01});
  gradyn_gravity(m, 0, -9.81);
  gradyn_draw_box(m, b, 1, 0.3, 0);
}

static void joint_friction(gradyn_model *m)
{
  /* gradyn_joint_friction */
  gradyn_body_id b = gradyn_body(m,
                                 &(gradyn_body_spec){"b", {0, 0}, 1, {[2] = 0.1}, .velocity = {2}});
  gradyn_joint_id slide = gradyn_joint_between(
      m,
      &(gradyn_joint_between_spec){"rail", GRADYN_PRISMATIC, GRADYN_GROUND, b, .axis = {1, 0, 0}});
  gradyn_joint_friction(m, &(gradyn_joint_friction_spec){"friction", slide, GRADYN_BROWN_MCPHEE,
                                                         .still = 0.2, .kinetic = 0.1,
                                                         .transition = 0.01, .smoothing = 0.01});
  gradyn_gravity(m, 0, -9.81);
  gradyn_draw_box(m, b, 0.5, 0.3, 0);
}

static void gear(gradyn_model *m)
{
  /* gradyn_gear */
  gradyn_body_id a = gradyn_body(
      m, &(gradyn_body_spec){"a", {0, 0}, 1, {[2] = 0.1}, .omega = {[2] = 1}});
  gradyn_body_id b = gradyn_body(
      m, &(gradyn_body_spec){"b", {1.5, 0}, 1, {[2] = 0.1}, .omega = {[2] = -2}});
  gradyn_joint_id first = gradyn_joint_between(
      m, &(gradyn_joint_between_spec){"A", GRADYN_REVOLUTE, GRADYN_GROUND, a});
  gradyn_joint_id second = gradyn_joint_between(
      m, &(gradyn_joint_between_spec){"B", GRADYN_REVOLUTE, GRADYN_GROUND, b,
                                      .position = {1.5, 0, 0}});
  gradyn_gear(m, "gear", gradyn_joint_coordinate(m, first, GRADYN_ANGLE),
              gradyn_joint_coordinate(m, second, GRADYN_ANGLE), -2);
  gradyn_draw_cylinder(m, a, GRADYN_Z, 1, 0.1);
  gradyn_draw_cylinder(m, b, GRADYN_Z, 0.5, 0.1);
}

static void drive(gradyn_model *m)
{
  /* gradyn_drive_joint */
  gradyn_body_id b = gradyn_body(m, &(gradyn_body_spec){"b", {0.5, 0}, 1, {[2] = 0.1}});
  gradyn_joint_id hinge = gradyn_joint_between(
      m, &(gradyn_joint_between_spec){"hinge", GRADYN_REVOLUTE, GRADYN_GROUND, b});
  gradyn_drive_joint(m, "drive", gradyn_joint_coordinate(m, hinge, GRADYN_ANGLE),
                     &(gradyn_time_function){.rate = 1});
  gradyn_draw_box(m, b, 1, 0.3, 0);
}

static void pid(gradyn_model *m)
{
  /* gradyn_pid */
  gradyn_body_id b = gradyn_body(m, &(gradyn_body_spec){"b", {0.5, 0}, 1, {[2] = 0.1}});
  gradyn_joint_id hinge = gradyn_joint_between(
      m, &(gradyn_joint_between_spec){"hinge", GRADYN_REVOLUTE, GRADYN_GROUND, b});
  gradyn_pid(m, &(gradyn_pid_spec){"PID", gradyn_joint_coordinate(m, hinge, GRADYN_ANGLE), .kp = 20,
                                   .ki = 5, .kd = 4, .target = 0.5});
  gradyn_gravity(m, 0, -9.81);
  gradyn_draw_box(m, b, 1, 0.3, 0);
}

static void bounce(gradyn_model *m)
{
  /* gradyn_impact */
  gradyn_point_id ball = gradyn_point(m, "ball", 0, 1);
  gradyn_initial_velocity(m, ball, 1, 0);
  gradyn_point_mass(m, "ball", ball, 1);
  gradyn_gravity(m, 0, -9.81);
  gradyn_impact(m, &(gradyn_impact_spec){"floor", ball, GRADYN_Y, .restitution = 0.8});
  gradyn_draw_trace(m, ball);
}

static void knife_edge(gradyn_model *m)
{
  /* gradyn_knife_edge gradyn_frame */
  gradyn_body_id b = gradyn_body(
      m, &(gradyn_body_spec){"b", {0, 0}, 1, {[2] = 0.1}, .velocity = {1, 0}, .omega = {[2] = 1}});
  gradyn_frame_id blade = gradyn_frame(m, &(gradyn_frame_spec){"blade", b, .axis = {1, 0, 0}});
  gradyn_knife_edge(m, "skate", blade, GRADYN_Y, gradyn_body_centre(m, b), NULL);
  gradyn_draw_box(m, b, 0.6, 0.1, 0);
  gradyn_draw_trace(m, gradyn_body_centre(m, b));
}

static void wheel(gradyn_model *m)
{
  /* gradyn_wheel */
  gradyn_body_id b = gradyn_body_3d(
      m, &(gradyn_body_spec){
             "b", {0, 0, 0.5}, 1, {0.07, 0.13, 0.07}, .velocity = {1}, .omega = {0, 2, 0}});
  gradyn_frame_id axle = gradyn_frame(m, &(gradyn_frame_spec){"axle", b, {0, 0, 0.5}, {0, 1, 0}});
  gradyn_frame_id floor = gradyn_frame(
      m, &(gradyn_frame_spec){"floor", GRADYN_GROUND, {0}, {0, 0, 1}});
  gradyn_wheel(m, &(gradyn_wheel_spec){"wheel", axle, floor, 0.5});
  gradyn_draw_cylinder(m, b, GRADYN_Y, 0.5, 0.1);
}

static void tyre(gradyn_model *m)
{
  /* gradyn_tyre */
  gradyn_body_id b = gradyn_body_3d(
      m, &(gradyn_body_spec){
             "b", {0, 0, 0.5}, 1, {0.07, 0.13, 0.07}, .velocity = {1}, .omega = {0, 3, 0}});
  gradyn_frame_id axle = gradyn_frame(m, &(gradyn_frame_spec){"axle", b, {0, 0, 0.5}, {0, 1, 0}});
  gradyn_frame_id floor = gradyn_frame(
      m, &(gradyn_frame_spec){"floor", GRADYN_GROUND, {0}, {0, 0, 1}});
  gradyn_tyre(m, &(gradyn_tyre_spec){"tyre", axle, floor, .radius = 0.5, .stiffness = 2000,
                                     .damping = 20, .rebound = 20, .critical = {0.1, 0.1},
                                     .friction = {0.8, 0.8}, .relaxation = {0.1, 0.1},
                                     .smoothing = 0.5, .slow = 0.05});
  gradyn_gravity_3d(m, 0, 0, -9.81);
  gradyn_draw_cylinder(m, b, GRADYN_Y, 0.5, 0.1);
}

static void feedback(gradyn_model *m)
{
  /* gradyn_feedback */
  gradyn_body_id b = gradyn_body(m, &(gradyn_body_spec){"b", {0.5, 0}, 1, {[2] = 0.1}});
  gradyn_joint_id hinge = gradyn_joint_between(
      m, &(gradyn_joint_between_spec){"hinge", GRADYN_REVOLUTE, GRADYN_GROUND, b});
  const gradyn_variable_id angle = gradyn_joint_coordinate(m, hinge, GRADYN_ANGLE);
  const gradyn_scalar gain = 20, rate_gain = 4, target = 0.5;
  gradyn_feedback(
      m, &(gradyn_feedback_spec){"feedback", angle, &angle, 1, &gain, &rate_gain, &target});
  gradyn_gravity(m, 0, -9.81);
  gradyn_draw_box(m, b, 1, 0.2, 0);
}

static void phases(gradyn_model *m)
{
  /* gradyn_phase gradyn_force_set_modes GRADYN_END */
  gradyn_mode_id burn = gradyn_mode(m, "burn"), coast = gradyn_mode(m, "coast");
  gradyn_point_id rocket = gradyn_point(m, "rocket", 0, 0);
  gradyn_initial_velocity(m, rocket, 1, 0);
  gradyn_point_mass(m, "rocket", rocket, 0.1);
  gradyn_gravity(m, 0, -9.81);
  gradyn_force_id thrust = gradyn_force(m, &(gradyn_force_spec){"thrust", rocket, .fy = 2});
  gradyn_force_set_modes(m, thrust, gradyn_modes_of(burn));
  gradyn_scalar end = gradyn_phase(m, &(gradyn_phase_spec){"burnout", burn, 0, 0.4, coast});
  gradyn_phase(m, &(gradyn_phase_spec){"end", coast, end, 0.6, GRADYN_END});
  gradyn_draw_trace(m, rocket);
}

static gradyn_status below_pivot(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->pos[0]; /* of the first variable in the list of the guard */
  return GRADYN_OK;
}

static void modes(gradyn_model *m)
{
  /* gradyn_mode gradyn_event gradyn_constraint_set_modes gradyn_modes_of */
  gradyn_mode_id held = gradyn_mode(m, "held"), flies = gradyn_mode(m, "flies");
  gradyn_point_id pivot = gradyn_ground_point(m, "pivot", 0, 0);
  gradyn_point_id ball = gradyn_point(m, "ball", -0.8, -0.6);
  gradyn_point_mass(m, "ball", ball, 1);
  gradyn_gravity(m, 0, -9.81);
  gradyn_constraint_id string = gradyn_distance(m, "string", pivot, ball,
                                                &(gradyn_time_function){.value = 1});
  gradyn_constraint_set_modes(m, string, gradyn_modes_of(held));
  const gradyn_custom_functional_spec guard = {
      .terminal = below_pivot, .points = &ball, .point_count = 1, .positions_only = true};
  gradyn_event_id lets_go = gradyn_event(
      m, &(gradyn_event_spec){"lets_go", guard, .direction = GRADYN_RISING, .mode = flies});
  gradyn_event_set_modes(m, lets_go, gradyn_modes_of(held));
  gradyn_draw_trace(m, ball);
}

static gradyn_status drag(const gradyn_at *at, gradyn_scalar force[])
{
  force[0] = -at->data[0] * at->vel[0];
  force[1] = -at->data[0] * at->vel[1];
  return GRADYN_OK;
}

static void custom_force(gradyn_model *m)
{
  /* gradyn_custom_force */
  gradyn_point_id ball = gradyn_point(m, "ball", 0, 0);
  gradyn_initial_velocity(m, ball, 3, 4);
  gradyn_point_mass(m, "ball", ball, 1);
  gradyn_gravity(m, 0, -9.81);
  const gradyn_datum c = {"c", "N s/m", 2};
  gradyn_custom_force(m, &(gradyn_custom_force_spec){"drag", .points = &ball, .point_count = 1,
                                                     .fn = drag, .data = &c, .data_count = 1});
  gradyn_draw_trace(m, ball);
}

static gradyn_status on_parabola(const gradyn_at *at, int order, gradyn_scalar *value)
{
  const gradyn_scalar *r = at->pos, *v = at->vel, *a = at->acc; /* y = x^2 and its derivatives */
  *value = order == 0   ? r[1] - r[0] * r[0]
           : order == 1 ? v[1] - 2 * r[0] * v[0]
                        : a[1] - 2 * v[0] * v[0] - 2 * r[0] * a[0];
  return GRADYN_OK;
}

static void custom_constraint(gradyn_model *m)
{
  /* gradyn_custom_constraint */
  gradyn_point_id bead = gradyn_point(m, "bead", -1, 1);
  gradyn_point_mass(m, "bead", bead, 1);
  gradyn_gravity(m, 0, -9.81);
  gradyn_custom_constraint(m,
                           &(gradyn_custom_constraint_spec){"wire", &bead, 1, .fn = on_parabola});
  gradyn_draw_trace(m, bead);
}

static gradyn_status along_wave(const gradyn_at *at, int order, gradyn_scalar *value)
{
  const gradyn_scalar *v = at->vel, *a = at->acc, s = sin(5 * at->t), c = cos(5 * at->t);
  *value = order == 1 ? v[1] - s * v[0] : a[1] - s * a[0] - 5 * c * v[0];
  return GRADYN_OK;
}

static void custom_nonholonomic(gradyn_model *m)
{
  /* gradyn_custom_nonholonomic */
  gradyn_point_id ball = gradyn_point(m, "ball", 0, 0);
  gradyn_initial_velocity(m, ball, 1, 0);
  gradyn_point_mass(m, "ball", ball, 1);
  gradyn_custom_nonholonomic(m,
                             &(gradyn_custom_constraint_spec){"steered", .points = &ball,
                                                              .point_count = 1, .fn = along_wave});
  gradyn_draw_trace(m, ball);
}

static gradyn_status speed(const gradyn_at *at, gradyn_scalar *value)
{
  *value = sqrt(at->vel[0] * at->vel[0] + at->vel[1] * at->vel[1]);
  return GRADYN_OK;
}

static void custom_functional(gradyn_model *m)
{
  /* gradyn_custom_functional */
  gradyn_point_id ball = gradyn_point(m, "ball", 0, 0);
  gradyn_initial_velocity(m, ball, 2, 4);
  gradyn_point_mass(m, "ball", ball, 1);
  gradyn_gravity(m, 0, -9.81);
  gradyn_custom_functional(m, &(gradyn_custom_functional_spec){"length", "m", .integrand = speed,
                                                               .points = &ball, .point_count = 1});
  gradyn_draw_trace(m, ball);
}

static void fixed(gradyn_model *m)
{
  /* GRADYN_FIXED */
  gradyn_body_id b = gradyn_body_3d(m, &(gradyn_body_spec){"b", {0.5, 0, 0}, 1, {0.02, 0.1, 0.1}});
  gradyn_joint_between(
      m, &(gradyn_joint_between_spec){"joint", GRADYN_FIXED, GRADYN_GROUND, b, .axis = {0, 0, 1}});
  gradyn_draw_box(m, b, 1, 0.3, 0.2);
}

static void revolute(gradyn_model *m)
{
  /* GRADYN_REVOLUTE gradyn_joint_between */
  gradyn_body_id b = gradyn_body_3d(
      m, &(gradyn_body_spec){
             "b", {0.5, 0, 0}, 1, {0.02, 0.1, 0.1}, .velocity = {0, 0.5}, .omega = {0, 0, 1}});
  gradyn_joint_between(m, &(gradyn_joint_between_spec){"joint", GRADYN_REVOLUTE, GRADYN_GROUND, b,
                                                       .axis = {0, 0, 1}});
  gradyn_draw_box(m, b, 1, 0.3, 0.2);
}

static void prismatic(gradyn_model *m)
{
  /* GRADYN_PRISMATIC */
  gradyn_body_id b = gradyn_body_3d(
      m, &(gradyn_body_spec){"b", {0, 0, 0}, 1, {0.02, 0.1, 0.1}, .velocity = {1}});
  gradyn_joint_between(m, &(gradyn_joint_between_spec){"joint", GRADYN_PRISMATIC, GRADYN_GROUND, b,
                                                       .axis = {1, 0, 0}});
  gradyn_draw_box(m, b, 0.5, 0.3, 0.2);
}

static void cylindrical(gradyn_model *m)
{
  /* GRADYN_CYLINDRICAL */
  gradyn_body_id b = gradyn_body_3d(
      m, &(gradyn_body_spec){
             "b", {0, 0, 0}, 1, {0.02, 0.1, 0.1}, .velocity = {1}, .omega = {1, 0, 0}});
  gradyn_joint_between(m, &(gradyn_joint_between_spec){"joint", GRADYN_CYLINDRICAL, GRADYN_GROUND,
                                                       b, .axis = {1, 0, 0}});
  gradyn_draw_box(m, b, 0.5, 0.3, 0.2);
}

static void screw(gradyn_model *m)
{
  /* GRADYN_SCREW */
  gradyn_body_id b = gradyn_body_3d(
      m, &(gradyn_body_spec){"b", {0, 0, 0}, 1, {0.02, 0.1, 0.1}, .omega = {1, 0, 0}});
  gradyn_joint_between(m, &(gradyn_joint_between_spec){"joint", GRADYN_SCREW, GRADYN_GROUND, b,
                                                       .axis = {1, 0, 0}, .pitch = 3});
  gradyn_draw_box(m, b, 0.5, 0.3, 0.2);
}

static void spherical(gradyn_model *m)
{
  /* GRADYN_SPHERICAL */
  gradyn_body_id b = gradyn_body_3d(
      m, &(gradyn_body_spec){
             "b", {0.5, 0, 0}, 1, {0.02, 0.1, 0.1}, .velocity = {0, 0.5}, .omega = {0, 0, 1}});
  gradyn_joint_between(m,
                       &(gradyn_joint_between_spec){"joint", GRADYN_SPHERICAL, GRADYN_GROUND, b});
  gradyn_gravity_3d(m, 0, 0, -2);
  gradyn_draw_box(m, b, 1, 0.3, 0.2);
}

static void universal(gradyn_model *m)
{
  /* GRADYN_UNIVERSAL */
  gradyn_body_id b = gradyn_body_3d(
      m, &(gradyn_body_spec){
             "b", {0, 0, -0.5}, 1, {0.1, 0.1, 0.02}, .velocity = {-0.5}, .omega = {0, 1, 0}});
  gradyn_joint_between(m, &(gradyn_joint_between_spec){"joint", GRADYN_UNIVERSAL, GRADYN_GROUND, b,
                                                       .axis = {1, 0, 0}, .axis_b = {0, 1, 0}});
  gradyn_draw_box(m, b, 0.3, 0.2, 1);
}

static void planar(gradyn_model *m)
{
  /* GRADYN_PLANAR */
  gradyn_body_id b = gradyn_body_3d(
      m, &(gradyn_body_spec){
             "b", {0, 0, 0}, 1, {0.02, 0.1, 0.1}, .velocity = {1, 0.3}, .omega = {0, 0, 1}});
  gradyn_joint_between(
      m, &(gradyn_joint_between_spec){"joint", GRADYN_PLANAR, GRADYN_GROUND, b, .axis = {0, 0, 1}});
  gradyn_draw_box(m, b, 0.5, 0.3, 0.2);
}

static void point_on_line(gradyn_model *m)
{
  /* GRADYN_POINT_ON_LINE */
  gradyn_body_id b = gradyn_body_3d(
      m, &(gradyn_body_spec){"b", {0, 0, -0.5}, 1, {0.1, 0.1, 0.02}, .velocity = {1}});
  gradyn_joint_between(m, &(gradyn_joint_between_spec){"joint", GRADYN_POINT_ON_LINE, GRADYN_GROUND,
                                                       b, .axis = {1, 0, 0}});
  gradyn_gravity_3d(m, 0, 0, -9.81);
  gradyn_draw_box(m, b, 0.3, 0.2, 1);
}

static void point_on_plane(gradyn_model *m)
{
  /* GRADYN_POINT_ON_PLANE */
  gradyn_body_id b = gradyn_body_3d(
      m, &(gradyn_body_spec){
             "b", {0, 0, 0.4}, 1, {0.1, 0.1, 0.02}, .velocity = {1, 0.5}, .omega = {0, 0.5, 0}});
  gradyn_joint_between(m, &(gradyn_joint_between_spec){"joint", GRADYN_POINT_ON_PLANE,
                                                       GRADYN_GROUND, b, .axis = {0, 0, 1}});
  gradyn_draw_box(m, b, 0.3, 0.2, 0.8);
}

static void constant_length(gradyn_model *m)
{
  /* GRADYN_CONSTANT_LENGTH gradyn_joint */
  gradyn_body_id b = gradyn_body_3d(
      m, &(gradyn_body_spec){"b", {1, 0, 0}, 1, {0.02, 0.1, 0.1}, .velocity = {0, 1}});
  gradyn_frame_id ground = gradyn_frame(m, &(gradyn_frame_spec){"ground", GRADYN_GROUND});
  gradyn_frame_id centre = gradyn_frame(m, &(gradyn_frame_spec){"centre", b, {1, 0, 0}});
  gradyn_joint(m, &(gradyn_joint_spec){"joint", GRADYN_CONSTANT_LENGTH, ground, centre});
  gradyn_draw_box(m, b, 0.5, 0.3, 0.2);
}

#define EXAMPLE(f)                                                                                 \
  {                                                                                                \
#f, f                                                                                          \
  }
static const struct {
  const char *name;
  void (*declare)(gradyn_model *m);
} examples[] = {EXAMPLE(point_mass),
                EXAMPLE(rod),
                EXAMPLE(body),
                EXAMPLE(spring),
                EXAMPLE(dashpot),
                EXAMPLE(attraction),
                EXAMPLE(force),
                EXAMPLE(torque),
                EXAMPLE(bushing),
                EXAMPLE(pin),
                EXAMPLE(distance),
                EXAMPLE(coordinate),
                EXAMPLE(angle),
                EXAMPLE(beam),
                EXAMPLE(weld),
                EXAMPLE(joint_spring),
                EXAMPLE(joint_stop),
                EXAMPLE(joint_friction),
                EXAMPLE(gear),
                EXAMPLE(drive),
                EXAMPLE(pid),
                EXAMPLE(bounce),
                EXAMPLE(knife_edge),
                EXAMPLE(wheel),
                EXAMPLE(fixed),
                EXAMPLE(revolute),
                EXAMPLE(prismatic),
                EXAMPLE(cylindrical),
                EXAMPLE(screw),
                EXAMPLE(spherical),
                EXAMPLE(universal),
                EXAMPLE(planar),
                EXAMPLE(point_on_line),
                EXAMPLE(point_on_plane),
                EXAMPLE(constant_length),
                EXAMPLE(tyre),
                EXAMPLE(feedback),
                EXAMPLE(phases),
                EXAMPLE(modes),
                EXAMPLE(custom_force),
                EXAMPLE(custom_constraint),
                EXAMPLE(custom_nonholonomic),
                EXAMPLE(custom_functional)};

static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  (void)rho;
  void (*const *declare)(gradyn_model *) = gradyn_user(m);
  gradyn_functional(
      m, &(gradyn_functional_spec){"energy", gradyn_measure_energy(m, ""),
                                   .reduction = GRADYN_AT_END}); /* the first functional */
  (*declare)(m);
  return gradyn_build_status(m);
}

/* A state of the run, for drawings. */
typedef struct state {
  const gradyn_evaluator *evaluator;
  const double *row;
  int axes, mode;
  const char *separator;
} state;

/* The mode of the last run at t; 1 without modes. */
static int mode_at(const gradyn_evaluator *e, double t)
{
  int mode = 1;
  for (size_t i = 0; i < gradyn_evaluator_statistics(e).events && gradyn_event_log_at(e, i).t <= t;
       i++)
    mode = gradyn_event_log_at(e, i).mode;
  return mode;
}

/* Of an element that other modes have, there are no points. */
static void print_shape(const gradyn_drawable *d, void *user)
{
  state *s = user;
  printf("%s{\"shape\": \"%s\", \"size\": [%g, %g, %g], \"axis\": %d, \"points\": [", s->separator,
         d->kind, d->size[0], d->size[1], d->size[2], d->axis);
  const bool shown = d->modes == 0 || (d->modes >> (s->mode - 1) & 1);
  for (int i = 0; i < d->points && shown; i++) {
    const gradyn_drawn_point p = gradyn_drawn_point_at(s->evaluator, (size_t)d->point[i]);
    double r[3] = {p.fixed[0], p.fixed[1], p.fixed[2]};
    for (int k = 0; k < p.carriers; k++)
      for (int c = 0; c < s->axes; c++)
        r[c] += p.weight[k] * s->row[p.column[k] + c];
    printf("%s[%.4f, %.4f, %.4f]", i ? ", " : "", r[0], r[1], r[2]);
  }
  printf("]}");
  s->separator = ", ";
}

/* Runs an example and prints it; returns the status. */
static gradyn_status run(size_t i)
{
  const gradyn_problem problem = {GRADYN_PROBLEM_SIZES, .name = examples[i].name,
                                  .build = build,       .t_end = 1,
                                  .rtol = 1e-9,         .user = (void *)&examples[i].declare};
  gradyn_evaluator *e = NULL;
  gradyn_trajectory *motion = gradyn_trajectory_create();
  double psi[2] = {0}, none = 0;
  gradyn_options options;
  gradyn_options_default(&problem, &options);
  options.coordinates = "natural";
  gradyn_status status = gradyn_evaluator_create(&problem, &options, NULL, 0, &e);
  status = status == GRADYN_OK ? gradyn_evaluator_simulate(e, &none, psi, motion) : status;
  if (status != GRADYN_OK)
    fprintf(stderr, "%s: %s\n", examples[i].name,
            e ? gradyn_evaluator_message(e) : gradyn_status_describe(status).name);
  double *row = calloc(gradyn_trajectory_read(motion).columns + 3, sizeof *row);
  printf("%s {\"name\": \"%s\", \"energy\": %.17g, \"axes\": %d, \"frames\": [", i ? ",\n" : "",
         examples[i].name, psi[0], gradyn_evaluator_model_info(e).axes);
  for (int k = 0; k <= 20 && row && status == GRADYN_OK; k++) {
    state s = {e, row, gradyn_evaluator_model_info(e).axes, mode_at(e, k / 20.0), ""};
    status = gradyn_trajectory_evaluate(e, motion, 1, &(double){k / 20.0}, row);
    printf("%s[", k ? ", " : "");
    gradyn_drawables_visit(e, print_shape, &s);
    printf("]");
  }
  printf("]}");
  free(row);
  gradyn_trajectory_free(motion);
  gradyn_evaluator_free(e);
  return status;
}

int main(void)
{
  int failed = 0;
  printf("[");
  for (size_t i = 0; i < GRADYN_COUNT(examples); i++)
    failed += run(i) != GRADYN_OK;
  printf("]\n");
  return failed != 0;
}
