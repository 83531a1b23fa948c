/* An evaluator of a single run, from a problem with options and settings, and how its calls begin. */
#include "adjoint/evaluator/cases.h"
#include "adjoint/evaluator/options.h"
#include "adjoint/evaluator/single.h"
#include "core/base/clock.h"
#include "core/problems/cases.h"
#include "core/problems/fit.h"
#include "core/problems/prior.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* numbers after the last parameter, which build() must not read */
enum { BEYOND = 256 };

/* Allocates the arrays of an evaluator; runs and sweeps have their own. */
static gradyn_status take_memory(gradyn_evaluator *ev)
{
  size_t p = ev->parameters.count, nx = (size_t)ev->model->nx;
  size_t nf = (size_t)ev->model->functional_count;
  ev->rho = gradyn_arena_take(&ev->arena, p + 1, sizeof *ev->rho);
  ev->x = gradyn_arena_numbers(&ev->arena, nx + 1);
  ev->active = gradyn_arena_take(&ev->arena, nx + 1, sizeof(bool));
  ev->x_bar = gradyn_arena_numbers(&ev->arena, nf * nx + 1);
  ev->public_data = gradyn_arena_take(&ev->arena, nx + 1, sizeof(int));
  ev->repetition.psi = gradyn_arena_numbers(&ev->arena, nf + 1);
  ev->repetition.moved = gradyn_arena_numbers(&ev->arena, p + 1);
  ev->sample = gradyn_arena_numbers(&ev->arena, nf + 1);
  if (gradyn_arena_status(&ev->arena) != GRADYN_OK)
    return gradyn_fail(&ev->message, GRADYN_NO_MEMORY, "out of memory for %zu data", nx);
  for (int k = 0; k < ev->model->nx; k++)
    /* users see the data that they have given, without derived data */
    if (!ev->model->entry[k].derived && !ev->model->entry[k].hidden)
      ev->public_data[ev->public_count++] = k;
  return GRADYN_OK;
}

bool gradyn_evaluator_created(const gradyn_evaluator *ev)
{
  return ev && ev->sample; /* `sample` is allocated last */
}

const double *gradyn_evaluator_point(const gradyn_evaluator *ev, const double *rho)
{
  static const double none[1] = {0};
  return rho || gradyn_parameter_count(ev) > 0 ? rho : none;
}

gradyn_status gradyn_evaluator_check_finite(gradyn_evaluator *ev, const double *rho)
{
  for (size_t j = 0; j < ev->parameters.count; j++)
    if (!isfinite(rho[j])) /* build() would report a misleading error */
      return gradyn_fail(&ev->message, GRADYN_INVALID, "parameter %s is %g: it must be finite",
                         ev->parameters.info[j].name, rho[j]);
  return GRADYN_OK;
}

gradyn_status gradyn_evaluator_begin(gradyn_evaluator *ev, const double *rho, const void *argument,
                                     const char *what)
{
  if (!gradyn_evaluator_created(ev))
    return GRADYN_INVALID;
  gradyn_message_clear(&ev->message);
  if (!gradyn_evaluator_point(ev, rho) || !argument)
    return gradyn_fail(&ev->message, GRADYN_INVALID, "%s is NULL", argument ? "rho" : what);
  return gradyn_evaluator_check_finite(ev, rho);
}

gradyn_status gradyn_evaluator_enter(gradyn_evaluator *ev, const double *rho, const void *argument,
                                     const char *what)
{
  GRADYN_TRY(gradyn_evaluator_begin(ev, rho, argument, what));
  return gradyn_evaluator_single(ev);
}

static bool asks_for(const gradyn_evaluator *ev, const char *coordinates)
{
  return ev->options.coordinates && strcmp(ev->options.coordinates, coordinates) == 0;
}

/* Creates the model of an evaluator in joint or natural coordinates, and checks the times of its data. */
static gradyn_status create_in(const gradyn_evaluator *ev, const gradyn_added_knots *added,
                               bool joint, const gradyn_scalar *rho, gradyn_model **model)
{
  const gradyn_coordinates in = !joint ? GRADYN_NATURAL
                                : ev->method->lacks & GRADYN_LACKS_MULTIPLIER_FORCES
                                    ? GRADYN_JOINT_UNLESS_READ
                                    : GRADYN_JOINT;
  const gradyn_model_settings settings = {.choice = ev->settings,
                                          .count = ev->setting_count,
                                          .joint_coordinates = in,
                                          .added = added,
                                          .cases = ev->load.read ? ev->problem->cases : NULL,
                                          .row = ev->load.row,
                                          .asked = ev->load.read,
                                          .complete = gradyn_priors_declare};
  GRADYN_TRY(gradyn_model_create_in(ev->problem, &settings, ev->options.t_end, rho, model));
  return gradyn_fits_check_times(*model);
}

/* Returns whether joint coordinates may be faster than those of a natural model. They are not tried if the
 * method does not count operations. */
static bool may_gain(const gradyn_evaluator *ev, const gradyn_model *natural)
{
  const gradyn_drawing_ops *looks = natural->ops->looks;
  return !(ev->method->lacks & GRADYN_LACKS_COUNTS) && !gradyn_choice_needs_idas(ev) && looks &&
         looks->axes(natural) == 3;
}

/* Uses joint coordinates if a stage then needs fewer operations. */
static gradyn_status create_by_count(const gradyn_evaluator *ev, const gradyn_added_knots *added,
                                     const gradyn_scalar *rho, gradyn_model **model)
{
  double count[2] = {0, 0};
  OWNED(gradyn_model) *joint = NULL;
  GRADYN_TRY(create_in(ev, added, false, rho, model));
  if (!may_gain(ev, *model) || create_in(ev, added, true, rho, &joint) != GRADYN_OK)
    return GRADYN_OK;
  joint->ops->operations(joint, count);
  gradyn_model_free(*model);
  *model = NULL;
  if (count[1] < count[0]) {
    *model = joint;
    joint = NULL;
  } else {
    /* the last build() must be that of the model, because users' functions may store values */
    GRADYN_TRY(create_in(ev, added, false, rho, model));
  }
  if (*model) /* always, but static analysis cannot know it */
    memcpy((*model)->settings.operations, count, sizeof count);
  return GRADYN_OK;
}

/* Creates the model at the initial parameters. The entry after the last parameter is `behind`. *model must
 * be NULL. */
static gradyn_status create(const gradyn_evaluator *ev, const gradyn_added_knots *added,
                            double behind, gradyn_model **model)
{
  const size_t p = ev->parameters.count;
  FREED gradyn_scalar *rho = calloc(p + BEYOND, sizeof *rho);
  if (!rho)
    return GRADYN_NO_MEMORY;
  for (size_t j = 0; j < p + BEYOND; j++)
    /* known values after the parameters reveal a build that reads them */
    rho[j] = j < p ? ev->parameters.info[j].init : behind;
  return asks_for(ev, "auto") ? create_by_count(ev, added, rho, model)
                              : create_in(ev, added, asks_for(ev, "joint"), rho, model);
}

/* Creates the model. In the first build(), NaN follows the parameters: a build that reads beyond them fails,
 * and the message says so. */
static gradyn_status build(gradyn_evaluator *ev, const gradyn_added_knots *added)
{
  const gradyn_status status = create(ev, added, (double)NAN, &ev->model);
  if (status != GRADYN_INVALID)
    return status;
  /* a build that fails with NaN and not with zeros has read beyond the parameters */
  OWNED(gradyn_model) *without = NULL;
  if (create(ev, added, 0, &without) == GRADYN_OK)
    gradyn_message_add(&ev->model->message, "build() reads beyond its %zu parameters",
                       ev->parameters.count);
  return status;
}

/* Builds at the initial parameters, then creates the method. */
static gradyn_status create_model(gradyn_evaluator *ev, const gradyn_added_knots *added)
{
  GRADYN_TRY(gradyn_evaluator_report_model(ev, build(ev, added)));
  ev->options.coordinates = gradyn_evaluator_model_info(ev).chosen; /* complete from now on */
  /* differences need no complex-step derivatives */
  ev->model->declared.trusted = ev->route == GRADYN_BY_DIFFERENCES;
  /* from now on each run checks for cancellation */
  ev->model->deadline.cancel = ev->options.cancel;
  ev->model->deadline.user = ev->options.cancel_user;
  /* checks the kind of model, and events */
  GRADYN_TRY(gradyn_evaluator_report_model(ev, gradyn_method_suits(ev->method, ev->model)));
  /* default of fixed steps: a thousandth of the run, now that t_end is known */
  if (ev->method->rtol == 0 && ev->options.step == 0)
    ev->options.step = ev->model->x[ev->model->t_end] / 1000;
  return gradyn_evaluator_report_model(ev, gradyn_choice_create(ev));
}

/* Sets the end time that the selected load case gives. */
static gradyn_status set_end(gradyn_evaluator *ev)
{
  const double asked = ev->options.t_end;
  const double end = gradyn_cases_number(ev->problem->cases, ev->load.row, "t_end", asked);
  if (asked > 0 && end != asked)
    return gradyn_fail(&ev->message, GRADYN_INVALID,
                       "end time %g s: case %s has %g s. Omit one of them", asked,
                       ev->options.only_case, end);
  ev->options.t_end = end;
  return GRADYN_OK;
}

gradyn_status gradyn_evaluator_prepare(const gradyn_problem *problem, const gradyn_options *options,
                                       const gradyn_setting_choice *settings, size_t setting_count,
                                       gradyn_evaluator **out)
{
  gradyn_evaluator *ev = *out = calloc(1, sizeof *ev);
  if (!ev)
    return GRADYN_NO_MEMORY;
  ev->problem = problem;
  GRADYN_TRY(gradyn_evaluator_inspect(ev));
  if (problem->cases)
    GRADYN_TRY(gradyn_cases_check(problem, options->only_case, &ev->message));
  GRADYN_TRY(gradyn_evaluator_settle(ev, options));
  return gradyn_evaluator_keep_settings(ev, settings, setting_count, ev->options.only_case);
}

gradyn_status gradyn_evaluator_complete(gradyn_evaluator *ev, const gradyn_added_knots *added)
{
  if (ev->load.read)
    GRADYN_TRY(set_end(ev));
  GRADYN_TRY(gradyn_parameters_create(ev->problem, ev->settings, ev->setting_count, &ev->message,
                                      &ev->parameters));
  if (ev->load.read)
    GRADYN_TRY(gradyn_cases_parameters(ev->problem, ev->load.row, &ev->parameters, &ev->message));
  GRADYN_TRY(create_model(ev, added));
  if (ev->load.read)
    GRADYN_TRY(gradyn_cases_all_read(ev->problem, &ev->parameters, ev->load.read, &ev->message));
  /* last, so that `sample` shows whether the evaluator is complete */
  return take_memory(ev);
}

static bool is_over(void *user)
{
  const gradyn_request *r = user;
  return (r->cancel && !r->heeded && r->cancel(r->user)) ||
         (r->until > 0 && gradyn_seconds() >= r->until);
}

static void ask(gradyn_evaluator *ev, bool (*cancel)(void *user), void *user)
{
  ev->options.cancel = ev->model->deadline.cancel = cancel;
  ev->options.cancel_user = ev->model->deadline.user = user;
  for (size_t k = 0; k < gradyn_case_count(ev); k++)
    ask(gradyn_case_at(ev, k).evaluator, cancel, user);
}

void gradyn_evaluator_limit(gradyn_evaluator *ev, double until, bool after_request)
{
  gradyn_request *r = &ev->request;
  if (ev->options.cancel != is_over || ev->options.cancel_user != r) {
    *r = (gradyn_request){.cancel = ev->options.cancel, .user = ev->options.cancel_user};
    ask(ev, is_over, r);
  }
  r->until = until;
  r->heeded = after_request && r->cancel && r->cancel(r->user);
}

void gradyn_evaluator_unlimit(gradyn_evaluator *ev)
{
  /* options copied from an evaluator with a deadline contain this deadline as well */
  while (ev->options.cancel == is_over) {
    const gradyn_request *r = ev->options.cancel_user;
    ask(ev, r->cancel, r->user);
  }
}

gradyn_status gradyn_evaluator_single(gradyn_evaluator *ev)
{
  return !ev->load.all ? GRADYN_OK
                       : gradyn_fail(&ev->message, GRADYN_UNSUPPORTED,
                                     "problem %s has %zu cases, and this call works with one run; "
                                     "select a case by `only_case` of the options (--case NAME)",
                                     ev->problem->name, gradyn_case_count(ev));
}

void gradyn_evaluator_free_single(gradyn_evaluator *ev)
{
  if (!ev)
    return;
  gradyn_choice_clear(ev);
  gradyn_model_free(ev->model);
  gradyn_parameters_clear(&ev->parameters);
  gradyn_directions_clear(&ev->by_rho);
  gradyn_directions_clear(&ev->repetition.second_memory.line);
  gradyn_directions_clear(&ev->repetition.second_memory.along);
  gradyn_arena_clear(&ev->repetition.second_memory.arena);
  gradyn_directions_clear(&ev->by_datum);
  gradyn_arena_clear(&ev->arena);
  free(ev->repetition.numbers);
  free(ev->repetition.log);
  free(ev->repetition.captured);
  if (ev->own)
    ev->own->release(ev->own);
  free(ev);
}
