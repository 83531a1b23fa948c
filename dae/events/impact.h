/* What happens to positions and velocities at an event of a mechanism, at a time t that does not
 * change. First the event's map, q+ = B q- + b and v~ = B v-; then the mode changes; then velocities
 * jump: with the gap r of a wall, whose rows and those of the constraints are g and Phi_q,
 *     A (v+ - v~) + Phi_q^T kappa + g^T iota = 0,   Phi'(v+) = 0,   r'(v+) + e r'(v~) = 0,
 * all at q+. A is the mass matrix (an impact: reactions of the constraints are impulses) or has ones at
 * the velocities that are kept and zeros elsewhere (a kinematic jump, for which kappa = 0). Without a wall
 * the last row and iota are missing: constraints that are new take what they need, a plastic impact.
 * Velocities that are set make further rows, E v+ = f(t, q-, v-, x) (impact_reset.h). Data that are captured
 * become c = Phi(q+) of their constraints.
 *
 * Of general equations it is the map and what is set alone, y+ = B y- + b of differential states; where
 * positions and velocities are spoken of below, all states [n] are meant then. */
#ifndef GRADYN_DAE_IMPACT_H
#define GRADYN_DAE_IMPACT_H

#include "core/linear/arena.h"
#include "core/mech/vector.h"
#include "core/model/model.h"
#include "core/linear/saddle.h"
#include "dae/events/impact_reset.h"

/* What the event in hand pushes with: a wall that a point meets, or else constraints and resets. */
typedef struct gradyn_wall {
  int row;          /* the contact that has a row in the system of the jump; -1: none has */
  double approach;  /* r'(v~) */
  bool landed;      /* constraints that are new behind the event hold what the wall would, */
  double *share;    /* [rows] by c, and -1 at the wall: sum_i c_i Phi_q,i - g = 0 */
  double pull, *by; /* without a wall: the impulse, and [ties] its derivatives by the multipliers */
} gradyn_wall;

struct gradyn_impacts {
  gradyn_model *model;
  gradyn_mech *mech;
  int n, m;             /* coordinates (of general equations: states), constraints of the motion */
  int first;            /* row of the first contact */
  int ties;             /* rows of the jump's system: of the motion, of contacts, of resets */
  gradyn_pattern jac;   /* [ties][n] */
  gradyn_saddle saddle; /* of these rows; those not concerned stand as iota = 0 */
  double *M, *A;        /* [dyn.nnz + 1] */
  double *J;            /* [mech jac.nnz + 1] Phi_q */
  double *own;          /* [jac.nnz + 1] */
  double *y;            /* [2 n] q-, v- */
  double *yp;           /* [2 n] q+, v+ */
  double *vp;           /* [n] part of it */
  double *vm, *w;       /* [n] v~, v+ - v~ */
  double *capacity;     /* [2 n] */
  double *lam;          /* [rows] multipliers, those of held rows zero */
  double *b, *rest, *sum;          /* [n + ties] */
  double *rows_of;                 /* [n + rows] */
  gradyn_lanes *work;              /* [3 n + rows] */
  gradyn_arena arena;              /* of all arrays */
  const gradyn_event_entry *event; /* in hand */
  gradyn_wall wall;                /* of that event */
  gradyn_impact_reset reset;       /* what that event sets */
  double t;                        /* s */
  int before;                      /* the mode before it */
};

/* All rows of the mechanism's constraints, those of contacts behind the others. */
static inline int gradyn_impact_rows(const gradyn_impacts *s)
{
  return s->first + s->mech->contacts;
}

/* States that an event changes: positions and velocities, or all of general equations. */
static inline int gradyn_impact_moves(const gradyn_impacts *s)
{
  return s->mech ? 2 * s->n : s->n;
}

gradyn_status gradyn_impact_create(gradyn_model *model, gradyn_impacts *out);
void gradyn_impact_clear(gradyn_impacts *s);

/* The event at (t, q-, v-), with which y begins: q+, v+ stay in s->yp, and the model is in the mode behind
 * it, in which derivatives are to be taken. Fills the rebound, impulse and energy of the record, and of
 * walls the approach; NULL: derivatives are wanted instead. GRADYN_EVENT: q+ does not satisfy the
 * constraints of the mode, or velocities that are set contradict them. */
gradyn_status gradyn_impact_apply(gradyn_impacts *s, int event, double t, const double *y,
                                  gradyn_event_record *record);

/* Approach, rebound, impulse and energy of the event applied last, which apply() fills in its record. */
void gradyn_impact_record(gradyn_impacts *s, gradyn_event_record *record);

/* The same once more for derivatives, from the scene before it. */
static inline gradyn_status gradyn_impact_repeat(gradyn_impacts *s, gradyn_discrete_state before,
                                                 const gradyn_event_record *event, const double *y)
{
  gradyn_discrete_state_enter(s->model, before);
  return gradyn_impact_apply(s, event->event, event->t, y, NULL);
}

/* Map of the event in hand, in impact_reset.c: to [n] = B from, and of positions + b; its derivative where
 * `from` changes by d and data by dx; transposed, from_bar is overwritten, x_bar +=. */
void gradyn_impact_map(const gradyn_impacts *s, bool positions, const double *from, double *to);
void gradyn_impact_map_along(const gradyn_impacts *s, bool positions, const double *dx,
                             const double *from, const double *d, double *to);
void gradyn_impact_map_against(const gradyn_impacts *s, bool positions, const double *from,
                               const double *to_bar, double *from_bar, double *x_bar);

/* Solves the system of the event in hand in place, b [n + ties]. What is left of b, in relation to
 * it, is returned. */
double gradyn_impact_solve(gradyn_impacts *s, double *b);

/* --- landings, in impact_landing.c ---

 * The wall's row may be one that constraints of the mode behind have, too: g = sum_i c_i Phi_q,i. It then
 * takes part once, as theirs, and the impulse of the wall is what it would have to be for the constraints
 * that are new (N) to be left with the least of theirs,
 *     iota = c_N . kappa_N / c_N . c_N:
 * all of it where row and constraint are the same, the normal part where a foot is pinned. */

/* With the factors of the constraints alone: whether it is so, and then c in s->wall.share. */
bool gradyn_impact_lands(gradyn_impacts *s);
/* iota, by the multipliers in s->lam. */
double gradyn_impact_landing(const gradyn_impacts *s);
/* d iota, where s->b holds the change of the multipliers behind that of v+, which d brings about. */
gradyn_status gradyn_impact_landing_along(gradyn_impacts *s, const gradyn_mech_state *after,
                                          const gradyn_mech_vector *d, double *change);
/* Transposed: s->b + n is set to bars of the multipliers, and sums += what c owes to its place. */
gradyn_status gradyn_impact_landing_against(gradyn_impacts *s, const gradyn_mech_state *after,
                                            double bar, const gradyn_mech_sums *sums);
void gradyn_impact_pull(gradyn_impacts *s); /* fills wall.pull and by */

/* Derivatives of the event applied last: dyp [2 n] of q+, v+ and the change of the impulse, in the direction
 * dx [nx], dt, dy [2 n] of q-, v-. What the event captures changes in dx. */
gradyn_status gradyn_impact_tangent(gradyn_impacts *s, double *dx, double dt, const double *dy,
                                    double *dyp, double *impulse);

/* Transposed: y_bar [2 n] is overwritten, x_bar [nx] and *t_bar += from yp_bar [2 n] and the impulse's; bars
 * in x_bar of what the event captures are taken from there. */
gradyn_status gradyn_impact_transposed(gradyn_impacts *s, const double *yp_bar, double impulse_bar,
                                       double *y_bar, double *x_bar, double *t_bar);

/* GRADYN_EVENT: at q+ a constraint of the mode behind the event in hand is off by more than it was
 * before, and than counts as nothing. In impact_place.c. */
gradyn_status gradyn_impact_check_place(gradyn_impacts *s, const gradyn_mech_state *at);

/* Notes in the log what contradicts mechanics at the impact in hand, whose velocities and multipliers
 * are there. In impact_balance.c. */
gradyn_status gradyn_impact_balance(gradyn_impacts *s, const gradyn_event_record *record);

/* What the event in hand captures, at the state behind it: c = Phi; dc = Phi_q dq+ + Phi_t dt + Phi_x dx,
 * in dx; and bars of c, in sums->x, to those of q+, time and the other data. In impact_captures.c. */
gradyn_status gradyn_impact_capture(gradyn_impacts *s, const gradyn_mech_state *at);
gradyn_status gradyn_impact_capture_along(gradyn_impacts *s, const gradyn_mech_state *at,
                                          double *dx, double dt, const double *dq);
gradyn_status gradyn_impact_capture_against(gradyn_impacts *s, const gradyn_mech_state *at,
                                            const gradyn_mech_sums *sums);

#endif
