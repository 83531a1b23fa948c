/* Signs of unreliable results that methods find during a run or a gradient. adjoint/evaluator/warnings.c
 * makes warnings of them. */
#ifndef GRADYN_CORE_FINDINGS_H
#define GRADYN_CORE_FINDINGS_H

#include <gradyn/evaluate.h>

enum { GRADYN_JUMP_TIMES = 3 }; /* times in gradyn_findings.jump_time */

/* The size of a finding at a time, and a step for which it would be acceptable; 0: nothing was found. */
typedef struct gradyn_finding {
  double size;
  double t, step;   /* s */
  const char *name; /* name of a force; valid as long as the model; NULL: none */
} gradyn_finding;

typedef struct gradyn_findings {
  long divided; /* fixed steps that were subdivided, or whose end was moved */
  /* Gradients with fixed steps: factor of the growth of disturbances within a few dozen steps */
  gradyn_finding growth;
  /* ali3p with friction: largest change of a slip velocity in a step in which the slip stops or reverses,
   * divided by the transition velocity */
  gradyn_finding slip_jump;
  /* Gradients by ali3p with friction, for a step in which a slip exceeds the transition velocity: ratio of
   * a disturbance after that step to its exact value */
  gradyn_finding exit;
  int jumps; /* gradients: jumps of the equations without a declared event */
  double jump_time[GRADYN_JUMP_TIMES]; /* times of the first jumps, s */
  /* Adjoint gradients: effect of errors of the steps, and of round-off alone, on the most sensitive
   * functional, relative to its size; 0: not known */
  double undetermined[2];
  const char *undetermined_functional; /* valid as long as the model; NULL: none */
} gradyn_findings;

/* Report of a run or gradient. */
typedef struct gradyn_run_report {
  gradyn_statistics cost;
  gradyn_findings found;
} gradyn_run_report;

#endif
