/* Mechanisms in natural coordinates: the coordinates of points, base vectors and slopes. Planar or, with
 * the functions whose names end in _3d, spatial; one model is either. SI units. A header for each subject: */
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
