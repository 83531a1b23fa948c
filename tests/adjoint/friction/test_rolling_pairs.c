/* Nonholonomic constraints together with other features: walls and their effect on disturbances and
 * covariances, Baumgarte stabilisation, steady motions, dependent constraints. */
#include <complex.h>

#include "tests/adjoint/friction/rolling_models.h"
#include "tests/runs.h"
#include "tests/declare.h"

/* --- stabilised ----------------------------------------------------------------------------------- */

/* With Baumgarte's terms, motion and derivatives are the same. A nonholonomic constraint has one such term.
 */
TEST(stabilised_skates_go_as_formulas_say)
{
  enum { F = SKATE_FUNCTIONALS, P = SKATE_PARAMETERS };
  double rho[P], psi[F], gradient[F * P], value[F], slope[F * P];
  for (int k = 0; k < 4; k++) {
    run_local *ev = run_with(&skate_driven, k % 2 ? "adjoint" : "direct", "idas", .rtol = 1e-11,
                             .atol = 1e-12, .baumgarte_alpha = k < 2 ? 5 : 50,
                             .baumgarte_beta = k < 2 ? 5 : 0);
    run_initial(ev, rho);
    assert_run(gradyn_evaluator_gradient(ev, rho, psi, gradient), ev);
    support_complex_step(skate_driven_formula, rho, P, F, value, slope);
    assert_close_array(psi, value, F, 1e-7, 1e-7);
    assert_close_array(gradient, slope, F * P, 1e-6, 1e-6);
  }
}

/* --- walls ---------------------------------------------------------------------------------------- */

/* Standard deviations at the end, through a landing and a wall: sqrt(g^T C g). */
TEST(scatter_goes_through_landings_and_walls)
{
  static const char *const name[] = {"heading", "wall"};
  static const char *const method[] = {"explicit", "radau", "idas", "ali3p"};
  const double C[4] = {1e-4, -3e-5, -3e-5, 4e-5};
  double rho[HITS_PARAMETERS], psi[HITS_FUNCTIONALS], g[HITS_FUNCTIONALS * HITS_PARAMETERS];
  for (size_t k = 0; k < GRADYN_COUNT(method); k++) {
    LOCAL(gradyn_covariance) found;
    run_local *ev = run_with(&rolling_hits, "adjoint", method[k], .rtol = 1e-10);
    run_initial(ev, rho);
    assert_run(gradyn_evaluator_gradient(ev, rho, psi, g), ev);
    gradyn_evaluator_free(ev);
    ev = run_with(&rolling_hits, "direct", method[k], .rtol = 1e-10);
    assert_run(gradyn_covariance_compute(ev, rho, &(gradyn_covariance_spec){name, 2, C, 3}, NULL,
                                         NULL, &found),
               ev);
    for (size_t f = 0; f < HITS_FUNCTIONALS; f++) {
      const double a = g[f * HITS_PARAMETERS + 2], b = g[f * HITS_PARAMETERS + 5];
      assert_close(found.deviation[f], sqrt(a * a * C[0] + 2 * a * b * C[1] + b * b * C[3]), 1e-4,
                   1e-9);
    }
  }
}

/* A skate under the centre of mass hits a wall. Its angular velocity is unchanged; its velocity along the
 * edge is reversed and reduced, u+ = -e u-. */
enum { HEADING, TURNING, AHEAD, BACK, SLOPE, WALL_PARAMETERS };
static const gradyn_param wall_params[WALL_PARAMETERS] = {
    {"heading", "rad", .init = 0.3, GRADYN_UNBOUNDED},
    {"turning", "rad/s", .init = 0.7, GRADYN_UNBOUNDED},
    {"ahead", "m/s", .init = 1.1, GRADYN_UNBOUNDED},
    {"back", "", .init = 0.6, GRADYN_UNBOUNDED},
    {"slope", "m/s^2", .init = 0, GRADYN_UNBOUNDED}};

static gradyn_status build_wall(gradyn_model *m, const gradyn_scalar p[])
{
  const gradyn_scalar c = ccos(p[HEADING]), s = csin(p[HEADING]);
  const int body = gradyn_body(m, &(gradyn_body_spec){.name = "sled",
                                                      .velocity = {p[AHEAD] * c, p[AHEAD] * s},
                                                      .omega = {0, 0, p[TURNING]},
                                                      .mass = 1.4,
                                                      .inertia = {0, 0, 0.3}});
  const int centre = gradyn_body_centre(m, body);
  const int frame = declare_frame(m, "blade", body, NULL, VECTOR(c, s));
  gradyn_knife_edge(m, "edge", frame, GRADYN_Y, gradyn_frame_point(m, frame), NULL);
  gradyn_gravity(m, p[SLOPE], 0);
  gradyn_impact(m, &(gradyn_impact_spec){.name = "wall",
                                         .point = centre,
                                         .axis = GRADYN_X,
                                         .level = {.value = 0.6},
                                         .below = true,
                                         .restitution = p[BACK]});
  gradyn_functional(m,
                    &(gradyn_functional_spec){"x", gradyn_measure_point(m, "", centre, 0, GRADYN_X),
                                              .reduction = GRADYN_AT_END});
  return gradyn_build_status(m);
}

static const gradyn_problem wall = PROBLEM("wall", build_wall, wall_params, .t_end = 0.9,
                                           .step = 1e-3);

/* Columns of d(x, y, e1.y, vx, vy, e1.vy) for changes of x, y, heading phi, u, w. The body has rotated by
 * theta since the start. */
static void show(const double d[5], double phi, double theta, double u, double w, double out[6])
{
  out[0] = d[0];
  out[1] = d[1];
  out[2] = cos(theta) * d[2];
  out[3] = cos(phi) * d[3] - u * sin(phi) * d[2];
  out[4] = sin(phi) * d[3] + u * cos(phi) * d[2];
  out[5] = cos(theta) * d[4] - w * sin(theta) * d[2];
}

/* A disturbance changes neither u- nor w. If the skate arrives too far by d, x after the impact is too
 * small by (1 + e) d, and y changes in proportion along the blade. */
TEST(saltation_at_a_wall_has_the_closed_form)
{
  static const char *const wanted[] = {"sled.x", "sled.y", "sled.e1.y"}, *const before[] = {
                                                                             "sled.x", "sled.y",
                                                                             "sled.e1.y", "sled.x'",
                                                                             "sled.e1.y'"};
  double rho[WALL_PARAMETERS];
  LOCAL(gradyn_saltations) found;
  run_local *ev = run_with(&wall, .method = "explicit", .rtol = 1e-11);
  run_initial(ev, rho);
  assert_run(gradyn_saltations_compute(ev, rho, wanted, 3, &found), ev);
  assert_int_equal(found.count, 1);
  const gradyn_saltation *s = found.item;
  assert_int_equal(s->before.positions + s->before.rates, 5);
  assert_int_equal(s->after.positions + s->after.rates, 6);
  /* u/w (sin phi - sin h) = 0.6 */
  const double w = rho[TURNING], u = rho[AHEAD], e = rho[BACK];
  const double phi = asin(sin(rho[HEADING]) + 0.6 * w / u), theta = phi - rho[HEADING];
  for (int k = 0; k < 5; k++) {
    assert_string_equal(s->before.name[k], before[k]);
    /* changes of the five coordinates for a unit change of x, y, e1.y, vx, e1.vy */
    double d[5] = {k == 0, k == 1, (k == 2) / cos(theta)}, out[6];
    d[3] = ((k == 3) + u * sin(phi) * d[2]) / cos(phi);
    d[4] = ((k == 4) + w * sin(theta) * d[2]) / cos(theta);
    d[3] *= -e;
    d[1] -= (1 + e) * tan(phi) * d[0];
    d[0] *= -e;
    show(d, phi, theta, -e * u, w, out);
    for (int i = 0; i < 6; i++)
      assert_close(s->matrix[5 * i + k], out[i], 1e-9, 1e-9);
  }
}

/* --- steady or nearly so -------------------------------------------------------------------------- */

/* On a level plane a skate moves in a circle. In the moving frame, disturbances change the position on the
 * plane, and none grows or decays. On the smallest slope the motion is not steady. */
TEST(skates_are_steady_on_level_ice_alone)
{
  double rho[WALL_PARAMETERS];
  for (int k = 0; k < 4; k++) {
    LOCAL(gradyn_linearisation) l;
    run_local *ev = run_with(.problem = &wall, .method = "explicit");
    run_initial(ev, rho);
    rho[SLOPE] = k == 0 ? 0 : pow(10, -2 * k);
    assert_run(gradyn_evaluator_linearise(ev, rho, false, &l), ev);
    assert_int_equal(l.motion, k == 0 ? GRADYN_STEADY_MOTION : GRADYN_TRANSIENT);
    assert_int_equal(l.unsteady[0] == '\0', k == 0);
    for (int i = 0; i < 5 && k == 0; i++) {
      assert_close(l.real[i], 0, 0, 1e-5);
      assert_close(fabs(l.imag[i]), i < 3 ? 0 : rho[TURNING], 0, 1e-5);
    }
  }
}

/* --- rows that depend on each other --------------------------------------------------------------- */

/* Two wheels fixed to an axle roll down a slope, so that both exclude the same sideways motion. Along the
 * slope x'' = g_x/(1 + J/(m R^2)). */
enum { PAIR_SLOPE, PAIR_INERTIA, PAIR_MASS, PAIR_RADIUS, PAIR_PARAMETERS };
static const gradyn_param pair_params[PAIR_PARAMETERS] = {
    {"slope", "m/s^2", .init = 0.5, GRADYN_UNBOUNDED},
    {"inertia", "kg m^2", .init = 0.2, GRADYN_UNBOUNDED},
    {"mass", "kg", .init = 2, GRADYN_UNBOUNDED},
    {"radius", "m", .init = 0.3, GRADYN_UNBOUNDED}};

static gradyn_status build_pair(gradyn_model *m, const gradyn_scalar p[])
{
  const gradyn_scalar R = p[PAIR_RADIUS];
  const int body = gradyn_body_3d(m, &(gradyn_body_spec){.name = "axle",
                                                         .centre = {0, 0, R},
                                                         .velocity = {1, 0, 0},
                                                         .omega = {0, 1 / R, 0},
                                                         .mass = p[PAIR_MASS],
                                                         .inertia = {0.1, p[PAIR_INERTIA], 0.1}});
  const int road = gradyn_frame(
      m, &(gradyn_frame_spec){
             .name = "road", .body = GRADYN_GROUND, .axis = {0, 0, 1}, .side = {1, 0, 0}});
  for (int i = 0; i < 2; i++) {
    const int disc = declare_frame(m, i ? "right" : "left", body, VECTOR(0, 0.5 - i, R),
                                   VECTOR(0, 1, 0));
    gradyn_wheel(m, &(gradyn_wheel_spec){i ? "right_wheel" : "left_wheel", disc, road, R});
  }
  gradyn_gravity_3d(m, p[PAIR_SLOPE], 0, -9.81);
  gradyn_functional(m,
                    &(gradyn_functional_spec){
                        "x", gradyn_measure_point(m, "", gradyn_body_centre(m, body), 0, GRADYN_X),
                        .reduction = GRADYN_AT_END});
  return gradyn_build_status(m);
}

static const gradyn_problem pair = PROBLEM("pair", build_pair, pair_params, .t_end = 1,
                                           .step = 1e-3);

static void pair_formula(const double complex p[], double complex psi[])
{
  const double complex J = p[PAIR_INERTIA] / (p[PAIR_MASS] * p[PAIR_RADIUS] * p[PAIR_RADIUS]);
  psi[0] = 1 + p[PAIR_SLOPE] / (1 + J) / 2;
}

/* Methods that support dependent nonholonomic constraints give the right result; the others refuse one of
 * them by name. */
TEST(two_wheels_on_an_axle_depend_on_each_other)
{
  static const struct {
    const char *method, *way;
    double rtol, bound; /* 0: refused */
  } row[] = {{"explicit", "direct", 1e-11, 1e-9}, {"explicit", "adjoint", 1e-11, 1e-9},
             {"ali3p", "direct", 0, 1e-5},        {"ali3p", "adjoint", 0, 1e-5},
             {"radau", "adjoint", 1e-9, 1e-7},    {"idas", "adjoint", 1e-9, 0}};
  double rho[PAIR_PARAMETERS], psi, gradient[PAIR_PARAMETERS], value, slope[PAIR_PARAMETERS];
  for (size_t k = 0; k < GRADYN_COUNT(row); k++) {
    gradyn_dof freedom;
    int dependent[32];
    if (!support_takes((int)k + 1, 2))
      continue;
    run_local *ev = run_with(&pair, row[k].way, row[k].method, .rtol = row[k].rtol);
    run_initial(ev, rho);
    assert_run(gradyn_dof_compute(ev, rho, &freedom, dependent), ev);
    assert_int_equal(freedom.degrees, 4);
    assert_int_equal(freedom.rates, 1);
    assert_int_equal(freedom.redundant_constraints, 1);
    assert_string_equal(gradyn_constraint_name(ev, dependent[0]), "right_wheel.roll_y");
    const gradyn_status status = gradyn_evaluator_gradient(ev, rho, &psi, gradient);
    if (row[k].bound == 0)
      assert_refused(status, ev, GRADYN_SINGULAR, "near right_wheel.roll_y");
    else {
      assert_run(status, ev);
      support_complex_step(pair_formula, rho, PAIR_PARAMETERS, 1, &value, slope);
      assert_close(psi, value, row[k].bound, 0);
      assert_close_array(gradient, slope, PAIR_PARAMETERS, 0, row[k].bound);
    }
  }
}
