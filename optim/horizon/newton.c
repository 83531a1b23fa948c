/* Directions of Newton's method with a barrier (Fiacco and McCormick 1968; Waechter and Biegler 2006).
 *
 * With l = x - lower, u = upper - x and the barrier parameter mu, the conditions are
 *     g + A^T lam - mu/l + mu/u = 0,   c_i = 0 or c_i + s_i = 0,   lam_i s_i = mu.
 * Multipliers of bounds and slacks are eliminated from the linearised conditions:
 *     [H + z_l/l + z_u/u,  A^T] [dx  ]     [g + A^T lam - mu/l + mu/u]
 *     [A,                   -D] [dlam] = - [c_i, or c_i + mu/lam_i   ],    D_i = 0, or s_i / lam_i.
 * Rows with a penalty p_i have the further condition (p_i - lam_i) e_i = mu, which adds -mu/(p_i - lam_i) to
 * the right-hand side and e_i/(p_i - lam_i) to D_i. If p_i exceeds the multiplier of the row that must hold,
 * e_i vanishes with mu (exact penalty).
 * The matrix is that of a descent step if the curvature along the constraints is positive. Its first column
 * of right-hand sides alone gives a step t with A t = D dlam, whose curvature is minus the product with that
 * column (Chiang and Zavala 2016). No inertia is needed, so any sparse factorisation serves. */
#include "optim/horizon/newton.h"

#include <math.h>
#include <string.h>

/* Constants of Waechter and Biegler (2006). inside: part of the distance to a bound that a step may cover.
 * Multiples of the unit matrix begin with `first`, or with `less` times the last one. They grow by the
 * factor `more`, up to `most`. Multipliers by least squares above `multiplier` are round-off of nearly
 * dependent constraints. */
static const struct {
  double inside, first, less, more, most, multiplier;
} published = {0.995, 1e-4, 1. / 3, 8, 1e10, 1e3};

/* --- Points ----------------------------------------------------------------------------------- */

/* Distance of variable j from its lower bound; infinite if there is none. */
static double below(const gradyn_newton *w, size_t j)
{
  return w->at.x[j] - w->shape.lower[j];
}

static double above(const gradyn_newton *w, size_t j)
{
  return w->shape.upper[j] - w->at.x[j];
}

/* Whether row i may be violated, and the multiplier of its violation. */
static bool is_elastic(const gradyn_newton *w, size_t i)
{
  return w->shape.penalty[i] > 0;
}

static double rest(const gradyn_newton *w, size_t i)
{
  return w->shape.penalty[i] - w->at.lam[i];
}

/* Row i with its slack and violation. */
static double row_of(const gradyn_newton *w, size_t i)
{
  return w->c[i] + (i < w->shape.equalities ? 0 : w->at.s[i]) - (is_elastic(w, i) ? w->at.e[i] : 0);
}

void gradyn_newton_push(gradyn_newton *w, double push)
{
  for (size_t j = 0; j < w->shape.n; j++) {
    const double low = w->shape.lower[j], high = w->shape.upper[j],
                 least = fmin(push, 0.5 * (high - low));
    w->at.x[j] = fmin(fmax(w->at.x[j], low + least), high - least);
  }
}

/* Raises the smaller one of a distance and its multiplier until their product is mu. Returns the new
 * distance. */
static double spread(double mu, double distance, double *multiplier)
{
  if (distance * *multiplier >= mu)
    return distance;
  if (distance < *multiplier)
    return mu / *multiplier;
  *multiplier = mu / distance;
  return distance;
}

/* Raises distances of x from its bounds, and their multipliers. */
static void spread_bounds(gradyn_newton *w)
{
  const gradyn_newton_shape *shape = &w->shape;
  for (size_t j = 0; j < shape->n; j++) {
    const double middle = 0.5 * (shape->lower[j] + shape->upper[j]);
    if (isfinite(shape->lower[j]))
      w->at.x[j] = shape->lower[j] + spread(w->barrier, below(w, j), &w->at.lower[j]);
    if (isfinite(shape->upper[j]))
      w->at.x[j] = shape->upper[j] - spread(w->barrier, above(w, j), &w->at.upper[j]);
    /* the bounds are close: the distance from the upper one has moved x to the lower one */
    if (isfinite(middle) && !(below(w, j) > 0))
      w->at.x[j] = middle;
  }
}

/* Changes the evaluation for a step dx [n], by linearisation: f += g dx, c += A dx, g + A^T lam += H dx. */
static void follow(gradyn_newton *w, const double dx[])
{
  const gradyn_newton_shape *shape = &w->shape;
  for (size_t j = 0; j < shape->n; j++)
    w->f += w->g[j] * dx[j];
  for (size_t i = 0; i < shape->m; i++)
    for (size_t k = shape->start[i]; k < shape->start[i + 1]; k++)
      w->c[i] += w->A[k] * dx[shape->column[k]];
  for (size_t k = 0; k < shape->hessian_count; k++) {
    const size_t row = shape->hessian_row[k], column = shape->hessian_column[k];
    w->g[row] += w->H[k] * dx[column];
    if (row != column)
      w->g[column] += w->H[k] * dx[row];
  }
}

/* The same within a largest multiplier. */
static double spread_within(double mu, double most, double distance, double *multiplier)
{
  if (distance >= *multiplier && distance < mu / most) {
    *multiplier = most;
    return mu / most;
  }
  return spread(mu, distance, multiplier);
}

/* Raises the pairs of row i. */
static void spread_row(gradyn_newton *w, size_t i)
{
  const double most = is_elastic(w, i) ? 0.5 * w->shape.penalty[i] : HUGE_VAL;
  w->at.s[i] = spread_within(w->barrier, most, w->at.s[i], &w->at.lam[i]);
  if (!is_elastic(w, i))
    return;
  double left = rest(w, i);
  w->at.e[i] = spread_within(w->barrier, most, w->at.e[i], &left);
  w->at.lam[i] = w->shape.penalty[i] - left;
}

void gradyn_newton_spread(gradyn_newton *w)
{
  const gradyn_newton_shape *shape = &w->shape;
  double *dx = w->step.x; /* scratch memory */
  memcpy(dx, w->at.x, shape->n * sizeof *dx);
  spread_bounds(w);
  for (size_t j = 0; j < shape->n; j++)
    dx[j] = w->at.x[j] - dx[j];
  follow(w, dx);
  for (size_t i = shape->equalities; i < shape->m; i++)
    spread_row(w, i);
  gradyn_newton_absorb(w);
}

void gradyn_newton_absorb(gradyn_newton *w)
{
  for (size_t i = w->shape.equalities; i < w->shape.m; i++) {
    const double off = row_of(w, i);
    if (is_elastic(w, i))
      *(off > 0 ? &w->at.e[i] : &w->at.s[i]) += fabs(off);
  }
}

/* Derivative of the Lagrangian by variable j, without the terms of the constraints. */
static double dual_of(const gradyn_newton *w, size_t j)
{
  return w->g[j] - w->at.lower[j] + w->at.upper[j];
}

/* out [n] += A^T lam. */
static void add_transposed(const gradyn_newton *w, const double lam[], double out[])
{
  for (size_t i = 0; i < w->shape.m; i++)
    for (size_t k = w->shape.start[i]; k < w->shape.start[i + 1]; k++)
      out[w->shape.column[k]] += w->A[k] * lam[i];
}

/* Updates the largest errors *e by the distance from a bound and its multiplier. */
static void measure_pair(const gradyn_newton *w, double distance, double multiplier,
                         gradyn_newton_errors *e)
{
  if (!isfinite(distance))
    return;
  e->complement = fmax(e->complement, fabs(distance * multiplier));
  e->barrier = fmax(e->barrier, fabs(distance * multiplier - w->barrier));
}

gradyn_newton_errors gradyn_newton_measure(const gradyn_newton *w)
{
  const gradyn_newton_shape *shape = &w->shape;
  gradyn_newton_errors e = {0};
  double *slope = w->right; /* scratch memory */
  for (size_t j = 0; j < shape->n; j++) {
    slope[j] = dual_of(w, j);
    measure_pair(w, below(w, j), w->at.lower[j], &e);
    measure_pair(w, above(w, j), w->at.upper[j], &e);
  }
  add_transposed(w, w->at.lam, slope);
  for (size_t j = 0; j < shape->n; j++)
    e.dual = fmax(e.dual, fabs(slope[j]));
  for (size_t i = 0; i < shape->m; i++) {
    e.primal = fmax(e.primal, fabs(row_of(w, i)));
    if (i >= shape->equalities)
      measure_pair(w, w->at.s[i], w->at.lam[i], &e);
    if (is_elastic(w, i))
      measure_pair(w, w->at.e[i], rest(w, i), &e);
  }
  return e;
}

/* --- Directions ------------------------------------------------------------------------------- */

/* Fills the matrix, with `convexity` times the unit matrix added to H. */
static void fill_system(const gradyn_newton *w, double convexity)
{
  const gradyn_newton_shape *shape = &w->shape;
  double *value = gradyn_linsys_values(w->system);
  for (size_t k = 0; k < shape->n + shape->m; k++)
    value[w->diagonal[k]] = 0;
  for (size_t k = 0; k < 2 * shape->hessian_count; k++)
    value[w->both[k]] = 0;
  for (size_t k = 0; k < shape->hessian_count; k++)
    value[w->both[2 * k]] = value[w->both[2 * k + 1]] = w->H[k];
  for (size_t j = 0; j < shape->n; j++)
    value[w->diagonal[j]] += convexity + w->at.lower[j] / below(w, j) +
                             w->at.upper[j] / above(w, j);
  for (size_t i = shape->equalities; i < shape->m; i++)
    value[w->diagonal[shape->n + i]] = -w->at.s[i] / w->at.lam[i] -
                                       (is_elastic(w, i) ? w->at.e[i] / rest(w, i) : 0);
  for (size_t k = 0; k < shape->start[shape->m]; k++)
    value[w->below[k]] = value[w->above[k]] = w->A[k];
}

/* Fills two right-hand sides: the first has only the derivative of the Lagrangian, the second only the
 * constraints. */
static void fill_right(const gradyn_newton *w)
{
  const gradyn_newton_shape *shape = &w->shape;
  const size_t size = shape->n + shape->m;
  double *dual = w->right, *primal = w->right + size + shape->n;
  memset(w->right, 0, 2 * size * sizeof *w->right);
  for (size_t j = 0; j < shape->n; j++)
    dual[j] = w->g[j] - w->barrier / below(w, j) + w->barrier / above(w, j);
  add_transposed(w, w->at.lam, dual);
  for (size_t j = 0; j < shape->n; j++)
    dual[j] = -dual[j];
  for (size_t i = 0; i < shape->m; i++)
    primal[i] = -w->c[i] - (i < shape->equalities ? 0 : w->barrier / w->at.lam[i]) +
                (is_elastic(w, i) ? w->barrier / rest(w, i) : 0);
}

/* Solves with the present matrix. Returns whether the curvature along the first solution is positive. */
static bool solve(gradyn_newton *w)
{
  const size_t n = w->shape.n;
  double curvature = 0;
  fill_right(w);
  memcpy(w->step.x, w->right, n * sizeof *w->right); /* kept for the product with the solution */
  gradyn_linsys_solve(w->system, w->right, 2);
  for (size_t j = 0; j < n; j++)
    curvature += w->right[j] * w->step.x[j];
  return curvature >= 0;
}

static gradyn_status solve_convex(gradyn_newton *w)
{
  double convexity = 0;
  while (convexity <= published.most) {
    fill_system(w, convexity);
    const gradyn_status status = gradyn_linsys_factor(w->system);
    if (status != GRADYN_OK && status != GRADYN_SINGULAR)
      return status;
    if (status == GRADYN_OK && solve(w)) {
      w->convexity = convexity;
      return GRADYN_OK;
    }
    convexity = convexity > 0 ? published.more * convexity
                              : fmax(published.first, published.less * w->convexity);
  }
  return GRADYN_SINGULAR;
}

/* Shortens *part so that distance + *part * change remains positive. */
static void keep_positive(double distance, double change, double *part)
{
  if (change < 0)
    *part = fmin(*part, -published.inside * distance / change);
}

/* Computes the steps of slacks and of the multipliers of bounds, and the largest parts of the steps that
 * may be taken. */
static void complete(gradyn_newton *w)
{
  const gradyn_newton_shape *shape = &w->shape;
  gradyn_newton_point *d = &w->step;
  w->longest = w->longest_dual = 1;
  for (size_t j = 0; j < shape->n; j++) {
    d->lower[j] = d->upper[j] = 0;
    if (isfinite(shape->lower[j])) {
      d->lower[j] = (w->barrier - w->at.lower[j] * d->x[j]) / below(w, j) - w->at.lower[j];
      keep_positive(below(w, j), d->x[j], &w->longest);
      keep_positive(w->at.lower[j], d->lower[j], &w->longest_dual);
    }
    if (isfinite(shape->upper[j])) {
      d->upper[j] = (w->barrier + w->at.upper[j] * d->x[j]) / above(w, j) - w->at.upper[j];
      keep_positive(above(w, j), -d->x[j], &w->longest);
      keep_positive(w->at.upper[j], d->upper[j], &w->longest_dual);
    }
  }
  for (size_t i = shape->equalities; i < shape->m; i++) {
    d->s[i] = (w->barrier - w->at.s[i] * d->lam[i]) / w->at.lam[i] - w->at.s[i];
    keep_positive(w->at.s[i], d->s[i], &w->longest);
    keep_positive(w->at.lam[i], d->lam[i], &w->longest_dual);
    if (!is_elastic(w, i))
      continue;
    d->e[i] = (w->barrier + w->at.e[i] * d->lam[i]) / rest(w, i) - w->at.e[i];
    keep_positive(w->at.e[i], d->e[i], &w->longest);
    keep_positive(rest(w, i), -d->lam[i], &w->longest_dual);
  }
}

gradyn_status gradyn_newton_find(gradyn_newton *w)
{
  const size_t n = w->shape.n, m = w->shape.m, size = n + m;
  GRADYN_TRY(solve_convex(w));
  for (size_t k = 0; k < size; k++) {
    const double d = w->right[k] + w->right[size + k];
    if (!isfinite(d))
      return GRADYN_NON_FINITE;
    *(k < n ? &w->step.x[k] : &w->step.lam[k - n]) = d;
  }
  complete(w);
  return GRADYN_OK;
  return GRADYN_OK;
}

gradyn_status gradyn_newton_begin(gradyn_newton *w)
{
  const gradyn_newton_shape *shape = &w->shape;
  for (size_t j = 0; j < shape->n; j++) {
    w->at.lower[j] = w->barrier / below(w, j); /* 0 for an infinite distance */
    w->at.upper[j] = w->barrier / above(w, j);
  }
  for (size_t i = 0; i < shape->m; i++) {
    w->at.s[i] = fmax(-w->c[i], sqrt(w->barrier));
    w->at.lam[i] = i < shape->equalities ? 0 : w->barrier / w->at.s[i];
    w->at.e[i] = is_elastic(w, i) ? w->barrier / rest(w, i) : 0;
  }
  gradyn_newton_absorb(w);
  double *value = gradyn_linsys_values(w->system);
  memset(w->H, 0, shape->hessian_count * sizeof *w->H);
  fill_system(w, 1);
  for (size_t j = 0; j < shape->n; j++)
    value[w->diagonal[j]] = 1;
  GRADYN_TRY(gradyn_linsys_factor(w->system));
  fill_right(w);
  gradyn_linsys_solve(w->system, w->right, 1);
  double size = 0;
  for (size_t i = 0; i < shape->equalities; i++)
    size = fmax(size, fabs(w->right[shape->n + i]));
  for (size_t i = 0; i < shape->equalities && size < published.multiplier; i++)
    w->at.lam[i] = w->right[shape->n + i];
  return GRADYN_OK;
}

/* --- Progress --------------------------------------------------------------------------------- */

double gradyn_newton_violations(const gradyn_newton *w)
{
  double sum = 0;
  for (size_t i = 0; i < w->shape.m; i++)
    sum += fabs(row_of(w, i));
  return sum;
}

double gradyn_newton_value(const gradyn_newton *w)
{
  double logarithms = 0, violations = 0;
  for (size_t j = 0; j < w->shape.n; j++) {
    if (isfinite(w->shape.lower[j]))
      logarithms += log(below(w, j));
    if (isfinite(w->shape.upper[j]))
      logarithms += log(above(w, j));
  }
  for (size_t i = w->shape.equalities; i < w->shape.m; i++) {
    logarithms += log(w->at.s[i]) + (is_elastic(w, i) ? log(w->at.e[i]) : 0);
    violations += is_elastic(w, i) ? w->shape.penalty[i] * w->at.e[i] : 0;
  }
  return w->f + violations - w->barrier * logarithms;
}

double gradyn_newton_slope(const gradyn_newton *w)
{
  double slope = 0;
  for (size_t j = 0; j < w->shape.n; j++)
    slope += (w->g[j] - w->barrier / below(w, j) + w->barrier / above(w, j)) * w->step.x[j];
  for (size_t i = w->shape.equalities; i < w->shape.m; i++)
    slope += (is_elastic(w, i) ? w->shape.penalty[i] - w->barrier / w->at.e[i] : 0) * w->step.e[i] -
             w->barrier / w->at.s[i] * w->step.s[i];
  return slope;
}

void gradyn_newton_move(gradyn_newton *w, const gradyn_newton_point *from, double part, double dual)
{
  const gradyn_newton_shape *shape = &w->shape;
  for (size_t j = 0; j < shape->n; j++) {
    w->at.x[j] = from->x[j] + part * w->step.x[j];
    w->at.lower[j] = from->lower[j] + dual * w->step.lower[j];
    w->at.upper[j] = from->upper[j] + dual * w->step.upper[j];
  }
  for (size_t i = 0; i < shape->m; i++) {
    w->at.s[i] = from->s[i] + part * w->step.s[i];
    w->at.e[i] = from->e[i] + part * w->step.e[i];
    w->at.lam[i] = from->lam[i] + (i < shape->equalities ? part : dual) * w->step.lam[i];
  }
}
