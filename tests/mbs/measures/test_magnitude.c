/* Magnitudes, formulas and mean squares of measures: derivatives against differences, and sums on a
 * pendulum by three methods. */
#include <complex.h>

#include "mbs/measures/measure.h"
#include "tests/mbs/bench.h"
#include "tests/mbs/refusal.h"
#include "tests/runs.h"
#include "tests/declare.h"

FORMULA(size_of_two,
        at->data[0] * csqrt(at->of[0] * at->of[0] + at->of[1] * at->of[1]) + at->data[1])

/* --- every derivative ------------------------------------------------------------------------- */

static gradyn_status two_bodies(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  int A = declare_body_3d(model, "A", 1.2, INERTIA(0.3, 0.4, 0.5, 0.01), NULL);
  int hinge = declare_joint(model, "hinge", GRADYN_REVOLUTE, GRADYN_GROUND, A,
                            VECTOR(0.5, 0.2, 0.3), VECTOR(0.4, -0.3, 0.8));
  int part[3], size[2];
  for (int k = 0; k < 3; k++)
    part[k] = gradyn_measure_joint_force(model, gradyn_format_name(model, "F%d", k), hinge,
                                         (gradyn_axis)k);
  size[0] = gradyn_measure_magnitude(model, "smooth", part, 3, 0.2);
  size[1] = gradyn_measure_magnitude(model, "sharp", part, 2, 0);
  const int of_both = gradyn_measure_magnitude(model, "of both", size, 2, 0.1);
  gradyn_functional(model,
                    &(gradyn_functional_spec){"peak", size[0], .reduction = GRADYN_SMOOTH_MAXIMUM,
                                              .magnitude = true, .scale = 1.7, .sharpness = 0.8});
  gradyn_functional(model,
                    &(gradyn_functional_spec){"integral", size[1], .reduction = GRADYN_INTEGRAL});
  gradyn_functional(model,
                    &(gradyn_functional_spec){"square", of_both, .reduction = GRADYN_MEAN_SQUARE});
  gradyn_functional(model, &(gradyn_functional_spec){"square of a part", part[1],
                                                     .reduction = GRADYN_MEAN_SQUARE});
  const gradyn_datum data[] = {{"scale", "", 1.2}, {"offset", "N", 0.4}};
  gradyn_measure_formula_spec formula = {.name = "formula",
                                         .formula = size_of_two,
                                         .of = part,
                                         .count = 2,
                                         .data = data,
                                         .data_count = 2};
  const int twice[] = {gradyn_measure_formula(model, &formula), part[2]};
  formula.name = "of a formula";
  formula.of = twice;
  gradyn_functional(
      model, &(gradyn_functional_spec){"peak of a formula", gradyn_measure_formula(model, &formula),
                                       .reduction = GRADYN_SMOOTH_MAXIMUM, .magnitude = true,
                                       .scale = 2.5, .sharpness = 0.7});
  return gradyn_build_status(model);
}

TEST(derivatives_are_right)
{
  bench_local b;
  bench_open(&b, two_bodies, NULL);
  for (int i = 0; i < b.model->functional_count; i++)
    assert_true(bench_check_functional(&b, i) & 1);
}

/* --- a pendulum ------------------------------------------------------------------------------- */

enum { LENGTH, MASS, DURATION, PARAMETERS };
enum { OF_X, OF_Y, OF_BOTH, OF_FORMULA, INTEGRAL, AT_END, FUNCTIONALS };
static const gradyn_param params[] = {
    {"length", "m", .init = 0.7, GRADYN_UNBOUNDED},
    {"mass", "kg", .init = 1.3, GRADYN_UNBOUNDED},
    {"duration", "s", .init = 0.8, GRADYN_UNBOUNDED, .role = GRADYN_TIME}};

static gradyn_status pendulum(gradyn_model *model, const gradyn_scalar rho[])
{
  const gradyn_scalar mass = rho[MASS], length = rho[LENGTH];
  gradyn_end_time(model, rho[DURATION]);
  int body = declare_body(model, "body", mass, mass * length * length / 12, length / 2, 0);
  int pin = declare_joint(model, "pin", GRADYN_REVOLUTE, GRADYN_GROUND, body, NULL, VECTOR(1));
  gradyn_gravity(model, 0, -9.81);
  const int part[] = {gradyn_measure_joint_force(model, "F.x", pin, GRADYN_X),
                      gradyn_measure_joint_force(model, "F.y", pin, GRADYN_Y)};
  const int size = gradyn_measure_magnitude(model, "F", part, 2, 0);
  gradyn_functional(model,
                    &(gradyn_functional_spec){"of x", part[0], .reduction = GRADYN_MEAN_SQUARE});
  gradyn_functional(model,
                    &(gradyn_functional_spec){"of y", part[1], .reduction = GRADYN_MEAN_SQUARE});
  gradyn_functional(model,
                    &(gradyn_functional_spec){"of both", size, .reduction = GRADYN_MEAN_SQUARE});
  const gradyn_datum data[] = {{"scale", "", 1}, {"offset", "N", 0}};
  gradyn_functional(model, &(gradyn_functional_spec){
                               "of formula",
                               gradyn_measure_formula(
                                   model, &(gradyn_measure_formula_spec){.name = "formula",
                                                                         .unit = "N",
                                                                         .formula = size_of_two,
                                                                         .of = part,
                                                                         .count = 2,
                                                                         .data = data,
                                                                         .data_count = 2}),
                               .reduction = GRADYN_MEAN_SQUARE});
  gradyn_functional(
      model, &(gradyn_functional_spec){"integral", size, .reduction = GRADYN_SQUARE_INTEGRAL});
  gradyn_functional(model, &(gradyn_functional_spec){"at end", size, .reduction = GRADYN_AT_END});
  return gradyn_build_status(model);
}

static const gradyn_problem problem = {GRADYN_PROBLEM_SIZES, .name = "pendulum", .params = params,
                                       .param_count = PARAMETERS, .build = pendulum};

/* The square integral of a magnitude is the sum of those of its components, and the mean square is the
 * integral divided by the time, in values and derivatives. With respect to the end time T, the mean square
 * has the derivative (F(T)^2 - mean)/T. */
static void squares_add_up(const char *method, const char *sensitivity, double rtol)
{
  const double rho[PARAMETERS] = {0.7, 1.3, 0.8}, T = rho[DURATION];
  double psi[FUNCTIONALS], d[FUNCTIONALS][PARAMETERS];
  run_local *ev = run_with(&problem, .method = method, .sensitivity = sensitivity, .rtol = 1e-11,
                           .step = strcmp(method, "ali3p") == 0 ? 1e-3 : -1);
  assert_run(gradyn_evaluator_gradient(ev, rho, psi, d[0]), ev);
  assert_string_equal(gradyn_functional_at(ev, OF_FORMULA).unit, "N^2");
  assert_string_equal(gradyn_functional_at(ev, OF_BOTH).unit, "N^2");
  assert_close(psi[OF_BOTH], psi[OF_X] + psi[OF_Y], 1e-8, 0);
  assert_close(psi[OF_BOTH], psi[INTEGRAL] / T, 1e-8, 0);
  for (int j = 0; j < PARAMETERS; j++) {
    const double share = j == DURATION ? psi[INTEGRAL] / (T * T) : 0;
    assert_close(d[OF_FORMULA][j], d[OF_BOTH][j], rtol, 0);
    assert_close(d[OF_BOTH][j], d[OF_X][j] + d[OF_Y][j], rtol, 0);
    assert_close(d[OF_BOTH][j], d[INTEGRAL][j] / T - share, rtol, 0);
  }
  if (strcmp(method, "ali3p") !=
      0) /* a fixed number of steps has another derivative with respect to T */
    assert_close(d[OF_BOTH][DURATION], (psi[AT_END] * psi[AT_END] - psi[OF_BOTH]) / T, rtol, 0);
}

TEST(mean_squares_add_up)
{
  static const char *const sensitivity[] = {"adjoint", "direct"};
  for (int i = 0; i < 2; i++) {
    squares_add_up("idas", sensitivity[i], 1e-7);
    squares_add_up("explicit", sensitivity[i], 1e-7);
    squares_add_up("ali3p", sensitivity[i], 1e-9);
  }
}

/* --- refused ---------------------------------------------------------------------------------- */

static void mixed_units(gradyn_model *model)
{
  int angle = refusal_hinge_angle(model);
  const int of[] = {gradyn_measure_joint(model, "a", angle, 0),
                    gradyn_measure_joint(model, "w", angle, 1)};
  gradyn_measure_magnitude(model, "size", of, 2, 0);
}

static void too_many(gradyn_model *model)
{
  gradyn_measure_magnitude(model, "size", (const int[]){0, 0, 0, 0, 0}, 5, 0);
}

static void itself(gradyn_model *model)
{
  gradyn_measure_magnitude(model, "size", (const int[]){1}, 1, 0);
}

static void nothing(gradyn_model *model)
{
  const int of = gradyn_measure_joint(model, "w", refusal_hinge_angle(model), 1);
  gradyn_measure_formula(model, &(gradyn_measure_formula_spec){.name = "p", .of = &of, .count = 1});
}

static void negative(gradyn_model *model)
{
  const int of = gradyn_measure_joint(model, "w", refusal_hinge_angle(model), 1);
  gradyn_measure_magnitude(model, "size", &of, 1, -1);
}

TEST(wrong_magnitudes_are_refused)
{
  static const refusal refusals[] = {
      {mixed_units, "size: the unit of w is rad/s; others have the unit rad"},
      {too_many, "size combines 5 measures; 1 to 4 are possible"},
      {itself, "size: measure 1 has not been declared (there are 0)"},
      {nothing, "p has no formula"},
      {negative, "size.smoothing is -1 rad/s: it must not be negative"}};
  refusal_check_3d((int)GRADYN_COUNT(refusals), refusals);
}
