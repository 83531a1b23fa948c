/* General differential-algebraic equations F(t, y, y', data, u) = 0 of index 1. */
#ifndef GRADYN_DAE_H
#define GRADYN_DAE_H

#include <gradyn/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Declares a differential state.
 *
 * name: copied; must be given. unit: copied; NULL: none. initial: initial value, in that unit; datum
 *   name.initial.
 *
 * The matrix dF/dy' of the differential states may be singular, as in electric circuits. It must then be
 * constant and the index must be 1. gradyn finds the combinations of states that no rate moves. These
 * combinations follow from the equations, so their initial values have no effect. Only the methods radau
 * and idas accept a singular matrix.
 *
 * Returns its number. On failure gradyn_build_status() reports the error, and the number returned has no
 * meaning. */
GRADYN_API gradyn_state_id gradyn_state(gradyn_model *model, const char *name, const char *unit,
                                        gradyn_scalar initial);

/* Declares an algebraic state, whose rate the equations must not use.
 *
 * name: copied; must be given. unit: copied; NULL: none. guess: start of the iteration for the initial
 *   value, in that unit.
 *
 * Returns its number. On failure gradyn_build_status() reports the error, and the number returned has no
 * meaning. */
GRADYN_API gradyn_state_id gradyn_algebraic_state(gradyn_model *model, const char *name,
                                                  const char *unit, double guess);

/* Evaluates the residual of the user's equations: fills F [states] from at->t, at->y, at->yp, at->data
 * and at->u. Returns GRADYN_OK, or an error code, usually that of gradyn_callback_error(); the run then
 * fails with it. */
typedef gradyn_status (*gradyn_residual_fn)(const gradyn_at *at, gradyn_scalar F[]);

/* The equations of a model. */
typedef struct gradyn_equations_spec {
  gradyn_residual_fn residual; /* must be given; differentiated by complex step */
  const gradyn_datum *data;    /* [data_count], copied; their names have no prefix; may be NULL */
  int data_count;              /* number of data; 0: none */
  /* [states], absolute tolerances, > 0, in the units of the states; copied. NULL: the tolerance of the
   * run or, if that is 0, rtol/100 of the largest value of each state */
  const double *atol;
  void *user; /* pointer passed on as at->user; the same in all calls of build() */
  /* [states], natural sizes, >= 0, in the units of the states; copied. Errors and zeros of a state are
   * compared with rtol/100 of its size. If it is 0, gradyn estimates the size from initial values and
   * rates, with at least 1/1000 of the largest size of the same unit. Give sizes of states that are
   * naturally smaller. NULL: all 0 */
  const double *size;
} gradyn_equations_spec;

/* Declares the equations of the states: one residual per state, once per model, after all states. The
 * spec is copied. Errors are reported by gradyn_build_status(). */
GRADYN_API void gradyn_equations(gradyn_model *model, const gradyn_equations_spec *spec);

#ifdef __cplusplus
}
#endif

#endif
