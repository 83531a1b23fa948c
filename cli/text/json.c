/* The JSON object of --json and of a study: members shared by the subcommands.
 *
 * Every object begins with command, problem, status and version; numbers that are not finite
 * become null, texts that are no UTF-8 lose those bytes. Want of memory ends the program: there
 * is nobody left to tell. */
#include "cli/text/json.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options/memory.h"

/* For jansson, which returns NULL where memory is short. */
static json_t *insist(json_t *value)
{
  /* without memory there is nothing to be told in JSON */
  if (!value)
    cli_no_memory();
  return value;
}

void cli_json_put(json_t *object, const char *key, json_t *value)
{
  gradyn_json_put(&object, key, value);
  insist(object);
}

void cli_json_append(json_t *array, json_t *value)
{
  gradyn_json_append(&array, value);
  insist(array);
}

json_t *cli_json_text(const char *text)
{
  return insist(gradyn_json_text(text));
}

json_t *cli_json_numbers(const double *value, size_t count)
{
  return insist(gradyn_json_numbers(value, count));
}

/* Members that every object of the command has. */
json_t *cli_json_begin(const char *command, const char *problem, gradyn_status status)
{
  /* version and command first: a reader knows what follows */
  json_t *root = insist(json_object());
  cli_json_put(root, "gradyn", json_string(gradyn_version()));
  cli_json_put(root, "command", command ? json_string(command) : json_null());
  if (problem)
    cli_json_put(root, "problem", cli_json_text(problem));
  cli_json_put(root, "status", json_string(gradyn_status_name((int)status)));
  return root;
}

/* How the problem is marched and differentiated; what is off is left out. */
static void put_march(const cli_session *session, json_t *root)
{
  /* what decides the numbers, so that a study can be repeated */
  const gradyn_options *march = &session->march;
  cli_json_put(root, "method", json_string(march->method));
  cli_json_put(root, "sensitivity", json_string(march->sensitivity));
  /* differences are forward with a given step, central without */
  if (strcmp(march->sensitivity, "differences") == 0) {
    cli_json_put(root, "differences", json_string(march->perturbation > 0 ? "forward" : "central"));
    if (march->perturbation > 0)
      cli_json_put(root, "perturbation", gradyn_json_number(march->perturbation));
  }
  cli_json_put(root, "staggered", json_boolean(march->staggered));
  /* fixed steps or tolerances, as the method has them */
  if (march->step > 0)
    cli_json_put(root, "step", gradyn_json_number(march->step));
  if (march->rtol > 0) { /* tolerances: NULL where they follow from sizes */
    cli_json_put(root, "rtol", gradyn_json_number(march->rtol));
    cli_json_put(root, "atol", march->atol > 0 ? gradyn_json_number(march->atol) : json_null());
    cli_json_put(root, "rtol_sens",
                 gradyn_json_number(march->rtol_sens > 0 ? march->rtol_sens : march->rtol));
  }
  /* of fixed-step methods only */
  if (march->integrator) {
    cli_json_put(root, "integrator", cli_json_text(march->integrator));
    cli_json_put(root, "integrator_parameter", gradyn_json_number(march->integrator_parameter));
  }
  if (strcmp(march->method, "variational") == 0)
    cli_json_put(root, "quadrature", gradyn_json_number(march->quadrature));
  if (march->penalty > 0)
    cli_json_put(root, "penalty", gradyn_json_number(march->penalty));
  if (march->projection_penalty > 0)
    cli_json_put(root, "projection_penalty", gradyn_json_number(march->projection_penalty));
  if (march->baumgarte_alpha > 0 || march->baumgarte_beta > 0) {
    cli_json_put(root, "baumgarte_alpha", gradyn_json_number(march->baumgarte_alpha));
    cli_json_put(root, "baumgarte_beta", gradyn_json_number(march->baumgarte_beta));
  }
  if (march->order > 0)
    cli_json_put(root, "order", json_integer(march->order));
  if (march->max_steps > 0)
    cli_json_put(root, "max_steps", json_integer(march->max_steps));
  if (march->t_end > 0) /* chosen by the user; t_end below is what was marched */
    cli_json_put(root, "t_end_chosen", gradyn_json_number(march->t_end));
  cli_json_put(root, "t_end", gradyn_json_number(session->t_end));
}

/* The head of an object of a command with a problem: how it marches, and with which settings. */
json_t *cli_json_session(const cli_session *session, gradyn_status status)
{
  json_t *root = cli_json_begin(session->options->command->name, session->name, status);
  put_march(session, root);
  json_t *settings = insist(json_object());
  /* defaults, then what was chosen in their place */
  for (size_t i = 0; i < session->problem->setting_count; i++) {
    const gradyn_setting *setting = &session->problem->settings[i];
    cli_json_put(settings, setting->name, json_integer(setting->init));
  }
  for (size_t i = 0; i < session->setting_count; i++)
    cli_json_put(settings, session->settings[i].name, json_integer(session->settings[i].value));
  cli_json_put(root, "settings", settings);
  return root;
}

/* Where a problem in a shared object lies, so that it is found again from any folder; owned by the
 * caller. NULL: the problem is known by name. */
static char *problem_file(const char *problem)
{
  const size_t length = strlen(problem);
  /* a path, or a file of this folder */
  const bool object = length > 3 && strcmp(problem + length - 3, ".so") == 0;
  errno = 0;
  char *file = object || strchr(problem, '/') ? realpath(problem, NULL) : NULL;
  if (!file && errno == ENOMEM)
    cli_no_memory();
  return file;
}

/* What resuming needs: the command line as typed, and the file of a problem that is no built-in
 * one. */
void cli_json_command_line(const cli_session *session, json_t *root)
{
  json_t *line = insist(json_array());
  char *file = problem_file(session->wanted);
  if (file)
    cli_json_put(root, "problem_file", cli_json_text(file));
  free(file);
  /* as typed: resuming repeats it */
  for (int i = 0; i < session->options->argc; i++)
    cli_json_append(line, cli_json_text(session->options->argv[i]));
  cli_json_put(root, "command_line", line);
}

/* Parameters with bounds and role; rho [parameters] may be others than those of the session. */
json_t *cli_json_parameters(const cli_session *session, const double *rho)
{
  json_t *array = insist(json_array());
  for (size_t i = 0; i < session->parameters; i++) {
    const gradyn_parameter_info *param = &session->param[i];
    json_t *item = insist(json_object());
    cli_json_put(item, "name", cli_json_text(param->name));
    cli_json_put(item, "unit", cli_json_text(param->unit));
    cli_json_put(item, "value", gradyn_json_number(rho[i]));
    cli_json_put(item, "lower", gradyn_json_number(param->lower));
    cli_json_put(item, "upper", gradyn_json_number(param->upper));
    cli_json_put(item, "role", json_string(cli_role_name(param->role)));
    cli_json_put(item, "fixed", json_boolean(!session->vary[i]));
    cli_json_append(array, item);
  }
  return array;
}

/* Functionals with their use; values and gradients where there are any. */
json_t *cli_json_functionals(const cli_session *session, const double *psi, const double *gradient)
{
  json_t *array = insist(json_array());
  for (size_t i = 0; i < session->functionals; i++) {
    const gradyn_functional_info *functional = &session->functional[i];
    json_t *item = insist(json_object());
    cli_json_put(item, "name", cli_json_text(functional->name));
    cli_json_put(item, "unit", cli_json_text(functional->unit));
    cli_json_put(item, "use", json_string(cli_use_name(functional->use)));
    /* members that have a meaning for this use only */
    if (functional->use == GRADYN_OBJECTIVE || functional->use == GRADYN_LARGEST)
      cli_json_put(item, "weight", gradyn_json_number(functional->weight));
    if (functional->use >= GRADYN_EQUAL) { /* all uses from here on are constraints */
      cli_json_put(item, "bound", gradyn_json_number(functional->bound));
      cli_json_put(item, "tolerance", gradyn_json_number(functional->tolerance));
    }
    if (psi)
      cli_json_put(item, "value", gradyn_json_number(psi[i]));
    if (gradient)
      cli_json_put(item, "gradient",
                   cli_json_numbers(gradient + i * session->parameters, session->parameters));
    cli_json_append(array, item);
  }
  return array;
}

/* What is doubtful about the last evaluation, a text each. */
static void put_warnings(const cli_session *session, json_t *root)
{
  json_t *array = insist(json_array());
  const char *text = gradyn_evaluator_warnings(session->evaluator); /* one text a line */
  for (char *line; (line = cli_next_line(&text)) != NULL; free(line))
    cli_json_append(array, cli_json_text(line));
  cli_json_put(root, "warnings", array);
}

/* An event as the log has it. */
json_t *cli_json_event(const gradyn_event_record *e)
{
  json_t *item = insist(json_object());
  cli_json_put(item, "time", gradyn_json_number(e->t));
  cli_json_put(item, "event", cli_json_text(e->name));
  cli_json_put(item, "which", json_integer(e->which));
  cli_json_put(item, "approach", gradyn_json_number(e->approach));
  cli_json_put(item, "rebound", gradyn_json_number(e->rebound));
  cli_json_put(item, "impulse", gradyn_json_number(e->impulse));
  cli_json_put(item, "energy_lost", gradyn_json_number(e->energy_lost));
  return item;
}

/* The log of events, if there were some. */
static void put_events(const gradyn_evaluator *evaluator, json_t *root)
{
  /* no member at all where nothing happened */
  size_t count = gradyn_event_log_count(evaluator);
  if (count == 0)
    return;
  json_t *events = insist(json_array());
  for (size_t i = 0; i < count; i++) {
    const gradyn_event_record e = gradyn_event_log_at(evaluator, i);
    cli_json_append(events, cli_json_event(&e));
  }
  cli_json_put(root, "events", events);
}

/* Cost of the last evaluation, and what makes it doubtful. */
void cli_json_statistics(const cli_session *session, json_t *root)
{
  /* counts first, then what may be doubtful, then times, which differ from run to run */
  gradyn_statistics s = gradyn_evaluator_statistics(session->evaluator);
  json_t *cost = insist(json_object()), *seconds = insist(json_object());
  cli_json_put(cost, "method", json_string(s.method));
  if (s.simulations > 0) /* of gradients by differences */
    cli_json_put(cost, "simulations", json_integer(s.simulations));
  /* what the run took */
  cli_json_put(cost, "steps", json_integer(s.steps));
  cli_json_put(cost, "steps_backward", json_integer(s.steps_backward));
  cli_json_put(cost, "newton_iterations", json_integer(s.newton_iterations));
  cli_json_put(cost, "residual_calls", json_integer(s.residual_calls));
  cli_json_put(cost, "factorisations", json_integer(s.factorisations));
  cli_json_put(cost, "arcs", json_integer(s.arcs));
  /* how well constraints were kept, and what is doubtful */
  cli_json_put(cost, "constraint_drift", gradyn_json_number(s.drift_position));
  cli_json_put(cost, "constraint_rate_drift", gradyn_json_number(s.drift_velocity));
  cli_json_put(cost, "constraint_acceleration_drift", gradyn_json_number(s.drift_acceleration));
  cli_json_put(cost, "steps_divided", json_integer(s.steps_divided));
  if (s.gradient_error > 0)
    cli_json_put(cost, "gradient_error", gradyn_json_number(s.gradient_error));
  /* what is doubtful, where and with which step */
  if (s.growth > 0) {
    cli_json_put(cost, "growth", gradyn_json_number(s.growth));
    cli_json_put(cost, "growth_time", gradyn_json_number(s.growth_time));
    cli_json_put(cost, "growth_step", gradyn_json_number(s.growth_step));
  }
  if (s.slope != 0) {
    cli_json_put(cost, "slope", gradyn_json_number(s.slope));
    cli_json_put(cost, "slope_time", gradyn_json_number(s.slope_time));
    cli_json_put(cost, "slope_step", gradyn_json_number(s.slope_step));
  }
  if (s.jumps > 0) {
    json_t *times = json_array();
    for (int k = 0; k < s.jumps && k < GRADYN_JUMP_TIMES; k++)
      (void)json_array_append_new(times, gradyn_json_number(s.jump_time[k]));
    cli_json_put(cost, "jumps", json_integer(s.jumps));
    cli_json_put(cost, "jump_times", times);
  }
  if (s.leap > 0) {
    cli_json_put(cost, "leap", gradyn_json_number(s.leap));
    cli_json_put(cost, "leap_time", gradyn_json_number(s.leap_time));
    cli_json_put(cost, "leap_step", gradyn_json_number(s.leap_step));
  }
  /* times apart: the rest is the same in every run */
  put_warnings(session, root);
  put_events(session->evaluator, root);
  cli_json_put(root, "statistics", cost);
  cli_json_put(seconds, "simulate_s", gradyn_json_number(s.time_simulate));
  cli_json_put(seconds, "gradient_s", gradyn_json_number(s.time_gradient));
  cli_json_put(root, "time", seconds);
}

void cli_json_write(json_t *root, FILE *file)
{
  if (gradyn_json_write(root, file) != GRADYN_OK)
    cli_no_memory();
  json_decref(root);
}

void cli_json_print(json_t *root)
{
  cli_json_write(root, stdout);
}

void cli_json_blame(json_t *root, gradyn_status status, const char *message)
{
  cli_json_put(root, "status", json_string(gradyn_status_name((int)status)));
  cli_json_put(root, "message", cli_json_text(message));
}

const char *cli_use_name(gradyn_use use)
{
  static const char *const name[] = {
      [GRADYN_MONITORED] = "monitored", [GRADYN_OBJECTIVE] = "objective",
      [GRADYN_LARGEST] = "largest",     [GRADYN_EQUAL] = "equal",
      [GRADYN_AT_MOST] = "at-most",     [GRADYN_AT_LEAST] = "at-least"};
  return (size_t)use < sizeof name / sizeof name[0] ? name[use] : "unknown";
}

const char *cli_role_name(gradyn_role role)
{
  static const char *const name[] = {[GRADYN_DESIGN] = "design",
                                     [GRADYN_CONTROL] = "control",
                                     [GRADYN_INITIAL_STATE] = "initial-state",
                                     [GRADYN_TIME] = "time"};
  return (size_t)role < sizeof name / sizeof name[0] ? name[role] : "unknown";
}
