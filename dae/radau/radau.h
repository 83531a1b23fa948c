/* Radau IIA with three stages, of order 5: collocation at c = (4 -+ sqrt 6)/10 and 1. With step length h and
 * coefficients a_ij, the stages solve
 *
 *   r(t + c_i h, Z_i, w_i, x) = 0,   Z_i = z + h sum_j a_ij Z_j',   Z_j' given by Z_j and w_j.
 *
 * The step ends at the last stage. In the tableau, stage 0 is the state at the start of the step. */
#ifndef GRADYN_DAE_RADAU_H
#define GRADYN_DAE_RADAU_H

#include "core/linear/arena.h"
#include "dae/onestep/onestep.h"
#include "dae/radau/blocks.h"

enum { GRADYN_RADAU_STAGES = 3 };

typedef struct gradyn_radau {
  gradyn_implicit *system;
  gradyn_blocks real, pair;                           /* matrices of the simplified system */
  gradyn_blocks whole;                                /* matrix of the derivatives of a step */
  gradyn_implicit_slopes start;                       /* at the start of the present step */
  gradyn_implicit_slopes slopes[GRADYN_RADAU_STAGES]; /* at its stages */
  double *w, *Z, *r;                                  /* [3][nw], [3][nz], [3][nw] */
  double *change, *moved;                             /* [3][nw], [3][nz] changes by an iteration */
  double *column;                                     /* [3 nw] */
  double *before;      /* [3][nw] unknowns of the last successful step */
  double from, length; /* start and length of that step, s; 0: none */
  bool patterned;      /* blocks and derivatives are allocated for the pattern of the system */
  double made;         /* step length of the simplified factors, s; 0: none */
  gradyn_arena arena, of_pattern; /* owns the vectors; owns the derivatives */
} gradyn_radau;

extern const gradyn_onestep_scheme gradyn_radau_scheme;

/* Coefficients [3][3], row by row, of the rates at stages 1 to 3 of the tableau. */
extern const double gradyn_radau_a[GRADYN_RADAU_STAGES * GRADYN_RADAU_STAGES];

/* Returns the data of this scheme in a one-step method. */
static inline gradyn_radau *gradyn_radau_of(const gradyn_onestep *s)
{
  return s->own;
}

/* Evaluates the derivatives at a stage of the system, at t, s. If the pattern has new entries, nothing is
 * evaluated, *again is set, and derivatives of other stages are discarded. Errors: GRADYN_NO_MEMORY;
 * failures of the equations. */
gradyn_status gradyn_radau_slopes_at(gradyn_radau *s, double t, const double *stage,
                                     gradyn_implicit_slopes *out, bool *again);

/* Releases blocks and derivatives; may be repeated. */
void gradyn_radau_release_slopes(gradyn_radau *s);

/* Evaluates the derivatives at the stages of a step that starts at t and has length h, s, and factorises
 * the matrix for the step's derivatives. stages: those of the tableau, see gradyn_onestep. Errors:
 * GRADYN_SINGULAR, GRADYN_NON_FINITE; failures of the equations. */
gradyn_status gradyn_radau_linearise(gradyn_onestep *s, double t, double h, double *stages);

/* The function along of gradyn_onestep_scheme: propagates the changes in all batches of s through the step
 * *at. Errors: GRADYN_SINGULAR, GRADYN_NON_FINITE; failures of the equations. */
gradyn_status gradyn_radau_along(gradyn_onestep_batches *s, const gradyn_onestep_position *at);

/* The function against of gradyn_onestep_scheme, transpose of gradyn_radau_along() for *step. Adds adjoints
 * of the data to x_bar [rows][nx]. Errors: GRADYN_SINGULAR, GRADYN_NON_FINITE; failures of the
 * equations. */
gradyn_status gradyn_radau_against(gradyn_onestep_batches *s, const gradyn_onestep_position *step,
                                   double *x_bar);

#endif
