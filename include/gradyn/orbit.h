/* Small disturbances of a motion: its transition matrix, and periodic orbits with their Floquet
 * multipliers. Smooth motions go by the explicit method of order 8, whichever method the evaluator has;
 * those with events by the evaluator's, its tolerance lowered to 1e-12 where it has one. */
#ifndef GRADYN_ORBIT_H
#define GRADYN_ORBIT_H

#include <gradyn/evaluate.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What disturbances at the start of a run become until its end. The state that is disturbed is that
 * of independent coordinates u of a mechanism and their rates, or all differential states of general
 * equations. */
typedef struct gradyn_transition {
  size_t size;
  char (*name)[64];    /* [size] such as "2.x" and "2.vx" */
  double *start, *end; /* [size] */
  double *matrix;      /* [size][size], row by row: end by start */
} gradyn_transition;

/* Simulates at rho [parameters]. wanted [wanted_count]: names of coordinates of a mechanism that are to be
 * independent; others follow from the constraints at the start. Clear the result in any case. */
GRADYN_API gradyn_status gradyn_transition_find(gradyn_evaluator *evaluator, const double rho[],
                                                const char *const wanted[], size_t wanted_count,
                                                gradyn_transition *out);
GRADYN_API void gradyn_transition_clear(gradyn_transition *t);

typedef struct gradyn_orbit_spec {
  const char *const *wanted; /* [wanted_count] as above; may be NULL */
  size_t wanted_count;
  bool fixed_period; /* the run's end time is the period; otherwise it is a first guess */
  /* Name of an event that the orbit comes back to: the initial state is just behind it, or is to become so,
   * and the period is the time until it has happened `returns` times (0: 1) again, which must be before
   * the end time. NULL: the orbit begins on a smooth piece. */
  const char *section;
  int returns;
  int max_iterations; /* 0: 30 */
} gradyn_orbit_spec;

/* A periodic orbit. */
typedef struct gradyn_orbit {
  gradyn_transition transition; /* over one period: its matrix is the monodromy matrix */
  double period;                /* s */
  double *multiplier;           /* [size][2] real and imaginary parts, the largest first */
  double *start_slope;          /* [size][parameters] d start/d rho */
  double *period_slope;         /* [parameters] d period/d rho, s over the parameter's unit */
  gradyn_event_record *event;   /* [event_count] of one period */
  size_t event_count;
  int iterations; /* of Newton's method */
  double gap;     /* largest |end - start|, over the largest state */
} gradyn_orbit;

/* Finds the orbit near the motion from the initial state at rho [parameters], by Newton's method on
 * the initial state and, unless it is fixed, the period. With a free period and no section the start moves
 * across the orbit only, also in start_slope. Coordinates that an event's map relabels or shifts come back as
 * the map leaves them. GRADYN_NOT_CONVERGED: there is none near, or it is not isolated; GRADYN_EVENT: what
 * happens on the way has no definite course. Clear the result in any case. */
GRADYN_API gradyn_status gradyn_orbit_find(gradyn_evaluator *evaluator, const double rho[],
                                           const gradyn_orbit_spec *spec, gradyn_orbit *out);
GRADYN_API void gradyn_orbit_clear(gradyn_orbit *orbit);

#ifdef __cplusplus
}
#endif

#endif
