/* Changes of positions and velocities at an event of a mechanism, at a fixed time t. The map of the event
 * comes first, q+ = B q- + b and v~ = B v-. Then the mode changes. Then velocities jump. With the gap r of a
 * wall, its gradient g and the constraint Jacobian Phi_q, all at q+,
 *     A (v+ - v~) + Phi_q^T kappa + g^T iota = 0,   Phi'(v+) = 0,   r'(v+) + e r'(v~) = 0.
 * For an impact, A is the mass matrix; reactions of the constraints are impulses. For a kinematic jump, A has
 * ones at the preserved velocities and zeros elsewhere, and kappa = 0. Without a wall, the last row and iota
 * are absent, and new constraints receive the impulses they need: a plastic impact. Velocities that the event
 * sets are further rows, E v+ = f(t, q-, v-, x) (impact_reset.h). Latched data become c = Phi(q+).
 *
 * For general equations only map and reset apply, y+ = B y- + b; below, positions mean all states. */
#ifndef GRADYN_DAE_IMPACT_H
#define GRADYN_DAE_IMPACT_H

#include "core/linear/arena.h"
#include "core/mech/vector.h"
#include "core/model/model.h"
#include "core/linear/saddle.h"
#include "dae/events/impact_reset.h"

/* The wall of the present event, and its impulse. */
typedef struct gradyn_wall {
  int row;          /* contact with a row in the system of the jump; -1: none */
  double approach;  /* r'(v~), negative if the gap closes */
  bool landed;      /* new constraints stop the point instead of the wall row: a landing */
  double *share;    /* [rows] coefficients c, and -1 at the wall: sum_i c_i Phi_q,i - g = 0 */
  double pull, *by; /* impulse, N s; its derivatives [ties] by the rows' impulses */
} gradyn_wall;

struct gradyn_impacts {
  gradyn_model *model;
  gradyn_mech *mech;
  int n, m;               /* coordinates (states of general equations); constraints of the motion */
  int first;              /* row of the first contact */
  int ties;               /* rows of the jump's system: constraints, contacts, resets */
  gradyn_pattern jac;     /* [ties][n] */
  gradyn_saddle saddle;   /* matrix of the jump's system; unused rows read iota = 0 */
  double *M, *A;          /* [dyn.nnz + 1] mass matrix; A of the equations above */
  double *J;              /* [mech jac.nnz + 1] Phi_q and g, all rows of the mechanism */
  double *own;            /* [jac.nnz + 1] entries of the jump's rows */
  double *y;              /* [2 n] q-, v- */
  double *yp;             /* [2 n] q+, v+ */
  double *vp;             /* [n] v+, within yp */
  double *vm, *w;         /* [n] v~ and v+ - v~ */
  double *capacity;       /* [2 n] workspace: changes, or adjoints, of q+ and v~ */
  double *lam;            /* [rows] multipliers; 0 for fixed initial conditions */
  double *b, *rest, *sum; /* [n + ties] right-hand side or solution; residual; workspace */
  double *rows_of;        /* [n + rows] workspace */
  gradyn_lanes *work;     /* [3 n + rows] workspace */
  gradyn_arena arena;     /* owns all arrays */
  const gradyn_event_entry *event; /* the present event */
  gradyn_wall wall;                /* of this event */
  gradyn_impact_reset reset;       /* velocities that this event sets */
  double t;                        /* time of this event, s */
  int before;                      /* mode before this event */
};

/* Returns the number of all constraint rows of the mechanism; those of contacts come last. */
static inline int gradyn_impact_rows(const gradyn_impacts *s)
{
  return s->first + s->mech->contacts;
}

/* Returns the number of states that an event changes: positions and velocities, or all states of general
 * equations. */
static inline int gradyn_impact_moves(const gradyn_impacts *s)
{
  return s->mech ? 2 * s->n : s->n;
}

/* Allocates the arrays for a finalised model, which must outlive *out. Clear *out in any case. Error:
 * GRADYN_NO_MEMORY. */
gradyn_status gradyn_impact_create(gradyn_model *model, gradyn_impacts *out);

/* Frees the members, not the object; may be repeated. */
void gradyn_impact_clear(gradyn_impacts *s);

/* Applies event 0, 1, ... of the model to y = (q-, v-, ...), which is copied, at time t, s. s->yp becomes
 * (q+, v+). The model must be in the mode before the event and is then in the mode after the event, also
 * after most errors. record: filled as by gradyn_impact_record(); record NULL: derivatives are prepared
 * instead. Errors: GRADYN_EVENT, q+ violates a constraint of the mode, or set velocities contradict
 * constraints; GRADYN_SINGULAR, no solution; GRADYN_INVALID, a landing with restitution; failures of users'
 * functions. s->yp is then undefined. */
gradyn_status gradyn_impact_apply(gradyn_impacts *s, int event, double t, const double *y,
                                  gradyn_event_record *record);

/* Writes impulse, N s (0 for kinematic jumps), and lost energy, J, of the last applied event to a record,
 * with a wall also approach and rebound, m/s. General equations leave the record unchanged. */
void gradyn_impact_record(gradyn_impacts *s, gradyn_event_record *record);

/* Applies a recorded event again to y before it, for derivatives, from the discrete state before it. */
static inline gradyn_status gradyn_impact_repeat(gradyn_impacts *s, gradyn_discrete_state before,
                                                 const gradyn_event_record *event, const double *y)
{
  gradyn_discrete_state_enter(s->model, before);
  return gradyn_impact_apply(s, event->event, event->t, y, NULL);
}

/* Sets dyp, the change of q+, v+ by the last event applied without a record, and *impulse, that of its
 * impulse, N s (general equations: 0). Data change by dx [nx], the time by dt, s, and q-, v- by dy; dy, dyp
 * [gradyn_impact_moves()]. Changes of latched data are set in dx. Errors: failures of the mechanism's
 * functions. */
gradyn_status gradyn_impact_tangent(gradyn_impacts *s, double *dx, double dt, const double *dy,
                                    double *dyp, double *impulse);

/* Transpose of gradyn_impact_tangent(), from yp_bar [gradyn_impact_moves()] and impulse_bar. y_bar
 * [gradyn_impact_moves()] is overwritten; x_bar [nx] and *t_bar are added to. In x_bar, adjoints of latched
 * data are moved to the state, time and data that determine these data. Errors: failures of the mechanism's
 * functions. */
gradyn_status gradyn_impact_transposed(gradyn_impacts *s, const double *yp_bar, double impulse_bar,
                                       double *y_bar, double *x_bar, double *t_bar);

#endif
