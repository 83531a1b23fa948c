/* Studies: searches that survive their process. */
#ifndef GRADYN_STUDY_H
#define GRADYN_STUDY_H

#include <stdint.h>

#include <gradyn/optimise.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Who does the work of a study that consists of many evaluations or searches. All zero: the thread
 * that asks. Each result depends on its own task alone, so all choices lead to the same ones. */
typedef struct gradyn_workers {
  /* Workers on this machine; 0, 1: this thread alone. They are threads, each with an evaluator of its own:
   * functions of the problem, and `cancel` of the options, are called by several at a time. */
  size_t jobs;
  /* They are processes instead, made by fork(): if one dies of what a function of the problem does, it costs
   * one task. GRADYN_UNSUPPORTED in a program that has other threads. */
  bool processes;
  size_t shard, shards; /* only tasks shard, shard + shards, ..., 0 <= shard < shards; 0, 0: all */
  /* Asked between evaluations, in every process; for threads by the one that asked for the work. False ends
   * the work early. NULL: never. */
  bool (*go_on)(void *user);
  /* Told now and then how many tasks are done. NULL: nobody cares. */
  void (*progress)(size_t done, size_t tasks, void *user);
  void *user;
  /* Work shared between machines that see the same folders: all of them call the same function, which
   * does it in one part or in several. NULL: one machine. begin: waits until all have come to a part,
   * and hands out from 0 again; false: one of them will not come, the work ends early; next: the number
   * of the next task, each is handed out once; end: waits until all have come to the end of the part. */
  bool (*begin)(void *self);
  size_t (*next)(void *self);
  void (*end)(void *self);
  void *self;
  size_t rank; /* of this machine's process, 0, 1, ... */
  bool helps;  /* the result is of no interest here and need not be gathered */
} gradyn_workers;

/* What a resumed search found in its journal. */
typedef struct gradyn_resumed {
  long journalled; /* evaluations in the journal */
  long recalled;   /* of them, those that the search asked for: none was simulated again */
  char note[1024]; /* what is not as it was, one subject a line; "" */
} gradyn_resumed;

/* gradyn_optimise() with the journal of a search that was stopped or killed: the search is repeated
 * from it bit for bit, without a simulation, and goes on where it ends. Before that, the last
 * evaluation is computed once more. GRADYN_INVALID: its bits are not those of the journal, or the
 * journal is of another problem, damaged, or in use; the reason names what differs. Limits of the
 * search may be raised, tolerances changed: then it leaves the journal at the first request that is
 * not there. A journal that is empty or missing is begun. resumed may be NULL. */
GRADYN_API gradyn_status gradyn_resume(gradyn_evaluator *evaluator, const gradyn_search *search,
                                       const double rho0[], gradyn_resumed *resumed,
                                       gradyn_search_result *result);

/* How a study is computed, as its settings.json records it: method, coordinates, step, rtol and atol to
 * options, algorithms, ftol, xtol and optimality to search. Call it between the defaults and what you name
 * yourself; either may be NULL. A search then resumes as it began, also where today's defaults are others.
 * GRADYN_NOT_FOUND: there is no such file; GRADYN_INVALID: it names what this version does not have. The
 * reason of a failure goes to message [size]. */
GRADYN_API gradyn_status gradyn_study_recall(const char *folder, gradyn_options *options,
                                             gradyn_search *search, char message[], size_t size);

/* Best point rho [parameters] of a journal, in the sense of the search: for a search that cannot be
 * resumed. Evaluations behind a damaged line are not looked at. GRADYN_NOT_FOUND: no evaluation
 * succeeded. The reason of a failure goes to message [size]. */
GRADYN_API gradyn_status gradyn_journal_best(gradyn_evaluator *evaluator,
                                             const gradyn_search *search, double rho[],
                                             char message[], size_t size);

/* Whether a process is at work on a journal. False, too, where that cannot be told: errno, which is 0 if
 * there is no lock, says why. */
GRADYN_API bool gradyn_journal_busy(const char *file);

/* Removes a journal, or a link in its place, and those of the rounds behind it that have refined controls,
 * unless a process is at work on it; a missing one is fine. The reason of a failure goes to message
 * [size]. */
GRADYN_API gradyn_status gradyn_journal_remove(const char *file, char message[], size_t size);

/* Checks all journals of a study, those of its rounds, starts, points and fronts too, before anything of the
 * study is replaced. GRADYN_INVALID: one is damaged; GRADYN_IO, GRADYN_NO_MEMORY: one cannot be read. The
 * reason goes to message [size]. */
GRADYN_API gradyn_status gradyn_study_check(const char *folder, char message[], size_t size);

/* --- Sweeps ----------------------------------------------------------------------------------- */

/* Values of one parameter. */
typedef struct gradyn_range {
  size_t parameter;
  double from, to;
  size_t count; /* of a grid, ends included; at least 1 */
} gradyn_range;

typedef struct gradyn_sweep_spec {
  const gradyn_range *range; /* [range_count] */
  size_t range_count;
  size_t points;                 /* so many points of a Sobol sequence; 0: the whole grid */
  uint64_t seed;                 /* of the Sobol sequence's shift */
  bool gradient;                 /* also gradients */
  const char *folder;            /* exists; for the journals: what is there is not computed again */
  gradyn_durability durability;  /* of the journals */
  const gradyn_workers *workers; /* may be NULL */
} gradyn_sweep_spec;

/* Evaluations of a sweep, the last range varying fastest. Clear with gradyn_sweep_result_clear(). */
typedef struct gradyn_sweep_result {
  size_t count, missing;
  double *rho;           /* [count][parameters] */
  gradyn_status *status; /* [count]; GRADYN_INTERRUPTED: missing */
  double *psi;           /* [count][functionals], NAN unless ok; likewise the gradient */
  double *gradient;      /* [count][functionals][parameters]; NULL: not asked for */
  char message[1024];    /* the reason of a failure */
} gradyn_sweep_result;

/* Evaluates at the points of a grid or a Sobol sequence around rho0 [parameters]. GRADYN_OK also if
 * single points fail; GRADYN_INTERRUPTED, GRADYN_CALLBACK (a process died): some are missing, call
 * again. GRADYN_IO: so they are, since the disk is full or the like. GRADYN_INVALID: the folder has
 * evaluations with other bits; the message names what differs. */
GRADYN_API gradyn_status gradyn_sweep(gradyn_evaluator *evaluator, const gradyn_sweep_spec *spec,
                                      const double rho0[], gradyn_sweep_result *result);
GRADYN_API void gradyn_sweep_result_clear(gradyn_sweep_result *result);

/* --- Many starts ------------------------------------------------------------------------------ */

typedef struct gradyn_multistart_spec {
  size_t
      starts; /* the first one is rho0, the others are points of a Sobol sequence within the bounds
                  * of the varied parameters */
  uint64_t seed; /* of the sequence's shift */
  double spread; /* where there is no bound: so many scales of the parameter around rho0; 0: 1 */
  size_t screen; /* simulate all starts and search from so many of the best only; 0: from all */
  double same;   /* ends nearer than this in each parameter, in its scale, are the same optimum;
                  * 0: 0.01 */
  const char *folder;            /* exists; for the journals: searches there go on */
  const gradyn_workers *workers; /* may be NULL */
} gradyn_multistart_spec;

/* One local search. */
typedef struct gradyn_local {
  size_t start;                  /* its number */
  const double *start_rho, *rho; /* [parameters], where it began and its best point */
  bool finished;                 /* false: it is to go on, the rest is as of now */
  gradyn_status status;          /* of the search */
  gradyn_ending ending;          /* of a search that is finished */
  double initial_objective, objective, violation, projected_gradient;
  long evaluations;
  double seconds;
  long optimum; /* number of the optimum that it ended at; -1: at none */
} gradyn_local;

/* An optimum and how often it was reached. */
typedef struct gradyn_optimum {
  size_t local; /* the best search that ended there */
  size_t count;
} gradyn_optimum;

/* Clear with gradyn_multistart_result_clear(). */
typedef struct gradyn_multistart_result {
  gradyn_local *local; /* [count], best first */
  size_t count, unfinished;
  gradyn_optimum *optimum; /* [optimum_count], best first */
  size_t optimum_count;
  gradyn_search_result best; /* of the best search, local[0] */
  long evaluations;          /* of all searches */
  double seconds;            /* that they took, added up */
  double *numbers;           /* storage */
  char message[1024];        /* the reason of a failure, or what went wrong on the way */
} gradyn_multistart_result;

/* Optimises from many starts. search: as for gradyn_optimise(), limits hold for each local search;
 * its watching function sees the best one, after all have ended; its journal is not used. Returns
 * the status of the best search; GRADYN_INTERRUPTED, GRADYN_CALLBACK (a process died): searches are
 * unfinished, call again; GRADYN_IO: a journal could not be written, see the message; GRADYN_INVALID:
 * the folder is of something else, or nothing to vary. */
GRADYN_API gradyn_status gradyn_multistart(gradyn_evaluator *evaluator, const gradyn_search *search,
                                           const gradyn_multistart_spec *spec, const double rho0[],
                                           gradyn_multistart_result *result);
GRADYN_API void gradyn_multistart_result_clear(gradyn_multistart_result *result);

/* --- Fronts between two functionals ------------------------------------------------------------- */

typedef struct gradyn_pareto_spec {
  size_t first, second; /* functionals, both to be small: one against the other */
  size_t points;        /* of the front, at least 2 */
  /* The first is minimised with the second at most at limits that are spread evenly from the least
   * to the largest one given here. Both 0 or NAN: from almost the least possible value of the second to
   * where the first alone is least. */
  double from, to;
  const char *folder;            /* exists; for the journals: searches there go on */
  const gradyn_workers *workers; /* may be NULL; parts (shards) are not possible */
} gradyn_pareto_spec;

/* One search of a front. */
typedef struct gradyn_pareto_point {
  const double *rho, *psi; /* [parameters], [functionals], its best point; NULL: there is none */
  double limit;            /* of the second functional, in its unit; NAN: there was none */
  double first, second;    /* the functionals there; NAN: unknown */
  double trade_off;     /* by how much the first would fall for each unit that the limit grows, the
                            * multiplier of the limit; 0: it is not felt; NAN: unknown */
  bool on_front;        /* feasible, and no other point is better in both or as good in one */
  bool finished;        /* false: it is to go on, or was not begun */
  gradyn_status status; /* of the search */
  gradyn_ending ending;
  double violation, projected_gradient;
  long evaluations;
  double seconds;
} gradyn_pareto_point;

/* Clear with gradyn_pareto_result_clear(). */
typedef struct gradyn_pareto_result {
  gradyn_pareto_point *point; /* [count], from the largest limit, or none, to the least */
  size_t count, unfinished;
  size_t front;              /* points on the front */
  gradyn_pareto_point least; /* where the second functional alone is least; not finished if from and
                              * to were given */
  long evaluations;          /* of all searches */
  double seconds;            /* that they took, added up */
  double *numbers;           /* storage */
  char message[1024];        /* the reason of a failure, or what went wrong on the way */
} gradyn_pareto_result;

/* Searches for the front of two functionals: each point minimises the first within a limit of the
 * second, from the points next to it that are known, in an order that does not depend on who does the
 * work. search: as for gradyn_optimise(), limits hold for each search; watch, journal,
 * objective and recheck are not used; an algorithm without constraints is replaced by slsqp where
 * there is a limit. GRADYN_OK: all searches have ended and there is a front. GRADYN_INTERRUPTED,
 * GRADYN_CALLBACK (a process died): call again; GRADYN_INVALID: the folder is of something else, or
 * the functionals cannot be set against each other. */
GRADYN_API gradyn_status gradyn_pareto(gradyn_evaluator *evaluator, const gradyn_search *search,
                                       const gradyn_pareto_spec *spec, const double rho0[],
                                       gradyn_pareto_result *result);
GRADYN_API void gradyn_pareto_result_clear(gradyn_pareto_result *result);

#ifdef __cplusplus
}
#endif

#endif
