/* Tests of dx/drho: a few builds for many parameters against one build for each parameter. An evaluation
 * must not reuse slopes of the previous one. */
#include <complex.h>

#include "tests/runs.h"
#include "tests/declare.h"

#include "adjoint/directions.h"

enum { PARAMETERS = 203, ZERO = 8 };

static int builds;

static const gradyn_param params[] = {
    {"u", "N", .init = 0.3, GRADYN_UNBOUNDED, .count = PARAMETERS}};

/* Knots that depend on one parameter, or on several in ways that a search can easily miss. */
static void combine(const gradyn_scalar rho[], gradyn_scalar knot[])
{
  for (int k = 0; k < PARAMETERS; k++)
    knot[k] = k % 3 == 0 ? 3 * rho[k] * rho[k] : rho[k];
  knot[0] = rho[0] - rho[1] - rho[2] + rho[3]; /* sums over subsets are zero */
  knot[4] = rho[4] - rho[5];
  knot[6] = rho[6] * rho[190];
  knot[7] = rho[7] + 1e-14 * rho[60]; /* the second term is far below the round-off of the first */
  knot[ZERO] = rho[ZERO] * rho[ZERO]; /* its slope is zero at the tested point */
  knot[9] = 2.5;
  knot[10] = rho[150]; /* one parameter, several data */
  knot[11] = sin(creal(rho[150])) + I * cos(creal(rho[150])) * cimag(rho[150]);
}

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  gradyn_scalar knot[PARAMETERS];
  builds++;
  combine(rho, knot);
  int u = declare_signal(model, "u", "", GRADYN_PIECEWISE_LINEAR, PARAMETERS, knot);
  int A = gradyn_ground_point(model, "A", 0, 0), p = gradyn_point(model, "p", 1, 0);
  gradyn_rod(model, &(gradyn_rod_spec){"bar", A, p, .length = 1, .mass = 1 + rho[20] * rho[21]});
  declare_push(model, "push", p, 1, 0, u);
  return gradyn_build_status(model);
}

static const gradyn_problem problem = PROBLEM("many", build, params, .t_end = 1, .method = "ali3p",
                                              .step = 0.01);

static void set_up(gradyn_model **model, gradyn_parameters *parameters, gradyn_scalar rho[])
{
  gradyn_message message = {{0}};
  for (int j = 0; j < PARAMETERS; j++)
    rho[j] = 0.3 + 0.01 * j;
  rho[ZERO] = 0;
  assert_ok(gradyn_parameters_create(&problem, NULL, 0, &message, parameters), message.text);
  assert_ok(gradyn_model_create(&problem, NULL, 0, 0, rho, model), "no model");
}

/* Compares one column with the result of a separate build. */
static void compare_column(gradyn_model *model, gradyn_scalar rho[], const gradyn_directions *d,
                           int j)
{
  gradyn_scalar keep = rho[j];
  int i = d->start[j];
  rho[j] += GRADYN_COMPLEX_STEP * I;
  assert_ok(gradyn_model_refresh(model, rho), model->message.text);
  rho[j] = keep;
  for (int k = 0; k < model->nx; k++) {
    double slope = cimag(model->value[k]) / GRADYN_COMPLEX_STEP;
    if (slope == 0)
      continue;
    assert_true(i < d->start[j + 1]);
    assert_int_equal(d->index[i], k);
    assert_close(d->value[i], slope, 1e-15, 0);
    i++;
  }
  assert_int_equal(i, d->start[j + 1]);
}

TEST(many_columns_are_those_of_single_builds)
{
  gradyn_model *model;
  LOCAL(gradyn_parameters) parameters;
  gradyn_scalar rho[PARAMETERS];
  LOCAL(gradyn_directions) d = {0};
  set_up(&model, &parameters, rho);
  for (int repeat = 0; repeat < 2; repeat++) {
    builds = 0;
    assert_ok(gradyn_directions_by_rho(model, &parameters, rho, &d), model->message.text);
    assert_int_equal(d.count, PARAMETERS);
    assert_true(builds < PARAMETERS); /* many share nothing */
    for (int j = 0; j < PARAMETERS; j++) {
      assert_true(creal(rho[j]) == (j == ZERO ? 0 : 0.3 + 0.01 * j) && cimag(rho[j]) == 0);
      compare_column(model, rho, &d, j);
    }
  }
  gradyn_model_free(model);
}

/* A datum that depends on several parameters names them all; one that depends on a single parameter needs
 * no extra build. */
TEST(owners_are_named)
{
  gradyn_model *model;
  LOCAL(gradyn_parameters) parameters;
  gradyn_scalar rho[PARAMETERS];
  LOCAL(gradyn_dependence) d = {0};
  set_up(&model, &parameters, rho);
  int knot = model->signal[0].knot;
  builds = 0;
  assert_ok(gradyn_dependence_reserve(model, PARAMETERS, &d), model->message.text);
  assert_ok(gradyn_dependence_find(model, rho, &d), model->message.text);
  assert_int_equal(builds, 2 * 8); /* 203 takes eight bits */
  assert_int_equal(d.owner[knot + 50], 50);
  assert_int_equal(d.owner[knot + 10], 150);
  assert_int_equal(d.owner[knot + 11], 150);
  assert_int_equal(d.owner[knot + 9], GRADYN_NO_OWNER);
  assert_int_equal(d.owner[knot + ZERO], GRADYN_NO_OWNER);
  const int several[] = {0, 4, 6, 7};
  for (size_t k = 0; k < GRADYN_COUNT(several); k++)
    assert_int_equal(d.owner[knot + several[k]], GRADYN_SEVERAL_OWNERS);
  const int sharing[] = {0, 1, 2, 3, 4, 5, 6, 190, 7, 60, 20, 21};
  for (size_t k = 0; k < GRADYN_COUNT(sharing); k++)
    assert_true(d.shared[sharing[k]]);
  gradyn_model_free(model);
}

static gradyn_status build_square(gradyn_model *model, const gradyn_scalar rho[])
{
  int A = gradyn_ground_point(model, "A", 0, 0), p = gradyn_point(model, "p", 1, 0);
  gradyn_rod(model, &(gradyn_rod_spec){"bar", A, p, .length = 1, .mass = 1});
  gradyn_force(model,
               &(gradyn_force_spec){.name = "push", .point = p, .fy = rho[0] * rho[0] + rho[1]});
  gradyn_functional(
      model, &(gradyn_functional_spec){"speed", gradyn_measure_point(model, "", p, 1, GRADYN_Y),
                                       .reduction = GRADYN_AT_END});
  return gradyn_build_status(model);
}

/* The datum varies with the second parameter at every value of the first. */
static const gradyn_param root[] = {{"root", "N^(1/2)", .init = 1, GRADYN_UNBOUNDED},
                                    {"more", "N", .init = 0, GRADYN_UNBOUNDED}};
static const gradyn_problem square = PROBLEM("square", build_square, root, .t_end = 0.5,
                                             .step = 0.05);

static double slope_at(gradyn_evaluator *ev, double rho)
{
  double slope[2];
  assert_run(gradyn_evaluator_gradient(ev, (double[]){rho, 0}, NULL, slope), ev);
  assert_true(slope[1] > 0.1);
  return slope[0];
}

/* Evaluator k: all methods, each by adjoint and direct. */
static gradyn_evaluator *open_square(size_t k)
{
  return run_with(&square, .method = run_methods[k / 2],
                  .sensitivity = k % 2 ? "direct" : "adjoint");
}

/* Where a datum does not depend on a parameter, the derivatives of results are zero, also after a call at a
 * point where it did. */
TEST(a_slope_that_vanishes_is_not_kept)
{
  for (size_t k = 0; k < 8; k++) {
    run_local *ev = open_square(k);
    assert_true(slope_at(ev, 1) > 0.1);
    assert_true(slope_at(ev, 0) == 0);
  }
}

/* After a call with infinite or NAN values, the next result must be correct: no array may keep such a
 * number. */
TEST(overflowed_values_are_not_stored)
{
  for (size_t k = 0; k < 8; k++) {
    run_local *ev = open_square(k);
    const double huge[] = {1e200, 1e154, -1e150}, before = slope_at(ev, 1);
    double psi, slope[2];
    for (size_t i = 0; i < GRADYN_COUNT(huge); i++) {
      assert_true(gradyn_evaluator_gradient(ev, (double[]){huge[i], 0}, &psi, slope) != GRADYN_OK);
      assert_true(slope_at(ev, 1) == before);
    }
  }
}
