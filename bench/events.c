/* Costs of events: a five-bar linkage over 20,000 steps, with events at given times or without. Prints for
 * each method the additional steps, the processor time of a simulation and of a simulation with its adjoint
 * without events, and the ratios of the times with events to these. Runs are interleaved.
 * Usage: bench_events [runs [events [method]]]; medians of the runs, by default 9, with 100 events, by all
 * methods. */
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gradyn/gradyn.h>

#include "bench/timing.h"

enum { MAX_RUNS = 101, STEPS = 20000, KINDS = 2 };

static const double t_end = 5;

/* Zero `events` times in the run, as a triangular wave: a guard of ordinary cost. */
static gradyn_status clock_guard(const gradyn_at *at, gradyn_scalar *value)
{
  gradyn_scalar phase = at->t * at->data[0];
  const long whole = lround(creal(phase));
  *value = (whole % 2 == 0 ? 1 : -1) * (phase - (double)whole);
  return GRADYN_OK;
}

static gradyn_status build(gradyn_model *mbs, const gradyn_scalar rho[])
{
  const double L12 = sqrt(13.0) / 2;
  int events = gradyn_setting_value(mbs, "events");
  int A = gradyn_ground_point(mbs, "A", 0, 0), B = gradyn_ground_point(mbs, "B", 1, 0);
  int p1 = gradyn_point(mbs, "1", -1, -1), p2 = gradyn_point(mbs, "2", 0.5, -2);
  int p3 = gradyn_point(mbs, "3", 2, -1);
  gradyn_rod(mbs, &(gradyn_rod_spec){"A1", A, p1, .mass = 1});
  gradyn_rod(mbs, &(gradyn_rod_spec){"12", p1, p2, .length = L12, .mass = 1.5});
  gradyn_rod(mbs, &(gradyn_rod_spec){"23", p2, p3, .length = L12, .mass = 1.5});
  gradyn_rod(mbs, &(gradyn_rod_spec){"3B", p3, B, .mass = 1});
  gradyn_spring(mbs, &(gradyn_spring_spec){"S1", B, p1, .k = 100, .free_length = rho[0]});
  gradyn_spring(mbs, &(gradyn_spring_spec){"S2", B, p2, .k = 100, .free_length = rho[1]});
  gradyn_gravity(mbs, 0, -9.81);
  const gradyn_datum rate = {"rate", "1/s", (events + 0.4) / t_end};
  if (events > 0)
    gradyn_event(mbs, &(gradyn_event_spec){.name = "clock",
                                           .guard = {.terminal = clock_guard,
                                                     .data = &rate,
                                                     .data_count = 1,
                                                     .points = &p2,
                                                     .point_count = 1,
                                                     .positions_only = true},
                                           .direction = GRADYN_EITHER});
  gradyn_minimise(
      mbs,
      gradyn_functional(
          mbs,
          &(gradyn_functional_spec){"psi", gradyn_measure_point(mbs, "", p2, 0, GRADYN_ALL_AXES),
                                    .reduction = GRADYN_SQUARE_INTEGRAL, .target = {0.5, -2}}),
      1);
  return gradyn_build_status(mbs);
}

static const gradyn_param params[] = {{"L", "m", .count = 2, .init = 2.1, .lower = 1, .upper = 3}};
static const gradyn_setting settings[] = {{"events", "", 0, 0, 100000}};
static const gradyn_problem problem = {
    GRADYN_PROBLEM_SIZES, .name = "events",     .params = params,
    .param_count = 1,     .settings = settings, .setting_count = 1,
    .build = build,       .t_end = 5,           .rtol = 1e-8};

static gradyn_evaluator *open_model(const char *method, int events)
{
  const gradyn_setting_choice choice = {"events", events};
  gradyn_options options;
  gradyn_evaluator *ev;
  gradyn_options_default(&problem, &options);
  options.method = method;
  options.step = strcmp(method, "explicit") == 0 ? 0 : t_end / STEPS; /* by the error */
  if (gradyn_evaluator_create(&problem, &options, &choice, 1, &ev) == GRADYN_OK)
    return ev;
  (void)fprintf(stderr, "%s\n", gradyn_evaluator_message(ev));
  exit(EXIT_FAILURE);
}

/* Processor time, s, of a simulation, or of one with its adjoint. */
static double time_run(gradyn_evaluator *ev, bool gradient)
{
  const double rho[] = {2.23606797749978969641, 2.06155281280883027491};
  double psi, slope[2], start = bench_now();
  gradyn_status status = gradient ? gradyn_evaluator_gradient(ev, rho, &psi, slope)
                                  : gradyn_evaluator_simulate(ev, rho, &psi, NULL);
  if (status != GRADYN_OK) {
    (void)fprintf(stderr, "%s\n", gradyn_evaluator_message(ev));
    exit(EXIT_FAILURE);
  }
  return bench_now() - start;
}

static void compare(const char *method, int runs, int events)
{
  static double time[2][KINDS][MAX_RUNS]; /* [march, gradient] */
  gradyn_evaluator *ev[KINDS] = {open_model(method, 0), open_model(method, events)};
  for (int run = 0; run < runs; run++)
    for (int kind = 0; kind < KINDS; kind++)
      for (int what = 0; what < 2; what++)
        time[what][kind][run] = time_run(ev[kind], what == 1);
  long steps[KINDS];
  for (int kind = 0; kind < KINDS; kind++)
    steps[kind] = gradyn_evaluator_statistics(ev[kind]).steps;
  (void)printf("%-12s %6zu %8ld", method, gradyn_evaluator_statistics(ev[1]).events,
               steps[1] - steps[0]);
  for (int what = 0; what < 2; what++) {
    double plain = bench_median(time[what][0], runs), with = bench_median(time[what][1], runs);
    (void)printf(" %10.4f %8.3f", plain, with / plain);
  }
  (void)printf("\n");
  for (int kind = 0; kind < KINDS; kind++)
    gradyn_evaluator_free(ev[kind]);
}

int main(int argc, char *argv[])
{
  static const char *const methods[] = {"ali3p", "variational", "explicit", "idas"};
  int runs = argc > 1 ? atoi(argv[1]) : 9, events = argc > 2 ? atoi(argv[2]) : 100;
  if (runs < 1 || runs > MAX_RUNS || events < 1)
    return EXIT_FAILURE;
  (void)printf("%-12s %6s %8s %10s %8s %10s %8s\n", "method", "events", "steps +", "march s",
               "ratio", "gradient s", "ratio");
  for (size_t k = 0; k < sizeof methods / sizeof *methods; k++)
    if (argc < 4 || strcmp(argv[3], methods[k]) == 0)
      compare(methods[k], runs, events);
  return EXIT_SUCCESS;
}
