/* Problem, settings and options of an evaluator: defaults, values that depend on the method, and checks.
 * Invalid combinations are refused here, with a message, before a model is built. */
#include "adjoint/evaluator/options.h"

#include <math.h>
#include <string.h>

#include "core/base/layout.h"
#include "core/base/names.h"
#include "core/base/nearest.h"
#include "core/problems/cases.h"
#include "core/problems/layout.h"
#include "dae/ali3p/ali3p.h"

/* Names at addresses of their own: they distinguish the method of a problem from the same name given by a
 * user. */
#define OWN_NAME(id) #id,
static const char own_names[][16] = {GRADYN_METHODS(OWN_NAME)};
enum { OWN_NAMES = sizeof own_names / sizeof *own_names };

/* Returns the own name of a method; for an unknown method the name itself. */
static const char *own_name(const char *method)
{
  for (size_t i = 0; i < OWN_NAMES; i++)
    if (strcmp(own_names[i], method) == 0)
      return own_names[i];
  return method;
}

bool gradyn_options_name_method(const gradyn_options *options)
{
  for (size_t i = 0; i < OWN_NAMES; i++)
    if (options->method == own_names[i])
      return false;
  return options->method != NULL;
}

/* The problem's recommendations, otherwise the usual defaults. */
void(gradyn_options_default)(const gradyn_problem *problem, gradyn_options *options)
{
  const gradyn_problem none = {0};
  /* a problem of another layout is refused by the evaluator */
  problem = problem && problem->struct_size == sizeof *problem ? problem : &none;
  if (options && options->struct_size == sizeof *options)
    *options = (gradyn_options){.struct_size = sizeof *options,
                                .method = own_name(problem->method ? problem->method : "auto"),
                                .sensitivity = "auto",
                                .rtol = problem->rtol,
                                .atol = problem->atol,
                                .step = problem->step != 0 ? (double)NAN : 0,
                                .coordinates = problem->coordinates ? problem->coordinates : "auto",
                                .integrator_parameter = (double)NAN,
                                .quadrature = 0.5};
}

/* Checks names and counts of a problem; the rest is checked where it is used. */
gradyn_status gradyn_evaluator_inspect(gradyn_evaluator *ev)
{
  const gradyn_problem *problem = ev->problem;
  if (!problem)
    return gradyn_fail(&ev->message, GRADYN_INVALID, "no problem is given");
  GRADYN_TRY(gradyn_problem_check_layout(problem, &ev->message));
  if (!problem->name || !*problem->name)
    return gradyn_fail(&ev->message, GRADYN_INVALID, "the problem has no name");
  const char *fault = gradyn_name_fault(problem->name);
  /* the message shows the name with unprintable characters replaced */
  char quoted[100];
  gradyn_name_quote(problem->name, quoted, sizeof quoted);
  if (fault)
    return gradyn_fail(&ev->message, GRADYN_INVALID, "the name \"%s\" %s", quoted, fault);
  /* wrong counts would cause reads beyond the lists */
  if ((problem->param_count > 0 && !problem->params) ||
      (problem->setting_count > 0 && !problem->settings))
    return gradyn_fail(&ev->message, GRADYN_INVALID,
                       "problem %s: %zu parameters and %zu settings; their arrays must not be NULL",
                       quoted, problem->param_count, problem->setting_count);
  return GRADYN_OK;
}

/* Finds the only load case, and replaces settings by its own. */
static gradyn_status enter_case(gradyn_evaluator *ev, const char *only)
{
  const gradyn_problem *problem = ev->problem;
  const size_t count = problem->cases ? problem->cases->count : 0;
  const size_t row = count > 0 ? gradyn_cases_find(problem->cases, only) : 0;
  gradyn_nearest nearest = {.requested = only};
  for (size_t i = 0; i < count && row == count; i++)
    gradyn_nearest_try(&nearest, problem->cases->names[i]);
  if (row == count)
    return gradyn_fail(&ev->message, GRADYN_INVALID, "problem %s has no case %s%s%s%s",
                       problem->name, only, nearest.best ? "; did you mean " : "",
                       nearest.best ? nearest.best : "", nearest.best ? "?" : "");
  ev->load.read = gradyn_arena_take(&ev->arena, problem->cases->column_count + 1,
                                    sizeof *ev->load.read);
  if (!ev->load.read)
    return gradyn_fail(&ev->message, GRADYN_NO_MEMORY, "out of memory");
  ev->load.row = row;
  return gradyn_cases_settings(problem, row, ev->settings, &ev->setting_count, &ev->message);
}

/* Copies the settings, which stay constant during the lifetime of an evaluator. */
gradyn_status gradyn_evaluator_keep_settings(gradyn_evaluator *ev,
                                             const gradyn_setting_choice *settings, size_t count,
                                             const char *only)
{
  if (count > 0 && !settings)
    return gradyn_fail(&ev->message, GRADYN_INVALID,
                       "settings: their array is NULL; it must have %zu settings", count);
  GRADYN_TRY(gradyn_settings_check(ev->problem, settings, count, &ev->message));
  ev->settings = gradyn_arena_take(&ev->arena, count + ev->problem->setting_count,
                                   sizeof *ev->settings);
  if (!ev->settings)
    return gradyn_fail(&ev->message, GRADYN_NO_MEMORY, "out of memory");
  for (size_t i = 0; i < count; i++) {
    ev->settings[i] = settings[i];
    /* the caller's name may become invalid: use the problem's own */
    for (size_t k = 0; k < ev->problem->setting_count; k++)
      if (strcmp(ev->problem->settings[k].name, settings[i].name) == 0)
        ev->settings[i].name = ev->problem->settings[k].name;
  }
  ev->setting_count = count;
  return only ? enter_case(ev, only) : GRADYN_OK;
}

static gradyn_status check_number(gradyn_message *message, const char *name, double value)
{
  if (value >= 0 && isfinite(value))
    return GRADYN_OK;
  return gradyn_fail(message, GRADYN_INVALID, "%s is %g: it must be finite and not negative", name,
                     value);
}

/* Copies the options with their names, because callers may have them in buffers. */
static gradyn_status copy_options(gradyn_evaluator *ev, const gradyn_options *options)
{
  gradyn_options *o = &ev->options;
  *o = *options;
  const char **name[] = {&o->sensitivity, &o->integrator, &o->coordinates,
                         &o->only_case,   &o->over_cases, &o->method};
  const int names = gradyn_options_name_method(options) ? 6 : 5; /* own names stay valid */
  for (int k = 0; k < names; k++) {
    const size_t size = *name[k] ? strlen(*name[k]) + 1 : 0;
    char *copy = size > 0 ? gradyn_arena_take(&ev->arena, size, 1) : NULL;
    *name[k] = copy ? memcpy(copy, *name[k], size) : NULL;
  }
  if (gradyn_arena_status(&ev->arena) != GRADYN_OK)
    return gradyn_fail(&ev->message, GRADYN_NO_MEMORY, "out of memory");
  /* NULL is the default, so that zeroed options are valid */
  if (!o->method)
    o->method = "auto";
  if (!o->sensitivity)
    o->sensitivity = "auto";
  ev->asked = *o;
  return GRADYN_OK;
}

/* Returns the step that the problem recommends. It is for the problem's own method, and for methods with
 * fixed steps. A method with error control that a user names, or that "auto" chooses, determines its steps
 * from the error. */
static double own_step(const gradyn_evaluator *ev)
{
  const bool by_error = ev->method->rtol > 0 && gradyn_options_name_method(&ev->options);
  return ev->method->among || by_error ? 0 : ev->problem->step;
}

/* Completes and checks the options. */
static gradyn_status settle_options(gradyn_evaluator *ev)
{
  gradyn_message *message = &ev->message;
  gradyn_options *o = &ev->options;
  ev->method = gradyn_method_find(o->method);
  if (!ev->method) {
    gradyn_fail(message, GRADYN_INVALID, "method '%s': unknown. Choose one of:", o->method);
    /* the message lists the existing names */
    for (int i = 0; gradyn_methods()[i]; i++)
      gradyn_message_add(message, "  %s: %s", gradyn_methods()[i]->name,
                         gradyn_methods()[i]->summary);
    return GRADYN_INVALID;
  }
  if (o->coordinates && strcmp(o->coordinates, "natural") != 0 &&
      strcmp(o->coordinates, "joint") != 0 && strcmp(o->coordinates, "auto") != 0)
    return gradyn_fail(message, GRADYN_INVALID,
                       "coordinates '%s': unknown. Choose natural, joint or auto", o->coordinates);
  if (isnan(o->step) && ev->problem->step != 0)
    o->step = own_step(ev);
  const struct {
    const char *name;
    double value;
  } numbers[] = {{"rtol", o->rtol},
                 {"atol", o->atol},
                 {"rtol_sens", o->rtol_sens},
                 {"step", o->step},
                 {"t_end", o->t_end},
                 {"penalty", o->penalty},
                 {"projection_penalty", o->projection_penalty},
                 {"memory", o->memory},
                 {"max_steps", (double)o->max_steps},
                 {"baumgarte_alpha", o->baumgarte_alpha},
                 {"baumgarte_beta", o->baumgarte_beta},
                 {"perturbation", o->perturbation},
                 {"evaluation_seconds", o->evaluation_seconds}};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    GRADYN_TRY(check_number(message, numbers[i].name, numbers[i].value));
  if (ev->method->among && o->step > 0)
    return gradyn_fail(message, GRADYN_INVALID,
                       "step is %g: method '%s' adapts its steps to the error. Name a method with "
                       "fixed steps, for example explicit, or leave out the step",
                       o->step, ev->method->name);
  if (ev->method->rtol == 0 || (ev->method->either && o->step > 0)) /* tolerances have no effect */
    o->rtol = o->rtol_sens = 0;
  else if (o->rtol == 0)
    o->rtol = ev->method->rtol;
  if (isnan(o->integrator_parameter))
    /* each integrator has a default; the trapezoidal rule, used if none is named, has no parameter */
    o->integrator_parameter = o->integrator ? gradyn_ali3p_usual_parameter(o->integrator) : 0;
  if (ev->method->rtol > 0 && o->rtol > 0.1)
    return gradyn_fail(message, GRADYN_INVALID, "rtol is %g: it must be at most 0.1", o->rtol);
  if (o->perturbation >= 1)
    return gradyn_fail(message, GRADYN_INVALID,
                       "perturbation is %g: it is relative and must be below 1", o->perturbation);
  return GRADYN_OK;
}

gradyn_status gradyn_evaluator_settle(gradyn_evaluator *ev, const gradyn_options *options)
{
  GRADYN_TRY(gradyn_layout_check(&ev->message, "gradyn_options: struct_size", options->struct_size,
                                 sizeof *options,
                                 "Fill it by gradyn_options_default(), then set members"));
  GRADYN_TRY(copy_options(ev, options));
  GRADYN_TRY(settle_options(ev));
  return gradyn_evaluator_settle_route(ev);
}
