/* Joints that users declare as cut. */
#include "mbs/tree/choose.h"

#include <stdlib.h>

/* Set of bodies, with or without the ground, that joints which are not cut connect to body i: union-find
 * with trees of pointers [bodies + 1]. */
static int whole_of(int *whole, int i)
{
  while (whole[i] != i)
    i = whole[i] = whole[whole[i]];
  return i;
}

static void join_all(const gradyn_mbs *m, int *whole)
{
  const mbs_parts *parts = &m->parts;
  for (int b = 0; b <= parts->bodies; b++)
    whole[b] = b;
  for (int k = 0; k < parts->joints; k++) {
    const mbs_joint *j = &parts->joint[k];
    const int a = parts->frame[j->a].body, b = parts->frame[j->b].body;
    if (j->cut || a == MBS_BAR_FRAME || b == MBS_BAR_FRAME)
      continue;
    whole[whole_of(whole, a < 0 ? parts->bodies : a)] = whole_of(whole, b < 0 ? parts->bodies : b);
  }
}

/* Reports an error unless the two bodies of each cut joint are connected without this joint. */
static gradyn_status check_cuts(const gradyn_mbs *m, int *whole)
{
  const mbs_parts *parts = &m->parts;
  join_all(m, whole);
  for (int k = 0; k < parts->joints; k++) {
    const mbs_joint *j = &parts->joint[k];
    const int a = parts->frame[j->a].body, b = parts->frame[j->b].body;
    if (j->cut && a != MBS_BAR_FRAME && b != MBS_BAR_FRAME &&
        whole_of(whole, a < 0 ? parts->bodies : a) != whole_of(whole, b < 0 ? parts->bodies : b))
      return gradyn_fail(m->mech.message, GRADYN_INVALID,
                         "joint %s has .cut, but closes no loop: no other joints connect %s and %s",
                         j->name, a < 0 ? "the ground" : parts->body[a].name,
                         b < 0 ? "the ground" : parts->body[b].name);
  }
  return GRADYN_OK;
}

gradyn_status tree_check_cuts(const gradyn_mbs *m)
{
  int *whole = calloc((size_t)m->parts.bodies + 1, sizeof *whole);
  gradyn_status status = whole ? check_cuts(m, whole) : GRADYN_NO_MEMORY;
  free(whole);
  return status;
}
