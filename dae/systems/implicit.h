/* Models as r(t, z, w, x) = 0 with z' given by z and w, for implicit one-step methods. For a mechanism,
 *
 *   z = (q, v),  w = (a, lam),  z' = (v, a),  r = (R; Phi'' - d lam).
 *
 * For general equations F(t, y, y', x) = 0 with differential states z = y_d,
 *
 *   w_i = y_i' of differential states, y_i of algebraic ones,  z' = w_d,  r = F.
 *
 * The rates in w are those of the last part of z. In a mechanism, the first part of z, the positions, has the
 * second part as its rates (`order` 2). */
#ifndef GRADYN_DAE_IMPLICIT_H
#define GRADYN_DAE_IMPLICIT_H

#include "core/linear/pattern.h"
#include "dae/systems/index1.h"
#include "dae/systems/rates.h"

typedef struct gradyn_implicit gradyn_implicit;

/* Derivatives of r at a point as values of one pattern [nnz]: by w; by the last and by the first part of z,
 * in the columns of the corresponding rates. */
typedef struct gradyn_implicit_slopes {
  double *by_w, *by_last, *by_first; /* by_first: zero if the order is 1 */
} gradyn_implicit_slopes;

typedef struct gradyn_implicit_ops {
  /* Sets d for a run that starts at t in z. dependent: constraints may be redundant. NULL: the model has no
   * constraints. */
  gradyn_status (*soften)(gradyn_implicit *s, bool dependent, double t, const double *z);
  /* Residual r [nw] at a stage. */
  gradyn_status (*residual)(gradyn_implicit *s, double t, const double *stage, double *r);
  /* Derivatives at a stage. If it sets `changed`, the pattern has changed and no values are written. */
  gradyn_status (*linearise)(gradyn_implicit *s, double t, const double *stage,
                             const gradyn_implicit_slopes *out);
  /* r [nw] = r_x dx + r_t dt for `columns` changes in lanes; d->t may be NULL. */
  gradyn_status (*along)(gradyn_implicit *s, double t, const double *stage, int columns,
                         const gradyn_rates_change *d, gradyn_lanes *r);
  /* Sets the time and the stage of the next calls of against(). The stage is borrowed. */
  void (*enter)(gradyn_implicit *s, double t, const double *stage);
  /* x_bar [columns][nx] -= r_x^T mu, t_bar -= r_t^T mu for mu [nw], one lane. t_bar NULL: not requested. */
  gradyn_status (*against)(gradyn_implicit *s, int columns, gradyn_lanes *mu, double *x_bar,
                           gradyn_lanes *t_bar);
  /* Returns the name of w_i for messages. */
  const char *(*name)(const gradyn_implicit *s, int i);
  void (*free)(gradyn_implicit *s);
} gradyn_implicit_ops;

/* Implementations embed this struct as their first member. */
struct gradyn_implicit {
  const gradyn_implicit_ops *ops;
  gradyn_model *model;
  int nz, nw, nk;         /* nk: length of the last part of z */
  int order;              /* 1, or 2: nz = 2 nk */
  const int *rate;        /* [nk] indices in w of its rates */
  const int *z_at, *w_at; /* [nz] and [nw]: indices in a stage of gradyn_rates */
  gradyn_pattern pattern; /* [nw][nw] */
  bool *coupled;          /* [nnz] whether r may depend on z in this entry */
  bool changed;           /* linearise() has found entries outside of the previous pattern */
};

/* Creates the implicit system of a mechanism. The model is borrowed and must outlive *out. Stages are those
 * of gradyn_rates of the model. On failure *out is NULL or an object to be freed by ops->free(). Error:
 * GRADYN_NO_MEMORY. */
gradyn_status gradyn_implicit_from_mech(gradyn_model *model, gradyn_implicit **out);

/* Creates the implicit system of general equations, by their index-1 system, which is borrowed and must
 * outlive *out. On failure *out is NULL or an object to be freed by ops->free(). Error:
 * GRADYN_NO_MEMORY. */
gradyn_status gradyn_implicit_from_equations(gradyn_index1 *system, gradyn_implicit **out);

#endif
