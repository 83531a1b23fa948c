/* Check of all journals of a study. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/owned.h"
#include "core/files/read.h"
#include "core/files/text.h"
#include "optim/study/journal.h"
#include <gradyn/study.h>

/* Whether a file is a journal, by its name. Journals that --from-best has renamed are not resumed. */
static bool is_journal(const char *name)
{
  static const char end[] = ".jsonl", aside[] = "journal-old-";
  const size_t length = strlen(name);
  return length >= sizeof end && strcmp(name + length - (sizeof end - 1), end) == 0 &&
         strncmp(name, aside, sizeof aside - 1) != 0;
}

static gradyn_status check_one(const char *folder, const char *name, char message[], size_t size)
{
  FREED char *file = gradyn_format("%s/%s", folder, name);
  if (file != NULL)
    return gradyn_journal_check(file, message, size);
  (void)snprintf(message, size, "out of memory");
  return GRADYN_NO_MEMORY;
}

/* Checks all journals in a folder; there may be none. */
static gradyn_status check_folder(const char *folder, char message[], size_t size)
{
  DIR *all = NULL;
  char why[256];
  gradyn_status status = gradyn_read_folder(folder, &all, why, sizeof why);
  const struct dirent *entry = NULL;
  if (status == GRADYN_NOT_FOUND)
    return GRADYN_OK;
  if (status != GRADYN_OK)
    (void)snprintf(message, size, "'%s' cannot be read: %s", folder, why);
  while (status == GRADYN_OK && (entry = gradyn_read_entry(all)) != NULL)
    if (is_journal(entry->d_name))
      status = check_one(folder, entry->d_name, message, size);
  if (all != NULL)
    (void)closedir(all);
  return status;
}

gradyn_status gradyn_study_check(const char *folder, char message[], size_t size)
{
  static const char *const within[] = {"starts", "points", "front", "profile"};
  if (folder == NULL) {
    (void)snprintf(message, size, "the folder is NULL");
    return GRADYN_INVALID;
  }
  GRADYN_TRY(check_folder(folder, message, size));
  for (size_t i = 0; i < sizeof within / sizeof within[0]; i++) {
    FREED char *path = gradyn_format("%s/%s", folder, within[i]);
    if (path == NULL) {
      (void)snprintf(message, size, "out of memory");
      return GRADYN_NO_MEMORY;
    }
    GRADYN_TRY(check_folder(path, message, size));
  }
  return GRADYN_OK;
}
