/* Saltation matrices: the effect of an event on small disturbances of the state (Kong et al. 2023). */
#ifndef GRADYN_SALTATION_H
#define GRADYN_SALTATION_H

#include <gradyn/evaluate.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The disturbances on one side of an event: independent positions in its mode, then rates. There are fewer
 * rates than positions where a constraint keeps a latched value, for example the position of a foot that
 * has landed. */
typedef struct gradyn_disturbances {
  size_t positions; /* number of positions */
  size_t rates;     /* number of rates */
  char (*name)[64]; /* [positions + rates] names, such as "2.x" (m) and "2.x'" (m/s) */
} gradyn_disturbances;

/* The saltation matrix of an event. It maps disturbances just before the event to those just after it, at
 * the same time, on the manifolds of the constraints.
 *
 *     Xi = R_y + (y+' - R_y y-' - R_t) r_y/(r_y y-' + r_t).
 *
 * Here y is the state before (-) and after (+), R the reset and r the guard. */
typedef struct gradyn_saltation {
  gradyn_event_record event;  /* the event; its name lives as long as the evaluator */
  gradyn_disturbances before; /* columns of the matrix */
  gradyn_disturbances after;  /* rows of the matrix: disturbances after the event */
  /* [rows][columns], unit of the row over that of the column */
  double *matrix;
} gradyn_saltation;

/* The saltation matrices of a run. The arrays belong to the struct. */
typedef struct gradyn_saltations {
  size_t count;           /* number of events */
  gradyn_saltation *item; /* [count] in the order of time */
} gradyn_saltations;

/* Simulates a mechanism at rho [parameters] and computes the saltation matrices of all events. Takes names
 * of coordinates, wanted [wanted_count], that are independent wherever they can be; NULL if wanted_count is
 * 0. The call chooses the other coordinates, the same for all events where they determine the rest. After
 * an event all requested coordinates are rows, also where constraints relate them. Release *out with
 * gradyn_saltations_clear() in any case. Errors: GRADYN_INVALID: an argument is NULL, a name is unknown,
 * the constraints of all modes relate the requested coordinates, or the model is no mechanism.
 * GRADYN_NO_MEMORY. The others are those of gradyn_evaluator_simulate(). */
GRADYN_API gradyn_status gradyn_saltations_compute(gradyn_evaluator *evaluator, const double rho[],
                                                   const char *const wanted[], size_t wanted_count,
                                                   gradyn_saltations *out);

/* Releases the arrays of saltation matrices and sets all members to zero; NULL is ignored. */
GRADYN_API void gradyn_saltations_clear(gradyn_saltations *s);

#ifdef __cplusplus
}
#endif

#endif
