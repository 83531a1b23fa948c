/* Working arrays that are freed together. Each array is a separate block, so that tools detect accesses
 * past its end. A header before the array links the blocks. */
#include "core/linear/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Header of a block. It has the size of lanes, so that lanes after it are aligned like the header. */
typedef struct gradyn_arena_block {
  struct gradyn_arena_block
      *before;  /* the block taken before; in the list `used`, the next block */
  size_t bytes; /* with this header */
  bool aligned; /* for lanes */
  char padding[sizeof(gradyn_lanes) - sizeof(void *) - sizeof(size_t) - sizeof(bool)];
} block;

/* Bytes of a block for `count` items of `size` bytes; 0: too large. */
static size_t size_of(size_t count, size_t size)
{
  const size_t most = (SIZE_MAX - 2 * sizeof(block)) / size;
  /* an array without items has one item, so that its address is unique */
  return count > most ? 0 : sizeof(block) + (count > 0 ? count : 1) * size;
}

/* Releases a list of blocks. */
static void release(block *list)
{
  for (block *now = list, *before; now; now = before) {
    before = now->before;
    free(now);
  }
}

/* Returns the next block that was in use before rewind(), with zeros, if it suffices; otherwise releases
 * it. NULL: there is none. */
static block *take_again(gradyn_arena *arena, size_t bytes, bool aligned)
{
  block *next = arena->used;
  if (next == NULL)
    return NULL;
  arena->used = next->before;
  if (next->bytes >= bytes && next->aligned == aligned) {
    memset(next + 1, 0, bytes - sizeof *next);
    return next;
  }
  free(next);
  return NULL;
}

/* Allocates a block of zeros. */
static block *allocate(size_t bytes, bool aligned)
{
  /* sizes for lanes are multiples of the alignment, as aligned_alloc() requires */
  block *made = aligned ? aligned_alloc(sizeof(gradyn_lanes), bytes) : calloc(1, bytes);
  if (made == NULL)
    return NULL;
  if (aligned)
    memset(made, 0, bytes);
  made->bytes = bytes;
  made->aligned = aligned;
  return made;
}

/* Returns a new array; bytes: its size with the header, 0 if it is too large. */
static void *take(gradyn_arena *arena, size_t bytes, bool aligned)
{
  if (arena->exhausted)
    return NULL;
  block *made = bytes > 0 ? take_again(arena, bytes, aligned) : NULL;
  if (made == NULL && bytes > 0)
    made = allocate(bytes, aligned);
  arena->exhausted = made == NULL;
  if (made == NULL)
    return NULL;
  made->before = arena->last;
  arena->last = made;
  return made + 1;
}

void *gradyn_arena_take(gradyn_arena *arena, size_t count, size_t size)
{
  return take(arena, size_of(count, size), false);
}

double *gradyn_arena_numbers(gradyn_arena *arena, size_t count)
{
  return gradyn_arena_take(arena, count, sizeof(double));
}

gradyn_lanes *gradyn_arena_lanes(gradyn_arena *arena, size_t count)
{
  return take(arena, size_of(count, sizeof(gradyn_lanes)), true);
}

gradyn_status gradyn_arena_status(const gradyn_arena *arena)
{
  return arena->exhausted ? GRADYN_NO_MEMORY : GRADYN_OK;
}

void gradyn_arena_rewind(gradyn_arena *arena)
{
  /* blocks are linked from the last to the first; after them come those that were not taken again */
  for (block *now = arena->last, *before; now; now = before) {
    before = now->before;
    now->before = arena->used;
    arena->used = now;
  }
  arena->last = NULL;
  arena->exhausted = false;
}

void gradyn_arena_clear(gradyn_arena *arena)
{
  release(arena->last);
  release(arena->used);
  *arena = (gradyn_arena){0};
}
