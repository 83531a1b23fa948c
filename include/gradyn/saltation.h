/* Saltation matrices: what an event does to small disturbances of the state, Kong et al. (2023). */
#ifndef GRADYN_SALTATION_H
#define GRADYN_SALTATION_H

#include <gradyn/evaluate.h>

/* An event, and the matrix that takes disturbances (du, du') of independent coordinates just before
 * it to those just after it, at one and the same time: Xi = R_y + (y+' - R_y y-' - R_t) r_y/(r_y y-'
 * + r_t), on the manifold of the constraints. */
typedef struct gradyn_saltation {
  gradyn_event_record event;
  double *matrix; /* [2 coordinates][2 coordinates], row by row */
} gradyn_saltation;

typedef struct gradyn_saltations {
  size_t coordinates;
  char (*name)[64]; /* [coordinates] of the coordinates, such as "2.x" */
  size_t count;
  gradyn_saltation *item; /* [count] in the order of time */
} gradyn_saltations;

/* Simulates a mechanism at rho [parameters] with the evaluator's method and finds the matrices of
 * all events. wanted [wanted_count]: names of coordinates that are to be independent; others follow
 * from the constraints at the start. Clear the result in any case. GRADYN_INVALID: a name is
 * unknown, the constraints tie those wanted together, or it is no mechanism. */
GRADYN_API gradyn_status gradyn_saltation_matrices(gradyn_evaluator *evaluator, const double rho[],
                                                   const char *const wanted[], size_t wanted_count,
                                                   gradyn_saltations *out);
GRADYN_API void gradyn_saltations_clear(gradyn_saltations *s);

#endif
