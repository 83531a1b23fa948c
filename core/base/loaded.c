/* Queries to the dynamic loader. GRADYN_HAS_DLADDR: the system has dladdr() and RTLD_DEFAULT
 * (CMakeLists.txt). */
#include "core/base/loaded.h"

#include <dlfcn.h>
#include <stddef.h>

#ifdef GRADYN_HAS_DLADDR

const char *gradyn_loaded_from(const void *address)
{
  Dl_info about = {0};
  return address != NULL && dladdr(address, &about) != 0 ? about.dli_fname : NULL;
}

void *gradyn_loaded_function(const char *name)
{
  return dlsym(RTLD_DEFAULT, name);
}

#else

const char *gradyn_loaded_from(const void *address)
{
  (void)address;
  return NULL;
}

void *gradyn_loaded_function(const char *name)
{
  /* the program and the libraries loaded with it; the handle stays valid as long as the program runs */
  void *program = dlopen(NULL, RTLD_NOW);
  return program != NULL ? dlsym(program, name) : NULL;
}

#endif
