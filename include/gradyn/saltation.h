/* Saltation matrices: what an event does to small disturbances of the state, Kong et al. (2023). */
#ifndef GRADYN_SALTATION_H
#define GRADYN_SALTATION_H

#include <gradyn/evaluate.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What is told of disturbances on one side of an event: positions that the constraints of its mode leave
 * independent, then rates. There are fewer rates where constraints hold what they have captured: a foot that
 * has landed elsewhere stays there. */
typedef struct gradyn_disturbances {
  size_t positions, rates;
  char (*name)[64]; /* [positions + rates], such as "2.x" and "2.x'" */
} gradyn_disturbances;

/* An event, and the matrix that takes disturbances just before it to those just behind it, at one and the
 * same time: Xi = R_y + (y+' - R_y y-' - R_t) r_y/(r_y y-' + r_t), on the manifolds of the constraints
 * before and behind. */
typedef struct gradyn_saltation {
  gradyn_event_record event;
  gradyn_disturbances before, behind;
  double *matrix; /* [all of behind][all of before], row by row */
} gradyn_saltation;

typedef struct gradyn_saltations {
  size_t count;
  gradyn_saltation *item; /* [count] in the order of time */
} gradyn_saltations;

/* Simulates a mechanism at rho [parameters] with the evaluator's method and finds the matrices of all
 * events. wanted [wanted_count]: names of coordinates that are to be independent wherever they can be;
 * others are chosen, the same for all events where they determine the rest. Behind events all that are
 * wanted are told, tied or not. Clear the result in any case. GRADYN_INVALID: a name is unknown, the
 * constraints of all modes tie those wanted together, or it is no mechanism. */
GRADYN_API gradyn_status gradyn_saltation_matrices(gradyn_evaluator *evaluator, const double rho[],
                                                   const char *const wanted[], size_t wanted_count,
                                                   gradyn_saltations *out);
GRADYN_API void gradyn_saltations_clear(gradyn_saltations *s);

#ifdef __cplusplus
}
#endif

#endif
