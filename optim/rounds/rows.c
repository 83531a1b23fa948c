/* Samples of path constraints: their identity, and samples that follow from others. */
#include "optim/rounds/rows.h"

#include <math.h>
#include <stdlib.h>

/* Time points with a smaller distance, as part of the run, are the same. */
static const double one_place = 1e-6;

/* Smallest distance of a new contact from the samples on both sides, as part of their distance. If the
 * contact is at one of the samples, the other sample then still moves closer. */
static const double off_the_ends = 1.0 / 64;

/* Returns the sample at the same time point. NULL: there is none. */
static gradyn_held_row *find(const gradyn_rows *rows, const gradyn_limit_at *at)
{
  for (size_t i = 0; i < rows->count; i++) {
    const gradyn_limit_at *held = &rows->item[i].at;
    const bool at_event = at->which > 0 || held->which > 0;
    const bool same = at_event ? held->event == at->event && held->which == at->which
                               : fabs(held->share - at->share) < one_place;
    if (held->side == at->side && same && held->behind == at->behind && held->knot == at->knot)
      return &rows->item[i];
  }
  return NULL;
}

bool gradyn_rows_add(gradyn_rows *rows, const gradyn_limit_at *at, double excess)
{
  gradyn_held_row *known = find(rows, at);
  if (known != NULL) {
    known->moved += known->round < rows->round ? fmax(excess, 0) : 0;
    return true;
  }
  gradyn_held_row *grown = realloc(rows->item, (rows->count + 1) * sizeof *grown);
  if (grown == NULL)
    return false;
  rows->item = grown;
  rows->item[rows->count++] = (gradyn_held_row){.at = *at, .round = rows->round};
  return true;
}

/* Finds the nearest active samples on both sides of a time point. Returns false if there are none. */
static bool find_pressing(const gradyn_rows *rows, const gradyn_limit_at *at, size_t count,
                          const double multiplier[], size_t near[2])
{
  near[0] = near[1] = count;
  for (size_t i = 0; i < count; i++) {
    const gradyn_limit_at *held = &rows->item[i].at;
    const double distance = fabs(held->share - at->share);
    if (held->side != at->side || held->which > 0 || held->knot > 0 || !(multiplier[i] > 0) ||
        distance == 0)
      continue;
    const int behind = held->share > at->share;
    if (near[behind] == count || distance < fabs(rows->item[near[behind]].at.share - at->share))
      near[behind] = i;
  }
  return near[0] < count && near[1] < count;
}

bool gradyn_rows_add_centre(gradyn_rows *rows, const gradyn_limit_at *at, size_t count,
                            const double multiplier[])
{
  size_t near[2];
  if (at->which > 0 || !find_pressing(rows, at, count, multiplier, near))
    return true;
  const double a = rows->item[near[0]].at.share, b = rows->item[near[1]].at.share;
  const double share = multiplier[near[1]] / (multiplier[near[0]] + multiplier[near[1]]);
  gradyn_limit_at centre = *at;
  centre.share = a + fmin(fmax(share, off_the_ends), 1 - off_the_ends) * (b - a);
  if (rows->grid > 0)
    centre.share = round(centre.share * rows->grid) / rows->grid;
  return gradyn_rows_add(rows, &centre, 0);
}
