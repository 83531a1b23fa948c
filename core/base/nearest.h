/* The most similar name to a mistyped one, for messages "did you mean ...?". */
#ifndef GRADYN_CORE_NEAREST_H
#define GRADYN_CORE_NEAREST_H

#include <stdbool.h>
#include <stddef.h>

/* A search in progress. Initialise with {.requested = name}, then try every candidate; names live until the
 * result is used. */
typedef struct gradyn_nearest {
  const char *requested; /* borrowed */
  const char *best;      /* borrowed; NULL: no similar name so far */
  size_t distance;       /* of best, number of edits */
} gradyn_nearest;

/* Returns the number of edits (insert, delete, replace, exchange of neighbours) that turn a into b. Case
 * and the difference of '-' and '_' are ignored. Only the first 63 characters count. */
size_t gradyn_nearest_distance(const char *a, const char *b);

/* Stores the pointer to the candidate in `best` if it is similar to the requested name and closer than the
 * best so far; the text must outlive *nearest. The number of edits that count as similar grows with the
 * length of the name. If the name is a prefix of the candidate, they are always similar. */
void gradyn_nearest_try(gradyn_nearest *nearest, const char *candidate);

/* Returns whether two names are equal, where '-' and '_' count as the same. */
bool gradyn_nearest_same(const char *a, const char *b);

#endif
