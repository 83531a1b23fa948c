/* What build() tells of a design, and of itself, without a simulation. A search asks it for bounds that
 * need no run, and for parameters that do nothing. */
#include "adjoint/evaluator/numbers.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* numbers behind the last parameter, which no build() should read */
enum { BEYOND = 256 };

static bool asks_for(const gradyn_evaluator *ev, const char *coordinates)
{
  return ev->options.coordinates && strcmp(ev->options.coordinates, coordinates) == 0;
}

static gradyn_status create_in(const gradyn_evaluator *ev, bool joint, const gradyn_scalar *rho,
                               gradyn_model **model)
{
  const gradyn_coordinates in = !joint ? GRADYN_NATURAL
                                : ev->method->lacks & GRADYN_LACKS_READINGS
                                    ? GRADYN_JOINT_UNLESS_READ
                                    : GRADYN_JOINT;
  return gradyn_model_create_in(in, ev->problem, ev->settings, ev->setting_count, ev->options.t_end,
                                rho, model);
}

/* In joint coordinates where that takes fewer operations, and where the method marches a mass matrix that
 * depends on the position; whatever there is to say of the model is said in natural ones. */
static gradyn_status create_by_count(const gradyn_evaluator *ev, const gradyn_scalar *rho,
                                     gradyn_model **model)
{
  double count[2] = {0, 0};
  if (!(ev->method->lacks & GRADYN_LACKS_MASSES) && ev->route != GRADYN_BY_CONTINUOUS_ADJOINT &&
      create_in(ev, true, rho, model) == GRADYN_OK)
    (*model)->ops->operations(*model, count);
  gradyn_status status = GRADYN_OK;
  if (!(count[1] < count[0])) {
    gradyn_model_free(*model);
    status = create_in(ev, false, rho, model);
  }
  if (*model)
    memcpy((*model)->settings.operations, count, sizeof count);
  return status;
}

/* The model at the initial parameters, with `behind` in the places after the last one. */
static gradyn_status create(const gradyn_evaluator *ev, double behind, gradyn_model **model)
{
  const size_t p = ev->parameters.count;
  gradyn_scalar *rho = calloc(p + BEYOND, sizeof *rho);
  *model = NULL;
  if (!rho)
    return GRADYN_NO_MEMORY;
  for (size_t j = 0; j < p + BEYOND; j++)
    /* what lies behind the parameters is known, so that a build that reads it is found out */
    rho[j] = j < p ? ev->parameters.info[j].init : behind;
  const gradyn_status status = asks_for(ev, "auto")
                                   ? create_by_count(ev, rho, model)
                                   : create_in(ev, asks_for(ev, "joint"), rho, model);
  free(rho);
  return status;
}

/* The first build() is given NaN beside the parameters it has: reading these shows. */
gradyn_status gradyn_evaluator_build(gradyn_evaluator *ev)
{
  const gradyn_status status = create(ev, (double)NAN, &ev->model);
  if (status != GRADYN_INVALID || !ev->model)
    return status;
  /* what fails with numbers that are none, and not without them, has read them */
  gradyn_model *without = NULL;
  if (create(ev, 0, &without) == GRADYN_OK)
    gradyn_message_add(&ev->model->message, "build() reads beyond its %zu parameters",
                       ev->parameters.count);
  gradyn_model_free(without);
  return status;
}

/* build() at rho, each parameter moved by `off` of its scale. */
static gradyn_status build_at(gradyn_evaluator *ev, const double rho[], double off)
{
  /* off: a share of each parameter's scale */
  for (size_t j = 0; j < ev->parameters.count; j++)
    ev->rho[j] = rho[j] + off * ev->parameters.info[j].scale;
  gradyn_message_clear(&ev->message);
  return gradyn_evaluator_tell(ev, gradyn_model_refresh(ev->model, ev->rho));
}

bool gradyn_evaluator_is_number(const gradyn_evaluator *ev, size_t f)
{
  return gradyn_functional_is_number(&ev->model->functional[f]);
}

/* Functionals that are numbers of build(), without a run. */
gradyn_status gradyn_evaluator_numbers(gradyn_evaluator *ev, const double rho[], double psi[])
{
  GRADYN_TRY(build_at(ev, rho, 0));
  for (int f = 0; f < ev->model->functional_count; f++) {
    const gradyn_functional *functional = &ev->model->functional[f];
    /* a functional that is a datum needs no run */
    psi[f] = gradyn_functional_is_number(functional) ? creal(ev->model->value[functional->datum])
                                                     : (double)NAN;
  }
  return GRADYN_OK;
}

/* For what tells of designs that were computed elsewhere. */
gradyn_status gradyn_end_time_at(gradyn_evaluator *ev, const double rho[], double *t_end)
{
  if (!ev || !ev->sample) /* taken last: it has been created in full */
    return GRADYN_INVALID;
  if (!rho || !t_end)
    return gradyn_fail(&ev->message, GRADYN_INVALID, "%s is NULL", rho ? "t_end" : "rho");
  GRADYN_TRY(build_at(ev, rho, 0));
  *t_end = creal(ev->model->value[ev->model->t_end]);
  return gradyn_evaluator_tell(ev, gradyn_model_load(ev->model, NULL));
}

/* Which parameters change any datum: others are mistakes of the problem. */
gradyn_status gradyn_influence(gradyn_evaluator *ev, const double rho[], bool influences[])
{
  if (!ev || !ev->sample) /* taken last: it has been created in full */
    return GRADYN_INVALID;
  if (!rho || !influences)
    return gradyn_fail(&ev->message, GRADYN_INVALID, "%s is NULL", rho ? "influences" : "rho");
  /* at rho and a little off: a derivative that vanishes at a symmetric place does not do so beside it */
  const double off[2] = {0, 1e-3};
  const gradyn_directions *d = &ev->by_rho;
  memset(influences, 0, ev->parameters.count * sizeof *influences);
  for (int k = 0; k < 2; k++) {
    GRADYN_TRY(build_at(ev, rho, off[k]));
    GRADYN_TRY(gradyn_evaluator_tell(
        ev, gradyn_directions_by_rho(ev->model, &ev->parameters, ev->rho, &ev->by_rho)));
    for (int j = 0; j < d->count; j++)
      influences[j] = influences[j] || d->start[j + 1] > d->start[j];
  }
  return GRADYN_OK;
}
