/* Flexible mechanisms with the variational scheme. The car on four double wishbones: cost of a gradient by
 * its 60 parameters, by the adjoint and by differences, in simulations. Meshes of beam elements: growth of
 * the costs with their number.
 * Usage: bench_beams [runs [car|meshes]]; medians of the runs. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gradyn/gradyn.h>

#include "problems/builtin.h"
#include "bench/timing.h"

enum { MAX_RUNS = 101, MOST = 64 };

/* Medians, s; Newton iterations of a step. */
typedef struct times {
  double march, gradient, iterations;
} times;

/* A problem with one setting; the simulation is optional. */
typedef struct subject {
  const gradyn_problem *problem;
  gradyn_setting_choice setting;
  const char *sensitivity;
  double t_end; /* s; 0: the problem's */
  bool march;
} subject;

static gradyn_status measure(gradyn_evaluator *ev, bool march, int runs, times *out)
{
  static double gradient[MOST * MOST];
  double rho[MOST], psi[MOST], plain[MAX_RUNS] = {0}, whole[MAX_RUNS];
  for (size_t j = 0; j < gradyn_parameter_count(ev); j++)
    rho[j] = gradyn_parameter_at(ev, j).init;
  gradyn_status status = GRADYN_OK;
  for (int k = 0; k < runs && status == GRADYN_OK; k++) {
    double start = bench_now();
    if (march)
      status = gradyn_evaluator_simulate(ev, rho, psi, NULL);
    plain[k] = bench_now() - start;
    gradyn_statistics cost = gradyn_evaluator_statistics(ev);
    out->iterations = march ? (double)cost.newton_iterations / (double)cost.steps : 0;
    start = bench_now();
    if (status == GRADYN_OK)
      status = gradyn_evaluator_gradient(ev, rho, psi, gradient);
    whole[k] = bench_now() - start;
  }
  out->march = bench_median(plain, runs);
  out->gradient = bench_median(whole, runs);
  return status;
}

static bool run(const subject *s, int runs, times *out)
{
  gradyn_options options;
  gradyn_evaluator *ev;
  gradyn_options_default(s->problem, &options);
  options.sensitivity = s->sensitivity;
  options.t_end = s->t_end;
  gradyn_status status = gradyn_evaluator_create(s->problem, &options, &s->setting, 1, &ev);
  if (status == GRADYN_OK)
    status = measure(ev, s->march, runs, out);
  if (status != GRADYN_OK)
    fprintf(stderr, "%s: %s\n", s->problem->name, gradyn_evaluator_message(ev));
  gradyn_evaluator_free(ev);
  return status == GRADYN_OK;
}

static bool car(int runs)
{
  const gradyn_problem *problem = &gradyn_problem_double_wishbone;
  const subject subjects[] = {{problem, {"constraints", 0}, "adjoint", 0, true},
                              {problem, {"constraints", 1}, "adjoint", 0, true},
                              {problem, {"constraints", 0}, "differences", 0, false}};
  static const char *const of[] = {"the objective", "all 33 functionals"};
  times t[3];
  printf("double-wishbone, 60 parameters, 3000 steps\n");
  for (int i = 0; i < 2; i++) {
    if (!run(&subjects[i], runs, &t[i]))
      return false;
    printf("%-20s march %8.3f s, adjoint gradient %8.3f s %8.2f marches\n", of[i], t[i].march,
           t[i].gradient, t[i].gradient / t[i].march);
    (void)fflush(stdout); /* the rest takes minutes */
  }
  if (!run(&subjects[2], 1, &t[2]))
    return false;
  printf("%-20s by differences %33.3f s %8.2f adjoint gradients\n", of[0], t[2].gradient,
         t[2].gradient / t[0].gradient);
  return true;
}

/* --- meshes ------------------------------------------------------------------------------------- */

enum { YOUNG, DENSITY, WIDTH };

static const gradyn_param params[] = {
    [YOUNG] = {"E", "Pa", .init = 1e8, .lower = 1e6, .upper = 1e10},
    [DENSITY] = {"rho", "kg/m^3", .init = 1000, .lower = 100, .upper = 10000},
    [WIDTH] = {"h", "m", .init = 0.02, .lower = 0.005, .upper = 0.05},
};

static const gradyn_setting settings[] = {
    {"size", "elements, or knots along a side", .init = 8, .lower = 2, .upper = 4096}};

static const double l = 0.1; /* length of an element, m */

static gradyn_beam_spec strand(const gradyn_scalar rho[], const char *name, int from, int to,
                               int elements)
{
  return (gradyn_beam_spec){.name = name,
                            .from = from,
                            .to = to,
                            .elements = elements,
                            .section = gradyn_section_rectangle(rho[WIDTH], rho[WIDTH]),
                            .young = rho[YOUNG],
                            .density = rho[DENSITY],
                            .damping = 1e-4};
}

/* One beam, pinned at an end and released from the horizontal. */
static gradyn_status build_pendulum(gradyn_model *mbs, const gradyn_scalar rho[])
{
  int size = gradyn_setting_value(mbs, "size"), root = gradyn_ground_point(mbs, "root", 0, 0);
  int tip = gradyn_point(mbs, "tip", size * l, 0);
  const gradyn_beam_spec spec = strand(rho, "beam", root, tip, size);
  gradyn_beam(mbs, &spec);
  gradyn_gravity(mbs, 0, -9.81);
  gradyn_minimise(
      mbs,
      gradyn_functional(
          mbs,
          &(gradyn_functional_spec){"tip", gradyn_measure_point(mbs, "", tip, 0, GRADYN_ALL_AXES),
                                    .reduction = GRADYN_SQUARE_INTEGRAL, .target = {size * l, 0}}),
      1);
  return gradyn_build_status(mbs);
}

/* A square net of elements, pinned at two neighbouring corners and released from the horizontal. */
static gradyn_status build_net(gradyn_model *mbs, const gradyn_scalar rho[])
{
  static const char *const along[] = {"x", "y"};
  int size = gradyn_setting_value(mbs, "size"), last = 0;
  int *knot = calloc((size_t)size * (size_t)size, sizeof *knot);
  if (!knot)
    return GRADYN_NO_MEMORY;
  for (int i = 0; i < size; i++)
    for (int j = 0; j < size; j++) {
      bool hung = i == 0 && (j == 0 || j == size - 1);
      last = (hung ? gradyn_ground_point_3d
                   : gradyn_point_3d)(mbs, gradyn_format_name(mbs, "%d_%d", i, j), i * l, j * l, 0);
      knot[i * size + j] = last;
      for (int axis = 0; axis < 2; axis++) {
        const gradyn_beam_spec spec = strand(
            rho, gradyn_format_name(mbs, "%s%d_%d", along[axis], i, j),
            knot[axis == 0 ? (i - (i > 0)) * size + j : i * size + j - (j > 0)], last, 1);
        if (axis == 0 ? i > 0 : j > 0)
          gradyn_beam(mbs, &spec);
      }
    }
  free(knot);
  gradyn_gravity_3d(mbs, 0, 0, -9.81);
  gradyn_minimise(
      mbs,
      gradyn_functional(
          mbs, &(gradyn_functional_spec){"corner",
                                         gradyn_measure_point(mbs, "", last, 0, GRADYN_ALL_AXES),
                                         .reduction = GRADYN_SQUARE_INTEGRAL,
                                         .target = {(size - 1) * l, size * l, 0}}),
      1);
  return gradyn_build_status(mbs);
}

#define MESH(title, how)                                                                           \
  {                                                                                                \
    GRADYN_PROBLEM_SIZES, .name = title, .summary = title, .params = params,                       \
                          .param_count = GRADYN_COUNT(params), .settings = settings,               \
                          .setting_count = GRADYN_COUNT(settings), .build = how, .t_end = 0.05,    \
                          .method = "variational", .step = 1e-3                                    \
  }

static const gradyn_problem pendulum = MESH("pendulum", build_pendulum);
static const gradyn_problem net = MESH("net", build_net);

/* Microseconds per step and element, and the exponent of growth of a step's costs. */
static bool meshes(int runs)
{
  static const int sizes[2][4] = {{250, 500, 1000, 2000}, {12, 16, 23, 32}};
  printf("%-10s %8s %8s %10s %8s %10s %8s %9s\n", "mesh", "elements", "newton", "march us",
         "exponent", "gradient", "exponent", "gradient/");
  for (int k = 0; k < 2; k++) {
    times before = {0};
    double fewer = 0;
    for (int i = 0; i < 4; i++) {
      int size = sizes[k][i];
      const subject s = {k == 0 ? &pendulum : &net, {"size", size}, "adjoint", 0, true};
      times t;
      if (!run(&s, runs, &t))
        return false;
      double elements = k == 0 ? size : 2.0 * size * (size - 1), each = 1e6 / 50 / elements;
      double grown = i > 0 ? log(elements / fewer) : NAN;
      printf("%-10s %8.0f %8.2f %10.3f %8.2f %10.3f %8.2f %9.2f\n", s.problem->name, elements,
             t.iterations, t.march * each, log(t.march / before.march) / grown, t.gradient * each,
             log(t.gradient / before.gradient) / grown, t.gradient / t.march);
      before = t;
      fewer = elements;
    }
  }
  return true;
}

int main(int argc, char *argv[])
{
  int runs = argc > 1 ? atoi(argv[1]) : 5;
  const char *part = argc > 2 ? argv[2] : "";
  if (runs < 1 || runs > MAX_RUNS || argc > 3) {
    fprintf(stderr, "usage: bench_beams [runs [car|meshes]], 1 to %d\n", MAX_RUNS);
    return 2;
  }
  bool fine = strcmp(part, "meshes") == 0 || car(runs);
  return fine && (strcmp(part, "car") == 0 || meshes(runs)) ? 0 : 1;
}
