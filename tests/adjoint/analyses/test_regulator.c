/* The regulator along a run against closed forms, by several methods: a scalar, a double integrator and its
 * algebraic limit, and a bouncing ball. A cart with a pole is compared with the actual cost of its control.
 */
#include "tests/runs.h"
#include "tests/declare.h"

static gradyn_evaluator *open_problem(const gradyn_problem *problem, const char *method)
{
  return run_with(problem, .method = method, .rtol = strcmp(method, "ali3p") == 0 ? 0 : 1e-11);
}

static gradyn_regulator find(gradyn_evaluator *ev, const gradyn_regulator_spec *spec)
{
  gradyn_regulator found;
  assert_run(gradyn_regulator_compute(ev, NULL, spec, &found), ev);
  return found;
}

static int zero_signal(gradyn_model *model, const char *name)
{
  static const gradyn_scalar none[1];
  return declare_signal(model, name, "N", GRADYN_PIECEWISE_CONSTANT, 1, none);
}

static const char *const input[] = {"u"};

/* --- x' = a x + b u, twice ---------------------------------------------------------------------- */

enum { TWO = 2 }; /* two independent equations */
static const double a = 0.7, b = 1.3;

static gradyn_status scalars(const gradyn_at *at, gradyn_scalar F[])
{
  for (int i = 0; i < TWO; i++)
    F[i] = at->yp[i] - a * at->y[i] - b * at->u[i + 1];
  return GRADYN_OK;
}

static gradyn_status build_scalars(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  (void)zero_signal(model, "u");
  (void)zero_signal(model, "v");
  gradyn_state(model, "x", "m", 0.4);
  gradyn_state(model, "w", "m", 0.4);
  declare_equations(model, scalars, NULL, 0);
  return gradyn_build_status(model);
}

static const gradyn_problem scalar_problem = {GRADYN_PROBLEM_SIZES, .name = "scalar",
                                              .build = build_scalars, .t_end = 3};

/* p' = 2 a p + q - b^2 p^2/r backward from f has the solution (f (beta + a th) + q th)/(beta - a th + b^2/r
 * f th). A small r needs steps far shorter than those of the motion; the last halving of the steps then
 * changes the result by 1e-11. */
TEST(scalars_have_the_closed_form)
{
  static const double q[] = {2, 0, 0, 5}, price[] = {0.3, 1e-3, 3e-4, 3e-8}, f[] = {0.1, 0, 0, 0.1};
  static const char *const methods[] = {"idas", "explicit"}, *const state[] = {"x", "w"};
  static const char *const inputs[] = {"u", "v"};
  for (size_t k = 0; k < GRADYN_COUNT(price) * GRADYN_COUNT(methods); k++) {
    const double R[] = {price[k / 2], 0, 0, price[k / 2]};
    const size_t samples = k < 2 ? 7 : 0; /* otherwise all steps */
    const gradyn_regulator_spec spec = {.state = {state, TWO, q},
                                        .final = {state, TWO, f},
                                        .input = {inputs, TWO, R},
                                        .samples = samples};
    run_local *ev = open_problem(&scalar_problem, methods[k % 2]);
    LOCAL(gradyn_regulator) found = find(ev, &spec);
    assert_true(samples > 0 ? found.rows == samples : found.rows > 50);
    assert_string_equal(found.state[0], "x");
    assert_string_equal(found.input_unit[0], "N");
    for (size_t entry = 0; entry < found.rows * TWO * TWO; entry++) {
      const size_t row = entry / 4, i = entry % 4, one = i / TWO;
      const double beta = sqrt(a * a + b * b * q[i] / R[0]), th = tanh(beta * (3 - found.t[row]));
      const double p = (f[i] * (beta + a * th) + q[i] * th) /
                       (beta - a * th + b * b / R[0] * f[i] * th);
      if (samples > 0)
        assert_close(found.t[row], 0.5 * (double)row, 1e-14, 1e-15);
      assert_close(found.x[row * TWO + one], 0.4 * exp(a * found.t[row]), 1e-9, 0);
      assert_close(found.cost[entry], p, 2e-12, 1e-20);
      assert_close(found.gain[entry], b * p / R[0], 1e-9, 1e-20);
    }
  }
}

/* --- a carriage --------------------------------------------------------------------------------- */

static const double mass = 2;

static gradyn_status build_carriage(gradyn_model *mbs, const gradyn_scalar rho[])
{
  (void)rho;
  int u = zero_signal(mbs, "u"), carriage = gradyn_point(mbs, "carriage", 0, 0);
  gradyn_initial_velocity(mbs, carriage, 0.5, 0);
  gradyn_point_mass(mbs, "mass", carriage, mass);
  declare_push(mbs, "force", carriage, 1, 0, u);
  return gradyn_build_status(mbs);
}

static const gradyn_problem carriage = {GRADYN_PROBLEM_SIZES, .name = "carriage",
                                        .build = build_carriage, .t_end = 1.5};
static const gradyn_problem long_carriage = {GRADYN_PROBLEM_SIZES, .name = "carriage",
                                             .build = build_carriage, .t_end = 60};
static const char *const place[] = {"carriage.x", "carriage.vx"};

/* P of a row, for the two named states [2][2]. */
static void pick(const gradyn_regulator *found, size_t row, const char *const *name, double *P)
{
  for (size_t i = 0; i < 2; i++)
    for (size_t j = 0; j < 2; j++) {
      size_t at[2] = {0, 0};
      for (size_t k = 0; k < found->states; k++) {
        at[0] = strcmp(found->state[k], name[i]) == 0 ? k : at[0];
        at[1] = strcmp(found->state[k], name[j]) == 0 ? k : at[1];
      }
      P[2 * i + j] = found->cost[(row * found->states + at[0]) * found->states + at[1]];
    }
}

/* P at a time s before the end, where P = Pf and Q = 0: Phi^T Pf (1 + G Pf)^-1 Phi, with Phi = [1, s; 0, 1]
 * and G = [s^3/3, s^2/2; s^2/2, s]/(r mass^2). */
static void go_back(double s, double r, const double *Pf, double *P)
{
  double w = r * mass * mass, G[4] = {s * s * s / 3 / w, s * s / 2 / w, s * s / 2 / w, s / w};
  double D[4], inverse[4], X[4];
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++)
      D[2 * i + j] = (i == j) + G[2 * i] * Pf[j] + G[2 * i + 1] * Pf[2 + j];
  double det = D[0] * D[3] - D[1] * D[2];
  inverse[0] = D[3] / det, inverse[1] = -D[1] / det;
  inverse[2] = -D[2] / det, inverse[3] = D[0] / det;
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++)
      X[2 * i + j] = Pf[2 * i] * inverse[j] + Pf[2 * i + 1] * inverse[2 + j];
  P[0] = X[0];
  P[1] = P[2] = X[0] * s + X[1];
  P[3] = s * (X[0] * s + X[1]) + X[2] * s + X[3];
}

TEST(a_carriage_has_the_closed_form)
{
  static const char *const methods[] = {"idas", "explicit", "ali3p"};
  const double Qf[4] = {5, 1, 1, 2}, r = 0.2;
  const gradyn_regulator_spec spec = {.final = {place, 2, Qf}, .input = {input, 1, &r}};
  for (size_t k = 0; k < GRADYN_COUNT(methods); k++) {
    run_local *ev = open_problem(&carriage, methods[k]);
    LOCAL(gradyn_regulator) found = find(ev, &spec);
    for (size_t row = 0; row < found.rows; row++) {
      double P[4], expected[4];
      go_back(1.5 - found.t[row], r, Qf, expected);
      pick(&found, row, place, P);
      assert_close_array(P, expected, 4, 1e-9, 1e-9);
    }
  }
}

/* Long before the end, P is the solution of the algebraic Riccati equation. With Q = diag(q, 0) and the
 * weight w = r mass^2 of accelerations: p12 = sqrt(q w), p22 = sqrt(2 w p12), p11 = p12 p22/w. */
TEST(far_from_the_end_it_is_algebraic)
{
  const double Q[1] = {3}, r = 0.2, w = r * mass * mass;
  const double p12 = sqrt(Q[0] * w), p22 = sqrt(2 * w * p12), p11 = p12 * p22 / w;
  const double expected[4] = {p11, p12, p12, p22};
  const gradyn_regulator_spec spec = {
      .state = {place, 1, Q}, .input = {input, 1, &r}, .samples = 3};
  run_local *ev = open_problem(&long_carriage, "explicit");
  LOCAL(gradyn_regulator) found = find(ev, &spec);
  for (size_t row = 0; row < 2; row++) {
    double P[4];
    pick(&found, row, place, P);
    assert_close_array(P, expected, 4, 1e-9, 0);
  }
}

/* --- a ball that bounces, with a thrust --------------------------------------------------------- */

static const double g = 9.81, e = 0.7, height = 1.2;

static gradyn_status build_ball(gradyn_model *mbs, const gradyn_scalar rho[])
{
  (void)rho;
  int u = zero_signal(mbs, "u"), ball = gradyn_point(mbs, "ball", 0, height);
  gradyn_point_mass(mbs, "mass", ball, mass);
  gradyn_gravity(mbs, 0, -g);
  declare_push(mbs, "thrust", ball, 0, 1, u);
  gradyn_impact(mbs, &(gradyn_impact_spec){
                         .name = "floor", .point = ball, .axis = GRADYN_Y, .restitution = e});
  return gradyn_build_status(mbs);
}

static const gradyn_problem ball_problem = {GRADYN_PROBLEM_SIZES, .name = "ball",
                                            .build = build_ball, .t_end = 0.8};

/* One bounce at time tau has the saltation matrix Xi = [-e, 0; (1 + e) g/(g tau), -e]. */
TEST(a_bounce_has_the_closed_form)
{
  static const char *const ball[] = {"ball.y", "ball.vy"};
  const double Qf[4] = {5, 1, 1, 2}, r = 0.2, tau = sqrt(2 * height / g);
  const double Xi[4] = {-e, 0, (1 + e) / tau, -e};
  const gradyn_regulator_spec spec = {.final = {ball, 2, Qf}, .input = {input, 1, &r}};
  double after[4], before[4] = {0}, P[4], expected[4];
  go_back(0.8 - tau, r, Qf, after);
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++)
      for (int k = 0; k < 4; k++)
        before[2 * i + j] += Xi[2 * (k / 2) + i] * after[k] * Xi[2 * (k % 2) + j];
  for (size_t k = 0; k < GRADYN_COUNT(run_methods); k++) {
    run_local *ev = open_problem(&ball_problem, run_methods[k]);
    LOCAL(gradyn_regulator) found = find(ev, &spec);
    bool behind = false;
    for (size_t row = 0; row < found.rows; row++) {
      double t = found.t[row];
      behind = behind || (row > 0 && found.t[row - 1] == t);
      go_back(behind ? fmin(0.8 - t, 0.8 - tau) : tau - t, r, behind ? Qf : before, expected);
      pick(&found, row, ball, P);
      assert_close_array(P, expected, 4, 1e-9, 1e-9);
    }
  }
}

/* --- what cannot be ------------------------------------------------------------------------------ */

/* The carriage, and an independent lever that the signal v rotates. */
static gradyn_status build_driven(gradyn_model *mbs, const gradyn_scalar rho[])
{
  (void)rho;
  static const gradyn_scalar none[4];
  int u = zero_signal(mbs, "u"), carriage_point = gradyn_point(mbs, "carriage", 0, 0);
  int v = declare_signal(mbs, "v", "rad", GRADYN_CUBIC_SPLINE, 4, none);
  gradyn_point_mass(mbs, "mass", carriage_point, mass);
  declare_push(mbs, "force", carriage_point, 1, 0, u);
  int pivot = gradyn_ground_point(mbs, "pivot", 0, 1), end = gradyn_point(mbs, "end", 1, 1);
  gradyn_rod(mbs, &(gradyn_rod_spec){"lever", pivot, end, .length = 1, .mass = 1});
  gradyn_angle(mbs, "drive", pivot, end, &(gradyn_time_function){.signal = v});
  return gradyn_build_status(mbs);
}

static const gradyn_problem driven = {GRADYN_PROBLEM_SIZES, .name = "driven", .build = build_driven,
                                      .t_end = 1};

/* The signal is refused both as the first and as the second input. */
TEST(a_signal_that_moves_constraints_is_no_input)
{
  static const char *const inputs[][2] = {{"u", "v"}, {"v", "u"}};
  const double q = 1, R[4] = {0.3, 0, 0, 0.2};
  for (size_t k = 0; k < GRADYN_COUNT(inputs); k++) {
    LOCAL(gradyn_regulator) found;
    run_local *ev = open_problem(&driven, "ali3p");
    const gradyn_regulator_spec spec = {.state = {place, 1, &q}, .input = {inputs[k], 2, R}};
    assert_status(gradyn_regulator_compute(ev, NULL, &spec, &found), GRADYN_UNSUPPORTED,
                  gradyn_evaluator_message(ev));
    assert_says(gradyn_evaluator_message(ev),
                "signal 'v': drives the constraint drive; an input must act by a force");
  }
}
