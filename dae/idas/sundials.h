/* SUNDIALS 6 and 7 under one set of names. This file has all differences between the two that matter here. */
#ifndef GRADYN_DAE_SUNDIALS_H
#define GRADYN_DAE_SUNDIALS_H

#include <idas/idas.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_config.h>
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>
#include <sundials/sundials_nonlinearsolver.h>

/* The code of success of matrices, linear and nonlinear solvers. Version 6 has a name for each of them. */
enum { GRADYN_SUNDIALS_SUCCESS = 0 };

#if SUNDIALS_VERSION_MAJOR >= 7

/* Creates a context without a communicator that prints no errors: a code of SUNDIALS, 0 on success. With MPI
 * in SUNDIALS, a null pointer is not the null communicator: SUNLogger_Create() would duplicate it. */
static inline int gradyn_sundials_context(SUNContext *context)
{
  const int flag = SUNContext_Create(SUN_COMM_NULL, context);
  return flag != GRADYN_SUNDIALS_SUCCESS ? flag : SUNContext_ClearErrHandlers(*context);
}

/* Makes an IDAS object print no errors: a code of IDAS. Here its context has no handler. */
static inline int gradyn_sundials_silence(void *ida)
{
  (void)ida;
  return IDA_SUCCESS;
}

#else

static inline int gradyn_sundials_context(SUNContext *context)
{
  return SUNContext_Create(NULL, context);
}

static inline void gradyn_sundials_ignore(int code, const char *module, const char *function,
                                          char *text, void *user)
{
  (void)code, (void)module, (void)function, (void)text, (void)user;
}

static inline int gradyn_sundials_silence(void *ida)
{
  return IDASetErrHandlerFn(ida, gradyn_sundials_ignore, NULL);
}

#endif

#endif
