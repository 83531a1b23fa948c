/* Flexible beams, and their welds and clamps.
 *
 * Beams are divided into elements of the absolute nodal coordinate formulation without shear: Ebrahimi et
 * al. (2018), section 5.1. Errors of all functions here are reported by gradyn_build_status(). Names are
 * copied. */
#ifndef GRADYN_BEAMS_H
#define GRADYN_BEAMS_H

#include <gradyn/points.h>
#include <gradyn/section.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A flexible beam between two points, straight at the initial time. Beams and bodies that share a point
 * are pinned there. Its length is the initial distance of the points. Data: name.length, .young, .area,
 * .second_moment, .damping, .density, .reach; of its inner nodes name.1.x, ...; of its slopes
 * name.slope0.x, ... */
typedef struct gradyn_beam_spec {
  const char *name; /* copied, at most 80 characters; NULL: "beam" */
  /* points at its first and last node; ground, body and other points are allowed */
  gradyn_point_id from, to;
  int elements;           /* number of elements, 1 to 1000000 */
  gradyn_section section; /* cross section: area and second moment > 0, reach >= 0 */
  gradyn_scalar young;    /* Young's modulus, Pa, > 0 */
  gradyn_scalar density;  /* kg/m^3, > 0 */
  /* structural (Kelvin-Voigt) damping: viscosity over modulus, s, >= 0 */
  gradyn_scalar damping;
  /* true: simple force for small strains, eq. (34), which does not conserve energy; false: force of the
   * full strain and curvature, eq. (32) */
  bool linear;
  /* initial velocity of the line through `from`, m/s. Inner nodes move like a rigid body with this
   * velocity at `from`. The two points have initial velocities of their own */
  gradyn_scalar velocity[3];
  /* initial angular velocity of that rigid body, rad/s; in the plane omega[2] only */
  gradyn_scalar omega[3];
} gradyn_beam_spec;

/* Declares a beam. The spec is copied. Returns its number. On failure gradyn_build_status() reports the
 * error, and the number returned has no meaning. */
GRADYN_API gradyn_beam_id gradyn_beam(gradyn_model *model, const gradyn_beam_spec *spec);

/* The last node of a beam, instead of its index. */
#define GRADYN_BEAM_END (-1)

/* Returns the point at a node of a beam. node: 0 to the number of elements, or GRADYN_BEAM_END. On
 * failure gradyn_build_status() reports the error, and the number returned has no meaning. */
GRADYN_API gradyn_point_id gradyn_beam_node(gradyn_model *model, gradyn_beam_id beam, int node);

/* Returns the slope dr/dx of a beam at a node: the tangent vector, dimensionless, of length 1 without
 * axial strain.
 *
 * node: 0 to the number of elements, or GRADYN_BEAM_END. On failure gradyn_build_status() reports the error,
 * and
 *   the number returned has no meaning. */
GRADYN_API gradyn_slope_id gradyn_beam_slope(gradyn_model *model, gradyn_beam_id beam, int node);

/* Welds a node of a beam to a body: node and tangent keep their initial position and direction in the
 * body.
 *
 * The tangent stays normal to its initial normals n1 and, in space, n2. Its length is free, so that the
 * beam can stretch there; Ebrahimi et al. (2018), eq. (42), fix it. Twist is not transmitted, since beams
 * have none. Constraints: name.n1, name.n2, with the bending moment as multiplier, N m; name.x, ... of
 * the node, unless it is a point of the body. Data: name.n1.local_x, ...
 *
 * name: at most 80 characters; NULL: "weld". node: 0 to the number of elements, or GRADYN_BEAM_END. */
GRADYN_API void gradyn_weld(gradyn_model *model, const char *name, gradyn_beam_id beam, int node,
                            gradyn_body_id body);

/* Welds a node of one beam to a node of another: the nodes coincide and the tangents keep their angle.
 *
 * Constraint: name.slope, with the datum name.cosine. If the tangents are parallel, they stay equal or
 * opposite instead, also in length: both beams then have the same axial strain there.
 *
 * name: at most 80 characters; NULL: "weld".
 * node_a, node_b: 0 to the number of elements, or GRADYN_BEAM_END. */
GRADYN_API void gradyn_weld_beams(gradyn_model *model, const char *name, gradyn_beam_id beam_a,
                                  int node_a, gradyn_beam_id beam_b, int node_b);

/* Clamps a node of a beam: node and tangent keep their initial position and direction, as if welded to
 * the ground.
 *
 * name: at most 80 characters; NULL: "clamp". node: 0 to the number of elements, or GRADYN_BEAM_END.
 *   Constraints: name.n1, name.n2 as of gradyn_weld(); name.point.x, ... of the node, unless it is fixed
 *   to the ground. Data: name.n1.x, ... */
GRADYN_API void gradyn_clamp(gradyn_model *model, const char *name, gradyn_beam_id beam, int node);

#ifdef __cplusplus
}
#endif

#endif
