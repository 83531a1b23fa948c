/* What the package has in C: how long a call may go on before Python is asked, and samples of trajectories. */
#ifndef GRADYN_PYTHON_HELPERS_H
#define GRADYN_PYTHON_HELPERS_H

#include <gradyn/gradyn.h>

/* Between two looks at Python a march runs freely; a march asks at every step. */
typedef struct gradynpy_patience {
  double every; /* s */
  double last;  /* s, clock of the last look */
  int stop;     /* not 0: the call ends */
  void *handle; /* of the Python object whose call it is */
} gradynpy_patience;

#endif
