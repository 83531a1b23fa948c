/* Curvatures of the Lagrangian near the end of a search. */
#ifndef GRADYN_OPTIM_CURVATURES_H
#define GRADYN_OPTIM_CURVATURES_H

#include "optim/search/probe.h"

/* Largest number of directions along which curvature is measured. */
enum { GRADYN_CURVATURE_MOST = 4 };

/* A part of gradyn_probe_end(): measures curvatures of the Lagrangian along two free directions, or four if
 * the search has not moved. If one is negative, searches along its direction for a lower point. Returns
 * GRADYN_PROBED_LOWER if there is one, which is then the best point, otherwise GRADYN_PROBED_HOLDS. */
gradyn_probed gradyn_curvature_try(gradyn_probe *probe);

/* A part of gradyn_probe_end(): removes from the first row [n] of probe->krylov, the direction of the
 * search, the components along which curvature ends the decrease within a first step, and scales the rest
 * to length one. Returns false if nothing remains, or if the curvature is not known. */
bool gradyn_curvature_flatten(gradyn_probe *probe);

/* Returns the inner product of a [n] and b [n]; 0 for n = 0. */
double gradyn_vector_dot(const double a[], const double b[], size_t n);

/* Scales v [n] to length one. Returns false if its length is at most 1e-8 of `size`, or not finite; v is then
 * not usable. */
bool gradyn_vector_normalise(double v[], size_t n, double size);

#endif
