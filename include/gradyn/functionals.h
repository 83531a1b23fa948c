/* Functionals of mechanisms: each function returns the number of its functional. */
#ifndef GRADYN_FUNCTIONALS_H
#define GRADYN_FUNCTIONALS_H

#include <gradyn/points.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Integral of |r - (x, y)|^2, |r' - (x, y)|^2, |r'' - (x, y)|^2 of a point. Data: name.x, name.y. */
GRADYN_API gradyn_functional_id gradyn_track_position(gradyn_model *model, const char *name,
                                                      gradyn_point_id point, gradyn_scalar x,
                                                      gradyn_scalar y);
GRADYN_API gradyn_functional_id gradyn_track_velocity(gradyn_model *model, const char *name,
                                                      gradyn_point_id point, gradyn_scalar x,
                                                      gradyn_scalar y);
GRADYN_API gradyn_functional_id gradyn_track_acceleration(gradyn_model *model, const char *name,
                                                          gradyn_point_id point, gradyn_scalar x,
                                                          gradyn_scalar y);

/* The same in space: x, y, z in m, m/s, m/s^2. */
GRADYN_API gradyn_functional_id gradyn_track_position_3d(gradyn_model *model, const char *name,
                                                         gradyn_point_id point, gradyn_scalar x,
                                                         gradyn_scalar y, gradyn_scalar z);
GRADYN_API gradyn_functional_id gradyn_track_velocity_3d(gradyn_model *model, const char *name,
                                                         gradyn_point_id point, gradyn_scalar x,
                                                         gradyn_scalar y, gradyn_scalar z);
GRADYN_API gradyn_functional_id gradyn_track_acceleration_3d(gradyn_model *model, const char *name,
                                                             gradyn_point_id point, gradyn_scalar x,
                                                             gradyn_scalar y, gradyn_scalar z);

/* A coordinate, or velocity, of a point at the end time. */
GRADYN_API gradyn_functional_id gradyn_end_position(gradyn_model *model, const char *name,
                                                    gradyn_point_id point, gradyn_axis axis);
GRADYN_API gradyn_functional_id gradyn_end_velocity(gradyn_model *model, const char *name,
                                                    gradyn_point_id point, gradyn_axis axis);

/* Rotation of the line from one point to another over the run, rad: integral of omega. */
GRADYN_API gradyn_functional_id gradyn_rotation(gradyn_model *model, const char *name,
                                                gradyn_point_id from, gradyn_point_id to);

/* Angular velocity of that line at the end time, rad/s. */
GRADYN_API gradyn_functional_id gradyn_end_angular_velocity(gradyn_model *model, const char *name,
                                                            gradyn_point_id from,
                                                            gradyn_point_id to);

/* Integral of the squared multiplier of a constraint. */
GRADYN_API gradyn_functional_id gradyn_reaction(gradyn_model *model, const char *name,
                                                gradyn_constraint_id constraint);

/* Deflection of the last node of a beam from the tangent at its first, m: in the plane positive to the
 * left of the tangent, in space a distance, which has no derivative where it is zero. At a time of the
 * run, s; 0: at its end. */
GRADYN_API gradyn_functional_id gradyn_deflection(gradyn_model *model, const char *name,
                                                  gradyn_beam_id beam, double instant);

/* Axial stress of a beam at a node, in the fibre that bending stretches or shortens most,
 * E (eps +- reach kappa), Pa; time as above. */
typedef enum gradyn_fibre { GRADYN_STRETCHED, GRADYN_SHORTENED } gradyn_fibre;
GRADYN_API gradyn_functional_id gradyn_stress(gradyn_model *model, const char *name,
                                              gradyn_beam_id beam, int node, gradyn_fibre side,
                                              double instant);

/* Kreisselmeier-Steinhauser maximum of the magnitude of the axial stress over the allowed one (1: just
 * allowed), over all nodes, fibres and the run: (1/sharpness) ln( (1/T) integral of the sum of
 * exp(sharpness |stress|/allowed) dt ), sharpness at most 600. Data: name.allowed, Pa. */
GRADYN_API gradyn_functional_id gradyn_largest_stress(gradyn_model *model, const char *name,
                                                      gradyn_beam_id beam, gradyn_scalar allowed,
                                                      double sharpness);

/* Undeformed length of a beam, m; mass of the whole mechanism, kg. */
GRADYN_API gradyn_functional_id gradyn_beam_length(gradyn_model *model, const char *name,
                                                   gradyn_beam_id beam);
GRADYN_API gradyn_functional_id gradyn_mass(gradyn_model *model, const char *name);

/* Kinetic plus potential energy at the end time, J. Potentials are those of gravity and of what deforms:
 * springs, bushings, attractions, stops, beams. Forces, torques, tensions and efforts, constant ones too,
 * store nothing: energy changes by the work that they do. */
GRADYN_API gradyn_functional_id gradyn_end_energy(gradyn_model *model, const char *name);

#ifdef __cplusplus
}
#endif

#endif
