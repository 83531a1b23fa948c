/* The Gauss-Newton matrix of fits. */
#include "optim/program/gauss_newton.h"

#include <math.h>
#include <string.h>

/* Whether functional i is a part of fit f with this use, for example one of its residuals. */
static bool is_part(const gradyn_objective *objective, size_t i, gradyn_functional_use use,
                    size_t f)
{
  const gradyn_functional_info *info = &objective->functionals[i];
  return info->use == use && info->fit == f;
}

/* Index of the first part of fit f with this use; the number of functionals if there is none. */
static size_t find(const gradyn_objective *objective, gradyn_functional_use use, size_t f)
{
  size_t i = f;
  while (i < objective->functional_count && !is_part(objective, i, use, f))
    i++;
  return i;
}

bool gradyn_gauss_newton_applies(const gradyn_program *program)
{
  const gradyn_objective *objective = program->objective;
  for (size_t k = 0; k < program->term_count; k++)
    if (!(program->terms[k].weight > 0) ||
        find(objective, GRADYN_RESIDUAL, program->terms[k].functional) ==
            objective->functional_count)
      return false;
  return program->term_count > 0 && program->piece_count == 0;
}

/* Adds factor * g g^T to the lower triangle. */
static void add_square(size_t n, double factor, const double g[], double values[])
{
  for (size_t a = 0; a < n; a++)
    for (size_t b = 0; b <= a; b++)
      values[a * (a + 1) / 2 + b] += factor * g[a] * g[b];
}

/* Adds the terms of fit f. */
static void add_fit(const gradyn_program *program, const gradyn_trial *point, size_t f,
                    double factor, const double share[], double work[], double values[])
{
  const gradyn_objective *objective = program->objective;
  const size_t n = program->n, l = find(objective, GRADYN_LOG_SIGMA, f);
  const bool estimated = l < objective->functional_count;
  double *g = work, *sigma = work + n;
  memset(sigma, 0, n * sizeof *sigma);
  if (estimated)
    gradyn_program_add_gradient(program, l, 1, point->gradient, sigma);
  for (size_t i = f; i < objective->functional_count; i++) {
    if (!is_part(objective, i, GRADYN_RESIDUAL, f))
      continue;
    for (size_t j = 0; j < n; j++)
      g[j] = point->psi[i] * sigma[j];
    gradyn_program_add_gradient(program, i, 1, point->gradient, g);
    add_square(n, factor * (share ? share[i] : 1), g, values);
    if (estimated)
      add_square(n, 2 * factor, sigma, values);
  }
}

void gradyn_gauss_newton_fill(const gradyn_program *program, const gradyn_trial *point,
                              double factor, const double share[], double work[], double values[])
{
  memset(values, 0, program->n * (program->n + 1) / 2 * sizeof *values);
  for (size_t k = 0; k < program->term_count; k++)
    add_fit(program, point, program->terms[k].functional, factor * program->terms[k].weight, share,
            work, values);
}

/* --- curvature that the Gauss-Newton matrix lacks ------------------------------------------------ */

/* The matrix for the missing curvature, the rest, is added if the Gauss-Newton matrix misses more than this
 * part of the curvature along a step. Evaluations of gas-oil, alpha-pinene, methanol and boehm-stat5 with
 * 0.5: 10, 11, 13 and 60. If the rest is always added: 11, 14, 14. If it is never added: 10, 11, 12 and,
 * for boehm-stat5, more than 1000, because large residuals cause most of its curvature. */
static const double most_missed = 0.5;

void gradyn_gauss_newton_create(gradyn_arena *arena, const gradyn_program *program,
                                gradyn_gauss_newton *out)
{
  const size_t n = program->n, triangle = n * (n + 1) / 2;
  *out = (gradyn_gauss_newton){.program = program,
                               .rest = gradyn_arena_numbers(arena, triangle),
                               .x = gradyn_arena_numbers(arena, n),
                               .g = gradyn_arena_numbers(arena, n),
                               .work = gradyn_arena_numbers(arena, 6 * n),
                               .row = gradyn_arena_take(arena, triangle, sizeof *out->row),
                               .column = gradyn_arena_take(arena, triangle, sizeof *out->column)};
  size_t count = 0;
  for (size_t i = 0; i < n && gradyn_arena_status(arena) == GRADYN_OK; i++)
    for (size_t j = 0; j <= i; j++) {
      out->row[count] = i;
      out->column[count++] = j;
    }
}

static double dot(size_t n, const double a[], const double b[])
{
  double sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += a[i] * b[i];
  return sum;
}

/* out = H s. */
static void multiply(size_t n, const double H[], const double s[], double out[])
{
  memset(out, 0, n * sizeof *out);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j <= i; j++) {
      const double h = H[i * (i + 1) / 2 + j];
      out[i] += h * s[j];
      out[j] += i != j ? h * s[i] : 0;
    }
}

/* Fills g with the gradient of factor * objective. */
static void fill_gradient(const gradyn_program *program, const gradyn_trial *point, double factor,
                          double g[])
{
  memset(g, 0, program->n * sizeof *g);
  for (size_t k = 0; k < program->term_count; k++)
    gradyn_program_add_gradient(program, program->terms[k].functional,
                                factor * program->terms[k].weight, point->gradient, g);
}

/* Updates the rest S so that (H + S) step = change, where change is that of the gradient (Dennis, Gay and
 * Welsch 1981). missed: change - H step; curvature: step^T change. */
static void update(gradyn_gauss_newton *s, const double step[], const double change[],
                   double missed[], double curvature)
{
  const size_t n = s->program->n;
  double *own = s->work + 5 * n; /* S step */
  multiply(n, s->rest, step, own);
  const double known = dot(n, step, own), required = dot(n, step, missed);
  const double size = known != 0 ? fmin(1, fabs(required / known)) : 1;
  for (size_t i = 0; i < n; i++)
    missed[i] -= size * own[i];
  const double excess = dot(n, step, missed);
  for (size_t k = 0; k < n * (n + 1) / 2; k++) {
    const size_t i = s->row[k], j = s->column[k];
    s->rest[k] = size * s->rest[k] + (missed[i] * change[j] + change[i] * missed[j]) / curvature -
                 excess * change[i] * change[j] / (curvature * curvature);
  }
}

/* Updates the rest by the step to x, and adds it to the matrix if H misses much of the curvature along this
 * step. */
static void correct(gradyn_gauss_newton *s, const double x[], const double g[], double values[])
{
  const size_t n = s->program->n;
  double *step = s->work + 2 * n, *change = step + n, *missed = change + n;
  for (size_t i = 0; i < n; i++) {
    step[i] = x[i] - s->x[i];
    change[i] = g[i] - s->g[i];
  }
  multiply(n, values, step, missed);
  const double curvature = dot(n, step, change), own = dot(n, step, missed);
  for (size_t i = 0; i < n; i++)
    missed[i] = change[i] - missed[i];
  if (!(curvature > 0))
    return;
  update(s, step, change, missed, curvature);
  for (size_t k = 0; k < n * (n + 1) / 2 && fabs(curvature - own) > most_missed * curvature; k++)
    values[k] += s->rest[k];
}

void gradyn_gauss_newton_next(gradyn_gauss_newton *s, const gradyn_trial *point, const double x[],
                              double factor, double values[])
{
  const size_t n = s->program->n;
  double *g = s->work;
  gradyn_gauss_newton_fill(s->program, point, factor, NULL, s->work, values);
  fill_gradient(s->program, point, factor, g);
  if (s->factor == factor)
    correct(s, x, g, values);
  else
    memset(s->rest, 0, n * (n + 1) / 2 * sizeof *s->rest);
  memcpy(s->x, x, n * sizeof *x);
  memcpy(s->g, g, n * sizeof *g);
  s->factor = factor;
}
