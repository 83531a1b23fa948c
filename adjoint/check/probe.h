/* Check of derivatives by states, data and time: values of a model and their arguments. */
#ifndef GRADYN_ADJOINT_CHECK_PROBE_H
#define GRADYN_ADJOINT_CHECK_PROBE_H

#include "adjoint/check/check.h"
#include "core/linear/arena.h"

/* The argument that changes: one entry of the state, one datum, one parameter, time, the state on a straight
 * line, or the state with time. */
typedef enum gradyn_moves {
  GRADYN_BY_STATE,
  GRADYN_BY_DATUM,
  GRADYN_BY_PARAMETER,
  GRADYN_BY_TIME,
  GRADYN_BY_LINE,
  GRADYN_BY_MOTION
} gradyn_moves;

/* Values that depend on a state, data and time, and their declared derivatives. Embedded in the structs of
 * the parts. */
typedef struct gradyn_probe {
  gradyn_checking *c;
  int rows, ns; /* numbers of values and of state entries */
  double t;
  /* [ns] the state, the changed state, and typical changes of its entries */
  double *base, *moved, *size;
  double *exact;           /* [ns] derivatives [rows] by the argument */
  gradyn_suspect *suspect; /* [rows] */
  double *dx;              /* [nx] a unit direction while a datum changes, otherwise zero */
  gradyn_moves by;
  int index;          /* index of the entry or datum */
  const double *line; /* [line_count] direction of the first entries of the state */
  int line_count;
  double step; /* typical step on the line */
  /* values may exist only at the state itself: impossible comparisons are omitted */
  bool narrow;
  bool *stuck; /* [nx] data that cannot be compared, without a report; NULL: this is an error */
  const bool *marked;    /* [nx] data that cannot be compared where values have kinks; NULL: none */
  const double *typical; /* [rows] sizes of values, which may be zero at this state; NULL: none */
  /* [rows] consecutive values with the same number have one scale; NULL: all values */
  const int *group;
  bool apart;           /* each group has its own largest error: [groups] */
  gradyn_differences d; /* [ns] */
  gradyn_arena arena;   /* owns all arrays */

  /* Evaluates the values at time t and the state `moved`. */
  gradyn_status (*values)(struct gradyn_probe *p, double t, double *value);
  /* Adds the derivatives by the argument to `exact`, which is zero. */
  gradyn_status (*derive)(struct gradyn_probe *p);
  /* NULL, or returns whether any value depends on entry or datum `index`. */
  bool (*depends)(const struct gradyn_probe *p);
  /* NULL, or makes further comparisons with `exact`. */
  void (*compare)(struct gradyn_probe *p, const char *where);
  /* NULL, or returns the name of a value, for messages in which the name of the argument is not enough. */
  const char *(*value_name)(const struct gradyn_probe *p, int i);
} gradyn_probe;

/* Allocates the arrays for states of ns entries; *p must be zero but for members that the caller has set. The
 * first c->ny entries are those of the model with their sizes; the others have size 1. c must outlive *p.
 * Close the probe in any case. Error: GRADYN_NO_MEMORY, without a message. */
gradyn_status gradyn_probe_open(gradyn_probe *p, gradyn_checking *c, int ns);

/* Frees the arrays, not the object. */
void gradyn_probe_close(gradyn_probe *p);

/* Compares derivatives by `count` arguments of a kind with differences: entries, data or parameters with
 * the indices first, first + 1, ... For other kinds first is 0 and count 1. *w collects the errors; with
 * `apart`, it is an array [groups]. After each datum, the data at rho are loaded again. Wrong derivatives
 * and lack of time are no errors. Errors: GRADYN_INTERRUPTED; GRADYN_STEP_LIMIT, the deadline;
 * GRADYN_NON_FINITE, values do not exist near the state; failures of the model. */
gradyn_status gradyn_probe_compare(gradyn_probe *p, gradyn_moves by, int first, int count,
                                   gradyn_worst *w);

/* Returns the typical size of the argument that changes now, in its unit: differences have steps of up to
 * GRADYN_CHECK_STEP times this size. */
double gradyn_probe_step(const gradyn_probe *p);

#endif
