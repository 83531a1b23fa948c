/* Forms the texts of warnings from their members.
 *
 * In a pattern of the table, {member} is a member of the warning, {member:.2g} a number with a format.
 * [a|b] is a if all members in a are known, otherwise b. Numbers are known if they are finite, texts if they
 * are not empty, and a count if it exceeds 1. */
#include "core/base/warnings.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/names.h"

/* A text that is being formed. */
typedef struct draft {
  char *text;
  size_t size, used;
} draft;

static void append(draft *d, const char *from, size_t length)
{
  const size_t left = d->size - 1 - d->used;
  const size_t fits = length < left ? length : left;
  memcpy(d->text + d->used, from, fits);
  d->used += fits;
  d->text[d->used] = '\0';
  if (fits < length && d->size > 4)
    memcpy(d->text + d->size - 4, "...", 4);
}

/* Appends a number in the format "[:][.precision][g|e]" of a pattern. */
static void append_number(draft *d, double value, const char *format)
{
  char number[64];
  const int precision = *format == ':' ? atoi(format + 2) : 6;
  const bool exponent = *format == ':' && format[strcspn(format, "eg}")] == 'e';
  (void)snprintf(number, sizeof number, exponent ? "%.*e" : "%.*g", precision, value);
  append(d, number, strlen(number));
}

static bool is_field(const char *p, size_t length, const char *name)
{
  return strlen(name) == length && strncmp(p, name, length) == 0;
}

/* Appends the member named at p, after its brace. Returns whether it is known. */
static bool append_member(draft *d, const char *p, const gradyn_warning *w)
{
  const size_t length = strcspn(p, ":}");
  const char *format = p + length;
  const struct {
    const char *name;
    double value;
    bool known;
  } number[] = {{"t", w->t, isfinite(w->t)},
                {"value", w->value, isfinite(w->value)},
                {"limit", w->limit, isfinite(w->limit)},
                {"suggestion", w->suggestion, isfinite(w->suggestion)},
                {"count", (double)w->count, w->count > 1}};
  for (size_t i = 0; i < sizeof number / sizeof *number; i++)
    if (is_field(p, length, number[i].name)) {
      append_number(d, number[i].value, format);
      return number[i].known;
    }
  const char *text = is_field(p, length, "unit") ? w->unit : w->subject;
  append(d, text, strlen(text));
  return *text != '\0';
}

/* Appends a pattern up to `end`, without alternatives. Returns whether all of its members are known. */
static bool append_plain(draft *d, const char *p, const char *end, const gradyn_warning *w)
{
  bool known = true;
  while (p < end) {
    if (*p == '{') {
      known = append_member(d, p + 1, w) && known;
      p += strcspn(p, "}") + 1;
    } else {
      append(d, p++, 1);
    }
  }
  return known;
}

/* Appends a whole pattern. */
static void append_pattern(draft *d, const char *p, const gradyn_warning *w)
{
  while (*p != '\0') {
    const char *open = p + strcspn(p, "[");
    (void)append_plain(d, p, open, w);
    if (*open == '\0')
      return;
    const char *middle = open + strcspn(open, "|"), *close = middle + strcspn(middle, "]");
    const size_t before = d->used;
    if (!append_plain(d, open + 1, middle, w)) {
      d->used = before;
      d->text[before] = '\0';
      (void)append_plain(d, middle + 1, close, w);
    }
    p = close + 1;
  }
}

/* Copies a text as one line. */
static void copy_line(char *to, size_t size, const char *from)
{
  draft d = {to, size, 0};
  to[0] = '\0';
  append(&d, from ? from : "", from ? strlen(from) : 0);
  for (char *c = strchr(to, '\n'); c; c = strchr(c, '\n'))
    *c = ' ';
  gradyn_text_clean(to);
}

void gradyn_warning_form(const gradyn_warning *w, char *text, size_t size)
{
  const gradyn_warning_kind *kind = gradyn_warning_find((int)w->code);
  draft d = {text, size, 0};
  text[0] = '\0';
  if (!kind)
    return;
  append_pattern(&d, kind->text, w);
  if (*kind->advice == '\0')
    return;
  append(&d, ". ", 2);
  append_pattern(&d, kind->advice, w);
}

static void form_text(gradyn_warning_entry *entry)
{
  gradyn_warning w = entry->is;
  w.subject = entry->subject;
  w.unit = entry->unit;
  gradyn_warning_form(&w, entry->text, sizeof entry->text);
}

void gradyn_warnings_clear(gradyn_warnings *warnings)
{
  warnings->count = 0;
  warnings->text[0] = '\0';
}

/* Returns the last warning of a code; NULL: there is none. */
static gradyn_warning_entry *last_of(gradyn_warnings *warnings, int code)
{
  for (size_t i = warnings->count; i > 0; i--)
    if ((int)warnings->item[i - 1].is.code == code)
      return &warnings->item[i - 1];
  return NULL;
}

/* Adds a warning to the count of an earlier one with its code. */
static void count_further(gradyn_warning_entry *entry, const gradyn_warning *given)
{
  entry->is.count += given->count > 0 ? given->count : 1;
  form_text(entry);
}

/* Removes the last warning of the most frequent code, and adds its count to the warning before it, which
 * has the same code. A full list has more entries than there are codes, so the most frequent code has at
 * least two warnings. */
static void merge_last(gradyn_warnings *warnings)
{
  size_t last = 0, most = 0;
  for (size_t i = 0, first = 0; i < warnings->count; i++) {
    if (warnings->item[i].is.code != warnings->item[first].is.code)
      first = i;
    if (i - first + 1 > most) {
      most = i - first + 1;
      last = i;
    }
  }
  if (most < 2)
    return;
  count_further(&warnings->item[last - 1], &warnings->item[last].is);
  warnings->count--;
  memmove(&warnings->item[last], &warnings->item[last + 1],
          (warnings->count - last) * sizeof *warnings->item);
}

/* Whether the text of a warning has a member. */
static bool has(const gradyn_warning *given, const char *member)
{
  const gradyn_warning_kind *kind = gradyn_warning_find((int)given->code);
  return kind && strstr(kind->text, member) != NULL;
}

static double known(double value)
{
  return value == 0 ? (double)NAN : value;
}

void gradyn_warning_complete(gradyn_warning_entry *entry, const gradyn_warning *given)
{
  entry->is = *given;
  entry->is.t = has(given, "{t") ? given->t : (double)NAN;
  entry->is.value = has(given, "{value") ? given->value : (double)NAN;
  entry->is.limit = has(given, "{limit") ? given->limit : known(given->limit);
  entry->is.suggestion = known(given->suggestion);
  entry->is.count = given->count > 0 ? given->count : 1;
  copy_line(entry->subject, sizeof entry->subject, given->subject);
  copy_line(entry->unit, sizeof entry->unit, given->unit);
  form_text(entry);
}

void gradyn_warnings_add(gradyn_warnings *warnings, const gradyn_warning *given)
{
  if (warnings->count == GRADYN_WARNINGS_MOST) {
    gradyn_warning_entry *entry = last_of(warnings, (int)given->code);
    if (entry) {
      count_further(entry, given);
      return;
    }
    merge_last(warnings);
  }
  size_t i = warnings->count;
  /* sorted by code; warnings with one code are in the order in which they came */
  for (; i > 0 && warnings->item[i - 1].is.code > given->code; i--)
    warnings->item[i] = warnings->item[i - 1];
  gradyn_warning_complete(&warnings->item[i], given);
  warnings->count++;
}

gradyn_warning gradyn_warnings_at(const gradyn_warnings *warnings, size_t i)
{
  gradyn_warning w = {.t = NAN, .value = NAN, .limit = NAN, .suggestion = NAN};
  w.subject = w.unit = w.text = "";
  if (i >= warnings->count)
    return w;
  const gradyn_warning_entry *entry = &warnings->item[i];
  w = entry->is;
  w.subject = entry->subject;
  w.unit = entry->unit;
  w.text = entry->text;
  return w;
}

/* Lists all texts, one per line. */
static void list_texts(gradyn_warnings *warnings)
{
  draft d = {warnings->text, sizeof warnings->text, 0};
  warnings->text[0] = '\0';
  for (size_t i = 0; i < warnings->count; i++) {
    append(&d, "\n", i > 0);
    append(&d, warnings->item[i].text, strlen(warnings->item[i].text));
  }
}

void gradyn_warnings_append(gradyn_warnings *warnings, const gradyn_warnings *other)
{
  for (size_t i = 0; i < other->count; i++) {
    const gradyn_warning w = gradyn_warnings_at(other, i);
    gradyn_warnings_add(warnings, &w);
  }
  list_texts(warnings);
}

bool gradyn_warnings_have(const gradyn_warnings *warnings, gradyn_warning_code code)
{
  for (size_t i = 0; i < warnings->count; i++)
    if (warnings->item[i].is.code == code)
      return true;
  return false;
}
