/* Many general equations: reaction and diffusion on a line, u_t = D u_xx + k u (1 - u) at n points, with
 * idas. Prints the costs of a simulation and of an adjoint gradient by D and k, and their growth with n,
 * which is nearly linear by sparse Jacobians.
 * Usage: bench_equations [runs [n...]]; medians of the runs. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <gradyn/gradyn.h>

#include "bench/timing.h"

enum { MAX_RUNS = 101, MOST = 100000 };

/* No flux through the ends. */
static gradyn_status rates(const gradyn_at *at, gradyn_scalar F[])
{
  const int n = *(const int *)at->user;
  const gradyn_scalar *u = at->y, D = at->data[0] * (double)n * (double)n, k = at->data[1];
  for (int i = 0; i < n; i++) {
    gradyn_scalar left = i > 0 ? u[i - 1] : u[i], right = i < n - 1 ? u[i + 1] : u[i];
    F[i] = at->yp[i] - D * (left - 2 * u[i] + right) - k * u[i] * (1 - u[i]);
  }
  return GRADYN_OK;
}

static gradyn_status amount(const gradyn_at *at, gradyn_scalar *value)
{
  const int n = *(const int *)at->user;
  *value = at->y[n / 2];
  return GRADYN_OK;
}

static int points;

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  points = gradyn_setting_value(model, "points");
  const gradyn_datum data[] = {{"diffusion", "1/s", rho[0]}, {"growth", "1/s", rho[1]}};
  for (int i = 0; i < points; i++)
    gradyn_state(model, gradyn_format_name(model, "u%d", i), "", exp(-30.0 * i / points) + 1e-3);
  gradyn_equations(model, &(gradyn_equations_spec){
                              .residual = rates, .data = data, .data_count = 2, .user = &points});
  gradyn_minimise(
      model,
      gradyn_custom_functional(
          model, &(gradyn_custom_functional_spec){.name = "middle",
                                                  .terminal = amount,
                                                  .reads = (const int[]){1 + points / 2},
                                                  .read_count = 1,
                                                  .user = &points}),
      1);
  return gradyn_build_status(model);
}

static const gradyn_param params[] = {{"D", "1/s", .init = 1e-3, GRADYN_UNBOUNDED},
                                      {"k", "1/s", .init = 10, GRADYN_UNBOUNDED}};
static const gradyn_setting settings[] = {{"points", "", 100, 2, MOST}};
static const gradyn_problem problem = {
    GRADYN_PROBLEM_SIZES, .name = "equations", .params = params, .param_count = 2,
    .settings = settings, .setting_count = 1,  .build = build,   .t_end = 1,
    .method = "idas",     .rtol = 1e-6};

static gradyn_status measure(gradyn_evaluator *ev, int runs, int n, double created)
{
  const double rho[] = {1e-3, 10};
  double psi, gradient[2], march[MAX_RUNS], whole[MAX_RUNS];
  gradyn_status status = GRADYN_OK;
  long steps = 0;
  for (int k = 0; k < runs && status == GRADYN_OK; k++) {
    double start = bench_now();
    status = gradyn_evaluator_simulate(ev, rho, &psi, NULL);
    march[k] = bench_now() - start;
    steps = gradyn_evaluator_statistics(ev).steps;
    start = bench_now();
    if (status == GRADYN_OK)
      status = gradyn_evaluator_gradient(ev, rho, &psi, gradient);
    whole[k] = bench_now() - start;
  }
  if (status != GRADYN_OK)
    return status;
  double t = bench_median(march, runs);
  printf("%7d %9.4f %6ld %9.4f %12.3f %10.2f %12.6f\n", n, created, steps, t,
         1e6 * t / (double)steps / n, bench_median(whole, runs) / t, gradient[0]);
  return GRADYN_OK;
}

int main(int argc, char *argv[])
{
  static const char *const usual[] = {"250", "500", "1000", "2000", "4000"};
  int runs = argc > 1 ? atoi(argv[1]) : 3, count = argc > 2 ? argc - 2 : 5;
  const char *const *n = argc > 2 ? (const char *const *)(argv + 2) : usual;
  if (runs < 1 || runs > MAX_RUNS) {
    fprintf(stderr, "usage: bench_equations [runs [n...]], 1 to %d runs\n", MAX_RUNS);
    return 2;
  }
  printf("%7s %9s %6s %9s %12s %10s %12s\n", "states", "create s", "steps", "march s",
         "us/step/state", "gradient/", "dpsi/dD");
  for (int k = 0; k < count; k++) {
    const gradyn_setting_choice choice = {"points", atoi(n[k])};
    gradyn_evaluator *ev;
    gradyn_options options;
    gradyn_options_default(&problem, &options);
    double start = bench_now();
    gradyn_status status = gradyn_evaluator_create(&problem, &options, &choice, 1, &ev);
    if (status == GRADYN_OK)
      status = measure(ev, runs, choice.value, bench_now() - start);
    if (status != GRADYN_OK)
      fprintf(stderr, "%s states: %s\n", n[k], gradyn_evaluator_message(ev));
    gradyn_evaluator_free(ev);
    if (status != GRADYN_OK)
      return 1;
  }
  return 0;
}
