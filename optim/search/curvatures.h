/* Curvatures of the Lagrangian near the end of a search. */
#ifndef GRADYN_OPTIM_CURVATURES_H
#define GRADYN_OPTIM_CURVATURES_H

#include "optim/search/probe.h"

/* Largest number of directions along which curvature is measured. */
enum { GRADYN_CURVATURE_MOST = 4 };

/* For gradyn_probe_end(). Measures curvatures along free directions: two, or four if the search has not
 * moved. If one is negative, steps along its direction to a lower objective. Returns GRADYN_PROBED_LOWER if
 * there is one, else GRADYN_PROBED_HOLDS. */
gradyn_probed gradyn_curvature_try(gradyn_probe *probe);

/* For gradyn_probe_end(). Removes from the first row [n] of probe->krylov, the direction of the search, the
 * components along which curvature ends the decrease within a first step. The rest is scaled to length one.
 * Returns false if nothing remains or the curvature is not known. */
bool gradyn_curvature_flatten(gradyn_probe *probe);

/* Inner product of a [n] and b [n]. */
double gradyn_vector_dot(const double a[], const double b[], size_t n);

/* Scales v [n] to length one. Returns false if its length is at most 1e-8 of `size`, or not finite. */
bool gradyn_vector_normalise(double v[], size_t n, double size);

#endif
