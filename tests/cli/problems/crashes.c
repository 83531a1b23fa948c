/* A shared object that crashes when it is loaded or, with GRADYN_TEST_LEAVE, ends the program. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((constructor)) static void begin(void)
{
  (void)puts("noise");
  if (getenv("GRADYN_TEST_LEAVE"))
    exit(3);
  (void)raise(SIGSEGV);
}
