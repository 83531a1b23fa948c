/* How many times slower than usual a machine is, as a whole number of at least 1: processor time of some
 * work that takes 0.15 s where the time limits of the tests come from. */
#include <math.h>
#include <stdio.h>
#include <time.h>

static const double usual = 0.15; /* s */

int main(void)
{
  volatile double sum = 0;
  const clock_t began = clock();
  for (int i = 1; i <= 32000000; i++)
    sum += sqrt(i) / (1 + i % 7);
  const double seconds = (double)(clock() - began) / CLOCKS_PER_SEC;
  (void)printf("%d", seconds > usual ? (int)ceil(seconds / usual) : 1);
  return 0;
}
