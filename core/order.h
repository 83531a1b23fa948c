/* The order in which unknowns of a sparse matrix are eliminated, by its pattern alone. */
#ifndef GRADYN_CORE_ORDER_H
#define GRADYN_CORE_ORDER_H

#include "core/pattern.h"

/* order [rows] of a square pattern, as if it were symmetric: always the unknown that meets the fewest others,
 * but those from `multipliers` on only behind all that they meet before that number. Then, in a saddle
 * matrix [A, J^T; J, 0], pivots are those of A and of -J A^-1 J^T, and no row has to be exchanged.
 * GRADYN_NO_MEMORY. */
gradyn_status gradyn_order_create(const gradyn_pattern *pattern, int multipliers, int *order);

#endif
