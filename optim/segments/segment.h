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

/* A functional at a given time. */
typedef struct gradyn_timed {
  double t;                        /* s, 0: the functional has no such time */
  const gradyn_functional_ops *of; /* its operations at that time */
} gradyn_timed;

/* A segment: its problem, its boundaries, and its evaluator. */
typedef struct gradyn_segment {
  gradyn_problem problem; /* the first member, so that build() finds the others */
  const gradyn_problem *of;
  const gradyn_evaluator *whole; /* this and the next two are borrowed */
  const gradyn_cut *start, *end; /* NULL: start or end of the whole motion */
  double from, to;               /* shares of the end time */
  /* [rows], path constraints sampled in this segment, as shares of the whole time; share 0: its start */
  const gradyn_limit_at *row;
  size_t rows;
  /* path constraints are sampled, here or in another segment: their bounds have no value */
  bool held;
  const gradyn_acting *acting; /* borrowed, as is the next one */
  gradyn_common *common;       /* all parameters, for build() */
  bool asks;                   /* the present build() perturbs the parameters that do not act */
  gradyn_param *params;        /* [param_count] */
  gradyn_timed *timed;         /* [functionals of the whole problem] */
  gradyn_evaluator *evaluator;
} gradyn_segment;

/* Checks whether a problem can be divided into segments, by the model of its evaluator.
 * GRADYN_UNSUPPORTED: the message names the obstacle. */
gradyn_status gradyn_segment_suits(const gradyn_evaluator *whole, gradyn_message *message);

/* Creates segment k with a method of this name. *out has the whole problem, the boundaries and their
 * times already.
 *
 * Do not move *out afterwards; clear it in any case. Failures have a message. */
gradyn_status gradyn_segment_create(size_t k, const char *method, gradyn_message *message,
                                    gradyn_segment *out);
void gradyn_segment_clear(gradyn_segment *s);

/* Whether a segment contributes to functional i of the whole problem. */
bool gradyn_segment_contributes(const gradyn_segment *s, size_t i);

/* Sets *grown, which is false before, to true if a parameter that does not act has changed a datum that
 * acts, in a build() at rho. Such a datum depends on other parameters than it did where these were found.
 * Errors are those of build(). */
gradyn_status gradyn_segment_verify(gradyn_segment *s, const double rho[], bool *grown);

/* Fills z [nz of its boundary] with positions and velocities at the start of a segment of a mechanism,
 * for its parameters rho. Its model then has these data. Errors: those of build() and of the assembly. */
gradyn_status gradyn_segment_start(gradyn_segment *s, const double rho[], double z[]);

#endif
