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

/* Checks once per model whether build() is complex-differentiable at rho [parameters]; not for differences or
 * without parameters. Errors: GRADYN_INVALID names the datum and the parameter of a wrong derivative;
 * GRADYN_NO_MEMORY; failures of build(). */
gradyn_status gradyn_verify_callbacks_build(gradyn_model *model,
                                            const gradyn_parameters *parameters,
                                            const gradyn_scalar *rho);

/* Allocates count columns. Error: GRADYN_NO_MEMORY. */
gradyn_status gradyn_directions_reserve(gradyn_model *model, int count, gradyn_directions *d);

/* Computes dx/drho by complex steps of build(), exact to round-off. One build for each parameter, or, if they
 * are many, a few builds for all that share no datum with others, and one for each of the rest. rho [count]
 * is restored. Errors are those of build() and of its check. */
gradyn_status gradyn_directions_by_rho(gradyn_model *model, const gradyn_parameters *parameters,
                                       gradyn_scalar *rho, gradyn_directions *out);

/* Computes one column, dx/drho.line, by one build; line, rho [count], which is restored. Errors are those of
 * build(). */
gradyn_status gradyn_directions_by_line(gradyn_model *model, gradyn_scalar *rho, int count,
                                        const double *line, gradyn_directions *out);

/* Returns the only direction along which a datum changes, if the derivative is 1. GRADYN_DATUM_STAYS: it does
 * not change. GRADYN_DATUM_FOLLOWS: any other dependence. */
enum { GRADYN_DATUM_STAYS = -1, GRADYN_DATUM_FOLLOWS = -2 };
int gradyn_directions_only(const gradyn_directions *d, int datum);

/* One column for each of data [count], including derived data; dx [nx] is workspace. Error:
 * GRADYN_NO_MEMORY. */
gradyn_status gradyn_directions_by_datum(gradyn_model *model, const int *data, int count,
                                         double *dx, gradyn_directions *out);

/* Columns dx [count][nx], of sizes scale [count]. Error: GRADYN_NO_MEMORY. */
gradyn_status gradyn_directions_dense(gradyn_model *model, int count, const double *dx,
                                      const double *scale, gradyn_directions *out);
/* Copies column j of another set to column k of reserved columns; call in ascending order of k. Error:
 * GRADYN_NO_MEMORY. */
gradyn_status gradyn_directions_take(gradyn_model *model, const gradyn_directions *from, int j,
                                     int k, gradyn_directions *out);

/* Releases the arrays; the result is empty. Tangents belong to the caller. */
void gradyn_directions_clear(gradyn_directions *directions);

#endif
