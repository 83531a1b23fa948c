/* The filter of a pendulum in natural coordinates, a point at a constant distance, against that of its
 * angle. */
#include <complex.h>
#include <math.h>

#include "tests/declare.h"
#include "tests/runs.h"

static const double g = 9.81, l = 0.8, th0 = 0.9, om0 = 0.4, W[] = {1e-8};
enum { DATA = 7, SENSORS = 3 };
static const double noisy[DATA] = {1.2, -0.4, 0.7, -1.5, 0.3, 0.9, -0.8};

/* Angle, height and acceleration, with errors of 1e-5 of their units. */
static double sensor(int i, double th, double om)
{
  return i == 0   ? th - acos(-1) / 2
         : i == 1 ? -l * cos(th)
                  : -g * sin(th) * sin(th) + l * om * om * cos(th);
}

static void fit(gradyn_model *model, int i, gradyn_measure_id measure)
{
  double times[DATA], values[DATA], th = th0, om = om0;
  const int steps = 400;
  for (int k = 0; k < DATA; k++) {
    times[k] = i == 2 ? 0.3 * (k + 1) : 0.3 * k; /* both start at 0 */
    values[k] = 0;
  }
  /* the data are near a motion from another start */
  th += 1e-5;
  om -= 2e-5;
  for (int k = 0; k <= DATA; k++) {
    for (int j = 0; j < DATA; j++)
      if (fabs(times[j] - 0.3 * k) < 1e-9)
        values[j] = sensor(i, th, om) + 1e-5 * noisy[(j + 2 * i) % DATA];
    for (int n = 0; n < steps; n++) { /* of second order */
      const double h = 0.3 / steps, middle = th + h / 2 * om;
      om -= h * g / l * sin(middle);
      th = middle + h / 2 * om;
    }
  }
  gradyn_fit(model, gradyn_format_name(model, "sensor%d", i), measure,
             &(gradyn_fit_spec){.times = times, .values = values, .count = DATA, .sigma = 1e-5});
}

/* --- the angle ---------------------------------------------------------------------------------- */

FORMULAS(swing, at->yp[0] - at->y[1], at->yp[1] + at->data[0] / l * csin(at->y[0]))
FORMULA(direction, at->y[0] - acos(-1) / 2)
FORMULA(height, -l *ccos(at->y[0]))
FORMULA(acceleration,
        -g *csin(at->y[0]) * csin(at->y[0]) + l * at->y[1] * at->y[1] * ccos(at->y[0]))

static gradyn_status build_angle(gradyn_model *model, const gradyn_scalar rho[])
{
  static const gradyn_functional_fn formula[SENSORS] = {direction, height, acceleration};
  (void)rho;
  gradyn_state(model, "th", "rad", th0);
  gradyn_state(model, "om", "rad/s", om0);
  declare_equations(model, swing, &(gradyn_datum){"g", "m/s^2", g}, 1);
  for (int i = 0; i < SENSORS; i++)
    fit(model, i,
        gradyn_measure_custom(
            model, &(gradyn_custom_measure_spec){.name = gradyn_format_name(model, "m%d", i),
                                                 .unit = "",
                                                 .formula = formula[i]}));
  return gradyn_build_status(model);
}

static const gradyn_problem angle = {GRADYN_PROBLEM_SIZES, .name = "angle", .build = build_angle,
                                     .t_end = 2.2};

/* --- the point ---------------------------------------------------------------------------------- */

static gradyn_status build_point(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  const int pivot = gradyn_ground_point(model, "pivot", 0, 0),
            bob = gradyn_point(model, "bob", l * sin(th0), -l * cos(th0));
  gradyn_initial_velocity(model, bob, l * om0 * cos(th0), l * om0 * sin(th0));
  gradyn_point_mass(model, "mass", bob, 0.6);
  gradyn_distance(model, "rod", pivot, bob, &(gradyn_time_function){.value = l});
  gradyn_gravity(model, 0, -g);
  fit(model, 0, gradyn_measure_line_angle(model, "direction", pivot, bob, 0));
  fit(model, 1, gradyn_measure_point(model, "height", bob, 0, GRADYN_Y));
  fit(model, 2, gradyn_measure_point(model, "acceleration", bob, 2, GRADYN_Y));
  return gradyn_build_status(model);
}

static const gradyn_problem point = {GRADYN_PROBLEM_SIZES, .name = "point", .build = build_point,
                                     .t_end = 2.2};

/* J [4][2]: derivatives of x, y, vx, vy by the angle and its rate. */
static void jacobian(const double *s, double J[4][2])
{
  const double sine = l * sin(s[0]), cosine = l * cos(s[0]);
  const double rows[4][2] = {{cosine, 0}, {sine, 0}, {-sine * s[1], cosine}, {cosine * s[1], sine}};
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 2; j++)
      J[i][j] = rows[i][j];
}

/* J P J^T */
static void spread(const double *s, const double *P, double out[16])
{
  double J[4][2];
  jacobian(s, J);
  for (int i = 0; i < 16; i++) {
    out[i] = 0;
    for (int k = 0; k < 4; k++)
      out[i] += J[i / 4][k / 2] * P[k] * J[i % 4][k % 2];
  }
}

static const double P0[] = {4e-10, 1e-10, 1e-10, 9e-10};
/* The same in all directions: the rod takes one of them. */
static const double Q[] = {1e-10, 0, 0, 1e-10};

static void filter_angle(gradyn_filter *found)
{
  static const char *const state[] = {"th", "om"}, *const noise[] = {"g"}, *const gained[] = {"om"};
  const double gain = Q[0] / (l * l);
  run_local *ev = run_with(&angle, .method = "explicit", .rtol = 1e-11, .atol = 1e-13);
  const gradyn_filter_spec spec = {
      .initial = {state, 2, P0}, .noise = {noise, 1, W}, .added = {gained, 1, &gain}};
  assert_run(gradyn_filter_compute(ev, NULL, &spec, found), ev);
}

/* Names x and vx, or y and vy, of which either pair is independent. */
static void filter_point(gradyn_evaluator *ev, int upright, gradyn_filter *found)
{
  static const char *const states[2][2] = {{"bob.x", "bob.vx"}, {"bob.y", "bob.vy"}},
                           *const noise[] = {"gravity.y"}, *const gained[] = {"bob.vx", "bob.vy"};
  double all[16], P[4];
  spread((double[]){th0, om0}, P0, all);
  for (int i = 0; i < 4; i++)
    P[i] = all[4 * (2 * (i / 2) + upright) + 2 * (i % 2) + upright];
  const gradyn_filter_spec spec = {
      .initial = {states[upright], 2, P}, .noise = {noise, 1, W}, .added = {gained, 2, Q}};
  assert_run(gradyn_filter_compute(ev, NULL, &spec, found), ev);
}

static void compare(const gradyn_filter *found, const gradyn_filter *expected, double tolerance)
{
  assert_int_equal(found->rows, DATA + 1);
  assert_int_equal(found->data, SENSORS * DATA);
  assert_string_equal(found->name[0], "bob.x");
  assert_string_equal(found->name[3], "bob.vy");
  for (size_t row = 0; row < found->rows; row++)
    for (int after = 0; after < 2; after++) {
      const double *s = (after ? expected->estimate : expected->predicted) + 2 * row,
                   *z = (after ? found->estimate : found->predicted) + 4 * row,
                   *P = (after ? found->covariance : found->predicted_covariance) + 16 * row,
                   *of = (after ? expected->covariance : expected->predicted_covariance) + 4 * row;
      double all[16];
      const double point_of[4] = {l * sin(s[0]), -l * cos(s[0]), l * s[1] * cos(s[0]),
                                  l * s[1] * sin(s[0])};
      assert_close_array(z, point_of, 4, 0, tolerance);
      spread(s, of, all);
      assert_close_rows(P, all, 1, 16, 10 * tolerance);
    }
  for (size_t i = 0; i < found->data; i++)
    assert_close(found->datum[i].normalised, expected->datum[i].normalised, 0, 1e5 * tolerance);
}

/* Corrections are of the size 1e-5, whose squares make the difference of the coordinates. */
TEST(a_pendulum_has_the_filter_of_its_angle)
{
  static const char *const methods[] = {"explicit", "radau"};
  LOCAL(gradyn_filter) expected = {0};
  filter_angle(&expected);
  for (size_t k = 0; k < 2 * GRADYN_COUNT(methods); k++) {
    run_local *ev = run_with(&point, .method = methods[k / 2], .rtol = 1e-11, .atol = 1e-13);
    LOCAL(gradyn_filter) found = {0};
    filter_point(ev, k % 2, &found);
    compare(&found, &expected, 1e-9);
  }
}
