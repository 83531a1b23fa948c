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

/* Opens a folder, creates it and its parents if necessary, and checks that files can be written in it.
 * keeper may be NULL. Close the folder in any case. Additional error: GRADYN_INVALID, it has a study or its
 * files, and `replace` is false. */
gradyn_status gradyn_folder_open(gradyn_folder *folder, const char *path, bool replace,
                                 const gradyn_file_keeper *keeper);

/* Creates a new folder: path, or the first of path-2, path-3, ... that does not exist. Its parents must
 * exist. Close the folder in any case. */
gradyn_status gradyn_folder_open_new(gradyn_folder *folder, const char *path,
                                     const gradyn_file_keeper *keeper);

/* Ends the history and releases the path; the message remains. */
void gradyn_folder_close(gradyn_folder *folder);

/* Creates the folder `name` in the folder if it is missing. *path gets its path, which the caller releases
 * by free(), also after a failure; NULL: out of memory. */
gradyn_status gradyn_folder_within(gradyn_folder *folder, const char *name, char **path);

/* Removes the files *.jsonl in the folder at path. Additional error: GRADYN_INVALID, a process uses one of
 * them. */
gradyn_status gradyn_folder_remove_journals(gradyn_folder *folder, const char *path);

/* Removes the results of an earlier study, so that they are not taken for those of the present one.
 * resumed: settings, guess and warm start stay until new ones replace them, because a study cannot be
 * resumed without them. */
gradyn_status gradyn_folder_discard(gradyn_folder *folder, bool resumed);

/* Moves the results of a finished study to the folder "earlier" within; settings, guess and warm start also
 * stay. If "earlier" has a result, left by a killed run, nothing is moved. */
gradyn_status gradyn_folder_put_aside(gradyn_folder *folder);
/* Moves the results in "earlier" back, in place of newer ones. */
gradyn_status gradyn_folder_take_back(gradyn_folder *folder);
/* Removes the folder "earlier" with its results. */
gradyn_status gradyn_folder_forget_aside(gradyn_folder *folder);

/* Begins the file `name` of the folder; it gets its name when it is complete. */
gradyn_status gradyn_folder_begin(gradyn_folder *folder, gradyn_file *file, const char *name);
/* Ends a file as gradyn_file_end() does: completes it if `status` is GRADYN_OK, otherwise removes it.
 * Returns the status. */
gradyn_status gradyn_folder_end(gradyn_folder *folder, gradyn_file *file, gradyn_status status);

/* Writes the object root as file `name`, and releases root. root NULL: memory was out when it was made, and
 * the status is GRADYN_NO_MEMORY. */
gradyn_status gradyn_folder_json(gradyn_folder *folder, const char *name, json_t *root);

/* Writes the headings "name [unit]" of all parameters, each after a comma. */
void gradyn_heading_parameters(FILE *file, const gradyn_evaluator *evaluator);
/* Writes the headings "name [unit]" of all functionals, each after a comma. */
void gradyn_heading_functionals(FILE *file, const gradyn_evaluator *evaluator);

/* Creates history.csv with its headings. */
gradyn_status gradyn_folder_begin_history(gradyn_folder *folder, const gradyn_evaluator *evaluator);
/* Adds a row for an evaluation to history.csv, and flushes it. After a row could not be written, later
 * calls write nothing and return GRADYN_OK. */
gradyn_status gradyn_folder_add_history(gradyn_folder *folder, const gradyn_evaluator *evaluator,
                                        const gradyn_iteration *iteration);
/* Closes history.csv. */
gradyn_status gradyn_folder_end_history(gradyn_folder *folder);

#endif
