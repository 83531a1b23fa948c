/* The variational scheme as functions of gradyn_stepper_ops, which states arguments and errors in full.
 * base: a gradyn_variational. [batches] is [(count + 3)/4]. */
#ifndef GRADYN_DAE_VARIATIONAL_OPERATIONS_H
#define GRADYN_DAE_VARIATIONAL_OPERATIONS_H

#include "dae/variational/variational.h"

/* complete(), in variational/looks.c: computes the output state of a node [record] at t, s, to a depth, in
 * *view. Errors: failures of the mechanism's functions; those of gradyn_projection_factor(). */
gradyn_status gradyn_variational_complete(gradyn_stepper *base, double t, const double *node,
                                          gradyn_depth depth, gradyn_view *view);

/* sample(), in variational/looks.c: computes the output state at the point t + alpha h of a step from t of
 * length h, s, in *view, to a depth. from, to: nodes [record] of the step. Errors: failures of the
 * mechanism's functions; those of gradyn_projection_factor(). */
gradyn_status gradyn_variational_sample(gradyn_stepper *base, double t, double h,
                                        const double *from, const double *to, gradyn_depth depth,
                                        gradyn_view *view);

/* view_tangent(), in variational/look_derivatives.c: sets dy [batches][ny], changes of the output state
 * *view along *moves. ds [batches][ns]: changes of its node, or of the node at the end of its step. Errors:
 * failures of the mechanism's functions; those of gradyn_projection_factor(). */
gradyn_status gradyn_variational_view_tangent(gradyn_stepper *base, const gradyn_view *view,
                                              const gradyn_view_moves *moves,
                                              const gradyn_lanes *ds, gradyn_lanes *dy);

/* view_transposed(): transpose of gradyn_variational_view_tangent(). Adds to *adjoints, from y_bar
 * [count][ny], which is overwritten. Errors: failures of the mechanism's functions; those of
 * gradyn_projection_factor(). */
gradyn_status gradyn_variational_view_transposed(gradyn_stepper *base, const gradyn_view *view,
                                                 double *y_bar, const gradyn_view_bars *adjoints);

/* linearise(), in variational/tangent.c: prepares the derivatives of a step from t of length h, s, between
 * nodes from and to [record], which are borrowed until the next call or step. Errors: GRADYN_SINGULAR,
 * GRADYN_NON_FINITE, GRADYN_NO_MEMORY; failures of the mechanism's functions. */
gradyn_status gradyn_variational_linearise(gradyn_stepper *base, double t, double h,
                                           const double *from, const double *to);

/* tangent(): replaces ds [batches][ns], changes of the first node of the linearised step for `count`
 * directions, by those of its second node. dx [batches][nx], NULL: no change of data; dh, dt [count], s: of
 * the step's length and end time. Errors: failures of the mechanism's functions. */
gradyn_status gradyn_variational_tangent(gradyn_stepper *base, int count, const gradyn_lanes *dx,
                                         const double *dh, const double *dt, gradyn_lanes *ds);

/* transposed(), in variational/transposed.c: replaces s_bar [batches][ns], adjoints of the second node for
 * `count` functionals, by those of the first. Adds to x_bar [batches][nx], h_bar and t_bar [count]; the
 * last two may be NULL. Errors: failures of the mechanism's functions. */
gradyn_status gradyn_variational_transposed(gradyn_stepper *base, int count, gradyn_lanes *s_bar,
                                            gradyn_lanes *x_bar, double *h_bar, double *t_bar);

/* start_tangent(): sets ds [ns], the change of the initial node for a change dx [nx] of the data. Errors:
 * GRADYN_SINGULAR, GRADYN_NON_FINITE, GRADYN_NO_MEMORY, GRADYN_INTERRUPTED; GRADYN_STEP_LIMIT, the
 * deadline; failures of the mechanism's functions. */
gradyn_status gradyn_variational_start_tangent(gradyn_stepper *base, const double *dx, double *ds);

/* start_transposed(): transpose of gradyn_variational_start_tangent(). Adds to x_bar [nx], from s_bar [ns],
 * which is overwritten. Errors: GRADYN_SINGULAR, GRADYN_NON_FINITE, GRADYN_NO_MEMORY, GRADYN_INTERRUPTED;
 * GRADYN_STEP_LIMIT, the deadline; failures of the mechanism's functions. */
gradyn_status gradyn_variational_start_transposed(gradyn_stepper *base, double *s_bar,
                                                  double *x_bar);

/* enter(), in variational/enter.c: computes a node [record] from the output state y [ny] after an event at
 * t, s; h: expected length of the next steps, s. Returns GRADYN_OK. */
gradyn_status gradyn_variational_enter(gradyn_stepper *base, double t, double h, const double *y,
                                       double *node);

/* enter_tangent(): sets ds [ns], the change of the node after an event, from changes dy [ny] of the state y
 * there and dx [nx] of the data. Errors: failures of the mechanism's functions. */
gradyn_status gradyn_variational_enter_tangent(gradyn_stepper *base, const double *y,
                                               const double *dx, const double *dy, double *ds);

/* enter_transposed(): transpose of gradyn_variational_enter_tangent(). y [ny]: state after the event. Adds
 * to y_bar [ny] and x_bar [nx], from s_bar [ns]. Errors: failures of the mechanism's functions. */
gradyn_status gradyn_variational_enter_transposed(gradyn_stepper *base, const double *y,
                                                  const double *s_bar, double *y_bar,
                                                  double *x_bar);

#endif
