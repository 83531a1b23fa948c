/* Where problems are found: built in, in the folders of a search path, in a shared object.
 *
 * A shared object is looked at before it is loaded (shared_object.h) and, by whoever wants that,
 * tried in another process; loaded objects stay loaded as long as the registry. A problem of the
 * same name that comes later is noted, not taken. */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/problems/builtin.h"
#include "core/base/message.h"
#include "core/base/nearest.h"
#include "core/base/loaded.h"
#include "core/base/shared_object.h"

#define NAME_SIZE 128 /* of a problem's name in messages */

typedef struct entry {
  const gradyn_problem *problem; /* borrowed from the program or from the shared object */
  void *handle;                  /* of the shared object; NULL: built in */
  char *path;                    /* of the shared object, owned; NULL: built in */
} entry;

struct gradyn_registry {
  entry *entry; /* [count] */
  size_t count, capacity;
  gradyn_vet_fn vet; /* may be NULL */
  void *vet_user;
  gradyn_message message;
};

/* What a shared object has to define, see GRADYN_PROBLEM. */
typedef const gradyn_problem *(*problem_fn)(void);
typedef const char *(*abi_fn)(void);

/* One more problem; handle NULL: built in. */
static gradyn_status add(gradyn_registry *registry, const gradyn_problem *problem, void *handle,
                         const char *path)
{
  /* doubling */
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
  /* copied: callers may reuse their paths */
  return GRADYN_OK;
}

/* A problem by its name. */
static const gradyn_problem *find_name(const gradyn_registry *registry, const char *name)
{
  /* - and _ alike */
  for (size_t i = 0; i < registry->count; i++)
    if (gradyn_nearest_same(registry->entry[i].problem->name, name))
      return registry->entry[i].problem;
  return NULL;
}

/* One that has been loaded from there. */
static const gradyn_problem *find_path(const gradyn_registry *registry, const char *path)
{
  for (size_t i = 0; i < registry->count; i++)
    /* built-in problems come from no file */
    if (registry->entry[i].path && strcmp(registry->entry[i].path, path) == 0)
      return registry->entry[i].problem;
  return NULL;
}

/* What must hold before anything of a problem is looked at; the evaluator checks the rest. */
static gradyn_status inspect(gradyn_registry *registry, const char *path,
                             const gradyn_problem *problem)
{
  gradyn_message *message = &registry->message;
  /* what a shared object says of itself is not trusted */
  if (!problem)
    return gradyn_fail(message, GRADYN_INVALID,
                       "%s: gradyn_plugin_problem() returns NULL instead of a problem", path);
  if (!problem->name || !*problem->name)
    return gradyn_fail(message, GRADYN_INVALID, "%s: the problem has no name", path);
  if (!problem->build)
    return gradyn_fail(message, GRADYN_INVALID,
                       "%s: problem '%s' has no build function; give .build in GRADYN_PROBLEM",
                       path, problem->name);
  /* lists that are announced must be there */
  if (problem->param_count > 0 && !problem->params)
    return gradyn_fail(message, GRADYN_INVALID,
                       "%s: problem '%s' announces %zu parameters but has no list of them; give "
                       ".params in GRADYN_PROBLEM",
                       path, problem->name, problem->param_count);
  if (problem->setting_count > 0 && !problem->settings)
    return gradyn_fail(message, GRADYN_INVALID,
                       "%s: problem '%s' announces %zu settings but has no list of them; give "
                       ".settings in GRADYN_PROBLEM",
                       path, problem->name, problem->setting_count);
  return GRADYN_OK;
}

/* The problem inside an open shared object. */
static gradyn_status ask(gradyn_registry *registry, const char *path, void *handle,
                         const gradyn_problem **problem)
{
  void *problem_symbol = dlsym(handle, "gradyn_plugin_problem");
  void *abi_symbol = dlsym(handle, "gradyn_plugin_abi");
  if (!problem_symbol || !abi_symbol)
    return gradyn_fail(&registry->message, GRADYN_INVALID,
                       "%s: a shared object, but without a gradyn problem inside; define one with "
                       "GRADYN_PROBLEM and compile without GRADYN_BUILTIN",
                       path);

  /* ISO C has no cast from an object pointer to a function pointer; POSIX says the bits agree */
  problem_fn ask_problem;
  abi_fn ask_abi;
  memcpy(&ask_problem, &problem_symbol, sizeof ask_problem);
  memcpy(&ask_abi, &abi_symbol, sizeof ask_abi);

  /* asked first: a problem of other headers has another layout */
  const char *abi = ask_abi();
  if (!abi || strcmp(abi, GRADYN_PLUGIN_ABI) != 0)
    return gradyn_fail(&registry->message, GRADYN_INVALID,
                       "%s: compiled for the problem interface '%s', but this gradyn (%s) has "
                       "'%s'; compile it again with the headers of this gradyn",
                       path, abi ? abi : "(none)", gradyn_version(), GRADYN_PLUGIN_ABI);
  *problem = ask_problem();
  return inspect(registry, path, *problem);
}

/* At the file, and by the caller's trial. */
static gradyn_status look(gradyn_registry *registry, const char *path)
{
  char reason[256] = "";
  GRADYN_TRY(gradyn_shared_object_look(path, &registry->message));
  if (!registry->vet || registry->vet(path, reason, sizeof reason, registry->vet_user))
    return GRADYN_OK;
  return gradyn_fail(&registry->message, GRADYN_INVALID, "'%s' cannot be loaded: %s", path, reason);
}

/* Makes the library's symbols visible to shared objects that are loaded from here on. They are not where
 * the library was loaded for one caller alone, as interpreters of other languages do. All that the library
 * itself has loaded comes to be visible with it, LAPACK too. */
static void show_symbols(void)
{
  gradyn_status (*const known)(const char *, gradyn_registry **) = gradyn_registry_create;
  void *address = NULL;
  memcpy(&address, &known, sizeof address);
  /* only if it is loaded already; a program that contains it has no such file, and exports them itself */
  const char *file = gradyn_loaded_from(address);
  void *handle = file ? dlopen(file, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL) : NULL;
  /* what is visible stays so without the handle */
  if (handle)
    (void)dlclose(handle);
}

/* Opens a shared object. One that names this library among those it needs finds it wherever it is; only for
 * others all that is loaded later has to see it, and be bound to LAPACK of ours in place of its own. */
static void *open_object(const char *path)
{
  /* all symbols now, so that missing ones are found here; none for other objects */
  errno = 0;
  void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (handle || errno == ENOMEM)
    return handle;
  show_symbols();
  errno = 0;
  return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

/* A shared object by its path. */
static gradyn_status load(gradyn_registry *registry, const char *path,
                          const gradyn_problem **problem)
{
  /* an object is loaded once: a second handle would have the same problem */
  *problem = find_path(registry, path);
  if (*problem)
    return GRADYN_OK;
  GRADYN_TRY(look(registry, path));

  void *handle = open_object(path);
  /* the loader's words for want of memory do not say so */
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

/* Loads one file of a search folder; what is wrong with it is noted and does not stop the rest. */
static gradyn_status load_found(gradyn_registry *registry, const char *folder, const char *file,
                                gradyn_message *notes)
{
  size_t size = strlen(folder) + strlen(file) + 2;
  char *path = malloc(size);
  if (!path)
    return gradyn_fail(&registry->message, GRADYN_NO_MEMORY, "out of memory");
  (void)snprintf(path, size, "%s/%s", folder, file); /* a folder's entry, where a slash is given */

  const gradyn_problem *problem = NULL;
  size_t before = registry->count;
  gradyn_status status = load(registry, path, &problem);
  if (status != GRADYN_OK) {
    gradyn_message_add(notes, "%s", registry->message.text);
    /* counted without the new one */
  } else if (registry->count > before) {
    /* the first problem of a name is the one that is found: say so, as nothing else would */
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

/* For scandir(). */
static int is_shared_object(const struct dirent *file)
{
  return gradyn_shared_object_named(file->d_name);
}

/* One folder of the search path. */
static gradyn_status scan(gradyn_registry *registry, const char *folder, gradyn_message *notes)
{
  struct dirent **file = NULL; /* in the order of names: what hides what is the same everywhere */
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
    /* what is left is released also after a failure */
    if (status == GRADYN_OK)
      status = load_found(registry, folder, file[i]->d_name, notes);
    free(file[i]);
  }
  free(file);
  return status;
}

/* All of them, in their order. */
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
  /* notes of the scan outlive the messages of single files */
  registry->message = notes;
  return GRADYN_OK;
}

gradyn_status gradyn_registry_create(const char *search_path, gradyn_registry **out)
{
  return gradyn_registry_create_vetted(search_path, NULL, NULL, out);
}

/* Built-in problems, then those of the folders of the search path, in its order. */
gradyn_status gradyn_registry_create_vetted(const char *search_path, gradyn_vet_fn vet, void *user,
                                            gradyn_registry **out)
{
  if (!out)
    return GRADYN_INVALID;
  gradyn_registry *registry = calloc(1, sizeof *registry);
  *out = registry;
  if (!registry)
    return GRADYN_NO_MEMORY;
  registry->vet = vet;
  registry->vet_user = user;

  gradyn_status status = GRADYN_OK;
  /* built-in problems first: they cannot be hidden */
  for (size_t i = 0; i < gradyn_builtin_count() && status == GRADYN_OK; i++)
    status = add(registry, gradyn_builtin_at(i), NULL, NULL);
  if (status == GRADYN_OK && search_path)
    status = scan_all(registry, search_path);
  if (status != GRADYN_OK) {
    gradyn_registry_free(registry);
    *out = NULL;
  }
  return status;
}

/* Handles are closed last: names and functions of the problems lie in the objects. */
void gradyn_registry_free(gradyn_registry *registry)
{
  if (!registry)
    return;
  for (size_t i = 0; i < registry->count; i++) {
    if (registry->entry[i].handle)
      dlclose(registry->entry[i].handle);
    /* last, as the names of its problems lie within */
    free(registry->entry[i].path);
  }
  free(registry->entry);
  free(registry);
}

/* A path, or a file of this folder. */
static gradyn_status find_file(gradyn_registry *registry, const char *name,
                               const gradyn_problem **problem)
{
  /* a path as it is */
  if (strchr(name, '/'))
    return load(registry, name, problem);

  /* without a slash the dynamic linker would look in the system's folders, not in this one */
  size_t size = strlen(name) + 3;
  char *path = malloc(size);
  if (!path)
    return gradyn_fail(&registry->message, GRADYN_NO_MEMORY, "out of memory");
  (void)snprintf(path, size, "./%s", name);
  gradyn_status status = load(registry, path, problem);
  free(path);
  return status;
}

/* With the nearest name. */
static gradyn_status refuse(gradyn_registry *registry, const char *name)
{
  /* a slip of the pen is likelier than an unknown problem */
  gradyn_nearest nearest = {.wanted = name};
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

/* How to make a shared object of a C file. */
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
  /* a path, or what looks like a file */
  if (strchr(name, '/') || gradyn_shared_object_named(name))
    return find_file(registry, name, problem);
  *problem = find_name(registry, name);
  return *problem ? GRADYN_OK : refuse(registry, name);
}

size_t gradyn_registry_count(const gradyn_registry *registry)
{
  return registry ? registry->count : 0;
}

const gradyn_problem *gradyn_registry_at(const gradyn_registry *registry, size_t i)
{
  return i < gradyn_registry_count(registry) ? registry->entry[i].problem : NULL;
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
