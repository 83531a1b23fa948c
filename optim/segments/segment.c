/* The problem of a part: the user's build(), with the start moved, and with what functionals take elsewhere
 * left out. Integrals add up over the parts; what is taken at the end of the motion is the last part's,
 * and what is taken at its start the first one's. */
#include "optim/segments/segment.h"

#include <stdlib.h>
#include <string.h>

#include "adjoint/evaluator/vouch.h"
#include "core/equations/equations.h"
#include "core/model/declare.h"

/* --- What can be divided ------------------------------------------------------------------------ */

/* Why a functional is not a sum over parts; NULL: it is. */
static const char *undivided(const gradyn_functional *f)
{
  return f->maximum         ? "is a maximum over the whole motion"
         : f->sharpness > 0 ? "is a smooth maximum over the whole motion"
         : f->which > 0     ? "is taken at an event"
         : f->instant > 0   ? "is taken at an instant"
                            : NULL;
}

gradyn_status gradyn_segment_suits(const gradyn_evaluator *whole, gradyn_message *message)
{
  const gradyn_model *model = whole->model;
  if (model->equations == NULL)
    return gradyn_fail(message, GRADYN_UNSUPPORTED,
                       "mechanisms do not run in segments yet: general equations do");
  if (model->event_count > 0)
    return gradyn_fail(message, GRADYN_UNSUPPORTED,
                       "motions with events do not run in segments: there is %s",
                       model->event[0].name);
  for (int k = 0; k < model->functional_count; k++) {
    const gradyn_functional *f = &model->functional[k];
    if (undivided(f) != NULL)
      return gradyn_fail(message, GRADYN_UNSUPPORTED, "%s %s, which is no sum over segments",
                         f->name, undivided(f));
  }
  return GRADYN_OK;
}

/* --- The problem ---------------------------------------------------------------------------------- */

/* Leaves of a functional what belongs to the part. */
static void tailor(const gradyn_segment *s, gradyn_functional *f)
{
  const bool here = f->from_start ? s->from == 0 : s->to == 1;
  if (!here)
    f->terminal = NULL;
  f->from_start = f->from_start && here;
  if (f->terminal == NULL && f->integrand == NULL)
    f->data_only = true;
}

static gradyn_status build(gradyn_model *model, const gradyn_scalar rho[])
{
  const gradyn_segment *s = (const gradyn_segment *)model->problem; /* its first member */
  const gradyn_status status = s->of->build(model, rho);
  model->span.from = s->from;
  model->span.to = s->to;
  for (int k = 0; k < model->functional_count && !model->sealed; k++)
    tailor(s, &model->functional[k]);
  for (size_t i = 0; i < s->states; i++) {
    const gradyn_unknown *state = &s->whole->model->equations->unknown[s->state[i]];
    gradyn_functional *f;
    gradyn_state_functional(model, gradyn_name(model, "end of %.60s", state->name), s->state[i],
                            &f);
    /* where the part begins is a parameter, whatever build() says of the start of the whole */
    if (s->from > 0 && status == GRADYN_OK)
      model->value[state->datum] = rho[s->whole->parameters.count + i];
  }
  return status;
}

/* Parameters of the whole, and one row more: the states at the start. */
static bool extend_parameters(gradyn_segment *s)
{
  const size_t count = s->of->param_count;
  s->params = calloc(count + 1, sizeof *s->params);
  if (s->params == NULL)
    return false;
  if (count > 0)
    memcpy(s->params, s->of->params, count * sizeof *s->params);
  s->params[count] = (gradyn_param){.name = "start of the segment",
                                    .unit = "",
                                    .role = GRADYN_INITIAL_STATE,
                                    .count = (int)s->states};
  s->problem.params = s->params;
  s->problem.param_count = count + (s->from > 0);
  return true;
}

gradyn_status gradyn_segment_create(size_t k, size_t count, const char *method,
                                    gradyn_message *message, gradyn_segment *out)
{
  const gradyn_evaluator *whole = out->whole;
  out->problem = *whole->problem;
  out->of = whole->problem;
  out->from = (double)k / (double)count;
  out->to = (double)(k + 1) / (double)count;
  out->problem.build = build;
  gradyn_options options = whole->options;
  options.method = method;
  if (!extend_parameters(out))
    return gradyn_fail(message, GRADYN_NO_MEMORY, "out of memory");
  const gradyn_status status = gradyn_evaluator_create(&out->problem, &options, whole->settings,
                                                       whole->setting_count, &out->evaluator);
  if (status != GRADYN_OK)
    return gradyn_fail(message, status, "segment %zu: %s", k + 1,
                       gradyn_evaluator_message(out->evaluator));
  gradyn_vouch_alike(whole, out->evaluator);
  return GRADYN_OK;
}

void gradyn_segment_clear(gradyn_segment *s)
{
  gradyn_evaluator_free(s->evaluator);
  free(s->params);
}
