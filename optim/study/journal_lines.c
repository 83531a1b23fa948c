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

/* Bytes of a number with a comma, and of a member with its index. */
enum { NUMBER = GRADYN_DECIMAL_MOST + 8, MEMBER = 2 * NUMBER };

/* Prints a number that is read back exactly, after a comma unless it is the first. It is printed as a
 * real number, because integers have no -0. Returns the number of bytes. A line consists mainly of
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

/* Whether a number is +0, which need not be written; -0 must be. The bits are compared, because this is
 * the only test of most entries of gradients. */
static bool is_nothing(double value)
{
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits == 0;
}

/* Adds a row of a gradient. If most entries are zero, only the others are written, with their indices. */
static void add_row(gradyn_text *text, const double value[], size_t count)
{
  size_t zeros = 0;
  bool first = true;
  for (size_t i = 0; i < count; i++)
    zeros += is_nothing(value[i]);
  if (2 * zeros <= count) {
    add_numbers(text, value, count);
    return;
  }
  gradyn_text_add(text, "{", 1);
  for (size_t i = 0; i < count; i++) {
    char member[MEMBER];
    if (is_nothing(value[i]))
      continue;
    size_t used = 0;
    if (!first)
      member[used++] = ',';
    member[used++] = '"';
    used += gradyn_decimal_print((double)i, member + used);
    member[used++] = '"';
    member[used++] = ':';
    gradyn_text_add(text, member, used + print(value[i], true, member + used));
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
static void add_rows(gradyn_text *text, const double gradient[], size_t f, size_t p)
{
  gradyn_text_add(text, "[", 1);
  for (size_t i = 0; i < f; i++) {
    gradyn_text_add(text, ",", i > 0);
    add_row(text, gradient + i * p, p);
  }
  gradyn_text_add(text, "]", 1);
}

/* Returns the sampled path constraints: the bound, its share of the run, and the event or knot. */
static json_t *limits(const gradyn_limit_at at[], size_t count)
{
  json_t *array = json_array();
  for (size_t i = 0; i < count; i++) {
    json_t *item = json_array();
    gradyn_json_append(&item, json_integer((json_int_t)at[i].side));
    gradyn_json_append(&item, gradyn_journal_number(at[i].share));
    if (at[i].which > 0 || at[i].behind || at[i].knot > 0) {
      gradyn_json_append(&item, json_integer(at[i].event));
      gradyn_json_append(&item, json_integer(at[i].which));
      gradyn_json_append(&item, json_boolean(at[i].behind));
      gradyn_json_append(&item, json_integer(at[i].knot));
    }
    gradyn_json_append(&array, item);
  }
  return array;
}

/* The member for sampled path constraints: a journal keeps the format of its first line. */
static const char *sampled(const gradyn_journal *journal)
{
  return journal->format == 1 ? "limits" : "path_constraints";
}

/* Returns a line without its numbers. NULL: out of memory. */
static char *encode_head(const gradyn_journal *journal, const gradyn_record *record)
{
  json_t *line = json_object();
  const char *why = record->message != NULL ? record->message : "";
  gradyn_json_put(&line, "evaluation", json_integer(journal->lines + 1)); /* shows missing lines */
  gradyn_json_put(&line, "seconds", gradyn_journal_number(record->seconds));
  gradyn_json_put(&line, "elapsed", gradyn_journal_number(record->elapsed));
  gradyn_json_put(&line, "steps", json_integer(record->steps));
  gradyn_json_put(&line, "status", json_string(gradyn_status_name((int)record->status)));
  if (record->status != GRADYN_OK)
    gradyn_json_put(&line, "message", gradyn_json_text(why));
  if (json_array_size(record->warnings) > 0)
    gradyn_json_put(&line, "warnings", json_incref(record->warnings));
  if (record->row_count > 0)
    gradyn_json_put(&line, sampled(journal), limits(record->rows, record->row_count));
  /* only if true, to keep lines short */
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
    add_rows(&text, record->gradient, f, journal->p);
  }
  gradyn_text_add(&text, "}", 1);
  if (!text.failed)
    return text.at;
  free(text.at);
  return NULL;
}

/* --- Reading ---------------------------------------------------------------------------------- */

/* Reads a number, or a text for one that JSON does not have. */
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
  /* another length is damage, not an old format */
  bool good = json_is_array(array) && json_array_size(array) == count;
  for (size_t i = 0; i < count && good; i++)
    good = read_number(json_array_get(array, i), &out[i]);
  return good;
}

/* Reads a row of a gradient in either form; `out` is zero before. */
static bool read_row(const json_t *row, double out[], size_t count)
{
  const char *key = NULL;
  json_t *value = NULL;
  if (!json_is_object(row))
    return read_numbers(row, out, count);
  json_object_foreach((json_t *)row, key, value)
  {
    char *behind = NULL;
    const unsigned long long position = strtoull(key, &behind, 10);
    if (behind == key || *behind != '\0' || position >= count ||
        !read_number(value, &out[position]))
      return false;
  }
  return true;
}

/* Reads a status by its name. */
static bool read_status(const json_t *value, gradyn_status *out)
{
  const char *name = json_string_value(value);
  /* names of statuses outlive their numbers */
  for (int status = 0; name != NULL && status <= (int)GRADYN_INTERNAL; status++)
    if (strcmp(gradyn_status_name(status), name) == 0) {
      *out = (gradyn_status)status;
      return true;
    }
  return false;
}

/* Reads a sampled path constraint. */
static bool read_limit(const gradyn_journal *journal, const json_t *item, gradyn_limit_at *out)
{
  const json_t *side = json_array_get(item, 0), *event = json_array_get(item, 2),
               *which = json_array_get(item, 3);
  const bool at_event = json_array_size(item) == 6;
  *out = (gradyn_limit_at){.side = (size_t)json_integer_value(side)};
  if (at_event) {
    out->event = (int)json_integer_value(event);
    out->which = (int)json_integer_value(which);
    out->behind = json_is_true(json_array_get(item, 4));
    out->knot = (int)json_integer_value(json_array_get(item, 5));
  }
  return json_is_integer(side) && out->side < journal->f &&
         read_number(json_array_get(item, 1), &out->share) &&
         (at_event ? json_is_integer(event) && out->event >= 0 && out->which >= 0
                   : json_array_size(item) == 2);
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
static bool read_values(const gradyn_journal *journal, const json_t *line, gradyn_record *record)
{
  const json_t *gradient = json_object_get(line, "gradient");
  const size_t f = journal->f + record->row_count;
  bool good = read_numbers(json_object_get(line, "psi"), record->psi, f);
  if (gradient == NULL) { /* only values were requested */
    free(record->gradient);
    record->gradient = NULL;
    return good;
  }
  good = good && json_array_size(gradient) == f;
  for (size_t i = 0; i < f && good; i++)
    good = read_row(json_array_get(gradient, i), record->gradient + i * journal->p, journal->p);
  return good;
}

gradyn_status gradyn_journal_decode(const gradyn_journal *journal, const json_t *line,
                                    gradyn_record *record)
{
  const json_t *steps = json_object_get(line, "steps");
  const char *why = json_string_value(json_object_get(line, "message"));
  *record = (gradyn_record){.message = why != NULL ? strdup(why) : NULL,
                            .warnings = json_incref(json_object_get(line, "warnings"))};
  GRADYN_TRY(read_limits(journal, json_object_get(line, sampled(journal)), record));
  /* one more of each, so that no size is zero */
  const size_t f = journal->f + record->row_count;
  record->rho = calloc(journal->p + 1, sizeof(double));
  record->psi = calloc(f + 1, sizeof(double));
  record->gradient = calloc(f * journal->p + 1, sizeof(double));
  if (record->rho == NULL || record->psi == NULL || record->gradient == NULL ||
      (why != NULL && record->message == NULL))
    return GRADYN_NO_MEMORY;
  if (!json_is_integer(steps) || !read_status(json_object_get(line, "status"), &record->status) ||
      !read_number(json_object_get(line, "seconds"), &record->seconds) ||
      !read_number(json_object_get(line, "elapsed"), &record->elapsed) ||
      !read_numbers(json_object_get(line, "rho"), record->rho, journal->p))
    return GRADYN_INVALID;
  /* counts and flags; missing ones are zero */
  record->steps = (long)json_integer_value(steps);
  record->all = json_is_true(json_object_get(line, "all"));
  /* gradyn writes no failure without a message */
  const bool good = record->status == GRADYN_OK ? read_values(journal, line, record) : why != NULL;
  return good ? GRADYN_OK : GRADYN_INVALID;
}

void gradyn_record_clear(gradyn_record *record)
{
  free(record->message);
  json_decref(record->warnings);
  free(record->rho);
  free(record->psi);
  free(record->gradient);
  free(record->rows);
  *record = (gradyn_record){0};
}

/* --- Checksums -------------------------------------------------------------------------------- */

/* FNV-1a of 64 bits (Fowler, Noll & Vo), started with the previous sum. Each step is a bijection of the
 * sum, so that one changed byte always changes the result. */
uint64_t gradyn_journal_sum(uint64_t before, const char *text, size_t length)
{
  /* offset basis, mixed with the sum of the previous line */
  uint64_t sum = before ^ UINT64_C(0xcbf29ce484222325);
  for (size_t i = 0; i < length; i++) {
    sum ^= (unsigned char)text[i];
    sum *= UINT64_C(0x100000001b3); /* the FNV prime */
  }
  return sum;
}
