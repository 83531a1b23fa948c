/* Functionals psi = outer( w(t_end, y, x) + integral of g(t, y, x) dt ). */
#ifndef GRADYN_CORE_FUNCTIONAL_H
#define GRADYN_CORE_FUNCTIONAL_H

#include <stdbool.h>

#include "core/base/message.h"
#include "core/model/callback.h"
#include <gradyn/evaluate.h>
#include <gradyn/model.h>

typedef struct gradyn_functional_entry gradyn_functional_entry;

/* Where a functional is evaluated: y is the whole state, (q, v, a, lam) of a mechanism. */
typedef struct gradyn_sample {
  double t;
  const double *y; /* [ny] */
} gradyn_sample;

/* Derivatives: y_bar [ny] += weight dg/dy, x_bar [nx] += weight dg/dx, *t_bar += weight dg/dt. Each
 * may be NULL. Entries of y_bar are `stride` numbers apart. */
typedef struct gradyn_gradient_out {
  double *y_bar;
  int stride;
  double *x_bar, *t_bar;
} gradyn_gradient_out;

typedef struct gradyn_functional_ops {
  /* g or w at a sample; all results of a formula with several: value [results], out [results]. */
  gradyn_status (*value)(gradyn_model *model, const gradyn_functional_entry *f,
                         const gradyn_sample *at, double *value);
  gradyn_status (*gradient)(gradyn_model *model, const gradyn_functional_entry *f,
                            const gradyn_sample *at, double weight, const gradyn_gradient_out *out);
} gradyn_functional_ops;

/* What a custom functional lists: points, or states of general equations. */
typedef struct gradyn_reads {
  int *number, count; /* [count], ascending; 0: everything */
  int *place; /* [count] of points: where each is in the user's list; NULL: these are states */
  bool accelerations, multipliers, positions_only;
  int *slot[2], slots[2]; /* [slots] states, other quantities: see gradyn_model_ops */
  const gradyn_functional_ops *viewed[2]; /* both parts, behind a model's view of the state */
} gradyn_reads;

/* Where a functional of an event is taken: just before it, just after it; or it is the impulse. */
typedef enum gradyn_side { GRADYN_BEFORE, GRADYN_AFTER, GRADYN_IMPULSE } gradyn_side;

/* A maximum over time that is found at a knot goes where the knot goes, t = (1 - fraction) x[start] +
 * fraction x[end] (-1: not a datum); it changes by `rate` for each second, and is taken `late` seconds
 * behind. */
typedef struct gradyn_ride {
  double rate, late, fraction;
  int start, end;
  bool found; /* a run at the data in use has found the maximum, wherever that is */
} gradyn_ride;

/* Of one side of a limit along the way, or of a row of it: see limit.h. */
typedef struct gradyn_along {
  const gradyn_functional_ops *of; /* gives m; NULL: this is no limit */
  int bound;                       /* index in x */
  double sign;                     /* 1: m - bound, -1: bound - m */
  double share; /* of the run, where a row is taken; 0: at the start, or at an event */
} gradyn_along;

struct gradyn_functional_entry {
  char *name, *unit;
  const gradyn_functional_ops *integrand; /* NULL: none */
  const gradyn_functional_ops *terminal;  /* NULL: none */
  int datum;                              /* index in x of its first own datum */
  int index[4];     /* meaning by kind: offsets of points in y, a signal, a constraint */
  double sharpness; /* Kreisselmeier-Steinhauser; 0: outer is the identity */
  double shift;     /* of g in its exponent, exp(sharpness (g - shift)): against overflow; of custom
                     * ones g at the start of the run */
  double instant;   /* time at which the terminal part is taken, s; 0: the end */
  int which, event; /* or at that occurrence (0: none) of an event */
  bool maximum;     /* or where it is largest, which methods that choose their steps are told */
  bool from_start;  /* or at the start */
  gradyn_ride ride; /* of a maximum */
  gradyn_side side;
  gradyn_along along;
  /* What it reads beside data and time; of all that is false, it may read everything. */
  bool data_only;      /* no state at all */
  bool positions_only; /* positions, but no velocities, accelerations, multipliers */
  bool motion_only;    /* positions and velocities, but no accelerations, multipliers */
  bool no_multipliers; /* positions, velocities and accelerations, but no multipliers */
  gradyn_reads reads;
  gradyn_custom_functional_spec custom; /* callbacks of custom functionals */
  int callback[2];       /* their numbers, of integrand and terminal part; -1: none */
  int results;           /* of a formula with several, */
  gradyn_scalar *result; /* [results] room for them, own; NULL: it has one */
  bool skipped;          /* nobody asks for its derivatives now: sweeps leave its rows zero */
  gradyn_use use;
  double weight, bound, tolerance;
};

/* Declares a functional; the rest of the struct is filled by the caller. Returns its number, and in
 * *out the entry on the first build(), NULL on later ones. */
int gradyn_model_functional(gradyn_model *model, const char *name, const char *unit,
                            gradyn_functional_entry **out);

/* A function of states and data that is no functional of a run but a guard, a condition or a reset, with so
 * many results: the terminal part of a spec whose data are called owner.name. On the first build() it is
 * created, the caller's from then on; NULL on later ones, or if it could not be. */
gradyn_functional_entry *gradyn_model_formula(gradyn_model *model, const char *owner,
                                              const gradyn_custom_functional_spec *spec,
                                              gradyn_callback_kind kind, int results);
void gradyn_formula_free(gradyn_functional_entry *f);

/* For runs that somebody makes for an end of his own: those declared so far become constants, zero. */
void gradyn_functionals_mute(gradyn_model *model);

/* Number `slot` of the state y at the end of the run, a position or a velocity of a mechanism. Returns its
 * number; *out as of gradyn_model_functional(). */
int gradyn_state_functional(gradyn_model *model, const char *name, int slot,
                            gradyn_functional_entry **out);

/* Lists those whose derivatives are asked for, in their order: list [functionals]; returns how many. */
int gradyn_functionals_wanted(const gradyn_model *model, int *list);

extern const gradyn_functional_ops gradyn_number_ops; /* x[datum] itself */
/* Whether it is a number of build(): its value is x[datum]. */
bool gradyn_functional_is_number(const gradyn_functional_entry *f);
/* Whether it is one of gradyn_state_functional(). */
bool gradyn_functional_is_state(const gradyn_functional_entry *f);

/* Takes over what a functional (NULL: in a repeated build) lists; after sealing, finds the slots of that. */
void gradyn_reads_declare(gradyn_model *model, gradyn_functional_entry *f,
                          const gradyn_custom_functional_spec *spec);
gradyn_status gradyn_reads_finalise(gradyn_model *model);
bool gradyn_reads_has(const gradyn_reads *reads, int number);
int gradyn_reads_place(const gradyn_reads *reads, int point); /* in its list; NULL: it sees all */
void gradyn_reads_clear(gradyn_reads *reads);

/* Whether begin() has anything to do. */
bool gradyn_functionals_shift(const gradyn_model *model);
/* At the start of a run, whose sample is given: fixes the shifts of smooth maxima. They drop out of psi
 * and of its derivatives. */
gradyn_status gradyn_functionals_begin(gradyn_model *model, const gradyn_sample *start);

/* The function whose maximum over time a functional stands for, g where its integrand is
 * exp(sharpness (g - shift)); of several, as nodes of a beam, the largest but for what exponentials
 * add. */
gradyn_status gradyn_functional_inside(gradyn_model *model, const gradyn_functional_entry *f,
                                       const gradyn_sample *at, double *g);

/* psi from the inner value (w + integral), and dpsi/dinner; *t_bar += dpsi/dt_end explicit. */
double gradyn_functional_outer(const gradyn_functional_entry *f, double inner, double t_end,
                               double *slope, double *t_bar);

#endif
