/* A controlled Duffing oscillator and the parts of idas that integrate it. */
#ifndef GRADYN_TESTS_ADJOINT_DUFFING_H
#define GRADYN_TESTS_ADJOINT_DUFFING_H

#include "adjoint/idas/sensitivity.h"
#include "tests/runs.h"
#include "tests/declare.h"
#include <gradyn/gradyn.h>

enum { CONTROLS = 20, DATA = 64 };

static inline gradyn_status motion(const gradyn_at *at, gradyn_scalar F[])
{
  const gradyn_scalar x = at->y[0], v = at->y[1];
  F[0] = at->yp[0] - v;
  F[1] = at->yp[1] + 0.2 * v - x + x * x * x - 2 * at->u[1];
  return GRADYN_OK;
}

FORMULA(cost, at->y[0] * at->y[0] + at->u[1] * at->u[1])

/* A controlled Duffing oscillator; its control jumps every 0.3 s, where a new arc begins. */
static inline gradyn_status duffing(gradyn_model *m, const gradyn_scalar rho[])
{
  gradyn_state(m, "x", "m", 1.0);
  gradyn_state(m, "v", "m/s", 0.5);
  gradyn_signal(m, &(gradyn_signal_spec){"u", "N", GRADYN_PIECEWISE_CONSTANT, CONTROLS, rho, 0, 6,
                                         .times = NULL});
  declare_equations(m, motion, NULL, 0);
  declare_integral(m, "cost", "", cost);
  return gradyn_build_status(m);
}

FORMULA(above, at->y[0] - at->data[0])

/* The same, whose speed is halved whenever x falls through a level, below which it starts. */
static inline gradyn_status braked(gradyn_model *m, const gradyn_scalar rho[])
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
static inline void open_at(bench *b, gradyn_build_fn build, double t_end, double rtol)
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

static inline void close_bench(bench *b)
{
  gradyn_idas_adjoint_free(b->adjoint);
  gradyn_idas_free(b->march);
  gradyn_model_free(b->model);
}

#endif
