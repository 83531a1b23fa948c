/* The chain rule from data to many parameters: against one build for each parameter, for all kinds of
 * dependence of data on parameters. Also whole gradients, adjoint against direct. */
#include <complex.h>

#include "tests/runs.h"
#include "tests/declare.h"

#include "adjoint/gradient/gradient.h"

enum { LINKS = 200, KNOTS = 100, ODD = 6, PARAMETERS = 2 * LINKS + KNOTS + ODD, F = 3 };

static int builds;

static const gradyn_param params[] = {
    {"length", "m", .init = 1, .lower = 0.5, .upper = 2, .count_from = "links"},
    {"mass", "kg", .init = 2, .lower = 0.5, .upper = 9, .count_from = "links"},
    {"u", "N", .init = 0.3, GRADYN_UNBOUNDED, .count = KNOTS},
    {"odd", "", .init = 0.7, GRADYN_UNBOUNDED, .count = ODD}};

static const gradyn_setting settings[] = {{"links", "", LINKS, 1, LINKS}};

/* A chain. Positions depend on all lengths above them, inertias on a length and a mass. A spline has
 * derived curvatures, some sums cancel over subsets, and one parameter moves nothing. */
static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  const int links = gradyn_setting_value(model, "links");
  const gradyn_scalar *length = rho, *mass = rho + links, *u = mass + links, *odd = u + KNOTS;
  gradyn_scalar x = 0;
  int last = gradyn_ground_point(model, "top", 0, odd[0] - odd[1]);
  builds++;
  for (int k = 0; k < links; k++) {
    x += length[k] / links;
    int next = gradyn_point(model, gradyn_format_name(model, "P%d", k), x, odd[0] - odd[1]);
    gradyn_rod(model, &(gradyn_rod_spec){gradyn_format_name(model, "link%d", k), last, next,
                                         .length = length[k] / links, .mass = mass[k] / links});
    last = next;
  }
  int signal = declare_signal(model, "u", "", GRADYN_CUBIC_SPLINE, KNOTS, u);
  gradyn_force(model,
               &(gradyn_force_spec){"push", last, odd[2] * odd[3], 1 + 1e-14 * odd[4], signal, 0});
  gradyn_gravity(model, odd[0] - odd[1] - odd[2] + odd[3], -9.81);
  gradyn_minimise(
      model,
      gradyn_functional(model,
                        &(gradyn_functional_spec){
                            "tip", gradyn_measure_point(model, "", last, 0, GRADYN_ALL_AXES),
                            .reduction = GRADYN_SQUARE_INTEGRAL, .target = {0.6, -0.4}}),
      1);
  gradyn_functional(
      model, &(gradyn_functional_spec){"end", gradyn_measure_point(model, "", last, 1, GRADYN_X),
                                       .reduction = GRADYN_AT_END});
  gradyn_functional(model,
                    &(gradyn_functional_spec){"effort", gradyn_measure_signal(model, "", signal),
                                              .reduction = GRADYN_SQUARE_INTEGRAL});
  return gradyn_build_status(model);
}

static const gradyn_problem problem = PROBLEM("chain", build, params, .settings = settings,
                                              .setting_count = GRADYN_COUNT(settings), .t_end = 0.1,
                                              .method = "ali3p", .step = 2e-3);

/* Adjoints x_bar [F][nx] of all data, or of a part of them. */
static void fill_bars(const gradyn_model *model, int kind, double *x_bar)
{
  unsigned seed = 4711;
  for (int i = 0; i < F * model->nx; i++) {
    const char *name = model->entry[i % model->nx].name;
    seed = seed * 1664525u + 1013904223u;
    bool passes = kind == 0 || (kind == 1 && name[0] != 'P') ||
                  (kind == 2 && strcmp(name, "link112.mass") == 0);
    x_bar[i] = passes ? (seed >> 8) / 16777216.0 - 0.5 : 0;
  }
}

/* Computes gradients by one build for each parameter, and marks the parameters that move data. */
static void expect(gradyn_model *model, gradyn_scalar rho[], const double *x_bar,
                   double (*gradient)[PARAMETERS], bool *moved)
{
  for (int k = 0; k < model->nx; k++)
    moved[k] = false;
  for (int j = 0; j < PARAMETERS; j++) {
    gradyn_scalar keep = rho[j];
    rho[j] += GRADYN_COMPLEX_STEP * I;
    assert_ok(gradyn_model_refresh(model, rho), model->message.text);
    rho[j] = keep;
    for (int k = 0; k < model->nx; k++)
      moved[k] = moved[k] || cimag(model->value[k]) != 0;
    for (int f = 0; f < F; f++) {
      gradient[f][j] = 0;
      for (int k = 0; k < model->nx; k++)
        gradient[f][j] += x_bar[f * model->nx + k] * cimag(model->value[k]) / GRADYN_COMPLEX_STEP;
    }
  }
}

TEST(chains_are_those_of_single_builds)
{
  /* Upper bounds on the number of builds; one build for each parameter would need 506. All data: each
   * length moves all positions after it. Without adjoints of positions: lengths and masses are separated in
   * groups. A single datum needs only the builds before the sweep. */
  const int most[] = {PARAMETERS - 50, 200, 20};
  gradyn_message message = {{0}};
  const gradyn_setting_choice all = {"links", LINKS};
  LOCAL(gradyn_parameters) parameters;
  gradyn_model *model;
  LOCAL(gradyn_directions) d = {0};
  gradyn_scalar rho[PARAMETERS];
  static double expected[F][PARAMETERS], gradient[F][PARAMETERS];
  for (int j = 0; j < PARAMETERS; j++)
    rho[j] = 0.9 + 0.01 * (j % 17);
  assert_ok(gradyn_parameters_create(&problem, &all, 1, &message, &parameters), message.text);
  assert_int_equal(parameters.count, PARAMETERS);
  assert_ok(gradyn_model_create(&problem, &all, 1, 0, rho, &model), NULL);
  size_t nx = (size_t)model->nx;
  FREED bool *active = malloc(nx * sizeof *active), *moved = malloc(nx * sizeof *moved);
  FREED double *x_bar = malloc(F * nx * sizeof *x_bar);
  for (int kind = 0; kind < 3; kind++) {
    fill_bars(model, kind, x_bar);
    expect(model, rho, x_bar, expected, moved);
    builds = 0;
    assert_ok(gradyn_chain_begin(model, &parameters, rho, &d, active), model->message.text);
    assert_memory_equal(active, moved, nx * sizeof *moved);
    assert_ok(gradyn_chain_apply(model, F, rho, &d, x_bar, gradient[0]), model->message.text);
    assert_true(builds <= most[kind]);
    for (int again = 0; again < 2; again++) {
      for (int f = 0; f < F; f++)
        for (int j = 0; j < PARAMETERS; j++)
          assert_close(gradient[f][j], expected[f][j], 1e-12, 1e-13);
      /* the adjoints of another sweep must need no further builds */
      fill_bars(model, kind, x_bar);
      assert_ok(gradyn_chain_apply(model, F, rho, &d, x_bar, gradient[0]), model->message.text);
    }
    for (int j = 0; j < PARAMETERS; j++)
      assert_true(cimag(rho[j]) == 0);
  }
  gradyn_model_free(model);
}

/* Computes gradients of a chain with this number of links by a method; returns the number of parameters. */
static size_t differentiate(const char *method, const char *sensitivity, int links,
                            double gradient[F * PARAMETERS])
{
  double rho[PARAMETERS], psi[F];
  run_local *ev = run_with(&problem, .method = method, .sensitivity = sensitivity, .rtol = 1e-7,
                           .setting = "links", .value = links);
  const size_t p = gradyn_parameter_count(ev);
  run_initial(ev, rho);
  assert_run(gradyn_evaluator_gradient(ev, rho, psi, gradient), ev);
  return p;
}

TEST(adjoint_agrees_with_direct)
{
  static double adjoint[F * PARAMETERS], direct[F * PARAMETERS];
  /* the last two methods repeat gradients to estimate their error; all use the same chain rule */
  const struct {
    const char *method;
    int links;
    double relative, absolute;
  } of[] = {{"ali3p", support_thorough() ? 60 : 20, 1e-8, 1e-11},
            {"explicit", support_thorough() ? 8 : 4, 1e-6, 1e-8},
            {"idas", 2, 1e-6, 1e-8}};
  for (int k = 0; k < (support_thorough() ? 3 : 2); k++) {
    const size_t p = differentiate(of[k].method, "adjoint", of[k].links, adjoint);
    (void)differentiate(of[k].method, "direct", of[k].links, direct);
    for (size_t i = 0; i < F * p; i++)
      assert_close(adjoint[i], direct[i], of[k].relative, of[k].absolute);
  }
}
