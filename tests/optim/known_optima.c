/* Problems with known optima, and results of searches for them. */
#include "tests/optim/known_optima.h"
#include "tests/runs.h"
#include "tests/random.h"

/* --- Functions -------------------------------------------------------------------------------- */

/* least + 1/2 sum lam_i y_i^2, where y = Q (x - 1), Q = I - 2/n e e^T is a reflection, and lam_i varies
 * from 1 to 1/shape. */
SYNTHETIC(quadratic)
{
  const size_t n = problem->n;
  double y[SYNTHETIC_MAX], mean = 0, ly_mean = 0;
  for (size_t i = 0; i < n; i++)
    mean += (x[i] - 1) / (double)n;
  psi[0] = problem->least;
  for (size_t i = 0; i < n; i++) {
    const double lam = pow(problem->shape, -(double)i / (double)(n - 1));
    y[i] = x[i] - 1 - 2 * mean;
    psi[0] += 0.5 * lam * y[i] * y[i];
    y[i] *= lam;
    ly_mean += y[i] / (double)n;
  }
  for (size_t i = 0; i < n; i++)
    gradient[i] = y[i] - 2 * ly_mean;
}

/* least + a (x1 - x0^2)^2 + (1 - x0)^2; the condition number at (1, 1) is about 25 a. */
SYNTHETIC(valley)
{
  const double a = problem->shape / 25, r = x[1] - x[0] * x[0];
  psi[0] = problem->least + a * r * r + (1 - x[0]) * (1 - x[0]);
  gradient[0] = -4 * a * r * x[0] - 2 * (1 - x[0]);
  gradient[1] = 2 * a * r;
}

/* Fit of x0 exp(-x1 t) + x2 to its own values at (1, 1, 1), plus the constant `least`. */
SYNTHETIC(decay)
{
  enum { TIMES = 12 };
  for (int k = 0; k < TIMES; k++) {
    const double t = 0.25 * k, e = exp(-x[1] * t), r = x[0] * e + x[2] - exp(-t) - 1;
    psi[0] += r * r;
    gradient[0] += 2 * r * e;
    gradient[1] -= 2 * r * x[0] * t * e;
    gradient[2] += 2 * r;
  }
  psi[0] += problem->least;
}

/* Powell (1962): the second derivatives are singular at the optimum 0. */
SYNTHETIC(singular)
{
  const double a = x[0] + 10 * x[1], b = x[2] - x[3], c = x[1] - 2 * x[2], d = x[0] - x[3];
  psi[0] = a * a + 5 * b * b + pow(c, 4) + 10 * pow(d, 4);
  gradient[0] = 2 * a + 40 * pow(d, 3);
  gradient[1] = 20 * a + 4 * pow(c, 3);
  gradient[2] = 10 * b - 8 * pow(c, 3);
  gradient[3] = -10 * b - 40 * pow(d, 3);
}

/* A quadratic whose sum of parameters is prescribed; at (1, ..., 1) its value is that of the bowl plus n. */
SYNTHETIC(sum_required)
{
  quadratic(problem, x, psi, gradient);
  for (size_t i = 0; i < problem->n; i++) {
    psi[0] += x[i];
    gradient[i] += 1;
    psi[1] += x[i];
    gradient[problem->n + i] = 1;
  }
}

/* A linear objective over a disk: -x0 - x1 with x0^2 + x1^2 <= 2. */
SYNTHETIC(disk)
{
  psi[0] = problem->least - problem->shape * (x[0] + x[1] - 2);
  psi[1] = x[0] * x[0] + x[1] * x[1];
  for (int j = 0; j < 2; j++) {
    gradient[j] = -problem->shape;
    gradient[2 + j] = 2 * x[j];
  }
}

/* The valley with the constraint x0 <= 1/2, which makes (1/2, 1/4) the optimum. */
SYNTHETIC(walled)
{
  valley(problem, x, psi, gradient);
  psi[1] = x[0];
  gradient[2] = 1;
}

/* --- The list --------------------------------------------------------------------------------- */

#define ONES                                                                                       \
  {                                                                                                \
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1                                                                   \
  }
#define BOWL(condition, value)                                                                     \
  {                                                                                                \
    "quadratic " #condition " least " #value, ONES, value, -4, 4, 8, 1, -5, 5, quadratic,          \
        condition, .constraint = {                                                                 \
          {0}                                                                                      \
        }                                                                                          \
  }
#define VALLEY(condition, value)                                                                   \
  {                                                                                                \
    "valley " #condition " least " #value, {1, 1}, value, -2, 2, 2, 1, -5, 5, valley, condition,   \
        .constraint = {                                                                            \
          {0}                                                                                      \
        }                                                                                          \
  }

const known_optimum known_optima[] = {
    BOWL(1, 1),
    BOWL(1e2, 1),
    BOWL(1e4, 1),
    BOWL(1e6, 1),
    BOWL(1e8, 1),
    BOWL(1, 0),
    BOWL(1e2, 0),
    BOWL(1e4, 0),
    BOWL(1e6, 0),
    BOWL(1e8, 0),
    VALLEY(1e2, 0),
    VALLEY(1e4, 0),
    VALLEY(1e6, 0),
    VALLEY(1e8, 0),
    VALLEY(1e4, 1e-4),
    VALLEY(1e8, 1),
    {"decay to zero", ONES, 0, 0.2, 3, 3, 1, 0.05, 5, decay, 0, .constraint = {{0}}},
    {"decay to 1e-3", ONES, 1e-3, 0.2, 3, 3, 1, 0.05, 5, decay, 0, .constraint = {{0}}},
    {"decay to 1e-6", ONES, 1e-6, 0.2, 3, 3, 1, 0.05, 5, decay, 0, .constraint = {{0}}},
    {"singular", {0}, 0, -3, 3, 4, 1, -5, 5, singular, 0, .constraint = {{0}}},
    {"hs071",
     {1, 4.7429996, 3.8211500, 1.3794083},
     17.0140173,
     0,
     0,
     4,
     3,
     1,
     5,
     hs071,
     0,
     .constraint = {{GRADYN_AT_LEAST, 25}, {GRADYN_EQUAL, 40}},
     .start_radius = 0.25},
    {"sum required 1e2", ONES, 9, -4, 4, 8, 2, -5, 5, sum_required, 1e2,
     .constraint = {{GRADYN_EQUAL, 8}}},
    {"sum required 1e6", ONES, 9, -4, 4, 8, 2, -5, 5, sum_required, 1e6,
     .constraint = {{GRADYN_EQUAL, 8}}},
    {"disk", {1, 1}, 1, -4, 4, 2, 2, -5, 5, disk, 1, .constraint = {{GRADYN_AT_MOST, 2}}},
    {"walled valley",
     {0.5, 0.25},
     1.25,
     -2,
     2,
     2,
     2,
     -5,
     5,
     walled,
     1e4,
     .constraint = {{GRADYN_AT_MOST, 0.5}}},
    {"crank on a circle",
     {0.2, 0.1, 0.5, 0},
     0,
     .problem = &known_crank_circle,
     .start_radius = 0.3},
    {"crank near an ellipse",
     {0.2, 0.1, 0.4, 0},
     0.01,
     .problem = &known_crank_ellipse,
     .start_radius = 0.3},
    {"crank near a circle",
     {0.2, 0.1, 0.4995, 0},
     2.5e-7,
     .problem = &known_crank_nearly,
     .start_radius = 0.3},
    {"crank too short",
     {0.2, 0.1, 0.35, 0},
     0.0125,
     .problem = &known_crank_short,
     .start_radius = 0.3},
    {"double integrator",
     {6, 2, -2, -6},
     12,
     .problem = &gradyn_problem_double_integrator,
     .start_radius = 0.3},
};
const size_t known_optima_count = sizeof known_optima / sizeof known_optima[0];

/* --- Searches --------------------------------------------------------------------------------- */

/* A start within start_radius of the optimum, as a fraction of the width of the bounds. */
static double start_near(const known_optimum *known, size_t j, double lower, double upper,
                         uint64_t *seed)
{
  const double width = upper - lower, off = known->start_radius * (2 * random_unit(seed) - 1);
  return fmin(fmax(known->x[j] + off * (isfinite(width) ? width : 20), lower), upper);
}

static gradyn_status search_functions(const known_optimum *known, uint64_t seed,
                                      gradyn_search_result *result)
{
  synthetic problem = synthetic_make(known->n, known->lower, known->upper, known->m, known->fill);
  problem.shape = known->shape;
  problem.least = known->f;
  /* the linear part adds n to the value */
  if (known->fill == sum_required)
    problem.least = known->f - (double)known->n;
  if (known->fill == walled)
    problem.least = known->f - 0.25;
  gradyn_search search = synthetic_search(NULL);
  search.max_evaluations = 3000;
  double start[SYNTHETIC_MAX];
  for (size_t i = 1; i < known->m; i++)
    if (known->constraint[i - 1].use != GRADYN_MONITORED)
      synthetic_constrain(&problem, i, known->constraint[i - 1].use,
                          known->constraint[i - 1].bound);
  for (size_t j = 0; j < known->n; j++)
    start[j] = known->start_radius > 0
                   ? start_near(known, j, known->lower, known->upper, &seed)
                   : known->from + (known->to - known->from) * random_unit(&seed);
  return synthetic_run(&problem, &search, start, result);
}

static gradyn_status search_simulations(const known_optimum *known, uint64_t seed,
                                        gradyn_search_result *result, size_t *n)
{
  const char *setting = known->problem->setting_count > 0 ? "knots" : NULL;
  run_local *evaluator = run_with(known->problem, .setting = setting, .value = 4);
  double start[SYNTHETIC_MAX];
  *n = gradyn_parameter_count(evaluator);
  for (size_t j = 0; j < *n; j++) {
    const gradyn_parameter_info info = gradyn_parameter_at(evaluator, j);
    start[j] = start_near(known, j, info.lower, info.upper, &seed);
  }
  gradyn_search search = run_search(evaluator);
  return gradyn_optimise(evaluator, &search, start, result);
}

known_verdict known_optimum_search(const known_optimum *known, uint64_t seed)
{
  LOCAL(gradyn_search_result) result;
  known_verdict verdict = {.distance = 0};
  size_t n = known->n;
  if (known->fill)
    (void)search_functions(known, seed, &result);
  else
    (void)search_simulations(known, seed, &result, &n);
  for (size_t j = 0; j < n; j++)
    verdict.distance = fmax(verdict.distance,
                            fabs(result.rho[j] - known->x[j]) / result.parameter_scale[j]);
  const bool near = fabs(result.objective - known->f) <= 1e-4 * fabs(known->f);
  verdict.said = result.termination == GRADYN_TERMINATION_OPTIMAL;
  verdict.is = result.violation <= 1 && (near || verdict.distance <= 1e-3);
  verdict.evaluations = result.evaluations;
  verdict.objective = result.objective;
  memcpy(verdict.reason, result.reason, sizeof verdict.reason);
  return verdict;
}
