/* Users' functions: a list filled by the first build(), with which later builds are compared. The list also
 * stores arguments of calls, at which derivatives can be checked. Values of their formulas are real numbers,
 * whose imaginary part is a derivative after a complex step. */
#ifndef GRADYN_CORE_CALLBACK_H
#define GRADYN_CORE_CALLBACK_H

#include <complex.h>
#include <math.h>
#include <stdbool.h>

#include <gradyn/model.h>

/* Step of complex-step derivatives. Its square vanishes in double precision beside any number. */
#define GRADYN_COMPLEX_STEP 1e-40

/* Returns whether a user's formula gave a valid number: finite, and exactly real for real arguments. After a
 * complex step, the imaginary part may correspond to a derivative of at most 1e20.
 *
 * For real arguments no tolerance is possible: an imaginary round-off of 1e-30 would be a derivative of
 * 1e10. */
static inline bool gradyn_is_number(gradyn_scalar value, bool stepped)
{
  const double rest = fabs(cimag(value));
  return (rest == 0 || (stepped && (rest <= 1e-20 || rest <= 1e-20 * fabs(creal(value))))) &&
         isfinite(creal(value));
}

/* Returns a static text for messages: why a value is not finite or not real. */
const char *gradyn_number_fault(gradyn_scalar value);

/* Purpose of a function. It determines the type and the number of calls. */
typedef enum gradyn_callback_kind {
  GRADYN_OF_FORCE,
  GRADYN_OF_CONSTRAINT, /* called in orders 0, 1 and 2 */
  GRADYN_OF_ROLLING,    /* velocity-level constraint: called in orders 1 and 2 */
  GRADYN_OF_EQUATIONS,
  GRADYN_OF_INTEGRAND,
  GRADYN_OF_TERMINAL,
  GRADYN_OF_GUARD,
  /* condition of an event, which happens only where the condition is positive; never differentiated */
  GRADYN_OF_CONDITION,
  GRADYN_OF_RESET, /* velocities or states after an event; several results */
  GRADYN_OF_MEASURE,
  GRADYN_OF_CUSTOM /* a measure of time, state and data */
} gradyn_callback_kind;

/* The arrays of gradyn_at, in the order in which their entries are numbered as arguments. The time is
 * argument 0. For a measure, y stands for the inputs of its formula. */
typedef enum gradyn_seen {
  GRADYN_SEES_POS,
  GRADYN_SEES_VEL,
  GRADYN_SEES_ACC,
  GRADYN_SEES_LAM,
  GRADYN_SEES_Y,
  GRADYN_SEES_YP,
  GRADYN_SEES_U,
  GRADYN_SEES_DATA,
  GRADYN_SEEN
} gradyn_seen;

/* Source of an argument. A datum is given by its index in x, signal k by GRADYN_FROM_SIGNAL - k. */
enum {
  GRADYN_FROM_STATE = -1,   /* depends on the state */
  GRADYN_FROM_NOTHING = -2, /* derivatives by it are not used */
  GRADYN_FROM_TIME = -3,
  GRADYN_FROM_SIGNAL = -4
};

typedef struct gradyn_callback {
  gradyn_callback_kind kind;
  char *name;
  gradyn_model *model; /* model to which the list belongs */
  void (*fn)(void);    /* its type follows from kind */
  void *user;
  int functional;        /* index of the functional it belongs to; -1: none */
  int size[GRADYN_SEEN]; /* lengths of the arrays that it reads */
  /* entries before the first one of an array: those of id 0 in arrays by ids, in lists none */
  int spare[GRADYN_SEEN];
  int arguments; /* 1 + the sum of size and spare */
  int results;
  int *source;  /* [arguments], source of each argument */
  bool *unused; /* [results] forces: true for coordinates that do not move */
  double *seen; /* [capacity][arguments], stored arguments, spread evenly over all calls */
  int capacity, count;
  /* every stride-th call is stored; `wait`: calls before the next one, < 0: no call is stored */
  long stride, wait;
  /* 0: derivatives have not been checked. Otherwise 1 + the number of arguments by which they were checked;
   * no more calls are then stored */
  int looked;
} gradyn_callback;

/* Adds a function to the list in the first build(). Later builds compare the function with the entry of the
 * same index; a difference is a build error.
 *
 * The members kind, name, fn, user and functional of the prototype are used; name is copied, user is
 * borrowed. Returns the index of the function, or -1 if the name is missing or memory is exhausted. */
int gradyn_model_callback(gradyn_model *model, const gradyn_callback *prototype);

/* Sets the lengths of the arrays that function `number` reads and the number of its results, and allocates
 * all arrays of the entry. To be called once. spare: number of entries for id 0 before each array, ignored
 * for empty arrays; derivatives with respect to them are not used. All other arguments except the time then
 * count as dependent on the state. GRADYN_NO_MEMORY, with a message. */
gradyn_status gradyn_callback_size(gradyn_model *model, int number, const int size[GRADYN_SEEN],
                                   const int spare[GRADYN_SEEN], int results);

/* Returns the index, among all arguments of a function, of entry i of an array that it reads. i counts from
 * 0 after the spare entries; negative: a spare entry. */
int gradyn_callback_index(const gradyn_callback *callback, gradyn_seen array, int i);

/* Completes, when the model is finalised, the entries of functions that depend on the whole model:
 * measures, functionals, guards and resets. Then discards all stored arguments. Error: GRADYN_NO_MEMORY,
 * with a message. */
gradyn_status gradyn_callbacks_finalise(gradyn_model *model);
/* Frees all entries of the list and the list; to be called once, with the model. */
void gradyn_callbacks_free(gradyn_model *model);

/* Writes the message of a user's function that returned `status` at time t, s, including the text that the
 * function gave to gradyn_callback_error(). `what` is the kind of the element, `name` its name. Returns the
 * status. */
gradyn_status gradyn_callback_failed(gradyn_model *model, gradyn_status status, const char *what,
                                     const char *name, double t) __attribute__((cold));

/* Writes a name such as "force drag" into buffer [size], cut if necessary, and returns the buffer. */
const char *gradyn_callback_name(const gradyn_callback *callback, char *buffer, size_t size);
/* Writes the name of an argument as in the user's source, for example "at->vel[2]", into buffer [size], cut
 * if necessary. argument: index from 0; 0 is the time. Returns buffer. */
const char *gradyn_callback_argument(const gradyn_callback *callback, int argument, char *buffer,
                                     size_t size);
/* Writes the name of a result, for example "force[1]", into buffer [size], cut if necessary. result: index
 * from 0. Returns buffer. */
const char *gradyn_callback_result(const gradyn_callback *callback, int result, char *buffer,
                                   size_t size);

/* Stores the real parts of the arguments of a call in `seen`, after gradyn_callback_size().
 * gradyn_callback_note() selects the calls. */
void gradyn_callback_keep(gradyn_callback *callback, const gradyn_at *at);
/* Discards all stored arguments, so that the next call is stored. */
void gradyn_callback_forget(gradyn_callback *callback);
/* Sets callback->looked, 1 + the number of checked arguments, and stops the storage of calls until
 * gradyn_callback_forget(). */
void gradyn_callback_looked(gradyn_callback *callback, int looked);
/* Calls the function with argument [arguments], in the order of gradyn_seen after the time. Fills result
 * [results]; constraints: by order. Unused entries, and entries that the function leaves unset, are zero.
 * Errors, without a message: the status of the function; GRADYN_NON_FINITE, if a used result is no number
 * (gradyn_is_number()). */
gradyn_status gradyn_callback_call(const gradyn_callback *callback, const gradyn_scalar *argument,
                                   gradyn_scalar *result);

#endif
