/* Directions in data space: columns of dx/drho, or one datum each. */
#ifndef GRADYN_ADJOINT_DIRECTIONS_H
#define GRADYN_ADJOINT_DIRECTIONS_H

#include "adjoint/dependence.h"
#include "core/model/model.h"
#include "core/problems/parameters.h"

/* Builds are dear only by the hundred. */
enum { GRADYN_FEW_PARAMETERS = 32 };

struct gradyn_tangents;

/* Directions in data space as sparse columns; directions count = the number of columns. */
typedef struct gradyn_directions {
  int count, nx;
  int *start;    /* [count + 1] */
  int *index;    /* [entries] indices in x */
  double *value; /* [entries] */
  int capacity;  /* room in index and value */
  double *scale; /* [count] typical size of the parameter behind a column: for tolerances */
  gradyn_dependence dependence,
      within; /* of all parameters; of a group of them, scratch of a chain */
  int *
      own; /* [count + 2 + nx] data of one owner, by owner: where they start, then their numbers; scratch
             of a chain */
  struct gradyn_tangents *tangents; /* where a direct sweep is to write what states become; NULL */
} gradyn_directions;

/* Looks whether build() keeps its derivatives at rho [parameters], once for a model: GRADYN_INVALID names the
 * number that it loses. */
gradyn_status gradyn_verify_callbacks_build(gradyn_model *model,
                                            const gradyn_parameters *parameters,
                                            const gradyn_scalar *rho);

/* Takes memory for count columns. */
gradyn_status gradyn_directions_reserve(gradyn_model *model, int count, gradyn_directions *d);

/* dx/drho by complex step of build(), exact: one build for each parameter, or, if they are many, a few
 * for all those that share no datum with others and one for each of the rest. rho [count] is restored. */
gradyn_status gradyn_directions_by_rho(gradyn_model *model, const gradyn_parameters *parameters,
                                       gradyn_scalar *rho, gradyn_directions *out);

/* One column, dx/drho.line, by one build; line, rho [count], which is restored. */
gradyn_status gradyn_directions_by_line(gradyn_model *model, gradyn_scalar *rho, int count,
                                        const double *line, gradyn_directions *out);

/* The direction along which alone a datum changes, by as much as it; GRADYN_DATUM_STAYS, or
 * GRADYN_DATUM_FOLLOWS where it is otherwise. */
enum { GRADYN_DATUM_STAYS = -1, GRADYN_DATUM_FOLLOWS = -2 };
int gradyn_directions_only(const gradyn_directions *d, int datum);

/* One column for each of data [count], derived data following; dx [nx] is scratch. */
gradyn_status gradyn_directions_by_datum(gradyn_model *model, const int *data, int count,
                                         double *dx, gradyn_directions *out);

/* Columns dx [count][nx], of sizes scale [count]. */
gradyn_status gradyn_directions_dense(gradyn_model *model, int count, const double *dx,
                                      const double *scale, gradyn_directions *out);
/* Column k, of those reserved, from column j of another set; the columns in their order. */
gradyn_status gradyn_directions_take(gradyn_model *model, const gradyn_directions *from, int j,
                                     int k, gradyn_directions *out);

void gradyn_directions_clear(gradyn_directions *directions);

#endif
