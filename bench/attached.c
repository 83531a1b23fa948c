/* Costs of attached points, signals and users' forces. The reference is a chain of links with a spring at
 * each. In the other chain, every second spring is on an attached point and follows a signal, and a user's
 * force replaces the torque at every fourth link: the same number of elements. Prints the costs of a
 * simulation with ali3p and of its gradients for both, and the ratios.
 * Usage: bench_attached [runs [links]]; medians of alternating runs, processor time. */
#include <stdio.h>
#include <stdlib.h>

#include <gradyn/gradyn.h>

#include "bench/timing.h"

enum { MAX_RUNS = 101, MOST_LINKS = 256, FUNCTIONALS = 3, PARAMETERS = 5 };

static const gradyn_param params[] = {{"k", "N/m", .init = 40, .lower = 1, .upper = 100},
                                      {"mass", "kg", .init = 2, .lower = 0.1, .upper = 10},
                                      {"length", "m", .init = 1, .lower = 0.1, .upper = 3},
                                      {"share", "", .init = 0.4, .lower = 0.1, .upper = 0.9},
                                      {"u", "N", .init = 0.5, .lower = -5, .upper = 5}};
static const gradyn_setting settings[] = {{"links", "", 8, 1, MOST_LINKS}, {"mixed", "", 0, 0, 1}};

/* A spring and a dashpot between two points. */
static gradyn_status pull(const gradyn_at *at, gradyn_scalar force[])
{
  for (int c = 0; c < 2; c++) {
    gradyn_scalar r = at->pos[2 + c] - at->pos[c], v = at->vel[2 + c] - at->vel[c];
    force[c] = at->data[0] * r + 0.1 * v;
    force[2 + c] = -force[c];
  }
  return GRADYN_OK;
}

/* Link k from `last` to `next`; returns the end of the spring, attached to the link or at its end. */
static void add_forces(gradyn_model *model, const gradyn_scalar rho[], bool mixed, int k,
                       const int ends[3], int anchor, int u)
{
  const bool attached = mixed && k % 2 == 0;
  const int to = attached ? gradyn_point_between(model, gradyn_format_name(model, "at%d", k),
                                                 ends[1], ends[2], rho[3])
                          : ends[2];
  gradyn_spring(model, &(gradyn_spring_spec){.name = gradyn_format_name(model, "spring%d", k),
                                             .from = anchor,
                                             .to = to,
                                             .k = rho[0],
                                             .free_length = 0.5,
                                             .c = 0.1,
                                             .signal = attached ? u : 0});
  if (mixed && k % 4 == 0)
    gradyn_custom_force(
        model, &(gradyn_custom_force_spec){.name = gradyn_format_name(model, "pull%d", k),
                                           .points = (int[]){ends[0], ends[2]},
                                           .point_count = 2,
                                           .fn = pull,
                                           .data = (gradyn_datum[]){{"k", "N/m", 0.6 * rho[0]}},
                                           .data_count = 1});
  else
    gradyn_torque(model, &(gradyn_torque_spec){.name = gradyn_format_name(model, "friction%d", k),
                                               .from = ends[1],
                                               .to = ends[2],
                                               .c = 0.01});
}

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  const int links = gradyn_setting_value(model, "links");
  const bool mixed = gradyn_setting_value(model, "mixed");
  const gradyn_scalar knots[] = {rho[4], 0.5 * rho[4], -rho[4], 0.2 * rho[4], 0};
  int u = -1, anchor = gradyn_ground_point(model, "anchor", 0.5, 0.7);
  int ends[3] = {0, 0, gradyn_ground_point(model, "top", 0, 0)}; /* the last three */
  if (mixed)
    u = gradyn_signal(model, &(gradyn_signal_spec){.name = "u",
                                                   .unit = "N",
                                                   .kind = GRADYN_PIECEWISE_LINEAR,
                                                   .count = GRADYN_COUNT(knots),
                                                   .knots = knots});
  ends[1] = ends[2];
  for (int k = 1; k <= links; k++) {
    ends[0] = ends[1];
    ends[1] = ends[2];
    ends[2] = gradyn_point(model, gradyn_format_name(model, "P%d", k), k * rho[2] / links, 0);
    gradyn_rod(model, &(gradyn_rod_spec){.name = gradyn_format_name(model, "link%d", k),
                                         .from = ends[1],
                                         .to = ends[2],
                                         .length = rho[2] / links,
                                         .mass = rho[1] / links});
    add_forces(model, rho, mixed, k, ends, anchor, u);
  }
  gradyn_gravity(model, 0, -9.81);
  gradyn_minimise(
      model,
      gradyn_functional(model,
                        &(gradyn_functional_spec){
                            "tip", gradyn_measure_point(model, "", ends[2], 0, GRADYN_ALL_AXES),
                            .reduction = GRADYN_SQUARE_INTEGRAL, .target = {0.6, -0.4}}),
      1);
  gradyn_functional(
      model, &(gradyn_functional_spec){"speed",
                                       gradyn_measure_point(model, "", ends[2], 1, GRADYN_ALL_AXES),
                                       .reduction = GRADYN_SQUARE_INTEGRAL});
  gradyn_functional(model, &(gradyn_functional_spec){"energy", gradyn_measure_energy(model, ""),
                                                     .reduction = GRADYN_AT_END});
  return gradyn_build_status(model);
}

static const gradyn_problem problem = {
    GRADYN_PROBLEM_SIZES, .name = "attached",
    .params = params,     .param_count = GRADYN_COUNT(params),
    .settings = settings, .setting_count = GRADYN_COUNT(settings),
    .build = build,       .t_end = 0.2,
    .method = "ali3p",    .step = 1e-3};

/* What is timed. */
static const struct {
  const char *name, *sensitivity;
  bool gradient, data;
} work[] = {{"march", "adjoint", false, false},
            {"adjoint", "adjoint", true, false},
            {"by all data", "adjoint", true, true},
            {"direct", "direct", true, false}};

static gradyn_status once(gradyn_evaluator *ev, size_t what, double *seconds)
{
  static double gradient[FUNCTIONALS * 20 * MOST_LINKS];
  double rho[PARAMETERS], psi[FUNCTIONALS];
  for (size_t j = 0; j < PARAMETERS; j++)
    rho[j] = params[j].init;
  double start = bench_now();
  gradyn_status status = !work[what].gradient ? gradyn_evaluator_simulate(ev, rho, psi, NULL)
                         : work[what].data ? gradyn_evaluator_data_gradient(ev, rho, psi, gradient)
                                           : gradyn_evaluator_gradient(ev, rho, psi, gradient);
  *seconds = bench_now() - start;
  return status;
}

/* One row of the table. */
static bool measure(size_t what, int runs, int links)
{
  gradyn_evaluator *ev[2] = {NULL, NULL};
  double seconds[2][MAX_RUNS];
  gradyn_status status = GRADYN_OK;
  for (int mixed = 0; mixed < 2 && status == GRADYN_OK; mixed++) {
    const gradyn_setting_choice choice[] = {{"links", links}, {"mixed", mixed}};
    gradyn_options options;
    gradyn_options_default(&problem, &options);
    options.sensitivity = work[what].sensitivity;
    status = gradyn_evaluator_create(&problem, &options, choice, 2, &ev[mixed]);
  }
  for (int k = 0; k < 2 * runs && status == GRADYN_OK; k++)
    status = once(ev[k % 2], what, &seconds[k % 2][k / 2]);
  if (status == GRADYN_OK) {
    double plain = bench_median(seconds[0], runs), mixed = bench_median(seconds[1], runs);
    printf("%-12s %9.4f %9.4f %7.2f\n", work[what].name, plain, mixed, mixed / plain);
  }
  for (int mixed = 0; mixed < 2; mixed++) {
    if (status != GRADYN_OK && ev[mixed])
      fprintf(stderr, "%s: %s\n", work[what].name, gradyn_evaluator_message(ev[mixed]));
    gradyn_evaluator_free(ev[mixed]);
  }
  return status == GRADYN_OK;
}

int main(int argc, char *argv[])
{
  int runs = argc > 1 ? atoi(argv[1]) : 11, links = argc > 2 ? atoi(argv[2]) : 8;
  if (runs < 1 || runs > MAX_RUNS || links < 1 || links > MOST_LINKS) {
    fprintf(stderr, "usage: bench_attached [runs [links]], 1 to %d runs, 1 to %d links\n", MAX_RUNS,
            MOST_LINKS);
    return 2;
  }
  printf("%-12s %9s %9s %7s\n", "", "plain s", "mixed s", "ratio");
  for (size_t what = 0; what < GRADYN_COUNT(work); what++)
    if (!measure(what, runs, links))
      return 1;
  return 0;
}
