/* What a marching scheme may ask of a mechanical model
 *
 *     M(q, x) a + Phi_q(t, q, x)^T lam = Q(t, q, v, lam, x),      Phi(t, q, x) = 0,
 *
 * with x the model's data. No scheme knows an element; no element knows a scheme.
 *
 * The equation of motion is asked for as one residual R = M a + Phi_q^T lam - Q whose parts can be
 * selected. That serves every scheme: a mass-orthogonal projection is the same residual without
 * forces, with a velocity increment in place of a and its multipliers in place of lam.
 * Constraints are asked for at three orders, Phi, Phi' and Phi'', each a function of (t, q, v, a);
 * their Jacobians with respect to q alone are enough, because Phi'_v = Phi''_a = Phi_q and
 * Phi''_v = 2 Phi'_q. */
#ifndef GRADYN_CORE_MECH_H
#define GRADYN_CORE_MECH_H

#include <stdbool.h>

#include "core/lanes.h"
#include "core/message.h"
#include "core/pattern.h"

/* Parts of the residual, and which rows of constraints take part. Rows stand in this order: those of the
 * motion, those held at the initial time, those of contacts; CONTACT goes with both others or alone. */
enum {
  GRADYN_INERTIA = 1,    /* M a */
  GRADYN_FORCE = 2,      /* -Q, gravity included */
  GRADYN_CONSTRAINT = 4, /* Phi_q^T lam over the m constraints of the motion */
  GRADYN_HELD = 8,       /* the same over the rows that are held at the initial time only */
  GRADYN_CONTACT = 16,   /* the same over the gaps of contacts, which hold at impacts only */
  GRADYN_DYNAMICS = GRADYN_INERTIA | GRADYN_FORCE | GRADYN_CONSTRAINT,
  GRADYN_ASSEMBLY = GRADYN_CONSTRAINT | GRADYN_HELD,
  GRADYN_ALL_ROWS = GRADYN_ASSEMBLY | GRADYN_CONTACT
};

/* Where the model is evaluated. Borrowed arrays; those that a call does not need may be NULL. */
typedef struct gradyn_mech_state {
  double t;
  const double *q, *v, *a; /* [n] */
  /* [m], [m + held] with GRADYN_HELD, + [contacts] with GRADYN_CONTACT */
  const double *lam;
  const double *read; /* [m] what forces read; NULL: lam */
} gradyn_mech_state;

/* One of several residuals at the same t and q. */
typedef struct gradyn_mech_term {
  int parts;
  int order; /* that of the constraints' equations that go with it; GRADYN_NO_ORDER: none do */
  gradyn_mech_state at;
} gradyn_mech_term;

enum { GRADYN_NO_ORDER = -1, GRADYN_MECH_TERMS = 3 };

/* What derivatives are taken of: the rows (R; Phi) of at most GRADYN_MECH_TERMS terms, n of the residual,
 * then m of the constraints and, of terms with GRADYN_HELD, those of the held rows, with GRADYN_CONTACT
 * those of the contacts behind them. Residuals are taken at their own states, phi(order) at the node; t and
 * q are the same in all. */
typedef struct gradyn_mech_look {
  int terms;
  const gradyn_mech_term *term;
  const gradyn_mech_state *node;
} gradyn_mech_look;

/* What changes, columns side by side; NULL: it does not. The positions are those of all terms; velocities
 * are moved at the node and in all terms alike. Accelerations and multipliers do not change: what they
 * do, the matrices M and Phi_q tell, which schemes have anyway. */
typedef struct gradyn_mech_change {
  const double *x;       /* [columns][nx] data */
  const double *t;       /* [columns] explicit time */
  const gradyn_lanes *q; /* [n] positions */
  const gradyn_lanes *v; /* [n] velocities */
} gradyn_mech_change;

/* The adjoints of the same; NULL: not asked for. */
typedef struct gradyn_mech_bars {
  double *x, *t;
  gradyn_lanes *q, *v;
} gradyn_mech_bars;

typedef struct gradyn_mech gradyn_mech;

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

  /* What rows change by, for at most GRADYN_LANES columns side by side: r[k] [rows] += (R; Phi)_x dx +
   * (R; Phi)_t dt + (R; Phi)_q dq + (R; Phi)_v dv. */
  gradyn_status (*along)(gradyn_mech *mech, const gradyn_mech_look *look, int columns,
                         const gradyn_mech_change *d, gradyn_lanes *const *r);
  /* Transposed, as adjoints need it: x_bar -= (R; Phi)_x^T mu and so on; mu[k] [rows] is only read. */
  gradyn_status (*against)(gradyn_mech *mech, const gradyn_mech_look *look, int columns,
                           gradyn_lanes *const *mu, const gradyn_mech_bars *bars);
  /* Tells which data [nx] matter from now on: entries of others may be left out by the
   * functions above, which saves time. NULL: all. Models need not offer it. */
  void (*activate)(gradyn_mech *mech, const bool *active);
  /* Whether row i of the assembly, though its Phi is zero at q, holds on the wrong side: a direction
   * turned by half a turn. NULL: no row has a wrong side. */
  bool (*reversed)(gradyn_mech *mech, int i, const gradyn_mech_state *at);
  /* Name of a force that reads the multiplier of constraint i; NULL: none does. */
  const char *(*is_read)(const gradyn_mech *mech, int i);
  /* The elements that the model is the sum of: constraints, those of the motion first, then forces and
   * inertias. Kind and name of the i-th; false beyond the last. NULL: nothing is known of elements. */
  bool (*element)(const gradyn_mech *mech, int i, const char **kind, const char **name);
  /* From now on all functions above answer for element i alone, until it is -1: a sum of nothing else, and
   * phi and phi_q write the rows that it has. Data are to be loaded, and activated, anew after each. */
  void (*isolate)(gradyn_mech *mech, int i);
} gradyn_mech_ops;

/* A mechanical model as schemes see it; models embed it. Constant once sealed. */
struct gradyn_mech {
  const gradyn_mech_ops *ops;
  int n;              /* coordinates */
  int m;              /* constraints of the motion */
  int held;           /* further rows held at the initial time */
  int contacts;       /* further rows that hold at impacts */
  int nx;             /* data, derived ones included */
  bool constant_mass; /* M does not depend on q */
  bool balanced;      /* it starts in equilibrium */
  bool free_start;    /* neither that, nor what is held, counts */
  bool damped;        /* forces may depend on velocities, with the present data */
  const char
      *state; /* name of a first-order state, the rate of a coordinate; NULL: there is none */
  const char *reader; /* name of a force that depends on multipliers; NULL: none does */
  gradyn_pattern dyn; /* [n][n], union of M, K, C */
  gradyn_pattern jac; /* [m + held + contacts][n]; the first m rows are those of the motion */
  /* Sizes, from where the points were declared: the mechanism's extent, m, and how far things move when a
   * coordinate changes by one: 1 for coordinates in m, the extent for those without a unit. */
  double length;
  const double *lever; /* [n] */
  const int *q0, *v0;  /* [n] data that are the approximate initial q, v */
  const double
      *nearness;     /* [n] what counts in the distance of the initial q, v from those: 1, or 0 for
                              coordinates that follow from the others; NULL: 1 */
  const bool *spare; /* [n] coordinates without mechanics, whose rates no impact changes */
  const bool *idle;  /* [n] those among them that never move */
  const double *x;   /* [nx] present data */
  gradyn_message *message; /* reason of a failure */
  /* Names for messages and output; borrowed. */
  const char *(*coordinate_name)(const gradyn_mech *mech, int i);
  const char *(*constraint_name)(const gradyn_mech *mech, int i);
};

/* U = dR/dlam transposed at a state: Phi_q itself, which is in J, or, where forces read multipliers, what
 * residual_lam() writes to own [jac.nnz + 1]. */
gradyn_status gradyn_mech_residual_lam(gradyn_mech *mech, const gradyn_mech_state *at,
                                       const double *J, double *own, const double **U);

/* Rows of constraints that terms with these parts speak of. */
static inline int gradyn_mech_rows(const gradyn_mech *mech, int parts)
{
  return mech->m + (parts & (GRADYN_HELD | GRADYN_CONTACT) ? mech->held : 0) +
         (parts & GRADYN_CONTACT ? mech->contacts : 0);
}

/* The two products for one term and one vector, its own signs on: r [rows] += (R; Phi)_x dx + ..., and x_bar
 * += (R; Phi)_x^T mu and so on. NULL: does not change, or is not asked for. work [rows + 2 n]. */
typedef struct gradyn_mech_vector {
  const double *x; /* [nx] */
  double t;
  const double *q, *v; /* [n] */
} gradyn_mech_vector;
typedef struct gradyn_mech_sums {
  double *x, *t;
  double *q, *v; /* [n] */
} gradyn_mech_sums;
gradyn_status gradyn_mech_along(gradyn_mech *mech, const gradyn_mech_term *term,
                                const gradyn_mech_state *node, const gradyn_mech_vector *d,
                                gradyn_lanes *work, double *r);
gradyn_status gradyn_mech_against(gradyn_mech *mech, const gradyn_mech_term *term,
                                  const gradyn_mech_state *node, const double *mu,
                                  gradyn_lanes *work, const gradyn_mech_sums *sums);

/* How far from the origin, or how large, a mechanism at q is, m: what positions are rounded by. */
double gradyn_mech_size(const gradyn_mech *mech, const double *q);

/* How much each of the first rows of constraints changes when things move by 1 m, in its own unit: the
 * root of the diagonal of J W^-1 J^T, W = diag(lever^2); rows that (nearly) vanish get a part of the
 * largest. */
void gradyn_mech_row_sizes(const gradyn_mech *mech, const double *J, int rows, double *size);

/* worst[k] = max(worst[k], |Phi^(k)|), orders 0 to orders - 1, each in its own unit: constraints of the
 * motion at a state; phi [m] is scratch. */
gradyn_status gradyn_mech_drift(gradyn_mech *mech, const gradyn_mech_state *at, int orders,
                                double *phi, double *worst);

/* The largest of rows [rows] in units of their sizes, m; NaN if there is one among them. */
double gradyn_mech_violation(const double *phi, const double *size, int rows);

#endif
