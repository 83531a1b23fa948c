/* Curvatures of the Lagrangian next to the end of a search. */
#ifndef GRADYN_OPTIM_CURVATURES_H
#define GRADYN_OPTIM_CURVATURES_H

#include "optim/search/probe.h"

/* Directions along which curvature is measured. */
enum { GRADYN_CURVATURE_MOST = 4 };

/* Curvatures along free directions: two, or four where nothing was gained, as a search that has not moved
 * knows nothing of any. Where one is negative, steps along it to where the objective is lower. */
gradyn_probed gradyn_curvature_try(gradyn_probe *probe);

/* Takes those parts out of probe->krylov[0], the way of the search, of length one, along which curvature ends
 * the fall within a first step. False: nothing is left, or it is not known. */
bool gradyn_curvature_flatten(gradyn_probe *probe);

double gradyn_vector_dot(const double a[], const double b[], size_t n);

/* Scales v to length one, unless it is nothing beside `size`; false then. */
bool gradyn_vector_normalise(double v[], size_t n, double size);

#endif
