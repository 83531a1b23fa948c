/* Joint coordinates: angles and distances between frames as coordinates of their own, tied to the vectors
 * they measure by a constraint. They have no mass; what acts on them acts on the bodies through that
 * constraint, and they count any number of turns because they are integrated like everything else. */
#ifndef GRADYN_MBS_COORDINATE_H
#define GRADYN_MBS_COORDINATE_H

#include "mbs/bodies/frame.h"

/* Checks the number of a joint coordinate; notes a build error and returns NULL if it is none. */
const mbs_point *mbs_check_coordinate(gradyn_mbs *m, const char *element, int coordinate);

/* Declares all coordinates that tell where a joint's bodies are to each other, if it leaves no more turns
 * than those about axes. */
void mbs_joint_coordinates(gradyn_mbs *m, int joint);

/* Declares the angle to the x axis of the ground of a line between two points, or of a direction (from = -1);
 * returns the coordinate. */
int mbs_add_swing(gradyn_mbs *m, const char *name, int from, int to);

extern const mbs_element_ops mbs_turn_ops, mbs_plane_turn_ops, mbs_swing_ops, mbs_heading_ops,
    mbs_slide_ops, mbs_gear_ops;

#endif
