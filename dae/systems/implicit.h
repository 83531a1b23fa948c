/* Models as r(t, z, w, x) = 0 with z' given by z and w: what an implicit one-step method asks of a mechanism,
 *     z = (q, v),  w = (a, lam),  z' = (v, a),  r = (R; Phi'' - d lam),
 * and of general equations F(t, y, y', x) = 0 with differential states z = y_d,
 *     w_i = y_i' of differential states, y_i of algebraic ones,  z' = w_d,  r = F.
 * The rates among w are those of the last part of z; a mechanism's first part, its positions, has the second
 * one as its rates (`order` 2). */
#ifndef GRADYN_DAE_IMPLICIT_H
#define GRADYN_DAE_IMPLICIT_H

#include "core/linear/pattern.h"
#include "dae/systems/index1.h"
#include "dae/systems/rates.h"

typedef struct gradyn_implicit gradyn_implicit;

/* Derivatives of r at a point, values of one pattern [nnz]: by w, and by the last and the first part of z in
 * the columns of the rates that belong to them. */
typedef struct gradyn_implicit_slopes {
  double *by_w, *by_last, *by_first; /* by_first: zero where the order is 1 */
} gradyn_implicit_slopes;

typedef struct gradyn_implicit_ops {
  /* d of a run that starts at t in z, some of whose rows depend on others or none; NULL: there are no
   * rows. */
  gradyn_status (*soften)(gradyn_implicit *s, bool dependent, double t, const double *z);
  /* r [nw] at a stage. */
  gradyn_status (*residual)(gradyn_implicit *s, double t, const double *stage, double *r);
  /* Slopes there; where it sets `changed`, the pattern is another one, and nothing has been written. */
  gradyn_status (*linearise)(gradyn_implicit *s, double t, const double *stage,
                             const gradyn_implicit_slopes *out);
  /* r [nw] lanes of the columns: r_x dx + r_t dt. */
  gradyn_status (*along)(gradyn_implicit *s, double t, const double *stage, int columns,
                         const gradyn_rates_change *d, gradyn_lanes *r);
  /* x_bar [columns][nx] -= r_x^T mu, t_bar -= r_t^T mu (NULL: not wanted) for mu [nw], one lane. */
  gradyn_status (*against)(gradyn_implicit *s, double t, const double *stage, int columns,
                           gradyn_lanes *mu, double *x_bar, gradyn_lanes *t_bar);
  /* Name of w_i, for messages. */
  const char *(*name)(const gradyn_implicit *s, int i);
  void (*free)(gradyn_implicit *s);
} gradyn_implicit_ops;

/* Implementations embed it as their first member. */
struct gradyn_implicit {
  const gradyn_implicit_ops *ops;
  gradyn_model *model;
  int nz, nw, nk;         /* nk: numbers of the last part of z */
  int order;              /* 1, or 2: nz = 2 nk */
  const int *rate;        /* [nk] which of w are its rates */
  const int *z_at, *w_at; /* [nz], [nw] where they stand in a stage of the rates */
  gradyn_pattern pattern; /* [nw][nw] */
  bool *coupled;          /* [nnz] whether r may depend there on z */
  bool changed;           /* by linearise(): entries have come up that the pattern before had not */
};

/* Of the same model as the rates, whose stages it shares. On failure *out is to be freed, or NULL. */
gradyn_status gradyn_implicit_from_mech(gradyn_model *model, gradyn_implicit **out);
gradyn_status gradyn_implicit_from_equations(gradyn_index1 *system, gradyn_implicit **out);

#endif
