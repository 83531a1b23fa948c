/* Study folders, in which a program leaves what it has computed as the command does, and the report of one
 * page that shows them:
 *
 *   gradyn_study_folder *folder;
 *   gradyn_report *report;
 *   const char *shown[] = {"study"};
 *   gradyn_study_folder_open("study", false, &folder);
 *   gradyn_simulate(evaluator, rho, psi, trajectory);
 *   gradyn_study_folder_simulation(folder, evaluator, rho, psi, trajectory);
 *   gradyn_study_folder_close(folder);
 *   gradyn_report_create(shown, 1, NULL, &report);
 *   gradyn_report_write(report, "study/report.html");
 *   gradyn_report_free(report);
 *
 * Files appear whole or not at all, but for history.csv, which grows by a line an evaluation. What they hold
 * is told in docs/user-guide.md. */
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

typedef struct gradyn_study_folder gradyn_study_folder;

/* Opens a folder, made with its parents if missing, and makes sure that files can be written there.
 * GRADYN_INVALID: it holds a study; with `replace` the files of that study are removed instead, but for its
 * journals (gradyn_journal_remove()). GRADYN_IO: it cannot be made or written to. On failure *out is still an
 * object whose message tells the reason, NULL only when out of memory. Close in any case. */
GRADYN_API gradyn_status gradyn_study_folder_open(const char *path, bool replace,
                                                  gradyn_study_folder **out);
GRADYN_API void gradyn_study_folder_close(gradyn_study_folder *folder);

/* The reason of the last failure. Never NULL. */
GRADYN_API const char *gradyn_study_folder_message(const gradyn_study_folder *folder);

/* Writes a simulation: result.json with the functionals psi [functionals], and its motion, as below without
 * a suffix. The trajectory is that of the evaluator's last run, which was at rho [parameters]. GRADYN_IO: a
 * file cannot be written; GRADYN_NO_MEMORY; GRADYN_INVALID: something is NULL. So it is for the next
 * functions. */
GRADYN_API gradyn_status gradyn_study_folder_simulation(gradyn_study_folder *folder,
                                                        gradyn_evaluator *evaluator,
                                                        const double rho[], const double psi[],
                                                        const gradyn_trajectory *trajectory);

/* Which motion of a search. */
typedef enum gradyn_study_motion { GRADYN_STUDY_INITIAL, GRADYN_STUDY_FINAL } gradyn_study_motion;

/* Writes the motion before or after a search, with suffix _initial or _final: trajectory.csv, events.csv if
 * there were any, model.json, which tells what is to be drawn, and of mechanisms invariants.csv. The final
 * one costs a gradient by all data, of which the page shows those that matter most. As above of the
 * trajectory. */
GRADYN_API gradyn_status gradyn_study_folder_motion(gradyn_study_folder *folder,
                                                    gradyn_evaluator *evaluator,
                                                    const gradyn_search *search, const double rho[],
                                                    const gradyn_trajectory *trajectory,
                                                    gradyn_study_motion which);

/* Before a search from rho0 [parameters]: writes settings.json and begins history.csv. */
GRADYN_API gradyn_status gradyn_study_folder_begin(gradyn_study_folder *folder,
                                                   gradyn_evaluator *evaluator,
                                                   const gradyn_search *search,
                                                   const double rho0[]);

/* From the search's watch: adds a row to history.csv. What cannot be written fails once; rows behind it are
 * left out without a word. */
GRADYN_API gradyn_status gradyn_study_folder_iteration(gradyn_study_folder *folder,
                                                       const gradyn_evaluator *evaluator,
                                                       const gradyn_iteration *iteration);

/* After the search, which has ended with `status`: ends history.csv and writes result.json. The evaluator is
 * that of the search, whether or not the result has one with more knots, which the final motion is of. */
GRADYN_API gradyn_status gradyn_study_folder_end(gradyn_study_folder *folder,
                                                 gradyn_evaluator *evaluator,
                                                 const gradyn_search *search, const double rho0[],
                                                 const gradyn_search_result *result,
                                                 gradyn_status status);

/* --- The page ----------------------------------------------------------------------------------- */

typedef struct gradyn_report gradyn_report;

/* Gathers what the folders [count] hold, written by the library or by the command. running: how far work
 * that goes on has come; the page then loads itself anew every few seconds; NULL: it is over.
 * GRADYN_NOT_FOUND: a folder does not exist or holds no study; GRADYN_IO: a file is there and cannot be
 * read: the page is made all the same, with a note in its place. What is damaged is noted on the page. On
 * failure *out is still an object whose message tells the reason, NULL only when out of memory. Free in any
 * case. */
GRADYN_API gradyn_status gradyn_report_create(const char *const folder[], size_t count,
                                              const char *running, gradyn_report **out);
GRADYN_API void gradyn_report_free(gradyn_report *report);

/* The reason of the last failure. Never NULL. */
GRADYN_API const char *gradyn_report_message(const gradyn_report *report);

/* Prints the page: one HTML file without anything from elsewhere. GRADYN_INVALID: there is nothing to show;
 * GRADYN_IO: it could not be written; GRADYN_NO_MEMORY. */
GRADYN_API gradyn_status gradyn_report_print(gradyn_report *report, FILE *file);

/* The same into a file, which appears whole or not at all. */
GRADYN_API gradyn_status gradyn_report_write(gradyn_report *report, const char *path);

#ifdef __cplusplus
}
#endif

#endif
