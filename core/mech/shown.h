/* States of a mechanism that are shown to users. Coordinates of constraints that a mode leaves out are
 * hidden. Files, pages and lists of all kinds use these functions. */
#ifndef GRADYN_CORE_MECH_SHOWN_H
#define GRADYN_CORE_MECH_SHOWN_H

#include "core/mech/mech.h"

/* Returns whether entry i of (q, v, a, lam, ...) is hidden; mech may be NULL: none is. */
static inline bool gradyn_mech_internal(const gradyn_mech *mech, int i)
{
  return mech && mech->idle && i < 3 * mech->n && mech->idle[i % mech->n];
}

/* Returns the number of shown entries among the first `count`. This is also the index that entry `count`
 * has if only shown entries count. */
static inline int gradyn_mech_shown(const gradyn_mech *mech, int count)
{
  int shown = 0;
  for (int i = 0; i < count; i++)
    shown += !gradyn_mech_internal(mech, i);
  return shown;
}

#endif
