/* Finds problems: built in, in the folders of a search path, or in a shared object.
 *
 * A shared object is checked before it is loaded (shared_object.h). The caller may also provide a trial,
 * for example in another process. Loaded objects stay loaded as long as the registry. If a name is already
 * in use, a later problem of this name is reported and not used. */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/problems/builtin.h"
#include "core/problems/layout.h"
#include "core/problems/retired.h"
#include "core/base/message.h"
#include "core/base/nearest.h"
#include "core/base/loaded.h"
#include "core/base/shared_object.h"

#define NAME_SIZE 128 /* bytes of a problem's name in messages */

typedef struct entry {
  const gradyn_problem *problem; /* borrowed from the program or from the shared object */
  void *handle;                  /* handle of the shared object; NULL: built in */
  char *path;                    /* path of the shared object, owned; NULL: built in */
} entry;

struct gradyn_registry {
  entry *entry; /* [count] */
  size_t count, capacity;
  gradyn_vet_fn vet; /* called to try a file before it is loaded; may be NULL */
  void *vet_user;
  gradyn_message message;
};

/* Functions that a shared object must define; see GRADYN_PROBLEM. */
typedef const gradyn_problem *(*problem_fn)(void);
typedef const char *(*abi_fn)(void);

/* Adds a problem. handle NULL: built in. */
static gradyn_status add(gradyn_registry *registry, const gradyn_problem *problem, void *handle,
                         const char *path)
{
  /* grows by doubling */
  if (registry->count == registry->capacity) {
    size_t capacity = registry->capacity ? 2 * registry->capacity : 16;
    entry *grown = realloc(registry->entry, capacity * sizeof *grown);
    if (!grown)
      return gradyn_fail(&registry->message, GRADYN_NO_MEMORY, "out of memory");
    registry->entry = grown;
    registry->capacity = capacity;
  }
  char *copy = path ? strdup(path) : NULL;
  if (path && !copy)
    return gradyn_fail(&registry->message, GRADYN_NO_MEMORY, "out of memory");
  registry->entry[registry->count++] = (entry){problem, handle, copy};
  /* the path was copied, so callers may reuse theirs */
  return GRADYN_OK;
}

/* Finds a problem by its name; NULL: none. */
static const gradyn_problem *find_name(const gradyn_registry *registry, const char *name)
{
  /* - and _ count as equal */
  for (size_t i = 0; i < registry->count; i++)
    if (gradyn_nearest_same(registry->entry[i].problem->name, name))
      return registry->entry[i].problem;
  return NULL;
}

/* Finds a problem that was loaded from this path. */
static const gradyn_problem *find_path(const gradyn_registry *registry, const char *path)
{
  for (size_t i = 0; i < registry->count; i++)
    /* built-in problems have no path */
    if (registry->entry[i].path && strcmp(registry->entry[i].path, path) == 0)
      return registry->entry[i].problem;
  return NULL;
}

/* Writes the command that compiles the C file of a shared object, in the same folder. */
static void write_command(const char *path, char command[], size_t size)
{
  const char *dot = strrchr(path, '.');
  const int stem = dot ? (int)(dot - path) : (int)strlen(path);
  (void)snprintf(command, size, "cc -O2 -shared -fPIC $(pkg-config --cflags gradyn) %.*s.c -o %s",
                 stem, path, path);
}

/* Checks that the file was compiled for this interface and with structs of the same sizes. */
static gradyn_status check_layout(gradyn_registry *registry, const char *path, const char *abi,
                                  problem_fn ask_problem)
{
  char command[1024];
  gradyn_message why;
  write_command(path, command, sizeof command);
  if (!abi || strcmp(abi, GRADYN_PLUGIN_ABI) != 0)
    return gradyn_fail(&registry->message, GRADYN_INVALID,
                       "%s: compiled for the problem interface '%s', but this gradyn (%s) has "
                       "'%s'. Compile it again: %s",
                       path, abi ? abi : "(none)", gradyn_version(), GRADYN_PLUGIN_ABI, command);
  const gradyn_problem *problem = ask_problem();
  if (problem && gradyn_problem_check_layout(problem, &why) != GRADYN_OK)
    return gradyn_fail(&registry->message, GRADYN_INVALID, "%s: %s The command is: %s", path,
                       why.text, command);
  return GRADYN_OK;
}

/* Checks the members that are needed to read a problem; the evaluator checks the rest. */
static gradyn_status inspect(gradyn_registry *registry, const char *path,
                             const gradyn_problem *problem)
{
  gradyn_message *message = &registry->message;
  /* data of a shared object are not trusted */
  if (!problem)
    return gradyn_fail(message, GRADYN_INVALID,
                       "%s: gradyn_plugin_problem() returns NULL instead of a problem", path);
  if (!problem->name || !*problem->name)
    return gradyn_fail(message, GRADYN_INVALID, "%s: the problem has no name", path);
  if (!problem->build)
    return gradyn_fail(message, GRADYN_INVALID,
                       "%s: problem '%s' has no build function; give .build in GRADYN_PROBLEM",
                       path, problem->name);
  /* a list of positive length must not be NULL */
  if (problem->param_count > 0 && !problem->params)
    return gradyn_fail(message, GRADYN_INVALID,
                       "%s: problem '%s' has %zu parameters, but .params is NULL; set .params in "
                       "GRADYN_PROBLEM",
                       path, problem->name, problem->param_count);
  if (problem->setting_count > 0 && !problem->settings)
    return gradyn_fail(message, GRADYN_INVALID,
                       "%s: problem '%s' has %zu settings, but .settings is NULL; set .settings in "
                       "GRADYN_PROBLEM",
                       path, problem->name, problem->setting_count);
  return GRADYN_OK;
}

/* Gets the problem from an open shared object. */
static gradyn_status ask(gradyn_registry *registry, const char *path, void *handle,
                         const gradyn_problem **problem)
{
  void *problem_symbol = dlsym(handle, "gradyn_plugin_problem");
  void *abi_symbol = dlsym(handle, "gradyn_plugin_abi");
  if (!problem_symbol || !abi_symbol)
    return gradyn_fail(&registry->message, GRADYN_INVALID,
                       "%s: the shared object contains no problem; define one with GRADYN_PROBLEM "
                       "and compile without GRADYN_BUILTIN",
                       path);

  /* ISO C has no cast from an object pointer to a function pointer; POSIX guarantees equal representation */
  problem_fn ask_problem;
  abi_fn ask_abi;
  memcpy(&ask_problem, &problem_symbol, sizeof ask_problem);
  memcpy(&ask_abi, &abi_symbol, sizeof ask_abi);

  /* checked first: a problem compiled with other headers has another layout */
  GRADYN_TRY(check_layout(registry, path, ask_abi(), ask_problem));
  *problem = ask_problem();
  return inspect(registry, path, *problem);
}

/* Checks the file, then runs the caller's trial. */
static gradyn_status look(gradyn_registry *registry, const char *path)
{
  char reason[256] = "";
  GRADYN_TRY(gradyn_shared_object_check(path, &registry->message));
  if (!registry->vet || registry->vet(path, reason, sizeof reason, registry->vet_user))
    return GRADYN_OK;
  return gradyn_fail(&registry->message, GRADYN_INVALID, "'%s' cannot be loaded: %s", path, reason);
}

/* Makes the library's symbols visible to shared objects loaded later. They are not visible if the library
 * was loaded for one caller only, as interpreters of other languages do. All libraries loaded by this
 * library become visible as well, including LAPACK. */
static void show_symbols(void)
{
  gradyn_status (*const known)(const gradyn_registry_spec *,
                               gradyn_registry **) = gradyn_registry_create;
  void *address = NULL;
  memcpy(&address, &known, sizeof address);
  /* only if it is loaded already; a program that contains the library exports the symbols itself */
  const char *file = gradyn_loaded_from(address);
  void *handle = file ? dlopen(file, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL) : NULL;
  /* symbols stay visible without the handle */
  if (handle)
    (void)dlclose(handle);
}

/* Opens a shared object. An object that lists this library among its dependencies finds the library in any
 * case. Only for other objects, symbols are made global. Objects loaded later are then bound to LAPACK of
 * this library instead of their own. */
static void *open_object(const char *path)
{
  /* RTLD_NOW reports missing symbols here; RTLD_LOCAL hides the object's symbols from others */
  errno = 0;
  void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (handle || errno == ENOMEM)
    return handle;
  show_symbols();
  errno = 0;
  return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

/* Loads a shared object by its path. */
static gradyn_status load(gradyn_registry *registry, const char *path,
                          const gradyn_problem **problem)
{
  /* an object is loaded once: a second handle would give the same problem */
  *problem = find_path(registry, path);
  if (*problem)
    return GRADYN_OK;
  GRADYN_TRY(look(registry, path));

  void *handle = open_object(path);
  /* the loader's message does not show that memory is exhausted */
  if (!handle && errno == ENOMEM)
    return gradyn_fail(&registry->message, GRADYN_NO_MEMORY, "out of memory to load '%s'", path);
  if (!handle) {
    const char *reason = dlerror();
    return gradyn_fail(&registry->message, GRADYN_INVALID, "'%s' cannot be loaded: %s", path,
                       reason ? reason : "no reason given");
  }
  gradyn_status status = ask(registry, path, handle, problem);
  if (status == GRADYN_OK)
    status = add(registry, *problem, handle, path);
  if (status != GRADYN_OK) {
    dlclose(handle);
    *problem = NULL;
  }
  return status;
}

/* Loads one file of a folder in the search path. A fault is recorded in notes and does not stop the
 * search. */
static gradyn_status load_found(gradyn_registry *registry, const char *folder, const char *file,
                                gradyn_message *notes)
{
  size_t size = strlen(folder) + strlen(file) + 2;
  char *path = malloc(size);
  if (!path)
    return gradyn_fail(&registry->message, GRADYN_NO_MEMORY, "out of memory");
  (void)snprintf(path, size, "%s/%s", folder, file); /* path of a file in the folder */

  const gradyn_problem *problem = NULL;
  size_t before = registry->count;
  gradyn_status status = load(registry, path, &problem);
  if (status != GRADYN_OK) {
    gradyn_message_add(notes, "%s", registry->message.text);
    /* the name is searched without the new problem */
  } else if (registry->count > before) {
    /* a problem hidden by an earlier one of the same name must be reported */
    registry->count--;
    bool taken = find_name(registry, problem->name) != NULL;
    registry->count++;
    if (taken)
      gradyn_message_add(notes, "%s: problem '%s' is hidden by an earlier one of that name", path,
                         problem->name);
  }
  free(path);
  return status == GRADYN_NO_MEMORY ? status : GRADYN_OK;
}

/* Selects shared objects in scandir(). */
static int is_shared_object(const struct dirent *file)
{
  return gradyn_shared_object_named(file->d_name);
}

/* Loads all shared objects of one folder of the search path. */
static gradyn_status scan(gradyn_registry *registry, const char *folder, gradyn_message *notes)
{
  /* sorted by name, so the problem that hides another is the same on every system */
  struct dirent **file = NULL;
  int found = scandir(folder, &file, is_shared_object, alphasort);
  if (found < 0 && errno == ENOMEM)
    return gradyn_fail(&registry->message, GRADYN_NO_MEMORY, "out of memory for the folder '%s'",
                       folder);
  if (found < 0) {
    gradyn_message_add(notes, "folder '%s' of the search path cannot be read: %s", folder,
                       strerror(errno));
    return GRADYN_OK;
  }
  gradyn_status status = GRADYN_OK;
  for (int i = 0; i < found; i++) {
    /* after a failure the remaining entries must still be freed */
    if (status == GRADYN_OK)
      status = load_found(registry, folder, file[i]->d_name, notes);
    free(file[i]);
  }
  free(file);
  return status;
}

/* Loads the problems of all folders, in the order of the folders. */
static gradyn_status scan_all(gradyn_registry *registry, const char *search_path)
{
  gradyn_message notes = {.text = ""};
  FREED char *copy = strdup(search_path);
  if (!copy)
    return gradyn_fail(&registry->message, GRADYN_NO_MEMORY, "out of memory");

  /* folders are separated by colons; empty ones are skipped */
  for (char *rest = copy; rest;) {
    char *folder = rest;
    rest = strchr(folder, ':');
    if (rest)
      *rest++ = '\0';
    if (*folder)
      GRADYN_TRY(scan(registry, folder, &notes));
  }
  /* messages of single files are replaced by the notes of the whole scan */
  registry->message = notes;
  return GRADYN_OK;
}

/* Creates a registry. Built-in problems come first, then those of the folders in the order of the search
 * path. */
gradyn_status gradyn_registry_create(const gradyn_registry_spec *spec, gradyn_registry **out)
{
  if (!out)
    return GRADYN_INVALID;
  gradyn_registry *registry = calloc(1, sizeof *registry);
  *out = registry;
  if (!registry)
    return GRADYN_NO_MEMORY;
  const gradyn_registry_spec given = spec ? *spec : (gradyn_registry_spec){0};
  registry->vet = given.vet;
  registry->vet_user = given.user;

  gradyn_status status = GRADYN_OK;
  /* built-in problems first: they cannot be hidden */
  for (size_t i = 0; i < gradyn_builtin_count() && status == GRADYN_OK; i++)
    status = add(registry, gradyn_builtin_at(i), NULL, NULL);
  if (status == GRADYN_OK && given.search_path)
    status = scan_all(registry, given.search_path);
  if (status != GRADYN_OK) {
    gradyn_registry_free(registry);
    *out = NULL;
  }
  return status;
}

void gradyn_registry_free(gradyn_registry *registry)
{
  if (!registry)
    return;
  for (size_t i = 0; i < registry->count; i++) {
    if (registry->entry[i].handle)
      dlclose(registry->entry[i].handle);
    free(registry->entry[i].path);
  }
  free(registry->entry);
  free(registry);
}

/* Loads a path, or a file of the current folder. */
static gradyn_status find_file(gradyn_registry *registry, const char *name,
                               const gradyn_problem **problem)
{
  /* a path is used unchanged */
  if (strchr(name, '/'))
    return load(registry, name, problem);

  /* without a slash the dynamic linker would search the system's folders */
  size_t size = strlen(name) + 3;
  char *path = malloc(size);
  if (!path)
    return gradyn_fail(&registry->message, GRADYN_NO_MEMORY, "out of memory");
  (void)snprintf(path, size, "./%s", name);
  gradyn_status status = load(registry, path, problem);
  free(path);
  return status;
}

/* Reports that no problem has this name, and suggests the nearest one. */
static gradyn_status refuse(gradyn_registry *registry, const char *name)
{
  /* a typing error is more likely than an unknown problem */
  gradyn_nearest nearest = {.requested = name};
  for (size_t i = 0; i < registry->count; i++)
    gradyn_nearest_try(&nearest, registry->entry[i].problem->name);

  char shown[NAME_SIZE] = "";
  for (size_t i = 0; nearest.best && i < registry->count; i++)
    if (registry->entry[i].problem->name == nearest.best)
      gradyn_problem_display_name(registry->entry[i].problem, shown, sizeof shown);
  return gradyn_fail(&registry->message, GRADYN_NOT_FOUND,
                     "no problem is called '%s'%s%s%s; 'gradyn list' shows all, and a shared "
                     "object is given by its path, for example ./%s.so",
                     name, *shown ? " (did you mean '" : "", shown, *shown ? "'?)" : "", name);
}

/* Explains how to make a shared object from a C file. */
static gradyn_status advise(gradyn_registry *registry, const char *file)
{
  const int stem = (int)strlen(file) - 2;
  return gradyn_fail(&registry->message, GRADYN_INVALID,
                     "'%s' is a C file: compile it, 'cc -O2 -shared -fPIC $(pkg-config --cflags "
                     "gradyn) %s -o %.*s.so', and give %s%.*s.so",
                     file, file, stem, file, strchr(file, '/') ? "" : "./", stem, file);
}

gradyn_status gradyn_registry_find(gradyn_registry *registry, const char *name,
                                   const gradyn_problem **problem)
{
  if (problem)
    *problem = NULL;
  if (!registry || !name || !problem)
    return GRADYN_INVALID;
  gradyn_message_clear(&registry->message);
  const size_t length = strlen(name);
  if (length > 2 && strcmp(name + length - 2, ".c") == 0)
    return advise(registry, name);
  /* a path, or the name of a shared object */
  if (strchr(name, '/') || gradyn_shared_object_named(name))
    return find_file(registry, name, problem);
  *problem = find_name(registry, name);
  return *problem ? GRADYN_OK : refuse(registry, name);
}

const gradyn_problem *gradyn_registry_at(const gradyn_registry *registry, size_t i)
{
  return registry && i < registry->count ? registry->entry[i].problem : NULL;
}

const char *gradyn_problem_display_name(const gradyn_problem *problem, char *buffer, size_t size)
{
  size_t i = 0;
  size = buffer ? size : 0;
  /* - is easier to type */
  for (; problem && problem->name && size && i + 1 < size && problem->name[i]; i++)
    buffer[i] = problem->name[i] == '_' ? '-' : problem->name[i];
  if (size)
    buffer[i] = '\0';
  return buffer;
}

const char *gradyn_registry_message(const gradyn_registry *registry)
{
  return registry ? registry->message.text : "";
}
