/* What distinguishes one-step methods. */
#ifndef GRADYN_DAE_ONESTEP_SCHEME_H
#define GRADYN_DAE_ONESTEP_SCHEME_H

#include "core/base/message.h"
#include "dae/onestep/tableau.h"

typedef struct gradyn_onestep gradyn_onestep;

/* How the stages of a step are found, and its error; create(), free(), enter() and filter() may be NULL. */
typedef struct gradyn_onestep_scheme {
  const char *name, *orders;                   /* for messages */
  const gradyn_tableau *(*tableau)(int order); /* 0: the usual one; NULL: there is none */
  bool ends_in_stage;                          /* a step ends in its last stage */
  /* Relative tolerance of a step's estimated error for that of the run; absolute ones are in proportion. */
  double (*tolerance)(double rtol);
  gradyn_status (*create)(gradyn_onestep *s);
  void (*free)(gradyn_onestep *s);
  /* All stages of a step from z at time t, the first of which is known, and its end in y [nz]. */
  gradyn_status (*take)(gradyn_onestep *s, double t, double h, const double *z, double *stages);
  /* An arc begins. NULL: steps do not depend on those before. */
  gradyn_status (*enter)(gradyn_onestep *s);
  /* Makes of the tableau's estimate of the last step's error, e [nz], what counts. NULL: all of it. */
  void (*filter)(gradyn_onestep *s, double h, double *e);
} gradyn_onestep_scheme;

#endif
