/* Functionals of mechanisms.
 *
 * Each function declares a functional and returns its number. name: copied; must be given. Errors of all
 * functions here are reported by gradyn_build_status(). Integrals are over the run, from its start to its
 * end. */
#ifndef GRADYN_FUNCTIONALS_H
#define GRADYN_FUNCTIONALS_H

#include <gradyn/points.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Declares the integral of |r - (x, y)|^2 for the position r of a point, in m^2 s. x, y: target position,
 * m. Data: name.x, name.y. Returns its number. On failure gradyn_build_status() reports the error, and the
 * number returned has no meaning. */
GRADYN_API gradyn_functional_id gradyn_track_position(gradyn_model *model, const char *name,
                                                      gradyn_point_id point, gradyn_scalar x,
                                                      gradyn_scalar y);

/* Declares the integral of |r' - (x, y)|^2 for the velocity r' of a point, in m^2/s. x, y: target
 * velocity, m/s. Data: name.x, name.y. Returns its number. On failure gradyn_build_status() reports the
 * error, and the number returned has no meaning. */
GRADYN_API gradyn_functional_id gradyn_track_velocity(gradyn_model *model, const char *name,
                                                      gradyn_point_id point, gradyn_scalar x,
                                                      gradyn_scalar y);

/* Declares the integral of |r'' - (x, y)|^2 for the acceleration r'' of a point, in m^2/s^3. x, y: target
 * acceleration, m/s^2. Data: name.x, name.y. Returns its number. On failure gradyn_build_status() reports the
 * error, and the number returned has no meaning. */
GRADYN_API gradyn_functional_id gradyn_track_acceleration(gradyn_model *model, const char *name,
                                                          gradyn_point_id point, gradyn_scalar x,
                                                          gradyn_scalar y);

/* Declares in space the integral of |r - (x, y, z)|^2 for the position r of a point, in m^2 s. Arguments
 * x, y, z: target position, m. Data: name.x, name.y, name.z. Returns its number. On failure
 * gradyn_build_status() reports the error, and the number returned has no meaning. */
GRADYN_API gradyn_functional_id gradyn_track_position_3d(gradyn_model *model, const char *name,
                                                         gradyn_point_id point, gradyn_scalar x,
                                                         gradyn_scalar y, gradyn_scalar z);

/* Declares in space the integral of |r' - (x, y, z)|^2 for the velocity r' of a point, in m^2/s. x, y, z:
 * target velocity, m/s. Data: name.x, name.y, name.z. Returns its number. On failure gradyn_build_status()
 * reports the error, and the number returned has no meaning. */
GRADYN_API gradyn_functional_id gradyn_track_velocity_3d(gradyn_model *model, const char *name,
                                                         gradyn_point_id point, gradyn_scalar x,
                                                         gradyn_scalar y, gradyn_scalar z);

/* Declares in space the integral of |r'' - (x, y, z)|^2 for the acceleration r'' of a point, in m^2/s^3.
 * x, y, z: target acceleration, m/s^2. Data: name.x, name.y, name.z. Returns its number. On failure
 * gradyn_build_status() reports the error, and the number returned has no meaning. */
GRADYN_API gradyn_functional_id gradyn_track_acceleration_3d(gradyn_model *model, const char *name,
                                                             gradyn_point_id point, gradyn_scalar x,
                                                             gradyn_scalar y, gradyn_scalar z);

/* Declares a coordinate of a point at the end time, m. Returns its number. On failure gradyn_build_status()
 * reports the error, and the number returned has no meaning. */
GRADYN_API gradyn_functional_id gradyn_end_position(gradyn_model *model, const char *name,
                                                    gradyn_point_id point, gradyn_axis axis);

/* Declares a velocity component of a point at the end time, m/s. Returns its number. On failure
 * gradyn_build_status() reports the error, and the number returned has no meaning. */
GRADYN_API gradyn_functional_id gradyn_end_velocity(gradyn_model *model, const char *name,
                                                    gradyn_point_id point, gradyn_axis axis);

/* Declares the rotation of the line from one point to another over the run, in the plane. It is the
 * integral of the angular velocity, rad, positive counter-clockwise. Full turns count. Returns its
 * number. On failure gradyn_build_status() reports the error, and the number returned has no meaning. */
GRADYN_API gradyn_functional_id gradyn_rotation(gradyn_model *model, const char *name,
                                                gradyn_point_id from, gradyn_point_id to);

/* Declares the angular velocity of the line from one point to another at the end time, in the plane,
 * rad/s, positive counter-clockwise. Returns its number. On failure gradyn_build_status() reports the error,
 * and the number returned has no meaning. */
GRADYN_API gradyn_functional_id gradyn_end_angular_velocity(gradyn_model *model, const char *name,
                                                            gradyn_point_id from,
                                                            gradyn_point_id to);

/* Declares the integral of the squared multiplier of a constraint, N^2 s; for a multiplier in N m the
 * number is in N^2 m^2 s. Returns its number. On failure gradyn_build_status() reports the error, and the
 * number returned has no meaning. */
GRADYN_API gradyn_functional_id gradyn_reaction(gradyn_model *model, const char *name,
                                                gradyn_constraint_id constraint);

/* Declares the deflection of the last node of a beam from the tangent at its first node, m.
 *
 * In the plane it is positive to the left of the tangent. In space it is a distance, without a derivative
 * where it is zero. instant: time of the run, s; 0: the end.
 *
 * Returns its number. On failure gradyn_build_status() reports the error, and the number returned has no
 * meaning. */
GRADYN_API gradyn_functional_id gradyn_deflection(gradyn_model *model, const char *name,
                                                  gradyn_beam_id beam, double instant);

/* The extreme fibre of a beam that bending stretches most, or shortens most. */
typedef enum gradyn_fibre { GRADYN_STRETCHED, GRADYN_SHORTENED } gradyn_fibre;

/* Declares the axial stress of a beam at a node in an extreme fibre, Pa, positive in tension. It is E
 * (eps + reach kappa) or E (eps - reach kappa).
 *
 * node: 0 to the number of elements, or GRADYN_BEAM_END. instant: time of the run, s; 0: the end.
 *
 * Returns its number. On failure gradyn_build_status() reports the error, and the number returned has no
 * meaning. */
GRADYN_API gradyn_functional_id gradyn_stress(gradyn_model *model, const char *name,
                                              gradyn_beam_id beam, int node, gradyn_fibre side,
                                              double instant);

/* Declares the smooth maximum of |axial stress|/allowed over all nodes and fibres of a beam and over the
 * run (Kreisselmeier and Steinhauser), dimensionless.
 *
 * With the duration T of the run it is (1/sharpness) ln((1/T) integral of the sum of exp(sharpness
 * |stress|/allowed) dt). The value 1 means that the stress just reaches the allowed one.
 *
 * allowed: allowed stress, Pa, > 0; datum name.allowed. sharpness: dimensionless, > 0, at most 600.
 *
 * Returns its number. On failure gradyn_build_status() reports the error, and the number returned has no
 * meaning. */
GRADYN_API gradyn_functional_id gradyn_largest_stress(gradyn_model *model, const char *name,
                                                      gradyn_beam_id beam, gradyn_scalar allowed,
                                                      double sharpness);

/* Declares the undeformed length of a beam, m. Returns its number. On failure gradyn_build_status() reports
 * the error, and the number returned has no meaning. */
GRADYN_API gradyn_functional_id gradyn_beam_length(gradyn_model *model, const char *name,
                                                   gradyn_beam_id beam);

/* Declares the mass of the whole mechanism, kg. Returns its number. On failure gradyn_build_status() reports
 * the error, and the number returned has no meaning. */
GRADYN_API gradyn_functional_id gradyn_mass(gradyn_model *model, const char *name);

/* Declares the kinetic plus potential energy at the end time, J.
 *
 * Gravity and deformed elements have a potential: springs, bushings, attractions, joint springs, stops,
 * tyres and beams. Forces, torques, tensions and efforts have none, constant ones included; the energy
 * changes by their work.
 *
 * Returns its number. On failure gradyn_build_status() reports the error, and the number returned has no
 * meaning. */
GRADYN_API gradyn_functional_id gradyn_end_energy(gradyn_model *model, const char *name);

#ifdef __cplusplus
}
#endif

#endif
