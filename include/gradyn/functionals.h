/* Functionals, path constraints, objective and constraints of a problem. */
#ifndef GRADYN_FUNCTIONALS_H
#define GRADYN_FUNCTIONALS_H

#include <gradyn/measures.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Functionals of mechanisms.
 *
 * Each function declares a functional and returns its number. name: copied; must be given. Errors of all
 * functions here are reported by gradyn_build_status(). Integrals are over the run, from its start to its
 * end. */

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

/* Path constraints: lower <= m(t) <= upper at every time of a run.
 *
 * m is a function of time, state and data, a measure of a mechanism, or a signal. A search enforces a
 * path constraint at selected time points. It then checks the whole run and adds the points with the
 * largest violations, until the violation is within the tolerance everywhere: see gradyn_search_result. */

/* Declares a path constraint lower <= g <= upper on a function g(t, state, data) of the user's.
 *
 * g: name, unit, callback, data and lists of variables, as for gradyn_maximum(). The function is
 *   g->integrand; g->terminal must be NULL and g->instant 0.
 * lower, upper: bounds in the unit of g, lower <= upper. -INFINITY or INFINITY stands for no bound, but
 *   one bound is needed. Bounds may depend on parameters.
 * tolerance: largest accepted violation, in the unit of g; must be positive.
 *
 * An upper bound declares the functional name.over, the largest value over the run of g - upper. A lower
 * bound declares name.under, the largest value of lower - g. The constraint is satisfied where both are
 * at most 0. Their values are exact, as those of gradyn_maximum(). Data: those of g, name.lower and
 * name.upper.
 *
 * Returns the number of name.over or, without an upper bound, of name.under. On failure gradyn_build_status()
 * reports the error, and the number returned has no meaning. */
GRADYN_API gradyn_functional_id gradyn_limit(gradyn_model *model,
                                             const gradyn_custom_functional_spec *g,
                                             gradyn_scalar lower, gradyn_scalar upper,
                                             double tolerance);

/* Declares a path constraint on a measure of a mechanism. Bounds and tolerance are in the unit of the
 * measure. Functionals, data and the number returned are those of gradyn_limit(). On failure
 * gradyn_build_status() reports the error, and the number returned has no meaning. */
GRADYN_API gradyn_functional_id gradyn_limit_measure(gradyn_model *model, const char *name,
                                                     gradyn_measure_id measure, gradyn_scalar lower,
                                                     gradyn_scalar upper, double tolerance);

/* Declares a path constraint on a signal. Bounds and tolerance are in the unit of the signal. A search
 * enforces it at the knots. For piecewise constant and piecewise linear signals this covers the whole
 * run. Functionals, data and the number returned are those of gradyn_limit(). On failure
 * gradyn_build_status() reports the error, and the number returned has no meaning. */
GRADYN_API gradyn_functional_id gradyn_limit_signal(gradyn_model *model, const char *name,
                                                    gradyn_signal_id signal, gradyn_scalar lower,
                                                    gradyn_scalar upper, double tolerance);

/* The use of functionals in an optimisation: objective and constraints.
 *
 * For build(). A functional without a use is computed and reported only. A functional can have one use; a
 * second use is an error. Errors are reported by gradyn_build_status(). Only the first call of build() sets
 * uses and bounds. */

/* Adds a functional to the objective, which the search minimises. */
GRADYN_API void gradyn_minimise(gradyn_model *model, gradyn_functional_id functional);

/* Adds weight times a functional to the objective. The weight must be finite. It is dimensionless, or has
 * the inverse unit of the functional so that terms of different units can be added. */
GRADYN_API void gradyn_minimise_weighted(gradyn_model *model, gradyn_functional_id functional,
                                         double weight);

/* Subtracts a functional from the objective, so that the search maximises it. */
GRADYN_API void gradyn_maximise(gradyn_model *model, gradyn_functional_id functional);

/* Subtracts weight times a functional from the objective. The unit of the weight is that of
 * gradyn_minimise_weighted(). */
GRADYN_API void gradyn_maximise_weighted(gradyn_model *model, gradyn_functional_id functional,
                                         double weight);

/* Adds a functional to the list whose largest value the search minimises (minimax problem). */
GRADYN_API void gradyn_minimise_largest(gradyn_model *model, gradyn_functional_id functional);

/* Requires functional = value. value and tolerance are in the unit of the functional. The tolerance is
 * the largest accepted violation; it must be positive. */
GRADYN_API void gradyn_require_equal(gradyn_model *model, gradyn_functional_id functional,
                                     double value, double tolerance);

/* Requires functional <= value. value and tolerance are in the unit of the functional. The tolerance is
 * the largest accepted violation; it must be positive. */
GRADYN_API void gradyn_require_at_most(gradyn_model *model, gradyn_functional_id functional,
                                       double value, double tolerance);

/* Requires functional >= value. value and tolerance are in the unit of the functional. The tolerance is
 * the largest accepted violation; it must be positive. */
GRADYN_API void gradyn_require_at_least(gradyn_model *model, gradyn_functional_id functional,
                                        double value, double tolerance);

#ifdef __cplusplus
}
#endif

#endif
