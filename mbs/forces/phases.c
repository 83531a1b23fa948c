/* Phases: events at times that are sums of durations. A phase is a mode with a duration of its own: the
 * event that ends it is the zero of t - (start + duration), and the duration may be a parameter. */
#include <complex.h>

#include "mbs/forces/contacts.h"
#include <gradyn/events.h>

#include "core/model/declare.h"

/* t - end, which passes zero upwards. */
static gradyn_status clock(const gradyn_at *at, gradyn_scalar *value)
{
  *value = at->t - at->data[0];
  return GRADYN_OK;
}

/* A phase is a mode that a clock ends: the event's time is a datum, and so may be optimised. */
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
    gradyn_build_error(model, "phase %s is the last one: nothing follows its map", spec->name);
  if (spec->next == GRADYN_END) {
    gradyn_end_time(model, end);
    return end;
  }
  /* seen in its own mode, and what is declared next is as before */
  const unsigned scope = model->modes.scope;
  gradyn_in_mode(model, spec->mode);
  gradyn_when(model,
              &(gradyn_when_spec){.name = spec->name,
                                  .guard = {.terminal = clock, .data = &until, .data_count = 1},
                                  .direction = GRADYN_RISING,
                                  .map = spec->map,
                                  .map_count = spec->map_count,
                                  .mode = spec->next});
  model->modes.scope = scope;
  return end;
}
