/* Where a mechanical model is evaluated, which part of it, and what changes: the arguments of mech.h. */
#ifndef GRADYN_CORE_MECH_STATE_H
#define GRADYN_CORE_MECH_STATE_H

#include <stdbool.h>

#include "core/linear/lanes.h"

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

/* The state of n coordinates that y = (q, v, a, lam) holds. */
static inline gradyn_mech_state gradyn_mech_state_at(int n, double t, const double *y)
{
  return (gradyn_mech_state){.t = t, .q = y, .v = y + n, .a = y + 2 * n, .lam = y + 3 * n};
}

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
typedef struct gradyn_mech_point {
  int terms;
  const gradyn_mech_term *term;
  const gradyn_mech_state *node;
} gradyn_mech_point;

/* What changes, columns side by side; NULL: it does not. The positions are those of all terms; velocities
 * are moved at the node and in all terms alike. Accelerations and multipliers do not change: what they
 * do, the matrices M and Phi_q tell, which schemes have anyway. */
typedef struct gradyn_mech_change {
  const double *x;           /* [columns][nx] data; or, */
  const gradyn_lanes *lanes; /* [nx] the same side by side, which is taken in fewer operations */
  const double *t;           /* [columns] explicit time */
  const gradyn_lanes *q;     /* [n] positions */
  const gradyn_lanes *v;     /* [n] velocities */
  const gradyn_lanes *mass;  /* what mass() has made of these data; NULL: it is made again */
} gradyn_mech_change;

/* The most columns of a product along, in two packs: for models that offer it (`twice` of gradyn_mech). Each
 * entry of q, v and rows has two lanes then; those of data are two packs, [2][nx]. */
enum { GRADYN_MECH_COLUMNS = 2 * GRADYN_LANES };

/* Entries of what data make that is the same at all times: what mass() of mech.h fills, and what against()
 * may keep bars in. */
typedef struct gradyn_mech_derived {
  int masses, sums;
} gradyn_mech_derived;

/* The adjoints of the same; NULL: not asked for. */
typedef struct gradyn_mech_adjoints {
  double *x;           /* [columns][nx], or */
  gradyn_lanes *lanes; /* [nx] */
  gradyn_lanes
      *sums; /* [sums] with lanes: where bars of what data make may wait for settle(), or NULL */
  double *t;
  gradyn_lanes *q, *v;
} gradyn_mech_adjoints;

#endif
