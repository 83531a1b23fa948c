/* Covariances of measures along a run, by all methods: closed forms for a mechanism and for general
 * equations, states as measures through impacts, and both coordinates of a mechanism. */
#include <complex.h>

#include "tests/declare.h"
#include "tests/runs.h"

enum { MOST = 3 };

static size_t find(const gradyn_covariance *found, const char *name)
{
  size_t i = 0;
  while (i < found->states && strcmp(found->name[i], name) != 0)
    i++;
  assert_true(i < found->states);
  return i;
}

/* Compares the covariance of named measures with M C M^T, M [measures][sources], relative to deviations. */
static void compare(const gradyn_covariance *found, size_t row, const char *const name[],
                    int measures, const gradyn_covariance_spec *spec, const double *M,
                    double tolerance)
{
  double S[MOST * MOST] = {0};
  const int n = (int)spec->count;
  for (int i = 0; i < measures * measures; i++)
    for (int k = 0; k < n * n; k++)
      S[i] += M[i / measures * n + k / n] * spec->matrix[k] * M[i % measures * n + k % n];
  for (int i = 0; i < measures * measures; i++) {
    const int a = i / measures, b = i % measures;
    const double size = sqrt(S[a * (measures + 1)] * S[b * (measures + 1)]);
    assert_close(gradyn_covariance_entry(found, row, find(found, name[a]), find(found, name[b])),
                 S[i], 0, tolerance * fmax(size, 1e-6));
  }
}

/* --- an oscillator ------------------------------------------------------------------------------ */

static const double stiffness = 5, damping = 0.6, gain = 1.7; /* of 1 kg */

FORMULAS(pull, -stiffness * at->pos[0] - damping * at->vel[0], 0)
FORMULA(product, at->data[0] * at->pos[0] * at->vel[0])

static gradyn_status build_oscillator(gradyn_model *model, const gradyn_scalar rho[])
{
  const int mass = gradyn_point(model, "mass", rho[0], 0);
  gradyn_initial_velocity(model, mass, rho[1], 0);
  gradyn_point_mass(model, "mass", mass, 1);
  declare_force(model, "pull", mass, pull, NULL, 0);
  (void)gradyn_measure_point(model, "x", mass, 0, GRADYN_X);
  (void)gradyn_measure_point(model, "", mass, 1, GRADYN_X);
  (void)gradyn_measure_point(model, "acceleration", mass, 2, GRADYN_X);
  (void)gradyn_measure_custom(
      model, &(gradyn_custom_measure_spec){.name = "product",
                                           .unit = "m^2/s",
                                           .points = &mass,
                                           .point_count = 1,
                                           .formula = product,
                                           .data = &(gradyn_datum){"gain", "", gain},
                                           .data_count = 1});
  return gradyn_build_status(model);
}

static const gradyn_param start[] = {{.name = "x", .init = 0.3}, {.name = "v", .init = -0.2}};
static const gradyn_problem oscillator = PROBLEM("oscillator", build_oscillator, start, .t_end = 2);

/* Rows of x, a = -k x - d v and g x v by x0, v0 and g. */
static void oscillate(double t, double M[MOST * MOST])
{
  const double d = damping / 2, w = sqrt(stiffness - d * d), e = exp(-d * t),
               s = e * sin(w * t) / w, c = e * cos(w * t);
  const double dx[2] = {c + d * s, s}, dv[2] = {-stiffness * s, c - d * s},
               x = 0.3 * dx[0] - 0.2 * dx[1], v = 0.3 * dv[0] - 0.2 * dv[1];
  for (int j = 0; j < 2; j++) {
    M[j] = dx[j];
    M[3 + j] = -stiffness * dx[j] - damping * dv[j];
    M[6 + j] = gain * (v * dx[j] + x * dv[j]);
  }
  M[2] = M[5] = 0;
  M[8] = x * v;
}

TEST(measures_of_an_oscillator_have_the_closed_form)
{
  static const char *const sources[] = {"x", "v", "product.gain"}, *const names[] = {"x",
                                                                                     "acceleration",
                                                                                     "product"};
  static const double C[] = {0.04, -0.012, 0, -0.012, 0.09, 0.01, 0, 0.01, 0.16};
  for (int k = 0; k < 2 * RUN_METHODS; k++) {
    const char *method = run_methods[k / 2];
    run_local *ev = run_with(&oscillator, .method = method,
                             .rtol = k / 2 < RUN_ADAPTIVE ? 1e-12 : 0);
    const gradyn_covariance_spec spec = {sources, 3, C, k % 2 == 0 ? 0 : 9};
    LOCAL(gradyn_covariance) found;
    double M[MOST * MOST];
    assert_run(gradyn_covariance_compute(ev, (double[]){0.3, -0.2}, &spec, NULL, NULL, &found), ev);
    assert_int_equal(found.measures, 3);
    assert_int_equal(found.states, 4 + 3);
    assert_string_equal(found.name[5], "acceleration");
    assert_string_equal(found.unit[5], "m/s^2");
    for (size_t row = 0; row < found.rows; row++) {
      oscillate(found.t[row], M);
      compare(&found, row, names, 3, &spec, M, k / 2 < RUN_ADAPTIVE ? 1e-9 : 3e-5);
    }
  }
}

/* --- general equations -------------------------------------------------------------------------- */

FORMULAS(decay, at->yp[0] + at->data[0] * at->y[0])
FORMULA(squared, at->data[0] * at->y[0] * at->y[0] + at->t)

static gradyn_status build_decay(gradyn_model *model, const gradyn_scalar rho[])
{
  gradyn_state(model, "y", "", 1);
  declare_equations(model, decay, &(gradyn_datum){"k", "1/s", rho[0]}, 1);
  (void)gradyn_measure_custom(model,
                              &(gradyn_custom_measure_spec){.name = "squared",
                                                            .unit = "",
                                                            .formula = squared,
                                                            .data = &(gradyn_datum){"c", "", gain},
                                                            .data_count = 1});
  return gradyn_build_status(model);
}

static const gradyn_param rate[] = {{.name = "k", .init = 0.8}};
static const gradyn_problem decaying = PROBLEM("decay", build_decay, rate, .t_end = 2);

TEST(measures_of_equations_have_the_closed_form)
{
  static const char *const sources[] = {"k", "squared.c"}, *const names[] = {"squared"};
  static const double C[] = {0.04, 0.01, 0.01, 0.09};
  for (int k = 0; k < 2 * RUN_ADAPTIVE; k++) {
    run_local *ev = run_with(&decaying, .method = run_methods[k / 2], .rtol = 1e-11);
    const gradyn_covariance_spec spec = {sources, 2, C, k % 2 == 0 ? 0 : 9};
    LOCAL(gradyn_covariance) found;
    assert_run(gradyn_covariance_compute(ev, (double[]){0.8}, &spec, NULL, NULL, &found), ev);
    for (size_t row = 0; row < found.rows; row++) {
      const double t = found.t[row], y = exp(-0.8 * t), M[] = {-2 * gain * t * y * y, y * y};
      compare(&found, row, names, 1, &spec, M, 1e-7);
    }
  }
}

/* --- events: measures of states are the states -------------------------------------------------- */

static gradyn_status build_ball(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  const gradyn_point_id ball = gradyn_point(model, "ball", 0, 1.2);
  gradyn_initial_velocity(model, ball, 0, 0.1);
  gradyn_point_mass(model, "mass", ball, 0.4);
  gradyn_gravity(model, 0, -9.81);
  gradyn_impact(model, &(gradyn_impact_spec){
                           .name = "floor", .point = ball, .axis = GRADYN_Y, .restitution = 0.7});
  (void)gradyn_measure_point(model, "height", ball, 0, GRADYN_Y);
  (void)gradyn_measure_point(model, "rate", ball, 1, GRADYN_Y);
  (void)gradyn_measure_point(model, "fall", ball, 2, GRADYN_Y);
  return gradyn_build_status(model);
}

static const gradyn_problem ball = {GRADYN_PROBLEM_SIZES, .name = "ball", .build = build_ball,
                                    .t_end = 0.9};

TEST(measures_jump_with_the_states)
{
  static const char *const sources[] = {"ball.y", "ball.vy", "floor.restitution", "gravity.y"};
  static const double C[] = {1e-4, 0, 0, 0, 0, 1e-4, 0, 0, 0, 0, 1e-4, 0, 0, 0, 0, 1e-4};
  for (int k = 0; k < 2 * RUN_METHODS; k++) {
    run_local *ev = run_with(&ball, .method = run_methods[k / 2]);
    const gradyn_covariance_spec spec = {sources, 4, C, k % 2 == 0 ? 0 : 12};
    LOCAL(gradyn_covariance) found;
    assert_run(gradyn_covariance_compute(ev, NULL, &spec, NULL, NULL, &found), ev);
    const size_t y = find(&found, "ball.y"), vy = find(&found, "ball.vy"),
                 height = find(&found, "height"), fall = find(&found, "fall");
    for (size_t row = 0; row < found.rows; row++) {
#define ENTRY(a, b) gradyn_covariance_entry(&found, row, a, b)
      assert_close(ENTRY(height, height + 1), ENTRY(y, vy), 1e-12, 1e-16);
      assert_close(ENTRY(height + 1, height + 1), ENTRY(vy, vy), 1e-12, 0);
      assert_close(ENTRY(fall, fall), 1e-4, 1e-9, 0);
    }
  }
}

/* --- joint and natural coordinates -------------------------------------------------------------- */

static gradyn_status build_arm(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  const int upper = declare_body_3d(model, "upper", 1, INERTIA(0.02, 0.01, 0.02, 0, 0, 0),
                                    VECTOR(0.3, 0, 0)),
            lower = declare_body_3d(model, "lower", 0.7, INERTIA(0.01, 0.02, 0.02, 0, 0, 0),
                                    VECTOR(0.9, 0, 0));
  declare_joint(model, "shoulder", GRADYN_REVOLUTE, GRADYN_GROUND, upper, NULL, VECTOR(0, 1, 0));
  const int elbow = declare_joint(model, "elbow", GRADYN_REVOLUTE, upper, lower, VECTOR(0.6, 0, 0),
                                  VECTOR(0, 0.8, 0.6));
  gradyn_gravity_3d(model, 0, 0, -9.81);
  const gradyn_point_id tip = gradyn_body_point_3d(model, lower, "tip", 1.2, 0, 0);
  (void)gradyn_measure_point(model, "z", tip, 0, GRADYN_Z);
  (void)gradyn_measure_point(model, "az", tip, 2, GRADYN_Z);
  (void)gradyn_measure_joint_force(model, "force", elbow, GRADYN_Z);
  (void)gradyn_measure_mass(model, "total");
  return gradyn_build_status(model);
}

TEST(both_coordinates_have_the_same_covariances_of_measures)
{
  static const char *const sources[] = {"upper.mass", "lower.mass", "gravity.z"}, *const names[] = {
                                                                                      "z", "az",
                                                                                      "force",
                                                                                      "total"};
  static const double C[] = {0.01, 0.002, 0, 0.002, 0.01, 0, 0, 0, 0.04};
  gradyn_covariance found[2];
  for (int k = 0; k < 2; k++) {
    const gradyn_problem arm = {GRADYN_PROBLEM_SIZES, .name = "arm", .build = build_arm,
                                .coordinates = k == 0 ? "joint" : "natural", .t_end = 0.6};
    run_local *ev = run_with(&arm, .method = "explicit", .rtol = 1e-11);
    const gradyn_covariance_spec spec = {sources, 3, C, 8};
    assert_run(gradyn_covariance_compute(ev, NULL, &spec, NULL, NULL, &found[k]), ev);
  }
  for (size_t row = 0; row < 8; row++)
    for (int i = 0; i < 16; i++) {
      double S[2];
      for (int k = 0; k < 2; k++)
        S[k] = gradyn_covariance_entry(&found[k], row, find(&found[k], names[i / 4]),
                                       find(&found[k], names[i % 4]));
      assert_close(S[0], S[1], 1e-6, 1e-9);
    }
  gradyn_covariance_clear(&found[0]);
  gradyn_covariance_clear(&found[1]);
}

/* --- functions that are not complex-differentiable ---------------------------------------------- */

FORMULA(folded, fabs(creal(at->y[0])))

static gradyn_status build_folded(gradyn_model *model, const gradyn_scalar rho[])
{
  gradyn_state(model, "y", "", 1);
  declare_equations(model, decay, &(gradyn_datum){"k", "1/s", rho[0]}, 1);
  (void)gradyn_measure_custom(
      model, &(gradyn_custom_measure_spec){.name = "folded", .unit = "", .formula = folded});
  return gradyn_build_status(model);
}

static const gradyn_problem folding = PROBLEM("folding", build_folded, rate, .t_end = 2);

TEST(a_measure_without_derivatives_is_refused)
{
  static const char *const sources[] = {"k"};
  static const double C[] = {0.04};
  run_local *ev = run_with(&folding, .method = "explicit");
  const gradyn_covariance_spec spec = {sources, 1, C, 3};
  gradyn_covariance found;
  assert_refused(gradyn_covariance_compute(ev, (double[]){0.8}, &spec, NULL, NULL, &found), ev,
                 GRADYN_INVALID, "folded");
  gradyn_covariance_clear(&found);
}
