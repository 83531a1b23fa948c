/* Frames, joints between them, and joint coordinates, in the plane and in space.
 *
 * Names are copied; those of frames, coordinates of frames, joints and wheels have at most 80 characters.
 * NULL stands for the kind, for example "joint". Frames and joint coordinates share one list of names with
 * points, so all these names must differ. gradyn_build_status() reports all errors. Objects that a call
 * names must be declared before. Declare a point, a body or gravity before the first frame: such a
 * declaration decides whether the mechanism is planar or spatial. */
#ifndef GRADYN_JOINTS_H
#define GRADYN_JOINTS_H

#include <gradyn/mechanism.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- Frames ----------------------------------------------------------------------------------- */

/* A frame: a point and directions fixed to a body or to the ground, given as they are at the initial
 * time.
 *
 * In space a frame has the directions x, y and z, where z is the axis of joints. In the plane it has the
 * direction x, along which sliders slide; joints turn about the normal of the plane. */
typedef struct gradyn_frame_spec {
  const char *name;    /* copied, at most 80 characters, unique; NULL: "frame" */
  gradyn_body_id body; /* body to which it is fixed, or GRADYN_GROUND */
  /* position of the origin at the initial time, in axes of the ground, m. In the plane entry [2] of all
   * these vectors is not used */
  gradyn_scalar origin[3];
  /* direction of z in space, of x in the plane, in axes of the ground at the initial time. It is
   * dimensionless, of any length; {0}: none, for joints without directions */
  gradyn_scalar axis[3];
  /* in space: a vector whose part normal to the axis is the direction of x; this part must not vanish. It is
   * dimensionless, of any length; {0}: gradyn chooses x, normal to the axis */
  gradyn_scalar side[3];
  /* true: the directions are base vectors of the body, or axes of the ground; axis and side are not used */
  bool aligned;
  /* with aligned: the base vector or axis that is z in space, x in the plane; the others follow
   * cyclically */
  gradyn_axis along;
} gradyn_frame_spec;

/* Declares a frame. The spec is copied.
 *
 * Data of a frame of a body: name.local_x, ... of the origin, name.axis_x.local_x, ... of the directions
 * that joints use. Data of a frame of the ground: name.x, ..., name.axis_x.x, ...
 *
 * Returns its number. On failure gradyn_build_status() reports the error, and the number returned is 0. */
GRADYN_API gradyn_frame_id gradyn_frame(gradyn_model *model, const gradyn_frame_spec *spec);

/* Declares the frame of a rod or of another pair of points.
 *
 * Its origin is `from`. Its only direction points to `to`: x in the plane, z in space. The points must not
 * coincide at the initial time, and neither may be attached to a body or to other points. name NULL:
 * "frame". Datum: name.per_length, 1/m, the inverse of the initial distance, if a joint uses the direction.
 *
 * Returns its number. On failure gradyn_build_status() reports the error, and the number returned is 0. */
GRADYN_API gradyn_frame_id gradyn_rod_frame(gradyn_model *model, const char *name,
                                            gradyn_point_id from, gradyn_point_id to);

/* Returns the point that is the origin of a frame, the same at each call: of a frame of a rod its point
 * `from`. On failure gradyn_build_status() reports the error, and the number returned is 0. */
GRADYN_API gradyn_point_id gradyn_frame_point(gradyn_model *model, gradyn_frame_id frame);

/* --- Joints ----------------------------------------------------------------------------------- */

/* Kinds of a joint: the axes about which frame b rotates, or along which frame b slides, relative to frame
 * a. Apart from these motions, origins, and directions of the same name, coincide. The plane has the kinds
 * fixed, revolute, prismatic, point-on-line and constant-length. */
typedef enum gradyn_joint_kind {
  GRADYN_FIXED,       /* no motion */
  GRADYN_REVOLUTE,    /* rotation about z; in the plane about its normal */
  GRADYN_PRISMATIC,   /* translation along z; in the plane along x */
  GRADYN_CYLINDRICAL, /* rotation about z and translation along it */
  GRADYN_SCREW,       /* rotation about z and translation along it by the pitch per turn */
  GRADYN_SPHERICAL,   /* all rotations */
  /* rotations about z of a and about z of b, which stay normal to each other */
  GRADYN_UNIVERSAL,
  GRADYN_PLANAR, /* translation along x and y of a, rotation about z */
  /* the origin moves along z of a, in the plane along x of a; all rotations */
  GRADYN_POINT_ON_LINE,
  GRADYN_POINT_ON_PLANE, /* the origin moves along x and y of a; all rotations */
  /* the origin keeps its initial distance from that of a; datum: name.value, m */
  GRADYN_CONSTANT_LENGTH
} gradyn_joint_kind;

/* A joint between two frames.
 *
 * Initial positions may be approximate, but axes that are to coincide must be less than 90 degrees apart. A
 * joint that needs directions refuses frames without an axis. In space, the frame of a rod can be b of
 * joints that need its origin only, and a of spherical and constant-length joints. It can also be b of
 * revolute, cylindrical and planar joints, where the rod stays normal to z of a. If it is a of a revolute
 * joint, gradyn exchanges a and b. Equations that are redundant because of common points are omitted. */
typedef struct gradyn_joint_spec {
  const char *name; /* copied, at most 80 characters; unique if it has coordinates; NULL: "joint" */
  gradyn_joint_kind kind; /* permitted motions */
  gradyn_frame_id a, b;   /* frames, not of the same body or rod, and not both of the ground */
  /* screws: translation per turn, m; positive: right-handed; datum name.thread.ratio, m/rad; otherwise
   * not used */
  gradyn_scalar pitch;
  /* true: with joint coordinates, this joint closes a loop by constraints, and its coordinates position no
   * body. */
  bool cut;
  gradyn_modes modes; /* modes in which its constraints are active; 0: all; see gradyn_modes_of() */
} gradyn_joint_spec;

/* Declares a joint. The spec is copied.
 *
 * The constraints name.x, name.y and name.z make the origins coincide. Their multipliers are the force of b
 * on a along the axes of the ground, N.
 *
 * The constraints name.along_x, ... fix the origin of b along a direction of a. Each multiplier is minus the
 * force on b along that direction, N. In the plane there is name.across_x, along the normal of x.
 *
 * The constraints name.xy, ... keep a direction of a normal to a direction of b. In the plane name.xx keeps
 * both directions x parallel. Multipliers are in N m.
 *
 * The constraint `name` keeps a constant length; its multiplier is the axial force, N, positive in tension.
 * A screw also has the gear name.thread between its coordinates.
 *
 * Returns the number of the joint; that of its first constraint is gradyn_element_info.constraint. On
 * failure gradyn_build_status() reports the error, and the number returned is 0. */
GRADYN_API gradyn_joint_id gradyn_joint(gradyn_model *model, const gradyn_joint_spec *spec);

/* A joint between two bodies whose frames coincide at the initial time. */
typedef struct gradyn_joint_between_spec {
  const char *name;              /* copied, at most 80 characters, unique; NULL: "joint" */
  gradyn_joint_kind kind;        /* permitted motions */
  gradyn_body_id body_a, body_b; /* two different bodies; GRADYN_GROUND is allowed for one */
  /* position of both origins at the initial time, in axes of the ground, m */
  gradyn_scalar position[3];
  /* directions as in gradyn_frame_spec, dimensionless, of any length; {0}: none, and in the plane x of
   * the ground for revolute and fixed joints */
  gradyn_scalar axis[3], side[3];
  /* universal joints: z of b, normal to axis; dimensionless, of any length; otherwise not used */
  gradyn_scalar axis_b[3];
  gradyn_scalar pitch; /* screws: translation per turn, m; positive: right-handed */
  bool cut;            /* as in gradyn_joint_spec */
  gradyn_modes modes;  /* as in gradyn_joint_spec */
} gradyn_joint_between_spec;

/* Declares the frames name.a and name.b, and a joint between them. The spec is copied. Constraints are
 * those of gradyn_joint(). Returns the number of the joint. On failure gradyn_build_status() reports the
 * error, and the number returned is 0. */
GRADYN_API gradyn_joint_id gradyn_joint_between(gradyn_model *model,
                                                const gradyn_joint_between_spec *spec);

/* --- Nonholonomic constraints -------------------------------------------------------------------- */

/* Declares a knife edge (skate, blade, lateral guidance of a wheel): the velocity of a point along a
 * direction of a frame is prescribed. The velocity is relative to the ground, and the body of the frame
 * receives no reaction.
 *
 * frame: frame of any body, rod or the ground, with an axis.
 * axis: direction of the frame. In the plane GRADYN_X is its direction and GRADYN_Y the normal of that
 *   direction. In space a frame of a rod has GRADYN_Z only.
 * point: a point that moves, also of a body; points of the ground are refused.
 * speed: velocity along the direction, m/s; the value of the law is in m/s, its rate in m/s^2; copied;
 *   NULL: 0. Data: those of gradyn_time_function.
 *
 * The constraint restricts velocities, not positions. Its multiplier is minus the force on the point along
 * the direction, N. The methods variational and kinematic refuse it. name NULL: "knife edge".
 *
 * Returns its number. On failure gradyn_build_status() reports the error, and the number returned is 0. */
GRADYN_API gradyn_constraint_id gradyn_knife_edge(gradyn_model *model, const char *name,
                                                  gradyn_frame_id frame, gradyn_axis axis,
                                                  gradyn_point_id point,
                                                  const gradyn_time_function *speed);

/* A wheel in space: a thin disc that touches a plane of the ground with its lowest point and rolls
 * without slip. It may lean, but must not lie flat. */
typedef struct gradyn_wheel_spec {
  const char *name; /* copied, at most 80 characters; NULL: "wheel" */
  /* frame of a body: its origin is the centre of the disc, its axis z the axle */
  gradyn_frame_id wheel;
  /* frame of the ground: the plane is that of x and y; the wheel is on the side of positive z */
  gradyn_frame_id ground;
  gradyn_scalar radius; /* m, > 0 */
} gradyn_wheel_spec;

/* Declares a wheel. The spec is copied. Datum: name.radius.
 *
 * The multiplier of name.contact is minus the force of the ground along z, N. The nonholonomic constraints
 * name.roll_x and name.roll_y follow; their multipliers are minus the forces along x and y, N. The methods
 * variational and kinematic refuse them.
 *
 * Returns the number of name.contact; those of name.roll_x and name.roll_y follow. On failure
 * gradyn_build_status() reports the error, and the number returned is 0. */
GRADYN_API gradyn_constraint_id gradyn_wheel(gradyn_model *model, const gradyn_wheel_spec *spec);

/* --- Joint coordinates ------------------------------------------------------------------------ */

/* Returns "natural" or "joint": the coordinates for which this call of build() declares the model.
 *
 * With the option coordinates = "auto", gradyn may call build() for both. A point then has another number
 * (gradyn_point_id) in each, and those stored by callbacks are valid for the last call only. Returns a
 * constant string, never NULL; "natural" if model is NULL. */
GRADYN_API const char *gradyn_coordinates_declared(const gradyn_model *model);

/* Joint coordinates are angles and distances with columns of their own in trajectories: name, name.rate,
 * name.acceleration. In callbacks, the first component of a coordinate with index i in the list of points
 * is at->pos[axes * i]. A custom force on a coordinate is a torque, N m, or a force, N, of a on b. */

/* Coordinates of frame b relative to frame a. */
typedef enum gradyn_coordinate_kind {
  GRADYN_ANGLE, /* angle from x of a to x of b about z of a, rad; it counts full turns */
  GRADYN_SLIDE, /* distance of b's origin from a's origin along z of a, in the plane along x of a, m */
  GRADYN_SLIDE_X, /* distance of b's origin from a's origin along x of a, m */
  GRADYN_SLIDE_Y  /* distance of b's origin from a's origin along y of a, m */
} gradyn_coordinate_kind;

/* Returns a coordinate of a joint, rad or m.
 *
 * Revolute, cylindrical, screw, planar and universal joints have GRADYN_ANGLE, which starts between -pi and
 * pi. For a universal joint, and in space for the frame of a rod, the angle is that from x of a to z of b.
 * Prismatic, cylindrical, screw and point-on-line joints have GRADYN_SLIDE. Planar and point-on-plane joints
 * have GRADYN_SLIDE_X and GRADYN_SLIDE_Y. Other pairs are errors.
 *
 * The name is that of the joint with .angle, .slide, .slide_x or .slide_y. The first call declares the
 * coordinate; later calls return the same number. Datum: <coordinate>.near, the initial value of the
 * declared frames. On failure gradyn_build_status() reports the error, and the number returned is 0. */
GRADYN_API gradyn_coordinate_id gradyn_joint_coordinate(gradyn_model *model, gradyn_joint_id joint,
                                                        gradyn_coordinate_kind kind);

/* Declares the angle, rad, or the slide, m, between any two frames, joined or not.
 *
 * name: copied, at most 80 characters, unique; NULL: "angle" or "slide". Datum: name.near, as for
 *   gradyn_joint_coordinate().
 * a, b: two different frames.
 * kind: GRADYN_ANGLE or GRADYN_SLIDE. An angle in space is measured to the part of x of b normal to z of a,
 *   which must not vanish. For the frame of a rod in space, its only direction replaces x; such a frame
 *   cannot be a.
 *
 * Returns its number. On failure gradyn_build_status() reports the error, and the number returned is 0. */
GRADYN_API gradyn_coordinate_id gradyn_frame_coordinate(gradyn_model *model, const char *name,
                                                        gradyn_frame_id a, gradyn_frame_id b,
                                                        gradyn_coordinate_kind kind);

/* Prescribes a joint coordinate: coordinate = law(t), rad or m. law: copied; NULL: 0. name: copied; NULL:
 * "coordinate". Data: those of gradyn_time_function. The multiplier is minus the torque, N m, or force, N,
 * of the drive on b. Returns the number of the constraint. On failure gradyn_build_status() reports the
 * error, and the number returned is 0. */
GRADYN_API gradyn_constraint_id gradyn_drive_joint(gradyn_model *model, const char *name,
                                                   gradyn_coordinate_id coordinate,
                                                   const gradyn_time_function *law);

/* Fixes a joint coordinate at the initial time. value: rad or m. rate: its rate, rad/s or m/s. name: copied;
 * NULL: "coordinate". Data: name.value, name.rate. gradyn_build_status() reports errors. */
GRADYN_API void gradyn_fix_initial_joint(gradyn_model *model, const char *name,
                                         gradyn_coordinate_id coordinate, gradyn_scalar value,
                                         gradyn_scalar rate);

/* Couples two joint coordinates like a gear or a rack: second = ratio first + offset. The declared initial
 * values of both determine the offset.
 *
 * ratio: dimensionless between angles or between distances; rad/m or m/rad otherwise. The multiplier is
 *   minus the torque, N m, or force, N, of the gear on the second coordinate. Data: name.ratio,
 *   name.offset. name NULL: "gear".
 *
 * Returns the number of the constraint. On failure gradyn_build_status() reports the error, and the number
 * returned is 0. */
GRADYN_API gradyn_constraint_id gradyn_gear(gradyn_model *model, const char *name,
                                            gradyn_coordinate_id first, gradyn_coordinate_id second,
                                            gradyn_scalar ratio);

/* A spring, damper and actuator on a joint coordinate. The torque (N m, of an angle) or force (N, of a
 * distance) of a on b is -k (coordinate - free) - c rate + effort + signal(t). Here and below a and b are
 * the frames of the coordinate. */
typedef struct gradyn_joint_spring_spec {
  const char *name;                /* copied; NULL: "joint spring" */
  gradyn_coordinate_id coordinate; /* joint coordinate on which it acts */
  gradyn_scalar k;                 /* stiffness, N m/rad or N/m, of any sign */
  gradyn_scalar c;                 /* damping, N m s/rad or N s/m, of any sign */
  gradyn_scalar free;              /* coordinate without spring torque or force, rad or m */
  gradyn_scalar effort;            /* constant torque or force, N m or N */
  gradyn_signal_id signal;         /* additional torque or force, N m or N; 0: none */
} gradyn_joint_spring_spec;

/* Declares a joint spring. The spec is copied. Data: name.stiffness, name.damping, name.free,
 * name.effort. Returns its number. On failure gradyn_build_status() reports the error, and the number
 * returned is 0. */
GRADYN_API gradyn_force_id gradyn_joint_spring(gradyn_model *model,
                                               const gradyn_joint_spring_spec *spec);

/* Stops of a joint coordinate. Beyond the upper limit, the torque or force of a on b is
 * -(k r + c r' rate).
 *
 * Here p = coordinate - upper is the depth, r = (p + sqrt(p^2 + width^2))/2 a smooth depth and r' = dr/dp.
 * The lower limit acts in the same way in the opposite direction. At a limit r is width/2; well inside the
 * limits it is about width^2/(4 |p|). */
typedef struct gradyn_joint_stop_spec {
  const char *name;                /* copied; NULL: "joint stop" */
  gradyn_coordinate_id coordinate; /* joint coordinate that it limits */
  gradyn_scalar lower, upper;      /* limits, rad or m, lower < upper */
  gradyn_scalar k;                 /* stiffness, N m/rad or N/m, > 0 */
  gradyn_scalar c;                 /* damping, N m s/rad or N s/m, >= 0 */
  gradyn_scalar width;             /* range over which the stop sets in, rad or m, > 0 */
} gradyn_joint_stop_spec;

/* Declares the stops of a coordinate. The spec is copied. Data: name.lower, name.upper, name.stiffness,
 * name.damping, name.width. Returns its number. On failure gradyn_build_status() reports the error, and the
 * number returned is 0. */
GRADYN_API gradyn_force_id gradyn_joint_stop(gradyn_model *model,
                                             const gradyn_joint_stop_spec *spec);

#ifdef __cplusplus
}
#endif

#endif
