/* Arrays and sparse system of Newton's method with a barrier. */
#include <limits.h>
#include <string.h>

#include "optim/horizon/newton.h"

gradyn_newton_point gradyn_newton_point_take(gradyn_arena *arena, size_t n, size_t m)
{
  return (gradyn_newton_point){.x = gradyn_arena_numbers(arena, n),
                               .lower = gradyn_arena_numbers(arena, n),
                               .upper = gradyn_arena_numbers(arena, n),
                               .s = gradyn_arena_numbers(arena, m),
                               .e = gradyn_arena_numbers(arena, m),
                               .lam = gradyn_arena_numbers(arena, m)};
}

void gradyn_newton_copy(const gradyn_newton *newton, const gradyn_newton_point *from,
                        gradyn_newton_point *to)
{
  const size_t n = newton->shape.n * sizeof(double), m = newton->shape.m * sizeof(double);
  memcpy(to->x, from->x, n);
  memcpy(to->lower, from->lower, n);
  memcpy(to->upper, from->upper, n);
  memcpy(to->s, from->s, m);
  memcpy(to->e, from->e, m);
  memcpy(to->lam, from->lam, m);
}

/* Positions of the entries of the system, in the order in which they are added. */
typedef struct listed {
  int *row, *column, count;
} listed;

static void add(listed *e, size_t row, size_t column)
{
  e->row[e->count] = (int)row;
  e->column[e->count++] = (int)column;
}

/* Lists all entries in the order in which find_positions() asks for them. */
static void list_entries(const gradyn_newton_shape *shape, listed *e)
{
  for (size_t k = 0; k < shape->hessian_count; k++) {
    add(e, shape->hessian_row[k], shape->hessian_column[k]);
    add(e, shape->hessian_column[k], shape->hessian_row[k]);
  }
  for (size_t i = 0; i < shape->n + shape->m; i++)
    add(e, i, i);
  for (size_t i = 0; i < shape->m; i++)
    for (size_t k = shape->start[i]; k < shape->start[i + 1]; k++) {
      add(e, shape->n + i, shape->column[k]);
      add(e, shape->column[k], shape->n + i);
    }
}

static void find_positions(gradyn_newton *w, const gradyn_pattern *pattern, const listed *e)
{
  const gradyn_newton_shape *shape = &w->shape;
  const size_t hessian = 2 * shape->hessian_count, size = shape->n + shape->m;
  for (size_t k = 0; k < (size_t)e->count; k++) {
    const int at = gradyn_pattern_find(pattern, e->row[k], e->column[k]);
    if (k < hessian)
      w->both[k] = at;
    else if (k < hessian + size)
      w->diagonal[k - hessian] = at;
    else
      ((k - hessian - size) % 2 == 0 ? w->below : w->above)[(k - hessian - size) / 2] = at;
  }
}

static gradyn_status create_system(gradyn_newton *w)
{
  const gradyn_newton_shape *shape = &w->shape;
  const size_t size = shape->n + shape->m,
               count = 2 * shape->hessian_count + size + 2 * shape->start[shape->m];
  LOCAL(gradyn_arena) arena = {0};
  LOCAL(gradyn_pattern) pattern = {0};
  if (count > INT_MAX)
    return GRADYN_INVALID;
  listed e = {.row = gradyn_arena_take(&arena, count, sizeof(int)),
              .column = gradyn_arena_take(&arena, count, sizeof(int))};
  GRADYN_TRY(gradyn_arena_status(&arena));
  list_entries(shape, &e);
  GRADYN_TRY(gradyn_pattern_create((int)size, (int)size, e.count, e.row, e.column, &pattern));
  find_positions(w, &pattern, &e);
  return gradyn_linsys_create(&pattern, false, GRADYN_BACKEND_AUTO, &w->system);
}

gradyn_status gradyn_newton_create(const gradyn_newton_shape *shape, gradyn_newton *out)
{
  *out = (gradyn_newton){.shape = *shape, .barrier = 1};
  gradyn_arena *arena = &out->arena;
  const size_t n = shape->n, m = shape->m, entries = shape->start[m];
  out->g = gradyn_arena_numbers(arena, n);
  out->c = gradyn_arena_numbers(arena, m);
  out->A = gradyn_arena_numbers(arena, entries);
  out->H = gradyn_arena_numbers(arena, shape->hessian_count);
  out->at = gradyn_newton_point_take(arena, n, m);
  out->step = gradyn_newton_point_take(arena, n, m);
  out->both = gradyn_arena_take(arena, 2 * shape->hessian_count, sizeof *out->both);
  out->diagonal = gradyn_arena_take(arena, n + m, sizeof *out->diagonal);
  out->below = gradyn_arena_take(arena, entries, sizeof *out->below);
  out->above = gradyn_arena_take(arena, entries, sizeof *out->above);
  out->right = gradyn_arena_numbers(arena, 2 * (n + m));
  GRADYN_TRY(gradyn_arena_status(arena));
  return create_system(out);
}

void gradyn_newton_clear(gradyn_newton *newton)
{
  gradyn_linsys_free(newton->system);
  gradyn_arena_clear(&newton->arena);
  *newton = (gradyn_newton){0};
}
