/* Loads Ipopt at run time. Its symbols are global (RTLD_GLOBAL), as if it had been linked, because a
 * journal names the files of Ipopt and of its linear solver. */
#include "optim/drivers/ipopt_library.h"

#ifdef GRADYN_IPOPT_SONAME

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

bool gradyn_ipopt_load(gradyn_ipopt *ipopt)
{
  /* tries the place where the system finds the library, then the place where the build found it */
  void *library = dlopen(GRADYN_IPOPT_SONAME, RTLD_NOW | RTLD_GLOBAL);
  if (library == NULL)
    library = dlopen(GRADYN_IPOPT_FILE, RTLD_NOW | RTLD_GLOBAL);
  if (library == NULL)
    return false;
  void *symbol;
  bool whole = true;
#define FIND(NAME)                                                                                 \
  symbol = dlsym(library, #NAME);                                                                  \
  whole = whole && symbol != NULL;                                                                 \
  memcpy(&ipopt->NAME, &symbol, sizeof symbol);
  GRADYN_IPOPT_FUNCTIONS(FIND)
  return whole;
}

#else

bool gradyn_ipopt_load(gradyn_ipopt *ipopt)
{
#define TAKE(NAME) .NAME = NAME,
  *ipopt = (gradyn_ipopt){GRADYN_IPOPT_FUNCTIONS(TAKE)};
  return true;
}

#endif
