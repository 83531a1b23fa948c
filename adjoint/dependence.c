/* Finds on which parameters each datum depends, with few builds. For each bit k of their indices, one build
 * changes all parameters whose index has this bit, and another build changes all others. A datum that
 * depends on a single parameter responds to exactly one build of each pair. The responses are the bits of
 * the index of this parameter, its owner. */
#include "adjoint/dependence.h"

#include <complex.h>
#include <string.h>

/* Also frees an object whose creation has failed. */
void gradyn_dependence_clear(gradyn_dependence *d)
{
  gradyn_arena_clear(&d->arena);
  *d = (gradyn_dependence){0};
}

gradyn_status gradyn_dependence_reserve(gradyn_model *model, int count, gradyn_dependence *d)
{
  size_t nx = (size_t)model->nx + 1, parameters = (size_t)count + 1;
  if (!d->owner || d->count != count || d->nx != model->nx) {
    gradyn_dependence_clear(d);
    *d = (gradyn_dependence){.count = count, .nx = model->nx};
    d->member = gradyn_arena_take(&d->arena, parameters, sizeof *d->member);
    d->owner = gradyn_arena_take(&d->arena, nx, sizeof *d->owner);
    d->slope = gradyn_arena_take(&d->arena, nx, sizeof *d->slope);
    d->shared = gradyn_arena_take(&d->arena, parameters, sizeof *d->shared);
    d->with = gradyn_arena_take(&d->arena, nx, sizeof *d->with);
    d->without = gradyn_arena_take(&d->arena, nx, sizeof *d->without);
    d->rho = gradyn_arena_take(&d->arena, parameters, sizeof *d->rho);
  }
  if (gradyn_arena_status(&d->arena) != GRADYN_OK) {
    gradyn_dependence_clear(d);
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory for %d parameters", count);
  }
  /* initially all parameters are members */
  for (int j = 0; j < count; j++)
    d->member[j] = j;
  d->members = count;
  return GRADYN_OK;
}

/* Perturbations of the parameters differ, from 1 to 2, so that their sum does not cancel. They are a fixed
 * sequence without a pattern, with few enough digits to be exact. */
static double weight(int j)
{
  unsigned mixed = ((unsigned)j + 1) * 2654435761u;
  /* mixed bits of j; 20 of them become the digits after the 1 */
  mixed ^= mixed >> 15;
  mixed *= 2246822519u;
  return 1 + (mixed >> 12) / 1048576.0;
}

/* Builds with perturbations of all members whose index has the bit (has) or does not have it (not has).
 * Marks the data that respond in seen [nx]. */
static gradyn_status build_subset(gradyn_model *model, gradyn_scalar *rho, unsigned bit, bool has,
                                  gradyn_dependence *d, unsigned *seen)
{
  /* i 10^-40 w_j added to all parameters of the subset */
  for (int i = 0; i < d->members; i++)
    if ((((unsigned)i & bit) != 0) == has)
      rho[d->member[i]] += GRADYN_COMPLEX_STEP * weight(d->member[i]) * I;
  const gradyn_status status = gradyn_model_refresh(model, rho);
  memcpy(rho, d->rho, (size_t)d->count * sizeof *rho);
  GRADYN_TRY(status);
  for (int k = 0; k < d->nx; k++) {
    double slope = cimag(model->value[k]);
    if (slope == 0)
      continue;
    seen[k] |= bit;
    d->slope[k] = slope / GRADYN_COMPLEX_STEP; /* the sum of w_j dx_k/drho_j */
  }
  return GRADYN_OK;
}

/* Derives the owners from the responses; `all` has all bits set. */
static void name_owners(gradyn_dependence *d, unsigned all)
{
  memset(d->shared, 0, ((size_t)d->count + 1) * sizeof *d->shared);
  for (int k = 0; k < d->nx; k++) {
    /* if only one of the two subsets has caused a response, the bit belongs to the owner's index */
    unsigned with = d->with[k], without = d->without[k], known = with ^ without;
    d->owner[k] = (with | without) == 0                         ? GRADYN_NO_OWNER
                  : known == all && with < (unsigned)d->members ? d->member[with]
                                                                : GRADYN_SEVERAL_OWNERS;
    if (d->owner[k] >= 0)
      d->slope[k] /= weight(d->owner[k]);
    /* a bit is undetermined if both subsets cause a response, or none because terms cancel; all members
     * with the known bits share the datum */
    for (int i = 0; i < d->members && d->owner[k] == GRADYN_SEVERAL_OWNERS; i++)
      if (((unsigned)i & known) == (with & known))
        d->shared[d->member[i]] = true;
  }
}

gradyn_status gradyn_dependence_find(gradyn_model *model, gradyn_scalar *rho, gradyn_dependence *d)
{
  unsigned bit = 1;
  memcpy(d->rho, rho, (size_t)d->count * sizeof *rho);
  memset(d->with, 0, (size_t)d->nx * sizeof *d->with);
  memset(d->without, 0, (size_t)d->nx * sizeof *d->without);
  /* log2 of the number of members; each bit takes two builds */
  for (; bit == 1 || bit < (unsigned)d->members; bit <<= 1) {
    GRADYN_TRY(build_subset(model, rho, bit, true, d, d->with));
    GRADYN_TRY(build_subset(model, rho, bit, false, d, d->without));
  }
  name_owners(d, bit - 1);
  return GRADYN_OK;
}

gradyn_status gradyn_dependence_ask(gradyn_model *model, gradyn_scalar *rho, const int *parameter,
                                    int size)
{
  for (int i = 0; i < size; i++)
    rho[parameter[i]] += GRADYN_COMPLEX_STEP * weight(parameter[i]) * I;
  gradyn_status status = gradyn_model_refresh(model, rho);
  for (int i = 0; i < size; i++)
    rho[parameter[i]] = creal(rho[parameter[i]]);
  return status;
}
