/* Lists of warnings about a result, in the order of their codes. The table of all warnings has their names,
 * causes, texts and remedies. */
#ifndef GRADYN_CORE_WARNINGS_H
#define GRADYN_CORE_WARNINGS_H

#include <stdbool.h>
#include <stddef.h>

#include <gradyn/evaluate.h>

enum {
  /* capacity of a list, larger than the number of codes. In a full list, a warning only increases the count
   * of the last one with its code; for a new code, the last two of the most frequent code become one */
  GRADYN_WARNINGS_MOST = 32,
  GRADYN_WARNING_SUBJECT = 320,
  GRADYN_WARNING_TEXT = 800
};

/* A warning with its texts. Pointers of `is` are set when the list returns it. */
typedef struct gradyn_warning_entry {
  gradyn_warning is;
  char subject[GRADYN_WARNING_SUBJECT], unit[64], text[GRADYN_WARNING_TEXT];
} gradyn_warning_entry;

typedef struct gradyn_warnings {
  size_t count;
  gradyn_warning_entry item[GRADYN_WARNINGS_MOST];
  char text[4096]; /* all texts, one per line, formed by append(); truncated texts end in dots */
} gradyn_warnings;

/* An entry of the table. Patterns are described in warnings.c. */
typedef struct gradyn_warning_kind {
  const char *name, *cause;
  const char *text, *advice; /* patterns; the advice is a sentence of its own */
  const char *remedy;
} gradyn_warning_kind;

/* Returns the entry of a code in the constant table; NULL: none. */
const gradyn_warning_kind *gradyn_warning_find(int code);

/* Forms the text [size] of a warning with its subject and unit, not NULL: the only function that does. A text
 * that is too long is truncated and ends in dots. It is "" if the code is unknown. */
void gradyn_warning_form(const gradyn_warning *w, char *text, size_t size);

/* The argument of gradyn_warnings_add(): a code and designated initialisers of other members. */
#define GRADYN_WARNING(kind, ...)                                                                  \
  &(gradyn_warning)                                                                                \
  {                                                                                                \
    .code = GRADYN_WARNING_##kind, __VA_ARGS__                                                     \
  }

/* Makes the list and its text empty. */
void gradyn_warnings_clear(gradyn_warnings *warnings);

/* Copies a warning with its subject and unit into an entry and forms its text. A suggestion of 0 becomes NAN,
 * which means unknown. A limit of 0 becomes NAN unless the text of this code contains a limit. Time and value
 * become NAN unless the text contains them. A count of 0 becomes 1. subject and unit NULL: "". The pointers
 * in entry->is are undefined. */
void gradyn_warning_complete(gradyn_warning_entry *entry, const gradyn_warning *given);

/* Adds a warning, completed by gradyn_warning_complete(), after the warnings with its code. Leaves
 * warnings->text unchanged. */
void gradyn_warnings_add(gradyn_warnings *warnings, const gradyn_warning *given);

/* Adds all warnings of another list, which is only read, then forms warnings->text anew. */
void gradyn_warnings_append(gradyn_warnings *warnings, const gradyn_warnings *other);

/* Returns warning i, from 0; if there is none, one with the code 0, the texts "" and the numbers NAN. Its
 * texts are in the list, valid until the list changes. */
gradyn_warning gradyn_warnings_at(const gradyn_warnings *warnings, size_t i);

/* Returns whether the list has a warning of this code. */
bool gradyn_warnings_have(const gradyn_warnings *warnings, gradyn_warning_code code);

#endif
