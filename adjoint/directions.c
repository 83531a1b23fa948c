/* Columns of dx/drho by complex step, and unit directions. Columns are sparse, because a parameter changes
 * few data. Direct sweeps use columns as they are; the chain rule of the adjoint multiplies by them. Before
 * the first columns are computed, complex-step derivatives of build() are compared with real numbers
 * (complex_loss.h). */
#include "adjoint/directions.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "adjoint/complex_loss.h"
#include "core/linear/arena.h"

/* --- verification of build() ------------------------------------------------------------------- */

/* Evaluates the data as functions of the parameters. */
static gradyn_status call_build(void *self, const gradyn_scalar *rho, gradyn_scalar *x)
{
  gradyn_model *model = self;
  const gradyn_status status = gradyn_model_refresh(model, rho);
  memcpy(x, model->value, (size_t)model->nx * sizeof *x); /* even if build() has failed */
  return status;
}

/* Parameters at which build() is checked. */
typedef struct position {
  double *at, *size, *lower, *upper; /* [parameters] */
  double *terms;                     /* [nx] the largest datum of the same unit */
} position;

/* Finds the largest datum of every unit: terms that cancel in another datum of this unit may be as large.
 * first [nx]: first datum of each unit, of which there are few. */
static void find_terms(const gradyn_model *model, int *first, double *terms)
{
  int units = 0;
  for (int pass = 0; pass < 2; pass++)
    for (int k = 0; k < model->nx; k++) {
      int u = 0;
      while (u < units && strcmp(model->entry[first[u]].unit, model->entry[k].unit) != 0)
        u++;
      if (u == units)
        first[units++] = k;
      /* the first pass collects the maximum at the first datum, the second copies it to all */
      if (pass == 0)
        terms[first[u]] = fmax(terms[first[u]], fabs(creal(model->value[k])));
      else
        terms[k] = terms[first[u]];
    }
}

/* Sets rho, the sizes of changes, and bounds. */
static gradyn_status take_place(const gradyn_model *model, const gradyn_parameters *parameters,
                                const gradyn_scalar *rho, gradyn_arena *arena, position *p)
{
  /* arrays for gradyn_checked_function, and workspace for units */
  const size_t n = parameters->count;
  double **array[] = {&p->at, &p->size, &p->lower, &p->upper};
  for (int k = 0; k < 4; k++)
    *array[k] = gradyn_arena_numbers(arena, n);
  p->terms = gradyn_arena_numbers(arena, (size_t)model->nx);
  int *first = gradyn_arena_take(arena, (size_t)model->nx, sizeof *first);
  GRADYN_TRY(gradyn_arena_status(arena));
  for (size_t j = 0; j < n; j++) {
    const gradyn_parameter_info *info = &parameters->info[j];
    p->at[j] = creal(rho[j]);
    p->size[j] = info->scale > 0 ? info->scale : fmax(fabs(p->at[j]), 1);
    p->lower[j] = info->lower;
    p->upper[j] = info->upper;
  }
  find_terms(model, first, p->terms);
  return GRADYN_OK;
}

gradyn_status gradyn_verify_callbacks_build(gradyn_model *model,
                                            const gradyn_parameters *parameters,
                                            const gradyn_scalar *rho)
{
  const int count = (int)parameters->count;
  if (model->declared.looked || model->declared.trusted || count == 0)
    return GRADYN_OK;
  /* each datum is a result, each parameter an argument */
  LOCAL(gradyn_arena) arena = {0};
  OWNED(gradyn_complex_loss_workspace) *capacity = NULL;
  position p;
  gradyn_complex_loss lost;
  char fault[300];
  if (take_place(model, parameters, rho, &arena, &p) != GRADYN_OK ||
      gradyn_complex_loss_workspace_create(count, model->nx, &capacity) != GRADYN_OK)
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory for %d parameters", count);
  const gradyn_checked_function f = {call_build, model,   count,  model->nx,
                                     p.lower,    p.upper, p.terms};
  /* a failure has the message of build() */
  GRADYN_TRY(gradyn_complex_loss_check(capacity, &f, p.at, p.size, &lost));
  /* removes messages of build() at other parameters */
  GRADYN_TRY(gradyn_model_refresh(model, rho));
  if (lost.found)
    return gradyn_fail(
        &model->message, GRADYN_INVALID,
        "build() is not complex-differentiable: the derivative of %s by the parameter %s %s",
        model->entry[lost.result].name, parameters->info[lost.argument].name,
        gradyn_complex_loss_sentence(&lost, fault, sizeof fault));
  model->declared.looked = true;
  return GRADYN_OK;
}

/* --- columns ----------------------------------------------------------------------------------- */

void gradyn_directions_clear(gradyn_directions *d)
{
  free(d->start);
  free(d->index);
  free(d->value);
  free(d->scale);
  free(d->own);
  gradyn_dependence_clear(&d->dependence);
  gradyn_dependence_clear(&d->within);
  *d = (gradyn_directions){0};
}

/* Columns follow each other, entries as (index, value): start[j] to start[j + 1]. */
gradyn_status gradyn_directions_reserve(gradyn_model *model, int count, gradyn_directions *d)
{
  d->nx = model->nx;
  /* compressed columns: start [count + 1], entries in the order of creation */
  if (d->count != count || !d->start || !d->scale || !d->own) {
    free(d->start);
    free(d->scale);
    free(d->own);
    d->start = calloc((size_t)count + 1, sizeof *d->start);
    d->scale = calloc((size_t)count + 1, sizeof *d->scale);
    d->own = calloc((size_t)count + 2 + (size_t)model->nx, sizeof *d->own);
    d->count = count;
  }
  if (d->start && d->scale && d->own)
    return GRADYN_OK;
  return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory for %d directions", count);
}

/* Appends an entry to the column that ends at start[j + 1]. */
static gradyn_status append(gradyn_model *model, gradyn_directions *d, int j, int index,
                            double value)
{
  int k = d->start[j + 1]++;
  if (k == d->capacity) {
    /* one array has the entries of all columns */
    int capacity = k ? 2 * k : 256;
    int *more = realloc(d->index, (size_t)capacity * sizeof *more);
    if (more)
      d->index = more;
    double *values = realloc(d->value, (size_t)capacity * sizeof *values);
    if (values)
      d->value = values;
    /* an array that has grown is kept, and freed with the rest */
    if (!more || !values)
      return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory for %d derivatives",
                         capacity);
    d->capacity = capacity;
  }
  d->index[k] = index;
  d->value[k] = value;
  return GRADYN_OK;
}

/* Stores column j from a build whose parameters have imaginary parts of 10^-40 times those of the column. */
static gradyn_status take_column(gradyn_model *model, const gradyn_scalar *rho, int j,
                                 gradyn_directions *d)
{
  /* Im x(rho + i 10^-40 e_j)/10^-40: exact, because the square of the step vanishes relative to 1 */
  GRADYN_TRY(gradyn_model_refresh(model, rho));
  for (int k = 0; k < model->nx; k++)
    if (cimag(model->value[k]) != 0)
      GRADYN_TRY(append(model, d, j, k, cimag(model->value[k]) / GRADYN_COMPLEX_STEP));
  return GRADYN_OK;
}

/* Computes column j by a separate build. */
static gradyn_status build_column(gradyn_model *model, gradyn_scalar *rho, int j,
                                  gradyn_directions *d)
{
  /* column j = dx/drho_j */
  const gradyn_scalar keep = rho[j];
  rho[j] += GRADYN_COMPLEX_STEP * I;
  const gradyn_status status = take_column(model, rho, j, d);
  rho[j] = keep;
  return status;
}

/* Lists the data with one owner: list[start[j]] to list[start[j + 1] - 1] for owner j. */
static void list_own(gradyn_directions *d)
{
  const int *owner = d->dependence.owner;
  int *start = d->own, *list = d->own + d->count + 2;
  memset(start, 0, ((size_t)d->count + 2) * sizeof *start);
  for (int k = 0; k < d->nx; k++)
    if (owner[k] >= 0)
      start[owner[k] + 2]++;
  /* counts, their sums, then the data in ascending order */
  for (int j = 0; j < d->count; j++)
    start[j + 2] += start[j + 1];
  for (int k = 0; k < d->nx; k++) /* start[j + 1] moves from the start of list j to its end */
    if (owner[k] >= 0)
      list[start[owner[k] + 1]++] = k;
}

/* Stores column j from the data of which parameter j is the only owner. */
static gradyn_status own_column(gradyn_model *model, int j, gradyn_directions *d)
{
  const int *start = d->own, *list = d->own + d->count + 2;
  for (int i = start[j]; i < start[j + 1]; i++)
    GRADYN_TRY(append(model, d, j, list[i], d->dependence.slope[list[i]]));
  return GRADYN_OK;
}

/* Returns whether data follow from others, such as curvatures of splines. */
static bool has_derived(const gradyn_model *model)
{
  for (int k = 0; k < model->nx; k++)
    if (model->entry[k].derived)
      return true;
  return false;
}

gradyn_status gradyn_directions_by_rho(gradyn_model *model, const gradyn_parameters *parameters,
                                       gradyn_scalar *rho, gradyn_directions *d)
{
  GRADYN_TRY(gradyn_verify_callbacks_build(model, parameters, rho));
  int count = (int)parameters->count;
  /* derived data have many owners */
  bool many = count > GRADYN_FEW_PARAMETERS && !has_derived(model);
  GRADYN_TRY(gradyn_directions_reserve(model, count, d));
  if (many)
    GRADYN_TRY(gradyn_dependence_reserve(model, count, &d->dependence));
  if (many)
    GRADYN_TRY(gradyn_dependence_find(model, rho, &d->dependence));
  if (many)
    list_own(d);
  for (int j = 0; j < count; j++) {
    d->start[j + 1] = d->start[j];
    d->scale[j] = fmax(fabs(creal(rho[j])), parameters->info[j].scale);
    /* parameters that share a datum with others get separate builds */
    GRADYN_TRY(many && !d->dependence.shared[j] ? own_column(model, j, d)
                                                : build_column(model, rho, j, d));
  }
  return GRADYN_OK;
}

gradyn_status gradyn_directions_by_line(gradyn_model *model, gradyn_scalar *rho, int count,
                                        const double *line, gradyn_directions *d)
{
  GRADYN_TRY(gradyn_directions_reserve(model, 1, d));
  d->start[1] = 0;
  d->scale[0] = 1;
  for (int j = 0; j < count; j++)
    rho[j] += GRADYN_COMPLEX_STEP * line[j] * I;
  const gradyn_status status = take_column(model, rho, 0, d);
  for (int j = 0; j < count; j++)
    rho[j] = creal(rho[j]);
  return status;
}

gradyn_status gradyn_directions_by_datum(gradyn_model *model, const int *data, int count,
                                         double *dx, gradyn_directions *d)
{
  GRADYN_TRY(gradyn_directions_reserve(model, count, d));
  for (int j = 0; j < count; j++) {
    memset(dx, 0, (size_t)model->nx * sizeof(double));
    /* x_j, then the data derived from it */
    dx[data[j]] = 1;
    gradyn_model_derive_along(model, dx);
    d->start[j + 1] = d->start[j];
    d->scale[j] = model->x[data[j]] != 0 ? fabs(model->x[data[j]]) : 1;
    for (int k = 0; k < model->nx; k++)
      if (dx[k] != 0)
        GRADYN_TRY(append(model, d, j, k, dx[k]));
  }
  return GRADYN_OK;
}

/* Round-off of derivatives that several parameters determine together. */
static const double round_off = 1e-14;

int gradyn_directions_only(const gradyn_directions *d, int datum)
{
  int found = GRADYN_DATUM_STAYS;
  for (int j = 0; j < d->count; j++)
    for (int k = d->start[j]; k < d->start[j + 1]; k++)
      if (d->index[k] == datum && d->value[k] != 0) {
        if (found != GRADYN_DATUM_STAYS || fabs(d->value[k] - 1) > round_off)
          return GRADYN_DATUM_FOLLOWS;
        found = j;
      }
  return found;
}

gradyn_status gradyn_directions_take(gradyn_model *model, const gradyn_directions *from, int j,
                                     int k, gradyn_directions *out)
{
  out->start[k + 1] = out->start[k];
  out->scale[k] = from->scale[j];
  for (int i = from->start[j]; i < from->start[j + 1]; i++)
    GRADYN_TRY(append(model, out, k, from->index[i], from->value[i]));
  return GRADYN_OK;
}
