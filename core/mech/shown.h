/* Which states of a mechanism are shown: not those of coordinates that only stand for constraints which their
 * modes leave out. Files, pages and lists of all kinds ask here. */
#ifndef GRADYN_CORE_MECH_SHOWN_H
#define GRADYN_CORE_MECH_SHOWN_H

#include "core/mech/mech.h"

/* Whether number i of (q, v, a, lam, ...) is left out; mech may be NULL. */
static inline bool gradyn_mech_internal(const gradyn_mech *mech, int i)
{
  return mech && mech->idle && i < 3 * mech->n && mech->idle[i % mech->n];
}

/* How many of the first `count` are shown: where number `count` is among these. */
static inline int gradyn_mech_shown(const gradyn_mech *mech, int count)
{
  int shown = 0;
  for (int i = 0; i < count; i++)
    shown += !gradyn_mech_internal(mech, i);
  return shown;
}

#endif
