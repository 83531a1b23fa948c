/* Gradients of an evaluator do not depend on earlier calls. The same parameters give the same bits with the
 * same work, for every kind of method and both sensitivities, with events, and for functionals that read
 * data. */
#include "tests/runs.h"
#include "tests/declare.h"

enum { P = 3, F = 6 };

static const gradyn_param params[P] = {
    {.name = "a", .init = 1.2}, {.name = "b", .init = 0.8}, {.name = "c", .init = 0.7}};
static const double rho[2][P] = {{1.2, 0.8, 0.7}, {1.1, 0.9, 0.6}};

/* --- two rods, a spring and a floor ---------------------------------------------------------------- */

static gradyn_status build_linkage(gradyn_model *model, const gradyn_scalar at[])
{
  int A = gradyn_ground_point(model, "A", 0, 0);
  int E = gradyn_point(model, "E", 1, 0.1), Q = gradyn_point(model, "Q", 1.5, 1);
  const gradyn_scalar knots[4] = {0, 1, -1, at[0]};
  int u = gradyn_signal(
      model, &(gradyn_signal_spec){"u", "N", GRADYN_CUBIC_SPLINE, 4, knots, .times = NULL});
  gradyn_rod(model, &(gradyn_rod_spec){"upper", A, E, .length = 1, .mass = at[1]});
  gradyn_rod(model, &(gradyn_rod_spec){"lower", E, Q, .length = at[0], .mass = 1});
  gradyn_gravity(model, 0, -9.81);
  declare_push(model, "push", E, 1, 0, u);
  gradyn_impact(model, &(gradyn_impact_spec){.name = "floor",
                                             .point = Q,
                                             .axis = GRADYN_Y,
                                             .level = {.value = -at[1]},
                                             .restitution = at[2]});
  gradyn_minimise(
      model,
      gradyn_functional(
          model,
          &(gradyn_functional_spec){"track", gradyn_measure_point(model, "", Q, 0, GRADYN_ALL_AXES),
                                    .reduction = GRADYN_SQUARE_INTEGRAL, .target = {at[0], 1}}),
      1);
  gradyn_functional(model, &(gradyn_functional_spec){"effort", gradyn_measure_signal(model, "", u),
                                                     .reduction = GRADYN_SQUARE_INTEGRAL});
  gradyn_functional(model, &(gradyn_functional_spec){"energy", gradyn_measure_energy(model, ""),
                                                     .reduction = GRADYN_AT_END});
  gradyn_event_time(model, "first", 1, 1);
  gradyn_functional(model, &(gradyn_functional_spec){"mass", gradyn_measure_mass(model, ""),
                                                     .reduction = GRADYN_AT_END});
  gradyn_end_time(model, 0.9 + 0.1 * at[2]);
  return gradyn_build_status(model);
}

static const gradyn_problem linkage = PROBLEM("linkage", build_linkage, params, .t_end = 1);

/* --- a state that decays into another --------------------------------------------------------------- */

/* y' = -a y + z, z^3 + z = b y. */
FORMULAS(residual, at->yp[0] + at->data[0] * at->y[0] - at->y[1],
         at->y[1] * at->y[1] * at->y[1] + at->y[1] - at->data[1] * at->y[0])

FORMULA(product, at->data[0] * at->y[0] * at->y[0])

static gradyn_status build_decay(gradyn_model *model, const gradyn_scalar at[])
{
  const gradyn_datum data[] = {{"a", "1/s", at[0]}, {"b", "", at[1]}};
  const gradyn_custom_functional_spec sum = {.name = "sum",
                                             .unit = "",
                                             .integrand = product,
                                             .terminal = product,
                                             .data = data,
                                             .data_count = 1};
  gradyn_state(model, "y", "", at[2]);
  gradyn_algebraic_state(model, "z", "", 0.5);
  declare_equations(model, residual, data, 2);
  gradyn_minimise(model, gradyn_custom_functional(model, &sum), 1);
  return gradyn_build_status(model);
}

static const gradyn_problem decay = PROBLEM("decay", build_decay, params, .t_end = 1);

/* --- blocks whose pivots depend on the parameters ---------------------------------------------------- */

enum { BLOCKS = 40 };

/* Forty blocks x' = -x + v, p v + w = x, v - p w = c x: for p = 1 the pivots are on the diagonal, for
 * p = 1e-6 they are not. */
static gradyn_status blocks_motion(const gradyn_at *at, gradyn_scalar R[])
{
  for (int k = 0; k < BLOCKS; k++) {
    const gradyn_scalar *y = at->y + 3 * k, p = at->data[0] * (1 + 0.01 * k);
    R[3 * k] = at->yp[3 * k] + y[0] - y[1];
    R[3 * k + 1] = p * y[1] + y[2] - y[0];
    R[3 * k + 2] = y[1] - p * y[2] - at->data[1] * y[0];
  }
  return GRADYN_OK;
}

static gradyn_status blocks_sum(const gradyn_at *at, gradyn_scalar *value)
{
  *value = 0;
  for (int k = 0; k < 3 * BLOCKS; k++)
    *value += at->y[k] * at->y[k];
  return GRADYN_OK;
}

static gradyn_status build_blocks(gradyn_model *model, const gradyn_scalar at[])
{
  const gradyn_datum data[] = {{"p", "", 10 * (at[0] - 1.1) + 1e-6}, {"c", "", at[2]}};
  static char name[3 * BLOCKS][16];
  for (int k = 0; k < 3 * BLOCKS; k++) {
    (void)snprintf(name[k], sizeof name[k], "%c%d", "xvw"[k % 3], k / 3);
    if (k % 3 == 0)
      gradyn_state(model, name[k], "", at[1] + 0.01 * k);
    else
      gradyn_algebraic_state(model, name[k], "", 0.5);
  }
  declare_equations(model, blocks_motion, data, 2);
  gradyn_minimise(model, declare_integral(model, "sum", "", blocks_sum), 1);
  return gradyn_build_status(model);
}

static const gradyn_problem blocks = PROBLEM("blocks", build_blocks, params, .t_end = 0.5);

/* --- asking ----------------------------------------------------------------------------------------- */

typedef struct answer {
  double psi[F], gradient[F * P];
  double drift[2];
  long cost[5];
} answer;

static answer ask(gradyn_evaluator *ev, int which)
{
  answer a = {{0}, {0}, {0}, {0}};
  assert_true(gradyn_functional_count(ev) <= F);
  assert_run(gradyn_evaluator_gradient(ev, rho[which], a.psi, a.gradient), ev);
  for (int k = 0; k < P; k++)
    assert_true(a.gradient[k] != 0);
  const gradyn_statistics cost = gradyn_evaluator_statistics(ev);
  const long costs[] = {cost.steps, cost.newton_iterations, cost.residual_calls,
                        cost.factorisations, cost.steps_backward};
  memcpy(a.cost, costs, sizeof costs);
  a.drift[0] = cost.drift_position;
  a.drift[1] = cost.drift_velocity;
  return a;
}

/* The first gradient may need extra runs to find its steps. From the second one on, all have the same
 * steps. */
static void check(const gradyn_problem *problem, const char *method, const char *sensitivity,
                  int one)
{
  run_local *ev = run_with(
      problem, .method = method, .sensitivity = sensitivity,
      .step = strcmp(method, "ali3p") == 0 || strcmp(method, "variational") == 0 ? 0.01 : -1);
  (void)ask(ev, one);
  const answer first = ask(ev, one), other = ask(ev, 1 - one), again = ask(ev, one);
  assert_memory_not_equal(&first, &other, sizeof first);
  if (memcmp(&first, &again, sizeof first) != 0)
    fail_msg("%s of %s, %s: another gradient the second time", problem->name, method, sensitivity);
}

THOROUGH_TEST(the_same_again)
{
  static const char *const routes[] = {"direct", "adjoint"};
  for (size_t k = 0; k < GRADYN_COUNT(routes); k++)
    for (int one = 0; one < 2; one++) {
      if (!support_takes((int)k + one, 2))
        continue;
      for (size_t m = 0; m < GRADYN_COUNT(run_methods); m++)
        if (support_takes((int)(m + k), 2))
          check(&linkage, run_methods[m], routes[k], one);
      for (size_t m = 0; m < GRADYN_COUNT(run_adaptive); m++) {
        check(&decay, run_adaptive[m], routes[k], one);
        check(&blocks, run_adaptive[m], routes[k], one);
      }
    }
}
