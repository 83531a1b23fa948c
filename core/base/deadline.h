/* How long a call may go on: until its caller wants no more of it, or for so many seconds. */
#ifndef GRADYN_CORE_DEADLINE_H
#define GRADYN_CORE_DEADLINE_H

#include <stdbool.h>

#include "core/base/message.h"

typedef struct gradyn_deadline {
  bool (*cancel)(void *user); /* whether the caller wants no more; NULL: never */
  void *user;
  double deadline, allowed; /* s: when this call takes too long, and how long that is; 0: never */
} gradyn_deadline;

/* Whether a call has to end that has come to the time t, s: GRADYN_INTERRUPTED on request, GRADYN_STEP_LIMIT
 * where it takes too long, with the reason. */
gradyn_status gradyn_deadline_check(const gradyn_deadline *deadline, gradyn_message *message,
                                    double t);

#endif
