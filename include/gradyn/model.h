/* Building a model: declarations that mechanisms and general equations have in common.
 *
 * A problem's build() declares the model. Declaring functions return no status: gradyn_build_status()
 * reports their errors. Each new parameter vector needs a call of build(), which must make the same
 * declarations with other numbers. Specs are copied, with their names and arrays. Units are SI. Names are
 * UTF-8 without control characters. Two points, functionals, events or modes must not have the same name.
 * If the model is NULL, declaring functions have no effect and return 0. */
#ifndef GRADYN_MODEL_H
#define GRADYN_MODEL_H

#include <stdbool.h>
#include <stddef.h>

#include <gradyn/base.h>

#ifdef __cplusplus
extern "C" {
#else
/* A user's function of another signature would be called with wrong arguments: it does not compile. */
#pragma GCC diagnostic error "-Wincompatible-pointer-types"
#endif

/* A number of the model with a name and a unit. Gradients by data have one entry for each. */
typedef struct gradyn_datum {
  const char *name;    /* name within its owner, for example "stiffness"; copied; NULL: "?" */
  const char *unit;    /* unit of the value; "" or NULL if dimensionless; copied */
  gradyn_scalar value; /* value, in that unit; must be finite and real */
} gradyn_datum;

/* State at one time, as callbacks see it. Arrays that the model does not have are NULL and have no
 * entries. All arrays are valid during the call only. */
typedef struct gradyn_at {
  gradyn_scalar t; /* time, s; NAN in the formula of a measure */
  /* [points][axes], positions, m, of the points that the function lists, in that order. A functional or
   * event without a list sees all points by their numbers. Then point p begins at pos[axes * p], and
   * entries before point 1 are NAN. A joint coordinate (rad or m) has its value in the first component, and
   * 0 in the others. A first-order state has its value in the first component of `vel`, and its rate in
   * that of `acc`: see gradyn_first_order_state_spec */
  const gradyn_scalar *pos;
  const gradyn_scalar *vel; /* [points][axes], velocities, m/s, of the same points */
  const gradyn_scalar *acc; /* [points][axes], accelerations, m/s^2, of the same points */
  /* multipliers, each in the unit of its constraint. In functionals and events lam has all multipliers,
   * indexed by the numbers of the constraints, and lam[0] is NAN. In a force it has those that the force
   * lists [constraints], from index 0 */
  const gradyn_scalar *lam;
  const gradyn_scalar *y;  /* [states], states of general equations, each in its unit, from 0 */
  const gradyn_scalar *yp; /* [states], rates of y, unit/s; in residuals only */
  /* values of the signals at t, each in its unit, indexed by the numbers of the signals; u[0] is NAN. In a
   * force u has the signals that were declared before the force. In a constraint u is NULL */
  const gradyn_scalar *u;
  const gradyn_scalar *data; /* [data_count], own data of the function, each in its unit */
  /* [measures], measures that the formula of a measure lists, each in its unit */
  const gradyn_scalar *of;
  /* number of points in pos, vel, acc, and of components of each: 2 or 3 axes; both 0 without points */
  int points, axes;
  /* number of multipliers in lam: all constraints or, in a force, those that it lists */
  int constraints;
  int states;               /* length of y and yp */
  int signals;              /* number of signals in u, which are u[1], ..., u[signals] */
  int data_count, measures; /* lengths of data and of `of` */
  void *user;               /* pointer given with the callback */
  gradyn_model *model;      /* for gradyn_callback_error() and gradyn_user() */
  /* Index of the first point in pos, vel, acc, and of the first multiplier in lam. It is 0 in a function that
   * lists its points or constraints, otherwise 1 */
  int first_point, first_constraint;
} gradyn_at;

/* Records the reason for which a callback fails. format: as for printf; NULL: "". The text is copied and
 * appended to the message of the evaluator, after the name of the callback.
 *
 * Texts of several calls follow each other, each on a line, and are truncated if too long. If at is NULL, the
 * text is discarded.
 *
 * Returns GRADYN_CALLBACK, for the callback to return. The text is discarded if the callback returns
 * GRADYN_OK. */
GRADYN_API gradyn_status gradyn_callback_error(const gradyn_at *at, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Returns the member .user of the problem, in build() and, with at->model, in callbacks. NULL if model is
 * NULL or the problem has none. The pointer belongs to the caller. */
GRADYN_API void *gradyn_user(const gradyn_model *model);

/* Checks whether all declarations of this call of build() were valid. Call it at the end of build(), and
 * return its result. The message of the evaluator lists the errors, each with the name of its object. More
 * than one call has no further effect.
 *
 * Returns GRADYN_OK, GRADYN_INVALID if a declaration was wrong or model is NULL, or GRADYN_NO_MEMORY. */
GRADYN_API gradyn_status gradyn_build_status(gradyn_model *model);

/* Reports an error of the user's own in build(). format: as for printf; the text is copied. The function
 * returns normally; gradyn_build_status() then returns GRADYN_INVALID. No effect if model is NULL. */
GRADYN_API void gradyn_build_error(gradyn_model *model, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Formats a name, for example "link%d". format: as for printf.
 *
 * build() is called often, always with equal names. Only the first call of build() formats them. In a later
 * call of build(), the k-th call of this function returns the k-th name and ignores its arguments. Returns
 * the name, which belongs to the model and lives as long as it. After an error the result is a constant
 * string; it is never NULL. */
GRADYN_API const char *gradyn_format_name(gradyn_model *model, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Returns the value of an integer setting of the problem: the choice of the user, or its `init`. An unknown
 * name, or NULL, is an error that gradyn_build_status() reports; the function then returns 0. */
GRADYN_API int gradyn_setting_value(gradyn_model *model, const char *name);

/* Returns the value of a column of the load cases, in the unit of the column, for the case of this model.
 * Returns `otherwise` if the problem has no cases, has no column `name`, or has no value for this case. There
 * are no derivatives by the value. A name NULL is an error that gradyn_build_status() reports; the function
 * then returns `otherwise`. */
GRADYN_API double gradyn_case_value(gradyn_model *model, const char *name, double otherwise);

/* Distribution of an uncertain number. Its value in the model is the mean. */
typedef enum gradyn_distribution {
  GRADYN_NORMAL, /* the spread is the standard deviation */
  GRADYN_UNIFORM /* the spread is half of the width */
} gradyn_distribution;

/* Declares that a number of the model is uncertain, with its value as mean. See
 * gradyn_uncertainty_compute().
 *
 * name: of a parameter, or of a datum, for example "A1.mass". If both have this name, the parameter is meant.
 *   The datum may be declared before or after this call. The name is copied.
 * spread: in the unit of the number, > 0. It may depend on parameters.
 *
 * Uncertain numbers are independent of each other. The distribution is used by gradyn_uncertainty_compute()
 * only; other calls use the mean. In a load case with a column NAME.offset they use the mean plus this offset
 * times the spread. Errors are reported by gradyn_build_status(): the spread is not positive, or the number
 * is declared twice. An unknown name is an error of gradyn_evaluator_create(). */
GRADYN_API void gradyn_uncertain(gradyn_model *model, const char *name,
                                 gradyn_distribution distribution, gradyn_scalar spread);

/* Returns the values of one entry of the problem's params, in the units of that entry.
 *
 * rho [parameters]: argument of build().
 * entry: index of the entry in params, from 0. This is no index into rho, because an entry that is an array
 *   has several values in rho.
 * count: receives the number of values, 1 or the length of an array; 0 for an array that a setting
 *   switches off. NULL: not requested.
 *
 * Returns a pointer into rho to *count values, which lives as long as rho; NULL if rho is NULL. An index
 * without an entry is an error that gradyn_build_status() reports; the function then returns rho, and the
 * count is 1. */
GRADYN_API const gradyn_scalar *gradyn_parameter_array(gradyn_model *model,
                                                       const gradyn_scalar rho[], int entry,
                                                       int *count);

/* Sets the end time of the run, s, > 0. This time may be a design variable, for example rho[T]. If build()
 * makes this call, options with an end time are refused. Without it, the end time is that of the options or
 * of the problem. Signals without an end of their own end with the run; call this function before them, since
 * their declaration checks the end time. The last call counts. Errors are reported by
 * gradyn_build_status(). */
GRADYN_API void gradyn_end_time(gradyn_model *model, gradyn_scalar t_end);

/* Declares a guess of one state over time, for searches with multiple shooting (gradyn_search.segments).
 *
 * state: name of the state, as in the columns of trajectories.
 * values [count]: guesses in the unit of the state, at equal time intervals after the start; the last one
 *   is at the end time. The guess is linear in between and begins at the initial state. count >= 1.
 *
 * The search begins with the guess at all segment boundaries; a table in gradyn_search.guess replaces it.
 * Velocities without a guess follow from guessed positions. Other states without a guess are taken from a
 * simulation; if it fails, they are constant. Guesses that are no better than a simulation cost time.
 *
 * Only the first call of build() declares guesses. The name and the values are copied. Missing values and
 * values that are not finite are errors that gradyn_build_status() reports. Unknown states and a second guess
 * of a state are found later: gradyn_evaluator_create() then returns GRADYN_INVALID. */
GRADYN_API void gradyn_guess(gradyn_model *model, const char *state, const double values[],
                             int count);

/* --- Signals: functions of time given by knots ------------------------------------------------ */

/* Interpolation of a signal between its knots. */
typedef enum gradyn_signal_kind {
  GRADYN_PIECEWISE_CONSTANT, /* count intervals, each with the value of one knot */
  GRADYN_PIECEWISE_LINEAR,   /* straight lines between count >= 2 knots */
  GRADYN_CUBIC_SPLINE,       /* natural cubic spline through count >= 2 knots */
  /* constant between switching times, `times` [count - 1], which may be given in any order. From the earliest
   * to the latest interval, the signal has the values of the knots in turn */
  GRADYN_SWITCHED
} gradyn_signal_kind;

/* A signal. */
typedef struct gradyn_signal_spec {
  /* copied; must be given. Data: name.knot[0], ...; with times name.time[0], ..., otherwise name.t_start
   * and, if t_end is not 0, name.t_end */
  const char *name;
  const char *unit;        /* unit of the values; copied; NULL: dimensionless */
  gradyn_signal_kind kind; /* interpolation between knots */
  /* number of knots; >= 1 for GRADYN_PIECEWISE_CONSTANT and GRADYN_SWITCHED, otherwise >= 2 */
  int count;
  /* [count], values of the knots, in the unit of the signal; copied */
  const gradyn_scalar *knots;
  gradyn_scalar t_start; /* time of the first knot, s */
  /* time of the last knot or end of the last interval, s, > t_start; 0: end time of the run */
  gradyn_scalar t_end;
  /* [count] s, increasing times of the knots; copied. NULL: equal intervals from t_start to t_end. If
   * given, t_start and t_end must be 0. The value of a piecewise constant signal begins at its time; the
   * first value also holds before. GRADYN_SWITCHED has one time less: [count - 1], and NULL only if count is
   * 1. Times are data and may depend on parameters: rho[T] / 3 follows an end time rho[T] */
  const gradyn_scalar *times;
  /* true: the values are to be whole numbers. A search takes them as real numbers and rounds them
   * afterwards, see gradyn_rounded. Only with GRADYN_PIECEWISE_CONSTANT */
  bool integer;
  /* Name of a set of integer signals with equal grids. Exactly one of them is 1 at any time, and the others
   * are 0 (special ordered set of type 1). In a search their sum is to be 1. Copied; NULL: no set */
  const char *one_of;
} gradyn_signal_spec;

/* Declares a signal. Before its start it keeps its first value, after its end its last value. Returns its
 * number. On failure gradyn_build_status() reports the error, and the number returned is 0. After an earlier
 * error in the same call of build() the number is also 0. */
GRADYN_API gradyn_signal_id gradyn_signal(gradyn_model *model, const gradyn_signal_spec *spec);

/* Declares a signal that has at time t the value of another signal at t - delay. The other signal must be
 * declared before, and may be delayed itself. delay: s, >= 0; it may depend on parameters. The delayed signal
 * starts later by the delay, and has its first value before. If a search inserts knots into the other signal,
 * this one has them too. name: copied. Data: those of gradyn_signal() under this name; each build() computes
 * knots and times from the other signal. If the other signal ends with the run, gradyn_end_time() must be
 * called before. Returns its number. On failure gradyn_build_status() reports the error, and the number
 * returned is 0. After an earlier error in the same call of build() the number is also 0. */
GRADYN_API gradyn_signal_id gradyn_delayed_signal(gradyn_model *model, const char *name,
                                                  gradyn_signal_id signal, gradyn_scalar delay);

/* --- Functionals: psi = outer(w(t_end) + integral of g dt) ------------------------------------ */

/* Evaluates a function of time, state and data, which are members of *at, and stores the result in *value.
 * *value is 0 before the call. The function must be smooth, since it is differentiated by complex step. As
 * gradyn_event_spec.reset, it stores several numbers in value [set_count].
 *
 * Returns GRADYN_OK, or an error code, usually that of gradyn_callback_error(); the run then fails with
 * it. A result that is not finite or not real fails with GRADYN_NON_FINITE. */
typedef gradyn_status (*gradyn_functional_fn)(const gradyn_at *at, gradyn_scalar *value);

/* A functional by functions of the user's: the integral of `integrand` over the run plus `terminal`. */
typedef struct gradyn_custom_functional_spec {
  const char *name;               /* copied; must be given */
  const char *unit;               /* unit of the functional; copied; NULL: dimensionless */
  gradyn_functional_fn integrand; /* g(t, state, data), in that unit per s; NULL: none */
  /* w(t, state, data) at the end time, in that unit; NULL: none */
  gradyn_functional_fn terminal;
  /* [data_count], data of its own, named name.<datum>; copied; may be NULL */
  const gradyn_datum *data;
  int data_count; /* number of data; 0: none */
  /* pointer passed on as at->user; the same in all calls of build(), valid as long as the evaluator */
  void *user;
  /* time at which `terminal` is evaluated, s, >= 0; 0: the end of the run. If it is positive, `integrand`
   * must be NULL. At an event or a jump of a signal, the state before it counts. If the time is after
   * the end of the run, the run fails with GRADYN_INVALID. Steps of a fixed length, without events and jumps
   * of signals, must end at this time, and build() must not set the end time. Otherwise the run fails, too */
  double instant;
  /* [point_count], variables of a mechanism that the callbacks read: points, base vectors of bodies,
   * joint coordinates, first-order states. Each is listed once; copied. The arrays at->pos, at->vel and
   * at->acc have these only, in this order, and derivatives are taken by these only. NULL: all, in the
   * order of their numbers. Refused in general equations */
  const gradyn_variable_id *points;
  int point_count; /* number of variables listed; 0: all, also with an array */
  /* only with a list of points. needs_accelerations: at->acc has the accelerations of the listed variables.
   * needs_multipliers: at->lam has all multipliers. If a member is false, its array is NAN */
  bool needs_accelerations, needs_multipliers;
  /* only with a list of points and without the two needs above. true: at->vel is NAN, too, which saves time
   * in some methods */
  bool positions_only;
  /* [read_count], numbers of the states of general equations that the callbacks read; copied. The others are
   * NAN in at->y, which counts from 0. NULL: all. Refused with `points`, and in mechanisms. An unknown
   * number in one of the two lists, or a list refused in this kind of model, is GRADYN_INVALID of
   * gradyn_evaluator_create() */
  const gradyn_variable_id *reads;
  int read_count; /* number of states listed; 0: all */
} gradyn_custom_functional_spec;

/* Declares a functional by functions of the user's. At least one of .integrand and .terminal must be given.
 * Returns its number. On failure gradyn_build_status() reports the error, and the number returned is 0. */
GRADYN_API gradyn_functional_id gradyn_custom_functional(gradyn_model *model,
                                                         const gradyn_custom_functional_spec *spec);

/* General differential-algebraic equations F(t, y, y', data, u) = 0 of index 1. A model with general
 * equations has no points, bodies or other parts of a mechanism: whichever kind is declared second is
 * refused. */

/* Declares a differential state.
 *
 * name: copied; must be given. unit: copied; NULL: none. initial: initial value, in that unit; datum
 *   name.initial.
 *
 * The matrix dF/dy' of the differential states may be singular, as in electric circuits. A singular matrix
 * must be constant, and the index must be 1. gradyn finds the combinations of states that have no rate in the
 * equations. The equations themselves determine such combinations, so their initial values have no effect.
 * Only the methods radau and idas accept a singular matrix. With other methods, or if it is not constant, the
 * run fails with GRADYN_UNSUPPORTED.
 *
 * Returns its number. On failure gradyn_build_status() reports the error, and the number returned is 0. */
GRADYN_API gradyn_state_id gradyn_state(gradyn_model *model, const char *name, const char *unit,
                                        gradyn_scalar initial);

/* Declares an algebraic state, whose rate the equations must not use: the run fails with GRADYN_INVALID.
 *
 * name: copied; must be given. unit: copied; NULL: none. guess: start of the iteration for the initial
 *   value, in that unit, finite.
 *
 * Returns its number. On failure gradyn_build_status() reports the error, and the number returned is 0. */
GRADYN_API gradyn_state_id gradyn_algebraic_state(gradyn_model *model, const char *name,
                                                  const char *unit, double guess);

/* Evaluates the residual of the user's equations: fills F [states] from at->t, at->y, at->yp, at->data
 * and at->u. State number i is at->y[i - 1]; signal number i is at->u[i]. Entries of F are 0 before the
 * call; their order is free. The rate of an algebraic state is 0. Returns GRADYN_OK, or an error code,
 * usually that of gradyn_callback_error(); the run then fails with it. A residual that is not finite or not
 * real fails with GRADYN_NON_FINITE. */
typedef gradyn_status (*gradyn_residual_fn)(const gradyn_at *at, gradyn_scalar F[]);

/* The equations of a model. */
typedef struct gradyn_equations_spec {
  gradyn_residual_fn residual; /* must be given; differentiated by complex step */
  const gradyn_datum *data;    /* [data_count], copied; their names have no prefix; may be NULL */
  int data_count;              /* number of data; 0: none */
  /* [states], absolute tolerances, > 0, in the units of the states; copied. NULL: the tolerance of the
   * run or, if that is 0, rtol/100 of the largest value of each state */
  const double *atol;
  /* pointer passed on as at->user; the same in all calls of build(), valid as long as the evaluator */
  void *user;
  /* [states], natural sizes, >= 0, in the units of the states; copied. Errors and zeros of a state are
   * compared with rtol/100 of its size. If it is 0, gradyn estimates the size from initial values and
   * rates, with at least 1/1000 of the largest size of the same unit. Give sizes of states that are
   * naturally smaller. NULL: all 0 */
  const double *size;
  /* [before_count], values before the run of data of the equations and of signals, named like these, in
   * their units. Only with gradyn_start_in_equilibrium(): the run then starts in the steady state
   * F(t, y, 0, data, u) = 0 with these values, at the initial time. It is the one that the motion from the
   * initial values reaches. If the equations conserve totals, such as the sum of two states, these keep their
   * initial values.
   *
   * Errors of runs: GRADYN_NOT_CONVERGED: no steady state is reached, it is not stable, or a total changes.
   * GRADYN_SINGULAR: others are adjacent. GRADYN_UNSUPPORTED: a total has coefficients that depend on states
   * or, for derivatives, is conserved for the present value of an active datum only. Second derivatives do
   * not exist. Data: before.<name>; copied; NULL: those of the run */
  const gradyn_datum *before;
  int before_count; /* number of these values; 0: none */
} gradyn_equations_spec;

/* Declares the equations of the states: one residual per state, once per model, after all states. The
 * spec is copied. Errors are reported by gradyn_build_status(). States without this call: GRADYN_INVALID of
 * gradyn_evaluator_create(). */
GRADYN_API void gradyn_equations(gradyn_model *model, const gradyn_equations_spec *spec);

#ifdef __cplusplus
}
#endif

#endif
