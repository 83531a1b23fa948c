/* Arguments of mech.h: the state at which a mechanical model is evaluated, the selected parts, and
 * directions of derivatives. */
#ifndef GRADYN_CORE_MECH_STATE_H
#define GRADYN_CORE_MECH_STATE_H

#include <stdbool.h>

#include "core/linear/lanes.h"

/* Parts of the residual, and rows of constraints that take part. The order of rows is: motion, initial
 * conditions, contacts. CONTACT is combined with both other kinds of rows, or used alone. */
enum {
  GRADYN_INERTIA = 1,    /* M a */
  GRADYN_FORCE = 2,      /* -Q, gravity included */
  GRADYN_CONSTRAINT = 4, /* Phi_q^T lam over the m constraints of the motion */
  GRADYN_HELD = 8,       /* Phi_q^T lam over constraints imposed at the initial time only */
  GRADYN_CONTACT = 16,   /* Phi_q^T lam over gaps of contacts, which are active at impacts only */
  GRADYN_DYNAMICS = GRADYN_INERTIA | GRADYN_FORCE | GRADYN_CONSTRAINT,
  GRADYN_ASSEMBLY = GRADYN_CONSTRAINT | GRADYN_HELD,
  GRADYN_ALL_ROWS = GRADYN_ASSEMBLY | GRADYN_CONTACT
};

/* State at which the model is evaluated: time, s, coordinates with two time derivatives, multipliers. Arrays
 * are borrowed for a call; arrays that a call does not need may be NULL. */
typedef struct gradyn_mech_state {
  double t;
  const double *q, *v, *a; /* [n] */
  /* [m], [m + held] with GRADYN_HELD, + [contacts] with GRADYN_CONTACT */
  const double *lam;
  const double *read; /* [m] multipliers that forces depend on; NULL: lam */
} gradyn_mech_state;

/* Returns the state at t, s, of y = (q, v, a, lam), with n coordinates; y is borrowed. */
static inline gradyn_mech_state gradyn_mech_state_at(int n, double t, const double *y)
{
  return (gradyn_mech_state){.t = t, .q = y, .v = y + n, .a = y + 2 * n, .lam = y + 3 * n};
}

/* One of several residuals at the same t and q. */
typedef struct gradyn_mech_term {
  int parts;
  int order; /* order of the constraint equations of this term; GRADYN_NO_ORDER: none */
  gradyn_mech_state at;
} gradyn_mech_term;

enum { GRADYN_NO_ORDER = -1, GRADYN_MECH_TERMS = 3 };

/* Functions to differentiate: the rows (R; Phi) of at most GRADYN_MECH_TERMS terms. Each term has n rows of
 * the residual and m rows of constraints. Rows of initial conditions follow with GRADYN_HELD, and rows of
 * contacts with GRADYN_CONTACT.
 *
 * Residuals are evaluated at the states of their terms, phi(order) at the node; t and q are the same in
 * all. */
typedef struct gradyn_mech_point {
  int terms;
  const gradyn_mech_term *term;
  const gradyn_mech_state *node;
} gradyn_mech_point;

/* Directions of derivatives, columns side by side; NULL: no change. Positions change in all terms.
 * Velocities change by the same amount at the node and in all terms. Accelerations and multipliers do not
 * change: methods have their derivatives, the matrices M and Phi_q, anyway. */
typedef struct gradyn_mech_change {
  const double *x;           /* [columns][nx], changes of data; or lanes */
  const gradyn_lanes *lanes; /* [nx], the same by lanes, which needs fewer operations */
  const double *t;           /* [columns], change of the explicit time */
  const gradyn_lanes *q;     /* [n], changes of positions */
  const gradyn_lanes *v;     /* [n], changes of velocities */
  const gradyn_lanes *mass;  /* result of mass() for these data; NULL: it is computed again */
} gradyn_mech_change;

/* Largest number of columns of along(), in two groups, for models with `twice` of gradyn_mech. Each entry
 * of q, v and rows then has two lanes; data are two groups, [2][nx]. */
enum { GRADYN_MECH_COLUMNS = 2 * GRADYN_LANES };

/* Lengths of arrays that depend on data only: `masses` for the result of mass() in mech.h, `sums` for
 * adjoints that against() collects; 0: none. */
typedef struct gradyn_mech_derived {
  int masses, sums;
} gradyn_mech_derived;

/* Adjoints of the quantities in gradyn_mech_change; NULL: not requested. */
typedef struct gradyn_mech_adjoints {
  double *x;           /* [columns][nx]; or lanes */
  gradyn_lanes *lanes; /* [nx] */
  /* [sums], with lanes: adjoints that against() collects; may be NULL */
  gradyn_lanes *sums;
  double *t;
  gradyn_lanes *q, *v;
} gradyn_mech_adjoints;

#endif
