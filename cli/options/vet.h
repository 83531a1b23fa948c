/* Shared objects are tried in a process of their own before the command loads them. */
#ifndef GRADYN_CLI_VET_H
#define GRADYN_CLI_VET_H

#include <stdbool.h>
#include <stddef.h>

/* A gradyn_vet_fn: loads the shared object and reads what it says of its problem, in a child whose
 * output goes nowhere. False if that crashes, ends the child or takes longer than ten seconds; the
 * reason [size] says which. A failure that is a status shows again when the command loads it. */
bool cli_vet(const char *path, char *reason, size_t size, void *user);

/* From now on a crash says what was done, "computed the problem" say, with which problem or file, as its
 * functions are the first suspects; the signal then ends the program as before. Not where somebody has a
 * handler already, as sanitizers have, which tell more. */
void cli_vet_watch(const char *done, const char *name);

#endif
