/* Checking a mechanism element by element: beside all others a wrong block may go unnoticed, or be noticed
 * without telling where it is. */
#include <stdio.h>
#include <string.h>

#include "adjoint/check/mech.h"

/* Adds what is right of an element to the item of its kind. */
static void note_right(gradyn_worst *right, const gradyn_worst *w)
{
  right->skipped += w->skipped;
  right->present = right->present || w->present;
  /* the worst is the one nearest to its tolerance, or furthest beyond */
  if (w->ratio <= right->ratio)
    return;
  right->ratio = w->ratio;
  right->error = w->error;
  right->tolerance = w->tolerance;
}

/* Blocks of the whole model are items; those of elements only where they are wrong. */
gradyn_status gradyn_mech_probe_report(gradyn_mech_probe *p, const gradyn_worst *w,
                                       const char *route, const char *block)
{
  gradyn_checking *c = p->probe.c;
  if (!p->element)
    return gradyn_check_add(c, w, route, "%s", block);
  /* of an element: only what is wrong, or has a kink, is named, the rest shares an item */
  if (w->error > w->tolerance || w->kink > 0)
    return gradyn_check_add(c, w, route, "%s: %s", p->element, block);
  note_right(&p->right, w);
  return GRADYN_OK;
}

/* "spring AQ"; of an inertia, "inertia PQ" from the name of its first datum. */
static void name_element(const char *kind, const char *name, char *buffer, size_t size)
{
  const char *dot = strcmp(kind, "inertia") == 0 ? strrchr(name, '.') : NULL;
  int length = dot ? (int)(dot - name) : (int)strlen(name);
  snprintf(buffer, size, "%s %.*s", kind, length, name);
}

/* Element i by itself. */
static gradyn_status look_at(gradyn_mech_probe *p, int i, const char *kind, const char *name)
{
  char element[96];
  name_element(kind, name, element, sizeof element);
  p->element = element;
  /* all others are silent until isolate(-1) */
  p->mech->ops->isolate(p->mech, i);
  p->mech->ops->activate(p->mech, NULL);
  gradyn_status status = gradyn_check_load(p->probe.c, NULL, p->probe.c->t);
  if (status == GRADYN_OK)
    status = gradyn_mech_probe_blocks(p);
  p->element = NULL;
  return status;
}

/* Whether an earlier element than i is of its kind. */
static bool is_known(const gradyn_mech *mech, int i, const char *kind)
{
  const char *other, *name;
  for (int k = 0; k < i && mech->ops->element(mech, k, &other, &name); k++)
    if (strcmp(other, kind) == 0)
      return true;
  return false;
}

/* All elements of the kind that begins with number `first`. */
static gradyn_status look_at_kind(gradyn_mech_probe *p, int first, const char *kind)
{
  const gradyn_mech_ops *ops = p->mech->ops;
  const char *other, *name;
  gradyn_status status;
  /* one item for all elements of a kind */
  p->right = (gradyn_worst){.tolerance = p->probe.c->tolerance, .ratio = -1};
  for (int i = first; ops->element(p->mech, i, &other, &name); i++) {
    /* kinds may be mixed in the order of the model */
    if (strcmp(other, kind) != 0)
      continue;
    if (gradyn_check_proceed(p->probe.c, i, i + 1, &status))
      status = look_at(p, i, kind, name);
    else
      p->right.skipped++;
    GRADYN_TRY(status);
  }
  return gradyn_check_add(p->probe.c, &p->right, "differences", "%s: each separately", kind);
}

/* Elements one after the other, kind by kind: small ones are not drowned by large ones. */
gradyn_status gradyn_mech_probe_elements(gradyn_mech_probe *p)
{
  const gradyn_mech_ops *ops = p->mech->ops;
  const char *kind, *name;
  gradyn_status status = GRADYN_OK;
  if (!ops->element)
    return status;
  for (int i = 0; status == GRADYN_OK && ops->element(p->mech, i, &kind, &name); i++)
    if (!is_known(p->mech, i, kind))
      status = look_at_kind(p, i, kind);
  /* the whole mechanism again */
  ops->isolate(p->mech, -1);
  ops->activate(p->mech, NULL);
  return status == GRADYN_OK ? gradyn_check_load(p->probe.c, NULL, p->probe.c->t) : status;
}
