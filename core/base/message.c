/* Messages: text of bounded length inside the object it concerns.
 *
 * Messages are cut at their size, never overrun; what follows a first text is added as a line of
 * its own, so that the cause comes first and advice behind it. */
#include "core/base/message.h"

#include "core/base/names.h"

#include <stdio.h>
#include <string.h>

/* The status that a failure had on its way in is the one that goes out. */
gradyn_status gradyn_fail(gradyn_message *message, gradyn_status status, const char *format, ...)
{
  if (message == NULL) {
    return status;
  }
  /* arguments may point into the old text, so the new one is composed apart */
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
  if (used > 0 && used + 1 < GRADYN_MESSAGE_SIZE) { /* messages stand below each other */
    message->text[used++] = '\n';
    message->text[used] = '\0';
  }
  const size_t capacity = GRADYN_MESSAGE_SIZE - used;
  const int length = vsnprintf(message->text + used, capacity, format, args);
  if (length < 0) { /* a format that cannot be printed leaves no half message */
    message->text[used] = '\0';
    return;
  }
  /* a text that does not fit ends in dots, so that nobody takes it for the whole */
  if ((size_t)length >= capacity) {
    memcpy(message->text + GRADYN_MESSAGE_SIZE - 4, "...", 4);
  }
  gradyn_text_clean(message->text + used); /* names out of files may hold anything */
}
