/* Independent tasks in several threads, which end with the tasks. */
#ifndef GRADYN_CORE_THREADS_H
#define GRADYN_CORE_THREADS_H

#include <stddef.h>

/* Runs tasks 0, ..., count - 1 in `jobs` threads including the present one, or in fewer if no more can be
 * created. Tasks start in this order, each once. All have ended when the function returns. */
void gradyn_threads_do(size_t jobs, size_t count, void (*work)(void *user, size_t piece),
                       void *user);

#endif
