/* The method `auto`: the explicit one where it gets to the end of the run at the initial data with a
 * moderate number of steps, `idas` where it meets stiffness there. Chosen once, so that every result
 * depends on the data alone; a later run that turns out to be stiff is given to `idas` as well. */
#include <stdlib.h>
#include <string.h>

#include "adjoint/explicit_method.h"
#include "adjoint/method.h"

/* Steps that the explicit method may be going to take in the trial: with twelve evaluations each they
 * cost as much as some hundred thousand of idas. */
enum { MOST_STEPS = 20000 };

typedef struct auto_method {
  gradyn_model *model;
  const gradyn_method *first; /* what the trial has chosen */
  const gradyn_method *last;  /* what the last run was done with */
  gradyn_options options;
  void *quick, *patient; /* the objects of `explicit` and `idas`; NULL: not needed yet */
} auto_method;

static void free_method(void *self)
{
  auto_method *s = self;
  if (!s)
    return;
  gradyn_explicit_method.free(s->quick);
  gradyn_idas_method.free(s->patient);
  free(s);
}

/* The object of idas, made when it is first needed. */
static gradyn_status reserve_patient(auto_method *s)
{
  if (s->patient)
    return GRADYN_OK;
  gradyn_status status = gradyn_idas_method.create(s->model, &s->options, &s->patient);
  if (status == GRADYN_OK)
    return status;
  gradyn_idas_method.free(s->patient);
  s->patient = NULL;
  return status;
}

/* Whether a run of the explicit method ended for want of stability or of steps, or cannot be done. */
static bool wants_patience(gradyn_status status)
{
  return status == GRADYN_STIFF || status == GRADYN_STEP_LIMIT || status == GRADYN_UNSUPPORTED;
}

static gradyn_status create(gradyn_model *model, const gradyn_options *options, void **out)
{
  auto_method *s = *out = calloc(1, sizeof *s);
  if (!s)
    return gradyn_fail(&model->message, GRADYN_NO_MEMORY, "out of memory");
  s->model = model;
  s->options = *options;
  s->options.step = 0;
  s->first = s->last = &gradyn_explicit_method;
  if (model->event_count > 0) { /* which the explicit one does not know */
    s->first = s->last = &gradyn_idas_method;
    return reserve_patient(s);
  }
  gradyn_status status = gradyn_explicit_method.create(model, &s->options, &s->quick);
  if (status == GRADYN_OK)
    status = gradyn_model_load(model, NULL);
  if (status != GRADYN_OK)
    return status;
  status = gradyn_explicit_trial(s->quick, MOST_STEPS);
  if (status == GRADYN_INTERRUPTED)
    return status;
  if (!wants_patience(status)) {
    gradyn_message_clear(&model->message); /* whatever it was, the first run will say it */
    return GRADYN_OK;
  }
  s->first = s->last = &gradyn_idas_method;
  gradyn_message_clear(&model->message);
  return reserve_patient(s);
}

/* Runs what `call` does with one of the two. */
typedef gradyn_status run_fn(const gradyn_method *method, void *self, void *what);

static gradyn_status run(auto_method *s, run_fn *call, void *what)
{
  gradyn_status status = GRADYN_STIFF;
  if (s->first == &gradyn_explicit_method) {
    s->last = s->first;
    status = call(s->last, s->quick, what);
  }
  if (!wants_patience(status))
    return status;
  gradyn_message_clear(&s->model->message);
  status = reserve_patient(s);
  s->last = &gradyn_idas_method;
  return status == GRADYN_OK ? call(s->last, s->patient, what) : status;
}

/* --- what a method does ------------------------------------------------------------------------- */

typedef struct request {
  const gradyn_directions *directions;
  const bool *active;
  double *psi, *out;
  gradyn_trajectory *trajectory;
} request;

static gradyn_status call_simulate(const gradyn_method *method, void *self, void *what)
{
  request *r = what;
  return method->simulate(self, r->psi, r->trajectory);
}

static gradyn_status call_direct(const gradyn_method *method, void *self, void *what)
{
  request *r = what;
  return method->direct(self, r->directions, r->psi, r->out);
}

static gradyn_status call_adjoint(const gradyn_method *method, void *self, void *what)
{
  request *r = what;
  return method->adjoint(self, r->active, r->psi, r->out);
}

static gradyn_status simulate(void *self, double *psi, gradyn_trajectory *trajectory)
{
  return run(self, call_simulate, &(request){.psi = psi, .trajectory = trajectory});
}

static gradyn_status direct(void *self, const gradyn_directions *directions, double *psi,
                            double *gradient)
{
  return run(self, call_direct, &(request){.directions = directions, .psi = psi, .out = gradient});
}

static gradyn_status adjoint(void *self, const bool *active, double *psi, double *x_bar)
{
  return run(self, call_adjoint, &(request){.active = active, .psi = psi, .out = x_bar});
}

static int order(const void *self)
{
  const auto_method *s = self;
  return s->last == &gradyn_explicit_method ? s->last->order(s->quick) : 0;
}

static gradyn_status repeat(void *self, int merge, int parts)
{
  return gradyn_explicit_method.repeat(((auto_method *)self)->quick, merge, parts);
}

static const double *growth(const void *self)
{
  return gradyn_explicit_method.growth(((const auto_method *)self)->quick);
}

static const double *corners(const void *self)
{
  return gradyn_explicit_method.corners(((const auto_method *)self)->quick);
}

static gradyn_statistics statistics(const void *self)
{
  const auto_method *s = self;
  gradyn_statistics statistics = s->last->statistics(
      s->last == &gradyn_explicit_method ? s->quick : s->patient);
  statistics.method = s->last->name;
  return statistics;
}

const gradyn_method gradyn_auto_method = {.name = "auto",
                                          .summary = "explicit or, where the motion is stiff, idas",
                                          .mechanical = true,
                                          .general = true,
                                          .events = true,
                                          .rtol = 1e-8,
                                          .atol = 1e-10,
                                          .create = create,
                                          .free = free_method,
                                          .simulate = simulate,
                                          .direct = direct,
                                          .adjoint = adjoint,
                                          .statistics = statistics,
                                          .order = order,
                                          .repeat = repeat,
                                          .growth = growth,
                                          .corners = corners};
