/* When a constraint is enforced, and the modes of elements. */
#ifndef GRADYN_MBS_WHEN_H
#define GRADYN_MBS_WHEN_H

#include <stdbool.h>

/* During the motion, at its start, or at impacts as the gap of a contact. Constraints are stored in this
 * order. */
typedef enum mbs_when { MBS_IN_MOTION, MBS_AT_START, MBS_AT_IMPACTS, MBS_WHENS } mbs_when;

/* The modes of an element, one bit each, bit i for mode i, from 0; 0: all modes.
 * In other modes a constraint is replaced by s = 0 for a scalar s of its own, which has a mass but no forces.
 * In the modes of the constraint s is free and stays 0. Thus all modes have the same unknowns. The matrices
 * are regular if the constraints of the mode are independent. */
typedef struct mbs_modes {
  unsigned bits;
  bool shared; /* true for all constraints of a declaration except the first */
  /* index of the scalar s among points, its offset in q, its entry of the constraint's row in the Jacobian */
  int point, at, jac;
} mbs_modes;

#endif
