/* What a marching scheme may ask of a mechanical model
 *
 *     M(q, x) a + Phi_q(t, q, x)^T lam = Q(t, q, v, lam, x),      Phi(t, q, x) = 0,
 *
 * with x the model's data. No scheme knows an element; no element knows a scheme.
 *
 * The equation of motion is asked for as one residual R = M a + Phi_q^T lam - Q whose parts can be selected.
 * That serves every scheme: a mass-orthogonal projection is the same residual without forces, with a velocity
 * increment in place of a and its multipliers in place of lam.
 * Constraints are asked for at three orders, Phi, Phi' and Phi'', each a function of (t, q, v, a), with
 * Jacobians by q alone: Phi'_v = Phi''_a = Phi_q, Phi''_v = 2 Phi'_q, but see core/mech/rolling.h. */
#ifndef GRADYN_CORE_MECH_H
#define GRADYN_CORE_MECH_H

#include "core/mech/multiplier_forces.h"
#include "core/mech/start.h"
#include "core/base/message.h"
#include "core/base/deadline.h"
#include "core/linear/pattern.h"

typedef struct gradyn_mech gradyn_mech;

/* How far a slip gets in a step that begins where a force changes all of a sudden, in multiples of that
 * place's width, and which force that is. */
typedef struct gradyn_mech_exit {
  double moved;
  const char *force;
} gradyn_mech_exit;

/* Functions that write overwrite, unless they say that they add. All matrices are
 * arrays of values in the order of the model's patterns, with room for one entry more, which models
 * use as scratch for what falls outside. They fail only if a user's function does
 * (GRADYN_CALLBACK, GRADYN_NON_FINITE), with the reason in the model's message. */
typedef struct gradyn_mech_ops {
  /* R of the selected parts; r [n]. */
  gradyn_status (*residual)(gradyn_mech *mech, int parts, const gradyn_mech_state *at, double *r);
  /* K = dR/dq, C = dR/dv, M = dR/da of the selected parts, pattern `dyn`; each may be NULL. */
  gradyn_status (*tangent)(gradyn_mech *mech, int parts, const gradyn_mech_state *at, double *K,
                           double *C, double *M);
  /* dR/dlam transposed: Phi_q - (dQ/dlam)^T, pattern `jac`, m rows. Asked for only if forces depend on
   * multipliers (mech->reader): it is Phi_q otherwise. */
  gradyn_status (*residual_lam)(gradyn_mech *mech, const gradyn_mech_state *at, double *values);
  /* Phi (order 0), Phi' (1) or Phi'' (2); parts selects CONSTRAINT rows or ASSEMBLY rows. */
  gradyn_status (*phi)(gradyn_mech *mech, int parts, int order, const gradyn_mech_state *at,
                       double *phi);
  /* Derivative of phi(order) with respect to q; order 0 is the constraint Jacobian Phi_q. */
  gradyn_status (*phi_q)(gradyn_mech *mech, int parts, int order, const gradyn_mech_state *at,
                         double *values);
  /* psi'_v of rows of velocities, in these rows of values alone; only of models that have such rows. */
  gradyn_status (*psi_v)(gradyn_mech *mech, const gradyn_mech_state *at, double *values);
  /* Makes dyn of a model whose matrices are not always asked for; NULL: it is there. */
  gradyn_status (*form)(gradyn_mech *mech);
  /* Factors f [factors.numbers] of M = L D L^T at (t, q), not formed; not with `twice`. With J the first l =
   * factors.rows rows of Phi_q: S [l][l] = J M^-1 J^T, and sizes of gradyn_complement_factor() behind it; the
   * model's own factors see to the others. GRADYN_SINGULAR: nothing resists *weak. weigh(): y += M x. */
  gradyn_status (*factor)(gradyn_mech *mech, const gradyn_mech_state *at, double *f, double *S,
                          int *weak);
  /* Halves of solves, x [n + m]: (b; g) to (L^-1 b; J M^-1 b - g), with lam there to M^-1 (b - J^T lam). */
  void (*enter)(gradyn_mech *mech, const double *f, gradyn_lanes *x);
  void (*leave)(gradyn_mech *mech, const double *f, gradyn_lanes *x);
  void (*weigh)(gradyn_mech *m, const gradyn_mech_state *at, const gradyn_lanes *x,
                gradyn_lanes *y);
  /* What rows change by, for at most GRADYN_LANES columns side by side, or GRADYN_MECH_COLUMNS where `twice`
   * says so: r[k] [rows] += (R; Phi)_x dx + (R; Phi)_t dt + (R; Phi)_q dq + (R; Phi)_v dv. */
  gradyn_status (*along)(gradyn_mech *mech, const gradyn_mech_point *look, int columns,
                         const gradyn_mech_change *d, gradyn_lanes *const *r);
  /* What the mass matrix changes by with the data of d, in a form of the model's own: mass [masses], of one
   * lane or two, the same at all times and states until data are loaded or activated. NULL: none. */
  void (*mass)(gradyn_mech *mech, int columns, const gradyn_mech_change *d, gradyn_lanes *mass);
  /* Transposed, as adjoints need it: x_bar -= (R; Phi)_x^T mu and so on; mu[k] [rows] is only read. */
  gradyn_status (*against)(gradyn_mech *mech, const gradyn_mech_point *look, int columns,
                           gradyn_lanes *const *mu, const gradyn_mech_adjoints *adjoints);
  /* Bars that against() has left in sums go to lanes [nx] of data, while data and those that matter are what
   * they were; then sums are zero. NULL: sums = 0. */
  void (*settle)(gradyn_mech *mech, gradyn_lanes *sums, gradyn_lanes *lanes);
  /* Which data [nx] matter from now on; NULL: all. */
  void (*activate)(gradyn_mech *mech, const bool *active);
  /* What row i changes by as things move by 1 m, where phi_q was asked last; NULL: see J. */
  double (*row_size)(const gradyn_mech *mech, int i);
  /* The first of the first rows of the assembly whose Phi is zero, but on the wrong side: a direction half a
   * turn off; -1: none. NULL: no row has one. angle [n] or NULL: coordinates that tell one become true. */
  int (*reversed)(gradyn_mech *mech, int rows, const gradyn_mech_state *at, bool *angle);
  /* Whether constraint i of the motion holds in a mode. NULL: all hold always. */
  bool (*holds)(const gradyn_mech *mech, int i, int mode);
  /* Name of a force that reads the multiplier of constraint i; NULL: none does. */
  const char *(*is_read)(const gradyn_mech *mech, int i);
  /* How far a step of length h, from velocities v and accelerations a to velocities `to` [n], leaps into or
   * over where a force changes all of a sudden, in multiples of that place's width; 0: it meets none. *force:
   * its name. *out: the same of steps that begin within such a place and lead out of it. NULL: none. */
  double (*leap)(const gradyn_mech *mech, double h, const double *v, const double *a,
                 const double *to, const char **force, gradyn_mech_exit *out);
  gradyn_mech_carry *carry; /* NULL: L = 0 alone */
  /* The elements that the model is the sum of: constraints, those of the motion first, then forces and
   * inertias. Kind and name of the i-th; false beyond the last. NULL: nothing is known of elements. */
  bool (*element)(const gradyn_mech *mech, int i, const char **kind, const char **name);
  /* From now on all functions above answer for element i alone, until it is -1: a sum of nothing else, and
   * phi and phi_q write the rows that it has. Data are to be loaded, and activated, anew after each. */
  void (*isolate)(gradyn_mech *mech, int i);
} gradyn_mech_ops;

/* A mechanical model as schemes see it. Constant once sealed. */
struct gradyn_mech {
  const gradyn_mech_ops *ops;
  int n;        /* coordinates */
  int m;        /* constraints of the motion */
  int held;     /* further rows held at the initial time */
  int contacts; /* further rows that hold at impacts */
  int rolling;  /* of the m constraints, how many are rows of velocities alone */
  int nx;       /* data, derived ones included */
  gradyn_mech_derived derived;
  gradyn_mech_factors factors; /* what factor() makes */
  bool constant_mass;          /* M does not depend on q */
  gradyn_mech_begin begin;
  bool damped;        /* forces may depend on velocities, with the present data */
  bool twice;         /* along() takes two packs of columns, with the data that matter at present */
  const char *state;  /* name of a first-order state, the rate of a coordinate; NULL: none */
  const char *reader; /* name of a force that depends on multipliers; NULL: none does */
  gradyn_pattern dyn; /* [n][n], union of M, K, C */
  const bool *inertia; /* [dyn.nnz] which entries M can have, the diagonal included; NULL: all */
  gradyn_pattern jac;  /* [m + held + contacts][n]; the first m rows are those of the motion */
  /* Sizes, from where the points were declared: the mechanism's extent, m, and how far things move when a
   * coordinate changes by one: 1 for coordinates in m, the extent for those without a unit. */
  double length;
  const double *length_scale; /* [n] */
  const bool *rolls;          /* [m] which constraints are rows of velocities alone; NULL: none */
  const int *q0, *v0;         /* [n] data that are the approximate initial q, v */
  const bool *spare;          /* [n] coordinates without mechanics, whose rates no impact changes */
  const bool *idle;           /* [n] those among them that never move */
  const double *x;            /* [nx] present data */
  gradyn_message *message;    /* reason of a failure */
  const gradyn_deadline *deadline;
  const char *(*coordinate_name)(const gradyn_mech *mech, int i); /* for messages; borrowed */
  const char *(*constraint_name)(const gradyn_mech *mech, int i);
};

/* To be called before matrices with the pattern dyn, or that, are asked for. */
static inline gradyn_status gradyn_mech_form(gradyn_mech *mech)
{
  return mech->ops->form ? mech->ops->form(mech) : GRADYN_OK;
}

/* Rows of constraints that terms with these parts speak of. */
static inline int gradyn_mech_rows(const gradyn_mech *mech, int parts)
{
  return mech->m + (parts & (GRADYN_HELD | GRADYN_CONTACT) ? mech->held : 0) +
         (parts & GRADYN_CONTACT ? mech->contacts : 0);
}

#endif
