/* Displacements of uncertain numbers, for the second build(). */
#include "core/model/uncertain.h"

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
