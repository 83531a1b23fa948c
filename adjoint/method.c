/* The list of methods: a new one is two words here. */
#include "adjoint/method.h"

#include <string.h>

static const gradyn_method *const methods[] = {&gradyn_idas_method,        &gradyn_ali3p_method,
                                               &gradyn_variational_method, &gradyn_explicit_method,
                                               &gradyn_auto_method,        NULL};
static const char *const names[] = {"idas", "ali3p", "variational", "explicit", "auto", NULL};

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
