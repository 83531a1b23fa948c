/* Samples of path constraints, and their identity. */
#include "optim/rounds/rows.h"

#include <math.h>
#include <stdlib.h>

/* Whether two points are the same; a point that moves is the same as others in its window. */
static bool are_same(const gradyn_limit_at *held, const gradyn_limit_at *at)
{
  const bool at_event = at->which > 0 || held->which > 0;
  if (held->side != at->side)
    return false;
  if (held->to > 0 || at->to > 0)
    return held->to > 0 && at->to > 0 && at->share > held->from && at->share < held->to;
  const bool same = at_event ? held->event == at->event && held->which == at->which
                             : gradyn_limit_same_share(held->share, at->share);
  return same && held->behind == at->behind && held->knot == at->knot;
}

/* Returns the same sample. NULL: there is none. */
static gradyn_held_row *find(const gradyn_rows *rows, const gradyn_limit_at *at)
{
  for (size_t i = 0; i < rows->count; i++)
    if (are_same(&rows->item[i].at, at))
      return &rows->item[i];
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

bool gradyn_rows_add_found(gradyn_rows *rows, const gradyn_limit_at *at, double excess)
{
  gradyn_limit_at fixed = *at;
  fixed.from = fixed.to = 0;
  return (at->to == 0 || gradyn_rows_add(rows, at, 0)) && gradyn_rows_add(rows, &fixed, excess);
}
