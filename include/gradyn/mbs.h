/* Mechanisms in natural coordinates: coordinates of points, base vectors and slopes, in SI units. A model
 * is planar or spatial; functions with names in _3d are for spatial ones. Includes a header for each
 * subject. */
#ifndef GRADYN_MBS_H
#define GRADYN_MBS_H

#include <gradyn/beams.h>
#include <gradyn/bodies.h>
#include <gradyn/bushing.h>
#include <gradyn/constraints.h>
#include <gradyn/forces.h>
#include <gradyn/functionals.h>
#include <gradyn/points.h>

#endif
