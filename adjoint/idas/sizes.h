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
  int *state_unit; /* [np] the first state with the same unit */
  int *datum_unit; /* [nx] the first datum with the same unit */
  double *state,
      *states_alike; /* [np] sizes Y_i of the differential states in the forward run; largest of their unit */
  double *now;                /* [np] as states_alike, of the present states */
  double *datum, *data_alike; /* [nx] sizes of the data; largest of their unit */
  double *p;                  /* [rows][np] of the differential adjoints */
  double *eta;                /* [rows][ne] of the algebraic adjoints */
  double *x_bar;              /* [rows][nx] of the sensitivities, those of active data first */
  double *most;               /* [rows] Psi, see idas/sizes.c, in the functional's unit */
  double *most_eta;           /* [rows] largest of eta */
  double *noise;              /* [rows] effect of the states' round-off on the functional */
  double *faint;              /* [rows] a small part of the functional's value */
  double *
      reach; /* [rows] possible size of the functional: adjoints at the end times sizes of states */
  double *probe;             /* [2][ny] a perturbed state; a gradient */
  bool followed;             /* gradyn_idas_sizes_follow() was called in this run */
  double rtol, share, trace; /* weights of the three parts, see idas/sizes.c */
  gradyn_arena arena;        /* owns all arrays */
} gradyn_idas_sizes;

/* Allocates the arrays. march: borrowed, must outlive *out. Error: GRADYN_NO_MEMORY; *out is then empty. */
gradyn_status gradyn_idas_sizes_create(const gradyn_idas *march, gradyn_idas_sizes *out);

/* Frees the members, not the object; may be repeated. */
void gradyn_idas_sizes_clear(gradyn_idas_sizes *s);

/* Sets the functionals of the next runs. row [rows]: their indices, borrowed until the next call. */
void gradyn_idas_sizes_rows(gradyn_idas_sizes *s, const int *row, int rows);

/* Starts a backward run, after the forward one, with all largest values 0. slope [nf]: derivatives of
 * functionals by their inner values. active [count]: indices of data, borrowed until the next call. */
void gradyn_idas_sizes_begin(gradyn_idas_sizes *s, const double *slope, const int *active,
                             int count);

/* Updates `noise` and `most` from the second derivatives of the functionals at time t, s, and states y [ny],
 * for an arc of this length, s. slope [nf]: derivatives of functionals by their inner values. Errors: fatal
 * ones of the functionals; other failures are ignored. */
gradyn_status gradyn_idas_sizes_curvature(gradyn_idas_sizes *s, double t, const double *y,
                                          double length, const double *slope);

/* Updates the largest values by the present adjoints z [rows][np + ne] and sensitivities quad [rows][count];
 * quad may be NULL. y [ny]: the states at the same time. */
void gradyn_idas_sizes_follow(gradyn_idas_sizes *s, const double *y, const double *z,
                              const double *quad);

/* After a backward run: adds to *findings how far errors determine each value psi [nf], see
 * gradyn_note_undetermined(). */
void gradyn_idas_sizes_judge(const gradyn_idas_sizes *s, const double *psi,
                             gradyn_findings *findings);

/* Returns the first step of a backward run over this length, s, as a negative number; 0: IDAS selects it.
 * z, zp [rows][np + ne]: adjoints and their rates. The function returns a step only if that of IDAS would
 * be so short that the matrix contains only singular rates. This happens because zero adjoints have almost
 * no tolerance. */
double gradyn_idas_sizes_first_step(const gradyn_idas_sizes *s, N_Vector z, N_Vector zp,
                                    double length);

/* Sets weight [rows][np + ne] to the error weights, 1 over tolerance, of the adjoints z [rows][np + ne].
 * Adjoints without a tolerance, for example those that have been zero so far, have the weight zero. */
void gradyn_idas_sizes_weights(const gradyn_idas_sizes *s, const double *z, double *weight);
/* Computes the absolute tolerances atol [s->rows][s->count] of the sensitivities of functionals by data.
 * Those that have been zero so far have the tolerance HUGE_VAL. */
void gradyn_idas_sizes_tolerances(const gradyn_idas_sizes *s, double *atol);

#endif
