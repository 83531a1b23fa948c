/* What the parts of the mechanical interface share, and its functions. */
#ifndef GRADYN_MBS_ASSEMBLY_H
#define GRADYN_MBS_ASSEMBLY_H

#include "mbs/elements/look.h"

/* Ends the declarations: numbering, patterns, memory. Then: fills mech.length and mech.lever. */
gradyn_status mbs_finalise(gradyn_mbs *m);
gradyn_status mbs_take_sizes(gradyn_mbs *m);

/* Mass matrix and weights from the present data. */
void mbs_load_inertia(gradyn_mbs *m);
/* What multiplies the mass matrix, m->mass.field [full]: accelerations m->acc, minus gravity if forces take
 * part. */
void mbs_inertia_field(gradyn_mbs *m, int parts);
/* f [full] += M w for all inertias, w [full], or only for those that have attached points. */
void mbs_inertia_apply(const gradyn_mbs *m, bool attached, const double *w, double *f);

/* x_bar += factor times the derivative of mu^T M a (part INERTIA) and of the weight's -mu^T M g (part FORCE)
 * by data, for mu, a [full]. */
void mbs_inertia_bars(gradyn_mbs *m, int parts, double factor, const double *a, const double *mu,
                      double *x_bar);

/* Second derivative *H [local][local] of a constraint, constant or computed into room. */
gradyn_status mbs_hessian(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *view,
                          double *capacity, const double **H);

/* What of the residual's selected parts loads attached points, at point level: m->full [full] there. */
gradyn_status mbs_attached_loads(gradyn_mbs *m, int parts, const gradyn_mech_state *at,
                                 const mbs_point_state *view);

extern const gradyn_mech_ops mbs_mech_ops;

/* Its functions, in assembly.c. */
gradyn_status mbs_residual(gradyn_mech *mech, int parts, const gradyn_mech_state *at, double *r);
gradyn_status mbs_tangent(gradyn_mech *mech, int parts, const gradyn_mech_state *at, double *K,
                          double *C, double *M);
gradyn_status mbs_residual_lam(gradyn_mech *mech, const gradyn_mech_state *at, double *values);
gradyn_status mbs_phi(gradyn_mech *mech, int parts, int order, const gradyn_mech_state *at,
                      double *value);
gradyn_status mbs_phi_q(gradyn_mech *mech, int parts, int order, const gradyn_mech_state *at,
                        double *values);
gradyn_status mbs_psi_v(gradyn_mech *mech, const gradyn_mech_state *at, double *values);
int mbs_reversed(gradyn_mech *mech, int rows, const gradyn_mech_state *at, bool *angle);
bool mbs_holds(const gradyn_mech *mech, int i, int mode);
bool mbs_element_at(const gradyn_mech *mech, int i, const char **kind, const char **name);
void mbs_isolate(gradyn_mech *mech, int i);
/* In carry.c. */
bool mbs_carry(const gradyn_mech *mech, const gradyn_mech_state *at, int which, double *L);

/* The same, in product.c and activate.c. */
gradyn_status mbs_along(gradyn_mech *mech, const gradyn_mech_point *look, int columns,
                        const gradyn_mech_change *d, gradyn_lanes *const *r);
void mbs_mass_along(gradyn_mech *mech, int columns, const gradyn_mech_change *d,
                    gradyn_lanes *mass);
gradyn_status mbs_against(gradyn_mech *mech, const gradyn_mech_point *look, int columns,
                          gradyn_lanes *const *mu, const gradyn_mech_adjoints *adjoints);
void mbs_activate(gradyn_mech *mech, const bool *active);

/* Whether nothing takes or gives energy at a sample, but for events. */
gradyn_status mbs_conserves(gradyn_model *model, const gradyn_sample *at, bool *conserved);

/* Kinetic and potential energy of a mechanism at a sample, J. */
gradyn_status mbs_energy(gradyn_model *model, const gradyn_sample *at, double *kinetic,
                         double *potential);

#endif
