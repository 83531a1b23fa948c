/* Fits to data: values and derivatives are those of the residuals, with every method. */
#include "tests/adjoint/fits/ball_data.h"

#include <math.h>

enum { F = BALL_F, P = BALL_P };

/* The value of a fit, as a sum over its residuals. */
static double sum_of(const double psi[], size_t first)
{
  double sum = 0;
  for (size_t k = 0; k < BALL_DATA; k++)
    sum += psi[first + k] * psi[first + k] / 2;
  return sum;
}

static void check_uses(const gradyn_evaluator *ev, int likelihood)
{
  const size_t first = likelihood ? 2 : 1;
  assert_int_equal(gradyn_functional_count(ev), first + BALL_DATA);
  assert_int_equal(gradyn_functional_at(ev, 0).use, GRADYN_OBJECTIVE);
  if (likelihood)
    assert_int_equal(gradyn_functional_at(ev, 1).use, GRADYN_LOG_SIGMA);
  for (size_t k = first; k < first + BALL_DATA; k++) {
    assert_int_equal(gradyn_functional_at(ev, k).use, GRADYN_RESIDUAL);
    assert_int_equal(gradyn_functional_at(ev, k).fit, 0);
  }
  assert_string_equal(gradyn_functional_at(ev, first + 3).name, "fit[3]");
}

/* Compares values and gradients of the adjoint and the direct sensitivity of a method. */
static void compare(const char *method, int loss, int likelihood)
{
  const size_t first = likelihood ? 2 : 1, count = first + BALL_DATA;
  double rho[P], psi[3][F], gradient[2][F][P], line[P] = {0};
  /* idas takes other steps with derivatives, and its adjoint is accurate to the tolerance only */
  const bool idas = strcmp(method, "idas") == 0;
  for (int s = 0; s < 2; s++) {
    run_local *ev = ball_open(method, s ? "adjoint" : "direct", loss, likelihood);
    (void)run_initial(ev, rho);
    check_uses(ev, likelihood);
    assert_run(gradyn_evaluator_gradient(ev, rho, psi[s], gradient[s][0]), ev);
    assert_run(gradyn_evaluator_simulate(ev, rho, psi[2], NULL), ev);
    assert_close_array(psi[2], psi[s], count, idas ? 1e-6 : 1e-12, 0);
  }
  for (size_t f = 0; f < count; f++) {
    double largest = 0;
    for (int j = 0; j < P; j++)
      largest = fmax(largest, fabs(gradient[0][f][j]));
    assert_close_array(gradient[1][f], gradient[0][f], P, 0, (idas ? 1e-6 : 1e-11) * largest);
  }
  const double constant = likelihood ? BALL_DATA * (psi[0][1] + log(2 * acos(-1)) / 2) : 0;
  assert_close(psi[0][0], constant + sum_of(psi[0], first), 1e-13, 0);
  for (size_t k = 0; k < BALL_DATA; k++)
    for (int j = 0; j < P; j++)
      line[j] += psi[0][first + k] * gradient[0][first + k][j];
  if (likelihood)
    line[BALL_SIGMA] += BALL_DATA / rho[BALL_SIGMA];
  assert_close_array(gradient[0][0], line, P, 1e-12, 1e-12);
}

TEST(they_are_the_sums_of_residuals_with_every_method)
{
  for (int m = 0; m < RUN_METHODS; m++)
    compare(run_methods[m], GRADYN_LOSS_SQUARE, m % 2);
}

TEST(losses_are_differentiated)
{
  for (int loss = GRADYN_LOSS_HUBER; loss <= GRADYN_LOSS_CAUCHY; loss++)
    compare("explicit", loss, 0);
}

/* The residuals r are those of the squared loss; each other loss is computed from them by its closed form. */
TEST(losses_have_their_values)
{
  double rho[P], r[F], psi[F];
  run_local *square = ball_open("explicit", "direct", GRADYN_LOSS_SQUARE, 0);
  (void)run_initial(square, rho);
  rho[BALL_SIGMA] = 0.02; /* so that residuals are on both sides of the thresholds */
  assert_run(gradyn_evaluator_simulate(square, rho, r, NULL), square);
  const gradyn_functional_info datum = gradyn_functional_at(square, 4);
  assert_string_equal(datum.measure, "seen");
  assert_string_equal(datum.measure_unit, "m");
  assert_close(datum.value, ball_values[3], 0, 0);
  assert_close(datum.deviation, 0.02, 0, 0);
  assert_string_equal(gradyn_functional_at(square, 0).measure, "");
  for (int loss = GRADYN_LOSS_HUBER; loss <= GRADYN_LOSS_CAUCHY; loss++) {
    run_local *ev = ball_open("explicit", "direct", loss, 0);
    const double c = loss == GRADYN_LOSS_HUBER ? 1.345 : 2.385;
    int large = 0;
    assert_run(gradyn_evaluator_simulate(ev, rho, psi, NULL), ev);
    for (int k = 1; k <= BALL_DATA; k++) {
      const double a = fabs(r[k]);
      const double huber = a <= c ? a * a : 2 * c * a - c * c,
                   cauchy = c * c * log(1 + a * a / (c * c));
      assert_close(psi[k] * psi[k], loss == GRADYN_LOSS_HUBER ? huber : cauchy, 1e-12, 0);
      assert_true(psi[k] * r[k] >= 0);
      large += a > c;
    }
    assert_true(large > 0 && large < BALL_DATA);
  }
}

/* Gradients against Richardson differences of simulations. */
TEST(gradients_are_those_of_the_values)
{
  double rho[P], psi[F], gradient[F][P], side[2][F];
  run_local *ev = ball_open("explicit", "adjoint", GRADYN_LOSS_SQUARE, 1);
  (void)run_initial(ev, rho);
  assert_run(gradyn_evaluator_gradient(ev, rho, psi, gradient[0]), ev);
  for (int j = 0; j < P; j++) {
    double slope[2];
    for (int half = 0; half < 2; half++) {
      const double h = (half ? 5e-4 : 1e-3) * rho[j];
      for (int s = 0; s < 2; s++) {
        double moved[P];
        memcpy(moved, rho, sizeof moved);
        moved[j] += s ? h : -h;
        assert_run(gradyn_evaluator_simulate(ev, moved, side[s], NULL), ev);
      }
      slope[half] = (side[1][0] - side[0][0]) / (2 * h);
    }
    assert_close((4 * slope[1] - slope[0]) / 3, gradient[0][j], 1e-6, 1e-6);
  }
}

/* A gradient of the fit alone still evaluates its residuals. */
TEST(a_selected_fit_has_its_gradient)
{
  double rho[P], psi[F], all[F][P], own[F][P];
  const bool requested[F] = {true};
  for (int s = 0; s < 2; s++) {
    run_local *ev = ball_open("explicit", s ? "adjoint" : "direct", GRADYN_LOSS_SQUARE, 0);
    (void)run_initial(ev, rho);
    assert_run(gradyn_evaluator_gradient(ev, rho, psi, all[0]), ev);
    assert_run(gradyn_evaluator_gradient_selected(ev, requested, rho, psi, own[0]), ev);
    assert_close_array(own[0], all[0], P, 1e-9, 0);
  }
}

/* y = p0 + p1 t + p2 t^2: the motion is a polynomial in time, which the steps integrate exactly, and linear
 * in the parameters. */
FORMULAS(polynomial, at->yp[0] - at->data[0] - 2 * at->data[1] * at->t)
FORMULA(height, at->y[0])

enum { LINEAR_DATA = 7 };
static const double linear_times[LINEAR_DATA] = {0, 0.11, 0.3, 0.45, 0.6, 0.83, 1};
static const double linear_values[LINEAR_DATA] = {0.1, 0.3, 0.2, (double)NAN, 1.4, 1.9, 3};
static const double linear_deviations[LINEAR_DATA] = {1, 1, 0.5, 1, 0.2, 1, 2};

static gradyn_status build_linear(gradyn_model *model, const gradyn_scalar rho[])
{
  gradyn_state(model, "y", "m", rho[0]);
  gradyn_equations(model,
                   &(gradyn_equations_spec){
                       .residual = polynomial,
                       .data = (gradyn_datum[]){{"p1", "m/s", rho[1]}, {"p2", "m/s^2", rho[2]}},
                       .data_count = 2});
  const gradyn_measure_id y = gradyn_measure_custom(
      model, &(gradyn_custom_measure_spec){.name = "height", .unit = "m", .formula = height});
  gradyn_minimise(model,
                  gradyn_fit(model, "fit", y,
                             &(gradyn_fit_spec){.times = linear_times,
                                                .values = linear_values,
                                                .deviations = linear_deviations,
                                                .count = LINEAR_DATA}),
                  1);
  return gradyn_build_status(model);
}

/* Solves the 3 by 3 system A x = b by elimination. */
static void solve(double A[3][3], double b[3])
{
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < 3; i++) {
      const double factor = A[i][k] / A[k][k];
      for (int j = 0; j < 3 && i != k; j++)
        A[i][j] -= factor * A[k][j];
      b[i] -= i != k ? factor * b[k] : 0;
    }
  for (int k = 0; k < 3; k++)
    b[k] /= A[k][k];
}

static const gradyn_param linear_params[3] = {{"p0", "m", .init = 0.5, GRADYN_UNBOUNDED},
                                              {"p1", "m/s", .init = -2, GRADYN_UNBOUNDED},
                                              {"p2", "m/s^2", .init = 3, GRADYN_UNBOUNDED}};
static const gradyn_problem linear = PROBLEM("linear", build_linear, linear_params, .t_end = 1,
                                             .rtol = 1e-10);

/* y(0) is p0. The datum at the start contributes to the derivative directly, and the costate after it is
 * the remaining derivative. */
TEST(costates_are_those_of_the_residuals)
{
  run_local *ev = run_with(&linear, .method = "explicit", .sensitivity = "adjoint");
  LOCAL(gradyn_costates) costates = {0};
  const double rho[3] = {0.5, -2, 3};
  double psi[LINEAR_DATA], gradient[LINEAR_DATA][3];
  assert_run(gradyn_evaluator_gradient(ev, rho, psi, gradient[0]), ev);
  assert_run(gradyn_costates_compute(ev, NULL, rho, &costates), ev);
  assert_close(costates.costate[0] + psi[1] * gradient[1][0], gradient[0][0], 1e-10, 0);
}

/* One Gauss-Newton step from any point leads to the solution of the normal equations. */
TEST(a_linear_model_has_the_normal_equations)
{
  double A[3][3] = {{0}}, b[3] = {0}, B[3][3] = {{0}}, c[3] = {0};
  for (int k = 0; k < LINEAR_DATA; k++) {
    const double t = linear_times[k], row[3] = {1, t, t * t};
    const double weight = pow(linear_deviations[k], -2);
    for (int i = 0; i < 3 && !isnan(linear_values[k]); i++) {
      b[i] += weight * row[i] * linear_values[k];
      for (int j = 0; j < 3; j++)
        A[i][j] += weight * row[i] * row[j];
    }
  }
  solve(A, b);
  for (int s = 0; s < 2; s++) {
    run_local *ev = run_with(&linear, .method = "explicit",
                             .sensitivity = s ? "adjoint" : "direct");
    const double rho[3] = {0.5, -2, 3};
    double psi[LINEAR_DATA], gradient[LINEAR_DATA][3];
    assert_int_equal(gradyn_functional_count(ev), LINEAR_DATA); /* one datum is missing */
    assert_run(gradyn_evaluator_gradient(ev, rho, psi, gradient[0]), ev);
    memset(B, 0, sizeof B);
    memset(c, 0, sizeof c);
    for (int k = 1; k < LINEAR_DATA; k++)
      for (int i = 0; i < 3; i++) {
        c[i] -= gradient[k][i] * psi[k];
        for (int j = 0; j < 3; j++)
          B[i][j] += gradient[k][i] * gradient[k][j];
      }
    solve(B, c);
    for (int i = 0; i < 3; i++)
      assert_close(rho[i] + c[i], b[i], 1e-12, 1e-12);
  }
}
