/* Costs of many parameters: a hanging chain of N links whose 2N lengths and masses are the parameters. The
 * initial position of a point depends on the lengths of all links above it, so dx/drho has N^2 entries.
 * Prints for each N the cost of a simulation, that of the gradient in simulations, and the share of
 * build(): its number of calls, and its time per datum, alone and with the chain rule. Names are formed by
 * gradyn_format_name(), or ("printed") by the author's code in each build.
 * Usage: bench_parameters [runs [links...]]; medians of the runs. Times with the chain rule are wall
 * times. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gradyn/gradyn.h>

#include "bench/timing.h"

enum { MAX_RUNS = 101, MOST_LINKS = 4096 };

/* Number of calls of build(), and its processor time, s. */
static int builds;
static double spent;

static const char *name_of(gradyn_model *mbs, bool printed, const char *format, int k,
                           char *capacity, size_t size)
{
  if (!printed)
    return gradyn_format_name(mbs, format, k);
  (void)snprintf(capacity, size, *format == 'l' ? "link%d" : "P%d", k);
  return capacity;
}

static gradyn_status declare(gradyn_model *mbs, const gradyn_scalar rho[])
{
  int links = gradyn_setting_value(mbs, "links");
  bool printed = gradyn_setting_value(mbs, "printed");
  const gradyn_scalar *length = rho, *mass = rho + links;
  int last = gradyn_ground_point(mbs, "top", 0, 0);
  gradyn_scalar x = 0;
  char capacity[24];
  for (int k = 0; k < links; k++) {
    x += length[k] / links;
    int next = gradyn_point(mbs, name_of(mbs, printed, "P%d", k, capacity, sizeof capacity), x, 0);
    gradyn_rod(
        mbs, &(gradyn_rod_spec){name_of(mbs, printed, "link%d", k, capacity, sizeof capacity), last,
                                next, .length = length[k] / links, .mass = mass[k] / links});
    last = next;
  }
  gradyn_gravity(mbs, 0, -9.81);
  gradyn_minimise(
      mbs,
      gradyn_functional(
          mbs,
          &(gradyn_functional_spec){"tip", gradyn_measure_point(mbs, "", last, 0, GRADYN_ALL_AXES),
                                    .reduction = GRADYN_SQUARE_INTEGRAL, .target = {0.6, -0.4}}),
      1);
  return gradyn_build_status(mbs);
}

static gradyn_status build(gradyn_model *mbs, const gradyn_scalar rho[])
{
  double start = bench_now();
  gradyn_status status = declare(mbs, rho);
  spent += bench_now() - start;
  builds++;
  return status;
}

static const gradyn_param params[] = {
    {"length", "m", .init = 1, .lower = 0.5, .upper = 2, .count_from = "links"},
    {"mass", "kg", .init = 2, .lower = 0.5, .upper = 9, .count_from = "links"}};
static const gradyn_setting settings[] = {{"links", "", 8, 1, MOST_LINKS},
                                          {"printed", "", 0, 0, 1}};
static const gradyn_problem problem = {
    GRADYN_PROBLEM_SIZES, .name = "parameters",
    .params = params,     .param_count = GRADYN_COUNT(params),
    .settings = settings, .setting_count = GRADYN_COUNT(settings),
    .build = build,       .t_end = 0.5,
    .method = "ali3p",    .step = 1e-3};

/* Wall time, s, as the evaluator's statistics. */
static double seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* One row of the table for an evaluator. */
static gradyn_status measure(gradyn_evaluator *ev, int runs, int links, bool printed)
{
  static double rho[2 * MOST_LINKS], gradient[2 * MOST_LINKS];
  double psi, march[MAX_RUNS], whole[MAX_RUNS], outside[MAX_RUNS], inside[MAX_RUNS];
  size_t p = gradyn_parameter_count(ev), data = gradyn_evaluator_model_info(ev).data;
  gradyn_status status = GRADYN_OK;
  for (size_t j = 0; j < p; j++)
    rho[j] = gradyn_parameter_at(ev, j).init;
  for (int k = 0; k < runs && status == GRADYN_OK; k++) {
    double start = bench_now();
    status = gradyn_evaluator_simulate(ev, rho, &psi, NULL);
    march[k] = bench_now() - start;
    builds = 0;
    spent = 0;
    start = bench_now();
    double wall = seconds();
    if (status == GRADYN_OK)
      status = gradyn_evaluator_gradient(ev, rho, &psi, gradient);
    outside[k] = seconds() - wall - gradyn_evaluator_statistics(ev).time_gradient;
    whole[k] = bench_now() - start;
    inside[k] = spent;
  }
  if (status != GRADYN_OK)
    return status;
  double t = bench_median(march, runs), share = 1e9 / builds / (double)data;
  printf("%6d %-8s %6zu %9.4f %10.2f %7d %9.1f %9.1f\n", links, printed ? "printed" : "gradyn", p,
         t, bench_median(whole, runs) / t, builds, share * bench_median(inside, runs),
         share * bench_median(outside, runs));
  return GRADYN_OK;
}

static bool run(int runs, int links, bool printed)
{
  const gradyn_setting_choice choice[] = {{"links", links}, {"printed", printed}};
  gradyn_evaluator *ev;
  gradyn_options options;
  gradyn_options_default(&problem, &options);
  gradyn_status status = gradyn_evaluator_create(&problem, &options, choice, 2, &ev);
  if (status == GRADYN_OK)
    status = measure(ev, runs, links, printed);
  if (status != GRADYN_OK)
    fprintf(stderr, "%d links: %s\n", links, gradyn_evaluator_message(ev));
  gradyn_evaluator_free(ev);
  return status == GRADYN_OK;
}

int main(int argc, char *argv[])
{
  static const char *const usual[] = {"128", "512", "2048"};
  int runs = argc > 1 ? atoi(argv[1]) : 5, count = argc > 2 ? argc - 2 : 3;
  const char *const *links = argc > 2 ? (const char *const *)(argv + 2) : usual;
  if (runs < 1 || runs > MAX_RUNS) {
    fprintf(stderr, "usage: bench_parameters [runs [links...]], 1 to %d runs\n", MAX_RUNS);
    return 2;
  }
  printf("%6s %-8s %6s %9s %10s %7s %9s %9s\n", "links", "names", "param.", "march s", "gradient/",
         "builds", "ns/datum", "and all");
  for (int k = 0; k < count; k++)
    for (int printed = 1; printed >= 0; printed--)
      if (!run(runs, atoi(links[k]), printed != 0))
        return 1;
  return 0;
}
