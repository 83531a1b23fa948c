/* Statics of a clamped ANCF beam of the full model under a force at its tip, and the inextensible elastica to
 * which it converges. Length and bending stiffness are 1. */
#ifndef GRADYN_TESTS_MBS_ANCF_CANTILEVER_H
#define GRADYN_TESTS_MBS_ANCF_CANTILEVER_H

enum { CANTILEVER_ELEMENTS = 32, CANTILEVER_SIZE = 6 * (CANTILEVER_ELEMENTS + 1) };

typedef struct cantilever {
  int dim, elements;
  double axial;        /* E A, in units of E I / length^2 */
  double direction[3]; /* [dim] of the force, across the beam, which lies along x */
} cantilever;

/* Tip displacement [dim] under the force, raised in `steps` equal steps; fails the test unless
 * Newton's method converges. Returns the largest number of iterations of a step. */
int cantilever_bend(const cantilever *c, double force, int steps, double *tip);

/* Deflection along the force (y) and against the beam (-x) of the inextensible elastica. */
void elastica_tip(double force, double *along, double *back);

#endif
