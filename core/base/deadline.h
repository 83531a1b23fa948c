/* Conditions that end a call early: a request of the caller, or a deadline. */
#ifndef GRADYN_CORE_DEADLINE_H
#define GRADYN_CORE_DEADLINE_H

#include <stdbool.h>

#include "core/base/message.h"

typedef struct gradyn_deadline {
  bool (*cancel)(void *user); /* returns true if the caller requests the end; NULL: never */
  void *user;
  /* s: time of gradyn_seconds() at which the call ends, and its allowed duration for the message; 0: no
   * deadline */
  double deadline, allowed;
} gradyn_deadline;

/* Checks whether a run that has reached time t, s, must end; calls cancel(). GRADYN_INTERRUPTED: the caller
 * requests it. GRADYN_STEP_LIMIT: the deadline has passed. The message has the reason. */
gradyn_status gradyn_deadline_check(const gradyn_deadline *deadline, gradyn_message *message,
                                    double t);

#endif
