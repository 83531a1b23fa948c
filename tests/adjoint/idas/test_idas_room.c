/* Tests of the room that the adjoint of idas gives to the steps of an arc: no result depends on it,
 * also where it is exactly the number of steps. */

#include "adjoint/idas/sensitivity.h"
#include "tests/runs.h"
#include "tests/declare.h"
#include <gradyn/gradyn.h>

enum { CONTROLS = 20, DATA = 64 };

static gradyn_status motion(const gradyn_at *at, gradyn_scalar F[])
{
  const gradyn_scalar x = at->y[0], v = at->y[1];
  F[0] = at->yp[0] - v;
  F[1] = at->yp[1] + 0.2 * v - x + x * x * x - 2 * at->u[1];
  return GRADYN_OK;
}

FORMULA(cost, at->y[0] * at->y[0] + at->u[1] * at->u[1])

/* A controlled Duffing oscillator; its control jumps every 0.3 s, where a new arc begins. */
static gradyn_status duffing(gradyn_model *m, const gradyn_scalar rho[])
{
  gradyn_state(m, "x", "m", 1.0);
  gradyn_state(m, "v", "m/s", 0.5);
  gradyn_signal(
      m, &(gradyn_signal_spec){"u", "N", GRADYN_PIECEWISE_CONSTANT, CONTROLS, rho, 0, 6, NULL});
  declare_equations(m, motion, NULL, 0);
  declare_integral(m, "cost", "", cost);
  return gradyn_build_status(m);
}

FORMULA(above, at->y[0] - at->data[0])

/* The same, whose speed is halved whenever x falls through a level, below which it starts. */
static gradyn_status braked(gradyn_model *m, const gradyn_scalar rho[])
{
  const int v = 1;
  const gradyn_component speed = {v, GRADYN_X};
  const gradyn_map_term half = {speed, speed, 0.5, false};
  const gradyn_datum level = {"level", "m", 1.05};
  gradyn_status status = duffing(m, rho);
  gradyn_event(m,
               &(gradyn_event_spec){.name = "brake",
                                    .guard = {.terminal = above, .data = &level, .data_count = 1},
                                    .map = &half,
                                    .map_count = 1});
  return status == GRADYN_OK ? gradyn_build_status(m) : status;
}

typedef struct bench {
  gradyn_model *model;
  gradyn_idas *march;
  gradyn_idas_adjoint *adjoint;
  bool active[DATA];
} bench;

/* t_end 0.25: one arc; 6: one for each control. */
static void open_at(bench *b, gradyn_build_fn build, double t_end, double rtol)
{
  static const gradyn_param params[] = {{"u", "N", 0.3, -1, 1, .count = CONTROLS}};
  static gradyn_problem problem = {GRADYN_PROBLEM_SIZES, .name = "duffing", .params = params,
                                   .param_count = 1, .t_end = 6};
  gradyn_scalar u[CONTROLS];
  problem.build = build;
  gradyn_options options = run_options(&problem);
  options.rtol = rtol;
  options.atol = rtol / 100;
  for (int k = 0; k < CONTROLS; k++)
    u[k] = (k * 7 % 11 - 5) / 5.0;
  *b = (bench){0};
  assert_ok(gradyn_model_create(&problem, NULL, 0, t_end, u, &b->model), b->model->message.text);
  assert_in_range(b->model->nx, CONTROLS, DATA);
  for (int i = 0; i < b->model->nx; i++)
    b->active[i] = true;
  assert_ok(gradyn_model_load(b->model, NULL), b->model->message.text);
  assert_ok(gradyn_idas_create(b->model, &options, &b->march), b->model->message.text);
  assert_ok(gradyn_idas_adjoint_create(b->march, &b->adjoint), b->model->message.text);
}

static void close_bench(bench *b)
{
  gradyn_idas_adjoint_free(b->adjoint);
  gradyn_idas_free(b->march);
  gradyn_model_free(b->model);
}

static void results_do_not_depend_on_room(double t_end, double rtol)
{
  bench b;
  double psi, x_bar[DATA], expected, expected_bar[DATA];
  open_at(&b, duffing, t_end, rtol);
  assert_ok(gradyn_idas_adjoint_run(b.adjoint, b.active, &expected, expected_bar),
            b.model->message.text);
  long steps = b.march->report.cost.steps;
  assert_int_equal(b.march->report.cost.arcs, t_end < 1 ? 1 : CONTROLS);
  long typical = steps / b.march->report.cost.arcs;
  for (long capacity = typical > 41 ? typical - 40 : 1; capacity <= typical + 40;
       capacity += support_thorough() ? 1 : 4) {
    gradyn_idas_adjoint_room(b.adjoint, capacity);
    assert_ok(gradyn_idas_adjoint_run(b.adjoint, b.active, &psi, x_bar), b.model->message.text);
    assert_int_equal(b.march->report.cost.steps, steps);
    assert_memory_equal(&psi, &expected, sizeof psi);
    assert_memory_equal(x_bar, expected_bar, (size_t)b.model->nx * sizeof(double));
  }
  assert_ok(gradyn_idas_simulate(b.march, &psi, NULL), b.model->message.text);
  assert_int_equal(b.march->report.cost.steps, steps);
  assert_close(psi, expected, 1e-12, 0);
  close_bench(&b);
}

TEST(one_arc)
{
  results_do_not_depend_on_room(0.25, 1e-8);
  results_do_not_depend_on_room(0.25, 1e-11);
}

TEST(many_arcs)
{
  results_do_not_depend_on_room(6, 1e-8);
  results_do_not_depend_on_room(6, 1e-11);
}

/* Arcs that are run again watch their guards as they did at first. */
TEST(arcs_with_events)
{
  bench b;
  double psi, x_bar[DATA], expected, expected_bar[DATA];
  open_at(&b, braked, 6, 1e-9);
  assert_ok(gradyn_idas_adjoint_run(b.adjoint, b.active, &expected, expected_bar),
            b.model->message.text);
  const long arcs = b.march->report.cost.arcs, steps = b.march->report.cost.steps;
  assert_true(arcs > CONTROLS);
  for (long capacity = 1; capacity <= steps / arcs; capacity += support_thorough() ? 7 : 28) {
    gradyn_idas_adjoint_room(b.adjoint, capacity);
    assert_ok(gradyn_idas_adjoint_run(b.adjoint, b.active, &psi, x_bar), b.model->message.text);
    assert_int_equal(b.march->report.cost.arcs, arcs);
    assert_memory_equal(&psi, &expected, sizeof psi);
    assert_memory_equal(x_bar, expected_bar, (size_t)b.model->nx * sizeof(double));
  }
  close_bench(&b);
}
