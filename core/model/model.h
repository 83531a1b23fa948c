/* The model inside the library: named data, signals, functionals, and either a mechanism or general
 * equations. The first build() declares its structure; later builds refresh its numbers. */
#ifndef GRADYN_CORE_MODEL_H
#define GRADYN_CORE_MODEL_H

#include <complex.h>
#include <math.h>

#include "core/model/measure.h"
#include "core/mech/mech.h"
#include "core/base/message.h"
#include "core/model/model_ops.h"
#include "core/model/model_parts.h"
#include "core/model/discrete_state.h"
#include "core/signals/signal.h"
#include "core/signals/spline.h"
#include <gradyn/evaluate.h>
#include <gradyn/model.h>

struct gradyn_model {
  const gradyn_problem *problem;
  gradyn_model_settings settings;
  gradyn_deadline deadline;

  bool finalised; /* declarations are complete: build() only refreshes numbers */
  bool failed;    /* a declaration of the present build() is wrong */
  bool exhausted; /* memory was exhausted in a declaration of the present build() */
  gradyn_message message;

  gradyn_data_entry *entry; /* [nx] */
  gradyn_scalar *value;     /* [nx], values of the last build() */
  double *x;                /* [nx], real data in use */
  int nx;
  int t_end; /* index of the end time in x */
  gradyn_model_span span;
  gradyn_model_declared declared;
  gradyn_model_names names;
  gradyn_model_cursor cursor;

  gradyn_waveform *signal; /* [signal_count] */
  int signal_count;
  gradyn_functional_entry *functional; /* [functional_count] */
  int functional_count;
  gradyn_event_entry *event; /* [event_count] */
  int event_count;
  gradyn_model_modes modes;
  gradyn_discrete_state discrete; /* current */
  gradyn_model_log log;
  gradyn_model_scratch scratch;

  const gradyn_model_ops *ops;
  void *impl;                               /* the mechanism or the equations, by kind */
  gradyn_mech *mech;                        /* NULL for general equations */
  struct gradyn_equations_model *equations; /* NULL for mechanisms */
};

/* Builds the model of a problem at rho [parameters] and finalises it. problem and settings [setting_count]
 * are borrowed for the life of the model. t_end: replaces the end time of the problem, s; 0: no
 * replacement. *out is set even on failure, because it has the message, and must be freed; NULL only if
 * memory is exhausted. Errors: GRADYN_INVALID, the problem or its declarations are wrong;
 * GRADYN_UNSUPPORTED in these coordinates; GRADYN_NO_MEMORY; the status of build(). */
gradyn_status gradyn_model_create(const gradyn_problem *problem,
                                  const gradyn_setting_choice *settings, size_t setting_count,
                                  double t_end, const gradyn_scalar *rho, gradyn_model **out);

/* Builds the model of a problem at rho [parameters], as gradyn_model_create(), in the coordinates of
 * *settings instead of those of the problem. *settings is copied, its arrays are kept for the life of the
 * model. t_end: replaces the end time, s; 0: none. *out is set even on failure, and must be freed. Errors:
 * those of gradyn_model_create(). */
gradyn_status gradyn_model_create_in(const gradyn_problem *problem,
                                     const gradyn_model_settings *settings, double t_end,
                                     const gradyn_scalar *rho, gradyn_model **out);

/* Frees a model and all it owns; NULL: no effect. */
void gradyn_model_free(gradyn_model *model);
RELEASE(gradyn_model)

/* Runs build() again at rho [parameters], which fills `value` [nx] but not x. GRADYN_INVALID: the structure
 * has changed, a number is not finite, or another build error; GRADYN_NO_MEMORY; the status of build(). After
 * an error `value` is incomplete, and x stays. */
gradyn_status gradyn_model_refresh(gradyn_model *model, const gradyn_scalar *rho);

/* Copies x [nx] to model->x, the data in use. x NULL: the values of the last build(). Also enters the
 * discrete state at the start of a run, without changing latched data, and discards the times of maxima.
 * GRADYN_INVALID: a value of build() is not real. Other errors: failures of the model's load(). */
gradyn_status gradyn_model_load(gradyn_model *model, const double *x);

/* Returns the number of further outputs of the model at a sample; see gradyn_model_ops. */
static inline size_t gradyn_model_outputs(const gradyn_model *model)
{
  return model->ops->output_count ? (size_t)model->ops->output_count(model) : 0;
}

/* Recomputes the derived data in x [nx], second derivatives of cubic splines, from the other entries. */
void gradyn_model_derive(const gradyn_model *model, double *x);

/* Recomputes the second derivatives of cubic splines in model->value from its other entries, with imaginary
 * parts. */
void gradyn_model_derive_values(const gradyn_model *model);

/* Sets the changes of the second derivatives of splines in dx [nx] from the other changes, at the data in
 * use. Overwrites `value` of splines. */
void gradyn_model_derive_along(const gradyn_model *model, double *dx);

/* Adds the adjoints of the second derivatives of splines in x_bar [nx] to the other adjoints, at the data
 * in use, and overwrites the adjoints of the second derivatives. */
void gradyn_model_derive_transposed(const gradyn_model *model, double *x_bar);

/* Returns the start of the run, s; later than 0 for a segment of a motion. */
static inline double gradyn_model_start(const gradyn_model *model)
{
  return model->span.from * model->x[model->t_end];
}

/* Returns the end of the run, s, unless an event ends the run earlier. */
static inline double gradyn_model_end(const gradyn_model *model)
{
  return (model->span.to > 0 ? model->span.to : 1) * model->x[model->t_end];
}

/* Checks whether a run that has reached t, s, must end; every long loop calls this function at each step.
 * Errors, with a message: GRADYN_INTERRUPTED, the caller requested an end; GRADYN_STEP_LIMIT, the deadline
 * has passed. */
gradyn_status gradyn_model_cancelled(gradyn_model *model, double t);

/* Returns whether the guard of the event with index `event` is evaluated in the current mode. */
static inline bool gradyn_event_watched(const gradyn_model *model, int event)
{
  const unsigned modes = model->event[event].modes;
  return modes == 0 || modes >> model->discrete.mode & 1;
}
/* To be called before each call of users' function `number` (-1: none). Clears the text of
 * gradyn_callback_error() and stores the arguments if this call is selected. */
static inline void gradyn_callback_note(gradyn_model *model, int number, const gradyn_at *at)
{
  model->scratch.said.text[0] = '\0';
  if (number >= 0 && model->declared.callback[number].wait-- == 0)
    gradyn_callback_keep(&model->declared.callback[number], at);
}
/* Returns whether a functional is evaluated at a fixed time, which moves neither with the end time nor by a
 * delay. */
static inline bool gradyn_functional_stays(const gradyn_functional_entry *f)
{
  return f->instant > 0 && f->along.share == 0 && f->ride.fraction >= 0;
}
/* Sets u [1 + signal_count], by ids, to the values of all signals at t, s, for the data in use; u[0] is not
 * set. */
void gradyn_model_signals(const gradyn_model *model, double t, gradyn_scalar *u);

#endif
