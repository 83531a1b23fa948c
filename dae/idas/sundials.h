/* Common names for SUNDIALS 6 and 7. Only this file distinguishes the two versions. */
#ifndef GRADYN_DAE_SUNDIALS_H
#define GRADYN_DAE_SUNDIALS_H

#include <idas/idas.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_config.h>
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>
#include <sundials/sundials_nonlinearsolver.h>

/* The code for success of matrices, linear and nonlinear solvers; version 6 has one name for each kind. */
enum { GRADYN_SUNDIALS_SUCCESS = 0 };

#if SUNDIALS_VERSION_MAJOR >= 7

/* Creates a context that has no communicator and prints no errors. Returns a code of SUNDIALS, 0: success.
 * If SUNDIALS has MPI, a null pointer is not the null communicator: SUNLogger_Create() would duplicate
 * it. */
static inline int gradyn_sundials_context(SUNContext *context)
{
  const int flag = SUNContext_Create(SUN_COMM_NULL, context);
  return flag != GRADYN_SUNDIALS_SUCCESS ? flag : SUNContext_ClearErrHandlers(*context);
}

/* Makes an IDAS object print no errors. Returns a code of IDAS. In version 7 the context has done so
 * already. */
static inline int gradyn_sundials_silence(void *ida)
{
  (void)ida;
  return IDA_SUCCESS;
}

#else

/* Creates a context for version 6. Returns a code of SUNDIALS, 0: success. */
static inline int gradyn_sundials_context(SUNContext *context)
{
  return SUNContext_Create(NULL, context);
}

/* Discards an error with all its texts; a handler of IDAS. */
static inline void gradyn_sundials_ignore(int code, const char *module, const char *function,
                                          char *text, void *user)
{
  (void)code, (void)module, (void)function, (void)text, (void)user;
}

/* Makes an IDAS object print no errors. Returns a code of IDAS. */
static inline int gradyn_sundials_silence(void *ida)
{
  return IDASetErrHandlerFn(ida, gradyn_sundials_ignore, NULL);
}

#endif

#endif
