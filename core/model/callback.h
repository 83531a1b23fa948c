/* Users' functions: what the first build() has given, with which later ones are compared, and arguments
 * that they have been called with, at which their derivatives can be looked at. */
#ifndef GRADYN_CORE_CALLBACK_H
#define GRADYN_CORE_CALLBACK_H

#include <gradyn/model.h>

/* What a function is, which decides how it is called. */
typedef enum gradyn_callback_kind {
  GRADYN_OF_FORCE,
  GRADYN_OF_CONSTRAINT, /* in its three orders */
  GRADYN_OF_ROLLING,    /* of velocities alone: in orders 1 and 2 */
  GRADYN_OF_EQUATIONS,
  GRADYN_OF_INTEGRAND,
  GRADYN_OF_TERMINAL,
  GRADYN_OF_GUARD,
  GRADYN_OF_CONDITION, /* that arms an event; nobody differentiates it */
  GRADYN_OF_RESET,     /* what an event sets; it has several results */
  GRADYN_OF_MEASURE
} gradyn_callback_kind;

/* The arrays of gradyn_at, in the order in which their entries are counted behind the time, which is
 * argument 0. What a measure's formula is computed from stands in the place of y. */
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

/* What an argument is: a datum by its index in x, a signal by GRADYN_FROM_SIGNAL less its number, or: */
enum {
  GRADYN_FROM_STATE = -1,   /* it moves with the state */
  GRADYN_FROM_NOTHING = -2, /* derivatives by it are not used */
  GRADYN_FROM_TIME = -3,
  GRADYN_FROM_SIGNAL = -4
};

typedef struct gradyn_callback {
  gradyn_callback_kind kind;
  char *name;
  gradyn_model *model; /* whose function it is */
  void (*fn)(void);    /* of the type that the kind says */
  void *user;
  int functional;        /* whose part it is; -1: of none */
  int size[GRADYN_SEEN]; /* entries of the arrays it sees */
  int arguments;         /* 1 and all of these */
  int results;
  int *source;  /* [arguments] what they are */
  bool *unused; /* [results] of a force: of coordinates that do not move */
  double *seen; /* [room][arguments] those it has been called with, evenly from all calls */
  int capacity, count;
  long stride,
      wait;   /* every stride-th call is kept, the next one behind `wait` others; < 0: none */
  int looked; /* 0, or its derivatives have been looked at, by one argument less; no more are kept */
} gradyn_callback;

/* Takes a function into the list, or compares it with what the first build() gave at its place, a
 * difference being a build error. kind, name, fn, user and functional of the prototype count. Its
 * number, -1 if there is none. */
int gradyn_model_callback(gradyn_model *model, const gradyn_callback *prototype);

/* Tells what function `number` sees, by sizes of arrays, and how many results it has. Takes all memory. */
gradyn_status gradyn_callback_size(gradyn_model *model, int number, const int size[GRADYN_SEEN],
                                   int results);
/* Where entry i of an array stands among the arguments. */
int gradyn_callback_place(const gradyn_callback *callback, gradyn_seen array, int i);

/* After sealing: of functions that see the whole model. */
gradyn_status gradyn_callbacks_finalise(gradyn_model *model);
void gradyn_callbacks_free(gradyn_model *model);

/* Of a function, of the model that is `what`, which has returned `status` at t: the message, with what it has
 * said by gradyn_callback_error(). Returns the status. */
gradyn_status gradyn_callback_failed(gradyn_model *model, gradyn_status status, const char *what,
                                     const char *name, double t) __attribute__((cold));

/* "force drag"; in buffer [size], which is returned. */
const char *gradyn_callback_name(const gradyn_callback *callback, char *buffer, size_t size);
/* What a user calls an argument, "at->vel[2]", and a result; in buffer [size], which is returned. */
const char *gradyn_callback_argument(const gradyn_callback *callback, int argument, char *buffer,
                                     size_t size);
const char *gradyn_callback_result(const gradyn_callback *callback, int result, char *buffer,
                                   size_t size);

/* Keeps the arguments of a call, of which `wait` others have been passed over; forgets those of all
 * calls. */
void gradyn_callback_keep(gradyn_callback *callback, const gradyn_at *at);
void gradyn_callback_forget(gradyn_callback *callback);

/* Notes by how many arguments, and one, its derivatives have been looked at: no more calls are kept. */
void gradyn_callback_looked(gradyn_callback *callback, int looked);

/* Calls it with arguments [arguments]; result [results], zero where it is unused. */
gradyn_status gradyn_callback_call(const gradyn_callback *callback, const gradyn_scalar *argument,
                                   gradyn_scalar *result);

#endif
