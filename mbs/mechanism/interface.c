/* The table of functions of a mechanism, core/mech/mech.h. Schemes and sensitivities use mechanisms through
 * this table only. */
#include "mbs/mechanism/assembly.h"
#include "mbs/elements/readings.h"

const gradyn_mech_ops mbs_mech_ops = {.residual = mbs_residual,
                                      .tangent = mbs_tangent,
                                      .residual_lam = mbs_residual_lam,
                                      .phi = mbs_phi,
                                      .phi_q = mbs_phi_q,
                                      .psi_v = mbs_psi_v,
                                      .along = mbs_along,
                                      .mass = mbs_mass_along,
                                      .against = mbs_against,
                                      .activate = mbs_activate,
                                      .reversed = mbs_reversed,
                                      .holds = mbs_holds,
                                      .is_read = mbs_is_read,
                                      .leap = mbs_jump,
                                      .carry = mbs_carry,
                                      .element = mbs_element_at,
                                      .isolate = mbs_isolate};
