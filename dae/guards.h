/* Guards of a mechanism's events: the gaps of its contacts, their rates and derivatives. */
#ifndef GRADYN_DAE_GUARDS_H
#define GRADYN_DAE_GUARDS_H

#include "core/model.h"

typedef struct gradyn_guards {
  gradyn_model *model;
  gradyn_mech *mech;
  int n, first, rows; /* coordinates; row of the first contact; all rows of constraints */
  double *phi;        /* [rows] */
  double *J;          /* [jac.nnz + 1] */
  double *mu;         /* [n + rows] */
  gradyn_lanes *work; /* [3 n + rows] */
} gradyn_guards;

gradyn_status gradyn_guards_create(gradyn_model *model, gradyn_guards *out);
void gradyn_guards_clear(gradyn_guards *s);

/* Guard of an event (order 0) or its rate (order 1) where positions and velocities begin y. */
gradyn_status gradyn_guard_value(gradyn_guards *s, int event, int order, double t, const double *y,
                                 double *r);

/* Adds weight times its derivatives by positions (the first [n] of y), data and time to *out. */
gradyn_status gradyn_guard_gradient(gradyn_guards *s, int event, double t, const double *y,
                                    double weight, const gradyn_gradient_out *out);

#endif
