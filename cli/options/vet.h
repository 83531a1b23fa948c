/* Trial of shared objects in a separate process, before the command loads them. */
#ifndef GRADYN_CLI_VET_H
#define GRADYN_CLI_VET_H

#include <stdbool.h>
#include <stddef.h>

/* A gradyn_vet_fn: loads the shared object at path, and reads its problem, in a child process without output.
 * Returns false if the child crashes, exits or takes more than ten seconds; reason [size] states which. True
 * also if no child can be created. Failures that are a status are not reported, because they recur when the
 * command loads the object. After success, calls cli_vet_watch(). user is not used. */
bool cli_vet(const char *path, char *reason, size_t size, void *user);

/* From now on, a crash prints a message with the present activity `done`, for example "computed the problem",
 * and a name. It is that of the problem or file whose functions are the most likely cause. Both texts are
 * copied; a later call replaces them. The signal then ends the program. Existing handlers, as of sanitizers,
 * are kept, because they report more. */
void cli_vet_watch(const char *done, const char *name);

#endif
