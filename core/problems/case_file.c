/* Load cases from a CSV file. */
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/message.h"
#include "core/base/names.h"
#include "core/base/owned.h"
#include "core/files/read.h"
#include "core/linear/arena.h"
#include "core/problems/cases.h"
#include <gradyn/problem.h>

enum { MOST_COLUMNS = 1000, MOST_ROWS = 10000, MOST_CHARACTERS = 1 << 20 };

/* The table and the memory of its arrays and texts. */
typedef struct owner {
  gradyn_cases cases; /* first, so that a pointer to it is one to the owner */
  gradyn_arena arena;
} owner;

typedef struct reader {
  const char *file;
  FILE *stream;
  char *line;
  size_t length_of_line, number, headings; /* numbers of lines, from 1 */
  char *cell[MOST_COLUMNS + 1];
  size_t cells;
  const char **names;
  double *values;
  size_t *lines;
  size_t capacity;
  owner *to;
  char *message;
  size_t size;
} reader;

static gradyn_status fail(const reader *r, gradyn_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static gradyn_status fail(const reader *r, gradyn_status status, const char *format, ...)
{
  char text[300];
  va_list args;
  va_start(args, format);
  (void)vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (r->message && r->number > 0)
    (void)snprintf(r->message, r->size, "%s:%zu: %s", r->file, r->number, text);
  else if (r->message)
    (void)snprintf(r->message, r->size, "%s: %s", r->file, text);
  return status;
}

static gradyn_status no_memory(const reader *r)
{
  return fail(r, GRADYN_NO_MEMORY, "out of memory");
}

/* Removes blanks at both ends. */
static char *trim(char *text)
{
  size_t length = strlen(text);
  while (length > 0 && isspace((unsigned char)text[length - 1]))
    text[--length] = '\0';
  while (isspace((unsigned char)*text))
    text++;
  return text;
}

/* Splits the line into cells. */
static gradyn_status split(reader *r)
{
  char *at = r->line;
  for (r->cells = 0; at; r->cells++) {
    if (r->cells > MOST_COLUMNS)
      return fail(r, GRADYN_INVALID, "there are more than %d columns", MOST_COLUMNS);
    char *next = strchr(at, ',');
    if (next)
      *next++ = '\0';
    r->cell[r->cells] = trim(at);
    at = next;
  }
  return GRADYN_OK;
}

/* Reads the next line with contents; *end: there is none. */
static gradyn_status next_line(reader *r, bool *end)
{
  gradyn_status status = GRADYN_OK;
  for (;;) {
    const ssize_t length = gradyn_read_line(r->stream, &r->line, &r->length_of_line, &status);
    *end = length < 0;
    if (status != GRADYN_OK)
      return no_memory(r);
    if (*end)
      return ferror(r->stream) ? fail(r, GRADYN_IO, "it cannot be read") : GRADYN_OK;
    r->number++;
    if (strlen(r->line) != (size_t)length || length > MOST_CHARACTERS)
      return fail(r, GRADYN_INVALID, "this is no text, or the line is too long");
    const char *first = r->line + strspn(r->line, " \t\r\n");
    if (*first != '\0' && *first != '#')
      return split(r);
  }
}

/* Copies a text into the table. */
static const char *keep(reader *r, const char *text)
{
  const size_t size = strlen(text) + 1;
  char *copy = gradyn_arena_take(&r->to->arena, size, 1);
  return copy ? memcpy(copy, text, size) : NULL;
}

static gradyn_status read_headings(reader *r)
{
  gradyn_cases *cases = &r->to->cases;
  const char **columns = gradyn_arena_take(&r->to->arena, MOST_COLUMNS, sizeof *columns);
  if (!columns)
    return no_memory(r);
  if (strncmp(r->cell[0], "\xef\xbb\xbf", 3) == 0) /* the byte order mark of spreadsheets */
    r->cell[0] += 3;
  if (strcmp(r->cell[0], "case") != 0)
    return fail(r, GRADYN_INVALID, "the first heading must be \"case\"");
  for (size_t i = 1; i < r->cells; i++) {
    char *unit = strstr(r->cell[i], " [");
    if (unit)
      *unit = '\0';
    columns[i - 1] = keep(r, trim(r->cell[i]));
    if (!columns[i - 1])
      return no_memory(r);
  }
  cases->columns = columns;
  cases->column_count = r->cells - 1;
  r->headings = r->number;
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

/* Reads a number; an empty cell is NAN. */
static gradyn_status read_number(const reader *r, size_t i, double *value)
{
  char *end = NULL, quoted[100];
  const char *text = r->cell[i];
  *value = *text ? strtod(text, &end) : (double)NAN;
  gradyn_name_quote(text, quoted, sizeof quoted);
  if (*text && (*end != '\0' || !isfinite(*value)))
    return fail(r, GRADYN_INVALID, "%s is \"%s\"; give a finite number or leave the cell empty",
                r->to->cases.columns[i - 1], quoted);
  return GRADYN_OK;
}

static gradyn_status read_row(reader *r)
{
  gradyn_cases *cases = &r->to->cases;
  const size_t columns = cases->column_count, row = cases->count;
  if (r->cells != columns + 1)
    return fail(r, GRADYN_INVALID, "the line has %zu cells, the headings have %zu", r->cells,
                columns + 1);
  if (row >= MOST_ROWS)
    return fail(r, GRADYN_INVALID, "there are more than %d cases", MOST_ROWS);
  GRADYN_TRY(extend(r));
  r->names[row] = keep(r, r->cell[0]);
  r->lines[row] = r->number;
  for (size_t i = 0; i < columns; i++)
    GRADYN_TRY(read_number(r, i + 1, &r->values[row * columns + i]));
  cases->count++;
  return r->names[row] ? GRADYN_OK : no_memory(r);
}

/* Copies the rows into the table. */
static gradyn_status finish(reader *r)
{
  gradyn_cases *cases = &r->to->cases;
  const size_t n = cases->count, cells = n * cases->column_count;
  if (n == 0)
    return fail(r, GRADYN_INVALID, "there are no cases");
  double *values = gradyn_arena_numbers(&r->to->arena, cells);
  size_t *lines = gradyn_arena_take(&r->to->arena, n + 1, sizeof *lines);
  const char **names = gradyn_arena_take(&r->to->arena, n, sizeof *names);
  cases->source = keep(r, r->file);
  if (gradyn_arena_status(&r->to->arena) != GRADYN_OK)
    return no_memory(r);
  memcpy(values, r->values, cells * sizeof *values);
  memcpy(lines, r->lines, n * sizeof *lines);
  lines[n] = r->headings;
  memcpy(names, r->names, n * sizeof *names);
  cases->values = values;
  cases->lines = lines;
  cases->names = names;
  return GRADYN_OK;
}

static gradyn_status read_all(reader *r)
{
  bool end = false;
  GRADYN_TRY(next_line(r, &end));
  if (end)
    return fail(r, GRADYN_INVALID, "the file is empty");
  GRADYN_TRY(read_headings(r));
  for (;;) {
    GRADYN_TRY(next_line(r, &end));
    if (end)
      return finish(r);
    GRADYN_TRY(read_row(r));
  }
}

/* Checks what does not depend on a problem. */
static gradyn_status check(const reader *r)
{
  const gradyn_problem none = {.cases = &r->to->cases};
  gradyn_message why = {.text = ""};
  const gradyn_status status = gradyn_cases_check(&none, NULL, &why);
  if (status != GRADYN_OK && r->message)
    (void)snprintf(r->message, r->size, "%s", why.text);
  return status;
}

/* Opens the file, reads it and releases what the reader needs. */
static gradyn_status read_file(reader *r)
{
  char why[256] = "";
  const gradyn_status opened = gradyn_read_open(r->file, &r->stream, why, sizeof why);
  if (opened != GRADYN_OK)
    return fail(r, opened, "%s", why);
  gradyn_status status = read_all(r);
  if (status == GRADYN_OK)
    status = check(r);
  (void)fclose(r->stream); /* no check: the file was only read */
  free(r->line);
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
  *r = (reader){.file = file, .to = to, .message = size > 0 ? message : NULL, .size = size};
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
