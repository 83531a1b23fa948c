/* Single steps of a run with fixed steps, the memory of their nodes, and their functionals. */
#ifndef GRADYN_DAE_FIXED_STEP_H
#define GRADYN_DAE_FIXED_STEP_H

#include "core/base/warnings.h"
#include "dae/fixed/fixed.h"

/* Returns the memory [record] of node k, from 0, during a run. The memories of nodes k and k + 1 are valid
 * together; without `keep` older nodes are overwritten. */
double *gradyn_fixed_node_memory(const gradyn_fixed *s, bool keep, int k);

/* Takes step k, from 0, of the list, which is no jump, from node k to node `to` [record]. Errors: those of
 * the scheme. */
gradyn_status gradyn_fixed_take(gradyn_fixed *s, int k, const double *from, double *to);

/* Takes step k from node k to node `to` [record], over a length share * t_end. If it fails, it takes a
 * shorter step, or a longer one across a singular position. Sets the step's length and whether it is
 * lenient. Errors: the last failure after 10 halvings, or one that shorter steps do not avoid;
 * GRADYN_INTERRUPTED; GRADYN_STEP_LIMIT, the deadline. */
gradyn_status gradyn_fixed_advance(gradyn_fixed *s, int k, double share, const double *from,
                                   double *to);

/* Calls the monitors after step k, between nodes from and to [record]. Errors: those of the monitors. */
gradyn_status gradyn_fixed_observe_step(gradyn_fixed *s, int k, const double *from,
                                        const double *to);

/* Calls the monitors at the last node [record] before the constraints change or the run ends. Errors: those
 * of the monitors. */
gradyn_status gradyn_fixed_observe_end(gradyn_fixed *s, const double *node);

/* Monitors of fixed steps only, in fixed/singular.c; NULL ends the list. */
extern const gradyn_monitor_ops *const gradyn_fixed_monitors[];

/* Provides memory for the nodes of the planned steps and s->kept.allowed events; keep: all nodes stay
 * available. During a run, it must begin again if s->kept.segment changes. Error: GRADYN_NO_MEMORY. */
gradyn_status gradyn_fixed_reserve(gradyn_fixed *s, bool keep);

/* Returns GRADYN_STEP_LIMIT if more than about a tenth of the planned steps of a run were divided or had
 * their end moved, up to node k. */
gradyn_status gradyn_fixed_check_divided(gradyn_fixed *s, int k);

/* Stores the largest change of a slip velocity in a step, over the transition velocity, in
 * s->report.found.slip_jump. */
void gradyn_fixed_note_leap(gradyn_fixed *s);

/* Returns whether found->slip_jump, the largest change of a slip velocity in a step, exceeds 2 transition
 * velocities, so that the run may miss sticking. Fills *warning in any case. */
bool gradyn_fixed_slip_jumps(const gradyn_findings *found, gradyn_warning *warning);

/* Calls the monitors at node k [record], updates the constraint drift, and adds the node to the trajectory
 * (NULL: none). Errors: those of the monitors, the scheme and the trajectory. */
gradyn_status gradyn_fixed_observe(gradyn_fixed *s, int k, const double *node,
                                   gradyn_trajectory *trajectory);

/* --- functionals, in fixed/functionals.c ----------------------------------------------------------- */

/* Functionals of a run, called in this order. */

/* Starts all functionals at the first node [record]: integrals and maxima, and terminal parts that are
 * sampled there. Errors: failures of the scheme and functionals. */
gradyn_status gradyn_fixed_begin_integrals(gradyn_fixed *s, const double *node);

/* Adds step k, between nodes from and to [record], to the integrals, and updates the maxima over time.
 * Errors: failures of the scheme and functionals. */
gradyn_status gradyn_fixed_add_step(gradyn_fixed *s, int k, const double *from, const double *to);

/* Adds the terminal parts of functionals that are sampled at a boundary, from 0: before its event, or after
 * it. node [record]: node k, at this boundary. Errors: failures of the scheme and functionals. */
gradyn_status gradyn_fixed_add_samples(gradyn_fixed *s, int k, int boundary, bool after,
                                       const double *node);

/* Computes psi [nf] at the end of a run. Errors: GRADYN_NON_FINITE, psi is then incomplete; GRADYN_EVENT,
 * an event with a requested number did not occur. */
gradyn_status gradyn_fixed_finish(gradyn_fixed *s, double *psi);

#endif
