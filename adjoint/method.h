/* A method: a marching scheme with its sensitivities, as a table. */
#ifndef GRADYN_ADJOINT_METHOD_H
#define GRADYN_ADJOINT_METHOD_H

#include "adjoint/directions.h"
#include "core/model/model.h"
#include "dae/fixed/fixed.h"

/* What gradients cost beside the march, in marches: by P directions or of F functionals, in packs of
 * GRADYN_LANES. Medians of bench_routes, of which two thirds are as good. */
typedef struct gradyn_price {
  double along, pack_along; /* direct: along + pack_along ceil(P/4) */
  double back, pack_back;   /* adjoint: back + pack_back ceil(F/4) */
} gradyn_price;

/* What not all methods know of mechanisms. */
typedef enum gradyn_lack {
  GRADYN_LACKS_MASSES = 1,  /* a mass matrix that depends on the position */
  GRADYN_LACKS_ROLLING = 2, /* rows of velocities alone */
  GRADYN_LACKS_READINGS =
      4, /* forces that depend on accelerations by what they read of a tree's joints */
  GRADYN_LACKS_COUNTS = 8 /* whether joint coordinates pay, as operations of a stage tell */
} gradyn_lack;

/* What a run, or its gradient, may have met. */
typedef enum gradyn_met { GRADYN_MET_REST, GRADYN_MET_NEAR_REST, GRADYN_MET_KINKS } gradyn_met;

/* Every function works on the data that the model holds. A missing function means that the method
 * does not offer it. */
typedef struct gradyn_method gradyn_method;
struct gradyn_method {
  const char *name;
  const char *summary;
  /* A choice between methods, the quick one, the patient one and the one that takes what the patient one does
   * not (choice.h), which do all that follows; NULL: a method. */
  const gradyn_method *const *among;
  bool mechanical, general;                     /* kinds of models it marches */
  gradyn_price price_mechanical, price_general; /* of gradients of these */
  double rtol, atol;                            /* defaults; 0: fixed step */
  bool
      index1; /* a mechanism starts as a system of index 1, whose constraints must be independent */
  unsigned lacks; /* what of mechanisms it does not know, of gradyn_lack */
  bool either;    /* fixed steps if one is given */
  bool events;    /* it knows events */
  bool costates;  /* its adjoint sweep fills model->span.costates */
  gradyn_status (*create)(gradyn_model *model, const gradyn_options *options, void **out);
  void (*free)(void *self);
  /* psi [nf] and trajectory may be NULL. */
  gradyn_status (*simulate)(void *self, double *psi, gradyn_trajectory *trajectory);
  /* gradient [nf][directions]. */
  gradyn_status (*direct)(void *self, const gradyn_directions *directions, double *psi,
                          double *gradient);
  /* x_bar [nf][nx], at least for the active data [nx]. */
  gradyn_status (*adjoint)(void *self, const bool *active, double *psi, double *x_bar);
  /* The same by discretising the adjoint of the continuous equations: an approximation. */
  gradyn_status (*continuous_adjoint)(void *self, const bool *active, double *psi, double *x_bar);
  gradyn_statistics (*statistics)(const void *self);
  /* Runs whose steps follow from an error end as GRADYN_STEP_LIMIT with this number of steps, 0: with that of
   * the options. For trials. */
  void (*limit)(void *self, long most);
  /* Order of the scheme if the steps of the last run followed from an error, otherwise 0; and the next runs
   * with these steps, `merge` of them joined and each divided into `parts`; merge 0: by the error again, and
   * no longer than these over `parts`; 0, 0: by the error alone.
   * NULL: gradients are as exact as their runs. */
  int (*order)(const void *self);
  gradyn_status (*repeat)(void *self, int merge, int parts);
  /* Whether the last run was at rest, or nearly, so that its steps followed from too little for derivatives;
   * or its gradient has met kinks of rates that may leave it less exact than rtol; with repeat(). */
  bool (*met)(const void *self, gradyn_met what, double rtol);
  /* Of a method whose gradients are not the derivatives of discrete runs, or whose steps of an arc may differ
   * by decades, so that joined and divided ones do not tell errors: the next runs with a part of the
   * tolerances asked for. NULL: one of those above. */
  void (*tighten)(void *self, double part);
  /* Errors of gradients are those of steps joined and divided, with repeat(), but for kinks and what is at
   * rest; otherwise those of other tolerances, with tighten(). */
  bool joins;
  /* [nf] beside which errors of values are small enough, whatever the values are: what the tolerances of the
   * last run make of the functionals, over rtol. NULL: values are those of the first run, whose tolerances
   * do for them. */
  const double *(*sizes)(const void *self);
  /* [nf] s, about where the last gradient met a corner of an integrand; NAN: nowhere. */
  const double *(*corners)(const void *self);
  gradyn_fixed *(*march)(void *self); /* of fixed steps, which goes through singular positions */
};

/* Notes in the statistics what errors of steps, at most `reach` times `rtol`, do to functional f of a size,
 * if it is the most so far. */
void gradyn_note_undetermined(const gradyn_model *model, int f, double reach, double rtol,
                              double size, gradyn_statistics *statistics);

/* All methods in the order in which they are told: a new one is its name here, of a table
 * gradyn_<name>_method. */
#define GRADYN_METHODS(X) X(idas) X(ali3p) X(variational) X(explicit) X(radau) X(auto) X(kinematic)
#define GRADYN_METHOD_DECLARE(id) extern const gradyn_method gradyn_##id##_method;
GRADYN_METHODS(GRADYN_METHOD_DECLARE)

/* Whether a method marches a model; GRADYN_UNSUPPORTED tells in the model's message why not. */
gradyn_status gradyn_method_suits(const gradyn_method *method, gradyn_model *model);

/* Finds a method by name; NULL: none. gradyn_methods() lists all, ended by NULL. */
const gradyn_method *gradyn_method_find(const char *name);
const gradyn_method *const *gradyn_methods(void);

#endif
