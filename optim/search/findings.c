/* Adds findings about the termination of a search to its reason, a line each. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "optim/search/search.h"

/* Makes a text one line: "\n" becomes "; " where memory permits. */
static void make_one_line(char *text, size_t size)
{
  size_t length = strlen(text);
  for (char *c = strchr(text, '\n'); c != NULL; c = strchr(c, '\n')) {
    *c = ';';
    /* moves the rest by one character if it fits */
    if (++length < size) {
      memmove(c + 2, c + 1, strlen(c + 1) + 1);
      c[1] = ' ';
    }
  }
}

/* Appends a text, which becomes one line. */
static void append(gradyn_search_result *result, const char *format, va_list args)
{
  const size_t size = sizeof result->reason, used = strlen(result->reason);
  const int length = vsnprintf(result->reason + used, size - used, format, args);
  if (length < 0)
    result->reason[used] = '\0';
  else if ((size_t)length >= size - used)
    memcpy(result->reason + size - 4, "...", 4);
  make_one_line(result->reason + used, size - used);
}

void gradyn_termination_append(gradyn_search_result *result, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  append(result, format, args);
  va_end(args);
}

void gradyn_termination_add(gradyn_search_result *result, const char *subject, const char *format,
                            ...)
{
  const size_t size = sizeof result->reason, used = strlen(result->reason);
  va_list args;
  va_start(args, format);
  /* if the subject does not fit, the finding is omitted */
  if (used + strlen(subject) + 8 < size) {
    (void)snprintf(result->reason + used, size - used, "\n %s: ", subject);
    append(result, format, args);
  }
  va_end(args);
}

void gradyn_termination_precede(gradyn_search_result *result, const char *text, const char *subject)
{
  char before[sizeof result->reason];
  memcpy(before, result->reason, sizeof before);
  (void)snprintf(result->reason, sizeof result->reason, "%.500s\n %.60s: ", text, subject);
  const size_t used = strlen(result->reason);
  (void)snprintf(result->reason + used, sizeof result->reason - used, "%.*s",
                 (int)(sizeof before - used) - 1, before);
}

bool gradyn_termination_next(gradyn_termination_line *finding)
{
  static const char first[] = "result";
  const char *line = finding->next;
  if (*line == '\0')
    return false;
  const char *end = line + strcspn(line, "\n"), *text = strstr(line, ": ");
  const bool named = *line == ' ' && text != NULL && text < end;
  finding->subject = named ? line + 1 : first;
  finding->subject_length = named ? (int)(text - line) - 1 : (int)sizeof first - 1;
  finding->text = named ? text + 2 : line;
  finding->length = (int)(end - finding->text);
  finding->next = end + (*end == '\n');
  return true;
}

void gradyn_termination_join(char *reason)
{
  for (char *c = reason; (c = strchr(c, '\n')) != NULL;)
    *c = ';';
}
