/* Stiff problems with published end values (Mazzia and Magherini, Test Set for Initial Value Problem Solvers,
 * release 2.4). */
#ifndef GRADYN_TESTS_ADJOINT_STIFF_SET_H
#define GRADYN_TESTS_ADJOINT_STIFF_SET_H

#include <stdbool.h>

#include <gradyn/gradyn.h>

enum { STIFF_STATES = 20, STIFF_PARAMETERS = 2 };

enum {
  STIFF_HIRES,
  STIFF_ROBERTSON,
  STIFF_OREGONATOR,
  STIFF_VAN_DER_POL,
  STIFF_POLLUTION,
  STIFF_AKZO_NOBEL,
  STIFF_AMPLIFIER,
  STIFF_PROBLEMS
};

typedef struct stiff_problem {
  const char *name;
  int states, algebraic; /* the last `algebraic` of them are */
  gradyn_status (*residual)(const gradyn_at *at, gradyn_scalar F[]);
  double t_end;
  double start[STIFF_STATES], end[STIFF_STATES];
  double parameter[STIFF_PARAMETERS];
  double size[STIFF_STATES]; /* natural sizes, 0: not declared */
  bool
      grows; /* during the run, derivatives exceed their final values by many orders of magnitude */
} stiff_problem;

extern const stiff_problem stiff_set[STIFF_PROBLEMS];

/* The problem with its final states as functionals; one at a time. */
gradyn_problem stiff_declare(const stiff_problem *p);

#endif
