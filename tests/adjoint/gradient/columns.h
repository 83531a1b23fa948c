/* Models with any number of functionals and parameters, or with one of each alone. Sweeps over many columns
 * must give the results of sweeps over each. */
#ifndef GRADYN_TESTS_ADJOINT_COLUMNS_H
#define GRADYN_TESTS_ADJOINT_COLUMNS_H

#include <gradyn/gradyn.h>

enum { COLUMNS_MOST = 9 };

/* A double pendulum on a spring that is pushed; the same above a floor that it bounces off, with functionals
 * of its impacts; equations with an algebraic state. The push's knots move with the end time, which is a
 * parameter, the last one. */
typedef enum columns_model {
  COLUMNS_SWING,
  COLUMNS_BOUNCE,
  COLUMNS_EQUATIONS,
  COLUMNS_MODELS
} columns_model;

/* So many functionals and parameters from these on. A parameter is a factor, 1 where it is no part. */
typedef struct columns_part {
  int functional, functionals, parameter, parameters;
  int ends; /* 1: of functionals of the motion the end alone, so that they do not ask for shorter steps */
  int corner; /* k: the integrand of functional k - 1 has a corner (of the swing); 0: none */
} columns_part;

/* How it is run; step in s, 0: by the error, to rtol. */
typedef struct columns_scheme {
  const char *method;
  double step;
  int order;
  double rtol;
} columns_scheme;

/* An evaluator of a part of a model, all parameters initially 1; the test fails if there is none. */
gradyn_evaluator *columns_open(columns_model model, columns_part part, const columns_scheme *scheme,
                               const char *sensitivity);

#endif
