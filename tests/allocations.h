/* Replacements of malloc() and related functions, also for the shared libraries that the test uses. They
 * count requests, and fail on request. */
#ifndef GRADYN_TESTS_ALLOCATIONS_H
#define GRADYN_TESTS_ALLOCATIONS_H

#include "tests/support.h"

#include <gradyn/base.h>

enum { ALLOCATIONS_MESSAGE = 2048 };

/* Work that allocates its objects and releases them. Its message goes to message
 * [ALLOCATIONS_MESSAGE]. */
typedef gradyn_status (*allocations_work)(const void *user, char *message);

/* Returns the number of requests so far, of the test and all libraries. */
long allocations_requests(void);
/* Returns the number of requests of gradyn and the test since the first call. */
long allocations_requests_of_gradyn(void);

/* Passes if the work releases all its memory, also if a single request of gradyn fails. In that case it
 * must end with GRADYN_NO_MEMORY or GRADYN_OK, and its message must mention memory.
 *
 * Of requests from the same six innermost calls, only the first one fails; with support_thorough() the
 * first three, because lists grow by such requests. Requests of other libraries do not fail unless they
 * are included: SUNDIALS 6.4.1 does not survive that (SUNLogger_Create).
 */
void allocations_check(allocations_work work, const void *user, const char *name);

/* From now on, requests of another library also fail. library: first part of its file name; the text must
 * remain valid. */
void allocations_include(const char *library);

#endif
