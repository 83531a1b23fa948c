/* Derivatives along a motion at rest, where no error determines the steps. For a damped oscillator in
 * equilibrium they are known, and all methods must agree. */
#include "tests/runs.h"
#include "tests/declare.h"

static const double stiffness = 40, damping = 0.6, end = 6; /* of 1 kg; s */

FORMULAS(pull, -stiffness *(at->pos[0] - 1) - damping * at->vel[0], 0)

static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  const int mass = gradyn_point(m, "mass", rho[0], 0);
  gradyn_initial_velocity(m, mass, rho[1], 0);
  gradyn_point_mass(m, "mass", mass, 1);
  declare_force(m, "pull", mass, pull, NULL, 0);
  gradyn_functional(m, &(gradyn_functional_spec){"x_end",
                                                 gradyn_measure_point(m, "", mass, 0, GRADYN_X),
                                                 .reduction = GRADYN_AT_END});
  gradyn_functional(m, &(gradyn_functional_spec){"v_end",
                                                 gradyn_measure_point(m, "", mass, 1, GRADYN_X),
                                                 .reduction = GRADYN_AT_END});
  return gradyn_build_status(m);
}

FORMULAS(rates, at->yp[0] - at->y[1], at->yp[1] + stiffness * (at->y[0] - 1) + damping * at->y[1])

FORMULA(last, at->y[at->data == NULL ? 0 : (int)creal(at->data[0])])

static gradyn_status build_equations(gradyn_model *m, const gradyn_scalar rho[])
{
  gradyn_state(m, "x", "m", rho[0]);
  gradyn_state(m, "v", "m/s", rho[1]);
  declare_equations(m, rates, NULL, 0);
  for (int i = 0; i < 2; i++)
    gradyn_custom_functional(
        m, &(gradyn_custom_functional_spec){.name = i ? "v at the end" : "x at the end",
                                            .terminal = last,
                                            .data = &(gradyn_datum){"state", "", i},
                                            .data_count = 1});
  return gradyn_build_status(m);
}

/* The same motion in two sets of states; the derivative of their difference is pure round-off. */
static gradyn_status rates_twice(const gradyn_at *at, gradyn_scalar F[])
{
  F[2] = at->yp[2] - at->y[3];
  F[3] = at->yp[3] + stiffness * (at->y[2] - 1 / 3.0) + damping * at->y[3];
  return rates(at, F);
}

FORMULA(apart, at->y[0] - 3 * at->y[2])

static gradyn_status build_twice(gradyn_model *m, const gradyn_scalar rho[])
{
  gradyn_state(m, "x", "m", rho[0]);
  gradyn_state(m, "v", "m/s", rho[1]);
  gradyn_state(m, "x / 3", "m", rho[0] / 3);
  gradyn_state(m, "v / 3", "m/s", rho[1] / 3);
  declare_equations(m, rates_twice, NULL, 0);
  declare_end(m, "apart", "", apart);
  return gradyn_build_status(m);
}

/* Two masses between springs, the first of which is stiff. */
static const double places[] = {1.763, 1.2084};

static gradyn_status rates_of_chain(const gradyn_at *at, gradyn_scalar F[])
{
  const gradyn_scalar x0 = at->y[0] - places[0], x1 = at->y[1] - places[1];
  F[0] = at->yp[0] - at->y[2];
  F[1] = at->yp[1] - at->y[3];
  F[2] = at->yp[2] + 156.865 * x0 - 1.319 * x1 + 0.927 * at->y[2];
  F[3] = at->yp[3] + 19.29 * x1 - 1.319 * x0 + 1.96 * at->y[3];
  return GRADYN_OK;
}

static gradyn_status build_chain(gradyn_model *m, const gradyn_scalar rho[])
{
  gradyn_state(m, "x0", "", rho[0]);
  gradyn_state(m, "x1", "", rho[1]);
  gradyn_state(m, "v0", "", rho[2]);
  gradyn_state(m, "v1", "", rho[3]);
  declare_equations(m, rates_of_chain, NULL, 0);
  declare_end(m, "x0 at the end", "", last);
  return gradyn_build_status(m);
}

static const gradyn_param params[] = {{.name = "x", .init = 1}, {.name = "v", .init = 0}};
static const gradyn_problem problems[] = {
    PROBLEM("mechanism", build, params, .t_end = end),
    PROBLEM("equations", build_equations, params, .t_end = end)};

/* exp(A t) of x'' + 2 d x' + k x = 0, [2][2]. */
static void expected(double *M)
{
  const double d = damping / 2, w = sqrt(stiffness - d * d), e = exp(-d * end),
               s = sin(w * end) / w, c = cos(w * end);
  M[0] = e * (c + d * s);
  M[1] = e * s;
  M[2] = -e * stiffness * s;
  M[3] = e * (c - d * s);
}

static void compare(const char *what, const char *method, const double *found)
{
  double M[4], size = 0;
  expected(M);
  for (int i = 0; i < 4; i++)
    size = fmax(size, fabs(M[i]));
  for (int i = 0; i < 4; i++)
    if (!(fabs(found[i] - M[i]) <= 1e-7 * size))
      fail_msg("%s by %s: number %d is %.12g, not %.12g", what, method, i, found[i], M[i]);
}

static void compare_gradients(const gradyn_problem *problem, const char *method)
{
  static const char *const ways[] = {"direct", "adjoint"};
  for (int k = 0; k < 2; k++) {
    double gradient[4];
    run_local *ev = run_with(problem, .method = method, .sensitivity = ways[k], .rtol = 1e-8);
    const double rho[2] = {1, 0};
    assert_run(gradyn_evaluator_gradient(ev, rho, NULL, gradient), ev);
    compare(ways[k], method, gradient);
  }
}

/* As searches take them. */
static void compare_steps(const gradyn_problem *problem, const char *method)
{
  double gradient[4];
  const double rho[2] = {1, 0};
  run_local *ev = run_with(problem, .method = method, .rtol = 1e-8);
  assert_run(gradyn_evaluator_gradient_selected(ev, NULL, rho, NULL, gradient), ev);
  compare("a search", method, gradient);
}

static void compare_analyses(const gradyn_problem *problem, const char *method, double x)
{
  const double rho[2] = {x, 0}, C[4] = {1, 0, 0, 1};
  static const char *const what[] = {"x", "v"};
  run_local *ev = run_with(problem, .method = method, .rtol = 1e-8);
  gradyn_transition moved;
  gradyn_covariance spread;
  double found[4];
  assert_run(gradyn_transition_compute(ev, rho, NULL, 0, &moved), ev);
  for (size_t i = 0; i < 4; i++) /* of x, v, or of x, y, x', y' */
    found[i] = moved.matrix[i / 2 * moved.size / 2 * moved.size + i % 2 * moved.size / 2];
  compare("transition", method, found);
  gradyn_transition_clear(&moved);
  const gradyn_covariance_spec spec = {what, 2, C, 1};
  assert_run(gradyn_covariance_compute(ev, rho, &spec, NULL, NULL, &spread), ev);
  expected(found);
  for (size_t f = 0; f < 2; f++) /* C = 1 */
    assert_close(spread.deviation[f], hypot(found[2 * f], found[2 * f + 1]), 1e-7, 0);
  gradyn_covariance_clear(&spread);
  /* derivatives of x and v; in the mechanism these are states 0 and 2 */
  const size_t states = (size_t)gradyn_evaluator_model_info(ev).states;
  FREED double *dy = support_zeros(2 * states, sizeof *dy);
  assert_run(gradyn_sensitivities_compute(ev, rho, &end, 1, NULL, dy), ev);
  memcpy(found, dy, 2 * sizeof *dy);
  memcpy(found + 2, dy + (states > 2 ? 4 : 2), 2 * sizeof *dy);
  compare("sensitivities", method, found);
}

THOROUGH_TEST(derivatives_at_rest_are_those_of_the_linear_motion)
{
  for (int p = 0; p < 2; p++)
    for (int m = 0; m < RUN_ADAPTIVE; m++) {
      const char *method = run_adaptive[m];
      if (!support_takes(p + m, 2))
        continue;
      compare_gradients(&problems[p], method);
      if (strcmp(method, "idas") == 0) /* idas has no fixed steps to be divided */
        continue;
      compare_steps(&problems[p], method);
      compare_analyses(&problems[p], method, 1);
    }
}

/* The same for a motion so close to rest that the tolerance hardly detects it. */
THOROUGH_TEST(derivatives_next_to_rest_are_those_of_the_linear_motion)
{
  int turn = 0;
  for (int p = 0; p < 2; p++)
    for (double away = 1e-11; away < 0.2; away *= 10) {
      if (support_takes(turn++, 3))
        compare_analyses(&problems[p], "explicit", 1 + away);
      if (support_takes(turn++, 3))
        compare_analyses(&problems[p], "radau", 1 + away);
    }
}

/* The same where the round-off of accelerations determines the steps. The motion is linear, so that a
 * larger one has the same derivatives. */
TEST(derivatives_are_exact_where_round_off_chooses_steps)
{
  enum { STATES = 4, COLUMNS = 4 };
  static const gradyn_param starts[STATES] = {
      {.name = "x0"}, {.name = "x1"}, {.name = "v0"}, {.name = "v1"}};
  static const gradyn_problem chain = PROBLEM("chain", build_chain, starts, .t_end = 3.8838);
  const double large[STATES] = {places[0] + 0.3, places[1] - 0.3},
               small[STATES] = {places[0] + 1e-4, places[1] - 1e-4};
  double exact[STATES * COLUMNS], found[STATES * COLUMNS];
  run_local *best = run_with(&chain, .method = "explicit", .rtol = 1e-13);
  assert_run(gradyn_sensitivities_compute(best, large, &chain.t_end, 1, NULL, exact), best);
  for (int k = 0; k < 8; k++) {
    const char *method = k % 2 ? "radau" : "explicit";
    const double rtol = pow(10, -9 - k / 2);
    run_local *ev = run_with(&chain, .method = method, .rtol = rtol);
    assert_run(gradyn_sensitivities_compute(ev, small, &chain.t_end, 1, NULL, found), ev);
    for (int j = 0; j < COLUMNS; j++) {
      double size = 0, off = 0;
      for (int i = j; i < STATES * COLUMNS; i += COLUMNS) {
        size = fmax(size, fabs(exact[i]));
        off = fmax(off, fabs(found[i] - exact[i]));
      }
      if (!(off <= 10 * rtol * size))
        fail_msg("%s, rtol %g: column %d is off by %g\n", method, rtol, j, off / size);
    }
  }
}

/* At any tolerance, derivatives of round-off size cause neither shorter steps nor a warning. */
TEST(derivatives_of_round_off_converge)
{
  static const gradyn_problem twice = PROBLEM("twice", build_twice, params, .t_end = end);
  const double rho[2] = {1, 0}, C[4] = {1, 0, 0, 1};
  static const char *const what[] = {"x", "v"};
  const gradyn_covariance_spec spec = {what, 2, C, 1};
  for (int k = 0; k < 8; k++) {
    if (!support_takes(k + 2, 5))
      continue;
    const char *method = k % 2 ? "radau" : "explicit";
    gradyn_covariance spread;
    run_local *ev = run_with(&twice, .method = method, .rtol = pow(10, -5 - k / 2 * 2));
    assert_run(gradyn_covariance_compute(ev, rho, &spec, NULL, NULL, &spread), ev);
    assert_close(spread.deviation[0], 0, 0, 1e-14);
    assert_string_equal(gradyn_evaluator_warnings(ev), "");
    gradyn_covariance_clear(&spread);
  }
}

/* If the limit of steps does not permit the tolerance, a warning states the error, and the actual error is
 * not larger. */
TEST(unresolved_steps_are_reported)
{
  static const char *const what[] = {"x", "v"};
  const double rho[2] = {1, 0}, C[4] = {1, 0, 0, 1};
  const gradyn_covariance_spec spec = {what, 2, C, 1};
  gradyn_covariance spread;
  double M[4], told = 0;
  run_local *ev = run_with(&problems[1], .method = "radau", .rtol = 1e-11, .max_steps = 1000);
  assert_run(gradyn_covariance_compute(ev, rho, &spec, NULL, NULL, &spread), ev);
  expected(M);
  const double error = fabs(spread.deviation[0] / hypot(M[0], M[1]) - 1);
  gradyn_covariance_clear(&spread);
  const char *warning = gradyn_evaluator_warnings(ev);
  if (sscanf(warning, "the derivatives are exact to about %lg only, where 1e-11", &told) != 1)
    fail_msg("warnings: %s", warning);
  if (!(error <= told && error > 0.01 * told))
    fail_msg("off by %g, told %g", error, told);
}

/* The largest error of a column of dy, relative to its largest entry. */
static double error_of(const double *dy, size_t states)
{
  double M[4], worst = 0;
  const double *at_v = dy + (states > 2 ? 4 : 2);
  expected(M);
  for (size_t j = 0; j < 2; j++)
    worst = fmax(worst, fmax(fabs(dy[j] - M[j]), fabs(at_v[j] - M[2 + j])) /
                            fmax(fabs(M[j]), fabs(M[2 + j])));
  return worst;
}

/* Close to rest, forces are small differences of large ones; their round-off must not be reported as a jump.
 * Errors above the tolerance (7 of 12 rows) must be reported, and may be reported larger than they are. */
THOROUGH_TEST(reports_of_idas_near_rest_are_true)
{
  const double rtol = 1e-7;
  int understated = 0, exaggerated = 0, false_alarms = 0;
  for (int p = 0; p < 2; p++)
    for (int k = 0; k < 6; k++) {
      const double rho[2] = {1 + pow(10, -15 + k), 0};
      double dy[16], reported = 0;
      run_local *ev = run_with(&problems[p], .method = "idas", .rtol = rtol);
      assert_run(gradyn_sensitivities_compute(ev, rho, &end, 1, NULL, dy), ev);
      const double error = error_of(dy, (size_t)gradyn_evaluator_model_info(ev).states);
      const char *text = gradyn_evaluator_warnings(ev);
      if (*text != '\0' && sscanf(text, "the derivatives are exact to about %lg", &reported) != 1)
        fail_msg("warnings: %s", text);
      const bool warned = *text != '\0';
      false_alarms += warned && error < rtol;
      understated += warned ? reported < error / 2 : error > 3 * rtol;
      exaggerated += warned && reported > 3 * error;
    }
  assert_int_equal(understated, 0);
  assert_in_range(exaggerated, 0, 3);
  assert_in_range(false_alarms, 0, 1);
}
