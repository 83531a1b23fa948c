/* Memory for the command: there is nothing better to do without it than to say so and end. */
#ifndef GRADYN_CLI_MEMORY_H
#define GRADYN_CLI_MEMORY_H

#include <stddef.h>

/* Zeroed memory for count elements; ends the program if there is none. Free with free(). */
void *cli_take(size_t count, size_t size);

/* Resizes an array to count elements; ends the program if there is no memory. */
void *cli_grow(void *array, size_t count, size_t size);

/* Text made as by printf; free with free(). */
char *cli_text(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
