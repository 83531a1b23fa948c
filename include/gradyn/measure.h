/* Measures: numbers that a mechanism has at every instant. Each is a column of trajectories, and functionals
 * are made of them. */
#ifndef GRADYN_MEASURE_H
#define GRADYN_MEASURE_H

#include <gradyn/joints.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- Measures: each returns its number -------------------------------------------------------- */

/* A joint coordinate (order 0, rad or m), its rate (1) or acceleration (2). */
GRADYN_API gradyn_measure_id gradyn_measure_joint(gradyn_model *model, const char *name,
                                                  gradyn_coordinate_id coordinate, int order);

/* A component of a point's position (order 0), velocity (1) or acceleration (2). */
GRADYN_API gradyn_measure_id gradyn_measure_point(gradyn_model *model, const char *name,
                                                  gradyn_point_id point, int order,
                                                  gradyn_axis axis);

/* The angular velocity of a body about an axis of the ground, rad/s; in the plane about GRADYN_Z. */
GRADYN_API gradyn_measure_id gradyn_measure_rotation_rate(gradyn_model *model, const char *name,
                                                          gradyn_body_id body, gradyn_axis axis);

/* What goes through a joint from a to b: the component along x, y or z of frame a of the force on b, N, or of
 * the torque on b about its origin, N m, drives, gears, springs and stops on the joint's own coordinates
 * included. In the plane forces along x and y, torques about z. Not of constant lengths, and no forces
 * where the origins are one point. */
GRADYN_API gradyn_measure_id gradyn_measure_joint_force(gradyn_model *model, const char *name,
                                                        gradyn_joint_id joint, gradyn_axis axis);
GRADYN_API gradyn_measure_id gradyn_measure_joint_torque(gradyn_model *model, const char *name,
                                                         gradyn_joint_id joint, gradyn_axis axis);

/* What the force called `force`, which has been declared before, does: its effort on the joint coordinate
 * that it acts on (first), N or N m; its power on all that it acts on, W, first-order states aside. */
GRADYN_API gradyn_measure_id gradyn_measure_effort(gradyn_model *model, const char *name,
                                                   const char *force);
GRADYN_API gradyn_measure_id gradyn_measure_power(gradyn_model *model, const char *name,
                                                  const char *force);

/* A first-order state (order 0) or its rate (1). */
GRADYN_API gradyn_measure_id gradyn_measure_state(gradyn_model *model, const char *name,
                                                  gradyn_state_id state, int order);

/* The multiplier of a constraint. */
GRADYN_API gradyn_measure_id gradyn_measure_multiplier(gradyn_model *model, const char *name,
                                                       gradyn_constraint_id constraint);

/* What a drive does: of a constraint of gradyn_drive_joint(), gradyn_angle(), gradyn_distance() or
 * gradyn_coordinate() the torque, N m, or force, N, in the direction in which its law grows: on b, on the bar
 * counter-clockwise, apart, on the point. Times the rate of the law it is the power of the drive. */
GRADYN_API gradyn_measure_id gradyn_measure_drive(gradyn_model *model, const char *name,
                                                  gradyn_constraint_id constraint);

/* The magnitude of one to four measures of the same unit that have been declared before, such as a force's
 * components: sqrt(sum of squares + smoothing^2) - smoothing, with smoothing >= 0 in that unit. If it is 0,
 * there is a kink where all of them are zero, and the derivative is taken as 0. Datum: name.smoothing. */
GRADYN_API gradyn_measure_id gradyn_measure_magnitude(gradyn_model *model, const char *name,
                                                      const gradyn_measure_id measures[], int count,
                                                      gradyn_scalar smoothing);

/* A number computed from the measures at->of, the points that it lists and at->data, and nothing else: at->t
 * is NAN. Smooth, since it is differentiated by complex step. */
typedef gradyn_status (*gradyn_measure_fn)(const gradyn_at *at, gradyn_scalar *value);

typedef struct gradyn_measure_formula_spec {
  const char *name;
  const char *unit;
  gradyn_measure_fn formula;
  const gradyn_measure_id *of; /* [count] measures declared before, at most 4 */
  int count;                   /* 0: it needs points */
  const gradyn_datum *data;    /* [data_count], its own numbers; may be NULL */
  int data_count;
  void *user; /* handed to the formula */
  /* Points, base vectors of bodies, joint coordinates, first-order states: at->pos and at->vel have these, in
   * this order, as in forces and constraints; at->acc too if it says so, otherwise that is NAN. */
  const gradyn_variable_id *points; /* [point_count], each once, at most GRADYN_CUSTOM_POINTS */
  int point_count;
  bool reads_accelerations;
} gradyn_measure_formula_spec;

/* A measure by a formula; the spec is copied. Data: name.<datum>. */
GRADYN_API gradyn_measure_id gradyn_measure_formula(gradyn_model *model,
                                                    const gradyn_measure_formula_spec *spec);

/* --- Functionals of measures: each returns its number ----------------------------------------- */

/* Integral of (measure - target)^2. Data: name.target, in the unit of the measure. */
GRADYN_API gradyn_functional_id gradyn_track_measure(gradyn_model *model, const char *name,
                                                     gradyn_measure_id measure,
                                                     gradyn_scalar target);

/* Integral of the measure. */
GRADYN_API gradyn_functional_id gradyn_integral_of_measure(gradyn_model *model, const char *name,
                                                           gradyn_measure_id measure);

/* Integral of its square over the run, divided by the end time. */
GRADYN_API gradyn_functional_id gradyn_mean_square_of_measure(gradyn_model *model, const char *name,
                                                              gradyn_measure_id measure);

/* The measure at a time of the run, s; 0: at its end. Steps of a fixed length have to end there. */
GRADYN_API gradyn_functional_id gradyn_measure_at(gradyn_model *model, const char *name,
                                                  gradyn_measure_id measure, double instant);

/* Kreisselmeier-Steinhauser maximum over the run of measure/allowed (1: just allowed), which has no unit;
 * `allowed` is in that of the measure, sharpness at most 600; a negative `allowed` limits from below. The
 * second takes the magnitude, allowed > 0. Data: name.allowed. */
GRADYN_API gradyn_functional_id gradyn_largest_measure(gradyn_model *model, const char *name,
                                                       gradyn_measure_id measure,
                                                       gradyn_scalar allowed, double sharpness);
GRADYN_API gradyn_functional_id gradyn_peak_measure(gradyn_model *model, const char *name,
                                                    gradyn_measure_id measure,
                                                    gradyn_scalar allowed, double sharpness);

/* The largest value over the run of measure/allowed, and of its magnitude over it, as gradyn_maximum() has
 * it: exact, where the two above lie below. `allowed` is in the unit of the measure. Data: name.allowed. */
GRADYN_API gradyn_functional_id gradyn_maximum_of_measure(gradyn_model *model, const char *name,
                                                          gradyn_measure_id measure,
                                                          gradyn_scalar allowed);
GRADYN_API gradyn_functional_id gradyn_maximum_of_magnitude(gradyn_model *model, const char *name,
                                                            gradyn_measure_id measure,
                                                            gradyn_scalar allowed);

#ifdef __cplusplus
}
#endif

#endif
