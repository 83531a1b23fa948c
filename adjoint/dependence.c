/* Subsets of parameters by the bits of their numbers. */
#include "adjoint/dependence.h"

#include <complex.h>
#include <stdlib.h>
#include <string.h>

void gradyn_dependence_clear(gradyn_dependence *d)
{
  free(d->owner);
  free(d->slope);
  free(d->shared);
  free(d->with);
  free(d->without);
  free(d->rho);
  *d = (gradyn_dependence){0};
}

static gradyn_status reserve(gradyn_model *model, int count, gradyn_dependence *d)
{
  size_t nx = (size_t)model->nx + 1, parameters = (size_t)count + 1;
  if (d->owner && d->count == count && d->nx == model->nx)
    return GRADYN_OK;
  gradyn_dependence_clear(d);
  *d = (gradyn_dependence){.count = count, .nx = model->nx};
  d->owner = malloc(nx * sizeof *d->owner);
  d->slope = malloc(nx * sizeof *d->slope);
  d->shared = malloc(parameters * sizeof *d->shared);
  d->with = malloc(nx * sizeof *d->with);
  d->without = malloc(nx * sizeof *d->without);
  d->rho = malloc(parameters * sizeof *d->rho);
  if (d->owner && d->slope && d->shared && d->with && d->without && d->rho)
    return GRADYN_OK;
  gradyn_dependence_clear(d);
  gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory for %d parameters", count);
  return GRADYN_NO_MEMORY;
}

/* Perturbations differ, from 1 to 2, so that those of several parameters do not cancel in a sum: a
 * fixed sequence without a pattern, with few enough digits to be exact. */
static double weight(int j)
{
  unsigned mixed = ((unsigned)j + 1) * 2654435761u;
  mixed ^= mixed >> 15;
  mixed *= 2246822519u;
  return 1 + (mixed >> 12) / 1048576.0;
}

/* Builds with all parameters perturbed whose numbers have the bit (or have not), and marks what answers
 * in seen [nx]. */
static gradyn_status build_subset(gradyn_model *model, gradyn_scalar *rho, unsigned bit, bool has,
                                  gradyn_dependence *d, unsigned *seen)
{
  for (int j = 0; j < d->count; j++)
    if ((((unsigned)j & bit) != 0) == has)
      rho[j] += GRADYN_COMPLEX_STEP * weight(j) * I;
  gradyn_status status = gradyn_model_refresh(model, rho);
  memcpy(rho, d->rho, (size_t)d->count * sizeof *rho);
  for (int k = 0; k < d->nx && status == GRADYN_OK; k++) {
    double slope = cimag(model->value[k]);
    if (slope == 0)
      continue;
    seen[k] |= bit;
    d->slope[k] = slope / GRADYN_COMPLEX_STEP;
  }
  return status;
}

/* Reads the numbers that the data have spelled; `all` has all bits. */
static void name_owners(gradyn_dependence *d, unsigned all)
{
  memset(d->shared, 0, ((size_t)d->count + 1) * sizeof *d->shared);
  for (int k = 0; k < d->nx; k++) {
    unsigned with = d->with[k], without = d->without[k], known = with ^ without;
    d->owner[k] = (with | without) == 0                       ? GRADYN_NO_OWNER
                  : known == all && with < (unsigned)d->count ? (int)with
                                                              : GRADYN_SEVERAL_OWNERS;
    if (d->owner[k] >= 0)
      d->slope[k] /= weight(d->owner[k]);
    /* bits to which both subsets answered, or none because terms cancel, may be any */
    for (int j = 0; j < d->count && d->owner[k] == GRADYN_SEVERAL_OWNERS; j++)
      if (((unsigned)j & known) == (with & known))
        d->shared[j] = true;
  }
}

gradyn_status gradyn_dependence_find(gradyn_model *model, gradyn_scalar *rho, int count,
                                     gradyn_dependence *d)
{
  gradyn_status status = reserve(model, count, d);
  if (status != GRADYN_OK)
    return status;
  unsigned bit = 1;
  memcpy(d->rho, rho, (size_t)count * sizeof *rho);
  memset(d->with, 0, (size_t)d->nx * sizeof *d->with);
  memset(d->without, 0, (size_t)d->nx * sizeof *d->without);
  for (; bit < (unsigned)count && status == GRADYN_OK; bit <<= 1) {
    status = build_subset(model, rho, bit, true, d, d->with);
    if (status == GRADYN_OK)
      status = build_subset(model, rho, bit, false, d, d->without);
  }
  if (status == GRADYN_OK)
    name_owners(d, bit - 1);
  return status;
}
