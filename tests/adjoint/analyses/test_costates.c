/* Costates and Hamiltonians against closed forms, gradients with respect to the initial state, and
 * transition matrices. Also constraints of a pendulum, jumps of signals, and models without costates. */
#include "tests/runs.h"
#include "tests/declare.h"

#include <math.h>

static const char *const methods[] = {"explicit", "radau"};

/* --- a cart pushed by a force that bends and jumps --------------------------------------------- */

enum { X0, V0, T_END, CART_P };
enum { PLACE, ENERGY, CART_F };
static const double cart_rho[CART_P] = {0.3, -0.2, 1.7};
static const gradyn_scalar ramp[] = {1, -2, 0.5}, step[] = {0.4, -0.7};

FORMULAS(roll, at->yp[0] - at->y[1], at->yp[1] - at->u[1] - at->u[2])

FORMULA(place, 3 * at->y[0] - 0.5 * at->y[1])
FORMULA(energy, at->y[1] * at->y[1] / 2 + at->u[1])

static gradyn_status build_cart(gradyn_model *m, const gradyn_scalar rho[])
{
  gradyn_end_time(m, rho[T_END]);
  declare_signal(m, "ramp", "", GRADYN_PIECEWISE_LINEAR, 3, ramp);
  declare_signal(m, "step", "", GRADYN_PIECEWISE_CONSTANT, 2, step);
  gradyn_state(m, "x", "m", rho[X0]);
  gradyn_state(m, "v", "m/s", rho[V0]);
  declare_equations(m, roll, NULL, 0);
  gradyn_minimise(m, declare_end(m, "place", "", place), 1);
  declare_integral(m, "energy", "", energy);
  return gradyn_build_status(m);
}

static const gradyn_param cart_params[] = {{"x0", "m", .init = 0.3, GRADYN_UNBOUNDED},
                                           {"v0", "m/s", .init = -0.2, GRADYN_UNBOUNDED},
                                           {"T", "s", .init = 1.7, GRADYN_UNBOUNDED}};
static const gradyn_problem cart = PROBLEM("cart", build_cart, cart_params, .t_end = 1.7);

/* The costates of a sum are (3, 3 (T - t) - 1/2) from the position and (0, x(T) - x(t)) from the energy. */
TEST(costates_of_a_cart_are_those_of_the_closed_form)
{
  for (size_t i = 0; i < GRADYN_COUNT(methods); i++) {
    LOCAL(gradyn_costates) c;
    run_local *ev = run_with(&cart, .method = methods[i], .rtol = 1e-11);
    const double weight[CART_F] = {1, 2}, T = cart_rho[T_END];
    assert_run(gradyn_costates_compute(ev, weight, cart_rho, &c), ev);
    assert_int_equal(c.states, 2);
    assert_string_equal(c.name[1], "v");
    const double *end = c.state + 2 * (c.count - 1);
    size_t twice = 0;
    for (size_t k = 0; k < c.count; k++) {
      const double t = c.t[k], x = c.state[2 * k], v = c.state[2 * k + 1];
      const double *lambda = c.costate + 2 * k;
      assert_close(lambda[0], 3, 1e-12, 0);
      assert_close(lambda[1], 3 * (T - t) - 0.5 + 2 * (end[0] - x), 1e-9, 1e-9);
      /* both signals have a jump or a kink at T/2: the row before it takes the first piece */
      const bool first = k + 1 < c.count && c.t[k + 1] == t ? true : t < T / 2;
      const double u = t < T / 2 || first ? 1 - 3 * t / (T / 2) : -2 + 2.5 * (t - T / 2) / (T / 2);
      const double H = lambda[0] * v + lambda[1] * (u + creal(step[first ? 0 : 1])) +
                       2 * (v * v / 2 + u);
      assert_close(c.hamiltonian[k], H, 1e-9, 1e-9);
      twice += k + 1 < c.count && c.t[k + 1] == t;
    }
    assert_int_equal(twice, 1);
    assert_close(c.t[0], 0, 0, 0);
    assert_close(c.t[c.count - 1], T, 1e-15, 0);
  }
}

/* Without weights, the result is that of the objective, which is one of the two functionals. */
TEST(without_weights_they_are_those_of_the_objective)
{
  LOCAL(gradyn_costates) a, b;
  run_local *ev = run_with(&cart, .method = "explicit");
  assert_run(gradyn_costates_compute(ev, NULL, cart_rho, &a), ev);
  assert_run(gradyn_costates_compute(ev, (double[]){1, 0}, cart_rho, &b), ev);
  assert_int_equal(a.count, b.count);
  assert_memory_equal(a.costate, b.costate, 2 * a.count * sizeof *a.costate);
}

/* --- an oscillator that is not linear ---------------------------------------------------------- */

FORMULAS(oscillate, at->yp[0] - at->y[1],
         at->yp[1] - (1 - at->y[0] * at->y[0]) * at->y[1] + at->y[0])

static gradyn_status build_oscillator(gradyn_model *m, const gradyn_scalar rho[])
{
  gradyn_state(m, "x", "", rho[0]);
  gradyn_state(m, "v", "", rho[1]);
  declare_equations(m, oscillate, NULL, 0);
  gradyn_minimise(m, declare_end(m, "place", "", place), 1);
  return gradyn_build_status(m);
}

static const gradyn_param oscillator_params[] = {{"x0", "", .init = 1.2, GRADYN_UNBOUNDED},
                                                 {"v0", "", .init = 0.4, GRADYN_UNBOUNDED}};
static const gradyn_problem oscillator = PROBLEM("oscillator", build_oscillator, oscillator_params,
                                                 .t_end = 2.5);

/* lambda(0) must be the gradient of a direct sweep. lambda(0) must also follow from lambda(T) by the
 * transition matrix, and H must be constant. */
TEST(costates_at_the_start_are_gradients_by_it)
{
  static const double rho[2] = {1.2, 0.4};
  for (size_t i = 0; i < GRADYN_COUNT(methods); i++) {
    double gradient[2];
    LOCAL(gradyn_costates) c;
    LOCAL(gradyn_transition) transition;
    run_local *direct = run_with(&oscillator, "direct", methods[i], .rtol = 1e-11);
    assert_run(gradyn_costates_compute(direct, NULL, rho, &c), direct);
    assert_run(gradyn_evaluator_gradient(direct, rho, NULL, gradient), direct);
    assert_run(gradyn_transition_compute(direct, rho, NULL, 0, &transition), direct);
    assert_close_array(c.costate, gradient, 2, 1e-10, 0);
    const double *end = c.costate + 2 * (c.count - 1), *M = transition.matrix;
    assert_close(end[0], 3, 1e-14, 0);
    assert_close(end[1], -0.5, 1e-14, 0);
    for (int j = 0; j < 2; j++)
      assert_close(c.costate[j], end[0] * M[j] + end[1] * M[2 + j], 1e-8, 0);
    for (size_t k = 0; k < c.count; k++)
      assert_close(c.hamiltonian[k], c.hamiltonian[0], 1e-8, 0);
  }
}

/* --- a pendulum of a point and a rod ----------------------------------------------------------- */

static gradyn_status build_pendulum(gradyn_model *m, const gradyn_scalar rho[])
{
  const gradyn_scalar s = sin(rho[0]), c = cos(rho[0]);
  const int pivot = gradyn_ground_point(m, "pivot", 0, 0),
            bob = gradyn_point(m, "bob", 2 * s, -2 * c);
  gradyn_initial_velocity(m, bob, 2 * c * rho[1], 2 * s * rho[1]);
  gradyn_point_mass(m, "bob", bob, 1.3);
  gradyn_distance(m, "rod", pivot, bob, &(gradyn_time_function){.value = 2});
  gradyn_gravity(m, 0, -9.81);
  gradyn_minimise(
      m,
      gradyn_functional(m, &(gradyn_functional_spec){"x",
                                                     gradyn_measure_point(m, "", bob, 0, GRADYN_X),
                                                     .reduction = GRADYN_AT_END}),
      1);
  gradyn_functional(
      m, &(gradyn_functional_spec){"speed", gradyn_measure_point(m, "", bob, 1, GRADYN_ALL_AXES),
                                   .reduction = GRADYN_SQUARE_INTEGRAL, .target = {0.1, 0}});
  return gradyn_build_status(m);
}

static const gradyn_param pendulum_params[] = {{"angle", "rad", .init = 0.8, GRADYN_UNBOUNDED},
                                               {"rate", "rad/s", .init = 0.5, GRADYN_UNBOUNDED}};
static const gradyn_problem pendulum = PROBLEM("pendulum", build_pendulum, pendulum_params,
                                               .t_end = 1.1);

/* lambda(0) must have the closed form along motions that the rod permits, and be zero across them; H must
 * be constant. */
TEST(costates_count_through_the_constraints)
{
  static const double rho[2] = {0.8, 0.5};
  const double s = sin(rho[0]), c = cos(rho[0]), w = rho[1];
  const double by_angle[4] = {2 * c, 2 * s, -2 * s * w, 2 * c * w},
               by_rate[4] = {0, 0, 2 * c, 2 * s};
  const double across[4] = {0, 0, s, -c};
  for (size_t i = 0; i < GRADYN_COUNT(methods); i++) {
    double gradient[4];
    LOCAL(gradyn_costates) costates;
    run_local *ev = run_with(&pendulum, "direct", methods[i], .rtol = 1e-11);
    assert_run(gradyn_costates_compute(ev, (double[]){1, 0.7}, rho, &costates), ev);
    assert_run(gradyn_evaluator_gradient(ev, rho, NULL, gradient), ev);
    const double *lambda = costates.costate;
    double sum[3] = {0};
    assert_int_equal(costates.states, 4);
    for (int k = 0; k < 4; k++) {
      sum[0] += lambda[k] * by_angle[k];
      sum[1] += lambda[k] * by_rate[k];
      sum[2] += lambda[k] * across[k];
    }
    assert_close(sum[0], gradient[0] + 0.7 * gradient[2], 1e-8, 0);
    assert_close(sum[1], gradient[1] + 0.7 * gradient[3], 1e-8, 0);
    assert_close(sum[2], 0, 0, 1e-9);
    for (size_t k = 0; k < costates.count; k++)
      assert_close(costates.hamiltonian[k], costates.hamiltonian[0], 1e-7, 0);
  }
}

/* --- what has none ----------------------------------------------------------------------------- */

TEST(methods_without_costates_are_refused)
{
  gradyn_costates c;
  run_local *ev = run_with(&pendulum, .method = "ali3p");
  const double rho[2] = {0.8, 0.5};
  assert_refused(gradyn_costates_compute(ev, NULL, rho, &c), ev, GRADYN_UNSUPPORTED,
                 "costates need the method explicit or radau, not ali3p");
  gradyn_costates_clear(&c);
  gradyn_evaluator_free(ev);
  ev = run_with(&cart, .method = "explicit");
  assert_refused(gradyn_costates_compute(ev, (double[]){0, 0}, cart_rho, &c), ev, GRADYN_INVALID,
                 "all weights are zero");
  gradyn_costates_clear(&c);
  assert_int_equal(gradyn_costates_compute(NULL, NULL, rho, &c), GRADYN_INVALID);
  assert_int_equal(gradyn_costates_compute(ev, NULL, cart_rho, NULL), GRADYN_INVALID);
  gradyn_costates_clear(NULL);
}
