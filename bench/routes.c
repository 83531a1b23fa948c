/* Direct or adjoint? Costs of gradients of F functionals by P parameters, in simulations, by both routes of
 * all methods, for a mechanism and for general equations. The constants of the choice `auto` are fitted to
 * these costs (prices in the methods' tables, adjoint/evaluator/route.c), by
 *     direct = 1 + start + a ceil(P/4),   adjoint = 1 + b + c ceil(F/4).
 * with 1 for a simulation. Then the cost of the direct route for the shipped mechanisms with four to six
 * parameters. Gradients are those of searches, of one run each.
 * Usage: bench_routes [runs]; medians of the runs in processor time. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <gradyn/gradyn.h>

#include "adjoint/evaluator/evaluator.h"
#include "bench/timing.h"
#include "problems/builtin.h"

enum { MOST = 64, MAX_RUNS = 101, SIZES = 4 };

static const int sizes[SIZES] = {4, 16, 32, 64};

static const gradyn_setting settings[] = {{"parameters", "", 4, 1, MOST},
                                          {"functionals", "", 1, 1, MOST}};
static const gradyn_param params[] = {
    {"m", "", .init = 1, .lower = 0.5, .upper = 2, .count_from = "parameters"}};

/* A chain of eight links whose masses are the parameters, in turn. */
static gradyn_status mechanism(gradyn_model *mbs, const gradyn_scalar rho[])
{
  enum { LINKS = 8 };
  const int p = gradyn_setting_value(mbs, "parameters"),
            f = gradyn_setting_value(mbs, "functionals");
  int point[LINKS + 1] = {gradyn_ground_point(mbs, "top", 0, 0)};
  for (int k = 0; k < LINKS; k++) {
    gradyn_scalar mass = 0;
    for (int j = k; j < p; j += LINKS)
      mass += rho[j];
    point[k + 1] = gradyn_point(mbs, gradyn_format_name(mbs, "P%d", k), k + 1, 0);
    gradyn_rod(mbs, &(gradyn_rod_spec){gradyn_format_name(mbs, "link%d", k), point[k], point[k + 1],
                                       .length = 1, .mass = mass + 1});
  }
  gradyn_gravity(mbs, 0, -9.81);
  for (int i = 0; i < f; i++)
    gradyn_minimise(mbs,
                    gradyn_functional(
                        mbs,
                        &(gradyn_functional_spec){
                            gradyn_format_name(mbs, "track%d", i),
                            gradyn_measure_point(mbs, "", point[1 + i % LINKS], 0, GRADYN_ALL_AXES),
                            .reduction = GRADYN_SQUARE_INTEGRAL, .target = {0.1 * i, -1}}),
                    1);
  return gradyn_build_status(mbs);
}

enum { STATES = 16 };

/* Parameters of the equations, which are their data. */
static int stiffnesses;

/* A chain of oscillators with cubic springs. */
static gradyn_status rates(const gradyn_at *at, gradyn_scalar F[])
{
  const int n = STATES / 2, data_count = *(const int *)at->user;
  for (int i = 0; i < n; i++) {
    const gradyn_scalar x = at->y[i], left = i > 0 ? at->y[i - 1] : 0;
    gradyn_scalar stiffness = 0;
    for (int j = i; j < data_count; j += n)
      stiffness += at->data[j];
    F[i] = at->yp[i] - at->y[n + i];
    F[n + i] = at->yp[n + i] + stiffness * (x + x * x * x) - left;
  }
  return GRADYN_OK;
}

static gradyn_status square(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->y[0] * at->y[0];
  return GRADYN_OK;
}

static gradyn_status equations(gradyn_model *model, const gradyn_scalar rho[])
{
  const int p = gradyn_setting_value(model, "parameters");
  const int f = gradyn_setting_value(model, "functionals");
  gradyn_datum data[MOST];
  stiffnesses = p;
  for (int j = 0; j < p; j++)
    data[j] = (gradyn_datum){gradyn_format_name(model, "k%d", j), "", rho[j]};
  for (int i = 0; i < STATES; i++)
    gradyn_state(model, gradyn_format_name(model, "y%d", i), "", i < STATES / 2 ? 1 : 0);
  gradyn_equations(model,
                   &(gradyn_equations_spec){
                       .residual = rates, .data = data, .data_count = p, .user = &stiffnesses});
  for (int i = 0; i < f; i++)
    gradyn_minimise(model,
                    gradyn_custom_functional(model,
                                             &(gradyn_custom_functional_spec){
                                                 .name = gradyn_format_name(model, "square%d", i),
                                                 .integrand = square,
                                                 .reads = (const int[]){1},
                                                 .read_count = 1}),
                    1);
  return gradyn_build_status(model);
}

static const gradyn_problem problems[] = {
    {GRADYN_PROBLEM_SIZES, .name = "mechanism", .params = params, .param_count = 1,
     .settings = settings, .setting_count = 2, .build = mechanism, .t_end = 1},
    {GRADYN_PROBLEM_SIZES, .name = "equations", .params = params, .param_count = 1,
     .settings = settings, .setting_count = 2, .build = equations, .t_end = 5}};

/* Cost of a gradient by a route, in simulations, with p parameters and f functionals (0: all); 0: the
 * method does not have the route. */
static double measure(const gradyn_problem *problem, const char *method, const char *route, int p,
                      int f, int runs)
{
  static double gradient[MOST * MOST];
  double rho[MOST], psi[MOST], march[MAX_RUNS], whole[MAX_RUNS];
  bool wanted[MOST];
  gradyn_options options;
  gradyn_evaluator *ev;
  const gradyn_setting_choice choice[] = {{"parameters", p}, {"functionals", f}};
  gradyn_options_default(problem, &options);
  options.method = method;
  options.sensitivity = route;
  options.rtol = options.step = 0;
  gradyn_status status = gradyn_evaluator_create(problem, &options, choice, p > 0 ? 2 : 0, &ev);
  for (int j = 0; j < MOST; j++)
    wanted[j] = true;
  for (size_t j = 0; status == GRADYN_OK && j < gradyn_parameter_count(ev); j++)
    rho[j] = gradyn_parameter_at(ev, j).init;
  for (int k = -1; k < runs && status == GRADYN_OK; k++) { /* the first run is not counted */
    double start = bench_now();
    status = gradyn_evaluator_simulate(ev, rho, psi, NULL);
    march[k < 0 ? 0 : k] = bench_now() - start;
    start = bench_now();
    if (status == GRADYN_OK)
      status = gradyn_evaluator_gradient_selected(ev, wanted, rho, psi, gradient);
    whole[k < 0 ? 0 : k] = bench_now() - start;
  }
  if (status != GRADYN_OK && status != GRADYN_UNSUPPORTED)
    fprintf(stderr, "%s, %s, %s: %s\n", problem->name, method, route, gradyn_evaluator_message(ev));
  gradyn_evaluator_free(ev);
  return status == GRADYN_OK ? bench_median(whole, runs) / bench_median(march, runs) : 0;
}

/* A row for each size, and the straight line through the first and the last one. */
static void report(const gradyn_problem *problem, const char *method, int runs)
{
  double cost[2][SIZES];
  for (int route = 0; route < 2; route++)
    for (int i = 0; i < SIZES; i++)
      cost[route][i] = measure(problem, method, route ? "adjoint" : "direct", route ? 4 : sizes[i],
                               route ? sizes[i] : 1, runs);
  if (cost[0][0] == 0)
    return;
  printf("%-10s %-12s", problem->name, method);
  for (int route = 0; route < 2; route++)
    for (int i = 0; i < SIZES; i++)
      printf(" %7.2f", cost[route][i]);
  const double packs = (sizes[SIZES - 1] - sizes[0]) / 4.0;
  const double a = (cost[0][SIZES - 1] - cost[0][0]) / packs;
  const double c = (cost[1][SIZES - 1] - cost[1][0]) / packs;
  printf("   a %.2f (start %.2f)  b %.2f  c %.2f\n", a, cost[0][0] - 1 - a, cost[1][0] - 1 - c, c);
}

int main(int argc, char *argv[])
{
  int runs = argc > 1 ? atoi(argv[1]) : 7;
  runs = runs < 1 ? 1 : runs > MAX_RUNS ? MAX_RUNS : runs;
  static const char *const methods[] = {"explicit", "radau", "idas", "ali3p", "variational"};
  printf("marches of a gradient: direct by 4, 16, 32, 64 parameters; adjoint of as many "
         "functionals\n");
  for (int i = 0; i < 2; i++)
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++)
      report(&problems[i], methods[k], runs);
  static const gradyn_problem *const shipped[] = {
      &gradyn_problem_five_bar,       &gradyn_problem_spatial_slider_crank,
      &gradyn_problem_compass_walker, &gradyn_problem_hopper_codesign,
      &gradyn_problem_parallel_bars,  NULL};
  printf("direct gradients by explicit of problems that come with gradyn\n");
  for (const gradyn_problem *const *p = shipped; *p; p++)
    printf("%-22s %7.2f\n", (*p)->name, measure(*p, "explicit", "direct", 0, 0, runs));
  return 0;
}
