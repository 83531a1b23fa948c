/* Status codes: the results of all functions of gradyn that can fail. */
#ifndef GRADYN_STATUS_H
#define GRADYN_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

#if defined(_WIN32)
#define GRADYN_API
#else
#define GRADYN_API __attribute__((visibility("default")))
#endif

/* All statuses: enumerator, short name, class, sentence. The class states the action: MISUSE, correct the
 * call or the input. RECOVERABLE, try another point; only this one failed. FATAL, give up. */
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
  X(STIFF, "stiff", GRADYN_CLASS_RECOVERABLE,                                                      \
    "stability holds the steps of an explicit method down")                                        \
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

/* Result of a call: GRADYN_OK (0), or an error with the class and the sentence of GRADYN_STATUS_LIST. */
typedef enum gradyn_status {
#define GRADYN_STATUS_ENUM(id, name, kind, sentence) GRADYN_##id,
  GRADYN_STATUS_LIST(GRADYN_STATUS_ENUM)
#undef GRADYN_STATUS_ENUM
} gradyn_status;

/* What a caller can do after a status. */
typedef enum gradyn_status_class {
  GRADYN_CLASS_OK,          /* the call succeeded */
  GRADYN_CLASS_MISUSE,      /* correct the call or the input */
  GRADYN_CLASS_RECOVERABLE, /* this point failed; another point may succeed */
  GRADYN_CLASS_FATAL        /* give up; no other point helps */
} gradyn_status_class;

/* Returns the short name of a status, for example "not-assembled", or "unknown" for any other integer. The
 * text is static and never NULL. May be called from several threads. */
GRADYN_API const char *gradyn_status_name(int status);

/* Returns a sentence that explains a status; integers that are no status have one too. The text is static
 * and never NULL. May be called from several threads. */
GRADYN_API const char *gradyn_status_sentence(int status);

/* Returns the class of a status, and GRADYN_CLASS_FATAL for any other integer. May be called from several
 * threads. */
GRADYN_API gradyn_status_class gradyn_status_classify(int status);

/* Returns the version of the library as "major.minor.patch". The headers have theirs in GRADYN_VERSION. The
 * text is static and never NULL. May be called from several threads. */
GRADYN_API const char *gradyn_version(void);

#ifdef __cplusplus
}
#endif

#endif
