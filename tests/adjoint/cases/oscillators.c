/* Oscillators with different masses as load cases, and as copies in one model. */
#include "tests/adjoint/cases/oscillators.h"

#include <complex.h>

#include "tests/declare.h"

/* z'' = (cos 3t - c z' - k z)/m for each copy. Data: k, c, m. */
static gradyn_status motion(const gradyn_at *at, gradyn_scalar F_[])
{
  for (int i = 0; i < at->states / 2; i++) {
    const gradyn_scalar *d = at->data + 3 * i, z = at->y[2 * i], v = at->y[2 * i + 1];
    F_[2 * i] = at->yp[2 * i] - v;
    F_[2 * i + 1] = at->yp[2 * i + 1] - (cos(3 * at->t) - d[1] * v - d[0] * z) / d[2];
  }
  return GRADYN_OK;
}

/* The square of a state. */
static gradyn_status square(const gradyn_at *at, gradyn_scalar *value)
{
  const int slot = *(const int *)at->user;
  *value = at->y[slot] * at->y[slot];
  return GRADYN_OK;
}

/* Declares a copy of the oscillator for each of these masses. */
static gradyn_status declare(gradyn_model *model, const gradyn_scalar rho[], const double mass[],
                             int copies)
{
  static const int slot[2 * K] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  gradyn_datum data[3 * K];
  for (int i = 0; i < copies; i++) {
    gradyn_state(model, gradyn_format_name(model, "z%d", i), "m", 0);
    gradyn_state(model, gradyn_format_name(model, "v%d", i), "m/s", 0);
    data[3 * i] = (gradyn_datum){gradyn_format_name(model, "k%d", i), "N/m", rho[0]};
    data[3 * i + 1] = (gradyn_datum){gradyn_format_name(model, "c%d", i), "N s/m", rho[1]};
    data[3 * i + 2] = (gradyn_datum){gradyn_format_name(model, "m%d", i), "kg", mass[i]};
  }
  gradyn_equations(
      model, &(gradyn_equations_spec){.residual = motion, .data = data, .data_count = 3 * copies});
  for (int i = 0; i < copies; i++)
    for (int f = 0; f < 2; f++) {
      const gradyn_measure_id measure = gradyn_measure_custom(
          model, &(gradyn_custom_measure_spec){.name = gradyn_format_name(model, "m%d%d", i, f),
                                               .formula = square,
                                               .user = (void *)(size_t)&slot[2 * i + f]});
      const gradyn_functional_id id = gradyn_functional(
          model, &(gradyn_functional_spec){.name = gradyn_format_name(model, "f%d%d", i, f),
                                           .measure = measure});
      gradyn_minimise(model, id, 1 + f);
    }
  for (int i = 0; i < copies; i++)
    gradyn_constrain(model,
                     gradyn_design_functional(model, gradyn_format_name(model, "rate%d", i),
                                              "1/s^2", rho[0] / mass[i]),
                     -HUGE_VAL, 20, 1e-6);
  return gradyn_build_status(model);
}

static const double masses[3] = {1, 1.5, 2.5};
const double oscillator_weights[3] = {1, 0.5, 2};

static gradyn_status build_all(gradyn_model *model, const gradyn_scalar rho[])
{
  return declare(model, rho, masses, 3);
}

static gradyn_status build_one(gradyn_model *model, const gradyn_scalar rho[])
{
  const double mass = gradyn_case_value(model, "mass", 1);
  return declare(model, rho, &mass, 1);
}

static const gradyn_param params[P] = {{"k", "N/m", .init = 8, .lower = 1, .upper = 20},
                                       {"c", "N s/m", .init = 0.7, .lower = 0.1, .upper = 5}};
const char *const oscillator_names[K] = {"a", "b", "c", "d", "e", "f", "g", "h"};
const char *const oscillator_columns[2] = {"mass", "weight"};
static const double values[] = {1, 1, 1.5, 0.5, 2.5, 2};
static const gradyn_cases three = {.names = oscillator_names,
                                   .columns = oscillator_columns,
                                   .values = values,
                                   .count = 3,
                                   .column_count = 2};
const gradyn_problem oscillators_together = PROBLEM("together", build_all, params, .t_end = 2);
const gradyn_problem oscillators_apart = PROBLEM("apart", build_one, params, .t_end = 2,
                                                 .cases = &three);

/* Creates an evaluator of a problem with fixed steps. */
gradyn_evaluator *oscillators_open(const gradyn_problem *problem, const char *method,
                                   const char *sensitivity, const char *over, long jobs)
{
  gradyn_options options;
  gradyn_evaluator *ev;
  gradyn_options_default(problem, &options);
  options.method = method;
  options.sensitivity = sensitivity;
  options.step = 0.01;
  options.over_cases = over;
  options.jobs = jobs;
  assert_run(gradyn_evaluator_create(problem, &options, NULL, 0, &ev), ev);
  return ev;
}
