/* The folder of a study, in which a run leaves its files. They appear whole or not at all, but for
 * history.csv, which grows line by line. */
#ifndef GRADYN_OPTIM_FOLDER_H
#define GRADYN_OPTIM_FOLDER_H

#include <jansson.h>
#include <stdio.h>

#include <gradyn/optimise.h>

#include "core/files/file.h"

typedef struct gradyn_folder {
  char *path;                       /* owned */
  const gradyn_file_keeper *keeper; /* of open files, borrowed; may be NULL */
  FILE *history;                    /* NULL until begun */
  char message[512];                /* the reason of the last failure */
} gradyn_folder;

/* Opens a folder, made with its parents if missing, and makes sure that files can be written there.
 * GRADYN_INVALID: it holds a study and replace is false; GRADYN_IO, GRADYN_NO_MEMORY. Close in any case. */
gradyn_status gradyn_folder_open(gradyn_folder *folder, const char *path, bool replace,
                                 const gradyn_file_keeper *keeper);

/* Makes a new folder: path, or the first of path-2, path-3, ... that does not exist. */
gradyn_status gradyn_folder_open_new(gradyn_folder *folder, const char *path,
                                     const gradyn_file_keeper *keeper);

void gradyn_folder_close(gradyn_folder *folder);

/* Makes a folder within, if it is missing, and puts its path, owned by the caller, into *path. */
gradyn_status gradyn_folder_within(gradyn_folder *folder, const char *name, char **path);

/* Removes the journals in the folder at path, unless a process is at work on one. */
gradyn_status gradyn_folder_remove_journals(gradyn_folder *folder, const char *path);

/* Removes results of an earlier study, so that nobody takes them for those of this one; its settings and
 * its guess stay if it goes on (resumed), until new ones take their place: without them it could not be
 * resumed. */
gradyn_status gradyn_folder_discard(gradyn_folder *folder, bool resumed);

/* Puts results of a study that has ended aside, into the folder "earlier" within, where those of a run that
 * was killed stay, too; takes them back in the place of newer ones; or removes them. */
gradyn_status gradyn_folder_put_aside(gradyn_folder *folder);
gradyn_status gradyn_folder_take_back(gradyn_folder *folder);
gradyn_status gradyn_folder_forget_aside(gradyn_folder *folder);

/* Begins any file, and ends it as gradyn_file_end() does. */
gradyn_status gradyn_folder_begin(gradyn_folder *folder, gradyn_file *file, const char *name);
gradyn_status gradyn_folder_end(gradyn_folder *folder, gradyn_file *file, gradyn_status status);

/* Writes an object, which is released; NULL: there was no memory for it. */
gradyn_status gradyn_folder_json(gradyn_folder *folder, const char *name, json_t *root);

/* Headings of all parameters, or of all functionals, in a table, each behind a comma. */
void gradyn_heading_parameters(FILE *file, const gradyn_evaluator *evaluator);
void gradyn_heading_functionals(FILE *file, const gradyn_evaluator *evaluator);

/* history.csv: headings, then one row an evaluation, flushed at once. GRADYN_IO: a row could not be
 * written; from then on there are none, and no further failures. */
gradyn_status gradyn_folder_begin_history(gradyn_folder *folder, const gradyn_evaluator *evaluator);
gradyn_status gradyn_folder_add_history(gradyn_folder *folder, const gradyn_evaluator *evaluator,
                                        const gradyn_iteration *iteration);
gradyn_status gradyn_folder_end_history(gradyn_folder *folder);

#endif
