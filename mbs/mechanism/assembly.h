/* Functions of the mechanical interface (gradyn_mech_ops), and functions that its parts share. [full]: an
 * array with the coordinates of all points, see mbs/elements/look.h; [local]: of the points of an element. */
#ifndef GRADYN_MBS_ASSEMBLY_H
#define GRADYN_MBS_ASSEMBLY_H

#include "mbs/elements/look.h"

/* To be called once, after the last declaration: numbers points and constraints, creates patterns and
 * allocates memory, which m owns. Errors, with a message: GRADYN_INVALID, GRADYN_NO_MEMORY. */
gradyn_status mbs_finalise(gradyn_mbs *m);

/* The last allocation of mbs_finalise(): fills m->length_scale [n], and computes mech.length and
 * mech.length_scale from the declared initial positions. Error: GRADYN_NO_MEMORY, without a message. */
gradyn_status mbs_take_sizes(gradyn_mbs *m);

/* Computes the mass matrix m->mass.M, the weights m->mass.weight and m->mass.falling, and pair coefficients
 * of all inertias, from the present data. */
void mbs_load_inertia(gradyn_mbs *m);
/* Computes m->mass.field [full], the vector that M multiplies in the residual: m->acc if parts contain
 * GRADYN_INERTIA, minus gravity if they contain GRADYN_FORCE. Gravity does not act on directions. */
void mbs_inertia_field(gradyn_mbs *m, int parts);

/* Adds M w, summed over all inertias, to f [full]; w [full]. attached: only over inertias with attached
 * points. Loads on attached points are not passed to carriers. */
void mbs_inertia_apply(const gradyn_mbs *m, bool attached, const double *w, double *f);

/* Adds to x_bar [nx] factor times derivatives by active data. If parts contain GRADYN_INERTIA, mu^T M a is
 * differentiated, and -mu^T M g if they contain GRADYN_FORCE. mu, a [full]; a NULL: parts without
 * GRADYN_INERTIA. Overwrites m->work.rows[0]. */
void mbs_inertia_bars(gradyn_mbs *m, int parts, double factor, const double *a, const double *mu,
                      double *x_bar);

/* Sets *H to the second derivative [local][local] of the constraint e by the coordinates of its points:
 * e->curvature if it is constant, otherwise `capacity` [local][local], where it is computed. Not for linear
 * constraints. Errors: failures of callbacks. */
gradyn_status mbs_hessian(gradyn_mbs *m, const mbs_element *e, const mbs_point_state *view,
                          double *capacity, const double **H);

/* Computes the loads on attached points by the selected parts of the residual, in m->full [full]; view: the
 * state `at` in full arrays. mbs_pull() passes these loads to carriers. Errors: failures of callbacks. */
gradyn_status mbs_attached_loads(gradyn_mbs *m, int parts, const gradyn_mech_state *at,
                                 const mbs_point_state *view);

extern const gradyn_mech_ops mbs_mech_ops;

/* Functions of gradyn_mech_ops; core/mech/mech.h states arguments and shapes. */

/* Sets r [n] to the parts of the residual R that the flags `parts` select, at a state. Errors: failures of
 * callbacks. */
gradyn_status mbs_residual(gradyn_mech *mech, int parts, const gradyn_mech_state *at, double *r);

/* Sets K, C, M [dyn.nnz] to the derivatives of the selected parts of R by q, v and a, at a state; each of
 * K, C, M may be NULL: not requested. Errors: failures of callbacks. */
gradyn_status mbs_tangent(gradyn_mech *mech, int parts, const gradyn_mech_state *at, double *K,
                          double *C, double *M);

/* Sets values [jac.nnz] to the transpose of the derivative of R by the multipliers, at a state. Errors:
 * failures of callbacks. */
gradyn_status mbs_residual_lam(gradyn_mech *mech, const gradyn_mech_state *at, double *values);

/* Sets value [rows] to Phi, Phi' or Phi'' (order 0, 1, 2) of the constraints that the flags `parts` select,
 * at a state. Errors: failures of callbacks; GRADYN_NON_FINITE. */
gradyn_status mbs_phi(gradyn_mech *mech, int parts, int order, const gradyn_mech_state *at,
                      double *value);

/* Sets values [jac.nnz] to the derivative by q of Phi, Phi' or Phi'' (order 0, 1, 2) of the selected parts.
 * Errors: failures of callbacks. */
gradyn_status mbs_phi_q(gradyn_mech *mech, int parts, int order, const gradyn_mech_state *at,
                        double *values);

/* Sets the nonholonomic rows of values [jac.nnz] to psi'_v, the derivative of psi' by velocities, at a
 * state. Errors: failures of callbacks. */
gradyn_status mbs_psi_v(gradyn_mech *mech, const gradyn_mech_state *at, double *values);

/* Returns the index of the first of `rows` constraints that is satisfied in the opposite direction, or -1.
 * angle [n], or NULL: true for the angles of all such constraints; other entries stay. */
int mbs_reversed(gradyn_mech *mech, int rows, const gradyn_mech_state *at, bool *angle);

/* Returns whether constraint i, from 0, is active in a mode, from 0. */
bool mbs_holds(const gradyn_mech *mech, int i, int mode);

/* The function `element`: sets kind and name of element i, from 0: constraints, then forces, then inertias.
 * Both texts belong to the mechanism. Returns false if there is none. */
bool mbs_element_at(const gradyn_mech *mech, int i, const char **kind, const char **name);

/* The function `isolate`: only element i takes part in all products, until the next call; -1: all
 * elements. */
void mbs_isolate(gradyn_mech *mech, int i);

/* The function `carry` of gradyn_mech_ops: sets L [n][n], by rows, to guess number `which`, from 0, of a
 * velocity field L q + u that continues a steady motion. Returns false if there is no such guess; L then
 * stays. */
bool mbs_carry(const gradyn_mech *mech, const gradyn_mech_state *at, int which, double *L);

/* Adds derivatives along the changes *d, in `columns` lanes, to r[k] [rows] of term k of *look. Errors:
 * failures of callbacks. */
gradyn_status mbs_along(gradyn_mech *mech, const gradyn_mech_point *look, int columns,
                        const gradyn_mech_change *d, gradyn_lanes *const *r);

/* Sets mass [masses] to the changes of the pair coefficients of all inertias for changes *d of the data, in
 * `columns` lanes. */
void mbs_mass_along(gradyn_mech *mech, int columns, const gradyn_mech_change *d,
                    gradyn_lanes *mass);

/* Transpose of mbs_along() in `columns` lanes: subtracts products with mu[k] [rows] of term k of *look from
 * *adjoints. Errors: failures of callbacks. */
gradyn_status mbs_against(gradyn_mech *mech, const gradyn_mech_point *look, int columns,
                          gradyn_lanes *const *mu, const gradyn_mech_adjoints *adjoints);

/* Selects the active data [nx], copied, on which later products depend; active NULL: all. */
void mbs_activate(gradyn_mech *mech, const bool *active);

/* Sets *conserved to whether energy is conserved at a sample, apart from events: no input depends on time,
 * no constraint is a user's, and all forces have a potential. Errors: failures of callbacks; *conserved is
 * then undefined. */
gradyn_status mbs_conserves(gradyn_model *model, const gradyn_sample *at, bool *conserved);

/* Sets *kinetic and *potential to the energies of a mechanism at a sample, J, in natural coordinates (q, v,
 * a, ...). Weight and all forces of the present mode that define an energy contribute to the potential.
 * Errors: failures of callbacks. */
gradyn_status mbs_energy(gradyn_model *model, const gradyn_sample *at, double *kinetic,
                         double *potential);

#endif
