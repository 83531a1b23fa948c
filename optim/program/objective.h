/* The interface between a search and the functions that it optimises: sizes, names, and one evaluation at
 * a time. */
#ifndef GRADYN_OPTIM_OBJECTIVE_H
#define GRADYN_OPTIM_OBJECTIVE_H

#include <jansson.h>

#include "adjoint/gradient/limited.h"
#include "core/base/warnings.h"
#include "optim/program/entries.h"
#include <gradyn/optimise.h>

/* Returns whether this use of a functional makes it a constraint of a search. */
static inline bool gradyn_use_constrains(gradyn_functional_use use)
{
  return use == GRADYN_EQUAL || use == GRADYN_AT_MOST || use == GRADYN_AT_LEAST ||
         use == GRADYN_PATH_CONSTRAINT;
}

/* Time of an evaluation, and of the search up to the end of this evaluation; s. */
typedef struct gradyn_spent {
  double evaluation, search;
} gradyn_spent;

/* Second derivatives with respect to a few of the parameters. */
typedef struct gradyn_block {
  size_t count;
  size_t *parameter; /* [count], indices, ascending */
  double *H;         /* [count][count], symmetric, by the parameters in their units */
} gradyn_block;

/* Whether samples of path constraints are among the functionals. BRIEF: they are, and near an optimum a
 * search may end early, because path constraints are checked next. */
typedef enum gradyn_sampling { GRADYN_NOT_SAMPLED, GRADYN_SAMPLED, GRADYN_BRIEF } gradyn_sampling;

/* Number of blocks of second derivatives, and the time of all over that of a gradient. price 0: a gradient
 * for each parameter that acts in a block, and one more. error: the largest estimated error of a block so
 * far, relative to its largest entry; 0: none. */
typedef struct gradyn_objective_blocks {
  size_t count;
  double price, error;
} gradyn_objective_blocks;

/* Functionals of parameters, with their gradients. A search borrows all pointers. Functions of type
 * gradyn_status return GRADYN_OK or the status of a failure. */
typedef struct gradyn_objective {
  const gradyn_parameter_info *parameters;   /* [parameter_count] */
  const gradyn_functional_info *functionals; /* [functional_count] */
  size_t parameter_count, functional_count;
  /* stored entries of gradients [functionals][parameters]; NULL: all. They may change by hold() */
  const gradyn_entries *entries;
  /* [functional_count], functionals with gradients that a search needs; NULL: all */
  const bool *used;
  /* if the largest of several functionals is minimised, and share > 0: the mean over the worst share of
   * them is minimised instead. chance [functional_count]: their weights */
  double share;
  const double *chance;
  gradyn_sampling sampling;

  /* Fills psi [functionals] and the stored entries of gradient [functionals][parameters] at rho
   * [parameters]. gradient NULL: values only. The gradients of functionals that are not used are filled
   * only if `all`. */
  gradyn_status (*evaluate)(void *self, bool all, const double rho[], double psi[],
                            double gradient[]);
  /* Fills the psi [functionals] that need no evaluation, and NAN for the others. NULL: all need one. */
  gradyn_status (*numbers)(void *self, const double rho[], double psi[]);
  /* Reason of the failure of the last evaluation; never NULL. */
  const char *(*message)(void *self);
  /* Number of time steps of the last evaluation; NULL: not known. */
  long (*steps)(void *self);
  /* Warnings of the last evaluation; NULL: there never are. The list lives until the next one. */
  const gradyn_warnings *(*warnings)(void *self);
  /* Times at the end of the last evaluation, which may be from an earlier program run. NULL: now. */
  gradyn_spent (*spent)(void *self);
  /* Path constraints; NULL: there are none. hold: replaces the samples by bounds of path constraints at the
   * times at [count]. evaluate() then has these functionals after the others. Fills info [count], which is
   * valid until the next call. look: finds violations of path constraints by more than `part` of their
   * tolerances, in the run at rho. */
  gradyn_status (*hold)(void *self, const gradyn_limit_at at[], size_t count,
                        gradyn_functional_info info[]);
  gradyn_status (*look)(void *self, const double rho[], double part, gradyn_path_check *out);
  /* Sets a deadline, s of gradyn_seconds(), at which evaluations end as on a request of the user. NULL:
   * evaluations have no deadline. */
  void (*limit)(void *self, double until);
  /* Fills psi [functionals] at rho over the whole run, without sampled constraints. After a request to end,
   * the evaluation is permitted for at most `seconds`. The values are not recorded in the journal. NULL: no
   * constraints are sampled. */
  gradyn_status (*values)(void *self, double seconds, const double rho[], double psi[]);
  /* For unknowns that are relative to references, which are fixed parameters; NULL: there are none.
   * strained: returns whether the unknowns are far from the references at rho, an iterate of the search.
   * refer: moves the references to the states at rho; rho then describes the same point by other
   * numbers. */
  bool (*strained)(void *self, const double rho[]);
  gradyn_status (*refer)(void *self, double rho[]);
  /* Called at feasible iterates near an optimum: whether the search should end there, because its
   * constraints change next. NULL: it never should. */
  bool (*suffices)(void *self, const double rho[]);
  /* Called at the start of a search, before its first evaluation, with its start and its optimality
   * tolerance. NULL: not needed. */
  void (*begins)(void *self, const double rho0[], double optimality);
  /* Called with each iterate of the search; it has been evaluated before. NULL: not needed. */
  void (*arrived)(void *self, const double rho[]);
  /* Second derivatives at rho of the sum of weight [functionals] times psi: blocks.count blocks, which add
   * up. They are valid until the next call. NULL: they are not known. */
  gradyn_objective_blocks blocks;
  gradyn_status (*curve)(void *self, const double weight[], const double rho[],
                         const gradyn_block **block);
  /* Adds to *root, the warm start that a result leaves, what only the objective knows. The result is that of
   * the last search. NULL: nothing. Error: GRADYN_NO_MEMORY. */
  gradyn_status (*describe)(void *self, gradyn_search_result *result, json_t **root);
  void *self; /* first argument of all functions */
  /* copy: another `self` for a thread; NULL: out of memory. release: frees it. copy NULL: several threads
   * may use `self` at the same time. */
  void *(*copy)(void *self);
  void (*release)(void *copy);
} gradyn_objective;

/* Completes an evaluation with sampled path constraints: psi [first + count] and gradient, for this number of
 * parameters; gradient NULL: values only. entries: stored entries of gradient; NULL: all. at [count]
 * describes the samples, functionals first, first + 1, ... Each bound of a path constraint gets the value and
 * the gradient of its largest sample; bounds without samples stay. */
void gradyn_objective_fill_sides(const gradyn_limit_at at[], size_t count, size_t first,
                                 const gradyn_entries *entries, size_t parameters, double psi[],
                                 double gradient[]);

/* Returns the position of the gradient of functional i, from 0, among the stored entries of all gradients. */
static inline gradyn_entry_row gradyn_objective_row(const gradyn_objective *objective, size_t i)
{
  return gradyn_entries_row(objective->entries, objective->parameter_count, i);
}

/* Returns the number of stored entries of all gradients. */
static inline size_t gradyn_objective_entries(const gradyn_objective *objective)
{
  return gradyn_entries_count(objective->entries, objective->parameter_count,
                              objective->functional_count);
}

#endif
