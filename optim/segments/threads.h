/* Independent pieces of work, done by several threads that end with them. */
#ifndef GRADYN_OPTIM_THREADS_H
#define GRADYN_OPTIM_THREADS_H

#include <stddef.h>

/* Does pieces 0, ..., count - 1, by this thread and as many others as make `jobs`, or as can be made. Pieces
 * are begun in their order, each once; the last one has ended when this returns. */
void gradyn_threads_do(size_t jobs, size_t count, void (*work)(void *user, size_t piece),
                       void *user);

#endif
