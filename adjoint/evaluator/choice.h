/* The choice between methods that `auto` stands for. The quick one, `explicit`, is taken where it comes to
 * the end of the run at the initial data without meeting stiffness, in no more than a stated number of
 * steps; the patient one, `radau`, where it does not, and where a later run of the quick one fails so. Chosen
 * once, by counts alone, so that every result depends on the data alone. `idas` stands in for the patient
 * one with what that has not got. */
#ifndef GRADYN_ADJOINT_CHOICE_H
#define GRADYN_ADJOINT_CHOICE_H

#include "adjoint/method.h"

struct gradyn_evaluator;

enum { GRADYN_QUICK, GRADYN_PATIENT, GRADYN_CONTENDERS };

/* Between methods, zero where there is no such choice; and between routes to gradients. */
typedef struct gradyn_choice {
  const gradyn_method *method[GRADYN_CONTENDERS];
  void *run[GRADYN_CONTENDERS]; /* their objects; NULL: not needed yet */
  double *x;                    /* [nx] initial data */
  int first;                    /* which of them runs begin with */
  bool made;
  bool busy; /* work is being done; what it asks for itself is done by the method in force */
  bool cut;  /* the quick one was given up in this work for its steps alone */
  bool either_route; /* gradients direct or adjoint, whichever is less work */
  long most; /* steps with which a run of the quick one is given up; 0: all that a run may have */
} gradyn_choice;

/* Whether options ask for what only `idas` knows. */
bool gradyn_choice_needs_idas(const struct gradyn_evaluator *ev);

/* Creates the method's object, or what there is to choose from. */
gradyn_status gradyn_choice_create(struct gradyn_evaluator *ev);
void gradyn_choice_clear(struct gradyn_evaluator *ev);

/* Makes the choice, if it is not made yet, by a run at the initial data, and puts the method in force that
 * work begins with. The model's data are those before. */
gradyn_status gradyn_choose(struct gradyn_evaluator *ev);

/* Takes over what another evaluator of the same problem has chosen, or chooses now: no run of its own. */
void gradyn_choice_follow(struct gradyn_evaluator *ev, struct gradyn_evaluator *other);

/* Whose turn it is with a piece of work on the model's present data: nobody's where there is no choice, or
 * where the work is a part of another piece. */
typedef enum gradyn_turn {
  GRADYN_NOBODYS,
  GRADYN_QUICKS,
  GRADYN_PATIENTS,
  GRADYN_AGAIN
} gradyn_turn;

/* Puts the method in force that the work begins with. Behind work that has ended so: whether it is to be done
 * again, by the method that is in force now; asked until it is not. */
gradyn_status gradyn_turn_begin(struct gradyn_evaluator *ev, gradyn_turn *turn);
bool gradyn_turn_passes(struct gradyn_evaluator *ev, gradyn_turn *turn, gradyn_status status);

#endif
