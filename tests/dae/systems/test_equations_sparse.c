/* Sparse Jacobians of many equations: their structure, their values against single complex steps, entries
 * that appear only later, and gradients of a reaction-diffusion system. */
#include "tests/runs.h"
#include "tests/declare.h"

#include <complex.h>

#include "core/equations/jacobian.h"

enum { N = 120, P = 3, F = 2 };

/* u' = D u_xx + k u (1 - u), with the algebraic flux g_i = D (u_i+1 - u_i) between the points: states are
 * (u_0, g_0, u_1, g_1, ...). If u_0 is above a threshold, the equation of u_5 depends on u_50. The last
 * flux is zero and occurs squared in the last equation, so that its entry is zero at the start. */
static gradyn_status equations(const gradyn_at *at, gradyn_scalar R[])
{
  const gradyn_scalar *y = at->y, D = at->data[0], k = at->data[1];
  for (int i = 0; i < N; i++) {
    gradyn_scalar u = y[2 * i], in = i > 0 ? y[2 * i - 1] : 0, out = i < N - 1 ? y[2 * i + 1] : 0;
    int last = i == N - 1;
    R[2 * i + last] = at->yp[2 * i] - (out - in) - k * u * (1 - u) * at->u[1];
    R[2 * i + 1 - last] = y[2 * i + 1] - (i < N - 1 ? D * (y[2 * i + 2] - u) : 0);
  }
  R[2 * N - 1] += y[2 * N - 1] * y[2 * N - 1];
  if (creal(y[0]) > 0.9)
    R[10] += 0.1 * (y[0] - 0.9) * y[100];
  return GRADYN_OK;
}

static gradyn_status total(const gradyn_at *at, gradyn_scalar *value)
{
  for (int i = 0; i < N; i++)
    *value += at->y[2 * i] * at->y[2 * i] / N;
  return GRADYN_OK;
}

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  const gradyn_datum data[] = {{"D", "1/s", rho[0]}, {"k", "1/s", rho[1]}};
  const gradyn_scalar knots[2] = {1, rho[2]};
  for (int i = 0; i < N; i++) {
    gradyn_state(model, gradyn_format_name(model, "u%d", i), "", i < 10 ? 0.8 : 0.02);
    gradyn_algebraic_state(model, gradyn_format_name(model, "g%d", i), "1/s", 0);
  }
  declare_signal(model, "light", "", GRADYN_PIECEWISE_LINEAR, 2, knots);
  declare_equations(model, equations, data, 2);
  declare_integral(model, "mean", "", total);
  declare_end(model, "last", "", total);
  return gradyn_build_status(model);
}

static const gradyn_param params[P] = {{"D", "1/s", .init = 3, GRADYN_UNBOUNDED, .scale = 3},
                                       {"k", "1/s", .init = 4, GRADYN_UNBOUNDED, .scale = 4},
                                       {"light", "", .init = 0.5, GRADYN_UNBOUNDED}};
static const gradyn_problem problem = PROBLEM("sparse", build, params, .t_end = 1, .method = "idas",
                                              .rtol = 1e-9);

/* A model with its Jacobian. */
typedef struct discrete {
  gradyn_model *model;
  gradyn_jacobian *J;
  double id[2 * N], y[2 * N], yp[2 * N];
} discrete;

static void set_up(discrete *s)
{
  const gradyn_scalar rho[P] = {3, 4, 0.5};
  assert_ok(gradyn_model_create(&problem, NULL, 0, 0, rho, &s->model), NULL);
  for (int i = 0; i < 2 * N; i++) {
    s->id[i] = i % 2 == 0;
    s->y[i] = 0.3 + 0.001 * (i % 37);
    s->yp[i] = i % 2 == 0 ? 0.1 * (i % 5) : 0;
  }
  assert_ok(gradyn_jacobian_create(s->model->equations, s->id, &s->J), s->model->message.text);
  assert_non_null(s->J);
}

static void tear_down(discrete *s)
{
  gradyn_jacobian_free(s->J);
  gradyn_model_free(s->model);
}

/* Compares every column with a complex step, at the present state. */
static void compare_columns(discrete *s)
{
  const gradyn_jacobian *J = s->J;
  double column[2 * N], expected[2 * N];
  gradyn_equations_at(s->model->equations, 0.3, s->y, s->yp);
  assert_ok(gradyn_jacobian_at(s->J), s->model->message.text);
  for (int i = 0; i < 2 * N; i++)
    for (int rate = 0; rate < (i % 2 == 0 ? 2 : 1); rate++) {
      assert_ok(gradyn_equations_by_state(s->model->equations, i, rate == 1, expected), NULL);
      for (int k = 0; k < 2 * N; k++)
        column[k] = 0;
      for (int k = J->start[i]; k < J->start[i + 1]; k++)
        column[J->row[k]] = (rate ? J->F_yp : J->F_y)[k];
      for (int k = 0; k < 2 * N; k++)
        assert_true(column[k] == expected[k]);
    }
}

TEST(structure_is_found_and_few_colours_do)
{
  discrete s;
  set_up(&s);
  /* entries: u_i depends on itself and two fluxes, g_i on itself and two of u */
  assert_in_range(s.J->start[2 * N], 6 * N - 8, 6 * N);
  assert_in_range(s.J->colours[0], 3, 6);
  assert_int_equal(s.J->colours[1], 1);
  compare_columns(&s);
  assert_false(s.J->grown);
  tear_down(&s);
}

TEST(later_entries_are_noticed)
{
  discrete s;
  set_up(&s);
  int before = s.J->start[2 * N];
  s.y[0] = 0.95; /* now u_5 also depends on u_0 and u_50 */
  compare_columns(&s);
  assert_true(s.J->grown);
  assert_int_equal(s.J->start[2 * N], before + 2);
  compare_columns(&s);
  assert_false(s.J->grown);
  assert_true(gradyn_jacobian_reset(s.J));
  assert_int_equal(s.J->start[2 * N], before);
  assert_false(gradyn_jacobian_reset(s.J));
  s.y[0] = 0.5;
  compare_columns(&s);
  assert_false(s.J->grown);
  tear_down(&s);
}

/* u_0 crosses the threshold during the run. Compared are adjoint, direct, and differences of values. */
static void check_gradients(const char *method)
{
  gradyn_evaluator *ev[2] = {run_with(&problem, .method = method, .sensitivity = "adjoint"),
                             run_with(&problem, .method = method, .sensitivity = "direct")};
  const double rho[P] = {3, 4, 0.5}, h = 1e-4;
  double psi[F], gradient[3][F][P];
  for (int route = 0; route < 2; route++)
    assert_run(gradyn_evaluator_gradient(ev[route], rho, psi, gradient[route][0]), ev[route]);
  for (int j = 0; j < P; j++) {
    double moved[4][F];
    const double at[4] = {h, -h, 2 * h, -2 * h};
    for (int k = 0; k < 4; k++) {
      double place[P] = {rho[0], rho[1], rho[2]};
      place[j] += at[k];
      assert_run(gradyn_evaluator_simulate(ev[0], place, moved[k], NULL), ev[0]);
    }
    for (int f = 0; f < F; f++)
      gradient[2][f][j] = (8 * (moved[0][f] - moved[1][f]) - (moved[2][f] - moved[3][f])) /
                          (12 * h);
  }
  for (int f = 0; f < F; f++)
    for (int j = 0; j < P; j++) {
      assert_close(gradient[0][f][j], gradient[1][f][j], 1e-6, 1e-9);
      assert_close(gradient[0][f][j], gradient[2][f][j], 1e-4, 1e-6);
    }
  /* results do not depend on entries found in earlier runs */
  assert_run(gradyn_evaluator_gradient(ev[0], rho, psi, gradient[1][0]), ev[0]);
  assert_memory_equal(gradient[1], gradient[0], sizeof gradient[0]);
  gradyn_evaluator_free(ev[0]);
  gradyn_evaluator_free(ev[1]);
}

TEST(gradients_agree)
{
  check_gradients("idas");
  if (support_thorough())
    check_gradients("radau");
}
