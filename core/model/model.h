/* The model as the library sees it: named data, signals, functionals, and either a mechanism or
 * general equations. Built once ("declare"), then refilled with new numbers ("refresh"). */
#ifndef GRADYN_CORE_MODEL_H
#define GRADYN_CORE_MODEL_H

#include <complex.h>
#include <math.h>

#include "core/model/functional.h"
#include "core/mech/mech.h"
#include "core/base/message.h"
#include "core/model/model_ops.h"
#include "core/model/model_parts.h"
#include "core/model/number.h"
#include "core/model/discrete_state.h"
#include "core/signals/signal.h"
#include "core/signals/spline.h"
#include <gradyn/evaluate.h>
#include <gradyn/model.h>

struct gradyn_model {
  const gradyn_problem *problem;
  gradyn_model_settings settings;
  gradyn_deadline deadline;

  bool finalised; /* declarations are over: build() only refreshes numbers */
  bool failed;    /* a declaration of the present build() is wrong */
  bool exhausted; /* one of them found no memory */
  gradyn_message message;

  gradyn_data_entry *entry; /* [nx] */
  gradyn_scalar *value;     /* [nx], as the last build() left them */
  double *x;                /* [nx], real data in use */
  int nx;
  int t_end; /* its index in x */
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
  gradyn_discrete_state discrete; /* in force */
  gradyn_model_log log;
  gradyn_model_scratch scratch;

  const gradyn_model_ops *ops;
  void *impl;                               /* of the kind: the mechanism or the equations */
  gradyn_mech *mech;                        /* NULL for general equations */
  struct gradyn_equations_model *equations; /* NULL for mechanisms */
};

/* Builds the model of a problem at rho [p] and seals it. settings are borrowed for the model's life.
 * t_end: instead of the problem's, s; 0: none. *out is set even on failure (message). */
gradyn_status gradyn_model_create(const gradyn_problem *problem,
                                  const gradyn_setting_choice *settings, size_t setting_count,
                                  double t_end, const gradyn_scalar *rho, gradyn_model **out);
/* The same in joint coordinates, or natural ones, whatever the problem says. */
gradyn_status gradyn_model_create_in(gradyn_coordinates in, const gradyn_problem *problem,
                                     const gradyn_setting_choice *settings, size_t setting_count,
                                     double t_end, const gradyn_scalar *rho, gradyn_model **out);
void gradyn_model_free(gradyn_model *model);
RELEASE(gradyn_model)

/* Runs build() again at rho: fills value [nx]; fails if the structure has changed or a number is
 * not finite. */
gradyn_status gradyn_model_refresh(gradyn_model *model, const gradyn_scalar *rho);

/* Takes data x [nx] into use; NULL: those of a build with real parameters, which have to be real. */
gradyn_status gradyn_model_load(gradyn_model *model, const double *x);

/* How many further numbers the model has at a sample: see gradyn_model_ops. */
static inline size_t gradyn_model_outputs(const gradyn_model *model)
{
  return model->ops->output_count ? (size_t)model->ops->output_count(model) : 0;
}

/* Recomputes derived data in x from the others; dx of derived ones from that of the others; and x_bar of the
 * others from derived ones, both at the data in use. */
void gradyn_model_derive(const gradyn_model *model, double *x);
void gradyn_model_derive_along(const gradyn_model *model, double *dx);
void gradyn_model_derive_transposed(const gradyn_model *model, double *x_bar);

/* When the run begins, s: later than at 0 where it is a part of a motion. */
static inline double gradyn_model_start(const gradyn_model *model)
{
  return model->span.from * model->x[model->t_end];
}

/* s, when it ends unless an event ends it. */
static inline double gradyn_model_end(const gradyn_model *model)
{
  return (model->span.to > 0 ? model->span.to : 1) * model->x[model->t_end];
}

/* GRADYN_INTERRUPTED if the caller wants no more, GRADYN_STEP_LIMIT if it takes too long; to be asked at
 * each step of whatever takes long, of which t is the time, s. */
gradyn_status gradyn_model_cancelled(gradyn_model *model, double t);

/* Whether an event's guard is looked at in the present mode. */
static inline bool gradyn_event_watched(const gradyn_model *model, int event)
{
  const unsigned modes = model->event[event].modes;
  return modes == 0 || modes >> model->discrete.mode & 1;
}

/* A call of users' function `number` (-1: none) is about to be made: its arguments may be wanted, and it has
 * said nothing yet. */
static inline void gradyn_callback_note(gradyn_model *model, int number, const gradyn_at *at)
{
  model->scratch.said.text[0] = '\0';
  if (number >= 0 && model->declared.callback[number].wait-- == 0)
    gradyn_callback_keep(&model->declared.callback[number], at);
}

/* Whether it is taken at a time that does not move where the end time does. */
static inline bool gradyn_functional_stays(const gradyn_functional_entry *f)
{
  return f->instant > 0 && f->along.share == 0;
}

/* Values of all signals at t, for callbacks; u [signal_count]. */
void gradyn_model_signals(const gradyn_model *model, double t, gradyn_scalar *u);

#endif
