/* Inspection of a model after an evaluation, for reports: drawables, signals, energy and constraint
 * violations of a motion. No evaluation depends on it. */
#include <math.h>
#include <stdlib.h>

#include "adjoint/evaluator/evaluator.h"
#include "core/mech/size.h"
#include <gradyn/inspect.h>

/* Returns the operations that describe drawable parts of the model; NULL before its structure is finalised,
 * and for general equations. */
static const gradyn_drawing_ops *looks_of(const gradyn_evaluator *ev)
{
  return ev && ev->model && ev->model->finalised ? ev->model->ops->looks : NULL;
}

gradyn_drawn_point gradyn_drawn_point_at(const gradyn_evaluator *ev, size_t i)
{
  const gradyn_drawing_ops *looks = looks_of(ev);
  if (!looks || i >= (size_t)looks->points(ev->model))
    /* beyond the last one: an empty name */
    return (gradyn_drawn_point){.name = ""};
  return looks->point(ev->model, (int)i);
}

void gradyn_drawables_visit(const gradyn_evaluator *ev, gradyn_drawable_fn visit, void *user)
{
  const gradyn_drawing_ops *looks = looks_of(ev);
  if (looks && visit)
    looks->draw(ev->model, visit, user);
}

/* --- signals ----------------------------------------------------------------------------------- */

/* Returns the number of signals of the model; 0 before its structure is finalised. */
static size_t signals_of(const gradyn_evaluator *ev)
{
  return ev && ev->model && ev->model->finalised ? (size_t)ev->model->signal_count : 0;
}

/* A signal with its knots at the present parameters. */
gradyn_signal_info gradyn_signal_at(const gradyn_evaluator *ev, size_t i)
{
  if (i >= signals_of(ev))
    return (gradyn_signal_info){.name = "", .unit = ""};
  /* knots are consecutive data, borrowed from x */
  const gradyn_waveform *s = &ev->model->signal[i];
  const double *x = ev->model->x;
  const bool linked = s->timed && s->kind != GRADYN_PIECEWISE_CONSTANT;
  return (gradyn_signal_info){.name = s->name,
                              .unit = ev->model->entry[s->knot].unit,
                              .kind = s->kind,
                              .count = s->count,
                              .knots = x + s->knot,
                              .times = s->timed ? x + s->time : NULL,
                              .t_start = gradyn_signal_knot_time(s, x, 0),
                              .t_end = linked ? x[s->time + s->count - 1] : x[s->t_end],
                              .integer = s->integer,
                              .one_of = s->one_of};
}

double gradyn_signal_sample(const gradyn_evaluator *ev, size_t i, double t)
{
  if (i >= signals_of(ev))
    return 0;
  /* a copy, so that the signal of the model stays on its arc */
  gradyn_waveform by_time = ev->model->signal[i];
  by_time.piece = -1; /* the last run left the signal on the piece of its last arc */
  return gradyn_signal_value(&by_time, ev->model->x, t, 0);
}

/* --- condition of a motion --------------------------------------------------------------------- */

/* Computes energy and constraint violations at the state y; phi [m] is workspace. */
static gradyn_status examine_state(gradyn_evaluator *ev, double t, const double *y, double *phi,
                                   gradyn_invariants *out)
{
  gradyn_mech *mech = ev->model->mech;
  int n = mech->n;
  /* columns begin with y = (q, v, a, lam) */
  const gradyn_mech_state at = {.t = t, .q = y, .v = y + n, .a = y + 2 * n, .lam = y + 3 * n};
  GRADYN_TRY(ev->model->ops->looks->energy(ev->model, &(gradyn_sample){.t = t, .y = y},
                                           &out->kinetic, &out->potential));
  double worst[2] = {0, 0};
  /* max |Phi| and max |Phi'| */
  GRADYN_TRY(gradyn_mech_drift(mech, &at, 2, phi, worst));
  out->drift_position = worst[0];
  out->drift_velocity = worst[1];
  return GRADYN_OK;
}

/* Computes energy and constraint violations at each row of a trajectory. */
gradyn_status gradyn_invariants_compute(gradyn_evaluator *ev, const gradyn_trajectory *trajectory,
                                        gradyn_invariants *condition)
{
  if (!gradyn_evaluator_created(ev))
    return GRADYN_INVALID;
  gradyn_message_clear(&ev->message);
  if (!trajectory || !condition)
    return gradyn_fail(&ev->message, GRADYN_INVALID,
                       "%s is NULL; trajectory and condition are needed",
                       trajectory ? "condition" : "trajectory");
  if (!looks_of(ev) || !ev->model->mech)
    return gradyn_fail(&ev->message, GRADYN_UNSUPPORTED,
                       "general equations have no energy and no constraints to examine");
  gradyn_model *model = ev->model;
  size_t steps = gradyn_trajectory_read(trajectory).steps,
         columns = gradyn_trajectory_read(trajectory).columns;
  /* states, then outputs of the model */
  size_t expected = (size_t)model->ops->state_count(model) + gradyn_model_outputs(model);
  if (columns != expected)
    return gradyn_fail(
        &ev->message, GRADYN_INVALID,
        "trajectory: %zu columns; this problem has %zu. Use a trajectory of this problem", columns,
        expected);
  /* a state, then workspace for constraints */
  FREED double *state = calloc(columns + (size_t)model->mech->m + 1, sizeof *state);
  if (!state)
    return gradyn_fail(&ev->message, GRADYN_NO_MEMORY, "out of memory");
  /* signals are evaluated by time, and modes follow the log from the start of the run */
  gradyn_discrete_state_rewind(model);
  double last = (double)NAN;
  for (size_t i = 0; i < steps; i++) {
    double t = gradyn_trajectory_step(trajectory, i, state);
    /* an event has two rows, just before and just after it */
    gradyn_discrete_state_follow(model, t, t == last);
    last = t;
    const gradyn_status status = examine_state(ev, t, state, state + columns, &condition[i]);
    if (status != GRADYN_OK)
      return gradyn_fail(&ev->message, status, "%s", model->message.text);
  }
  return GRADYN_OK;
}
