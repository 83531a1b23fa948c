/* Memory for the command. If it is exhausted, the program reports this and ends. */
#ifndef GRADYN_CLI_MEMORY_H
#define GRADYN_CLI_MEMORY_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/* Reports exhausted memory on standard error and ends the program, without allocation. */
_Noreturn void cli_no_memory(void);

/* Further output in this case. json: an object on standard output. speak(about) prints the results so far
 * and must not allocate memory. NULL: no further output. */
void cli_no_memory_json(bool json);
void cli_no_memory_last_words(void (*speak)(void *about), void *about);

/* Zeroed memory for count elements, to be released with free(). Ends the program if memory is exhausted. */
void *cli_take(size_t count, size_t size);

/* Resizes an array to count elements. Ends the program if memory is exhausted. */
void *cli_grow(void *array, size_t count, size_t size);

/* A text formatted as by printf, to be released with free(). */
char *cli_text(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *cli_vtext(const char *format, va_list args);

#endif
