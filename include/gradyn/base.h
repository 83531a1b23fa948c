/* Basic definitions: statuses, version, scalars, and ids of the objects of a model. */
#ifndef GRADYN_BASE_H
#define GRADYN_BASE_H

#ifdef __cplusplus
extern "C" {
#endif

/* Status codes: the results of all functions of gradyn that can fail. */

#if defined(_WIN32)
#define GRADYN_API
#else
#define GRADYN_API __attribute__((visibility("default")))
#endif

/* All statuses: enumerator, short name, class, sentence. The class states the action: MISUSE: correct the
 * call or the input. RECOVERABLE: this point failed, try another one. FATAL: give up. */
#define GRADYN_STATUS_LIST(X)                                                                      \
  X(OK, "ok", GRADYN_CLASS_OK, "done")                                                             \
  X(INVALID, "invalid", GRADYN_CLASS_MISUSE, "an argument or a declaration is wrong")              \
  X(NOT_FOUND, "not-found", GRADYN_CLASS_MISUSE, "no such problem, parameter or file")             \
  X(UNSUPPORTED, "unsupported", GRADYN_CLASS_MISUSE, "this combination is not supported")          \
  X(IO, "io", GRADYN_CLASS_FATAL, "a file or folder cannot be read or written")                    \
  X(NO_MEMORY, "no-memory", GRADYN_CLASS_FATAL, "out of memory")                                   \
  X(NOT_ASSEMBLED, "not-assembled", GRADYN_CLASS_RECOVERABLE,                                      \
    "no initial state satisfies the constraints")                                                  \
  X(SINGULAR, "singular", GRADYN_CLASS_RECOVERABLE, "a linear system is singular")                 \
  X(NOT_CONVERGED, "not-converged", GRADYN_CLASS_RECOVERABLE, "an iteration did not converge")     \
  X(STIFF, "stiff", GRADYN_CLASS_RECOVERABLE, "stability limits the steps of an explicit method")  \
  X(STEP_LIMIT, "step-limit", GRADYN_CLASS_RECOVERABLE,                                            \
    "the end time was not reached within the allowed steps")                                       \
  X(NON_FINITE, "non-finite", GRADYN_CLASS_RECOVERABLE, "a number became infinite or undefined")   \
  X(EVENT, "event", GRADYN_CLASS_RECOVERABLE,                                                      \
    "events graze, accumulate, coincide or fail to happen")                                        \
  X(CALLBACK, "callback", GRADYN_CLASS_RECOVERABLE, "a user's function reported a failure")        \
  X(INFEASIBLE, "infeasible", GRADYN_CLASS_RECOVERABLE,                                            \
    "the search ended at a point that violates a constraint")                                      \
  X(STALLED, "stalled", GRADYN_CLASS_RECOVERABLE, "the search ended away from an optimum")         \
  X(CHECK_FAILED, "check-failed", GRADYN_CLASS_RECOVERABLE, "a derivative is wrong")               \
  X(INTERRUPTED, "interrupted", GRADYN_CLASS_FATAL, "stopped on request")                          \
  X(INTERNAL, "internal", GRADYN_CLASS_RECOVERABLE, "a fault of gradyn itself")

/* Result of a call: GRADYN_OK (0), or an error with the class and the sentence of GRADYN_STATUS_LIST. The
 * numbers follow the order of that list. */
typedef enum gradyn_status {
#define GRADYN_STATUS_ENUM(id, name, kind, sentence) GRADYN_##id,
  GRADYN_STATUS_LIST(GRADYN_STATUS_ENUM)
#undef GRADYN_STATUS_ENUM
} gradyn_status;

/* Classes of statuses: what the caller can do next. */
typedef enum gradyn_status_class {
  GRADYN_CLASS_OK,          /* the call succeeded */
  GRADYN_CLASS_MISUSE,      /* correct the call or the input */
  GRADYN_CLASS_RECOVERABLE, /* this point failed; another point may succeed */
  GRADYN_CLASS_FATAL        /* give up; no other point helps */
} gradyn_status_class;

/* Texts and class of a status. Texts are static and never NULL. */
typedef struct gradyn_status_info {
  /* short name, for example "not-assembled"; "unknown" for an integer that is no status */
  const char *name;
  const char *sentence;     /* explains the status, or states that the integer is no status */
  gradyn_status_class kind; /* class; GRADYN_CLASS_FATAL for an integer that is no status */
} gradyn_status_info;

/* Returns name, sentence and class of a status, or of any other integer. May be called from several
 * threads. */
GRADYN_API gradyn_status_info gradyn_status_describe(int status);

/* Returns the version of the library as "major.minor.patch". The headers have theirs in GRADYN_VERSION. The
 * text is static and never NULL. May be called from several threads. */
GRADYN_API const char *gradyn_version(void);

/* Version of the headers, which the build reads too; gradyn_version() returns the version of the
 * library. */

#define GRADYN_VERSION_MAJOR 0
#define GRADYN_VERSION_MINOR 3
#define GRADYN_VERSION_PATCH 0
#define GRADYN_VERSION "0.3.0"

/* Numbers (ids) of the objects of a model: points, bodies, joints, functionals and so on.
 *
 * A declaring function returns the number of the object that it declares. Each kind counts from 1 in the
 * order of declaration; 0 stands for none. Points, slopes, base vectors, joint coordinates and first-order
 * states of a mechanism share one count, which includes those that the library declares. All these types are
 * int in C. The name of a type shows which number an argument expects. A type that is defined by another type
 * may be used wherever that other type is expected.
 *
 * Some arrays of gradyn_at are indexed by these numbers, and their entry 0 is NAN. The arrays are at->u and,
 * except in forces, at->lam. In callbacks without a list of points, at->pos, at->vel and at->acc are such
 * arrays, too. All other arrays count from 0. State i of general equations is at->y[i - 1]. Functional i is
 * psi[i - 1], and event i is gradyn_event_at(evaluator, i - 1).
 *
 * An object that cannot be declared has the number 0, and gradyn_build_status() reports the error. A later
 * declaration that uses this 0 reports no further error. A wrong value, such as a negative mass, is an error
 * too, but its object has a number. */

/* A model under construction and, once built, the system that is simulated. Opaque. It belongs to an
 * evaluator, which passes it to build() and, as at->model, to callbacks. */
typedef struct gradyn_model gradyn_model;

/* Number of a point, slope, joint coordinate, state or base vector of a body. The first four have types of
 * their own, below. */
typedef int gradyn_variable_id;
/* Number of a point of a mechanism. */
typedef gradyn_variable_id gradyn_point_id;
/* Number of the slope of a beam at a node: a vector with as many components as a point. */
typedef gradyn_point_id gradyn_slope_id;
/* Number of a joint coordinate: an angle or a distance. */
typedef gradyn_variable_id gradyn_coordinate_id;
/* Number of a first-order state of a mechanism, or of a state of general equations. States of general
 * equations count from 1 in the order of declaration. Their index in at->y, at->yp and residuals is one
 * less. */
typedef gradyn_variable_id gradyn_state_id;

/* Number of a rigid body. Some functions accept GRADYN_GROUND, which is no number of a body, for the
 * ground. */
typedef int gradyn_body_id;
/* Number of a frame of a body, of the ground or of a rod. */
typedef int gradyn_frame_id;
/* Number of a joint. */
typedef int gradyn_joint_id;
/* Number of a beam. */
typedef int gradyn_beam_id;
/* Number of a scalar constraint of the motion. A rod has one, a joint one or several with numbers that follow
 * each other. In natural coordinates the number is the index of the multiplier in at->lam. */
typedef int gradyn_constraint_id;
/* Number of a force. */
typedef int gradyn_force_id;
/* Number of a measure. */
typedef int gradyn_measure_id;
/* Number of a signal. */
typedef int gradyn_signal_id;
/* Number of a functional. Its index in psi, and its row in gradients, is one less. */
typedef int gradyn_functional_id;
/* Number of an event. The index of the event for gradyn_event_at() is one less. Some functions accept
 * GRADYN_ANY_EVENT instead. */
typedef int gradyn_event_id;
/* Number of a mode. Some functions accept GRADYN_EVERY_MODE, GRADYN_SAME_MODE or GRADYN_END. */
typedef int gradyn_mode_id;

/* Set of modes: bit k, from 0 with the value 1 << k, stands for mode k + 1; 0: all modes. See
 * gradyn_modes_of(). */
typedef unsigned gradyn_modes;

/* Number type of all user code. Values are real; the imaginary part carries a derivative (complex step).
 *
 * Use the type-generic functions of <gradyn/tgmath.h> (sqrt, sin, fabs, ...) and compare real parts only.
 * A conversion to double discards the derivative. */
#ifdef __cplusplus
__extension__ /* C++ has no such type of its own */
#endif
    typedef double _Complex gradyn_scalar;

#ifdef __cplusplus
}
#endif

#endif
