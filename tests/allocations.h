/* A malloc of the test's own, and its kin, before those of the C library, also for the shared libraries
 * that it uses: it counts, and fails on request. */
#ifndef GRADYN_TESTS_ALLOCATIONS_H
#define GRADYN_TESTS_ALLOCATIONS_H

#include "tests/support.h"

#include <gradyn/status.h>

enum { ALLOCATIONS_MESSAGE = 2048 };

/* Something from nothing to nothing; what it has to say goes to message [ALLOCATIONS_MESSAGE]. */
typedef gradyn_status (*allocations_work)(const void *user, char *message);

/* Requests of everybody so far. */
long allocations_requests(void);

/* Passes if the work releases all that it took, and does so where a single request of gradyn's fails: it
 * ends by GRADYN_NO_MEMORY then, or with what it has, and its message speaks of memory. Of requests from the
 * same six innermost calls the first one fails; all fail where support_thorough(). Requests of other
 * libraries do not fail unless they are included: SUNDIALS 6.4.1 does not survive that (SUNLogger_Create). */
void allocations_check(allocations_work work, const void *user, const char *name);

/* Lets requests of another library fail, too, from here on: the beginning of its file's name, which lasts. */
void allocations_include(const char *library);

#endif
