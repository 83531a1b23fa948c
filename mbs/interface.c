/* The mechanical interface of mechanisms: its functions, gathered. */
#include "mbs/assembly.h"
#include "mbs/rods.h"
#include "mbs/terms.h"

const gradyn_mech_ops mbs_mech_ops = {.residual = mbs_residual,
                                      .tangent = mbs_tangent,
                                      .phi = mbs_phi,
                                      .phi_q = mbs_phi_q,
                                      .residual_data = mbs_residual_data,
                                      .residual_data_transposed = mbs_residual_data_transposed,
                                      .phi_data = mbs_phi_data,
                                      .phi_data_transposed = mbs_phi_data_transposed,
                                      .terms_data = mbs_terms_data,
                                      .terms_data_transposed = mbs_terms_data_transposed,
                                      .bend = mbs_rods_bend,
                                      .bend_transposed = mbs_rods_bend_transposed,
                                      .activate = mbs_activate,
                                      .residual_time = mbs_residual_time,
                                      .phi_time = mbs_phi_time,
                                      .reversed = mbs_reversed};
