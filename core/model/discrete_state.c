/* Discrete states: mode, latched data and arc, entered together. The log of a run has the data latched at
 * each event, so that every point of the run can be evaluated again. */
#include "core/model/discrete_state.h"

#include <math.h>
#include <string.h>

#include "core/model/declare.h"
#include "core/model/model.h"

void gradyn_model_capture(gradyn_model *model, const char *owner, int row, unsigned modes)
{
  /* a derived datum: only jumps at events change it */
  int datum = gradyn_model_derived(model, owner, "captured", 0);
  if (model->finalised)
    return;
  const gradyn_capture capture = {row, row, datum, modes};
  gradyn_model_append(model, &model->log.captures.item, &model->log.captures.count, sizeof capture,
                      &capture);
}

/* Restores the data latched by the last of `passed` events. passed 0: the start of a run, where latched
 * data are 0. */
static void restore_captures(gradyn_model *model, int passed)
{
  const gradyn_model_captures *c = &model->log.captures; /* value [events][count] */
  for (int k = 0; k < c->count; k++)
    model->x[c->item[k].datum] = passed > 0 ? c->value[(passed - 1) * c->count + k] : 0;
}

void gradyn_discrete_state_enter_arc(gradyn_model *model, double t)
{
  model->discrete.within = t;
  model->span.arc++; /* invalidates inputs cached for the same time on another arc */
  for (int i = 0; i < model->signal_count; i++)
    gradyn_signal_enter(&model->signal[i], model->x, t);
}

void gradyn_discrete_state_enter(gradyn_model *model, gradyn_discrete_state discrete)
{
  model->discrete = discrete;
  restore_captures(model, discrete.passed);
  gradyn_discrete_state_enter_arc(model, discrete.within);
}

void gradyn_discrete_state_reset(gradyn_model *model)
{
  model->discrete = (gradyn_discrete_state){.mode = model->span.mode};
  gradyn_discrete_state_enter_arc(model, (double)NAN);
}

void gradyn_discrete_state_rewind(gradyn_model *model)
{
  gradyn_discrete_state_reset(model);
  restore_captures(model, 0);
}

gradyn_discrete_state gradyn_discrete_state_after(const gradyn_model *model,
                                                  gradyn_discrete_state before, int event)
{
  const int mode = model->event[event].mode;
  return (gradyn_discrete_state){mode >= 0 ? mode : before.mode, before.passed + 1, before.within};
}

void gradyn_discrete_state_pass(gradyn_model *model, int event)
{
  model->discrete = gradyn_discrete_state_after(model, model->discrete, event);
}

/* Records are in the order of time, so the search continues from the current position. */
void gradyn_discrete_state_follow(gradyn_model *model, double t, bool behind)
{
  const int before = model->discrete.passed;
  while (model->discrete.passed < model->log.count) {
    const gradyn_event_record *event = &model->log.record[model->discrete.passed];
    if (event->t > t || (event->t == t && !behind))
      break;
    gradyn_discrete_state_pass(model, event->event);
  }
  if (model->discrete.passed > before)
    restore_captures(model, model->discrete.passed);
}

int gradyn_discrete_state_mode_at(const gradyn_model *model, double t)
{
  int mode = model->span.mode;
  for (int i = 0; i < model->log.count && model->log.record[i].t <= t; i++) {
    const int next = model->event[model->log.record[i].event].mode;
    mode = next >= 0 ? next : mode;
  }
  return mode;
}

int gradyn_discrete_state_switch_mode(gradyn_model *model, int mode)
{
  const int before = model->discrete.mode;
  model->discrete.mode = mode;
  return before;
}
