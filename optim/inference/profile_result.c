/* Release of profiles. */
#include <gradyn/inference.h>

#include <stdlib.h>

static void clear_side(gradyn_profile_side *a)
{
  for (size_t k = 0; k < a->count; k++)
    free(a->point[k].rho);
  free(a->point);
}

void gradyn_profile_result_clear(gradyn_profile_result *result)
{
  if (!result)
    return;
  for (size_t k = 0; k < result->count; k++) {
    clear_side(&result->profile[k].below);
    clear_side(&result->profile[k].above);
  }
  free(result->profile);
  free(result->rho);
  *result = (gradyn_profile_result){0};
}
