/* A part of a motion as a problem of its own. Its parameters are those of the whole, followed by the unknowns
 * at its start; its functionals what it adds to those of the whole, followed by the states at its end, unless
 * it is the last one, by those at its start if that has been assembled, and by rows of limits. The first part
 * begins as the whole does. */
#ifndef GRADYN_OPTIM_SEGMENT_H
#define GRADYN_OPTIM_SEGMENT_H

#include "core/model/limit.h"
#include "optim/segments/cut.h"

/* A functional that is taken at a time. */
typedef struct gradyn_timed {
  double t;                        /* s, 0: it is none of these */
  const gradyn_functional_ops *of; /* what is taken there */
} gradyn_timed;

typedef struct gradyn_segment {
  gradyn_problem problem; /* first, so that build() finds the rest */
  const gradyn_problem *of;
  const gradyn_evaluator *whole; /* borrowed, likewise the next two */
  const gradyn_cut *start, *end; /* NULL: the whole's own */
  double from, to;               /* shares of the end time */
  const gradyn_limit_at
      *row; /* [rows] limits held in it, shares of the whole; share 0: its start */
  size_t rows;
  bool held;            /* limits are held somewhere: sides are silent */
  gradyn_param *params; /* [param_count] */
  gradyn_timed *timed;  /* [functionals of the whole] */
  gradyn_evaluator *evaluator;
} gradyn_segment;

/* Whether a problem can be run in parts, by its evaluator's model: GRADYN_UNSUPPORTED with what stands
 * against it, by name. */
gradyn_status gradyn_segment_suits(const gradyn_evaluator *whole, gradyn_message *message);

/* Part k, of what *out says of the whole, its cuts and where they are, by a method of the name.
 * Does not move from then on. To be cleared in any case; reasons of failures go to the message. */
gradyn_status gradyn_segment_create(size_t k, const char *method, gradyn_message *message,
                                    gradyn_segment *out);
void gradyn_segment_clear(gradyn_segment *s);

/* Positions and velocities z [nz of its cut] at the start of a part of a mechanism, for its parameters rho,
 * whose data its model has then. */
gradyn_status gradyn_segment_start(gradyn_segment *s, const double rho[], double z[]);

#endif
