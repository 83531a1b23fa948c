/* New empty folders for tests and campaigns, in TMPDIR, or in /tmp if that is not set. */
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

/* Creates a folder, and writes its path to path [FOLDER_SIZE]. NULL: errno has the reason. */
static inline char *folder_create(const char *name, char path[FOLDER_SIZE])
{
  (void)snprintf(path, FOLDER_SIZE, "%s/gradyn-%s-XXXXXX", folder_parent(), name);
  return mkdtemp(path);
}

#endif
