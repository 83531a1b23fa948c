/* The matrix and the linear solver for IDAS. The matrix has no entries, because the system factorises its
 * own reduced matrix. A callback solves J x = b. */
#include <stdlib.h>

#include "dae/idas/idas.h"

static SUNMatrix_ID matrix_id(SUNMatrix A)
{
  (void)A;
  return SUNMATRIX_CUSTOM;
}

/* Called before each Jacobian is evaluated. There are no entries to set to zero. */
static int matrix_zero(SUNMatrix A)
{
  (void)A;
  return GRADYN_SUNDIALS_SUCCESS;
}

static void matrix_destroy(SUNMatrix A)
{
  SUNMatFreeEmpty(A);
}

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

/* Returns the type "direct": IDAS then scales solutions if cj has changed since the factorisation. */
static SUNLinearSolver_Type solver_type(SUNLinearSolver S)
{
  (void)S;
  return SUNLINEARSOLVER_DIRECT;
}

static SUNLinearSolver_ID solver_id(SUNLinearSolver S)
{
  (void)S;
  return SUNLINEARSOLVER_CUSTOM;
}

static int solver_setup(SUNLinearSolver S, SUNMatrix A)
{
  (void)S;
  (void)A;
  /* nothing to do: the matrix was factorised when the Jacobian was evaluated */
  return GRADYN_SUNDIALS_SUCCESS;
}

static int solver_solve(SUNLinearSolver S, SUNMatrix A, N_Vector x, N_Vector b,
                        sunrealtype tolerance)
{
  (void)A;
  (void)tolerance;
  callback *call = S->content;
  /* copies b to x, then solves in place */
  N_VScale(1, b, x);
  call->solve(call->user, N_VGetArrayPointer(x));
  return GRADYN_SUNDIALS_SUCCESS;
}

static int solver_free(SUNLinearSolver S)
{
  free(S->content);
  S->content = NULL;
  SUNLinSolFreeEmpty(S);
  return GRADYN_SUNDIALS_SUCCESS;
}

SUNLinearSolver gradyn_idas_solver(SUNContext context, gradyn_idas_solve_fn solve, void *user)
{
  SUNLinearSolver S = SUNLinSolNewEmpty(context);
  callback *call = malloc(sizeof *call);
  if (!S || !call) {
    free(call);
    SUNLinSolFreeEmpty(S);
    return NULL;
  }
  *call = (callback){solve, user};
  S->content = call;
  S->ops->gettype = solver_type;
  S->ops->getid = solver_id;
  S->ops->setup = solver_setup;
  S->ops->solve = solver_solve;
  S->ops->free = solver_free;
  return S;
}
