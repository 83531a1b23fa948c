/* Flexible beams, and how they are welded and clamped. */
#ifndef GRADYN_BEAMS_H
#define GRADYN_BEAMS_H

#include <gradyn/points.h>
#include <gradyn/section.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A straight flexible beam between two points (of any kind: sharing a point is a pin), divided into
 * elements of the absolute nodal coordinate formulation without shear; Ebrahimi et al. (2018), section
 * 5.1. Data: name.length, young, area, second_moment, damping, density, reach; of its nodes
 * name.1.x, ... and of its slopes name.slope0.x, ... */
typedef struct gradyn_beam_spec {
  const char *name;
  gradyn_point_id from, to;
  int elements;           /* >= 1 */
  gradyn_section section; /* see <gradyn/section.h> */
  gradyn_scalar young;    /* Pa */
  gradyn_scalar density;  /* kg/m^3 */
  gradyn_scalar damping;  /* structural (Kelvin-Voigt): viscosity over modulus, s */
  bool linear; /* the simple force for small strains, eq. (34), which conserves no energy,
                             instead of the one of the full strain and curvature, eq. (32) */
  gradyn_scalar velocity[3]; /* initial, of the line through `from`, m/s: inner nodes move like a */
  gradyn_scalar omega[3];    /* rigid body with velocity at `from` and this rate of turn, rad/s; the
                                two points have initial velocities of their own */
} gradyn_beam_spec;

/* Returns the number of the beam. */
GRADYN_API gradyn_beam_id gradyn_beam(gradyn_model *model, const gradyn_beam_spec *spec);

#define GRADYN_BEAM_END (-1) /* the last node of a beam, whatever its number */

/* The point that is a node, and the direction that is its slope dr/dx; nodes 0 to elements. */
GRADYN_API gradyn_point_id gradyn_beam_node(gradyn_model *model, gradyn_beam_id beam, int node);
GRADYN_API gradyn_slope_id gradyn_beam_slope(gradyn_model *model, gradyn_beam_id beam, int node);

/* Weld: a node of a beam keeps its place in a body, and its slope its direction there, normal to n1 and
 * n2 (in the plane n1). Twist is not transmitted: the beams have none. Ebrahimi et al. (2018), eq. (42),
 * hold the length of the slope as well, hence no axial strain where the beam is held; here the beam
 * stretches freely. Constraints: name.n1, name.n2, whose multipliers are the bending moment, N m; data:
 * name.n1.local_x, ... */
GRADYN_API void gradyn_weld(gradyn_model *model, const char *name, gradyn_beam_id beam, int node,
                            gradyn_body_id body);

/* Weld of two beams: the nodes coincide, the slopes keep their angle (constraint name.slope, datum
 * name.cosine), or, if they are in line, stay equal or opposite, with one axial strain. */
GRADYN_API void gradyn_weld_beams(gradyn_model *model, const char *name, gradyn_beam_id beam_a,
                                  int node_a, gradyn_beam_id beam_b, int node_b);

/* A node of a beam keeps its initial place and direction, as if welded to the ground. Data:
 * name.n1.x, ... */
GRADYN_API void gradyn_clamp(gradyn_model *model, const char *name, gradyn_beam_id beam, int node);

#ifdef __cplusplus
}
#endif

#endif
