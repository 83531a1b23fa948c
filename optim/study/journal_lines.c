/* Lines of a journal: evaluations as JSON with numbers that are read back exactly, and checksums. */
#include "optim/study/journal.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/files/decimal.h"
#include "core/files/json.h"
#include "core/files/text.h"

/* --- Writing ---------------------------------------------------------------------------------- */

json_t *gradyn_journal_number(double value)
{
  if (isfinite(value))
    return json_real(value);
  return json_string(isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
}

/* NUMBER: most bytes of a number with a comma. MEMBER: of a member with its index. */
enum { NUMBER = GRADYN_DECIMAL_MOST + 8, MEMBER = 2 * NUMBER };

/* Prints a number that is read back exactly, after a comma unless it is the first number. It has the form
 * of a real number, because integers have no -0. Returns the number of bytes. A line consists mainly of
 * numbers; JSON objects and printf() would take four times as long. */
static size_t print(double value, bool first, char *out)
{
  char *number = out + !first;
  *out = ',';
  if (!isfinite(value))
    return (size_t)!first + (size_t)snprintf(number, GRADYN_DECIMAL_MOST, "\"%s\"",
                                             isnan(value) ? "nan"
                                             : value > 0  ? "inf"
                                                          : "-inf");
  size_t size = gradyn_decimal_print(value, number);
  if (size == 0)
    size = (size_t)snprintf(number, GRADYN_DECIMAL_MOST, "%.17g", value);
  bool real = false;
  for (size_t i = 0; i < size; i++) {
    if (number[i] == ',') /* some locales have a decimal comma */
      number[i] = '.';
    real = real || number[i] == '.' || number[i] == 'e';
  }
  if (!real) {
    number[size++] = '.';
    number[size++] = '0';
  }
  return (size_t)!first + size;
}

/* Adds an array of numbers. */
static void add_numbers(gradyn_text *text, const double value[], size_t count)
{
  gradyn_text_add(text, "[", 1);
  for (size_t i = 0; i < count; i++) {
    char number[NUMBER];
    gradyn_text_add(text, number, print(value[i], i == 0, number));
  }
  gradyn_text_add(text, "]", 1);
}

/* Adds all numbers of a row. Those that are not stored are zero. */
static void add_all(gradyn_text *text, const gradyn_entry_row *row, const double value[],
                    size_t count)
{
  size_t next = 0;
  gradyn_text_add(text, "[", 1);
  for (size_t i = 0; i < count; i++) {
    char number[NUMBER];
    const bool has = next < row->count && gradyn_entries_column(row, next) == i;
    gradyn_text_add(text, number, print(has ? value[next] : 0, i == 0, number));
    next += has;
  }
  gradyn_text_add(text, "]", 1);
}

/* Whether a number is +0, which need not be written; -0 must be written. The bits are compared, because
 * this is fast: most entries of gradients need no other test. */
static bool is_nothing(double value)
{
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits == 0;
}

/* Adds a row of a gradient. If most of its entries are zero, only the others are written, with their
 * indices. */
static void add_row(gradyn_text *text, const gradyn_entry_row *row, const double value[],
                    size_t count)
{
  size_t zeros = count - row->count;
  bool first = true;
  for (size_t k = 0; k < row->count; k++)
    zeros += is_nothing(value[k]);
  if (2 * zeros <= count) {
    add_all(text, row, value, count);
    return;
  }
  gradyn_text_add(text, "{", 1);
  for (size_t k = 0; k < row->count; k++) {
    const size_t i = gradyn_entries_column(row, k);
    char member[MEMBER];
    if (is_nothing(value[k]))
      continue;
    size_t used = 0;
    if (!first)
      member[used++] = ',';
    member[used++] = '"';
    used += gradyn_decimal_print((double)i, member + used);
    member[used++] = '"';
    member[used++] = ':';
    gradyn_text_add(text, member, used + print(value[k], true, member + used));
    first = false;
  }
  gradyn_text_add(text, "}", 1);
}

/* Adds the name of a member. */
static void add_name(gradyn_text *text, const char *name)
{
  gradyn_text_add(text, ",\"", 2);
  gradyn_text_add(text, name, strlen(name));
  gradyn_text_add(text, "\":", 2);
}

/* Adds gradients [f][p], one row per functional. */
static void add_rows(gradyn_text *text, const gradyn_record *record, size_t f, size_t p)
{
  const gradyn_entries *entries = gradyn_record_entries(record);
  gradyn_text_add(text, "[", 1);
  for (size_t i = 0; i < f; i++) {
    const gradyn_entry_row row = gradyn_entries_row(entries, p, i);
    gradyn_text_add(text, ",", i > 0);
    add_row(text, &row, record->gradient + row.first, p);
  }
  gradyn_text_add(text, "]", 1);
}

static void add_occurrence(json_t **item, gradyn_occurrence o)
{
  gradyn_json_append(item, json_integer(o.event));
  gradyn_json_append(item, json_integer(o.which));
}

/* Returns the sampled path constraints. Each has its bound, its fraction of the run, and its event or knot.
 * A sample that moves also has its window, and the events at the ends of the window. */
static json_t *limits(const gradyn_limit_at at[], size_t count)
{
  json_t *array = json_array();
  for (size_t i = 0; i < count; i++) {
    json_t *item = json_array();
    gradyn_json_append(&item, json_integer((json_int_t)at[i].side));
    gradyn_json_append(&item, gradyn_journal_number(at[i].share));
    if (at[i].which > 0 || at[i].behind || at[i].knot > 0 || at[i].to > 0) {
      gradyn_json_append(&item, json_integer(at[i].event));
      gradyn_json_append(&item, json_integer(at[i].which));
      gradyn_json_append(&item, json_boolean(at[i].behind));
      gradyn_json_append(&item, json_integer(at[i].knot));
    }
    if (at[i].to > 0) {
      gradyn_json_append(&item, gradyn_journal_number(at[i].from));
      gradyn_json_append(&item, gradyn_journal_number(at[i].to));
    }
    if (at[i].after.which > 0 || at[i].before.which > 0) {
      add_occurrence(&item, at[i].after);
      add_occurrence(&item, at[i].before);
    }
    gradyn_json_append(&array, item);
  }
  return array;
}

/* Name of the member for sampled path constraints: it depends on the format in which the journal was begun.
 */
static const char *sampled(const gradyn_journal *journal)
{
  return journal->format == 1 ? "limits" : "path_constraints";
}

/* Returns a line without its arrays of numbers. NULL: out of memory. */
static char *encode_head(const gradyn_journal *journal, const gradyn_record *record)
{
  json_t *line = json_object();
  const char *why = record->message != NULL ? record->message : "";
  /* the number shows whether lines are missing */
  gradyn_json_put(&line, "evaluation", json_integer(journal->lines + 1));
  gradyn_json_put(&line, "seconds", gradyn_journal_number(record->seconds));
  gradyn_json_put(&line, "elapsed", gradyn_journal_number(record->elapsed));
  gradyn_json_put(&line, "steps", json_integer(record->steps));
  gradyn_json_put(&line, "status", json_string(gradyn_status_describe((int)record->status).name));
  if (record->status != GRADYN_OK)
    gradyn_json_put(&line, "message", gradyn_json_text(why));
  if (json_array_size(record->warnings) > 0)
    gradyn_json_put(&line, "warnings", json_incref(record->warnings));
  if (record->row_count > 0)
    gradyn_json_put(&line, sampled(journal), limits(record->rows, record->row_count));
  /* written only if true, so that lines are short */
  if (record->status == GRADYN_OK && record->all)
    gradyn_json_put(&line, "all", json_true());
  /* one compact line; 17 digits give the same bits */
  char *text = line != NULL ? json_dumps(line, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
  json_decref(line);
  return text;
}

char *gradyn_journal_encode(const gradyn_journal *journal, const gradyn_record *record)
{
  const size_t f = journal->f + record->row_count;
  char *head = encode_head(journal, record);
  gradyn_text text = {.at = NULL};
  if (head == NULL)
    return NULL;
  gradyn_text_add(&text, head, strlen(head) - 1); /* without the closing brace */
  free(head);
  add_name(&text, "rho");
  add_numbers(&text, record->rho, journal->p);
  if (record->status == GRADYN_OK) {
    add_name(&text, "psi");
    add_numbers(&text, record->psi, f);
  }
  if (record->status == GRADYN_OK && record->gradient != NULL) {
    add_name(&text, "gradient");
    add_rows(&text, record, f, journal->p);
  }
  gradyn_text_add(&text, "}", 1);
  if (!text.failed)
    return text.at;
  free(text.at);
  return NULL;
}

/* --- Reading ---------------------------------------------------------------------------------- */

/* Reads a number. Those that JSON does not have, such as infinity, are texts. */
static bool read_number(const json_t *value, double *out)
{
  const char *text = json_string_value(value);
  *out = json_number_value(value); /* 0 if it is a text */
  if (text == NULL)
    return json_is_number(value);
  *out = strcmp(text, "inf") == 0 ? HUGE_VAL : strcmp(text, "-inf") == 0 ? -HUGE_VAL : NAN;
  return !isnan(*out) || strcmp(text, "nan") == 0;
}

/* Reads exactly `count` numbers. */
static bool read_numbers(const json_t *array, double out[], size_t count)
{
  /* an array of another length is damaged, not of an old format */
  bool good = json_is_array(array) && json_array_size(array) == count;
  for (size_t i = 0; i < count && good; i++)
    good = read_number(json_array_get(array, i), &out[i]);
  return good;
}

/* Reads a row of a gradient of which only some entries are stored, with ascending indices. */
static bool read_entries(const json_t *row, size_t width, size_t column[], double out[])
{
  const char *key = NULL;
  json_t *value = NULL;
  size_t k = 0;
  json_object_foreach((json_t *)row, key, value)
  {
    char *behind = NULL;
    const unsigned long long position = strtoull(key, &behind, 10);
    if (behind == key || *behind != '\0' || position >= width ||
        (k > 0 && position <= column[k - 1]) || !read_number(value, &out[k]))
      return false;
    column[k++] = (size_t)position;
  }
  return true;
}

/* Reads a row of a gradient, with all entries or with only some. */
static bool read_row(const json_t *row, size_t width, size_t column[], double out[])
{
  if (json_is_object(row))
    return read_entries(row, width, column, out);
  for (size_t j = 0; j < width; j++)
    column[j] = j;
  return read_numbers(row, out, width);
}

/* Allocates the entries of gradients with f rows. */
static gradyn_status take_entries(const gradyn_journal *journal, const json_t *rows, size_t f,
                                  gradyn_record *record)
{
  gradyn_entries *entries = &record->entries;
  entries->start = calloc(f + 1, sizeof *entries->start);
  for (size_t i = 0; entries->start != NULL && i < f; i++) {
    const json_t *row = json_array_get(rows, i);
    entries->start[i + 1] = entries->start[i] +
                            (json_is_object(row) ? json_object_size(row) : journal->p);
  }
  const size_t count = entries->start != NULL ? entries->start[f] : 0;
  entries->column = calloc(count + 1, sizeof *entries->column);
  record->gradient = calloc(count + 1, sizeof *record->gradient);
  return entries->start != NULL && entries->column != NULL && record->gradient != NULL
             ? GRADYN_OK
             : GRADYN_NO_MEMORY;
}

bool gradyn_record_copy(const gradyn_record *record, const gradyn_entries *to, size_t width,
                        size_t rows, double gradient[])
{
  bool complete = true;
  memset(gradient, 0, gradyn_entries_count(to, width, rows) * sizeof *gradient);
  for (size_t i = 0; i < rows; i++) {
    const gradyn_entry_row from = gradyn_entries_row(gradyn_record_entries(record), width, i),
                           row = gradyn_entries_row(to, width, i);
    size_t next = 0;
    for (size_t k = 0; k < from.count; k++) {
      const size_t column = gradyn_entries_column(&from, k);
      while (next < row.count && gradyn_entries_column(&row, next) < column)
        next++;
      const bool has = next < row.count && gradyn_entries_column(&row, next) == column;
      if (has)
        gradient[row.first + next] = record->gradient[from.first + k];
      complete = complete && (has || record->gradient[from.first + k] == 0);
    }
  }
  return complete;
}

/* Reads a status by its name. */
static bool read_status(const json_t *value, gradyn_status *out)
{
  const char *name = json_string_value(value);
  /* statuses are stored by name, because their numbers may change */
  for (int status = 0; name != NULL && status <= (int)GRADYN_INTERNAL; status++)
    if (strcmp(gradyn_status_describe(status).name, name) == 0) {
      *out = (gradyn_status)status;
      return true;
    }
  return false;
}

/* Reads the occurrence of an event from the entries `first` and first + 1 of an array. */
static bool read_occurrence(const json_t *item, size_t first, gradyn_occurrence *out)
{
  const json_t *event = json_array_get(item, first), *which = json_array_get(item, first + 1);
  *out = (gradyn_occurrence){(int)json_integer_value(event), (int)json_integer_value(which)};
  return json_is_integer(event) && json_is_integer(which) && out->event >= 0 && out->which >= 0;
}

/* Reads a sampled path constraint. */
static bool read_limit(const gradyn_journal *journal, const json_t *item, gradyn_limit_at *out)
{
  const json_t *side = json_array_get(item, 0);
  const bool between = json_array_size(item) == 12, moves = between || json_array_size(item) == 8,
             at_event = moves || json_array_size(item) == 6;
  gradyn_occurrence at = {0};
  *out = (gradyn_limit_at){.side = (size_t)json_integer_value(side)};
  if (at_event) {
    if (!read_occurrence(item, 2, &at))
      return false;
    out->event = at.event;
    out->which = at.which;
    out->behind = json_is_true(json_array_get(item, 4));
    out->knot = (int)json_integer_value(json_array_get(item, 5));
  }
  if (moves && (!read_number(json_array_get(item, 6), &out->from) ||
                !read_number(json_array_get(item, 7), &out->to)))
    return false;
  if (between &&
      (!read_occurrence(item, 8, &out->after) || !read_occurrence(item, 10, &out->before)))
    return false;
  return json_is_integer(side) && out->side < journal->f &&
         read_number(json_array_get(item, 1), &out->share) &&
         (at_event || json_array_size(item) == 2);
}

/* Reads the sampled path constraints; there may be none. */
static gradyn_status read_limits(const gradyn_journal *journal, const json_t *array,
                                 gradyn_record *record)
{
  const size_t count = json_array_size(array);
  if (array == NULL)
    return GRADYN_OK;
  record->rows = calloc(count + 1, sizeof *record->rows);
  if (record->rows == NULL)
    return GRADYN_NO_MEMORY;
  record->row_count = count;
  for (size_t i = 0; i < count; i++)
    if (!read_limit(journal, json_array_get(array, i), &record->rows[i]))
      return GRADYN_INVALID;
  return json_is_array(array) ? GRADYN_OK : GRADYN_INVALID;
}

/* Reads the members of a successful evaluation. */
static gradyn_status read_values(const gradyn_journal *journal, const json_t *line,
                                 gradyn_record *record)
{
  const json_t *gradient = json_object_get(line, "gradient");
  const size_t f = journal->f + record->row_count;
  if (!read_numbers(json_object_get(line, "psi"), record->psi, f))
    return GRADYN_INVALID;
  if (gradient == NULL) /* only values were requested */
    return GRADYN_OK;
  if (json_array_size(gradient) != f)
    return GRADYN_INVALID;
  GRADYN_TRY(take_entries(journal, gradient, f, record));
  for (size_t i = 0; i < f; i++) {
    const size_t first = record->entries.start[i];
    if (!read_row(json_array_get(gradient, i), journal->p, record->entries.column + first,
                  record->gradient + first))
      return GRADYN_INVALID;
  }
  return GRADYN_OK;
}

gradyn_status gradyn_journal_decode(const gradyn_journal *journal, const json_t *line,
                                    gradyn_record *record)
{
  const json_t *steps = json_object_get(line, "steps");
  const char *why = json_string_value(json_object_get(line, "message"));
  *record = (gradyn_record){.message = why != NULL ? strdup(why) : NULL,
                            .warnings = json_incref(json_object_get(line, "warnings"))};
  GRADYN_TRY(read_limits(journal, json_object_get(line, sampled(journal)), record));
  /* one more entry each, so that no size is zero */
  const size_t f = journal->f + record->row_count;
  record->rho = calloc(journal->p + 1, sizeof(double));
  record->psi = calloc(f + 1, sizeof(double));
  if (record->rho == NULL || record->psi == NULL || (why != NULL && record->message == NULL))
    return GRADYN_NO_MEMORY;
  if (!json_is_integer(steps) || !read_status(json_object_get(line, "status"), &record->status) ||
      !read_number(json_object_get(line, "seconds"), &record->seconds) ||
      !read_number(json_object_get(line, "elapsed"), &record->elapsed) ||
      !read_numbers(json_object_get(line, "rho"), record->rho, journal->p))
    return GRADYN_INVALID;
  /* reads counts and flags; those that are missing are zero */
  record->steps = (long)json_integer_value(steps);
  record->all = json_is_true(json_object_get(line, "all"));
  /* gradyn always writes a failure with a message */
  if (record->status != GRADYN_OK)
    return why != NULL ? GRADYN_OK : GRADYN_INVALID;
  return read_values(journal, line, record);
}

void gradyn_record_clear(gradyn_record *record)
{
  free(record->message);
  json_decref(record->warnings);
  free(record->rho);
  free(record->psi);
  free(record->gradient);
  free(record->entries.start);
  free(record->entries.column);
  free(record->rows);
  *record = (gradyn_record){0};
}

/* --- Checksums -------------------------------------------------------------------------------- */

/* FNV-1a of 64 bits (Fowler, Noll & Vo), which starts from the checksum before. Each step is a bijection of
 * the checksum, so that one changed byte always changes the result. */
uint64_t gradyn_journal_sum(uint64_t before, const char *text, size_t length)
{
  /* start value of FNV, combined with the checksum of the previous line */
  uint64_t sum = before ^ UINT64_C(0xcbf29ce484222325);
  for (size_t i = 0; i < length; i++) {
    sum ^= (unsigned char)text[i];
    sum *= UINT64_C(0x100000001b3); /* the FNV prime */
  }
  return sum;
}
