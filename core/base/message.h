/* Text that explains a failure; stored in the object it concerns. */
#ifndef GRADYN_CORE_MESSAGE_H
#define GRADYN_CORE_MESSAGE_H

#include <stdarg.h>
#include <stddef.h>

#include "core/base/owned.h"
#include <gradyn/base.h>

#define GRADYN_MESSAGE_SIZE 2048

typedef struct gradyn_message {
  char text[GRADYN_MESSAGE_SIZE]; /* always terminated; long texts are truncated */
} gradyn_message;

/* Makes the text empty. */
static inline void gradyn_message_clear(gradyn_message *message)
{
  message->text[0] = '\0';
}

/* Replaces the text and returns status, so that a failure is one statement; arguments may point into the old
 * text. message may be NULL. The attribute cold separates error paths from code of every step, which should
 * fit into the instruction cache. */
gradyn_status gradyn_fail(gradyn_message *message, gradyn_status status, const char *format, ...)
    __attribute__((cold, format(printf, 3, 4)));

/* Returns a failure to the caller. Owned objects are released at the end of their blocks (owned.h). */
#define GRADYN_TRY(call)                                                                           \
  do {                                                                                             \
    const gradyn_status tried = (call);                                                            \
    if (__builtin_expect(tried != GRADYN_OK, 0))                                                   \
      return tried;                                                                                \
  } while (0)

/* Appends a line to the text, formatted as by printf. A text that is too long is truncated and ends in
 * dots; control characters become '?'. message must not be NULL. */
void gradyn_message_add(gradyn_message *message, const char *format, ...)
    __attribute__((cold, format(printf, 2, 3)));

/* Appends a line to the text, formatted as by vprintf. A text that is too long is truncated and ends in
 * dots; control characters become '?'. message must not be NULL. */
void gradyn_message_vadd(gradyn_message *message, const char *format, va_list args);

#endif
