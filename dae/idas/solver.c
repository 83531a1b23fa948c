/* The linear solver that IDAS sees: its matrix is empty, because the system factorises a reduced
 * matrix of its own. Everything that IDAS does with matrices goes through one callback, which solves J
 * x = b. */
#include <stdlib.h>

#include "dae/idas/idas.h"

/* What SUNDIALS asks of a matrix: here nothing but to exist. */
static SUNMatrix_ID matrix_id(SUNMatrix A)
{
  (void)A;
  return SUNMATRIX_CUSTOM;
}

/* Called before each Jacobian. */
static int matrix_zero(SUNMatrix A)
{
  (void)A;
  return GRADYN_SUNDIALS_SUCCESS;
}

/* Its operations are all there is to release. */
static void matrix_destroy(SUNMatrix A)
{
  SUNMatFreeEmpty(A);
}

/* A matrix without entries: the linear solver asks the model for its own. */
SUNMatrix gradyn_idas_matrix(SUNContext context)
{
  SUNMatrix A = SUNMatNewEmpty(context);
  if (A) {
    A->ops->getid = matrix_id;
    A->ops->zero = matrix_zero;
    A->ops->destroy = matrix_destroy;
  }
  return A;
}

typedef struct callback {
  gradyn_idas_solve_fn solve;
  void *user;
} callback;

/* A direct one: IDAS then scales solutions where cj has changed since the factors. */
static SUNLinearSolver_Type solver_type(SUNLinearSolver S)
{
  (void)S;
  return SUNLINEARSOLVER_DIRECT;
}

/* None of SUNDIALS' own. */
static SUNLinearSolver_ID solver_id(SUNLinearSolver S)
{
  (void)S;
  return SUNLINEARSOLVER_CUSTOM;
}

/* Nothing is left to do. */
static int solver_setup(SUNLinearSolver S, SUNMatrix A)
{
  (void)S;
  (void)A;
  return GRADYN_SUNDIALS_SUCCESS; /* factorised when the Jacobian was evaluated */
}

/* By the system's factors. */
static int solver_solve(SUNLinearSolver S, SUNMatrix A, N_Vector x, N_Vector b,
                        sunrealtype tolerance)
{
  (void)A;
  (void)tolerance;
  callback *call = S->content;
  /* x = b, then in place */
  N_VScale(1, b, x);
  call->solve(call->user, N_VGetArrayPointer(x));
  return GRADYN_SUNDIALS_SUCCESS;
}

/* With the callback's data. */
static int solver_free(SUNLinearSolver S)
{
  free(S->content);
  S->content = NULL;
  SUNLinSolFreeEmpty(S);
  return GRADYN_SUNDIALS_SUCCESS;
}

/* IDAS's interface around one callback that factorises and solves. */
SUNLinearSolver gradyn_idas_solver(SUNContext context, gradyn_idas_solve_fn solve, void *user)
{
  SUNLinearSolver S = SUNLinSolNewEmpty(context);
  callback *call = malloc(sizeof *call);
  if (!S || !call) {
    free(call);
    SUNLinSolFreeEmpty(S);
    return NULL;
  }
  /* setup() and solve() of IDAS lead to the callback */
  *call = (callback){solve, user};
  S->content = call;
  S->ops->gettype = solver_type;
  S->ops->getid = solver_id;
  S->ops->setup = solver_setup;
  S->ops->solve = solver_solve;
  S->ops->free = solver_free;
  return S;
}
