/* Bushings: elastic joints between two bodies. */
#ifndef GRADYN_BUSHING_H
#define GRADYN_BUSHING_H

#include <gradyn/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A bushing at a common point of two bodies at the initial time, where it is unloaded.
 *
 * Its axes x, y, z are fixed to body a and are those of the ground at the initial time. Let d be the
 * displacement of b's point from a's point along these axes. Let theta be the rotation of b relative to a
 * about these axes (sines of angles). For each axis, force and torque on b are:
 *
 *     -(stiffness d + damping d'),  -(torsion theta + torsion_damping theta')
 *
 * The opposite acts on a, in a form that conserves energy except for damping. In the plane the bushing
 * has displacements along x and y and a rotation about z; all other numbers must be 0. */
typedef struct gradyn_bushing_spec {
  const char *name;                 /* copied, at most 80 characters; NULL: "bushing" */
  gradyn_body_id body_a, body_b;    /* two different bodies; not the ground */
  gradyn_scalar position[3];        /* position of the common point at the initial time, m */
  gradyn_scalar stiffness[3];       /* translational stiffness along x, y, z, N/m, >= 0 */
  gradyn_scalar damping[3];         /* translational damping along x, y, z, N s/m, >= 0 */
  gradyn_scalar torsion[3];         /* rotational stiffness about x, y, z, N m/rad, >= 0 */
  gradyn_scalar torsion_damping[3]; /* rotational damping about x, y, z, N m s/rad, >= 0 */
} gradyn_bushing_spec;

/* Declares a bushing. The spec is copied. Data: name.stiffness_x, ..., name.damping_x, ...,
 * name.torsion_x, ..., name.torsion_damping_x, ... for the axes that it has; name.a.local_x, ...,
 * name.b.local_x, ... for its points in the bodies. Errors are reported by gradyn_build_status(). Returns its
 * number. On failure gradyn_build_status() reports the error, and the number returned has no meaning. */
GRADYN_API gradyn_force_id gradyn_bushing(gradyn_model *model, const gradyn_bushing_spec *spec);

#ifdef __cplusplus
}
#endif

#endif
