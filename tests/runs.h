/* Evaluators with given options, and checks of their calls. */
#ifndef GRADYN_TESTS_RUNS_H
#define GRADYN_TESTS_RUNS_H

#include "adjoint/evaluator/retired.h"
#include "adjoint/evaluator/evaluator.h"
#include "dae/trajectory.h"
#include "tests/support.h"
#include <gradyn/gradyn.h>

/* Methods that run any mechanism: first those with adaptive steps, then those with fixed steps. */
enum { RUN_ADAPTIVE = 3, RUN_FIXED = 2, RUN_METHODS = RUN_ADAPTIVE + RUN_FIXED };
extern const char *const run_methods[RUN_METHODS], *const run_adaptive[RUN_ADAPTIVE],
                                                       *const run_fixed[RUN_FIXED];

/* Options of a run, as in gradyn_options. Zero and NULL: the default, which the problem may set. A step
 * or tolerance below zero: none, even if the problem has one. */
typedef struct run_setup {
  const gradyn_problem *problem;
  const char *sensitivity, *method, *integrator;
  double integrator_parameter, quadrature;
  double rtol, atol, rtol_sens, t_end, step, memory, perturbation, evaluation_seconds;
  double baumgarte_alpha, baumgarte_beta, penalty, projection_penalty;
  int order;
  bool staggered;
  long max_steps;
  bool (*cancel)(void *user);
  void *cancel_user;
  const char *setting; /* its name; value is its value */
  int value;
  const gradyn_setting_choice *settings; /* [setting_count], used instead of setting and value */
  size_t setting_count;
} run_setup;

/* Returns a new evaluator; the test fails if there is none. */
gradyn_evaluator *run_open(const run_setup *setup);
#define run_with(...) run_open(&(run_setup){__VA_ARGS__})

/* The same, but returns the status. After a failure, the message of the evaluator states the reason. */
gradyn_status run_create(const run_setup *setup, gradyn_evaluator **evaluator);
#define run_try(evaluator, ...) run_create(&(run_setup){__VA_ARGS__}, (evaluator))

/* Type of an evaluator that is freed at the end of its block. Objects that borrow it must not be used
 * afterwards:
 *   run_local *ev = run_with(...); */
#define run_local OWNED(gradyn_evaluator)

/* Return the default options of a problem, and of a search with an evaluator. */
gradyn_options run_options(const gradyn_problem *problem);
gradyn_search run_search(const gradyn_evaluator *evaluator);

/* Fills rho with the initial parameters. Returns their number. */
size_t run_initial(const gradyn_evaluator *evaluator, double rho[]);

/* Returns the first warning of a code about the last result; one with the code 0 if there is none. */
gradyn_warning run_warning(const gradyn_evaluator *evaluator, gradyn_warning_code code);

/* The same for the result of a search. */
gradyn_warning run_found(const gradyn_search_result *result, gradyn_warning_code code);

/* Passes if a call with an evaluator succeeds. A failure prints the message of the evaluator. */
#define assert_run(call, evaluator)                                                                \
  do {                                                                                             \
    const gradyn_status run_status = (call); /* the call may create the evaluator */               \
    run_assert(run_status, (evaluator), #call, __FILE__, __LINE__);                                \
  } while (0)

/* Passes if a call with an evaluator fails with this status and a message that contains `says`. */
#define assert_refused(call, evaluator, status, says)                                              \
  do {                                                                                             \
    const gradyn_status run_status = (call);                                                       \
    run_assert_refused(run_status, (evaluator), (status), (says), __FILE__, __LINE__);             \
  } while (0)

/* The same for the creation of an evaluator by run_with(). */
#define assert_no_run(status, says, ...)                                                           \
  run_assert_none(&(run_setup){__VA_ARGS__}, (status), (says), __FILE__, __LINE__)

/* Functions of the macros above. */
void run_assert(gradyn_status status, const gradyn_evaluator *evaluator, const char *call,
                const char *file, int line);
void run_assert_refused(gradyn_status status, const gradyn_evaluator *evaluator,
                        gradyn_status expected, const char *says, const char *file, int line);
void run_assert_none(const run_setup *setup, gradyn_status expected, const char *says,
                     const char *file, int line);

#endif
