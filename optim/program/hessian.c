/* List of the entries of second derivatives, sorted by rows. Bisection finds an entry. */
#include "optim/program/hessian.h"

#include <stdlib.h>
#include <string.h>

/* A position in the lower triangle. */
typedef struct entry {
  size_t row, column;
} entry;

/* Order for qsort(): by rows, then by columns. */
static int compare(const void *a, const void *b)
{
  const entry *x = a, *y = b;
  if (x->row != y->row)
    return x->row < y->row ? -1 : 1;
  return x->column < y->column ? -1 : x->column > y->column;
}

gradyn_status gradyn_hessian_create(const gradyn_program *program, gradyn_hessian *out)
{
  *out = (gradyn_hessian){.program = program};
  out->weight = calloc(program->objective->functional_count + 1, sizeof *out->weight);
  return out->weight != NULL ? GRADYN_OK : GRADYN_NO_MEMORY;
}

void gradyn_hessian_clear(gradyn_hessian *h)
{
  free(h->weight);
  free(h->row);
  free(h->column);
  *h = (gradyn_hessian){0};
}

/* Finds the entry for parameters a and b. Returns false if one of them is not free. */
static bool entry_of(const gradyn_program *program, size_t a, size_t b, entry *out)
{
  const size_t i = program->position[a], j = program->position[b];
  *out = (entry){i > j ? i : j, i > j ? j : i};
  return i < program->n && j < program->n;
}

/* Returns the index of an entry, or h->count if the list does not have this entry. */
static size_t find(const gradyn_hessian *h, const entry *requested)
{
  size_t from = 0, to = h->count;
  while (from < to) {
    const size_t middle = from + (to - from) / 2;
    const entry there = {h->row[middle], h->column[middle]};
    const int order = compare(requested, &there);
    if (order == 0)
      return middle;
    if (order < 0)
      to = middle;
    else
      from = middle + 1;
  }
  return h->count;
}

/* Returns a new array with the entries of the list and of the blocks, some of which may occur twice. NULL:
 * out of memory. */
static entry *gather(const gradyn_hessian *h, const gradyn_block *block, size_t *count)
{
  const gradyn_program *program = h->program;
  size_t most = h->count + 1;
  for (size_t k = 0; k < program->objective->blocks.count; k++)
    most += block[k].count * (block[k].count + 1) / 2;
  entry *all = calloc(most, sizeof *all);
  *count = 0;
  if (all == NULL)
    return NULL;
  for (size_t i = 0; i < h->count; i++)
    all[(*count)++] = (entry){h->row[i], h->column[i]};
  for (size_t k = 0; k < program->objective->blocks.count; k++)
    for (size_t a = 0; a < block[k].count; a++)
      for (size_t b = 0; b <= a; b++)
        *count += entry_of(program, block[k].parameter[a], block[k].parameter[b], &all[*count]);
  return all;
}

/* Adds the entries of blocks to the list, each once. */
static gradyn_status join(gradyn_hessian *h, const gradyn_block *block)
{
  size_t count = 0;
  entry *all = gather(h, block, &count);
  size_t *row = calloc(count + 1, sizeof *row), *column = calloc(count + 1, sizeof *column);
  if (all == NULL || row == NULL || column == NULL) {
    free(all);
    free(row);
    free(column);
    return GRADYN_NO_MEMORY;
  }
  qsort(all, count, sizeof *all, compare);
  free(h->row);
  free(h->column);
  h->row = row;
  h->column = column;
  h->count = 0;
  for (size_t i = 0; i < count; i++)
    if (i == 0 || compare(&all[i - 1], &all[i]) != 0) {
      row[h->count] = all[i].row;
      column[h->count++] = all[i].column;
    }
  free(all);
  return GRADYN_OK;
}

gradyn_status gradyn_hessian_find(gradyn_hessian *h, const double rho[])
{
  const gradyn_objective *of = h->program->objective;
  const gradyn_block *block = NULL;
  GRADYN_TRY(of->curve(of->self, h->weight, rho, &block));
  return join(h, block);
}

/* Adds the values of a block. Returns false if an entry of the block is missing in the list. */
static bool add_block(const gradyn_hessian *h, const gradyn_block *block, double values[])
{
  const gradyn_program *program = h->program;
  for (size_t a = 0; a < block->count; a++)
    for (size_t b = 0; b <= a; b++) {
      entry at;
      const double value = block->H[a * block->count + b];
      if (!entry_of(program, block->parameter[a], block->parameter[b], &at) || value == 0)
        continue;
      const size_t position = find(h, &at);
      if (position == h->count)
        return false;
      values[position] += program->unit[at.row] * program->unit[at.column] * value;
    }
  return true;
}

gradyn_status gradyn_hessian_values(gradyn_hessian *h, const double rho[], double values[])
{
  const gradyn_objective *of = h->program->objective;
  const gradyn_block *block = NULL;
  GRADYN_TRY(of->curve(of->self, h->weight, rho, &block));
  memset(values, 0, h->count * sizeof *values);
  for (size_t k = 0; k < of->blocks.count; k++)
    if (!add_block(h, &block[k], values)) {
      h->grown = true;
      return join(h, block);
    }
  return GRADYN_OK;
}
