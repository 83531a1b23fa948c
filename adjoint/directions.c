/* Columns of dx/drho by complex step, and unit directions. */
#include "adjoint/directions.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void gradyn_directions_clear(gradyn_directions *d)
{
  free(d->start);
  free(d->index);
  free(d->value);
  free(d->scale);
  *d = (gradyn_directions){0};
}

static gradyn_status begin(gradyn_model *model, int count, gradyn_directions *d)
{
  d->nx = model->nx;
  if (d->count != count || !d->start) {
    free(d->start);
    free(d->scale);
    d->start = calloc((size_t)count + 1, sizeof *d->start);
    d->scale = calloc((size_t)count + 1, sizeof *d->scale);
    d->count = count;
  }
  if (d->start && d->scale)
    return GRADYN_OK;
  return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory for %d directions", count);
}

/* Appends an entry to the column that ends at start[j + 1]. */
static gradyn_status append(gradyn_model *model, gradyn_directions *d, int j, int index,
                            double value)
{
  int k = d->start[j + 1]++;
  if (k == d->capacity) {
    int capacity = k ? 2 * k : 256;
    int *more = realloc(d->index, (size_t)capacity * sizeof *more);
    if (more)
      d->index = more;
    double *values = realloc(d->value, (size_t)capacity * sizeof *values);
    if (values)
      d->value = values;
    if (!more || !values)
      return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory for %d derivatives",
                         capacity);
    d->capacity = capacity;
  }
  d->index[k] = index;
  d->value[k] = value;
  return GRADYN_OK;
}

/* The first datum from k on whose value has an imaginary part: most have none. */
static int next_change(const gradyn_model *model, int k)
{
  const gradyn_scalar *value = model->value;
  int nx = model->nx;
  for (; k + 4 <= nx; k += 4)
    if (fabs(cimag(value[k])) + fabs(cimag(value[k + 1])) + fabs(cimag(value[k + 2])) +
            fabs(cimag(value[k + 3])) !=
        0)
      break;
  while (k < nx && cimag(value[k]) == 0)
    k++;
  return k;
}

gradyn_status gradyn_directions_by_rho(gradyn_model *model, const gradyn_parameters *parameters,
                                       gradyn_scalar *rho, gradyn_directions *d)
{
  int count = (int)parameters->count;
  gradyn_status status = begin(model, count, d);
  for (int j = 0; j < count && status == GRADYN_OK; j++) {
    gradyn_scalar keep = rho[j];
    rho[j] += GRADYN_COMPLEX_STEP * I;
    status = gradyn_model_refresh(model, rho);
    rho[j] = keep;
    d->start[j + 1] = d->start[j];
    d->scale[j] = fmax(fabs(creal(keep)), parameters->info[j].scale);
    for (int k = next_change(model, 0); k < model->nx && status == GRADYN_OK;
         k = next_change(model, k + 1))
      status = append(model, d, j, k, cimag(model->value[k]) / GRADYN_COMPLEX_STEP);
  }
  return status;
}

gradyn_status gradyn_directions_by_datum(gradyn_model *model, const int *data, int count,
                                         double *dx, gradyn_directions *d)
{
  gradyn_status status = begin(model, count, d);
  for (int j = 0; j < count && status == GRADYN_OK; j++) {
    memset(dx, 0, (size_t)model->nx * sizeof(double));
    dx[data[j]] = 1;
    gradyn_model_derive(model, dx); /* derived data are linear in the others */
    d->start[j + 1] = d->start[j];
    d->scale[j] = model->x[data[j]] != 0 ? fabs(model->x[data[j]]) : 1;
    for (int k = 0; k < model->nx && status == GRADYN_OK; k++)
      if (dx[k] != 0)
        status = append(model, d, j, k, dx[k]);
  }
  return status;
}
