/* Study folders, with the same files as those of the command, and the report that shows them on one page.
 *
 *   gradyn_study_folder *folder;
 *   gradyn_report *report;
 *   const char *shown[] = {"study"};
 *
 *   gradyn_study_folder_open("study", false, &folder);
 *   gradyn_evaluator_simulate(evaluator, rho, psi, trajectory);
 *   gradyn_study_folder_write_simulation(folder, evaluator, rho, psi, trajectory);
 *   gradyn_study_folder_close(folder);
 *   gradyn_report_create(shown, 1, NULL, &report);
 *   gradyn_report_write(report, "study/report.html");
 *   gradyn_report_free(report);
 *
 * A file appears completely or not at all, except history.csv, which grows by a line for each evaluation.
 * The user guide (docs/user-guide.md) describes the contents of all files. */
#ifndef GRADYN_REPORT_H
#define GRADYN_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <gradyn/optimise.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- Study folders ------------------------------------------------------------------------------ */

/* An open study folder. Opaque. Two threads must not use it at the same time. */
typedef struct gradyn_study_folder gradyn_study_folder;

/* Opens a folder for a study; it and its parents are created if they are missing. With `replace` it removes
 * the files of an earlier study in it, except its journals (gradyn_journal_remove()). On failure *out is
 * still an object that has the message; it is NULL only if memory is exhausted. Release it with
 * gradyn_study_folder_close() in any case. Errors: GRADYN_INVALID: an argument is NULL, or the folder has a
 * study and `replace` is false. GRADYN_IO: the folder cannot be created or written to. GRADYN_NO_MEMORY. */
GRADYN_API gradyn_status gradyn_study_folder_open(const char *path, bool replace,
                                                  gradyn_study_folder **out);

/* Closes a study folder, with history.csv if it is open, and releases the object; NULL is ignored. */
GRADYN_API void gradyn_study_folder_close(gradyn_study_folder *folder);

/* Returns the message of the last failure of a study folder. Never NULL. The text lives until the next call
 * with the folder. */
GRADYN_API const char *gradyn_study_folder_message(const gradyn_study_folder *folder);

/* Writes a simulation: result.json with rho [parameters] and psi [functionals], and the files of its motion
 * without a suffix, see gradyn_study_folder_write_motion(). The trajectory must be of the last run of the
 * evaluator, at rho. Errors: GRADYN_INVALID: an argument is NULL. GRADYN_IO: a file cannot be written.
 * GRADYN_NO_MEMORY. */
GRADYN_API gradyn_status gradyn_study_folder_write_simulation(gradyn_study_folder *folder,
                                                              gradyn_evaluator *evaluator,
                                                              const double rho[],
                                                              const double psi[],
                                                              const gradyn_trajectory *trajectory);

/* A motion of a search. */
typedef enum gradyn_study_motion {
  GRADYN_STUDY_INITIAL, /* at the start; suffix _initial */
  GRADYN_STUDY_FINAL    /* at the result; suffix _final */
} gradyn_study_motion;

/* Writes the motion before or after a search, at rho [parameters], with a suffix of gradyn_study_motion.
 * The files are trajectory.csv, events.csv if there were events, model.json for drawings, and of mechanisms
 * invariants.csv. The trajectory must be of the last run of the evaluator, at rho. With GRADYN_STUDY_FINAL
 * a gradient by all data is computed, so that the page can rank the data. Errors: GRADYN_INVALID: an
 * argument is NULL. GRADYN_IO: a file cannot be written. GRADYN_NO_MEMORY. */
GRADYN_API gradyn_status gradyn_study_folder_write_motion(
    gradyn_study_folder *folder, gradyn_evaluator *evaluator, const gradyn_search *search,
    const double rho[], const gradyn_trajectory *trajectory, gradyn_study_motion which);

/* Writes settings.json and begins history.csv, before a search from rho0 [parameters]. Afterwards the
 * evaluator has the data at rho0. Errors: GRADYN_INVALID: an argument is NULL. GRADYN_IO: a file cannot be
 * written. GRADYN_NO_MEMORY. */
GRADYN_API gradyn_status gradyn_study_folder_begin(gradyn_study_folder *folder,
                                                   gradyn_evaluator *evaluator,
                                                   const gradyn_search *search,
                                                   const double rho0[]);

/* Appends an evaluation to history.csv. Call it from the callback of the search. After a failed write,
 * later calls write no lines and return GRADYN_OK. Errors: GRADYN_INVALID: an argument is NULL. GRADYN_IO:
 * the line cannot be written. */
GRADYN_API gradyn_status gradyn_study_folder_write_iteration(gradyn_study_folder *folder,
                                                             const gradyn_evaluator *evaluator,
                                                             const gradyn_iteration *iteration);

/* Closes history.csv and writes result.json, after a search from rho0 [parameters] that returned `status`.
 * The evaluator is that of the search, also if the result has a refined one; write the final motion with
 * the refined one. Errors: GRADYN_INVALID: an argument is NULL. GRADYN_IO: a file cannot be written.
 * GRADYN_NO_MEMORY. */
GRADYN_API gradyn_status gradyn_study_folder_end(gradyn_study_folder *folder,
                                                 gradyn_evaluator *evaluator,
                                                 const gradyn_search *search, const double rho0[],
                                                 const gradyn_search_result *result,
                                                 gradyn_status status);

/* --- The page ----------------------------------------------------------------------------------- */

/* A report of one or several study folders. Opaque. Two threads must not use it at the same time. */
typedef struct gradyn_report gradyn_report;

/* Reads the contents of folder [count], study folders of the library or the command. The text `running`
 * states the progress of unfinished work, and the page then reloads every few seconds. NULL: the work has
 * ended. The page marks damaged contents. On failure *out is still an object that has the message; it is
 * NULL only if memory is exhausted. Release it with gradyn_report_free() in any case. Errors:
 * GRADYN_NOT_FOUND: a folder is missing or has no study. GRADYN_IO: a file cannot be read; the report can
 * still be written, with a note instead of it. GRADYN_INVALID: an argument is NULL or count is 0.
 * GRADYN_NO_MEMORY. */
GRADYN_API gradyn_status gradyn_report_create(const char *const folder[], size_t count,
                                              const char *running, gradyn_report **out);

/* Releases a report; NULL is ignored. */
GRADYN_API void gradyn_report_free(gradyn_report *report);

/* Returns the message of the last failure of a report. Never NULL. The text lives until the next call with
 * the report. */
GRADYN_API const char *gradyn_report_message(const gradyn_report *report);

/* Writes a report to a stream, as one HTML page without external files. Errors: GRADYN_INVALID: an argument
 * is NULL, or the report has no contents. GRADYN_IO: the stream has failed. GRADYN_NO_MEMORY. */
GRADYN_API gradyn_status gradyn_report_print(gradyn_report *report, FILE *file);

/* Writes a report to a file, as one HTML page without external files; it appears completely or not at all.
 * Errors: GRADYN_INVALID: an argument is NULL, or the report has no contents. GRADYN_IO: the file cannot be
 * written. GRADYN_NO_MEMORY. */
GRADYN_API gradyn_status gradyn_report_write(gradyn_report *report, const char *path);

#ifdef __cplusplus
}
#endif

#endif
