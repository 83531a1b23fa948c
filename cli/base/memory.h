/* Memory for the command. If it is exhausted, the program reports this and ends. */
#ifndef GRADYN_CLI_MEMORY_H
#define GRADYN_CLI_MEMORY_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/* Reports exhausted memory on standard error, and ends the program with status CLI_FAILED. Allocates no
 * memory. */
_Noreturn void cli_no_memory(void);

/* Selects whether cli_no_memory() also prints an object to standard output; false at the start. */
void cli_no_memory_json(bool json);
/* Sets a function that cli_no_memory() calls with `about` to print the results so far; it must not allocate
 * memory. about is borrowed until another function is set. NULL: none. */
void cli_no_memory_last_words(void (*speak)(void *about), void *about);

/* Returns zeroed memory for count elements of this size, never NULL, to be released by free(); count may be
 * 0. Ends the program if memory is exhausted. */
void *cli_take(size_t count, size_t size);

/* Resizes an array (NULL: a new one) to count > 0 elements of this size, and returns the array, to be
 * released by free(). Elements stay, new ones are undefined; the old pointer is invalid. Ends the program if
 * memory is exhausted. */
void *cli_grow(void *array, size_t count, size_t size);

/* Returns a text formatted as by printf, to be released by free(). Ends the program if memory is
 * exhausted. */
char *cli_text(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Returns a text formatted as by vprintf, to be released by free(). Ends the program if memory is
 * exhausted. */
char *cli_vtext(const char *format, va_list args);

#endif
