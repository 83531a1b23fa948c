/* Reads tables from CSV files, thinned for the report.
 *
 * A file is read twice. The first pass counts complete rows, because an interrupted run may have truncated
 * the last one. The second pass stores evenly spaced rows, so that the number of cells fits a page. Numbers
 * are copied as text and rounded (decimal.h). */
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
  size_t count, kept;   /* columns: in the file, in the result */
  size_t rows, torn;    /* complete lines, incomplete lines */
  gradyn_text *values;  /* [kept] */
  bool lost;            /* the file could not be read a second time */
  gradyn_status status; /* other failures: GRADYN_NO_MEMORY */
} table;

/* --- Headings: quoted names may contain commas, quotes and line ends ---------------------------- */

/* Reads one field. Returns false at the end of the file; *last: it is the last field of the line. */
static bool read_heading(FILE *file, gradyn_text *field, bool *last)
{
  bool quoted = false, any = false;
  int c;
  field->used = 0;
  gradyn_text_add(field, "", 0);
  while ((c = fgetc(file)) != EOF) {
    any = true;
    if (c == '"') {
      int next = quoted ? fgetc(file) : '\0'; /* inside quotes: their end, or a doubled quote */
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
    } else if (!quoted && (c == ',' || c == '\n')) { /* outside quotes: the end of the field */
      *last = c == '\n';
      return true;
    }
    const char byte = (char)c;
    gradyn_text_add(field, &byte, 1);
  }
  *last = true; /* the end of the file ends a field that is not empty */
  return any;
}

/* Reads the first line: "name [unit]" for each column. */
static void read_headings(table *t)
{
  gradyn_text field = {.at = NULL};
  bool last = false;
  while (!last && read_heading(t->file, &field, &last)) {
    json_t *column = json_object();
    /* the unit stays part of the name */
    gradyn_json_put(&column, "name", field.failed ? NULL : gradyn_json_text(field.at));
    gradyn_json_append(&t->columns, column);
    t->count++;
  }
  free(field.at);
}

/* --- Rows --------------------------------------------------------------------------------------- */

/* Whether a line has all fields and a line end. The last line of a killed run may be incomplete. */
static bool is_whole(const table *t, const char *line, size_t length)
{
  size_t fields = 1;
  const char *end = line + length;
  /* the tables have no quoted fields in their rows */
  for (const char *c = line; (c = memchr(c, ',', (size_t)(end - c))) != NULL; c++)
    fields++;
  return length > 0 && end[-1] == '\n' && fields == t->count;
}

/* Whether a character is allowed in words. A blank would end a value; other characters would need an escape
 * in a page. */
static bool is_plain(char c)
{
  return c > ' ' && c <= '~' && !strchr("\"\\<>&", c);
}

/* Adds a field to the values of a column: numbers are rounded, words are copied. */
static void add_value(gradyn_text *to, const char *field, size_t length, int digits)
{
  length = length < LONGEST_VALUE ? length : LONGEST_VALUE;
  /* a leading blank, and a digit that rounding may add */
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

/* Adds the fields of a row to the columns; length: of the line without its end. */
static void take_row(table *t, const char *line, size_t length, int digits)
{
  const char *end = line + length; /* fields of columns that are not kept are skipped */
  for (size_t j = 0; j < t->kept; j++) {
    const char *comma = memchr(line, ',', (size_t)(end - line));
    const char *stop = comma ? comma : end;
    add_value(&t->values[j], line, (size_t)(stop - line), digits);
    line = comma ? comma + 1 : end;
  }
}

/* Counts the rows up to the end of the file. */
static void count_rows(table *t, char **line, size_t *capacity)
{
  ssize_t length;
  while ((length = gradyn_read_line(t->file, line, capacity, &t->status)) >= 0)
    if (is_whole(t, *line, (size_t)length))
      t->rows++;
    else
      t->torn++;
}

/* Stores `keep` rows, evenly spaced from the first to the last. */
static void take_rows(table *t, size_t keep, int digits, char **line, size_t *capacity)
{
  ssize_t length;
  for (size_t row = 0, taken = 0; taken < keep;) {
    length = gradyn_read_line(t->file, line, capacity, &t->status);
    if (length < 0)
      break;
    if (t->torn > 0 && !is_whole(t, *line, (size_t)length))
      continue;
    /* the number of rows is known, so each row to keep is known when it is read */
    size_t requested = keep > 1 ? taken * (t->rows - 1) / (keep - 1) : 0;
    if (row++ == requested) {
      take_row(t, *line, (size_t)length - 1, digits);
      taken++;
    }
  }
}

/* Returns the number of rows to keep, and sets the number of columns. */
static size_t choose_rows(table *t, const gradyn_csv_request *request)
{
  size_t least = request->least_rows < t->rows ? request->least_rows : t->rows;
  t->kept = t->count;
  /* columns at the end are omitted before rows, because they matter least */
  if (t->kept > request->most_columns && t->kept * least > request->most_cells)
    t->kept = request->most_columns;
  size_t keep = request->most_cells / (t->kept ? t->kept : 1);
  keep = keep > 2 ? keep : 2; /* a curve needs two points */
  return keep < t->rows ? keep : t->rows;
}

/* Stores the values of each column as one text, separated by blanks. */
static void read_rows(table *t, const gradyn_csv_request *request, json_t **root)
{ /* one buffer for all lines */
  char *line = NULL;
  size_t capacity = 0;
  long start = ftell(t->file); /* start of the rows, which are read twice */
  count_rows(t, &line, &capacity);
  size_t keep = choose_rows(t, request);
  t->values = calloc(t->kept, sizeof *t->values);
  t->kept = t->values ? t->kept : 0;
  /* reserved at once: each number has a sign, a point and a blank */
  for (size_t j = 0; j < t->kept; j++)
    (void)gradyn_text_reserve(&t->values[j], keep * ((size_t)request->digits + 3));
  t->lost = start < 0 || fseek(t->file, start, SEEK_SET) != 0;
  if (!t->lost)
    take_rows(t, keep, request->digits, &line, &capacity);
  /* columns that are not kept have no description either */
  while (json_array_size(t->columns) > t->kept)
    (void)json_array_remove(t->columns, t->kept);
  for (size_t j = 0; j < t->kept; j++) {
    const gradyn_text *values = &t->values[j];
    json_t *text = values->failed ? NULL
                                  /* plain text by is_plain() */
                                  : json_stringn_nocheck(values->at, values->used);
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

/* Reads the columns of a table, thinned to fit a page, or complete for matrices. */
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
    /* without a large buffer, reading is slower */
    (void)setvbuf(t.file, buffer, _IOFBF, GRADYN_FILE_BUFFER);
  read_headings(&t);
  if (t.count > 0)
    read_rows(&t, request, &read);
  gradyn_json_put(&read, "columns", t.columns);
  /* an incomplete file is an error */
  if (t.status != GRADYN_OK || !read) {
    t.status = GRADYN_NO_MEMORY;
    (void)snprintf(why, size, "out of memory");
  } else if (ferror(t.file) || t.lost) {
    t.status = GRADYN_IO;
    (void)snprintf(why, size, "%s", strerror(EIO));
  } else if (t.count == 0) {
    t.status = GRADYN_INVALID;
    (void)snprintf(why, size, "it is empty");
  }
  (void)fclose(t.file); /* no check: the file was only read */
  free(buffer);
  if (t.status != GRADYN_OK)
    json_decref(read);
  *root = t.status == GRADYN_OK ? read : NULL;
  return t.status;
}
