/* Working arrays with the life of one object: allocated one by one at its creation and released together. The
 * success of all requests is checked once, after the last one. An arena is all zero at first. */
#ifndef GRADYN_CORE_ARENA_H
#define GRADYN_CORE_ARENA_H

#include <stdbool.h>

#include "core/linear/lanes.h"

typedef struct gradyn_arena {
  struct gradyn_arena_block *last; /* NULL: no array was allocated */
  struct gradyn_arena_block
      *used;      /* blocks that were in use before rewind(), in their order; NULL: none */
  bool exhausted; /* a request failed; all later requests fail as well */
} gradyn_arena;

/* Returns a new array of `count` items of `size` bytes, all zero, owned by the arena. count may be 0; the
 * result is then still a distinct address. NULL: out of memory. */
void *gradyn_arena_take(gradyn_arena *arena, size_t count, size_t size);

/* Returns a new array of `count` numbers, all zero, owned by the arena. count may be 0. NULL: out of
 * memory. */
double *gradyn_arena_numbers(gradyn_arena *arena, size_t count);

/* Returns a new array of `count` lanes, all zero and aligned, owned by the arena. count may be 0. NULL: out
 * of memory. */
gradyn_lanes *gradyn_arena_lanes(gradyn_arena *arena, size_t count);

/* Returns GRADYN_NO_MEMORY, without a message, if a request since the last clear() has failed; otherwise
 * GRADYN_OK. */
gradyn_status gradyn_arena_status(const gradyn_arena *arena);

/* Invalidates all arrays, but keeps their memory for the next ones: requests in the same order, each as large
 * as before or smaller, get the same addresses again, with all items zero. A larger one, or one of another
 * kind, replaces the memory of its predecessor. */
void gradyn_arena_rewind(gradyn_arena *arena);

/* Releases all arrays; the arena may be used, or cleared, again. */
void gradyn_arena_clear(gradyn_arena *arena);

#endif
