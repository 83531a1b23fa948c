/* A method: an integration scheme with its sensitivities, as a table. */
#ifndef GRADYN_ADJOINT_METHOD_H
#define GRADYN_ADJOINT_METHOD_H

#include "core/base/findings.h"
#include "adjoint/directions.h"
#include "core/model/model.h"
#include "dae/fixed/fixed.h"
#include "dae/onestep/scheme.h"

/* Cost of gradients relative to a forward run: with P directions or F functionals, in groups of GRADYN_LANES.
 * Medians of bench_routes; two thirds of its problems are as fast. */
typedef struct gradyn_price {
  double along, pack_along; /* direct: along + pack_along ceil(P/4) */
  double back, pack_back;   /* adjoint: back + pack_back ceil(F/4) */
} gradyn_price;

/* Features that a method may lack; bits of gradyn_method::lacks. */
typedef enum gradyn_lack {
  GRADYN_LACKS_MASSES = 1,  /* a mass matrix that depends on the position */
  GRADYN_LACKS_ROLLING = 2, /* nonholonomic constraints */
  GRADYN_LACKS_MULTIPLIER_FORCES =
      4, /* multiplier-dependent forces of tree joints, which depend on accelerations */
  /* operation counts of a stage, which show whether joint coordinates pay */
  GRADYN_LACKS_COUNTS = 8
} gradyn_lack;

/* Questions to gradyn_method::met about the last run or its gradient: a state at rest; one nearly at rest;
 * kinks of rates. */
typedef enum gradyn_met { GRADYN_MET_REST, GRADYN_MET_NEAR_REST, GRADYN_MET_KINKS } gradyn_met;

/* Return the integrator of a method; a member is NULL if the method is of another kind. fixed(): an
 * integrator with fixed steps, which can pass singular positions. onestep(): one of a one-step method,
 * whose last run has the states inside the steps. */
typedef struct gradyn_integration {
  gradyn_fixed *(*fixed)(void *self);
  gradyn_onestep *(*onestep)(void *self);
} gradyn_integration;

/* Second derivatives of the sum of weight [nf] times functionals along the columns of the last tangents(),
 * for constant dx/drho. */
typedef struct gradyn_contraction {
  const double *weight;
  const double *scale; /* [columns] change along a column that matters; 0: a column of zeros */
  const double *combination; /* [columns] of a direction of size 1 that involves all columns */
  const bool *active;        /* [nx] data whose adjoints are requested */
  double *x_bar;             /* [nx] adjoint of the sum by data; added to */
  double *H;                 /* [columns][columns] */
  double *error;             /* estimate, relative to the largest entry in these scales */
} gradyn_contraction;

typedef struct gradyn_method_second {
  /* Second derivatives of a sum of functionals, forward over reverse. tangents(): runs, stores the tangents
   * of all stages along the directions, and fills psi [nf] and gradient [nf][directions]; *stored: false if
   * there is no memory for them. displaced(): adds to x_bar [nx] the adjoint of the sum of weight [nf] times
   * functionals, at stages displaced by `step` along direction `column`; the model has the displaced data.
   * NULL: there are only differences of gradients. */
  gradyn_status (*tangents)(void *self, const gradyn_directions *directions, bool *stored,
                            double *psi, double *gradient);
  gradyn_status (*displaced)(void *self, const double *weight, int column, double step,
                             const bool *active, double *x_bar);
  /* contracted(): second derivatives along all directions at once, from the stages themselves. *done: false
   * if the run has parts without such derivatives, or the error is too large; use displaced() then. NULL:
   * never. */
  gradyn_status (*contracted)(void *self, const gradyn_contraction *task, bool *done);
} gradyn_method_second;

/* All functions use the data of the model, and their errors have a message in the model. After an error psi,
 * gradients and x_bar are undefined, and another run is possible. NULL: the method does not provide the
 * function. */
typedef struct gradyn_method gradyn_method;
struct gradyn_method {
  const char *name;
  const char *summary;
  /* A choice between the explicit method, the stiff one, and one for models that the stiff one refuses
   * (choice.h); these implement all functions below. NULL: a method. */
  const gradyn_method *const *among;
  bool mechanical, general;                     /* kinds of models that it integrates */
  gradyn_price price_mechanical, price_general; /* cost of gradients of these */
  double rtol, atol;                            /* defaults; 0: fixed step */
  bool index1;    /* a mechanism starts as a system of index 1, with independent constraints */
  unsigned lacks; /* gradyn_lack: features of mechanisms that it lacks */
  bool either;    /* fixed steps if a step is given */
  bool events;    /* it supports events */
  bool costates;  /* its adjoint sweep fills model->span.costates */
  /* The model must outlive *out. Free *out, unless NULL, also after an error. */
  gradyn_status (*create)(gradyn_model *model, const gradyn_options *options, void **out);
  void (*free)(void *self);
  /* Runs with the data of the model. psi [nf] and trajectory may be NULL. */
  gradyn_status (*simulate)(void *self, double *psi, gradyn_trajectory *trajectory);
  /* Runs, and fills psi [nf], which may be NULL, and gradient [nf][directions]. */
  gradyn_status (*direct)(void *self, const gradyn_directions *directions, double *psi,
                          double *gradient);
  /* Runs, and fills psi [nf], which may be NULL, and the derivatives x_bar [nf][nx] by the data, at least
   * for those that active [nx] marks. */
  gradyn_status (*adjoint)(void *self, const bool *active, double *psi, double *x_bar);
  gradyn_method_second second;
  /* As adjoint(), from a discretisation of the adjoint of the continuous equations: an approximation. */
  gradyn_status (*continuous_adjoint)(void *self, const bool *active, double *psi, double *x_bar);
  const gradyn_run_report *(*report)(const void *self); /* on the last run or gradient; borrowed */
  /* Sets the number of steps after which runs with error control end with GRADYN_STEP_LIMIT; 0: that of the
   * options. For trial runs. */
  void (*limit)(void *self, long most);
  /* Returns the order of the scheme if the last run had error control, otherwise 0. NULL, with repeat NULL:
   * gradients are as accurate as their runs. */
  int (*order)(const void *self);
  /* Sets the steps of the next runs. merge > 0: `merge` steps of the last run are joined, and each is then
   * divided into `parts`. merge 0: error control chooses the steps, at most as long as those of the last run
   * over `parts`. Both 0: error control alone chooses them. */
  gradyn_status (*repeat)(void *self, int merge, int parts);
  /* Answers a question about the last run, see gradyn_met: whether it was at rest, or nearly, so that its
   * steps do not suit derivatives; or whether kinks may cause errors of its gradient above rtol. NULL if
   * repeat is NULL. */
  bool (*met)(const void *self, gradyn_met what, double rtol);
  /* Sets tolerances to the requested ones times `part`, not cumulative, for the next runs. For methods whose
   * gradients are not derivatives of discrete runs, or whose steps differ by decades, so that joined and
   * divided steps do not show errors. NULL: the method needs no such runs. */
  void (*tighten)(void *self, double part);
  /* Errors of gradients come from joined and divided steps, with repeat(), except for kinks and states at
   * rest. Otherwise they come from other tolerances, with tighten(). */
  bool joins;
  /* [nf] sizes relative to which errors of values are acceptable: the effect of the last run's tolerances on
   * the functionals, divided by rtol. NULL: values are those of the first run, whose tolerances suffice. */
  const double *(*sizes)(const void *self);
  /* [nf] s, approximate time of a kink of an integrand in the last gradient; NAN: none. */
  const double *(*corners)(const void *self);
  gradyn_integration integration;
};

/* Records how far errors of steps determine functional f, from 0: share = reach rtol / size, for errors of at
 * most `reach` times rtol in its value of magnitude `size`. If this share is the largest so far,
 * findings->undetermined gets the share and, as second number, its value for round-off in place of rtol. */
void gradyn_note_undetermined(const gradyn_model *model, int f, double reach, double rtol,
                              double size, gradyn_findings *findings);

/* All methods in the order of the lists. A new method is its name here and a table gradyn_<name>_method. */
#define GRADYN_METHODS(X) X(idas) X(ali3p) X(variational) X(explicit) X(radau) X(auto) X(kinematic)
#define GRADYN_METHOD_DECLARE(id) extern const gradyn_method gradyn_##id##_method;
GRADYN_METHODS(GRADYN_METHOD_DECLARE)

/* Checks whether a method integrates the kind of a model, its constraints and its events. Error:
 * GRADYN_UNSUPPORTED; the model's message has the reason. */
gradyn_status gradyn_method_suits(const gradyn_method *method, gradyn_model *model);

/* Returns the method with this name, which is not NULL; static. NULL: there is none. */
const gradyn_method *gradyn_method_find(const char *name);
/* Returns all methods in the order of GRADYN_METHODS, ended by NULL; static. */
const gradyn_method *const *gradyn_methods(void);

#endif
