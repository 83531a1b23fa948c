/* The most similar name to a mistyped one, by the restricted edit distance.
 *
 * This distance counts insertions, deletions, replacements and exchanges of neighbouring letters. A name is
 * suggested if the distance is small for its length. Case and the difference of - and _ are ignored. */
#include "core/base/nearest.h"

#include <ctype.h>
#include <string.h>

#define LONGEST 63

/* Maps letters that count as equal to the same letter. */
static int fold(char c)
{
  return c == '_' ? '-' : tolower((unsigned char)c);
}

static size_t least(size_t a, size_t b)
{
  return a < b ? a : b;
}

size_t gradyn_nearest_distance(const char *a, const char *b)
{
  size_t na = least(strlen(a), LONGEST), nb = least(strlen(b), LONGEST);
  /* distances of the first i - 2, i - 1, i letters of a to the first j letters of b */
  size_t row[3][LONGEST + 1];
  size_t *older = row[0], *old = row[1], *now = row[2];

  for (size_t j = 0; j <= nb; j++)
    old[j] = older[j] = j;
  for (size_t i = 1; i <= na; i++) {
    now[0] = i;
    for (size_t j = 1; j <= nb; j++) {
      bool equal = fold(a[i - 1]) == fold(b[j - 1]);
      /* replace, delete or insert a letter */
      now[j] = least(old[j - 1] + !equal, least(old[j], now[j - 1]) + 1);
      /* two exchanged letters are one edit */
      if (i > 1 && j > 1 && fold(a[i - 1]) == fold(b[j - 2]) && fold(a[i - 2]) == fold(b[j - 1]))
        now[j] = least(now[j], older[j - 2] + 1);
    }
    /* exchange the pointers to the rows instead of copying rows */
    size_t *spare = older;
    older = old;
    old = now;
    now = spare;
  }
  return old[nb];
}

void gradyn_nearest_try(gradyn_nearest *nearest, const char *candidate)
{
  size_t length = strlen(nearest->requested);
  size_t distance = gradyn_nearest_distance(nearest->requested, candidate);

  /* a prefix is similar to the name, whatever the length of the rest */
  if (length >= 2 && strncmp(candidate, nearest->requested, length) == 0)
    distance = least(distance, 1);

  /* longer names may have more edits; if all letters differ, the names are not similar */
  size_t allowed = length < 4 ? 1 : length < 7 ? 2 : length / 3;
  if (distance > allowed || distance >= length || (nearest->best && distance >= nearest->distance))
    return;
  nearest->best = candidate;
  nearest->distance = distance;
}

bool gradyn_nearest_same(const char *a, const char *b)
{
  for (; *a && *b; a++, b++)
    if ((*a == '_' ? '-' : *a) != (*b == '_' ? '-' : *b))
      return false;
  return *a == *b;
}
