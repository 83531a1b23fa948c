/* Frames, and joints between them, of mechanisms in the plane and in space. */
#ifndef GRADYN_JOINTS_H
#define GRADYN_JOINTS_H

#include <gradyn/mbs.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GRADYN_GROUND (-1) /* in place of the number of a body */

/* --- Frames ----------------------------------------------------------------------------------- */

/* A point and directions fixed to a body or to the ground, given by where they are at the initial time. In
 * space they are x, y and z, the axis of joints; in the plane the one direction x, along which sliders
 * slide (joints turn about the normal of the plane). */
typedef struct gradyn_frame_spec {
  const char *name;
  gradyn_body_id body;     /* or GRADYN_GROUND */
  gradyn_scalar origin[3]; /* m */
  gradyn_scalar
      axis[3]; /* in space the direction of z, in the plane of x; of any length but zero. Only
                              joints that need no direction do without */
  gradyn_scalar
      side[3];       /* in space, where x points: what of it is normal to the axis; {0}: x is any
                              normal */
  bool aligned;      /* instead of both: the base vectors of the body, which start as the axes of */
  gradyn_axis along; /* the ground, and z (in the plane x) is this one */
} gradyn_frame_spec;

/* Returns the number of the frame. Data: of a body's, name.local_x, .. of the origin and name.axis_x.local_x,
 * .. of the directions that joints use; of the ground's, name.x, .. and name.axis_x.x, .. */
GRADYN_API gradyn_frame_id gradyn_frame(gradyn_model *model, const gradyn_frame_spec *spec);

/* The frame of a bar: its origin is the point `from`, its direction (in the plane x, in space z, the only
 * one) points from there to `to`; neither may be attached to others. Data: name.per_length, 1/m, over the
 * initial distance. */
GRADYN_API gradyn_frame_id gradyn_bar_frame(gradyn_model *model, const char *name,
                                            gradyn_point_id from, gradyn_point_id to);

/* The point that is the origin of a frame. */
GRADYN_API gradyn_point_id gradyn_frame_point(gradyn_model *model, gradyn_frame_id frame);

/* --- Joints ----------------------------------------------------------------------------------- */

/* What a joint lets frame b do with respect to frame a; otherwise origins, and directions of the same name,
 * coincide. In the plane there are fixed, revolute, prismatic and point-on-line joints and distances. */
typedef enum gradyn_joint_kind {
  GRADYN_FIXED,          /* nothing */
  GRADYN_REVOLUTE,       /* turn about z */
  GRADYN_PRISMATIC,      /* slide along z; in the plane along x */
  GRADYN_CYLINDRICAL,    /* turn about z and slide along it */
  GRADYN_SCREW,          /* turn about z and slide along it by the pitch every turn */
  GRADYN_SPHERICAL,      /* turn */
  GRADYN_UNIVERSAL,      /* turn about z of a and about z of b, which stay normal to each other */
  GRADYN_PLANAR,         /* slide along x and y of a, turn about z */
  GRADYN_POINT_ON_LINE,  /* its origin moves along z of a, in the plane along x of a */
  GRADYN_POINT_ON_PLANE, /* its origin moves along x and y of a */
  GRADYN_CONSTANT_LENGTH /* its origin keeps its initial distance from that of a; datum: name.value */
} gradyn_joint_kind;

/* A joint between two frames. The initial positions may be approximate, but axes that are to coincide must be
 * less than a right angle apart. A bar may be b of joints that only need its origin, and of
 *   revolute, cylindrical, planar: it stays normal to z of a (a and b of a revolute joint may be exchanged).
 * Equations that shared points make superfluous are left out. */
typedef struct gradyn_joint_spec {
  const char *name;
  gradyn_joint_kind kind;
  gradyn_frame_id a, b; /* frames */
  gradyn_scalar
      pitch; /* of a screw, right-handed if positive, m a turn; datum name.thread.ratio, m/rad */
  bool cut;  /* in joint coordinates it places no body but closes a loop, as constraints */
} gradyn_joint_spec;

/* Returns the number of the joint. Its constraints are name.x, name.y, name.z (origins coincide: multipliers
 * are the force of b on a along the axes of the ground, N), name.along_x, .. (the origin of b has no
 * component along that direction of a: minus the force on b along it, N) and name.xy, .. (a direction of a is
 * normal to one of b; N m). */
GRADYN_API gradyn_joint_id gradyn_joint(gradyn_model *model, const gradyn_joint_spec *spec);

/* A joint between two bodies at a place where both frames coincide at the initial time. */
typedef struct gradyn_place_spec {
  const char *name;
  gradyn_joint_kind kind;
  gradyn_body_id body_a, body_b;  /* or GRADYN_GROUND */
  gradyn_scalar position[3];      /* m */
  gradyn_scalar axis[3], side[3]; /* revolute and fixed joints in the plane may leave it out: x */
  gradyn_scalar axis_b[3];        /* of the universal joint, normal to the other one */
  gradyn_scalar pitch;
  bool cut; /* as of gradyn_joint_spec */
} gradyn_place_spec;

/* Declares the frames name.a and name.b and the joint; returns the number of the joint. */
GRADYN_API gradyn_joint_id gradyn_joint_at(gradyn_model *model, const gradyn_place_spec *spec);

/* --- Rows of velocities ------------------------------------------------------------------------- */

/* A knife edge (skate, blade, the sideways hold of a wheel): a point that moves has no velocity along
 * direction `axis` of a frame, which may be that of another body or of the ground; or the velocity
 * speed(t), m/s. In the plane x is the direction of the frame and y is across it. It holds velocities and
 * no places: where the point has come to depends on its way. Returns the number of the constraint, whose
 * multiplier is minus the force on the point along the direction, N. The methods variational and kinematic
 * refuse it. */
GRADYN_API gradyn_constraint_id gradyn_knife_edge(gradyn_model *model, const char *name,
                                                  gradyn_frame_id frame, gradyn_axis axis,
                                                  gradyn_point_id point, const gradyn_law *speed);

/* A wheel: a thin disc that touches a plane of the ground with its lowest point and rolls there without
 * slipping. It may lean, but not lie flat. */
typedef struct gradyn_wheel_spec {
  const char *name;
  gradyn_frame_id wheel; /* of a body: its origin is the centre, its axis z the axle */
  gradyn_frame_id
      ground; /* of the ground: the plane is that of x and y, the wheel is where z points */
  gradyn_scalar radius; /* m, > 0 */
} gradyn_wheel_spec;

/* Returns the number of the constraint name.contact, whose multiplier is minus the force of the ground along
 * z, N; name.roll_x and name.roll_y follow, of velocities alone, with minus the forces along x and y. Datum:
 * name.radius. Methods that march it: those of gradyn_knife_edge(). */
GRADYN_API gradyn_constraint_id gradyn_wheel(gradyn_model *model, const gradyn_wheel_spec *spec);

/* --- Joint coordinates ------------------------------------------------------------------------ */

/* "natural" or "joint": the coordinates for which this call of build() declares. With "auto" build() may be
 * called for either, and numbers of points differ: what functions keep of them belongs to one. */
GRADYN_API const char *gradyn_coordinates_declared(const gradyn_model *model);

/* Angles and distances as coordinates of their own: columns of trajectories (name, name.rate,
 * name.acceleration), and in custom functions the first component at->pos[axes * number] of what is
 * declared like a point. A custom force on one is a torque, N m, or a force, N, of a on b. */

/* The angle of a joint from x of a to x of b (of a universal joint to z of b) about z of a, rad: it goes on
 * over any number of turns and starts between -pi and pi. Of revolute, cylindrical, screw, planar and
 * universal joints. Returns the number of the coordinate, called joint.angle. */
GRADYN_API gradyn_coordinate_id gradyn_joint_angle(gradyn_model *model, gradyn_joint_id joint);

/* The distance of b's origin from a's along z of a (in the plane x of a), m: of prismatic, cylindrical, screw
 * and point-on-line joints; the coordinate joint.slide. */
GRADYN_API gradyn_coordinate_id gradyn_joint_slide(gradyn_model *model, gradyn_joint_id joint);

/* The distance along x or y of a, of planar and point-on-plane joints; joint.slide_x, joint.slide_y. */
GRADYN_API gradyn_coordinate_id gradyn_joint_slide_along(gradyn_model *model, gradyn_joint_id joint,
                                                         gradyn_axis axis);

/* The same between any two frames, whatever joins them. The angle is that of the part of x of b (of a bar in
 * space: its direction) that is normal to z of a; that part must not vanish. */
GRADYN_API gradyn_coordinate_id gradyn_frame_angle(gradyn_model *model, const char *name,
                                                   gradyn_frame_id a, gradyn_frame_id b);
GRADYN_API gradyn_coordinate_id gradyn_frame_slide(gradyn_model *model, const char *name,
                                                   gradyn_frame_id a, gradyn_frame_id b);

/* coordinate = law(t). Returns the number of the constraint, whose multiplier is minus the torque, N m, or
 * force, N, of the drive on b. */
GRADYN_API gradyn_constraint_id gradyn_drive_joint(gradyn_model *model, const char *name,
                                                   gradyn_coordinate_id coordinate,
                                                   const gradyn_law *law);

/* Holds the coordinate, m or rad, and its rate when the initial state is solved. Data: name.value,
 * name.rate. */
GRADYN_API void gradyn_hold_joint(gradyn_model *model, const char *name,
                                  gradyn_coordinate_id coordinate, gradyn_scalar value,
                                  gradyn_scalar rate);

/* Gear, rack: second = ratio first + offset, the offset being the initial one. Returns the number of the
 * constraint, whose multiplier is minus the torque or force on the second coordinate. Data: name.ratio,
 * name.offset. */
GRADYN_API gradyn_constraint_id gradyn_gear(gradyn_model *model, const char *name,
                                            gradyn_coordinate_id first, gradyn_coordinate_id second,
                                            gradyn_scalar ratio);

/* Spring, damper and actuator on a coordinate: the torque (N m) or force (N)
 * -k (coordinate - free) - c rate + effort (+ signal) of a on b. */
typedef struct gradyn_joint_spring_spec {
  const char *name;
  gradyn_coordinate_id coordinate;
  gradyn_scalar k;      /* N m/rad or N/m */
  gradyn_scalar c;      /* N m s/rad or N s/m */
  gradyn_scalar free;   /* rad or m */
  gradyn_scalar effort; /* N m or N */
  bool has_signal;
  gradyn_signal_id signal; /* added effort */
} gradyn_joint_spring_spec;

/* Adds it; the spec is copied. Data: name.stiffness, name.damping, name.free, name.effort. */
GRADYN_API void gradyn_joint_spring(gradyn_model *model, const gradyn_joint_spring_spec *spec);

/* Stops: beyond the limits the torque or force -(k r + c r' rate) with the smooth depth
 * r = (p + sqrt(p^2 + width^2))/2 of p = coordinate - upper, and its slope r'; the same below the lower
 * limit. At a limit r is width/2, and well inside width^2/(4 |p|). */
typedef struct gradyn_joint_stop_spec {
  const char *name;
  gradyn_coordinate_id coordinate;
  gradyn_scalar lower, upper; /* rad or m, lower < upper */
  gradyn_scalar k;            /* N m/rad or N/m, > 0 */
  gradyn_scalar c;            /* N m s/rad or N s/m, >= 0 */
  gradyn_scalar width;        /* rad or m, > 0 */
} gradyn_joint_stop_spec;

/* Adds it; the spec is copied. Data: name.lower, name.upper, name.stiffness, name.damping, name.width. */
GRADYN_API void gradyn_joint_stop(gradyn_model *model, const gradyn_joint_stop_spec *spec);

#ifdef __cplusplus
}
#endif

#endif
