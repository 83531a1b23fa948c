/* Studies: journals, workers, sweeps, multistart, Pareto fronts, study folders and reports. */
#ifndef GRADYN_STUDY_H
#define GRADYN_STUDY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <gradyn/optimise.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Studies: searches with journals, so that they can be resumed; sweeps, multistart and Pareto fronts.
 *
 * Specs, folders and workers are needed during the call only. Before evaluations are reused, one of them is
 * repeated; if its numbers differ in any bit, the call returns GRADYN_INVALID. On success, functions of this
 * part with a message [size] leave it as it was. */

/* The workers of a study that has many evaluations or searches. All zero: the calling thread. The result of
 * each task depends on that task only, so all choices give the same results. */
typedef struct gradyn_workers {
  /* Workers on this machine; 0, 1: the calling thread only. Workers are threads, each with its own evaluator.
   * Several threads then call functions of the problem and `cancel` of the options at the same time. */
  size_t jobs;
  /* true: workers are processes, made by fork(); one that dies in a function of the problem costs one task.
   * GRADYN_UNSUPPORTED in a program with other threads. Without effect if jobs is 0 or 1 */
  bool processes;
  /* number of the part that this call does, 0 to shards - 1: tasks shard, shard + shards, ... */
  size_t shard;
  /* number of parts of the tasks; 0: this call does all tasks; not used with `next` */
  size_t shards;
  /* Called between evaluations in each process; with threads, by the calling thread. Returns false to end
   * the work early, with GRADYN_INTERRUPTED. NULL: never. */
  bool (*go_on)(void *user);
  /* Called by the calling thread from time to time with the number of tasks done, of all tasks. NULL: not
   * called. */
  void (*progress)(size_t done, size_t tasks, void *user);
  void *user; /* passed to go_on and progress; may be NULL */
  /* begin, next, end and self distribute tasks over machines that share folders. Each machine calls the
   * same function with one thread, in one stage or several; `jobs` is not used. Set all three functions, or
   * none: NULL means one machine. The function `begin` waits for all machines at a stage and restarts the
   * numbers of tasks at 0. If a machine does not arrive, it returns false, and the work ends with
   * GRADYN_INTERRUPTED. */
  bool (*begin)(void *self);
  /* Returns the number of the next task, from 0, each number once. A number beyond the tasks ends the
   * stage. NULL: one machine. */
  size_t (*next)(void *self);
  void (*end)(void *self); /* waits for all machines at the end of the stage; NULL: one machine */
  void *self;              /* passed to these three functions; may be NULL */
  size_t rank;             /* number of this process, from 0; unique among the machines */
  /* true: a multistart search runs tasks, but leaves its result empty on this machine; default false */
  bool helps;
} gradyn_workers;

/* Reads the settings of a study from its settings.json, so that a search resumes with them even if defaults
 * have changed. Sets method, coordinates, step, rtol and atol of *options, and algorithms, ftol, xtol and
 * optimality of *search; either may be NULL. Fill both with defaults before the call, and set your own values
 * after it. Values that the file lacks stay as they are, but a missing step becomes 0 and missing coordinates
 * "natural". The texts are static. Writes the reason of a failure to message [size], which must not be NULL.
 *
 * Errors: GRADYN_NOT_FOUND: there is no such file. GRADYN_INVALID: the folder is NULL, or a struct_size is
 * wrong. Also: the file is damaged or of a newer format, or names a method or algorithm that this version
 * lacks. GRADYN_IO: the file cannot be read. GRADYN_NO_MEMORY. */
GRADYN_API gradyn_status gradyn_study_read_settings(const char *folder, gradyn_options *options,
                                                    gradyn_search *search, char message[],
                                                    size_t size);

/* Finds the best point in the journal search->journal, for a search that cannot be resumed. A feasible point
 * with the smallest objective is best; without one, the point with the smallest violation. Fills rho
 * [parameters], each in its unit; on failure rho stays as it was. Ignores evaluations after a damaged line,
 * and removes an incomplete last line. Writes the reason of a failure to message [size]; NULL is allowed.
 *
 * Errors: GRADYN_NOT_FOUND: no evaluation succeeded, or there is no such file, which is not created.
 * GRADYN_INVALID: the journal has other numbers of parameters or functionals, is no journal, or is in use.
 * Also: the evaluator, search, journal or rho is NULL, or the search has a wrong struct_size. GRADYN_IO: the
 * journal cannot be opened or read. GRADYN_NO_MEMORY. */
GRADYN_API gradyn_status gradyn_journal_best(gradyn_evaluator *evaluator,
                                             const gradyn_search *search, double rho[],
                                             char message[], size_t size);

/* Removes a journal, or a link of that name, and the journals of its rounds of refine_controls. A missing
 * journal is no error. Writes the reason of a failure to message [size]; NULL is allowed. Errors:
 * GRADYN_INVALID: the name is NULL, or another process uses the journal. GRADYN_IO: it cannot be opened or
 * removed. GRADYN_NO_MEMORY, without a message. */
GRADYN_API gradyn_status gradyn_journal_remove(const char *file, char message[], size_t size);

/* Checks all journals of a study, with those of rounds, starts, points and fronts, before a part of the study
 * is replaced. An incomplete last line, a missing journal or a missing folder is no error. The folder must
 * not be NULL. Writes the reason of a failure to message [size], which must not be NULL.
 *
 * Errors: GRADYN_INVALID: a journal is damaged, of a newer format, or no file. GRADYN_IO: a journal or folder
 * cannot be read. GRADYN_NO_MEMORY. */
GRADYN_API gradyn_status gradyn_study_check(const char *folder, char message[], size_t size);

/* --- Sweeps ----------------------------------------------------------------------------------- */

/* Values of one parameter in a sweep. */
typedef struct gradyn_range {
  size_t parameter; /* index of the parameter, from 0 */
  double from, to;  /* first and last value, finite, in any order, in the unit of the parameter */
  size_t count;     /* grids: number of values, both ends included, at least 1; 1: `from` */
} gradyn_range;

/* Points of a sweep. Bounds of parameters do not limit the points. */
typedef struct gradyn_sweep_spec {
  const gradyn_range *range; /* [range_count] one for each parameter of the sweep */
  size_t range_count;        /* number of ranges, at least 1 */
  /* Number of points of a Sobol sequence (Joe & Kuo 2008) within the ranges, at most 4294967295; 0: the
   * whole grid */
  size_t points;
  uint64_t seed;      /* seed of the random shift of the Sobol sequence */
  bool gradient;      /* true: also gradients by all parameters; default false */
  const char *folder; /* existing folder, required; evaluations in its journals are not repeated */
  gradyn_durability durability;  /* durability of the journals; default GRADYN_DURABLE_SECOND */
  const gradyn_workers *workers; /* NULL: the calling thread */
} gradyn_sweep_spec;

/* Evaluations of a sweep; on a grid the last range changes fastest. If the arguments are invalid, and without
 * memory, count is 0 and arrays are NULL. Release it with gradyn_sweep_result_clear(). */
typedef struct gradyn_sweep_result {
  size_t count;   /* number of points */
  size_t missing; /* of these, points that are not evaluated yet */
  double *rho;    /* [count][parameters], each in its unit */
  /* [count] status of each evaluation; GRADYN_INTERRUPTED: not evaluated yet */
  gradyn_status *status;
  double *psi; /* [count][functionals], each in its unit; NAN unless the status is GRADYN_OK */
  /* [count][functionals][parameters], unit of the functional over the parameter's; NAN unless the status is
   * GRADYN_OK; NULL: not requested */
  double *gradient;
  char message[1024]; /* reason of a failure of the call, not of single points; otherwise "" */
} gradyn_sweep_result;

/* Evaluates functionals, and gradients if requested, at the points of a grid or a Sobol sequence. Parameters
 * without a range have their values in rho0 [parameters], each in its unit. Release *result with
 * gradyn_sweep_result_clear() in any case. Returns GRADYN_OK also if single points fail, and if only points
 * of other shards are missing.
 *
 * Errors: GRADYN_INTERRUPTED: points are missing; call again. GRADYN_CALLBACK: a process died, and its points
 * are missing; call again. GRADYN_IO: the folder or a journal cannot be written or read. GRADYN_INVALID: an
 * argument or a range is invalid, or journals of the folder are damaged or have different results. Also: the
 * result would have more than 50 million numbers. GRADYN_UNSUPPORTED: `processes` in a program with other
 * threads. GRADYN_NO_MEMORY. The message of the result has the reason. */
GRADYN_API gradyn_status gradyn_sweep(gradyn_evaluator *evaluator, const gradyn_sweep_spec *spec,
                                      const double rho0[], gradyn_sweep_result *result);

/* Releases the arrays of a sweep and sets all members to zero; NULL is ignored. */
GRADYN_API void gradyn_sweep_result_clear(gradyn_sweep_result *result);

/* --- Many starts ------------------------------------------------------------------------------ */

/* Starts of a multistart search. */
typedef struct gradyn_multistart_spec {
  /* 1 to 4294967295; the first is rho0, the others are points of a Sobol sequence within the bounds of the
   * free parameters */
  size_t starts;
  uint64_t seed; /* seed of the random shift of the sequence; equal seeds give equal starts */
  /* On a side without a bound: largest distance of the starts from rho0, in scales of the parameter; 0: 1 */
  double spread;
  /* Number of starts from which a search begins, after a simulation of all: rho0 and the best others. Starts
   * whose simulation fails are omitted. 0: search from all starts, without simulations before */
  size_t screen;
  /* Two searches found the same optimum if no parameter differs by more than this, in its scale; 0: 0.01 */
  double merge_distance;
  const char *folder; /* existing folder, required; searches with a journal in it are continued */
  const gradyn_workers *workers; /* NULL: the calling thread */
} gradyn_multistart_spec;

/* One local search of a multistart search. */
typedef struct gradyn_local {
  size_t start;            /* number of its start, from 0, which is rho0 */
  const double *start_rho; /* [parameters] start of the search, in units of the parameters */
  /* [parameters] its best point, or its start if none is known, in their units */
  const double *rho;
  /* false: the search can be continued, has not begun, or its journal is refused or cannot be read. The
   * other members are then preliminary; numbers that are not known are NAN. */
  bool finished;
  gradyn_status status;           /* of the search */
  gradyn_termination termination; /* reason of the termination of a finished search */
  double initial_objective;       /* at the start, unscaled, in its unit; NAN: not known */
  double objective;               /* at the best point, unscaled, in its unit; NAN: not known */
  /* largest constraint violation over its tolerance; at most 1: feasible; NAN: not known */
  double violation;
  double projected_gradient; /* scaled KKT residual, dimensionless; NAN: infeasible or not known */
  long evaluations;          /* number of evaluations */
  double seconds;            /* wall time, s */
  long optimum; /* index in gradyn_multistart_result.optimum, from 0; -1: it found none */
} gradyn_local;

/* An optimum of a multistart search. */
typedef struct gradyn_optimum {
  /* index in gradyn_multistart_result.local, from 0, of the best search that found it */
  size_t local;
  size_t count; /* number of searches that found it */
} gradyn_optimum;

/* Result of a multistart search. Release it with gradyn_multistart_result_clear(). */
typedef struct gradyn_multistart_result {
  gradyn_local *local;       /* [count] local searches, the best first */
  size_t count;              /* number of local searches */
  size_t unfinished;         /* of these, searches that are not finished */
  gradyn_optimum *optimum;   /* [optimum_count] distinct optima, the best first */
  size_t optimum_count;      /* number of distinct optima */
  gradyn_search_result best; /* result of the best search, local[0]; released with this result */
  long evaluations;          /* of all searches */
  double seconds;            /* wall time of all searches, added up, s */
  double *numbers;           /* storage of the points */
  char message[1024];        /* reason of a failure, or problems during the work; otherwise "" */
} gradyn_multistart_result;

/* Optimises from many starts, the first at rho0 [parameters]. Settings of the search are those of
 * gradyn_optimise(), and its limits apply to each local search. After all searches have ended, the callback
 * of the search receives all evaluations of the best one. The members `journal` and `resume` are not used:
 * each search has a journal in the folder, and a later call continues unfinished searches. Segments and
 * refine_controls must not be set. With `helps` of the workers, the result stays empty. Release *result with
 * gradyn_multistart_result_clear() in any case. Returns the status of the best search.
 *
 * Errors: GRADYN_INTERRUPTED: searches are unfinished; call again. GRADYN_CALLBACK: a process died; call
 * again. GRADYN_IO: a journal cannot be written or read. GRADYN_INVALID: an argument is invalid, no parameter
 * is free, or the folder belongs to another study. GRADYN_UNSUPPORTED: segments, refine_controls, or
 * `processes` in a program with other threads. GRADYN_NO_MEMORY. The message of the result has the reason. */
GRADYN_API gradyn_status gradyn_multistart(gradyn_evaluator *evaluator, const gradyn_search *search,
                                           const gradyn_multistart_spec *spec, const double rho0[],
                                           gradyn_multistart_result *result);

/* Releases the arrays of a multistart search and sets all members to zero; NULL is ignored. */
GRADYN_API void gradyn_multistart_result_clear(gradyn_multistart_result *result);

/* --- Fronts between two functionals ------------------------------------------------------------- */

/* A Pareto front of two functionals, by the epsilon-constraint method (Haimes et al. 1971). */
typedef struct gradyn_pareto_spec {
  size_t first, second; /* indices of two different functionals, from 0, both to be minimised */
  size_t points;        /* number of points of the front, 2 to 100000 */
  /* Smallest and largest upper bound of the second functional, in its unit, from < to; the bounds of all
   * points are evenly spaced. Both NAN: from slightly above its minimum to its value where the first one is
   * smallest. */
  double from, to;
  const char *folder; /* existing folder, required; searches with a journal in it are continued */
  const gradyn_workers *workers; /* NULL: the calling thread; `shards` at most 1 */
} gradyn_pareto_spec;

/* One point of a front. */
typedef struct gradyn_pareto_point {
  const double *rho; /* [parameters] best point, in units of the parameters; NULL: none */
  const double *psi; /* [functionals] at that point, in their units; NULL: none */
  double limit;      /* upper bound of the second functional, in its unit; NAN: none */
  double first;      /* first functional at that point, in its unit; NAN: not known */
  double second;     /* second functional at that point, in its unit; NAN: not known */
  /* Decrease of the first functional per unit of the bound: the multiplier. Its unit is that of the first
   * over that of the second. NAN: not known; 0: the bound is not active. */
  double trade_off;
  bool on_front; /* true: feasible, and no other point is at least as good in both functionals */
  bool finished; /* false: the search can be continued, or has not begun */
  gradyn_status status;           /* of the search */
  gradyn_termination termination; /* reason of the termination of a finished search */
  double violation;          /* largest constraint violation over its tolerance; NAN: not known */
  double projected_gradient; /* scaled KKT residual, dimensionless; NAN: infeasible or not known */
  long evaluations;          /* number of evaluations */
  double seconds;            /* wall time, s */
} gradyn_pareto_point;

/* Result of gradyn_pareto(). If the arguments are invalid, count is 0 and `least` has only this status.
 * Release it with gradyn_pareto_result_clear(). */
typedef struct gradyn_pareto_result {
  gradyn_pareto_point *point; /* [count] from the largest bound, or none, to the smallest */
  size_t count;               /* number of points; 1: one point minimises both functionals */
  size_t unfinished;          /* of these, points that can be continued or have not begun */
  size_t front;               /* of these, points on the front */
  /* Minimum of the second functional alone; not finished if bounds were given */
  gradyn_pareto_point least;
  long evaluations;   /* of all searches */
  double seconds;     /* wall time of all searches, added up, s */
  double *numbers;    /* storage of the points */
  char message[1024]; /* reason of a failure, or problems during the work; otherwise "" */
} gradyn_pareto_result;

/* Computes a Pareto front of two functionals. Each search minimises the first one with an upper bound on the
 * second one. The first search starts at rho0 [parameters], later ones at neighbouring points, in an order
 * that does not depend on the workers. Settings of the search are those of gradyn_optimise(), and its limits
 * apply to each search. The members `on_iteration`, `journal`, `resume`, `objective` and
 * `verify_discretisation` are not used, and `segments` and `refine_controls` must not be set. An algorithm
 * without inequality constraints is replaced by slsqp for searches with a bound. Release *result with
 * gradyn_pareto_result_clear() in any case. Returns GRADYN_OK if all searches have ended, even if single
 * points failed. If the minimum of a functional is not found, the call returns the status of that search, for
 * example GRADYN_INFEASIBLE.
 *
 * Errors: GRADYN_INTERRUPTED: searches are unfinished; call again. GRADYN_CALLBACK: a process died; call
 * again. GRADYN_IO: a journal cannot be written or read. GRADYN_INVALID: an argument is invalid, the
 * functionals have constraints that prevent a front, or the folder belongs to another study.
 * GRADYN_UNSUPPORTED: segments, refine_controls, or `processes` in a program with other threads.
 * GRADYN_NO_MEMORY. The message of the result has the reason. */
GRADYN_API gradyn_status gradyn_pareto(gradyn_evaluator *evaluator, const gradyn_search *search,
                                       const gradyn_pareto_spec *spec, const double rho0[],
                                       gradyn_pareto_result *result);

/* Releases the arrays of a front and sets all members to zero; NULL is ignored. */
GRADYN_API void gradyn_pareto_result_clear(gradyn_pareto_result *result);

/* Study folders, with the same files as those of the command, and the report that shows them on one page.
 *
 *   gradyn_study_folder *folder;
 *   const char *shown[] = {"study"};
 *
 *   gradyn_study_folder_open("study", false, &folder);
 *   gradyn_evaluator_simulate(evaluator, rho, psi, trajectory);
 *   gradyn_study_folder_write_simulation(folder, evaluator, rho, psi, trajectory);
 *   gradyn_study_folder_close(folder);
 *   gradyn_study_report(shown, 1, NULL, "study/report.html", NULL, 0);
 *
 * A file appears completely or not at all, except history.csv, which grows by a line for each evaluation.
 * The user guide (docs/user-guide.md) describes the contents of all files. */

/* --- Study folders ------------------------------------------------------------------------------ */

/* An open study folder. Opaque. Two threads must not use it at the same time. */
typedef struct gradyn_study_folder gradyn_study_folder;

/* Opens a folder for a study; the folder and its parents are created if missing. If `replace` is true, all
 * files in it with names of a study are removed, for example trajectory.csv and report.html, but no journals
 * (gradyn_journal_remove()). Otherwise a folder with such a file or journal.jsonl is refused. On failure *out
 * is still an object that has the message, and NULL only if memory is exhausted. Release *out with
 * gradyn_study_folder_close() in any case.
 *
 * Errors: GRADYN_INVALID: an argument is NULL, or the folder has such a file and `replace` is false.
 * GRADYN_IO: the folder cannot be created or written to, or a file cannot be removed. GRADYN_NO_MEMORY. */
GRADYN_API gradyn_status gradyn_study_folder_open(const char *path, bool replace,
                                                  gradyn_study_folder **out);

/* Closes a study folder, with history.csv if it is open, and releases the object; NULL is ignored. Only
 * gradyn_study_folder_end() reports a failure to close history.csv. */
GRADYN_API void gradyn_study_folder_close(gradyn_study_folder *folder);

/* Returns the message of the last failure of a study folder; "" if there was none. Never NULL. If the
 * folder is NULL, the text reports exhausted memory. The text lives until the next call with the folder; a
 * call that succeeds does not change it. */
GRADYN_API const char *gradyn_study_folder_message(const gradyn_study_folder *folder);

/* Writes a simulation: result.json with rho [parameters] and psi [functionals], trajectory.csv, events.csv if
 * there were events, model.json for drawings, and of mechanisms invariants.csv. The trajectory must be of the
 * last run of the evaluator, at rho. Earlier files with these names are replaced; after an error some are
 * written.
 *
 * Errors: GRADYN_INVALID: an argument is NULL, also an array without entries, the folder is not open, or the
 * evaluator was not created. GRADYN_IO: a file cannot be written. GRADYN_NO_MEMORY. A failure of
 * gradyn_invariants_compute() returns its own status. */
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

/* Writes the motion before or after a search, at rho [parameters]. The files are those of
 * gradyn_study_folder_write_simulation() except result.json, with the suffix of gradyn_study_motion before
 * the dot: trajectory_initial.csv. The trajectory must be of the last run of the evaluator, at rho. With
 * GRADYN_STUDY_FINAL a gradient by all data is computed, so that the page can rank the data. If this
 * gradient fails, model_final.json has the reason, and the call succeeds. Errors: as
 * gradyn_study_folder_write_simulation(); GRADYN_INVALID also: the search has a wrong struct_size. */
GRADYN_API gradyn_status gradyn_study_folder_write_motion(
    gradyn_study_folder *folder, gradyn_evaluator *evaluator, const gradyn_search *search,
    const double rho[], const gradyn_trajectory *trajectory, gradyn_study_motion which);

/* Writes settings.json and begins history.csv, before a search from rho0 [parameters], once per folder.
 * Afterwards the evaluator has the data at rho0.
 *
 * Errors: GRADYN_INVALID: an argument is NULL, the folder is not open, the evaluator was not created, or the
 * search has a wrong struct_size. GRADYN_INVALID also if a search has begun in this folder; its files stay.
 * GRADYN_IO: a file cannot be written. GRADYN_NO_MEMORY. */
GRADYN_API gradyn_status gradyn_study_folder_begin(gradyn_study_folder *folder,
                                                   gradyn_evaluator *evaluator,
                                                   const gradyn_search *search,
                                                   const double rho0[]);

/* Appends an evaluation to history.csv. Call it from the callback of the search. After a failed write, and
 * before gradyn_study_folder_begin(), calls write no lines and return GRADYN_OK. Errors: GRADYN_INVALID: an
 * argument is NULL, the folder is not open, or the evaluator was not created. GRADYN_IO: the line cannot be
 * written. GRADYN_NO_MEMORY. */
GRADYN_API gradyn_status gradyn_study_folder_write_iteration(gradyn_study_folder *folder,
                                                             const gradyn_evaluator *evaluator,
                                                             const gradyn_iteration *iteration);

/* Closes history.csv and writes result.json, after a search from rho0 [parameters] that returned `status`.
 * The evaluator is the one of the search, even if result->refined is another one. Pass result->refined, if
 * it is not NULL, to gradyn_study_folder_write_motion() for the final motion. The folder stays open.
 * Errors: GRADYN_INVALID, GRADYN_IO, GRADYN_NO_MEMORY, as gradyn_study_folder_begin(). */
GRADYN_API gradyn_status gradyn_study_folder_end(gradyn_study_folder *folder,
                                                 gradyn_evaluator *evaluator,
                                                 const gradyn_search *search, const double rho0[],
                                                 const gradyn_search_result *result,
                                                 gradyn_status status);

/* --- The page ----------------------------------------------------------------------------------- */

/* Writes the report of folder [count], study folders of the library or the command, to the file `path`. The
 * report is one HTML page without external files, which appears completely or not at all. The text `running`
 * states the progress of unfinished work, and the page then reloads every few seconds. NULL: the work has
 * ended. The page marks damaged contents. Writes the reason of a failure, "" on success, to message [size];
 * NULL is allowed.
 *
 * Errors: GRADYN_NOT_FOUND: a folder is missing or has no study. GRADYN_IO: a folder cannot be read, or the
 * page cannot be written. GRADYN_IO also with a complete page, if it has a note on a file that cannot be
 * read. GRADYN_INVALID: an argument is NULL or count is 0. GRADYN_NO_MEMORY. */
GRADYN_API gradyn_status gradyn_study_report(const char *const folder[], size_t count,
                                             const char *running, const char *path, char message[],
                                             size_t size);

#ifdef __cplusplus
}
#endif

#endif
