/* The adjoint of idas: one backward problem for all functionals in each arc. */
#ifndef GRADYN_ADJOINT_IDAS_BACKWARD_H
#define GRADYN_ADJOINT_IDAS_BACKWARD_H

#include "adjoint/idas/sensitivity.h"
#include "adjoint/idas/sizes.h"
#include "adjoint/idas/sweep.h"
#include "dae/tape/sweep.h"

struct gradyn_idas_adjoint {
  gradyn_idas *march;
  gradyn_idas_sweep sweep;
  double *slope;          /* [nf] derivatives of functionals by their inner values */
  double *t_bar;          /* [rows] adjoints of the time of the present boundary */
  double *p;              /* [np] */
  int *row, rows;         /* [rows] functionals that are not skipped: those of the arrays below */
  int nz;                 /* adjoint unknowns of one functional, p and eta */
  N_Vector z, zp, id;     /* [rows][nz], and one more: the step-size governor */
  double cj;              /* coefficient of the last Jacobian, 1/s */
  N_Vector quad, scratch; /* [rows][active_count] */
  gradyn_idas_sizes sizes;
  void *backward;        /* IDAS object of the present backward run */
  const double *present; /* [ny] state of the last residual */
  int *active;           /* [active_count] data whose sensitivity is integrated */
  int active_count, capacity;
  double *x_bar;   /* [GRADYN_LANES][nx] */
  double *of_data; /* [nf][nx] adjoints of data in this run; borrowed */
  double *g_y;     /* [rows][ny] slope times gradients of the integrands */
  SUNLinearSolver solver;
  gradyn_arena arena; /* owns the arrays of numbers */
};

/* Returns p [np], the adjoints of the differential states, of row f, from 0. */
static inline double *gradyn_idas_adjoint_row(const gradyn_idas_adjoint *a, int f)
{
  return N_VGetArrayPointer(a->z) + f * a->nz;
}

/* Creates a->solver, the linear solver of backward runs, which gradyn_idas_adjoint_free() frees. Error:
 * GRADYN_NO_MEMORY, without a message. */
gradyn_status gradyn_idas_arc_create(gradyn_idas_adjoint *a);
/* Transpose of arc k, from 0, of a run with stored steps: p of all rows and t_bar, of the end of the arc,
 * become those of its start. Adds to of_data. adjoint: a gradyn_idas_adjoint. Errors: those of the backward
 * run; failures of guards. */
gradyn_status gradyn_idas_arc_against(void *adjoint, int k);

#endif
