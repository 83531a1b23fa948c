/* Models as explicit systems z' = f(t, z, x) in their differential states z, on the manifold that their
 * constraints leave: what an explicit method asks of a mechanism, z = (q, v), or of general equations
 * of index 1. Accelerations, multipliers and algebraic states are functions of z, found with the rates.
 *
 * A *stage* is the record of one evaluation: first all states y that functionals see, then, if they are
 * none of these, the rates, in all `seen` numbers that have derivatives; then what products with the
 * derivatives need so as not to be found twice. Derivatives are taken for lanes of directions or of
 * functionals. */
#ifndef GRADYN_DAE_RATES_H
#define GRADYN_DAE_RATES_H

#include "core/linear/lanes.h"
#include "core/model/model.h"

typedef struct gradyn_rates gradyn_rates;

/* What changes beside the state, columns side by side. */
typedef struct gradyn_rates_change {
  const double *x;           /* [columns][nx] data */
  const gradyn_lanes *lanes; /* [packs][nx] the same side by side, or NULL */
  const gradyn_lanes *t;     /* an entry: time; NULL: it does not move */
  const gradyn_lanes *ready; /* what ready() has made of the data; NULL: it is made again */
} gradyn_rates_change;

/* Where bars of data are added: x [columns][nx]; or, where a system says that it takes these, lanes [nx]. */
typedef struct gradyn_rates_sums {
  double *x;
  gradyn_lanes *lanes;
  gradyn_lanes *kept; /* [sums] with lanes: what settle() is to carry on to them */
} gradyn_rates_sums;

/* Lanes side by side: `columns` of them are in use; x_bar [columns][nx] +=. Entries have one lane; tangents
 * of more than GRADYN_LANES columns, up to gradyn_rates_columns(), have two. */
typedef struct gradyn_rates_ops {
  /* Consistent z [nz] at time 0, its derivative along dx, and x_bar += (dz/dx)^T z_bar (overwritten). */
  gradyn_status (*start)(gradyn_rates *s, double *z);
  gradyn_status (*start_tangent)(gradyn_rates *s, const double *dx, double *dz);
  gradyn_status (*start_transposed)(gradyn_rates *s, double *z_bar, double *x_bar);

  /* Fills a stage at (t, z). before: one of the same step, from which iterations may begin, or NULL. */
  gradyn_status (*stage)(gradyn_rates *s, double t, const double *z, const double *before,
                         double *stage);
  /* The end of a step: brings z back onto the constraints, fills the stage there, and notes in
   * moved [moved] what led from one to the other. near: a stage within a step's error of it; NULL: none is
   * known. */
  gradyn_status (*arrive)(gradyn_rates *s, double t, double *z, const double *near, double *stage,
                          double *moved);

  /* What changes of the data do alike at all times: ready [readies] entries of one lane or of two, for as
   * long as data and what they change by stay as they are. Asked for if there are any. */
  void (*ready)(gradyn_rates *s, int columns, const gradyn_rates_change *d, gradyn_lanes *ready);

  /* Evaluates and factorises the matrices of a stage for the products below. */
  gradyn_status (*linearise)(gradyn_rates *s, double t, const double *stage);
  /* dstage [seen] from dz [nz], which may stand at its beginning, and what else changes. */
  gradyn_status (*tangent)(gradyn_rates *s, int columns, const gradyn_lanes *dz,
                           const gradyn_rates_change *d, gradyn_lanes *dstage);
  /* z_bar [nz], and x_bar, t_bar +=, from stage_bar [seen], which is overwritten. t_bar NULL: not
   * wanted. */
  gradyn_status (*transposed)(gradyn_rates *s, int columns, gradyn_lanes *stage_bar,
                              gradyn_lanes *z_bar, const gradyn_rates_sums *x_bar,
                              gradyn_lanes *t_bar);
  /* Asked for if there are sums: bars that transposed() has kept back, to lanes [nx] of data, which are to be
   * what they were; then they are zero. */
  void (*settle)(gradyn_rates *s, gradyn_lanes *kept, gradyn_lanes *lanes);
  /* Tangent and transpose of arrive(), whose stage has been linearised: dz in place, from before to after;
   * z_bar in place, from after to before. NULL: it moves nothing. */
  gradyn_status (*arrive_tangent)(gradyn_rates *s, int columns, const double *moved,
                                  const gradyn_rates_change *d, gradyn_lanes *dz);
  gradyn_status (*arrive_transposed)(gradyn_rates *s, int columns, const double *moved,
                                     gradyn_lanes *z_bar, double *x_bar, gradyn_lanes *t_bar);

  /* Raises worst [3] to max |Phi|, |Phi'|, |Phi''| at a stage; NULL: no constraints. */
  gradyn_status (*drift)(gradyn_rates *s, double t, const double *stage, double *worst);
  /* Looks at an accepted stage: GRADYN_SINGULAR if a singular position has been passed since the last
   * one. NULL: there are none. */
  gradyn_status (*watch)(gradyn_rates *s, double t, const double *stage);
  /* The next stage is not where the last one has led to. NULL: it does not matter. */
  void (*leap)(gradyn_rates *s);
  /* Looks at a stage around which steps have become very short: GRADYN_SINGULAR if it is all but singular.
   * NULL: there are no constraints. */
  gradyn_status (*creep)(gradyn_rates *s, double t, const double *stage);
  void (*free)(gradyn_rates *s);
} gradyn_rates_ops;

struct gradyn_rates {
  const gradyn_rates_ops *ops;
  gradyn_model *model;
  int nz, ny;
  int seen;                     /* numbers of a stage that have derivatives */
  int rates;                    /* where z' [nz] stands in a stage */
  int record;                   /* numbers of a stage */
  int moved;                    /* numbers that arrive() notes */
  int readies;                  /* entries that ready() fills */
  int sums;                     /* that transposed() may keep bars in */
  const int *place;             /* [nz] where z stands in y */
  const double *atol;           /* [nz] or NULL: the run's */
  struct gradyn_index1 *system; /* that general equations are solved by; NULL: a mechanism */
  bool implicit;                /* combinations of differential states may be algebraic */
  bool side_by_side;            /* transposed() takes bars of data in lanes */
  bool dependent;               /* rows depend on others, as start() has found */
  bool unjudged;                /* steps are as long as asked for, whatever their errors */
  long factorisations, evaluations;
};

/* Differential states z [nz] of y, and back. */
static inline void gradyn_rates_gather(const gradyn_rates *s, const double *y, double *z)
{
  for (int i = 0; i < s->nz; i++)
    z[i] = y[s->place[i]];
}
static inline void gradyn_rates_scatter(const gradyn_rates *s, const double *z, double *y)
{
  for (int i = 0; i < s->nz; i++)
    y[s->place[i]] = z[i];
}

/* The most columns of a tangent, with the data that matter at present. */
int gradyn_rates_columns(const gradyn_rates *s);

/* A mechanism, and general equations. On failure *out is an object to be freed, or NULL. */
gradyn_status gradyn_rates_from_mech(gradyn_model *model, gradyn_rates **out);
gradyn_status gradyn_rates_from_equations(gradyn_model *model, gradyn_rates **out);

#endif
