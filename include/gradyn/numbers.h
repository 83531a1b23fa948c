/* Numbers by which things of a model are called: what declaring functions return, counted from 0 on in the
 * order of declaration (modes: from 1 on). All are integers, as they are for C; their types tell readers,
 * and programs that read these headers, which number belongs where. A type that is defined by another one
 * may stand wherever that one may. */
#ifndef GRADYN_NUMBERS_H
#define GRADYN_NUMBERS_H

#ifdef __cplusplus
extern "C" {
#endif

/* A model under construction and, once built, the thing that is simulated. Opaque. */
typedef struct gradyn_model gradyn_model;

/* What has a place, or a value, that changes with time: one of the next four, or a base vector of a body. */
typedef int gradyn_variable_id;
typedef gradyn_variable_id gradyn_point_id;
typedef gradyn_point_id
    gradyn_slope_id; /* of a beam at a node: a vector, with coordinates as a point */
typedef gradyn_variable_id gradyn_coordinate_id; /* of joints: angles and distances */
typedef gradyn_variable_id
    gradyn_state_id; /* first-order ones of mechanisms, or of general equations */

typedef int gradyn_body_id;  /* or GRADYN_GROUND where that makes sense */
typedef int gradyn_frame_id; /* of bodies and of the ground */
typedef int gradyn_joint_id;
typedef int gradyn_beam_id;
typedef int gradyn_constraint_id; /* index of its multiplier; of rods, too */
typedef int gradyn_force_id;
typedef int gradyn_measure_id;
typedef int gradyn_signal_id;
typedef int gradyn_functional_id;
typedef int gradyn_event_id; /* or GRADYN_ANY_EVENT */
typedef int gradyn_mode_id;  /* or GRADYN_EVERY_MODE, GRADYN_SAME_MODE, GRADYN_END */

#ifdef __cplusplus
}
#endif

#endif
