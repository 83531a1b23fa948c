/* Comparison of the declarations of a repeated build() with the stored ones. */
#ifndef GRADYN_MBS_REBUILD_H
#define GRADYN_MBS_REBUILD_H

#include "mbs/elements/mechanism.h"

/* Compares an element of a repeated build(), now, with the stored one, by kind, points, `when`, axis, modes
 * and signal. A difference is a build error about `name` (NULL: the kind of the element) with both lists of
 * points, unless an error has been reported before. */
void mbs_compare_element(gradyn_mbs *m, const mbs_element *stored, const mbs_element *now,
                         const char *name);

/* Compares an inertia of a repeated build(), of kind ops and points [ops->points], with the stored one. A
 * difference is a build error with both lists of points, unless an error has been reported before. */
void mbs_compare_inertia(gradyn_mbs *m, const mbs_inertia *stored, const mbs_inertia_ops *ops,
                         const int *points);

/* Compares the carriers of an attached point of a repeated build(), now, with those of the stored one. A
 * difference is a build error with both lists of points, unless an error has been reported before. */
void mbs_compare_carriers(gradyn_mbs *m, const mbs_point *stored, const mbs_point *now);

/* Compares the numbers of the points of a beam's node: stored, and now in a repeated build(). A difference
 * is a build error about `beam`. */
void mbs_compare_node(gradyn_mbs *m, const char *beam, int stored, int now);

#endif
