/* Checks a shared object before it is loaded. */
#ifndef GRADYN_CORE_SHARED_OBJECT_H
#define GRADYN_CORE_SHARED_OBJECT_H

#include <stdbool.h>
#include <string.h>

#include "core/base/message.h"

/* Returns whether a name is that of a shared object: it ends in ".so", or in ".dylib" as on macOS, after
 * another character. */
static inline bool gradyn_shared_object_named(const char *name)
{
  const char *ending = strrchr(name, '.');
  return ending != NULL && ending > name &&
         (strcmp(ending, ".so") == 0 || strcmp(ending, ".dylib") == 0);
}

/* Checks that a path names a regular file with an ELF header and all bytes of its segments. The dynamic
 * linker maps segments without checking the length of the file, and reading past the end is a bus error.
 * Opening a pipe would block.
 *
 * GRADYN_NOT_FOUND: there is no such file. GRADYN_INVALID: it is of another kind, unreadable or truncated.
 * The message has the reason. Wrong contents of a complete file are not detected. On systems without ELF,
 * the file must only be regular and not empty. */
gradyn_status gradyn_shared_object_check(const char *path, gradyn_message *message);

#endif
