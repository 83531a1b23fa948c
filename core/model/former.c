/* Functionals of earlier versions of the interface, by measures and reductions. Their measures are hidden:
 * they have no columns in trajectories. */
#include "core/model/declare.h"
#include "core/model/event.h"
#include "core/model/model.h"
#include <gradyn/events.h>
#include <gradyn/functionals.h>

/* A hidden measure by the function fn of a spec; -1 after a build error. */
static int custom(gradyn_model *model, const gradyn_custom_functional_spec *g, bool terminal)
{
  const gradyn_functional_fn fn = terminal ? g->terminal : g->integrand,
                             other = terminal ? g->integrand : g->terminal;
  if (!fn || other || g->instant != 0) {
    gradyn_build_error(model, "%s: give %s, and neither %s nor .instant", g->name,
                       terminal ? ".terminal" : ".integrand",
                       terminal ? ".integrand" : ".terminal");
    return -1;
  }
  const int measure = gradyn_measure_custom(
      model, &(gradyn_custom_measure_spec){.name = g->name,
                                           .unit = g->unit,
                                           .formula = fn,
                                           .data = g->data,
                                           .data_count = g->data_count,
                                           .user = g->user,
                                           .points = g->points,
                                           .point_count = g->point_count,
                                           .needs_accelerations = g->needs_accelerations,
                                           .needs_multipliers = g->needs_multipliers,
                                           .positions_only = g->positions_only,
                                           .reads = g->reads,
                                           .read_count = g->read_count});
  gradyn_measure_hide(model, measure);
  return measure;
}

/* Whether a spec with a name is given. */
static bool given(gradyn_model *model, const gradyn_custom_functional_spec *g, const char *function)
{
  return gradyn_model_given(model, g, function) &&
         gradyn_model_named(model, g->name, "a functional");
}

int gradyn_smooth_maximum(gradyn_model *model, const gradyn_custom_functional_spec *g,
                          double sharpness)
{
  if (!given(model, g, "gradyn_smooth_maximum()"))
    return 0;
  const int s = custom(model, g, false);
  return s < 0 ? 0
               : gradyn_functional(model, &(gradyn_functional_spec){
                                              g->name, s, .reduction = GRADYN_SMOOTH_MAXIMUM,
                                              .sharpness = sharpness});
}

int gradyn_maximum(gradyn_model *model, const gradyn_custom_functional_spec *g)
{
  if (!given(model, g, "gradyn_maximum()"))
    return 0;
  const int s = custom(model, g, false);
  return s < 0 ? 0
               : gradyn_functional(
                     model, &(gradyn_functional_spec){g->name, s, .reduction = GRADYN_MAXIMUM});
}

int gradyn_limit(gradyn_model *model, const gradyn_custom_functional_spec *g, gradyn_scalar lower,
                 gradyn_scalar upper, double tolerance)
{
  if (!given(model, g, "gradyn_limit()"))
    return 0;
  const int s = custom(model, g, false);
  return s < 0 ? 0 : gradyn_path_constraint(model, g->name, s, lower, upper, tolerance, NULL);
}

/* A function before or after an event. */
static int at_event(gradyn_model *model, const gradyn_custom_functional_spec *g,
                    gradyn_reduction reduction, int event, int which)
{
  if (!given(model, g, "a functional at an event"))
    return 0;
  const int s = custom(model, g, true);
  return s < 0 ? 0
               : gradyn_functional(model,
                                   &(gradyn_functional_spec){g->name, s, .reduction = reduction,
                                                             .event = event, .occurrence = which});
}

int gradyn_before_event(gradyn_model *model, const gradyn_custom_functional_spec *g, int event,
                        int which)
{
  return at_event(model, g, GRADYN_BEFORE_EVENT, event, which);
}

int gradyn_after_event(gradyn_model *model, const gradyn_custom_functional_spec *g, int event,
                       int which)
{
  return at_event(model, g, GRADYN_AFTER_EVENT, event, which);
}
