/* Receding-horizon control of a cart with a pole: processor time of a step. horizon.py compares with CasADi.
 *
 * Usage: bench_segments_horizon ITERATIONS [RTOL]. 0: plans until they converge; 1: the real-time form.
 * Prints the processor time of the creation, of the first step and the median of later steps, in ms, the mean
 * numbers of gradients and Hessians of a later step, and the costs of the first and the last plan. */
#include <gradyn/gradyn.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/timing.h"

enum { KNOTS = 20, STATES = 4, STEPS = 15 };

static const gradyn_param params[] = {
    {"u", "N", .lower = -40, .upper = 40, .scale = 8, .role = GRADYN_CONTROL, .count = KNOTS}};

static const double cart = 1, pole = 0.1, l = 0.8, g = 9.81;

static gradyn_status rates(const gradyn_at *at, gradyn_scalar F[])
{
  const gradyn_scalar *y = at->y, u = at->u[1];
  const gradyn_scalar s = sin(y[2]), c = cos(y[2]), w = y[3], D = cart + pole - pole * c * c;
  F[0] = at->yp[0] - y[1];
  F[1] = at->yp[1] - (-pole * l * s * w * w + pole * g * c * s + u) / D;
  F[2] = at->yp[2] - w;
  F[3] = at->yp[3] - (-pole * l * c * s * w * w + u * c + (cart + pole) * g * s) / (l * D);
  return GRADYN_OK;
}

static gradyn_status along(const gradyn_at *at, gradyn_scalar *value)
{
  const gradyn_scalar *y = at->y, u = at->u[1];
  *value = 10 * y[0] * y[0] + 0.1 * y[1] * y[1] + 100 * y[2] * y[2] + 0.1 * y[3] * y[3] +
           0.01 * u * u;
  return GRADYN_OK;
}

static gradyn_status at_end(const gradyn_at *at, gradyn_scalar *value)
{
  const gradyn_scalar *y = at->y;
  *value = 10 * y[0] * y[0] + y[1] * y[1] + 100 * y[2] * y[2] + y[3] * y[3];
  return GRADYN_OK;
}

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  static const struct {
    const char *name, *unit;
    double first;
  } state[STATES] = {
      {"x", "m", 0.5}, {"v", "m/s", 0}, {"angle", "rad", 0.6}, {"omega", "rad/s", 0}};
  (void)gradyn_signal(model, &(gradyn_signal_spec){"force", "N", GRADYN_PIECEWISE_CONSTANT,
                                                   .count = KNOTS, .knots = rho});
  for (int i = 0; i < STATES; i++) {
    gradyn_state(model, state[i].name, state[i].unit, state[i].first);
    gradyn_guess(model, state[i].name, (double[]){0}, 1);
  }
  gradyn_equations(model, &(gradyn_equations_spec){.residual = rates});
  gradyn_minimise(model,
                  gradyn_custom_functional(
                      model,
                      &(gradyn_custom_functional_spec){
                          .name = "cost", .unit = "", .integrand = along, .terminal = at_end}),
                  1);
  return gradyn_build_status(model);
}

static const gradyn_problem problem = {GRADYN_PROBLEM_SIZES,
                                       .name = "cart",
                                       .build = build,
                                       .params = params,
                                       .param_count = GRADYN_COUNT(params),
                                       .t_end = 2};

/* Moves the cart for 0.1 s, by four steps of Runge and Kutta. */
static void slope(const double y[STATES], double u, double out[STATES])
{
  const double s = sin(y[2]), c = cos(y[2]), w = y[3], D = cart + pole - pole * c * c;
  out[0] = y[1];
  out[1] = (-pole * l * s * w * w + pole * g * c * s + u) / D;
  out[2] = w;
  out[3] = (-pole * l * c * s * w * w + u * c + (cart + pole) * g * s) / (l * D);
}

static void move(double state[STATES], double u)
{
  const double h = 0.025;
  for (int step = 0; step < 4; step++) {
    double k[4][STATES], y[STATES];
    for (int stage = 0; stage < 4; stage++) {
      const double part = stage == 3 ? h : h / 2;
      for (int i = 0; i < STATES; i++)
        y[i] = state[i] + (stage > 0 ? part * k[stage - 1][i] : 0);
      slope(y, u, k[stage]);
    }
    for (int i = 0; i < STATES; i++)
      state[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
  }
}

static void give_up(const char *message)
{
  (void)fprintf(stderr, "%s\n", message);
  exit(1);
}

int main(int argc, char **argv)
{
  const long iterations = argc > 1 ? strtol(argv[1], NULL, 10) : 0;
  double state[STATES] = {0.5, 0, 0.6, 0}, rho0[KNOTS] = {0}, taken[STEPS], costs[2] = {0};
  long gradients = 0, hessians = 0;
  gradyn_evaluator *evaluator;
  gradyn_mpc *mpc;
  gradyn_search search;
  gradyn_options options;
  gradyn_options_default(&problem, &options);
  if (argc > 2)
    options.rtol = strtod(argv[2], NULL);
  const double begun = bench_now();
  if (gradyn_evaluator_create(&problem, &options, NULL, 0, &evaluator) != GRADYN_OK)
    give_up(gradyn_evaluator_message(evaluator));
  gradyn_search_default(evaluator, &search);
  search.segments = KNOTS;
  if (gradyn_mpc_create(evaluator, &search, rho0, &mpc) != GRADYN_OK)
    give_up(gradyn_evaluator_message(evaluator));
  const double created = bench_now() - begun;
  for (int k = 0; k < STEPS; k++) {
    const double before = bench_now();
    const gradyn_status status = gradyn_mpc_step(mpc, state, NULL, k > 0, k > 0 ? iterations : 0);
    taken[k] = bench_now() - before;
    const gradyn_mpc_info info = gradyn_mpc_read(mpc);
    if (status != GRADYN_OK)
      give_up(info.message);
    gradients += k > 0 ? info.evaluations : 0;
    hessians += k > 0 ? info.hessians : 0;
    costs[k > 0] = info.objective;
    move(state, info.rho[0]);
  }
  qsort(taken + 1, STEPS - 1, sizeof *taken, bench_ascending);
  printf("%.3f %.3f %.3f %.2f %.2f %.6f %.6f\n", 1e3 * created, 1e3 * taken[0],
         1e3 * taken[1 + (STEPS - 1) / 2], (double)gradients / (STEPS - 1),
         (double)hessians / (STEPS - 1), costs[0], costs[1]);
  gradyn_mpc_free(mpc);
  gradyn_evaluator_free(evaluator);
  return 0;
}
