/* A problem that loads without an error and crashes in build(), with the signal number in
 * GRADYN_TEST_SIGNAL. */
#include <gradyn/gradyn.h>
#include <signal.h>
#include <stdlib.h>

static const gradyn_param params[] = {{"x", "m", .init = 1, .lower = 0, .upper = 2}};

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  (void)model, (void)rho;
  const char *number = getenv("GRADYN_TEST_SIGNAL");
  (void)raise(number ? atoi(number) : SIGSEGV);
  return GRADYN_OK;
}

GRADYN_PROBLEM(faulty, .summary = "Crashes", .params = params, .build = build, .t_end = 1);
