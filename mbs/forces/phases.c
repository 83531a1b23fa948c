/* Phases: events at times that are sums of durations. A phase is a mode with a duration. The event that ends
 * it is at the zero of t - (start + duration); the duration may be a parameter. */
#include <complex.h>

#include "mbs/forces/contacts.h"
#include <gradyn/events.h>

#include "core/model/declare.h"

/* Guard of a phase: t - end, which rises through zero. */
static gradyn_status clock(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->t - at->data[0];
  return GRADYN_OK;
}

/* Declares a phase. The time of the event at its end is a datum, so that it can be optimised. */
gradyn_scalar gradyn_phase(gradyn_model *model, const gradyn_phase_spec *spec)
{
  if (!gradyn_model_given(model, spec, "gradyn_phase()") ||
      !gradyn_model_named(model, spec->name, "a phase"))
    return 0;
  const gradyn_scalar end = spec->start + spec->duration;
  const gradyn_datum until = {"end", "s", end};
  if (!(creal(spec->duration) > 0))
    gradyn_build_error(model, "phase %s lasts %g s: give its duration a lower bound above 0",
                       spec->name, creal(spec->duration));
  if (spec->next == GRADYN_END && spec->map_count > 0)
    gradyn_build_error(model, "phase %s is the last one, so its map has no effect. Remove the map",
                       spec->name);
  if (spec->next == GRADYN_END) {
    gradyn_end_time(model, end);
    return end;
  }
  /* the event belongs to the mode of the phase; later declarations belong to the modes that were selected
   * before this call */
  if (spec->mode != GRADYN_EVERY_MODE && !gradyn_mode_check(model, spec->name, spec->mode))
    return end;
  const unsigned scope = model->modes.scope;
  model->modes.scope = gradyn_modes_of(spec->mode);
  gradyn_event(model,
               &(gradyn_event_spec){.name = spec->name,
                                    .guard = {.terminal = clock, .data = &until, .data_count = 1},
                                    .direction = GRADYN_RISING,
                                    .map = spec->map,
                                    .map_count = spec->map_count,
                                    .mode = spec->next});
  model->modes.scope = scope;
  return end;
}
