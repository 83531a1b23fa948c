/* Parts of a run of a one-step method: output, states inside steps, step lengths, stages. `stages` are
 * those of the present step, [slots][record] and the numbers of arrive(); `stage` is one of them. */
#ifndef GRADYN_DAE_EXPLICIT_PIECES_H
#define GRADYN_DAE_EXPLICIT_PIECES_H

#include "dae/onestep/onestep.h"

/* Returns the time from the start of the run to t, s. A run may be part of a motion, and need not start at
 * t = 0. */
static inline double gradyn_onestep_elapsed(const gradyn_onestep *s, double t)
{
  return t - gradyn_onestep_boundary(s, 0);
}
/* Returns the duration of the run, s. */
static inline double gradyn_onestep_duration(const gradyn_onestep *s)
{
  return gradyn_onestep_elapsed(s, gradyn_onestep_boundary(s, s->arcs.count));
}

/* --- output of a run, in onestep/looks.c --------------------------------------------------------- */

/* Evaluates the terminal parts of functionals that are sampled at boundary 0, 1, ..., or with `behind` after
 * its event, with the stage there, and adds them to s->inner. Appends a record to s->tape if there are any.
 * Errors: GRADYN_NO_MEMORY; those of the functionals. */
gradyn_status gradyn_onestep_add_terminals(gradyn_onestep *s, int boundary, bool behind,
                                           const double *stage);

/* Monitors of one-step methods; NULL ends the list (onestep/monitors.c). `from` and `to` of gradyn_observed
 * are stages. */
extern const gradyn_monitor_ops *const gradyn_onestep_monitors[];

/* Adds the state of a stage [record] at t, s, to a trajectory. Errors: those of the trajectory. */
gradyn_status gradyn_onestep_record(gradyn_onestep *s, double t, const double *stage,
                                    gradyn_trajectory *trajectory);

/* Adds states inside step k, from 0, between its parts, by dense output, projected onto the constraints.
 * stages: those of step k. Overwrites s->spare. Errors: those of the trajectory; failures of the rates. */
gradyn_status gradyn_onestep_record_inside(gradyn_onestep *s, int k, const double *stages,
                                           gradyn_trajectory *trajectory);

/* --- states inside steps, in onestep/dense.c ----------------------------------------------------- */

/* Returns the length of s->dense, the coefficients of the dense output, in doubles. */
size_t gradyn_onestep_dense_size(const gradyn_onestep *s);

/* Computes the coefficients of the dense output, in s->dense, of a step of length h, s, from z [nz] at t to
 * end [nz], with its stages [slots][slot]. Errors: failures of the rates. */
gradyn_status gradyn_onestep_dense_begin(gradyn_onestep *s, double t, double h, const double *z,
                                         const double *end, const double *stages);

/* Sets z [nz] to the dense output at a share, 0 to 1, of the step of the last dense_begin(). This
 * polynomial does not satisfy the constraints, and its order is one less than that of the step. */
void gradyn_onestep_dense_at(const gradyn_onestep *s, double share, double *z);
/* Sets y [2 n] to positions and velocities of a mechanism at a share, 0 to 1, of a step of length h, s.
 * Positions are polynomials of degree 5 through q, v, a at both ends, from [3 n] and to [3 n]; velocities
 * are their derivatives. */
void gradyn_onestep_motion_at(int n, double h, const double *from, const double *to, double share,
                              double *y);

/* Sets *out to the stages of a separate step from the start of step k over a share, above 0 to 1, of its
 * length. `stages` are those of step k. *out is s->spare: valid until the next call that uses it. s->y is
 * unchanged. Errors: failures of the rates. */
gradyn_status gradyn_onestep_inside(gradyn_onestep *s, int k, double share, const double *stages,
                                    double **out);

/* --- lengths of steps, in onestep/control.c ------------------------------------------------------ */

/* Takes a step from z [nz] at t, of length *h, s; its first stage is given. Unless the length is given
 * (fixed or repeated steps), it is reduced until the error is within the tolerance. *h becomes the length
 * taken. Sets stages, s->y [nz], s->sum of this step and the proposal s->control.h, s. Errors:
 * GRADYN_NOT_CONVERGED, the length became too small; GRADYN_INTERRUPTED; GRADYN_STEP_LIMIT, the deadline;
 * failures of the rates, for given lengths at once, otherwise if shorter steps do not help. */
gradyn_status gradyn_onestep_advance(gradyn_onestep *s, double t, double *h, const double *z,
                                     double *stages);

/* --- stages and errors of a step, in onestep/step.c --------------------------------------------- */

/* Sets out [nz] to z + h sum of weight_j k_j over the first `count` stages, with their rates k_j. weight
 * [count]; z [nz], NULL: zero; h in s. */
void gradyn_onestep_combine(const gradyn_onestep *s, double h, const double *weight, int count,
                            const double *z, double *stages, double *out);

/* Computes the stages [slots][slot] of a step of length h from z [nz] at t, whose first stage is given, and
 * its end in s->y [nz]. `arrive`: also calls gradyn_onestep_end(). Errors: failures of the rates and the
 * scheme. */
gradyn_status gradyn_onestep_take(gradyn_onestep *s, double t, double h, const double *z,
                                  double *stages, bool arrive);

/* Projects s->y onto the constraints at t, s, the end of the step. Computes the last of its stages
 * [slots][slot], and the numbers of arrive() after it. near [record]: a nearby stage as a guess; NULL:
 * none. Errors: failures of the rates. */
gradyn_status gradyn_onestep_arrive(gradyn_onestep *s, double t, const double *near,
                                    double *stages);

/* Ends the step just taken, at t, s, its end, by gradyn_onestep_arrive(). Copies its last stage instead if
 * this stage is at the end of the step and nothing is projected. stages [slots][slot]: of this step.
 * Errors: failures of the rates. */
gradyn_status gradyn_onestep_end(gradyn_onestep *s, double t, double *stages);

/* Sets s->sum to what a step contributes to the integrals, with estimates of the errors. Totals are
 * unchanged. The step begins at t and has the length h, both in seconds. stages [slots][slot]: of this step.
 * Errors: failures of the functionals. */
gradyn_status gradyn_onestep_integrate(gradyn_onestep *s, double t, double h, double *stages);

/* Sets s->tolerances.atol and .size from the stage at the start of the run. An entry of atol is the
 * tolerance given for the state; by default atol of the options; if atol is 0, a share of rtol times the
 * natural size of the state. Errors: GRADYN_NO_MEMORY; failures of the model. */
gradyn_status gradyn_onestep_set_tolerances(gradyn_onestep *s, const double *stage);

/* Returns the tolerance of a step's error of an integral, in its unit; mass and spread: integrals of |g| and
 * |g - g(0)| over the run. */
double gradyn_onestep_allowed(const gradyn_onestep *s, double mass, double spread);

/* Updates s->control.noise from the change of the rates when z [nz], at t, changes by its round-off. The
 * first of stages [slots][slot] is that of z; h: length of the step, s. Overwrites s->trial and s->spare.
 * Errors: failures of the rates. */
gradyn_status gradyn_onestep_measure_noise(gradyn_onestep *s, double t, double h, const double *z,
                                           double *stages);

/* Sets *error to the estimated error of a step over its tolerance; above 1 the step is rejected. The step
 * leads from z [nz] at t over h, s, to s->y, with its stages and s->sum of integrate(). Errors: failures of
 * the functionals. */
gradyn_status gradyn_onestep_error(gradyn_onestep *s, double t, double h, const double *z,
                                   double *stages, double *error);

/* Sets *h, s, the length to try for the first step of a run, from z [nz] at t: model->span.step of the end
 * time if given, otherwise at most `most`, s. Overwrites the second of stages [slots][slot]. Errors: fatal
 * failures of the rates. */
gradyn_status gradyn_onestep_first_length(gradyn_onestep *s, double t, double most, const double *z,
                                          double *stages, double *h);

#endif
