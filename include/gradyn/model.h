/* Building a model: what mechanisms and general DAEs have in common. */
#ifndef GRADYN_MODEL_H
#define GRADYN_MODEL_H

#include <stdbool.h>
#include <stddef.h>

#include <gradyn/numbers.h>
#include <gradyn/objective.h>
#include <gradyn/status.h>

#ifdef __cplusplus
extern "C" {
#else
/* A user's function of another signature would be called with wrong arguments: it does not compile. */
#pragma GCC diagnostic error "-Wincompatible-pointer-types"
#endif

/* The number type of everything a user writes: real in value, complex so that derivatives come out
 * of it by complex step. Use the type-generic functions of <gradyn/tgmath.h> (sqrt, sin, fabs, ...);
 * compare real parts only; what passes through a double loses its derivative. */
#ifdef __cplusplus
__extension__ /* C++ has no such type of its own */
#endif
    typedef double _Complex gradyn_scalar;

/* A number of the model with a name and a unit; the adjoint yields its sensitivity. */
typedef struct gradyn_datum {
  const char *name;    /* within its owner, e.g. "stiffness"; copied */
  const char *unit;    /* "" if dimensionless; copied */
  gradyn_scalar value; /* in that unit */
} gradyn_datum;

/* What user callbacks see: the state at one instant. Arrays that the model does not have are NULL, and have
 * no entries. All arrays are lent for the duration of the call. */
typedef struct gradyn_at {
  gradyn_scalar t;          /* s */
  const gradyn_scalar *pos; /* [points][axes], m: those that the function lists, in this order; of a
                               functional or event without a list all, in the order of their numbers */
  const gradyn_scalar *vel; /* [points][axes], m/s */
  const gradyn_scalar *acc; /* [points][axes], m/s^2 */
  const gradyn_scalar *lam; /* [constraints], unit of the constraint's force */
  const gradyn_scalar *y;   /* [states], general DAE */
  const gradyn_scalar *yp;  /* [states], rates of y, residuals only */
  const gradyn_scalar
      *u; /* [signals], values at t, indexed by what gradyn_signal() returned: of a force
                                those declared before it */
  const gradyn_scalar *data; /* [data_count], those of the element or functional that is called */
  const gradyn_scalar *of;   /* [measures], what a measure's formula is computed from */
  int points, axes;          /* of pos, vel, acc */
  int constraints;           /* of lam: all of the model, or those that a force reads */
  int states;                /* of y, yp */
  int signals;               /* of u */
  int data_count, measures;
  void *user;          /* the pointer given with the callback */
  gradyn_model *model; /* for gradyn_callback_error() and gradyn_user() */
} gradyn_at;

/* From a callback that fails: says why, in printf format; the text stands behind the name of the function in
 * the message of the call that fails. Returns GRADYN_CALLBACK, which the callback can return in turn. Nothing
 * is said if it returns GRADYN_OK after all. */
GRADYN_API gradyn_status gradyn_callback_error(const gradyn_at *at, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The pointer that the problem has as .user: in build(), and in callbacks by at->model. */
GRADYN_API void *gradyn_user(const gradyn_model *model);

/* Ends build(): every error of the declarations, each with its element's name, is in the model's
 * message. Returns GRADYN_OK or GRADYN_INVALID. */
GRADYN_API gradyn_status gradyn_built(gradyn_model *model);

/* Reports an error of the user's own in build(); printf format. build() goes on. */
GRADYN_API void gradyn_build_error(gradyn_model *model, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A name by a printf format, "link%d"; it lives as long as the model. build() runs often, its names never
 * change: only the first call forms them, later ones get them back in the same order. */
GRADYN_API const char *gradyn_name(gradyn_model *model, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The value of an integer setting of the problem; an unknown name is a build error and gives 0. */
GRADYN_API int gradyn_setting_value(gradyn_model *model, const char *name);

/* The numbers of an entry of the problem's params, by its place there: of a row, the first of
 * gradyn_row_count(); of a single variable, the only one. Rows before it, whose lengths are settings,
 * are skipped, as rho[place] would not. A place that does not exist is a build error. */
GRADYN_API const gradyn_scalar *gradyn_row(gradyn_model *model, const gradyn_scalar rho[],
                                           int place);
GRADYN_API int gradyn_row_count(gradyn_model *model, int place);

/* Makes the end time a number of build(), for example rho[T] in a time-optimal problem; s. Without
 * it the problem's t_end holds. Signals declared without an end of their own follow it. */
GRADYN_API void gradyn_end_time(gradyn_model *model, gradyn_scalar t_end);

/* A guess of a state over time, for searches in segments (gradyn_search.segments): values [count], in its
 * unit, at instants of equal distances behind the start, the last one at the end, with straight lines in
 * between; a single one tells where the state is to end. A state has the name of its column in
 * trajectories. Where a simulation fails, or has left the guess by ten times its size, the rest of the
 * motion begins on the straight line to the next of the values; elsewhere it begins as simulated. States
 * without a guess stay as they are there, rates of positions follow from those. Those of the first build()
 * count; what does not exist, or is not finite, is a build error. */
GRADYN_API void gradyn_guess(gradyn_model *model, const char *state, const double values[],
                             int count);

/* --- Signals: functions of time given by knots ------------------------------------------------ */

typedef enum gradyn_signal_kind {
  GRADYN_PIECEWISE_CONSTANT, /* count intervals */
  GRADYN_PIECEWISE_LINEAR,   /* count >= 2 knots */
  GRADYN_CUBIC_SPLINE        /* natural cubic spline through count >= 2 knots */
} gradyn_signal_kind;

typedef struct gradyn_signal_spec {
  const char
      *name; /* its data are called name.knot[0], ..., and name.time[0], ... if it has times */
  const char *unit;
  gradyn_signal_kind kind;
  int count;                  /* knots */
  const gradyn_scalar *knots; /* [count], copied */
  gradyn_scalar t_start;      /* time of the first knot, s */
  gradyn_scalar t_end;        /* time of the last knot, s; 0: the end time of the run */
  /* [count] s, increasing, copied: when knots are, of a piecewise constant signal when each value begins (the
   * first one holds before its time, too); NULL: at equal distances from t_start to t_end, which go without
   * if there are times. They are data, and may be parameters: rho[T] / 3 moves with an end time rho[T] */
  const gradyn_scalar *times;
} gradyn_signal_spec;

/* Declares a signal and returns its number. Before its start and after its end a signal keeps its
 * first and last value. */
GRADYN_API gradyn_signal_id gradyn_signal(gradyn_model *model, const gradyn_signal_spec *spec);

/* A signal that jumps from level to level at times of your own, which may be parameters. Levels
 * follow each other in the order of time, whatever that of the times is. */
typedef struct gradyn_switched_signal_spec {
  const char *name; /* its data are called name.time[0], ... and name.knot[0], ... */
  const char *unit;
  int count;                   /* levels */
  const gradyn_scalar *levels; /* [count], copied */
  const gradyn_scalar *times;  /* [count - 1] s, copied */
} gradyn_switched_signal_spec;

/* Declares such a signal and returns its number, as gradyn_signal() does. */
GRADYN_API gradyn_signal_id gradyn_switched_signal(gradyn_model *model,
                                                   const gradyn_switched_signal_spec *spec);

/* --- Functionals: psi = outer(w(t_end) + integral of g dt) ------------------------------------ */

typedef gradyn_status (*gradyn_functional_fn)(const gradyn_at *at, gradyn_scalar *value);

typedef struct gradyn_custom_functional_spec {
  const char *name;
  const char *unit;
  gradyn_functional_fn integrand; /* g(t, state, data); NULL if there is none */
  gradyn_functional_fn terminal;  /* w(t, state, data) at the end time; NULL if there is none */
  const gradyn_datum *data;       /* [data_count], its own numbers; may be NULL */
  int data_count;
  void *user; /* handed to the callbacks */
  /* time at which `terminal` is taken, s; 0: the end. At an event or where something jumps the motion before
   * counts. Steps of a fixed length must end there, if no signal jumps and there are no events; build() must
   * not set the end time then */
  double instant;
  /* What the callbacks read of a mechanism: points, base vectors of bodies, joint coordinates, first-order
   * states. As in forces and constraints at->pos, at->vel and at->acc have only these, in this order.
   * NULL: they have all, in the order of their numbers. Derivatives are taken by what is listed only. */
  const gradyn_variable_id *points; /* [point_count], each once; copied */
  int point_count;
  /* Of those also accelerations, and all multipliers; without, at->acc and at->lam are NAN. */
  bool reads_accelerations, reads_multipliers;
  bool reads_positions_only; /* at->vel is NAN too, which spares some methods work */
  /* Which states of general equations they read; the others are NAN in at->y. NULL: all. */
  const gradyn_variable_id *reads; /* [read_count], copied */
  int read_count;
} gradyn_custom_functional_spec;

/* Functionals return their number, to be used with the functions below. */

/* A functional written by the user, differentiated by complex step. */
GRADYN_API gradyn_functional_id gradyn_custom_functional(gradyn_model *model,
                                                         const gradyn_custom_functional_spec *spec);

/* A number, in the unit given, that build() computes from the parameters, such as a length that is to stay
 * below a limit. The search knows it and its derivatives without a simulation, and simulates no design that
 * violates a bound of it by far. */
GRADYN_API gradyn_functional_id gradyn_number(gradyn_model *model, const char *name,
                                              const char *unit, gradyn_scalar value);

/* Control effort: integral of the squared signal. */
GRADYN_API gradyn_functional_id gradyn_effort(gradyn_model *model, const char *name,
                                              gradyn_signal_id signal);

/* The end time itself, s. */
GRADYN_API gradyn_functional_id gradyn_final_time(gradyn_model *model, const char *name);

/* Kreisselmeier-Steinhauser maximum over time of a user's g(t, state, data): a smooth measure
 * (1/sharpness) ln( (1/T) integral of exp(sharpness g) dt ), from below max g. It is evaluated relative
 * to g at the start, from which g may grow by at most 700/sharpness. */
GRADYN_API gradyn_functional_id gradyn_smooth_maximum(gradyn_model *model,
                                                      const gradyn_custom_functional_spec *g,
                                                      double sharpness);

/* The largest value over time of a user's g(t, state, data), given as .integrand: exact, between steps
 * too, with the derivative at the instant where it is. At an end of the run, at an event or at a
 * signal's knot the larger side counts, and its time moves as the event or the knot does. Where two
 * places are as high (gradyn_extremes() tells) it is that of one of them. */
GRADYN_API gradyn_functional_id gradyn_maximum(gradyn_model *model,
                                               const gradyn_custom_functional_spec *g);

#ifdef __cplusplus
}
#endif

#endif
