/* Error weights of the backward run of idas. Adjoints may have any size and unit, so tolerances of the
 * states do not suit them; their errors are relative to their largest values so far. If a functional is
 * multiplied by S, or a state has another unit, the steps stay the same. */
#ifndef GRADYN_ADJOINT_IDAS_SIZES_H
#define GRADYN_ADJOINT_IDAS_SIZES_H

#include "dae/idas/idas.h"

/* Sizes are the largest absolute values since the end time, all arcs together. */
typedef struct gradyn_idas_sizes {
  const gradyn_idas *march;
  int rows, np, ne;
  const int *row;    /* [rows] functionals of the arrays below; borrowed */
  const int *active; /* [count] data whose sensitivity is integrated; borrowed */
  int count;
  int *state_unit;              /* [np] the first state with the same unit */
  int *datum_unit;              /* [nx] the first datum with the same unit */
  double *state, *states_alike; /* [np] of the differential states, forward; of all in the unit */
  double *now;                  /* [np] as states_alike, at the present time */
  double *datum, *data_alike;   /* [nx] of the data; of all in the unit */
  double *p;                    /* [rows][np] of the differential adjoints */
  double *eta;                  /* [rows][ne] of the algebraic ones */
  double *x_bar;                /* [rows][nx] of the sensitivities, those of active data first */
  double *most;                 /* [rows] Psi, see idas/sizes.c, in the functional's unit */
  double *most_eta;             /* [rows] largest of eta */
  double *noise;                /* [rows] effect of the states' round-off on the functional */
  double *faint;                /* [rows] a small part of its value */
  double *reach;             /* [rows] its possible size: slopes at the end times sizes of states */
  double *probe;             /* [2][ny] a state beside the present one, a gradient */
  bool followed;             /* a point of this run has been taken */
  double rtol, share, trace; /* weights of the three parts, see idas/sizes.c */
  gradyn_arena arena;        /* owns all arrays */
} gradyn_idas_sizes;

gradyn_status gradyn_idas_sizes_create(const gradyn_idas *march, gradyn_idas_sizes *out);
void gradyn_idas_sizes_clear(gradyn_idas_sizes *s);

/* Sets the functionals of the next runs; row [rows] is borrowed. */
void gradyn_idas_sizes_rows(gradyn_idas_sizes *s, const int *row, int rows);

/* Starts a backward run, after the forward one: slope [nf] is dpsi/dinner; active [count] is borrowed. */
void gradyn_idas_sizes_begin(gradyn_idas_sizes *s, const double *slope, const int *active,
                             int count);

/* Takes the functionals' second derivatives at y [ny] into account, for an arc of some length. */
gradyn_status gradyn_idas_sizes_curvature(gradyn_idas_sizes *s, double t, const double *y,
                                          double length, const double *slope);

/* Follows z [rows][np + ne] and quad [rows][count], which may be NULL; y [ny] is the state there. */
void gradyn_idas_sizes_follow(gradyn_idas_sizes *s, const double *y, const double *z,
                              const double *quad);

/* After a backward run: records in findings which values psi [nf] are not determined. */
void gradyn_idas_sizes_judge(const gradyn_idas_sizes *s, const double *psi,
                             gradyn_findings *findings);

/* First step of a run back over a length of time, from z, z' [rows][np + ne]; 0: what IDAS takes. Where p is
 * zero it has next to no tolerance, and that step is so short that singular rates leave nothing else in the
 * matrix. */
double gradyn_idas_sizes_first_step(const gradyn_idas_sizes *s, N_Vector z, N_Vector zp,
                                    double length);

/* Error weights of z, and absolute tolerances of quad. What has been zero so far has weight zero. */
void gradyn_idas_sizes_weights(const gradyn_idas_sizes *s, const double *z, double *weight);
void gradyn_idas_sizes_tolerances(const gradyn_idas_sizes *s, double *atol);

#endif
