/* Numbers (ids) of the objects of a model: points, bodies, joints, functionals and so on.
 *
 * A declaring function returns the number of the object that it declares. Each kind counts from 0 in the
 * order of declaration; modes count from 1. All these types are int in C. Their names show readers, and
 * programs that read these headers, which number an argument expects. A type that is defined by another
 * type may be used wherever that other type is expected.
 *
 * If a declaration fails, gradyn_build_status() reports the error. The number returned is then 0 or another
 * number without meaning. */
#ifndef GRADYN_NUMBERS_H
#define GRADYN_NUMBERS_H

#ifdef __cplusplus
extern "C" {
#endif

/* A model under construction and, once built, the system that is simulated. Opaque. */
typedef struct gradyn_model gradyn_model;

/* Number of a quantity that changes with time: one of the next four types, or a base vector of a body. */
typedef int gradyn_variable_id;
/* Number of a point of a mechanism. */
typedef gradyn_variable_id gradyn_point_id;
/* Number of the slope of a beam at a node: a vector with as many components as a point. */
typedef gradyn_point_id gradyn_slope_id;
/* Number of a joint coordinate: an angle or a distance. */
typedef gradyn_variable_id gradyn_coordinate_id;
/* Number of a first-order state of a mechanism, or of a state of general equations. */
typedef gradyn_variable_id gradyn_state_id;

/* Number of a rigid body. Some functions accept GRADYN_GROUND for the ground. */
typedef int gradyn_body_id;
/* Number of a frame of a body, of the ground or of a rod. */
typedef int gradyn_frame_id;
/* Number of a joint. */
typedef int gradyn_joint_id;
/* Number of a beam. */
typedef int gradyn_beam_id;
/* Number of a scalar constraint, which is the index of its multiplier. Rods have one, too. */
typedef int gradyn_constraint_id;
/* Number of a force. */
typedef int gradyn_force_id;
/* Number of a measure. */
typedef int gradyn_measure_id;
/* Number of a signal. */
typedef int gradyn_signal_id;
/* Number of a functional, which is its index in psi and in gradients. */
typedef int gradyn_functional_id;
/* Number of an event. Some functions accept GRADYN_ANY_EVENT. */
typedef int gradyn_event_id;
/* Number of a mode, from 1. Special values: GRADYN_EVERY_MODE, GRADYN_SAME_MODE and GRADYN_END. */
typedef int gradyn_mode_id;

/* Set of modes, one bit for each; 0: all modes. See gradyn_modes_of(). */
typedef unsigned gradyn_modes;

#ifdef __cplusplus
}
#endif

#endif
