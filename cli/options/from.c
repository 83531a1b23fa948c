/* --from: settings of an earlier run, and its final values.
 *
 * A study has settings.json with method, tolerances, settings and initial parameters, and result.json with
 * its results. Either can be missing: an interrupted run has only settings.json, and a simulation has no
 * settings.json. Both files name the problem, which the command line may then omit. */
#include "cli/options/from.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/base/json.h"
#include "cli/base/memory.h"
#include "cli/base/read.h"
#include "core/base/owned.h"
#include "optim/study/options.h"

/* Reads an object from a file. NULL: reason [size] states why, or is empty if there is no such file. */
static json_t *read_object(const char *path, char *reason, size_t size)
{
  json_t *root = NULL;
  char why[256];
  *reason = '\0';
  const gradyn_status status = cli_read_json(path, &root, why, sizeof why);
  if (status == GRADYN_NOT_FOUND)
    return NULL;
  if (status != GRADYN_OK)
    (void)snprintf(reason, size, "'%s' cannot be read: %s", path, why);
  else if (!json_is_object(root) || !json_is_array(json_object_get(root, "parameters")))
    (void)snprintf(reason, size, "'%s' is no result of gradyn: it has no parameters", path);
  /* an object that is only partly valid is not used */
  if (*reason) {
    json_decref(root);
    return NULL;
  }
  return root;
}

/* Returns the text of a member. NULL: it is missing, or no text. */
static const char *text_of(const json_t *root, const char *key)
{
  return json_string_value(json_object_get(root, key));
}

/* Returns the result of a study, or its settings if it is not finished. *settings gets the settings; if
 * they cannot be read, reason [size] states why. `study` may also be a single file. */
static json_t *read_study(const char *study, json_t **settings, char *reason, size_t size)
{
  struct stat about;
  if (stat(study, &about) == 0 && !S_ISDIR(about.st_mode))
    return read_object(study, reason, size);
  /* a finished study has a result; any study has settings */
  char *path = cli_text("%s/result.json", study);
  json_t *result = read_object(path, reason, size);
  free(path);
  if (*reason)
    return NULL;
  path = cli_text("%s/settings.json", study);
  *settings = read_object(path, reason, size);
  free(path);
  if (!result && !*settings && !*reason)
    (void)snprintf(reason, size, "there is neither result.json nor settings.json in it");
  return result ? result : json_incref(*settings);
}

/* Reads the study or the result that --from names. It gives problem, settings and values. */
int cli_from_open(cli_session *session)
{
  const cli_options *given = session->options;
  char reason[512] = "";
  json_t *settings = NULL;
  /* name of the problem in the command line; "" if it is not there */
  session->requested = cli_text("%s", given->problem ? given->problem : "");
  session->foreign = given->resume && !given->resume->file;
  if (!given->from)
    return CLI_DONE;
  session->from = read_study(given->from, &settings, reason, sizeof reason);
  /* unreadable settings are a failure only if they are needed to find the file of the problem */
  if (session->from && *reason && !given->problem) {
    json_decref(session->from);
    session->from = NULL;
  }
  /* the path of a shared object is recorded, because the object may be outside the study */
  if (session->from && !given->problem) {
    const char *file = text_of(settings, "problem_file");
    const char *name = file ? file : text_of(session->from, "problem");
    free(session->requested);
    session->requested = cli_text("%s", name ? name : "");
    session->foreign = true;
  }
  json_decref(settings);
  if (!session->from)
    return cli_session_fail(session, GRADYN_INVALID, "--from '%s': %s", given->from, reason);
  if (!*session->requested)
    return cli_session_fail(session, GRADYN_INVALID, "--from '%s': it names no problem",
                            given->from);
  return CLI_DONE;
}

void cli_from_close(cli_session *session)
{
  json_decref(session->from);
  free(session->requested);
  session->from = NULL;
  session->requested = NULL;
}

/* Fails if the study belongs to another problem, whose values would fit only by chance. */
int cli_from_fits(const cli_session *session)
{
  /* a result that a user has written may lack the name */
  const char *problem = text_of(session->from, "problem");
  if (!problem || strcmp(problem, session->name) == 0)
    return CLI_DONE;
  return cli_session_fail(session, GRADYN_INVALID,
                          "--from '%s': this is a study of the problem '%s', not of '%s'",
                          session->options->from, problem, session->name);
}

/* Reads the warm start of --warm as text, to be released with free(). *text is NULL without the option. */
int cli_from_warm(const cli_session *session, char **text)
{
  const cli_options *given = session->options;
  char reason[512] = "there is no result.json in it";
  json_t *settings = NULL;
  *text = NULL;
  if (given->resume || !given->folder.warm)
    return CLI_DONE;
  json_auto_t *study = read_study(given->folder.warm, &settings, reason, sizeof reason);
  json_decref(settings);
  const json_t *warm = json_object_get(study, "warm_start");
  if (study && !warm)
    (void)snprintf(reason, sizeof reason, "its result has no warm start");
  if (!warm)
    return cli_session_fail(session, GRADYN_INVALID, "--warm '%s': %s", given->folder.warm, reason);
  *text = json_dumps(warm, JSON_COMPACT | JSON_REAL_PRECISION(17));
  if (!*text)
    cli_no_memory();
  return CLI_DONE;
}

/* Takes the parameters of the warm start of --warm, unless --from gives them. */
int cli_from_warm_parameters(cli_session *session)
{
  char note[2048];
  FREED char *text = NULL;
  const int read = cli_from_warm(session, &text);
  if (read != CLI_DONE || !text || session->from)
    return read;
  const gradyn_status status = gradyn_warm_start_point(session->evaluator, text, session->rho, note,
                                                       sizeof note);
  if (status != GRADYN_OK)
    return cli_session_fail(session, status, "--warm '%s': %s", session->options->folder.warm,
                            note);
  for (char *line = note, *next; *line; line = next) {
    next = line + strcspn(line, "\n");
    cli_session_note(session, "--warm '%s': %.*s", session->options->folder.warm,
                     (int)(next - line), line);
    next += *next == '\n';
  }
  return CLI_DONE;
}

/* Sets *value if the study has this number. */
static void take_number(const json_t *root, const char *key, double *value)
{
  const json_t *found = json_object_get(root, key);
  if (json_is_number(found))
    *value = json_number_value(found);
}

/* Takes the method and tolerances of the study, unless the command line overrides them. */
void cli_from_evaluation(const cli_session *session, gradyn_options *evaluation)
{
  const char *method = text_of(session->from, "method"),
             *asked = session->options->evaluation.method;
  /* for another method, only the end time is taken, because the other options belong to the method */
  if (method && (!asked || strcmp(asked, method) == 0))
    gradyn_options_recall(session->from, evaluation);
  else
    take_number(session->from, "t_end_chosen", &evaluation->t_end);
}

const char *cli_from_text(const cli_session *session, const char *key)
{
  return text_of(session->from, key);
}

bool cli_from_setting(const cli_session *session, const char *name, double *value)
{
  const json_t *found = json_object_get(json_object_get(session->from, "settings"), name);
  if (!json_is_number(found))
    return false;
  *value = json_number_value(found);
  return true;
}

/* Returns the entry of a parameter. In most studies, entries are in the order of the problem. */
static const json_t *entry_of(const json_t *parameters, size_t i, const char *name)
{
  /* tries index i first (k = 0), then all entries */
  for (size_t k = 0; k <= json_array_size(parameters); k++) {
    const json_t *item = json_array_get(parameters, k == 0 ? i : k - 1);
    const char *found = text_of(item, "name");
    if (found && strcmp(found, name) == 0)
      return item;
  }
  return NULL;
}

/* Takes the values of parameters, and which are fixed. Parameters that are not in the study keep their
 * values. */
void cli_from_parameters(cli_session *session)
{
  const json_t *parameters = json_object_get(session->from, "parameters");
  size_t unknown = 0;
  const char *first = NULL;
  for (size_t i = 0; i < session->parameters && session->from; i++) {
    const json_t *item = entry_of(parameters, i, session->param[i].name);
    /* in a study of all load cases, names end with the name of the case */
    if (!item && session->evaluation.only_case) {
      char *name = cli_text("%s@%s", session->param[i].name, session->evaluation.only_case);
      item = entry_of(parameters, i, name);
      free(name);
    }
    take_number(item, "value", &session->rho[i]);
    /* without this member, the choice of the problem remains */
    if (json_is_boolean(json_object_get(item, "fixed")))
      session->vary[i] = !json_is_true(json_object_get(item, "fixed"));
    if (!item && unknown++ == 0)
      first = session->param[i].name;
  }
  if (unknown > 0)
    cli_session_note(session,
                     "--from '%s': the study lacks %zu of %zu parameters, %s first; they keep "
                     "their initial values",
                     session->options->from, unknown, session->parameters, first);
}

void cli_from_scale(const cli_session *session, const char *objective, double *scale)
{
  /* the objective is named by "objective" in settings, and by "objective_name" in results, where
   * "objective" is its value */
  const char *settings = text_of(session->from, "objective"),
             *name = settings ? settings : text_of(session->from, "objective_name");
  double known = 0;
  if (!name != !objective || (name && strcmp(name, objective) != 0))
    return;
  take_number(session->from, "objective_scale", &known);
  if (known > 0 && isfinite(known))
    *scale = known;
}
