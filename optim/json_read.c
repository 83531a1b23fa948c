/* A reader of JSON (RFC 8259) that knows why it fails.
 *
 * The library's own one calls a text damaged where it finds no memory for a string, and drops a
 * byte of a long number without a word where its buffer cannot grow. Here values are made by its
 * constructors, each of which either gives one or has found no memory; everything else that goes
 * wrong is the text's fault. */
#include "optim/json_read.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/utf8.h"

/* Objects within arrays within objects: a damaged text must not use up the stack. */
enum { DEEPEST = 500, LONGEST_NUMBER = 400 };

typedef struct reader {
  const char *text, *at, *end; /* *end is zero */
  int depth;
  gradyn_status status; /* the first failure, with its reason */
  const char *why;
} reader;

static json_t *read_value(reader *r);

/* Notes the first failure. */
static json_t *fail(reader *r, gradyn_status status, const char *why)
{
  if (r->status == GRADYN_OK) {
    r->status = status;
    r->why = why;
  }
  return NULL;
}

static json_t *damaged(reader *r, const char *why)
{
  return fail(r, GRADYN_INVALID, why);
}

/* What a constructor has given. */
static json_t *insist(reader *r, json_t *value)
{
  return value != NULL ? value : fail(r, GRADYN_NO_MEMORY, "out of memory");
}

/* Steps over blanks to the next character, which is returned; zero at the end. */
static char next(reader *r)
{
  while (*r->at == ' ' || *r->at == '\n' || *r->at == '\t' || *r->at == '\r')
    r->at++;
  return *r->at;
}

/* Steps over a character if it is the next one. */
static bool take(reader *r, char wanted)
{
  const bool found = next(r) == wanted && r->at < r->end;
  r->at += found;
  return found;
}

/* --- Numbers ---------------------------------------------------------------------------------- */

/* Steps over digits; false: there are none. */
static bool digits(reader *r)
{
  const char *first = r->at;
  while (*r->at >= '0' && *r->at <= '9')
    r->at++;
  return r->at > first;
}

/* A real number [length]. strtod() wants the decimal point of the locale, whatever that is. */
static json_t *make_real(reader *r, const char *first, size_t length)
{
  char copy[LONGEST_NUMBER + 1];
  if (length > LONGEST_NUMBER)
    return damaged(r, "a number is too long");
  memcpy(copy, first, length);
  copy[length] = '\0';
  /* its first byte: points of several bytes are those of hardly any locale */
  char *point = strchr(copy, '.');
  if (point != NULL)
    *point = *localeconv()->decimal_point;
  const double value = strtod(copy, NULL);
  /* what is too small becomes 0, as a double does */
  return isfinite(value) ? insist(r, json_real(value)) : damaged(r, "a number is too large");
}

/* -? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)? */
static json_t *read_number(reader *r)
{
  const char *first = r->at;
  r->at += *r->at == '-';
  const char *leading = r->at;
  bool good = digits(r) && (*leading != '0' || r->at == leading + 1), whole = true;
  if (good && *r->at == '.') {
    r->at++;
    whole = false;
    good = digits(r);
  }
  if (good && (*r->at == 'e' || *r->at == 'E')) {
    r->at++;
    r->at += *r->at == '+' || *r->at == '-';
    whole = false;
    good = digits(r);
  }
  if (!good)
    return damaged(r, "a value is neither a number, a text, an object nor an array");
  if (!whole)
    return make_real(r, first, (size_t)(r->at - first));
  errno = 0;
  const long long value = strtoll(first, NULL, 10);
  return errno == 0 ? insist(r, json_integer(value)) : damaged(r, "a number is too large");
}

/* --- Texts ------------------------------------------------------------------------------------ */

/* Four hexadecimal digits; false: they are none. */
static bool read_unit(const char *at, uint32_t *unit)
{
  *unit = 0;
  for (int i = 0; i < 4; i++) {
    static const char known[] = "0123456789abcdef0123456789ABCDEF";
    const char *digit = at[i] != '\0' ? strchr(known, at[i]) : NULL;
    if (digit == NULL)
      return false;
    *unit = *unit << 4 | ((uint32_t)(digit - known) & 15U);
  }
  return true;
}

/* A character as UTF-8; where it ends is returned. */
static char *encode(uint32_t c, char *to)
{
  /* 1 byte of 7 bits; else a leading one and 6 bits in each that follows */
  const int more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
  static const unsigned char lead[] = {0, 0xC0, 0xE0, 0xF0};
  *to++ = (char)(lead[more] | (c >> (6 * more)));
  for (int i = more - 1; i >= 0; i--)
    *to++ = (char)(0x80 | ((c >> (6 * i)) & 0x3F));
  return to;
}

/* What stands behind "\u", of one unit or a pair; *to moves on. False: it is no character, or zero. */
static bool read_escaped_unit(reader *r, char **to)
{
  uint32_t c = 0, second = 0;
  if (!read_unit(r->at, &c))
    return false;
  r->at += 4;
  if (c >= 0xD800 && c <= 0xDBFF) { /* the first half of a pair */
    if (r->at[0] != '\\' || r->at[1] != 'u' || !read_unit(r->at + 2, &second) || second < 0xDC00 ||
        second > 0xDFFF)
      return false;
    r->at += 6;
    c = 0x10000 + ((c - 0xD800) << 10) + (second - 0xDC00);
  } else if (c >= 0xDC00 && c <= 0xDFFF) {
    return false;
  }
  /* texts of C end at zero */
  if (c == 0)
    return false;
  *to = encode(c, *to);
  return true;
}

/* What stands behind a backslash. */
static bool read_escape(reader *r, char **to)
{
  static const char name[] = "\"\\/bfnrt", means[] = "\"\\/\b\f\n\r\t";
  const char c = *r->at;
  const char *found = c != '\0' ? strchr(name, c) : NULL;
  r->at += c != '\0';
  if (found == NULL)
    return c == 'u' && read_escaped_unit(r, to);
  *(*to)++ = means[found - name];
  return true;
}

/* Decodes up to the closing quote into `to`, which has room for all that is left; false: damaged. */
static bool decode(reader *r, char *to)
{
  while (*r->at != '"') {
    uint32_t c;
    const size_t length = gradyn_utf8_decode(r->at, &c);
    if (length == 0 || c < 0x20) /* also the end of the text */
      return false;
    if (c == '\\') {
      r->at++;
      if (!read_escape(r, &to))
        return false;
      continue;
    }
    memcpy(to, r->at, length);
    to += length;
    r->at += length;
  }
  *to = '\0';
  r->at++;
  return true;
}

/* A text without its quotes, owned; NULL: the failure has been noted. */
static char *read_text(reader *r)
{
  /* room for what is written up to a quote that ends the text for certain: one behind a backslash may,
     too, if that is escaped itself */
  const char *closing = r->at;
  while (*closing != '\0' && (*closing != '"' || closing[-1] == '\\'))
    closing++;
  char *text = malloc((size_t)(closing - r->at) + 1);
  if (text == NULL) {
    (void)insist(r, NULL);
  } else if (!decode(r, text)) {
    (void)damaged(r, "a text is not ended, or has bytes or escapes that it may not have");
    free(text);
    text = NULL;
  }
  return text;
}

/* As a value. */
static json_t *make_text(reader *r)
{
  char *text = read_text(r);
  json_t *value = text != NULL ? insist(r, json_string_nocheck(text)) : NULL;
  free(text);
  return value;
}

/* --- What has members ------------------------------------------------------------------------- */

/* One member of an object; the value goes to the object. */
static void read_member(reader *r, json_t *object)
{
  /* name, colon, value */
  char *key = take(r, '"') ? read_text(r) : NULL;
  if (key == NULL) {
    (void)damaged(r, "a member of an object has no name");
    return;
  }
  json_t *value = NULL;
  if (json_object_get(object, key) != NULL)
    (void)damaged(r, "an object has two members of one name");
  else if (!take(r, ':'))
    (void)damaged(r, "there is no colon behind the name of a member");
  else
    value = read_value(r);
  /* the object takes the value, also where it finds no room */
  if (value != NULL && json_object_set_new_nocheck(object, key, value) != 0)
    (void)insist(r, NULL);
  free(key);
}

/* Behind the opening brace or bracket, up to the closing one. */
static json_t *read_members(reader *r, json_t *whole, char closing)
{
  if (whole == NULL)
    return insist(r, NULL);
  if (++r->depth > DEEPEST)
    (void)damaged(r, "it is nested too deeply");
  /* members are divided by commas: what stands behind the last one must be the end */
  bool more = r->status == GRADYN_OK && !take(r, closing);
  while (more) {
    if (closing == '}') {
      read_member(r, whole);
    } else {
      json_t *value = read_value(r);
      if (value != NULL && json_array_append_new(whole, value) != 0)
        (void)insist(r, NULL);
    }
    more = r->status == GRADYN_OK && take(r, ',');
    if (!more && !take(r, closing))
      (void)damaged(r, "an object or an array is not ended");
  }
  r->depth--;
  if (r->status == GRADYN_OK)
    return whole;
  json_decref(whole);
  return NULL;
}

/* A word that stands for a value. */
static bool take_word(reader *r, const char *word)
{
  const size_t length = strlen(word);
  const bool found = strncmp(r->at, word, length) == 0;
  r->at += found ? length : 0;
  return found;
}

/* Any value. */
static json_t *read_value(reader *r)
{
  (void)next(r);
  if (take(r, '{'))
    return read_members(r, json_object(), '}');
  if (take(r, '['))
    return read_members(r, json_array(), ']');
  if (take(r, '"'))
    return make_text(r);
  if (take_word(r, "true"))
    return json_true();
  if (take_word(r, "false"))
    return json_false();
  return take_word(r, "null") ? json_null() : read_number(r);
}

gradyn_status gradyn_json_read(const char *text, size_t length, json_t **out, char why[],
                               size_t size)
{
  reader r = {.text = text, .at = text, .end = text + length};
  *out = read_value(&r);
  /* one value, and nothing behind it */
  if (r.status == GRADYN_OK && (next(&r) != '\0' || r.at < r.end))
    (void)damaged(&r, "there is something behind its end");
  if (r.status == GRADYN_OK)
    return GRADYN_OK;
  json_decref(*out);
  *out = NULL;
  /* lines are counted as an editor does */
  size_t line = 1;
  for (const char *c = text; c < r.at; c++)
    line += *c == '\n';
  if (r.status == GRADYN_INVALID)
    (void)snprintf(why, size, "line %zu: %s", line, r.why);
  else
    (void)snprintf(why, size, "%s", r.why);
  return r.status;
}
