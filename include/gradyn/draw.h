/* Drawing hints for mechanisms. They affect reports only.
 *
 * For build(). Errors of all functions here are reported by gradyn_build_status(). */
#ifndef GRADYN_DRAW_H
#define GRADYN_DRAW_H

#include <gradyn/mbs.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Draws a body as a box about its centre of mass. x, y, z: lengths of the sides along the base vectors,
 * m, > 0; in the plane z is not used. */
GRADYN_API void gradyn_draw_box(gradyn_model *model, gradyn_body_id body, double x, double y,
                                double z);

/* Draws a body as a cylinder about its centre of mass. axis: base vector along the cylinder; in the plane
 * GRADYN_Z, for a disc.
 * radius, length: m, > 0. */
GRADYN_API void gradyn_draw_cylinder(gradyn_model *model, gradyn_body_id body, gradyn_axis axis,
                                     double radius, double length);

/* Draws the path of a point. */
GRADYN_API void gradyn_draw_trace(gradyn_model *model, gradyn_point_id point);

/* Sets the colour of a drawn object. name: name of the object, for example a rod, spring, body or beam;
 * copied; must be given.
 * rgb: 0xrrggbb, at most 0xffffff. The last colour of a name counts; a name that is not drawn has no
 * effect. */
GRADYN_API void gradyn_draw_colour(gradyn_model *model, const char *name, unsigned rgb);

#ifdef __cplusplus
}
#endif

#endif
