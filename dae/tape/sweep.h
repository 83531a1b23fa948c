/* Sweeps of derivatives over the records of a run, along it or against it, for all methods. A method states
 * how derivatives pass a step, a jump and a sample. */
#ifndef GRADYN_DAE_TAPE_SWEEP_H
#define GRADYN_DAE_TAPE_SWEEP_H

#include "dae/tape/tape.h"

/* How derivatives pass records, along the run or against it; `sweep`: the object of the method. Errors: those
 * of the method. */
typedef struct gradyn_record_ops {
  gradyn_status (*step)(void *sweep, int k); /* step k or, of idas, arc k, from 0 */
  gradyn_status (*jump)(void *sweep, int boundary);
  gradyn_status (*sample)(void *sweep, int record); /* index of the record */
} gradyn_record_ops;

/* Calls the entry of ops for record k, from 0, with `sweep`. Errors: those of the entry. */
gradyn_status gradyn_tape_pass(const gradyn_tape *s, int k, const gradyn_record_ops *ops,
                               void *sweep);

/* Calls the entries of ops, with `sweep`, for the first `count` records in their order, until one fails.
 * Errors: those of the entries. */
gradyn_status gradyn_tape_along(const gradyn_tape *s, int count, const gradyn_record_ops *ops,
                                void *sweep);

/* Calls the entries of ops, with `sweep`, for all records in reverse order, until one fails. Errors: those
 * of the entries. */
gradyn_status gradyn_tape_against(const gradyn_tape *s, const gradyn_record_ops *ops, void *sweep);

/* Returns the number of records up to and including the jump at a boundary, from 1; boundary 0: of all
 * records. */
int gradyn_tape_until(const gradyn_tape *s, int boundary);

/* After a run with these arcs and inner [nf]: sets slope [nf] to the derivatives of the outer functions by
 * inner, and end_bar [nf] to those by the end time, 0 of skipped functionals. */
void gradyn_tape_slopes(const gradyn_tape *s, const gradyn_arcs *arcs, const double *inner,
                        double *slope, double *end_bar);

/* The length of a step and the boundaries of its arc: its law, and its share of the arc. */
typedef struct gradyn_length {
  gradyn_length_law law;
  double share;
} gradyn_length;

/* Sets dh, changes of the length, for changes dt of the start of the step and db[0], db[1] of the boundaries;
 * 0 for a step that ends at an event, whose guard determines its length. All arrays [count], side by side. */
void gradyn_length_along(const gradyn_length *s, int count, const double *const db[2],
                         const double *dt, double *dh);

/* Transpose of gradyn_length_along(): adds h_bar [count], adjoints of the length, to those of the start,
 * t_bar [count], and of the boundaries, b_bar[0] and b_bar[1] [count]. */
void gradyn_length_against(const gradyn_length *s, int count, const double *h_bar, double *t_bar,
                           double *const b_bar[2]);

#endif
