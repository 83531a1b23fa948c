/* Options of a run in the files of studies. The table in options.c has each of them once. */
#ifndef GRADYN_OPTIM_OPTIONS_H
#define GRADYN_OPTIM_OPTIONS_H

#include <jansson.h>

#include <gradyn/evaluate.h>

/* Returns all options that can affect the bits of a result, as a new object for the identity of a journal.
 * NULL: out of memory. */
json_t *gradyn_options_identity(const gradyn_options *evaluation);

/* Adds the options that affect the result to the object *root: all switches, and other options unless they
 * are off. *root becomes NULL if memory is out. */
void gradyn_options_report(json_t **root, const gradyn_options *evaluation);

/* Sets the options that the object root, of gradyn_options_report(), has; others, and members of another
 * type, do not change. root owns the texts, and must outlive the options. */
void gradyn_options_recall(const json_t *root, gradyn_options *evaluation);

#endif
