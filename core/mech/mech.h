/* Interface between integration methods and a mechanical model
 *
 *     M(q, x) a + Phi_q(t, q, x)^T lam = Q(t, q, v, lam, x),      Phi(t, q, x) = 0,
 *
 * where x are the data of the model. No method depends on an element, and no element on a method.
 *
 * The equation of motion is evaluated as one residual R = M a + Phi_q^T lam - Q with selectable parts. All
 * methods use it: a mass-orthogonal projection is the residual without forces, with a velocity increment as
 * a and its multipliers as lam.
 *
 * Constraints are evaluated in three orders, Phi, Phi' and Phi'', as functions of (t, q, v, a). Jacobians
 * by q suffice: Phi'_v = Phi''_a = Phi_q, Phi''_v = 2 Phi'_q. Exceptions: core/mech/rolling.h. */
#ifndef GRADYN_CORE_MECH_H
#define GRADYN_CORE_MECH_H

#include "core/mech/multiplier_forces.h"
#include "core/mech/start.h"
#include "core/base/message.h"
#include "core/base/deadline.h"
#include "core/linear/pattern.h"

typedef struct gradyn_mech gradyn_mech;

/* A step out of a range in which a force changes rapidly. */
typedef struct gradyn_mech_exit {
  double moved;      /* change of the slip, in widths of the range; 0: no such step */
  const char *force; /* name of the force, owned by the model */
} gradyn_mech_exit;

/* Functions overwrite their results unless stated otherwise; after an error these are undefined. Matrices are
 * arrays of values in the order of the model's patterns, with one extra entry as workspace. Errors, with a
 * message: GRADYN_CALLBACK; GRADYN_NON_FINITE; GRADYN_SINGULAR, if directions of a joint are degenerate. */
typedef struct gradyn_mech_ops {
  /* R of the selected parts (core/mech/state.h); r [n]. */
  gradyn_status (*residual)(gradyn_mech *mech, int parts, const gradyn_mech_state *at, double *r);
  /* K = dR/dq, C = dR/dv, M = dR/da of the selected parts, in pattern `dyn`; each may be NULL. */
  gradyn_status (*tangent)(gradyn_mech *mech, int parts, const gradyn_mech_state *at, double *K,
                           double *C, double *M);
  /* (dR/dlam)^T = Phi_q - (dQ/dlam)^T in pattern `jac`, m rows; called only with mech->reader. */
  gradyn_status (*residual_lam)(gradyn_mech *mech, const gradyn_mech_state *at, double *values);
  /* Phi (order 0), Phi' (1) or Phi'' (2), phi [m + held + contacts]. parts selects rows: GRADYN_CONSTRAINT,
   * _HELD, _CONTACT; other rows stay. */
  gradyn_status (*phi)(gradyn_mech *mech, int parts, int order, const gradyn_mech_state *at,
                       double *phi);
  /* Derivative of phi(order) by q in pattern `jac`, rows of these parts; order 0: the Jacobian Phi_q. */
  gradyn_status (*phi_q)(gradyn_mech *mech, int parts, int order, const gradyn_mech_state *at,
                         double *values);
  /* psi'_v of velocity-level constraints, in their rows of values; called only if there are such rows. */
  gradyn_status (*psi_v)(gradyn_mech *mech, const gradyn_mech_state *at, double *values);
  /* Creates the pattern dyn on demand: GRADYN_NO_MEMORY, without a message. NULL: it exists already. */
  gradyn_status (*form)(gradyn_mech *mech);
  /* Factors f [factors.numbers] of M = L D L^T at (t, q), without forming M; not together with `twice`. J:
   * the first l = factors.rows rows of Phi_q. S: [l][l] = J M^-1 J^T, lower triangle, then sizes [l] for
   * gradyn_complement_factor(). The factors cover all other rows. GRADYN_SINGULAR, without a message:
   * coordinate *weak has no inertia. */
  gradyn_status (*factor)(gradyn_mech *mech, const gradyn_mech_state *at, double *f, double *S,
                          int *weak);
  /* Halves of a solve with factors f, in place, x [n + m]. enter: (b; g) becomes (L^-1 b; J M^-1 b - g); the
   * caller puts lam in place of the latter. leave: x becomes M^-1 (b - J^T lam). weigh: y [n] += M x. */
  void (*enter)(gradyn_mech *mech, const double *f, gradyn_lanes *x);
  void (*leave)(gradyn_mech *mech, const double *f, gradyn_lanes *x);
  void (*weigh)(gradyn_mech *m, const gradyn_mech_state *at, const gradyn_lanes *x,
                gradyn_lanes *y);
  /* Directional derivatives of term k for up to GRADYN_LANES columns, or GRADYN_MECH_COLUMNS if `twice`:
   * r[k] [rows] += (R; Phi)_x dx + (R; Phi)_t dt + (R; Phi)_q dq + (R; Phi)_v dv. */
  gradyn_status (*along)(gradyn_mech *mech, const gradyn_mech_point *look, int columns,
                         const gradyn_mech_change *d, gradyn_lanes *const *r);
  /* Derivative of M along the data of d, in the model's own form, for all states until data are loaded or
   * activated: mass [masses], of one lane, or two if columns > GRADYN_LANES. NULL: not provided. */
  void (*mass)(gradyn_mech *mech, int columns, const gradyn_mech_change *d, gradyn_lanes *mass);
  /* Transposed products: x_bar -= (R; Phi)_x^T mu[k] for all terms k, as for t, q, v; mu[k] [rows]. */
  gradyn_status (*against)(gradyn_mech *mech, const gradyn_mech_point *look, int columns,
                           gradyn_lanes *const *mu, const gradyn_mech_adjoints *adjoints);
  /* Adds adjoints that against() has collected in sums to the lanes [nx] of data, then sets the sums to
   * zero. To be called before data or active data change. NULL: sums = 0. */
  void (*settle)(gradyn_mech *mech, gradyn_lanes *sums, gradyn_lanes *lanes);
  /* Selects the active data [nx], by which derivatives are requested; NULL: all. */
  void (*activate)(gradyn_mech *mech, const bool *active);
  /* Change of constraint i, in its unit, by 1 m of motion, at the last phi_q. NULL: follows from J. */
  double (*row_size)(const gradyn_mech *mech, int i);
  /* Index of the first of `rows` constraints that holds with a direction reversed, as an angle wrong by pi;
   * -1: none. angle [n], or NULL: set to true for angles of such rows. NULL: no such rows. */
  int (*reversed)(gradyn_mech *mech, int rows, const gradyn_mech_state *at, bool *angle);
  /* Whether constraint i of the motion is active in a mode, from 0. NULL: all are always active. */
  bool (*holds)(const gradyn_mech *mech, int i, int mode);
  /* Name of a force that depends on the multiplier of constraint i; NULL: none. */
  const char *(*is_read)(const gradyn_mech *mech, int i);
  /* How far a step of h s enters or crosses a range in which a force changes rapidly, in widths of the
   * range. *force: name of the force; stays if the result is 0, no range. The step goes from velocities v,
   * with accelerations a, to `to` [n]. *out: the same for steps that leave a range. NULL: no such forces. */
  double (*leap)(const gradyn_mech *mech, double h, const double *v, const double *a,
                 const double *to, const char **force, gradyn_mech_exit *out);
  gradyn_mech_carry *carry; /* NULL: only the guess L = 0 exists */
  /* Kind and name, owned by the model, of element i: constraints, first those of the motion, then forces and
   * inertias. The model is their sum. false: i is past the last one. NULL: elements are not known. */
  bool (*element)(const gradyn_mech *mech, int i, const char **kind, const char **name);
  /* Restricts all functions above to element i; -1: all elements. phi and phi_q then write only the rows of
   * this element. Data must be loaded and activated again after each call. */
  void (*isolate)(gradyn_mech *mech, int i);
} gradyn_mech_ops;

/* A mechanical model as seen by integration methods. Constant after the model is finalised. */
struct gradyn_mech {
  const gradyn_mech_ops *ops;
  int n;        /* number of coordinates */
  int m;        /* number of constraints of the motion */
  int held;     /* further constraints, imposed at the initial time only, with rows from m on */
  int contacts; /* further constraints, active at impacts only, with rows from m + held on */
  int rolling;  /* number of velocity-level constraints among the m */
  int nx;       /* number of data, derived ones included */
  gradyn_mech_derived derived;
  gradyn_mech_factors factors; /* sizes for factor() */
  bool constant_mass;          /* M does not depend on q */
  gradyn_mech_begin begin;
  bool damped;         /* with the present data, forces may depend on velocities */
  bool twice;          /* with the present active data, along() takes two groups of columns */
  const char *state;   /* name of one first-order state; NULL: none */
  const char *reader;  /* name of one force that depends on multipliers; NULL: none */
  gradyn_pattern dyn;  /* [n][n], union of the patterns of M, K, C */
  const bool *inertia; /* [dyn.nnz] entries that M can have, including the diagonal; NULL: all */
  gradyn_pattern jac;  /* [m + held + contacts][n]; the first m rows are those of the motion */
  /* Length scales: extent of the declared points, m; motion per unit change of each coordinate: 1 for
   * coordinates in m, the extent for those without a unit. */
  double length;
  const double *length_scale; /* [n] */
  const bool *rolls;          /* [m] true for velocity-level constraints; NULL: none */
  const int *q0, *v0;         /* [n] indices in x of the approximate initial q, v */
  const bool *spare; /* [n] coordinates without mechanical meaning, whose rates no impact changes */
  const bool *idle;  /* [n] coordinates that never move */
  const double *x;   /* [nx] present data */
  gradyn_message *message; /* reason of a failure; of the model */
  const gradyn_deadline *deadline;
  const char *(*coordinate_name)(const gradyn_mech *mech, int i); /* the model owns the names */
  const char *(*constraint_name)(const gradyn_mech *mech, int i);
};

/* Creates the pattern dyn if required, before the pattern or its matrices are used. Error:
 * GRADYN_NO_MEMORY, without a message. */
static inline gradyn_status gradyn_mech_form(gradyn_mech *mech)
{
  return mech->ops->form ? mech->ops->form(mech) : GRADYN_OK;
}
/* Returns the number of constraint rows of a term with these parts (GRADYN_HELD, GRADYN_CONTACT, ...). */
static inline int gradyn_mech_rows(const gradyn_mech *mech, int parts)
{
  return mech->m + (parts & (GRADYN_HELD | GRADYN_CONTACT) ? mech->held : 0) +
         (parts & GRADYN_CONTACT ? mech->contacts : 0);
}

#endif
