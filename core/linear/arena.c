/* Working arrays with a common life. Each array is a separate block, so that tools detect accesses past its
 * end. A header before the array links the blocks. */
#include "core/linear/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Of the size of lanes, so that lanes after the header are aligned as the header is. */
typedef struct gradyn_arena_block {
  struct gradyn_arena_block *before;
  char capacity[sizeof(gradyn_lanes) - sizeof(void *)];
} block;

/* Bytes of a block; 0: too large. */
static size_t size_of(size_t count, size_t size)
{
  const size_t most = (SIZE_MAX - 2 * sizeof(block)) / size;
  /* an array without items has one item, so that its address is unique */
  return count > most ? 0 : sizeof(block) + (count > 0 ? count : 1) * size;
}

/* Links a new block and returns the address after its header. */
static void *keep(gradyn_arena *arena, block *made)
{
  arena->exhausted = !made;
  if (!made)
    return NULL;
  made->before = arena->last;
  arena->last = made;
  return made + 1;
}

void *gradyn_arena_take(gradyn_arena *arena, size_t count, size_t size)
{
  const size_t bytes = size_of(count, size);
  if (arena->exhausted)
    return NULL;
  return keep(arena, bytes > 0 ? calloc(1, bytes) : NULL);
}

double *gradyn_arena_numbers(gradyn_arena *arena, size_t count)
{
  return gradyn_arena_take(arena, count, sizeof(double));
}

gradyn_lanes *gradyn_arena_lanes(gradyn_arena *arena, size_t count)
{
  const size_t bytes = size_of(count, sizeof(gradyn_lanes));
  if (arena->exhausted)
    return NULL;
  /* sizes are multiples of the alignment, as aligned_alloc() requires */
  block *made = bytes > 0 ? aligned_alloc(sizeof(gradyn_lanes), bytes) : NULL;
  if (made)
    memset(made, 0, bytes);
  return keep(arena, made);
}

gradyn_status gradyn_arena_status(const gradyn_arena *arena)
{
  return arena->exhausted ? GRADYN_NO_MEMORY : GRADYN_OK;
}

void gradyn_arena_clear(gradyn_arena *arena)
{
  /* blocks are linked from the last to the first */
  for (block *now = arena->last, *before; now; now = before) {
    before = now->before;
    free(now);
  }
  *arena = (gradyn_arena){0};
}
