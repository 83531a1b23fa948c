/* Working arrays that live and die with one object: taken one after the other when it is created, released
 * at once. Whether all requests were met is asked once, behind the last of them. */
#ifndef GRADYN_CORE_ARENA_H
#define GRADYN_CORE_ARENA_H

#include <stdbool.h>

#include "core/linear/lanes.h"

typedef struct gradyn_arena {
  struct gradyn_arena_block *last; /* NULL: nothing has been taken */
  bool exhausted;                  /* a request could not be met: all that follow are not, either */
} gradyn_arena;

/* count items of a size, all zero; of numbers; of lanes. Never an array of no items: count may be 0. NULL if
 * memory has run out. */
void *gradyn_arena_take(gradyn_arena *arena, size_t count, size_t size);
double *gradyn_arena_numbers(gradyn_arena *arena, size_t count);
gradyn_lanes *gradyn_arena_lanes(gradyn_arena *arena, size_t count);

/* GRADYN_NO_MEMORY if any request since the last clear() could not be met. */
gradyn_status gradyn_arena_status(const gradyn_arena *arena);

/* Releases everything; the arena may be used again. */
void gradyn_arena_clear(gradyn_arena *arena);

#endif
