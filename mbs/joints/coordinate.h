/* Joint coordinates: angles and distances between frames as scalars, each tied by a constraint to the vectors
 * that it measures. Scalars have no mass; forces on them act on the bodies through the constraint. Angles are
 * integrated like all coordinates and therefore count any number of turns. */
#ifndef GRADYN_MBS_COORDINATE_H
#define GRADYN_MBS_COORDINATE_H

#include "mbs/bodies/frame.h"

/* Returns the point that is the joint coordinate with an id, valid until the next point is declared. NULL:
 * there is none, which is a build error that begins with `element` (NULL: "an element of a joint"), or m is
 * NULL. */
const mbs_point *mbs_check_coordinate(gradyn_mbs *m, const char *element, int id);

/* Declares all coordinates of the relative position of a joint's bodies, for joints that rotate about fixed
 * axes only; coordinates that were declared before stay. No effect on other joints and on NULL. */
void mbs_joint_coordinates(gradyn_mbs *m, mbs_joint *joint);

/* Declares an angle, rad, from the x axis of the ground, with its constraint: of the line between two points,
 * or of the direction `to` (from = -1). In the plane only. Points are given by indices. Returns the index of
 * the coordinate among points. */
int mbs_add_swing(gradyn_mbs *m, const char *name, int from, int to);

extern const mbs_element_ops mbs_turn_ops, mbs_plane_turn_ops, mbs_swing_ops, mbs_heading_ops,
    mbs_slide_ops, mbs_gear_ops;

#endif
