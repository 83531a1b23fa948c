/* Finds methods by name. Names that users give are compared only here; all other code uses the functions of
 * a method. Also contains the recording of errors that all methods share. */
#include "adjoint/method.h"
#include "core/mech/rolling.h"

#include <float.h>
#include <string.h>

static const gradyn_method *const contenders[] = {&gradyn_explicit_method, &gradyn_radau_method,
                                                  &gradyn_idas_method};

const gradyn_method gradyn_auto_method = {.name = "auto",
                                          .summary = "explicit, or radau if the motion is stiff",
                                          .among = contenders,
                                          .mechanical = true,
                                          .general = true,
                                          .events = true,
                                          .rtol = 1e-8,
                                          .atol = 1e-10};

#define ADDRESS(id) &gradyn_##id##_method,
#define NAME(id) #id,
static const gradyn_method *const methods[] = {GRADYN_METHODS(ADDRESS) NULL};
static const char *const names[] = {GRADYN_METHODS(NAME) NULL};

const gradyn_method *const *gradyn_methods(void)
{
  return methods;
}

const char *const *gradyn_method_names(void)
{
  return names;
}

const gradyn_method *gradyn_method_find(const char *name)
{
  for (int i = 0; methods[i]; i++)
    if (strcmp(methods[i]->name, name) == 0)
      return methods[i];
  return NULL;
}

gradyn_status gradyn_method_suits(const gradyn_method *method, gradyn_model *model)
{
  bool mechanical = model->mech != NULL;
  /* not an error of the problem: another method may suit */
  if (mechanical ? !method->mechanical : !method->general)
    return gradyn_fail(&model->message, GRADYN_UNSUPPORTED, "the method %s does not integrate %s",
                       method->name, mechanical ? "mechanisms" : "general equations");
  if (mechanical && model->mech->rolling > 0 && method->lacks & GRADYN_LACKS_ROLLING)
    return gradyn_fail(
        &model->message, GRADYN_UNSUPPORTED,
        "%s is a velocity-level constraint, which the method %s does not support: use explicit",
        gradyn_mech_first_roll(model->mech), method->name);
  if (model->event_count > 0 && !method->events)
    return gradyn_fail(
        &model->message, GRADYN_UNSUPPORTED,
        "events (%s) are not supported by the method %s: use auto, or any other method",
        model->event[0].name, method->name);
  return GRADYN_OK;
}

void gradyn_note_undetermined(const gradyn_model *model, int f, double reach, double rtol,
                              double size, gradyn_findings *findings)
{
  const double share = size > 0 ? reach * rtol / size : 0;
  if (!(share > findings->undetermined[0]))
    return;
  findings->undetermined[0] = share;
  findings->undetermined[1] = reach * DBL_EPSILON / size;
  findings->undetermined_functional = model->functional[f].name;
}
