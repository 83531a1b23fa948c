/* All analyses of a mass on a spring before a wall, compared with closed forms of each number. */
#ifndef GRADYN_TESTS_ADJOINT_ANALYSES_ASKED_H
#define GRADYN_TESTS_ADJOINT_ANALYSES_ASKED_H

#include "tests/adjoint/spring_and_wall.h"
#include "tests/runs.h"

enum { ASKED_MOST = 256, ASKED_ANALYSES = 9 };

/* A model at some parameters, with what closed forms say of it. */
typedef struct question {
  const gradyn_problem *problem;
  bool wall, mechanism;
  const double *rho;
  size_t functionals;
  double psi[WALL_FUNCTIONALS], slope[WALL_FUNCTIONALS * WALL_PARAMETERS];
} question;

question asked_at(const gradyn_problem *problem, const double *rho);

/* Numbers of an analysis, and the closed form of each; none where it is refused. */
typedef struct answer {
  size_t count;
  double number[ASKED_MOST], expected[ASKED_MOST];
} answer;

typedef struct analysis {
  const char *name;
  gradyn_status (*ask)(gradyn_evaluator *ev, const question *q, answer *a);
} analysis;

extern const analysis asked_analyses[ASKED_ANALYSES];

#endif
