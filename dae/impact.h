/* Impacts of a mechanism on a wall, at positions q and a time t that do not change: with the gap r of a
 * contact, whose rows and those of the constraints are g and Phi_q,
 *     A (v+ - v-) + Phi_q^T kappa + g^T iota = 0,   Phi'(v+) = 0,   r'(v+) + e r'(v-) = 0.
 * A is the mass matrix (an impact: reactions of the constraints are impulses) or has ones at the
 * velocities that are kept and zeros elsewhere (a kinematic jump, for which kappa = 0). */
#ifndef GRADYN_DAE_IMPACT_H
#define GRADYN_DAE_IMPACT_H

#include "core/model.h"
#include "core/saddle.h"

typedef struct gradyn_impact {
  gradyn_model *model;
  gradyn_mech *mech;
  int n, m, contacts;        /* coordinates, constraints of the motion, contacts */
  int first, all;            /* row of the first contact; all rows of the mechanism's constraints */
  gradyn_pattern jac;        /* [m + contacts][n] */
  gradyn_saddle saddle;      /* of these rows; contacts not concerned stand as iota = 0 */
  double *M, *A;             /* [dyn.nnz + 1] */
  double *J;                 /* [mech jac.nnz + 1] Phi_q */
  double *own;               /* [jac.nnz + 1] */
  double *q, *vm, *vp, *w;   /* [n] position, v-, v+, v+ - v- */
  double *lam;               /* [all] multipliers, those of held rows zero */
  double *b, *rest, *sum;    /* [n + m + contacts] */
  double *rows_of;           /* [n + all] */
  gradyn_lanes *work;        /* [3 n + all] */
  const gradyn_event *event; /* in hand */
  double t, e, approach;     /* s, restitution, r'(v-) */
} gradyn_impact;

gradyn_status gradyn_impact_create(gradyn_model *model, gradyn_impact *out);
void gradyn_impact_clear(gradyn_impact *s);

/* The impact of an event at (t, q, v-), y beginning with q and v-: v+ stays in s->vp. Fills the rates,
 * impulse and energy of the record (NULL: not wanted). */
gradyn_status gradyn_impact_apply(gradyn_impact *s, int event, double t, const double *y,
                                  gradyn_event_record *record);

/* Derivatives of the impact applied last: dv+ [n] and the change of the impulse, in the direction dx [nx],
 * dt, dq, dv- [n]. */
gradyn_status gradyn_impact_tangent(gradyn_impact *s, const double *dx, double dt, const double *dq,
                                    const double *dvm, double *dvp, double *impulse);

/* Transposed: q_bar, vm_bar [n], x_bar [nx] and *t_bar += from vp_bar [n] and that of the impulse. */
gradyn_status gradyn_impact_transposed(gradyn_impact *s, const double *vp_bar, double impulse_bar,
                                       double *q_bar, double *vm_bar, double *x_bar, double *t_bar);

#endif
