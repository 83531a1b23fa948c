/* What has mass in mechanisms: rods, point masses, rigid bodies; and gravity. */
#ifndef GRADYN_BODIES_H
#define GRADYN_BODIES_H

#include <gradyn/points.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- Inertia ---------------------------------------------------------------------------------- */

/* A rigid bar between two points. Uniform unless own_inertia is set. Data: name.length, name.mass,
 * name.com, name.inertia (four independent numbers). */
typedef struct gradyn_rod_spec {
  const char *name;
  gradyn_point_id from, to;
  gradyn_scalar length;  /* m, > 0; 0: the initial distance of its points */
  gradyn_scalar mass;    /* kg, >= 0 */
  bool own_inertia;      /* com and inertia below hold; otherwise length/2 and mass length^2/12 */
  gradyn_scalar com;     /* distance of the centre of mass from `from` along the bar, m */
  gradyn_scalar inertia; /* about the centre of mass, kg m^2, >= 0 */
} gradyn_rod_spec;

/* Returns the number of the rod's constraint,
 * (|r|^2/L - L)/2 = 0, whose multiplier is the axial force, N, positive in tension. */
GRADYN_API gradyn_constraint_id gradyn_rod(gradyn_model *model, const gradyn_rod_spec *spec);

/* A mass at a point, kg. Data: name.mass. */
GRADYN_API void gradyn_point_mass(gradyn_model *model, const char *name, gradyn_point_id point,
                                  gradyn_scalar mass);

/* Uniform gravity, m/s^2. Data: gravity.x, gravity.y. Once per model. */
GRADYN_API void gradyn_gravity(gradyn_model *model, gradyn_scalar gx, gradyn_scalar gy);
GRADYN_API void gradyn_gravity_3d(gradyn_model *model, gradyn_scalar gx, gradyn_scalar gy,
                                  gradyn_scalar gz);

/* --- Rigid bodies ------------------------------------------------------------------------------ */

/* A rigid body: centre of mass and base vectors, which are parallel to the axes at the initial time.
 * Data: name.mass, name.inertia (plane) or name.inertia_xx, ... (space); name.x, ... and name.vx, ...
 * of the centre; name.e1.x, ... of the base vectors. */
typedef struct gradyn_body_spec {
  const char *name;
  gradyn_scalar centre[3]; /* initial position of the centre of mass, m */
  gradyn_scalar mass;      /* kg, > 0 */
  gradyn_scalar
      inertia[6]; /* tensor about the centre at the initial time: xx, yy, zz, xy, xz, yz, kg
                                m^2; positive definite. In the plane zz only. */
  gradyn_scalar velocity[3]; /* initial, of the centre, m/s */
  gradyn_scalar omega[3];    /* initial, rad/s; in the plane omega[2] only */
} gradyn_body_spec;

/* Return the number of the body. What resists no rotation about some axis is no body: a slender bar is a
 * rod (its points can carry others: gradyn_point_between), a particle a point with a point mass. */
GRADYN_API gradyn_body_id gradyn_body(gradyn_model *model, const gradyn_body_spec *spec);
GRADYN_API gradyn_body_id gradyn_body_3d(gradyn_model *model, const gradyn_body_spec *spec);

/* The point that is its centre of mass. */
GRADYN_API gradyn_point_id gradyn_body_centre(gradyn_model *model, gradyn_body_id body);

/* A base vector of a body, which starts along `axis` of the ground and turns with the body, in [1]. What
 * users' functions list like a point: at->pos, at->vel and at->acc have it and its rates. */
GRADYN_API gradyn_variable_id gradyn_body_axis(gradyn_model *model, gradyn_body_id body,
                                               gradyn_axis axis);

/* A point fixed to a body, given by its position at the initial time, m; it can be used like any other
 * point, without a joint. Data: name.local_x, ... */
GRADYN_API gradyn_point_id gradyn_body_point(gradyn_model *model, gradyn_body_id body,
                                             const char *name, gradyn_scalar x, gradyn_scalar y);
GRADYN_API gradyn_point_id gradyn_body_point_3d(gradyn_model *model, gradyn_body_id body,
                                                const char *name, gradyn_scalar x, gradyn_scalar y,
                                                gradyn_scalar z);

/* --- Bodies in users' functions ---------------------------------------------------------------- */

/* For functions that list the centre of a body and then its base vectors, in the plane x and y, in space x, y
 * and z: `first` is the place of the centre in the list. Vectors are in axes of the ground; local ones in
 * those of the body. In the plane their third component is 0, and they turn about z. A place that is not
 * there gives NAN. */

/* Velocity (order 1, rad/s) or acceleration (2, rad/s^2) of the body's rotation. They are those of motions:
 * the orders of a constraint need rates of base vectors, at->vel, which hold for any numbers. */
GRADYN_API void gradyn_body_turn(const gradyn_at *at, int first, int order, gradyn_scalar omega[3]);

/* Position (order 0, m), velocity (1) or acceleration (2) of the body's point that is at `local`, m, from its
 * centre. */
GRADYN_API void gradyn_body_motion(const gradyn_at *at, int first, const gradyn_scalar local[3],
                                   int order, gradyn_scalar r[3]);

/* In a custom force: adds a force, N, on the body's point at `local` from its centre, m, and a torque, N m,
 * to what the function fills in. NULL: none. */
GRADYN_API void gradyn_body_load(const gradyn_at *at, int first, const gradyn_scalar local[3],
                                 const gradyn_scalar on_point[3], const gradyn_scalar torque[3],
                                 gradyn_scalar force[]);

#ifdef __cplusplus
}
#endif

#endif
