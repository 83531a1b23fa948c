/* The integration of a run with IDAS as a list of records: arcs, jumps and samples. An observer carries
 * sensitivities along, records a trajectory, or has steps stored for a run backward. */
#ifndef GRADYN_DAE_IDAS_RUN_H
#define GRADYN_DAE_IDAS_RUN_H

#include "dae/idas/idas.h"

/* A consistent state at a boundary. */
typedef struct gradyn_idas_node {
  double t;       /* s */
  double *y, *yp; /* [ny] */
  double *g;      /* [nq] integrands */
} gradyn_idas_node;

/* Returns the state of a stored run at a boundary, from 0; side: GRADYN_BEFORE or GRADYN_AFTER its event.
 * Valid until the next run. */
gradyn_idas_node gradyn_idas_node_at(const gradyn_idas *s, int boundary, int side);

/* Enters the discrete state at a boundary, from 0, on the side GRADYN_BEFORE or GRADYN_AFTER its event. */
void gradyn_idas_enter_side(const gradyn_idas *s, int boundary, int side);

/* Returns the side, GRADYN_BEFORE or GRADYN_AFTER an event, of record k of the list, from 0, which is a
 * sample. */
int gradyn_idas_sample_side(const gradyn_idas *s, int k);

/* Runs from the start to the end with s->observer; if this run makes too little progress, it is repeated as
 * a careful run. Sets psi [nf], or NULL. Nodes are stored if the observer has records, or stores steps.
 * Errors: those of gradyn_idas_begin(), gradyn_idas_failed(), the observer, events and functionals;
 * GRADYN_NON_FINITE, a functional. */
gradyn_status gradyn_idas_run(gradyn_idas *s, double *psi);

/* --- stored steps of arcs, in stored.c ---------------------------------------------------------- */

/* Integrates arc k, from 0, from its start to its end. */
typedef gradyn_status gradyn_idas_advance_fn(gradyn_idas *s, int k);

/* Integrates arc k, counted from 0, by `advance`, and stores its steps. If the memory for steps is
 * exhausted, it grows, and the arc is integrated again. Errors: those of `advance`; GRADYN_NO_MEMORY. */
gradyn_status gradyn_idas_store_arc(gradyn_idas *s, int k, gradyn_idas_advance_fn *advance);
/* Frees the IDAS objects of a run, and keeps the capacities; may be repeated. */
void gradyn_idas_stored_release(gradyn_idas *s);
/* Sets the capacity of all arcs of the next runs, in steps. Results do not depend on it. */
void gradyn_idas_stored_resize(gradyn_idas *s, long capacity);

#endif
