/* A look at a shared object before it is loaded. */
#ifndef GRADYN_CORE_SHARED_OBJECT_H
#define GRADYN_CORE_SHARED_OBJECT_H

#include <stdbool.h>
#include <string.h>

#include "core/base/message.h"

/* Whether a name is that of a shared object: it ends in ".so", or in ".dylib" as on macOS. */
static inline bool gradyn_shared_object_named(const char *name)
{
  const char *ending = strrchr(name, '.');
  return ending != NULL && ending > name &&
         (strcmp(ending, ".so") == 0 || strcmp(ending, ".dylib") == 0);
}

/* Whether a path names a regular file with an ELF header and with all the bytes that its segments
 * need: the dynamic linker maps segments without looking whether the file is that long, and reading
 * beyond its end is a bus error; opening a pipe never returns. GRADYN_NOT_FOUND or GRADYN_INVALID
 * leave the reason in message. What a sound file with wrong contents does is not looked at. On systems
 * without ELF it is only a regular file that is not empty. */
gradyn_status gradyn_shared_object_look(const char *path, gradyn_message *message);

#endif
