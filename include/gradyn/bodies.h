/* Rods, point masses, rigid bodies and gravity.
 *
 * Units are SI. Names are copied; NULL stands for the kind, for example "rod". Errors of all functions
 * here are reported by gradyn_build_status(). */
#ifndef GRADYN_BODIES_H
#define GRADYN_BODIES_H

#include <gradyn/points.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- Inertia ---------------------------------------------------------------------------------- */

/* A rigid rod between two points, uniform unless own_inertia is set. Data: name.length, name.mass,
 * name.com, name.inertia, four independent numbers. */
typedef struct gradyn_rod_spec {
  const char *name;         /* copied; NULL: "rod" */
  gradyn_point_id from, to; /* points at its ends */
  gradyn_scalar length;     /* m, > 0; 0: initial distance of the points */
  gradyn_scalar mass;       /* kg, >= 0 */
  /* true: com and inertia are used; false: length/2 and mass length^2/12 */
  bool own_inertia;
  gradyn_scalar com;     /* distance of the centre of mass from `from` along the rod, m */
  gradyn_scalar inertia; /* moment of inertia about the centre of mass, kg m^2, >= 0 */
} gradyn_rod_spec;

/* Declares a rod. The spec is copied.
 *
 * Its constraint is (|r|^2/L - L)/2 = 0, with r from the first point to the second and L the length. Its
 * multiplier is the axial force, N, positive in tension.
 *
 * Returns the number of the constraint. On failure gradyn_build_status() reports the error, and the number
 * returned has no meaning. */
GRADYN_API gradyn_constraint_id gradyn_rod(gradyn_model *model, const gradyn_rod_spec *spec);

/* Declares a mass at a point. mass: kg, >= 0. name NULL: "point". Datum: name.mass. */
GRADYN_API void gradyn_point_mass(gradyn_model *model, const char *name, gradyn_point_id point,
                                  gradyn_scalar mass);

/* Declares uniform gravity in the plane, once per model. gx, gy: components of the acceleration, m/s^2,
 * for example 0 and -9.81. Data: gravity.x, gravity.y. */
GRADYN_API void gradyn_gravity(gradyn_model *model, gradyn_scalar gx, gradyn_scalar gy);

/* Declares uniform gravity in space, once per model. gx, gy, gz: components of the acceleration, m/s^2.
 * Data: gravity.x, gravity.y, gravity.z. */
GRADYN_API void gradyn_gravity_3d(gradyn_model *model, gradyn_scalar gx, gradyn_scalar gy,
                                  gradyn_scalar gz);

/* --- Rigid bodies ------------------------------------------------------------------------------ */

/* A rigid body: centre of mass and base vectors, which are parallel to the axes of the ground at the
 * initial time. Data: name.mass; name.inertia in the plane, name.inertia_xx, ... in space; name.x, ...,
 * name.vx, ... of the centre; name.e1.x, ... of the base vectors. */
typedef struct gradyn_body_spec {
  const char *name;        /* copied, at most 80 characters; NULL: "body" */
  gradyn_scalar centre[3]; /* approximate initial position of the centre of mass, m */
  gradyn_scalar mass;      /* kg, > 0 */
  /* inertia tensor about the centre of mass at the initial time, kg m^2, in axes of the ground: xx, yy,
   * zz, xy, xz, yz. It is positive definite, and no principal moment exceeds the sum of the other two. In
   * the plane zz only */
  gradyn_scalar inertia[6];
  gradyn_scalar velocity[3]; /* approximate initial velocity of the centre of mass, m/s */
  /* approximate initial angular velocity, rad/s; in the plane omega[2] only */
  gradyn_scalar omega[3];
} gradyn_body_spec;

/* Declares a rigid body in the plane. The spec is copied.
 *
 * A slender rod that resists no rotation about its axis is declared by gradyn_rod();
 * gradyn_point_between() attaches points to it. A particle is a point with gradyn_point_mass().
 *
 * Returns its number. On failure gradyn_build_status() reports the error, and the number returned has no
 * meaning. */
GRADYN_API gradyn_body_id gradyn_body(gradyn_model *model, const gradyn_body_spec *spec);

/* Declares a rigid body in space. The spec is copied. Slender rods and particles are declared as in the
 * plane. Returns its number. On failure gradyn_build_status() reports the error, and the number returned has
 * no meaning. */
GRADYN_API gradyn_body_id gradyn_body_3d(gradyn_model *model, const gradyn_body_spec *spec);

/* Returns the point that is the centre of mass of a body. On failure gradyn_build_status() reports the error,
 * and the number returned has no meaning. */
GRADYN_API gradyn_point_id gradyn_body_centre(gradyn_model *model, gradyn_body_id body);

/* Returns a base vector of a body, a dimensionless unit vector. It starts along `axis` of the ground and
 * turns with the body. Callbacks may list it like a point: at->pos, at->vel and at->acc then have its
 * components and their rates. On failure gradyn_build_status() reports the error, and the number returned has
 * no meaning. */
GRADYN_API gradyn_variable_id gradyn_body_axis(gradyn_model *model, gradyn_body_id body,
                                               gradyn_axis axis);

/* Declares a point fixed to a body in the plane, which can be used like any other point and needs no
 * joint. name: must be given. x, y: its position at the initial time, m. Data: name.local_x,
 * name.local_y. Returns its number. On failure gradyn_build_status() reports the error, and the number
 * returned has no meaning. */
GRADYN_API gradyn_point_id gradyn_body_point(gradyn_model *model, gradyn_body_id body,
                                             const char *name, gradyn_scalar x, gradyn_scalar y);

/* Declares a point fixed to a body in space. name: must be given. x, y, z: its position at the initial
 * time, m. Data: name.local_x, name.local_y, name.local_z. Returns its number. On failure
 * gradyn_build_status() reports the error, and the number returned has no meaning. */
GRADYN_API gradyn_point_id gradyn_body_point_3d(gradyn_model *model, gradyn_body_id body,
                                                const char *name, gradyn_scalar x, gradyn_scalar y,
                                                gradyn_scalar z);

/* --- Bodies in users' functions ---------------------------------------------------------------- */

/* For callbacks that list the centre of a body and then its base vectors (x, y and, in space, z). The
 * argument `first` is the index of the centre in that list, from 0. Vectors have components along the
 * axes of the ground, local vectors along those of the body. In the plane, third components of positions
 * and forces are 0, and rotations are about z. An index outside the list gives NAN. */

/* Computes the angular velocity (order 1, rad/s) or angular acceleration (order 2, rad/s^2) of a body.
 *
 * omega [3]: receives the components. They are correct for motions that satisfy the constraints. The
 *   orders of a custom constraint are also evaluated at other rates: use the rates of the base vectors,
 *   at->vel, there. */
GRADYN_API void gradyn_body_turn(const gradyn_at *at, int first, int order, gradyn_scalar omega[3]);

/* Computes position (order 0, m), velocity (order 1, m/s) or acceleration (order 2, m/s^2) of a point of
 * a body.
 *
 * local [3]: position of the point relative to the centre in axes of the body, m.
 * r [3]: receives the components. */
GRADYN_API void gradyn_body_motion(const gradyn_at *at, int first, const gradyn_scalar local[3],
                                   int order, gradyn_scalar r[3]);

/* Adds a force and a torque on a body to the result of a custom force.
 *
 * local [3]: point of application relative to the centre in axes of the body, m; NULL: the centre.
 * on_point [3]: force, N; NULL: none. In the plane its third component is not used.
 * torque [3]: torque, N m; NULL: none. In the plane its third component only is used.
 * force [points][axes]: result of the custom force, to which the load is added, N. */
GRADYN_API void gradyn_body_load(const gradyn_at *at, int first, const gradyn_scalar local[3],
                                 const gradyn_scalar on_point[3], const gradyn_scalar torque[3],
                                 gradyn_scalar force[]);

#ifdef __cplusplus
}
#endif

#endif
