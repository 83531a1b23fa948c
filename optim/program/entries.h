/* Stored entries of a matrix, row by row. */
#ifndef GRADYN_OPTIM_ENTRIES_H
#define GRADYN_OPTIM_ENTRIES_H

#include <stddef.h>

/* Row i has the columns column[start[i]], ..., column[start[i + 1] - 1], ascending. A pointer NULL to this
 * struct: all entries are stored. */
typedef struct gradyn_entries {
  size_t *start, *column;
} gradyn_entries;

/* One row: its values begin at index `first`. column NULL: entry k is in column k. */
typedef struct gradyn_entry_row {
  size_t first, count;
  const size_t *column;
} gradyn_entry_row;

/* Returns row i of a matrix with `width` columns. entries NULL: all entries are stored. */
static inline gradyn_entry_row gradyn_entries_row(const gradyn_entries *entries, size_t width,
                                                  size_t i)
{
  if (entries == NULL)
    return (gradyn_entry_row){i * width, width, NULL};
  const size_t first = entries->start[i];
  return (gradyn_entry_row){first, entries->start[i + 1] - first, entries->column + first};
}

/* Returns the column of entry k of a row. */
static inline size_t gradyn_entries_column(const gradyn_entry_row *row, size_t k)
{
  return row->column != NULL ? row->column[k] : k;
}

/* Returns the number of stored entries in the first `rows` rows of a matrix with `width` columns. entries
 * NULL: all entries are stored. */
static inline size_t gradyn_entries_count(const gradyn_entries *entries, size_t width, size_t rows)
{
  return entries != NULL ? entries->start[rows] : rows * width;
}

#endif
