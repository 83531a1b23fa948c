/* Vouching for derivatives of build().
 *
 * A model takes derivatives of build() by complex step, and cannot know by itself whether some are lost on
 * the way: they are compared with real numbers once (lost.h), where its columns are first made. */
#include "adjoint/vouch_build.h"

#include <complex.h>
#include <math.h>
#include <string.h>

#include "core/linear/arena.h"

/* The data as functions of the parameters. */
static gradyn_status call_build(void *self, const gradyn_scalar *rho, gradyn_scalar *x)
{
  gradyn_model *model = self;
  GRADYN_TRY(gradyn_model_refresh(model, rho));
  memcpy(x, model->value, (size_t)model->nx * sizeof *x);
  return GRADYN_OK;
}

/* Arrays of the parameters at which build() is looked at. */
typedef struct place {
  double *at, *size, *lower, *upper; /* [parameters] */
  double *terms;                     /* [nx] the largest datum of the same unit */
  gradyn_arena arena;
} place;

/* The largest datum of every unit: what cancels in others may be as large. first [nx]: room for the
 * first datum of each unit, of which there are few. */
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
      /* the maximum is gathered at the first one, then told to all */
      if (pass == 0)
        terms[first[u]] = fmax(terms[first[u]], fabs(creal(model->value[k])));
      else
        terms[k] = terms[first[u]];
    }
}

/* rho, the sizes of changes, and bounds. */
static gradyn_status take_place(const gradyn_model *model, const gradyn_parameters *parameters,
                                const gradyn_scalar *rho, place *p)
{
  /* what gradyn_looked_at wants of arguments, and room for units */
  const size_t n = parameters->count;
  double **array[] = {&p->at, &p->size, &p->lower, &p->upper};
  for (int k = 0; k < 4; k++)
    *array[k] = gradyn_arena_numbers(&p->arena, n);
  p->terms = gradyn_arena_numbers(&p->arena, (size_t)model->nx);
  int *first = gradyn_arena_take(&p->arena, (size_t)model->nx, sizeof *first);
  GRADYN_TRY(gradyn_arena_status(&p->arena));
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

gradyn_status gradyn_vouch_build(gradyn_model *model, const gradyn_parameters *parameters,
                                 const gradyn_scalar *rho)
{
  const int count = (int)parameters->count;
  if (model->declared.looked || model->declared.trusted || count == 0)
    return GRADYN_OK;
  /* every datum is a result, every parameter an argument */
  place p = {0};
  gradyn_lost_room *room = NULL;
  gradyn_lost lost = {.found = false};
  gradyn_status fatal = GRADYN_OK, status = take_place(model, parameters, rho, &p);
  if (status == GRADYN_OK)
    status = gradyn_lost_room_create(count, model->nx, &room);
  const gradyn_looked_at f = {call_build, model, count, model->nx, p.lower, p.upper, p.terms};
  if (status == GRADYN_OK)
    fatal = gradyn_lost_look(room, &f, p.at, p.size, &lost);
  else
    gradyn_fail(&model->message, status, "out of memory for %d parameters", count);
  /* the message is that of build() */
  status = fatal != GRADYN_OK ? fatal : status;
  /* what build() has said beside rho is nobody's business */
  if (status == GRADYN_OK)
    status = gradyn_model_refresh(model, rho);
  if (status == GRADYN_OK && lost.found)
    status = gradyn_fail(
        &model->message, GRADYN_INVALID,
        "build() loses a derivative: that of %s by the parameter %s is %.6g by real "
        "numbers and %.6g by complex ones: " GRADYN_LOST_REMEDY,
        model->entry[lost.result].name, parameters->info[lost.argument].name, lost.real,
        lost.stepped);
  model->declared.looked = status == GRADYN_OK;
  gradyn_lost_room_free(room);
  gradyn_arena_clear(&p.arena);
  return status;
}
