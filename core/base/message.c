/* Messages: text of bounded length inside the object it concerns.
 *
 * Messages are cut at their size, never overrun; what follows a first text is added as a line of
 * its own, so that the cause comes first and advice behind it. */
#include "core/base/message.h"

#include <gradyn/status.h>
#include <gradyn/version.h>
#include <stdio.h>
#include <string.h>

#include "core/base/names.h"

void gradyn_message_clear(gradyn_message *message)
{
  message->text[0] = '\0';
}

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
  const size_t room = GRADYN_MESSAGE_SIZE - used;
  const int length = vsnprintf(message->text + used, room, format, args);
  if (length < 0) { /* a format that cannot be printed leaves no half message */
    message->text[used] = '\0';
    return;
  }
  /* a text that does not fit ends in dots, so that nobody takes it for the whole */
  if ((size_t)length >= room) {
    memcpy(message->text + GRADYN_MESSAGE_SIZE - 4, "...", 4);
  }
  gradyn_text_clean(message->text + used); /* names out of files may hold anything */
}

/* --- statuses ------------------------------------------------------------------------------------ */

/* Names, sentences and classes of the statuses, all from the one list in the header. No other file
 * spells them, so that the list cannot contradict itself. */

typedef struct status_entry {
  const char *name;
  const char *sentence;
  gradyn_status_class kind;
} status_entry;

/* Indexed by status. */
static const status_entry entries[] = {
#define STATUS_ENTRY(id, name, kind, sentence) [GRADYN_##id] = {name, sentence, kind},
    GRADYN_STATUS_LIST(STATUS_ENTRY)
#undef STATUS_ENTRY
};

static const status_entry unknown = {"unknown", "a status that this version does not know",
                                     GRADYN_CLASS_FATAL};

/* Its line in the list. */
static const status_entry *find(int status)
{
  /* any integer may come in: from a journal, from another library */
  const int count = (int)(sizeof entries / sizeof entries[0]);
  return status >= 0 && status < count ? &entries[status] : &unknown;
}

/* For any integer: codes of users may be none of ours. */
const char *gradyn_status_name(int status)
{
  return find(status)->name;
}

const char *gradyn_status_sentence(int status)
{
  return find(status)->sentence;
}

gradyn_status_class gradyn_status_classify(int status)
{
  return find(status)->kind;
}

const char *gradyn_version(void)
{
  return GRADYN_VERSION;
}
