/* The folder of a study, with the files of a run. They appear complete or not at all, except for
 * history.csv, which grows line by line. */
#ifndef GRADYN_OPTIM_FOLDER_H
#define GRADYN_OPTIM_FOLDER_H

#include <jansson.h>
#include <stdio.h>

#include <gradyn/optimise.h>

#include "core/files/file.h"

/* An open folder. The functions below return GRADYN_IO or GRADYN_NO_MEMORY, and other errors as stated, with
 * the reason in its message. */
typedef struct gradyn_folder {
  char *path;                       /* owned */
  const gradyn_file_keeper *keeper; /* keeper of open files, borrowed; may be NULL */
  FILE *history;                    /* NULL until it is begun */
  char message[512];                /* reason of the last failure */
} gradyn_folder;

/* Opens a folder, creates it and its parents if necessary, and checks that files can be written.
 * GRADYN_INVALID: it has a study, and replace is false; GRADYN_IO, GRADYN_NO_MEMORY. Close it in any
 * case. */
gradyn_status gradyn_folder_open(gradyn_folder *folder, const char *path, bool replace,
                                 const gradyn_file_keeper *keeper);

/* Creates a new folder: path, or the first of path-2, path-3, ... that does not exist. Its parents must
 * exist. Close it in any case. */
gradyn_status gradyn_folder_open_new(gradyn_folder *folder, const char *path,
                                     const gradyn_file_keeper *keeper);

/* Ends the history and releases the path; the message remains. */
void gradyn_folder_close(gradyn_folder *folder);

/* Creates a folder within, if it is missing. *path gets its path, which the caller owns, also after a failure
 * to create it. */
gradyn_status gradyn_folder_within(gradyn_folder *folder, const char *name, char **path);

/* Removes the journals in the folder at path. GRADYN_INVALID: a process uses one of them. */
gradyn_status gradyn_folder_remove_journals(gradyn_folder *folder, const char *path);

/* Removes results of an earlier study, which must not be taken for those of the present one. resumed: its
 * settings and its guess remain until new ones replace them, because a study cannot be resumed without
 * them. */
gradyn_status gradyn_folder_discard(gradyn_folder *folder, bool resumed);

/* put_aside: moves the results of a finished study to the folder "earlier" within; its settings and guess
 * remain in the study, too. If a killed run has left a result there, nothing is moved. take_back: moves
 * them back in place of newer ones. forget_aside: removes them. */
gradyn_status gradyn_folder_put_aside(gradyn_folder *folder);
gradyn_status gradyn_folder_take_back(gradyn_folder *folder);
gradyn_status gradyn_folder_forget_aside(gradyn_folder *folder);

/* Begin any file, and end it as gradyn_file_end() does. */
gradyn_status gradyn_folder_begin(gradyn_folder *folder, gradyn_file *file, const char *name);
gradyn_status gradyn_folder_end(gradyn_folder *folder, gradyn_file *file, gradyn_status status);

/* Writes an object, which is released. NULL: memory was out when it was made; GRADYN_NO_MEMORY. */
gradyn_status gradyn_folder_json(gradyn_folder *folder, const char *name, json_t *root);

/* Write the headings of all parameters, or of all functionals, each after a comma. */
void gradyn_heading_parameters(FILE *file, const gradyn_evaluator *evaluator);
void gradyn_heading_functionals(FILE *file, const gradyn_evaluator *evaluator);

/* Write history.csv: headings, then one row per evaluation, flushed at once. GRADYN_IO: a row could not
 * be written; later calls write nothing and report no failure. */
gradyn_status gradyn_folder_begin_history(gradyn_folder *folder, const gradyn_evaluator *evaluator);
gradyn_status gradyn_folder_add_history(gradyn_folder *folder, const gradyn_evaluator *evaluator,
                                        const gradyn_iteration *iteration);
gradyn_status gradyn_folder_end_history(gradyn_folder *folder);

#endif
