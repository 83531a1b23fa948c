/* Stiff problems by ARKODE of SUNDIALS, diagonally implicit Runge-Kutta methods of order 5: attempted steps
 * and calls of the right-hand side, without those for derivatives, at the errors of bench_stiff_set.
 * Absolute tolerances are the published end values times the fraction of the relative tolerance with the
 * best results.
 * Usage: bench_stiff_arkode. */
#include <stdio.h>

#include <arkode/arkode_arkstep.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include "bench/curve.h"
#include "bench/stiff/rates.h"
#include "dae/idas/sundials.h"

enum { GOALS = 2, SHARES = 3 };

static const double goals[GOALS] = {1e-5, 1e-7}, shares[SHARES] = {1, 1e-2, 1e-4};
static const struct table {
  const char *name;
  ARKODE_DIRKTableID id;
} tables[] = {{"ark548l2sa", ARKODE_ARK548L2SA_DIRK_8_4_5}, {"kvaerno745", ARKODE_KVAERNO_7_4_5}};

typedef struct curve {
  double error[CURVE_RUNS], steps[CURVE_RUNS], calls[CURVE_RUNS];
} curve;

static int rates(sunrealtype t, N_Vector y, N_Vector f, void *problem)
{
  stiff_rates(*(const int *)problem, t, N_VGetArrayPointer(y), N_VGetArrayPointer(f));
  return 0;
}

static int create(SUNContext context, int *problem, const struct table *table, double rtol,
                  double share, N_Vector y, N_Vector atol, SUNMatrix matrix, SUNLinearSolver solver,
                  void **memory)
{
  const int n = stiff_rates_count(*problem);
  for (int i = 0; i < n; i++) {
    N_VGetArrayPointer(y)[i] = stiff_rates_start(*problem)[i];
    N_VGetArrayPointer(atol)[i] = share * rtol * fabs(stiff_rates_end(*problem)[i]);
  }
  *memory = ARKStepCreate(NULL, rates, 0, y, context);
  int failed = *memory ? 0 : -1;
  failed = failed ? failed : ARKStepSetTableNum(*memory, table->id, ARKODE_ERK_NONE);
  failed = failed ? failed : ARKStepSVtolerances(*memory, rtol, atol);
  failed = failed ? failed : ARKStepSetLinearSolver(*memory, solver, matrix);
  failed = failed ? failed : ARKStepSetUserData(*memory, problem);
  failed = failed ? failed : ARKStepSetMaxNumSteps(*memory, 20000);
  failed = failed ? failed : ARKStepSetMaxErrTestFails(*memory, 100);
  /* rates evaluated at the stages would have errors of the iterations times the stiffness */
  failed = failed ? failed : ARKStepSetDeduceImplicitRhs(*memory, 1);
  failed = failed ? failed : ARKStepSetStopTime(*memory, stiff_rates_end_time(*problem));
  return failed;
}

/* Steps, calls and the largest error of a run; HUGE_VAL if it fails. */
static void run(SUNContext context, int problem, const struct table *table, double share, int which,
                curve *out)
{
  const int n = stiff_rates_count(problem);
  N_Vector y = N_VNew_Serial(n, context), atol = N_VNew_Serial(n, context);
  SUNMatrix matrix = SUNDenseMatrix(n, n, context);
  SUNLinearSolver solver = SUNLinSol_Dense(y, matrix, context);
  void *memory = NULL;
  sunrealtype reached = 0;
  long tried = 0, explicit_calls = 0, implicit_calls = 0;
  int failed = create(context, &problem, table, bench_tolerance(which), share, y, atol, matrix,
                      solver, &memory);
  if (!failed)
    failed = ARKStepEvolve(memory, stiff_rates_end_time(problem), y, &reached, ARK_NORMAL) < 0;
  if (memory) {
    (void)ARKStepGetNumStepAttempts(memory, &tried);
    (void)ARKStepGetNumRhsEvals(memory, &explicit_calls, &implicit_calls);
  }
  out->steps[which] = (double)tried;
  out->calls[which] = (double)implicit_calls;
  double error = failed ? HUGE_VAL : 0;
  for (int i = 0; i < n && !failed; i++)
    error = fmax(error, fabs(N_VGetArrayPointer(y)[i] / stiff_rates_end(problem)[i] - 1));
  out->error[which] = error;
  ARKStepFree(&memory);
  SUNLinSolFree(solver);
  SUNMatDestroy(matrix);
  N_VDestroy(atol);
  N_VDestroy(y);
}

/* Prints the cells of a problem at an error: the fewest calls, and the steps that go with them. */
static void print(const curve by[SHARES], double goal)
{
  double fewest = NAN, beside = NAN;
  for (int s = 0; s < SHARES; s++) {
    const double cost = bench_cost_at(goal, by[s].error, by[s].calls);
    if (isnan(fewest) || cost < fewest) {
      fewest = cost;
      beside = bench_cost_at(goal, by[s].error, by[s].steps);
    }
  }
  (void)printf(" %6.0f | %7.0f |", beside, fewest);
}

int main(void)
{
  SUNContext context;
  if (gradyn_sundials_context(&context) != GRADYN_SUNDIALS_SUCCESS)
    return 1;
  (void)printf("| problem     | table      | steps at %.0e | calls | at %.0e | calls |\n", goals[0],
               goals[1]);
  for (int k = 0; k < STIFF_ODES; k++)
    for (size_t m = 0; m < sizeof tables / sizeof *tables; m++) {
      curve by[SHARES];
      for (int s = 0; s < SHARES; s++)
        for (int i = 0; i < CURVE_RUNS; i++)
          run(context, k, &tables[m], shares[s], i, &by[s]);
      (void)printf("| %-11s | %-10s |", stiff_rates_name(k), tables[m].name);
      for (int g = 0; g < GOALS; g++)
        print(by, goals[g]);
      (void)printf("\n");
      (void)fflush(stdout);
    }
  SUNContext_Free(&context);
  return 0;
}
