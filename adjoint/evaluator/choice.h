/* The choice between methods for `auto`. The explicit method `explicit` is used if, at the initial data, it
 * reaches the end of the run without stiffness, within a given number of steps. Otherwise the stiff method
 * `radau` is used, also for a later run in which the explicit one fails in this way. The choice is made once,
 * by counts alone, so that every result depends only on the data. `idas` replaces the stiff method for
 * features that `radau` lacks. */
#ifndef GRADYN_ADJOINT_CHOICE_H
#define GRADYN_ADJOINT_CHOICE_H

#include "adjoint/method.h"

struct gradyn_evaluator;

/* Indices of the methods of a choice: the explicit method (QUICK) and the stiff one (PATIENT); their
 * number. */
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

/* Returns whether the options request features that only `idas` has: staggered sensitivities, or
 * Baumgarte's stabilisation. */
bool gradyn_choice_needs_idas(const struct gradyn_evaluator *ev);

/* Creates ev->run, the method's object or, for `auto`, the choice with the object of the first method. Clear
 * in any case. Errors, with the model's message: those of the method; GRADYN_NO_MEMORY. */
gradyn_status gradyn_choice_create(struct gradyn_evaluator *ev);
/* Releases the objects of all methods of the evaluator; call it once. */
void gradyn_choice_clear(struct gradyn_evaluator *ev);

/* Makes the choice by a run at the initial data, unless it is made, and selects the chosen method. The
 * model keeps its data. Does nothing without a choice, and within an evaluation. Errors: failures of this
 * run that allow no choice: those of class FATAL, and those after the deadline. */
gradyn_status gradyn_choose(struct gradyn_evaluator *ev);

/* Copies the choice of `other`, an evaluator of the same problem, which makes its choice first if
 * necessary. Nothing changes if either has no choice, or if `other` fails to choose. */
void gradyn_choice_follow(struct gradyn_evaluator *ev, struct gradyn_evaluator *other);

/* Method in use in an evaluation: the explicit one (QUICKS), the stiff one (PATIENTS), or the explicit one
 * again, without its limit of steps (AGAIN). GRADYN_NOBODYS: there is no choice, the evaluation is part of
 * another one, or it has ended. */
typedef enum gradyn_turn {
  GRADYN_NOBODYS,
  GRADYN_QUICKS,
  GRADYN_PATIENTS,
  GRADYN_AGAIN
} gradyn_turn;

/* Selects the method for an evaluation at the model's present data, and sets *turn. Errors: failures of the
 * run that allow no choice: fatal ones, and those after the deadline. */
gradyn_status gradyn_turn_begin(struct gradyn_evaluator *ev, gradyn_turn *turn);
/* Call after an evaluation with its status. Returns whether the evaluation must be repeated, with the method
 * that is then selected; *turn changes accordingly, and messages are cleared. Call until it returns false;
 * the status of the last evaluation is then the result. */
bool gradyn_turn_passes(struct gradyn_evaluator *ev, gradyn_turn *turn, gradyn_status status);

#endif
