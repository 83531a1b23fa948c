/* Errors of gradients by fixed steps are reported with their size if they exceed a thousandth, and
 * otherwise not. All schemes and sensitivities of a double pendulum are compared with a gradient that is
 * accurate to 1e-12. */
#include "tests/runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { P = 2, F = 3, MOST_DATA = 64 };

static gradyn_status build(gradyn_model *m, const gradyn_scalar rho[])
{
  const int hinge = gradyn_ground_point(m, "hinge", 0, 0), elbow = gradyn_point(m, "elbow", 1, 0),
            tip = gradyn_point(m, "tip", 1 + rho[1], 0);
  gradyn_rod(m, &(gradyn_rod_spec){"upper", hinge, elbow, .length = 1, .mass = 1});
  gradyn_rod(m, &(gradyn_rod_spec){"lower", elbow, tip, .length = rho[1], .mass = rho[0]});
  gradyn_gravity(m, 0, -9.81);
  gradyn_functional(m, &(gradyn_functional_spec){"x", gradyn_measure_point(m, "", tip, 0, GRADYN_X),
                                                 .reduction = GRADYN_AT_END});
  gradyn_functional(
      m, &(gradyn_functional_spec){"speed", gradyn_measure_point(m, "", tip, 1, GRADYN_ALL_AXES),
                                   .reduction = GRADYN_SQUARE_INTEGRAL});
  gradyn_functional(
      m, &(gradyn_functional_spec){"energy", gradyn_measure_energy(m, ""),
                                   .reduction = GRADYN_AT_END}); /* vanishes, and its derivatives */
  return gradyn_build_status(m);
}

static const gradyn_param params[P] = {{"mass", "kg", .init = 2, GRADYN_UNBOUNDED},
                                       {"length", "m", .init = 0.6, GRADYN_UNBOUNDED}};
static const gradyn_problem problem = {GRADYN_PROBLEM_SIZES, .name = "double", .params = params,
                                       .param_count = P,     .build = build,   .t_end = 2};

/* The largest error of a functional's derivatives relative to the largest derivative, over all functionals
 * except the energy. */
static double error_of(const double *g, const double *exact, size_t columns)
{
  double worst = 0;
  for (size_t f = 0; f + 1 < F; f++) {
    double most = 0, error = 0;
    for (size_t j = 0; j < columns; j++) {
      most = fmax(most, fabs(exact[f * columns + j]));
      error = fmax(error, fabs(g[f * columns + j] - exact[f * columns + j]));
    }
    worst = fmax(worst, error / most);
  }
  return worst;
}

static double take(const run_setup *setup, bool data, double *gradient, size_t *columns, char *text,
                   size_t size)
{
  const double rho[P] = {2, 0.6};
  double psi[F], told = 0;
  run_local *ev = run_open(setup);
  *columns = data ? (size_t)ev->public_count : P;
  assert_true(*columns <= MOST_DATA);
  if (data)
    assert_run(gradyn_evaluator_data_gradient(ev, rho, psi, gradient), ev);
  else
    assert_run(gradyn_evaluator_gradient(ev, rho, psi, gradient), ev);
  snprintf(text, size, "%s", gradyn_evaluator_warnings(ev));
  for (size_t i = 0; i < gradyn_evaluator_statistics(ev).warnings; i++) {
    const gradyn_warning w = gradyn_evaluator_warning_at(ev, i);
    /* the limit in the warning is a thousandth of the largest derivative */
    if (w.code == GRADYN_WARNING_GRADIENT_ACCURACY && strncmp(w.subject, "energy", 6) != 0)
      told = fmax(told, 1e-3 * w.value / w.limit);
  }
  return told;
}

static const struct row {
  const char *method, *integrator, *sensitivity;
  /* steps in s: the coarse one must have a warning, the fine one none; 0: no step is that fine */
  double parameter, coarse, fine;
} rows[] = {
    {"ali3p", NULL, "adjoint", 0, 1e-2, 5e-4},       {"ali3p", NULL, "direct", 0, 1e-2, 5e-4},
    {"ali3p", "hht", "adjoint", -0.1, 1e-2, 5e-4},   {"ali3p", "newmark", "direct", 0.6, 1e-2, 0},
    {"variational", NULL, "adjoint", 0, 1e-2, 5e-4}, {"variational", NULL, "direct", 0, 1e-2, 5e-4},
    {"explicit", NULL, "adjoint", 0, 0, 1e-2},
};

THOROUGH_TEST(errors_of_steps_are_reported)
{
  static double exact[F * MOST_DATA], gradient[F * MOST_DATA];
  char text[2048];
  size_t columns;
  for (size_t i = 0; i < 2 * GRADYN_COUNT(rows); i++) {
    const struct row *r = &rows[i / 2];
    const bool data = i % 2 && strcmp(r->method, "explicit") != 0;
    (void)take(&(run_setup){.problem = &problem, .method = "explicit", .rtol = 1e-12}, data, exact,
               &columns, text, sizeof text);
    for (int fine = r->coarse > 0 ? 0 : 1; fine < (r->fine > 0 ? 2 : 1); fine++) {
      const run_setup setup = {.problem = &problem,
                               .method = r->method,
                               .integrator = r->integrator,
                               .integrator_parameter = r->parameter,
                               .sensitivity = r->sensitivity,
                               .step = fine ? r->fine : r->coarse};
      const double told = take(&setup, data, gradient, &columns, text, sizeof text),
                   error = error_of(gradient, exact, columns);
      if (fine ? *text != '\0' : told < error / 3 || told > 3 * error || error < 2e-3)
        fail_msg("%s %s, step %g s: error %g, told %g: \"%s\"", r->method, r->sensitivity,
                 setup.step, error, told, text);
    }
  }
}

/* The check compares both sensitivities with the same steps, and must report the long steps only once. */
TEST(a_check_reports_long_steps_once)
{
  const double rho[P] = {2, 0.6};
  gradyn_check_item items[4];
  size_t count;
  run_local *ev = run_with(&problem, .method = "ali3p", .step = 1e-2);
  assert_run(gradyn_evaluator_check(ev, rho, NULL, items, 4, &count), ev);
  const char *first = strstr(gradyn_evaluator_warnings(ev), "the derivative of x by");
  if (!first || strstr(first + 1, "the derivative of x by"))
    fail_msg("%s", gradyn_evaluator_warnings(ev));
}
