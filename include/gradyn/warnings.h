/* Warnings: why a result may be unreliable although its status is ok. */
#ifndef GRADYN_WARNINGS_H
#define GRADYN_WARNINGS_H

#include <gradyn/describe.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Kinds of warnings. Their numbers do not change; docs/warnings.md has causes and remedies. */
typedef enum gradyn_warning_code {
  GRADYN_WARNING_STEPS_SUBDIVIDED = 1,         /* fixed steps without a solution were subdivided */
  GRADYN_WARNING_ADJOINT_GROWTH = 2,           /* fixed steps are too long for derivatives */
  GRADYN_WARNING_SLIP_JUMP = 3,                /* a slip changes too much within a step */
  GRADYN_WARNING_SLIP_EXIT = 4,                /* a slip leaves its transition velocity too fast */
  GRADYN_WARNING_UNDECLARED_DISCONTINUITY = 5, /* the equations jump without an event */
  GRADYN_WARNING_ILL_DETERMINED = 6,           /* errors of the steps change a functional */
  GRADYN_WARNING_GRADIENT_ACCURACY = 7,        /* a derivative is less accurate than requested */
  GRADYN_WARNING_MOMENTUM_BALANCE = 8,         /* jump of momentum and impulses differ */
  GRADYN_WARNING_IMPACT_ENERGY = 9,            /* an impact gains energy without a drive */
  GRADYN_WARNING_ADHESIVE_IMPACT = 10,         /* the impulse of a contact pulls */
  GRADYN_WARNING_UNRESOLVED_BOUNCE = 11,       /* a short bounce was left out */
  GRADYN_WARNING_KINK = 12,                    /* an integrand has a kink */
  GRADYN_WARNING_EVENT_HAS_NO_EFFECT = 13,     /* an event has no effect */
  GRADYN_WARNING_DISCRETISATION = 14,          /* an optimum depends on the steps */
  GRADYN_WARNING_DIRECT_ADJOINT_MISMATCH = 15, /* both sensitivities differ */
  GRADYN_WARNING_SMOOTH_MAXIMUM = 16,          /* an exact maximum exceeds its bound */
  GRADYN_WARNING_CONTROL_OVERSHOOT = 17,       /* a signal exceeds the bounds of its knots */
  GRADYN_WARNING_PATH_UNCHECKED = 18,      /* a path constraint was checked at some times only */
  GRADYN_WARNING_VALUE_ACCURACY = 19,      /* a functional is less accurate than requested */
  GRADYN_WARNING_ACCURACY_UNKNOWN = 20,    /* the error could not be estimated */
  GRADYN_WARNING_ENERGY_DRIFT = 21,        /* a constant energy drifts */
  GRADYN_WARNING_SIMULTANEOUS_EVENTS = 22, /* derivatives depend on the order of events */
  GRADYN_WARNING_OTHER_EVENTS = 23,        /* differences compare runs with other events */
  GRADYN_WARNING_DIFFERENCE_NOISE = 24,    /* differences are uncertain */
  GRADYN_WARNING_UNSTABLE_AT_REST = 25,    /* steps are unstable for states at rest */
  GRADYN_WARNING_EARLIER_VERSION = 26      /* a text from a journal of an earlier version */
} gradyn_warning_code;

/* A warning. NAN: the number is not known or does not apply. Texts live until the next call with the
 * evaluator, or as long as the result that has the warning. */
typedef struct gradyn_warning {
  gradyn_warning_code code; /* kind of the warning */
  double t;                 /* time of the first occurrence, s */
  double value;             /* observed value, in `unit` */
  double limit;             /* accepted value, in `unit` */
  double suggestion;        /* step, s, or relative tolerance that would suffice */
  long count;               /* number of occurrences, at least 1 */
  const char *subject; /* name of the object, or message of a failed run; "": the whole model */
  const char *unit;    /* of value and limit; "": dimensionless */
  const char *text;    /* one line formed from the members above */
} gradyn_warning;

/* Returns the short name of a code, for example "gradient-accuracy"; "unknown" for any other number. The
 * text is static and never NULL. May be called from several threads. */
GRADYN_API const char *gradyn_warning_name(gradyn_warning_code code);

/* Returns the cause of a code in a sentence; "" for any other number. The text is static and never NULL.
 * May be called from several threads. */
GRADYN_API const char *gradyn_warning_cause(gradyn_warning_code code);

/* Returns the remedy of a code in a sentence; "" for any other number. The text is static and never NULL.
 * May be called from several threads. */
GRADYN_API const char *gradyn_warning_remedy(gradyn_warning_code code);

/* Returns the number of warnings about the last result; 0 if there are none or the evaluator is NULL. A
 * call with warnings still returns GRADYN_OK. */
GRADYN_API size_t gradyn_evaluator_warning_count(const gradyn_evaluator *evaluator);

/* Returns warning i about the last result, counted from 0, in the order of codes. If there is none, its
 * code is 0 and its texts are "". Texts live until the next call with the evaluator. */
GRADYN_API gradyn_warning gradyn_evaluator_warning_at(const gradyn_evaluator *evaluator, size_t i);

/* Returns the texts of all warnings about the last result, one per line; "" if there are none. Never NULL.
 * The text lives until the next call with the evaluator. */
GRADYN_API const char *gradyn_evaluator_warnings(const gradyn_evaluator *evaluator);

#ifdef __cplusplus
}
#endif

#endif
