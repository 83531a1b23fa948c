/* Every derivative of a mechanical model, or of an element isolated in it, one after the other. The
 * order is that of the report: matrices, constraints, multipliers, motions, data, products. */
#include "adjoint/check/probe.h"

/* By state, multipliers and time: the matrices that schemes factorise, the products that sweeps take. */
static gradyn_status by_state_and_time(gradyn_probe *p)
{
  /* the matrices of each part of R, then what has no parts */
  for (int k = 0; k < p->parts_count; k++)
    GRADYN_TRY(gradyn_probe_tangents(p, k));
  GRADYN_TRY(gradyn_probe_multipliers(p));
  GRADYN_TRY(gradyn_probe_constraints(p));
  GRADYN_TRY(gradyn_probe_motion(p));
  for (int k = 0; k < p->parts_count; k++) {
    const gradyn_probe_part_entry part = gradyn_probe_part[k];
    GRADYN_TRY(gradyn_probe_line(p, part.parts, GRADYN_RESIDUAL, part.name));
    GRADYN_TRY(gradyn_probe_time(p, part.parts, GRADYN_RESIDUAL, part.name));
  }
  /* constraints at all three orders; explicit time is in those of the motion */
  for (int order = 0; order <= 2; order++) {
    GRADYN_TRY(gradyn_probe_line(p, GRADYN_ALL_ROWS, order, gradyn_probe_order_name[order]));
    GRADYN_TRY(gradyn_probe_time(p, GRADYN_CONSTRAINT, order, ""));
  }
  return GRADYN_OK;
}

/* (R; Phi)_x d and its transpose, part by part of the residual and order by order of the
 * constraints, so that a wrong block is told by its name. */
static gradyn_status by_data(gradyn_probe *p)
{
  static const char *const residual_name[] = {
      "dR/dx, inertia", "dR/dx, forces", "dR/dx, constraints", "dR/dx, held", "dR/dx, contacts"};
  static const char *const phi_name[] = {"dPhi/dx", "dPhi'/dx", "dPhi''/dx"};
  for (int k = 0; k < p->parts_count; k++) {
    /* by data alone: the state is that of the probe */
    gradyn_probe_aim(p, gradyn_probe_part[k].parts, GRADYN_RESIDUAL);
    GRADYN_TRY(gradyn_probe_data(p, residual_name[k]));
  }
  for (int order = 0; order <= 2; order++) {
    /* rows held at the start and those of contacts, too */
    gradyn_probe_aim(p, GRADYN_ALL_ROWS, order);
    GRADYN_TRY(gradyn_probe_data(p, phi_name[order]));
  }
  return GRADYN_OK;
}

gradyn_status gradyn_probe_blocks(gradyn_probe *p)
{
  GRADYN_TRY(by_state_and_time(p));
  return by_data(p);
}
