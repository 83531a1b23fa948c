/* Models as explicit systems z' = f(t, z, x) in their differential states z, on the manifold of their
 * constraints. For mechanisms z = (q, v); general equations must have index 1. Accelerations, multipliers and
 * algebraic states are functions of z and are computed with the rates.
 *
 * A *stage* stores one evaluation: all states y that functionals see; the rates, if they are not part of y;
 * then intermediate results for derivatives. The first two parts are the `seen` numbers that have
 * derivatives. Derivatives are computed for lanes of directions or of functionals. */
#ifndef GRADYN_DAE_RATES_H
#define GRADYN_DAE_RATES_H

#include "core/linear/lanes.h"
#include "core/model/model.h"

typedef struct gradyn_rates gradyn_rates;

/* Changes of data and time, columns side by side; borrowed. */
typedef struct gradyn_rates_change {
  const double *x;           /* [columns][nx] data */
  const gradyn_lanes *lanes; /* [groups of lanes][nx] the same in lanes, or NULL */
  const gradyn_lanes *t;     /* one entry: time; NULL: no change */
  /* result of ready() for these data; NULL: the function computes it again */
  const gradyn_lanes *ready;
} gradyn_rates_change;

/* Adjoints of data, to be added to: x [columns][nx]; or lanes [nx] for systems with side_by_side. */
typedef struct gradyn_rates_sums {
  double *x;
  gradyn_lanes *lanes;
  gradyn_lanes *kept; /* [sums] with lanes: intermediate sums for settle() */
} gradyn_rates_sums;

/* Functions of a system. `columns` lanes are in use; x_bar [columns][nx] is added to. Entries have one lane.
 * Tangents of more than GRADYN_LANES columns, up to gradyn_rates_columns(), have two. */
typedef struct gradyn_rates_ops {
  /* Consistent z [nz] at the start, its derivative along dx, and x_bar += (dz/dx)^T z_bar (overwritten).
   * Errors: those of assembly; GRADYN_UNSUPPORTED, combined states of equations without `implicit`. */
  gradyn_status (*start)(gradyn_rates *s, double *z);
  gradyn_status (*start_tangent)(gradyn_rates *s, const double *dx, double *dz);
  gradyn_status (*start_transposed)(gradyn_rates *s, double *z_bar, double *x_bar);

  /* Computes a stage at (t, z). before: a stage of the same step as initial guess of iterations, or NULL.
   * General equations use the last stage instead. */
  gradyn_status (*stage)(gradyn_rates *s, double t, const double *z, const double *before,
                         double *stage);
  /* Ends a step: projects z onto the constraints and computes the stage there. moved [moved]: corrections and
   * multipliers of the projection. near: a stage within the error of a step; NULL: none. Error:
   * GRADYN_NOT_CONVERGED, z is too far from the constraints. */
  gradyn_status (*arrive)(gradyn_rates *s, double t, double *z, const double *near, double *stage,
                          double *moved);

  /* Computes those effects of data changes that are equal at all times: ready [readies], entries of one lane
   * or two. Valid as long as data and their changes stay the same. Called only if readies > 0. */
  void (*ready)(gradyn_rates *s, int columns, const gradyn_rates_change *d, gradyn_lanes *ready);

  /* Evaluates and factorises the matrices of a stage for the products below. */
  gradyn_status (*linearise)(gradyn_rates *s, double t, const double *stage);
  /* dstage [seen] from dz [nz], which may be stored at its beginning, and the change d. */
  gradyn_status (*tangent)(gradyn_rates *s, int columns, const gradyn_lanes *dz,
                           const gradyn_rates_change *d, gradyn_lanes *dstage);
  /* z_bar [nz] from stage_bar [seen], which is overwritten; x_bar and t_bar are added to. t_bar NULL: not
   * requested. */
  gradyn_status (*transposed)(gradyn_rates *s, int columns, gradyn_lanes *stage_bar,
                              gradyn_lanes *z_bar, const gradyn_rates_sums *x_bar,
                              gradyn_lanes *t_bar);
  /* Called if sums > 0: passes the sums of transposed() on to lanes [nx] of data, and sets them to zero. The
   * data must not have changed. */
  void (*settle)(gradyn_rates *s, gradyn_lanes *kept, gradyn_lanes *lanes);
  /* Derivative and transpose of arrive(), whose stage must have been linearised: dz and z_bar in place. NULL:
   * no projection. */
  gradyn_status (*arrive_tangent)(gradyn_rates *s, int columns, const double *moved,
                                  const gradyn_rates_change *d, gradyn_lanes *dz);
  gradyn_status (*arrive_transposed)(gradyn_rates *s, int columns, const double *moved,
                                     gradyn_lanes *z_bar, double *x_bar, gradyn_lanes *t_bar);

  /* Raises worst [3] to max |Phi|, |Phi'|, |Phi''| at a stage. NULL: no constraints. */
  gradyn_status (*drift)(gradyn_rates *s, double t, const double *stage, double *worst);
  /* Checks an accepted stage. Error: GRADYN_SINGULAR, a singular position was passed since the last call.
   * NULL: nothing to check. */
  gradyn_status (*watch)(gradyn_rates *s, double t, const double *stage);
  /* Announces that the next stage is unrelated to the last one. NULL: the system does not need to know. */
  void (*leap)(gradyn_rates *s);
  /* Checks a stage near which steps have become very short. Error: GRADYN_SINGULAR, it is nearly singular.
   * NULL: no constraints. */
  gradyn_status (*creep)(gradyn_rates *s, double t, const double *stage);
  void (*free)(gradyn_rates *s);
} gradyn_rates_ops;

struct gradyn_rates {
  const gradyn_rates_ops *ops;
  gradyn_model *model;
  int nz, ny;
  int seen;                     /* numbers of a stage that have derivatives */
  int rates;                    /* index of z' [nz] in a stage */
  int record;                   /* length of a stage */
  int moved;                    /* length of the array that arrive() writes */
  int readies;                  /* number of entries of ready() */
  int sums;                     /* number of intermediate sums of transposed() */
  const int *position;          /* [nz] indices of z in y, ascending */
  const double *atol;           /* [nz], or NULL: tolerances of the run */
  struct gradyn_index1 *system; /* solves general equations; NULL: a mechanism */
  bool implicit;     /* the method allows algebraic combinations of differential states */
  bool side_by_side; /* transposed() takes adjoints of data in lanes */
  bool dependent;    /* constraints are redundant, as start() has found */
  bool unjudged;     /* step lengths are prescribed, whatever their errors */
  long factorisations, evaluations; /* counts; `evaluations` by the callers */
};

/* Copies the differential states from y [ny], all states, to z [nz]. */
static inline void gradyn_rates_gather(const gradyn_rates *s, const double *y, double *z)
{
  for (int i = 0; i < s->nz; i++)
    z[i] = y[s->position[i]];
}
/* Copies the differential states z [nz] to their entries of y [ny], all states; other entries stay. */
static inline void gradyn_rates_scatter(const gradyn_rates *s, const double *z, double *y)
{
  for (int i = 0; i < s->nz; i++)
    y[s->position[i]] = z[i];
}

/* Returns the largest number of columns of one tangent() call with the present active data. */
int gradyn_rates_columns(const gradyn_rates *s);

/* Creates the system of a mechanism; the model must outlive *out. On failure *out is NULL or an object to
 * be freed by ops->free(). Error: GRADYN_NO_MEMORY. */
gradyn_status gradyn_rates_from_mech(gradyn_model *model, gradyn_rates **out);

/* Creates the system of general equations; the model must outlive *out. On failure *out is NULL or an
 * object to be freed by ops->free(). Error: GRADYN_NO_MEMORY. */
gradyn_status gradyn_rates_from_equations(gradyn_model *model, gradyn_rates **out);

#endif
