/* Interface of the one-step methods explicit and radau. */
#ifndef GRADYN_DAE_ONESTEP_SCHEME_H
#define GRADYN_DAE_ONESTEP_SCHEME_H

#include "core/base/message.h"
#include "dae/onestep/tableau.h"

typedef struct gradyn_onestep gradyn_onestep;
typedef struct gradyn_onestep_batches gradyn_onestep_batches;

/* The present step k, or its first part, with start t and length h, s, and its stages. */
typedef struct gradyn_onestep_position {
  int k;
  double t, h;
  double share; /* h over the length of the step; 1: the whole step */
  double *stages;
} gradyn_onestep_position;

/* The stages of a step, its error and its derivatives. create(), free(), enter() and filter() may be NULL. */
typedef struct gradyn_onestep_scheme {
  const char *name, *orders; /* for messages */
  const gradyn_tableau *(*tableau)(
      int order);     /* order 0: default; returns NULL if there is no method of this order */
  bool ends_in_stage; /* the last stage is at the end of the step */
  /* Returns the relative tolerance of the error of a step for that of the run. Absolute tolerances have the
   * same ratio. */
  double (*tolerance)(double rtol);
  gradyn_status (*create)(gradyn_onestep *s);
  void (*free)(gradyn_onestep *s);
  /* Computes the stages of a step of length h, s, from z [nz] at t, whose first stage is given, and its end
   * s->y [nz]. */
  gradyn_status (*take)(gradyn_onestep *s, double t, double h, const double *z, double *stages);
  /* Called before the first step of an arc: forgets what depends on earlier steps. */
  gradyn_status (*enter)(gradyn_onestep *s);
  /* Changes the estimate e [nz] of the error of the last step, of length h, by the tableau to the one that
   * is used. NULL: no change. */
  void (*filter)(gradyn_onestep *s, double h, double *e);
  /* Tangents of all stages of a step, to s->stage, from those of the state in s->z. */
  gradyn_status (*along)(gradyn_onestep_batches *s, const gradyn_onestep_position *at);
  /* Transpose: s->z, adjoints of the state at the end before the projection, become those at the start of the
   * step. x_bar [rows][nx] is added to. */
  gradyn_status (*against)(gradyn_onestep_batches *s, const gradyn_onestep_position *at,
                           double *x_bar);
  /* Derivatives of stages read their whole records, with the intermediate results of the rates; otherwise
   * only the numbers that have derivatives. */
  bool reads_records;
  bool leaves_start; /* afterwards the rates are linearised at the first stage of the step */
} gradyn_onestep_scheme;

#endif
