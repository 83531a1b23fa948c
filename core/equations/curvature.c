/* Second derivatives of general equations. With the derivative G_i = eta^T dF/dv_i by complex step,
 *     d2(eta^T F)/dv_i dv_j = (8 (G_i(h) - G_i(-h)) - (G_i(2h) - G_i(-2h))) / 12h + O(h^4),   v_j + h. */
#include "core/equations/curvature.h"

#include <complex.h>
#include <math.h>
#include <string.h>

#include "core/model/declare.h"

/* The distance h for a change of size 1. The error h^4 / 30 of a smooth function is below round-off, which is
 * 1e-12; a function that changes ten times as fast is exact to 1e-10. */
#define DISTANCE 0x1p-11

/* Distance of the point where pairs that interact are searched, for a change of size 1. At a state of rest
 * nearly all pairs seem not to interact. */
static const double beside = 0.1;

const double gradyn_curvature_distance[GRADYN_CURVATURE_POINTS] = {-DISTANCE, DISTANCE,
                                                                   -2 * DISTANCE, 2 * DISTANCE};
const double gradyn_curvature_weight[GRADYN_CURVATURE_POINTS] = {
    -8 / (12 * DISTANCE), 8 / (12 * DISTANCE), 1 / (12 * DISTANCE), -1 / (12 * DISTANCE)};

int gradyn_curvature_arguments(const gradyn_equations_model *e)
{
  return 2 * e->count + e->model->signal_count + e->data_count + 1;
}

void gradyn_curvature_create(gradyn_equations_model *e, gradyn_arena *arena, gradyn_curvature *out)
{
  const size_t count = (size_t)gradyn_curvature_arguments(e);
  *out = (gradyn_curvature){.e = e,
                            .count = (int)count,
                            .signals = 2 * e->count,
                            .data = 2 * e->count + e->model->signal_count};
  out->pair = gradyn_arena_take(arena, count * (count + 1) / 2, sizeof *out->pair);
  out->interact = gradyn_arena_take(arena, count * count, sizeof *out->interact);
  out->column = gradyn_arena_numbers(arena, (count + 1) * (size_t)e->count);
  out->kept = gradyn_arena_take(arena, count, sizeof *out->kept);
}

/* Returns the address of argument k: states, rates, signals, own data, time. */
static gradyn_scalar *argument(const gradyn_curvature *c, int k)
{
  gradyn_equations_model *e = c->e;
  if (k < e->count)
    return &e->y[k];
  if (k < c->signals)
    return &e->yp[k - e->count];
  if (k < c->data)
    return &e->model->scratch.u[gradyn_id(e->model, k - c->signals)];
  return k + 1 < c->count ? &e->data[k - c->data] : &e->t;
}

/* Whether argument k exists: rates of algebraic states are no arguments. */
static bool exists(const gradyn_curvature *c, int k)
{
  return k < c->e->count || k >= c->signals || !c->e->unknown[k - c->e->count].algebraic;
}

/* --- pairs that interact ------------------------------------------------------------------------- */

/* Adds the pairs of argument j, whose value is displaced, with arguments up to j with which it interacts.
 * c->column has the derivatives without displacement. If the equations fail at the displaced value, the
 * pair counts as interacting. */
static void compare(gradyn_curvature *c, int j)
{
  const int n = c->e->count;
  double *moved = c->column + c->count * n;
  for (int i = 0; i <= j; i++) {
    bool *known = &c->interact[i * c->count + j];
    if (*known || !exists(c, i))
      continue;
    *known = gradyn_equations_by_argument(c->e, argument(c, i), moved) != GRADYN_OK ||
             memcmp(moved, c->column + i * n, (size_t)n * sizeof *moved) != 0;
    gradyn_message_clear(&c->e->model->message);
  }
}

/* Computes the derivatives by all arguments without displacement. */
static gradyn_status find_columns(gradyn_curvature *c)
{
  for (int i = 0; i < c->count; i++)
    if (exists(c, i))
      GRADYN_TRY(gradyn_equations_by_argument(c->e, argument(c, i), c->column + i * c->e->count));
  return GRADYN_OK;
}

/* Restores the arguments. */
static void restore(const gradyn_curvature *c)
{
  for (int k = 0; k < c->count; k++)
    *argument(c, k) = c->kept[k];
}

/* Computes the derivatives at a nearby point: where all states rest, derivatives vanish that do not vanish
 * nearby. If the equations fail there, computes them at the point itself. */
static gradyn_status find_nearby(gradyn_curvature *c, const double *size)
{
  for (int k = 0; k < c->count; k++) {
    c->kept[k] = *argument(c, k);
    *argument(c, k) += exists(c, k) ? beside * (size[k] > 0 ? size[k] : 1) * sin(1 + 1.7 * k) : 0;
  }
  if (find_columns(c) == GRADYN_OK)
    return GRADYN_OK;
  gradyn_message_clear(
      &c->e->model->message); /* the nearby point is outside the domain of a function */
  restore(c);
  return find_columns(c);
}

gradyn_status gradyn_curvature_find(gradyn_curvature *c, const double size[])
{
  const gradyn_status status = find_nearby(c, size);
  for (int j = 0; j < c->count && status == GRADYN_OK; j++) {
    gradyn_scalar *slot = argument(c, j);
    const gradyn_scalar kept = *slot;
    if (!exists(c, j))
      continue;
    *slot += DISTANCE * (size[j] > 0 ? size[j] : 1);
    compare(c, j);
    *slot = kept;
  }
  restore(c);
  c->pairs = 0;
  for (int j = 0; j < c->count; j++)
    for (int i = 0; i <= j; i++)
      if (c->interact[i * c->count + j])
        c->pair[c->pairs++] = (gradyn_curvature_pair){.first = i, .second = j};
  return status;
}

/* --- values -------------------------------------------------------------------------------------- */

static double dot(const gradyn_curvature *c, const double *eta, const double *F)
{
  double sum = 0;
  for (int i = 0; i < c->e->count; i++)
    sum += eta[i] * F[i];
  return sum;
}

/* Adds `weight` times the derivatives by the first arguments of the pairs [count]. */
static gradyn_status add(gradyn_curvature *c, const double *eta, const double *size, double weight,
                         gradyn_curvature_pair *pair, int count)
{
  for (int k = 0; k < count; k++) {
    if (size[pair[k].first] == 0)
      continue;
    GRADYN_TRY(gradyn_equations_by_argument(c->e, argument(c, pair[k].first), c->column));
    pair[k].value += weight * dot(c, eta, c->column);
  }
  return GRADYN_OK;
}

gradyn_status gradyn_curvature_at(gradyn_curvature *c, const double eta[], const double size[])
{
  gradyn_status status = GRADYN_OK;
  for (int k = 0, next; k < c->pairs; k = next) {
    const int j = c->pair[k].second;
    gradyn_scalar *slot = argument(c, j);
    const gradyn_scalar kept = *slot;
    for (next = k; next < c->pairs && c->pair[next].second == j; next++)
      c->pair[next].value = 0;
    for (int m = 0; m < GRADYN_CURVATURE_POINTS && size[j] > 0 && status == GRADYN_OK; m++) {
      *slot = kept + gradyn_curvature_distance[m] * size[j];
      status = add(c, eta, size, gradyn_curvature_weight[m] / size[j], c->pair + k, next - k);
    }
    *slot = kept;
    GRADYN_TRY(status);
  }
  return GRADYN_OK;
}

/* Changes all arguments by a multiple of d. */
static void move(const gradyn_curvature *c, const double *d, gradyn_scalar by)
{
  for (int k = 0; k < c->count; k++)
    if (exists(c, k))
      *argument(c, k) += by * d[k];
}

gradyn_status gradyn_curvature_along(gradyn_curvature *c, const double eta[], const double d[],
                                     double shrink, double *out)
{
  gradyn_status status = GRADYN_OK;
  *out = 0;
  for (int k = 0; k < c->count; k++)
    c->kept[k] = *argument(c, k);
  for (int m = 0; m < GRADYN_CURVATURE_POINTS && status == GRADYN_OK; m++) {
    move(c, d, 0.5 * shrink * gradyn_curvature_distance[m] + GRADYN_COMPLEX_STEP * I);
    status = gradyn_equations_differentiate(c->e, c->column);
    *out += 2 / shrink * gradyn_curvature_weight[m] * dot(c, eta, c->column);
    restore(c);
  }
  return status;
}
