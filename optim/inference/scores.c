/* Curvature and scores: the Gauss-Newton matrix with the curvature of losses, and products of gradients. */
#include "optim/inference/scores.h"

#include <math.h>
#include <string.h>

/* Returns the residual u whose loss is r^2. *share: loss''/2 over the square of dr/du. */
static double take_loss(const gradyn_functional_info *info, double r, double *share)
{
  const double c = info->threshold, size = fabs(r);
  *share = 1;
  if (info->loss == GRADYN_LOSS_SQUARE || size == 0)
    return r;
  if (info->loss ==
      GRADYN_LOSS_HUBER) { /* r^2 = 2 c |u| - c^2 beyond the threshold, with loss'' = 0 */
    *share = size <= c;
    return size <= c ? r : copysign((r * r + c * c) / (2 * c), r);
  }
  /* loss c^2 ln(e) with e = 1 + u^2/c^2: loss'/2 = u/e, loss''/2 = (2 - e)/e^2 */
  const double e = exp(r / c * (r / c)), u = copysign(c * sqrt(expm1(r / c * (r / c))), r);
  *share = (2 - e) * (r / u) * (r / u);
  return u;
}

/* Adds g g^T for the gradient g of each datum of term k. */
static void add_scores(const gradyn_program *program, const gradyn_trial *point, size_t k,
                       double work[], gradyn_scores *out)
{
  const gradyn_objective *objective = program->objective;
  const gradyn_term *term = &program->terms[k];
  double *sigma = work, *g = work + program->n;
  memset(sigma, 0, program->n * sizeof *sigma);
  for (size_t i = term->functional; i < objective->functional_count; i++) {
    const gradyn_functional_info *info = &objective->functionals[i];
    if (info->fit != term->functional)
      continue;
    if (info->use == GRADYN_LOG_SIGMA) { /* log sigma comes before the residuals of its fit */
      gradyn_program_add_gradient(program, i, term->weight, point->gradient, sigma);
      out->estimated = true;
    }
    if (info->use != GRADYN_RESIDUAL)
      continue;
    memcpy(g, sigma, program->n * sizeof *g);
    gradyn_program_add_gradient(program, i, term->weight * point->psi[i], point->gradient, g);
    for (size_t a = 0; a < program->n; a++) {
      out->g[a] += g[a];
      for (size_t b = 0; b < program->n; b++)
        out->B[a * program->n + b] += g[a] * g[b];
    }
    out->square_sum += term->weight * out->u[i] * out->u[i];
    out->robust |= info->loss != GRADYN_LOSS_SQUARE;
    out->weighted &= info->weighted;
    out->data++;
  }
}

/* Copies a lower triangle, row by row, to a full matrix. */
static void unfold(size_t n, const double triangle[], double full[])
{
  for (size_t a = 0; a < n; a++)
    for (size_t b = 0; b <= a; b++)
      full[a * n + b] = full[b * n + a] = triangle[a * (a + 1) / 2 + b];
}

gradyn_status gradyn_scores_compute(const gradyn_program *program, const gradyn_trial *point,
                                    gradyn_arena *arena, gradyn_scores *out)
{
  const gradyn_objective *objective = program->objective;
  const size_t n = program->n, f = objective->functional_count;
  double *share = gradyn_arena_numbers(arena, f), *work = gradyn_arena_numbers(arena, 2 * n);
  double *triangle = gradyn_arena_numbers(arena, n * (n + 1) / 2);
  *out = (gradyn_scores){.weighted = true,
                         .u = gradyn_arena_numbers(arena, f),
                         .A = gradyn_arena_numbers(arena, n * n),
                         .B = gradyn_arena_numbers(arena, n * n),
                         .g = gradyn_arena_numbers(arena, n)};
  GRADYN_TRY(gradyn_arena_status(arena));
  for (size_t i = 0; i < f; i++) {
    const gradyn_functional_info *info = &objective->functionals[i];
    share[i] = 1;
    out->u[i] = info->use == GRADYN_RESIDUAL ? take_loss(info, point->psi[i], &share[i]) : NAN;
  }
  gradyn_gauss_newton_fill(program, point, 1, share, work, triangle);
  unfold(n, triangle, out->A);
  for (size_t k = 0; k < program->term_count; k++)
    add_scores(program, point, k, work, out);
  return GRADYN_OK;
}
