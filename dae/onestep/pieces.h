/* The pieces that the march of a one-step method is made of: looks, lengths of steps, stages. */
#ifndef GRADYN_DAE_EXPLICIT_PIECES_H
#define GRADYN_DAE_EXPLICIT_PIECES_H

#include "dae/onestep/onestep.h"

/* Time from the start of the run, which may be a part of a motion, until t; and until its end. */
static inline double gradyn_onestep_gone(const gradyn_onestep *s, double t)
{
  return t - gradyn_onestep_boundary(s, 0);
}
static inline double gradyn_onestep_whole(const gradyn_onestep *s)
{
  return gradyn_onestep_gone(s, gradyn_onestep_boundary(s, s->arcs.count));
}

/* --- looks at a march, in onestep/looks.c ------------------------------------------------------- */

/* Adds the terminal parts that are taken at a boundary, or behind the event that is there; the stage is
 * given. */
gradyn_status gradyn_onestep_add_terminals(gradyn_onestep *s, int boundary, bool behind,
                                           const double *stage);

/* psi [nf] (NULL: not wanted) of a run that has come to its end. */
gradyn_status gradyn_onestep_finish(gradyn_onestep *s, double *psi);

/* Its own monitors, ended by NULL (onestep/monitors.c). Nodes and steps are observed as stages. */
extern const gradyn_monitor_ops *const gradyn_onestep_monitors[];

/* Records a stage, and places inside step k, to a trajectory. */
gradyn_status gradyn_onestep_record(gradyn_onestep *s, double t, const double *stage,
                                    gradyn_trajectory *trajectory);
gradyn_status gradyn_onestep_record_inside(gradyn_onestep *s, int k, const double *stages,
                                           gradyn_trajectory *trajectory);

/* --- places inside steps, in onestep/dense.c ----------------------------------------------------- */

/* Numbers of s->dense. */
size_t gradyn_onestep_dense_size(const gradyn_onestep *s);
/* Takes a step from z [nz] at t to `end`, whose stages are given; then the state a share of it behind its
 * start: a polynomial, not on the constraints, whose error is smaller by one power of the step's length than
 * a step's. */
gradyn_status gradyn_onestep_dense_begin(gradyn_onestep *s, double t, double h, const double *z,
                                         const double *end, const double *stages);
void gradyn_onestep_dense_at(const gradyn_onestep *s, double share, double *z);
/* Positions and velocities y [2 n] of a mechanism at a share of a step of length h, s: polynomials of degree
 * five by q, v and a at both ends, from [3 n] and to [3 n], and their rates. They need no further stages. */
void gradyn_onestep_motion_at(int n, double h, const double *from, const double *to, double share,
                              double *y);

/* What has derivatives: stages of the first share of step k as a step of its own; lent until the next
 * look. */
gradyn_status gradyn_onestep_inside(gradyn_onestep *s, int k, double share, const double *stages,
                                    double **out);

/* --- lengths of steps, in onestep/control.c ------------------------------------------------------ */

/* Tries a step of length *h, and shorter ones until its error is within the tolerance; *h: taken. */
gradyn_status gradyn_onestep_advance(gradyn_onestep *s, double t, double *h, const double *z,
                                     double *stages);

/* --- pieces of the march, in onestep/step.c ---------------------------------------------------- */

/* out = z + h sum of weight_j k_j over the first `count` stages; z NULL: zero. */
void gradyn_onestep_combine(const gradyn_onestep *s, double h, const double *weight, int count,
                            const double *z, double *stages, double *out);

/* The stages from z at time t, the first of which is known, up to the end of a step of length h: its
 * arrival too, in y [nz] and in the last stage. */
gradyn_status gradyn_onestep_take(gradyn_onestep *s, double t, double h, const double *z,
                                  double *stages, bool arrive);
gradyn_status gradyn_onestep_arrive(gradyn_onestep *s, double t, const double *near,
                                    double *stages);
/* The arrival of the step just taken: its last stage, if it ends there and nothing is brought back. */
gradyn_status gradyn_onestep_end(gradyn_onestep *s, double t, double *stages);

/* Integrands of a step's stages and what they add to the integrals, with the estimate of its error. */
gradyn_status gradyn_onestep_integrate(gradyn_onestep *s, double t, double h, double *stages);

/* Absolute tolerances: a state's own, the user's for all, or by the sizes that states have at the
 * beginning, where the stage is that of time 0. */
gradyn_status gradyn_onestep_set_tolerances(gradyn_onestep *s, const double *stage);

/* Error of an integral that a step may make where the integrals over the whole run are mass and spread. */
double gradyn_onestep_allowed(const gradyn_onestep *s, double mass, double spread);

/* Finds what the round-off of z, whose stage is the first one, makes of the rates: s->control.noise. */
gradyn_status gradyn_onestep_measure_noise(gradyn_onestep *s, double t, double h, const double *z,
                                           double *stages);

/* The error of a step from t over the tolerance, and a length to start with. */
gradyn_status gradyn_onestep_error(gradyn_onestep *s, double t, double h, const double *z,
                                   double *stages, double *error);
gradyn_status gradyn_onestep_first_length(gradyn_onestep *s, double t, double most, const double *z,
                                          double *stages, double *h);

#endif
