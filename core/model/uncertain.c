/* Displacements of uncertain numbers, for the second build(). */
#include "core/model/uncertain.h"

#include <complex.h>
#include <stdlib.h>
#include <string.h>

#include "core/model/model.h"

bool gradyn_uncertain_displace(gradyn_model *model, const gradyn_scalar *rho)
{
  gradyn_model_uncertain *u = &model->declared.uncertain;
  bool any = false;
  if (!u->shift)
    return false;
  memset(u->shift, 0, (size_t)model->nx * sizeof *u->shift);
  memcpy(u->rho, rho, u->parameters * sizeof *rho);
  for (int i = 0; i < u->count; i++) {
    const gradyn_uncertain_entry *entry = &u->entry[i];
    const gradyn_scalar z = entry->offset + (u->offset ? u->offset[i] : 0);
    any = any || z != 0;
    if (entry->parameter >= 0)
      u->rho[entry->parameter] += z * entry->spread;
    else if (entry->datum >= 0)
      u->shift[entry->datum] = z * entry->spread;
  }
  return any;
}

/* Whether a datum must stay positive. Declaring functions refuse negative values of such numbers, but have
 * seen the value without the shift. */
static bool stays_positive(const char *datum)
{
  static const char *const names[] = {"mass",       "inertia", "inertia_xx",  "inertia_yy",
                                      "inertia_zz", "length",  "radius",      "damping",
                                      "distance",   "sigma",   "restitution", "t_end"};
  const char *dot = strrchr(datum, '.'), *name = dot ? dot + 1 : datum;
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (strcmp(name, names[i]) == 0)
      return true;
  return false;
}

gradyn_scalar gradyn_uncertain_shift(gradyn_model *model, int k, gradyn_scalar value)
{
  const gradyn_scalar shift = model->declared.uncertain.shift[k], moved = value + shift;
  if (creal(shift) < 0 && creal(value) >= 0 && creal(moved) <= 0 &&
      stays_positive(model->entry[k].name))
    gradyn_build_error(
        model,
        "uncertain number %s: displaced from %g to %g %s; it must stay positive. Use a "
        "smaller spread, or a uniform distribution",
        model->entry[k].name, creal(value), creal(moved), model->entry[k].unit);
  return moved;
}

void gradyn_uncertain_free(gradyn_model *model)
{
  for (int i = 0; i < model->declared.uncertain.count; i++) {
    free(model->declared.uncertain.entry[i].name);
    free(model->declared.uncertain.entry[i].column);
  }
  free(model->declared.uncertain.entry);
  free(model->declared.uncertain.shift);
  free(model->declared.uncertain.rho);
}
