/* Parameters that act in the segments of a motion, and gradients by them. */
#ifndef GRADYN_OPTIM_SPARSITY_H
#define GRADYN_OPTIM_SPARSITY_H

#include "optim/segments/segments.h"

/* Finds the parameters that act in each segment, at rho0 [p], into s->sparsity. Boundaries and their unknowns
 * are known. The evaluator of the whole motion has the data at rho0 afterwards. Errors, with s->message:
 * GRADYN_NO_MEMORY; those of build(). */
gradyn_status gradyn_segments_find_acting(gradyn_segments *s, const double rho0[]);
/* Creates the segments, also those with samples, again with all parameters of the problem, after
 * s->sparsity.outgrown was set; outgrown becomes false. The stored entries of gradients change, and
 * s->answers are lost. Errors, with s->message: those of gradyn_segment_create(). */
gradyn_status gradyn_segments_widen(gradyn_segments *s);

/* Returns the number of parameters of segment k, from 0: those that act, and the unknowns at its start. */
size_t gradyn_segments_width(const gradyn_segments *s, size_t k);
/* Returns the index of parameter j < width of segment k, both from 0, among the parameters of the
 * objective. */
size_t gradyn_segments_column(const gradyn_segments *s, size_t k, size_t j);
/* Returns the parameters of segment k [width], taken from those of the objective, all [columns]. The array
 * belongs to *s, and is valid until the next call for k. The first call with new parameters must not be made
 * while other threads run. */
double *gradyn_segments_load(gradyn_segments *s, size_t k, const double all[]);
/* Allocates s->answers for segments with at most `rows` samples each, `samples` in all, from the arena.
 * Error: GRADYN_NO_MEMORY. */
gradyn_status gradyn_segments_reserve(gradyn_segments *s, size_t rows, size_t samples,
                                      gradyn_arena *arena);
/* Lists the stored entries of gradients of the objective with this number of samples, in s->answers.entries,
 * with memory of the arena. The caller checks the status of the arena. */
void gradyn_segments_list_entries(gradyn_segments *s, size_t samples, gradyn_arena *arena);
/* Returns the gradient [width] of functional i, from 0, of segment k in s->answers; valid until the answers
 * are allocated again. */
double *gradyn_segments_slopes(const gradyn_segments *s, size_t k, size_t i);

#endif
