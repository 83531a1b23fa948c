/* Measures: quantities that a mechanism has at every time. gradyn_functional() reduces them to numbers.
 *
 * Each component of a measure is a column of trajectories. name: copied; must be given, and should differ
 * from those of other columns. A measure with the name "" has no columns and serves functionals only.
 * Magnitudes and formulas need a name, since their data are called after it. Errors of all functions here are
 * reported by gradyn_build_status(). Objects that a measure refers to must be declared before it. */
#ifndef GRADYN_MEASURES_H
#define GRADYN_MEASURES_H

#include <gradyn/joints.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Declares a joint coordinate (order 0, rad or m), its rate (1, rad/s or m/s) or acceleration (2, rad/s^2
 * or m/s^2) as a measure. Returns its number. On failure gradyn_build_status() reports the error, and the
 * number returned is 0. */
GRADYN_API gradyn_measure_id gradyn_measure_joint(gradyn_model *model, const char *name,
                                                  gradyn_coordinate_id coordinate, int order);

/* Declares the position (order 0, m), velocity (1, m/s) or acceleration (2, m/s^2) of a point as a measure.
 * Slopes of beams and base vectors of bodies are dimensionless, with rates in 1/s and 1/s^2.
 *
 * axis: axis of the ground, for one component. GRADYN_ALL_AXES: the vector, with columns name.x, name.y and
 *   in space name.z.
 *
 * Returns its number. On failure gradyn_build_status() reports the error, and the number returned is 0. */
GRADYN_API gradyn_measure_id gradyn_measure_point(gradyn_model *model, const char *name,
                                                  gradyn_point_id point, int order,
                                                  gradyn_axis axis);

/* Declares the angle of the line from one point to another as a measure, in the plane.
 *
 * order: 0: the angle from the x axis, rad, -pi to pi; 1: its rate, rad/s. Positive counter-clockwise.
 *   The angle jumps at pi; the integral of the rate counts full turns. Not defined if the points coincide.
 *
 * Returns its number. On failure gradyn_build_status() reports the error, and the number returned is 0. */
GRADYN_API gradyn_measure_id gradyn_measure_line_angle(gradyn_model *model, const char *name,
                                                       gradyn_point_id from, gradyn_point_id to,
                                                       int order);

/* Declares the angular velocity of a body about an axis of the ground, rad/s, as a measure. axis: one axis,
 * in the plane GRADYN_Z. Returns its number. On failure gradyn_build_status() reports the error, and the
 * number returned is 0. */
GRADYN_API gradyn_measure_id gradyn_measure_rotation_rate(gradyn_model *model, const char *name,
                                                          gradyn_body_id body, gradyn_axis axis);

/* Declares the force of a joint on body b as a measure, N: its component along an axis of frame a.
 *
 * axis: one axis, in the plane GRADYN_X or GRADYN_Y. Frame a must have directions; a frame that was declared
 *   without an axis is an error. In space, the frame of a rod has GRADYN_Z only. Forces and constraints on
 *   the joint's own coordinates are included, for example drives, gears, springs, friction and stops. Joints
 *   of constant length have no such measure, nor joints whose origins are rigidly connected without the
 *   joint.
 *
 * Returns its number. On failure gradyn_build_status() reports the error, and the number returned is 0. */
GRADYN_API gradyn_measure_id gradyn_measure_joint_force(gradyn_model *model, const char *name,
                                                        gradyn_joint_id joint, gradyn_axis axis);

/* Declares the torque of a joint on body b about b's origin as a measure, N m: its component along an
 * axis of frame a.
 *
 * axis: one axis, in the plane GRADYN_Z. In space frame a must have directions. Forces and constraints on the
 *   joint's own angle are included, as for gradyn_measure_joint_force(). Joints of constant length have no
 *   such measure.
 *
 * Returns its number. On failure gradyn_build_status() reports the error, and the number returned is 0. */
GRADYN_API gradyn_measure_id gradyn_measure_joint_torque(gradyn_model *model, const char *name,
                                                         gradyn_joint_id joint, gradyn_axis axis);

/* Declares the torque (N m) or force (N) of a force element on a joint coordinate as a measure. The measure
 * is 0 in modes without the element.
 *
 * force: name of the element, which must be unique among forces. The first variable that the element lists
 *   must be a joint coordinate; the measure is its torque or force, of a on b.
 *
 * Returns the number of the measure. On failure gradyn_build_status() reports the error, and the number
 * returned is 0. */
GRADYN_API gradyn_measure_id gradyn_measure_effort(gradyn_model *model, const char *name,
                                                   const char *force);

/* Declares the power of a force element on all that it acts on, except first-order states, as a measure,
 * W. The power is positive if the element drives the motion, and 0 in modes without the element.
 *
 * force: name of the element, which must be unique among forces.
 *
 * Returns the number of the measure. On failure gradyn_build_status() reports the error, and the number
 * returned is 0. */
GRADYN_API gradyn_measure_id gradyn_measure_power(gradyn_model *model, const char *name,
                                                  const char *force);

/* Declares a first-order state of a mechanism (order 0, in its unit) or its rate (order 1, in its unit per
 * s) as a measure. States of general equations are refused. Returns the number of the measure. On failure
 * gradyn_build_status() reports the error, and the number returned is 0. */
GRADYN_API gradyn_measure_id gradyn_measure_state(gradyn_model *model, const char *name,
                                                  gradyn_state_id state, int order);

/* Declares the multiplier of one scalar constraint as a measure, in the unit of the multiplier. The measure
 * is 0 in modes without the constraint. Returns the number of the measure. On failure gradyn_build_status()
 * reports the error, and the number returned is 0. */
GRADYN_API gradyn_measure_id gradyn_measure_multiplier(gradyn_model *model, const char *name,
                                                       gradyn_constraint_id constraint);

/* Declares the torque (N m) or force (N) of a drive as a measure. Times the rate of the law it is the
 * power of the drive.
 *
 * constraint: of gradyn_drive_joint(), gradyn_angle(), gradyn_distance() or gradyn_coordinate(). Rods are
 *   refused.
 *
 * The measure is positive in the direction in which the law grows. A positive drive turns or moves b of a
 * joint, or turns the line counter-clockwise. Otherwise it pushes the points of a distance apart, or moves
 * the point along the axis.
 *
 * Returns the number of the measure. On failure gradyn_build_status() reports the error, and the number
 * returned is 0. */
GRADYN_API gradyn_measure_id gradyn_measure_drive(gradyn_model *model, const char *name,
                                                  gradyn_constraint_id constraint);

/* Declares the deflection of the last node of a beam from the tangent at its first node as a measure, m.
 * In the plane it is positive to the left of the tangent. In space it is a distance, whose derivative at 0
 * is set to 0. Returns its number. On failure gradyn_build_status() reports the error, and the number
 * returned is 0. */
GRADYN_API gradyn_measure_id gradyn_measure_deflection(gradyn_model *model, const char *name,
                                                       gradyn_beam_id beam);

/* Declares the axial stress of a beam in an extreme fibre as a measure, Pa, positive in tension.
 *
 * node: 0 to the number of elements, or GRADYN_BEAM_END. The stress is that of the element that begins at
 *   the node. At the last node it is that of the last element. GRADYN_ALL_NODES: a vector with the
 *   stresses at both ends of each element.
 * fibre: GRADYN_EITHER_FIBRE gives two components: minus the stress of the shortened fibre, then the stress
 *   of the stretched one. Their maximum is |stress|, see gradyn_fibre.
 *
 * Components are in the order of elements, then ends, then fibres. Their columns are name[0], name[1], ...;
 * of two components name.x and name.y.
 *
 * Returns its number. On failure gradyn_build_status() reports the error, and the number returned is 0. */
GRADYN_API gradyn_measure_id gradyn_measure_stress(gradyn_model *model, const char *name,
                                                   gradyn_beam_id beam, int node,
                                                   gradyn_fibre fibre);

/* Declares the undeformed length of a beam as a measure, m. At the end of the run (GRADYN_AT_END) a
 * search evaluates it without a simulation. Returns its number. On failure gradyn_build_status() reports
 * the error, and the number returned is 0. */
GRADYN_API gradyn_measure_id gradyn_measure_beam_length(gradyn_model *model, const char *name,
                                                        gradyn_beam_id beam);

/* Declares the mass of the whole mechanism as a measure, kg. Parts declared later count, too. Returns its
 * number. On failure gradyn_build_status() reports the error, and the number returned is 0. */
GRADYN_API gradyn_measure_id gradyn_measure_mass(gradyn_model *model, const char *name);

/* Declares the kinetic plus potential energy of the mechanism as a measure, J.
 *
 * Gravity and deformed elements have a potential: springs, bushings, attractions, joint springs, stops,
 * tyres and beams. The potential of gravity is 0 at the origin of the ground. Forces, torques, tensions and
 * efforts have none, constant ones included; the energy changes by their work.
 *
 * Returns its number. On failure gradyn_build_status() reports the error, and the number returned is 0. */
GRADYN_API gradyn_measure_id gradyn_measure_energy(gradyn_model *model, const char *name);

/* Declares the magnitude of one to four measures of the same unit as a measure, for example of the
 * components of a force. The magnitude is sqrt(sum of squares + smoothing^2) - smoothing.
 *
 * measures [count]: numbers of measures declared before, copied; vectors count with each component. All
 *   components together are 1 to 4.
 * smoothing: in the unit of the measures, >= 0; datum name.smoothing. If it is 0, the magnitude has a
 *   kink where all measures are 0, and its derivative there is set to 0.
 *
 * Returns its number. On failure gradyn_build_status() reports the error, and the number returned is 0. */
GRADYN_API gradyn_measure_id gradyn_measure_magnitude(gradyn_model *model, const char *name,
                                                      const gradyn_measure_id measures[], int count,
                                                      gradyn_scalar smoothing);

/* Evaluates a measure of the user's from the measures at->of, the listed points and at->data only; at->t
 * is NAN. Signals and multipliers are not seen: at->u and at->lam are NULL. Stores the result in *value,
 * which is 0 before. The formula must be smooth, since it is differentiated by complex step.
 *
 * Returns GRADYN_OK, or an error code, usually that of gradyn_callback_error(); the run then fails with
 * it. A result that is not finite or not real fails with GRADYN_NON_FINITE. */
typedef gradyn_status (*gradyn_measure_fn)(const gradyn_at *at, gradyn_scalar *value);

/* A measure by a formula of the user's. */
typedef struct gradyn_measure_formula_spec {
  const char *name;          /* copied; must be given */
  const char *unit;          /* unit of the measure; copied; NULL: dimensionless */
  gradyn_measure_fn formula; /* must be given */
  /* [count], measures declared before; copied; NULL: none. at->of has their components, in this order, from
   * index 0 */
  const gradyn_measure_id *of;
  int count; /* 0 to 4, with at most 4 components together; at least 1 if no points are listed */
  /* [data_count], data of its own, named name.<datum>; copied; may be NULL */
  const gradyn_datum *data;
  int data_count; /* number of data; 0: none */
  /* pointer passed on as at->user; the same in all calls of build(), valid as long as the evaluator */
  void *user;
  /* [point_count], variables that it reads: points, base vectors of bodies, joint coordinates, first-order
   * states, each once; copied; NULL: none. The arrays at->pos and at->vel have these only, in this order,
   * see gradyn_at */
  const gradyn_variable_id *points;
  int point_count; /* 0 to GRADYN_CUSTOM_POINTS; 0: pos, vel and acc are NULL */
  /* true: at->acc has the accelerations of the points; false: its entries are NAN */
  bool needs_accelerations;
} gradyn_measure_formula_spec;

/* Declares a measure by a formula. The spec is copied. Returns its number. On failure
 * gradyn_build_status() reports the error, and the number returned is 0. */
GRADYN_API gradyn_measure_id gradyn_measure_formula(gradyn_model *model,
                                                    const gradyn_measure_formula_spec *spec);

#ifdef __cplusplus
}
#endif

#endif
