/* Cart-pole swing-up: the force of least effort that moves a cart by 1 m in 2 s and brings its pole from
 * hanging to upright, from rest to rest. The force is a natural cubic spline; the force and the track have
 * limits. The duration is a parameter, fixed by default. */
#include <gradyn/gradyn.h>

enum { DURATION, U }; /* indices of parameters; U is the first of `knots` parameters */
enum { CART = 1 };    /* id of the first point */

static const gradyn_param params[] = {
    [DURATION] = {"duration", "s", .init = 2, .lower = 1, .upper = 4, .scale = 0.1,
                  .role = GRADYN_TIME, .fixed = true},
    [U] = {"u", "N", .init = -8, .lower = -20, .upper = 20, .scale = 10, .role = GRADYN_CONTROL,
           .count_from = "knots", .init_end = 8, .ramp = true},
};
static const gradyn_setting settings[] = {{"knots", "knots of the force", 21, 2, 400}};

/* Square of x / limit, below 1 on the track. */
static gradyn_status excursion(const gradyn_at *at, gradyn_scalar *value)
{
  gradyn_scalar x = at->pos[2 * CART] / at->data[0];
  *value = x *
           x; /* the square is even in x, so that one functional limits both ends of the track */
  return GRADYN_OK;
}

static gradyn_status build(gradyn_model *mbs, const gradyn_scalar rho[])
{
  const double pi = 3.14159265358979323846;
  gradyn_end_time(mbs, rho[DURATION]);
  /* at rest; the pole hangs down from the cart, 0.5 m long */
  int cart = gradyn_point(mbs, "cart", 0, 0);
  int bob = gradyn_point(mbs, "bob", 0, -0.5);
  /* the force of the drive is the control */
  int force = gradyn_signal(mbs, &(gradyn_signal_spec){"u", "N", GRADYN_CUBIC_SPLINE,
                                                       .count = gradyn_setting_value(mbs, "knots"),
                                                       .knots = &rho[U]});
  /* masses of the two points; the pole has none */
  gradyn_point_mass(mbs, "cart_mass", cart, 1.0);
  gradyn_point_mass(mbs, "bob_mass", bob, 0.3);
  gradyn_rod(mbs, &(gradyn_rod_spec){"pole", cart, bob, .length = 0.5});
  gradyn_coordinate(mbs, "track", cart, GRADYN_Y, &(gradyn_time_function){.value = 0});
  gradyn_force(mbs, &(gradyn_force_spec){"drive", cart, .fx = 1, .signal = force});
  gradyn_gravity(mbs, 0, -9.81);
  gradyn_fix_initial_coordinate(mbs, cart, GRADYN_X);
  gradyn_fix_initial_angle(mbs, "hanging", cart, bob, -0.5 * pi, 0);

  /* conditions at the end: at the target, at rest, with the pole upright */
  int x = gradyn_functional(
      mbs, &(gradyn_functional_spec){"x_end", gradyn_measure_point(mbs, "", cart, 0, GRADYN_X),
                                     .reduction = GRADYN_AT_END});
  int v = gradyn_functional(
      mbs, &(gradyn_functional_spec){"v_end", gradyn_measure_point(mbs, "", cart, 1, GRADYN_X),
                                     .reduction = GRADYN_AT_END});
  int turn = gradyn_functional(
      mbs, &(gradyn_functional_spec){"rotation", gradyn_measure_line_angle(mbs, "", cart, bob, 1),
                                     .reduction = GRADYN_INTEGRAL});
  int omega = gradyn_functional(
      mbs, &(gradyn_functional_spec){"omega_end", gradyn_measure_line_angle(mbs, "", cart, bob, 1),
                                     .reduction = GRADYN_AT_END});
  /* largest excursion over time */
  int track = gradyn_functional(
      mbs, &(gradyn_functional_spec){
               "excursion",
               gradyn_measure_custom(
                   mbs, &(gradyn_custom_measure_spec){"excursion", "", .formula = excursion,
                                                      .data = (gradyn_datum[]){{"limit", "m", 2.0}},
                                                      .data_count = 1, .hidden = true}),
               .reduction = GRADYN_SMOOTH_MAXIMUM, .sharpness = 20});
  gradyn_minimise(
      mbs,
      gradyn_functional(mbs,
                        &(gradyn_functional_spec){"effort", gradyn_measure_signal(mbs, "", force),
                                                  .reduction = GRADYN_SQUARE_INTEGRAL}),
      1);
  gradyn_constrain(mbs, x, 1, 1, 1e-7);
  gradyn_constrain(mbs, v, 0, 0, 1e-7);
  gradyn_constrain(mbs, turn, pi, pi, 1e-7); /* half a turn from hanging to upright */
  gradyn_constrain(mbs, omega, 0, 0, 1e-7);
  gradyn_constrain(mbs, track, -INFINITY, 1, 1e-6);
  gradyn_end_time_functional(mbs, "time");
  return gradyn_build_status(mbs);
}

GRADYN_PROBLEM(cart_pole, .summary = "Cart-pole swing-up with least effort",
               .reference = "Kelly (2017), section 6", .params = params, .settings = settings,
               .setting_count = GRADYN_COUNT(settings), .build = build, .rtol = 1e-9);
