/* Custom functionals that list their variables: the same derivatives with fewer calls. Points have the
 * order of the list, states their own indices, and all other entries are NAN. */
#include "tests/runs.h"
#include "tests/declare.h"

#include <gradyn/model.h>
#include <gradyn/mechanism.h>

enum { POINTS = 12, F = 3, P = 2 };

static bool only; /* one more functional, of positions */
static int calls;
static bool named, greedy, still; /* still: velocities are not read */

/* Reads the distance of two points, a velocity, an acceleration and the multiplier of the last rod. */
static gradyn_status look(const gradyn_at *at, gradyn_scalar *value)
{
  /* indices in the list, or ids */
  const int first = named ? 1 : 5, last = named ? 0 : 1 + POINTS;
  const gradyn_scalar *a = at->pos + 2 * first, *b = at->pos + 2 * last;
  calls++;
  *value = (b[0] - a[0]) * (b[0] - a[0]) + (b[1] - a[1]) * (b[1] - a[1]) + at->data[0];
  if (!still)
    *value += at->vel[2 * last + 1] * at->data[0];
  if (greedy)
    *value += at->pos[2 * 8];
  return GRADYN_OK;
}

FORMULA(feel, at->acc[2 * (named ? 1 : 1 + POINTS)] * at->lam[POINTS] + at->pos[named ? 0 : 2])

/* A chain that hangs from the ground; a point halfway along its first rod is read, too. */
static gradyn_status chain(gradyn_model *model, const gradyn_scalar rho[])
{
  int last = gradyn_ground_point(model, "P0", 0.01 * rho[0], 0);
  for (int k = 1; k <= POINTS; k++) {
    int next = gradyn_point(model, gradyn_format_name(model, "P%d", k), k * rho[0], 0);
    gradyn_rod(model,
               &(gradyn_rod_spec){gradyn_format_name(model, "bar%d", k), last, next, .mass = 1});
    last = next;
  }
  int half = gradyn_point_between(model, "half", 1, 2, 0.5);
  gradyn_gravity(model, 0, -9.81);
  const int seen[] = {1 + POINTS, 5, half}, felt[] = {1, 1 + POINTS};
  const gradyn_datum datum = {"weight", "", rho[1]};
  gradyn_custom_functional_spec spec = {
      .name = "look", .integrand = look, .data = &datum, .data_count = 1};
  spec.points = named ? seen : NULL;
  spec.point_count = named ? 3 : 0;
  gradyn_custom_functional(model, &spec);
  spec.name = "end";
  spec.terminal = look;
  spec.integrand = NULL;
  gradyn_custom_functional(model, &spec);
  gradyn_custom_functional_spec force = {.name = "feel", .integrand = feel};
  force.points = named ? felt : NULL;
  force.point_count = named ? 2 : 0;
  force.needs_accelerations = force.needs_multipliers = named;
  gradyn_custom_functional(model, &force);
  if (only) {
    spec.name = "rest";
    spec.positions_only = true;
    gradyn_custom_functional(model, &spec);
  }
  return gradyn_build_status(model);
}

static const gradyn_param params[P] = {{"length", "m", .init = 0.2, GRADYN_UNBOUNDED},
                                       {"weight", "", .init = 0.3, GRADYN_UNBOUNDED}};
static const gradyn_problem problem = PROBLEM("reads", chain, params, .t_end = 0.05, .step = 0.005,
                                              .rtol = 1e-8);

static gradyn_status run(const char *method, double *psi, double *gradient, const char *says)
{
  const double rho[P] = {0.2, 0.3};
  run_local *ev = run_with(&problem, .method = method);
  calls = 0;
  gradyn_status status = gradyn_evaluator_gradient(ev, rho, psi, gradient);
  if (status != GRADYN_OK && says)
    assert_says(gradyn_evaluator_message(ev), says);
  return status;
}

TEST(fewer_calls_give_the_same)
{
  const char *const methods[] = {"ali3p", "variational", "idas"};
  for (int m = 0; m < 3; m++) {
    double psi[2][F], gradient[2][F][P], rtol = m < 2 ? 1e-12 : 1e-5;
    int count[2];
    for (int k = 0; k < 2; k++) {
      named = k == 1;
      assert_ok(run(methods[m], psi[k], gradient[k][0], NULL), methods[m]);
      count[k] = calls;
    }
    assert_close_array(psi[1], psi[0], F, rtol, rtol);
    assert_close_array(gradient[1][0], gradient[0][0], F * P, rtol, rtol);
    assert_true(count[1] < count[0] / 2);
  }
}

TEST(unlisted_variables_are_nan)
{
  double psi[F], gradient[F][P];
  greedy = true;
  named = false;
  assert_ok(run("ali3p", psi, gradient[0], NULL), "greedy");
  named = true;
  assert_status(run("ali3p", psi, gradient[0], "look is not finite"), GRADYN_NON_FINITE, NULL);
  assert_status(
      run("idas", psi, gradient[0], "does it use points or states that it does not list?"),
      GRADYN_NON_FINITE, NULL);
  greedy = false;
}

/* Velocities that are not listed cost no calls, and are NAN. */
TEST(velocities_may_be_left_out)
{
  const char *const methods[] = {"ali3p", "variational", "idas"};
  double psi[F + 1], gradient[F + 1][P];
  only = named = still = true;
  for (int m = 0; m < 3; m++) {
    /* functionals "end" and "rest" are the same function */
    assert_ok(run(methods[m], psi, gradient[0], NULL), methods[m]);
    assert_close(psi[F], psi[1], 1e-14, 0);
    assert_close_array(gradient[F], gradient[1], P, 1e-12, 1e-12);
  }
  still = false;
  assert_status(run("ali3p", psi, gradient[0], "rest is not finite"), GRADYN_NON_FINITE, NULL);
  only = false;
}

/* --- general equations -------------------------------------------------------------------------- */

enum { STATES = 12 };

/* y_i' = -(i + 1) rate y_i */
static gradyn_status decay(const gradyn_at *at, gradyn_scalar residual[])
{
  for (int i = 0; i < STATES; i++)
    residual[i] = at->yp[i] + (i + 1) * at->data[0] * at->y[i];
  return GRADYN_OK;
}

static gradyn_status watch(const gradyn_at *at, gradyn_scalar *value)
{
  calls++;
  *value = at->y[10] * at->y[10] + at->data[0] * at->y[3];
  if (greedy)
    *value += at->y[4];
  return GRADYN_OK;
}

static gradyn_status decays(gradyn_model *model, const gradyn_scalar rho[])
{
  const int seen[] = {11, 4}; /* numbers of y[10] and y[3] */
  const gradyn_datum rate = {"rate", "1/s", rho[0]}, weight = {"weight", "", rho[1]};
  for (int i = 0; i < STATES; i++)
    gradyn_state(model, gradyn_format_name(model, "y%d", i), "", 2);
  declare_equations(model, decay, &rate, 1);
  gradyn_custom_functional_spec spec = {
      .name = "watch", .integrand = watch, .data = &weight, .data_count = 1};
  spec.reads = named ? seen : NULL;
  spec.read_count = named ? 2 : 0;
  gradyn_custom_functional(model, &spec);
  spec.name = "end";
  spec.terminal = watch;
  spec.integrand = NULL;
  gradyn_custom_functional(model, &spec);
  return gradyn_build_status(model);
}

/* A list with a nonexistent index of a state or, in a mechanism, of a point. */
static int absent;
static bool points;

static gradyn_status nothing_read(const gradyn_at *at, gradyn_scalar *value)
{
  (void)at;
  *value = 0;
  return GRADYN_OK;
}

static gradyn_status lists_absent(gradyn_model *model, const gradyn_scalar rho[])
{
  const int seen[] = {1, absent};
  const gradyn_datum rate = {"rate", "1/s", rho[0]};
  for (int i = 0; i < STATES && !points; i++)
    gradyn_state(model, gradyn_format_name(model, "y%d", i), "", 2);
  if (points)
    gradyn_point_mass(model, "mass", gradyn_point(model, "P", 1, 0), 1);
  else
    declare_equations(model, decay, &rate, 1);
  gradyn_custom_functional(model, &(gradyn_custom_functional_spec){.name = "absent",
                                                                   .terminal = nothing_read,
                                                                   .points = points ? seen : NULL,
                                                                   .point_count = points ? 2 : 0,
                                                                   .reads = points ? NULL : seen,
                                                                   .read_count = points ? 0 : 2});
  return gradyn_build_status(model);
}

TEST(missing_objects_are_refused)
{
  static const int number[] = {0, STATES + 1, -7, 1000};
  static const gradyn_problem wrong = PROBLEM("absent", lists_absent, params, .t_end = 1);
  for (size_t k = 0; k < 2 * GRADYN_COUNT(number); k++) {
    char says[64];
    points = k % 2 == 1;
    absent = number[k / 2];
    snprintf(says, sizeof says, "reads the %s %d, which does not exist", points ? "point" : "state",
             absent);
    assert_no_run(GRADYN_INVALID, says, .problem = &wrong);
  }
}

/* Both functionals, y3 at the end and its integral, and their derivatives with respect to the weight. */
static gradyn_status run_decays(const char *method, double psi[2], double gradient[2][P])
{
  const double rho[P] = {0.5, 0.3};
  const gradyn_problem problem_of_states = PROBLEM("decays", decays, params, .t_end = 0.4,
                                                   .rtol = 1e-9);
  run_local *ev = run_with(&problem_of_states, .method = method);
  calls = 0;
  gradyn_status status = gradyn_evaluator_gradient(ev, rho, psi, gradient[0]);
  if (status != GRADYN_OK)
    assert_says(gradyn_evaluator_message(ev), "is not finite");
  return status;
}

TEST(states_may_be_named_too)
{
  const char *const methods[] = {"explicit", "idas"};
  const double a = 0.5, T = 0.4, end = 2 * exp(-4 * a * T);
  for (int m = 0; m < 2; m++) {
    double psi[2][2], gradient[2][2][P];
    int count[2];
    for (int k = 0; k < 2; k++) {
      named = k == 1;
      assert_ok(run_decays(methods[m], psi[k], gradient[k]), methods[m]);
      count[k] = calls;
      assert_close(psi[k][0], 4 * (1 - exp(-22 * a * T)) / (22 * a) + 0.3 * (2 - end) / (4 * a),
                   1e-6, 0);
      assert_close(psi[k][1], 4 * exp(-22 * a * T) + 0.3 * end, 1e-6, 0);
      assert_close(gradient[k][0][1], (2 - end) / (4 * a), 1e-5, 0);
      assert_close(gradient[k][1][1], end, 1e-5, 0);
      assert_close(gradient[k][1][0], -88 * T * exp(-22 * a * T) - 0.3 * 4 * T * end, 1e-5, 0);
    }
    assert_true(count[1] < count[0] / 2);
    greedy = true;
    assert_status(run_decays(methods[m], psi[0], gradient[0]), GRADYN_NON_FINITE, NULL);
    greedy = false;
  }
}
