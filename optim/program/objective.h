/* What a search asks of the thing it optimises: sizes, names, and one evaluation at a time. */
#ifndef GRADYN_OPTIM_OBJECTIVE_H
#define GRADYN_OPTIM_OBJECTIVE_H

#include "adjoint/gradient/limited.h"
#include <gradyn/evaluate.h>

/* Time that an evaluation took, and the search until its end; s. */
typedef struct gradyn_spent {
  double evaluation, search;
} gradyn_spent;

/* Second derivatives by a few of the parameters. */
typedef struct gradyn_block {
  size_t count;
  size_t *parameter; /* [count] which, ascending */
  double *H;         /* [count][count], symmetric */
} gradyn_block;

/* Functionals of parameters with their gradients. All pointers are borrowed for the search. */
typedef struct gradyn_objective {
  const gradyn_parameter_info *parameters;   /* [parameter_count] */
  const gradyn_functional_info *functionals; /* [functional_count] */
  size_t parameter_count, functional_count;
  const bool *used; /* [functional_count] those whose gradients a search needs; NULL: all */
  bool limited;     /* rows of limits at instants are among the functionals */
  bool brief; /* near an optimum a search need not go on: what holds there is asked for first */

  /* Fills psi [functionals] and gradient [functionals][parameters], unless that is NULL, at rho
   * [parameters]; rows of functionals that are not used only if `all`. */
  gradyn_status (*evaluate)(void *self, bool all, const double rho[], double psi[],
                            double gradient[]);
  /* Fills those psi [functionals] that need no evaluation, the others with NAN; NULL: all do. */
  gradyn_status (*numbers)(void *self, const double rho[], double psi[]);
  /* Why the last evaluation failed; never NULL. */
  const char *(*message)(void *self);
  /* Time steps of the last evaluation; may be NULL. */
  long (*steps)(void *self);
  /* What is doubtful about the last evaluation, "" if nothing; may be NULL. */
  const char *(*warnings)(void *self);
  /* Time as of the last evaluation, if it may have been spent earlier than now; may be NULL. */
  gradyn_spent (*spent)(void *self);
  /* Limits along the way; NULL: there are none. hold: from here on evaluate() has `count` functionals more,
   * sides of limits where they are held, behind the others; info [count] of them, lent until the next call.
   * look: where the run at rho exceeds limits by more than `part` of their tolerances. */
  gradyn_status (*hold)(void *self, const gradyn_limit_at at[], size_t count,
                        gradyn_functional_info info[]);
  gradyn_status (*look)(void *self, const double rho[], double part, gradyn_path_check *out);
  /* Evaluations end at the time `until`, s of gradyn_seconds(), as on request; NULL: they do not. */
  void (*limit)(void *self, double until);
  /* Fills psi [functionals] at rho, along the whole run and with no rows, after a request to end, too: it has
   * so many seconds, and another request ends it. No journal has it. NULL: rows are never held. */
  gradyn_status (*values)(void *self, double seconds, const double rho[], double psi[]);
  /* Unknowns near references, which are parameters that no search varies; NULL: there are none. strained:
   * whether at rho, which a search goes on from, they are far from them. refer: moves the references there;
   * rho is the same point by others. */
  bool (*strained)(void *self, const double rho[]);
  gradyn_status (*refer)(void *self, double rho[]);
  /* Told where a search begins, before it asks for anything, and with which tolerance it judges an optimum;
   * NULL: nobody is. */
  void (*begins)(void *self, const double rho0[], double optimality);
  /* Told of each point, evaluated before, that a search goes on from; NULL: nobody is. */
  void (*arrived)(void *self, const double rho[]);
  /* Second derivatives of the sum of weight [functionals] times psi at rho: [block_count] blocks that add up,
   * lent until the next call; NULL: they are not known. */
  size_t block_count;
  gradyn_status (*curve)(void *self, const double weight[], const double rho[],
                         const gradyn_block **block);
  void *self; /* handed to the functions */
  /* Another self for a thread of its own, NULL without memory; its end. NULL: self may be asked by several
   * threads at a time. */
  void *(*copy)(void *self);
  void (*release)(void *copy);
} gradyn_objective;

/* Behind an evaluation with rows at [count] from functional `first` on, whose gradient may be NULL: gives
 * sides of limits the largest of their rows. */
void gradyn_objective_fill_sides(const gradyn_limit_at at[], size_t count, size_t first,
                                 size_t parameters, double psi[], double gradient[]);

#endif
