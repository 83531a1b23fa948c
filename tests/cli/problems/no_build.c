/* A problem without a build function. */
#include <gradyn/gradyn.h>

static const gradyn_param params[] = {{"x", "m", .init = 1, .lower = 0, .upper = 2}};

GRADYN_PROBLEM(no_build, .summary = "Nothing to build", .params = params, .t_end = 1);
