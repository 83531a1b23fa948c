/* Hints for drawings of mechanisms. */
#ifndef GRADYN_DRAW_H
#define GRADYN_DRAW_H

#include <gradyn/mbs.h>

#ifdef __cplusplus
extern "C" {
#endif

/* For build(). No result depends on them. */

/* Draws a body as a box about its centre of mass, with sides x, y, z along its base vectors, m; in the
 * plane z is not used. */
GRADYN_API void gradyn_draw_box(gradyn_model *model, gradyn_body_id body, double x, double y,
                                double z);

/* Draws a body as a cylinder about its centre of mass, m; in the plane along GRADYN_Z only: a disc. */
GRADYN_API void gradyn_draw_cylinder(gradyn_model *model, gradyn_body_id body, gradyn_axis axis,
                                     double radius, double length);

/* Draws the path of a point. */
GRADYN_API void gradyn_draw_trace(gradyn_model *model, gradyn_point_id point);

/* Gives what has this name (a rod, spring, body, beam, ...) a colour, 0xrrggbb. */
GRADYN_API void gradyn_draw_colour(gradyn_model *model, const char *name, unsigned rgb);

#ifdef __cplusplus
}
#endif

#endif
