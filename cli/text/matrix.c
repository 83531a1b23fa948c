/* Matrices from options. An option is either NAME=VALUE,..., the diagonal (deviations or weights), or the
 * name of a CSV file. The headings of the file are the names, its rows are the matrix. */
#include "cli/text/matrix.h"

#include <stdlib.h>
#include <string.h>

#include "cli/base/read.h"
#include "cli/text/json.h"
#include "cli/base/memory.h"

void cli_matrix_free(cli_matrix *m)
{
  cli_names_free(&m->names);
  free(m->entry);
  *m = (cli_matrix){0};
}

/* Parses "NAME=VALUE,...". */
static int take_diagonal(const cli_session *session, const char *option, const char *text,
                         bool deviations, cli_matrix *m)
{
  /* splits at commas first, then at each '=' */
  m->names = cli_names_split(text);
  size_t n = m->names.count;
  m->entry = cli_take(n * n, sizeof *m->entry);
  for (size_t k = 0; k < n; k++) {
    double value = 0;
    char *name = m->names.text + (m->names.name[k] - m->names.text), *equals = strchr(name, '=');
    if (!equals || equals == name || !cli_parse_number(equals + 1, &value) || value < 0)
      return cli_session_fail(session, GRADYN_INVALID,
                              "--%s: '%s' must be NAME=VALUE with a value of at least 0", option,
                              name);
    *equals = '\0';
    m->entry[k * n + k] = deviations ? value * value : value;
  }
  return CLI_DONE;
}

/* Reads column k of a table into entry [n][n]. Returns false if it does not have n numbers. */
static bool take_column(const json_t *column, size_t k, size_t n, double *entry)
{
  const char *at = json_string_value(json_object_get(column, "values"));
  /* the column is a text, in which blanks separate the numbers */
  for (size_t i = 0; i < n && at; i++) {
    char *end = NULL;
    entry[i * n + k] = strtod(at, &end);
    if (end == at)
      return false;
    at = end;
  }
  return at != NULL && at[strspn(at, " ")] == '\0';
}

/* Fills *names with the names of all columns; it owns their texts. */
static void take_names(const json_t *columns, cli_names *names)
{
  size_t n = json_array_size(columns), size = 1;
  /* one text has all names, each with its terminator */
  for (size_t k = 0; k < n; k++)
    size += strlen(json_string_value(json_object_get(json_array_get(columns, k), "name"))) + 1;
  char *at = names->text = cli_take(size, 1);
  names->name = cli_take(n, sizeof *names->name);
  for (size_t k = 0; k < n; k++) {
    const char *name = json_string_value(json_object_get(json_array_get(columns, k), "name"));
    names->name[names->count++] = at;
    memcpy(at, name, strlen(name) + 1);
    at += strlen(name) + 1;
  }
}

/* Reads a whole matrix, with names, from a file. */
static int take_file(const cli_session *session, const char *option, const char *path,
                     cli_matrix *m)
{
  enum { MOST = 1000 };               /* largest number of names */
  const gradyn_csv_request request = {/* 17 digits determine every double */
                                      .most_cells = (size_t)MOST * MOST,
                                      .most_columns = MOST,
                                      .least_rows = MOST,
                                      .digits = 17};
  json_t *table = NULL;
  char why[256];
  if (cli_read_csv(path, &request, &table, why, sizeof why) != GRADYN_OK)
    return cli_session_fail(session, GRADYN_IO, "--%s: %s cannot be read: %s", option, path, why);
  /* the file must have as many complete rows as names, with numbers only */
  const json_t *columns = json_object_get(table, "columns");
  size_t n = json_array_size(columns);
  bool square = (size_t)json_integer_value(json_object_get(table, "rows_in_file")) == n &&
                json_integer_value(json_object_get(table, "torn")) == 0;
  take_names(columns, &m->names);
  m->entry = cli_take(n * n, sizeof *m->entry); /* [n][n], by rows */
  for (size_t k = 0; k < n && square; k++)
    square = take_column(json_array_get(columns, k), k, n, m->entry);
  json_decref(table);
  if (square)
    return CLI_DONE;
  return cli_session_fail(session, GRADYN_INVALID,
                          "--%s %s: after its line of %zu names, the file must have as many "
                          "lines, each with as many numbers",
                          option, path, n);
}

int cli_matrix_take(const cli_session *session, const char *option, const char *text,
                    bool deviations, cli_matrix *out)
{
  *out = (cli_matrix){0};
  return strchr(text, '=') ? take_diagonal(session, option, text, deviations, out)
                           : take_file(session, option, text, out);
}
