/* Small disturbances of a motion: transition matrices, and periodic orbits with their Floquet multipliers.
 * Motions without events are integrated by the explicit method of order 8. Those with events use the method
 * of the evaluator, with a relative tolerance of at most 1e-12 if it has one. */
#ifndef GRADYN_ORBIT_H
#define GRADYN_ORBIT_H

#include <gradyn/evaluate.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The transition matrix of a run: derivatives of the state at its end by the state at its start. The state
 * consists of independent coordinates of a mechanism and their rates, or of all differential states of
 * general equations. The arrays belong to the struct. */
typedef struct gradyn_transition {
  size_t size;         /* number of disturbed states */
  char (*name)[64];    /* [size] names, such as "2.x" and "2.vx" */
  double *start, *end; /* [size] states at the start and the end, each in its unit */
  double *matrix;      /* [size][size] end by start, unit of the row over that of the column */
} gradyn_transition;

/* Simulates at rho [parameters] and computes the transition matrix of the run. Takes names of coordinates
 * of a mechanism, wanted [wanted_count], that are to be independent; NULL if wanted_count is 0. The call
 * chooses the others. Release *out with gradyn_transition_clear() in any case. Errors: GRADYN_INVALID: an
 * argument is NULL, a name is unknown, or constraints relate the requested coordinates. GRADYN_NO_MEMORY.
 * The others are those of gradyn_evaluator_simulate(). */
GRADYN_API gradyn_status gradyn_transition_compute(gradyn_evaluator *evaluator, const double rho[],
                                                   const char *const wanted[], size_t wanted_count,
                                                   gradyn_transition *out);

/* Releases the arrays of a transition matrix and sets all members to zero; NULL is ignored. */
GRADYN_API void gradyn_transition_clear(gradyn_transition *t);

/* The periodic orbit to find. All zero: a free period without a section. */
typedef struct gradyn_orbit_spec {
  const char *const
      *preferred_coordinates; /* [wanted_count] coordinates to be independent; may be NULL */
  size_t preferred_count;     /* number of these names; 0: all are chosen */
  bool fixed_period; /* true: the end time of the run is the period; false: it is a first guess */
  /* Name of an event to which the orbit returns. The initial state is just after it, or is moved there. The
   * period is the time until the event has occurred `returns` times, which must be before the end time.
   * NULL: the orbit begins between events. */
  const char *section;
  int returns;        /* occurrences of that event in a period; 0: 1 */
  int max_iterations; /* of Newton's method; 0: 30 */
} gradyn_orbit_spec;

/* A periodic orbit. The arrays belong to the struct. */
typedef struct gradyn_orbit {
  gradyn_transition transition; /* over one period: its matrix is the monodromy matrix */
  double period;                /* s */
  /* [size][2] Floquet multipliers, dimensionless: real and imaginary parts, the largest magnitude first */
  double *multiplier;
  /* [size][parameters] d start/d rho, unit of the state over the parameter's */
  double *start_slope;
  double *period_slope;       /* [parameters] d period/d rho, s over the unit of the parameter */
  gradyn_event_record *event; /* [event_count] events of one period */
  size_t event_count;         /* number of these events */
  int iterations;             /* of Newton's method */
  double gap; /* largest |end - start|, relative to the largest state, dimensionless */
} gradyn_orbit;

/* Finds the periodic orbit near the motion from the initial state at rho [parameters]. Newton's method
 * solves for the initial state and, unless it is fixed, for the period. `spec` NULL: all members zero. If
 * the period is free and there is no section, the start moves only orthogonally to the orbit, also in
 * `start_slope`. If the map of an event renames or shifts coordinates, these return as the map leaves them.
 * Release *out with gradyn_orbit_clear() in any case. Errors: GRADYN_NOT_CONVERGED: there is no orbit near
 * this motion, or it is not isolated. GRADYN_EVENT: the event sequence is not well defined. GRADYN_INVALID:
 * an argument is NULL or a name is unknown. GRADYN_NO_MEMORY. The others are those of
 * gradyn_evaluator_simulate(). */
GRADYN_API gradyn_status gradyn_orbit_compute(gradyn_evaluator *evaluator, const double rho[],
                                              const gradyn_orbit_spec *spec, gradyn_orbit *out);

/* Releases the arrays of an orbit and sets all members to zero; NULL is ignored. */
GRADYN_API void gradyn_orbit_clear(gradyn_orbit *orbit);

#ifdef __cplusplus
}
#endif

#endif
