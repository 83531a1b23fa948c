/* A ball that falls onto a slope and slides down it, or sticks: Kong et al. (2023), section IV. The
 * slope falls to the right, sin(slope) x + cos(slope) y = 0. */
#include <gradyn/gradyn.h>

enum { X, Y, VX, VY, SLOPE };

static const gradyn_param params[] = {
    [X] = {"x", "m", .init = 0.2, GRADYN_UNBOUNDED, .role = GRADYN_INITIAL_STATE},
    [Y] = {"y", "m", .init = 1.0, GRADYN_UNBOUNDED, .role = GRADYN_INITIAL_STATE},
    [VX] = {"vx", "m/s", .init = 0.5, GRADYN_UNBOUNDED, .role = GRADYN_INITIAL_STATE},
    [VY] = {"vy", "m/s", .init = 0.3, GRADYN_UNBOUNDED, .role = GRADYN_INITIAL_STATE},
    [SLOPE] = {"slope", "rad", .init = 0.4, .lower = 0.05, .upper = 1.2},
};

static const gradyn_setting settings[] = {
    {"stick", "1: the ball sticks where it lands; 0: it slides without friction", 0, 0, 1},
};

static const double g = 9.81; /* m/s^2 */

/* Coordinate of the ball along the slope (data: cos, -sin, -where) or normal to it (sin, cos, 0): its
 * position, velocity or acceleration, by the order. */
static gradyn_status on_line(const gradyn_at *at, int order, gradyn_scalar *value)
{
  const gradyn_scalar *of[] = {at->pos, at->vel, at->acc}, *r = of[order], *d = at->data;
  *value = d[0] * r[0] + d[1] * r[1] + (order == 0 ? d[2] : 0);
  return GRADYN_OK;
}

static gradyn_status build(gradyn_model *mbs, const gradyn_scalar rho[])
{
  gradyn_scalar s = sin(rho[SLOPE]), c = cos(rho[SLOPE]);
  const gradyn_datum across[] = {{"n_x", "", s}, {"n_y", "", c}, {"offset", "m", 0}};
  const gradyn_datum along[] = {{"t_x", "", c}, {"t_y", "", -s}, {"place", "m", 0}};
  int falling = gradyn_mode(mbs, "falling"), landed = gradyn_mode(mbs, "landed");
  int ball = gradyn_point(mbs, "ball", rho[X], rho[Y]);
  /* the ball starts over the slope, under gravity alone */
  gradyn_initial_velocity(mbs, ball, rho[VX], rho[VY]);
  gradyn_point_mass(mbs, "mass", ball, 1);
  gradyn_gravity(mbs, 0, -g);
  gradyn_draw_trace(mbs, ball);

  gradyn_custom_constraint_spec line = {.name = "slope",
                                        .points = &ball,
                                        .point_count = 1,
                                        .fn = on_line,
                                        .data = across,
                                        .data_count = 3};
  /* the ball stays on the slope after it lands, and with `stick` at the point where it lands */
  gradyn_constraint_set_modes(mbs, gradyn_custom_constraint(mbs, &line), gradyn_modes_of(landed));
  line.name = "place";
  line.data = along;
  /* latched: the constraint keeps the coordinate at which the ball lands */
  if (gradyn_setting_value(mbs, "stick")) {
    const int latched = gradyn_custom_constraint(mbs, &line);
    gradyn_constraint_set_modes(mbs, latched, gradyn_modes_of(landed));
    gradyn_latch_constraint(mbs, latched);
  }
  /* the gap is the same formula as the constraint that follows */
  line.data = across;
  int lands = gradyn_impact(
      mbs, &(gradyn_impact_spec){
               .name = "lands", .point = ball, .gap = &line, .restitution = 0, .mode = landed});
  gradyn_event_set_modes(mbs, lands, gradyn_modes_of(falling));
  /* final position; time and impulse of the landing */
  gradyn_functional(mbs, &(gradyn_functional_spec){"x_end",
                                                   gradyn_measure_point(mbs, "", ball, 0, GRADYN_X),
                                                   .reduction = GRADYN_AT_END});
  gradyn_functional(mbs, &(gradyn_functional_spec){"y_end",
                                                   gradyn_measure_point(mbs, "", ball, 0, GRADYN_Y),
                                                   .reduction = GRADYN_AT_END});
  gradyn_event_time(mbs, "landing", lands, 1);
  gradyn_event_impulse(mbs, "impulse", lands, 1);
  return gradyn_build_status(mbs);
}

GRADYN_PROBLEM(ball_on_slope, .summary = "Ball that falls onto a slope and slides or sticks",
               .reference = "Kong, Payne, Zhu and Johnson (2023), section IV", .params = params,
               .settings = settings, .setting_count = GRADYN_COUNT(settings), .build = build,
               .t_end = 1.0, .rtol = 1e-10);
