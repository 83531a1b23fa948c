/* Texts: formatted as by printf, growing, and without control characters for terminals. */
#ifndef GRADYN_CORE_TEXT_H
#define GRADYN_CORE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/* A growing text; all zero: empty. Release `at` with free(). */
typedef struct gradyn_text {
  char *at; /* [used + 1], owned; NULL: empty so far */
  size_t used, capacity;
  bool failed; /* memory was exhausted: later additions have no effect */
} gradyn_text;

/* Reserves space for count more bytes and a terminator; used stays. Returns the address of this space, valid
 * until the next reservation; NULL: out of memory. */
char *gradyn_text_reserve(gradyn_text *text, size_t count);

/* Appends bytes [count], and a terminator after them, to a text; the capacity doubles if required. Out of
 * memory: text->failed is set. */
void gradyn_text_add(gradyn_text *text, const char *bytes, size_t count);

/* Returns a text formatted as by printf(), to be released with free(); "" if the format cannot be printed.
 * NULL: out of memory. */
char *gradyn_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Returns a text formatted as by vprintf(), to be released with free(); "" if the format cannot be printed.
 * NULL: out of memory. */
char *gradyn_vformat(const char *format, va_list args) __attribute__((format(printf, 1, 0)));

/* Returns the number of bytes of the character at the start of a text that is not empty, at least one.
 * *shown is false if the character is not UTF-8 or would control a terminal: control characters and those
 * that change the writing direction. With `lines`, a newline is shown. */
size_t gradyn_plain_next(const char *text, bool lines, bool *shown);

/* Replaces each character that gradyn_plain_next() does not show by one '?', in place: the text may become
 * shorter. lines: newlines stay. Returns text. */
char *gradyn_plain(char *text, bool lines);

#endif
