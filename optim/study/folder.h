/* The folder of a study, with the files of a run. They appear complete or not at all, except for
 * history.csv, which grows line by line. */
#ifndef GRADYN_OPTIM_FOLDER_H
#define GRADYN_OPTIM_FOLDER_H

#include <jansson.h>
#include <stdio.h>

#include <gradyn/optimise.h>

#include "core/files/file.h"

/* An open folder. All functions with a gradyn_folder * below return the errors GRADYN_IO or GRADYN_NO_MEMORY,
 * and other errors as stated. The reason is then in the message of the folder, which stays usable. */
typedef struct gradyn_folder {
  char *path;                       /* owned; NULL: closed, or out of memory */
  const gradyn_file_keeper *keeper; /* keeper of open files, borrowed; NULL: none */
  FILE *history;                    /* open history.csv; NULL: not begun, ended, or failed */
  char message[512];                /* reason of the last failure */
} gradyn_folder;

/* Opens a folder, creates it and its parents if necessary, and checks that files can be written in it. path
 * is copied; keeper (NULL: none) must outlive the folder. Close the folder in any case. No file is removed
 * or replaced here. Errors: GRADYN_INVALID, it has a study or a file that a study would replace, and
 * `replace` is false; GRADYN_IO, GRADYN_NO_MEMORY. */
gradyn_status gradyn_folder_open(gradyn_folder *folder, const char *path, bool replace,
                                 const gradyn_file_keeper *keeper);

/* Creates a new folder: path, or the first of path-2, path-3, ... that does not exist; folder->path is its
 * name. Its parents must exist. path is copied; keeper (NULL: none) must outlive the folder. Close the
 * folder in any case. Errors: GRADYN_IO, GRADYN_NO_MEMORY. */
gradyn_status gradyn_folder_open_new(gradyn_folder *folder, const char *path,
                                     const gradyn_file_keeper *keeper);

/* Ends the history and releases the path; the message remains. Failures to end the history are not returned:
 * call gradyn_folder_end_history() before. Can be called twice, also after a failed opening. */
void gradyn_folder_close(gradyn_folder *folder);

/* Creates the folder `name` in the folder if it is missing; parents are created, too. *path gets its path,
 * which the caller releases by free(), also after a failure; NULL: out of memory. Errors: GRADYN_IO,
 * GRADYN_NO_MEMORY. */
gradyn_status gradyn_folder_within(gradyn_folder *folder, const char *name, char **path);

/* Removes the journals, files *.jsonl, in the folder at path, which need not be in `folder`. Errors:
 * GRADYN_INVALID, a process uses a journal; others may then be removed already; GRADYN_NOT_FOUND, there is
 * no folder at path; GRADYN_IO, GRADYN_NO_MEMORY. */
gradyn_status gradyn_folder_remove_journals(gradyn_folder *folder, const char *path);

/* Removes the result files of an earlier study, so that they are not taken for results of the present one.
 * Journals and other files stay. resumed: settings, guess and warm start stay until new ones replace them,
 * because a study cannot be resumed without them. Errors: GRADYN_IO, GRADYN_NO_MEMORY; results may then be
 * removed in part. */
gradyn_status gradyn_folder_discard(gradyn_folder *folder, bool resumed);

/* Moves the results of a finished study to the folder "earlier" within, which is created. Settings, guess
 * and warm start are in both folders then. If "earlier" has a result.json, left by a killed run, no file is
 * moved, and the function returns GRADYN_OK. Errors: GRADYN_IO, also if "earlier" is a link;
 * GRADYN_NO_MEMORY. */
gradyn_status gradyn_folder_put_aside(gradyn_folder *folder);

/* Moves the results in "earlier" back, in place of newer ones, and removes "earlier". Errors: GRADYN_IO,
 * also if there is no such folder; GRADYN_NO_MEMORY. */
gradyn_status gradyn_folder_take_back(gradyn_folder *folder);

/* Removes the folder "earlier" with its results. Errors: GRADYN_IO, also if there is no such folder, or
 * other files are in it; GRADYN_NO_MEMORY. */
gradyn_status gradyn_folder_forget_aside(gradyn_folder *folder);

/* Begins the file `name` of the folder: write to file->stream. The file gets its name when it is complete,
 * and replaces an existing one only then. After success, do not move *file, and call gradyn_folder_end()
 * once; not after an error. Errors: GRADYN_IO, GRADYN_NO_MEMORY. */
gradyn_status gradyn_folder_begin(gradyn_folder *folder, gradyn_file *file, const char *name);
/* Ends a file as gradyn_file_end() does: completes it if `status` is GRADYN_OK, otherwise removes it. Returns
 * `status`; for GRADYN_OK, GRADYN_IO if a write failed, and the file is then removed. */
gradyn_status gradyn_folder_end(gradyn_folder *folder, gradyn_file *file, gradyn_status status);

/* Writes the object root as file `name`, complete or not at all, and releases root, also after a failure.
 * root NULL: memory was out when it was made. Errors: GRADYN_IO; GRADYN_NO_MEMORY, also for root NULL. */
gradyn_status gradyn_folder_json(gradyn_folder *folder, const char *name, json_t *root);

/* Writes the headings "name [unit]" of all parameters, each after a comma, without a newline. Failed writes
 * are shown by ferror(file). */
void gradyn_heading_parameters(FILE *file, const gradyn_evaluator *evaluator);

/* Writes the headings "name [unit]" of all functionals, each after a comma, without a newline. Failed
 * writes are shown by ferror(file). */
void gradyn_heading_functionals(FILE *file, const gradyn_evaluator *evaluator);

/* Creates history.csv, in place of an existing one, with its headings. Errors: GRADYN_IO, GRADYN_NO_MEMORY;
 * the history is then not open. */
gradyn_status gradyn_folder_begin_history(gradyn_folder *folder, const gradyn_evaluator *evaluator);

/* Adds a row for an evaluation to history.csv, and flushes it. iteration->rho and psi: all parameters and
 * functionals of the evaluator. After a failed evaluation, the columns of its results are empty. Error:
 * GRADYN_IO. If the history is not open, or a row could not be written, later calls write no row and return
 * GRADYN_OK. */
gradyn_status gradyn_folder_add_history(gradyn_folder *folder, const gradyn_evaluator *evaluator,
                                        const gradyn_iteration *iteration);

/* Closes history.csv. Returns GRADYN_OK if it is not open; GRADYN_IO if a write has failed. */
gradyn_status gradyn_folder_end_history(gradyn_folder *folder);

#endif
