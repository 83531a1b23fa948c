/* The steps of an explicit march as a list, which the next march may repeat. */
#ifndef GRADYN_DAE_EXPLICIT_LIST_H
#define GRADYN_DAE_EXPLICIT_LIST_H

#include "core/base/message.h"
#include "dae/events/arcs.h"

typedef struct gradyn_onestep gradyn_onestep;

/* Steps are long: looks divide them into so many parts. */
enum { GRADYN_ONESTEP_PARTS = 8 };

/* The laws of the length of a step: a share of its arc; given; the rest of its arc; until an event. */
typedef enum gradyn_length_law {
  GRADYN_LENGTH_SHARE,
  GRADYN_LENGTH_GIVEN,
  GRADYN_LENGTH_REST,
  GRADYN_LENGTH_EVENT
} gradyn_length_law;

/* A step of an arc. */
typedef struct gradyn_onestep_step {
  int arc;
  gradyn_length_law law;
  double t, h;         /* start and length, s */
  double start, share; /* the same relative to the arc, for a run that repeats the steps */
} gradyn_onestep_step;

/* The law of a step that an event ends, or that is the last one of its arc. */
gradyn_length_law gradyn_onestep_law(const gradyn_onestep *s, bool event, bool last);

/* The longest steps that a march with events may take, whose own steps cannot be given: from times on. */
typedef struct gradyn_onestep_limits {
  double *from, *length; /* [room] s; one block */
  int count, capacity;   /* 0: there are none */
  int at;                /* that in force */
  int given; /* steps of the next march, which are listed already; 0: they follow from the error */
  long most; /* steps that a run may be foreseen to take; 0: those of the options */
} gradyn_onestep_limits;

/* Has the next march repeat the steps of the last one, `merge` of them joined where an arc has so many, and
 * each divided into `parts`; merge 0: steps follow from the error again, none longer than those of the last
 * one over `parts`, or, with parts 0, as long as it lets them. Where there are events, which end
 * steps wherever they are, steps follow from the error still, but are at most about so long; they are not
 * joined. GRADYN_UNSUPPORTED: with the data there are there are other arcs than those of the steps. */
gradyn_status gradyn_onestep_repeat(gradyn_onestep *s, int merge, int parts);

/* Arcs between knots of signals and instants of functionals, with the data there are. */
gradyn_status gradyn_onestep_find_arcs(gradyn_model *model, gradyn_arcs *arcs);
/* Those of the next march. GRADYN_UNSUPPORTED: the steps that it is given are those of others. */
gradyn_status gradyn_onestep_fit_arcs(gradyn_onestep *s);

/* The longest step from time t on, s. Times do not go back within a pass, which begins with limits.at 0. */
double gradyn_onestep_longest(gradyn_onestep *s, double t);

/* Room for step k and the state behind it. */
gradyn_status gradyn_onestep_reserve_step(gradyn_onestep *s, int k);

#endif
