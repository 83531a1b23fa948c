/* Cross sections of beams: the numbers that bending needs, computed from dimensions.
 *
 * All numbers are gradyn_scalar, so that derivatives by complex step are carried along. These functions
 * check no values; gradyn_beam() checks the section. */
#ifndef GRADYN_SECTION_H
#define GRADYN_SECTION_H

#include <gradyn/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A cross section. Plain data, which a user may also fill in directly. */
typedef struct gradyn_section {
  gradyn_scalar area;          /* area, m^2 */
  gradyn_scalar second_moment; /* second moment of area about the neutral axis of bending, m^4 */
  gradyn_scalar reach;         /* distance of the extreme fibre from the neutral axis, m */
} gradyn_section;

/* Returns the section of a solid circle. radius: m. The second moment is the same about every axis. */
GRADYN_API gradyn_section gradyn_section_round(gradyn_scalar radius);

/* Returns the section of a ring. outer, inner: radii, m. The second moment is the same about every axis.
 * If inner exceeds outer, the area is negative and gradyn_beam() refuses the section. */
GRADYN_API gradyn_section gradyn_section_tube(gradyn_scalar outer, gradyn_scalar inner);

/* Returns the section of a solid square. width: side, m. The second moment is the same about every axis.
 * The reach is that of bending parallel to a side; across the corners it would be sqrt(2) times larger. */
GRADYN_API gradyn_section gradyn_section_square(gradyn_scalar width);

/* Returns the section of a solid rectangle for bending in the direction of its height. width, height:
 * sides, m. For beams in the plane: in space a beam has one second moment for all directions. */
GRADYN_API gradyn_section gradyn_section_rectangle(gradyn_scalar width, gradyn_scalar height);

#ifdef __cplusplus
}
#endif

#endif
