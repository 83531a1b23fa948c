/* Covariances of fitted parameters, and directions that the data do not determine.
 *
 * Bounds and constraints leave the directions Z free. In these directions, M = Z^T A Z with the curvature A
 * of the fit. M is scaled by the roots of its diagonal D. The scaled matrix has eigenvalues l and vectors
 * q, which do not depend on units. Directions v = Z D^-1/2 q have the standard deviations s/sqrt(l), where
 * s^2 is the variance of the residuals. The covariance is the sum of s^2 v v^T/l. With a robust loss it is
 * the sandwich M^-1 Z^T B Z M^-1 (Huber 1967); B is the sum of the products of the gradients of data. */
#include <gradyn/inference.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "adjoint/evaluator/evaluator.h"
#include "core/base/owned.h"
#include "core/linear/symmetric.h"
#include "optim/inference/distributions.h"
#include "optim/inference/residual_tests.h"
#include "optim/inference/tangent.h"
#include "optim/rounds/resume.h"
#include "optim/study/account.h"

/* A computation of inference. Rows and columns of matrices belong to free parameters, in their units. */
typedef struct inferring {
  gradyn_evaluator *evaluator;
  const gradyn_program *program;
  gradyn_trial point;
  gradyn_scores scores;
  gradyn_bound_side *side; /* [n] */
  double *x;               /* [n] in units */
  double *Z;               /* [n][n], m columns */
  double *q, *l;           /* [m][m] row k: eigenvector k; [m], ascending */
  double *v;               /* [m][n] row k: direction k, as a step of the parameters */
  double *C;               /* [n][n] */
  double *work;            /* [m][m] and more */
  size_t m, unknown; /* unknown: number of directions without effect on the fit; they come first */
  double length;     /* half the length of an interval, in standard deviations */
  gradyn_arena arena;
  gradyn_inference *out;
} inferring;

static gradyn_status no_memory(const inferring *s)
{
  return gradyn_fail(&s->evaluator->message, GRADYN_NO_MEMORY, "out of memory for covariances");
}

/* --- the point -------------------------------------------------------------------------------- */

/* Computes the gradients of all functionals, from which their deviations follow. */
static gradyn_status evaluate(inferring *s, const double rho[])
{
  if (!gradyn_trial_allocate(&s->point, s->program))
    return no_memory(s);
  memcpy(s->point.rho, rho, s->out->parameters * sizeof *rho);
  GRADYN_TRY(gradyn_evaluator_gradient(s->evaluator, rho, s->point.psi, s->point.gradient));
  gradyn_program_convert(s->program, rho, false, s->point.gradient);
  return GRADYN_OK;
}

static gradyn_status take_arrays(inferring *s)
{
  const size_t n = s->program->n;
  s->side = gradyn_arena_take(&s->arena, n, sizeof *s->side);
  s->x = gradyn_arena_numbers(&s->arena, n);
  s->Z = gradyn_arena_numbers(&s->arena, n * n);
  s->q = gradyn_arena_numbers(&s->arena, n * n);
  s->l = gradyn_arena_numbers(&s->arena, n);
  s->v = gradyn_arena_numbers(&s->arena, n * n);
  s->C = gradyn_arena_numbers(&s->arena, n * n);
  s->work = gradyn_arena_numbers(&s->arena, n * n + GRADYN_SYMMETRIC_WORK(n));
  if (gradyn_arena_status(&s->arena) != GRADYN_OK)
    return no_memory(s);
  for (size_t j = 0; j < n; j++)
    s->x[j] = gradyn_program_variable(s->program, j, s->point.rho[s->program->varied[j]]);
  return GRADYN_OK;
}

/* Finds the tangent space of the constraints before the active bounds: whether a bound is active depends on
 * the gradient that the constraints do not balance. */
static gradyn_status find_tangent(inferring *s)
{
  const gradyn_program *p = s->program;
  gradyn_status status = gradyn_tangent_find(p, &s->point, s->side, &s->arena, s->Z, &s->m);
  if (status == GRADYN_OK) {
    gradyn_sides_find(p, &s->scores, s->Z, s->m, s->x, s->side);
    status = gradyn_tangent_find(p, &s->point, s->side, &s->arena, s->Z, &s->m);
  }
  return status == GRADYN_NO_MEMORY ? no_memory(s) : status;
}

/* --- directions ------------------------------------------------------------------------------- */

/* out [m][m] = Z^T A Z. */
static void project(const inferring *s, const double A[], double out[])
{
  const size_t n = s->program->n, m = s->m;
  memset(out, 0, m * m * sizeof *out);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++)
      for (size_t a = 0; a < m; a++)
        for (size_t b = 0; b < m; b++)
          out[a * m + b] += s->Z[i * n + a] * A[i * n + j] * s->Z[j * n + b];
}

/* Computes the eigenvalues of M, scaled by the roots of its diagonal, and the directions. */
static gradyn_status find_directions(inferring *s)
{
  const size_t n = s->program->n, m = s->m;
  double *root = s->C; /* scratch memory until the covariance is filled */
  project(s, s->scores.A, s->q);
  for (size_t a = 0; a < m; a++)
    root[a] = s->q[a * m + a] > 0 ? sqrt(s->q[a * m + a]) : 1;
  for (size_t a = 0; a < m; a++)
    for (size_t b = 0; b < m; b++)
      s->q[a * m + b] /= root[a] * root[b];
  if (!gradyn_symmetric_eigen(m, s->q, s->l, s->work))
    return gradyn_fail(&s->evaluator->message, GRADYN_NOT_CONVERGED,
                       "covariance: its eigenvalues were not found");
  for (size_t k = 0; k < m; k++)
    for (size_t i = 0; i < n; i++) {
      s->v[k * n + i] = 0;
      for (size_t a = 0; a < m; a++)
        s->v[k * n + i] += s->Z[i * n + a] * s->q[k * m + a] / root[a];
    }
  while (s->unknown < m && gradyn_direction_vanishes(s->l[s->unknown]))
    s->unknown++;
  return GRADYN_OK;
}

/* Computes the variance of residuals, the degrees of freedom, and the test of the sum of squares. */
static void judge_fit(inferring *s)
{
  gradyn_inference *out = s->out;
  const gradyn_scores *scores = &s->scores;
  out->data = scores->data;
  out->estimated = s->m - s->unknown;
  out->robust = scores->robust;
  out->variance = 1;
  out->degrees = HUGE_VAL;
  out->square_probability = NAN;
  const bool more = out->data > out->estimated;
  const size_t degrees = more ? out->data - out->estimated : 0;
  if (!scores->weighted && !scores->robust && !scores->estimated) {
    out->variance = more ? scores->square_sum / (double)degrees : NAN;
    out->degrees = more ? (double)degrees : NAN;
  } else if (more && !scores->robust && !scores->estimated) {
    out->square_probability = gradyn_chi_square_tail(scores->square_sum, degrees);
  }
  s->length = more || isinf(out->degrees) ? gradyn_student_95(out->degrees) : NAN;
}

/* --- covariance ------------------------------------------------------------------------------- */

/* Coefficient of v_k v_h^T in the covariance: s^2/l_k if k = h, otherwise 0. With a robust loss: v_k^T B
 * v_h/(l_k l_h) times data/(data - estimated). */
static double coefficient(const inferring *s, size_t k, size_t h)
{
  const size_t n = s->program->n;
  if (!s->out->robust)
    return k == h ? s->out->variance / s->l[k] : 0;
  double sum = 0;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++)
      sum += s->v[k * n + i] * s->scores.B[i * n + j] * s->v[h * n + j];
  const double data = (double)s->out->data;
  return sum / (s->l[k] * s->l[h]) * data / (data - (double)s->out->estimated);
}

/* Fills the covariance C [n][n] of the free parameters from the determined directions. Only with robust
 * losses are two directions coupled. */
static void fill_covariance(inferring *s)
{
  const size_t n = s->program->n;
  memset(s->C, 0, n * n * sizeof *s->C);
  for (size_t k = s->unknown; k < s->m; k++)
    for (size_t h = s->out->robust ? s->unknown : k; h < (s->out->robust ? s->m : k + 1); h++) {
      const double c = coefficient(s, k, h);
      for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
          s->C[i * n + j] += c * s->v[k * n + i] * s->v[h * n + j];
    }
  /* symmetric to the last bit, as gradyn_covariance_compute() requires */
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < i; j++)
      s->C[i * n + j] = s->C[j * n + i] = 0.5 * (s->C[i * n + j] + s->C[j * n + i]);
}

/* Inverse of the deviation that free parameter j would have if all others were fixed; 1 if no datum depends
 * on it. */
static double weight_alone(const inferring *s, size_t j)
{
  const double curvature = s->scores.A[j * s->program->n + j];
  return curvature > 0 ? sqrt(curvature) : 1;
}

/* Whether a number with the gradient g [n] changes along a direction without effect on the fit. The parts
 * of g and of the direction are scaled by the deviations of single parameters. Parts of v are exact to the
 * root of round-off. */
static bool is_unknown(const inferring *s, const double g[])
{
  const size_t n = s->program->n;
  for (size_t k = 0; k < s->unknown; k++) {
    double sum = 0, g_size = 0, v_size = 0;
    for (size_t i = 0; i < n; i++) {
      sum += g[i] * s->v[k * n + i];
      g_size += fabs(g[i]) / weight_alone(s, i);
      v_size += fabs(s->v[k * n + i]) * weight_alone(s, i);
    }
    if (fabs(sum) > 1e-6 * g_size * v_size)
      return true;
  }
  return false;
}

/* --- results ---------------------------------------------------------------------------------- */

/* Whether an interval along direction k is longer than the range of a parameter. */
static bool is_loose(const inferring *s, size_t k)
{
  const gradyn_program *p = s->program;
  const double reach = k < s->unknown ? HUGE_VAL : s->length * sqrt(coefficient(s, k, k));
  for (size_t j = 0; j < p->n; j++)
    if (2 * reach * fabs(s->v[k * p->n + j]) > p->upper[j] - p->lower[j] &&
        fabs(s->v[k * p->n + j]) > 0)
      return true;
  return k < s->unknown;
}

/* Change of free parameter j, in its unit, by a step of one unit. */
static double step_of(const inferring *s, size_t j)
{
  return gradyn_program_step(s->program, j, s->point.rho[s->program->varied[j]]);
}

/* Size of parameter j in direction k, in deviations that the parameter would have if all others were fixed.
 */
static double part(const inferring *s, size_t k, size_t j)
{
  return fabs(s->v[k * s->program->n + j]) * weight_alone(s, j);
}

/* Appends direction k, with the names of the parameters that change most along it. */
static void add_direction(inferring *s, size_t k)
{
  gradyn_inference *out = s->out;
  const gradyn_program *p = s->program;
  gradyn_undetermined *d = &out->direction[out->directions++];
  double largest = 0;
  for (size_t j = 0; j < p->n; j++)
    largest = fmax(largest, part(s, k, j));
  d->deviation = k < s->unknown ? HUGE_VAL : sqrt(coefficient(s, k, k));
  for (size_t j = 0; j < p->n; j++)
    if (gradyn_part_is_named(part(s, k, j), largest)) {
      d->change[p->varied[j]] = s->v[k * p->n + j] * step_of(s, j);
      out->kind[p->varied[j]] = GRADYN_ESTIMATE_UNDETERMINED;
    }
}

/* Whether a parameter at a bound hardly affects the fit: over its whole range, the fit changes by less than
 * an interval allows. The change is estimated to second order, with all other parameters fixed. */
static bool is_idle(const inferring *s, size_t j)
{
  const gradyn_program *p = s->program;
  const double range = p->upper[j] - p->lower[j];
  const double change = fabs(s->scores.g[j]) * range +
                        s->scores.A[j * p->n + j] * range * range / 2;
  return isfinite(range) && change < s->length * s->length * s->out->variance / 2;
}

/* States which parameters are estimated, at bounds or fixed, and adds undetermined directions. */
static void add_kinds(inferring *s)
{
  gradyn_inference *out = s->out;
  const gradyn_program *p = s->program;
  for (size_t j = 0; j < out->parameters; j++)
    out->kind[j] = GRADYN_ESTIMATE_FIXED;
  for (size_t j = 0; j < p->n; j++)
    out->kind[p->varied[j]] = s->side[j] < 0   ? GRADYN_ESTIMATE_AT_LOWER
                              : s->side[j] > 0 ? GRADYN_ESTIMATE_AT_UPPER
                                               : GRADYN_ESTIMATE_DETERMINED;
  for (size_t k = 0; k < s->m; k++)
    if (is_loose(s, k))
      add_direction(s, k);
  for (size_t j = 0; j < p->n; j++)
    if (s->side[j] != 0 && is_idle(s, j)) {
      gradyn_undetermined *d = &out->direction[out->directions++];
      d->change[p->varied[j]] = step_of(s, j);
      d->deviation = NAN;
    }
}

/* Fills row i of the covariance; NAN where it is not determined. */
static void fill_row(inferring *s, size_t i, bool known[])
{
  gradyn_inference *out = s->out;
  const gradyn_program *p = s->program;
  const size_t n = p->n, a = p->varied[i], count = out->parameters;
  for (size_t j = 0; j < n; j++) {
    const size_t b = p->varied[j];
    const double unit = step_of(s, i) * step_of(s, j), c = s->C[i * n + j];
    if (!known[i] || !known[j])
      continue;
    out->covariance[a * count + b] = c * unit;
    out->correlation[a * count + b] = i == j ? 1 : c / sqrt(s->C[i * n + i] * s->C[j * n + j]);
  }
  const double half = known[i] ? s->length * sqrt(s->C[i * n + i]) * p->unit[i] : NAN;
  const double value = s->point.rho[a];
  const bool logarithmic = p->objective->parameters[a].logarithmic;
  out->deviation[a] = known[i] ? sqrt(s->C[i * n + i]) * step_of(s, i) : NAN;
  out->lower[a] = logarithmic ? value * exp(-half) : value - half;
  out->upper[a] = logarithmic ? value * exp(half) : value + half;
}

static gradyn_status fill_parameters(inferring *s)
{
  const gradyn_program *p = s->program;
  bool *known = gradyn_arena_take(&s->arena, p->n, sizeof *known);
  double *e = gradyn_arena_numbers(&s->arena, p->n);
  if (!known || !e)
    return no_memory(s);
  for (size_t i = 0; i < p->n; i++) {
    e[i] = 1;
    known[i] = s->C[i * p->n + i] > 0 && s->side[i] == 0 && !is_unknown(s, e);
    e[i] = 0;
  }
  for (size_t i = 0; i < p->n; i++)
    fill_row(s, i, known);
  return GRADYN_OK;
}

/* Fills the deviation sqrt(g^T C g) of each functional, where g is its gradient. */
static gradyn_status fill_functionals(inferring *s)
{
  const gradyn_program *p = s->program;
  double *g = gradyn_arena_numbers(&s->arena, p->n);
  if (!g)
    return no_memory(s);
  for (size_t k = 0; k < s->out->functionals; k++) {
    double sum = 0;
    memset(g, 0, p->n * sizeof *g);
    gradyn_program_add_gradient(p, k, 1, s->point.gradient, g);
    for (size_t i = 0; i < p->n; i++)
      for (size_t j = 0; j < p->n; j++)
        sum += g[i] * s->C[i * p->n + j] * g[j];
    s->out->functional_deviation[k] = is_unknown(s, g) ? NAN : sqrt(fmax(sum, 0));
    s->out->u[k] = s->scores.u[k];
  }
  return GRADYN_OK;
}

static void fill_tests(inferring *s)
{
  const gradyn_program *p = s->program;
  for (size_t k = 0; k < p->term_count; k++)
    gradyn_residuals_test(p->objective->functionals, s->out->functionals, p->terms[k].functional,
                          s->scores.u, &s->out->tests[s->out->fits++]);
}

/* --- the call --------------------------------------------------------------------------------- */

/* Allocates count numbers, all NAN. */
static double *take_nan(size_t count)
{
  double *numbers = calloc(count + 1, sizeof *numbers);
  for (size_t i = 0; numbers && i < count; i++)
    numbers[i] = NAN;
  return numbers;
}

static gradyn_status take_result(inferring *s)
{
  gradyn_inference *out = s->out;
  const size_t count = out->parameters, n = s->program->n;
  out->kind = calloc(count + 1, sizeof *out->kind);
  out->covariance = take_nan(count * count);
  out->correlation = take_nan(count * count);
  out->deviation = take_nan(count);
  out->lower = take_nan(count);
  out->upper = take_nan(count);
  out->functional_deviation = take_nan(out->functionals);
  out->u = take_nan(out->functionals);
  out->direction = calloc(n + 1, sizeof *out->direction);
  out->tests = calloc(s->program->term_count + 1, sizeof *out->tests);
  double *change = calloc((n + 1) * count + 1, sizeof *change);
  for (size_t k = 0; out->direction && k <= n; k++)
    /* one array for all directions, owned by the first */
    out->direction[k].change = change ? change + k * count : NULL;
  return out->kind && out->covariance && out->correlation && out->deviation && out->lower &&
                 out->upper && out->functional_deviation && out->u && out->direction &&
                 out->tests && change
             ? GRADYN_OK
             : no_memory(s);
}

static gradyn_status infer(inferring *s, const double rho[])
{
  if (!gradyn_gauss_newton_applies(s->program))
    return gradyn_fail(&s->evaluator->message, GRADYN_UNSUPPORTED,
                       "the objective has a term that is no fit; covariances need fits alone. "
                       "Minimise functionals of gradyn_fit() with positive weights");
  GRADYN_TRY(take_result(s));
  GRADYN_TRY(evaluate(s, rho));
  s->out->objective = gradyn_program_value(s->program, s->point.psi);
  if (gradyn_scores_compute(s->program, &s->point, &s->arena, &s->scores) != GRADYN_OK)
    return no_memory(s);
  GRADYN_TRY(take_arrays(s));
  GRADYN_TRY(find_tangent(s));
  GRADYN_TRY(find_directions(s));
  judge_fit(s);
  fill_covariance(s);
  add_kinds(s);
  GRADYN_TRY(fill_parameters(s));
  GRADYN_TRY(fill_functionals(s));
  fill_tests(s);
  return GRADYN_OK;
}

gradyn_status gradyn_inference_compute(gradyn_evaluator *evaluator, const gradyn_search *search,
                                       const double rho[], gradyn_inference *out)
{
  gradyn_evaluated evaluated;
  OWNED(gradyn_program) *program = NULL;
  if (out == NULL)
    return GRADYN_INVALID;
  *out = (gradyn_inference){.parameters = gradyn_parameter_count(evaluator),
                            .functionals = gradyn_functional_count(evaluator)};
  GRADYN_TRY(gradyn_evaluator_begin(evaluator, rho, search, "search"));
  const char *fault = gradyn_search_fault(search);
  if (fault != NULL)
    return gradyn_fail(&evaluator->message, GRADYN_INVALID, "%s", fault);
  inferring s = {.evaluator = evaluator, .out = out};
  gradyn_status status = GRADYN_NO_MEMORY;
  if (gradyn_evaluated_create(evaluator, search->objective, &evaluated)) {
    status = gradyn_program_create(&evaluated.objective, search, rho, &program);
    s.program = program;
    if (status != GRADYN_OK && program)
      gradyn_fail(&evaluator->message, status, "%s", program->message.text);
  }
  if (status == GRADYN_OK)
    status = infer(&s, rho);
  gradyn_trial_clear(&s.point);
  gradyn_arena_clear(&s.arena);
  gradyn_evaluated_clear(&evaluated);
  return gradyn_evaluator_report(evaluator, status);
}

void gradyn_inference_clear(gradyn_inference *inference)
{
  if (inference == NULL)
    return;
  if (inference->direction)
    free(inference->direction[0].change);
  free(inference->kind);
  free(inference->covariance);
  free(inference->correlation);
  free(inference->deviation);
  free(inference->lower);
  free(inference->upper);
  free(inference->functional_deviation);
  free(inference->u);
  free(inference->direction);
  free(inference->tests);
  *inference = (gradyn_inference){0};
}
