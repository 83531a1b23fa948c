/* The ball that flies into a corner, and its closed form: two independent motions. */
#include "tests/adjoint/together/corner.h"

#include "tests/declare.h"
#include "tests/support.h"

#include <complex.h>

struct corner_setting corner_with;

const double corner[CORNER_P] = {1, 1, -2, 0.45, 9.8, 0.7, 0.6};
static const double mass = 2, t_end = 0.8;

static gradyn_status fall(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->vel[3];
  return GRADYN_OK;
}

/* -c |v| v */
static gradyn_status drag(const gradyn_at *at, gradyn_scalar force[])
{
  const gradyn_scalar speed = csqrt(at->vel[0] * at->vel[0] + at->vel[1] * at->vel[1] + 1e-6);
  for (int k = 0; k < 2; k++)
    force[k] = -at->data[0] * speed * at->vel[k];
  return GRADYN_OK;
}

static gradyn_status product(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->vel[2] * at->vel[3];
  return GRADYN_OK;
}

static gradyn_status across(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->vel[2];
  return GRADYN_OK;
}

static void add_pendulum(gradyn_model *m)
{
  const int pivot = gradyn_ground_point(m, "pivot", 3, 1), bob = gradyn_point(m, "bob", 3.6, 0.2);
  gradyn_rod(m, &(gradyn_rod_spec){.name = "rod", .from = pivot, .to = bob, .mass = 1});
}

static gradyn_status build(gradyn_model *m, const gradyn_scalar r[])
{
  const int ball = gradyn_point(m, "ball", r[X0], r[Y0]);
  gradyn_initial_velocity(m, ball, r[VX], r[VY]);
  gradyn_point_mass(m, "ball", ball, mass);
  gradyn_gravity(m, 0, -r[G]);
  if (corner_with.pendulum)
    add_pendulum(m);
  if (corner_with.pushed)
    declare_push(m, "push", ball, 1, 1,
                 declare_signal(m, "u", "N", GRADYN_PIECEWISE_CONSTANT, 1, (gradyn_scalar[]){0}));
  if (corner_with.drag > 0)
    declare_force(m, "air", ball, drag, &(gradyn_datum){"drag", "", corner_with.drag}, 1);
  const int floor = gradyn_impact(m, &(gradyn_impact_spec){.name = "floor",
                                                           .point = ball,
                                                           .axis = GRADYN_Y,
                                                           .restitution = r[FLOOR]}),
            wall = gradyn_impact(
                m, &(gradyn_impact_spec){
                       .name = "wall", .point = ball, .axis = GRADYN_X, .restitution = r[WALL]});
  gradyn_functional(m,
                    &(gradyn_functional_spec){"x", gradyn_measure_point(m, "", ball, 0, GRADYN_X),
                                              .reduction = GRADYN_AT_END});
  gradyn_functional(m,
                    &(gradyn_functional_spec){"y", gradyn_measure_point(m, "", ball, 0, GRADYN_Y),
                                              .reduction = GRADYN_AT_END});
  gradyn_functional(m,
                    &(gradyn_functional_spec){"vx", gradyn_measure_point(m, "", ball, 1, GRADYN_X),
                                              .reduction = GRADYN_AT_END});
  gradyn_functional(m,
                    &(gradyn_functional_spec){"vy", gradyn_measure_point(m, "", ball, 1, GRADYN_Y),
                                              .reduction = GRADYN_AT_END});
  gradyn_event_time(m, "at floor", floor, 1);
  gradyn_event_time(m, "at wall", wall, 1);
  gradyn_event_impulse(m, "off floor", floor, 1);
  gradyn_event_impulse(m, "off wall", wall, 1);
  gradyn_functional(
      m, &(gradyn_functional_spec){
             "fall",
             gradyn_measure_custom(
                 m, &(gradyn_custom_measure_spec){"fall", "m/s", .formula = fall, .hidden = true}),
             .reduction = GRADYN_BEFORE_EVENT, .event = floor, .occurrence = 1});
  if (corner_with.product)
    declare_integral(m, "product", "", product);
  if (corner_with.taken)
    gradyn_functional(m,
                      &(gradyn_functional_spec){
                          "across",
                          gradyn_measure_custom(m, &(gradyn_custom_measure_spec){"across", "m/s",
                                                                                 .formula = across,
                                                                                 .hidden = true}),
                          .reduction = GRADYN_AFTER_EVENT, .event = floor, .occurrence = 1});
  return gradyn_build_status(m);
}

static const gradyn_param params[] = {{.name = "rho", .count = CORNER_P, .init = 1}};
const gradyn_problem corner_problem = PROBLEM("corner", build, params, .t_end = 0.8, .rtol = 1e-11);

void corner_closed_form(const double complex p[], double complex psi[])
{
  const double complex before = csqrt(p[VY] * p[VY] + 2 * p[G] * p[Y0]),
                       at_floor = (p[VY] + before) / p[G], at_wall = -p[X0] / p[VX];
  const double complex up = p[FLOOR] * before, rest = t_end - at_floor, back = -p[WALL] * p[VX];
  psi[END_X] = back * (t_end - at_wall);
  psi[END_Y] = up * rest - p[G] / 2 * rest * rest;
  psi[END_VX] = back;
  psi[END_VY] = up - p[G] * rest;
  psi[AT_FLOOR] = at_floor;
  psi[AT_WALL] = at_wall;
  psi[OFF_FLOOR] = mass * (before + up);
  psi[OFF_WALL] = mass * (back - p[VX]);
  psi[FALL] = -before;
}
