/* Checks a mechanism: the whole model, then element by element. In the sum over all elements, a wrong block
 * of a small element may be hidden, and an error does not show which element is wrong. */
#include <stdio.h>
#include <string.h>

#include "adjoint/check/mech.h"

/* Writes kind and name of an element, such as "spring AQ". An inertia is named after its first datum. */
static void name_element(const char *kind, const char *name, char *buffer, size_t size)
{
  const char *dot = strcmp(kind, "inertia") == 0 ? strrchr(name, '.') : NULL;
  int length = dot ? (int)(dot - name) : (int)strlen(name);
  snprintf(buffer, size, "%s %.*s", kind, length, name);
}

/* Checks element i alone. */
static gradyn_status look_at(gradyn_mech_probe *p, int i, const char *kind, const char *name)
{
  char element[96];
  name_element(kind, name, element, sizeof element);
  p->element = element;
  /* switches all other elements off until isolate(-1) */
  p->mech->ops->isolate(p->mech, i);
  p->mech->ops->activate(p->mech, NULL);
  gradyn_status status = gradyn_check_load(p->probe.c, NULL, p->probe.c->t);
  if (status == GRADYN_OK)
    status = gradyn_mech_probe_blocks(p);
  p->element = NULL;
  return status;
}

/* Returns whether an element before i has the same kind. */
static bool is_known(const gradyn_mech *mech, int i, const char *kind)
{
  const char *other, *name;
  for (int k = 0; k < i && mech->ops->element(mech, k, &other, &name); k++)
    if (strcmp(other, kind) == 0)
      return true;
  return false;
}

/* Checks all elements of a kind; `first` is the first one. */
static gradyn_status look_at_kind(gradyn_mech_probe *p, int first, const char *kind)
{
  const gradyn_mech_ops *ops = p->mech->ops;
  const char *other, *name;
  gradyn_status status;
  p->right = (gradyn_worst){.tolerance = p->probe.c->tolerance, .ratio = -1};
  for (int i = first; ops->element(p->mech, i, &other, &name); i++) {
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

/* Checks each element separately, with errors relative to the values of its own blocks. */
static gradyn_status look_at_elements(gradyn_mech_probe *p)
{
  const gradyn_mech_ops *ops = p->mech->ops;
  const char *kind, *name;
  gradyn_status status = GRADYN_OK;
  if (!ops->element)
    return status;
  for (int i = 0; status == GRADYN_OK && ops->element(p->mech, i, &kind, &name); i++)
    if (!is_known(p->mech, i, kind))
      status = look_at_kind(p, i, kind);
  /* switch all elements on again */
  ops->isolate(p->mech, -1);
  ops->activate(p->mech, NULL);
  return status == GRADYN_OK ? gradyn_check_load(p->probe.c, NULL, p->probe.c->t) : status;
}

/* Checks the whole mechanism, then each element with another fifth of the time. */
static gradyn_status look_at_all(gradyn_mech_probe *p, gradyn_checking *c)
{
  GRADYN_TRY(gradyn_mech_probe_open(p, c));
  GRADYN_TRY(gradyn_mech_probe_blocks(p));
  GRADYN_TRY(gradyn_mech_probe_solves(p));
  c->part = "elements";
  c->share += 0.2;
  return look_at_elements(p);
}

gradyn_status gradyn_check_mech(gradyn_checking *c)
{
  gradyn_mech_probe p;
  const gradyn_status status = look_at_all(&p, c);
  gradyn_probe_close(&p.probe);
  return status;
}
