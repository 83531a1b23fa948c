/* --set, --fix, --free: values of settings, parameters, components and whole vectors.
 *
 * Settings come first, because they determine the model. Parameters come after the evaluator is created,
 * which knows their names. Values of an earlier study (--from) are applied before those of the command
 * line, with the same checks. */
#include <math.h>
#include <string.h>

#include "cli/options/from.h"
#include "cli/base/memory.h"
#include "cli/options/session.h"
#include "core/base/nearest.h"

#define NAME_SIZE 128

/* Splits "NAME=VALUE". Returns false if the name or the '=' is missing. */
static bool split(const char *text, char name[NAME_SIZE], const char **value)
{
  size_t length = strcspn(text, "=");
  if (length == 0 || length >= NAME_SIZE || text[length] != '=')
    return false;
  memcpy(name, text, length);
  name[length] = '\0';
  *value = text + length + 1;
  return true;
}

/* Finds a setting by its name. NULL: there is no such setting. */
static const gradyn_setting *find_setting(const gradyn_problem *problem, const char *name)
{
  for (size_t i = 0; i < problem->setting_count; i++)
    if (strcmp(problem->settings[i].name, name) == 0)
      return &problem->settings[i];
  return NULL;
}

/* Stores the value of a setting. If it is given several times, the last value counts. */
static void choose(cli_session *session, const gradyn_setting *setting, int value)
{
  size_t i = 0;
  while (i < session->setting_count && strcmp(session->settings[i].name, setting->name) != 0)
    i++;
  if (i == session->setting_count) /* the setting has no entry yet */
    session->settings = cli_grow(session->settings, ++session->setting_count,
                                 sizeof *session->settings);
  session->settings[i] = (gradyn_setting_choice){setting->name, value};
}

/* Checks and stores the value of a setting. option: where the value comes from, for the message. */
static int assign_setting(cli_session *session, const gradyn_setting *setting, const char *option,
                          double value)
{
  /* the value is a double, because it comes from text or JSON */
  if (value != floor(value) || value < setting->lower || value > setting->upper)
    return cli_session_fail(session, GRADYN_INVALID,
                            "%s %s=%.17g: must be an integer from %d to %d", option, setting->name,
                            value, setting->lower, setting->upper);
  choose(session, setting, (int)value);
  return CLI_DONE;
}

/* Takes the settings of --from. They come before those of the command line, which override them. */
static int take_settings(cli_session *session)
{
  /* takes only settings of the present problem, because the study may be of another version */
  for (size_t i = 0; i < session->problem->setting_count; i++) {
    const gradyn_setting *setting = &session->problem->settings[i];
    double value;
    int status = cli_from_setting(session, setting->name, &value)
                     ? assign_setting(session, setting, "--from:", value)
                     : CLI_DONE;
    if (status != CLI_DONE)
      return status;
  }
  return CLI_DONE;
}

/* Assigns the settings among the names of --set. They come first, because they determine which parameters
 * exist. Parameters among the names are assigned later. */
int cli_assign_settings(cli_session *session)
{
  int taken = take_settings(session);
  if (taken != CLI_DONE)
    return taken;
  /* in the order of the command line, so that the last value counts */
  for (size_t i = 0; i < session->options->choice_count; i++) {
    const cli_choice *choice = &session->options->choice[i];
    if (choice->kind != 's') /* 's' is --set; --fix and --free are for parameters */
      continue;
    char name[NAME_SIZE];
    const char *text;
    double value;
    if (!split(choice->text, name, &text))
      return cli_session_fail(session, GRADYN_INVALID,
                              "--set '%s': write NAME=VALUE, for example --set mass=2.5",
                              choice->text);
    if (!cli_parse_number(text, &value))
      return cli_session_fail(session, GRADYN_INVALID,
                              "--set %s=%s: the value is not a finite number", name, text);
    /* any other name is that of a parameter, which is not known yet */
    const gradyn_setting *setting = find_setting(session->problem, name);
    int status = setting ? assign_setting(session, setting, "--set", value) : CLI_DONE;
    if (status != CLI_DONE)
      return status;
  }
  return CLI_DONE;
}

/* Whether a parameter has this name, or is a component of a vector with this name. */
static bool matches(const gradyn_parameter_info *param, const char *name)
{
  size_t length = strlen(name);
  return strncmp(param->name, name, length) == 0 &&
         (param->name[length] == '\0' || param->name[length] == '[');
}

/* Adds a name to the list of names in a message. */
static void append(char *list, size_t size, const char *name)
{
  size_t used = strlen(list);
  if (used + strlen(name) + 6 > size) /* a list that is too long is cut off */
    return;
  (void)snprintf(list + used, size - used, "%s%s", used ? ", " : "", name);
}

/* Reports an unknown name, with the most similar name and all known names; vectors by their ranges. */
static int refuse(const cli_session *session, const char *option, const char *name)
{
  const gradyn_problem *problem = session->problem;
  bool set = strcmp(option, "--set") == 0;
  char known[2048] = "", row[2 * NAME_SIZE];
  gradyn_nearest nearest = {.requested = name};

  /* settings can be set, but not fixed */
  for (size_t i = 0; set && i < problem->setting_count; i++) {
    gradyn_nearest_try(&nearest, problem->settings[i].name);
    append(known, sizeof known, problem->settings[i].name);
  }
  for (size_t i = 0; i < problem->param_count; i++)
    gradyn_nearest_try(&nearest, problem->params[i].name);
  for (size_t i = 0, end; i < session->parameters; i = end) {
    const char *first = session->param[i].name;
    int stem = (int)strcspn(first, "["); /* the name of the vector, before the bracket */
    gradyn_nearest_try(&nearest, first);
    /* components of a vector are adjacent */
    for (end = i + 1; end < session->parameters && first[stem]; end++)
      if (strncmp(session->param[end].name, first, (size_t)stem + 1) != 0)
        break;
    (void)snprintf(row, sizeof row, "%.*s%s%s", stem, first, first[stem] ? "[0] to " : "",
                   first[stem] ? session->param[end - 1].name : "");
    append(known, sizeof known, row);
  }
  return cli_session_fail(session, GRADYN_INVALID,
                          "%s %s: no %sparameter has this name%s%s%s; %s%s", option, name,
                          set ? "setting or " : "", nearest.best ? " (did you mean '" : "",
                          nearest.best ? nearest.best : "", nearest.best ? "'?)" : "",
                          *known ? "known: " : "there are none", known);
}

/* Checks whether a value is within its bounds. If not, a search fails, and other commands print a note. */
static int check_bounds(const cli_session *session, const gradyn_parameter_info *param,
                        const char *option, double value)
{
  if (value >= param->lower && value <= param->upper)
    return CLI_DONE;
  /* other commands accept values outside the bounds */
  if (!(session->options->command->bit & CLI_RUN)) {
    cli_session_note(session, "%s = %.10g %s is outside its bounds %.10g to %.10g", param->name,
                     value, param->unit, param->lower, param->upper);
    return CLI_DONE;
  }
  return cli_session_fail(session, GRADYN_INVALID,
                          "%s %s = %.10g %s is outside its bounds %.10g to %.10g", option,
                          param->name, value, param->unit, param->lower, param->upper);
}

/* Applies a --set, --fix or --free to the parameters that its name matches. */
static int apply(cli_session *session, const cli_choice *choice)
{
  char name[NAME_SIZE];
  const char *text = NULL;
  double value = 0;
  bool set = choice->kind == 's', found = false;
  if (set) {
    /* name and number were checked together with the settings */
    (void)split(choice->text, name, &text);
    (void)cli_parse_number(text, &value);
    if (find_setting(session->problem, name))
      return CLI_DONE;
  } else {
    (void)snprintf(name, sizeof name, "%s", choice->text);
  }
  /* a vector's name matches all its components */
  for (size_t i = 0; i < session->parameters; i++) {
    if (!matches(&session->param[i], name))
      continue;
    found = true;
    if (!set)
      session->vary[i] = choice->kind == 'f'; /* 'f': --free, 'x': --fix */
    else if (check_bounds(session, &session->param[i], "--set", value) != CLI_DONE)
      return CLI_USAGE;
    else
      session->rho[i] = value;
  }
  const char *option = set ? "--set" : choice->kind == 'x' ? "--fix" : "--free";
  return found ? CLI_DONE : refuse(session, option, name);
}

int cli_assign_parameters(cli_session *session)
{
  /* first the values of the study, then those of the command line in its order: the last one counts */
  cli_from_parameters(session);
  const int warm = cli_from_warm_parameters(session);
  if (warm != CLI_DONE)
    return warm;
  for (size_t i = 0; i < session->options->choice_count; i++) {
    const cli_choice *choice = &session->options->choice[i];
    /* 'o' is --over, for sweeps */
    int status = choice->kind == 'o' ? CLI_DONE : apply(session, choice);
    if (status != CLI_DONE)
      return status;
  }
  /* values of --set have been checked; with --from, all values are checked again */
  for (size_t i = 0; i < session->parameters && session->from; i++)
    if (check_bounds(session, &session->param[i], "--from:", session->rho[i]) != CLI_DONE)
      return CLI_USAGE;
  return CLI_DONE;
}
