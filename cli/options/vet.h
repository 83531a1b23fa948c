/* Trial of shared objects in a separate process, before the command loads them. */
#ifndef GRADYN_CLI_VET_H
#define GRADYN_CLI_VET_H

#include <stdbool.h>
#include <stddef.h>

/* A gradyn_vet_fn: loads the shared object and reads its problem in a child process without output. false:
 * the child crashes, exits or takes more than ten seconds; reason [size] states which. Failures that are a
 * status are not reported here, because they recur when the command loads the object. */
bool cli_vet(const char *path, char *reason, size_t size, void *user);

/* From now on, a crash reports the activity, for example "computed the problem", with the problem or file,
 * whose functions are the most likely cause. The signal then ends the program as before. Existing handlers,
 * as of sanitizers, are kept, because they report more. */
void cli_vet_watch(const char *done, const char *name);

#endif
