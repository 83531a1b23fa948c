/* Comparisons of gradients of a hybrid model in every scheme that supports events. */
#ifndef GRADYN_TESTS_ADJOINT_HYBRID_CHECKS_H
#define GRADYN_TESTS_ADJOINT_HYBRID_CHECKS_H

#include <gradyn/gradyn.h>

/* A scheme that knows events, and how far its gradients are to agree. */
typedef struct hybrid_scheme {
  const char *method, *integrator;
  double step, agree, differ; /* s, 0: by the error; direct and adjoint; gradient and differences */
  double change; /* of a parameter: events of fixed steps must not pass the end of one */
} hybrid_scheme;
enum { HYBRID_SCHEMES = 8 };
extern const hybrid_scheme hybrid_schemes[HYBRID_SCHEMES];

/* An evaluator by such a scheme; memory: as in gradyn_options, 0: all that there is. */
gradyn_evaluator *hybrid_open(const gradyn_problem *problem, const hybrid_scheme *scheme,
                              const char *sensitivity, double memory);

/* A force for one point: -data[0] v (1 + v^2). Without it the rate of a discrete step would be that of the
 * motion, and a wrong one could not be seen. */
gradyn_status hybrid_drag(const gradyn_at *at, gradyn_scalar force[]);

/* Direct against adjoint by all data at rho, the adjoint with so little memory that steps are repeated: to
 * `agree` of the largest derivative of each functional. There must be so many events at least. Where tests
 * are not thorough two of the schemes take part, others for each of four rows. */
void hybrid_agree(const gradyn_problem *problem, const double *rho, size_t events, int row);

/* The gradient by the parameters against differences of order 8 of whole runs, to `differ`. Where tests are
 * not thorough by two other schemes. */
void hybrid_differ(const gradyn_problem *problem, const double *rho, int row);

#endif
