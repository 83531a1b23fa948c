/* Parts of an impact that its files share: map of an event, solution, landings, checks, latched data. */
#ifndef GRADYN_DAE_IMPACT_PARTS_H
#define GRADYN_DAE_IMPACT_PARTS_H

#include "dae/events/impact.h"

/* Sets to [n] to B from [n], the linear map of the present event, in impact_reset.c; without a map B is the
 * identity. With `positions`, adds the constant terms b of the map. */
void gradyn_impact_map(const gradyn_impacts *s, bool positions, const double *from, double *to);

/* Sets to [n] to the change of gradyn_impact_map() with the same `positions`, if from [n] changes by d [n]
 * and the data by dx [nx]. */
void gradyn_impact_map_along(const gradyn_impacts *s, bool positions, const double *dx,
                             const double *from, const double *d, double *to);

/* Transpose of gradyn_impact_map_along(), at from [n] and with the same `positions`, for to_bar [n]:
 * from_bar [n] is overwritten, x_bar [nx] is added to. */
void gradyn_impact_map_against(const gradyn_impacts *s, bool positions, const double *from,
                               const double *to_bar, double *from_bar, double *x_bar);

/* Sets A to M or, in a kinematic jump, to ones at the preserved velocities. */
void gradyn_impact_weigh(gradyn_impacts *s);

/* Factorises [A, J^T; J, -tiny]. row: contact with a row in the system; -1: none. Unused rows get a diagonal
 * of 1. Errors: GRADYN_SINGULAR, GRADYN_NON_FINITE, GRADYN_NO_MEMORY, without a message. */
gradyn_status gradyn_impact_factor(gradyn_impacts *s, int row);

/* Solves the system that the last apply() has factorised for the right-hand side b [n + ties], in place.
 * Returns the largest entry of the remaining residual, in s->rest, relative to that of b; 0 if b is 0. */
double gradyn_impact_solve(gradyn_impacts *s, double *b);

/* --- landings, in impact_landing.c ---
 * The gradient of the wall may be a combination of constraints of the mode after the event: g = sum_i c_i
 * Phi_q,i. Then the system contains these constraints, but no row of the wall. The impulse of the wall is the
 * one that leaves the smallest multipliers to the new constraints (N),
 *   iota = c_N . kappa_N / c_N . c_N:
 * the whole impulse if wall and constraint have the same row, the normal part if a foot is pinned. */

/* Returns whether the event is a landing, with c in s->wall.share. The factors must be those without a wall
 * row. Overwrites s->b and s->rest. */
bool gradyn_impact_lands(gradyn_impacts *s);

/* Returns iota, the impulse of the wall in N s, for the multipliers in s->lam. */
double gradyn_impact_landing(const gradyn_impacts *s);

/* Sets *change to the change of iota, N s, in direction d at the state `after`. s->b, overwritten, must
 * have the changes of v+ and of the multipliers. Errors: failures of the constraints. */
gradyn_status gradyn_impact_landing_along(gradyn_impacts *s, const gradyn_mech_state *after,
                                          const gradyn_mech_vector *d, double *change);

/* Transpose of gradyn_impact_landing_along() at the same state, for the adjoint `bar` of iota, added to
 * *sums; s->b + n receives the adjoints of the multipliers. Errors: failures of the constraints. */
gradyn_status gradyn_impact_landing_against(gradyn_impacts *s, const gradyn_mech_state *after,
                                            double bar, const gradyn_mech_sums *sums);

/* Sets wall.pull, N s. With a wall it is the impulse of the wall; without one, the multiplier of the new
 * constraint. For set velocities it is the impulse along them, of several the root of the sum of squares.
 * 0: landing, kinematic jump. */
void gradyn_impact_pull(gradyn_impacts *s);

/* Checks the constraints of the mode after the event at q+, in impact_place.c. Error: GRADYN_EVENT, an error
 * exceeds 1e-5 of the mechanism's size plus twice the error of the same row before the event. */
gradyn_status gradyn_impact_check_place(gradyn_impacts *s, const gradyn_mech_state *at);

/* Logs an unbalanced momentum, growing energy or pulling wall of a solved impact with its record; in
 * impact_balance.c. Findings are no errors; errors: failures of the mechanism's functions. */
gradyn_status gradyn_impact_balance(gradyn_impacts *s, const gradyn_event_record *record);

/* Checks that a kinematic jump preserves as many velocities as the constraints, in s->J, and the wall leave
 * free. Overwrites s->rest. Does nothing for other events. Error: GRADYN_INVALID, with a message. */
gradyn_status gradyn_impact_check_kept(const gradyn_impacts *s);

/* Sets the latched data c = Phi of the event in the model's data, at the state `at` after it; in
 * impact_captures.c. Errors: failures of the constraints. */
gradyn_status gradyn_impact_capture(gradyn_impacts *s, const gradyn_mech_state *at);

/* Sets the entries of latched data in dx [nx] to their changes, Phi_q dq + Phi_t dt + Phi_x dx, at the
 * state `at` after the event; dq [n], dt in s. Errors: failures of the constraints. */
gradyn_status gradyn_impact_capture_along(gradyn_impacts *s, const gradyn_mech_state *at,
                                          double *dx, double dt, const double *dq);

/* Transpose of gradyn_impact_capture_along(): adds the adjoints of latched data in sums->x to those of
 * positions, time and other data, and sets them to 0. Errors: failures of the constraints. */
gradyn_status gradyn_impact_capture_against(gradyn_impacts *s, const gradyn_mech_state *at,
                                            const gradyn_mech_sums *sums);

#endif
