/* Functionals psi = outer( w(t_end, y, x) + integral of g(t, y, x) dt ). */
#ifndef GRADYN_CORE_FUNCTIONAL_H
#define GRADYN_CORE_FUNCTIONAL_H

#include "core/base/message.h"
#include "core/base/occurrence.h"
#include "core/model/callback.h"
#include <gradyn/inspect.h>

typedef struct gradyn_functional_entry gradyn_functional_entry;

/* A point of a run. y is the whole state, (q, v, a, lam) for a mechanism. */
typedef struct gradyn_sample {
  double t;
  const double *y; /* [ny] */
} gradyn_sample;

/* Output of derivatives: y_bar [ny] += weight dg/dy, x_bar [nx] += weight dg/dx, *t_bar += weight dg/dt.
 * Each may be NULL. Successive entries of y_bar are `stride` numbers apart. */
typedef struct gradyn_gradient_out {
  double *y_bar;
  int stride;
  double *x_bar, *t_bar;
} gradyn_gradient_out;

typedef struct gradyn_functional_ops {
  /* g or w at a sample. A formula with several results fills value [results] and out [results]. */
  gradyn_status (*value)(gradyn_model *model, const gradyn_functional_entry *f,
                         const gradyn_sample *at, double *value);
  gradyn_status (*gradient)(gradyn_model *model, const gradyn_functional_entry *f,
                            const gradyn_sample *at, double weight, const gradyn_gradient_out *out);
} gradyn_functional_ops;

/* Points or states that a custom functional reads. */
typedef struct gradyn_reads {
  int *number, count; /* [count] indices, ascending; count 0: it may use all quantities */
  int *position; /* [count], index of each point in the user's list; NULL: the numbers are states */
  bool accelerations, multipliers, positions_only;
  /* [slots], states and other arguments, see gradyn_model_ops */
  int *slot[2], slots[2];
  const gradyn_functional_ops *viewed[2], *converting; /* after conversion; before it */
} gradyn_reads;

/* Side of an event at which a functional is evaluated. IMPULSE: the functional is the impulse. */
typedef enum gradyn_side { GRADYN_BEFORE, GRADYN_AFTER, GRADYN_IMPULSE } gradyn_side;

/* A maximum moves with a knot or an end of its window, t = (1 - fraction) x[start] + fraction x[end]. It
 * changes by `rate` per second and is evaluated `late` seconds after t. fraction -1: a datum by -x[end]. */
typedef struct gradyn_ride {
  double rate, late, fraction;
  int start, end; /* -1: no datum */
  bool found;     /* a run with the current data has located the maximum */
} gradyn_ride;

/* One side of a path constraint, or one of its sampled constraints; see limit.h. */
typedef struct gradyn_along {
  const gradyn_functional_ops *of; /* evaluates m; NULL: this is no path constraint */
  int bound;                       /* index in x */
  double sign;                     /* 1: m - bound; -1: bound - m */
  double share;                    /* fraction of the run; 0: the start, or an event */
  double from, to;                 /* window of a maximum, fractions; to 0: the whole run */
  gradyn_occurrence after, before; /* events at the ends of the window */
  bool second;                     /* a lower bound; the entry before is the upper bound */
  int grid;                        /* points with which a search begins, 0: the default */
} gradyn_along;

/* What a reduction takes: e = (measure - target)/scale by component, its square, or its exponential. */
typedef enum gradyn_integrand_shape {
  GRADYN_SHAPE_VALUE,
  GRADYN_SHAPE_SQUARE,
  GRADYN_SHAPE_EXP
} gradyn_integrand_shape;

/* The measure of a functional. Its components are consecutive measures of the model. */
typedef struct gradyn_reduced {
  int measure, components; /* first component, and their number; 0 components: no measure */
  int target, targets; /* index in x of the first target; 0 targets: none, 1: of all components */
  int scale;           /* index in x; -1: none, e is not divided */
  gradyn_integrand_shape shape;
  bool magnitude, hidden;    /* |e| instead of e; a measure without a column in trajectories */
  struct gradyn_fitted *fit; /* comparison with data, owned (core/problems/fit.h); NULL: none */
} gradyn_reduced;

typedef struct gradyn_outer {
  bool mean;               /* divides by the duration of the run */
  double sharpness, shift; /* smooth maximum of exp(sharpness (g - shift)); sharpness 0: none */
} gradyn_outer;

struct gradyn_functional_entry {
  char *name, *unit;
  const gradyn_functional_ops *integrand, *terminal; /* NULL: none */
  int datum;                                         /* index in x of its first own datum */
  int index[4]; /* meaning depends on the kind: offsets of points in y, a signal, a constraint */
  gradyn_outer outer;
  double instant;   /* s, time at which the terminal part is evaluated; 0: the end */
  int which, event; /* or occurrence `which`, from 1, of the event with this index; which 0: none */
  bool maximum; /* or at the time of its maximum, which methods with variable steps need to know */
  bool from_start;  /* or the start of the run */
  gradyn_ride ride; /* how the time of a maximum moves */
  gradyn_side side;
  gradyn_along along;
  gradyn_reduced reduced; /* if the entry is a measure: its index and number of components */
  /* Quantities used besides data and time. If all of these are false, it may use all quantities. */
  bool data_only;      /* no states */
  bool positions_only; /* positions only */
  bool motion_only;    /* positions and velocities only */
  bool no_multipliers; /* positions, velocities and accelerations, but no multipliers */
  gradyn_reads reads;
  gradyn_custom_functional_spec custom; /* callbacks of custom functionals */
  int callback[2];                      /* indices of both parts among callbacks; -1: none */
  int results;                          /* number of results of a formula with several */
  gradyn_scalar *result;                /* [results], workspace, owned; NULL: one result */
  bool skipped; /* no derivatives are requested now: reverse sweeps leave the row zero */
  gradyn_functional_use use;
  double weight, bound, tolerance;
};

/* Declares a functional with this name and unit, copied; returns its index, or -1 after a failure. *out:
 * the entry to complete, valid until the next functional is declared; NULL in later builds and after a
 * failure. */
int gradyn_model_functional(gradyn_model *model, const char *name, const char *unit,
                            gradyn_functional_entry **out);

/* Evaluates the functional with an index on one side of an occurrence, from 1, of the event with the id
 * `event`. Returns the id of the functional in any case; 0 if the index is -1 or model is NULL. Errors are
 * build errors. */
int gradyn_functional_tie(gradyn_model *model, int functional, int event, int occurrence,
                          gradyn_side side);
/* Declares entry `slot`, from 0, of the final positions and velocities (q, v) as a functional. Returns its
 * index, or -1 after a failure. *out: the entry to complete, valid until the next functional is declared;
 * NULL in later builds and after a failure. */
int gradyn_state_functional(gradyn_model *model, const char *name, int slot,
                            gradyn_functional_entry **out);
/* Writes the indices of functionals with requested derivatives to list [all]; returns their count. */
int gradyn_functionals_wanted(const gradyn_model *model, int *list);

extern const gradyn_functional_ops gradyn_number_ops;  /* the value x[datum] */
extern const gradyn_functional_ops gradyn_signal_ops;  /* the value of signal index[0] */
extern const gradyn_functional_ops gradyn_reduced_ops; /* the reduced measure */
/* Returns whether the value of f is a number of build(); *value then receives it, from the last build(). */
bool gradyn_functional_is_number(const gradyn_model *model, const gradyn_functional_entry *f,
                                 double *value);
/* Returns whether f was declared by gradyn_state_functional(). */
bool gradyn_functional_is_state(const gradyn_functional_entry *f);
/* Returns psi, the outer function of a functional, for the inner value (integral plus terminal part) and
 * t_end, s. *slope: its derivative by inner; *t_bar: its explicit derivative by t_end. */
double gradyn_functional_outer(const gradyn_functional_entry *f, double inner, double t_end,
                               double *slope, double *t_bar);

#endif
