/* A look at a shared object before it is loaded. */
#ifndef GRADYN_CORE_SHARED_OBJECT_H
#define GRADYN_CORE_SHARED_OBJECT_H

#include "core/base/message.h"

/* Whether a path names a regular file with an ELF header and with all the bytes that its segments
 * need: the dynamic linker maps segments without looking whether the file is that long, and reading
 * beyond its end is a bus error; opening a pipe never returns. GRADYN_NOT_FOUND or GRADYN_INVALID
 * leave the reason in message. What a sound file with wrong contents does is not looked at. */
gradyn_status gradyn_shared_object_look(const char *path, gradyn_message *message);

#endif
