/* The filter of a pendulum in natural coordinates, a point at a constant distance, against that of its
 * angle. */
#include <complex.h>
#include <math.h>

#include "tests/declare.h"
#include "tests/runs.h"

static const double g = 9.81, l = 0.8, th0 = 0.9, om0 = 0.4;
static double error; /* of the data, in their units; deviations and corrections are of its size */
enum { DATA = 7, SENSORS = 3 };
static const double noisy[DATA] = {1.2, -0.4, 0.7, -1.5, 0.3, 0.9, -0.8};

/* Sensors of angle, height and acceleration. */
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
  /* data of a motion from a slightly different initial state */
  th += error;
  om -= 2 * error;
  for (int k = 0; k <= DATA; k++) {
    for (int j = 0; j < DATA; j++)
      if (fabs(times[j] - 0.3 * k) < 1e-9)
        values[j] = sensor(i, th, om) + error * noisy[(j + 2 * i) % DATA];
    for (int n = 0; n < steps; n++) { /* of second order */
      const double h = 0.3 / steps, middle = th + h / 2 * om;
      om -= h * g / l * sin(middle);
      th = middle + h / 2 * om;
    }
  }
  gradyn_fit(model, gradyn_format_name(model, "sensor%d", i), measure,
             &(gradyn_fit_spec){.times = times, .values = values, .count = DATA, .sigma = error});
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

/* Covariances in units of the squared error. Q is the same in all directions; the rod permits no motion along
 * itself. */
static const double P0[] = {4, 1, 1, 9}, Q[] = {1, 0, 0, 1}, W = 100;

/* Scales a covariance to the errors of the data. */
static void scale(const double *of, int count, double *out)
{
  for (int i = 0; i < count; i++)
    out[i] = of[i] * error * error;
}

static void filter_angle(gradyn_filter *found)
{
  static const char *const state[] = {"th", "om"}, *const noise[] = {"g"}, *const gained[] = {"om"};
  double P[4], intensity, gain;
  scale(P0, 4, P);
  scale(&W, 1, &intensity);
  scale(Q, 1, &gain);
  gain /= l * l;
  run_local *ev = run_with(&angle, .method = "explicit", .rtol = 1e-11, .atol = 1e-13);
  const gradyn_filter_spec spec = {
      .initial = {state, 2, P}, .noise = {noise, 1, &intensity}, .added = {gained, 1, &gain}};
  assert_run(gradyn_filter_compute(ev, NULL, &spec, found), ev);
}

/* Names x and vx, or y and vy, of which either pair is independent. */
static void filter_point(const char *method, int upright, gradyn_filter *found)
{
  static const char *const states[2][2] = {{"bob.x", "bob.vx"}, {"bob.y", "bob.vy"}},
                           *const noise[] = {"gravity.y"}, *const gained[] = {"bob.vx", "bob.vy"};
  double start[4], all[16], P[4], added[4], intensity;
  scale(P0, 4, start);
  spread((double[]){th0, om0}, start, all);
  for (int i = 0; i < 4; i++)
    P[i] = all[4 * (2 * (i / 2) + upright) + 2 * (i % 2) + upright];
  scale(Q, 4, added);
  scale(&W, 1, &intensity);
  run_local *ev = run_with(&point, .method = method, .rtol = 1e-11, .atol = 1e-13);
  const gradyn_filter_spec spec = {.initial = {states[upright], 2, P},
                                   .noise = {noise, 1, &intensity},
                                   .added = {gained, 2, added}};
  assert_run(gradyn_filter_compute(ev, NULL, &spec, found), ev);
}

/* The state of the point, and its covariance, for those of the angle. */
static void as_point(const double *s, const double *P, double *z, double *all)
{
  z[0] = l * sin(s[0]);
  z[1] = -l * cos(s[0]);
  z[2] = l * s[1] * cos(s[0]);
  z[3] = l * s[1] * sin(s[0]);
  spread(s, P, all);
}

/* Largest difference of states, and of covariances over the largest entry of each, of all rows. */
typedef struct differences {
  double state, covariance;
} differences;

static double largest(const double *a, const double *b, int count)
{
  double most = 0;
  for (int i = 0; i < count; i++)
    most = fmax(most, fabs(a[i] - b[i]));
  return most;
}

static differences compare(const gradyn_filter *found, const gradyn_filter *expected)
{
  static const double zero[16];
  differences d = {0, 0};
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
      double all[16], same[4];
      as_point(s, of, same, all);
      d.state = fmax(d.state, largest(z, same, 4));
      d.covariance = fmax(d.covariance, largest(P, all, 16) / largest(all, zero, 16));
    }
  return d;
}

TEST(a_pendulum_has_the_filter_of_its_angle)
{
  static const char *const methods[] = {"explicit", "radau"};
  LOCAL(gradyn_filter) expected = {0};
  error = 1e-5;
  filter_angle(&expected);
  for (int k = 0; k < 2 * (int)GRADYN_COUNT(methods); k++) {
    LOCAL(gradyn_filter) found = {0};
    filter_point(methods[k / 2], k % 2, &found);
    const differences d = compare(&found, &expected);
    assert_close(d.state, 0, 0, 1e-11);
    assert_close(d.covariance, 0, 0, 1e-9);
    for (size_t i = 0; i < found.data; i++)
      assert_close(found.datum[i].normalised, expected.datum[i].normalised, 0, 1e-7);
  }
}

/* With the correction (d, e) of the angle and its rate, the point at l d along the tangent is nearest to the
 * angle phi + atan d, and the mean of both velocities gives the rate
 *
 *   omega+ = (omega + e + omega d^2/2) / sqrt(1 + d^2) = omega + e - e d^2/2 + O(d^4). */
TEST(one_correction_differs_from_that_of_the_angle_at_third_order)
{
  LOCAL(gradyn_filter) expected = {0}, found = {0};
  error = 0.05;
  filter_angle(&expected);
  filter_point("explicit", 0, &found);
  const double *s = expected.predicted, *P = expected.covariance, d = expected.estimate[0] - s[0],
               e = expected.estimate[1] - s[1], root = sqrt(1 + d * d),
               om = (s[1] + e + s[1] * d * d / 2) / root;
  const double T[2][2] = {{1 / (1 + d * d), 0}, {s[1] * d / root - om * d / (1 + d * d), 1 / root}};
  const double after[2] = {s[0] + atan(d), om};
  double TPT[4] = {0}, z[4], all[16];
  for (int i = 0; i < 16; i++)
    TPT[i / 4] += T[i / 8][i / 2 % 2] * P[2 * (i / 2 % 2) + i % 2] * T[i / 4 % 2][i % 2];
  as_point(after, TPT, z, all);
  assert_true(fabs(d) > 0.02 && fabs(e) > 0.02);
  assert_close_array(found.estimate, z, 4, 0, 1e-14);
  assert_close_rows(found.covariance, all, 1, 16, 1e-13);
}

/* So all of a run differ by errors of third order in states, and of second order in covariances. */
TEST(differences_from_the_angle_fall_by_orders_of_corrections)
{
  differences d[2];
  for (int k = 0; k < 2; k++) {
    LOCAL(gradyn_filter) expected = {0}, found = {0};
    error = k == 0 ? 1e-3 : 2.5e-4;
    filter_angle(&expected);
    filter_point("explicit", 0, &found);
    d[k] = compare(&found, &expected);
  }
  assert_close(d[0].state / d[1].state, 64, 0.02, 0);
  assert_close(d[0].covariance / d[1].covariance, 16, 0.02, 0);
  assert_close(d[0].covariance / 1e-6, 4.66, 0.01, 0); /* as docs/theory/filter.md states */
}
