/* Memory for the command: there is nothing better to do without it than to say so and end. */
#ifndef GRADYN_CLI_MEMORY_H
#define GRADYN_CLI_MEMORY_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/* Says on standard error that there is no memory, and ends the program; takes none itself. */
_Noreturn void cli_no_memory(void);

/* What else is to be done then: with json an object on standard output; speak(about), which takes no
 * memory either, tells what has been found so far. NULL: nothing more. */
void cli_no_memory_json(bool json);
void cli_no_memory_last_words(void (*speak)(void *about), void *about);

/* Zeroed memory for count elements; ends the program if there is none. Free with free(). */
void *cli_take(size_t count, size_t size);

/* Resizes an array to count elements; ends the program if there is no memory. */
void *cli_grow(void *array, size_t count, size_t size);

/* Text made as by printf; free with free(). */
char *cli_text(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *cli_vtext(const char *format, va_list args);

/* A copy of the next line of a text, which moves on; NULL at the end or an empty line. */
char *cli_next_line(const char **text);

#endif
