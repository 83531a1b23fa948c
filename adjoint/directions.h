/* Directions in the space of data: columns of dx/drho, or single data. */
#ifndef GRADYN_ADJOINT_DIRECTIONS_H
#define GRADYN_ADJOINT_DIRECTIONS_H

#include "adjoint/dependence.h"
#include "core/model/model.h"
#include "core/problems/parameters.h"

/* With fewer parameters, one build for each takes little time. */
enum { GRADYN_FEW_PARAMETERS = 32 };

struct gradyn_tangents;

/* Directions as sparse columns; count: number of columns. */
typedef struct gradyn_directions {
  int count, nx;
  int *start;    /* [count + 1] */
  int *index;    /* [entries] indices in x */
  double *value; /* [entries] */
  int capacity;  /* allocated length of index and value */
  double *scale; /* [count] typical size of the parameter of a column, for tolerances */
  gradyn_dependence dependence,
      within; /* of all parameters; of a group of them, workspace of a chain */
  int *
      /* [count + 2 + nx] data with one owner, by owner: start indices, then data; workspace of a chain */
      own;
  /* receives the derivatives of states in a direct sweep; NULL: not requested */
  struct gradyn_tangents *tangents;
} gradyn_directions;

/* Checks whether build() is complex-differentiable at rho [parameters]. Does nothing if an earlier check of
 * this model has passed, if gradients come from differences, or without parameters. The model then has the
 * values of build() at rho. Errors: GRADYN_INVALID, the message names the datum and the parameter of a wrong
 * derivative; GRADYN_NO_MEMORY; failures of build(). */
gradyn_status gradyn_verify_callbacks_build(gradyn_model *model,
                                            const gradyn_parameters *parameters,
                                            const gradyn_scalar *rho);

/* Allocates count columns in *d, all zero or filled before; fill columns in order. Error: GRADYN_NO_MEMORY.
 * Release *d by gradyn_directions_clear(), also after a failure. */
gradyn_status gradyn_directions_reserve(gradyn_model *model, int count, gradyn_directions *d);

/* Computes dx/drho at rho [parameters] by complex steps of build(), exact to round-off; column j belongs to
 * parameter j, from 0. *out: all zero or filled before. rho is restored, also after an error. Builds the
 * model once for each parameter. With more than GRADYN_FEW_PARAMETERS, a few builds serve all parameters
 * that share no datum with others. Errors: those of build() and of gradyn_verify_callbacks_build(). */
gradyn_status gradyn_directions_by_rho(gradyn_model *model, const gradyn_parameters *parameters,
                                       gradyn_scalar *rho, gradyn_directions *out);

/* Computes one column, the derivative of the data along line [count] at rho [count], by one build. *out:
 * all zero or filled before. Imaginary parts of rho become 0. Errors: GRADYN_NO_MEMORY; those of
 * build(). */
gradyn_status gradyn_directions_by_line(gradyn_model *model, gradyn_scalar *rho, int count,
                                        const double *line, gradyn_directions *out);

enum { GRADYN_DATUM_STAYS = -1, GRADYN_DATUM_FOLLOWS = -2 };
/* Returns the index of the only column that changes a datum, if its derivative is 1. GRADYN_DATUM_STAYS: no
 * column changes the datum. GRADYN_DATUM_FOLLOWS: the datum changes in any other way. datum: index in x, from
 * 0. */
int gradyn_directions_only(const gradyn_directions *d, int datum);

/* Makes a unit column for each of data [count], indices in x, which also has the changes of derived data.
 * dx [nx] is workspace. *out: all zero or filled before. Error: GRADYN_NO_MEMORY. */
gradyn_status gradyn_directions_by_datum(gradyn_model *model, const int *data, int count,
                                         double *dx, gradyn_directions *out);

/* Copies column j, from 0, of `from` to column k of `out`, whose columns are reserved. Call for k = 0, 1, ...
 * in turn. Error: GRADYN_NO_MEMORY. */
gradyn_status gradyn_directions_take(gradyn_model *model, const gradyn_directions *from, int j,
                                     int k, gradyn_directions *out);

/* Releases the arrays; the struct is then empty. `tangents` belongs to the caller. */
void gradyn_directions_clear(gradyn_directions *directions);

#endif
