/* General differential-algebraic equations F(t, y, y', data, u) = 0 of index 1. */
#ifndef GRADYN_DAE_H
#define GRADYN_DAE_H

#include <gradyn/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Declares a differential state with its initial value (a datum "name.initial"), in its unit; returns its
 * number. The matrix dF/dy' of the differential states may be singular, as in electric circuits, if it is
 * constant and the index is 1: combinations of states that no rate moves are found from the equations, so
 * that of their initial values only the other combinations count. Only the methods radau and idas take such a
 * matrix. */
GRADYN_API gradyn_state_id gradyn_state(gradyn_model *model, const char *name, const char *unit,
                                        gradyn_scalar initial);

/* Declares an algebraic state with a guess of its initial value, in its unit; returns its number. Its rate
 * must not be used by the equations. */
GRADYN_API gradyn_state_id gradyn_algebraic(gradyn_model *model, const char *name, const char *unit,
                                            double guess);

/* The residual: fills F [states] from at->t, at->y, at->yp, at->data, at->u. */
typedef gradyn_status (*gradyn_residual_fn)(const gradyn_at *at, gradyn_scalar F[]);

typedef struct gradyn_equations_spec {
  gradyn_residual_fn residual; /* differentiated by complex step */
  const gradyn_datum *data;    /* [data_count], copied; named "name" without a prefix */
  int data_count;
  const double *atol; /* [states], absolute tolerances; NULL: the run's,
                         or, if it has none, rtol/100 of what each state reaches */
  void *user;
  const double *size; /* [states], natural sizes: what a state's errors and zeros are measured by,
                         with tolerances of rtol/100 of it; 0: found from values and rates at the
                         start, no less than 1/1000 of the largest of the unit, which states that
                         are fewer by nature need not be. NULL: all are found */
} gradyn_equations_spec;

/* Gives the equations of the declared states, one residual per state. Once per model. */
GRADYN_API void gradyn_equations(gradyn_model *model, const gradyn_equations_spec *spec);

#ifdef __cplusplus
}
#endif

#endif
