/* Products of the Hessian of a weighted sum of functionals with directions. */
#ifndef GRADYN_ADJOINT_SECOND_H
#define GRADYN_ADJOINT_SECOND_H

#include "adjoint/gradient/gradient.h"

/* Extrapolations of differences: without, and up to order 12 in the distance. */
enum { GRADYN_SECOND_ORDERS = 6 };

/* Products at rho. The first block is set by the caller. */
typedef struct gradyn_second {
  gradyn_evaluator *ev;
  const double *weight, *rho; /* [nf], [p]; borrowed */

  size_t nf, p;
  bool *requested;                /* [nf] functionals with a nonzero weight */
  double *moved, *psi, *gradient; /* [p], [nf], [nf][p] workspace */
  double *x_bar, *x;              /* [nx] adjoints of the sum; data at rho */
  const double *direction;        /* [count][p] present directions */
  gradyn_second_memory *memory;   /* of the evaluator */
  bool by_stages;                 /* by displaced stages; otherwise by gradients with kept steps */
  bool affine;   /* build() is affine: dx/drho is constant, and the data follow without a build */
  bool compared; /* dx/drho has been compared with that at rho */
  double *slope; /* dx/drho at rho, to see this */
  double *row[2][GRADYN_SECOND_ORDERS]; /* [p] two rows of the extrapolation */
} gradyn_second;

/* Takes all arrays of *s from the evaluator's memory. They are valid until the next call. Error:
 * GRADYN_NO_MEMORY. */
gradyn_status gradyn_second_create(gradyn_second *s);

/* Call after a run at rho. All later runs take its steps, if the method has error control, and have only the
 * requested functionals. Errors: those of gradyn_evaluator_load() and of the method's repeat(). */
gradyn_status gradyn_second_keep_steps(gradyn_second *s);

/* Returns whether the present method has products with the Hessian stage by stage: differences of the
 * adjoint sweep in each stage of the stored run, instead of differences of whole gradients. */
bool gradyn_second_by_stages(const gradyn_second *s);

/* Returns the largest difference of a and b [p] over the largest entry of b, each in units of the
 * parameters; 0: they are equal. */
double gradyn_second_apart(const gradyn_second *s, const double a[], const double b[]);

/* Sets the directions direction [count][p], borrowed, of the next products, and stores the tangents of all
 * stages along them. Errors: those of direct sweeps. */
gradyn_status gradyn_second_begin(gradyn_second *s, size_t count, const double direction[]);

/* After begin() with all unit vectors: computes the matrix out [p][p] from the stages themselves, and its
 * error in ev->repetition.second. *done: false if the run has no such derivatives; use multiply() then.
 * Errors: GRADYN_NO_MEMORY; those of build(). */
gradyn_status gradyn_second_contract(gradyn_second *s, double out[], bool *done);

/* Computes out [p] = H d at rho: H, the Hessian of the sum of weight [nf] times psi; d, direction c, from 0,
 * of gradyn_second_begin(). A direction of zeros gives zeros. By stages, the first product with a nonzero
 * direction chooses the distances of the differences and estimates their error, in ev->repetition.second.
 * Errors: GRADYN_NON_FINITE; those of gradients. */
gradyn_status gradyn_second_multiply(gradyn_second *s, size_t c, double out[]);

/* Call after gradyn_second_multiply() with the first nonzero direction c, from 0, for a whole block;
 * product [p]: its result. Replaces the differences by a single one at a shorter distance, if its error is
 * small as well. Errors: those of gradients. */
gradyn_status gradyn_second_simplify(gradyn_second *s, size_t c, const double product[]);

#endif
