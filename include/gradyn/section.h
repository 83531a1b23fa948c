/* Cross sections of beams: the numbers that bending needs, from the sizes that a designer knows.
 * All numbers are gradyn_scalar, so that derivatives by complex step pass through. */
#ifndef GRADYN_SECTION_H
#define GRADYN_SECTION_H

#include <gradyn/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A section; plain data, which a user may also fill in by hand. */
typedef struct gradyn_section {
  gradyn_scalar area;          /* m^2 */
  gradyn_scalar second_moment; /* of area, about the neutral axis of the bending, m^4 */
  gradyn_scalar reach;         /* distance of the extreme fibre from that axis, m */
} gradyn_section;

/* A full circle and a ring, radii in m. Bending is the same about every axis. A tube whose inner
 * radius exceeds the outer one has a negative area, which a beam refuses. */
GRADYN_API gradyn_section gradyn_section_round(gradyn_scalar radius);
GRADYN_API gradyn_section gradyn_section_tube(gradyn_scalar outer, gradyn_scalar inner);

/* A full square of a width in m. The second moment is the same about every axis; reach is that of
 * bending parallel to a side (sqrt(2) times as much across the corners). */
GRADYN_API gradyn_section gradyn_section_square(gradyn_scalar width);

/* A full rectangle, m, that bends in the direction of its height. For beams in the plane: in space
 * a beam takes one second moment for all directions. */
GRADYN_API gradyn_section gradyn_section_rectangle(gradyn_scalar width, gradyn_scalar height);

#ifdef __cplusplus
}
#endif

#endif
