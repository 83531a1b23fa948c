/* Parameters that act in the segments of a motion, and gradients by them. */
#ifndef GRADYN_OPTIM_SPARSITY_H
#define GRADYN_OPTIM_SPARSITY_H

#include "optim/segments/segments.h"

/* Finds the parameters that act in each segment, at rho0 [p]. Boundaries and their unknowns are known. */
gradyn_status gradyn_segments_find_acting(gradyn_segments *s, const double rho0[]);
/* Creates the segments again with all parameters of the problem, after a segment has outgrown its own. The
 * stored entries of gradients change. */
gradyn_status gradyn_segments_widen(gradyn_segments *s);

/* Number of parameters of segment k; index of one of them among those of the objective. */
size_t gradyn_segments_width(const gradyn_segments *s, size_t k);
size_t gradyn_segments_column(const gradyn_segments *s, size_t k, size_t j);
/* Returns the parameters of segment k, from those of the objective. Valid until the next call for k. */
double *gradyn_segments_load(gradyn_segments *s, size_t k, const double all[]);
/* Allocates the results of segments with at most `rows` samples each, `samples` in all. */
gradyn_status gradyn_segments_reserve(gradyn_segments *s, size_t rows, size_t samples,
                                      gradyn_arena *arena);
/* Lists the stored entries of gradients of the objective with this number of samples. The status of the
 * arena reports a failure. */
void gradyn_segments_list_entries(gradyn_segments *s, size_t samples, gradyn_arena *arena);
/* Gradient [width] of functional i of segment k. */
double *gradyn_segments_slopes(const gradyn_segments *s, size_t k, size_t i);

#endif
