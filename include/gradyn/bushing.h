/* Bushings: elastic joints of two bodies. */
#ifndef GRADYN_BUSHING_H
#define GRADYN_BUSHING_H

#include <gradyn/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A bushing at a place of two bodies, given by its position at the initial time, where it is at rest. Its
 * axes x, y, z are fixed to body a and are those of the ground at the initial time. With the displacement
 * d of b's place from a's along these axes, and the rotation of b relative to a about them, theta (sines
 * of angles; b's base vectors are those of a at the initial time),
 *   force on b = -(stiffness d + damping d') along each axis,
 *   torque on b = -(torsion theta + torsion_damping theta') about each axis,
 * and the opposite on a, in the form that loses no energy to anything but damping. In the plane x and y of
 * displacements, z of rotations. */
typedef struct gradyn_bushing_spec {
  const char *name;
  gradyn_body_id body_a, body_b;
  gradyn_scalar position[3];        /* at the initial time, m */
  gradyn_scalar stiffness[3];       /* N/m, >= 0 */
  gradyn_scalar damping[3];         /* N s/m, >= 0 */
  gradyn_scalar torsion[3];         /* N m/rad, >= 0 */
  gradyn_scalar torsion_damping[3]; /* N m s/rad, >= 0 */
} gradyn_bushing_spec;

/* Adds a bushing; the spec is copied. Data: name.stiffness_x, .., name.damping_x, .., name.torsion_x, ..,
 * name.torsion_damping_x, .. of the axes it has, and name.a.local_x, .., name.b.local_x, .. of its places in
 * the bodies. */
GRADYN_API void gradyn_bushing(gradyn_model *model, const gradyn_bushing_spec *spec);

#ifdef __cplusplus
}
#endif

#endif
