/* Messages: texts of bounded length inside the object they concern.
 *
 * A message that is too long is truncated. A further message is added as a new line, so that the cause
 * comes first and advice follows. */
#include "core/base/message.h"

#include "core/base/names.h"

#include <stdio.h>
#include <string.h>

/* Returns the status unchanged, so that a failure needs one statement. */
gradyn_status gradyn_fail(gradyn_message *message, gradyn_status status, const char *format, ...)
{
  if (message == NULL) {
    return status;
  }
  /* arguments may point into the old text, so the new text is formed separately */
  gradyn_message fresh;
  va_list args;
  va_start(args, format);
  gradyn_message_clear(&fresh);
  gradyn_message_vadd(&fresh, format, args);
  va_end(args);
  memcpy(message->text, fresh.text, strlen(fresh.text) + 1);
  return status;
}

void gradyn_message_add(gradyn_message *message, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  gradyn_message_vadd(message, format, args);
  va_end(args);
}

void gradyn_message_vadd(gradyn_message *message, const char *format, va_list args)
{
  size_t used = strlen(message->text);
  if (used > 0 && used + 1 < GRADYN_MESSAGE_SIZE) { /* each message begins on a new line */
    message->text[used++] = '\n';
    message->text[used] = '\0';
  }
  const size_t capacity = GRADYN_MESSAGE_SIZE - used;
  const int length = vsnprintf(message->text + used, capacity, format, args);
  if (length < 0) { /* vsnprintf failed: no partial message remains */
    message->text[used] = '\0';
    return;
  }
  /* a truncated text ends in dots */
  if ((size_t)length >= capacity) {
    memcpy(message->text + GRADYN_MESSAGE_SIZE - 4, "...", 4);
  }
  gradyn_text_clean(message->text + used); /* names from files may contain any bytes */
}
