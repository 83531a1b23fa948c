/* Functionals psi = outer( w(t_end, y, x) + integral of g(t, y, x) dt ). */
#ifndef GRADYN_CORE_FUNCTIONAL_H
#define GRADYN_CORE_FUNCTIONAL_H

#include <stdbool.h>

#include "core/base/message.h"
#include "core/model/callback.h"
#include <gradyn/inspect.h>

typedef struct gradyn_functional_entry gradyn_functional_entry;

/* A point of a run. y is the whole state, (q, v, a, lam) for a mechanism. */
typedef struct gradyn_sample {
  double t;
  const double *y; /* [ny] */
} gradyn_sample;

/* Output of derivatives: y_bar [ny] += weight dg/dy, x_bar [nx] += weight dg/dx, *t_bar += weight dg/dt.
 * Each may be NULL. Entries of y_bar are `stride` numbers apart. */
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
  int *number, count; /* [count], ascending; count 0: it may use all quantities */
  int *position; /* [count], index of each point in the user's list; NULL: the numbers are states */
  bool accelerations, multipliers, positions_only;
  /* [slots], states and other arguments, see gradyn_model_ops */
  int *slot[2], slots[2];
  const gradyn_functional_ops *viewed[2]; /* both parts, after conversion of the state */
} gradyn_reads;

/* Side of an event at which a functional is evaluated. IMPULSE: the functional is the impulse. */
typedef enum gradyn_side { GRADYN_BEFORE, GRADYN_AFTER, GRADYN_IMPULSE } gradyn_side;

/* A maximum at a knot moves with it: t = (1 - fraction) x[start] + fraction x[end]; -1: not a datum. The
 * maximum changes by `rate` per second and is evaluated `late` seconds after t. */
typedef struct gradyn_ride {
  double rate, late, fraction;
  int start, end;
  bool found; /* a run with the current data has located the maximum */
} gradyn_ride;

/* One side of a path constraint, or one of its sampled constraints; see limit.h. */
typedef struct gradyn_along {
  const gradyn_functional_ops *of; /* evaluates m; NULL: this is no path constraint */
  int bound;                       /* index in x */
  double sign;                     /* 1: m - bound; -1: bound - m */
  double share;                    /* fraction of the run; 0: the start, or an event */
  bool second; /* the lower bound of the path constraint whose upper bound is the entry before */
} gradyn_along;

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
  double instant;   /* time at which the terminal part is evaluated, s; 0: the end */
  int which, event; /* or the which-th occurrence of an event; which 0: none */
  bool maximum; /* or the time of its maximum; methods with variable steps are informed of this */
  bool from_start;  /* or the start of the run */
  gradyn_ride ride; /* of a maximum */
  gradyn_side side;
  gradyn_along along;
  /* Quantities used besides data and time. If all of these are false, it may use all quantities. */
  bool data_only;      /* no states */
  bool positions_only; /* positions only */
  bool motion_only;    /* positions and velocities only */
  bool no_multipliers; /* positions, velocities and accelerations, but no multipliers */
  gradyn_reads reads;
  gradyn_custom_functional_spec custom; /* callbacks of custom functionals */
  int callback[2];       /* numbers of the integrand and of the terminal part; -1: none */
  int results;           /* number of results of a formula with several */
  gradyn_scalar *result; /* [results], workspace, owned; NULL: one result */
  bool skipped; /* its derivatives are not requested now: reverse sweeps leave its row zero */
  gradyn_functional_use use;
  double weight, bound, tolerance;
};

/* Declares a functional; returns its number. *out: the entry in the first build(), to be completed, or
 * NULL. */
int gradyn_model_functional(gradyn_model *model, const char *name, const char *unit,
                            gradyn_functional_entry **out);

/* Declares a function of states and data (guard, condition or reset) with `results` results: the terminal
 * part of spec. Its data are named owner.name. Returns the entry in the first build(), owned by the caller.
 * NULL in later builds, or on failure, which is a build error. */
gradyn_functional_entry *gradyn_model_formula(gradyn_model *model, const char *owner,
                                              const gradyn_custom_functional_spec *spec,
                                              gradyn_callback_kind kind, int results);
void gradyn_formula_free(gradyn_functional_entry *f);

/* Turns all functionals declared so far into the constant 0, for auxiliary runs that do not need them. */
void gradyn_functionals_mute(gradyn_model *model);

/* Declares entry `slot` of the final state y as a functional; *out as for gradyn_model_functional(). */
int gradyn_state_functional(gradyn_model *model, const char *name, int slot,
                            gradyn_functional_entry **out);

/* Writes the numbers of functionals whose derivatives are requested to list; returns their count. */
int gradyn_functionals_wanted(const gradyn_model *model, int *list);

extern const gradyn_functional_ops gradyn_number_ops; /* the value x[datum] */
/* Whether its value is x[datum], a number of build(). */
bool gradyn_functional_is_number(const gradyn_functional_entry *f);
/* Whether it was declared by gradyn_state_functional(). */
bool gradyn_functional_is_state(const gradyn_functional_entry *f);

/* declare() checks the list of a spec and copies it into a functional (NULL: a later build, which only
 * checks). finalise() then finds the slots of all lists: GRADYN_INVALID, GRADYN_NO_MEMORY. */
void gradyn_reads_declare(gradyn_model *model, gradyn_functional_entry *f,
                          const gradyn_custom_functional_spec *spec);
gradyn_status gradyn_reads_finalise(gradyn_model *model);
bool gradyn_reads_has(const gradyn_reads *reads, int number);
int gradyn_reads_place(const gradyn_reads *reads, int point); /* in the list; NULL: point */
void gradyn_reads_clear(gradyn_reads *reads);

/* Whether the model has a smooth maximum, for which begin() must be called. */
bool gradyn_functionals_shift(const gradyn_model *model);
/* Sets the shifts of smooth maxima from the sample at the start of a run; they cancel in psi. */
gradyn_status gradyn_functionals_begin(gradyn_model *model, const gradyn_sample *start);

/* Evaluates g, whose maximum psi approximates by the integrand exp(sharpness (g - shift)). For a sum of
 * exponentials (nodes of a beam), *g is the largest g, up to the contribution of the others. */
gradyn_status gradyn_functional_inside(gradyn_model *model, const gradyn_functional_entry *f,
                                       const gradyn_sample *at, double *g);

/* Returns psi for the inner value w + integral. *slope = dpsi/dinner; *t_bar = the explicit dpsi/dt_end. */
double gradyn_functional_outer(const gradyn_functional_entry *f, double inner, double t_end,
                               double *slope, double *t_bar);

#endif
