/* New empty folders for tests and campaigns, where TMPDIR says, otherwise in /tmp. */
#ifndef GRADYN_TESTS_FOLDER_H
#define GRADYN_TESTS_FOLDER_H

#include <stdio.h>
#include <stdlib.h>

enum { FOLDER_SIZE = 512 };

static inline const char *folder_parent(void)
{
  const char *parent = getenv("TMPDIR");
  return parent && *parent ? parent : "/tmp";
}

/* Its path goes into path [FOLDER_SIZE]; NULL: errno tells why there is none. */
static inline char *folder_create(const char *name, char path[FOLDER_SIZE])
{
  (void)snprintf(path, FOLDER_SIZE, "%s/gradyn-%s-XXXXXX", folder_parent(), name);
  return mkdtemp(path);
}

#endif
