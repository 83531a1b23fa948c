/* The filter of a double pendulum in space: bodies with revolute joints, in natural coordinates with
 * constraints and in joint coordinates without. The results must agree. */
#include <math.h>
#include <string.h>

#include "tests/declare.h"
#include "tests/runs.h"

enum { DATA = 3, SENSORS = 2 };

static const double times[DATA] = {0.1, 0.2, 0.3};
static double sigma[SENSORS]; /* of the size of corrections */

static void set_errors(double factor)
{
  sigma[0] = 1e-6 * factor;
  sigma[1] = 1e-4 * factor;
}

/* Two rods on skew axes, with sensors for the height of a point and for its acceleration. */
static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  const double *data = gradyn_user(model);
  (void)rho;
  const int upper = declare_body_3d(model, "upper", 1, INERTIA(0.02, 0.01, 0.02, 0, 0, 0),
                                    VECTOR(0.3, 0, 0)),
            lower = declare_body_3d(model, "lower", 0.7, INERTIA(0.01, 0.02, 0.02, 0, 0, 0),
                                    VECTOR(0.9, 0, 0));
  declare_joint(model, "shoulder", GRADYN_REVOLUTE, GRADYN_GROUND, upper, NULL, VECTOR(0, 1, 0));
  declare_joint(model, "elbow", GRADYN_REVOLUTE, upper, lower, VECTOR(0.6, 0, 0),
                VECTOR(0, 0.8, 0.6));
  gradyn_gravity_3d(model, 0, 0, -9.81);
  const gradyn_point_id tip = gradyn_body_point_3d(model, lower, "tip", 1.2, 0, 0);
  for (int i = 0; i < SENSORS; i++)
    gradyn_fit(
        model, gradyn_format_name(model, "sensor%d", i),
        gradyn_measure_point(model, gradyn_format_name(model, "z%d", i), tip, 2 * i, GRADYN_Z),
        &(gradyn_fit_spec){
            .times = times, .values = data + i * DATA, .count = DATA, .sigma = sigma[i]});
  return gradyn_build_status(model);
}

static gradyn_problem arm_with(double *data, const char *coordinates)
{
  return (gradyn_problem){GRADYN_PROBLEM_SIZES,       .name = "arm", .build = build,
                          .coordinates = coordinates, .t_end = 0.3,  .user = data};
}

/* Creates data near the motion from the initial state: for data of zero, the residuals are the measures
 * divided by sigma. */
static void take_data(double data[SENSORS * DATA])
{
  static const double error[SENSORS * DATA] = {2, -1, 0.5, 1, 2, -1};
  double psi[SENSORS * (DATA + 1)];
  memset(data, 0, SENSORS * DATA * sizeof *data);
  const gradyn_problem problem = arm_with(data, "joint");
  run_local *ev = run_with(&problem, .method = "explicit", .rtol = 1e-11);
  assert_int_equal(gradyn_functional_count(ev), SENSORS * (DATA + 1));
  assert_run(gradyn_evaluator_simulate(ev, NULL, psi, NULL), ev);
  for (int i = 0; i < SENSORS; i++)
    for (int k = 0; k < DATA; k++)
      data[i * DATA + k] = sigma[i] * (psi[i * (DATA + 1) + 1 + k] + error[i * DATA + k]);
}

static void filter(double *data, const char *coordinates, const char *method, gradyn_filter *found)
{
  static const char *const noise[] = {"gravity.x", "gravity.z"};
  const double unit = sigma[0] * sigma[0] / 1e-12,
               W[] = {1e-8 * unit, 2e-9 * unit, 2e-9 * unit, 3e-8 * unit};
  const gradyn_problem problem = arm_with(data, coordinates);
  const gradyn_filter_spec spec = {.noise = {noise, 2, W}};
  run_local *ev = run_with(&problem, .method = method, .rtol = 1e-10, .atol = 1e-12);
  assert_run(gradyn_filter_compute(ev, NULL, &spec, found), ev);
}

TEST(joint_and_natural_coordinates_have_one_filter)
{
  static const char *const methods[] = {"explicit", "radau"};
  double data[SENSORS * DATA];
  LOCAL(gradyn_filter) expected = {0};
  set_errors(1);
  take_data(data);
  filter(data, "joint", "explicit", &expected);
  assert_int_equal(expected.states, 4);
  for (size_t k = 0; k < GRADYN_COUNT(methods); k++) {
    LOCAL(gradyn_filter) found = {0};
    filter(data, "natural", methods[k], &found);
    assert_true(found.states > expected.states);
    assert_int_equal(found.data, SENSORS * DATA);
    for (size_t i = 0; i < found.data; i++) {
      assert_close(found.datum[i].predicted, expected.datum[i].predicted, 0, 1e-9);
      assert_close(found.datum[i].normalised, expected.datum[i].normalised, 0, 1e-6);
    }
    assert_close_array(found.innovation_covariance, expected.innovation_covariance,
                       expected.block[expected.rows], 3e-7, 0);
    assert_close(found.minus_log_likelihood, expected.minus_log_likelihood, 1e-5, 0);
  }
}

/* Corrections are added to joint coordinates, and follow the geodesic of natural ones: the states differ at
 * second order, covariances at first. */
THOROUGH_TEST(differences_of_coordinates_fall_by_orders_of_corrections)
{
  double state[2] = {0}, covariance[2] = {0};
  for (int k = 0; k < 2; k++) {
    double data[SENSORS * DATA];
    LOCAL(gradyn_filter) joint = {0}, natural = {0};
    set_errors(k == 0 ? 30 : 3);
    take_data(data);
    filter(data, "joint", "explicit", &joint);
    filter(data, "natural", "explicit", &natural);
    for (size_t i = 0; i < joint.data; i++)
      state[k] = fmax(state[k], fabs(natural.datum[i].predicted - joint.datum[i].predicted));
    for (size_t i = 0; i < joint.block[joint.rows]; i++)
      covariance[k] = fmax(
          covariance[k],
          fabs(natural.innovation_covariance[i] / joint.innovation_covariance[i] - 1));
  }
  assert_close(state[0] / state[1], 100, 0.01, 0);
  assert_close(covariance[0] / covariance[1], 10, 0.01, 0);
}
