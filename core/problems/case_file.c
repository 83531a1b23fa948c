/* Load cases from a CSV file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/message.h"
#include "core/base/owned.h"
#include "core/files/table_read.h"
#include "core/linear/arena.h"
#include "core/problems/cases.h"
#include <gradyn/problem.h>

enum { MOST_ROWS = 10000 };

/* The table and the memory of its arrays and texts. */
typedef struct owner {
  /* the first member, so that a pointer to the cases is also a pointer to their owner */
  gradyn_cases cases;
  gradyn_arena arena;
} owner;

typedef struct reader {
  gradyn_table_reader table;
  const char **names;
  double *values;
  size_t *lines;
  size_t capacity;
  owner *to;
} reader;

static gradyn_status no_memory(const reader *r)
{
  return gradyn_table_fail(&r->table, GRADYN_NO_MEMORY, "out of memory");
}

/* Copies a text into the table. */
static const char *keep(reader *r, const char *text)
{
  const size_t size = strlen(text) + 1;
  char *copy = gradyn_arena_take(&r->to->arena, size, 1);
  return copy ? memcpy(copy, text, size) : NULL;
}

static gradyn_status take_headings(reader *r)
{
  const gradyn_table_reader *table = &r->table;
  const char **columns = gradyn_arena_take(&r->to->arena, table->columns, sizeof *columns);
  if (!columns)
    return no_memory(r);
  if (strcmp(table->cell[0], "case") != 0)
    return gradyn_table_fail(table, GRADYN_INVALID, "the first heading must be \"case\"");
  for (size_t i = 1; i < table->columns; i++) {
    columns[i - 1] = keep(r, table->cell[i]);
    if (!columns[i - 1])
      return no_memory(r);
  }
  r->to->cases.columns = columns;
  r->to->cases.column_count = table->columns - 1;
  return GRADYN_OK;
}

/* Allocates memory for another row. */
static gradyn_status extend(reader *r)
{
  const size_t capacity = 2 * r->capacity + 16, columns = r->to->cases.column_count + 1;
  if (r->to->cases.count < r->capacity)
    return GRADYN_OK;
  const char **names = realloc(r->names, capacity * sizeof *names);
  r->names = names ? names : r->names;
  double *values = realloc(r->values, capacity * columns * sizeof *values);
  r->values = values ? values : r->values;
  size_t *lines = realloc(r->lines, capacity * sizeof *lines);
  r->lines = lines ? lines : r->lines;
  r->capacity = capacity;
  return names && values && lines ? GRADYN_OK : no_memory(r);
}

static gradyn_status read_row(reader *r)
{
  gradyn_cases *cases = &r->to->cases;
  const size_t columns = cases->column_count, row = cases->count;
  if (row >= MOST_ROWS)
    return gradyn_table_fail(&r->table, GRADYN_INVALID, "there are more than %d cases", MOST_ROWS);
  GRADYN_TRY(extend(r));
  r->names[row] = keep(r, r->table.cell[0]);
  r->lines[row] = r->table.number;
  for (size_t i = 0; i < columns; i++)
    GRADYN_TRY(
        gradyn_table_number(&r->table, i + 1, cases->columns[i], &r->values[row * columns + i]));
  cases->count++;
  return r->names[row] ? GRADYN_OK : no_memory(r);
}

/* Copies the rows into the table. */
static gradyn_status finish(reader *r)
{
  gradyn_cases *cases = &r->to->cases;
  const size_t n = cases->count, cells = n * cases->column_count;
  if (n == 0)
    return gradyn_table_fail(&r->table, GRADYN_INVALID, "there are no cases");
  double *values = gradyn_arena_numbers(&r->to->arena, cells);
  size_t *lines = gradyn_arena_take(&r->to->arena, n + 1, sizeof *lines);
  const char **names = gradyn_arena_take(&r->to->arena, n, sizeof *names);
  cases->source = keep(r, r->table.file);
  if (gradyn_arena_status(&r->to->arena) != GRADYN_OK)
    return no_memory(r);
  memcpy(values, r->values, cells * sizeof *values);
  memcpy(lines, r->lines, n * sizeof *lines);
  lines[n] = r->table.headings;
  memcpy(names, r->names, n * sizeof *names);
  cases->values = values;
  cases->lines = lines;
  cases->names = names;
  return GRADYN_OK;
}

static gradyn_status read_all(reader *r)
{
  bool end = false;
  GRADYN_TRY(take_headings(r));
  for (;;) {
    GRADYN_TRY(gradyn_table_next(&r->table, &end));
    if (end)
      return finish(r);
    GRADYN_TRY(read_row(r));
  }
}

/* Checks the properties of the table that do not depend on a problem. */
static gradyn_status check(const reader *r)
{
  const gradyn_problem none = {.cases = &r->to->cases};
  gradyn_message why = {.text = ""};
  const gradyn_status status = gradyn_cases_check(&none, NULL, &why);
  if (status != GRADYN_OK && r->table.message)
    (void)snprintf(r->table.message, r->table.size, "%s", why.text);
  return status;
}

/* Opens and reads the file, then releases the memory of the reader. */
static gradyn_status read_file(reader *r)
{
  gradyn_status status = gradyn_table_open(&r->table);
  if (status == GRADYN_OK)
    status = read_all(r);
  if (status == GRADYN_OK)
    status = check(r);
  gradyn_table_close(&r->table);
  free(r->names);
  free(r->values);
  free(r->lines);
  return status;
}

gradyn_status gradyn_cases_read(const char *file, gradyn_cases **out, char message[], size_t size)
{
  if (!file || !out)
    return GRADYN_INVALID;
  *out = NULL;
  FREED reader *r = calloc(1, sizeof *r);
  owner *to = calloc(1, sizeof *to);
  if (!r || !to) {
    free(to);
    return GRADYN_NO_MEMORY;
  }
  r->to = to;
  r->table.file = file;
  r->table.message = size > 0 ? message : NULL;
  r->table.size = size;
  const gradyn_status status = read_file(r);
  if (status == GRADYN_OK)
    *out = &to->cases;
  else
    gradyn_cases_free(&to->cases);
  return status;
}

void gradyn_cases_free(gradyn_cases *cases)
{
  owner *own = (owner *)cases;
  if (!own)
    return;
  gradyn_arena_clear(&own->arena);
  free(own);
}
