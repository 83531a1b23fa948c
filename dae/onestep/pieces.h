/* Parts of a run of a one-step method: output, states inside steps, step lengths, stages. */
#ifndef GRADYN_DAE_EXPLICIT_PIECES_H
#define GRADYN_DAE_EXPLICIT_PIECES_H

#include "dae/onestep/onestep.h"

/* Return the time from the start of the run, which may be a part of a motion, to t, and to its end, s. */
static inline double gradyn_onestep_gone(const gradyn_onestep *s, double t)
{
  return t - gradyn_onestep_boundary(s, 0);
}
static inline double gradyn_onestep_whole(const gradyn_onestep *s)
{
  return gradyn_onestep_gone(s, gradyn_onestep_boundary(s, s->arcs.count));
}

/* --- output of a run, in onestep/looks.c --------------------------------------------------------- */

/* Adds the terminal parts at a boundary, or with `behind` those after the event there, to s->inner, from the
 * stage [slot] at this point. Appends a record if there are any. Errors: GRADYN_NO_MEMORY; those of the
 * functionals. */
gradyn_status gradyn_onestep_add_terminals(gradyn_onestep *s, int boundary, bool behind,
                                           const double *stage);

/* Computes psi [nf] (NULL: not requested) at the end of a run. */
gradyn_status gradyn_onestep_finish(gradyn_onestep *s, double *psi);

/* Monitors of one-step methods; NULL ends the list (onestep/monitors.c). Nodes and steps are given as
 * stages. */
extern const gradyn_monitor_ops *const gradyn_onestep_monitors[];

/* Add the state of a stage at t, s, and states inside step k, to a trajectory. */
gradyn_status gradyn_onestep_record(gradyn_onestep *s, double t, const double *stage,
                                    gradyn_trajectory *trajectory);
gradyn_status gradyn_onestep_record_inside(gradyn_onestep *s, int k, const double *stages,
                                           gradyn_trajectory *trajectory);

/* --- states inside steps, in onestep/dense.c ----------------------------------------------------- */

/* Returns the size of s->dense, in numbers. */
size_t gradyn_onestep_dense_size(const gradyn_onestep *s);
/* begin(): prepares interpolation in a step of length h, s, from z [nz] at t to end [nz], with its stages.
 * at(): sets z [nz], the state at a share of the step, by a polynomial, not on the constraints. Its error
 * has one power of h less than that of the step. */
gradyn_status gradyn_onestep_dense_begin(gradyn_onestep *s, double t, double h, const double *z,
                                         const double *end, const double *stages);
void gradyn_onestep_dense_at(const gradyn_onestep *s, double share, double *z);
/* Positions and velocities y [2 n] of a mechanism at a share of a step of length h, s: polynomials of degree
 * five by q, v and a at both ends, from [3 n] and to [3 n], and their rates. No further stages are needed. */
void gradyn_onestep_motion_at(int n, double h, const double *from, const double *to, double share,
                              double *y);

/* Sets *out to the stages of a separate step over the first share of step k, for derivatives; valid until the
 * next call that uses s->spare. Errors: failures of the rates. */
gradyn_status gradyn_onestep_inside(gradyn_onestep *s, int k, double share, const double *stages,
                                    double **out);

/* --- lengths of steps, in onestep/control.c ------------------------------------------------------ */

/* Tries a step from z at t of length *h, s, then shorter ones until the error is within the tolerance. *h
 * becomes the length of this step. */
gradyn_status gradyn_onestep_advance(gradyn_onestep *s, double t, double *h, const double *z,
                                     double *stages);

/* --- stages and errors of a step, in onestep/step.c --------------------------------------------- */

/* out [nz] = z + h sum of weight_j k_j over the first `count` stages; z NULL: zero. */
void gradyn_onestep_combine(const gradyn_onestep *s, double h, const double *weight, int count,
                            const double *z, double *stages, double *out);

/* take(): computes the stages of a step of length h, s, from z [nz] at t; the first one is given. With
 * `arrive` also arrive(): the projected state at the end, s->y [nz], and the last stage. */
gradyn_status gradyn_onestep_take(gradyn_onestep *s, double t, double h, const double *z,
                                  double *stages, bool arrive);
gradyn_status gradyn_onestep_arrive(gradyn_onestep *s, double t, const double *near,
                                    double *stages);
/* The same for the step just taken; uses its last stage if this is at the end and nothing is projected. */
gradyn_status gradyn_onestep_end(gradyn_onestep *s, double t, double *stages);

/* Computes the contributions of a step to the integrals, and their estimated errors, in s->sum. */
gradyn_status gradyn_onestep_integrate(gradyn_onestep *s, double t, double h, double *stages);

/* Sets absolute tolerances: of a state, otherwise of the options, otherwise by natural sizes at the start,
 * whose stage is given. */
gradyn_status gradyn_onestep_set_tolerances(gradyn_onestep *s, const double *stage);

/* Returns the largest accepted error of an integral whose |g| and |g - g(0)| integrate to mass and spread. */
double gradyn_onestep_allowed(const gradyn_onestep *s, double mass, double spread);

/* Updates s->control.noise, the effect of round-off of z on the rates; the first stage is that of z. */
gradyn_status gradyn_onestep_measure_noise(gradyn_onestep *s, double t, double h, const double *z,
                                           double *stages);

/* Compute the error of a step from t over the tolerance, and the length *h <= most, s, of a first step. */
gradyn_status gradyn_onestep_error(gradyn_onestep *s, double t, double h, const double *z,
                                   double *stages, double *error);
gradyn_status gradyn_onestep_first_length(gradyn_onestep *s, double t, double most, const double *z,
                                          double *stages, double *h);

#endif
