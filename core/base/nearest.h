/* The name most like a mistyped one, for messages of the kind "did you mean ...?". */
#ifndef GRADYN_CORE_NEAREST_H
#define GRADYN_CORE_NEAREST_H

#include <stdbool.h>
#include <stddef.h>

/* A search in progress. Initialise with {.wanted = name}, then try every candidate. */
typedef struct gradyn_nearest {
  const char *wanted; /* borrowed */
  const char *best;   /* borrowed; NULL: nothing is like it so far */
  size_t distance;    /* of best, in edits */
} gradyn_nearest;

/* Edits (insert, remove, replace, swap of neighbours) that turn a into b; case and the difference
 * of '-' and '_' do not count. Texts longer than 63 characters count by their beginning. */
size_t gradyn_nearest_distance(const char *a, const char *b);

/* Keeps the candidate if it is like the wanted name and better than the best so far. */
void gradyn_nearest_try(gradyn_nearest *nearest, const char *candidate);

/* Whether two names are the same but for '-' and '_'. */
bool gradyn_nearest_same(const char *a, const char *b);

#endif
