/* Independent tasks in several threads, which end with the tasks. */
#ifndef GRADYN_CORE_THREADS_H
#define GRADYN_CORE_THREADS_H

#include <stddef.h>

/* Calls work(user, piece) once for each piece = 0, ..., count - 1, in this order of their starts. user:
 * passed to work(). `jobs` threads, at most 257, share the calls, the present one included; fewer if no
 * more can be created. All calls have ended when the function returns. */
void gradyn_threads_do(size_t jobs, size_t count, void (*work)(void *user, size_t piece),
                       void *user);

#endif
