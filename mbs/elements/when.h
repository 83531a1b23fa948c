/* When a constraint holds, and to which modes elements belong. */
#ifndef GRADYN_MBS_WHEN_H
#define GRADYN_MBS_WHEN_H

/* In the motion, at its start, or at impacts, as the gap of a contact. Rows stand in this order. */
typedef enum mbs_when { MBS_IN_MOTION, MBS_AT_START, MBS_AT_IMPACTS, MBS_WHENS } mbs_when;

/* Bits of the modes that an element belongs to; 0: all. In the others the row of a constraint holds a
 * coordinate of its own, a scalar with a mass but without forces, at zero; in its modes that is free, and
 * stays there. So every mode has the same unknowns, and matrices as regular as its constraints are
 * independent. */
typedef struct mbs_modes {
  unsigned bits;
  int point, at, jac; /* the scalar, its offset in q, the row's entry of the Jacobian there */
} mbs_modes;

#endif
