/* The name most like a mistyped one: restricted edit distance.
 *
 * The restricted edit distance counts what is inserted, left out, replaced or exchanged with its
 * neighbour; a name is offered if few enough of these lead to it. Capitals and - or _ make no
 * difference. */
#include "core/base/nearest.h"

#include <ctype.h>
#include <string.h>

#define LONGEST 63

/* Letters that count as the same. */
static int fold(char c)
{
  return c == '_' ? '-' : tolower((unsigned char)c);
}

/* Of two. */
static size_t least(size_t a, size_t b)
{
  return a < b ? a : b;
}

size_t gradyn_nearest_distance(const char *a, const char *b)
{
  size_t na = least(strlen(a), LONGEST), nb = least(strlen(b), LONGEST);
  size_t row[3][LONGEST + 1]; /* distances of a's first i - 2, i - 1, i letters to b's first j */
  size_t *older = row[0], *old = row[1], *now = row[2];

  for (size_t j = 0; j <= nb; j++)
    old[j] = older[j] = j;
  for (size_t i = 1; i <= na; i++) {
    now[0] = i;
    for (size_t j = 1; j <= nb; j++) {
      bool equal = fold(a[i - 1]) == fold(b[j - 1]);
      /* exchange a letter, leave one out or put one in */
      now[j] = least(old[j - 1] + !equal, least(old[j], now[j - 1]) + 1);
      /* two letters in the wrong order are one slip */
      if (i > 1 && j > 1 && fold(a[i - 1]) == fold(b[j - 2]) && fold(a[i - 2]) == fold(b[j - 1]))
        now[j] = least(now[j], older[j - 2] + 1);
    }
    /* rows change places instead of being copied */
    size_t *spare = older;
    older = old;
    old = now;
    now = spare;
  }
  return old[nb];
}

/* Keeps the candidate if it is likelier than those before it to be what was meant. */
void gradyn_nearest_try(gradyn_nearest *nearest, const char *candidate)
{
  size_t length = strlen(nearest->wanted);
  size_t distance = gradyn_nearest_distance(nearest->wanted, candidate);

  /* a beginning of the name is like it however long the rest is */
  if (length >= 2 && strncmp(candidate, nearest->wanted, length) == 0)
    distance = least(distance, 1);

  /* longer names may have more slips; all letters wrong is no likeness */
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
