/* The regulator along motions far from rest: a cart with a pole against the actual cost of its control,
 * integrated without the library, and a pendulum that turns over, whose independent coordinate changes,
 * against the same regulator in its angle. */
#include "tests/runs.h"
#include "tests/declare.h"

static const double g = 9.81, length = 0.8;

static gradyn_regulator find(const gradyn_problem *problem, const gradyn_regulator_spec *spec)
{
  gradyn_regulator found;
  run_local *ev = run_with(problem, .method = "explicit", .rtol = 1e-11);
  assert_run(gradyn_regulator_compute(ev, NULL, spec, &found), ev);
  return found;
}

static int zero_signal(gradyn_model *model)
{
  static const gradyn_scalar none[1];
  return declare_signal(model, "u", "N", GRADYN_PIECEWISE_CONSTANT, 1, none);
}

static const char *const input[] = {"u"};

/* --- a cart with a pole ------------------------------------------------------------------------- */

/* order of the states: x, angle from the upright position, their rates, cost */
enum { SAMPLES = 2401, COST = 4, STATES = 5 };
static const double cart_mass = 1.5, bob_mass = 0.4, T = 1.2, angle = 2.1, turning = -0.6;

static gradyn_status build_cart(gradyn_model *mbs, const gradyn_scalar rho[])
{
  (void)rho;
  int u = zero_signal(mbs), cart = gradyn_point(mbs, "cart", 0, 0);
  int bob = gradyn_point(mbs, "bob", length * sin(angle), length * cos(angle));
  gradyn_initial_velocity(mbs, bob, length * cos(angle) * turning, -length * sin(angle) * turning);
  gradyn_point_mass(mbs, "cart", cart, cart_mass);
  gradyn_point_mass(mbs, "bob", bob, bob_mass);
  gradyn_coordinate(mbs, "rail", cart, GRADYN_Y, &(gradyn_time_function){.value = 0});
  gradyn_rod(mbs, &(gradyn_rod_spec){.name = "pole", .from = cart, .to = bob, .length = length});
  gradyn_gravity(mbs, 0, -g);
  declare_push(mbs, "push", cart, 1, 0, u);
  return gradyn_build_status(mbs);
}

static const gradyn_problem cart_problem = {GRADYN_PROBLEM_SIZES, .name = "cart",
                                            .build = build_cart, .t_end = 1.2};
static const char *const places[] = {"cart.x", "bob.x", "cart.vx", "bob.vx"};
static const double Q[16] = {3, 1, 0, 0, 1, 2, 0, 0, 0, 0, 0.3, 0.1, 0, 0, 0.1, 0.2};
static const double Qf[16] = {9, 0, 0, 0, 0, 5, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, R = 0.15;

/* w = (x, x + l sin(angle)) and the rates of both. */
static void look(const double *y, double w[4])
{
  w[0] = y[0];
  w[1] = y[0] + length * sin(y[1]);
  w[2] = y[2];
  w[3] = y[2] + length * cos(y[1]) * y[3];
}

static double form(const double *A, const double w[4])
{
  double sum = 0;
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++)
      sum += w[i] * A[4 * i + j] * w[j];
  return sum;
}

/* Equations of the cart: (M + m) x'' + m l (angle'' c - angle'^2 s) = u and l angle'' + x'' c = g s, with
 * u = -K (w - w0). */
static void rates(const gradyn_regulator *k, size_t row, const double *y, double *yp)
{
  double w[4], u = 0, s = sin(y[1]), c = cos(y[1]);
  look(y, w);
  for (int i = 0; i < 4; i++) {
    w[i] -= k->x[row * 4 + (size_t)i];
    u -= k->gain[row * 4 + (size_t)i] * w[i];
  }
  double force = u + bob_mass * length * y[3] * y[3] * s - bob_mass * g * s * c;
  yp[0] = y[2];
  yp[1] = y[3];
  yp[2] = force / (cart_mass + bob_mass * s * s);
  yp[3] = (g * s - yp[2] * c) / length;
  yp[COST] = form(Q, w) + R * u * u;
}

/* Cost of the control from an initial state that deviates by dy, by the classical Runge-Kutta method of
 * order 4. */
static double cost_of(const gradyn_regulator *k, const double dy[4], double share)
{
  double y[STATES] = {0, angle, 0, turning, 0}, slope[4][STATES], at[STATES], w[4];
  const double h = 2 * T / (SAMPLES - 1), weight[4] = {1, 2, 2, 1}, to[4] = {0, 0.5, 0.5, 1};
  for (int i = 0; i < 4; i++)
    y[i] += share * dy[i];
  for (size_t row = 0; row + 2 < SAMPLES; row += 2) {
    for (int stage = 0; stage < 4; stage++) {
      for (int i = 0; i < STATES; i++)
        at[i] = y[i] + (stage > 0 ? h * to[stage] * slope[stage - 1][i] : 0);
      rates(k, row + (size_t)(2 * to[stage]), at, slope[stage]);
    }
    for (int stage = 0; stage < 4; stage++)
      for (int i = 0; i < STATES; i++)
        y[i] += h * weight[stage] / 6 * slope[stage][i];
  }
  look(y, w);
  for (int i = 0; i < 4; i++)
    w[i] -= k->x[(SAMPLES - 1) * 4 + i];
  return y[COST] + form(Qf, w);
}

/* J(dw) = dw^T P dw up to second order. The mean over both signs of dw removes the third order, and two
 * sizes of dw remove the fourth. */
TEST(the_cost_to_go_is_the_cost_of_control)
{
  const gradyn_regulator_spec spec = {.state = {places, 4, Q},
                                      .final = {places, 4, Qf},
                                      .input = {input, 1, &R},
                                      .preferred_coordinates = places,
                                      .preferred_count = 2,
                                      .samples = SAMPLES};
  LOCAL(gradyn_regulator) found = find(&cart_problem, &spec);
  assert_int_equal(found.states, 4);
  for (int i = 0; i < 4; i++)
    assert_string_equal(found.state[i], places[i]);
  static const double start[3][4] = {{1, 0, 0, 0}, {0, 1, 0, 0.5}, {0.3, -0.4, 0.7, 1}};
  for (int k = 0; k < 3; k++) {
    const double *dy = start[k], small = 0.02;
    const double dw[4] = {dy[0], dy[0] + length * cos(angle) * dy[1], dy[2],
                          dy[2] + length * cos(angle) * dy[3] -
                              length * sin(angle) * turning * dy[1]};
    double mean[2];
    for (int half = 0; half < 2; half++) {
      double size = small / (1 + half);
      mean[half] = (cost_of(&found, dy, size) + cost_of(&found, dy, -size)) / 2 / (size * size);
    }
    assert_close((4 * mean[1] - mean[0]) / 3, form(found.cost, dw), 1e-7, 0);
  }
}

/* --- a pendulum that turns over ----------------------------------------------------------------- */

static const double speed = 9;

static gradyn_status build_pendulum(gradyn_model *mbs, const gradyn_scalar rho[])
{
  (void)rho;
  int u = zero_signal(mbs), pivot = gradyn_ground_point(mbs, "pivot", 0, 0);
  int bob = gradyn_point(mbs, "bob", 0, -length);
  gradyn_initial_velocity(mbs, bob, speed * length, 0);
  gradyn_point_mass(mbs, "bob", bob, bob_mass);
  gradyn_rod(mbs, &(gradyn_rod_spec){.name = "rod", .from = pivot, .to = bob});
  gradyn_gravity(mbs, 0, -g);
  declare_push(mbs, "push", bob, 1, 0, u);
  return gradyn_build_status(mbs);
}

FORMULAS(turning_bob, at->yp[0] - at->y[1],
         at->yp[1] + g / length * sin(at->y[0]) - at->u[1] * cos(at->y[0]) / (bob_mass * length))

static gradyn_status build_angle(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  (void)zero_signal(model);
  gradyn_state(model, "angle", "rad", 0);
  gradyn_state(model, "rate", "rad/s", speed);
  declare_equations(model, turning_bob, NULL, 0);
  return gradyn_build_status(model);
}

static const gradyn_problem pendulum = {GRADYN_PROBLEM_SIZES, .name = "bob",
                                        .build = build_pendulum, .t_end = 1.6};
static const gradyn_problem angle_problem = {GRADYN_PROBLEM_SIZES, .name = "bob",
                                             .build = build_angle, .t_end = 1.6};

/* Columns d(x, y, vx, vy) for a change of the angle and of its rate. */
static void lift(const double *x, double d[2][4])
{
  double s = sin(x[0]), c = cos(x[0]);
  const double columns[2][4] = {{c, s, -s * x[1], c * x[1]}, {0, 0, c, s}};
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < 4; k++)
      d[i][k] = length * columns[i][k];
}

TEST(coordinates_take_turns)
{
  static const char *const both[] = {"bob.x", "bob.y"}, *const one[] = {"angle"};
  const double weights[4] = {2, 0, 0, 2}, weight = 2 * length * length, r = 0.05;
  const gradyn_regulator_spec spec = {.state = {both, 2, weights},
                                      .final = {both, 2, weights},
                                      .input = {input, 1, &r},
                                      .samples = 41};
  const gradyn_regulator_spec turned = {.state = {one, 1, &weight},
                                        .final = {one, 1, &weight},
                                        .input = {input, 1, &r},
                                        .samples = 41};
  LOCAL(gradyn_regulator) found = find(&pendulum, &spec), expected = find(&angle_problem, &turned);
  /* four states: neither x nor y is a valid coordinate for the whole turn */
  assert_int_equal(found.states, 4);
  assert_true(expected.x[2 * 40] > 6.3);
  for (size_t row = 0; row < 41; row++) {
    double d[2][4], P[4] = {0}, K[2] = {0};
    lift(expected.x + 2 * row, d);
    for (size_t i = 0; i < 2; i++)
      for (size_t k = 0; k < 4; k++) {
        K[i] += found.gain[4 * row + k] * d[i][k];
        for (size_t l = 0; l < 8; l++)
          P[2 * i + l / 4] += d[i][k] * found.cost[16 * row + 4 * k + l % 4] * d[l / 4][l % 4];
      }
    assert_close_array(P, expected.cost + 4 * row, 4, 1e-8, 1e-9);
    assert_close_array(K, expected.gain + 2 * row, 2, 1e-8, 1e-8);
  }
}

/* --- an input that jumps ------------------------------------------------------------------------ */

/* x' = u - x, where u is 1, -2 and 3 for a second each. */
FORMULA(follower, at->yp[0] + at->y[0] - at->u[1])

static gradyn_status build_follower(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)rho;
  const gradyn_scalar levels[] = {1, -2, 3};
  declare_signal(model, "u", "N", GRADYN_PIECEWISE_CONSTANT, 3, levels);
  gradyn_state(model, "x", "m", 0.5);
  declare_equations(model, follower, NULL, 0);
  return gradyn_build_status(model);
}

/* Samples lie on the motion in every piece of the input. Cost and gain do not depend on the number of
 * samples. */
TEST(samples_lie_on_the_motion)
{
  static const gradyn_problem problem = {GRADYN_PROBLEM_SIZES, .name = "follower",
                                         .build = build_follower, .t_end = 3};
  static const char *const state[] = {"x"};
  const double q = 1, r = 1, beta = sqrt(2.0), levels[] = {1, -2, 3};
  const gradyn_regulator_spec spec = {
      .state = {state, 1, &q}, .input = {input, 1, &r}, .samples = 31};
  LOCAL(gradyn_regulator) found = find(&problem, &spec);
  double x = 0.5;
  assert_int_equal(found.rows, 31);
  for (size_t row = 0; row < 31; row++) {
    const double th = tanh(beta * (3 - found.t[row]));
    assert_close(found.x[row], x, 1e-8, 1e-9);
    assert_close(found.cost[row], th / (beta + th), 1e-8, 1e-9);
    const double u = levels[row < 30 ? row / 10 : 2];
    x = u + (x - u) * exp(-0.1);
  }
}
