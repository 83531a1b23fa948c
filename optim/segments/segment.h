/* A segment of a motion as a separate problem.
 *
 * Its parameters are those of the whole problem that act in it, followed by the unknowns at its
 * start. The first segment begins as the whole motion does. Its functionals are its contributions to
 * those of the whole problem. Then follow the states at its end, except for the last segment, and the
 * states at its start if they are assembled. Sampled path constraints come last. */
#ifndef GRADYN_OPTIM_SEGMENT_H
#define GRADYN_OPTIM_SEGMENT_H

#include "core/model/limit.h"
#include "optim/segments/acting.h"
#include "optim/segments/cut.h"

/* A functional of the whole problem at a given time. */
typedef struct gradyn_timed {
  double t;                        /* s, 0: the functional has no such time */
  const gradyn_functional_ops *of; /* its operations at that time */
} gradyn_timed;

/* A segment: its problem, its boundaries, and its evaluator. */
typedef struct gradyn_segment {
  gradyn_problem problem; /* the first member, so that build() finds the others */
  const gradyn_problem *of;
  gradyn_evaluator *whole;       /* whole, start and end are borrowed */
  const gradyn_cut *start, *end; /* NULL: start or end of the whole motion */
  /* [nz of its end], only in the first segment: initial states in place of those of build(). NULL: none;
   * borrowed */
  const double *measured;
  double from, to; /* shares of the end time */
  /* [rows], path constraints sampled in this segment, as shares of the whole time; share 0: its start */
  const gradyn_limit_at *row;
  size_t rows;
  /* path constraints are sampled, here or in another segment: their bounds have no value */
  bool held;
  const gradyn_acting *acting; /* borrowed, as is the next one */
  gradyn_common *common;       /* all parameters, for build() */
  bool asks;                   /* the present build() perturbs the parameters that do not act */
  gradyn_param *params;        /* [param_count] */
  gradyn_timed *timed; /* [functionals of the whole problem]; owned, as are params and evaluator */
  gradyn_evaluator *evaluator;
} gradyn_segment;

/* Checks whether the problem of an evaluator, which has been evaluated, can be divided into segments. Errors,
 * with a message: GRADYN_UNSUPPORTED, for a constraint that depends on time, a latched value, or an event
 * that ends the run; GRADYN_NO_MEMORY. */
gradyn_status gradyn_segment_suits(const gradyn_evaluator *whole, gradyn_message *message);

/* Creates parameters and evaluator of segment k, from 0 (for messages), with the method of this name. The
 * caller has set whole, start, end, from, to, row, rows, held, acting and common of *out; all these, and
 * `method`, must outlive *out. Other members are 0. Do not move *out afterwards; clear it in any case.
 * Errors, with a message: GRADYN_NO_MEMORY; those of gradyn_evaluator_create(). */
gradyn_status gradyn_segment_create(size_t k, const char *method, gradyn_message *message,
                                    gradyn_segment *out);
/* Frees evaluator, params and timed, but does not reset the members; not to be repeated. */
void gradyn_segment_clear(gradyn_segment *s);

/* Returns whether a segment contributes to functional i, from 0, of the whole problem; s->evaluator
 * exists. */
bool gradyn_segment_contributes(const gradyn_segment *s, size_t i);

/* Calls build() at rho [parameters of the segment] with the other parameters perturbed. Sets *grown, which is
 * false before, if a datum that acts in the segment changes: the datum depends on more parameters than were
 * found. Errors, with the message of s->evaluator: those of build(). */
gradyn_status gradyn_segment_verify(gradyn_segment *s, const double rho[], bool *grown);

/* Fills z [nz of its boundary] with positions and velocities at the start of a segment of a mechanism at
 * rho [parameters of the segment], and loads these data into its model. Errors, with the message of its
 * evaluator: those of build() and of the assembly. */
gradyn_status gradyn_segment_start(gradyn_segment *s, const double rho[], double z[]);

#endif
