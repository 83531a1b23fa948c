/* Memory and formatted texts for the command. */
#include "cli/base/memory.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/base/report.h"
#include "cli/base/streams.h"
#include "core/files/text.h"

/* What to print if memory is exhausted. */
static struct {
  bool json;
  void (*speak)(void *about);
  void *about;
} at_the_end;

void cli_no_memory_json(bool json)
{
  at_the_end.json = json;
}

void cli_no_memory_last_words(void (*speak)(void *about), void *about)
{
  at_the_end.speak = speak;
  at_the_end.about = about;
}

_Noreturn void cli_no_memory(void)
{
  /* nothing below allocates memory: texts are constants, and the stream exists */
  (void)fputs("gradyn: no-memory: out of memory\n", stderr);
  if (at_the_end.speak)
    at_the_end.speak(at_the_end.about);
  (void)cli_streams_restore();
  if (at_the_end.json)
    (void)fputs("{\"status\": \"no-memory\", \"message\": \"out of memory\"}\n", stdout);
  exit(CLI_FAILED); /* does not return, because callers do not check for NULL */
}

/* Returns the memory. If it is NULL, ends the program with a message. */
static void *insist(void *memory)
{
  if (!memory)
    cli_no_memory();
  return memory;
}

void *cli_take(size_t count, size_t size)
{
  return insist(calloc(count ? count : 1, size)); /* calloc(0) may return NULL */
}

void *cli_grow(void *array, size_t count, size_t size)
{
  /* NULL if count * size would overflow */
  return insist(count > SIZE_MAX / size ? NULL : realloc(array, count * size));
}

char *cli_vtext(const char *format, va_list args)
{
  return insist(gradyn_vformat(format, args));
}

char *cli_text(const char *format, ...)
{
  va_list args;
  va_start(args, format);
  char *text = cli_vtext(format, args);
  va_end(args);
  return text;
}
