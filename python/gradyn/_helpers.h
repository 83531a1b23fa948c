/* What the package has in C: how long a call may go on before Python is asked. */
#ifndef GRADYN_PYTHON_HELPERS_H
#define GRADYN_PYTHON_HELPERS_H

#include <gradyn/gradyn.h>
#include <pthread.h>

/* Between two looks at Python a march runs freely; a march asks at every step. Threads that the library makes
 * look at `stop` only: Python tells its main thread of signals. */
typedef struct gradynpy_patience {
  double every;     /* s */
  double last;      /* s, clock of the last look */
  int stop;         /* not 0: the call ends */
  void *handle;     /* handle of the Python object whose call is in progress */
  pthread_t caller; /* thread that has made the call */
} gradynpy_patience;

#endif
