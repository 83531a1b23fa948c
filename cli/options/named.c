/* The list of problem files that this user has named, and the refusal of other files.
 *
 * The list is used only if it and its folder belong to the user, and no other user can write to them. A
 * last line without a line end is ignored, because a full disk may have cut it off. */
#define _XOPEN_SOURCE 700 /* for realpath() */
#include "cli/options/named.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/base/memory.h"
#include "cli/base/plain.h"
#include "cli/base/read.h"
#include "core/base/owned.h"
#include "core/base/shared_object.h"

/* As in gradyn_registry_find(). */
static bool means_file(const char *name)
{
  return strchr(name, '/') || gradyn_shared_object_named(name);
}

char *cli_named_file(const char *name)
{
  errno = 0;
  char *file = means_file(name) ? realpath(name, NULL) : NULL;
  if (!file && errno == ENOMEM)
    cli_no_memory();
  return file;
}

/* --- List --------------------------------------------------------------------------------------- */

/* Returns the folder of the list, to be released with free(). NULL: this user has no home folder. Relative
 * paths are ignored, because they would lead into the folder of the study. */
static char *list_folder(void)
{
  const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
  if (state && *state == '/')
    return cli_text("%s/gradyn", state);
  return home && *home == '/' ? cli_text("%s/.local/state/gradyn", home) : NULL;
}

/* Whether a file or folder belongs to this user, and no other user can write to it. */
static bool is_ours(const struct stat *about)
{
  return about->st_uid == geteuid() && (about->st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/* Opens the list; way: flags of open(2). NULL: errno states why; it is EPERM if other users can write to
 * the list. */
static FILE *open_list(const char *folder, int way)
{
  struct stat around, about;
  FREED char *path = cli_text("%s/problems", folder);
  const int descriptor = open(path, way | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (descriptor < 0)
    return NULL;
  const bool ours = stat(folder, &around) == 0 && fstat(descriptor, &about) == 0 &&
                    S_ISREG(about.st_mode) && is_ours(&around) && is_ours(&about);
  FILE *file = ours ? fdopen(descriptor, way == O_RDONLY ? "r" : "a+") : NULL;
  if (!file)
    (void)close(descriptor);
  if (!ours)
    errno = EPERM;
  return file;
}

/* Whether a path is a line of the list. *ended: whether the last line that was read has a line end. */
static bool has_line(FILE *list, const char *path, bool *ended)
{
  FREED char *line = NULL;
  size_t capacity = 0;
  bool found = false;
  *ended = true;
  for (ssize_t length; !found && (length = cli_read_line(list, &line, &capacity)) > 0;) {
    *ended = line[length - 1] == '\n';
    line[length - 1] = '\0';
    found = *ended && strcmp(line, path) == 0;
  }
  return found;
}

/* Whether a path is in the list. If the list cannot be used, *why states the reason, to be released with
 * free(). */
static bool is_listed(const char *path, char **why)
{
  FREED char *folder = list_folder();
  FILE *list = folder ? open_list(folder, O_RDONLY) : NULL;
  bool ended, found = list && has_line(list, path, &ended);
  if (folder && !list && errno != ENOENT && errno != ENOTDIR)
    *why = cli_text("The list '%s/problems' of files that you have named is not used: %s.\n",
                    folder, errno == EPERM ? "others can write to it" : strerror(errno));
  if (list)
    (void)fclose(list);
  return found;
}

/* Creates a folder and its parents, accessible only to this user. */
static void make_folders(char *path)
{
  for (char *slash = path; (slash = strchr(slash + 1, '/')) != NULL; *slash = '/') {
    *slash = '\0';
    (void)mkdir(path, S_IRWXU);
  }
  (void)mkdir(path, S_IRWXU);
}

void cli_named_keep(const cli_session *session)
{
  FREED char *path = cli_named_file(session->requested), *folder = list_folder();
  bool ended;
  if (!path || !folder || strchr(path, '\n'))
    return; /* a path that contains a line end would become two lines */
  make_folders(folder);
  /* if the list cannot be written, a later command requires --problem and states why */
  FILE *list = open_list(folder, O_RDWR | O_APPEND | O_CREAT);
  if (list && !has_line(list, path, &ended))
    (void)fprintf(list, "%s%s\n", ended ? "" : "\n", path);
  if (list)
    (void)fclose(list);
}

/* --- Files named only by a study ---------------------------------------------------------------- */

/* Adds a word to a command line, quoted if a shell requires it. */
static void add_word(gradyn_text *line, const char *word)
{
  static const char harmless[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                 "_-+=./,:@%";
  gradyn_text_add(line, " ", line->used > 0);
  if (*word && word[strspn(word, harmless)] == '\0') {
    gradyn_text_add(line, word, strlen(word));
    return;
  }
  gradyn_text_add(line, "'", 1);
  for (; *word; word++)
    gradyn_text_add(line, *word == '\'' ? "'\\''" : word, *word == '\'' ? 4 : 1);
  gradyn_text_add(line, "'", 1);
}

/* Returns the command line as the user has typed it, with the problem file added; to be released with
 * free(). */
static char *line_to_type(const cli_options *typed, const char *file)
{
  gradyn_text line = {.at = NULL};
  add_word(&line, "gradyn");
  add_word(&line, typed->command->name);
  add_word(&line, "--problem");
  add_word(&line, file);
  for (int i = 2; i < typed->argc; i++)
    add_word(&line, typed->argv[i]);
  if (line.failed)
    cli_no_memory();
  return gradyn_plain(line.at, false);
}

int cli_named_allow(cli_session *session)
{
  const cli_options *typed = session->options->resume ? session->options->resume : session->options;
  FREED char *path = NULL, *why = NULL;
  if (!means_file(session->requested))
    return CLI_DONE;
  path = cli_named_file(session->requested);
  if (path && is_listed(path, &why)) {
    free(session->requested); /* loads exactly the file that was checked */
    session->requested = HANDED(path);
    return CLI_DONE;
  }
  FREED char *shown = gradyn_plain(cli_text("%s", path ? path : session->requested), false);
  FREED char *line = line_to_type(typed, path ? path : "FILE");
  if (!path)
    return cli_session_fail(session, GRADYN_INVALID,
                            "problem file '%s': %s; the study needs it. Name the file where it is "
                            "now:\n%s",
                            shown, strerror(errno), line);
  return cli_session_fail(session, GRADYN_INVALID,
                          "problem file '%s': it is named only by the study, and loading it would "
                          "run its code.\n%sIf you trust it, type:\n%s",
                          shown, why ? why : "", line);
}
