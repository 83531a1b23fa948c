/* The choice between methods for `auto`. The explicit method `explicit` is used if, at the initial data, it
 * reaches the end of the run without stiffness, within a given number of steps. Otherwise the stiff method
 * `radau` is used, also for a later run in which the explicit one fails in this way. The choice is made once,
 * by counts alone, so that every result depends only on the data. `idas` replaces the stiff method for
 * features that `radau` lacks. */
#ifndef GRADYN_ADJOINT_CHOICE_H
#define GRADYN_ADJOINT_CHOICE_H

#include "adjoint/method.h"

struct gradyn_evaluator;

/* The explicit method, the stiff one, and their number: indices in a choice. */
enum { GRADYN_QUICK, GRADYN_PATIENT, GRADYN_CONTENDERS };

/* The choice between methods, zero without such a choice; and between direct and adjoint sweeps. */
typedef struct gradyn_choice {
  const gradyn_method *method[GRADYN_CONTENDERS];
  void *run[GRADYN_CONTENDERS]; /* objects of the methods; NULL: not needed yet */
  double *x;                    /* [nx] initial data */
  int first;                    /* index of the method with which runs begin */
  bool made;
  bool busy; /* an evaluation is in progress; its inner evaluations use the present method */
  /* in this evaluation, the explicit method was stopped only because of its number of steps */
  bool cut;
  bool either_route; /* gradients by the sweep, direct or adjoint, that costs less */
  /* number of steps after which a run of the explicit method is stopped; 0: the limit of a run */
  long most;
} gradyn_choice;

/* Returns whether the options request features that only `idas` has. */
bool gradyn_choice_needs_idas(const struct gradyn_evaluator *ev);

/* Creates the method's object, or the choice. Errors are those of the method; GRADYN_NO_MEMORY. clear()
 * releases the objects of all methods. */
gradyn_status gradyn_choice_create(struct gradyn_evaluator *ev);
void gradyn_choice_clear(struct gradyn_evaluator *ev);

/* Makes the choice, if it is not made yet, by a run at the initial data. Selects the method with which
 * evaluations begin, and restores the model's data. Errors: failures of a run that allow no choice: fatal
 * ones, and those after the deadline. No effect within an evaluation. */
gradyn_status gradyn_choose(struct gradyn_evaluator *ev);

/* Copies the choice of another evaluator of the same problem, which makes it if necessary. No run of its
 * own is needed. If the other one makes no choice, nothing changes. */
void gradyn_choice_follow(struct gradyn_evaluator *ev, struct gradyn_evaluator *other);

/* Method that has the turn in an evaluation with the model's present data: the explicit one, the stiff one,
 * or again the explicit one without its limit of steps. GRADYN_NOBODYS: there is no choice, the evaluation is
 * part of another one, or it has ended. */
typedef enum gradyn_turn {
  GRADYN_NOBODYS,
  GRADYN_QUICKS,
  GRADYN_PATIENTS,
  GRADYN_AGAIN
} gradyn_turn;

/* begin(): selects the method for an evaluation; errors as of gradyn_choose(). passes(): call after an
 * evaluation with its status. Returns whether the evaluation must be repeated with the method then selected;
 * call until it returns false. */
gradyn_status gradyn_turn_begin(struct gradyn_evaluator *ev, gradyn_turn *turn);
bool gradyn_turn_passes(struct gradyn_evaluator *ev, gradyn_turn *turn, gradyn_status status);

#endif
