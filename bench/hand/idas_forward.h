/* The forward run of the raw-IDAS program, shared by simulation, direct and adjoint gradients. */
#ifndef RAW_IDAS_FORWARD_H
#define RAW_IDAS_FORWARD_H

#include <idas/idas.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include "bench/hand/five_bar_equations.h"
#include "bench/hand/idas_five_bar.h"

#define RAW_T_END 5.0 /* s */

/* Objects of one run; all NULL at first, freed by raw_close(). */
typedef struct raw_run {
  raw_data data;
  SUNContext context;
  void *ida;
  N_Vector y, yp, psi, id;
  SUNMatrix J;
  SUNLinearSolver solver;
} raw_run;

/* Creates IDA with residual, Jacobian, tolerances and quadratures of psi at the initial state.
 * Returns 0 or a negative flag. */
int raw_open(double rtol, raw_run *run);
void raw_close(raw_run *run);

/* The first failure: flag if it is negative, otherwise next if that is negative, otherwise 0. */
int raw_keep(int flag, int next);

/* Reads the counters of the forward run. */
void raw_count(const raw_run *run, raw_counts *counts);

#endif
