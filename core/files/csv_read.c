/* Tables read back from CSV files, thinned for the report.
 *
 * A file is read twice: once to count its whole rows, since a run that was stopped may have torn
 * the last one, and once to keep every so many of them, so that no more cells remain than a page
 * can show. Numbers are taken over as text, rounded (decimal.h). */
#include "core/files/csv_read.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/message.h"
#include "core/files/decimal.h"
#include "core/files/file.h"
#include "core/files/json.h"
#include "core/files/read.h"
#include "core/files/text.h"

enum { LONGEST_VALUE = 47 }; /* bytes of a field that a page shows */

typedef struct table {
  FILE *file;
  json_t *columns;
  size_t count, kept;   /* columns: in the file, of the result */
  size_t rows, torn;    /* lines that are complete, and that are not */
  gradyn_text *values;  /* [kept] */
  bool lost;            /* its rows could not be read twice */
  gradyn_status status; /* of what else can fail: GRADYN_NO_MEMORY */
} table;

/* --- headings: names may hold commas, quotes and line ends, in quotes --------------------------- */

/* Reads one field; false behind the last one of the line. */
static bool read_heading(FILE *file, gradyn_text *field, bool *last)
{
  bool quoted = false, any = false;
  int c;
  field->used = 0;
  gradyn_text_add(field, "", 0);
  while ((c = fgetc(file)) != EOF) {
    any = true;
    if (c == '"') {
      int next = quoted ? fgetc(file) : '\0'; /* within quotes: the end of them, or a doubled one */
      if (quoted && next != '"') {
        quoted = false;
        if (next != EOF)
          (void)ungetc(next, file);
        continue;
      }
      if (!quoted) {
        quoted = true;
        continue;
      }
    } else if (!quoted && (c == ',' || c == '\n')) { /* outside: the field ends */
      *last = c == '\n';
      return true;
    }
    const char byte = (char)c;
    gradyn_text_add(field, &byte, 1);
  }
  *last = true; /* the end of the file ends the last field, if something was there */
  return any;
}

/* The first line, "name [unit]" by column. */
static void read_headings(table *t)
{
  gradyn_text field = {.at = NULL};
  bool last = false;
  while (!last && read_heading(t->file, &field, &last)) {
    json_t *column = json_object();
    /* units stay part of the name */
    gradyn_json_put(&column, "name", field.failed ? NULL : gradyn_json_text(field.at));
    gradyn_json_append(&t->columns, column);
    t->count++;
  }
  free(field.at);
}

/* --- rows --------------------------------------------------------------------------------------- */

/* Whether a line has all its fields and its end: the last one of a killed run may not. */
static bool is_whole(const table *t, const char *line, size_t length)
{
  size_t fields = 1;
  const char *end = line + length;
  /* rows of the tables that are read have no quoted fields */
  for (const char *c = line; (c = memchr(c, ',', (size_t)(end - c))) != NULL; c++)
    fields++;
  return length > 0 && end[-1] == '\n' && fields == t->count;
}

/* What words may hold: a blank would end a value, other bytes would have to be escaped in a page. */
static bool is_plain(char c)
{
  return c > ' ' && c <= '~' && !strchr("\"\\<>&", c);
}

/* Numbers are rounded, words kept. */
static void add_value(gradyn_text *to, const char *field, size_t length, int digits)
{
  length = length < LONGEST_VALUE ? length : LONGEST_VALUE;
  /* a blank before, a digit that a carry adds */
  char *at = gradyn_text_reserve(to, LONGEST_VALUE + 2), *value = at;
  if (at == NULL)
    return;
  if (to->used > 0)
    *value++ = ' ';
  size_t written = gradyn_decimal_round(field, length, digits, value);
  if (written == 0) {
    memcpy(value, length > 0 ? field : "-", written = length > 0 ? length : 1);
    for (size_t i = 0; i < written; i++)
      value[i] = is_plain(value[i]) ? value[i] : '_';
  }
  value[written] = '\0';
  to->used += (size_t)(value - at) + written;
}

/* length: of the line without its end. */
static void take_row(table *t, const char *line, size_t length, int digits)
{
  const char *end = line + length; /* fields that are not kept are stepped over */
  for (size_t j = 0; j < t->kept; j++) {
    const char *comma = memchr(line, ',', (size_t)(end - line));
    const char *stop = comma ? comma : end;
    add_value(&t->values[j], line, (size_t)(stop - line), digits);
    line = comma ? comma + 1 : end;
  }
}

/* To the end of the file. */
static void count_rows(table *t, char **line, size_t *capacity)
{
  ssize_t length;
  while ((length = gradyn_read_line(t->file, line, capacity, &t->status)) >= 0)
    if (is_whole(t, *line, (size_t)length))
      t->rows++;
    else
      t->torn++;
}

/* Takes `keep` of the rows, evenly, from the first to the last. */
static void take_rows(table *t, size_t keep, int digits, char **line, size_t *capacity)
{
  ssize_t length;
  for (size_t row = 0, taken = 0; taken < keep;) {
    length = gradyn_read_line(t->file, line, capacity, &t->status);
    if (length < 0)
      break;
    if (t->torn > 0 && !is_whole(t, *line, (size_t)length))
      continue;
    /* rows are counted first: the kept ones are known as they come */
    size_t wanted = keep > 1 ? taken * (t->rows - 1) / (keep - 1) : 0;
    if (row++ == wanted) {
      take_row(t, *line, (size_t)length - 1, digits);
      taken++;
    }
  }
}

/* How many of the rows are kept, and how many of the columns. */
static size_t choose_rows(table *t, const gradyn_csv_request *request)
{
  size_t least = request->least_rows < t->rows ? request->least_rows : t->rows;
  t->kept = t->count;
  /* columns at the end go before rows do: they are what can be spared */
  if (t->kept > request->most_columns && t->kept * least > request->most_cells)
    t->kept = request->most_columns;
  size_t keep = request->most_cells / (t->kept ? t->kept : 1);
  keep = keep > 2 ? keep : 2; /* a curve needs two points */
  return keep < t->rows ? keep : t->rows;
}

/* Values of each column as one text, a line for each row. */
static void read_rows(table *t, const gradyn_csv_request *request, json_t **root)
{ /* one buffer for all lines */
  char *line = NULL;
  size_t capacity = 0;
  long start = ftell(t->file); /* headings are behind; the rows are read twice */
  count_rows(t, &line, &capacity);
  size_t keep = choose_rows(t, request);
  t->values = calloc(t->kept, sizeof *t->values);
  t->kept = t->values ? t->kept : 0;
  for (size_t j = 0; j < t->kept; j++) /* at once, for numbers with a sign, a point and a blank */
    (void)gradyn_text_reserve(&t->values[j], keep * ((size_t)request->digits + 3));
  t->lost = start < 0 || fseek(t->file, start, SEEK_SET) != 0;
  if (!t->lost)
    take_rows(t, keep, request->digits, &line, &capacity);
  while (json_array_size(t->columns) > t->kept) /* what is not shown is not described either */
    (void)json_array_remove(t->columns, t->kept);
  for (size_t j = 0; j < t->kept; j++) {
    const gradyn_text *values = &t->values[j];
    json_t *text = values->failed ? NULL
                                  : json_stringn_nocheck(values->at, values->used); /* plain */
    if (json_object_set_new(json_array_get(t->columns, j), "values", text) != 0)
      t->status = GRADYN_NO_MEMORY;
    free(values->at);
  }
  if (!t->values)
    t->status = GRADYN_NO_MEMORY;
  free(t->values);
  free(line);
  gradyn_json_put(root, "rows_in_file", json_integer((json_int_t)t->rows));
  gradyn_json_put(root, "columns_in_file", json_integer((json_int_t)t->count));
  gradyn_json_put(root, "rows", json_integer((json_int_t)keep));
  gradyn_json_put(root, "torn", json_integer((json_int_t)t->torn));
}

/* Columns of a table, thinned to what a page can show, or whole where matrices are read. */
gradyn_status gradyn_csv_read(const char *path, const gradyn_csv_request *request, json_t **root,
                              char why[], size_t size)
{
  table t = {.file = NULL};
  *root = NULL;
  GRADYN_TRY(gradyn_read_open(path, &t.file, why, size));
  char *buffer = malloc(GRADYN_FILE_BUFFER);
  json_t *read = json_object();
  t.columns = json_array();
  if (buffer)
    (void)setvbuf(t.file, buffer, _IOFBF, GRADYN_FILE_BUFFER); /* without, it is slower */
  read_headings(&t);
  if (t.count > 0)
    read_rows(&t, request, &read);
  gradyn_json_put(&read, "columns", t.columns);
  /* half of a file is no table */
  if (ferror(t.file) || t.lost) {
    t.status = GRADYN_IO;
    (void)snprintf(why, size, "%s", strerror(EIO));
  } else if (t.status != GRADYN_OK || !read) {
    t.status = GRADYN_NO_MEMORY;
    (void)snprintf(why, size, "out of memory");
  } else if (t.count == 0) {
    t.status = GRADYN_INVALID;
    (void)snprintf(why, size, "it is empty");
  }
  (void)fclose(t.file); /* only read from */
  free(buffer);
  if (t.status != GRADYN_OK)
    json_decref(read);
  *root = t.status == GRADYN_OK ? read : NULL;
  return t.status;
}
