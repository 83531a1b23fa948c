/* gradyn migrate: runs the script that rewrites sources to the names of this version. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/base/memory.h"
#include "cli/base/report.h"
#include "cli/options/session.h"
#include "core/base/loaded.h"

/* Folders of the script, relative to the folder of the library or the command. They are for an
 * installation, for one with libraries in a folder of the architecture, and for a build folder. */
static const char *const folders[] = {"../share/gradyn", "../../share/gradyn", "../scripts"};

/* Finds the script beside the file from which a function was loaded. Writes its path to path [size]. */
static bool find(const void *function, char path[], size_t size)
{
  const char *file = gradyn_loaded_from(function), *slash = file ? strrchr(file, '/') : NULL;
  const int length = slash ? (int)(slash - file) : 1;
  for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
    const int written = snprintf(path, size, "%.*s/%s/migrate.py", length, slash ? file : ".",
                                 folders[i]);
    if (written > 0 && (size_t)written < size && access(path, R_OK) == 0)
      return true;
  }
  return false;
}

/* Returns the arguments for the script. */
static char **arguments_of(const cli_options *options, char *path)
{
  char **argv = cli_take(options->study_count + 5, sizeof *argv);
  size_t count = 0;
  argv[count++] = (char *)"python3";
  argv[count++] = path;
  if (options->print.dry_run)
    argv[count++] = (char *)"--dry-run";
  if (options->print.comments)
    argv[count++] = (char *)"--comments";
  for (size_t i = 0; i < options->study_count; i++)
    argv[count++] = options->study[i];
  return argv; /* the last argument is NULL */
}

int cli_migrate(const cli_options *options)
{
  char path[4096], message[256];
  const char *why = "migrate.py is not installed beside this library";
  if (find((const void *)(size_t)gradyn_version, path, sizeof path) ||
      find((const void *)(size_t)cli_migrate, path, sizeof path)) {
    char **argv = arguments_of(options, path);
    (void)fflush(NULL);
    (void)execvp(argv[0], argv); /* returns only if it fails */
    free(argv);
    (void)snprintf(message, sizeof message, "python3: %s. Install Python 3", strerror(errno));
    why = message;
  }
  return cli_report(options->print.json, "migrate", NULL, GRADYN_NOT_FOUND, why);
}
