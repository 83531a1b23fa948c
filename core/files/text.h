/* Texts: made as by printf, growing, and made plain where they go to a terminal. */
#ifndef GRADYN_CORE_TEXT_H
#define GRADYN_CORE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/* A text that grows; all zero: empty. Release `at` with free(). */
typedef struct gradyn_text {
  char *at; /* [used + 1], owned; NULL: nothing was added */
  size_t used, capacity;
  bool failed; /* there was no memory: from then on nothing is added */
} gradyn_text;

/* Room for count more bytes and the end of the text, at what is returned; NULL: no memory. */
char *gradyn_text_reserve(gradyn_text *text, size_t count);

/* Adds bytes; room grows by doubling. */
void gradyn_text_add(gradyn_text *text, const char *bytes, size_t count);

/* Text made as by printf; free with free(). NULL: no memory. */
char *gradyn_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *gradyn_vformat(const char *format, va_list args) __attribute__((format(printf, 1, 0)));

/* Bytes of the character that begins a text, at least one. *shown is false if it is no UTF-8 or would steer
 * a terminal, as control characters do and those that turn the direction of writing: '?' takes its place.
 * With lines, newlines are shown. */
size_t gradyn_plain_next(const char *text, bool lines, bool *shown);

/* Replaces such characters of a text, in place; returns text. */
char *gradyn_plain(char *text, bool lines);

#endif
