/* The way to gradients, direct or adjoint: as named, or whichever is less work. */
#include "adjoint/evaluator/evaluator.h"

#include <math.h>
#include <string.h>

#include "core/linear/lanes.h"

static const char *const route_name[] = {[GRADYN_BY_ADJOINT] = "adjoint",
                                         [GRADYN_BY_DIRECT] = "direct",
                                         [GRADYN_BY_CONTINUOUS_ADJOINT] = "continuous-adjoint",
                                         [GRADYN_BY_DIFFERENCES] = "differences"};

/* Both methods of a choice offer the same, and are priced as the one that is tried first. */
static const gradyn_method *method_of(const gradyn_evaluator *ev)
{
  const gradyn_method *method = gradyn_method_find(ev->options.method);
  return method->among ? *method->among : method;
}

gradyn_status gradyn_evaluator_settle_route(gradyn_evaluator *ev)
{
  return gradyn_route_settle(ev, method_of(ev));
}

gradyn_status gradyn_route_settle(gradyn_evaluator *ev, const gradyn_method *method)
{
  int route = 0;
  ev->either_route = false;
  if (strcmp(ev->options.sensitivity, "auto") == 0) {
    ev->either_route = method->adjoint && method->direct;
    ev->route = method->adjoint  ? GRADYN_BY_ADJOINT
                : method->direct ? GRADYN_BY_DIRECT
                                 : GRADYN_BY_DIFFERENCES;
    return GRADYN_OK;
  }
  /* names in the order of the routes */
  while (route < GRADYN_ROUTES && strcmp(route_name[route], ev->options.sensitivity) != 0)
    route++;
  if (route == GRADYN_ROUTES)
    return gradyn_fail(&ev->message, GRADYN_INVALID,
                       "there is no sensitivity called '%s'; there are auto, adjoint, direct, "
                       "continuous-adjoint and differences",
                       ev->options.sensitivity);
  ev->route = (gradyn_route)route;
  const bool offered[] = {[GRADYN_BY_ADJOINT] = method->adjoint != NULL,
                          [GRADYN_BY_DIRECT] = method->direct != NULL,
                          [GRADYN_BY_CONTINUOUS_ADJOINT] = method->continuous_adjoint != NULL,
                          [GRADYN_BY_DIFFERENCES] = true};
  if (!offered[route])
    return gradyn_fail(&ev->message, GRADYN_UNSUPPORTED, "the method %s has no %s sensitivities",
                       ev->options.method, ev->options.sensitivity);
  return GRADYN_OK;
}

/* Adjoint sweeps tell more, and prices depend on the model: direct ones have to be clearly cheaper. */
static const double clearly = 0.7;

/* Packs of lanes. */
static double packs(size_t count)
{
  return ceil((double)count / GRADYN_LANES);
}

static gradyn_route cheaper_route(const gradyn_evaluator *ev, size_t columns, size_t functionals)
{
  const gradyn_method *method = method_of(ev);
  const gradyn_price *price = ev->model->mech ? &method->price_mechanical : &method->price_general;
  /* the march, then a sweep forward or back */
  const double direct = 1 + price->along + price->pack_along * packs(columns);
  const double adjoint = 1 + price->back + price->pack_back * packs(functionals);
  return direct < clearly * adjoint ? GRADYN_BY_DIRECT : GRADYN_BY_ADJOINT;
}

void gradyn_evaluator_take_route(gradyn_evaluator *ev, size_t columns)
{
  size_t functionals = 0;
  if (!ev->either_route)
    return;
  for (int f = 0; f < ev->model->functional_count; f++)
    functionals += !ev->model->functional[f].skipped;
  ev->route = cheaper_route(ev, columns, functionals);
}

const char *gradyn_evaluator_sensitivity(const gradyn_evaluator *ev, size_t functionals)
{
  if (!ev || !ev->sample)
    return "";
  return route_name[ev->either_route ? cheaper_route(ev, ev->parameters.count, functionals)
                                     : ev->route];
}
